"""Simulations on a Ray cluster, with the same bytes as on one machine.

A task is a row of chunks, about five seconds of them; a chunk is a pure function of the seed and its number, so a task
that was lost is simply played again. The chart is solved once and shipped. Pieces are joined in small groups where they
were made, and merged here from the first chunk on, never too far ahead; the last chunk is cut. So the result is that of
one machine, whatever the cluster did in the meantime.
"""

from __future__ import annotations

import functools
import json
import logging
import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, SupportsIndex

import ray

from . import _native
from .results import Edge, Json, Run
from .table import Progress, Table, _bar, _value, simulation

SECONDS = 5.0
"""How long a task should take."""
GROUP = 4
"""Tasks whose pieces are joined before they come back."""


@functools.lru_cache(maxsize=4)
def _task(about: str, isa: str | None) -> _native.Task:
    return _native.Task(about, isa)


@ray.remote(max_retries=-1, num_cpus=1)
def _play(about: str, first: int, end: int, whole: bool) -> tuple[str, float, int]:
    began = time.process_time()
    played = _task(about, os.environ.get("CUTCARD_ISA")).play(first, end, whole)
    return played, time.process_time() - began, end - first


@ray.remote(max_retries=-1, num_cpus=0)
def _join(*pieces: tuple[str, float, int]) -> tuple[str, float, int]:
    joined = _native.join([piece for piece, _, _ in pieces])
    return joined, sum(seconds for _, seconds, _ in pieces), sum(chunks for _, _, chunks in pieces)


def _cpus() -> int:
    return max(1, int(ray.cluster_resources().get("CPU", 1)))  # type: ignore[no-untyped-call]


def _connect(address: str | None) -> None:
    if not ray.is_initialized():
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)


def _run(coordinator: _native.Coordinator, tell: Callable[[Progress], object] | None, seconds: float) -> Run:
    about = ray.put(coordinator.about())
    whole = coordinator.whole
    out: list[Any] = []
    # a first guess, corrected by how long tasks take
    chunks, cpu, stopped, told = 8, 0.0, False, time.monotonic()
    try:
        while not coordinator.enough:
            cpus = _cpus()
            room = 2 * cpus
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
                raise RuntimeError("nothing is played and nothing is wanted")
            ready, out = ray.wait(out, timeout=0.2)
            for piece, took, done in ray.get(ready):
                cpu += took
                chunks = max(1, min(100_000, int(seconds * done / max(took, 1e-3))))
                coordinator.give(piece)
            if tell is not None and time.monotonic() > told + 0.2 and (now := coordinator.progress()):
                told = time.monotonic()
                tell(Progress(*now))
    except KeyboardInterrupt:
        stopped = True
    for task in out:
        ray.cancel(task, force=False, recursive=True)
    return Run(coordinator.finish(_cpus(), cpu, stopped))


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
    cluster may grow and shrink meanwhile. Ctrl-C gives what there is.
    """
    _connect(address)
    coordinator = _native.Coordinator(table._table, simulation(rounds, **options))
    tell = _bar if progress is True or (progress is None and sys.stderr.isatty()) else progress
    return _run(coordinator, tell if callable(tell) else None, task_seconds)


@ray.remote(max_retries=-1, num_cpus=1)
def _edge(toml: str, options: list[str]) -> str:
    table = _native.Table.from_toml(toml, options, False)
    return table.edge("composition-dependent", False, "", "")


def sweep(table: Table, vary: Mapping[str, Sequence[object]], *, address: str | None = None) -> list[Json]:
    """Every lawful combination of options with its whole edge, a table a task: for sweeps that one machine is too slow for."""
    from .errors import Unlawful

    _connect(address)
    sets: list[dict[str, object]] = [{}]
    for key, values in vary.items():
        sets = [{**one, key: value} for one in sets for value in values]
    lawful = []
    for one in sets:
        try:
            table.replace(**one)
        except Unlawful:
            continue
        lawful.append(one)
    tasks = [_edge.remote(table.toml(), [f"{k}={_value(v)}" for k, v in one.items()]) for one in lawful]
    edges = [Edge(text) for text in ray.get(tasks)]
    return [{"set": one, "house_edge": edge.house_edge, "std_dev": edge.std_dev} for one, edge in zip(lawful, edges)]


def edge_effects(table: Table, *, address: str | None = None) -> dict[str, float]:
    """What each card less of the full shoe does to the player's expectation, a value a task."""
    _connect(address)
    play = ray.remote(max_retries=-1, num_cpus=1)(_removed)
    values = [*"A23456789", "T"]
    full = table.edge().ev
    tasks = {value: play.remote(table.toml(), value) for value in values}
    return {value: ray.get(task) - full for value, task in tasks.items()}


def _removed(toml: str, value: str) -> float:
    edge = _native.Table.from_toml(toml, [], False).edge("composition-dependent", False, value, "")
    return float(json.loads(edge)["main"]["ev"])


def main() -> None:
    """What `cutcard simulate --ray ADDRESS` starts: a description on standard input, the sums on standard output."""
    asked = json.load(sys.stdin)
    _connect(None if asked["address"] in ("", "local") else asked["address"])
    coordinator = _native.Coordinator.from_about(json.dumps(asked["about"]), asked["rounds"], asked["until_error"])
    run = _run(coordinator, _bar if sys.stderr.isatty() else None, SECONDS)
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
    json.dump(answer, sys.stdout)

