"""Regulated blackjack in Python: five sets of regulations, exact values, simulation, live rounds.

>>> import cutcard as cc
>>> t = cc.Table("nj-blackjack", decks=6)
>>> t.edge().house_edge
"""

from __future__ import annotations

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
from .table import Table, clauses, compare, presets, replay

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
