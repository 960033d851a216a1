"""The example trains an agent that gives away less and less."""

from __future__ import annotations

import runpy
from pathlib import Path

TRAIN = runpy.run_path(str(Path(__file__).parents[1] / "examples" / "train.py"))


def test_an_agent_learns() -> None:
    _, curve = TRAIN["train"]("nj-blackjack", 0.15, seats=2048)
    first, last = curve[0][1], curve[-1][1]
    assert last.regret < first.regret / 3 and last.regret < 0.05, (first, last)
    picture = TRAIN["plot"](curve, "nj-blackjack")
    assert picture.startswith("<svg") and "regret" in picture
