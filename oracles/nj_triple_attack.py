"""Triple Attack Blackjack by N.J.A.C. 19:47-36. Written from the text; "36.x" is 19:47-36.x.

Where the text can be read two ways, docs/oracles.md says which way is taken.
"""
from collections import Counter
from types import SimpleNamespace

from between import Between
from book import MOMENTS, Box, Dealing, Hand, Sheet, Stake, Voided, money, rule, seat
from cards import Shoe, is_ten, points, total, two_card_21

NAME = "nj-triple-attack"
RANKS = "A23456789JQK"  # 36.2(a): the tens are removed
ROYALS = {"A": (40, 10, 2), "B": (30, 12, 2)}  # 36.6(d)
MATCH = {"A": (150, 20, 4, 2), "B": (50, 8, 6, 2)}  # 36.6(e)
ATTACK = ("main", "second-attack", "third-attack")
BONUS = ("suited-royals", "triple-match")
# the readings that the table file can choose instead of the default ones: regulations/notes.md A2, A6, A7, A17, A30
RULINGS = {"busted_v_dealer_blackjack": "busted-too", "winning_hand_v_dealer_blackjack": "loses",
           "split_hands_v_dealer_blackjack": "each-its-share", "double_split_21": "refused",
           "cobettor_attack": "with-caller"}

# the clauses on lines out of place
MISPLACED = {"turn": "36.7(f)|36.7(g)", "insurance": "36.10(a)", "late insurance": "36.10(b)",
             "insured": "36.5(g)|36.10(b)", "cards": "36.14(g)",
             "withdraw": "36.5(d.2)|36.5(f)", "caller": "36.12(b)|36.12(d)|36.12(f)"}


def options(rng):
    """Returns the options of a legal table."""
    o = SimpleNamespace()
    o.hole = rng.choice(["down", "reader"])  # 36.7(e), (k)
    o.positions = rng.choice([6, 7])  # 19:46-1.13V(a)
    o.split_hands = rng.choice([2, 3, 3, 4, 4])  # 36.9(a), (c): as often as the licensee permits
    o.resplit_aces = rng.random() < 0.4  # 36.9(e) does not forbid it
    o.reveals = "hole-card" if o.hole == "reader" and rng.random() < 0.5 else "nothing"
    o.bettors = rng.choice([1, 1, 2, 3])
    o.boxes_each = rng.choice([1, 1, 2])
    o.chip = rng.choice([50, 100, 100, 250, 500])
    o.attack = rng.choice(["up-to", "equal"])  # 36.1, 36.7(d), (e)
    o.royals, o.match = rng.choice("AB"), rng.choice("AB")
    o.rulings = {name: other for name, other in RULINGS.items() if rng.random() < 0.25}
    o.too = "busted_v_dealer_blackjack" in o.rulings
    o.only_blackjack = "winning_hand_v_dealer_blackjack" in o.rulings
    o.shares = "split_hands_v_dealer_blackjack" in o.rulings
    if o.shares:
        o.bettors = 1  # what share a co-bettor has who follows one hand is written nowhere
    return o


def line(o):
    """Writes the table line of a round file."""
    return " ".join([
        "nj-triple-attack", f"hole_card={o.hole}", f"reader_reveals={o.reveals}", f"positions={o.positions}",
        f"split_hands={o.split_hands}", f"bettors_per_box={o.bettors}", f"boxes_per_player={o.boxes_each}",
        f"minimum=10 maximum=500 chip={o.chip / 100:.2f} attack_amount={o.attack}",
        "side_wagers.suited-royals.minimum=1 side_wagers.suited-royals.maximum=50",
        f"side_wagers.suited-royals.paytable={o.royals}",
        "side_wagers.triple-match.minimum=1 side_wagers.triple-match.maximum=50",
        f"side_wagers.triple-match.paytable={o.match}"]
        + ["resplit_aces=true"] * o.resplit_aces
        + [f"rulings.{name}={other}" for name, other in o.rulings.items()])


# the sentences on the order of settlements, each with the key that has to rise (None: not spoken of)
ORDER = [("36.7(f): player after player, bonus wagers before the decisions",
          lambda w: (w.box, w.wager not in BONUS) if w.when == "turn" and not w.late else None),
         ("36.5(e.2): losing wagers, then winning ones",
          lambda w: {"lose": 0, "win": 1}.get(w.result) if w.when == "end" else None),
         ("36.7(f) to (i), 36.10(d), 36.5(e.2): moment after moment", lambda w: MOMENTS.index(w.when))]


class Table(Between, Dealing):
    """A table that plays some rounds and writes them down."""

    BETWEEN = {"entry": "36.5(h)", "burn": "36.7(c)", "consent": "36.12(a)", "sharing": "36.12(a)",
               "boxes": "36.13"}

    deepest = 0.55
    tens = "36.14(b)"

    def __init__(self, rng, trap=None):
        self.rng = rng
        self.o = o = options(rng)
        favour = list(rng.choice(["A", "AK", "8", "2", "23", "KQ"])) if rng.random() < 0.4 else []
        if (o.too or o.only_blackjack or o.shares) and rng.random() < 0.7:
            # blackjacks, pairs and busts, on which the rulings decide
            favour = list(rng.choice(["AK", "AK68"]) if o.only_blackjack else "AK68")
        self.shoe = Shoe(rng, 8, RANKS, favour)  # 36.2(a)
        self.open()
        self.sheet = Sheet(rng, NAME, line(o) + self.entry(), self.shoe, trap, ORDER)
        self.sheet.saw(f"table {o.hole}")
        self.reader_failed = False
        self.seats = seat(rng, o.positions, 4, o.bettors, o.boxes_each)

    def round(self):
        """Plays and settles one round."""
        self.bets()
        self.upset_before()
        if self.void:
            for stake in self.stakes:
                stake.void("36.14(d)" if self.upset == "missed-own-card" else "36.14(a)")
            self.sheet.finish(None, self.boxes, self.stakes, loose=True)
            return
        dealt = [box for box in self.boxes if box.number != self.missed_box]
        for box in dealt:
            box.hands[0].cards.append(self.draw())  # 36.7(d): a card to each player
        for box in dealt:
            self.offer_attack(box, "second-attack")
        if self.after_second:
            self.sheet.say(self.after_second)
        self.dealer.append(self.draw())
        self.up = self.dealer[0]
        for box in dealt:
            self.offer_attack(box, "third-attack")  # 36.7(e): whether or not there is a second
        if self.after_third:
            self.sheet.say(self.after_third)
        self.second_cards(dealt)
        if self.misused:
            for stake in self.stakes:
                if stake.open:
                    stake.void("36.14(l)1")
            self.sheet.saw("all hands dead")
            self.sheet.finish(None, self.boxes, self.stakes, loose=True)
            return
        if self.up[0] == "A":
            self.insurance()
        self.reading = self.o.hole == "reader" and not self.reader_failed
        self.known = self.reading and two_card_21(self.dealer)  # before anybody draws
        if self.known:
            for box in dealt:
                self.bonus(box)
        else:
            for box in self.boxes:
                self.bonus(box)  # 36.7(f)
                self.turn(box)
            for box, hand in self.late:
                hand.cards.append(self.draw())  # 36.14(i)
                self.decide(box, hand)
        self.dealers_turn()
        if self.exposed:
            self.shoe.draw()  # 36.14(e): refused and of no use to the dealer
        self.sheet.finish(self.dealer, self.boxes, self.stakes, late=[box for box, _ in self.late])

    def bets(self):
        """Takes the first attack wagers and the bonus wagers (36.6(b), 36.7(d))."""
        rng = self.rng
        for number, players in self.come():
            bets = {player: self.chips(6000, 1000) for player in players}
            box = Box(number, bets)
            marks = {}
            if box.shared:
                self.sheet.saw("shared box")
                seated = rng.random()
                if seated < 0.15:
                    box.caller = rng.choice(players)
                    marks[box.caller] = " seated"
                elif seated < 0.3:
                    # 36.12(b): nobody sits, the highest wager calls
                    marks = {player: " unseated" for player in players}
                    box.caller = max(players, key=lambda player: bets[player])
            box.hands = [Hand(number, 1)]
            for player in players:
                self.sheet.tempt([(f"bet {number} {player} 5", "under the table minimum"),
                                  (f"bet {number} {player} 505", "over the table maximum"),
                                  (f"bet {number} {player} 20 triple-match=25", "36.6(b)1: over the first attack"),
                                  (f"bet {number} {player} 20.25", "36.5(e.1): no chips of that amount")])
                words = ""
                for name in ("suited-royals", "triple-match"):
                    if rng.random() < 0.5:
                        amount = self.chips(min(4000, bets[player]), 100)
                        words += f" {name}={money(amount)}"
                        box.side.append(Stake(number, 1, player, name, amount))
                        self.stakes.append(box.side[-1])
                        self.sheet.saw(f"side {name}")
                self.wager(box, player, f"{money(bets[player])}{words}{marks.get(player, '')}")
                self.put(box.hands[0], player, "main", bets[player])
            self.boxes.append(box)

    # ---- irregularities, 36.14

    def upset_before(self):
        """Chooses what goes wrong while the first cards are dealt."""
        rng = self.rng
        self.missed_box = self.missed_second = self.after_second = self.after_third = None
        if rng.random() > 0.4 or any(card[0] == "T" for card in self.shoe.cards[self.shoe.at:self.shoe.at + 40]):
            return
        kinds = ["found-face-up", "found-face-up twice", "ten-found", "drawn-unexposed", "missed-own-card",
                 "missed-second-card", "play", "play", "play", "play"]
        if len(self.boxes) > 1:
            kinds.append("missed-box")
        if self.o.hole == "reader" and not self.reader_failed:
            kinds.append("reader-failed")
        if self.o.reveals == "hole-card" and not self.reader_failed \
                and self.shoe.cards[self.shoe.at + len(self.boxes)][0] in "23456789":
            kinds += ["reader-misused"] * 4
        self.upset = kind = rng.choice(kinds)
        box = rng.choice(self.boxes)
        first = 2 * len(self.boxes) + 1
        if kind == "missed-box":
            self.missed_box = box.number  # 36.14(h)
            self.sheet.say(f"dealer missed-box {box.number}")
        elif kind == "missed-second-card":
            self.missed_second, self.accepted = box.number, rng.random() < 0.6
            self.after_third = f"dealer missed-second-card {box.number}"
        elif kind == "missed-own-card":
            self.void = True  # 36.14(d)
            self.sheet.say("dealer missed-own-card")
        elif kind.startswith("found-face-up"):
            after = 0 if kind.endswith("twice") else rng.randrange(first)
            self.discarding = {after: 1}  # 36.14(a)
            self.face_up = 1
            words = f"dealer found-face-up {self.shoe.cards[self.shoe.at + after]} after {after}"
            if after < len(self.boxes):
                self.sheet.say(words)
            elif after == len(self.boxes):
                self.after_second = words
            else:
                self.after_third = words
            if kind.endswith("twice"):
                again = 0
                self.sheet.say(f"dealer found-face-up {self.shoe.cards[self.shoe.at + again + 1]} after {again}")
                self.void = True
        elif kind == "ten-found":
            after = rng.randrange(first)
            self.shoe.insert(after, "T" + rng.choice("cdhs"))  # out of the shoe when it is drawn
        elif kind == "reader-failed":
            self.reader_failed = True  # 36.14(m): from now on as at a table without a reader
            self.sheet.say("dealer reader-failed")
        elif kind == "reader-misused":
            self.misused = True  # 36.14(l)1: a player may have seen the hole card
            self.after_third = "dealer reader-misused"
        elif kind == "drawn-unexposed":
            self.sheet.say("dealer drawn-unexposed")  # 36.14(c): nothing changes
        if kind != "play":
            self.sheet.saw(f"irregularity {kind}")

    def mishap(self):
        """Lets something go wrong before a decision."""
        self.again()
        if self.upset != "play" or self.rng.random() > 0.3:
            return
        if self.shoe.peek()[0] == "T":
            return
        kinds = ["exposed", "exposed", "found-face-up", "found-face-up twice", "drawn-unexposed", "ten-found",
                 "ten-found twice"]
        if self.reading:
            kinds.append("reader-failed")
        if self.reading and self.up[0] in "23456789" and self.o.reveals == "nothing":
            kinds += ["reader-misused", "reader-misused"]
        self.upset = kind = self.rng.choice(self.found_again(kinds))
        self.sheet.saw(f"irregularity {kind}")
        if kind == "exposed":
            self.exposed = True  # 36.14(e): it is the next card all the same
            self.sheet.say(f"dealer exposed {self.shoe.peek()} after {self.gone()}")
        elif kind.startswith("found-face-up"):
            self.sheet.say(f"dealer found-face-up {self.shoe.draw()} after {self.gone() - 1}")
            self.face_up += 1
            if kind.endswith("twice"):
                self.sheet.say(f"dealer found-face-up {self.shoe.draw()} after {self.gone() - 1}")
                self.face_up += 1
            if self.face_up > 1:
                self.sheet.saw("void in mid-round")
                raise Voided("36.14(a)")
        elif kind.startswith("ten-found"):
            for _ in range(2 if kind.endswith("twice") else 1):
                self.shoe.insert(0, "T" + self.rng.choice("cdhs"))  # 36.14(b): found when it is drawn
        elif kind == "reader-failed":
            self.sheet.say("dealer reader-failed")  # 36.14(m): from the next round on without it
            self.reader_failed = True
        elif kind == "reader-misused":
            self.sheet.say("dealer reader-misused")  # 36.14(l)2: nobody saw the hole card, play continues
        else:
            self.sheet.say("dealer drawn-unexposed")

    def forget(self, box, hand):
        """Lets the dealer forget a card that was asked for (36.14(i)); says whether that ends the turn."""
        if self.upset != "play" or self.rng.random() > 0.3 or self.o.shares and hand.split:
            return False
        self.upset = "missed-draw"
        self.sheet.saw("irregularity missed-draw")
        self.sheet.say(f"dealer missed-draw {box.number}")
        if hand.split or self.rng.random() < 0.5:
            self.sheet.say(f"{box.who(box.caller)} decline")
            self.kill(hand, [], "36.14(i)")
        else:
            self.sheet.say(f"{box.who(box.caller)} accept")
            self.late.append((box, hand))
        return True

    def kill(self, hand, bonus, clause):
        """Returns the wagers of a hand that is not played (36.14(h), (i))."""
        hand.dead = True
        for stake in hand.stakes + bonus:
            stake.void(clause)

    # ---- cards and decisions

    def offer_attack(self, box, name):
        """Offers a second or third attack wager to every bettor (36.1, 36.7(d), (e), 36.12(e))."""
        where = "36.7(d.2)" if name == "second-attack" else "36.7(e)"
        follows = "cobettor_attack" in self.o.rulings
        # by the other reading of 36.12(e) the others attack only when the caller does
        for player in sorted(box.bets, key=lambda player: follows and player != box.caller):
            bet, who = box.bets[player], box.who(player)
            if follows and player != box.caller and not any(stake.name == name
                                                            for stake in box.hands[0].of(box.caller)):
                self.sheet.tempt([(f"{who} attack", "36.12(e): the caller does not attack")], early=0.5)
                self.sheet.saw("ruling cobettor_attack")
                continue
            wrong = [(f"{who} attack {money(bet + self.o.chip)}", "36.1: over the first attack wager")]
            if self.o.attack == "equal" and bet > self.o.chip:
                wrong.append((f"{who} attack {money(bet - self.o.chip)}", f"{where}: not equal to the first"))
            self.sheet.tempt(wrong)
            if self.rng.random() < 0.45:
                self.sheet.say(f"{who} pass")
                continue
            amount, words = bet, ""
            if self.o.attack == "up-to" and self.rng.random() < 0.4:
                amount = self.chips(bet)
                words = f" {money(amount)}"
                self.sheet.saw("attack for less")
            self.sheet.say(f"{who} attack{words}")
            self.sheet.saw(name)
            self.put(box.hands[0], player, name, amount)

    def second_cards(self, dealt):
        """Deals the second cards, the dealer's face down (36.7(e))."""
        for box in dealt:
            if box.number != self.missed_second:
                box.hands[0].cards.append(self.draw())
        for box in dealt:
            if box.number == self.missed_second:
                # 36.14(h): at the player's option, after all others have theirs
                self.sheet.say(f"{box.number} {'accept' if self.accepted else 'decline'}")
                if self.accepted:
                    box.hands[0].cards.append(self.draw())
        self.dealer.append(self.draw())
        for box in self.boxes:
            if box.number == self.missed_box or box.number == self.missed_second and not self.accepted:
                self.kill(box.hands[0], box.side, "36.14(h)")

    def insurance(self):
        """Takes insurance up to half of all attack wagers (36.10, 36.12(g))."""
        for box in self.boxes:
            if box.hands[0].dead:
                continue
            for player in box.bets:
                bet = sum(stake.amount for stake in box.hands[0].of(player))
                limit = -(-bet // (2 * self.o.chip)) * self.o.chip
                self.sheet.tempt([(f"{box.who(player)} insurance {money(limit + self.o.chip)}", "36.10(b): over half"),
                                  (f"{box.who(player)} even-money", "no even money in 36")], early=0.5)
                if self.rng.random() < 0.5:
                    amount = self.chips(limit)
                    self.sheet.say(f"{box.who(player)} insurance {money(amount)}")
                    self.sheet.saw("insurance")
                    self.stakes.append(Stake(box.number, 1, player, "insurance", amount))

    def bonus(self, box):
        """Settles the bonus wagers of a box on its first two cards (36.6, 36.7(f))."""
        if box.hands[0].dead:
            return
        cards = box.hands[0].cards[:2]
        when = "peek" if self.known else "turn"
        for stake in box.side:
            odds = self.royals(cards) if stake.name == "suited-royals" else self.triple(cards + [self.up])
            if odds:
                stake.win(odds, "36.6(d)" if stake.name == "suited-royals" else "36.6(e)", when)
            else:
                stake.lose("36.7(f)", when)

    def royals(self, cards):
        """Returns the odds of suited royals, or nothing (36.6(a)1, (d))."""
        king_queen, faces, flush = ROYALS[self.o.royals]
        if cards[0][1] != cards[1][1]:
            return None
        if {cards[0][0], cards[1][0]} == {"K", "Q"}:
            return king_queen
        return faces if all(card[0] in "JQK" for card in cards) else flush

    def triple(self, cards):
        """Returns the odds of a triple match, or nothing (36.6(a)2, (e))."""
        three_suited, three, pair_suited, pair = MATCH[self.o.match]
        alike = max(Counter(cards).values())
        ranks = max(Counter(card[0] for card in cards).values())
        if ranks == 3:
            self.sheet.saw("three of a kind")
            return three_suited if alike == 3 else three
        if ranks == 2:
            return pair_suited if alike == 2 else pair
        return None

    def natural(self, hand):
        """Says whether a hand is a blackjack (36.1)."""
        return not hand.split and not hand.dead and two_card_21(hand.cards)

    def turn(self, box):
        """Lets a box decide, its leftmost unfinished hand first (36.7(g), 36.9(b))."""
        at = 0
        while at < len(box.hands):
            if not box.hands[at].dead:
                self.decide(box, box.hands[at])
            at += 1

    def decide(self, box, hand):
        """Plays one hand until it is finished."""
        who = box.who(box.caller)
        while True:
            if len(hand.cards) == 1:
                if box.caller in self.refusing or self.refuses_late(box):
                    break  # the hand stands on its one card
                hand.cards.append(self.draw())
            count, _ = total(hand.cards)
            if count == 21 and hand.split and len(hand.cards) == 2 and "double_split_21" not in self.o.rulings:
                # 36.8(a): a split hand may be doubled, its ace and ten too
                if self.rng.random() < 0.4 and box.caller not in self.refusing:
                    self.sheet.saw("21 doubled")
                    self.double(box, hand)
                    break
                self.sheet.say(f"{who} stand")
            if count == 21 and hand.split and len(hand.cards) == 2:
                self.sheet.saw(*["ruling double_split_21"] * ("double_split_21" in self.o.rulings))
            if count == 21 and self.last(box, hand) and box.caller not in self.refusing \
                    and ("double_split_21" in self.o.rulings or not (hand.split and len(hand.cards) == 2)):
                self.sheet.tempt([(f"{who} hit", "36.11(a)|36.11(a)1"),
                                  (f"{who} double", "36.8(a)|36.11(a)|36.11(a)1")], early=0.3)
            if count >= 21:
                break  # 36.11(a): no card on 21
            may = self.lawful(box, hand)
            self.mishap()
            if box.caller in self.refusing:
                self.sheet.saw("refusal binds another box")
                self.barred(box, may)
                break
            if self.exposed and self.refuses(box):
                self.sheet.say(f"{who} refuse")
                self.sheet.saw("exposed card refused", *["refused on a split hand"] * hand.split,
                               *["refused on a shared box"] * box.shared)
                self.refusing.add(box.caller)
                self.barred(box, may)
                break
            self.sheet.tempt(self.unlawful(box, hand, may), early=0.1)
            verb = self.choose(may, count)
            self.sheet.saw(verb)
            if verb in ("hit", "stand"):
                self.sheet.say(f"{who} {verb}")
            if verb == "hit":
                if self.forget(box, hand) or self.refuses_late(box):
                    break
                hand.cards.append(self.draw())
            elif verb == "split":
                self.split(box, hand)
            elif verb == "double":
                if hand.aces:
                    self.sheet.saw("split ace doubled")
                self.double(box, hand)
                break
            else:
                break
        if total(hand.cards)[0] > 21:
            hand.bust = True  # 36.5(a), (e): collected at once
            self.sheet.saw("bust")

    def barred(self, box, may):
        """Tries to draw for a player who refused a card (36.14(e))."""
        self.sheet.tempt([(f"{box.who(box.caller)} {verb}", "36.14(e): no card after a refusal")
                          for verb in ("hit", "double", "split") if verb in may], early=0.3)

    def lawful(self, box, hand):
        """Returns what the player may do with this hand."""
        if hand.aces:
            again = self.o.resplit_aces and hand.cards[1][0] == "A" and len(box.hands) < self.o.split_hands
            return ["stand", "double"] + ["split"] * again  # 36.9(e); 36.9(c) where the table has it
        may = ["hit", "stand", "double"]  # 36.7(g), 36.8(a)
        if len(hand.cards) == 2 and points(hand.cards[0]) == points(hand.cards[1]) \
                and len(box.hands) < self.o.split_hands:
            may.append("split")  # 36.9(a), (c)
        return may

    def unlawful(self, box, hand, may):
        """Returns lines that nobody may give now, each with its clause."""
        who = box.who(box.caller)
        more = sum(stake.amount for stake in hand.of(box.caller)) + self.o.chip
        lines = [self.rng.choice([(f"{who} even-money", "no even money in 36"),
                                  (f"{who} surrender", "no surrender in 36"), (f"{who} attack", "36.7(e): too late")]),
                 (f"{who} double {money(more)}", "36.8(a): over the wagers")]
        if "split" not in may and not hand.aces:
            pair = len(hand.cards) == 2 and points(hand.cards[0]) == points(hand.cards[1])
            lines.append((f"{who} split", "36.9(c)" if pair else "36.9(a)"))
        if hand.aces:
            lines.append((f"{who} hit", "36.9(e): one card"))
            if hand.cards[1][0] == "A" and "split" not in may:
                lines.append((f"{who} split", "36.9(c)" if self.o.resplit_aces else "36.9(c)|36.9(e)"))
        return lines + self.out_of_place(box, hand, MISPLACED)

    def choose(self, may, count):
        """Chooses one of the legal decisions; hits more often than is wise, for hands of six cards."""
        rng = self.rng
        if "split" in may and rng.random() < 0.7:
            return "split"
        if "double" in may and rng.random() < (0.4 if count in (9, 10, 11) else 0.1):
            return "double"
        if "hit" not in may:
            return "stand"
        if count < 12:
            return "hit"
        return "stand" if rng.random() < (0.8 if count >= 17 else 0.3) else "hit"

    def split(self, box, hand):
        """Splits: all attack wagers once more (36.9(a)); co-bettors cover or follow (36.12(f))."""
        if hand.aces:
            self.sheet.saw("aces split again")
        new = Hand(box.number, box.next_number(), [hand.cards.pop()])
        new.split = hand.split = True
        new.aces = hand.aces = hand.cards[0][0] == "A"
        self.sheet.say(f"{box.who(box.caller)} split")
        if hand.aces:
            self.sheet.saw("split aces")
        if len(box.hands) > 1:
            self.sheet.saw("resplit")
        self.cover_or_follow(box, hand, new)
        box.hands.insert(box.hands.index(hand) + 1, new)

    # ---- the dealer and the settlement

    def wins_anyway(self, hand):
        """Says whether a hand wins whatever the dealer has: 21, or six cards not over 21 (36.5(b))."""
        count = total(hand.cards)[0]
        six = rule("six cards", 6, 7)
        return count == 21 or count < 21 and len(hand.cards) >= six

    def must_draw(self):
        """Says whether the dealer's total asks for another card (36.11(b))."""
        count, soft = total(self.dealer)
        return count < 17 or count == 17 and soft

    def dealers_turn(self):
        """Draws to the dealer's hand and settles everything (36.5, 36.10, 36.11)."""
        blackjack = two_card_21(self.dealer)
        for stake in self.stakes:
            if stake.name == "insurance":
                if is_ten(self.dealer[1]):
                    suited = self.dealer[0][1] == self.dealer[1][1]
                    stake.win(rule("suited insurance", 5, 2) if suited else 2, "36.10(c)",
                              "peek" if self.known else "dealer")
                    self.sheet.saw("insurance against a suited blackjack" if suited else "insurance won")
                else:
                    stake.lose("36.10(a)|36.10(d)", "dealer")
        live = [hand for box in self.boxes for hand in box.hands
                if not (hand.bust or hand.dead or self.wins_anyway(hand))]
        if not blackjack:
            while live and self.must_draw():
                self.dealer.append(self.draw())
            if not self.must_draw() and total(self.dealer)[0] <= 21 and self.upset == "play" \
                    and self.shoe.peek()[0] != "T":
                # 36.14(f): a card drawn on a standing total is burned
                self.upset = "drew-on-standing"
                self.sheet.saw("irregularity drew-on-standing")
                self.sheet.say(f"dealer drew-on-standing {self.shoe.draw()}")
        for box in self.boxes:
            for player in box.bets:
                if blackjack:
                    self.to_blackjack(box, player)
                    continue
                for hand in box.hands:
                    for stake in hand.of(player):
                        if stake.open:
                            self.settle(stake, hand)

    def holds(self, hand):
        """Says whether a hand wins against a dealer's blackjack (36.5(b); by the other reading only a blackjack)."""
        if self.o.only_blackjack and self.wins_anyway(hand) and not self.natural(hand):
            self.sheet.saw("ruling loses")
            return False
        return self.wins_anyway(hand)

    def to_blackjack(self, box, player):
        """Settles one player's wagers on a box when the dealer has a blackjack (36.8(c), 36.9(d))."""
        # the attack bets, wherever they lie: the hands that lose lose no more than that, or each its share of it
        original = sum(stake.amount for hand in box.hands for stake in hand.of(player) if stake.name in ATTACK)
        left, hands = original, len(box.hands)
        for at, hand in enumerate(box.hands):
            mine = [stake for stake in hand.of(player) if stake.open]
            if self.holds(hand):
                for stake in mine:
                    self.settle(stake, hand)
                continue
            busted = "36.5(a)|36.5(e.2)|36.8(c)|36.9(d)"
            if hand.bust and self.o.too:
                for stake in mine:
                    stake.lose(busted, "turn" if stake.name in ATTACK else None)
                    left -= stake.amount * (stake.name in ATTACK)
                self.sheet.saw(*["ruling busted-too"] * (hand.split or hand.doubled))
                continue
            if self.o.shares:
                # cents that cannot be shared go to the first hands
                left = original // hands + (at < original % hands)
                self.sheet.saw(*["ruling each-its-share"] * (hands > 1))
            for stake in mine:
                taken = 0 if stake.name == "double" else min(stake.amount, left)
                left -= taken
                if not taken:
                    stake.void("36.8(c)" if stake.name == "double" else "36.9(d)", "end")
                elif hand.bust:
                    # 36.5(e.2) collects attack wagers at once; whether a split wager is one is open, and when a share
                    # of it is collected
                    open_moment = stake.name == "split" or self.o.shares and hand.split
                    stake._end("lose", -taken, busted, None if open_moment else "turn")
                else:
                    stake._end("lose", -taken, "36.5(e.2)|36.8(c)|36.9(d)", "peek" if self.known else "end")

    def settle(self, stake, hand):
        """Settles a wager (36.5(a) to (d))."""
        count, dealer = total(hand.cards)[0], total(self.dealer)[0]
        if count > 21:
            # 36.5(e.2): attack wagers are collected at once; of wagers added to the hand the text does not speak
            at_once = stake.name in ATTACK and not (self.o.shares and hand.split)  # or it waits for its share
            stake.lose("36.5(a)|36.5(e.2)", "turn" if at_once else None)
        elif self.wins_anyway(hand):
            # 36.7(h): attack wagers on a blackjack or a 21 of three or more cards are paid when it is announced,
            # others after the round (36.5(e.2)); so is a double (36.8(b)); of a split wager the text does not speak
            early = count == 21 and (len(hand.cards) > 2 or not hand.split)
            when = "end" if not early or stake.name == "double" else None if stake.name == "split" else "turn"
            # a reader that fails before the first decision may have failed before it was used
            if self.o.only_blackjack and not self.natural(hand) and (not self.reading or self.reader_failed) \
                    and (self.up[0] == "A" or is_ten(self.up)):
                when = None  # by that reading the hand can still lose; the text has no moment for it
            stake.win(1, "36.5(b)", "peek" if self.known else when)
            if count < 21:
                self.sheet.saw("six cards")
        elif dealer == rule("push on 22", 22, 0) or dealer == count:
            stake.push("36.5(d.1)", "end")
        elif dealer > 21 or count > dealer:
            stake.win(1, "36.5(c)", "end")
        else:
            stake.lose("36.5(e.2)", "end")
