"""Result objects around the documents that the program prints; `.to_dict()` returns the document."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from . import _given, _native
from .columns import Columns, Picture, table_html
from .errors import NotUnderstood, Violation

Json = dict[str, Any]


def _percent(share: float) -> str:
    return f"{100 * share:.6f} %"


class Document:
    """A result: the document that the program prints with `--json`, with its provenance."""

    def __init__(self, text: str) -> None:
        self._data: Json = json.loads(text)

    def to_dict(self) -> Json:
        """Returns the document that the program prints with `--json`.

        Returns:
            The document; changing it does not affect the result.

        Examples:
            >>> cc.Table("nj-blackjack").check().to_dict()["lawful"]
            True
        """
        return copy.deepcopy(self._data)

    @property
    def made_by(self) -> Json:
        """The program that made the result."""
        return dict(self._data["made_by"])

    @property
    def of(self) -> Json:
        """The table, strategy, count and seed that the result is about."""
        return copy.deepcopy(dict(self._data["of"]))

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other._data == self._data

    def __hash__(self) -> int:
        return hash((type(self), json.dumps(self._data, sort_keys=True)))


class Check(Document):
    """The result of checking whether a table is legal.

    Examples:
        >>> cc.Table("nj-blackjack").check().violations
        []
    """

    @property
    def lawful(self) -> bool:
        """Whether the table is legal."""
        return bool(self._data["lawful"])

    def _findings(self, key: str) -> list[Violation]:
        return [Violation(v["clause"], v["message"], tuple(v["keys"])) for v in self._data[key]]

    @property
    def violations(self) -> list[Violation]:
        """All violations, each with its clause."""
        return self._findings("violations")

    @property
    def warnings(self) -> list[Violation]:
        """Requirements that a table file cannot show: notices, approvals and equipment."""
        return self._findings("warnings")

    def __repr__(self) -> str:
        return f"Check(lawful={self.lawful}, violations={self.violations})"


@dataclass(frozen=True)
class SideWager:
    """A side bet: exact figures, or simulated ones with their error.

    Examples:
        >>> edge = cc.Table("nj-blackjack", side_wagers={"match-the-dealer": True}).edge(spread=False)
        >>> edge.side_wagers["match-the-dealer"].house_edge > 0
        True
    """

    name: str
    house_edge: float
    paytable: str | None = None
    std_dev: float | None = None
    std_error: float | None = None
    exact_edge: str | float | None = None
    """The edge as a fraction if it is known exactly, or the exact figure next to a simulated one."""
    outcomes: tuple[Json, ...] = ()


class Edge(Document):
    """Exact figures of the main game and of every side bet.

    Examples:
        >>> edge = cc.Table("nj-blackjack").edge(spread=False)
        >>> edge.ev == -edge.house_edge
        True
    """

    @property
    def house_edge(self) -> float:
        """The house edge of the main game, per initial bet."""
        return float(self._data["main"]["house_edge"])

    @property
    def ev(self) -> float:
        """The player's expected value: minus the house edge."""
        return float(self._data["main"]["ev"])

    def _spread(self, key: str) -> float:
        if key not in self._data["main"]:
            raise NotUnderstood("the spread was not computed; call edge(spread=True)")
        return float(self._data["main"][key])

    @property
    def std_dev(self) -> float:
        """The standard deviation of a round, in initial bets; absent with `edge(spread=False)`."""
        return self._spread("std_dev")

    @property
    def variance(self) -> float:
        """The square of the standard deviation."""
        return self._spread("variance")

    @property
    def strategy(self) -> str:
        """The strategy that was evaluated."""
        return str(self._data["main"]["strategy"])

    @property
    def insurance_edge(self) -> float | None:
        """The house edge of insurance, if the table offers it."""
        insurance = self._data.get("insurance")
        return None if insurance is None else float(insurance["house_edge"])

    @property
    def side_wagers(self) -> dict[str, SideWager]:
        """The side bets that the table offers, by name."""
        return {
            side["wager"]: SideWager(
                side["wager"],
                side["house_edge"],
                side["paytable"],
                side["std_dev"],
                None,
                side["exact_edge"],
                tuple(side["outcomes"]),
            )
            for side in self._data["side_wagers"]
        }

    @property
    def effects(self) -> list[Json]:
        """The effect of each legal change of one option, if requested."""
        return list(self._data.get("effects", []))

    def __repr__(self) -> str:
        sides = "".join(f", {name}={_percent(side.house_edge)}" for name, side in self.side_wagers.items())
        spread = f", std_dev={self.std_dev:.4f}" if "std_dev" in self._data["main"] else ""
        return f"Edge({_percent(self.house_edge)}{spread}{sides})"

    def _repr_html_(self) -> str:
        spread = f"{self.std_dev:.6f}" if "std_dev" in self._data["main"] else ""
        rows = [("main game", _percent(self.house_edge), spread)]
        for name, side in self.side_wagers.items():
            rows.append((name, _percent(side.house_edge), f"{side.std_dev or 0:.6f}"))
        return table_html(["wager", "house edge", "standard deviation"], rows)


def _actions(entries: Iterable[Json]) -> dict[str, float]:
    return {entry["action"]: entry["ev"] for entry in entries}


class Ev(Document):
    """The exact value of every legal action, best first.

    Examples:
        >>> list(cc.Table("nj-blackjack").ev("T6", up="T").actions)
        ['hit', 'stand', 'double']
    """

    @property
    def best(self) -> str | None:
        """The action with the highest value, or None if there is nothing to decide."""
        best = self._data["best"]
        return None if best is None else str(best)

    @property
    def actions(self) -> dict[str, float]:
        """Every legal action with its value in initial bets, best first."""
        return _actions(self._data["actions"])

    @property
    def other_actions(self) -> dict[str, float]:
        """The actions of the second hand in Switch."""
        return _actions(self._data.get("other_actions", []))

    @property
    def switch(self) -> dict[str, float]:
        """The values of switching and of keeping the cards, in Switch."""
        return _actions(self._data.get("switch", []))

    @property
    def attack(self) -> dict[str, float]:
        """The values of attacking and of passing, in Double and Triple Attack."""
        return _actions(self._data.get("attack", []))

    @property
    def insurance(self) -> float | None:
        """The value of insurance, if offered."""
        return self._data.get("insurance")

    @property
    def even_money(self) -> float | None:
        """The values of even money and of keeping the blackjack, if offered."""
        return self._data.get("even_money")

    def __repr__(self) -> str:
        told = ", ".join(f"{action} {ev:+.6f}" for action, ev in self.actions.items())
        return f"Ev(best={self.best!r}: {told})"

    def _repr_html_(self) -> str:
        return table_html(["action", "value"], [(a, f"{ev:+.8f}") for a, ev in self.actions.items()])


class Strategy(Document):
    """Strategy charts, displayed in notebooks.

    Examples:
        >>> "hard" in cc.Table("nj-blackjack").strategy().chart().lower()
        True
    """

    def __init__(self, document: str, text: str, html: str, svg: str) -> None:
        super().__init__(document)
        self._text, self._html, self._svg = text, html, svg

    def chart(self) -> str:
        """Returns the charts as text.

        Returns:
            The charts as text, one below the other.

        Examples:
            >>> cc.Table("nj-blackjack").strategy().chart().splitlines()[0]
            'nj-blackjack (total-dependent)'
        """
        return self._text

    def html(self) -> str:
        """Returns the charts as a page.

        Returns:
            The page as HTML, with the value of every action.

        Examples:
            >>> cc.Table("nj-blackjack").strategy().html()[:15]
            '<!doctype html>'
        """
        return self._html

    def svg(self) -> str:
        """Returns the charts as a drawing.

        Returns:
            The drawing as SVG.

        Examples:
            >>> cc.Table("nj-blackjack").strategy().svg()[:4]
            '<svg'
        """
        return self._svg

    def __repr__(self) -> str:
        return self.chart()

    def _repr_html_(self) -> str:
        # the HTML page is not used here: its styles would change every table of a notebook
        return f'<div style="background: #fff; max-width: 36em">{self.svg()}</div>'


class Removal(Document):
    """Effects of removal: the change of the player's EV per card removed, by value.

    Examples:
        >>> cc.Table("nj-blackjack").removal(fixed_play=True).insurance["T"] < 0
        True
    """

    @property
    def main(self) -> dict[str, float]:
        """The effects on the main game, by card value."""
        return dict(self._data["main"])

    @property
    def side_wagers(self) -> dict[str, dict[str, float]]:
        """The effects on every side bet, by card value."""
        return {name: dict(effects) for name, effects in self._data["side_wagers"].items()}

    @property
    def insurance(self) -> dict[str, float] | None:
        """The effects on insurance, if the table offers it."""
        effects = self._data.get("insurance")
        return None if effects is None else dict(effects)

    def __repr__(self) -> str:
        return f"Removal({self.main})"


class Sweep(Document):
    """Every legal combination of chosen options with its house edge.

    A sweep is also an Arrow table: polars, DuckDB and pyarrow read it directly, and `sweep["house_edge"]` is a column.

    Examples:
        >>> sweep = cc.Table("nj-blackjack").sweep({"decks": [6, 8]}, spread=False)
        >>> sweep["house_edge"][0] < sweep["house_edge"][1]
        True
    """

    @property
    def tables(self) -> list[Json]:
        """One row per table: the options set, and the figures."""
        return list(self._data["tables"])

    @property
    def columns(self) -> Columns:
        """The rows as columns: the options, then the figures (NaN if a table is illegal)."""
        tables = self._data["tables"]
        keys = tables[0]["set"] if tables else ()
        options = {key: _column([table["set"][key] for table in tables]) for key in keys}
        figures: dict[str, list[float]] = {}
        for name in ("house_edge", "std_dev"):
            if name == "house_edge" or any(name in table for table in tables):
                figures[name] = [float(table.get(name, "nan")) for table in tables]
        for side in dict.fromkeys(side for table in tables for side in table.get("side_wagers", ())):
            figures[side] = [float(table.get("side_wagers", {}).get(side, "nan")) for table in tables]
        return Columns({**options, **figures})

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self.columns.__arrow_c_stream__(requested_schema)

    def __getitem__(self, name: str) -> list[Any]:
        return self.columns[name]

    def __len__(self) -> int:
        return len(self._data["tables"])

    def __repr__(self) -> str:
        return f"Sweep({len(self)} tables)\n{self.columns!r}"

    def _repr_html_(self) -> str:
        return self.columns._repr_html_()


def _column(values: list[Any]) -> list[Any]:
    """Returns values of one type; others as text."""
    whole = all(isinstance(value, int) and not isinstance(value, bool) for value in values)
    real = all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in values)
    if whole or real:
        return values if whole else [float(value) for value in values]
    return [value if isinstance(value, str) else json.dumps(value) for value in values]


class Comparison(Document):
    """Why two tables differ: the difference of their house edges, option by option. It is also an Arrow table.

    Examples:
        >>> table = cc.Table("nj-blackjack")
        >>> table.compare(table.replace(surrender=True)).columns["option"]
        ['surrender']
    """

    @property
    def difference(self) -> float:
        """The second house edge minus the first."""
        return float(self._data["difference"])

    @property
    def by_option(self) -> list[Json]:
        """The part of each option in the difference."""
        return list(self._data["by_option"])

    @property
    def columns(self) -> Columns:
        """The parts as columns: option, its values at both tables, and its contribution."""
        parts = self._data["by_option"]
        texts = {key: [str(part[key]) for part in parts] for key in ("option", "a", "b")}
        return Columns({**texts, "value": [float(part["value"]) for part in parts]})

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self.columns.__arrow_c_stream__(requested_schema)

    def __repr__(self) -> str:
        parts = ", ".join(f"{part['option']} {_percent(part['value'])}" for part in self.by_option)
        return f"Comparison({_percent(self.difference)}: {parts})"

    def _repr_html_(self) -> str:
        rows = [(p["option"], p["a"], p["b"], _percent(p["value"])) for p in self.by_option]
        return table_html(["option", "a", "b", "change"], rows)


class Run(Document):
    """A simulation run. Its tables are Arrow: pass them directly to polars, pandas, DuckDB or pyarrow.

    Examples:
        >>> run = cc.Table("nj-blackjack").simulate(1e4, strategy="quick", count="hi-lo")
        >>> run.plot()
        Picture('edge-by-count')
    """

    def __init__(self, run: _native.Run, document: str | None = None) -> None:
        super().__init__(run.document() if document is None else document)
        self._run = run
        self.played_by: dict[tuple[str, str], int] = {}
        """On a cluster: how many chunks each node played, and with which instruction set."""

    def __reduce__(self) -> tuple[Callable[..., Run], tuple[object, ...]]:
        run = self._run
        return _restored, (run.part(), run.stopped, run.shoe_columns(), json.dumps(self._data), self.played_by)

    @property
    def rounds(self) -> int:
        """The number of rounds played."""
        return int(self._data["rounds"])

    @property
    def ev(self) -> float:
        """The mean result of a round, in initial bets."""
        return float(self._data["ev"])

    @property
    def house_edge(self) -> float:
        """Minus the mean result."""
        return float(self._data["house_edge"])

    @property
    def std_error(self) -> float:
        """The standard error of the edge."""
        return float(self._data["std_error"])

    @property
    def std_dev(self) -> float:
        """The standard deviation of a round."""
        return float(self._data["std_dev"])

    @property
    def risk(self) -> Json:
        """The risk figures for a bankroll."""
        return dict(self._data["risk"])

    @property
    def stopped(self) -> bool:
        """Whether the run was interrupted."""
        return self._run.stopped

    @property
    def by_count(self) -> Columns:
        """The rounds by their initial count."""
        return Columns(self._run.by_count())

    @property
    def side_wagers(self) -> Columns:
        """The side bets made, one row each."""
        return Columns(self._run.side_wagers())

    @property
    def shoes(self) -> Columns:
        """The result of every shoe; `simulate(..., shoes=True)` keeps them."""
        shoes = self._run.shoes()
        if shoes is None:
            raise NotUnderstood("the results of single shoes were not kept; call simulate(..., shoes=True)")
        return Columns(shoes)

    def plot(self, picture: str | None = None) -> Picture:
        """Draws the run.

        Args:
            picture: `"edge-by-count"`, `"distribution"`, `"bankroll"` or `"risk"`; Default: the edge by count if
                cards were counted, otherwise the distribution.

        Returns:
            The plot as SVG, displayed in notebooks; `draw()` draws it with matplotlib.

        Examples:
            >>> cc.Table("nj-blackjack").simulate(1e4, strategy="quick").plot("bankroll")
            Picture('bankroll')
        """
        pictures = {name: (svg, shapes) for name, svg, shapes in self._run.pictures()}
        name = _given.optional(_given.text, "picture", picture)
        if name is None:
            name = "edge-by-count" if "edge-by-count" in pictures else "distribution"
        _given.known("picture", name, pictures)
        return Picture(name, *pictures[name])

    def __repr__(self) -> str:
        error = f"{_percent(self.house_edge)} ± {_percent(self.std_error)}"
        return f"Run({self.rounds:,} rounds, house edge {error}{', stopped' if self.stopped else ''})"

    def _repr_html_(self) -> str:
        rows = [("main game", _percent(self.house_edge), _percent(self.std_error))]
        for side in self._data["side_wagers"]:
            rows.append((side["wager"], _percent(side["house_edge"]), _percent(side["std_error"])))
        return f"<p>{self.rounds:,} rounds</p>" + table_html(["wager", "house edge", "standard error"], rows)


def _restored(
    part: str, stopped: bool, shoes: Any, document: str, played_by: dict[tuple[str, str], int]
) -> Run:
    run = Run(_native.Run.from_part(part, stopped, shoes), document)
    run.played_by = played_by
    return run
