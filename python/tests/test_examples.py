"""The examples train agents that give away less and less."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

import cutcard as cc

TRAIN = runpy.run_path(str(Path(__file__).parents[1] / "examples" / "train.py"))


def test_an_agent_learns() -> None:
    _, curve = TRAIN["train"]("nj-blackjack", 0.05, seats=2048)
    first, last = curve[0][1], curve[-1][1]
    assert last.regret < first.regret / 3 and last.regret < 0.05, (first, last)
    picture = TRAIN["plot"](curve, "nj-blackjack")
    assert picture.startswith("<svg") and "regret" in picture


def test_stable_baselines_trains() -> None:
    pytest.importorskip("sb3_contrib", reason="sb3-contrib is not installed: pip install sb3-contrib")
    example = runpy.run_path(str(Path(__file__).parents[1] / "examples" / "train_sb3.py"))
    task = cc.benchmark.TASKS["blackjack"]
    before, after = (
        cc.benchmark.score(example["agent_of"](example["train"](task, steps)), task, rounds=4096) for steps in (1, 4096)
    )
    assert after.regret < before.regret and after.regret < 0.3, (before, after)
