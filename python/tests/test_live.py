"""The table machine from Python."""

from __future__ import annotations

import random
from decimal import Decimal

import pytest
from conftest import PRESETS

import cutcard as cc


def test_a_round_is_told_event_by_event() -> None:
    events = list(cc.Live(cc.Table("nj-blackjack"), seed=7))
    assert [e.event for e in events if e.event in ("wagered", "picked-up")] == ["wagered", "picked-up"]
    assert all(e.clause for e in events)
    settled = [e.settlement for e in events if e.settlement]
    assert settled and settled[0].wager == "main" and settled[0].player == "player1"
    assert events == list(cc.Live(cc.Table("nj-blackjack"), seed=7))


def test_the_same_round_as_a_round_file() -> None:
    live = cc.Live(cc.Table("nj-blackjack"), cards="8s 6h 8d 3c Td Th Qs 9c", wager=10)
    live.deal()
    events = [event for action in ("split", "double", "stand") for event in live.decide(action)]
    settled = [(e.settlement.wager, f"{e.settlement.net:.2f}", e.settlement.clause) for e in events if e.settlement]
    replay = cc.replay("table nj-blackjack\ncards 8s 6h 8d 3c Td Th Qs 9c\nbet 1 ann 10\n1 split\n1 double\n1 stand\n")
    assert settled == [(s.wager, f"{s.net:.2f}", s.clause) for s in replay.rounds[0].settlements]


def test_an_answer_that_the_rules_refuse() -> None:
    live = cc.Live(cc.Table("nj-blackjack"), cards="8s 6h 9d 3c Td Th Qs 9c")
    live.deal()
    assert live.asked is not None and "split" not in live.asked.actions
    with pytest.raises(cc.Refused) as caught:
        live.decide("split")
    assert caught.value.clause is not None
    with pytest.raises(cc.Refused):
        live.decide("jump")


@pytest.mark.parametrize("name", PRESETS)
def test_every_game_is_played_to_its_end(name: str) -> None:
    chance = random.Random(name)
    table = cc.Table(name)
    sides = {}
    for side, offer in table.to_dict().get("side_wagers", {}).items():
        sides[side] = offer.get("minimum", "1.00")
    live = cc.Live(
        table,
        seed=3,
        boxes=2,
        rounds=60,
        side_wagers=sides,
        policy=lambda ask, _: chance.choice([a for a in ask.actions if a != "revoke"]),
    )
    rounds, net = 0, Decimal(0)
    for event in live:
        rounds += event.event == "picked-up"
        if event.settlement:
            net += event.settlement.net
    assert rounds == 60 and live.over and net != 0
