"""Blackjack by N.J.A.C. 19:47-2: standard, 6 to 5, multiple action; hole card none, down, reader or up.

Written from the text. "2.x" is 19:47-2.x. Where the text can be read two ways, docs/oracles.md says which way is taken.
"""
import nj_blackjack_side as side
import nj_blackjack_table as table
from between import Between
from book import MOMENTS, Box, Dealing, Hand, Sheet, Stake, money, seat
from cards import Shoe, is_red, is_ten, points, total, two_card_21
from nj_blackjack_settle import Settlement
from nj_blackjack_upsets import Upsets

NAME = "nj-blackjack"


def order(o):
    """Returns the sentences on the order of settlements, each with the key that has to rise (None: not spoken of)."""
    rules = [("2.23(e): losing match-the-dealer wagers, then winning ones",
              lambda w: w.result == "win" if w.wager == "match-the-dealer" and w.result != "void" else None),
             ("2.24(d): from the far right",
              lambda w: -w.box if w.wager == "twenty-point" and w.when == "deal" and w.result != "void"
              else None),
             ("2.25(e): from the far right",
              lambda w: -w.box if w.wager == "dealer-bust" and w.result != "void" else None),
             ("2.25(e): before the wagers that are still open then",
              lambda w: w.wager != "dealer-bust" if w.wager == "dealer-bust" and w.result != "void" or w.when == "end"
              else None),
             ("2.20(f): after all others, from the left", lambda w: (w.when == "bonus", w.when == "bonus" and w.box))]
    if o.multiple:
        # a bust takes all spots at once (2.18(f))
        rules.append(("2.18(d) to (i): spot by spot",
                      lambda w: w.spot or None if w.when in ("dealer", "end") and not w.clause.endswith("2.18(f)")
                      else None))
    else:
        rules.append(("2.6, 2.9(d), 2.3(e): moment after moment", moment))
    if "streak" in o.side:
        for word, results in (("losing", ("lose",)), ("winning", ("win",))):
            rules.append((f"2.22(c): {word} wagers from the far right",
                          lambda w, results=results: -w.box if of_streaks(w) and w.result in results else None))
    return rules


def of_streaks(wager):
    """Tells whether 2.22(c) puts a wager in order: it speaks of blackjack and streak wagers, settled at the end."""
    return wager.when == "end" and (wager.wager in ("main", "double", "split") or wager.wager.startswith("streak"))


def by_spot(stakes, amounts):
    """Writes amounts on these stakes spot by spot, or the one amount where there are no spots."""
    if stakes[0].spot is None:
        return money(amounts[0])
    on = {stake.spot: amount for stake, amount in zip(stakes, amounts)}
    # one amount alone would be meant for every spot
    return "/".join(money(on.get(spot, 0)) for spot in range(1, max(2, *on) + 1))


def moment(wager):
    """Returns the place of a moment in the round; the optional bonus wager has its own rule (2.25(e))."""
    return None if wager.wager == "dealer-bust" else MOMENTS.index(wager.when)


class Table(Upsets, Settlement, Between, Dealing):
    """A table that plays some rounds and writes them down."""

    BETWEEN = {"entry": "2.3(i)", "burn": "2.6(c)", "consent": "2.13(a)", "sharing": "2.13(a)|2.19",
               "boxes": "2.14"}

    def __init__(self, rng, trap=None):
        self.rng = rng
        self.o = o = table.options(rng)
        favour, weight = [], 0.25
        if rng.random() < 0.4:
            favour = list(rng.choice(["A", "7", "8", "AT", "TJQK", "A8", "6578", "9", "Qh"]))
            if favour == ["Q", "h"]:
                favour = ["Qh", "A", "K"]
        if o.multiple and o.even_money and rng.random() < 0.4:
            favour, weight = list("ATK"), 0.1
        if "progressive" in o.side and rng.random() < 0.8:
            favour, weight = rng.choice([["Ah", "Ad"], ["As", "Ac"], ["A"]]), 0.1
        elif "sevens" in o.side and rng.random() < 0.6:
            favour, weight = ["7", "A", "K"] if o.hole in ("reader", "up") else ["7"], 0.15
        elif "blackjack-bonus" in o.side and rng.random() < 0.5:
            favour = ["A", "K", "J"]
        elif o.bonus and rng.random() < (0.8 if "special_odds_on" in o.rulings else 0.4):
            suit, weight = rng.choice("cdhs"), 0.12
            name = rng.choice(o.bonus)
            favour = {"suited-678": [rank + suit for rank in "678"], "three-sevens": ["7"],
                      "five-card-21": list("2345A")}.get(name) or name[10:].split()
        for name, ranks in (("busted_v_dealer_blackjack", "AK68"), ("face_up_blackjack_v_21", "AK56"),
                            ("ace_nine_twenty", "A9")):
            if name in o.rulings and rng.random() < 0.5:
                favour, weight = list(ranks), 0.15  # cards on which the ruling decides
        if o.full and rng.random() < 0.7:
            favour, weight = list("TJQK9"), 0.1  # the low cards come last, when they may run out
        self.shoe = Shoe(rng, o.decks, favour=favour, weight=weight)
        self.open()
        self.sheet = Sheet(rng, NAME, table.line(o) + self.entry(), self.shoe, trap, order(o))
        self.sheet.saw(f"table {o.kind}", *(f"bonus {name.split(':')[0]}" for name in o.bonus))
        self.reader_failed = False
        self.streaks = {}  # (box, player) -> open streak wagers, each with the wins so far
        self.meter = getattr(o, "meter", 0)
        self.seats = seat(rng, o.positions, {1: 7 if o.full else 2, 2: 3}.get(o.decks, 5), o.bettors, o.boxes_each)
        while o.full and len(self.seats) < 5:
            self.seats = seat(rng, o.positions, 7, o.bettors, o.boxes_each)
        # a quarter lies behind the cutting card (2.5(d)), a third at 6 to 5 (2.5(i))
        self.deepest = 0.3 if o.six_to_five else 0.7 if o.full else 0.55

    # ---- one round

    def round(self):
        """Plays and settles one round."""
        self.known = False  # whether the dealer's blackjack is known before anybody draws
        self.bets()
        self.upset_before()
        self.deal()
        self.side_on_two_cards()
        if self.misused:
            self.all_dead()
            self.bonus_button()
            self.sheet.finish(None, self.boxes, self.stakes, loose=True)
            return
        natural_dealer = self.hole and two_card_21(self.dealer)
        if self.o.hole != "up" and self.up[0] == "A":
            self.insurance()
        self.behind = len(self.sheet.lines)  # what goes wrong before another line was there before the reader
        self.known = natural_dealer and (self.o.hole == "up" or self.reading)
        if self.known:
            # 2.6(j)1, (k)6: no additional cards, but for two sevens (2.6(j)3, (k)6)
            self.offer_sevens()
        else:
            for box in self.boxes:
                self.turn(box)
            for box, hand in self.late:
                self.late_card(box, hand)
        self.dealers_turn()
        self.bonus_button()
        if self.exposed:
            self.shoe.draw()  # 2.15(c): refused and of no use to the dealer
            self.exposed = False
        self.sheet.finish(self.dealers if self.o.multiple else self.dealer, self.boxes, self.stakes)

    def bets(self):
        """Takes the wagers: main, and side wagers up to the main wager (2.3(a), 2.17(b), (g), 2.22(b) and so on)."""
        rng, o = self.rng, self.o
        for number, players in self.come():
            bets, marks = {}, {}
            for player in players:
                amount = rng.randint(-(-1000 // o.chip), 6000 // o.chip) * o.chip
                bets[player] = amount
                if o.multiple:
                    # 2.18(b): two or three wagers, on any of the spots
                    spots = [1, 2, 3] if o.required == 3 else rng.choice([[1, 2], [1, 2, 3], [1, 3], [2, 3]])
                    bets[player] = tuple(rng.randint(-(-1000 // o.chip), 4000 // o.chip) * o.chip if spot in spots
                                         else 0 for spot in range(1, spots[-1] + 1))
                    self.sheet.saw(*["a spot left out"] * (0 in bets[player]))
            box = Box(number, bets)
            if len(players) > 1:
                seated = rng.random()
                if seated < 0.15:
                    box.caller = rng.choice(players)
                    marks[box.caller] = " seated"
                elif seated < 0.3 and not o.multiple:
                    # 2.13(b): nobody sits, the highest wager calls; of equal ones the first
                    marks = {player: " unseated" for player in players}
                    box.caller = max(players, key=lambda player: bets[player])
                self.sheet.saw("shared box")
            hand = Hand(number, 1)
            box.hands = [hand]
            for player in players:
                amounts = bets[player] if o.multiple else (bets[player],)
                for at, amount in enumerate(amounts):
                    if amount:
                        hand.stakes.append(Stake(number, 1, player, "main", amount, at + 1 if o.multiple else None))
                words = self.side_bets(box, player, min(amount for amount in amounts if amount))
                self.bad_bet(number, player)
                self.wager(box, player, "/".join(money(a) for a in amounts) + "".join(words) + marks.get(player, ""))
            self.stakes += hand.stakes
            self.boxes.append(box)
        self.abandoned()

    def bad_bet(self, number, player):
        """Offers illegal wagers."""
        amount = "/".join(["5"] * 2) if self.o.multiple else "5"
        most = "/".join(["505"] * (self.o.required if self.o.multiple else 1))
        self.sheet.tempt([(f"bet {number} {player} {amount}", "under the table minimum"),
                          (f"bet {number} {player} {most}", "over the table maximum"),
                          (f"bet {self.o.positions + 1} {player} {most}", "no such box"),
                          (f"bet {number} {player} {'/'.join(['20.25'] * (3 if self.o.multiple else 1))}",
                           "2.3(d): no chips of that amount")]
                         + ([(f"dealer light-failed {number}\nbet {number} {player} 20 progressive=1", "2.15(n)")]
                            if "progressive" in self.o.side else []))

    def side_bets(self, box, player, least):
        """Chooses the side wagers of a player, and returns their words."""
        rng, o = self.rng, self.o
        words = []
        chips = lambda most: rng.randint(1, max(1, most // o.chip)) * o.chip
        for name in o.side:
            if rng.random() < 0.3 and name != "streak":
                continue
            amount = chips(min(least, 2000))
            if name in ("sevens", "progressive"):
                amount = 100
            elif name == "blackjack-bonus":
                amount = rng.choice([100, 500])
            elif name == "streak":
                if (box.number, player) not in self.streaks and rng.random() < 0.8:
                    self.place_streaks(box, player, words)
                continue
            elif amount < 100:
                continue
            bet = rng.choice(["over-13", "under-13"]) if name == "over-under-13" else name
            coupon = name == "progressive" and rng.random() < 0.3  # 2.3(k): counts as its dollar
            words.append(f" {bet}={'coupon' if coupon else money(amount)}")
            box.side.append(Stake(box.number, 1, player, bet, amount))
            self.stakes.append(box.side[-1])
            self.sheet.saw(f"side {bet}")
        return words

    def place_streaks(self, box, player, words):
        """Places one or more streak wagers at once (2.22(b), (k))."""
        for length in sorted(self.rng.sample([2, 3, 4, 5], self.rng.choice([1, 1, 2, 4]))):
            amount = 1000 if self.o.chip > 250 else self.rng.choice([200, 500]) // self.o.chip * self.o.chip or 500
            words.append(f" streak-{length}={money(amount)}")
            stake = Stake(box.number, 1, player, f"streak-{length}", amount)
            self.streaks.setdefault((box.number, player), []).append([stake, length, 0])

    def abandoned(self):
        """Collects the streak wagers of those who do not play on (2.22(f))."""
        playing = {(box.number, player) for box in self.boxes for player in box.bets}
        for seat in [seat for seat in self.streaks if seat not in playing]:
            for stake, _, _ in self.streaks.pop(seat):
                stake.abandon("2.22(f)")
                self.stakes.append(stake)
                self.sheet.saw("streak abandoned")

    def deal(self):
        """Deals the first cards: a card to each box, one to the dealer, another to each box (2.6(e))."""
        self.hole = self.o.hole in ("down", "reader", "up")
        self.reading = self.o.hole == "reader" and not self.reader_failed
        if self.o.shoe == "double" and self.upset is None and self.rng.random() < 0.4:
            # 2.6(d)2: the suit stands for the other side of the shoe, the card is burned
            card = self.shoe.draw()
            self.sheet.say(f"dealer determinant {card} {'black' if is_red(card) else 'red'}")
            self.sheet.saw("determinant card burned")
        dealt = [box for box in self.boxes if box.number != self.missed_box]
        for box in dealt:
            box.hands[0].cards.append(self.draw())
        if not self.missed_own:
            self.dealer.append(self.draw())
        for box in dealt:
            if box.number != self.missed_second:
                box.hands[0].cards.append(self.draw())
        for box in dealt:
            if box.number == self.missed_second:
                # 2.15(g): at the player's option, after all others have theirs
                if self.accepted:
                    box.hands[0].cards.append(self.draw())
        if self.missed_own:
            self.dealer.append(self.draw())  # 2.15(e)
        if self.hole:
            self.dealer.append(self.draw())  # 2.6(j), (k), 2.6A(h)
        self.up = self.dealer[0]
        for box in list(self.boxes):
            if box.number == self.missed_box or box.number == self.missed_second and not self.accepted:
                self.kill(box, box.hands[0], "2.15(g)")

    def kill(self, box, hand, clause):
        """Calls a hand dead and returns its wagers (2.15(g), (i))."""
        hand.dead = True
        for stake in hand.stakes + box.side:
            if stake.open:
                stake.void(clause)

    def natural(self, hand):
        """Says whether a hand is a blackjack (2.1)."""
        return not hand.split and not hand.dead and two_card_21(hand.cards)

    def side_on_two_cards(self):
        """Settles the wagers on the first two cards (2.17(d), (e), 2.20(e), 2.23(e), 2.24(d), (e))."""
        o = self.o
        for box in self.boxes:
            cards = box.hands[0].cards
            for stake in box.side:
                if not stake.open:
                    continue
                if stake.name in ("over-13", "under-13"):
                    side.over_under(stake, cards)
                elif stake.name == "same-suit":
                    side.same_suit(stake, cards, o.decks, o.side["same-suit"]["paytable"])
                elif stake.name == "match-the-dealer":
                    side.match_the_dealer(stake, cards, self.up, o.decks, o.side["match-the-dealer"])
                elif stake.name == "sevens":
                    if side.sevens_on_two(stake, cards, o.rulings.get("lone_seven") == "either"):
                        self.sheet.saw("two sevens")
                elif stake.name == "blackjack-bonus" and not self.natural(box.hands[0]):
                    stake.lose("2.20(e)1", "deal")
                elif stake.name == "twenty-point" and not self.misused:
                    waits = cards == ["Qh", "Qh"] and (self.up[0] == "A" or is_ten(self.up))
                    if self.hole or not waits:
                        self.twenty_point(stake, cards, waits)

    def twenty_point(self, stake, cards, waits):
        """Settles a twenty point bonus wager; one that waits needs the dealer's second card (2.24(d), (e))."""
        when = "deal"
        if waits:
            when = "peek" if self.reading else None if self.o.hole == "up" else "dealer|end"  # 2.24(e)1, 2
        tens_only = self.o.rulings.get("ace_nine_twenty") == "does-not-count"
        if tens_only and total(cards) == (20, True):
            self.sheet.saw("ruling ace_nine_twenty")
        if "twenty_point_dealing" in self.o.rulings:
            self.sheet.saw("ruling twenty_point_dealing")
        side.twenty_point(stake, cards, self.o.side["twenty-point"]["paytable"], two_card_21(self.dealer), when,
                          tens_only)

    def sevens(self, box):
        """Pays two or three sevens once the player has decided (2.17(e), 2.11(f))."""
        hand = box.hands[0]
        for stake in box.side:
            if stake.name == "sevens" and stake.open:
                # a third card that lies face down is not known before it is turned (2.10(c))
                side.sevens_on_three(stake, hand.cards[:2] if len(box.hands) > 1 else hand.cards[:3],
                                     "turn|end" if hand.hidden else "turn")

    def offer_sevens(self):
        """Offers a third card to two sevens after a dealer's blackjack (2.6(j)3, (k)6)."""
        for box in self.boxes:
            if any(stake.name == "sevens" and stake.open for stake in box.side):
                self.sheet.saw("sevens card after a dealer's blackjack")
                third = []
                if self.rng.random() < 0.7:
                    self.sheet.say(f"{box.who(box.caller)} hit")
                    third.append(self.draw())  # for the additional wager alone: the hand has lost
                for stake in box.side:
                    if stake.name == "sevens" and stake.open:
                        side.sevens_on_three(stake, box.hands[0].cards + third, "peek|turn")

    # ---- decisions

    def insurance(self, only=None):
        """Takes insurance, or even money on a blackjack, box by box (2.7(c), 2.9, 2.13(f), 2.18(d))."""
        rng, o = self.rng, self.o
        for box in [only] if only else self.boxes:
            hand = box.hands[0]
            if hand.dead:
                continue
            for player in box.bets:
                mains = hand.of(player)
                free = [stake for stake in mains if stake.open]  # no insurance beside even money (2.7(c))
                limits = [-(-stake.amount // (2 * o.chip)) * o.chip for stake in free or mains]
                over = by_spot(free or mains, [limit + o.chip for limit in limits])
                who = box.who(player)
                wrong = [] if self.natural(hand) and o.even_money else [(f"{who} even-money", "2.7(c)")]
                if bool(only) == o.late_insurance:
                    wrong.append((f"{who} insurance {over}", "2.9(b)" if free else "2.7(c)|2.9(b)"))
                self.sheet.tempt(wrong, early=0.5)
                taken = rng.random()
                if self.natural(hand) and o.even_money and taken < 0.5 and not only:
                    spots = [stake for stake in mains if rng.random() < 0.6] if o.multiple else mains
                    names = [("first", "second", "third")[stake.spot - 1] for stake in spots if len(spots) < len(mains)]
                    spots = spots or mains
                    self.sheet.say(" ".join([box.who(player), "even-money"] + names))
                    self.sheet.saw("even money", *["even money on some spots"] * bool(names))
                    for stake in spots:
                        stake.name = "even-money"
                        stake.win(1, "2.7(c)", "deal")
                elif taken < 0.6 and bool(only) == o.late_insurance and free:
                    amounts = [rng.randint(1, limit // o.chip) * o.chip for limit in limits]
                    if len(amounts) > 1 and rng.random() < 0.4:
                        amounts[rng.randrange(len(amounts))] = 0
                    self.sheet.say(f"{box.who(player)} insurance {by_spot(free, amounts)}")
                    self.sheet.saw("insurance")
                    for stake, amount in zip(free, amounts):
                        if amount:
                            self.stakes.append(Stake(box.number, 1, player, "insurance", amount, stake.spot))

    def turn(self, box):
        """Lets a box decide, its leftmost unfinished hand first (2.6(f), 2.11(b))."""
        if box.hands[0].dead:
            return
        if self.o.late_insurance and self.up[0] == "A":
            self.insurance(only=box)  # 2.9(b): at the player's own turn
        at = 0
        while at < len(box.hands):
            self.decide(box, box.hands[at])
            at += 1
        if not any(hand.missed for hand in box.hands):
            self.sevens(box)

    def decide(self, box, hand):
        """Plays one hand until it is finished."""
        rng = self.rng
        hand.missed = False
        while True:
            if len(hand.cards) == 1:
                if box.caller in self.refusing or self.refuses_late(box):
                    break  # the hand stands on its one card
                hand.cards.append(self.draw())
                self.series(box, hand.cards[1])
            count, soft = total(hand.cards)
            if count == 21 and self.last(box, hand) and box.caller not in self.refusing:
                who = box.who(box.caller)
                one = "|2.11(c)2" * hand.aces
                self.sheet.tempt([(f"{who} hit", "2.12(a)1" + one), (f"{who} double", "2.10(a)|2.12(a)1" + one)],
                                 early=0.7 if any(stake.open for stake in box.side) else 0.3)
            if count >= 21:
                break  # 2.12(a)1
            may = self.lawful(box, hand)
            if hand.aces and "split" not in may:
                break  # 2.11(c)2, 2.12(a)3
            if self.mishap(box, hand):
                continue
            if box.caller in self.refusing:
                self.sheet.saw("refusal binds another box")
                self.barred(box, hand, may)
                break
            if self.exposed and self.refuses(box):
                self.sheet.say(f"{box.who(box.caller)} refuse")
                self.sheet.saw("exposed card refused", *["refused on a split hand"] * hand.split,
                               *["refused on a shared box"] * box.shared)
                self.refusing.add(box.caller)
                self.barred(box, hand, may)
                break
            self.sheet.tempt(self.unlawful(box, hand, may), early=0.1)
            verb = self.choose(may, count, soft)
            if any(stake.open and stake.name in ("sevens", "progressive") for stake in box.side) and not hand.split \
                    and all(card[0] == hand.cards[0][0] for card in hand.cards) and rng.random() < 0.5:
                verb = "hit"  # towards three sevens or four aces
            self.sheet.saw(verb)
            if verb == "decline":
                self.sheet.say(f"{box.who(box.caller)} stand")
                break
            if verb in ("hit", "stand", "surrender"):
                self.sheet.say(f"{box.who(box.caller)} {verb}")
            if verb == "hit":
                if self.forget(box, hand) or self.refuses_late(box):
                    break
                hand.cards.append(self.draw())
            elif verb == "split":
                self.split(box, hand)
            elif verb == "double":
                self.double(box, hand)
                break
            else:
                hand.surrendered = verb == "surrender"
                hand.stood = verb == "stand"
                break
        self.busted(hand)

    def barred(self, box, hand, may):
        """Ends a hand of a player who refused a card: no further card, but a surrender (2.15(c), 2.8(a))."""
        who = box.who(box.caller)
        self.sheet.tempt([(f"{who} {verb}", "2.15(c): no card after a refusal") for verb in ("hit", "double", "split")
                          if verb in may], early=0.3)
        if "surrender" in may and self.rng.random() < 0.3:
            self.sheet.say(f"{who} surrender")
            self.sheet.saw("surrender after a refusal")
            hand.surrendered = True
        elif "surrender" in may:
            self.sheet.say(f"{who} stand")

    def busted(self, hand):
        """Collects a bust at once where the text says so (2.6A(e)3, 2.18(f))."""
        if total(hand.cards)[0] > 21 and not hand.hidden:
            hand.bust = True
            self.sheet.saw("bust")
            if self.o.six_to_five or self.o.multiple:
                for stake in hand.stakes:
                    stake.lose("2.6A(e)3" if self.o.six_to_five else "2.18(f)", "turn")

    def lawful(self, box, hand):
        """Returns what the player may do with this hand."""
        o = self.o
        may = ["hit", "stand"]
        first = len(hand.cards) == 2
        count, soft = total(hand.cards)
        if first and not hand.split and o.surrender:
            may.append("surrender")  # 2.8(a)
        if first and points(hand.cards[0]) == points(hand.cards[1]) and len(box.hands) < o.split_hands \
                and (not hand.aces or o.resplit_aces):
            may.append("split")  # 2.11(a), (c)1, (e)
        low = count - 10 if soft and o.rulings.get("face_up_soft_doubles") == "allowed" else count
        if first and (o.das or not hand.split) and (o.hole != "up" or low in (9, 10, 11)):
            may.append("double")  # 2.10(a), (d), 2.6(k)4
        if hand.aces:
            may = ["decline"] + [verb for verb in may if verb == "split"]
        return may

    def unlawful(self, box, hand, may):
        """Returns lines that nobody may give now, each with its clause."""
        who = box.who(box.caller)
        lines = [self.rng.choice([(f"{who} even-money", "2.7(c)"), (f"{who} switch", "no switch in 19:47-2"),
                                  (f"{who} attack", "no attack wager in 19:47-2")])]
        first = len(hand.cards) == 2
        if "split" not in may:
            pair = first and points(hand.cards[0]) == points(hand.cards[1])
            again = "2.11(c)1|2.11(e)" + "|2.11(c)2" * hand.aces + "|2.6(k)5" * (self.o.hole == "up")
            clause = again if pair else "2.11(a)"
            lines.append((f"{who} split", clause))
        if "double" not in may and not hand.aces:
            clause = "2.10(a)" if not first else "2.10(d)" if hand.split and not self.o.das else "2.6(k)4"
            lines.append((f"{who} double", clause))
        if "double" in may and not self.o.multiple:
            more = sum(stake.amount for stake in hand.of(box.caller)) + self.o.chip
            lines.append((f"{who} double {money(more)}", "2.10(a): over the original wager"))
        if "surrender" not in may and not hand.aces:
            offered = "2.8(a)|2.11(c)" if hand.split else "2.8(a)"
            lines.append((f"{who} surrender", offered if self.o.surrender else
                          "2.6(k)3" if self.o.hole == "up" else "2.8(c)"))
        if hand.aces:
            lines.append((f"{who} hit", "2.11(c)2|2.12(a)3"))
        return lines + self.out_of_place(box, hand, {
            "turn": "2.6A(d)" if self.o.six_to_five else "2.6(f)|2.18(c)" if self.o.multiple else "2.6(f)",
            "insurance": "2.6(k)3" if self.o.hole == "up" else "2.9(a)",
            "late insurance": "2.6(k)3" if self.o.hole == "up" else "2.9(b)",
            "insured": "2.3(g)|2.9(b)", "cards": "2.15(f)", "withdraw": "2.3(c)|2.3(f)",
            "caller": "2.13(b)|2.13(d)|2.13(e)"})

    def choose(self, may, count, soft):
        """Chooses one of the legal decisions, sensibly for the most part."""
        rng = self.rng
        if "split" in may and rng.random() < 0.7:
            return "split"
        if "decline" in may:
            return "decline"
        if "surrender" in may and rng.random() < 0.1:
            return "surrender"
        if "double" in may and rng.random() < (0.5 if count in (9, 10, 11) else 0.12):
            return "double"
        if count < 12:
            return "hit"
        return "stand" if rng.random() < (0.85 if count >= 17 else 0.45) else "hit"

    def split(self, box, hand):
        """Splits a pair: an equal wager on the new hand (2.11(a)); co-bettors cover or follow (2.13(e))."""
        new = Hand(box.number, box.next_number(), [hand.cards.pop()])
        new.split = hand.split = True
        new.aces = hand.aces = hand.cards[0][0] == "A"
        self.sheet.say(f"{box.who(box.caller)} split")
        if len(box.hands) > 1:
            self.sheet.saw("resplit")
        if hand.aces:
            self.sheet.saw("split aces")
        self.sevens_split(box, hand, new)
        for player in sorted(hand.players(), key=list(box.bets).index):
            stays, goes = hand.number, new.number
            base = [stake for stake in hand.of(player)]
            if player == box.caller or self.rng.random() < 0.5:
                if player != box.caller:
                    self.sheet.say(f"{box.number} {player} cover")
                    self.sheet.saw("cover")
                for stake in base:
                    more = Stake(box.number, new.number, player, "split", stake.amount, stake.spot)
                    new.stakes.append(more)
                    self.stakes.append(more)
            else:
                to = self.rng.choice([stays, goes])
                self.sheet.say(f"{box.number} {player} follow {to}")
                self.sheet.saw("follow")
                if to == goes:
                    self.move(base, hand, new)
        box.hands.insert(box.hands.index(hand) + 1, new)

    def sevens_split(self, box, hand, new):
        """Pays two sevens before the split hands get cards (2.11(f))."""
        for stake in box.side:
            if stake.name == "sevens" and stake.open:
                side.sevens_on_three(stake, hand.cards + new.cards)
        for stake in box.side:
            if stake.name == "progressive" and stake.open and not hasattr(stake, "series"):
                stake.series = hand.cards + new.cards

    def series(self, box, card):
        """Adds the card of a split ace to a series of aces, where the split does not end it (2.19(c))."""
        for stake in box.side:
            if hasattr(stake, "series") and self.o.rulings.get("progressive_split_aces") == "continue":
                stake.series.append(card)
                self.sheet.saw("ruling progressive_split_aces")

    def double(self, box, hand):
        """Doubles: an additional wager up to the original, one card (2.10(a), (c), 2.13(d), 2.18(c))."""
        rng, o = self.rng, self.o
        hand.doubled = True
        hidden = o.double_card == "down"
        for player in sorted(hand.players(), key=lambda player: player != box.caller):
            base = hand.of(player)
            if player != box.caller and rng.random() < 0.5:
                self.sheet.say(f"{box.number} {player} pass")
                continue
            amounts = [stake.amount for stake in base]
            words = ""
            if rng.random() < 0.4:
                amounts = [rng.randint(1, amount // o.chip) * o.chip for amount in amounts]
                words = " " + by_spot(base, amounts)
                self.sheet.saw("double for less")
            if player == box.caller and o.double_card == "on-request" and rng.random() < 0.5:
                words += " face-down"
                hidden = True
                self.sheet.saw("double face down")
            self.sheet.say(f"{box.who(player)} double{words}")
            if player != box.caller:
                self.sheet.saw("co-bettor doubles")
            for stake, amount in zip(base, amounts):
                more = Stake(box.number, hand.number, player, "double", amount, stake.spot)
                hand.stakes.append(more)
                self.stakes.append(more)
        if self.refuses_late(box):
            return  # the wager that was added stands
        hand.cards.append(self.draw())
        hand.hidden = hidden  # 2.10(c): nobody knows the total before the settlement
        if o.double_card == "down":
            self.sheet.saw("double face down")
            if rng.random() < 0.1:
                self.sheet.say(f"dealer double-dealt-up {box.number}")  # 2.15(p): play continues
                hand.hidden = False
                self.sheet.saw("irregularity double-dealt-up")

