"""Bookkeeping that all five texts share: the round file, stakes, hands, boxes, and what was covered.

No rule of any text stands here.
"""
from collections import Counter
from fractions import Fraction

PLAYERS = ["ann", "bob", "cat", "dan", "eve", "fay", "gus", "hal", "ida", "jim", "kay", "leo", "may", "ned",
           "oda", "pam"]

# the moments of a settlement in the program's answer, as they follow each other
MOMENTS = ["deal", "peek", "turn", "dealer", "end", "bonus"]

# The one rule that is read wrongly on purpose, for the test of the oracle itself; None otherwise.
broken = None


def rule(name, right, wrong):
    """Returns the right value, or the wrong one while the self-test breaks this rule."""
    return wrong if broken == name else right


class Voided(Exception):
    """The round is void by this clause, with all that was settled in it."""


class Refused(Exception):
    """Play stops: the line just written is illegal."""


def money(cents):
    """Writes cents as the round file does, without needless places."""
    return str(cents // 100) if cents % 100 == 0 else f"{cents // 100}.{cents % 100:02d}"


def decimal(cents):
    """Writes cents as the program's JSON does."""
    sign = "-" if cents < 0 else ""
    return f"{sign}{abs(cents) // 100}.{abs(cents) % 100:02d}"


class Stake:
    """One wager on the table and how it ended.

    `clause` names the clauses that say so and `when` the moments that the text allows, with `|` between them; a `when`
    of None is a moment that the text leaves open.
    """

    def __init__(self, box, hand, player, name, amount, spot=None):
        self.box, self.hand, self.player, self.name, self.amount, self.spot = box, hand, player, name, amount, spot
        self.result = self.net = self.clause = self.when = None

    def _end(self, result, net, clause, when=None):
        assert self.result is None, f"{self.name} of {self.player} is settled twice: {self.clause}, {clause}"
        assert Fraction(net).denominator == 1, f"{self.name} of {self.player}: {net} is no whole cent"
        self.result, self.net, self.clause, self.when = result, int(net), clause, when

    def win(self, odds, clause, when=None):
        """Pays the stake at these odds."""
        self._end("win", self.amount * Fraction(odds), clause, when)

    def pay(self, net, clause, when=None):
        """Pays a fixed amount."""
        self._end("win", net, clause, when)

    def lose(self, clause, when=None):
        """Collects the stake."""
        self._end("lose", -self.amount, clause, when)

    def push(self, clause, when=None):
        """Returns the stake after a comparison."""
        self._end("push", 0, clause, when)

    def void(self, clause, when=None):
        """Returns the stake for any other reason."""
        self._end("void", 0, clause, when)

    def halve(self, clause, when=None):
        """Collects half of the stake."""
        self._end("surrender", -Fraction(self.amount, 2), clause, when)

    def abandon(self, clause):
        """Collects a stake that its player left behind."""
        self._end("abandoned", -self.amount, clause)

    @property
    def open(self):
        """Says whether the stake is not settled yet."""
        return self.result is None

    def key(self):
        """Names the stake among those of its round."""
        return (self.box, self.hand, self.player, self.name, self.spot or 0)


class Hand:
    """Cards of a box and the stakes that ride on them."""

    def __init__(self, box, number, cards=None):
        self.box, self.number = box, number
        self.cards = cards or []
        self.stakes = []
        self.split = self.aces = self.doubled = self.stood = self.surrendered = self.dead = False
        self.bust = self.switched = self.missed = self.hidden = False
        self.lineage = number  # the initial hand that it comes from

    def of(self, player):
        """Returns the stakes of one player."""
        return [stake for stake in self.stakes if stake.player == player]

    def players(self):
        """Returns who has a stake on the hand, in the order of their wagers."""
        return list(dict.fromkeys(stake.player for stake in self.stakes))


class Box:
    """A betting position: its bettors, caller and hands."""

    def __init__(self, number, bets):
        self.number = number
        self.bets = bets  # player -> amount, or a tuple of amounts by spot
        self.caller = next(iter(bets))
        self.hands = []
        self.side = []
        self.decided = False  # whether a decision was made on the first hand

    @property
    def shared(self):
        """Says whether several people wager here."""
        return len(self.bets) > 1

    def who(self, player):
        """Returns the words that begin a line of this player."""
        return f"{self.number} {player}" if self.shared else f"{self.number}"

    def next_number(self):
        """Returns the number of the next hand made by a split."""
        return max(hand.number for hand in self.hands) + 1


class Sheet:
    """A round file in the making, with the answer that the oracle expects of it."""

    def __init__(self, rng, text, table, shoe, trap=None, order=()):
        self.rng, self.text, self.shoe = rng, text, shoe
        self.lines = [f"table {table}", None]
        self.rounds = []
        self.refused = None
        self.order = order  # what the text says about the order of settlements
        self.trap = trap  # after how many decisions an illegal one follows
        self.seen = Counter()
        self.upsets = [set()]  # what went wrong, round by round

    def say(self, line):
        """Writes a line of the round file."""
        self.lines.append(line)
        if line == "next":
            self.upsets.append(set())
        words = line.split()
        self.upsets[-1].update(["refuse"] if words[-1] == "refuse" else words[1:2] if words[0] == "dealer" else [])

    def saw(self, *features):
        """Counts features that the file covers."""
        self.seen.update(features)

    def tempt(self, choices, early=0):
        """Takes one of these illegal lines, each with its clause, when the time for one has come.

        `early` is the chance that it comes here already, where few files pass.
        """
        if self.trap is None or not choices:
            return
        self.trap -= 1
        if self.trap > 0 and self.rng.random() >= early:
            return
        line, clause = self.rng.choice(choices)
        for before in line.split("\n")[:-1]:
            self.say(before)
        line = line.split("\n")[-1]
        self.say(line)
        self.refused = (len(self.lines), line, clause)
        verb = next(word for word in line.split() if word.replace("-", "").isalpha() and word not in PLAYERS)
        self.saw("refusal", f"refused: {verb}")
        raise Refused

    def finish(self, dealer, boxes, stakes, loose=False, late=()):
        """Notes how a round ended; of a void one only the wagers count (`loose`); `late` boxes got a forgotten card."""
        nets = Counter()
        for stake in stakes:
            assert not stake.open, f"{stake.name} of {stake.player} is still open"
            nets[stake.player] += stake.net
        hands = {(box.number, hand.number): " ".join(hand.cards) for box in boxes for hand in box.hands}
        self.rounds.append({"dealer": dealer, "hands": hands, "stakes": stakes, "net": nets, "loose": loose,
                            "late": [box.number for box in late]})

    def write(self):
        """Returns the round file, with some cards beyond those that were dealt."""
        upto = min(self.shoe.size, (self.shoe.at // 10 + 2) * 10)
        lines = list(self.lines)
        lines[1] = "cards " + " ".join(self.shoe.cards[:upto])
        return "\n".join(lines) + "\n"


def seat(rng, positions, most, bettors, boxes_each):
    """Returns the boxes in use, each with its players, for all rounds of a file."""
    boxes = sorted(rng.sample(range(1, positions + 1), rng.randint(1, min(most, positions))))
    names = iter(PLAYERS)
    seats, last = [], None
    for number in boxes:
        first = last if last and boxes_each > 1 and rng.random() < 0.5 else next(names)
        last = None if first == last else first
        seats.append((number, [first] + [next(names) for _ in range(rng.randint(0, bettors - 1))]))
    return seats


class Dealing:
    """The mechanics of a table: cards leave the shoe, decisions are written down. No rule stands here."""

    tens = None  # the clause on a ten in the shoe, where the tens are removed

    def start(self):
        """Clears what belongs to one round."""
        self.stakes, self.boxes, self.dealer, self.late = [], [], [], []
        self.refusing, self.discarding = set(), {}
        self.exposed = self.void = self.misused = False
        self.drawn = self.found_tens = self.face_up = 0
        self.out, self.ran_out = getattr(self, "ran_out", False), False
        self.shoe.began = self.shoe.at
        self.upset = None

    def play(self, rounds):
        """Plays up to this many rounds, fewer if the shoe runs low or the round is void."""
        try:
            for at in range(rounds):
                if at:
                    self.sheet.say("next")
                self.start()
                try:
                    self.round()
                except Voided as clause:
                    self.void = True
                    for stake in self.stakes:
                        # what a dead hand got back needs no second clause
                        by = f"{stake.clause}|{clause}" if stake.result == "void" else str(clause)
                        stake.result = None
                        stake.void(by)
                    self.sheet.finish(None, self.boxes, self.stakes, loose=True)
                if self.void or self.shoe.at > self.shoe.size * self.deepest:
                    break
        except Refused:
            pass
        return self.sheet

    def draw(self):
        """Takes the next card from the shoe, past those that are found face up."""
        while self.discarding.get(self.drawn):
            self.discarding[self.drawn] -= 1
            self.shoe.draw()
        while self.tens and self.shoe.peek()[0] == "T":
            self.sheet.upsets[-1].add("ten-found")
            self.shoe.draw()
            self.found_tens += 1
            if self.found_tens > 1:
                self.sheet.saw("void for two tens")
                raise Voided(self.tens)
        if self.shoe.at == self.shoe.size:
            self.sheet.say("dealer out-of-cards")  # 2.15(f)
            self.sheet.saw("irregularity out-of-cards")
            self.shoe.reshuffle(self.rng)
            self.void = True  # the last round of the file
        elif self.claims_out():
            # 2.15(f) and its like; what was dealt before the file need not be listed, so that any card may come
            self.sheet.say("dealer out-of-cards")
            self.sheet.saw("irregularity out-of-cards")
            self.ran_out = True
        self.drawn += 1
        self.exposed = False
        return self.shoe.draw()

    def gone(self):
        """Returns how many cards of the round have left the shoe, found and burned ones too."""
        return self.shoe.at - self.shoe.began

    def claims_out(self):
        """Chooses whether the shoe has no card left, though the oracle's has: never before a second round of it."""
        return self.since > 1 and self.upset in (None, "play") and not (self.ran_out or self.exposed) \
            and getattr(self.o, "shoe", "single") == "single" and not getattr(self.o, "full", False) \
            and self.rng.random() < 0.003

    def again(self):
        """Lets a second or third thing go wrong in one round."""
        if self.upset not in (None, "play") and not (self.exposed or self.late) and self.rng.random() < 0.2:
            self.sheet.saw("another irregularity in the round")
            self.upset = "play"

    def found_again(self, kinds):
        """Leaves out what cannot happen twice: a reader that failed does not fail or err again."""
        return [kind for kind in kinds if not (self.reader_failed and kind.startswith("reader"))]

    def out_of_place(self, box, hand, clauses):
        """Returns lines that come too late, or from somebody who is not asked, each with the clause given for it."""
        o, lines = self.o, []
        who = box.who(box.caller)
        amount = "/".join([money(o.chip)] * 3 if getattr(o, "multiple", False) else [money(o.chip)])
        later = [other for other in self.boxes if other.number > box.number and not other.hands[0].dead]
        if self.up[0] != "A":
            lines.append((f"{who} insurance {amount}", clauses["insurance"]))
        elif len(hand.cards) > 2 and not getattr(o, "late_insurance", False):
            insured = any(stake.name == "insurance" and stake.box == box.number and stake.player == box.caller
                          for stake in self.stakes)
            lines.append((f"{who} insurance {amount}", clauses["insured" if insured else "late insurance"]))
        if len(hand.cards) > 2 or hand.split:  # behind the bets the line would be a legal withdrawal
            lines.append((f"{who} withdraw", clauses["withdraw"]))
        # with several hands a line about a 21 can also be read as one about the hand behind it, and then the turn is over
        if later and len(box.hands) == 1 and not hand.aces:  # offers may be declined in silence
            lines.append((f"{later[-1].who(later[-1].caller)} stand", clauses["turn"]))
        # a file need not list every card of a shoe: after its first round the claim is believed
        if self.shoe.size - self.shoe.at > 20 and self.shoe.began == self.shoe.dealt:
            lines.append(("dealer out-of-cards", clauses["cards"]))
        for other in box.bets:
            if other != box.caller:
                lines += [(f"{box.number} {other} {verb}", clauses["caller"])
                          for verb in ("hit", "stand", "double", "split", "cover")]
        return lines

    def cover_or_follow(self, box, hand, new):
        """Puts a wager on a hand made by a split; other bettors than the caller may instead follow one of the two."""
        for player in sorted(hand.players(), key=list(box.bets).index):
            base = hand.of(player)
            if player == box.caller or self.rng.random() < 0.5:
                if player != box.caller:
                    self.sheet.say(f"{box.number} {player} cover")
                    self.sheet.saw("cover")
                self.put(new, player, "split", sum(stake.amount for stake in base))
            else:
                to = self.rng.choice([hand, new])
                self.sheet.say(f"{box.number} {player} follow {to.number}")
                self.sheet.saw("follow")
                if to is new:
                    self.move(base, hand, new)

    def double(self, box, hand):
        """Doubles: the caller, and of the others who likes, adds up to what lies on the hand; one card."""
        for player in sorted(hand.players(), key=lambda player: player != box.caller):
            base = sum(stake.amount for stake in hand.of(player))
            if player != box.caller and self.rng.random() < 0.5:
                self.sheet.say(f"{box.number} {player} pass")
                continue
            amount, words = base, ""
            if self.rng.random() < 0.4:
                amount = self.chips(base)
                words = f" {money(amount)}"
                self.sheet.saw("double for less")
            self.sheet.say(f"{box.who(player)} double{words}")
            if player != box.caller:
                self.sheet.saw("co-bettor doubles")
            self.put(hand, player, "double", amount)
        hand.doubled = True
        if not self.refuses_late(box):
            hand.cards.append(self.draw())

    def refuses(self, box):
        """Chooses whether an exposed card is refused, rather if that binds the player on another box too."""
        calls = [other for other in self.boxes if other.number > box.number and other.caller == box.caller]
        if any(len(other.cards) < 2 for other in box.hands if not other.dead):
            self.sheet.saw("refused while a split hand waits")
        return self.rng.random() < (0.9 if calls else 0.4)

    def refuses_late(self, box):
        """Chooses whether the exposed card is refused only when it is due, after a hit, a double or a split."""
        if not self.exposed or self.rng.random() > 0.5:
            return False
        self.sheet.say(f"{box.who(box.caller)} refuse")
        self.sheet.saw("exposed card refused", "refused when it is due")
        self.refusing.add(box.caller)
        return True

    def last(self, box, hand):
        """Says whether nobody decides anything after this hand."""
        rest = self.boxes[self.boxes.index(box) + 1:]
        return hand is box.hands[-1] and not self.late and all(other.hands[0].dead for other in rest)

    def put(self, hand, player, name, amount, spot=None):
        """Places a stake on a hand."""
        stake = Stake(hand.box, hand.number, player, name, amount, spot)
        hand.stakes.append(stake)
        self.stakes.append(stake)
        return stake

    def chips(self, most, least=None):
        """Chooses an amount that chips can make."""
        chip = self.o.chip
        return self.rng.randint(-(-(least or chip) // chip), max(1, most // chip)) * chip

    def move(self, stakes, hand, new):
        """Moves stakes that follow a hand made by a split."""
        for stake in stakes:
            stake.hand = new.number
            hand.stakes.remove(stake)
            new.stakes.append(stake)
