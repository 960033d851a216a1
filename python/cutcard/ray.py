"""Simulations on a Ray cluster, with results identical to one machine.

A task is a range of chunks, about five seconds' worth; a chunk is a pure function of the seed and its number, so a
lost task is simply repeated. The chart is solved once and shipped. Pieces are joined in small groups where they were
made, and merged here from the first chunk on, never too far ahead; the last chunk is cut. So the result is that of
one machine, whatever the cluster did in the meantime.
"""

from __future__ import annotations

import functools
import itertools
import json
import logging
import math
import os
import socket
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, NamedTuple, SupportsIndex, Unpack

import ray

from . import _given, _native
from .errors import Error, NotUnderstood, Refused
from .results import Edge, Json, Run, Sweep
from .table import Progress, SimulationOptions, Table, end_bar, listener, simulation, varied

SECONDS = 5.0
"""The target duration of a task, in seconds."""
GROUP = 4
"""The number of tasks whose pieces are joined before they are returned."""


@functools.lru_cache(maxsize=4)
def _task(about: str, isa: str | None) -> _native.Task:
    return _native.Task(about, isa)


class Done(NamedTuple):
    """Finished chunks: their sums, the CPU time, and how many each node played.

    Examples:
        >>> Done("", 0.5, {("node", "avx2"): 3, ("other", "avx2"): 1}).chunks
        4
    """

    piece: str
    seconds: float
    by: dict[tuple[str, str], int]

    @property
    def chunks(self) -> int:
        """The number of chunks."""
        return sum(self.by.values())


@ray.remote(max_retries=-1, num_cpus=1)
def _play(about: str, first: int, end: int, whole: bool) -> Done:
    began = time.process_time()
    task = _task(about, os.environ.get("CUTCARD_ISA"))
    piece = task.play(first, end, whole)
    node = ray.get_runtime_context().get_node_id()
    return Done(piece, time.process_time() - began, {(node, task.instruction_set): end - first})


@ray.remote(max_retries=-1, num_cpus=0)
def _join(*done: Done) -> Done:
    by: Counter[tuple[str, str]] = Counter()
    for one in done:
        by.update(one.by)
    return Done(_native.join([one.piece for one in done]), sum(one.seconds for one in done), dict(by))


def _cpus() -> int:
    return max(1, int(ray.cluster_resources().get("CPU", 1)))  # type: ignore[no-untyped-call]


def _connect(address: str | None) -> None:
    """Uses the cluster that this process is connected to, or connects to `address`.

    Without an address, starts a local cluster, because Ray would otherwise attach to whatever `RAY_ADDRESS` or an old
    cluster file names.
    """
    where = _given.optional(_given.text, "address", address) or "local"
    if ray.is_initialized():
        return
    try:
        # Ray would retry for minutes; a direct connection shows at once whether anybody listens
        host, _, port = where.removeprefix("ray://").rpartition(":")
        if host and port.isdigit():
            socket.create_connection((host.strip("[]"), int(port)), timeout=10).close()
        ray.init(address=where, log_to_driver=False, logging_level=logging.ERROR)
    except (OSError, ValueError, RuntimeError) as error:
        raise Refused(f"no Ray cluster responds at `{where}`: {error}") from error


def _got(tasks: list[Any]) -> list[Any]:
    """Returns the results of tasks; repeats those of a lost worker, and raises if a worker cannot run at all."""
    try:
        return list(ray.get(tasks))
    except ray.exceptions.RayError as error:
        cause = getattr(error, "cause", None)
        if isinstance(cause, Error):
            # the request was invalid; the cluster is fine
            raise cause from None
        why = str(error).strip().splitlines()[-1]
        raise Refused(f"a cluster node cannot run its part; every node needs this version of cutcard: {why}") from error


def _run(coordinator: _native.Coordinator, tell: Callable[[Progress], object] | None, seconds: float) -> Run:
    about = ray.put(coordinator.about())
    whole = coordinator.whole
    out: list[Any] = []
    by: Counter[tuple[str, str]] = Counter()
    # a first guess, corrected by how long tasks take
    chunks, cpu, stopped, told = 8, 0.0, False, time.monotonic()
    try:
        while not coordinator.enough:
            room = 2 * _cpus()
            while len(out) * GROUP < room:
                group = []
                for _ in range(GROUP):
                    row = coordinator.take(chunks, 3 * room * GROUP * chunks)
                    if row is None:
                        break
                    group.append(_play.remote(about, row[0], row[1], whole))
                if not group:
                    break
                out.append(_join.remote(*group))
            if not out:
                # all that is left is the last chunk, which `finish` cuts
                break
            ready, out = ray.wait(out, timeout=0.2)
            for done in _got(ready):
                cpu += done.seconds
                by.update(done.by)
                chunks = max(1, min(100_000, int(seconds * done.chunks / max(done.seconds, 1e-3))))
                coordinator.give(done.piece)
            if tell is not None and time.monotonic() > told + 0.2:
                told = time.monotonic()
                tell(Progress(*coordinator.progress()))
    except KeyboardInterrupt:
        stopped = True
    for task in out:
        ray.cancel(task, force=False, recursive=True)
    run = Run(coordinator.finish(_cpus(), cpu, stopped))
    run.played_by = dict(by)
    return run


def simulate(
    table: Table,
    rounds: float | SupportsIndex | None = None,
    *,
    address: str | None = None,
    progress: bool | Callable[[Progress], object] | None = None,
    task_seconds: float = SECONDS,
    shoes: Literal[False] = False,
    **options: Unpack[SimulationOptions],
) -> Run:
    """Simulates on a cluster: the document of `Table.simulate`, except for times and the number of CPUs.

    The cluster may grow and shrink during the run. Ctrl-C ends the run with the result so far.

    Args:
        table: The table.
        rounds: The number of rounds, such as `1e12`.
        address: The address of a cluster, or `"auto"` for the one that this machine belongs to. Default: the cluster
            that this process is connected to, or a new one on this machine.
        progress: As in `Table.simulate`.
        task_seconds: The target duration of a task.
        shoes: Must be False: a cluster does not keep per-shoe results.
        **options: Those of `Table.simulate`.

    Returns:
        The run; `played_by` has the number of chunks and the instruction set of each node.

    Examples:
        >>> cc.ray.simulate(cc.Table("nj-blackjack"), 1e12, address="auto")  # doctest: +SKIP
    """
    if _given.flag("shoes", shoes):
        raise NotUnderstood("shoes: a cluster does not keep single shoes; use Table.simulate(..., shoes=True)")
    wanted, heard = simulation(rounds, **options), listener(progress)
    seconds = _given.real("task_seconds", task_seconds)
    native = _given.kind("table", table, Table)._table
    _connect(address)
    run = _run(_native.Coordinator(native, wanted), heard, seconds)
    end_bar(heard)
    return run


@ray.remote(max_retries=-1, num_cpus=1)
def _swept(table: Table, options: list[str], where: str | None, everything: bool, spread: bool) -> Json:
    return dict(json.loads(table._table.sweep(options, where, everything, not spread, None)))


def sweep(
    table: Table,
    vary: Mapping[str, Sequence[object]],
    *,
    where: str | None = None,
    all: bool = False,
    spread: bool = True,
    sort: str | None = None,
    address: str | None = None,
) -> Sweep:
    """Computes a sweep on a cluster, one task per combination: the document of `Table.sweep`.

    Args:
        table: The table.
        vary: The values of each key.
        where: A range of house edges to keep, such as `"0.3%..0.5%"`.
        all: Whether to list illegal combinations too.
        spread: Whether to compute the standard deviations.
        sort: The column to sort by; `"-house_edge"` sorts in descending order.
        address: As in `simulate`.

    Returns:
        One row per combination.

    Examples:
        >>> cc.ray.sweep(cc.Table("nj-blackjack"), {"decks": [6, 8]}, sort="house_edge")  # doctest: +SKIP
    """
    if not varied(vary) or not min(len(values) for values in vary.values()):
        return table.sweep(vary, where=where, all=all, spread=spread, sort=sort)
    if sort is not None:
        _given.known("column", _given.text("sort", sort).removeprefix("-"), ["house_edge", "std_dev", "score", *vary])
    _connect(address)
    shipped = ray.put(_given.kind("table", table, Table))
    each = [[varied({key: [value]})[0] for value in values] for key, values in vary.items()]
    documents = _got([_swept.remote(shipped, list(one), where, all, spread) for one in itertools.product(*each)])
    rows = [row for document in documents for row in document["tables"]]
    if sort is not None:
        rows.sort(key=lambda row: _sorted_by(row, sort.removeprefix("-")))
        rows = rows[::-1] if sort.startswith("-") else rows
    return Sweep(json.dumps({**documents[0], "tables": rows}))


def _sorted_by(row: Json, column: str) -> tuple[float, str]:
    """Returns the sort key of a row, in the program's order: numbers, then texts, then missing values."""
    value = row["set"].get(column) if column in row["set"] else row.get(column)
    number = float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else math.inf
    return number, json.dumps(value) if column in row["set"] else ""


@ray.remote(max_retries=-1, num_cpus=1)
def _edge(table: Table, strategy: str) -> str:
    return table._table.edge(strategy, False, "", "", True)


@ray.remote(max_retries=-1, num_cpus=1)
def _house_edge(toml: str, strategy: str) -> float:
    return _native.Table.from_toml(toml, [], True).house_edge(strategy)


def edge_effects(table: Table, *, strategy: str = "composition-dependent", address: str | None = None) -> Edge:
    """Computes the effects of options on a cluster, one task per change: the document of `Table.edge(effects=True)`.

    Args:
        table: The table.
        strategy: The strategy to evaluate.
        address: As in `simulate`.

    Returns:
        The edges with the effect of each legal change of one option.

    Examples:
        >>> cc.ray.edge_effects(cc.Table("nj-blackjack"))  # doctest: +SKIP
    """
    changed = _given.kind("table", table, Table)._table.changed()
    _given.text("strategy", strategy)
    _connect(address)
    main = _edge.remote(table, strategy)
    tables = [table.toml(), *(toml for _, _, toml in changed)]
    document, stands, *edges = _got([main, *(_house_edge.remote(toml, strategy) for toml in tables)])
    effects = [
        {"key": key, "value": value, "house_edge": edge, "change": edge - stands}
        for (key, value, _), edge in zip(changed, edges, strict=True)
        if edge != stands
    ]
    told = json.loads(document)
    return Edge(json.dumps({**told, "effects": effects} if effects else told))


def main() -> None:
    """Entry point of `cutcard simulate --ray ADDRESS`: reads a job from stdin and writes the sums to stdout."""
    asked = json.load(sys.stdin)
    # output of other code must not mix with the sums
    answers, sys.stdout = sys.stdout, sys.stderr
    try:
        _connect(asked["address"])
        coordinator = _native.Coordinator.from_about(json.dumps(asked["about"]), asked["rounds"], asked["until_error"])
        heard = listener(None)
        run = _run(coordinator, heard, SECONDS)
    except Refused as error:
        json.dump({"refused": str(error)}, answers)
        return
    end_bar(heard)
    told = run.to_dict()
    answer = {
        "part": run._run.part(),
        "threads": told["threads"],
        "seconds": told["seconds"],
        "cpu_seconds": told["cpu_seconds"],
        "stopped": run.stopped,
    }
    json.dump(answer, answers)
