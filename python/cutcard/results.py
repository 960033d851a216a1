"""What is answered: objects over the documents that the program prints. `.to_dict()` gives the document itself."""

from __future__ import annotations

import copy
import html
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, overload

from . import _native
from .errors import NotUnderstood, Violation

Json = dict[str, Any]


def _table_html(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    def cells(tag: str, values: Iterable[object]) -> str:
        return "".join(f"<{tag}>{html.escape(str(value))}</{tag}>" for value in values)

    body = "".join(f"<tr>{cells('td', row)}</tr>" for row in rows)
    return f"<table><thead><tr>{cells('th', head)}</tr></thead><tbody>{body}</tbody></table>"


def _percent(share: float) -> str:
    return f"{100 * share:.6f} %"


class Document:
    """A document with its provenance."""

    def __init__(self, text: str) -> None:
        self._data: Json = json.loads(text)

    def to_dict(self) -> Json:
        """The document as the program prints it with `--json`."""
        return copy.deepcopy(self._data)

    @property
    def made_by(self) -> Json:
        """Which program made it."""
        return dict(self._data["made_by"])

    @property
    def of(self) -> Json:
        """Of which table, strategy, count and seed."""
        return copy.deepcopy(dict(self._data["of"]))

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other._data == self._data

    def __hash__(self) -> int:
        return hash((type(self), json.dumps(self._data, sort_keys=True)))


class Check(Document):
    """Whether a table is lawful."""

    @property
    def lawful(self) -> bool:
        """Whether no clause is violated."""
        return bool(self._data["lawful"])

    def _findings(self, key: str) -> list[Violation]:
        return [Violation(v["clause"], v["message"], tuple(v["keys"])) for v in self._data[key]]

    @property
    def violations(self) -> list[Violation]:
        """Everything that a clause does not allow."""
        return self._findings("violations")

    @property
    def warnings(self) -> list[Violation]:
        """What the law leaves to notices that a table file cannot show."""
        return self._findings("warnings")

    def __repr__(self) -> str:
        return f"Check(lawful={self.lawful}, violations={self.violations})"


@dataclass(frozen=True)
class SideWager:
    """A side wager: exact, or simulated with its error."""

    name: str
    house_edge: float
    paytable: str | None = None
    std_dev: float | None = None
    std_error: float | None = None
    exact_edge: str | float | None = None
    """The edge as a fraction where it is worked out, or the exact figure beside a simulated one."""
    outcomes: tuple[Json, ...] = ()


class Edge(Document):
    """Exact figures of the main game and of every side wager."""

    @property
    def house_edge(self) -> float:
        """Of the main game, in initial wagers a round."""
        return float(self._data["main"]["house_edge"])

    @property
    def ev(self) -> float:
        """What the player expects: minus the house edge."""
        return float(self._data["main"]["ev"])

    def _spread(self, key: str) -> float:
        if key not in self._data["main"]:
            raise NotUnderstood("the spread was not worked out: edge(spread=True)")
        return float(self._data["main"][key])

    @property
    def std_dev(self) -> float:
        """Of a round, in initial wagers; `edge(spread=False)` does not have it."""
        return self._spread("std_dev")

    @property
    def variance(self) -> float:
        """Its square."""
        return self._spread("variance")

    @property
    def strategy(self) -> str:
        """The play that is valued."""
        return str(self._data["main"]["strategy"])

    @property
    def insurance_edge(self) -> float | None:
        """The house edge of insurance, where the table has it."""
        insurance = self._data.get("insurance")
        return None if insurance is None else float(insurance["house_edge"])

    @property
    def side_wagers(self) -> dict[str, SideWager]:
        """Every side wager that the table offers, by name."""
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
        """What each lawful change of one option would do, where that was asked."""
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
        return _table_html(["wager", "house edge", "standard deviation"], rows)


def _actions(entries: Iterable[Json]) -> dict[str, float]:
    return {entry["action"]: entry["ev"] for entry in entries}


class Ev(Document):
    """The exact value of every legal action, best first."""

    @property
    def best(self) -> str | None:
        """The action of the greatest value; nothing where none is asked."""
        best = self._data["best"]
        return None if best is None else str(best)

    @property
    def actions(self) -> dict[str, float]:
        """Every legal action with its value in initial wagers, best first."""
        return _actions(self._data["actions"])

    @property
    def other_actions(self) -> dict[str, float]:
        """Of the second hand in Switch."""
        return _actions(self._data.get("other_actions", []))

    @property
    def switch(self) -> dict[str, float]:
        """Switching and leaving the cards as they lie, in Switch."""
        return _actions(self._data.get("switch", []))

    @property
    def attack(self) -> dict[str, float]:
        """Attacking and not, in Double and Triple Attack."""
        return _actions(self._data.get("attack", []))

    @property
    def insurance(self) -> float | None:
        """What insurance is worth, where it is offered."""
        return self._data.get("insurance")

    @property
    def even_money(self) -> float | None:
        """What even money is worth beside the blackjack as it stands, where it is offered."""
        return self._data.get("even_money")

    def __repr__(self) -> str:
        told = ", ".join(f"{action} {ev:+.6f}" for action, ev in self.actions.items())
        return f"Ev(best={self.best!r}: {told})"

    def _repr_html_(self) -> str:
        return _table_html(["action", "value"], [(a, f"{ev:+.8f}") for a, ev in self.actions.items()])


class Strategy(Document):
    """Strategy charts."""

    def __init__(self, charts: _native.Charts) -> None:
        super().__init__(charts.document())
        self._charts = charts

    def chart(self) -> str:
        """The charts as text."""
        return self._charts.text()

    def html(self) -> str:
        """The charts as a page."""
        return self._charts.html()

    def svg(self) -> str:
        """The charts as a drawing."""
        return self._charts.svg()

    def __repr__(self) -> str:
        return self.chart()

    def _repr_html_(self) -> str:
        return self.html()


class Removal(Document):
    """What one card less of each value adds to the player's expectation."""

    @property
    def main(self) -> dict[str, float]:
        """Of the main game, by value of the card."""
        return dict(self._data["main"])

    @property
    def side_wagers(self) -> dict[str, dict[str, float]]:
        """Of every side wager, by value of the card."""
        return {name: dict(effects) for name, effects in self._data["side_wagers"].items()}

    @property
    def insurance(self) -> dict[str, float] | None:
        """Of insurance, where the table has it."""
        effects = self._data.get("insurance")
        return None if effects is None else dict(effects)

    def __repr__(self) -> str:
        return f"Removal({self.main})"


class Sweep(Document):
    """Every lawful combination of chosen options with its house edge."""

    @property
    def tables(self) -> list[Json]:
        """A row for each: what was set, and its figures."""
        return list(self._data["tables"])

    def __len__(self) -> int:
        return len(self._data["tables"])

    def __repr__(self) -> str:
        return f"Sweep({len(self)} tables)"

    def _repr_html_(self) -> str:
        keys = list(self.tables[0]["set"]) if self.tables else []
        rows = [
            [*(table["set"][key] for key in keys), _percent(table["house_edge"]) if "house_edge" in table else "unlawful"]
            for table in self.tables
        ]
        return _table_html([*keys, "house edge"], rows)


class Comparison(Document):
    """Why two tables differ: the difference of their house edges, option by option."""

    @property
    def difference(self) -> float:
        """The second house edge less the first."""
        return float(self._data["difference"])

    @property
    def by_option(self) -> list[Json]:
        """The part of each option in the difference."""
        return list(self._data["by_option"])

    def __repr__(self) -> str:
        parts = ", ".join(f"{part['option']} {_percent(part['value'])}" for part in self.by_option)
        return f"Comparison({_percent(self.difference)}: {parts})"

    def _repr_html_(self) -> str:
        rows = [(p["option"], p["a"], p["b"], _percent(p["value"])) for p in self.by_option]
        return _table_html(["option", "a", "b", "change"], rows)


class Run(Document):
    """A simulation. The tables are Arrow: hand them to polars, pandas, DuckDB or pyarrow as they are."""

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
        """Rounds that were played."""
        return int(self._data["rounds"])

    @property
    def ev(self) -> float:
        """What a round won on average, in initial wagers."""
        return float(self._data["ev"])

    @property
    def house_edge(self) -> float:
        """Minus that."""
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
        """What the play does to a bankroll."""
        return dict(self._data["risk"])

    @property
    def stopped(self) -> bool:
        """Whether it was interrupted before its end."""
        return self._run.stopped

    @property
    def by_count(self) -> _native.Columns:
        """Rounds by the count they began at."""
        return self._run.by_count()

    @property
    def side_wagers(self) -> _native.Columns:
        """The side wagers that were made, a row each."""
        return self._run.side_wagers()

    @property
    def shoes(self) -> _native.Columns:
        """The result of every shoe; `simulate(..., shoes=True)` keeps them."""
        shoes = self._run.shoes()
        if shoes is None:
            raise NotUnderstood("single shoes were not kept: simulate(..., shoes=True)")
        return shoes

    def __repr__(self) -> str:
        error = f"{_percent(self.house_edge)} ± {_percent(self.std_error)}"
        return f"Run({self.rounds:,} rounds, house edge {error}{', stopped' if self.stopped else ''})"

    def _repr_html_(self) -> str:
        rows = [("main game", _percent(self.house_edge), _percent(self.std_error))]
        for side in self._data["side_wagers"]:
            rows.append((side["wager"], _percent(side["house_edge"]), _percent(side["std_error"])))
        return f"<p>{self.rounds:,} rounds</p>" + _table_html(["wager", "house edge", "standard error"], rows)


def _restored(
    part: str, stopped: bool, shoes: Any, document: str, played_by: dict[tuple[str, str], int]
) -> Run:
    run = Run(_native.Run.from_part(part, stopped, shoes), document)
    run.played_by = played_by
    return run


@dataclass(frozen=True)
class Settlement:
    """One wager settled, by its clause."""

    box: int
    hand: int
    player: str
    wager: str
    amount: Decimal
    result: str
    net: Decimal
    clause: str
    when: str
    spot: int | None = None


class Round:
    """One round of a round file."""

    def __init__(self, data: Json) -> None:
        self._data = data

    @property
    def dealer(self) -> Json:
        """The dealer's cards and what they came to."""
        return dict(self._data["dealer"])

    @property
    def hands(self) -> list[Json]:
        """The hands of all boxes."""
        return list(self._data["hands"])

    @property
    def settlements(self) -> list[Settlement]:
        """Every wager, with the clause that it was settled by."""
        return [
            Settlement(**{**wager, "amount": Decimal(wager["amount"]), "net": Decimal(wager["net"])})
            for wager in self._data["wagers"]
        ]

    @property
    def net(self) -> dict[str, Decimal]:
        """What each player won."""
        return {player: Decimal(net) for player, net in self._data["net"].items()}

    def __repr__(self) -> str:
        return f"Round(dealer={self.dealer['cards']!r}, net={self._data['net']})"

    def _repr_html_(self) -> str:
        rows = [(s.player, s.wager, s.amount, s.result, s.net, s.clause) for s in self.settlements]
        return _table_html(["player", "wager", "amount", "result", "net", "clause"], rows)


class Replay(Document):
    """A round file, played."""

    @property
    def rounds(self) -> list[Round]:
        """The rounds in their order."""
        return [Round(data) for data in self._data["rounds"]]

    def __repr__(self) -> str:
        return f"Replay({self.rounds})"


@dataclass(frozen=True)
class Clause:
    """A requirement of the catalogue."""

    id: str
    kind: str
    state: str
    summary: str
    honoured: str
    proven_by: tuple[str, ...]
    cited_in: tuple[str, ...]


class Clauses(Document, Sequence[Clause]):
    """Clauses of the catalogue."""

    @staticmethod
    def _clause(entry: Json) -> Clause:
        proofs = tuple(entry.get("proven_by", ()))
        cited = tuple(entry.get("cited_in", ()))
        return Clause(
            entry["id"], entry["kind"], entry["state"], entry["summary"], entry["honoured"], proofs, cited
        )

    @overload
    def __getitem__(self, at: int) -> Clause: ...
    @overload
    def __getitem__(self, at: slice) -> list[Clause]: ...
    def __getitem__(self, at: int | slice) -> Clause | list[Clause]:
        entries = self._data["clauses"]
        if isinstance(at, slice):
            return [self._clause(entry) for entry in entries[at]]
        return self._clause(entries[at])

    def __len__(self) -> int:
        return len(self._data["clauses"])

    def __iter__(self) -> Iterator[Clause]:
        return (self._clause(entry) for entry in self._data["clauses"])

    def __repr__(self) -> str:
        return f"Clauses({len(self)})"

    def _repr_html_(self) -> str:
        return _table_html(["clause", "kind", "state", "summary"], [(c.id, c.kind, c.state, c.summary) for c in self])
