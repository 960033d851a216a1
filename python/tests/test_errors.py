"""Errors are exceptions with the program's words and clauses, and nothing else gets out."""

from __future__ import annotations

import pickle
import random
from collections.abc import Callable

import pytest
from conftest import PRESETS, printed

import cutcard as cc


def test_an_unlawful_table_has_every_violation() -> None:
    options = {"decks": 4, "side_wagers": {"streak": True, "twenty-point": True, "match-the-dealer": True}}
    with pytest.raises(cc.Unlawful) as caught:
        cc.Table("nj-blackjack", **options)
    sides = [f"side_wagers.{name}=true" for name in options["side_wagers"]]  # type: ignore[attr-defined]
    flags = [flag for change in ["decks=4", *sides] for flag in ("--set", change)]
    said = printed("check", "nj-blackjack", *flags, status=1)["violations"]
    assert [(v.clause, v.message, list(v.keys)) for v in caught.value.violations] == [
        (v["clause"], v["message"], v["keys"]) for v in said
    ]
    assert len(said) > 1 and caught.value.clause in str(caught.value)
    again = pickle.loads(pickle.dumps(caught.value))
    assert again.violations == caught.value.violations
    table = cc.Table("nj-blackjack", hypothetical=True, **options)
    assert [v["clause"] for v in table.edge().to_dict()["hypothetical"]] == [v["clause"] for v in said]


def test_a_refused_line_has_its_clause() -> None:
    with pytest.raises(cc.Refused) as caught:
        cc.replay("table nj-blackjack\ncards 8s 6h 8d 3c Td Th Qs 9c\nbet 1 ann 10\n1 surrender\n")
    assert (caught.value.clause, caught.value.line) == ("19:47-2.8(c)", 4)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: cc.Table("nj-poker"),
        lambda: cc.Table("nj-blackjack", decs=6),
        lambda: cc.Table("nj-blackjack", decks={6}),
        lambda: cc.Table("nj-blackjack").ev("T6", "1"),
        lambda: cc.Table("nj-blackjack").edge(strategy="nowhere.json"),
        lambda: cc.Table("nj-blackjack").simulate(rounds=1.5),
        lambda: cc.Table("nj-blackjack").simulate(rounds=10, ramp={1: 2}),
        lambda: cc.Table("nj-blackjack").simulate(rounds=10, count_by="thirds", count="hi-lo"),
        lambda: cc.clauses("99.9"),
        lambda: cc.clauses(kind="wish"),
        lambda: cc.replay("what is this"),
        lambda: cc.Table("nj-blackjack").simulate(rounds="1e6"),
        lambda: cc.Table("nj-blackjack").simulate(rounds=True),
        lambda: cc.Table("nj-blackjack").simulate(rounds=10, seed=-1),
        lambda: cc.Table("nj-blackjack").simulate(rounds=10, count=3),
        lambda: cc.Table("nj-blackjack").simulate(rounds=10, strategy="quick").shoes,
        lambda: cc.Live("nj-blackjack"),
        lambda: cc.Live(cc.Table("nj-blackjack"), seed=-1),
        lambda: cc.Live(cc.Table("nj-blackjack"), boxes=1000),
        lambda: cc.benchmark("Blackjack-v0"),
        lambda: cc.evaluate("foo"),
    ],
)
def test_what_is_not_understood(wrong: object) -> None:
    with pytest.raises(cc.NotUnderstood):
        wrong()  # type: ignore[operator]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda table: table.simulate(rounds=10, ramp={1: 2}), "ramp, count_start and count_by go by a count; name one with count"),
        (lambda table: table.simulate(rounds=10, threads=0), "threads takes 1 to 1024"),
        (lambda table: table.simulate(rounds=10, side_ramps={"over-13": {2: 1}}), "name it with side_counts over-13=…"),
        (lambda table: table.sweep({"decks": []}), "vary decks=: write a key and values"),
        (lambda table: table.edge(removed="5x99"), "removed: "),
        (lambda table: table.replace(decs=6), "decs=6: "),
    ],
)
def test_errors_speak_of_keywords_and_not_of_flags(wrong: Callable[[cc.Table], object], said: str) -> None:
    with pytest.raises(cc.Error) as caught:
        wrong(cc.Table("nj-blackjack"))
    assert said in str(caught.value) and "--" not in str(caught.value)


WORDS = ["decks", "8", "-1", "1e400", "", "\0", "As Kd", "T" * 5000, "é♠", "0.5%..", "hit", "none", "{}", "[1", "nj-switch"]


def test_nonsense_is_refused_in_words() -> None:
    """Every function with nonsense in every place: an answer or one of our exceptions, never anything else."""
    chance = random.Random(20261116)
    keys = ["decks", "soft_17", "side_wagers", "rulings", "minimum", "shoe", "cut_behind", "nonsense", "name"]
    values: list[object] = [*WORDS, 0, 1, 6, -3, 2**70, 1.5, float("nan"), True, [], ["x"], {"a": 1}, {"match": True}]
    tables = [cc.Table(name) for name in PRESETS if "switch" not in name]

    def some() -> str:
        return chance.choice(WORDS)

    for _ in range(600):
        table = chance.choice(tables)
        ways = [
            lambda: cc.Table(chance.choice([*PRESETS, some()]), **{chance.choice(keys): chance.choice(values)}),
            lambda: cc.Table.from_toml(some() + "\n" + some()),
            lambda: table.ev(some(), some(), hand2=some(), removed=some(), shoe=some()),
            lambda: table.edge(removed=some() or "q", shoe=some() or "q"),
            lambda: table.sweep({some(): [some(), chance.choice(values)]}, where=some(), sort=some()),
            lambda: table.simulate(rounds=chance.choice([10, 0, -1]), count=some(), ramp=some(), strategy=some()),
            lambda: table.strategy(some()),
            lambda: cc.replay(f"table nj-blackjack\ncards {some()}\nbet {some()}\n{some()}"),
            lambda: cc.clauses(some(), kind=some()),
            lambda: cc.Live(table, seed=chance.randrange(9), boxes=chance.choice([0, 1, 9]), wager=some()).deal(),
        ]
        try:
            chance.choice(ways)()
        except cc.Error as error:
            assert "--" not in str(error)
