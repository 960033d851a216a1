"""Tables and what can be asked about them."""

from __future__ import annotations

import json
import math
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, SupportsIndex

from . import _native
from .errors import NotUnderstood
from .results import Check, Clauses, Comparison, Edge, Ev, Json, Removal, Replay, Run, Strategy, Sweep


def _value(value: object) -> str:
    """A value as a table file writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, Decimal):
        return json.dumps(str(value))
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{json.dumps(str(key))} = {_value(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_value(inner) for inner in value) + "]"
    raise NotUnderstood(f"{value!r} is no value of a table file")


def _changes(options: Mapping[str, object]) -> list[str]:
    return [f"{key}={_value(value)}" for key, value in options.items()]


def _shoe(shoe: str | Mapping[str, int] | None) -> str:
    if shoe is None or isinstance(shoe, str):
        return shoe or ""
    return ",".join(f"{value}={count}" for value, count in shoe.items())


def _whole(what: str, number: float | SupportsIndex) -> int:
    """A whole number that may be written as 1e9."""
    if isinstance(number, float):
        if not math.isfinite(number) or number != int(number):
            raise NotUnderstood(f"{what}: {number} is not a whole number")
        number = int(number)
    if isinstance(number, bool) or not hasattr(number, "__index__"):
        raise NotUnderstood(f"{what}: {number!r} is no number")
    whole = number.__index__()
    if not 0 < whole <= 10**18:
        raise NotUnderstood(f"{what}: {whole} is not between 1 and 1e18")
    return whole


@dataclass(frozen=True)
class Progress:
    """How far a run has come."""

    rounds: int
    share: float
    seconds: float
    rate: float
    ev: float
    error: float


def _bar(progress: Progress) -> None:
    filled = int(20 * progress.share)
    line = (
        f"{'█' * filled}{'░' * (20 - filled)} {100 * progress.share:3.0f} %  {progress.rounds / 1e6:.1f} M rounds  "
        f"{progress.rate / 1e6:.1f} M/s  edge {-100 * progress.ev:.4f} % ± {100 * progress.error:.4f}"
    )
    print(f"\r\x1b[K{line}", end="", file=sys.stderr, flush=True)


class Table:
    """A table: a preset's name or the path of a table file, with keys of the table file as options.

    A table that is not lawful raises :class:`Unlawful` with every violation and its clause; `hypothetical=True` takes it
    all the same, and every answer then names the clauses that it breaks.
    """

    def __init__(self, table: str | os.PathLike[str], *, hypothetical: bool = False, **options: object) -> None:
        self._table = _native.Table(os.fspath(table), _changes(options), hypothetical)
        self._hypothetical = hypothetical

    @classmethod
    def from_toml(cls, toml: str, *, hypothetical: bool = False, **options: object) -> Table:
        """A table from the text of a table file."""
        made = cls.__new__(cls)
        made._table = _native.Table.from_toml(toml, _changes(options), hypothetical)
        made._hypothetical = hypothetical
        return made

    def __reduce__(self) -> tuple[Callable[..., Table], tuple[str, bool]]:
        return _restored, (self.toml(), self._hypothetical)

    def replace(self, **options: object) -> Table:
        """The same table with other options."""
        return Table.from_toml(self.toml(), hypothetical=self._hypothetical, **options)

    @property
    def name(self) -> str:
        """Its name in the table file."""
        return self._table.name

    def toml(self) -> str:
        """The table file."""
        return self._table.toml()

    def to_dict(self) -> Json:
        """The keys and values of the table file."""
        return dict(json.loads(self._table.document()))

    def check(self) -> Check:
        """Whether the table is lawful, and what the law leaves to notices."""
        return Check(self._table.check())

    def edge(
        self,
        *,
        strategy: str | os.PathLike[str] = "composition-dependent",
        effects: bool = False,
        removed: str = "",
        shoe: str | Mapping[str, int] | None = None,
        spread: bool = True,
    ) -> Edge:
        """The exact house edge of the main game and of every side wager.

        `spread=False` leaves out the spread of the main game with its frequencies, which take most of the time; the edges
        are the same.
        """
        return Edge(self._table.edge(os.fspath(strategy), effects, removed, _shoe(shoe), spread))

    def ev(
        self,
        hand: str = "",
        up: str = "",
        *,
        hand2: str = "",
        removed: str = "",
        shoe: str | Mapping[str, int] | None = None,
        attacked: bool = False,
    ) -> Ev:
        """The exact value of every legal action, and the best."""
        return Ev(self._table.ev(hand, up, hand2, removed, _shoe(shoe), attacked))

    def strategy(
        self,
        strategy: str = "total-dependent",
        *,
        removed: str = "",
        shoe: str | Mapping[str, int] | None = None,
    ) -> Strategy:
        """The strategy charts."""
        return Strategy(self._table.charts(strategy, removed, _shoe(shoe)))

    def removal(self, *, fixed_play: bool = False) -> Removal:
        """What it is worth that one card of each value is gone."""
        return Removal(self._table.removal(fixed_play))

    def sweep(
        self,
        vary: Mapping[str, Sequence[object]],
        *,
        where: str | None = None,
        all: bool = False,
        spread: bool = True,
        sort: str | None = None,
    ) -> Sweep:
        """Every lawful combination of options: `t.sweep({"decks": [6, 8], "soft_17": ["stand", "hit"]})`."""
        options = [_varied(key, values) for key, values in vary.items()]
        return Sweep(self._table.sweep(options, where, all, not spread, sort))

    def compare(self, other: Table) -> Comparison:
        """Why this table and another differ, option by option."""
        return compare(self, other)

    def simulate(
        self,
        rounds: float | SupportsIndex | None = None,
        *,
        progress: bool | Callable[[Progress], object] | None = None,
        shoes: bool = False,
        **options: Any,
    ) -> Run:
        """Monte Carlo of the whole shoe game, with the options of :func:`simulation`.

        A bar is shown where somebody waits at a terminal; `progress` may be a function instead. Ctrl-C gives what there
        is. `shoes=True` keeps the result of every shoe. The exact chart is solved by the first simulation of a table and
        kept for the others.
        """
        wanted = simulation(rounds, shoes=shoes, **options)
        tell = _bar if progress is True or (progress is None and sys.stderr.isatty()) else progress
        if callable(tell):
            heard = tell
            run = self._table.simulate(wanted, lambda *numbers: heard(Progress(*numbers)))
            if tell is _bar:
                print("\r\x1b[K", end="", file=sys.stderr, flush=True)
        else:
            run = self._table.simulate(wanted, None)
        return Run(run)

    def __repr__(self) -> str:
        told = self.to_dict()
        return f"Table({self.name!r}, game={told.get('game')!r}, decks={told.get('decks')})"

    def _repr_html_(self) -> str:
        return f"<pre>{self.toml()}</pre>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Table) and self.toml() == other.toml()

    def __hash__(self) -> int:
        return hash(self.toml())


def _varied(key: str, values: Sequence[object]) -> str:
    """An option and its values as `--vary` has them."""
    return f"{key}={','.join(_bare(value) for value in values)}"


def _bare(value: object) -> str:
    """A value in a list of `--vary`: a word stands without quotes."""
    return value if isinstance(value, str) and value.replace("-", "").isalnum() else _value(value)


def _restored(toml: str, hypothetical: bool) -> Table:
    return Table.from_toml(toml, hypothetical=hypothetical)


def simulation(
    rounds: float | SupportsIndex | None = None,
    *,
    seed: int = 1,
    threads: int | None = None,
    fresh_shoes: bool = False,
    boxes: int = 1,
    strategy: str = "exact",
    side_wagers: Sequence[str] | None = None,
    count: str | None = None,
    count_by: str | None = None,
    count_start: int | None = None,
    rounding: str = "down",
    ramp: str | Mapping[int, int] | None = None,
    side_counts: Mapping[str, str] | None = None,
    side_ramps: Mapping[str, str | Mapping[int, int]] | None = None,
    until_error: float | None = None,
    isa: str | None = None,
    pace: float = 80.0,
    bankroll: float = 200.0,
    trip: float = 400.0,
    risk: float = 0.05,
    shoes: bool = False,
) -> dict[str, Any]:
    """The options of a simulation, those of `cutcard simulate`: `count="hi-lo"`, `ramp={1: 1, 2: 4}` and so on."""
    for what, number in (("seed", seed), ("boxes", boxes)):
        if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number < 2**64:
            raise NotUnderstood(f"{what}: {number!r} is no whole number from 0 on")
    for what, word in (("count", count), ("count_by", count_by), ("strategy", strategy), ("isa", isa)):
        if word is not None and not isinstance(word, str):
            raise NotUnderstood(f"{what}: {word!r} is no name")
    ramp = _ramp(ramp)
    return {
        "rounds": None if rounds is None else _whole("rounds", rounds),
        "seed": seed,
        "threads": threads,
        "fresh_shoes": fresh_shoes,
        "boxes": boxes,
        "strategy": strategy,
        "side_wagers": [] if side_wagers is None else list(side_wagers) or ["none"],
        "count": count,
        "count_by": count_by,
        "count_start": count_start,
        "rounding": rounding,
        "ramp": ramp,
        "side_counts": [f"{wager}={tags}" for wager, tags in (side_counts or {}).items()],
        "side_ramps": [f"{wager}={_ramp(stakes)}" for wager, stakes in (side_ramps or {}).items()],
        "until_error": until_error,
        "isa": isa,
        "pace": pace,
        "bankroll": bankroll,
        "trip": trip,
        "risk": risk,
        "shoes": shoes,
    }


def _ramp(ramp: str | Mapping[int, int] | None) -> str | None:
    """Stakes by count as the program reads them."""
    return ",".join(f"{at}:{stake}" for at, stake in ramp.items()) if isinstance(ramp, Mapping) else ramp


def compare(a: Table, b: Table) -> Comparison:
    """Why two tables differ, option by option; the parts add up to the difference."""
    return Comparison(_native.compare(a._table, b._table))


def replay(text: str, *, name: str = "round file") -> Replay:
    """Plays a round file. A refused line raises :class:`Refused` with its clause and line."""
    return Replay(_native.replay(text, name))


def clauses(
    id: str | None = None, *, kind: str | None = None, game: str | None = None, state: str | None = None
) -> Clauses:
    """The clause catalogue, or the clauses of one number: `cc.clauses("36.5(d)")`, `cc.clauses(game="switch")`."""
    return Clauses(_native.clauses(kind, game, state, id))


def presets() -> dict[str, Table]:
    """The preset tables by name."""
    names, _ = _native.presets()
    return {name: Table(name) for name in names}
