"""A real cluster on this machine: the document is that of one machine, whatever happens to the cluster.

Short here; `CUTCARD_RAY_ROUNDS=2e10 pytest tests/test_ray.py` plays longer.
"""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import ray
from conftest import TIMES, printed, timeless
from ray.cluster_utils import Cluster

import cutcard as cc
import cutcard.ray

ROUNDS = int(float(os.environ.get("CUTCARD_RAY_ROUNDS", "8e7")))
# how many processors took part, and which, is no part of the result either
MACHINES = {"threads", "instruction_set"}
OPTIONS: dict[str, Any] = {"strategy": "quick", "count": "hi-lo", "ramp": {1: 1, 2: 4}, "seed": 3}


def same(run: cc.Run) -> dict[str, Any]:
    told = timeless(run.to_dict())
    return {key: value for key, value in told.items() if key not in MACHINES}


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    # workers look for packages where the driver stands, and the sources of this one have no native module
    os.chdir(tmp_path_factory.mktemp("driver"))
    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    ray.init(address=made.address, log_to_driver=False, logging_level=40)
    yield made
    ray.shutdown()
    made.shutdown()


@pytest.fixture(scope="module")
def alone() -> dict[str, Any]:
    return same(cc.Table("nj-blackjack").simulate(ROUNDS, **OPTIONS))


def workers() -> list[int]:
    """The processes that play."""
    listed = subprocess.run(["ps", "-eo", "pid,args"], capture_output=True, text=True).stdout.splitlines()
    return [int(line.split()[0]) for line in listed if "ray::_play" in line]


def meanwhile(deed: Callable[[], object]) -> threading.Thread:
    thread = threading.Thread(target=deed)
    thread.start()
    return thread


def test_calm_then_growing(cluster: Cluster, alone: dict[str, Any]) -> None:
    table = cc.Table("nj-blackjack")
    assert same(cutcard.ray.simulate(table, ROUNDS, task_seconds=0.3, **OPTIONS)) == alone

    def grow(_: object) -> None:
        if len(cluster.list_all_nodes()) < 3:
            cluster.add_node(num_cpus=1)

    # nodes can be started by the main thread alone, which is the one that is told of the progress
    assert same(cutcard.ray.simulate(table, ROUNDS, task_seconds=0.3, progress=grow, **OPTIONS)) == alone
    assert len(cluster.list_all_nodes()) == 3


def test_a_worker_is_killed(cluster: Cluster, alone: dict[str, Any]) -> None:
    killed: list[int] = []

    def kill() -> None:
        end = time.monotonic() + 20
        while not killed and time.monotonic() < end:
            for pid in workers()[:1]:
                os.kill(pid, signal.SIGKILL)
                killed.append(pid)
            time.sleep(0.02)

    thread = meanwhile(kill)
    assert same(cutcard.ray.simulate(cc.Table("nj-blackjack"), ROUNDS, task_seconds=0.3, **OPTIONS)) == alone
    thread.join()
    assert killed


def test_a_node_is_killed_and_instruction_sets_are_mixed(cluster: Cluster, alone: dict[str, Any]) -> None:
    node = cluster.add_node(num_cpus=1, env_vars={"CUTCARD_ISA": "portable"})
    killed = meanwhile(lambda: (time.sleep(0.3), cluster.remove_node(node, allow_graceful=False)))
    assert same(cutcard.ray.simulate(cc.Table("nj-blackjack"), ROUNDS, task_seconds=0.3, **OPTIONS)) == alone
    killed.join()


def test_the_error_decides(cluster: Cluster) -> None:
    table = cc.Table("nj-double-attack")
    options: dict[str, Any] = {"until_error": 0.0003, "strategy": "quick", "seed": 9}
    assert same(cutcard.ray.simulate(table, task_seconds=0.2, **options)) == same(table.simulate(**options))


def test_the_program_on_a_cluster(cluster: Cluster) -> None:
    flags = ["simulate", "nj-switch", "--rounds", "3e6", "--strategy", "quick", "--seed", "4"]
    here, there = printed(*flags), printed(*flags, "--ray", cluster.address)
    for told in (here, there):
        for key in [*TIMES, *MACHINES]:
            told.pop(key, None)
    assert here == there


def test_edges_on_a_cluster(cluster: Cluster) -> None:
    table = cc.Table("nj-blackjack", decks=1) if cc.Table("nj-blackjack").check().lawful else None
    assert table is not None
    swept = cutcard.ray.sweep(table, {"decks": [1, 2], "surrender": [False, True]})
    here = table.sweep({"decks": [1, 2], "surrender": [False, True]})
    assert [row["house_edge"] for row in swept] == pytest.approx([row["house_edge"] for row in here.tables], abs=1e-12)
    effects = cutcard.ray.edge_effects(table)
    assert effects == pytest.approx(table.removal().main, abs=1e-12)
