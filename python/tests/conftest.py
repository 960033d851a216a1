"""What all tests share: the program that came with the package, asked for its JSON."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest

from cutcard.__main__ import find_program

PRESETS = [
    "nj-blackjack",
    "nj-blackjack-reader",
    "nj-blackjack-face-up",
    "nj-six-to-five",
    "nj-multiple-action",
    "nj-switch",
    "ma-switch",
    "nj-double-attack",
    "nj-triple-attack",
]

# durations and resources differ between runs
TIMES = {"seconds", "spread_seconds", "rounds_per_second", "cpu_seconds", "peak_memory"}


def printed(*arguments: str, status: int = 0) -> dict[str, Any]:
    """What the program prints with `--json`."""
    done = subprocess.run([find_program(), *arguments, "--json"], capture_output=True, text=True, env=os.environ)
    assert done.returncode == status, done.stderr
    return dict(json.loads(done.stdout))


def timeless(document: Any) -> Any:
    """A document without its times."""
    if isinstance(document, dict):
        return {key: timeless(value) for key, value in document.items() if key not in TIMES}
    if isinstance(document, list):
        return [timeless(value) for value in document]
    return document


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Ctrl-C is heard, even where the tests were started in the background and it is not by default."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
