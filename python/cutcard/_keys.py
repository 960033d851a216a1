"""The keys of the table file as types. Made by `python/keys` from the list of keys; a test compares the two."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, Literal, TypedDict

Amount = int | float | str | Decimal
SideWagerName = Literal[
    "over-under-13", "same-suit", "sevens", "progressive", "blackjack-bonus", "streak", "match-the-dealer",
    "twenty-point", "dealer-bust", "match", "suited-royals", "triple-match",
]


class Rulings(TypedDict, total=False):
    """How a table reads ambiguous clauses; the first reading is the default."""

    split_two_card_21: Literal["wins", "push"]
    """An ace and a ten-value card on a split hand against a dealer's 21 in three or more cards."""
    busted_v_dealer_blackjack: Literal["original-only", "busted-too"]
    """Doubling and splitting money on a hand that busted before the dealer's blackjack."""
    two_card_21_v_dealer_blackjack: Literal["push", "lose"]
    """A switched or split ace and ten-value card against a dealer's blackjack in Switch."""
    lone_seven: Literal["first-card", "either"]
    """Whether a single seven wins only as the first card, or as either of the first two."""
    face_up_soft_doubles: Literal["refused", "allowed"]
    """Doubling a soft 19 or 20 as 9 or 10 where the hole card is dealt face up."""
    face_up_blackjack_v_21: Literal["wins", "loses"]
    """A player's blackjack against a dealer's drawn 21 where the hole card is dealt face up."""
    split_ace_surrender: Literal["allowed", "refused"]
    """Surrendering a split ace after its one card in Double Attack."""
    surrender_21: Literal["allowed", "refused"]
    """Surrendering a blackjack or another 21 in Double Attack."""
    double_split_21: Literal["allowed", "refused"]
    """Doubling an ace and a ten-value card on a split hand in Double and Triple Attack."""
    split_ace_double: Literal["refused", "allowed"]
    """Doubling a split ace in Double Attack."""
    surrender_v_dealer_blackjack: Literal["initial-only", "everything"]
    """What a surrendered hand loses to a dealer's blackjack in Double Attack: the initial bet, or all on the
    hand."""
    winning_hand_v_dealer_blackjack: Literal["wins", "loses"]
    """A six-card hand or a 21 that is not a blackjack, against a dealer's blackjack in Triple Attack."""
    split_hands_v_dealer_blackjack: Literal["one-original", "each-its-share"]
    """What split hands lose to a dealer's blackjack in Triple Attack: one original bet if any of them loses, or
    each hand its share of it."""
    cobettor_attack: Literal["own-choice", "with-caller"]
    """Whether a co-bettor of a shared box may attack when the player who calls the decisions passes."""
    double_two_card_21: Literal["refused", "allowed"]
    """Doubling a two-card 21 that is not a blackjack in Switch."""
    surrender_timing: Literal["per-hand", "before-both-hands"]
    """Whether the second hand of a Switch player can be surrendered after the first has been played."""
    switch_revocation: Literal["until-card", "in-turn"]
    """Whether a switch can be revoked after the player has stood on both hands, before another card."""
    streak_splits: Literal["compare", "majority"]
    """A streak after a split: compare hands won with hands lost, or require more than half of all hands."""
    progressive_pays: Literal["for-one", "to-one"]
    """Whether the progressive amounts include the dollar bet."""
    progressive_split_aces: Literal["end", "continue"]
    """Whether splitting aces ends the series of aces of a progressive bet."""
    bonus_pays: Literal["to-one", "for-one"]
    """Whether the blackjack bonus is paid in addition to the bet or includes it."""
    ace_nine_twenty: Literal["counts", "does-not-count"]
    """Whether an ace and a nine are a twenty for the twenty point bonus bet."""
    twenty_point_dealing: Literal["hole-down", "any"]
    """Whether the twenty point bonus bet needs a face-down hole card."""
    special_odds_on: Literal["whole-stake", "original"]
    """Whether special odds are paid on doubling money too."""
    second_dealer_card: Literal["when-needed", "always"]
    """Whether the dealer's second card is dealt when no bet depends on it (always in Switch)."""


class MultipleAction(TypedDict, total=False):
    """Multiple action."""

    required: Literal[2, 3]
    """Wagers that a player must make."""


class TableOptions(TypedDict, total=False):
    """The keys of the table file except its side bets."""

    name: str
    """Name of the table."""
    game: Literal["blackjack", "switch", "double-attack", "triple-attack"]
    """Game dealt."""
    variation: Literal["standard", "six-to-five", "multiple-action"]
    """A rule variation of blackjack: 2.3(e), 2.18."""
    jurisdiction: Literal["nj", "ma"]
    """Jurisdiction whose regulations apply."""
    decks: int
    """Decks in the stack that is dealt from: 2.2, 2A.2, 26.2, 36.2."""
    positions: int
    """Betting positions: 2.11(e), 19:46-1.10C(a), 26.10(c), 19:46-1.13V(a)."""
    hole_card: Literal["none", "down", "reader", "up"]
    """The dealer's second card: 2.6(h), (j), (k), 2A.7(l), 26.7(g), (i), 36.7(e), (k)."""
    soft_17: Literal["stand", "hit"]
    """The dealer on soft 17: 2.12(b), (d), 2A.12(b), 26.12(b), 36.11(b)."""
    surrender: bool
    """2.8(c), 2A.9(c), 26.8(a)."""
    even_money: bool
    """A blackjack against an ace paid 1 to 1: 2.7(c)."""
    late_insurance: bool
    """Insurance during the player's turn: 2.9(b)."""
    split_hands: int
    """Maximum number of hands after splits: 2.11(e), 2A.11(e), 26.10(c), 36.9(c)."""
    resplit_aces: bool
    """2.11(e), 2A.11(e), 26.10(e)."""
    double_after_split: bool
    """2.10(a), (d)."""
    double_card: Literal["up", "down", "on-request"]
    """How the card of a doubled hand is dealt: 2.10(c)."""
    bonus_payouts: Sequence[str]
    """Special odds: "suited-678", "three-sevens", "five-card-21", "blackjack:As Ks": 2.3(e), 2.16."""
    shoe: Literal["single", "double", "continuous", "hand"]
    """What the cards are dealt from: 2.6(a), (d), 2.6A(a), 2.21."""
    shuffle: Literal["manual", "automated", "bart-carter", "pre-shuffled"]
    """How the cards are shuffled: 2.5, 2.2(d)."""
    cut_behind: float
    """Part of the stack behind the cut card: 2.5(d), (i), 2A.4(f), 26.4(e), 36.4(e)."""
    minimum: Amount
    """Least required bet."""
    maximum: Amount
    """Largest required bet."""
    chip: Amount
    """Smallest chip in play, the "next unit" of 2.9(b)."""
    bettors_per_box: int
    """1 to 3: 2.13, 2A.13, 26.13, 36.12."""
    boxes_per_player: int
    """2.14, 2A.14, 26.14, 36.13."""
    shared_boxes: int | Literal["all"]
    """Boxes that several may share, a number or "all": 2.13(g), 2A.13(f), 26.13(h), 36.12(h)."""
    mid_shoe_entry: bool
    """False: players who sat out a round wait for the reshuffle: 2.3(i), 2A.5(h), 26.5(h), 36.5(h)."""
    attack_amount: Literal["up-to", "equal"]
    """Attack bets up to the first, or equal to it: 26.1 and 26.7(d), 36.1 and 36.7."""
    cut_by: Literal["players", "dealer"]
    """Who cuts: players, or in Massachusetts the dealer: MA 4(c)."""
    recut_by: Literal["last-cutter", "next-entitled"]
    """Who recuts on a supervisor's order: 2.5(g), 2A.4(g), 26.4(f), 36.4(f)."""
    reader_reveals: Literal["nothing", "hole-card"]
    """What a player can learn from the card reader: 2.15(j), 2A.15(k), 26.15(l), 36.14(l)."""
    surrender_settled: Literal["at-disclosure", "at-once"]
    """Surrender against an ace or ten value at a table with a reader: 2.8(a)2, 26.8(a)3."""
    insurance_collected: Literal["at-disclosure", "after-reader"]
    """Losing insurance at a table with a reader: 2.9(d)."""
    hand_burn: Literal["none", "each-round"]
    """Burn before each round dealt from the hand: 2.6A(c)."""
    own_procedures: Sequence[str]
    """The licensee's own procedures, with their approval: "no-cutting-card", "cutting-card-placement", "no-burn",
    "shuffle": 2.5(k), 2A.4(j), 26.4(h)."""
    approval: str
    """Register entry that approves own_procedures: 2.5(k), 2A.4(j), 26.4(h)."""
    rulings: Rulings
    """How the table reads ambiguous clauses."""
    multiple_action: MultipleAction
    """Multiple action: 2.18."""


class TableKeys(TableOptions, total=False):
    """The keys of the table file."""

    side_wagers: Mapping[SideWagerName, bool | Mapping[str, Any]]
    """The side bets that are offered, True or with their own keys."""
