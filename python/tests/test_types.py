"""The types: strict mypy passes, mypy and pyright warn users alike, and the stub says what the native module has."""

from __future__ import annotations

import doctest
import importlib
import importlib.util
import inspect
import json
import os
import re
import runpy
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import cutcard as cc
from cutcard.benchmark import agents

USER = """
import cutcard as cc
from cutcard.gym import SeatEnv, VectorEnv

edge: str = cc.Table("nj-blackjack").edge().house_edge
cc.Table("nj-blackjack", decs=6)
cc.Table("nj-blackjack", soft_17="draw")
cc.Table("nj-blackjack", surrender="yes")
cc.Table("nj-blackjack", rulings={"split_two_card_21": "win"})
cc.Table("nj-blackjack", side_wagers={"match-dealer": True})
cc.Table("nj-blackjack").simulate(1e6, cuont="hi-lo")
cc.Table("nj-blackjack").simulate(1e6, seed="one")
SeatEnv("nj-blackjack", stake=(1, 2))
VectorEnv(8, "nj-blackjack", copy="no")
cc.pettingzoo.env(seat=3)
cc.ray.simulate(cc.Table("nj-blackjack"), 1e6, shoes=True)
# and nothing is said of what is right
cc.Table("nj-blackjack", decks=6, soft_17="hit", surrender=True, minimum="25", side_wagers={"match-the-dealer": True})
cc.Table("nj-blackjack", rulings={"split_two_card_21": "push"}).simulate(1e6, count="hi-lo", ramp={1: 1, 2: 4}, shoes=True)
SeatEnv("nj-blackjack", stakes=(1, 2), decks=6), VectorEnv(8, cc.Table("nj-switch"), copy=False)
column: list[float] = cc.Table("nj-blackjack").simulate(1e6).by_count["ev"]
"""


def mistakes() -> set[int]:
    """The lines of `USER` that a type checker must refuse."""
    lines = USER.splitlines()
    first = next(at for at, line in enumerate(lines) if line.startswith("edge: str"))
    return set(range(first + 1, lines.index("# and nothing is said of what is right") + 1))


@pytest.fixture(scope="module")
def mypy_says(tmp_path_factory: pytest.TempPathFactory) -> dict[str, set[int]]:
    """The files and lines in which strict mypy finds errors, in one run of the package and of `USER`."""
    folder = tmp_path_factory.mktemp("mypy")
    (folder / "user.py").write_text(USER)
    config = Path(__file__).parents[1] / "pyproject.toml"
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file", str(config), "-p", "cutcard", "-m", "user"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    files = len([*Path(cc.__file__).parent.rglob("*.py"), *Path(cc.__file__).parent.rglob("*.pyi")])
    assert f"(checked {files + 1} source files)" in done.stdout, done.stdout + done.stderr
    told: dict[str, set[int]] = {}
    for file, line in re.findall(r"^(.+?):(\d+): error:", done.stdout, flags=re.MULTILINE):
        told.setdefault(file, set()).add(int(line))
    return told


def test_the_package_is_typed(mypy_says: dict[str, set[int]]) -> None:
    assert set(mypy_says) <= {"user.py"}


def test_a_user_is_warned_of_mistakes(mypy_says: dict[str, set[int]]) -> None:
    assert mypy_says["user.py"] == mistakes()


def test_the_stub_is_that_of_the_module(tmp_path: Path) -> None:
    # the stub alone, since it imports nothing of the package: otherwise all of NumPy and Gymnasium would be read too
    stubs = tmp_path / "stubs"
    (stubs / "cutcard").mkdir(parents=True)
    (stubs / "cutcard/__init__.pyi").touch()
    shutil.copy(Path(cc.__file__).with_name("_native.pyi"), stubs / "cutcard")
    command = [sys.executable, "-m", "mypy.stubtest", "cutcard._native"]
    environment = {**os.environ, "MYPYPATH": str(stubs)}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 0 and "Success" in done.stdout, done.stdout + done.stderr


def test_a_user_of_pyright_is_warned_of_the_same(tmp_path: Path) -> None:
    (tmp_path / "user.py").write_text(USER)
    command = [sys.executable, "-m", "pyright", "--pythonpath", sys.executable, "--outputjson", "user.py"]
    try:
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300)
        told = json.loads(done.stdout)["generalDiagnostics"]
    except (subprocess.TimeoutExpired, json.JSONDecodeError):
        # the package on PyPI fetches the program itself from the npm registry when it first runs
        pytest.skip("pyright cannot run: it needs node and, once, the npm registry")
    errors = {one["range"]["start"]["line"] + 1 for one in told if one["severity"] == "error"}
    assert errors == mistakes(), done.stdout


def test_the_keys_are_those_of_the_table_file() -> None:
    written = (Path(__file__).parents[1] / "cutcard/_keys.py").read_text()
    made = runpy.run_path(str(Path(__file__).parents[1] / "keys"))["module"]()
    assert written == made, "target/python/bin/python -P python/keys > python/cutcard/_keys.py"
    names = {key for key in made.split("class TableOptions")[1].split() if key.endswith(":")}
    assert {f"{key}:" for key in cc.Table("nj-blackjack").to_dict()} - {"side_wagers:"} <= names


def test_every_public_name_is_described() -> None:
    """Classes have an example; functions and methods say what they take and return, with an example."""
    parts = [cc, cc.benchmark, agents, cc.dataset, cc.gym, cc.pettingzoo, cc.ray]
    if importlib.util.find_spec("pyspiel") is not None:
        parts.append(cc.openspiel)
    missing = []
    for part in parts:
        names = getattr(part, "__all__", None) or [
            name for name, made in vars(part).items()
            if getattr(made, "__module__", "") == part.__name__ and name[0] != "_"
        ]
        for name in names:
            made = getattr(part, name)
            if inspect.isclass(made):
                missing += described(f"{part.__name__}.{name}", made)
            elif inspect.isfunction(made):
                missing += lacking(f"{part.__name__}.{name}", made)
    assert not missing, "\n".join(missing)


def described(name: str, made: type) -> list[str]:
    missing = [] if "Examples:" in (inspect.getdoc(made) or "") else [f"{name}: no example"]
    for inner, member in vars(made).items():
        if inner[0] == "_" or inner in INHERITED:
            continue
        if isinstance(member, property) and not inspect.getdoc(member):
            missing.append(f"{name}.{inner}: no description")
        method = getattr(member, "__func__", member)
        if inspect.isfunction(method):
            missing += lacking(f"{name}.{inner}", method)
    return missing


# what Gymnasium and PettingZoo describe themselves
INHERITED = {"reset", "step", "render", "close", "sample", "observe", "observation_space", "action_space"}
# what the program starts, and nobody calls
NOT_CALLED = {"cutcard.ray.main"}


def lacking(name: str, function: Callable[..., object]) -> list[str]:
    text = inspect.getdoc(function) or ""
    parameters = [at for at in inspect.signature(function).parameters if at not in ("self", "cls")]
    wanted = ["Returns:", "Examples:", *(["Args:"] if parameters else []), *(f"{at}:" for at in parameters)]
    return [] if name in NOT_CALLED else [f"{name}: no {word}" for word in wanted if word not in text]


PARTS = ["benchmark", "benchmark.agents", "benchmark.play", "benchmark.scores", "benchmark.tasks", "columns", "errors", "gym", "live"]
PARTS += ["dataset", "openspiel", "pettingzoo", "ray", "records", "results", "table"]


@pytest.mark.parametrize("part", ["", *(f".{part}" for part in PARTS)])
def test_the_examples_are_right(part: str) -> None:
    if part == ".openspiel":
        pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install open_spiel")
    module = importlib.import_module(f"cutcard{part}")
    failed, tried = doctest.testmod(module, extraglobs={"cc": cc}, optionflags=doctest.ELLIPSIS)
    assert tried and not failed
