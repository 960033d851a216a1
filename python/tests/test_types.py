"""The types: the package passes mypy in its strict mode, and the stub says what the native module has."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def run(folder: Path, *arguments: str) -> None:
    done = subprocess.run([sys.executable, "-m", *arguments], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_package_is_typed(tmp_path: Path) -> None:
    config = Path(__file__).parents[1] / "pyproject.toml"
    run(tmp_path, "mypy", "--strict", "--config-file", str(config), "--cache-dir", str(tmp_path / "cache"), "-p", "cutcard")


def test_the_stub_is_that_of_the_module(tmp_path: Path) -> None:
    run(tmp_path, "mypy.stubtest", "cutcard._native")


def test_a_user_is_warned_of_mistakes(tmp_path: Path) -> None:
    (tmp_path / "user.py").write_text("import cutcard as cc\nedge: str = cc.Table('nj-blackjack').edge().house_edge\n")
    done = subprocess.run([sys.executable, "-m", "mypy", "--strict", "user.py"], cwd=tmp_path, capture_output=True, text=True)
    assert "Incompatible types in assignment" in done.stdout, done.stdout
