"""Simulations: tables without a copy, progress, and a run that is interrupted."""

from __future__ import annotations

import os
import signal
import threading
import time

import duckdb
import polars
import pyarrow
import pytest

import cutcard as cc


def test_tables_are_arrow() -> None:
    run = cc.Table("nj-double-attack").simulate(rounds=200_000, count="hi-lo", strategy="quick", shoes=True)
    for columns in (run.by_count, run.side_wagers, run.shoes):
        table = pyarrow.table(columns)
        assert table.num_rows == len(columns) > 0
        assert table.to_pydict() == columns.to_dict()
        assert polars.DataFrame(columns).to_dict(as_series=False) == columns.to_dict()
    by_count = pyarrow.table(run.by_count)
    told = run.to_dict()["by_count"]
    assert by_count["count"].to_pylist() == [row["count"] for row in told]
    assert by_count["ev"].to_pylist() == [row["ev"] for row in told]
    shoes = pyarrow.table(run.shoes)
    assert duckdb.sql("select sum(rounds) from shoes").fetchall() == [(run.rounds,)]
    net = sum(shoes["net"].to_pylist()) / run.rounds
    assert net == pytest.approx(run.ev, abs=1e-12)


def test_shoes_are_kept_only_when_asked_for() -> None:
    run = cc.Table("nj-blackjack").simulate(rounds=1000, strategy="quick")
    with pytest.raises(ValueError, match="shoes=True"):
        _ = run.shoes
    assert len(run.by_count) == 0


def test_the_lock_is_free_while_it_computes_and_progress_is_told() -> None:
    heard: list[float] = []
    counted = [0]
    done = threading.Event()

    def count() -> None:
        while not done.is_set():
            counted[0] += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    began = time.monotonic()
    cc.Table("nj-blackjack").simulate(rounds=3e7, strategy="quick", threads=1, progress=lambda p: heard.append(p.share))
    took = time.monotonic() - began
    done.set()
    thread.join()
    assert heard == sorted(heard) or took < 0.5
    assert counted[0] > 20 * took


def test_an_interrupt_gives_what_there_is() -> None:
    threading.Timer(1.0, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    run = cc.Table("nj-blackjack").simulate(rounds=1e15, strategy="quick")
    assert run.stopped and 0 < run.rounds < 10**15
    assert run.to_dict()["stopped"] is True


def test_what_a_progress_function_raises_comes_through() -> None:
    def wrong(_: object) -> None:
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        cc.Table("nj-blackjack").simulate(rounds=1e15, strategy="quick", progress=wrong)
