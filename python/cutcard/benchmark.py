"""Exact values to measure agents against: what perfect play earns in each environment, worked out by the solver.

>>> import cutcard as cc
>>> for row in cc.benchmark(): print(row)
>>> cc.evaluate(policy, table="nj-blackjack", rounds=1_000_000)      # a Score with its error and its regret
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .errors import NotUnderstood
from .table import Table

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

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
    """What a policy earned."""

    rounds: int
    mean: float
    std_error: float
    best: float
    """What the best play earns exactly."""

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


def benchmark(*environments: str) -> list[Exact]:
    """The exact values of these environments, all four if none are named."""
    unknown = [name for name in environments if name not in TABLES]
    if unknown:
        raise NotUnderstood(f"there is no environment {unknown[0]!r}; there are {', '.join(TABLES)}")
    return [exact(Table(TABLES[name]), name) for name in environments or TABLES]


Policy = Callable[["NDArray[np.int16]", "NDArray[np.int8]"], "NDArray[np.int64]"]


def evaluate(
    policy: Policy | str,
    table: str | Table = "nj-blackjack",
    *,
    rounds: int = 1_000_000,
    seats: int = 4096,
    seed: int = 0,
    **options: Any,
) -> Score:
    """Plays a policy, a function from observations and masks to actions, in fresh shoes; `"expert"` is the exact chart."""
    from .gym import VectorEnv

    if policy != "expert" and not callable(policy):
        raise NotUnderstood(f'{policy!r} is no policy: a function from observations and masks to actions, or "expert"')
    env = VectorEnv(seats, table, fresh_shoes=True, **options)
    observations, _ = env.reset(seed=seed)
    # every seat plays the same number of rounds: to stop at a number of all would favour short rounds
    quota = max(1, -(-rounds // seats))
    import numpy as np

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
    played = quota * seats
    mean = total / played
    error = math.sqrt(max(squares / played - mean * mean, 0.0) / played)
    return Score(played, mean, error, _best(env.table))
