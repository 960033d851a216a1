"""Errors are exceptions with the program's words and clauses, and nothing else gets out."""

from __future__ import annotations

import copy
import pickle
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from conftest import PRESETS, printed

import cutcard as cc
from cutcard.gym import SeatEnv, VectorEnv


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
        lambda: cc.benchmark.values("Blackjack-v0"),
        lambda: cc.evaluate("foo"),
    ],
)
def test_what_is_not_understood(wrong: object) -> None:
    with pytest.raises(cc.NotUnderstood):
        wrong()  # type: ignore[operator]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda table: table.simulate(rounds=10, ramp={1: 2}), "ramp, count_start and count_by need a count; add count"),
        (lambda table: table.simulate(rounds=10, threads=0), "threads must be 1 to 1024"),
        (lambda table: table.simulate(rounds=10, side_ramps={"over-13": {2: 1}}), "add side_counts over-13=… or count"),
        (lambda table: table.sweep({"decks": []}), "vary decks=: expected KEY=V1,V2"),
        (lambda table: table.edge(removed="5x99"), "removed: "),
        (lambda table: table.replace(decs=6), "decs=6: "),
    ],
)
def test_errors_speak_of_keywords_and_not_of_flags(wrong: Callable[[cc.Table], object], said: str) -> None:
    with pytest.raises(cc.Error) as caught:
        wrong(cc.Table("nj-blackjack"))
    assert said in str(caught.value) and "--" not in str(caught.value)


def odd(call: Callable[[Any], object], name: str) -> Any:
    """A call with a value of the wrong kind, and the parameter that the error names."""
    return pytest.param(call, name, id=name + str(call.__code__.co_firstlineno))


T: Any = cc.Table("nj-blackjack")
ODD = [
    odd(lambda t: cc.Table(3), "table"),
    odd(lambda t: cc.Table(None), "table"),
    odd(lambda t: cc.Table("nj-blackjack", hypothetical="yes"), "hypothetical"),
    odd(lambda t: cc.Table("nj-blackjack", decks=None), "decks"),
    odd(lambda t: cc.Table("nj-blackjack", decks=object()), "decks"),
    odd(lambda t: cc.Table("nj-blackjack", decks=np.array([6, 8])), "decks"),
    odd(lambda t: cc.Table("nj-blackjack", decks=np.ndarray), "decks"),
    odd(lambda t: cc.Table("nj-blackjack", decks=np.longdouble(6)), "decks"),
    odd(lambda t: cc.Table("nj-blackjack", decks=10**5000), "decks"),
    odd(lambda t: cc.Table("nj-blackjack", name="\ud800"), "name"),
    odd(lambda t: cc.Table.from_toml(b"decks = 6"), "toml"),
    odd(lambda t: t.edge(strategy=3), "strategy"),
    odd(lambda t: t.edge(removed=5), "removed"),
    odd(lambda t: t.edge(removed=None), "removed"),
    odd(lambda t: t.edge(shoe=4), "shoe"),
    odd(lambda t: t.edge(shoe={"A": "x"}), "shoe"),
    odd(lambda t: t.edge(shoe={1: 2}), "shoe"),
    odd(lambda t: t.edge(effects=1), "effects"),
    odd(lambda t: t.edge(spread=None), "spread"),
    odd(lambda t: t.ev(16, "T"), "hand"),
    odd(lambda t: t.ev("T6", 10), "up"),
    odd(lambda t: t.ev("T6", "T", hand2=["9"]), "hand2"),
    odd(lambda t: t.ev("T6", "T", attacked="no"), "attacked"),
    odd(lambda t: t.strategy(3), "strategy"),
    odd(lambda t: t.removal(fixed_play=2), "fixed_play"),
    odd(lambda t: t.sweep([("decks", [6])]), "vary"),
    odd(lambda t: t.sweep({"decks": 6}), "vary: decks"),
    odd(lambda t: t.sweep({"decks": "6"}), "vary: decks"),
    odd(lambda t: t.sweep({3: [6]}), "vary"),
    odd(lambda t: t.sweep({"decks": [6]}, where=0.3), "where"),
    odd(lambda t: t.sweep({"decks": [6]}, sort=True), "sort"),
    odd(lambda t: t.compare("nj-switch"), "b"),
    odd(lambda t: cc.compare(None, t), "a"),
    odd(lambda t: t.simulate(rounds=float("inf")), "rounds"),
    odd(lambda t: t.simulate(rounds=2**70), "rounds"),
    odd(lambda t: t.simulate(rounds=10**5000), "rounds"),
    odd(lambda t: t.simulate(rounds=np.array([1, 2])), "rounds"),
    odd(lambda t: t.simulate(10, seed=2**64), "seed"),
    odd(lambda t: t.simulate(10, threads=-1), "threads"),
    odd(lambda t: t.simulate(10, threads="four"), "threads"),
    odd(lambda t: t.simulate(10, boxes=1.5), "boxes"),
    odd(lambda t: t.simulate(10, fresh_shoes="yes"), "fresh_shoes"),
    odd(lambda t: t.simulate(10, side_wagers="streak"), "side_wagers"),
    odd(lambda t: t.simulate(10, count="hi-lo", count_start=2**40), "count_start"),
    odd(lambda t: t.simulate(10, count="hi-lo", ramp=[1, 2]), "ramp"),
    odd(lambda t: t.simulate(10, count="hi-lo", ramp={"a": 2}), "ramp"),
    odd(lambda t: t.simulate(10, side_counts=["x"]), "side_counts"),
    odd(lambda t: t.simulate(10, side_counts={"over-13": 3}), "side_counts"),
    odd(lambda t: t.simulate(10, until_error="small"), "until_error"),
    odd(lambda t: t.simulate(10, pace=None), "pace"),
    odd(lambda t: t.simulate(10, rounding=1), "rounding"),
    odd(lambda t: t.simulate(10, progress=3), "progress"),
    odd(lambda t: t.simulate(10, shoes="all"), "shoes"),
    odd(lambda t: t.simulate(10, cuont="hi-lo"), "the nearest is `count`"),
    odd(lambda t: t.simulate(1000, strategy="quick").plot("pie"), "picture"),
    *(
        odd(lambda t, path=path: t.simulate(1000, strategy="quick").plot().save(path), "path")
        for path in (10**6, "\0", "/nowhere/run.svg")
    ),
    odd(lambda t: cc.replay(7), "text"),
    odd(lambda t: cc.replay("table nj-blackjack", name=None), "name"),
    odd(lambda t: cc.clauses(36), "id"),
    odd(lambda t: cc.clauses(kind=1), "kind"),
    odd(lambda t: cc.Live(t, seed="7"), "seed"),
    odd(lambda t: cc.Live(t, boxes=None), "boxes"),
    odd(lambda t: cc.Live(t, rounds=-1), "rounds"),
    odd(lambda t: cc.Live(t, policy="careful"), "policy"),
    odd(lambda t: cc.Live(t, wager=object()), "wager"),
    odd(lambda t: cc.Live(t, wager=float("nan")), "wager"),
    odd(lambda t: cc.Live(t, wager=10**5000), "wager"),
    odd(lambda t: cc.Live(t, side_wagers=["streak"]), "side_wagers"),
    odd(lambda t: cc.Live(t, cards=["8s"]), "cards"),
    odd(lambda t: cc.Live(10**5000), "table"),
    odd(lambda t: cc.Live(t, policy=10**5000), "policy"),
    odd(lambda t: cc.Live(t).deal({1: 10**5000}), "wagers"),
    odd(lambda t: cc.Live(t).deal([10]), "wagers"),
    odd(lambda t: cc.Live(t).deal({1: 10}), "wagers"),
    odd(lambda t: cc.Live(t).deal({300: (10, {})}), "wagers"),
    odd(lambda t: cc.Live(t).deal({1: ("ten", {})}), "wagers"),
    odd(lambda t: cc.Live(t).decide(1), "action"),
    odd(lambda t: cc.Live(t).decide("hit", amount="much"), "amount"),
    odd(lambda t: cc.dataset.export(t, "\0", rounds=10), "folder"),
    odd(lambda t: cc.dataset.export(t, __file__, rounds=10), "folder"),
    odd(lambda t: cc.evaluate(3), "policy"),
    odd(lambda t: cc.Live(t, cards="x"), "cards"),
    odd(lambda t: cc.evaluate(10**5000), "policy"),
    odd(lambda t: cc.evaluate(np.array([1, 2])), "policy"),
    odd(lambda t: SeatEnv(t, render_mode=np.array([1, 2])), "render_mode"),
    odd(lambda t: VectorEnv(2, t, render_mode=np.array([1, 2])), "render_mode"),
    odd(lambda t: VectorEnv(2, t, autoreset_mode=np.array([1, 2])), "autoreset_mode"),
    odd(lambda t: cc.benchmark.score(10**5000, "blackjack"), "agent"),
    odd(lambda t: cc.evaluate("expert", rounds=0), "rounds"),
    odd(lambda t: cc.evaluate("expert", rounds=1.5), "rounds"),
    odd(lambda t: cc.evaluate("expert", seats=0), "seats"),
    odd(lambda t: cc.evaluate("expert", seed=None), "seed"),
    odd(lambda t: cc.evaluate("expert", 3), "table"),
    odd(lambda t: cc.benchmark.values(1), "environment"),
    odd(lambda t: SeatEnv(5), "table"),
    odd(lambda t: SeatEnv(t, count=1), "count"),
    odd(lambda t: SeatEnv(t, fresh_shoes=1), "fresh_shoes"),
    odd(lambda t: SeatEnv(t, suits="all"), "suits"),
    odd(lambda t: SeatEnv(t, strict=0), "strict"),
    odd(lambda t: SeatEnv(t, render_mode="human"), "render_mode"),
    odd(lambda t: SeatEnv(t, render_mode=10**5000), "render_mode"),
    odd(lambda t: SeatEnv(t, stakes=10**5000), "stakes"),
    odd(lambda t: SeatEnv(t, side_wagers=[10**5000]), "side_wagers"),
    odd(lambda t: VectorEnv(2, t, autoreset_mode=10**5000), "autoreset_mode"),
    odd(lambda t: begun(SeatEnv(t)).step("hit"), "action"),
    odd(lambda t: VectorEnv("many", t), "num_envs"),
    odd(lambda t: VectorEnv(2, t, copy=None), "copy"),
    odd(lambda t: VectorEnv(2, t, suits="all"), "suits"),
    odd(lambda t: VectorEnv(2, t, autoreset_mode="never"), "autoreset_mode"),
    odd(lambda t: VectorEnv(2, t).reset(seed=-1), "seed"),
    odd(lambda t: VectorEnv(2, t).reset(seed=["x", "y"]), "seed"),
    odd(lambda t: VectorEnv(2, t).reset(seed=object()), "seed"),
    odd(lambda t: VectorEnv(2, t).reset(seed=np.array([1, 2])), "seed"),
    odd(lambda t: VectorEnv(2, t).reset(options=3), "options"),
    odd(lambda t: SeatEnv(t).reset(options=3), "options"),
    odd(lambda t: SeatEnv(t).reset(seed="x"), "seed"),
    odd(lambda t: cc.pettingzoo.env(table=t).reset(options=3), "options"),
    odd(lambda t: begun(VectorEnv(2, t)).step("hit"), "actions"),
    odd(lambda t: begun(VectorEnv(2, t)).step([1.5, 2.5]), "actions"),
    odd(lambda t: VectorEnv(2, t).step(np.zeros(2, dtype=np.int64)), "reset"),
    odd(lambda t: SeatEnv(t).step(0), "reset"),
    odd(lambda t: cc.pettingzoo.env(seats="three"), "seats"),
    odd(lambda t: begun(cc.pettingzoo.parallel_env(table=t, seats=2)).step({}), "actions"),
    odd(lambda t: begun(cc.pettingzoo.env(table=t, seats=2)).step(None), "the action of box_1"),
]


def begun(env: Any) -> Any:
    env.reset(seed=1)
    return env


@pytest.mark.parametrize(("call", "name"), ODD)
def test_a_value_of_the_wrong_kind_is_an_error_that_names_the_parameter(call: Callable[[Any], object], name: str) -> None:
    with pytest.raises(cc.Error, match=name):
        call(T)


def test_numbers_of_numpys_are_numbers() -> None:
    assert cc.Table("nj-blackjack", decks=np.int64(6)) == cc.Table("nj-blackjack", decks=6)
    assert cc.Table("nj-blackjack", minimum=np.float64(5)) == cc.Table("nj-blackjack", minimum=5.0)


def test_what_python_itself_refuses_is_a_type_error() -> None:
    """As docs/python.md says: a wrong number of arguments, an unknown keyword of a fixed signature, an index out of range."""
    for call in (lambda: cc.Table(), lambda: T.edge(removd="5"), lambda: T.edge("quick")):
        with pytest.raises(TypeError):
            call()
    with pytest.raises(KeyError):
        T.simulate(1000, strategy="quick").by_count["wins"]


def test_errors_are_copied_whole() -> None:
    with pytest.raises(cc.Refused) as caught:
        cc.replay("table nj-blackjack\ncards 8s 6h 8d 3c Td Th Qs 9c\nbet 1 ann 10\n1 surrender\n")
    for again in (copy.deepcopy(caught.value), pickle.loads(pickle.dumps(caught.value))):
        assert (str(again), again.clause, again.line) == (str(caught.value), caught.value.clause, caught.value.line)


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
