"""Blackjack Switch by N.J.A.C. 19:47-2A. Written from the text; "2A.x" is 19:47-2A.x.

Where the text can be read two ways, docs/oracles.md says which way is taken.
"""
from collections import Counter
from types import SimpleNamespace

from between import Between
from book import MOMENTS, Box, Dealing, Hand, Sheet, Stake, Voided, money, rule, seat
from cards import Shoe, is_ten, points, total, two_card_21

NAME = "nj-switch"
BASE = ("main", "split")
# 2A.6(c), by decks
MATCH = {6: {"pair": 1, "three": 5, "two pairs": 8, "four": 40}, 8: {"pair": 1, "three": 5, "two pairs": 7, "four": 50}}

# the clauses on lines out of place
MISPLACED = {"turn": "2A.7(g)|2A.7(h)|2A.7(k)", "insurance": "2A.8(a)", "late insurance": "2A.8(a)2|2A.8(a)3",
             "insured": "2A.5(f)|2A.8(a)2|2A.8(a)3", "withdraw": "2A.5(e)",
             "cards": "2A.15(f)", "caller": "2A.13(b)|2A.13(d)"}


def options(rng):
    """Returns the options of a legal table."""
    o = SimpleNamespace(rulings={})
    o.decks = rng.choice([6, 8])  # 2A.2(a)
    o.hole = rng.choice(["none", "down", "reader"])  # 2A.7(l)
    o.surrender = rng.random() < 0.6  # 2A.9(c)
    o.split_hands = rng.choice([2, 3, 4])  # 2A.11(c)1, (e)
    o.resplit_aces = o.split_hands > 2 and rng.random() < 0.5
    o.positions = rng.randint(2, 5)  # 19:46-1.10C(a)
    o.reveals = "hole-card" if o.hole == "reader" and rng.random() < 0.5 else "nothing"
    o.bettors = rng.choice([1, 1, 2, 3])
    o.boxes_each = rng.choice([1, 1, 2])
    o.chip = rng.choice([50, 100, 100, 250, 500])
    # other readings: regulations/notes.md says what each of them is
    for name, other in (("two_card_21_v_dealer_blackjack", "lose"), ("busted_v_dealer_blackjack", "busted-too"),
                        ("double_two_card_21", "allowed"), ("surrender_timing", "before-both-hands"),
                        ("switch_revocation", "in-turn")):
        if rng.random() < (0.35 if other == "busted-too" else 0.2):
            o.rulings[name] = other
    return o


def line(o, preset):
    """Writes the table line of a round file."""
    low = {True: "true", False: "false"}
    words = [preset, f"decks={o.decks}", f"hole_card={o.hole}", f"reader_reveals={o.reveals}",
             f"surrender={low[o.surrender]}", f"split_hands={o.split_hands}", f"resplit_aces={low[o.resplit_aces]}",
             f"positions={o.positions}", f"bettors_per_box={o.bettors}", f"boxes_per_player={o.boxes_each}",
             f"minimum=10 maximum=500 chip={o.chip / 100:.2f}",
             "side_wagers.match.minimum=1 side_wagers.match.maximum=50"]
    return " ".join(words + [f"rulings.{name}={value}" for name, value in o.rulings.items()])


# the sentences on the order of settlements, each with the key that has to rise (None: not spoken of)
RANK = {"lose": 0, "push": 1, "win": 2}
ORDER = [("2A.7(e): losing match wagers, then winning ones",
          lambda w: RANK.get(w.result) if w.wager == "match" else None),
         ("2A.5(g): losing wagers, pushes, winning wagers",
          lambda w: RANK.get(w.result) if w.when == "end" and w.wager != "match" else None),
         ("2A.8(c), 2A.5(g): moment after moment", lambda w: MOMENTS.index(w.when))]


class Table(Between, Dealing):
    """A table that plays some rounds and writes them down."""

    BETWEEN = {"entry": "2A.5(h)", "burn": "2A.7(c)", "consent": "2A.13(a)", "sharing": "2A.13(a)",
               "boxes": "2A.14"}

    deepest = 0.55

    def __init__(self, rng, trap=None):
        self.rng = rng
        self.o = o = options(rng)
        favour = list(rng.choice(["A", "AT", "8", "9", "TJQK", "A9"])) if rng.random() < 0.35 else []
        if "busted_v_dealer_blackjack" in o.rulings and rng.random() < 0.8:
            favour = list("AK68")  # blackjacks, pairs and busts, on which the ruling decides
        self.shoe = Shoe(rng, o.decks, favour=favour)
        self.open()
        self.sheet = Sheet(rng, NAME, line(o, "nj-switch") + self.entry(), self.shoe, trap, ORDER)
        self.sheet.saw(f"table {o.hole}")
        self.reader_failed = False
        self.seats = seat(rng, o.positions, 4, o.bettors, o.boxes_each)

    def round(self):
        """Plays and settles one round."""
        self.bets()
        self.upset_before()
        self.deal()
        if self.void:
            self.sheet.finish(None, self.boxes, self.stakes, loose=True)
            return
        self.match()
        if self.misused:
            for stake in self.stakes:
                if stake.open:
                    stake.void("2A.15(k)1")
            self.sheet.saw("all hands dead")
            self.sheet.finish(None, self.boxes, self.stakes, loose=True)
            return
        if self.up[0] == "A":
            self.insurance()
        self.known = self.hole and self.reading and two_card_21(self.dealer)
        if self.known:
            pass  # 2A.7(l)2: no additional cards
        else:
            for box in self.boxes:
                self.turn(box)
                self.revoke_late(box)
            for box, hand in self.late:
                hand.cards.append(self.draw())  # 2A.15(h)
                self.decide(box, hand)
        self.dealers_turn()
        if self.exposed:
            self.shoe.draw()  # 2A.15(c): refused and of no use to the dealer
        self.sheet.finish(self.dealer, self.boxes, self.stakes)

    def bets(self):
        """Takes two equal wagers for every spot (2A.5(a)) and match wagers (2A.6(b))."""
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
                    # 2A.13(b): nobody sits, the highest wager calls
                    marks = {player: " unseated" for player in players}
                    box.caller = max(players, key=lambda player: bets[player])
            box.hands = [Hand(number, 1), Hand(number, 2)]
            for player in players:
                self.sheet.tempt([(f"bet {number} {player} 5", "2A.5(a): under the minimum"),
                                  (f"bet {number} {player} 20/30", "2A.5(a): two unequal wagers"),
                                  (f"bet {number} {player} 20.25", "2A.5(d): no chips of that amount"),
                                  (f"bet {number} {player} 505", "over the table maximum"),
                                  (f"bet {number} {player} 20 streak-2=5", "2A.5(i): no such wager")])
                words = ""
                if rng.random() < 0.6:
                    amount = self.chips(3000, 100)
                    words = f" match={money(amount)}"
                    box.side.append(Stake(number, 1, player, "match", amount))
                    self.stakes.append(box.side[-1])
                    self.sheet.saw("side match")
                self.wager(box, player, f"{money(bets[player])}{words}{marks.get(player, '')}")
                for hand in box.hands:
                    self.put(hand, player, "main", bets[player])
            self.boxes.append(box)

    # ---- irregularities, 2A.15

    def upset_before(self):
        """Chooses what goes wrong while the first cards are dealt."""
        rng = self.rng
        self.missed_box = self.missed_second = None
        self.missed_own = self.accepted = False
        if rng.random() > 0.4:
            return
        kinds = ["found-face-up", "found-face-up twice", "drawn-unexposed", "missed-own-card", "missed-second-card",
                 "play", "play", "play"]
        if len(self.boxes) > 1:
            kinds.append("missed-box")
        if self.o.hole != "none":
            kinds.append("missed-own-second-card")
        if self.o.hole == "reader" and not self.reader_failed:
            kinds.append("reader-failed")
        if self.o.reveals == "hole-card" and not self.reader_failed \
                and self.shoe.cards[self.shoe.at + 2 * len(self.boxes)][0] in "23456789":
            kinds += ["reader-misused"] * 4
        self.upset = kind = rng.choice(kinds)
        if kind == "missed-box":
            self.missed_box = rng.choice(self.boxes).number  # 2A.15(g)
            self.sheet.say(f"dealer missed-box {self.missed_box}")
        elif kind == "missed-second-card":
            self.missed_second = rng.choice(self.boxes).number  # 2A.15(g)
            self.accepted = rng.random() < 0.6
            self.sheet.say(f"dealer missed-second-card {self.missed_second}")
            self.sheet.say(f"{self.missed_second} {'accept' if self.accepted else 'decline'}")
        elif kind == "missed-own-card":
            self.missed_own = True  # 2A.15(e)
            self.sheet.say("dealer missed-own-card")
        elif kind.startswith("found-face-up"):
            after = rng.randrange(4 * len(self.boxes) + 1)
            self.discarding = {after: 1}  # 2A.15(a)
            self.face_up = 1
            self.sheet.say(f"dealer found-face-up {self.shoe.cards[self.shoe.at + after]} after {after}")
            if kind.endswith("twice"):
                again = rng.randrange(after, 4 * len(self.boxes) + 1)
                self.sheet.say(f"dealer found-face-up {self.shoe.cards[self.shoe.at + again + 1]} after {again}")
                self.shoe.at += again + 2
                self.void = True
        elif kind == "reader-failed":
            self.reader_failed = True  # 2A.15(l): from now on as at a table without a reader
            self.sheet.say("dealer reader-failed")
        elif kind == "reader-misused":
            self.misused = True  # 2A.15(k)1: a player may have seen the hole card
            self.sheet.say("dealer reader-misused")
        elif kind in ("drawn-unexposed", "missed-own-second-card"):
            # 2A.15(b), 2A.15(e): the own second card comes after all second cards of players anyway
            self.sheet.say(f"dealer {kind}")
        if kind != "play":
            self.sheet.saw(f"irregularity {kind}")

    def mishap(self):
        """Lets something go wrong before a decision."""
        self.again()
        if self.upset != "play" or self.rng.random() > 0.3:
            return
        kinds = ["exposed", "exposed", "found-face-up", "found-face-up twice", "drawn-unexposed"]
        if self.reading:
            kinds.append("reader-failed")
        if self.reading and self.up[0] in "23456789" and self.o.reveals == "nothing":
            kinds += ["reader-misused", "reader-misused"]
        self.upset = kind = self.rng.choice(self.found_again(kinds))
        self.sheet.saw(f"irregularity {kind}")
        if kind == "exposed":
            self.exposed = True  # 2A.15(c): it is the next card all the same
            self.sheet.say(f"dealer exposed {self.shoe.peek()} after {self.gone()}")
        elif kind.startswith("found-face-up"):
            self.sheet.say(f"dealer found-face-up {self.shoe.draw()} after {self.gone() - 1}")
            self.face_up += 1
            if kind.endswith("twice"):
                self.sheet.say(f"dealer found-face-up {self.shoe.draw()} after {self.gone() - 1}")
                self.face_up += 1
            if self.face_up > 1:
                self.sheet.saw("void in mid-round")
                raise Voided("2A.15(a)")
        elif kind == "reader-failed":
            self.sheet.say("dealer reader-failed")  # 2A.15(l): from the next round on without it
            self.reader_failed = True
        elif kind == "reader-misused":
            self.sheet.say("dealer reader-misused")  # 2A.15(k)2: nobody saw the hole card, play continues
        else:
            self.sheet.say("dealer drawn-unexposed")

    def forget(self, box, hand):
        """Lets the dealer forget a card that was asked for (2A.15(h)); says whether that ends the turn."""
        if self.upset != "play" or self.rng.random() > 0.3:
            return False
        self.upset = "missed-draw"
        self.sheet.saw("irregularity missed-draw")
        self.sheet.say(f"dealer missed-draw {box.number}")
        if hand.split or self.rng.random() < 0.5:
            self.sheet.say(f"{box.who(box.caller)} decline")
            hand.dead = True
            for stake in hand.stakes:
                stake.void("2A.15(h)")
        else:
            self.sheet.say(f"{box.who(box.caller)} accept")
            self.late.append((box, hand))
        return True

    # ---- cards and decisions

    def deal(self):
        """Deals: a card to each box, one to the dealer, another to each box (2A.7(d)), a hole card (2A.7(l)1)."""
        self.hole = self.o.hole != "none"
        self.reading = self.o.hole == "reader" and not self.reader_failed
        if self.void:
            # 2A.15(a): a second card face up voids the round, and what was settled in it
            for stake in self.stakes:
                stake.void("2A.15(a)")
            return
        dealt = [hand for box in self.boxes for hand in box.hands
                 if box.number != self.missed_box or hand.number != 1]
        for hand in dealt:
            hand.cards.append(self.draw())
        if not self.missed_own:
            self.dealer.append(self.draw())
        late = [hand for hand in dealt if hand.box == self.missed_second and hand.number == 1]
        for hand in dealt:
            if hand not in late:
                hand.cards.append(self.draw())
        for hand in late:
            if self.accepted:
                hand.cards.append(self.draw())  # 2A.15(g): after all others have theirs
        if self.missed_own:
            self.dealer.append(self.draw())  # 2A.15(e)
        if self.hole:
            self.dealer.append(self.draw())
        self.up = self.dealer[0]
        for box in self.boxes:
            if box.number == self.missed_box or box.number == self.missed_second and not self.accepted:
                hand = box.hands[0]
                hand.dead = True
                for stake in hand.stakes:
                    stake.void("2A.15(g)")
                for stake in box.side:
                    stake.void("2A.15(g)")

    def match(self):
        """Settles the match wagers on the four cards as dealt (2A.6, 2A.7(e))."""
        odds = MATCH[self.o.decks]
        for box in self.boxes:
            counts = sorted(Counter(card[0] for hand in box.hands for card in hand.cards).values())
            kind = {(4,): "four", (2, 2): "two pairs", (1, 3): "three", (1, 1, 2): "pair"}.get(tuple(counts))
            for stake in box.side:
                if stake.open and kind:
                    stake.win(odds[kind] + rule("two pairs", 0, kind == "two pairs"), "2A.6(c)", "deal")
                    self.sheet.saw(f"match {kind}")
                elif stake.open:
                    stake.lose("2A.7(e)", "deal")

    def insurance(self):
        """Takes insurance on either or both hands (2A.8(a), (b), 2A.13(e))."""
        for box in self.boxes:
            for player, bet in box.bets.items():
                limit = -(-bet // (2 * self.o.chip)) * self.o.chip
                over, which = money(limit + self.o.chip), "second" if box.hands[0].dead else "first"
                self.sheet.tempt([(f"{box.who(player)} insurance {over} {which}", "2A.8(b): over half"),
                                  (f"{box.who(player)} even-money", "no even money in 2A")], early=0.5)
                for hand, word in zip(box.hands, ("first", "second")):
                    if not hand.dead and self.rng.random() < 0.4:
                        amount = self.chips(limit)
                        self.sheet.say(f"{box.who(player)} insurance {money(amount)} {word}")
                        self.sheet.saw("insurance")
                        self.stakes.append(Stake(box.number, hand.number, player, "insurance", amount))

    def natural(self, hand):
        """Says whether a hand is a blackjack: neither split nor switched (2A.1)."""
        switched = hand.switched and rule("switched blackjack", True, False)
        return not (hand.split or switched or hand.dead) and two_card_21(hand.cards)

    def turn(self, box):
        """Offers the switch, then lets the hands decide, the leftmost unfinished first (2A.7(g) to (k), 2A.11(b))."""
        if not box.hands[0].dead:
            self.switch(box)  # an exchange needs two hands
        at = 0
        while at < len(box.hands):
            if not box.hands[at].dead:
                self.decide(box, box.hands[at])
            at += 1

    def switch(self, box):
        """Exchanges the second cards, and perhaps takes that back (2A.7(g)1 to 3)."""
        who, one, two = box.who(box.caller), box.hands[0], box.hands[1]
        self.sheet.tempt([(f"{who} revoke", "2A.7(g)2: nothing was switched")])
        if self.rng.random() > 0.45:
            if self.rng.random() < 0.2 or 21 in (total(one.cards)[0], total(two.cards)[0]):
                self.sheet.say(f"{who} keep")  # before a 21, so that its `pass` declines the surrender
            return
        self.sheet.say(f"{who} switch")
        self.sheet.saw("switch")
        self.sheet.tempt([(f"{who} switch", "2A.7(g)3: one switch")])
        if self.rng.random() < 0.15:
            self.sheet.say(f"{who} revoke")
            self.sheet.saw("revoke")
            # two blackjacks are complete again, and the turn is over
            self.sheet.tempt([(f"{who} switch", "2A.7(g)3|2A.7(g): one switch")])
            return
        one.cards[1], two.cards[1] = two.cards[1], one.cards[1]
        one.switched = two.switched = True

    def revoke_late(self, box):
        """Takes a switch back after both hands were stood on, until another card comes (2A.7(g)2)."""
        later = self.boxes[self.boxes.index(box) + 1:]
        stood = len(box.hands) == 2 and all(hand.switched and hand.stood for hand in box.hands)
        # the next player is asked for a switch, so that no card comes by itself
        if not stood or not later or any(hand.dead for hand in later[0].hands) or self.exposed:
            return
        if "switch_revocation" in self.o.rulings:
            self.sheet.tempt([(f"{box.who(box.caller)} revoke", "2A.7(g)2: the turn is over")], early=0.5)
        elif self.rng.random() < 0.4:
            self.sheet.say(f"{box.who(box.caller)} revoke")
            self.sheet.saw("revoked after the turn")
            one, two = box.hands
            one.cards[1], two.cards[1] = two.cards[1], one.cards[1]
            one.switched = two.switched = False

    def decide(self, box, hand):
        """Plays one hand until it is finished."""
        while True:
            if len(hand.cards) == 1:
                if box.caller in self.refusing or self.refuses_late(box):
                    break  # the hand stands on its one card
                hand.cards.append(self.draw())
            count, _ = total(hand.cards)
            if count == 21 and self.double_21(box, hand):
                break
            if count == 21 and not hand.split and self.surrender_21(box, hand):
                break
            if count == 21 and self.last(box, hand) and box.caller not in self.refusing:
                who = box.who(box.caller)
                one = "|2A.11(c)2" * hand.aces
                self.sheet.tempt([(f"{who} hit", "2A.12(a)1" + one),
                                  (f"{who} double", "2A.10(a)|2A.12(a)1" + one)], early=0.3)
            if count >= 21:
                break  # 2A.12(a)1
            may = self.lawful(box, hand)
            if hand.aces and "split" not in may:
                break  # 2A.11(c)2
            self.mishap()
            if box.caller in self.refusing:
                self.sheet.saw("refusal binds another hand")
                self.barred(box, hand, may)
                break
            if self.exposed and self.upset == "exposed" and self.refuses(box):
                self.sheet.say(f"{box.who(box.caller)} refuse")
                self.sheet.saw("exposed card refused", *["refused on a split hand"] * hand.split,
                               *["refused on a shared box"] * box.shared)
                self.refusing.add(box.caller)
                self.barred(box, hand, may)
                break
            self.sheet.tempt(self.unlawful(box, hand, may), early=0.1)
            verb = self.choose(may, count)
            self.sheet.saw(verb)
            box.decided = box.decided or hand.lineage == 1 and verb not in ("surrender", "decline")
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
                hand.stood = verb == "stand" and len(hand.cards) == 2
                break
        if total(hand.cards)[0] > 21:
            hand.bust = True
            self.sheet.saw("bust")

    def barred(self, box, hand, may):
        """Ends a hand of a player who refused a card: no further card, but a surrender (2A.15(c), 2A.9(a))."""
        who = box.who(box.caller)
        if self.last(box, hand):  # otherwise the line may belong to a later hand
            self.sheet.tempt([(f"{who} {verb}", "2A.15(c): no card after a refusal")
                              for verb in ("hit", "double", "split") if verb in may], early=0.3)
        if "surrender" in may and self.rng.random() < 0.3:
            self.sheet.say(f"{who} surrender")
            self.sheet.saw("surrender after a refusal")
            hand.surrendered = True
        elif "surrender" in may:
            self.sheet.say(f"{who} stand")
            box.decided = box.decided or hand.lineage == 1

    def double_21(self, box, hand):
        """Doubles a 21 in two cards that is no blackjack, where only a blackjack may not be doubled (2A.10(a))."""
        if self.o.rulings.get("double_two_card_21") != "allowed" or len(hand.cards) > 2 or self.natural(hand) \
                or hand.aces or box.caller in self.refusing:
            return False
        if self.rng.random() > 0.4:
            if not self.may_surrender(box, hand):  # which declines both
                self.sheet.say(f"{box.who(box.caller)} pass")
            return False
        self.sheet.saw("ruling double_two_card_21")
        box.decided = box.decided or hand.lineage == 1
        self.double(box, hand)
        return True

    def may_surrender(self, box, hand):
        """Says whether a hand may be surrendered: first, or before any other decision on both (2A.9(a))."""
        if not self.o.surrender or hand.split or len(hand.cards) > 2:
            return False
        if box.decided and hand.lineage == 2 and "surrender_timing" in self.o.rulings:
            self.sheet.saw("ruling surrender_timing")
            return False
        return True

    def surrender_21(self, box, hand):
        """Gives up a 21 of the first two cards now and then: 2A.9(a) excepts none."""
        if not self.may_surrender(box, hand):
            return False
        if self.rng.random() > 0.3:
            self.sheet.say(f"{box.who(box.caller)} pass")
            return False
        self.sheet.say(f"{box.who(box.caller)} surrender")
        self.sheet.saw("surrender", "21 surrendered")
        hand.surrendered = True
        return True

    def lawful(self, box, hand):
        """Returns what the player may do with this hand."""
        may = ["hit", "stand"]
        first = len(hand.cards) == 2
        made = sum(other.lineage == hand.lineage for other in box.hands)
        if self.may_surrender(box, hand):
            may.append("surrender")  # 2A.9(a)
        if first and points(hand.cards[0]) == points(hand.cards[1]) and made < self.o.split_hands \
                and (not hand.aces or self.o.resplit_aces):
            may.append("split")  # 2A.11(a), (c)1, (e)
        if first:
            may.append("double")  # 2A.10(a), 2A.11(c)
        if hand.aces:
            may = ["decline"] + [verb for verb in may if verb == "split"]
        return may

    def unlawful(self, box, hand, may):
        """Returns lines that nobody may give now, each with its clause."""
        who = box.who(box.caller)
        lines = [self.rng.choice([(f"{who} even-money", "no even money in 2A"),
                                  (f"{who} attack", "no attack wager in 2A")])]
        if "split" not in may:
            pair = len(hand.cards) == 2 and points(hand.cards[0]) == points(hand.cards[1])
            lines.append((f"{who} split", "2A.11(c)1|2A.11(c)2|2A.11(e)" if pair else "2A.11(a)"))
        if "double" in may:
            more = sum(stake.amount for stake in hand.of(box.caller)) + self.o.chip
            lines.append((f"{who} double {money(more)}", "2A.10(a): over the original wager"))
        elif not hand.aces:
            lines.append((f"{who} double", "2A.10(a)"))
        if "surrender" not in may and not hand.aces:
            offered = "2A.9(a)|2A.11(c)" if hand.split else "2A.9(a)"
            lines.append((f"{who} surrender", offered if self.o.surrender else "2A.9(c)"))
        if hand.aces and hand is box.hands[-1]:  # otherwise the line may belong to the next hand
            lines.append((f"{who} hit", "2A.11(c)2"))
        return lines + self.out_of_place(box, hand, MISPLACED)

    def choose(self, may, count):
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
        """Splits a pair: a wager equal to the original on the new hand (2A.11(a))."""
        new = Hand(box.number, box.next_number(), [hand.cards.pop()])
        new.split = hand.split = True
        new.switched, new.lineage = hand.switched, hand.lineage
        new.aces = hand.aces = hand.cards[0][0] == "A"
        self.sheet.say(f"{box.who(box.caller)} split")
        if hand.aces:
            self.sheet.saw("split aces")
        if sum(other.lineage == hand.lineage for other in box.hands) > 1:
            self.sheet.saw("resplit")
        # 2A.13 does not speak of a split; the others cover both hands or follow one, as in 19:47-2.13(e)
        self.cover_or_follow(box, hand, new)
        box.hands.insert(box.hands.index(hand) + 1, new)

    # ---- the dealer and the settlement

    def must_draw(self):
        """Says whether the dealer's total asks for another card (2A.12(b))."""
        count, soft = total(self.dealer)
        return count < 17 or count == 17 and soft

    def dealers_turn(self):
        """Deals the dealer's cards and settles everything (2A.7(l), 2A.8(c), (d), 2A.12(b), (c))."""
        if not self.hole:
            self.dealer.append(self.draw())
        for stake in self.stakes:
            if stake.name == "insurance":
                if is_ten(self.dealer[1]):
                    stake.win(rule("insurance odds", 2, 3), "2A.8(d)", "peek" if self.known else "dealer")
                else:
                    stake.lose("2A.8(c)", "dealer")
        live = [hand for box in self.boxes for hand in box.hands
                if not (hand.bust or hand.surrendered or hand.dead or self.natural(hand))]
        if not two_card_21(self.dealer):
            while live and self.must_draw():
                self.dealer.append(self.draw())
            if not self.must_draw() and total(self.dealer)[0] <= 21 and self.upset == "play":
                # 2A.15(d): a card drawn on a standing total is burned
                self.upset = "drew-on-standing"
                self.sheet.saw("irregularity drew-on-standing")
                self.sheet.say(f"dealer drew-on-standing {self.shoe.draw()}")
        blackjack = two_card_21(self.dealer)
        for box in self.boxes:
            for player in box.bets:
                # 2A.10(c), 2A.11(d): of each initial hand the amount of its original wager, and no more
                owed = {1: True, 2: True}
                too = blackjack and "busted_v_dealer_blackjack" in self.o.rulings
                for hand in box.hands:
                    # by the other reading a bust loses all that lies on it, the original wager too
                    if too and hand.bust and any(stake.name == "main" for stake in hand.of(player)):
                        owed[hand.lineage] = False
                for hand in box.hands:
                    for stake in hand.of(player):
                        if stake.open and too and hand.bust:
                            stake.lose("2A.5(b)2|2A.5(g)|2A.10(c)|2A.11(d)", "end")
                            self.sheet.saw(*["ruling busted_v_dealer_blackjack"] * (stake.name != "main"))
                        if stake.open and blackjack:
                            self.after_blackjack(stake, hand, owed)
                        elif stake.open:
                            self.settle(stake, hand)

    def after_blackjack(self, stake, hand, owed):
        """Settles a wager after the dealer's blackjack (2A.5(b), 2A.9(a)2, 2A.10(c), 2A.11(d))."""
        literal = self.o.rulings.get("two_card_21_v_dealer_blackjack") != "lose"
        when = "peek" if self.known else "end"
        if hand.surrendered:
            stake.lose("2A.9(a)2", "dealer")
        elif self.natural(hand) or two_card_21(hand.cards) and literal:
            stake.push("2A.5(b)", when)
        elif stake.name in BASE and owed[hand.lineage]:
            # no clause says in so many words that a lower count loses
            clauses = ["2A.5(b)1"] if total(hand.cards)[0] == 21 else ["2A.5(a)", "2A.5(g)"]
            clauses += ["2A.5(b)2"] * hand.bust + ["2A.10(c)"] * hand.doubled + ["2A.11(d)"] * hand.split
            stake.lose("|".join(clauses), when)
            owed[hand.lineage] = False
        else:
            stake.void("2A.10(c)" if stake.name == "double" else "2A.11(d)", "end")

    def settle(self, stake, hand):
        """Settles a wager when the dealer has no blackjack (2A.5(a) to (c))."""
        count, dealer = total(hand.cards)[0], total(self.dealer)[0]
        if hand.surrendered and (self.up[0] == "A" or is_ten(self.up)):
            stake.halve("2A.9(a)2", "dealer")
        elif hand.surrendered:
            stake.halve("2A.9(a)1", "turn")
        elif count > 21:
            stake.lose("2A.5(b)2|2A.5(g)", "end")
        elif self.natural(hand):
            stake.win(1, {21: "2A.5(a)3", 22: "2A.5(c)"}.get(dealer, "2A.5(a)1" if dealer > 22 else "2A.5(a)2"), "end")
        elif dealer == rule("push on 22", 22, 23):
            stake.push("2A.5(c)", "end")
        elif dealer > 21 or count > dealer:
            stake.win(1, "2A.5(a)1" if dealer > 21 else "2A.5(a)2", "end")
        elif count == dealer:
            stake.push("2A.5(b)", "end")
        else:
            stake.lose("2A.5(a)|2A.5(g)", "end")
