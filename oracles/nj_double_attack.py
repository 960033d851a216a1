"""Double Attack Blackjack by N.J.A.C. 19:47-26. Written from the text; "26.x" is 19:47-26.x.

Where the text can be read two ways, docs/oracles.md says which way is taken.
"""
from fractions import Fraction
from types import SimpleNamespace

from between import Between
from book import MOMENTS, Box, Dealing, Hand, Sheet, Stake, Voided, money, rule, seat
from cards import Shoe, is_red, is_ten, points, total, two_card_21

NAME = "nj-double-attack"
RANKS = "A23456789JQK"  # 26.2(a): the tens are removed
BUST = {10: 3, 9: 6, 8: 8, 7: 10, 6: 15}  # 26.6(d)2

# the clauses on lines out of place
MISPLACED = {"turn": "26.7(e)", "insurance": "26.11(a)", "late insurance": "26.11(b)",
             "insured": "26.5(g)|26.11(b)", "withdraw": "26.5(d)|26.5(f)",
             "cards": "26.15(g)", "caller": "26.13(b)|26.13(d)|26.13(f)"}


def options(rng):
    """Returns the options of a legal table."""
    o = SimpleNamespace(rulings={})
    o.decks = rng.choice([6, 8])  # 26.2(a)
    o.hole = rng.choice(["none", "down", "reader"])  # 26.7(g), (i)
    o.positions = rng.choice([6, 7])
    o.split_hands = 4 if o.positions == 6 else 3  # 26.10(c)
    o.reveals = "hole-card" if o.hole == "reader" and rng.random() < 0.5 else "nothing"
    o.bettors = rng.choice([1, 1, 2, 3])
    o.boxes_each = rng.choice([1, 1, 2])
    o.chip = rng.choice([50, 100, 100, 250, 500])
    o.attack = rng.choice(["up-to", "equal"])  # 26.1, 26.7(d)
    o.surrender_at_once = o.hole == "reader" and rng.random() < 0.4
    # other readings: regulations/notes.md says what each of them is
    if rng.random() < 0.2:
        o.rulings["split_ace_surrender"] = "refused"
    elif rng.random() < 0.25:
        o.rulings["split_ace_double"] = "allowed"
    for name, other, decides in (("surrender_21", "refused", True), ("double_split_21", "refused", True),
                                 ("cobettor_attack", "with-caller", o.bettors > 1),
                                 ("second_dealer_card", "always", o.hole == "none")):
        if decides and rng.random() < 0.2:
            o.rulings[name] = other
    o.too, o.everything = rng.random() < 0.25, rng.random() < 0.25  # regulations/notes.md A2, A3
    if o.too:
        o.rulings["busted_v_dealer_blackjack"] = "busted-too"
    if o.everything:
        o.rulings["surrender_v_dealer_blackjack"] = "everything"
    return o


def line(o):
    """Writes the table line of a round file."""
    words = ["nj-double-attack", f"decks={o.decks}", f"hole_card={o.hole}", f"reader_reveals={o.reveals}",
             f"positions={o.positions}", f"split_hands={o.split_hands}", f"bettors_per_box={o.bettors}",
             f"boxes_per_player={o.boxes_each} minimum=10 maximum=500 chip={o.chip / 100:.2f} attack_amount={o.attack}",
             "side_wagers.dealer-bust.minimum=1 side_wagers.dealer-bust.maximum=50"]
    if o.surrender_at_once:
        words.append("surrender_settled=at-once")
    return " ".join(words + [f"rulings.{name}={value}" for name, value in o.rulings.items()])


# the sentences on the order of settlements, each with the key that has to rise (None: not spoken of)
ORDER = [("26.6(d): the bonus wagers before all that is still open",
          lambda w: w.wager != "dealer-bust" if w.wager == "dealer-bust" and w.result != "void" or w.when == "end"
          else None),
         ("26.6(d)2: winning bonus wagers from the dealer's right",
          lambda w: -w.box if w.wager == "dealer-bust" and w.result == "win" else None),
         ("26.5(e): losing wagers, then winning ones",
          lambda w: {"lose": 0, "win": 1}.get(w.result) if w.when == "end" else None),
         ("26.8(a), 26.11(d), 26.5(e): moment after moment",
          lambda w: None if w.wager == "dealer-bust" else MOMENTS.index(w.when))]


class Table(Between, Dealing):
    """A table that plays some rounds and writes them down."""

    BETWEEN = {"entry": "26.5(h)", "burn": "26.7(c)", "consent": "26.13(a)", "sharing": "26.13(a)",
               "boxes": "26.14"}

    deepest = 0.55
    tens = "26.15(b)"

    def __init__(self, rng, trap=None):
        self.rng = rng
        self.o = o = options(rng)
        favour = list(rng.choice(["A", "AK", "8", "9", "JQK", "68"])) if rng.random() < 0.35 else []
        if (o.too or o.everything) and rng.random() < 0.7:
            favour = list("AK68")  # blackjacks, pairs and busts, on which the rulings decide
        self.shoe = Shoe(rng, o.decks, RANKS, favour)
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
                stake.void("26.15(d)" if self.upset == "missed-own-card" else "26.15(a)")
            self.sheet.finish(None, self.boxes, self.stakes, loose=True)
            return
        self.dealer.append(self.draw())  # 26.7(d): before any card of a player
        self.up = self.dealer[0]
        for box in self.boxes:
            self.offer_attack(box)
        if self.after_attack:
            self.sheet.say(self.after_attack)
        self.deal()
        if self.misused:
            for stake in self.stakes:
                if stake.open:
                    stake.void("26.15(l)1")
            self.sheet.saw("all hands dead")
            self.sheet.finish(None, self.boxes, self.stakes, loose=True)
            return
        if self.up[0] == "A":
            self.insurance()
        self.behind = len(self.sheet.lines)  # what goes wrong before another line was there before the reader
        self.known = self.reading and two_card_21(self.dealer)  # before anybody draws
        if not self.known:
            for box in self.boxes:
                self.turn(box)
            for box, hand in self.late:
                hand.cards.append(self.draw())  # 26.15(i)
                self.decide(box, hand)
        self.dealers_turn()
        if self.exposed:
            self.shoe.draw()  # 26.15(e): refused and of no use to the dealer
        self.sheet.finish(self.dealer, self.boxes, self.stakes)

    def bets(self):
        """Takes the initial wagers and the bonus wagers (26.1, 26.6(b), 26.7(d))."""
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
                    # 26.13(b): nobody sits, the highest wager calls
                    marks = {player: " unseated" for player in players}
                    box.caller = max(players, key=lambda player: bets[player])
            box.hands = [Hand(number, 1)]
            for player in players:
                self.sheet.tempt([(f"bet {number} {player} 5", "under the table minimum"),
                                  (f"bet {number} {player} 505", "over the table maximum"),
                                  (f"bet {number} {player} 20 dealer-bust=25", "26.6(b)1: over the initial wager"),
                                  (f"bet {number} {player} 20.25", "26.5(c): no chips of that amount")])
                words = ""
                if rng.random() < 0.5:
                    amount = self.chips(min(4000, bets[player]), 100)
                    words = f" dealer-bust={money(amount)}"
                    box.side.append(Stake(number, 1, player, "dealer-bust", amount))
                    self.stakes.append(box.side[-1])
                    self.sheet.saw("side dealer-bust")
                self.wager(box, player, f"{money(bets[player])}{words}{marks.get(player, '')}")
                self.put(box.hands[0], player, "main", bets[player])
            self.boxes.append(box)

    # ---- irregularities, 26.15

    def upset_before(self):
        """Chooses what goes wrong while the first cards are dealt."""
        rng = self.rng
        self.missed_box = self.missed_second = self.after_attack = None
        if rng.random() > 0.4 or any(card[0] == "T" for card in self.shoe.cards[self.shoe.at:self.shoe.at + 40]):
            return
        kinds = ["found-face-up", "found-face-up twice", "ten-found", "drawn-unexposed", "missed-own-card",
                 "missed-second-card", "play", "play", "play", "play"]
        if len(self.boxes) > 1:
            kinds.append("missed-box")
        if self.o.hole == "reader" and not self.reader_failed:
            kinds.append("reader-failed")
        if self.o.reveals == "hole-card" and not self.reader_failed \
                and self.shoe.cards[self.shoe.at + 0][0] in "23456789":
            kinds += ["reader-misused"] * 4
        self.upset = kind = rng.choice(kinds)
        box = rng.choice(self.boxes)
        first = 2 * len(self.boxes) + 1
        if kind == "missed-box":
            self.missed_box = box.number  # 26.15(h)
            self.after_attack = f"dealer missed-box {box.number}"
        elif kind == "missed-second-card":
            self.missed_second, self.accepted = box.number, rng.random() < 0.6
            self.after_attack = f"dealer missed-second-card {box.number}"
        elif kind == "missed-own-card":
            self.void = True  # 26.15(d)
            self.sheet.say("dealer missed-own-card")
        elif kind.startswith("found-face-up"):
            after = 0 if kind.endswith("twice") else rng.randrange(first)
            self.discarding = {after: 1}  # 26.15(a)
            self.face_up = 1
            words = f"dealer found-face-up {self.shoe.cards[self.shoe.at + after]} after {after}"
            if after:
                self.after_attack = words
            else:
                self.sheet.say(words)
            if kind.endswith("twice"):
                again = 0
                self.sheet.say(f"dealer found-face-up {self.shoe.cards[self.shoe.at + again + 1]} after {again}")
                self.void = True
        elif kind == "ten-found":
            after = rng.randrange(first)
            self.shoe.insert(after, "T" + rng.choice("cdhs"))  # out of the shoe when it is drawn
        elif kind == "reader-failed":
            self.reader_failed = True  # 26.15(m): from now on as at a table without a reader
            self.sheet.say("dealer reader-failed")
        elif kind == "reader-misused":
            self.misused = True  # 26.15(l)1: a player may have seen the hole card
            self.after_attack = "dealer reader-misused"
        elif kind == "drawn-unexposed":
            self.sheet.say("dealer drawn-unexposed")  # 26.15(c): nothing changes
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
            self.exposed = True  # 26.15(e): it is the next card all the same
            self.sheet.say(f"dealer exposed {self.shoe.peek()} after {self.gone()}")
        elif kind.startswith("found-face-up"):
            self.sheet.say(f"dealer found-face-up {self.shoe.draw()} after {self.gone() - 1}")
            self.face_up += 1
            if kind.endswith("twice"):
                self.sheet.say(f"dealer found-face-up {self.shoe.draw()} after {self.gone() - 1}")
                self.face_up += 1
            if self.face_up > 1:
                self.sheet.saw("void in mid-round")
                raise Voided("26.15(a)")
        elif kind.startswith("ten-found"):
            for _ in range(2 if kind.endswith("twice") else 1):
                self.shoe.insert(0, "T" + self.rng.choice("cdhs"))  # 26.15(b): found when it is drawn
        elif kind == "reader-failed":
            self.reading = self.reading and len(self.sheet.lines) > self.behind
            self.sheet.say("dealer reader-failed")  # 26.15(m): from the next round on without it
            self.reader_failed = True
        elif kind == "reader-misused":
            self.sheet.say("dealer reader-misused")  # 26.15(l)2: nobody saw the hole card, play continues
        else:
            self.sheet.say("dealer drawn-unexposed")

    def forget(self, box, hand):
        """Lets the dealer forget a card that was asked for (26.15(i)); says whether that ends the turn."""
        if self.upset != "play" or self.rng.random() > 0.3:
            return False
        self.upset = "missed-draw"
        self.sheet.saw("irregularity missed-draw")
        self.sheet.say(f"dealer missed-draw {box.number}")
        if hand.split or self.rng.random() < 0.5:
            self.sheet.say(f"{box.who(box.caller)} decline")
            self.kill(hand, [], "26.15(i)")
        else:
            self.sheet.say(f"{box.who(box.caller)} accept")
            self.late.append((box, hand))
        return True

    def kill(self, hand, bonus, clause):
        """Calls a hand dead and returns its wagers (26.15(h), (i))."""
        hand.dead = True
        for stake in hand.stakes + bonus:
            stake.void(clause)

    # ---- cards and decisions

    def offer_attack(self, box):
        """Offers the double attack wager on the dealer's card alone, to every bettor (26.1, 26.7(d), 26.13(e))."""
        follows = "cobettor_attack" in self.o.rulings
        # by the other reading of 26.13(e) the others attack only when the caller does
        for player in sorted(box.bets, key=lambda player: follows and player != box.caller):
            bet, who = box.bets[player], box.who(player)
            if follows and player != box.caller and not any(stake.name == "attack"
                                                            for stake in box.hands[0].of(box.caller)):
                self.sheet.tempt([(f"{who} attack", "26.13(e): the caller does not attack")], early=0.5)
                self.sheet.saw("ruling cobettor_attack")
                continue
            wrong = [(f"{who} attack {money(bet + self.o.chip)}", "26.1: over the initial wager")]
            if self.o.attack == "equal" and bet > self.o.chip:
                wrong.append((f"{who} attack {money(bet - self.o.chip)}", "26.7(d): not equal to the initial wager"))
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
            self.sheet.saw("attack")
            self.put(box.hands[0], player, "attack", amount)

    def deal(self):
        """Deals two cards to each box (26.7(d)1, 2) and the hole card (26.7(i))."""
        self.hole = self.o.hole != "none"
        self.reading = self.o.hole == "reader" and not self.reader_failed
        dealt = [box for box in self.boxes if box.number != self.missed_box]
        for box in dealt:
            box.hands[0].cards.append(self.draw())
        for box in dealt:
            if box.number != self.missed_second:
                box.hands[0].cards.append(self.draw())
        for box in dealt:
            if box.number == self.missed_second:
                # 26.15(h): at the player's option, after all others have theirs
                self.sheet.say(f"{box.number} {'accept' if self.accepted else 'decline'}")
                if self.accepted:
                    box.hands[0].cards.append(self.draw())
        if self.hole:
            self.dealer.append(self.draw())
        for box in self.boxes:
            if box.number == self.missed_box or box.number == self.missed_second and not self.accepted:
                # "included in the next deal": the player has no part in this one, the bonus wager neither
                self.kill(box.hands[0], box.side, "26.15(h)")

    def insurance(self):
        """Takes insurance up to half of the initial wager (26.11, 26.13(g))."""
        for box in self.boxes:
            if box.hands[0].dead:
                continue
            for player, bet in box.bets.items():
                limit = -(-bet // (2 * self.o.chip)) * self.o.chip
                self.sheet.tempt([(f"{box.who(player)} insurance {money(limit + self.o.chip)}", "26.11(b): over half"),
                                  (f"{box.who(player)} even-money", "no even money in 26")], early=0.5)
                if self.rng.random() < 0.5:
                    amount = self.chips(limit)
                    self.sheet.say(f"{box.who(player)} insurance {money(amount)}")
                    self.sheet.saw("insurance")
                    self.stakes.append(Stake(box.number, 1, player, "insurance", amount))

    def natural(self, hand):
        """Says whether a hand is a blackjack (26.1)."""
        return not hand.split and not hand.dead and two_card_21(hand.cards)

    def turn(self, box):
        """Lets a box decide, its leftmost unfinished hand first (26.7(e), 26.10(b))."""
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
            if count == 21:
                self.at_21(box, hand)
            if count >= 21:
                break  # 26.12(a): no card on 21
            may = self.lawful(box, hand)
            if not hand.aces:
                self.mishap()
            if box.caller in self.refusing:
                self.sheet.saw("refusal binds another box")
                self.barred(box, hand, may)
                break
            if self.exposed and not hand.aces and self.refuses(box):
                self.sheet.say(f"{who} refuse")
                self.sheet.saw("exposed card refused", *["refused on a split hand"] * hand.split,
                               *["refused on a shared box"] * box.shared)
                self.refusing.add(box.caller)
                self.barred(box, hand, may)
                break
            if not hand.aces:
                self.sheet.tempt(self.unlawful(box, hand, may), early=0.1)
            elif "surrender" in may:
                self.sheet.tempt([(f"{who} {verb}", "26.10(e)") for verb in ("hit", "double") if verb not in may]
                                 + [(f"{who} split", "26.10(e)")] * (hand.cards[1][0] == "A"), early=0.2)
            verb = self.choose(may, count)
            self.sheet.saw(verb)
            if hand.aces and verb != "double":
                if verb == "surrender":
                    self.sheet.say(f"{who} surrender")
                    hand.surrendered = True
                elif "surrender" in may:
                    self.sheet.say(f"{who} stand")
                break
            if verb in ("hit", "stand", "surrender"):
                self.sheet.say(f"{who} {verb}")
            if verb == "hit":
                if self.forget(box, hand) or self.refuses_late(box):
                    break
                hand.cards.append(self.draw())
            elif verb == "split":
                self.split(box, hand)
            elif verb == "double":
                self.sheet.saw(*["ruling split_ace_double"] * hand.aces)
                self.double(box, hand)
                count, _ = total(hand.cards)
                if count < 21 or count == 21 and "surrender_21" not in self.o.rulings:
                    if self.rng.random() < 0.25:
                        self.sheet.say(f"{who} surrender")  # 26.8(a)
                        self.sheet.saw("surrender after doubling")
                        hand.surrendered = True
                    else:
                        self.sheet.say(f"{who} stand")
                break
            else:
                hand.surrendered = verb == "surrender"
                break
        if total(hand.cards)[0] > 21:
            hand.bust = True
            self.sheet.saw("bust")

    def at_21(self, box, hand):
        """Stands on 21, surrenders it (26.8(a) excepts none), or doubles an ace and a ten of a split (26.9(a))."""
        who = box.who(box.caller)
        rulings = self.o.rulings
        surrenders = not (hand.aces and "split_ace_surrender" in rulings) and "surrender_21" not in rulings
        doubles = hand.split and len(hand.cards) == 2 and box.caller not in self.refusing \
            and (not hand.aces or "split_ace_double" in rulings) and "double_split_21" not in rulings
        if not surrenders:
            self.sheet.saw(*["ruling surrender_21"] * ("surrender_21" in rulings))
        if not (surrenders or doubles):
            if self.last(box, hand) and not hand.aces and box.caller not in self.refusing:
                self.sheet.tempt([(f"{who} hit", "26.12(a)|26.12(a)1"), (f"{who} surrender", "26.8(a)")], early=0.3)
            return  # nothing is offered
        luck = self.rng.random()
        if surrenders and luck < (0.4 if self.o.everything else 0.15):
            self.sheet.say(f"{who} surrender")
            self.sheet.saw("21 surrendered")
            hand.surrendered = True
        elif doubles and luck < 0.5:
            self.sheet.saw("21 doubled")
            self.double(box, hand)
            if total(hand.cards)[0] < 21 or total(hand.cards)[0] == 21 and "surrender_21" not in rulings:
                self.sheet.say(f"{who} stand")
        else:
            if hand.split and not hand.aces and "double_split_21" in rulings and box.caller not in self.refusing:
                # otherwise the line may belong to a later hand
                self.sheet.tempt([] if not self.last(box, hand) else
                                 [(f"{who} double", "26.9(a)|26.12(a)|26.12(a)1")], early=0.3)
                self.sheet.saw("ruling double_split_21")
            self.sheet.say(f"{who} stand")
            if self.last(box, hand) and box.caller not in self.refusing:
                self.sheet.tempt([(f"{who} hit", "26.12(a)|26.12(a)1"),
                                  (f"{who} surrender", "26.8(a): after standing")], early=0.3)

    def barred(self, box, hand, may):
        """Ends a hand of a player who refused a card: no further card, but a surrender (26.15(e), 26.8(a))."""
        who = box.who(box.caller)
        self.sheet.tempt([(f"{who} {verb}", "26.15(e): no card after a refusal") for verb in ("hit", "double", "split")
                          if verb in may], early=0.3)
        if "surrender" not in may:
            return
        hand.surrendered = self.rng.random() < 0.3
        self.sheet.say(f"{who} {'surrender' if hand.surrendered else 'stand'}")
        self.sheet.saw(*["surrender after a refusal"] * hand.surrendered)

    def lawful(self, box, hand):
        """Returns what the player may do with this hand."""
        if hand.aces:
            # 26.10(e), 26.8(a): one card, no further split, but surrender after a split
            if self.o.rulings.get("split_ace_surrender") == "refused":
                return ["decline"]
            # 26.9(a) speaks of split hands; read so, a split ace may be doubled
            return ["decline", "surrender"] + ["double"] * ("split_ace_double" in self.o.rulings)
        may = ["hit", "stand", "double", "surrender"]  # 26.8(a), 26.9(a)
        if len(hand.cards) == 2 and points(hand.cards[0]) == points(hand.cards[1]) \
                and len(box.hands) < self.o.split_hands:
            may.append("split")  # 26.10(a), (c)
        return may

    def unlawful(self, box, hand, may):
        """Returns lines that nobody may give now, each with its clause."""
        who = box.who(box.caller)
        more = sum(stake.amount for stake in hand.of(box.caller)) + self.o.chip
        lines = [self.rng.choice([(f"{who} even-money", "no even money in 26"), (f"{who} switch", "no switch in 26"),
                                  (f"{who} attack", "26.7(d): too late")]),
                 (f"{who} double {money(more)}", "26.9(a): over the wagers")]
        if "split" not in may:
            pair = len(hand.cards) == 2 and points(hand.cards[0]) == points(hand.cards[1])
            lines.append((f"{who} split", "26.10(c)" if pair else "26.10(a)"))
        return lines + self.out_of_place(box, hand, MISPLACED)

    def choose(self, may, count):
        """Chooses one of the legal decisions, sensibly for the most part."""
        rng = self.rng
        if "split" in may and rng.random() < 0.7:
            return "split"
        if "surrender" in may and rng.random() < (0.4 if self.o.everything else 0.1):
            return "surrender"
        if "decline" in may:
            return "double" if "double" in may and rng.random() < 0.4 else "decline"
        if "double" in may and rng.random() < (0.4 if count in (9, 10, 11) else 0.12):
            return "double"
        if count < 12:
            return "hit"
        return "stand" if rng.random() < (0.85 if count >= 17 else 0.45) else "hit"

    def split(self, box, hand):
        """Splits: initial and attack wager once more (26.10(a)); co-bettors cover or follow (26.13(f))."""
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

    def undecided(self):
        """Says whether the dealer's second card can change anything (26.7(g), 26.12(c))."""
        if any(stake.open and stake.name in ("insurance", "dealer-bust") for stake in self.stakes):
            return True
        if "second_dealer_card" in self.o.rulings:
            self.sheet.saw("ruling second_dealer_card")
            return True  # 26.7(g) has no exception
        high = self.up[0] == "A" or is_ten(self.up)
        for box in self.boxes:
            for hand in box.hands:
                if hand.dead:
                    continue
                if hand.surrendered or self.natural(hand):
                    if high:
                        return True  # 26.8(a)2, 26.5(b)
                elif hand.bust:
                    # 26.5(b), 26.9(c), 26.10(d): a blackjack returns attack, doubling and splitting money
                    if high and not self.o.too and (hand.split or len(hand.stakes) > len(hand.players())):
                        return True
                else:
                    return True
        return False

    def dealers_turn(self):
        """Deals the dealer's cards and settles everything (26.6(d), 26.7(g), 26.11, 26.12)."""
        if not self.hole and self.undecided():
            self.dealer.append(self.draw())
        for stake in self.stakes:
            if stake.name == "insurance":
                if is_ten(self.dealer[1]):
                    stake.win(rule("insurance odds", Fraction(5, 2), 2), "26.11(c)",
                              "peek" if self.known else "dealer")
                else:
                    stake.lose("26.11(a)|26.11(d)", "dealer")
        bonus = [stake for stake in self.stakes if stake.name == "dealer-bust" and stake.open]
        live = [hand for box in self.boxes for hand in box.hands
                if not (hand.bust or hand.surrendered or hand.dead or self.natural(hand))]
        blackjack = two_card_21(self.dealer)
        if len(self.dealer) > 1 and not blackjack:
            while total(self.dealer)[0] < 17 and (live or bonus and len(self.dealer) == 2):
                self.dealer.append(self.draw())
            if 17 <= total(self.dealer)[0] <= 21 and self.upset == "play" and self.shoe.peek()[0] != "T":
                # 26.15(f): a card drawn on a standing total is burned
                self.upset = "drew-on-standing"
                self.sheet.saw("irregularity drew-on-standing")
                self.sheet.say(f"dealer drew-on-standing {self.shoe.draw()}")
        for stake in bonus:
            self.settle_bonus(stake)
        for box in self.boxes:
            when = "peek" if self.known else "end"
            for player in box.bets:
                owed = True  # 26.10(d): one initial wager in all
                for hand in box.hands:
                    initial = box.bets[player]
                    for stake in hand.of(player):
                        if not stake.open:
                            continue
                        if not blackjack:
                            self.settle(stake, hand)
                        elif self.natural(hand) and not hand.surrendered:
                            stake.push("26.5(b)", when)
                        elif hand.surrendered and self.o.everything:
                            stake.lose("26.8(a)2", "dealer")  # "the entire wager", each hand by itself
                            self.sheet.saw(*["ruling everything"] * (stake.name != "main"))
                        elif hand.bust and self.o.too:
                            stake.lose("26.5(b)|26.5(e)|26.9(c)|26.10(d)", when)
                            owed = owed and stake.name != "main"
                            self.sheet.saw(*["ruling busted-too"] * (stake.name != "main"))
                        elif owed and stake.name == "main":
                            clauses = ["26.8(a)2"] if hand.surrendered else ["26.5(b)"] + ["26.5(e)"] * hand.bust
                            clauses += ["26.9(c)"] * hand.doubled + ["26.10(d)"] * hand.split
                            stake.lose("|".join(clauses), "dealer" if hand.surrendered else when)
                            owed = rule("split after blackjack", False, True)
                        elif owed and stake.name == "split":
                            # the hand of the initial bet is dead: its amount is taken here
                            stake._end("lose", -initial, "26.10(d)|26.5(b)|26.8(a)2" + "|26.5(e)" * hand.bust)
                            owed = False
                        else:
                            clause = {"attack": "26.5(b)", "double": "26.9(c)"}.get(stake.name, "26.10(d)")
                            stake.void(clause, "dealer" if hand.surrendered else when)

    def settle_bonus(self, stake):
        """Settles a bonus wager on the dealer's first two or three cards (26.6(d))."""
        third = self.dealer[:3]
        when = "peek|dealer" if self.known else "dealer"
        if total(self.dealer[:2])[0] >= 17 or total(third)[0] <= 21:
            stake.lose("26.6(d)1", when)
        elif all(card[0] == "8" for card in third) and len({card[1] for card in third}) == 1:
            stake.win(200, "26.6(d)3", when)
        elif all(card[0] == "8" for card in third) and len({is_red(card) for card in third}) == 1:
            stake.win(50, "26.6(d)3", when)
        else:
            stake.win(BUST[points(third[2])], "26.6(d)2", when)

    def settle(self, stake, hand):
        """Settles a wager when the dealer has no blackjack (26.5(a), (b), (e), 26.8(a))."""
        count, dealer = total(hand.cards)[0], total(self.dealer)[0]
        if hand.surrendered and (self.up[0] == "A" or is_ten(self.up)):
            early = self.o.surrender_at_once and self.reading  # 26.8(a)3: the reader has made it safe
            stake.halve("26.8(a)3" if early else "26.8(a)2", "turn" if early else "dealer")
        elif hand.surrendered:
            stake.halve("26.8(a)1", "turn")
        elif count > 21:
            stake.lose("26.5(e)", "end")
        elif dealer > 21 or count > dealer or self.natural(hand) and rule("blackjack v 21", True, False):
            stake.win(1, "26.5(a)1" if dealer > 21 else "26.5(a)2" if count > dealer else "26.5(a)3", "end")
        elif count == dealer:
            if rule("push", True, False):
                stake.push("26.5(b)", "end")
            else:
                stake.lose("26.5(b)")
        else:
            stake.lose("26.5(e)", "end")
