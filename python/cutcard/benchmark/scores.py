"""Scores of agents on the tasks, and score files."""

from __future__ import annotations

import json
import math
import platform
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, SupportsIndex

from .. import _given
from ..errors import NotUnderstood
from ..table import Table
from .play import Policy, play_beside_chart, play_on
from .tasks import TASKS, Task

if TYPE_CHECKING:
    from ..gym import VectorEnv

Agent = Callable[["VectorEnv"], Policy]
"""Returns the policy of an agent for an environment, whose rules are in `env.table` and stakes in `env.stakes`."""

DIGITS = 9
"""The number of decimal places in a score file."""
SEATS = 4096
ROUNDS = 100_000
"""The number of rounds for a score at each table with fresh shoes."""
SHOE_ROUNDS = 2_000_000
"""The number of rounds for a score with shoes dealt to the cut card, where luck does not cancel out."""


@dataclass(frozen=True)
class TaskScore:
    """The result of an agent on a task, table by table.

    Examples:
        >>> chart = cc.benchmark.score("chart", "blackjack", rounds=1e4)
        >>> chart.std_error, f"{chart.regret:.7f}"
        (0.0, '0.0000190')
    """

    task: str
    rounds: int
    seed: int
    tables: tuple[dict[str, Any], ...]
    """One row per table: its options, the value of the best play, and the agent's mean with its standard error."""

    @property
    def regret(self) -> float:
        """The mean regret over the tables, in initial bets per round."""
        return float(sum(row["best"] - row["mean"] for row in self.tables)) / len(self.tables)

    @property
    def std_error(self) -> float:
        """The standard error of the regret."""
        return math.sqrt(sum(row["std_error"] ** 2 for row in self.tables)) / len(self.tables)

    def to_dict(self) -> dict[str, Any]:
        """Returns the score as an entry of a score file.

        Returns:
            The score as numbers, lists and texts.

        Examples:
            >>> cc.benchmark.score("chart", "blackjack", rounds=1e4).to_dict()["rounds"]
            10000
        """
        return {
            "rounds": self.rounds,
            "seed": self.seed,
            "regret": round(self.regret, DIGITS),
            "std_error": round(self.std_error, DIGITS),
            "tables": [{key: _short(value) for key, value in row.items()} for row in self.tables],
        }


def _short(value: Any) -> Any:
    return round(value, DIGITS) if isinstance(value, float) else value


def task_of(task: object) -> Task:
    """Returns a task, given as an object or by name."""
    if isinstance(task, Task):
        return task
    _given.known("task", _given.text("task", task), TASKS)
    return TASKS[str(task)]


def score(
    agent: Agent | str,
    task: Task | str = "blackjack",
    *,
    rounds: float | SupportsIndex | None = None,
    seed: int = 0,
) -> TaskScore:
    """Plays an agent on a task and measures its regret.

    From fresh shoes, the exact chart plays the same cards as the agent, and the difference is added to the chart's
    exact value. So regret is exact for the chart itself, and much more precise for agents that play nearly as well.

    Args:
        agent: A function from the environment to a policy, or the name of a baseline that does not learn.
        task: A task, or its name.
        rounds: How many rounds at each table; by default those of the score files.
        seed: The same seed deals the same cards.

    Returns:
        The score.

    Examples:
        >>> round(cc.benchmark.score("mimic", "blackjack", rounds=1e5).regret, 2)
        0.05
    """
    if isinstance(agent, str):
        from .agents import FIXED

        _given.known("baseline that does not learn", agent, FIXED)
        agent = FIXED[agent]
    elif not callable(agent):
        raise NotUnderstood(
            "agent: expected a function from the environment to a policy, or the name of a baseline, "
            f"not {_given.shown(agent)}"
        )
    played = task_of(task)
    usual = ROUNDS if played.fresh_shoes else SHOE_ROUNDS
    wanted = usual if rounds is None else _given.whole("rounds", rounds, 1, 10**12)
    seed = _given.whole("seed", seed, 0, 2**31)
    rows = tuple(_row(agent, played, table, wanted, seed) for table in played.scored)
    return TaskScore(played.name, wanted, seed, rows)


def _row(agent: Agent, task: Task, table: Table, rounds: int, seed: int) -> dict[str, Any]:
    env = task.environment(table, min(SEATS, rounds))
    policy, chart = agent(env), task.chart(table)
    # no two seeds share a shoe, nor does a score share one with the training
    base = (seed + 1) << 31 if chart is not None else seed
    if chart is None:
        mean, error = play_on(env, policy, rounds, base)
    else:
        more, error = play_beside_chart(env, policy, rounds, base)
        mean = chart + more
    told = table.to_dict()
    usual = Table(table.name).to_dict()
    changed = {key: value for key, value in told.items() if value != usual.get(key)}
    return {"table": table.name, "set": changed, "best": task.best(table), "mean": mean, "std_error": error}


def made_by() -> dict[str, str]:
    """Returns the provenance of a score file: program, version, commit and libraries."""
    import numpy as np

    told = Table("nj-blackjack").ev("T6", up="T").to_dict()["made_by"]
    return {**told, "numpy": np.__version__, "python": platform.python_version()}


def score_file(agent: str, scores: Iterable[Mapping[str, Any]]) -> str:
    """Returns the text of a score file."""
    document = {"agent": agent, "made_by": made_by(), "tasks": list(scores)}
    return json.dumps(document, indent=1) + "\n"


COLOURS = ("#1c6e4a", "#b3541e", "#3b5fa8", "#8a3d8f", "#7a7a1f", "#444444")


def curves_svg(curves: Mapping[str, Sequence[tuple[int, float, float]]], title: str) -> str:
    """Draws the regret of agents by training rounds, with logarithmic axes."""
    width, height, left, low, top_of = 640, 400, 70, 330, 30
    floor, ceiling = 1e-5, 1.0
    rounds = [at for curve in curves.values() for at, _, _ in curve if at]
    first, last = min(rounds, default=1), max(rounds, default=10)

    def x(at: float) -> float:
        return left + (width - left - 20) * math.log(at / first) / max(math.log(last / first), 1e-9)

    def y(regret: float) -> float:
        share = math.log(ceiling / min(max(regret, floor), ceiling)) / math.log(ceiling / floor)
        return top_of + (low - top_of) * share

    parts = [f'<rect width="{width}" height="{height}" fill="white"/><text x="{left}" y="18">{title}</text>']
    for power in range(-5, 1):
        at, label = y(10.0**power), f"{100 * 10.0**power:g} %"
        parts.append(f'<text x="{left - 8}" y="{at + 4:.1f}" text-anchor="end">{label}</text>')
        parts.append(f'<line x1="{left}" x2="{width - 20}" y1="{at:.1f}" y2="{at:.1f}" stroke="#ddd"/>')
    for number, (name, curve) in enumerate(curves.items()):
        colour = COLOURS[number % len(COLOURS)]
        points = " ".join(f"{x(at):.1f},{y(regret):.1f}" for at, regret, _ in curve if at)
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
        place = f'x="{left + 190 * (number % 3)}" y="{low + 36 + 16 * (number // 3)}"'
        parts.append(f'<text {place} fill="{colour}">{name}</text>')
    parts.append(f'<text x="{left}" y="{low + 16}">{first:,}</text>')
    parts.append(f'<text x="{width - 20}" y="{low + 16}" text-anchor="end">{last:,} rounds</text>')
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif"'
    return f'{head} font-size="12">\n' + "\n".join(parts) + "\n</svg>\n"
