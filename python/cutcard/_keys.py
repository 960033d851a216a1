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
    """Whether an ace and a ten-value card on a split hand beat a dealer's 21 in three or more cards."""
    busted_v_dealer_blackjack: Literal["original-only", "busted-too"]
    """Whether a hand that busts before the dealer's blackjack also loses its doubling and splitting money."""
    two_card_21_v_dealer_blackjack: Literal["push", "lose"]
    """Whether a switched or split ace and ten-value card push or lose against a dealer's blackjack in Switch."""
    lone_seven: Literal["first-card", "either"]
    """Whether a single seven wins only as the first card, or as either of the first two."""
    face_up_soft_doubles: Literal["refused", "allowed"]
    """Whether a soft 19 or 20 may be doubled as 9 or 10 where the hole card is dealt face up."""
    face_up_blackjack_v_21: Literal["wins", "loses"]
    """Whether a player's blackjack beats a dealer's drawn 21 where the hole card is dealt face up."""
    split_ace_surrender: Literal["allowed", "refused"]
    """Whether a split ace may be surrendered after its one card in Double Attack."""
    surrender_21: Literal["allowed", "refused"]
    """Whether a blackjack or another 21 may be surrendered in Double Attack."""
    double_split_21: Literal["allowed", "refused"]
    """Whether an ace and a ten-value card on a split hand may be doubled in Double and Triple Attack."""
    split_ace_double: Literal["refused", "allowed"]
    """Whether a split ace may be doubled in Double Attack."""
    surrender_v_dealer_blackjack: Literal["initial-only", "everything"]
    """What a surrendered hand loses to a dealer's blackjack in Double Attack: the initial bet only, or all bets on
    the hand."""
    winning_hand_v_dealer_blackjack: Literal["wins", "loses"]
    """Whether a six-card hand, or a 21 that is not a blackjack, beats a dealer's blackjack in Triple Attack."""
    split_hands_v_dealer_blackjack: Literal["one-original", "each-its-share"]
    """What split hands lose to a dealer's blackjack in Triple Attack: one original bet in all if any hand loses, or
    each losing hand its share of that bet."""
    cobettor_attack: Literal["own-choice", "with-caller"]
    """Whether a co-bettor of a shared box may attack when the player who calls the decisions passes."""
    double_two_card_21: Literal["refused", "allowed"]
    """Whether a two-card 21 that is not a blackjack may be doubled in Switch."""
    surrender_timing: Literal["per-hand", "before-both-hands"]
    """Whether a Switch player may surrender the second hand after playing the first."""
    switch_revocation: Literal["until-card", "in-turn"]
    """Whether a player who has stood on both hands may still revoke a switch before another card is dealt."""
    streak_splits: Literal["compare", "majority"]
    """How a split counts for the streak bet: by more hands won than lost, or by more than half of all hands won."""
    progressive_pays: Literal["for-one", "to-one"]
    """Whether the progressive payouts include the one-dollar bet."""
    progressive_split_aces: Literal["end", "continue"]
    """Whether splitting aces ends the progressive bet's series of aces."""
    bonus_pays: Literal["to-one", "for-one"]
    """Whether the blackjack bonus is paid in addition to the bet or includes it."""
    ace_nine_twenty: Literal["counts", "does-not-count"]
    """Whether an ace and a nine count as twenty for the twenty point bonus bet."""
    twenty_point_dealing: Literal["hole-down", "any"]
    """Whether the twenty point bonus bet requires a face-down hole card."""
    special_odds_on: Literal["whole-stake", "original"]
    """Whether special odds are also paid on doubling money."""
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
    """Number of decks dealt from: 2.2, 2A.2, 26.2, 36.2."""
    positions: int
    """Betting positions: 2.11(e), 19:46-1.10C(a), 26.10(c), 19:46-1.13V(a)."""
    hole_card: Literal["none", "down", "reader", "up"]
    """How the dealer's second card is dealt: 2.6(h), (j), (k), 2A.7(l), 26.7(g), (i), 36.7(e), (k)."""
    soft_17: Literal["stand", "hit"]
    """Whether the dealer hits or stands on soft 17: 2.12(b), (d), 2A.12(b), 26.12(b), 36.11(b)."""
    surrender: bool
    """2.8(c), 2A.9(c), 26.8(a)."""
    even_money: bool
    """Even money: a blackjack against an ace may be paid 1 to 1 at once: 2.7(c)."""
    late_insurance: bool
    """Whether insurance is still offered during the player's turn: 2.9(b)."""
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
    """Fraction of the stack behind the cut card: 2.5(d), (i), 2A.4(f), 26.4(e), 36.4(e)."""
    minimum: Amount
    """Smallest required bet."""
    maximum: Amount
    """Largest required bet."""
    chip: Amount
    """Smallest chip in play, the "next unit" of 2.9(b)."""
    bettors_per_box: int
    """1 to 3: 2.13, 2A.13, 26.13, 36.12."""
    boxes_per_player: int
    """2.14, 2A.14, 26.14, 36.13."""
    shared_boxes: int | Literal["all"]
    """How many boxes may be shared at once, a number or "all": 2.13(g), 2A.13(f), 26.13(h), 36.12(h)."""
    mid_shoe_entry: bool
    """If false, players who sat out a round must wait for the reshuffle: 2.3(i), 2A.5(h), 26.5(h), 36.5(h)."""
    attack_amount: Literal["up-to", "equal"]
    """Whether an attack bet may be up to the first bet or must equal it: 26.1 and 26.7(d), 36.1 and 36.7."""
    cut_by: Literal["players", "dealer"]
    """Who cuts the cards, the players or (in Massachusetts) the dealer: MA 4(c)."""
    recut_by: Literal["last-cutter", "next-entitled"]
    """Who cuts again when a supervisor orders a recut: 2.5(g), 2A.4(g), 26.4(f), 36.4(f)."""
    reader_reveals: Literal["nothing", "hole-card"]
    """What a player can learn from the card reader: 2.15(j), 2A.15(k), 26.15(l), 36.14(l)."""
    surrender_settled: Literal["at-disclosure", "at-once"]
    """When a surrender against an ace or ten value is settled at a table with a reader: 2.8(a)2, 26.8(a)3."""
    insurance_collected: Literal["at-disclosure", "after-reader"]
    """When losing insurance is collected at a table with a reader: 2.9(d)."""
    hand_burn: Literal["none", "each-round"]
    """Whether a card is burned before each round dealt from the hand: 2.6A(c)."""
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
