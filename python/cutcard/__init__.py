"""Regulated blackjack in Python: five sets of regulations, exact values, simulation, live rounds.

Examples:
    >>> import cutcard as cc
    >>> cc.Table("nj-blackjack", surrender=True).ev("T6", up="T").best
    'surrender'
"""

from __future__ import annotations

import importlib
import importlib.metadata
from typing import TYPE_CHECKING

from . import benchmark
from .benchmark import Exact, Score, evaluate
from .columns import Columns, Picture
from .errors import Error, NotUnderstood, Refused, Unlawful, Violation
from .live import Ask, Event, Live
from .records import Clause, Clauses, Replay, Round, Settlement
from .results import Check, Comparison, Edge, Ev, Removal, Run, SideWager, Strategy, Sweep
from .table import Progress, SimulationOptions, Table, clauses, compare, presets, replay

__version__ = importlib.metadata.version("cutcard")

__all__ = [
    "Ask",
    "Check",
    "Clause",
    "Clauses",
    "Columns",
    "Comparison",
    "Edge",
    "Error",
    "Ev",
    "Event",
    "Exact",
    "Live",
    "NotUnderstood",
    "Picture",
    "Progress",
    "Refused",
    "Removal",
    "Replay",
    "Round",
    "Run",
    "Score",
    "Settlement",
    "SideWager",
    "SimulationOptions",
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

# modules that need other packages are loaded on first use: cc.gym, cc.pettingzoo, cc.ray and so on
if TYPE_CHECKING:
    from . import dataset as dataset, gym as gym, openspiel as openspiel, pettingzoo as pettingzoo, ray as ray
else:

    def __getattr__(name: str) -> object:
        if name in ("dataset", "gym", "openspiel", "pettingzoo", "ray"):
            return importlib.import_module(f".{name}", __name__)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
