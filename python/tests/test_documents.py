"""What Python returns is what the program prints."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import PRESETS, printed, timeless

import cutcard as cc

QUICK = [name for name in PRESETS if "switch" not in name]


def test_the_presets_are_those_of_the_program() -> None:
    assert list(cc.presets()) == [table["name"] for table in printed("tables")["tables"]]
    for name, table in cc.presets().items():
        assert table.to_dict() == printed("tables", name)["table"]


@pytest.mark.parametrize("name", PRESETS)
def test_check(name: str) -> None:
    assert cc.Table(name).check().to_dict() == printed("check", name)


@pytest.mark.parametrize("name", PRESETS)
def test_edge(name: str) -> None:
    edge = cc.Table(name).edge()
    assert timeless(edge.to_dict()) == timeless(printed("edge", name))
    assert edge.house_edge == -edge.ev and edge.made_by["program"] == "cutcard"
    assert set(edge.side_wagers) == {side["wager"] for side in edge.to_dict()["side_wagers"]}


@pytest.mark.parametrize("name", ["nj-blackjack", "nj-double-attack"])
def test_an_edge_without_its_spread_is_the_same(name: str) -> None:
    table = cc.Table(name)
    for cards in ({}, {"removed": "5s 5d"}):
        whole, alone = table.edge(**cards), table.edge(spread=False, **cards)
        told, without = whole.to_dict(), alone.to_dict()
        assert without["main"].items() <= told["main"].items() and "variance" not in without["main"]
        assert {**told, "main": 0} == {**without, "main": 0}
        assert alone.house_edge == whole.house_edge and repr(alone) and alone._repr_html_()
        with pytest.raises(cc.NotUnderstood, match="spread=True"):
            _ = alone.std_dev


@pytest.mark.parametrize("name", PRESETS)
def test_ev(name: str) -> None:
    table = cc.Table(name)
    second = {"hand2": "9 8"} if "switch" in name else {}
    up = "6 T" if "face-up" in name else "6"
    flags = [flag for key, value in second.items() for flag in (f"--{key}", value)]
    ev = table.ev("J6", up, **second)
    assert ev.to_dict() == printed("ev", name, "--hand", "J6", "--up", up, *flags)
    assert ev.best in {*ev.actions, *ev.switch, *ev.attack}


@pytest.mark.parametrize("name", QUICK)
def test_strategy(name: str) -> None:
    strategy = cc.Table(name).strategy()
    assert strategy.to_dict() == printed("strategy", name)
    assert "hard" in strategy.chart().lower() and "<svg" in strategy.svg()


@pytest.mark.parametrize("name", PRESETS)
def test_simulate(name: str) -> None:
    run = cc.Table(name).simulate(rounds=3e5, seed=5, count="hi-lo", ramp={1: 1, 2: 4}, strategy="quick")
    flags = ["--rounds", "3e5", "--seed", "5", "--count", "hi-lo", "--ramp", "1:1,2:4", "--strategy", "quick"]
    assert timeless(run.to_dict()) == timeless(printed("simulate", name, *flags))
    assert run.rounds == 300_000 and not run.stopped


def test_options_removed_cards_and_other_shoes() -> None:
    table = cc.Table("nj-blackjack", decks=6, surrender=True, rulings={"split_two_card_21": "push"})
    flags = ["nj-blackjack", "--set", "decks=6", "--set", "surrender=true", "--set", "rulings.split_two_card_21=push"]
    assert timeless(table.edge(removed="5x4").to_dict()) == timeless(printed("edge", *flags, "--removed", "5x4"))
    shoe = timeless(table.edge(shoe={"A": 20, "T": 90}).to_dict())
    assert shoe == timeless(printed("edge", *flags, "--shoe", "A=20,T=90"))
    assert table.removal().to_dict() == printed("removal", *flags)
    assert table.ev("T6", "T", removed="T T").to_dict() == printed(
        "ev", *flags, "--hand", "T6", "--up", "T", "--removed", "T T"
    )


def test_sweep_and_compare() -> None:
    table = cc.Table("nj-blackjack")
    sweep = table.sweep({"decks": [1, 2], "surrender": [False, True]}, sort="house_edge", spread=False)
    assert sweep.to_dict() == printed(
        "sweep", "nj-blackjack", "--vary", "decks=1,2", "--vary", "surrender=false,true", "--sort", "house_edge",
        "--no-spread",
    )
    assert len(sweep.to_dict()["tables"]) == len(sweep) > 1
    compared = table.compare(cc.Table("nj-blackjack", surrender=True))
    assert compared.to_dict() == printed(
        "compare", "nj-blackjack", "nj-blackjack", "--set-b", "surrender=true"
    )
    assert sum(part["value"] for part in compared.by_option) == pytest.approx(compared.difference, abs=1e-12)


def test_replay(tmp_path: Path) -> None:
    text = "table nj-blackjack\ncards 8s 6h 8d 3c Td Th Qs 9c\nbet 1 ann 10\n1 split\n1 double\n1 stand\n"
    file = tmp_path / "a.round"
    file.write_text(text)
    replay = cc.replay(text)
    assert replay.to_dict() == printed("replay", str(file))
    settled = replay.rounds[0].settlements
    assert {s.wager for s in settled} == {"main", "double", "split"} and all(s.clause for s in settled)
    assert sum(s.net for s in settled) == replay.rounds[0].net["ann"] == 30


def test_clauses() -> None:
    assert cc.clauses(game="switch", kind="rule").to_dict() == printed("clauses", "--game", "switch", "--kind", "rule")
    assert {clause.id for clause in cc.clauses("36.5(d)")} == {
        clause["id"] for clause in printed("clauses", "36.5(d)")["clauses"]
    }


def test_table_files(tmp_path: Path) -> None:
    table = cc.Table("nj-switch", decks=6)
    file = tmp_path / "own.toml"
    file.write_text(table.toml())
    assert cc.Table(file) == table == cc.Table.from_toml(table.toml())
    assert cc.Table(file).check().to_dict() == printed("check", str(file))
    json.dumps(table.to_dict())
