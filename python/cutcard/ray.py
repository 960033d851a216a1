"""Simulations on a Ray cluster, with the same bytes as on one machine.

A task is a row of chunks, about five seconds of them; a chunk is a pure function of the seed and its number, so a task
that was lost is simply played again. The chart is solved once and shipped. Pieces are joined in small groups where they
were made, and merged here from the first chunk on, never too far ahead; the last chunk is cut. So the result is that of
one machine, whatever the cluster did in the meantime.
"""

from __future__ import annotations

import functools
import itertools
import json
import logging
import os
import socket
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, SupportsIndex

import ray

from . import _native
from .errors import Refused
from .results import Edge, Json, Run, Sweep
from .table import Progress, Table, _bar, _varied, simulation

SECONDS = 5.0
"""How long a task should take."""
GROUP = 4
"""Tasks whose pieces are joined before they come back."""


@functools.lru_cache(maxsize=4)
def _task(about: str, isa: str | None) -> _native.Task:
    return _native.Task(about, isa)


class Done(NamedTuple):
    """Chunks that were played: their sums, the processor time, and who played how many."""

    piece: str
    seconds: float
    by: dict[tuple[str, str], int]

    @property
    def chunks(self) -> int:
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
    if ray.is_initialized():
        return
    try:
        # Ray tries for minutes; where nobody listens that is known at once
        host, _, port = (address or "").removeprefix("ray://").rpartition(":")
        if host and port.isdigit():
            socket.create_connection((host.strip("[]"), int(port)), timeout=10).close()
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
    except (OSError, ValueError, RuntimeError) as error:
        raise Refused(f"no Ray cluster answers at `{address or 'local'}`: {error}") from error


def _got(tasks: list[Any]) -> list[Any]:
    """What tasks came to. A worker that is lost plays again somewhere else; one that cannot play at all is an error."""
    try:
        return list(ray.get(tasks))
    except ray.exceptions.RayError as error:
        why = str(error).strip().splitlines()[-1]
        raise Refused(f"a node of the cluster cannot do its part; each needs this version of cutcard: {why}") from error


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
    **options: Any,
) -> Run:
    """`Table.simulate` on a cluster: the same options, the same document but for times and the number of processors.

    `address` is that of a cluster, `auto` for the one that this machine belongs to; without it Ray starts one here. The
    cluster may grow and shrink meanwhile. Ctrl-C gives what there is. `played_by` of the run tells how many chunks each node
    played, and with which instructions.
    """
    _connect(address)
    coordinator = _native.Coordinator(table._table, simulation(rounds, **options))
    tell = _bar if progress is True or (progress is None and sys.stderr.isatty()) else progress
    run = _run(coordinator, tell if callable(tell) else None, task_seconds)
    if tell is _bar:
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)
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
    address: str | None = None,
) -> Sweep:
    """`Table.sweep` on a cluster, a combination a task: the same document."""
    _connect(address)
    shipped = ray.put(table)
    each = [[_varied(key, [value]) for value in values] for key, values in vary.items()]
    tasks = [_swept.remote(shipped, list(one), where, all, spread) for one in itertools.product(*each)]
    if not tasks:
        return table.sweep(vary, where=where, all=all, spread=spread)
    documents = _got(tasks)
    rows = [row for document in documents for row in document["tables"]]
    return Sweep(json.dumps({**documents[0], "tables": rows}))


@ray.remote(max_retries=-1, num_cpus=1)
def _edge(table: Table, strategy: str) -> str:
    return table._table.edge(strategy, False, "", "", True)


@ray.remote(max_retries=-1, num_cpus=1)
def _house_edge(toml: str, strategy: str) -> float:
    return _native.Table.from_toml(toml, [], True).house_edge(strategy)


def edge_effects(table: Table, *, strategy: str = "composition-dependent", address: str | None = None) -> Edge:
    """`Table.edge(effects=True)` on a cluster, each lawful change of one option a task: the same document."""
    _connect(address)
    changed = table._table.changed()
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
    """What `cutcard simulate --ray ADDRESS` starts: a description on standard input, the sums on standard output."""
    asked = json.load(sys.stdin)
    # what is printed by others must not come between
    answers, sys.stdout = sys.stdout, sys.stderr
    try:
        _connect(None if asked["address"] in ("", "local") else asked["address"])
        coordinator = _native.Coordinator.from_about(json.dumps(asked["about"]), asked["rounds"], asked["until_error"])
        run = _run(coordinator, _bar if sys.stderr.isatty() else None, SECONDS)
    except Refused as error:
        json.dump({"refused": str(error)}, answers)
        return
    if sys.stderr.isatty():
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)
    told = run.to_dict()
    answer = {
        "part": run._run.part(),
        "threads": told["threads"],
        "seconds": told["seconds"],
        "cpu_seconds": told["cpu_seconds"],
        "stopped": run.stopped,
    }
    json.dump(answer, answers)
