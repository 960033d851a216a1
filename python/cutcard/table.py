"""Tables and their analyses."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any, SupportsIndex, TypedDict, Unpack

from . import _given, _native
from .errors import NotUnderstood
from .records import Clauses, Replay
from .results import Check, Comparison, Edge, Ev, Json, Removal, Run, Strategy, Sweep

if TYPE_CHECKING:
    from ._keys import TableKeys


def _value(key: str, value: object) -> str:
    """Returns a value in table file syntax."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        try:
            # numpy's float is a Python float, but its repr contains the type
            return repr(int(value) if isinstance(value, int) else float(value))
        except ValueError:
            raise NotUnderstood(f"{key}: the number has too many digits") from None
    if isinstance(value, Decimal):
        return json.dumps(str(value))
    if isinstance(value, str):
        return json.dumps(_given.text(key, value), ensure_ascii=False)
    if isinstance(value, Mapping):
        entries = [f"{_value(key, str(name))} = {_value(f'{key}.{name}', inner)}" for name, inner in value.items()]
        return "{" + ", ".join(entries) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_value(key, inner) for inner in value) + "]"
    plain = _plain(value)
    if type(plain) is not type(value):
        return _value(key, plain)
    raise NotUnderstood(f"{key}: {_given.shown(value)} cannot be a value in a table file")


def _plain(value: object) -> object:
    """Converts a NumPy number or array to a Python number or list; returns anything else unchanged."""
    if isinstance(value, type) or not callable(getattr(value, "tolist", None)):
        return value
    return value.tolist()  # type: ignore[attr-defined]


def _changes(options: Mapping[str, object]) -> list[str]:
    return [f"{_given.text('an option', key)}={_value(key, value)}" for key, value in options.items()]


def _shoe(removed: str, shoe: str | Mapping[str, int] | None) -> tuple[str, str]:
    """Returns the removed cards, and the shoe by card value, in the native module's format."""
    gone = _given.text("removed", removed)
    if isinstance(shoe, Mapping):
        counts = {_given.text("shoe", value): _given.whole("shoe", count, 0, 10**6) for value, count in shoe.items()}
        return gone, ",".join(f"{value}={count}" for value, count in counts.items())
    return gone, _given.optional(_given.text, "shoe", shoe) or ""


@dataclass(frozen=True)
class Progress:
    """The progress of a run, passed to the function given as `simulate(progress=...)`.

    Examples:
        >>> heard = []
        >>> run = cc.Table("nj-blackjack").simulate(1e5, strategy="quick", progress=heard.append)
        >>> all(0 < progress.share <= 1 for progress in heard)
        True
    """

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


def listener(progress: object) -> Callable[[Progress], object] | None:
    """Returns the function that receives progress: a progress bar on a terminal."""
    if progress is None:
        return _bar if sys.stderr.isatty() else None
    if callable(progress):
        return progress
    return _bar if _given.flag("progress", progress) else None


def end_bar(heard: Callable[[Progress], object] | None) -> None:
    """Clears the line of the bar."""
    if heard is _bar:
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)


class SimulationOptions(TypedDict, total=False):
    """The options of a simulation, as for `cutcard simulate`.

    Examples:
        >>> options: cc.SimulationOptions = {"count": "hi-lo", "ramp": {1: 1, 2: 4}, "seed": 7}
        >>> cc.Table("nj-blackjack").simulate(1e4, strategy="quick", **options).rounds
        10000
    """

    seed: int
    threads: int | None
    fresh_shoes: bool
    boxes: int
    strategy: str | os.PathLike[str]
    side_wagers: Sequence[str] | None
    count: str | None
    count_by: str | None
    count_start: int | None
    rounding: str
    ramp: str | Mapping[int, int] | None
    side_counts: Mapping[str, str] | None
    side_ramps: Mapping[str, str | Mapping[int, int]] | None
    until_error: float | None
    isa: str | None
    pace: float
    bankroll: float
    trip: float
    risk: float


class Table:
    """A table of one of the games: a preset or a table file, with keys of the table file as options.

    Args:
        table: The name of a preset, or the path of a table file.
        hypothetical: Whether to accept an illegal table; every result then lists the clauses it violates.
        **options: Keys of the table file; a section is a mapping, `rulings={"split_two_card_21": "push"}`.

    Raises:
        Unlawful: The table is not legal; `violations` has every reason with its clause.
        NotUnderstood: The table, a key or a value is unknown.

    Examples:
        >>> import cutcard as cc
        >>> cc.Table("nj-blackjack", decks=6, surrender=True)
        Table('nj-blackjack', decks=6, surrender=True)
    """

    def __init__(
        self, table: str | os.PathLike[str], *, hypothetical: bool = False, **options: Unpack[TableKeys]
    ) -> None:
        self._hypothetical = _given.flag("hypothetical", hypothetical)
        self._table = _native.Table(_given.path("table", table), _changes(options), self._hypothetical)

    @classmethod
    def from_toml(cls, toml: str, *, hypothetical: bool = False, **options: Unpack[TableKeys]) -> Table:
        """Creates a table from the text of a table file.

        Args:
            toml: The text.
            hypothetical: Whether to accept an illegal table.
            **options: Keys of the table file that override those in the text.

        Returns:
            The table.

        Examples:
            >>> cc.Table.from_toml(cc.Table("nj-switch").toml(), decks=8)
            Table('nj-switch', decks=8)
        """
        made = cls.__new__(cls)
        made._hypothetical = _given.flag("hypothetical", hypothetical)
        made._table = _native.Table.from_toml(_given.text("toml", toml), _changes(options), made._hypothetical)
        return made

    def __reduce__(self) -> tuple[Callable[..., Table], tuple[str, bool]]:
        return _restored, (self.toml(), self._hypothetical)

    def __copy__(self) -> Table:
        return self

    def __deepcopy__(self, memo: object) -> Table:
        return self

    def replace(self, **options: Unpack[TableKeys]) -> Table:
        """Returns the same table with other options.

        Args:
            **options: Keys of the table file.

        Returns:
            A new table; this one is not changed.

        Examples:
            >>> cc.Table("nj-blackjack").replace(decks=6)
            Table('nj-blackjack', decks=6)
        """
        return Table.from_toml(self.toml(), hypothetical=self._hypothetical, **options)

    @property
    def name(self) -> str:
        """The name in the table file."""
        return self._table.name

    def toml(self) -> str:
        """Returns the table file as text.

        Returns:
            The text, which `Table.from_toml` reads.

        Examples:
            >>> "decks = 8" in cc.Table("nj-blackjack").toml()
            True
        """
        return self._table.toml()

    def to_dict(self) -> Json:
        """Returns the keys and values of the table file.

        Returns:
            A dictionary; changing it does not change the table.

        Examples:
            >>> cc.Table("nj-blackjack").to_dict()["decks"]
            8
        """
        return dict(json.loads(self._table.document()))

    def check(self) -> Check:
        """Checks whether the table is legal.

        Returns:
            The violations, and requirements that a table file cannot show.

        Examples:
            >>> cc.Table("nj-blackjack").check().lawful
            True
        """
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
        """Computes the exact house edge of the main game and of every side bet.

        Args:
            strategy: The strategy to evaluate: `"composition-dependent"`, `"total-dependent"`, or a strategy file.
            effects: Whether to add the effect of each legal change of one option.
            removed: Cards removed from the shoe, such as `"5x4"` or `"As Kd"`.
            shoe: The shoe by card value: `{"A": 20, "T": 90}` or `"A=20,T=90"`; other values are full.
            spread: Whether to compute the standard deviation, which takes most of the time.

        Returns:
            The edges, with the whole document in `to_dict()`.

        Examples:
            >>> f"{100 * cc.Table('nj-blackjack').edge(spread=False).house_edge:.2f} %"
            '0.40 %'
        """
        return Edge(
            self._table.edge(
                _given.path("strategy", strategy),
                _given.flag("effects", effects),
                *_shoe(removed, shoe),
                _given.flag("spread", spread),
            )
        )

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
        """Computes the exact value of every legal action.

        Args:
            hand: The cards of the hand, such as `"T6"` or `"Ts 6h"`.
            up: The dealer's upcard; both cards if both are dealt face up.
            hand2: The second hand in Switch.
            removed: Cards removed from the shoe.
            shoe: The shoe by card value.
            attacked: Whether the attack bet was made, in Double and Triple Attack.

        Returns:
            The actions with their values, best first.

        Examples:
            >>> cc.Table("nj-blackjack", surrender=True).ev("T6", up="T").best
            'surrender'
        """
        return Ev(
            self._table.ev(
                _given.text("hand", hand),
                _given.text("up", up),
                _given.text("hand2", hand2),
                *_shoe(removed, shoe),
                _given.flag("attacked", attacked),
            )
        )

    def strategy(
        self,
        strategy: str = "total-dependent",
        *,
        removed: str = "",
        shoe: str | Mapping[str, int] | None = None,
    ) -> Strategy:
        """Computes the strategy charts.

        Args:
            strategy: `"total-dependent"` or `"composition-dependent"`.
            removed: Cards removed from the shoe.
            shoe: The shoe by card value.

        Returns:
            The charts as text, HTML and SVG, displayed in notebooks.

        Examples:
            >>> cc.Table("nj-blackjack").strategy().svg()[:4]
            '<svg'
        """
        return Strategy(*self._table.charts(_given.text("strategy", strategy), *_shoe(removed, shoe)))

    def removal(self, *, fixed_play: bool = False) -> Removal:
        """Computes the effects of removal.

        Args:
            fixed_play: Whether to keep the full-shoe strategy instead of re-optimizing it.

        Returns:
            The change of the player's EV per card removed, by value, for every bet.

        Examples:
            >>> cc.Table("nj-blackjack").removal(fixed_play=True).main["5"] > 0
            True
        """
        return Removal(self._table.removal(_given.flag("fixed_play", fixed_play)))

    def sweep(
        self,
        vary: Mapping[str, Sequence[object]],
        *,
        where: str | None = None,
        all: bool = False,
        spread: bool = True,
        sort: str | None = None,
    ) -> Sweep:
        """Solves every legal combination of options.

        Args:
            vary: The values of each key.
            where: A range of house edges to keep, such as `"0.3%..0.5%"`.
            all: Whether to list illegal combinations too.
            spread: Whether to compute the standard deviations.
            sort: The column to sort by; `"-house_edge"` sorts in descending order.

        Returns:
            One row per combination; the sweep is also an Arrow table.

        Examples:
            >>> cc.Table("nj-blackjack").sweep({"decks": [6, 8]}, spread=False)["decks"]
            [6, 8]
        """
        options = varied(vary)
        where, sort = _given.optional(_given.text, "where", where), _given.optional(_given.text, "sort", sort)
        all, spread = _given.flag("all", all), _given.flag("spread", spread)
        return Sweep(self._table.sweep(options, where, all, not spread, sort))

    def compare(self, other: Table) -> Comparison:
        """Explains the difference between this table and another, option by option.

        Args:
            other: The other table.

        Returns:
            The contribution of each option to the difference in house edge; the contributions add up to it.

        Examples:
            >>> table = cc.Table("nj-blackjack")
            >>> table.compare(table.replace(surrender=True)).difference < 0
            True
        """
        return compare(self, other)

    def simulate(
        self,
        rounds: float | SupportsIndex | None = None,
        *,
        progress: bool | Callable[[Progress], object] | None = None,
        shoes: bool = False,
        **options: Unpack[SimulationOptions],
    ) -> Run:
        """Simulates whole shoes on all CPUs.

        Ctrl-C ends the run with the result so far. A table's first simulation solves its exact chart and caches it.

        Args:
            rounds: The number of rounds, such as `1e9`, or the maximum with `until_error`.
            progress: Whether to show a bar, or a function that is called with a :class:`Progress`. Default: show a
                bar on a terminal.
            shoes: Whether to keep the result of every shoe.
            **options: The options of `cutcard simulate`, listed in :class:`SimulationOptions`.

        Returns:
            The run, with its tables in Arrow format.

        Examples:
            >>> run = cc.Table("nj-blackjack").simulate(1e5, strategy="quick", count="hi-lo", ramp={1: 1, 2: 4})
            >>> run.rounds
            100000
        """
        wanted = simulation(rounds, shoes=shoes, **options)
        heard = listener(progress)
        run = self._table.simulate(wanted, None if heard is None else lambda *numbers: heard(Progress(*numbers)))
        end_bar(heard)
        return Run(run)

    def __repr__(self) -> str:
        told = self.to_dict()
        names, _ = _native.presets()
        usual = Table(self.name).to_dict() if self.name in names else {}
        kept = {key: value for key, value in told.items() if key != "name" and value != usual.get(key)}
        shown = kept if usual else {"game": told["game"], "decks": told["decks"]}
        return f"Table({', '.join([repr(self.name), *(f'{key}={value!r}' for key, value in shown.items())])})"

    def _repr_html_(self) -> str:
        return f"<pre>{self.toml()}</pre>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Table) and self.toml() == other.toml()

    def __hash__(self) -> int:
        return hash(self.toml())


def varied(vary: Mapping[str, Sequence[object]]) -> list[str]:
    """Returns options and their values in the syntax of `--vary`."""
    options = []
    for key, values in _given.mapping("vary", vary).items():
        each = [_bare(key, value) for value in _given.values(f"vary: {_given.text('vary', key)}", values)]
        options.append(f"{key}={','.join(each)}")
    return options


def _bare(key: str, value: object) -> str:
    """Returns a value for `--vary`, without quotes around words."""
    return value if isinstance(value, str) and value.replace("-", "").isalnum() else _value(key, value)


def _restored(toml: str, hypothetical: bool) -> Table:
    return Table.from_toml(toml, hypothetical=hypothetical)


def simulation(
    rounds: float | SupportsIndex | None = None, *, shoes: bool = False, **options: Unpack[SimulationOptions]
) -> dict[str, Any]:
    """Returns the options of a simulation in the native module's format."""
    for name in options:
        _given.known("option of a simulation", name, SimulationOptions.__annotations__)
    get = options.get
    side_wagers = _given.optional(_given.texts, "side_wagers", get("side_wagers"))
    side_counts = _given.mapping("side_counts", get("side_counts") or {})
    side_ramps = _given.mapping("side_ramps", get("side_ramps") or {})
    return {
        "rounds": _given.optional(_given.whole, "rounds", rounds, 1, 10**18),
        "seed": _given.whole("seed", get("seed", 1), 0, 2**64 - 1),
        "threads": _given.optional(_given.whole, "threads", get("threads"), 0, 2**31),
        "fresh_shoes": _given.flag("fresh_shoes", get("fresh_shoes", False)),
        "boxes": _given.whole("boxes", get("boxes", 1), 0, 2**31),
        "strategy": _given.path("strategy", get("strategy", "exact")),
        "side_wagers": [] if side_wagers is None else side_wagers or ["none"],
        "count": _given.optional(_given.text, "count", get("count")),
        "count_by": _given.optional(_given.text, "count_by", get("count_by")),
        "count_start": _given.optional(_given.whole, "count_start", get("count_start"), -(2**31), 2**31 - 1),
        "rounding": _given.text("rounding", get("rounding", "down")),
        "ramp": _ramp("ramp", get("ramp")),
        "side_counts": [f"{wager}={_given.text('side_counts', tags)}" for wager, tags in side_counts.items()],
        "side_ramps": [f"{wager}={_ramp('side_ramps', stakes)}" for wager, stakes in side_ramps.items()],
        "until_error": _given.optional(_given.real, "until_error", get("until_error")),
        "isa": _given.optional(_given.text, "isa", get("isa")),
        "pace": _given.real("pace", get("pace", 80.0)),
        "bankroll": _given.real("bankroll", get("bankroll", 200.0)),
        "trip": _given.real("trip", get("trip", 400.0)),
        "risk": _given.real("risk", get("risk", 0.05)),
        "shoes": _given.flag("shoes", shoes),
    }


def _ramp(what: str, ramp: object) -> str | None:
    """Returns a bet ramp in the program's syntax."""
    if not isinstance(ramp, Mapping):
        return _given.optional(_given.text, what, ramp)
    far = 2**31
    stakes = {_given.whole(what, at, -far, far): _given.whole(what, stake, 0, far) for at, stake in ramp.items()}
    return ",".join(f"{at}:{stake}" for at, stake in stakes.items())


def compare(a: Table, b: Table) -> Comparison:
    """Explains the difference between two tables, option by option.

    Args:
        a: The first table.
        b: The second table.

    Returns:
        The contribution of each option to the difference in house edge; the contributions add up to it.

    Examples:
        >>> a = cc.Table("nj-blackjack")
        >>> [part["option"] for part in cc.compare(a, a.replace(surrender=True)).by_option]
        ['surrender']
    """
    return Comparison(_native.compare(_given.kind("a", a, Table)._table, _given.kind("b", b, Table)._table))


def replay(text: str, *, name: str = "round file") -> Replay:
    """Plays a round file.

    Args:
        text: The text of the file.
        name: The file name for messages.

    Returns:
        The rounds, with the clause of every settlement.

    Raises:
        Refused: A line is illegal; the error has the clause and the line.

    Examples:
        >>> cc.replay("table nj-blackjack\\ncards 8s 6h Td 3c Td\\nbet 1 ann 10\\n1 stand\\n").rounds[0].net
        {'ann': Decimal('-10.00')}
    """
    return Replay(_native.replay(_given.text("text", text), _given.text("name", name)))


def clauses(
    id: str | None = None, *, kind: str | None = None, game: str | None = None, state: str | None = None
) -> Clauses:
    """Returns clauses of the catalogue.

    Args:
        id: A number, such as `"36.5(d)"`.
        kind: Only clauses of this kind, such as `"rule"`.
        game: Only clauses of this game, such as `"switch"`.
        state: Only clauses in this state, such as `"proven"`.

    Returns:
        The clauses as a sequence.

    Examples:
        >>> cc.clauses("36.5(d)")[0].id
        '19:47-36.5(d.1)'
    """
    given = {"kind": kind, "game": game, "state": state, "id": id}
    checked = [_given.optional(_given.text, what, value) for what, value in given.items()]
    return Clauses(_native.clauses(*checked))


def presets() -> dict[str, Table]:
    """Returns the preset tables.

    Returns:
        The tables by name.

    Examples:
        >>> "nj-switch" in cc.presets()
        True
    """
    names, _ = _native.presets()
    return {name: Table(name) for name in names}
