"""Regulated blackjack in Python: five sets of regulations, exact values, simulation, live rounds.

Examples:
    >>> import cutcard as cc
    >>> t = cc.Table("nj-blackjack", decks=6)
    >>> t.edge().house_edge
"""

from __future__ import annotations

import importlib
import importlib.metadata
from typing import TYPE_CHECKING

from .benchmark import Exact, Score, benchmark, evaluate
from .errors import Error, NotUnderstood, Refused, Unlawful, Violation
from .live import Ask, Event, Live
from .results import (
    Check,
    Clause,
    Clauses,
    Comparison,
    Edge,
    Ev,
    Removal,
    Replay,
    Round,
    Run,
    Settlement,
    SideWager,
    Strategy,
    Sweep,
)
from .table import Progress, Table, clauses, compare, presets, replay

__version__ = importlib.metadata.version("cutcard")

__all__ = [
    "Ask",
    "Check",
    "Clause",
    "Clauses",
    "Comparison",
    "Edge",
    "Error",
    "Ev",
    "Event",
    "Exact",
    "Live",
    "NotUnderstood",
    "Progress",
    "Refused",
    "Removal",
    "Replay",
    "Round",
    "Run",
    "Score",
    "Settlement",
    "SideWager",
    "Strategy",
    "Sweep",
    "Table",
    "Unlawful",
    "Violation",
    "benchmark",
    "clauses",
    "compare",
    "evaluate",
    "presets",
    "replay",
]

# parts that need more than this package are loaded when they are named: cc.gym, cc.pettingzoo, cc.ray
if TYPE_CHECKING:
    from . import gym as gym, pettingzoo as pettingzoo, ray as ray
else:

    def __getattr__(name: str) -> object:
        if name in ("gym", "pettingzoo", "ray"):
            return importlib.import_module(f".{name}", __name__)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
