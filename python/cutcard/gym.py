"""Environments for agents: the first with real regulated rules and known exact values.

`Blackjack-v0`, `Switch-v0`, `DoubleAttack-v0` and `TripleAttack-v0` under the name `cutcard/` are registered when this
module is imported. An episode is a round. It begins with the bet, so rounds without further decisions count too;
rewards are in initial bets, and the mean reward of perfect play is the exact expectation. Any legal table can be
named, and its options: `gymnasium.make("cutcard/Blackjack-v0", table="nj-six-to-five", decks=1)`.
"""

from __future__ import annotations

import copy
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Unpack

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from . import _given, _native
from ._keys import TableOptions
from ._seats import ACTIONS, FEATURES, MOST, SUITS, Observation, Seats, SeatsState, table_of, wagers_of
from .benchmark.play import TABLES
from .errors import NotUnderstood, Refused
from .table import Table

__all__ = [
    "ACTIONS",
    "FEATURES",
    "GAMES",
    "MOST_REFUSED",
    "SUITS",
    "Actions",
    "EnvironmentOptions",
    "SeatEnv",
    "State",
    "VectorActions",
    "VectorEnv",
    "observation_space",
]

GAMES = TABLES

MOST_REFUSED = 100
"""The number of refused actions in a row after which an episode is truncated."""


class EnvironmentOptions(TableOptions, total=False):
    """Options of an environment besides its table and seats: keys of the table file, stakes and side bets.

    Examples:
        >>> options: EnvironmentOptions = {"stakes": (1, 2), "decks": 6}
        >>> len(SeatEnv("nj-blackjack", **options).action_masks())
        12
    """

    stakes: Sequence[int]
    side_wagers: Sequence[str]
    count: str | None


def observation_space(suits: bool = False) -> Any:
    """Returns the space of observations.

    Args:
        suits: Whether to include the suits of the first cards.

    Returns:
        A `Box` with the bounds of each number.

    Examples:
        >>> cc.gym.observation_space().shape
        (20,)
    """
    high = np.array([*MOST, *([4] * len(SUITS) if suits else [])], dtype=np.int16)
    low = np.zeros_like(high)
    low[FEATURES.index("count")] = -high[FEATURES.index("count")]
    return spaces.Box(low, high, dtype=np.int16)


class Actions(spaces.Discrete):
    """All actions of a seat; `sample` returns a legal one.

    Examples:
        >>> env = SeatEnv("nj-blackjack")
        >>> observation, info = env.reset(seed=1)
        >>> bool(info["action_mask"][env.action_space.sample()])
        True
    """

    def __init__(self, n: int, mask: NDArray[np.int8]) -> None:
        super().__init__(n)
        self._mask = mask

    def sample(self, mask: Any = None, probability: Any = None) -> Any:
        """Samples a legal action, or one of those that a mask allows."""
        if mask is None and probability is None and self._mask.any():
            mask = self._mask
        return super().sample(mask=mask, probability=probability)


class VectorActions(spaces.MultiDiscrete):
    """The actions of all seats; `sample` returns legal ones.

    Examples:
        >>> envs = VectorEnv(8, "nj-blackjack")
        >>> observations, info = envs.reset(seed=1)
        >>> envs.action_space.sample().shape
        (8,)
    """

    def __init__(self, masks: NDArray[np.int8]) -> None:
        super().__init__(np.full(len(masks), masks.shape[1], dtype=np.int64))
        self._masks = masks

    def sample(self, mask: Any = None, probability: Any = None) -> Any:
        """Samples a legal action for every seat, or one of those that masks allow."""
        if mask is None and probability is None:
            return np.where(self._masks, self.np_random.random(self._masks.shape), -1.0).argmax(axis=1)
        return super().sample(mask=mask, probability=probability)


@dataclass(frozen=True)
class State:
    """The state of an environment for `restore`, including the upcoming cards.

    Examples:
        >>> env = SeatEnv("nj-blackjack")
        >>> observation, info = env.reset(seed=1)
        >>> state = env.state()
        >>> isinstance(state, State)
        True
    """

    made: dict[str, Any]
    play: SeatsState | _native.VectorState
    chance: Mapping[str, Any]
    """The state of the random generator from which seeds are drawn."""
    begun: bool = True
    refused: int = 0


class _Restorable:
    """Environments that can be copied, restored to an earlier state, and pickled by their arguments."""

    _made: dict[str, Any]
    _begun = False
    _refused = 0

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (type(self), self._made)

    def __copy__(self) -> Any:
        # the upcoming cards are copied too: otherwise a copy would play the original's round
        return copy.deepcopy(self)

    def __deepcopy__(self, memo: Any) -> Any:
        other = type(self)(**self._made)
        other.restore(self.state())
        other.spec = self.spec  # type: ignore[attr-defined]
        return other

    @abstractmethod
    def _play(self) -> SeatsState | _native.VectorState:
        """Returns the state of play."""

    @abstractmethod
    def _play_on(self, play: SeatsState | _native.VectorState) -> None:
        """Resumes from a state of play."""

    def state(self) -> State:
        """Returns the state of the environment.

        Returns:
            A state for `restore`, on this environment or a copy.

        Examples:
            >>> env = cc.gym.SeatEnv("nj-blackjack")
            >>> first, info = env.reset(seed=1)
            >>> state = env.state()
            >>> step = env.step(env.action_space.sample())
            >>> env.restore(state)
            >>> bool((env.step(env.action_space.sample())[0] == step[0]).all())
            True
        """
        chance = copy.deepcopy(self.np_random.bit_generator.state)  # type: ignore[attr-defined]
        return State(self._made, self._play(), chance, self._begun, self._refused)

    def restore(self, state: State) -> None:
        """Restores a state of the environment.

        Args:
            state: What `state` returned.

        Returns:
            Nothing; the next step continues from there.

        Examples:
            >>> env = cc.gym.SeatEnv("nj-blackjack")
            >>> observation, info = env.reset(seed=1)
            >>> env.restore(env.state())
        """
        if _given.kind("state", state, State).made != self._made:
            raise NotUnderstood("state: the state belongs to an environment made with different arguments")
        self._play_on(state.play)
        self.np_random.bit_generator.state = state.chance  # type: ignore[attr-defined]
        self._begun, self._refused = state.begun, state.refused


def render_mode_of(render_mode: object) -> str | None:
    """Returns a render mode, if it is supported."""
    if render_mode is None or isinstance(render_mode, str) and render_mode == "ansi":
        return render_mode
    raise NotUnderstood(f'render_mode: {_given.shown(render_mode)} is neither None nor "ansi"')


class SeatEnv(_Restorable, gymnasium.Env[Observation, np.int64]):
    """One seat at the live table machine.

    `info["action_mask"]` marks the legal actions. Any other action is refused: nothing happens, and
    `info["refused"]` gives the reason, with `info["clause"]`; after 100 refusals in a row the episode is truncated.
    The last observation of an episode shows the final cards. `copy.deepcopy(env)`, `state()` and `restore(state)`
    let a planner try moves. A pickled environment is created again with the same arguments and must be reset.

    Args:
        table: The table, or the name of a preset.
        stakes: The possible bets at the start of each round, in initial bets.
        side_wagers: Side bets that the agent may make; the table must offer them.
        count: A count to show in observations, such as `"hi-lo"`.
        fresh_shoes: Whether every round is dealt from a full shoe; otherwise the shoe continues from round to round.
        suits: Whether observations end with the suits of the first cards, named by `SUITS`: 1 to 4 for clubs,
            diamonds, hearts and spades.
        strict: Whether an action that is not allowed raises `Refused`.
        render_mode: `"ansi"`, or None.
        **options: Keys of the table file.

    Examples:
        >>> env = cc.gym.SeatEnv("nj-blackjack")
        >>> observation, info = env.reset(seed=1)
        >>> int(info["action_mask"].sum())
        1
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
        suits: bool = False,
        strict: bool = False,
        render_mode: str | None = None,
        **options: Unpack[TableOptions],
    ) -> None:
        self.table = table_of(table, options)
        self.strict = _given.flag("strict", strict)
        self.render_mode = render_mode_of(render_mode)
        self._seats = Seats(self.table, 1, stakes, side_wagers, count, fresh_shoes, suits)
        self._made = {
            "table": self.table,
            "stakes": self._seats.stakes,
            "side_wagers": self._seats.sides,
            "count": count,
            "fresh_shoes": fresh_shoes,
            "suits": suits,
            "strict": strict,
            "render_mode": render_mode,
        }
        self._mask = np.zeros(self._seats.actions, dtype=np.int8)
        self.observation_space = observation_space(suits)
        self.action_space = Actions(self._seats.actions, self._mask)

    def action_masks(self) -> NDArray[np.bool_]:
        """Returns the legal actions in MaskablePPO's format.

        Returns:
            A flag for every action.

        Examples:
            >>> env = SeatEnv("nj-blackjack")
            >>> observation, info = env.reset(seed=1)
            >>> env.action_masks().any()
            np.True_
        """
        return self._mask.astype(np.bool_)

    def _play(self) -> SeatsState:
        return self._seats.state()

    def _play_on(self, play: SeatsState | _native.VectorState) -> None:
        self._seats.restore(play)
        self._mask[:] = self._seats.mask(1)

    def _now(self) -> tuple[Observation, dict[str, Any]]:
        self._mask[:] = self._seats.mask(1)
        return self._seats.observe(1), {"action_mask": self._mask.copy()}

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Starts a round; a seed starts a new shoe."""
        _given.optional(_given.mapping, "options", options)
        super().reset(seed=_given.optional(_given.whole, "seed", seed, 0, 2**63))
        if seed is not None or not self._begun or not self._seats.over:
            self._seats.shuffle(int(self.np_random.integers(2**63)))
            self._begun = True
        self._refused = 0
        self._seats.begin()
        return self._now()

    def step(self, action: np.int64) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Takes an action; an illegal action changes nothing."""
        if not self._begun:
            raise Refused("reset the environment before the first step")
        try:
            self._seats.act(1, _given.whole("action", action, -(2**31), 2**31))
        except Refused as no:
            if self.strict:
                raise
            self._refused += 1
            observation, info = self._now()
            told = {**info, "refused": str(no), "clause": no.clause}
            return observation, 0.0, False, self._refused >= MOST_REFUSED, told
        self._refused = 0
        over = self._seats.over
        observation, info = self._now()
        return observation, self._seats.reward(1) if over else 0.0, over, False, info

    def render(self) -> str | None:
        """Returns the cards on the table in the mode `"ansi"`."""
        return self._seats.shown() if self.render_mode == "ansi" else None


class VectorEnv(_Restorable, gymnasium.vector.VectorEnv[Observation, NDArray[np.int64], NDArray[Any]]):
    """Thousands of seats, each with its own shoe, stepped in Rust.

    It follows Gymnasium's contract: `reset(seed=7)` seeds the seats with 7, 8, 9 and so on, and a list seeds each of
    them. By default a seat whose round is over shows its final cards, has no allowed action, and begins the next round
    in the next step, whatever its action is then. With `autoreset_mode=AutoresetMode.SAME_STEP` it is asked for the
    next bet immediately, and `info["final_obs"]` and `info["final_info"]` have the last observation and its infos.
    Actions that are not allowed raise `Refused`.

    Args:
        num_envs: How many seats.
        table: The table, or the name of a preset.
        stakes: The possible bets at the start of each round, in initial bets.
        side_wagers: Side bets that the agent may make; the table must offer them.
        count: A count to show in observations, such as `"hi-lo"`.
        fresh_shoes: Whether every round is dealt from a full shoe.
        suits: Whether observations end with the suits of the first cards, named by `SUITS`: 1 to 4 for clubs,
            diamonds, hearts and spades. Seats then draw from shoes of whole cards, which is about a quarter slower.
        copy: Whether arrays are copied before they are returned; otherwise the next step writes into them.
        autoreset_mode: `AutoresetMode.NEXT_STEP` or `AutoresetMode.SAME_STEP`.
        render_mode: `"ansi"`, or None.
        **options: Keys of the table file.

    Examples:
        >>> many = cc.gym.VectorEnv(4, "nj-switch")
        >>> observations, info = many.reset(seed=7)
        >>> many.step(many.action_space.sample())[0].shape
        (4, 20)
    """

    def __init__(
        self,
        num_envs: int = 1,
        table: str | Table = "nj-blackjack",
        *,
        stakes: Sequence[int] = (1,),
        side_wagers: Sequence[str] = (),
        count: str | None = None,
        fresh_shoes: bool = False,
        suits: bool = False,
        copy: bool = True,
        autoreset_mode: AutoresetMode = AutoresetMode.NEXT_STEP,
        render_mode: str | None = None,
        **options: Unpack[TableOptions],
    ) -> None:
        self.table = table_of(table, options)
        self.num_envs = num_envs = _given.whole("num_envs", num_envs, 1, 2**24)
        stakes, side_wagers = wagers_of(self.table, stakes, side_wagers)
        self.stakes = stakes
        if not isinstance(autoreset_mode, AutoresetMode) or autoreset_mode == AutoresetMode.DISABLED:
            raise NotUnderstood(f"autoreset_mode: {_given.shown(autoreset_mode)} is neither NEXT_STEP nor SAME_STEP")
        self._same_step = autoreset_mode == AutoresetMode.SAME_STEP
        self._copy = _given.flag("copy", copy)
        self.render_mode = render_mode_of(render_mode)
        self.metadata = {"render_modes": ["ansi"], "autoreset_mode": autoreset_mode}
        self._made = {
            "num_envs": num_envs,
            "table": self.table,
            "stakes": stakes,
            "side_wagers": side_wagers,
            "count": count,
            "fresh_shoes": fresh_shoes,
            "suits": suits,
            "copy": copy,
            "autoreset_mode": autoreset_mode,
            "render_mode": render_mode,
        }
        actions = len(ACTIONS) + len(stakes) + len(side_wagers)
        self.single_observation_space = observation_space(_given.flag("suits", suits))
        rows = (num_envs, len(FEATURES) + (len(SUITS) if suits else 0))
        self._observations: Observation = np.zeros(rows, dtype=np.int16)
        self._finals: Observation = np.zeros(rows, dtype=np.int16)
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
            _given.optional(_given.text, "count", count),
            _given.flag("fresh_shoes", fresh_shoes),
            suits,
            not self._same_step,
            (self._observations, self.masks, self._rewards, terminated, self._finals),
        )
        self.single_action_space = spaces.Discrete(actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = VectorActions(self.masks)

    def _seeds(self, seed: int | Sequence[int | None] | None) -> list[int]:
        """Returns a seed for every seat; random if none is given."""
        chance = self.np_random.integers(2**63, size=self.num_envs).tolist()
        if not isinstance(seed, Sequence):
            base = _given.optional(_given.whole, "seed", seed, 0, 2**63)
            return chance if base is None else list(range(base, base + self.num_envs))
        if len(seed) != self.num_envs:
            raise NotUnderstood(f"seed: got {len(seed)} seeds for {self.num_envs} seats; give one per seat")
        return [one if own is None else _given.whole("seed", own, 0, 2**64 - 1) for own, one in zip(seed, chance)]

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Starts new shoes.

        Args:
            seed: A seed for each seat, or one seed, from which the seats take consecutive seeds.
            options: `{"reset_mask": mask}` resets only the seats where an array of bools is True.

        Returns:
            The observations of all seats, and `action_mask`.

        Examples:
            >>> many = cc.gym.VectorEnv(2)
            >>> one, info = many.reset(seed=7)
            >>> other, info = many.reset(seed=[7, 8])
            >>> bool((one == other).all())
            True
        """
        mask = (_given.optional(_given.mapping, "options", options) or {}).get("reset_mask")
        super().reset(seed=_given.whole("seed", seed, 0, 2**63) if isinstance(seed, (int, np.integer)) else None)
        seeds: list[int | None] = [*self._seeds(seed)]
        if mask is not None:
            fits = isinstance(mask, np.ndarray) and mask.shape == (self.num_envs,) and mask.dtype == np.bool_
            if not fits or not self._begun:
                raise NotUnderstood(
                    f"options: reset_mask must be an array of {self.num_envs} bools, and needs a reset without it first"
                )
            seeds = [one if wanted else None for one, wanted in zip(seeds, mask, strict=True)]
        self._native.reset(seeds)
        self._begun = True
        return self._kept(self._observations), self._info()

    def _kept(self, array: NDArray[Any]) -> NDArray[Any]:
        return array.copy() if self._copy else array

    def _info(self) -> dict[str, Any]:
        # Gymnasium's infos say beside each key which seats have it
        return {"action_mask": self._kept(self.masks), "_action_mask": np.ones(self.num_envs, dtype=np.bool_)}

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[Observation, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Takes one action per seat."""
        if not self._begun:
            raise Refused("reset the environment before the first step")
        try:
            given = np.ascontiguousarray(actions).astype(np.int64, casting="same_kind", copy=False)
        except (TypeError, ValueError) as error:
            raise NotUnderstood(f"actions: give a whole number for each of {self.num_envs} seats: {error}") from None
        self._native.step(given)
        info = self._info()
        if self._same_step and self._terminated.any():
            final = np.empty(self.num_envs, dtype=object)
            ended = np.flatnonzero(self._terminated)
            for at, last in zip(ended, self._finals[ended], strict=True):
                final[at] = last
            # nothing is allowed any more where a round is over
            told = {"action_mask": np.zeros_like(self.masks), "_action_mask": self._terminated.copy()}
            info |= {"final_obs": final, "_final_obs": self._terminated.copy()}
            info |= {"final_info": told, "_final_info": self._terminated.copy()}
        kept = self._kept
        return kept(self._observations), kept(self._rewards), kept(self._terminated), kept(self._truncated), info

    def _play(self) -> _native.VectorState:
        return self._native.state()

    def _play_on(self, play: SeatsState | _native.VectorState) -> None:
        self._native.restore(_given.kind("state", play, _native.VectorState))

    def render(self) -> tuple[str, ...] | None:
        """Returns the cards of all seats by their values as text in the mode `"ansi"`."""
        if self.render_mode != "ansi":
            return None
        return tuple(_shown(dict(zip(FEATURES, row))) for row in self._observations.tolist())

    def expert(self) -> NDArray[np.int64]:
        """Returns the exact total-dependent chart's action for every seat, at the first stake and without side bets.

        Returns:
            An action for every seat.

        Examples:
            >>> envs = VectorEnv(8, "nj-blackjack")
            >>> observations, info = envs.reset(seed=1)
            >>> envs.expert().shape
            (8,)
        """
        answers = np.zeros(self.num_envs, dtype=np.int64)
        self._native.expert(answers)
        return answers


def _shown(seen: Mapping[str, int]) -> str:
    """Returns the cards that an observation shows as text; of the cards after the second it knows only how many."""

    def cards(*names: str) -> str:
        return "".join(" " + "-A23456789T"[seen[name]] for name in names if seen[name])

    lines = [f"dealer{cards('up', 'hole')}"]
    if seen["cards"]:
        more = f" and {seen['cards'] - 2} more" if seen["cards"] > 2 else ""
        total = f"{'soft ' if seen['soft'] else ''}{seen['total']}{', doubled' if seen['doubled'] else ''}"
        lines.append(f"hand {seen['hand'] + 1}:{cards('first', 'second')}{more}, {total}")
    if seen["other_first"]:
        lines.append(f"other hand:{cards('other_first', 'other_second')}")
    return "\n".join(lines)


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
