"""Boxes at the table machine, as seen and played by agents."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _given, _native
from .errors import NotUnderstood, Refused
from .table import Table

Observation = NDArray[np.int16]
ACTIONS, FEATURES, MOST, SUITS = _native.features()
"""The actions of every environment, the names of the features of an observation, the maximum of each feature, and the
names of the features that `suits=True` adds.

After these actions there is one for each stake, and one for each side bet that may be made. Suits are 1 to 4 for clubs,
diamonds, hearts and spades, or 0 for no card.
"""
MOST_STAKE = 1000


def table_of(table: object, options: Mapping[str, Any]) -> Table:
    """Returns the table of an environment."""
    if isinstance(table, Table):
        return table.replace(**options) if options else table
    return Table(table, **options)  # type: ignore[arg-type]


def wagers_of(table: Table, stakes: object, side_wagers: object) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """Returns the stakes and side bets of an environment, if the table accepts all of them."""
    told = table.to_dict()
    if isinstance(stakes, (str, bytes)) or not isinstance(stakes, Sequence) or not stakes:
        shown = _given.shown(stakes)
        raise NotUnderstood(f"stakes: expected whole numbers of initial bets, such as (1, 2, 8), not {shown}")
    least, most = Decimal(told["minimum"]), Decimal(told["maximum"])
    for stake in stakes:
        if least * _given.whole("stakes", stake, 1, MOST_STAKE) > most:
            raise NotUnderstood(
                f"stakes: {stake} initial bets are {least * int(stake)}, but the table takes at most {most}; "
                "give the table another `maximum`"
            )
    sides = _given.texts("side_wagers", side_wagers)
    offered = told.get("side_wagers", {})
    for side in sides:
        if _family(side) not in offered:
            raise NotUnderstood(
                f"side_wagers: {_given.shown(side)} is not offered at this table; "
                "make a Table that offers it and use that one: "
                "Table(name, side_wagers={...})"
            )
    if len(set(sides)) != len(sides):
        raise NotUnderstood("side_wagers: name each side bet only once")
    return tuple(int(stake) for stake in stakes), tuple(sides)


def _family(side: str) -> str:
    """Returns the section of a table file that offers a side bet: `over-13` belongs to `over-under-13`."""
    if side in ("over-13", "under-13"):
        return "over-under-13"
    return "streak" if side.startswith("streak-") else side


@dataclass(frozen=True)
class SeatsState:
    """The state of a table's boxes."""

    seed: int
    live: _native.Live
    wagering: tuple[int, ...]
    chosen: dict[int, tuple[int, list[str]]]


class Seats:
    """Boxes at the table machine. Each is asked for its bet and then for every decision."""

    def __init__(
        self,
        table: Table,
        boxes: object,
        stakes: object,
        side_wagers: object,
        count: str | None,
        fresh_shoes: bool,
        suits: bool = False,
    ) -> None:
        told = table.to_dict()
        self.table, self.boxes = table, _given.whole("seats", boxes, 1, told["positions"])
        self.stakes, self.sides = wagers_of(table, stakes, side_wagers)
        self.minimum = Decimal(told["minimum"])
        offered = told.get("side_wagers", {})
        self.side_amounts = {side: str(offered.get(_family(side), {}).get("minimum", "1.00")) for side in self.sides}
        self.count = _given.optional(_given.text, "count", count)
        self.fresh = _given.flag("fresh_shoes", fresh_shoes)
        self.suits = _given.flag("suits", suits)
        self.actions = len(ACTIONS) + len(self.stakes) + len(self.sides)
        self.wagering: list[int] = []
        self.chosen: dict[int, tuple[int, list[str]]] = {}
        self.shuffle(0)
        self.unit = float(self.minimum) * 100 * self.live.required

    def shuffle(self, seed: int) -> None:
        """Creates a new table with a new shoe."""
        self.seed = seed
        self.live = _native.Live(self.table._table, seed)
        if self.count is not None:
            self.live.count_by(self.count)

    def begin(self) -> None:
        """Starts a round by asking every box for its bet."""
        if self.fresh:
            self.shuffle((self.seed * 6364136223846793005 + 1442695040888963407) % 2**64)
        self.wagering = list(range(1, self.boxes + 1))
        self.chosen = {box: (0, []) for box in self.wagering}

    def state(self) -> SeatsState:
        """Returns the state of the boxes."""
        return SeatsState(self.seed, copy.deepcopy(self.live), tuple(self.wagering), copy.deepcopy(self.chosen))

    def restore(self, state: SeatsState | _native.VectorState) -> None:
        """Restores the state of the boxes."""
        given = _given.kind("state", state, SeatsState)
        self.seed, self.live = given.seed, copy.deepcopy(given.live)
        self.wagering, self.chosen = list(given.wagering), copy.deepcopy(given.chosen)

    @property
    def turn(self) -> int | None:
        """The box that must act."""
        return self.wagering[0] if self.wagering else self.live.turn()

    def mask(self, box: int) -> NDArray[np.int8]:
        """Returns the legal actions of a box."""
        mask = np.zeros(self.actions, dtype=np.int8)
        if box in self.wagering:
            mask[len(ACTIONS) : len(ACTIONS) + len(self.stakes)] = 1
            for at, side in enumerate(self.sides):
                mask[len(ACTIONS) + len(self.stakes) + at] = side not in self.chosen[box][1]
        elif not self.wagering and self.live.turn() == box:
            mask[: len(ACTIONS)] = self.live.observe(box)[1]
        return mask

    def observe(self, box: int) -> Observation:
        """Returns the observation of a box; after the round, with its final cards."""
        numbers = np.array(self.live.observe(box)[0], dtype=np.int16)
        if self.wagering:
            count, left = numbers[FEATURES.index("count")], numbers[FEATURES.index("left")]
            numbers[:] = 0
            numbers[0], numbers[FEATURES.index("count")], numbers[FEATURES.index("left")] = 1, count, left
            # a box that has chosen its stake waits for the bets of the others
            numbers[FEATURES.index("stake")] = self.chosen[box][0]
        if not self.suits:
            return numbers
        suits = [0] * len(SUITS) if self.wagering else self.live.suits(box)
        return np.concatenate([numbers, np.array(suits, dtype=np.int16)])

    def act(self, box: int, action: int) -> None:
        """Applies the action of the box that must act; raises `Refused` if it is not allowed."""
        if not self.wagering:
            if not 0 <= action < len(ACTIONS):
                raise Refused(f"action {action} is not a legal answer now")
            self.live.act(action)
            return
        choice = action - len(ACTIONS)
        _, sides = self.chosen[box]
        side = choice - len(self.stakes)
        if 0 <= choice < len(self.stakes):
            self._stake(box, self.stakes[choice])
        elif 0 <= side < len(self.sides) and self.sides[side] not in sides:
            sides.append(self.sides[side])
        else:
            raise Refused(f"action {action} is not a legal answer now")

    def _stake(self, box: int, stake: int) -> None:
        """Closes betting with the last bet. If the table refuses the bets, nothing changes."""
        chosen = {**self.chosen, box: (stake, self.chosen[box][1])}
        left = [other for other in self.wagering if other != box]
        if not left:
            self.live.bet(
                [
                    (at, [str(self.minimum * stake)], [(side, self.side_amounts[side]) for side in sides])
                    for at, (stake, sides) in chosen.items()
                ]
            )
        self.chosen, self.wagering = chosen, left

    @property
    def over(self) -> bool:
        """Whether the round is over."""
        return not self.wagering and self.live.turn() is None

    def reward(self, box: int) -> float:
        """Returns the result of the round for a box, in initial bets."""
        return self.live.net(box) / self.unit

    def shown(self) -> str:
        """Returns the cards on the table as text."""
        dealer, hands = self.live.cards()
        hand_of = "box {} hand {}: {}" if self.boxes > 1 else "hand {1}: {2}"
        return "\n".join([f"dealer {dealer}", *(hand_of.format(*hand) for hand in hands)])
