"""The table machine itself, step by step: every event with its clause."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from . import _given, _native
from .errors import NotUnderstood
from .records import Settlement
from .table import Table


@dataclass(frozen=True)
class Event:
    """An event and the clause it follows from.

    Examples:
        >>> next(iter(cc.Live(cc.Table("nj-blackjack"), seed=7))).clause != ""
        True
    """

    event: str
    clause: str
    text: str | None
    data: dict[str, Any]
    """Cards, places and settlements, where the event has them."""

    @property
    def settlement(self) -> Settlement | None:
        """The settlement of a bet, as in a replay."""
        told = self.data.get("settlement")
        if told is None:
            return None
        amounts = {"amount": Decimal(told["amount"]), "net": Decimal(told["net"])}
        return Settlement(**{**told, **amounts, "player": f"player{told['box']}", "clause": self.clause})


@dataclass(frozen=True)
class Ask:
    """A pending question; `actions` are those that the rules allow.

    Examples:
        >>> live = cc.Live(cc.Table("nj-blackjack"), cards="8s 6h Td 3c Td Th")
        >>> events = live.deal()
        >>> live.asked.question, live.asked.box
        ('decision', 1)
    """

    question: str
    box: int
    hand: int
    actions: tuple[str, ...]


Policy = Callable[[Ask, "Live"], str]
Amount = int | float | str | Decimal


def _events(text: str) -> list[Event]:
    told = json.loads(text)
    return [Event(e.pop("event"), e.pop("clause"), e.pop("text"), e) for e in told]


def careful(ask: Ask, live: Live) -> str:
    """Never risks a bust and declines every offer. The default policy of `Live`."""
    if ask.question != "decision":
        return "pass"
    total = live.observation(ask.box)[1]
    return "hit" if "hit" in ask.actions and total < 12 else "stand"


def _placed(box: object, wager: object) -> tuple[int, list[str], list[tuple[str, str]]]:
    """Returns the bets of a box in the native module's format."""
    if not isinstance(wager, tuple) or len(wager) != 2:
        told = f"wagers: box {_given.shown(box)}: {_given.shown(wager)}"
        raise NotUnderstood(f'{told} is not a bet with side bets, such as (10, {{"streak": 1}})')
    sides = _given.mapping("wagers", wager[1])
    placed = [(_given.text("wagers", name), _given.amount(f"wagers: {name}", side)) for name, side in sides.items()]
    return _given.whole("wagers: a box", box, 0, 255), [_given.amount("wagers", wager[0])], placed


class Live:
    """A table in play with its own shoe.

    Iterating plays rounds by a policy and yields every event. Otherwise `deal` places the bets, and `decide` answers
    the question in `asked`. `copy.copy` and `copy.deepcopy` return an independent copy with the same upcoming cards.

    Args:
        table: The table.
        seed: The random seed; the same seed and decisions give the same cards.
        boxes: The number of boxes in play.
        rounds: The number of rounds that iterating plays.
        policy: A function from the question and this table to an action, used when iterating. Default: a cautious
            player that never risks a bust.
        wager: The bet of each box. Default: the minimum.
        side_wagers: Side bets of each box, by name.
        cards: The first cards of the shoe, such as `"8s 6h 8d"`.

    Examples:
        >>> live = cc.Live(cc.Table("nj-blackjack"), cards="8s 6h Td 3c Td Th")
        >>> events = live.deal()
        >>> live.asked.actions
        ('stand', 'hit', 'double')
    """

    def __init__(
        self,
        table: Table,
        *,
        seed: int = 0,
        boxes: int = 1,
        rounds: int = 1,
        policy: Policy = careful,
        wager: Amount | None = None,
        side_wagers: Mapping[str, Amount] | None = None,
        cards: str | None = None,
    ) -> None:
        if not isinstance(table, Table):
            raise NotUnderstood(f"table: {_given.shown(table)} is not a Table; write Live(Table(...))")
        told = table.to_dict()
        self.table = table
        self._live = _native.Live(table._table, _given.whole("seed", seed, 0, 2**64 - 1))
        self._boxes = _given.whole("boxes", boxes, 1, told["positions"])
        self._rounds = _given.whole("rounds", rounds, 0, 10**18)
        if not callable(policy):
            raise NotUnderstood(f"policy: {_given.shown(policy)} is not a function")
        self._policy = policy
        self._wager: Amount = told["minimum"] if wager is None else _given.amount("wager", wager)
        self._sides: Mapping[str, Amount] = dict(_given.optional(_given.mapping, "side_wagers", side_wagers) or {})
        if cards is not None:
            try:
                self._live.arrange(_given.text("cards", cards))
            except NotUnderstood as error:
                raise NotUnderstood(f"cards: {str(error).removeprefix('cards: ')}") from None

    def __copy__(self) -> Live:
        # the table machine is copied too: otherwise a copy would play the original's round
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other._live = copy.deepcopy(self._live)
        return other

    @property
    def asked(self) -> Ask | None:
        """The pending question, or None when the round is over."""
        ask = self._live.ask()
        return None if ask is None else Ask(ask[0], ask[1], ask[2], tuple(ask[3]))

    @property
    def over(self) -> bool:
        """Whether no round is in play."""
        return self._live.over

    def deal(self, wagers: Mapping[int, tuple[Amount, Mapping[str, Amount]]] | None = None) -> list[Event]:
        """Places bets and deals until a player must answer.

        Args:
            wagers: The bet and side bets by box. Default: those given when the table was created.

        Returns:
            The events, in order.

        Examples:
            >>> live = cc.Live(cc.Table("nj-blackjack"), seed=1)
            >>> [event.text for event in live.deal({2: ("25", {})}) if event.event == "wagered"]
            ['player2 bets 25.00 on box 2']
        """
        if wagers is None:
            wagers = {box: (self._wager, self._sides) for box in range(1, self._boxes + 1)}
        placed = [_placed(box, wager) for box, wager in _given.mapping("wagers", wagers).items()]
        return _events(self._live.wager(placed))

    def decide(self, action: str, amount: Amount | None = None) -> list[Event]:
        """Answers the pending question and continues until the next one.

        Args:
            action: One of `asked.actions`.
            amount: The amount to double, attack or insure for. Default: the maximum.

        Returns:
            The events, in order.

        Raises:
            Refused: The action is not legal; `clause` is the reason.

        Examples:
            >>> live = cc.Live(cc.Table("nj-blackjack"), cards="8s 6h Td 3c Td Th")
            >>> events = live.deal() + live.decide("stand")
            >>> live.over
            True
        """
        wanted = _given.optional(_given.amount, "amount", amount)
        return _events(self._live.decide(_given.text("action", action), wanted))

    def observation(self, box: int | None = None) -> list[int]:
        """Returns a box's observation, as numbers named by `cutcard.gym.FEATURES`.

        Args:
            box: The box. Default: the one that must act, otherwise the first.

        Returns:
            The numbers.

        Examples:
            >>> live = cc.Live(cc.Table("nj-blackjack"), cards="8s 6h Td 3c Td Th")
            >>> events = live.deal()
            >>> live.observation()[1]
            18
        """
        asked = self._live.turn() or 1
        return self._live.observe(asked if box is None else _given.whole("box", box, 1, 255))[0]

    def action_mask(self) -> list[bool]:
        """Returns which of `cutcard.gym.ACTIONS` are legal now.

        Returns:
            A flag for every action.

        Examples:
            >>> live = cc.Live(cc.Table("nj-blackjack"), cards="8s 6h Td 3c Td Th")
            >>> events = live.deal()
            >>> sum(live.action_mask())
            3
        """
        return self._live.observe(1)[1]

    def cards(self) -> tuple[str, dict[tuple[int, int], str]]:
        """Returns the dealer's open cards, and those of every hand by box and number.

        Returns:
            The dealer's cards, and the cards of each hand by its box and number.

        Examples:
            >>> live = cc.Live(cc.Table("nj-blackjack"), cards="8s 6h Td 3c Td Th")
            >>> events = live.deal()
            >>> live.cards()
            ('6h', {(1, 1): '8s Td'})
        """
        dealer, hands = self._live.cards()
        return dealer, {(box, hand): cards for box, hand, cards in hands}

    def __iter__(self) -> Iterator[Event]:
        for _ in range(self._rounds):
            yield from self.deal()
            while (ask := self.asked) is not None:
                yield from self.decide(self._policy(ask, self))
