"""The fixed tasks of the benchmark, and the value of the best play in each."""

from __future__ import annotations

import functools
import importlib.resources
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .. import _given
from ..table import Table
from .play import best_value, chart_value

Setting = tuple[str, Mapping[str, Any]]
"""The name of a preset, and keys of the table file that differ from it."""


@dataclass(frozen=True)
class Task:
    """A task: the tables to train on and the tables to be scored on.

    From fresh shoes, regret is the solver's value of the best play minus the agent's. If shoes are dealt to the cut
    card, the reference is the best play by the hi-lo count, valued by `cutcard ramp`.

    Examples:
        >>> cc.benchmark.TASKS["blackjack-count"].stakes
        (1, 2, 4, 8)
    """

    name: str
    settings: tuple[Setting, ...]
    """The tables that an agent may train on."""
    held_out: tuple[Setting, ...] = ()
    """The tables that an agent is scored at. If empty, it is scored at the tables of the training."""
    stakes: tuple[int, ...] = (1,)
    side_wagers: tuple[str, ...] = ()
    count: str | None = None
    """The count that is shown, if any; the shoe is then dealt to the cut card."""

    def _tables(self, settings: tuple[Setting, ...]) -> list[Table]:
        return [Table(name, **options) for name, options in settings]

    @property
    def training(self) -> list[Table]:
        """The tables that an agent may train on."""
        return self._tables(self.settings)

    @property
    def scored(self) -> list[Table]:
        """The tables that an agent is scored on."""
        return self._tables(self.held_out or self.settings)

    @property
    def fresh_shoes(self) -> bool:
        """Whether every round is dealt from a full shoe."""
        return self.count is None

    def environment(self, table: Table, seats: int) -> Any:
        """Creates the environment of this task at a table.

        Args:
            table: One of the tables of the task.
            seats: The number of seats.

        Returns:
            A `cutcard.gym.VectorEnv` with same-step reset.

        Examples:
            >>> task = cc.benchmark.TASKS["blackjack"]
            >>> task.environment(task.scored[0], 2).num_envs
            2
        """
        from gymnasium.vector import AutoresetMode

        from ..gym import VectorEnv

        return VectorEnv(
            seats,
            table,
            stakes=self.stakes,
            side_wagers=self.side_wagers,
            count=self.count,
            fresh_shoes=self.fresh_shoes,
            copy=False,
            autoreset_mode=AutoresetMode.SAME_STEP,
        )

    def best(self, table: Table) -> float:
        """Returns the value of the best play at a table, in initial bets per round.

        Args:
            table: One of the tables of the task.

        Returns:
            The value with the best stake and every profitable side bet, by count if one is shown.

        Examples:
            >>> task = cc.benchmark.TASKS["blackjack-stakes"]
            >>> round(task.best(task.scored[0]), 6)
            -0.004046
        """
        if self.count is not None:
            return sum(
                row["frequency"] * max(stake * row["ev"] for stake in self.stakes) for row in by_count(table.name)
            )
        main = max(stake * best_value(table) for stake in self.stakes)
        if not self.side_wagers:
            return main
        # a side bet is independent of the main game: it is worth making if its own edge favors the player
        from .._seats import Seats

        edges = table.edge(spread=False).side_wagers
        seats = Seats(table, 1, self.stakes, self.side_wagers, None, True)
        shares = {side: 100 * float(amount) / seats.unit for side, amount in seats.side_amounts.items()}
        return main + sum(max(-edges[side].house_edge, 0.0) * shares[side] for side in self.side_wagers)

    def chart(self, table: Table) -> float | None:
        """Returns the value of the exact total-dependent chart at the first stake, if it is known exactly.

        Args:
            table: One of the tables of the task.

        Returns:
            The value, or None if shoes are dealt to the cut card.

        Examples:
            >>> task = cc.benchmark.TASKS["blackjack-count"]
            >>> task.chart(task.scored[0]) is None
            True
        """
        return self.stakes[0] * chart_value(table) if self.fresh_shoes else None


@functools.lru_cache(maxsize=None)
def references() -> dict[str, Any]:
    """Reads the values of each hi-lo count at the tasks' tables, as printed by `cutcard ramp`."""
    text = importlib.resources.files(__package__).joinpath("by_count.json").read_text()
    return dict(json.loads(text))


def by_count(table: str) -> list[dict[str, float]]:
    """Returns the counts of a table with their frequency and the exact value of a round."""
    known = references()["tables"]
    _given.known("table with values by count", table, known)
    return list(known[table])


_GAMES = {
    "blackjack": "nj-blackjack",
    "switch": "nj-switch",
    "double-attack": "nj-double-attack",
    "triple-attack": "nj-triple-attack",
}


STAKES = (1, 2, 4, 8)


def _rules(preset: str = "nj-blackjack", /, **options: Any) -> Setting:
    return preset, options


def _tasks() -> dict[str, Task]:
    made = [Task(name, ((table, {}),)) for name, table in _GAMES.items()]
    counted = {name: table for name, table in _GAMES.items() if table in references()["tables"]}
    made += [Task(f"{name}-count", ((table, {}),), count="hi-lo", stakes=STAKES) for name, table in counted.items()]
    made += [
        # the house wins at eight decks, so the least stake is right, and loses at one, so the greatest is
        Task("blackjack-stakes", (_rules(),), stakes=STAKES),
        Task("blackjack-single-deck-stakes", (_rules(decks=1, resplit_aces=True, surrender=True),), stakes=STAKES),
        Task(
            "blackjack-side-wagers",
            (_rules(decks=6, side_wagers={"match-the-dealer": True, "over-under-13": True}),),
            side_wagers=("match-the-dealer", "over-13", "under-13"),
        ),
        Task("triple-attack-side-wagers", (("nj-triple-attack", {}),), side_wagers=("suited-royals", "triple-match")),
        # no scored table occurs in the training, but each of its options does
        Task(
            "blackjack-rules",
            (
                _rules(decks=8),
                _rules(decks=8, soft_17="hit", surrender=True),
                _rules(decks=6, surrender=True),
                _rules(decks=6, soft_17="hit", split_hands=2),
                _rules(decks=2, resplit_aces=True),
                _rules(decks=1, soft_17="hit"),
            ),
            (
                _rules(decks=8, surrender=True, resplit_aces=True),
                _rules(decks=6, soft_17="hit", surrender=True),
                _rules(decks=2, soft_17="hit", split_hands=2),
                _rules(decks=1, surrender=True),
            ),
        ),
        Task(
            "switch-rules",
            (
                _rules("nj-switch"),
                _rules("nj-switch", decks=8),
                _rules("nj-switch", decks=8, surrender=True),
                _rules("nj-switch", split_hands=4, resplit_aces=True),
            ),
            (
                _rules("nj-switch", surrender=True),
                _rules("nj-switch", decks=8, surrender=True, split_hands=4, resplit_aces=True),
            ),
        ),
        Task(
            "double-attack-rules",
            (
                _rules("nj-double-attack"),
                _rules("nj-double-attack", decks=6),
                # with seven positions the rules allow three hands of a split
                _rules("nj-double-attack", positions=7, split_hands=3),
            ),
            (_rules("nj-double-attack", decks=6, positions=7, split_hands=3),),
        ),
        Task(
            "triple-attack-rules",
            (
                _rules("nj-triple-attack"),
                _rules("nj-triple-attack", hole_card="reader"),
                _rules("nj-triple-attack", split_hands=2),
                _rules("nj-triple-attack", split_hands=3, resplit_aces=True),
                _rules("nj-triple-attack", resplit_aces=True),
            ),
            (
                _rules("nj-triple-attack", split_hands=3),
                _rules("nj-triple-attack", hole_card="reader", resplit_aces=True),
                _rules("nj-triple-attack", hole_card="reader", split_hands=2),
            ),
        ),
    ]
    return {task.name: task for task in made}


TASKS = _tasks()
"""Every task, by name."""
