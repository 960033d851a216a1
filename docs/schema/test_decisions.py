"""A decision that rests on a simulation prints what the simulation prints."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

DECISIONS = Path(__file__).parent.parent / "decisions"


def test_past_one_writer_prints_its_simulation() -> None:
    script = DECISIONS / "past_one_writer.py"
    printed = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=True).stdout
    page = (DECISIONS / "past-one-writer.md").read_text(encoding="utf-8")
    assert len(printed.splitlines()) > 15
    assert f"```\n{printed}```\n" in page, f"the page must print:\n{printed}"
