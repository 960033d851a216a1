"""Environments for agents: the first with real regulated rules and known exact values.

`Blackjack-v0`, `Switch-v0`, `DoubleAttack-v0` and `TripleAttack-v0` under the name `cutcard/` are registered when this
module is imported. An episode is a round. It begins with the wager, so that rounds in which nothing else is asked count
too; rewards are in initial wagers, and the mean reward of perfect play is the exact expectation. Any lawful table can be
named, and its options: `gymnasium.make("cutcard/Blackjack-v0", table="nj-six-to-five", decks=6)`.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any, NoReturn

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from . import _native
from .errors import NotUnderstood, Refused
from .table import Table

Observation = NDArray[np.int16]
ACTIONS, FEATURES, _MOST = _native.sight()
"""The answers that every environment has, and the names of the numbers that an agent sees.

Behind the answers come one action for each stake and one for each side wager that may be made.
"""

GAMES = {
    "cutcard/Blackjack-v0": "nj-blackjack",
    "cutcard/Switch-v0": "nj-switch",
    "cutcard/DoubleAttack-v0": "nj-double-attack",
    "cutcard/TripleAttack-v0": "nj-triple-attack",
}


def observation_space() -> Any:
    """What an agent sees, from the least to the greatest."""
    high = np.array(_MOST, dtype=np.int16)
    low = np.zeros_like(high)
    low[FEATURES.index("count")] = -high[FEATURES.index("count")]
    return spaces.Box(low, high, dtype=np.int16)


class Actions(spaces.Discrete):
    """All actions; what is sampled is allowed now."""

    def __init__(self, n: int, mask: NDArray[np.int8]) -> None:
        super().__init__(n)
        self._mask = mask

    def sample(self, mask: Any = None, probability: Any = None) -> Any:
        if mask is None and probability is None and self._mask.any():
            mask = self._mask
        return super().sample(mask=mask, probability=probability)


def _table(table: str | Table, options: dict[str, Any]) -> Table:
    if isinstance(table, Table):
        return table.replace(**options) if options else table
    return Table(table, **options)


MOST_STAKE = 1000


def _wagers(table: Table, stakes: Sequence[int], side_wagers: Sequence[str]) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """The stakes and side wagers of an environment, if the table takes them all: what a mask allows is never refused."""
    told = table.to_dict()
    if isinstance(stakes, (str, bytes)) or not isinstance(stakes, Sequence) or not stakes:
        raise NotUnderstood(f"stakes: one whole number of initial wagers or more, such as (1, 2, 8), not {stakes!r}")
    least, most = Decimal(told["minimum"]), Decimal(told["maximum"])
    for stake in stakes:
        if isinstance(stake, bool) or not isinstance(stake, (int, np.integer)) or not 1 <= stake <= MOST_STAKE:
            raise NotUnderstood(f"stakes: {stake!r} is no whole number of initial wagers from 1 to {MOST_STAKE}")
        if least * int(stake) > most:
            raise NotUnderstood(
                f"stakes: {stake} initial wagers are {least * int(stake)}, and the table takes {most} at most; "
                "give the table another `maximum`"
            )
    if isinstance(side_wagers, (str, bytes)) or not isinstance(side_wagers, Sequence):
        raise NotUnderstood(f"side_wagers: a list of names, such as [{side_wagers!r}]")
    offered = told.get("side_wagers", {})
    for side in side_wagers:
        if not isinstance(side, str) or _family(side) not in offered:
            raise NotUnderstood(
                f"side_wagers: {side!r} is not offered at this table; make a Table that offers it, and give that one: "
                "Table(name, side_wagers={...})"
            )
    if len(set(side_wagers)) != len(side_wagers):
        raise NotUnderstood("side_wagers: each once")
    return tuple(int(stake) for stake in stakes), tuple(side_wagers)


class Seats:
    """Boxes at the table machine, each asked for its wager and then whatever the rules ask."""

    def __init__(
        self,
        table: Table,
        boxes: int,
        stakes: Sequence[int],
        side_wagers: Sequence[str],
        count: str | None,
        fresh_shoes: bool,
    ) -> None:
        told = table.to_dict()
        if isinstance(boxes, bool) or not isinstance(boxes, int) or not 1 <= boxes <= told["positions"]:
            raise NotUnderstood(f"seats: {boxes!r} is no number from 1 to {told['positions']}, the boxes of this table")
        self.table, self.boxes = table, boxes
        self.stakes, self.sides = _wagers(table, stakes, side_wagers)
        self.minimum = Decimal(told["minimum"])
        offered = told.get("side_wagers", {})
        self.side_amounts = {side: str(offered.get(_family(side), {}).get("minimum", "1.00")) for side in self.sides}
        self.count, self.fresh = count, fresh_shoes
        self.actions = len(ACTIONS) + len(self.stakes) + len(self.sides)
        self.shuffle(0)
        self.unit = float(self.minimum) * 100 * self.live.required

    def shuffle(self, seed: int) -> None:
        """A new table with a new shoe."""
        self.seed = seed
        self.live = _native.Live(self.table._table, seed)
        if self.count is not None:
            self.live.count_by(self.count)

    def begin(self) -> None:
        """A new round: everybody is asked for the wager."""
        if self.fresh:
            self.shuffle((self.seed * 6364136223846793005 + 1442695040888963407) % 2**64)
        self.wagering = list(range(1, self.boxes + 1))
        self.chosen: dict[int, tuple[int, list[str]]] = {box: (0, []) for box in self.wagering}

    @property
    def turn(self) -> int | None:
        """The box that is asked."""
        return self.wagering[0] if self.wagering else self.live.turn()

    def mask(self, box: int) -> NDArray[np.int8]:
        mask = np.zeros(self.actions, dtype=np.int8)
        if self.wagering:
            mask[len(ACTIONS) : len(ACTIONS) + len(self.stakes)] = 1
            for at, side in enumerate(self.sides):
                mask[len(ACTIONS) + len(self.stakes) + at] = side not in self.chosen[box][1]
        elif self.live.turn() == box:
            mask[: len(ACTIONS)] = self.live.sight()[1]
        return mask

    def observe(self, box: int) -> Observation:
        numbers = np.array(self.live.sight()[0], dtype=np.int16)
        if self.wagering:
            count, left = numbers[FEATURES.index("count")], numbers[FEATURES.index("left")]
            numbers[:] = 0
            numbers[0], numbers[FEATURES.index("count")], numbers[FEATURES.index("left")] = 1, count, left
        elif self.live.turn() != box:
            numbers[:] = 0
        if box in self.chosen:
            numbers[FEATURES.index("stake")] = self.chosen[box][0]
        return numbers

    def act(self, box: int, action: int) -> None:
        """Takes the answer of the box that is asked; `Refused` if it is not allowed."""
        if not self.wagering:
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
            raise Refused(f"action {action} answers nothing that is asked")

    def _stake(self, box: int, stake: int) -> None:
        """The last stake closes the wagers. Should the table refuse them, nothing has happened."""
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
        return not self.wagering and self.live.turn() is None

    def reward(self, box: int) -> float:
        """What the round has come to for a box, in initial wagers."""
        return self.live.net(box) / self.unit


def _family(side: str) -> str:
    """The section of a table file that offers a wager: `over-13` belongs to `over-under-13`."""
    if side in ("over-13", "under-13"):
        return "over-under-13"
    return "streak" if side.startswith("streak-") else side


class SeatEnv(gymnasium.Env[Observation, np.int64]):
    """One seat at the table machine itself. `info["action_mask"]` tells what is allowed. Anything else is refused: nothing
    happens, and `info["refused"]` says why, with `info["clause"]`; `strict=True` raises `Refused` instead.

    `stakes` may be chosen from at the beginning of each round, `side_wagers` made, and `count="hi-lo"` shows a count. The
    shoe goes on from round to round unless `fresh_shoes`; a seed given to `reset` begins a new one. Pickled, it is made anew
    with the same arguments, to be reset.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}

    def __init__(
        self,
        table: str | Table = "nj-blackjack",
        *,
        stakes: Sequence[int] = (1,),
        side_wagers: Sequence[str] = (),
        count: str | None = None,
        fresh_shoes: bool = False,
        strict: bool = False,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        self.table = _table(table, options)
        self._made: dict[str, Any] = {
            "table": self.table,
            "stakes": stakes,
            "side_wagers": side_wagers,
            "count": count,
            "fresh_shoes": fresh_shoes,
            "strict": strict,
            "render_mode": render_mode,
        }
        self.strict = strict
        self.render_mode = render_mode
        self._seats = Seats(self.table, 1, stakes, side_wagers, count, fresh_shoes)
        self._mask = np.zeros(self._seats.actions, dtype=np.int8)
        self.observation_space = observation_space()
        self.action_space = Actions(self._seats.actions, self._mask)
        self._begun = False

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (type(self), self._made)

    def __deepcopy__(self, memo: Any) -> NoReturn:
        raise TypeError("an environment is not copied in the middle of a shoe; make another with the same arguments")

    def action_masks(self) -> NDArray[np.bool_]:
        """What is allowed now, as MaskablePPO asks for it."""
        return self._mask.astype(np.bool_)

    def _now(self) -> tuple[Observation, dict[str, Any]]:
        self._mask[:] = self._seats.mask(1)
        return self._seats.observe(1), {"action_mask": self._mask.copy()}

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observation, dict[str, Any]]:
        super().reset(seed=seed)
        if seed is not None or not self._begun:
            self._seats.shuffle(int(self.np_random.integers(2**63)))
            self._begun = True
        elif not self._seats.over:
            self._seats.shuffle(int(self.np_random.integers(2**63)))
        self._seats.begin()
        return self._now()

    def step(self, action: np.int64) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        try:
            self._seats.act(1, int(action))
        except Refused as no:
            if self.strict:
                raise
            observation, info = self._now()
            return observation, 0.0, False, False, {**info, "refused": str(no), "clause": no.clause}
        over = self._seats.over
        observation, info = self._now()
        return observation, self._seats.reward(1) if over else 0.0, over, False, info

    def render(self) -> str:
        dealer, hands = self._seats.live.cards()
        return "\n".join([f"dealer {dealer}", *(f"hand {hand}: {cards}" for _, hand, cards in hands)])


class VectorEnv(gymnasium.vector.VectorEnv[Observation, NDArray[np.int64], NDArray[Any]]):
    """Thousands of seats, each with a shoe of its own, stepped in Rust into these arrays: what `step` returns is written
    anew by the next step. A seat whose round is over is asked for its next wager in the same step. Pickled, it is made anew
    with the same arguments, to be reset.
    """

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP}

    def __init__(
        self,
        num_envs: int = 1,
        table: str | Table = "nj-blackjack",
        *,
        stakes: Sequence[int] = (1,),
        side_wagers: Sequence[str] = (),
        count: str | None = None,
        fresh_shoes: bool = False,
        **options: Any,
    ) -> None:
        self.table = _table(table, options)
        if isinstance(num_envs, bool) or not isinstance(num_envs, (int, np.integer)) or num_envs < 1:
            raise NotUnderstood(f"num_envs: {num_envs!r} is no number of seats")
        stakes, side_wagers = _wagers(self.table, stakes, side_wagers)
        self.num_envs = num_envs = int(num_envs)
        self._made: dict[str, Any] = {
            "num_envs": num_envs,
            "table": self.table,
            "stakes": stakes,
            "side_wagers": side_wagers,
            "count": count,
            "fresh_shoes": fresh_shoes,
        }
        actions = len(ACTIONS) + len(stakes) + len(side_wagers)
        self._observations: Observation = np.zeros((num_envs, len(FEATURES)), dtype=np.int16)
        self.masks: NDArray[np.int8] = np.zeros((num_envs, actions), dtype=np.int8)
        self._rewards = np.zeros(num_envs, dtype=np.float32)
        terminated = np.zeros(num_envs, dtype=np.uint8)
        self._terminated = terminated.view(np.bool_)
        self._truncated = np.zeros(num_envs, dtype=np.bool_)
        self._native = _native.Vector(
            self.table._table,
            num_envs,
            list(stakes),
            list(side_wagers),
            count,
            fresh_shoes,
            (self._observations, self.masks, self._rewards, terminated),
        )
        self.single_observation_space = observation_space()
        self.single_action_space = spaces.Discrete(actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (type(self), self._made)

    def __deepcopy__(self, memo: Any) -> NoReturn:
        raise TypeError("an environment is not copied in the middle of a shoe; make another with the same arguments")

    def reset(self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None) -> tuple[Observation, dict[str, Any]]:
        first = seed[0] if isinstance(seed, list) else seed
        super().reset(seed=first, options=options)
        self._native.reset(int(self.np_random.integers(2**63)))
        return self._observations, {"action_mask": self.masks}

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[Observation, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        self._native.step(np.ascontiguousarray(actions, dtype=np.int64))
        return self._observations, self._rewards, self._terminated, self._truncated, {"action_mask": self.masks}

    def expert(self) -> NDArray[np.int64]:
        """What the exact chart by totals would answer in every seat, at the first stake and without side wagers."""
        answers = np.zeros(self.num_envs, dtype=np.int64)
        self._native.expert(answers)
        return answers


def _again(kind: type[Any], arguments: dict[str, Any]) -> Any:
    return kind(**arguments)


def _register() -> None:
    for name, table in GAMES.items():
        if name not in gymnasium.registry:
            gymnasium.register(
                id=name,
                entry_point="cutcard.gym:SeatEnv",
                vector_entry_point="cutcard.gym:VectorEnv",
                kwargs={"table": table},
            )


_register()
