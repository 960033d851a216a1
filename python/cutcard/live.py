"""The table machine itself, step by step: every event with its clause."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from . import _native
from .errors import NotUnderstood
from .results import Settlement
from .table import Table


@dataclass(frozen=True)
class Event:
    """Something that happened, and the clause it follows from."""

    event: str
    clause: str
    text: str | None
    data: dict[str, Any]
    """Cards, places and settlements, where the event has them."""

    @property
    def settlement(self) -> Settlement | None:
        """What a wager came to, as a replay has it."""
        told = self.data.get("settlement")
        if told is None:
            return None
        amounts = {"amount": Decimal(told["amount"]), "net": Decimal(told["net"])}
        return Settlement(**{**told, **amounts, "player": f"player{told['box']}", "clause": self.clause})


@dataclass(frozen=True)
class Ask:
    """Somebody is asked something: the answers are those that the rules allow."""

    question: str
    box: int
    hand: int
    actions: tuple[str, ...]


Policy = Callable[[Ask, "Live"], str]
Amount = int | str | Decimal


def _events(text: str) -> list[Event]:
    told = json.loads(text)
    return [Event(e.pop("event"), e.pop("clause"), e.pop("text"), e) for e in told]


def careful(ask: Ask, live: Live) -> str:
    """Never busts, and takes up no offer: what `Live` plays by when no policy is given."""
    if ask.question != "decision":
        return "pass"
    total = live.observation()[1]
    return "hit" if "hit" in ask.actions and total < 12 else "stand"


class Live:
    """A table in play. Iterating plays rounds by a policy and gives every event; or be asked one thing at a time:

    >>> live = Live(table, seed=7)
    >>> live.deal()
    >>> while live.asked: live.decide(live.asked.actions[0])
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
            raise NotUnderstood(f"Live wants a Table: Live(Table({table!r}))")
        positions = table.to_dict()["positions"]
        if not isinstance(seed, int) or not 0 <= seed < 2**64:
            raise NotUnderstood(f"seed: {seed!r} is no whole number from 0 to 2 to the 64th")
        if not isinstance(boxes, int) or not 1 <= boxes <= positions:
            raise NotUnderstood(f"boxes: {boxes!r} is no number from 1 to {positions}, the boxes of this table")
        self.table = table
        self._live = _native.Live(table._table, seed)
        self._boxes = boxes
        self._rounds = rounds
        self._policy = policy
        self._wager = wager if wager is not None else Decimal(str(table.to_dict()["minimum"]))
        self._sides = dict(side_wagers or {})
        if cards is not None:
            self._live.arrange(cards)

    @property
    def asked(self) -> Ask | None:
        """Who is asked what; nobody when the round is over."""
        ask = self._live.ask()
        return None if ask is None else Ask(ask[0], ask[1], ask[2], tuple(ask[3]))

    @property
    def over(self) -> bool:
        """Whether no round is in play."""
        return self._live.over

    def deal(self, wagers: Mapping[int, tuple[Amount, Mapping[str, Amount]]] | None = None) -> list[Event]:
        """Places wagers by box and deals; those that the table was made with if none are named."""
        if wagers is None:
            wagers = {box: (self._wager, self._sides) for box in range(1, self._boxes + 1)}
        placed = [
            (box, [str(amount)], [(name, str(side)) for name, side in sides.items()])
            for box, (amount, sides) in wagers.items()
        ]
        return _events(self._live.wager(placed))

    def decide(self, action: str, amount: Amount | None = None) -> list[Event]:
        """Answers what is asked and plays on; :class:`Refused` with its clause if the rules do not allow it."""
        return _events(self._live.decide(action, None if amount is None else str(amount)))

    def observation(self) -> list[int]:
        """The numbers that an agent sees, as in the environments."""
        return self._live.sight()[0]

    def action_mask(self) -> list[bool]:
        """Which of the actions of the environments are allowed now."""
        return self._live.sight()[1]

    def cards(self) -> tuple[str, dict[tuple[int, int], str]]:
        """The dealer's open cards, and those of every hand by box and number."""
        dealer, hands = self._live.cards()
        return dealer, {(box, hand): cards for box, hand, cards in hands}

    def __iter__(self) -> Iterator[Event]:
        for _ in range(self._rounds):
            yield from self.deal()
            while (ask := self.asked) is not None:
                yield from self.decide(self._policy(ask, self))
