"""Exact values to measure agents against: what perfect play earns in each environment, worked out by the solver.

`values` lists them, and `evaluate` plays a policy and says what it gives away.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, SupportsIndex, Unpack

from . import _given
from .errors import NotUnderstood
from .table import Table

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from .gym import EnvironmentOptions

TABLES = {
    "cutcard/Blackjack-v0": "nj-blackjack",
    "cutcard/Switch-v0": "nj-switch",
    "cutcard/DoubleAttack-v0": "nj-double-attack",
    "cutcard/TripleAttack-v0": "nj-triple-attack",
}


@dataclass(frozen=True)
class Exact:
    """The exact value of an environment with `fresh_shoes=True`, in initial wagers a round."""

    environment: str
    table: str
    best: float
    """Of play that is best for the exact cards: no agent can do better."""
    by_totals: float
    """Of the best play by totals, that of the charts: what an agent who sees these observations can learn at least."""
    std_dev: float
    """Of one round under the best play: how many rounds a measurement takes."""


@dataclass(frozen=True)
class Score:
    """What a policy earned.

    Examples:
        >>> score = cc.evaluate("expert", rounds=1e4)
        >>> score.regret == score.best - score.mean
        True
    """

    rounds: int
    mean: float
    std_error: float
    best: float
    """What the best play earns exactly: at the greatest stake if it wins, otherwise at the least, without side wagers."""

    @property
    def regret(self) -> float:
        """What the policy gives away against exact play, in initial wagers a round."""
        return self.best - self.mean


@functools.lru_cache(maxsize=None)
def exact(table: Table, environment: str = "") -> Exact:
    """The exact values of a table."""
    edge = table.edge()
    by_totals = table.edge(strategy="total-dependent", spread=False)
    return Exact(environment, table.name, edge.ev, by_totals.ev, edge.std_dev)


@functools.lru_cache(maxsize=None)
def _best(table: Table) -> float:
    """What the best play earns, without the spread that takes longer."""
    return -table._table.house_edge("composition-dependent")


def values(*environments: str) -> list[Exact]:
    """Works out the exact values of environments.

    Args:
        *environments: Their names; all four if none are named.

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
    """Plays a policy in fresh shoes and says what it gives away.

    Args:
        policy: A function from observations and masks, one row a seat, to actions; `"expert"` plays the exact chart.
        table: The table, or the name of a preset.
        rounds: How many rounds are played, all seats together.
        seats: How many of them at a time.
        seed: The same seed deals the same cards.
        **options: Options of `cutcard.gym.VectorEnv`: stakes, side wagers, a count, and keys of the table file.

    Returns:
        The mean with its standard error, and the exact value of the best play with these stakes.

    Examples:
        >>> cc.evaluate("expert", "nj-blackjack", rounds=1e4).rounds
        10000
    """
    from gymnasium.vector import AutoresetMode

    from .gym import VectorEnv

    if policy != "expert" and not callable(policy):
        raise NotUnderstood(
            f'policy: {policy!r} is neither a function from observations and masks to actions, nor "expert"'
        )
    played = _given.whole("rounds", rounds, 1, 10**15)
    seats = min(_given.whole("seats", seats, 1, 2**24), played)
    env = VectorEnv(
        seats, table, fresh_shoes=True, copy=False, autoreset_mode=AutoresetMode.SAME_STEP, **options
    )
    observations, _ = env.reset(seed=_given.whole("seed", seed, 0, 2**63))
    import numpy as np

    # how many rounds each seat plays is settled beforehand: to stop at a number of all would favour short rounds
    quota = np.full(seats, played // seats, dtype=np.int64)
    quota[: played % seats] += 1
    done = np.zeros(seats, dtype=np.int64)
    total = squares = 0.0
    while (done < quota).any():
        actions = env.expert() if policy == "expert" else policy(observations, env.masks)  # type: ignore[operator]
        observations, rewards, terminated, _, _ = env.step(actions)
        counted = terminated & (done < quota)
        won = rewards[counted].astype(np.float64)
        total += float(won.sum())
        squares += float((won * won).sum())
        done += counted
    mean = total / played
    error = math.sqrt(max(squares / played - mean * mean, 0.0) / played)
    value = _best(env.table)
    # rewards are in initial wagers, so a stake of four wins and loses four times as much
    return Score(played, mean, error, max(stake * value for stake in env.stakes))
