"""Datasets: the values are those of the solver and of the rewards that follow, and the file says what it is."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cutcard as cc
from cutcard.dataset import FIELDS, decisions, export, main


@pytest.mark.parametrize("name", ["nj-blackjack", "nj-switch", "nj-double-attack", "nj-triple-attack"])
def test_rewards_are_worth_the_values_on_average(name: str) -> None:
    """The reward of a round, after a first decision and the best play, is on average the value of that decision."""
    apart, known = [], 0
    for row in decisions(name, 60 if name == "nj-switch" else 300, seed=5, explore=0):
        value = row[f"value_{row['action']}"]
        if value is not None and row["question"] != "attack":
            known += 1
            apart.append(row["reward"] - value)
            assert row["action"] == row["best"] and row["best"] in row["allowed"]
            values = {action: row[f"value_{action}"] for action in row["allowed"]}
            assert max(values.values()) == values[row["best"]]
    error = np.std(apart) / np.sqrt(len(apart))
    assert known > 50 and error < 0.25 and abs(np.mean(apart)) < 4 * error


def test_a_row_has_the_values_of_the_solver() -> None:
    row = next(row for row in decisions("nj-blackjack", 50, seed=2) if len(row["hand"].split()) > 2 and row["best"])
    found = cc.Table("nj-blackjack").ev(row["hand"], row["dealer"])
    assert {action: row[f"value_{action}"] for action in found.actions} == found.actions
    assert sorted(row["allowed"]) == sorted(found.actions) and row["best"] == found.best


def test_the_same_seed_gives_the_same_rows_and_explores() -> None:
    rows = list(decisions("nj-blackjack", 100, seed=3, explore=0.5))
    assert rows == list(decisions("nj-blackjack", 100, seed=3, explore=0.5))
    assert all(set(row) == set(FIELDS) for row in rows)
    assert 0.3 < np.mean([row["explored"] for row in rows]) < 0.7
    for wrong in (-0.1, 1.5):
        with pytest.raises(cc.Refused, match="explore"):
            decisions("nj-blackjack", 10, explore=wrong)


def test_a_dataset_is_written_with_its_card(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    assert main(["nj-double-attack", "--rounds", "20", "--seed", "4", "--out", str(tmp_path / "made")]) == 0
    table = parquet.read_table(tmp_path / "made/decisions.parquet")
    assert table.to_pylist() == list(decisions("nj-double-attack", 20, seed=4))
    assert table.column_names == list(FIELDS)
    told = table.schema.metadata
    assert cc.Table.from_toml(told[b"cutcard.table"].decode()) == cc.Table("nj-double-attack")
    assert json.loads(told[b"cutcard.made_by"])["version"] == cc.__version__
    card = (tmp_path / "made/README.md").read_text()
    assert all(f"| `{name}` |" in card for name in FIELDS)
    assert f"20 rounds with {table.num_rows:,} decisions" in card and "seed=4" in card


def test_without_pyarrow_it_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(cc.Refused, match="pip install pyarrow"):
        export("nj-blackjack", tmp_path)
    assert main(["nj-blackjack", "--out", str(tmp_path)]) == 2
    assert "pip install pyarrow" in capsys.readouterr().err


@pytest.mark.parametrize("wrong", [{"rounds": 0}, {"seed": "\ud800"}, {"explore": 2}, {"explore": "x"}])
def test_what_is_refused_leaves_the_folder_alone(wrong: dict[str, Any], tmp_path: Path) -> None:
    (tmp_path / "decisions.parquet").write_bytes(b"an earlier one")
    with pytest.raises(cc.Error, match=next(iter(wrong))):
        export("nj-blackjack", tmp_path, **{"rounds": 10, **wrong})
    assert [path.name for path in tmp_path.iterdir()] == ["decisions.parquet"]
    assert (tmp_path / "decisions.parquet").read_bytes() == b"an earlier one"
