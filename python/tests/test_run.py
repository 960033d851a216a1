"""Simulations: tables without a copy, progress, and a run that is interrupted."""

from __future__ import annotations

import copy
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import duckdb
import numpy as np
import pandas
import polars
import pyarrow
import pytest

import cutcard as cc
from cutcard import _native
from cutcard.gym import VectorEnv
from cutcard.table import simulation


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


def test_the_chart_of_a_table_is_solved_once() -> None:
    table = cc.Table("nj-blackjack", decks=6)
    before = _native.charts_solved()
    for seed in (1, 2):
        table.simulate(rounds=1000, seed=seed)
    _native.Coordinator(table._table, simulation(1000))
    VectorEnv(4, table).expert()
    assert _native.charts_solved() == before + 1


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


def test_an_interrupt_gives_what_there_is(interruptible: None) -> None:
    playing = threading.Event()

    def press() -> None:
        # once rounds are played, however fast or busy the machine is
        playing.wait()
        os.kill(os.getpid(), signal.SIGINT)

    def heard(progress: cc.Progress) -> None:
        if progress.rounds > 0:
            playing.set()

    threading.Thread(target=press, daemon=True).start()
    run = cc.Table("nj-blackjack").simulate(rounds=1e15, strategy="quick", progress=heard)
    assert run.stopped and 0 < run.rounds < 10**15
    assert run.to_dict()["stopped"] is True


def test_what_a_progress_function_raises_comes_through() -> None:
    def wrong(_: object) -> None:
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        cc.Table("nj-blackjack").simulate(rounds=1e15, strategy="quick", progress=wrong)


@pytest.mark.parametrize(
    "solve",
    [
        'cc.Table("nj-switch").edge(effects=True)',
        'cc.Table("nj-blackjack").sweep({"decks": [1, 2, 4, 6, 8], "soft_17": ["stand", "hit"]})',
        'cc.Table("nj-switch").removal()',
    ],
)
def test_an_interrupt_ends_a_solve_and_its_work(solve: str, tmp_path: Path) -> None:
    # each takes about ten seconds of processor time or more; in a program of its own, since that time is measured
    program = f"""
import os, signal, threading, time
import cutcard as cc
signal.signal(signal.SIGINT, signal.default_int_handler)
pressed = []
before = time.process_time()
def press():
    # once it is at work, however fast or busy the machine is
    while time.process_time() < before + 0.5:
        time.sleep(0.01)
    pressed.append(time.monotonic())
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=press, daemon=True).start()
try:
    {solve}
except KeyboardInterrupt:
    late = time.monotonic() - pressed[0]
    time.sleep(2.0)
    used = time.process_time()
    time.sleep(1.0)
    print(late, time.process_time() - used, flush=True)
os._exit(0)
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout, "it was not interrupted: " + done.stderr
    late, used = map(float, done.stdout.split())
    assert late < 20 and used < 0.2, (late, used)


def test_a_run_is_pickled() -> None:
    run = cc.Table("nj-blackjack", side_wagers={"match-the-dealer": True}).simulate(
        rounds=1e5, strategy="quick", count="hi-lo", ramp={1: 1, 2: 4}, shoes=True, pace=60
    )
    again = pickle.loads(pickle.dumps(run))
    assert again == run and again.risk == run.risk and not again.stopped
    for columns in ("by_count", "side_wagers", "shoes"):
        assert getattr(again, columns).to_dict() == getattr(run, columns).to_dict()
    assert pickle.loads(pickle.dumps(again)) == run


def test_answers_and_their_columns_are_pickled_and_copied() -> None:
    table = cc.Table("nj-blackjack")
    run = table.simulate(rounds=1e5, strategy="quick", count="hi-lo", shoes=True)
    strategy = table.strategy()
    sweep = table.sweep({"decks": [1, 2]}, spread=False)
    for made in (strategy, run, run.by_count, run.shoes, sweep, sweep.columns, table.check(), table):
        for again in (pickle.loads(pickle.dumps(made)), copy.copy(made), copy.deepcopy(made)):
            assert again == made and type(again) is type(made)
    again = pickle.loads(pickle.dumps(strategy))
    assert (again.chart(), again.html(), again.svg()) == (strategy.chart(), strategy.html(), strategy.svg())
    columns = pickle.loads(pickle.dumps(run.by_count))
    assert pyarrow.table(columns) == pyarrow.table(run.by_count)


def test_columns_are_rows_and_columns() -> None:
    run = cc.Table("nj-blackjack").simulate(rounds=1e5, strategy="quick", count="hi-lo")
    columns, lists = run.by_count, run.by_count.to_dict()
    frame = pandas.DataFrame(columns)
    assert frame.columns.tolist() == columns.column_names and frame.to_dict("list") == lists
    assert frame["count"].dtype == np.int64 and frame["ev"].dtype == np.float64
    array = np.asarray(columns)
    assert array.dtype.names == tuple(columns.column_names) and array["ev"].tolist() == lists["ev"]
    assert np.asarray(columns["ev"]).tolist() == lists["ev"]
    assert columns["count"] == lists["count"] and columns[0] == {name: column[0] for name, column in lists.items()}
    assert list(columns) == columns[:] == frame.to_dict("records") and columns[-1] == columns[len(columns) - 1]
    with pytest.raises(IndexError):
        columns[len(columns)]
    sides = cc.Table("nj-double-attack").simulate(rounds=1e4, strategy="quick").side_wagers
    assert pandas.DataFrame(sides)["wager"].tolist() == np.asarray(sides)["wager"].tolist() == sides["wager"]


def test_sweeps_and_comparisons_are_arrow() -> None:
    table = cc.Table("nj-blackjack")
    sweep = table.sweep({"decks": [2, 6], "soft_17": ["stand", "hit"]}, all=True, spread=False)
    told = pyarrow.table(sweep)
    assert told["decks"].to_pylist() == [2, 2, 6, 6] and told["soft_17"].to_pylist() == ["stand", "hit"] * 2
    edges = [row.get("house_edge") for row in sweep.tables]
    assert [None if edge != edge else edge for edge in told["house_edge"].to_pylist()] == edges
    compared = table.compare(table.replace(surrender=True, decks=6))
    parts = polars.DataFrame(compared)
    assert parts["value"].sum() == pytest.approx(compared.difference, abs=1e-12) and "surrender" in parts["option"]


def test_a_run_is_drawn() -> None:
    run = cc.Table("nj-blackjack").simulate(rounds=1e5, strategy="quick", count="hi-lo")
    assert run.plot().name == "edge-by-count"
    for name in ("edge-by-count", "distribution", "bankroll", "risk"):
        picture = run.plot(name)
        assert picture._repr_svg_().startswith("<svg") and picture._repr_svg_().rstrip().endswith("</svg>")
    assert cc.Table("nj-blackjack").simulate(rounds=1e4, strategy="quick").plot().name == "distribution"


def test_matplotlib_draws_the_same_as_the_svg() -> None:
    pyplot = pytest.importorskip("matplotlib.pyplot")
    pyplot.switch_backend("agg")
    run = cc.Table("nj-blackjack").simulate(rounds=1e5, strategy="quick", count="hi-lo", bankroll=300, trip=500)
    by_count = run.plot("edge-by-count").draw()
    often = [row for row in run.by_count if row["frequency"] > 1e-3]
    assert [bar.get_height() for bar in by_count.patches] == pytest.approx([100 * row["ev"] for row in often])
    risk = run.plot("risk").draw(pyplot.subplots()[1])
    trip, ever = (dict(zip(*line.get_data(), strict=True)) for line in risk.get_lines())
    assert trip[300.0] == pytest.approx(100 * run.risk["trip_risk_of_ruin"], abs=1e-4)
    assert ever[300.0] == pytest.approx(100 * run.risk["risk_of_ruin"])
    assert trip[0.0] == pytest.approx(100, abs=1e-3) and ever[0.0] == 100
    assert len(run.plot("bankroll").draw().get_lines()) == 24
    assert len(run.plot("distribution").draw().patches) == run.plot("distribution").svg.count("fill=\"#") - 1
    pyplot.close("all")


def test_what_is_shown_says_what_it_is(tmp_path: Path) -> None:
    assert repr(cc.Table("nj-blackjack")) == "Table('nj-blackjack')"
    changed = cc.Table("nj-blackjack", decks=6, rulings={"split_two_card_21": "push"})
    assert eval(repr(changed), {"Table": cc.Table}) == changed and "decks=6" in repr(changed)
    run = changed.simulate(rounds=1e4, strategy="quick")
    assert repr(run).startswith("Run(10,000 rounds, house edge ") and "hard" in repr(changed.strategy()).lower()
    run.plot().save(tmp_path / "run.svg")
    assert (tmp_path / "run.svg").read_text() == run.plot().svg


def test_a_notebook_shows_the_chart_and_no_page() -> None:
    shown = cc.Table("nj-blackjack").strategy()._repr_html_()
    assert "<svg" in shown and "<style" not in shown and "<h1" not in shown


def test_columns_are_shown_as_a_table() -> None:
    run = cc.Table("nj-blackjack").simulate(rounds=1e5, strategy="quick", count="hi-lo", shoes=True)
    lines = repr(run.by_count).splitlines()
    assert lines[0].split() == run.by_count.column_names
    assert int(lines[1].split()[0]) == run.by_count.to_dict()["count"][0]
    assert len({len(line) for line in lines[: min(len(run.by_count), 20) + 1]}) == 1
    assert repr(run.shoes).splitlines()[-1] == f"… {len(run.shoes)} rows in all"
    html = run.by_count._repr_html_()
    assert html.startswith("<table>") and html.count("<th>") == 7 and html.count("<tr>") == min(len(run.by_count), 20) + 1
