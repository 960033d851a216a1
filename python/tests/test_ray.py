"""A real cluster on this machine: the document is that of one machine, whatever happens to the cluster.

Short here; `CUTCARD_RAY_ROUNDS=2e10 pytest tests/test_ray.py` plays longer.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import ray
from conftest import find_program, printed, timeless
from ray.cluster_utils import Cluster

import cutcard as cc

ROUNDS = int(float(os.environ.get("CUTCARD_RAY_ROUNDS", "5e7")))
TASK = 0.1 if ROUNDS < 1e9 else 5.0
# the number and kind of processors are not part of the result either
MACHINES = {"threads", "instruction_set"}
OPTIONS: dict[str, Any] = {"strategy": "quick", "count": "hi-lo", "ramp": {1: 1, 2: 4}, "seed": 3}
# a node is small: one processor, 80 MB of objects
SMALL = {"num_cpus": 1, "object_store_memory": 80_000_000}


def same(told: dict[str, Any]) -> bytes:
    """What must not differ, to the byte."""
    return json.dumps({key: value for key, value in timeless(told).items() if key not in MACHINES}).encode()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    # workers look for packages in the driver's directory, where the sources of this package have no native module
    before = os.getcwd()
    # the test is in nobody's way: its workers need not stand back
    os.environ["RAY_worker_niceness"] = "0"
    os.chdir(tmp_path_factory.mktemp("driver"))
    made = Cluster(initialize_head=True, head_node_args={**SMALL, "include_dashboard": False})
    ray.init(address=made.address, log_to_driver=False, logging_level=40)
    yield made
    ray.shutdown()
    made.shutdown()
    os.chdir(before)


@pytest.fixture(scope="module")
def alone() -> bytes:
    return same(cc.Table("nj-blackjack").simulate(ROUNDS, **OPTIONS).to_dict())


def played(**more: Any) -> cc.Run:
    return cc.ray.simulate(cc.Table("nj-blackjack"), ROUNDS, task_seconds=TASK, **OPTIONS, **more)


def played_until(wanted: Callable[[cc.Run], bool], alone: bytes, **more: Any) -> cc.Run:
    """Who plays is the cluster's business and differs from run to run; what is played never does."""
    for _ in range(5):
        run = played(**more)
        assert same(run.to_dict()) == alone
        if wanted(run):
            break
    return run


def nodes(run: cc.Run) -> set[str]:
    return {node for node, _ in run.played_by}


def test_calm(cluster: Cluster, alone: bytes) -> None:
    run = played(shoes=False)
    assert same(run.to_dict()) == alone
    assert len(nodes(run)) == 1
    assert sum(run.played_by.values()) > 100


def test_growing_from_one_node_to_three(cluster: Cluster, alone: bytes) -> None:
    def grow(progress: object) -> None:
        if len(cluster.list_all_nodes()) < 3:
            cluster.add_node(**SMALL)

    run = played_until(lambda run: len(nodes(run)) > 1, alone, progress=grow)
    assert len(cluster.list_all_nodes()) == 3
    assert len(nodes(run)) > 1, run.played_by


def test_instruction_sets_are_mixed_and_the_node_is_killed(cluster: Cluster, alone: bytes) -> None:
    node = cluster.add_node(**SMALL, env_vars={"CUTCARD_ISA": "portable"})
    run = played_until(lambda run: "portable" in {isa for _, isa in run.played_by}, alone)
    assert "portable" in {isa for _, isa in run.played_by}, run.played_by
    assert len({isa for _, isa in run.played_by}) > 1 or run.to_dict()["instruction_set"] == "portable"

    killed: list[float] = []

    def kill(progress: cc.Progress) -> None:
        if not killed:
            killed.append(progress.share)
            cluster.remove_node(node, allow_graceful=False)

    assert same(played(progress=kill).to_dict()) == alone
    assert killed and killed[0] < 1


def test_a_worker_is_killed(cluster: Cluster, alone: bytes) -> None:
    killed: list[int] = []
    over = threading.Event()

    def kill() -> None:
        while not killed and not over.wait(0.02):
            listed = subprocess.run(["ps", "-eo", "pid,args"], capture_output=True, text=True).stdout.splitlines()
            for pid in [int(line.split()[0]) for line in listed if "ray::_play" in line][:1]:
                os.kill(pid, signal.SIGKILL)
                killed.append(pid)

    thread = threading.Thread(target=kill)
    thread.start()
    played_until(lambda _: bool(killed), alone)
    over.set()
    thread.join()
    assert killed


def test_the_error_decides(cluster: Cluster) -> None:
    table = cc.Table("nj-double-attack")
    options: dict[str, Any] = {"until_error": 0.0002, "strategy": "quick", "seed": 9}
    run = cc.ray.simulate(table, task_seconds=0.2, **options)
    assert same(run.to_dict()) == same(table.simulate(**options).to_dict())
    assert sum(run.played_by.values()) > 10


def test_the_program_on_a_cluster(cluster: Cluster) -> None:
    for flags in (["--rounds", "3e6", "--boxes", "2"], ["--until-error", "0.1%"]):
        asked = ["simulate", "nj-switch", "--strategy", "quick", "--seed", "4", *flags]
        assert same(printed(*asked, "--ray", cluster.address)) == same(printed(*asked))


LOCAL = """
import os
os.environ["RAY_ADDRESS"] = "127.0.0.1:1"
import cutcard as cc
print(cc.ray.simulate(cc.Table("nj-blackjack"), 1e5, strategy="quick").rounds)
"""


def test_local_is_local_whatever_the_environment_names(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", LOCAL], cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout.strip().endswith("100000"), done.stderr
    asked = ["simulate", "nj-blackjack", "--strategy", "quick", "--rounds", "1e5", "--ray", "local", "--json"]
    environment = {**os.environ, "RAY_ADDRESS": "127.0.0.1:1"}
    done = subprocess.run([find_program(), *asked], env=environment, capture_output=True, text=True)
    assert done.returncode == 0 and json.loads(done.stdout)["rounds"] == 100_000, done.stderr


def test_what_is_wrong_is_told_before_the_cluster_is_asked() -> None:
    table = cc.Table("nj-blackjack")
    with pytest.raises(cc.NotUnderstood, match="shoes: a cluster does not keep single shoes"):
        cc.ray.simulate(table, 1e5, shoes=True)  # type: ignore[arg-type]
    with pytest.raises(cc.NotUnderstood, match="the nearest is `count`"):
        cc.ray.simulate(table, 1e5, cuont="hi-lo")  # type: ignore[call-arg]
    with pytest.raises(cc.NotUnderstood, match="table"):
        cc.ray.simulate("nj-blackjack", 1e5)  # type: ignore[arg-type]
    with pytest.raises(cc.NotUnderstood, match="no column `price`"):
        cc.ray.sweep(table, {"decks": [6]}, sort="price")
    with pytest.raises(cc.NotUnderstood, match="address"):
        cc.ray.sweep(table, {"decks": [6]}, address=3)  # type: ignore[arg-type]


def test_a_cluster_that_is_not_there_is_told() -> None:
    asked = ["simulate", "nj-blackjack", "--strategy", "quick", "--rounds", "1e5", "--ray", "127.0.0.1:1"]
    done = subprocess.run([find_program(), *asked], capture_output=True, text=True)
    assert done.returncode == 1, done.stderr
    assert "no Ray cluster responds at `127.0.0.1:1`" in done.stderr
    assert "Traceback" not in done.stderr


def test_an_interrupt_gives_what_there_is(cluster: Cluster) -> None:
    def interrupt(progress: cc.Progress) -> None:
        if progress.rounds:
            raise KeyboardInterrupt

    began = time.monotonic()
    run = cc.ray.simulate(cc.Table("nj-blackjack"), 1e13, task_seconds=0.2, progress=interrupt, **OPTIONS)
    assert run.stopped and 0 < run.rounds < 1e13 and time.monotonic() - began < 60


def test_a_sweep_on_a_cluster(cluster: Cluster) -> None:
    table = cc.Table("nj-blackjack")
    vary: dict[str, list[object]] = {"decks": [1, 2], "soft_17": ["stand", "hit"]}
    for options in ({"all": True}, {"where": "0%..0.3%", "spread": False}):
        assert cc.ray.sweep(table, vary, **options).to_dict() == table.sweep(vary, **options).to_dict()
    for sort in ("house_edge", "-house_edge", "soft_17", "-decks", "std_dev"):
        options = {"sort": sort, "all": True, "spread": False}
        assert cc.ray.sweep(table, vary, **options).to_dict() == table.sweep(vary, **options).to_dict(), sort
    with pytest.raises(cc.NotUnderstood, match="the nearest is `decks`"):
        cc.ray.sweep(table, {"decs": [6]})


def test_effects_on_a_cluster(cluster: Cluster) -> None:
    table = cc.Table("nj-blackjack", decks=2)
    here = table.edge(effects=True)
    assert timeless(cc.ray.edge_effects(table).to_dict()) == timeless(here.to_dict())
    assert len(here.effects) > 3
