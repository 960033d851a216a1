"""Irregularities of N.J.A.C. 19:47-2.15, at most one a round."""


class Upsets:
    """What goes wrong at a blackjack table."""

    def upset_before(self):
        """Chooses what goes wrong while the first cards are dealt."""
        rng, o = self.rng, self.o
        self.missed_box = self.missed_second = None
        self.missed_own = self.accepted = False
        if rng.random() > 0.4 or self.o.full and self.shoe.at > 10:
            return
        kinds = ["found-face-up", "drawn-unexposed", "missed-own-card", "missed-second-card", "play", "play", "play"]
        if o.multiple:
            kinds += ["astray"] * 4
        if o.shoe == "double":
            kinds.append("wrong-side")
        if o.hole in ("down", "reader", "up"):
            kinds.append("missed-own-second-card")
        if len(self.boxes) > 1 and "progressive" not in o.side:
            kinds.append("missed-box")
        if o.hole == "reader" and not self.reader_failed and not o.six_to_five:
            kinds.append("reader-failed")
        if o.reveals == "hole-card" and not self.reader_failed \
                and self.shoe.cards[self.shoe.at + len(self.boxes)][0] in "23456789":
            kinds += ["reader-misused"] * 4
        self.upset = kind = rng.choice(kinds)
        # the first card from a double shoe is the first box's (2.6(d)2): that box cannot be missed
        box = rng.choice(self.boxes[1:] if kind == "missed-box" and o.shoe == "double" else self.boxes)
        if kind == "missed-box":
            self.missed_box = box.number  # 2.15(g)
            self.sheet.say(f"dealer missed-box {box.number}")
        elif kind == "missed-second-card":
            self.missed_second = box.number
            self.accepted = bool(box.side) or any(seat[0] == box.number for seat in self.streaks) or rng.random() < 0.6
            self.sheet.say(f"dealer missed-second-card {box.number}")
            self.sheet.say(f"{box.number} {'accept' if self.accepted else 'decline'}")
        elif kind == "missed-own-card":
            self.missed_own = True  # 2.15(e)
            self.sheet.say("dealer missed-own-card")
        elif kind == "found-face-up":
            after = rng.randrange(2 * len(self.boxes) + 1)
            self.discarding = {after: 1}  # 2.15(a)
            self.sheet.say(f"dealer found-face-up {self.shoe.cards[self.shoe.at + after]} after {after}")
        elif kind == "reader-failed":
            self.reader_failed = True  # 2.15(k): from now on as at a table without a reader
            self.sheet.say("dealer reader-failed")
        elif kind == "reader-misused":
            self.misused = True  # 2.15(j)1: a player may have seen the hole card
            self.sheet.say("dealer reader-misused")
        elif kind in ("drawn-unexposed", "wrong-side", "missed-own-second-card"):
            # 2.15(b), (h); 2.15(e): the own second card comes after all second cards of players anyway
            self.sheet.say(f"dealer {kind}")
        if kind not in ("play", "astray"):
            self.sheet.saw(f"irregularity {kind}")

    def all_dead(self):
        """Returns every wager that is still open, as the hole card goes into the reader (2.15(j)1)."""
        self.sheet.saw("all hands dead")
        for box in self.boxes:
            box.hands[0].dead = True
        for stake in self.stakes:
            if stake.open and stake.name != "blackjack-bonus":
                stake.void("2.15(j)1")
        self.streaks_move()

    def mishap(self, box, hand):
        """Lets something go wrong before a decision."""
        self.again()
        if self.upset != "play" or self.rng.random() > 0.3:
            return
        kinds = ["exposed", "exposed", "found-face-up", "drawn-unexposed"]
        if self.reading and self.up[0] in "23456789" and self.o.reveals == "nothing":
            kinds += ["reader-misused", "reader-misused"]
        if self.reading and not self.o.six_to_five:
            kinds.append("reader-failed")
        self.upset = kind = self.rng.choice(self.found_again(kinds))
        card = self.shoe.peek()
        self.sheet.saw(f"irregularity {kind}")
        if kind == "exposed":
            self.exposed = True  # 2.15(c): it is the next card all the same
            self.sheet.say(f"dealer exposed {card} after {self.gone()}")
        elif kind == "found-face-up":
            self.sheet.say(f"dealer found-face-up {card} after {self.gone()}")
            self.shoe.draw()
            if self.rng.random() < 0.4:  # 2.15(a) says nothing of a second one: it goes the same way
                self.sheet.say(f"dealer found-face-up {self.shoe.draw()} after {self.gone() - 1}")
                self.sheet.saw("irregularity found-face-up twice")
        elif kind == "reader-failed":
            self.reading = self.reading and len(self.sheet.lines) > self.behind
            self.sheet.say("dealer reader-failed")  # 2.15(k): from the next round on without it
            self.reader_failed = True
        elif kind == "reader-misused":
            self.sheet.say("dealer reader-misused")  # 2.15(j)2: nobody saw the hole card, play continues
        else:
            self.sheet.say("dealer drawn-unexposed")

    def forget(self, box, hand):
        """Lets the dealer forget a card that was asked for (2.15(i)); says whether that ends the turn."""
        if self.upset != "play" or self.rng.random() > 0.3 \
                or any(stake.open for stake in box.side):
            return False
        self.upset = "missed-draw"
        self.sheet.saw("irregularity missed-draw")
        self.sheet.say(f"dealer missed-draw {box.number}")
        if hand.split or self.rng.random() < 0.5:
            self.sheet.say(f"{box.who(box.caller)} decline")
            self.kill(box, hand, "2.15(i)")
        else:
            self.sheet.say(f"{box.who(box.caller)} accept")
            hand.missed = True
            self.late.append((box, hand))
        return True

    def late_card(self, box, hand):
        """Deals a forgotten card after all others have theirs."""
        hand.cards.append(self.draw())
        self.decide(box, hand)

    def up_card_astray(self):
        """Lets the dealer forget or discard the face up card: nothing changes (2.15(l), (m))."""
        if self.upset in ("play", "astray"):
            self.upset = self.rng.choice(["up-card-not-moved", "up-card-discarded"])
            self.sheet.saw(f"irregularity {self.upset}")
            self.sheet.say(f"dealer {self.upset}")

    def stray_card(self):
        """Lets the dealer draw on a standing total: the card is burned (2.15(d))."""
        if self.upset == "play":
            self.upset = "drew-on-standing"
            self.sheet.saw("irregularity drew-on-standing")
            self.sheet.say(f"dealer drew-on-standing {self.shoe.draw()}")
