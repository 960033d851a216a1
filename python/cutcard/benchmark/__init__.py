"""A benchmark for agents, against exact values: the value of perfect play, computed by the solver.

`values` lists the exact values of the environments, `evaluate` plays a policy at any table, and `score` plays an agent
in one of the fixed `TASKS`. `python -m cutcard.benchmark --help` does the same, and reproduces the baselines.

Examples:
    >>> sorted(cc.benchmark.TASKS)[:2]
    ['blackjack', 'blackjack-count']
"""

from __future__ import annotations

from .play import TABLES, Exact, Policy, Score, evaluate, exact, values
from .scores import Agent, TaskScore, score
from .tasks import TASKS, Task

__all__ = [
    "TABLES",
    "TASKS",
    "Agent",
    "Exact",
    "Policy",
    "Score",
    "Task",
    "TaskScore",
    "evaluate",
    "exact",
    "score",
    "values",
]
