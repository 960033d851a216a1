"""Between two rounds: who may come in, a new dealer, a reshuffle, the burned card shown; and how a wager is made.

The rules are the same in all five texts and stand under other numbers; each table names them in `BETWEEN`.
"""
from book import PLAYERS


class Between:
    """What a table does before the cards of a round are dealt."""

    def open(self):
        """Opens the table: nobody sat out a round since the shuffle."""
        self.since = 0  # rounds since the last shuffle
        self.wagered, self.shown, self.out = set(), None, False
        self.closed_entry = self.rng.random() < 0.25  # newcomers wait for a reshuffle

    def entry(self):
        """Returns the words of the table line on entry."""
        return " mid_shoe_entry=false" if self.closed_entry else ""

    def come(self):
        """Returns who wagers in this round, box by box; lets people in, or keeps them out."""
        sitting = [one for one in self.seats if self.rng.random() < 0.92] or [self.rng.choice(self.seats)]
        if self.out:  # the cards were all shuffled after the last round
            self.since, self.shown, self.out = 0, None, False
            self.shoe.dealt = self.shoe.at
        self.between()
        barring = self.closed_entry and self.since > 0
        clause, admitted = self.BETWEEN["entry"], set()
        who = []
        for number, players in sitting:
            stay = []
            for player in players:
                if not barring or player in self.wagered | admitted:
                    if self.rng.random() < 0.2:
                        self.sheet.tempt([(f"dealer admit {player}", clause)])
                    stay.append(player)
                    continue
                self.sheet.tempt([(f"bet {number} {player} {self.amounts('20')}", clause)], early=0.2)
                if self.rng.random() < 0.6 or not who and not stay and number == sitting[-1][0]:
                    self.sheet.say(f"dealer admit {player}")
                    self.sheet.saw("admitted")
                    admitted.add(player)
                    stay.append(player)
                else:
                    self.sheet.saw("kept out")
            if stay:
                who.append((number, stay))
        self.wagered = {player for _, players in who for player in players}
        self.since += 1
        return who

    def amounts(self, one):
        """Writes the same wager for every spot."""
        return "/".join([one] * 3) if getattr(self.o, "multiple", False) else one

    def between(self):
        """Lets the house do something while nobody plays."""
        if getattr(self.o, "full", False) or getattr(self.o, "six_to_five", False) \
                or getattr(self.o, "shoe", "single") == "double" or self.rng.random() > 0.25:
            return
        kind = self.rng.choice(["relieve", "reshuffle", "disclose"])
        if kind == "relieve":
            self.sheet.say("dealer relieve zed")  # burns another card, which nobody sees
            self.shown = "?"
        elif kind == "reshuffle" and self.since > 0:
            self.sheet.say("supervisor reshuffle")  # everybody may come in again
            self.since, self.shown = 0, None
            self.shoe.dealt = self.shoe.at
        elif kind == "disclose" and self.shown is None:
            self.shown = self.shoe.burned[0]
            self.sheet.say(f"dealer disclose-burn {self.shown}")
            other = self.rng.choice([card for card in self.shoe.cards[self.shoe.at:] if card != self.shown])
            self.sheet.tempt([(f"dealer disclose-burn {other}", self.BETWEEN["burn"])], early=0.3)
        else:
            return
        self.sheet.saw(f"between rounds: {kind}")

    def wager(self, box, player, words):
        """Writes a wager; now and then its player takes it back first, or others are asked for their consent."""
        number, line = box.number, f"bet {box.number} {player} {words}"
        first = next(iter(box.bets))
        if player != first and player == list(box.bets)[1] and self.rng.random() < 0.3:
            self.sheet.tempt([(f"{number} {first} decline\n{line}", self.BETWEEN["consent"])], early=0.3)
            self.sheet.say(f"{number} {first} consent")
            self.sheet.saw("consent")
        elif player == first and not box.shared and "streak" not in getattr(self.o, "side", {}) \
                and self.rng.random() < 0.05:
            self.sheet.say(line)
            self.sheet.say(f"{number} {player} withdraw")
            self.sheet.saw("wager taken back")
        self.sheet.say(line)
        if not (self.closed_entry and self.since > 1) and self.rng.random() < 0.2:
            wrong = []
            more = self.amounts("20")
            spare = next(name for name in PLAYERS if not any(name in players for _, players in self.seats))
            if len(box.bets) == self.o.bettors and player == list(box.bets)[-1]:
                wrong.append((f"bet {number} {spare} {more}", self.BETWEEN["sharing"]))
            mine = [other for other, players in self.seats if player in players]
            free = [other for other in range(1, self.o.positions + 1)
                    if not any(other == taken for taken, _ in self.seats)]
            if free and len(mine) == self.o.boxes_each and number == mine[-1]:
                wrong.append((f"bet {free[0]} {player} {more}", self.BETWEEN["boxes"]))
            self.sheet.tempt(wrong)
