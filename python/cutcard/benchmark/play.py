"""Exact values to measure agents against, and the rounds that measure them."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, SupportsIndex, Unpack

from .. import _given
from ..errors import NotUnderstood
from ..table import Table

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ..gym import EnvironmentOptions, VectorEnv

TABLES = {
    "cutcard/Blackjack-v0": "nj-blackjack",
    "cutcard/Switch-v0": "nj-switch",
    "cutcard/DoubleAttack-v0": "nj-double-attack",
    "cutcard/TripleAttack-v0": "nj-triple-attack",
}


@dataclass(frozen=True)
class Exact:
    """The exact value of an environment with `fresh_shoes=True`, in initial bets per round.

    Examples:
        >>> exact = cc.benchmark.values("cutcard/Blackjack-v0")[0]
        >>> exact.by_totals <= exact.best < 0
        True
    """

    environment: str
    table: str
    best: float
    """The value of the best play for the exact cards. No agent can do better."""
    by_totals: float
    """The value of the best play by totals, as in charts: an agent with these observations can learn at least this."""
    std_dev: float
    """The standard deviation of a round under the best play; it decides how many rounds a measurement takes."""


@dataclass(frozen=True)
class Score:
    """The result of a policy.

    Examples:
        >>> score = cc.evaluate("expert", rounds=1e4)
        >>> score.regret == score.best - score.mean
        True
    """

    rounds: int
    mean: float
    std_error: float
    best: float
    """The exact value of the best play without side bets, at the largest stake if it wins, else the smallest."""

    @property
    def regret(self) -> float:
        """The loss against exact play, in initial bets per round."""
        return self.best - self.mean


@functools.lru_cache(maxsize=None)
def exact(table: Table, environment: str = "") -> Exact:
    """The exact values of a table."""
    edge = table.edge()
    return Exact(environment, table.name, edge.ev, chart_value(table), edge.std_dev)


@functools.lru_cache(maxsize=None)
def best_value(table: Table) -> float:
    """Returns the value of the best play, without the standard deviation, which takes longer."""
    return -table._table.house_edge("composition-dependent")


@functools.lru_cache(maxsize=None)
def chart_value(table: Table) -> float:
    """Returns the value of the exact total-dependent chart."""
    return -table._table.house_edge("total-dependent")


def values(*environments: str) -> list[Exact]:
    """Computes the exact values of environments.

    Args:
        *environments: Their names. Default: all four.

    Returns:
        A row for each.

    Examples:
        >>> [row.table for row in cc.benchmark.values("cutcard/Blackjack-v0")]
        ['nj-blackjack']
    """
    for name in environments:
        _given.known("environment", _given.text("environments", name), TABLES)
    return [exact(Table(TABLES[name]), name) for name in environments or TABLES]


Policy = Callable[["NDArray[np.int16]", "NDArray[np.int8]"], "NDArray[np.int64]"]


def evaluate(
    policy: Policy | str,
    table: str | Table = "nj-blackjack",
    *,
    rounds: float | SupportsIndex = 1_000_000,
    seats: int = 4096,
    seed: int = 0,
    **options: Unpack[EnvironmentOptions],
) -> Score:
    """Plays a policy from fresh shoes and measures its regret.

    Args:
        policy: A function from observations and masks, one row per seat, to actions; `"expert"` plays the exact chart.
        table: The table, or the name of a preset.
        rounds: The number of rounds, over all seats.
        seats: The number of seats played at a time.
        seed: The same seed deals the same cards.
        **options: Options of `cutcard.gym.VectorEnv`: stakes, side bets, a count, and keys of the table file.

    Returns:
        The mean with its standard error, and the exact value of the best play with these stakes.

    Examples:
        >>> cc.evaluate("expert", "nj-blackjack", rounds=1e4).rounds
        10000
    """
    from gymnasium.vector import AutoresetMode

    from ..gym import VectorEnv

    if not callable(policy) and not (isinstance(policy, str) and policy == "expert"):
        raise NotUnderstood(
            'policy: expected a function from observations and masks to actions, or "expert", '
            f"not {_given.shown(policy)}"
        )
    played = _given.whole("rounds", rounds, 1, 10**15)
    seats = min(_given.whole("seats", seats, 1, 2**24), played)
    env = VectorEnv(
        seats, table, fresh_shoes=True, copy=False, autoreset_mode=AutoresetMode.SAME_STEP, **options
    )
    chosen: Policy = (lambda seen, masks: env.expert()) if isinstance(policy, str) else policy
    mean, error = play_on(env, chosen, played, _given.whole("seed", seed, 0, 2**63))
    # rewards are in initial bets, so a stake of four wins and loses four times as much
    return Score(played, mean, error, max(stake * best_value(env.table) for stake in env.stakes))


def play_on(env: VectorEnv, policy: Policy, rounds: int, seed: int) -> tuple[float, float]:
    """Plays consecutive rounds in every seat, and returns the mean reward with its standard error."""
    import numpy as np

    observations, _ = env.reset(seed=seed)
    seats = env.num_envs
    # each seat plays a fixed number of rounds: stopping at a total would favor short rounds
    quota = np.full(seats, rounds // seats, dtype=np.int64)
    quota[: rounds % seats] += 1
    done = np.zeros(seats, dtype=np.int64)
    total = squares = 0.0
    while (done < quota).any():
        observations, rewards, terminated, _, _ = env.step(policy(observations, env.masks))
        counted = terminated & (done < quota)
        won = rewards[counted].astype(np.float64)
        total += float(won.sum())
        squares += float((won * won).sum())
        done += counted
    return _mean(rounds, total, squares)


def play_beside_chart(env: VectorEnv, policy: Policy, rounds: int, seed: int) -> tuple[float, float]:
    """Plays rounds by a policy and by the exact chart, with the same cards.

    Returns the policy's mean gain over the chart, with its standard error. The chart's value is known exactly and
    shared luck cancels out, so a policy close to the chart is measured with almost no error.
    """
    import numpy as np

    seats, total, squares = env.num_envs, 0.0, 0.0

    def chart(seen: object, masks: object) -> NDArray[np.int64]:
        return env.expert()

    for first in range(0, rounds, seats):
        kept = min(seats, rounds - first)
        apart = (_first_rounds(env, policy, seed + first) - _first_rounds(env, chart, seed + first))[:kept]
        total += float(apart.sum())
        squares += float((apart * apart).sum())
    return _mean(rounds, total, squares)


def _first_rounds(env: VectorEnv, policy: Policy, seed: int) -> NDArray[np.float64]:
    """Plays one round in every seat from its own shoe, and returns each result."""
    import numpy as np

    observations, _ = env.reset(seed=seed)
    won, open_ = np.zeros(env.num_envs), np.ones(env.num_envs, dtype=np.bool_)
    while open_.any():
        # a seat that is done plays on uncounted until the last seat is done
        observations, rewards, terminated, _, _ = env.step(policy(observations, env.masks))
        ended = terminated & open_
        won[ended] = rewards[ended]
        open_ &= ~terminated
    return won


def _mean(rounds: int, total: float, squares: float) -> tuple[float, float]:
    mean = total / rounds
    return mean, math.sqrt(max(squares / rounds - mean * mean, 0.0) / rounds)
