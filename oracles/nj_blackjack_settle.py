"""The dealer's turn and the settlement by N.J.A.C. 19:47-2."""
from fractions import Fraction

import nj_blackjack_side as side
from book import decimal, rule
from cards import is_ten, total, two_card_21

BASE = ("main", "split")


class Settlement:
    """What happens after the players have decided."""

    def must_draw(self, cards):
        """Says whether the dealer's total asks for another card (2.12(b), (d))."""
        count, soft = total(cards)
        hits = rule("soft 17", self.o.soft_17 == "hit", self.o.soft_17 != "hit")
        return count < 17 or count == 17 and soft and hits

    def standing(self, spot):
        """Returns the hands that still can win or lose by the dealer's total, with an open wager on this spot."""
        return [hand for box in self.boxes for hand in box.hands
                if not (hand.bust or hand.surrendered or hand.dead or self.natural(hand) and not self.can_lose())
                and any(stake.open and stake.spot == spot for stake in hand.stakes)]

    def can_lose(self):
        """Says whether a blackjack loses to a drawn 21, with the hole card face up (2.6(k)1, read by itself)."""
        return self.o.hole == "up" and self.o.rulings.get("face_up_blackjack_v_21") == "loses"

    def undecided(self, spot):
        """Says whether the dealer's second card can change anything on this spot (2.6(h), 2.12(c))."""
        if any(stake.open and stake.spot == spot and stake.name == "insurance" for stake in self.stakes):
            return True
        if any(stake.open and stake.name in ("dealer-bust", "twenty-point") for stake in self.stakes):
            return True
        if self.o.rulings.get("second_dealer_card") == "always":
            self.sheet.saw("ruling second_dealer_card")
            return True  # 2.6(h) has no exception
        for box in self.boxes:
            for hand in box.hands:
                if hand.dead or not any(stake.open and stake.spot == spot for stake in hand.stakes):
                    continue
                high = self.up[0] == "A" or is_ten(self.up)
                if self.natural(hand) or hand.surrendered:
                    if high:
                        return True  # 2.7(b), 2.8(a)2; otherwise settled before
                elif hand.bust:
                    if high and (hand.doubled or hand.split) and not self.busted_too():
                        return True  # 2.10(b), 2.11(d): a blackjack returns the additional wager
                else:
                    return True
        return False

    def dealers_turn(self):
        """Deals the dealer's cards and settles everything that is open."""
        if self.o.multiple:
            self.three_hands()
            return
        if not self.hole and self.undecided(None):
            self.dealer.append(self.draw())
        self.insurance_ends(self.dealer, None)
        for box in self.boxes:
            for stake in box.side:
                if stake.name == "twenty-point" and stake.open:
                    self.twenty_point(stake, ["Qh", "Qh"], True)
        bonus = [stake for stake in self.stakes if stake.name == "dealer-bust" and stake.open]
        self.draw_out(self.dealer, None, bool(bonus))
        if len(self.dealer) > 1 and not self.must_draw(self.dealer) and total(self.dealer)[0] <= 21:
            self.stray_card()
        for stake in bonus:
            side.dealer_bust(stake, self.dealer, "peek|dealer" if self.known else "dealer")
        self.settle(self.dealer, None)
        self.progressive()
        self.streaks_move()

    def draw_out(self, cards, spot, bonus=False):
        """Draws to the dealer's hand; a bonus wager asks for a third card (2.12(b), (c), 2.25(d))."""
        if len(cards) < 2 or two_card_21(cards):
            return
        third = bonus and total(cards)[0] < 17
        while self.must_draw(cards) and (self.standing(spot) or third and len(cards) == 2):
            cards.append(self.draw())

    def three_hands(self):
        """Plays the dealer's two or three hands from one face up card (2.18(e) to (i))."""
        self.dealers = []
        for spot in (1, 2, 3):
            if not any(self.undecided(later) for later in range(spot, 4)):
                # 2.18(e), (g), (h): hand after hand; none is left out before one that decides something
                self.settle([self.up], spot)
                self.dealers.append([self.up])
                continue
            if self.dealers and len(self.dealers[-1]) > 1:
                self.up_card_astray()
            cards = [self.up, self.draw()]
            self.insurance_ends(cards, spot)
            self.draw_out(cards, spot)
            self.settle(cards, spot)
            self.dealers.append(cards)
            for box in self.boxes:
                for hand in box.hands:
                    if hand.hidden:  # turned at the first settlement, and a bust is collected whole (2.18(f))
                        hand.hidden = False
                        hand.bust = total(hand.cards)[0] > 21
                        for stake in hand.stakes:
                            if hand.bust and stake.open:
                                stake.lose("2.18(f)", "end")
        while len(self.dealers) > 1 and len(self.dealers[-1]) == 1:
            self.dealers.pop()  # no wager was left for it (2.18(f)1, (h))

    def insurance_ends(self, cards, spot):
        """Settles insurance on the dealer's second card (2.9(a), (c), (d), 2.18(d))."""
        for stake in self.stakes:
            if stake.name == "insurance" and stake.open and stake.spot == spot:
                if is_ten(cards[1]):
                    stake.win(rule("insurance odds", 2, 3), "2.9(c)", "peek" if self.known else "dealer")
                else:
                    early = self.o.insurance_at_once and self.reading
                    stake.lose("2.9(a)|2.9(d)", "peek" if early else "dealer")

    def settle(self, dealer, spot):
        """Settles the main wagers of one spot."""
        blackjack = two_card_21(dealer)
        for box in self.boxes:
            for player in box.bets:
                owed = True  # 2.11(d): the amount of one original wager, and no more
                for hand in box.hands:
                    mine = [stake for stake in hand.of(player) if stake.spot == spot]
                    # by the other reading what a bust loses is beside that wager, but for the wager itself
                    counts = ("main",) if self.busted_too() else BASE
                    if blackjack and any(stake.name in counts and (stake.result == "lose" or self.over(hand))
                                         for stake in mine):
                        owed = False
                for hand in box.hands:
                    mine = [stake for stake in hand.of(player) if stake.spot == spot and stake.open]
                    if blackjack and self.over(hand):
                        for stake in mine:
                            stake.lose(*self.lost_to_blackjack(hand))
                            self.sheet.saw(*["ruling busted_v_dealer_blackjack"] * (stake.name != "main"))
                    elif blackjack and not (self.natural(hand) or hand.surrendered):
                        clause, when = self.lost_to_blackjack(hand)
                        for stake in mine:
                            if stake.name in BASE and owed:
                                stake.lose(clause, when)
                                owed = rule("split after blackjack", False, True)
                            else:
                                stake.void("2.10(b)" if stake.name == "double" else "2.11(d)", "end")
                    else:
                        for stake in mine:
                            self.settle_stake(stake, hand, dealer, blackjack)

    def busted_too(self):
        """Says whether a bust keeps nothing of its money before a dealer's blackjack (2.10(b), 2.11(d))."""
        return self.o.rulings.get("busted_v_dealer_blackjack") == "busted-too"

    def over(self, hand):
        """Says whether a hand loses all to a dealer's blackjack because it passed 21, seen or not."""
        return self.busted_too() and total(hand.cards)[0] > 21

    def lost_to_blackjack(self, hand):
        """Returns by which clauses and when a hand loses to a dealer's blackjack."""
        clauses = ["2.3(a)", "2.3(e)"]
        if total(hand.cards)[0] == 21:
            clauses = ["2.3(b)"]  # a simple 21 loses in so many words, one of five cards by 2.16(b) too
        if self.known:
            clauses.append("2.6(k)6" if self.o.hole == "up" else "2.6(j)1")
            return "|".join(clauses), "peek"
        if any(stake.name == "double" for stake in hand.stakes):
            clauses.append("2.10(b)")
        if hand.split:
            clauses.append("2.11(d)")
        return "|".join(clauses), None if hand.bust else "end"

    def settle_stake(self, stake, hand, dealer, blackjack):
        """Settles one wager of a hand."""
        o = self.o
        count, other = total(hand.cards)[0], total(dealer)[0]
        high = self.up[0] == "A" or is_ten(self.up)
        if hand.surrendered and high:
            when = "turn" if o.surrender_at_once and self.reading else "dealer"
            stake.lose("2.8(a)2", when) if blackjack else stake.halve("2.8(a)2", when)
        elif hand.surrendered:
            stake.halve("2.8(a)1", "turn")
        elif self.natural(hand):
            # 2.7(a), (b); at 6 to 5 the cards lie face down, and a low card may wait for 2.6A(g)
            when = "peek" if self.known else "dealer|end" if high else "deal|end" if o.six_to_five else "deal"
            if self.can_lose() and not blackjack:
                when = None  # it waits for the dealer's hand as far as that can become 21
            if self.can_lose() and not blackjack and other == 21:
                stake.lose("2.6(k)1", "end")
                self.sheet.saw("ruling face_up_blackjack_v_21")
            elif blackjack and o.hole != "up":
                stake.push("2.7(b)", when)
            else:
                odds, clauses = self.natural_odds(hand)
                clauses += "|2.7(b)" if high else "|2.7(a)"
                stake.win(odds, clauses + ("|2.6(k)1" if o.hole == "up" and blackjack else ""), when)
        elif count > 21:
            at_once = {"2.6A(e)3": o.six_to_five, "2.18(f)": o.multiple}
            stake.lose("|".join(["2.3(a)", "2.3(e)"] + [clause for clause, due in at_once.items() if due]),
                       "end" if hand.hidden else None)  # 2.10(c); when a bust is collected the text leaves open
        elif other > 21 or count > other:
            odds, clauses = self.odds(hand)
            if clauses and stake.name == "double" and o.rulings.get("special_odds_on") == "original":
                odds, clauses = 1, None  # no wager in accordance with (a) (regulations/notes.md Q16)
                self.sheet.saw("ruling special_odds_on")
            stake.win(odds, clauses or ("2.3(a)1" if other > 21 else "2.3(a)2"), "end")
        elif count < other:
            stake.lose("2.3(a)|2.3(e)", "end")
        elif two_card_21(hand.cards) and o.rulings.get("split_two_card_21") != "push" and not self.can_lose():
            stake.win(1, "2.3(a)3", "end")
        elif o.hole == "up" and rule("face-up ties", True, False):
            stake.lose("2.6(k)1", "end")
        else:
            five = "five-card-21" in o.bonus and len(hand.cards) == 5 and count == 21
            stake.push("2.3(b)|2.16(b)" if five else "2.3(b)", "end")

    def natural_odds(self, hand):
        """Returns the odds of a winning blackjack, and by which clauses (2.3(e), 2.6(k)2)."""
        for name in self.o.bonus:
            if name.startswith("blackjack:") and set(name[10:].split()) == set(hand.cards):
                self.sheet.saw("paid designated blackjack")
                return 2, "2.3(e)3"
        if self.o.six_to_five:
            return rule("6 to 5", Fraction(6, 5), Fraction(3, 2)), "2.3(e)|2.6A(g)"
        return (1, "2.6(k)2") if self.o.hole == "up" else (Fraction(3, 2), "2.3(e)")

    def odds(self, hand):
        """Returns the odds of a winning hand that is no blackjack, with the clause on it (2.3(e)1, 2, 4, 2.16(a))."""
        ranks = sorted(card[0] for card in hand.cards)
        suits = {card[1] for card in hand.cards}
        if "suited-678" in self.o.bonus and ranks == ["6", "7", "8"] and len(suits) == 1:
            self.sheet.saw("paid suited 6-7-8")
            return 2, "2.3(e)1"
        if "three-sevens" in self.o.bonus and ranks == ["7", "7", "7"]:
            self.sheet.saw("paid three sevens")
            return Fraction(3, 2), "2.3(e)2"
        if "five-card-21" in self.o.bonus and len(hand.cards) == 5 and total(hand.cards)[0] == 21:
            self.sheet.saw("paid five-card 21")
            return 2, "2.3(e)4|2.16(a)"
        return 1, None

    def progressive(self):
        """Settles the progressive wagers; the meter holds this round's contributions (2.19(b), (c), (h))."""
        stakes = [(box, stake) for box in self.boxes for stake in box.side if stake.name == "progressive"]
        if not stakes:
            return
        self.meter += len(stakes) * self.o.side["progressive"]["rate"]
        to_one = self.o.rulings.get("progressive_pays") == "to-one"
        winners = []
        for box, stake in stakes:
            cards = getattr(stake, "series", box.hands[0].cards)
            ends = hasattr(stake, "series") and self.o.rulings.get("progressive_split_aces") != "continue"
            if stake.open and side.progressive(stake, cards, ends, to_one):
                winners.append(stake)
        for stake in winners:
            self.sheet.saw("progressive jackpot")
            stake.pay(self.meter // len(winners) - (0 if to_one else stake.amount), "2.19(c)|2.19(h)", "end")
        if winners:
            self.meter = 500000

    def bonus_button(self):
        """Pays the blackjack bonus that the button shows (2.20(f), (j), 2.15(o))."""
        for box in self.boxes:
            for stake in box.side:
                if stake.name != "blackjack-bonus" or not stake.open:
                    continue
                if stake.amount == 500 or self.rng.random() < 0.3:
                    if not box.shared:
                        self.sheet.say(f"dealer bonus-failed {box.number}")
                        self.sheet.saw("irregularity bonus-failed")
                        stake.win(21, "2.15(o)", "bonus")
                        continue
                award = self.rng.choice([500, 1000, 2500] if stake.amount == 100 else [5000])
                self.sheet.say(f"{box.who(stake.player)} award {decimal(award)}")
                self.sheet.saw("bonus award")
                if self.o.rulings.get("bonus_pays") == "for-one":
                    award -= stake.amount  # the payout holds the wager
                    self.sheet.saw("ruling bonus_pays")
                stake.pay(award, "2.20(d)|2.20(j)", "bonus")

    def streaks_move(self):
        """Moves the streaks of everybody who played (2.22(c) to (h))."""
        majority = self.o.rulings.get("streak_splits") == "majority"
        for box in self.boxes:
            for player in box.bets:
                pending = self.streaks.get((box.number, player))
                if not pending:
                    continue
                results = []
                for hand in box.hands:
                    if not hand.dead:
                        results += [stake.result for stake in hand.of(player) if stake.name in BASE + ("even-money",)]
                wins = results.count("win")
                losses = sum(result in ("lose", "surrender", "void") for result in results)
                step = side.streak_step(wins, losses, len(results), majority)
                for entry in list(pending):
                    stake, length, won = entry
                    entry[2] = won + 1 if step > 0 else won
                    when = "peek|end" if self.known else "end"
                    if step < 0:
                        if box.shared:
                            self.sheet.saw("streak on a shared box")
                        clause = "2.22(e)" if len(box.hands) == 1 else "2.22(h)" if len(results) > 1 \
                            else "2.22(e)|2.22(h)"
                        stake.lose(clause, when)
                    elif entry[2] == length:
                        odds = Fraction(7, 2) if length == 2 and "odds.two" in self.o.side["streak"] else side.STREAK[length]
                        stake.win(odds + rule("streak odds", 0, 1), f"2.22(j)|2.22(d){length - 1}", when)
                    if not stake.open:
                        pending.remove(entry)
                        self.stakes.append(stake)
                        self.sheet.saw(f"streak-{length} {stake.result}")
                if not pending:
                    del self.streaks[box.number, player]
