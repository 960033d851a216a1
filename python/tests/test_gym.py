"""Environments: clean by their checkers, masked as the rules say, and worth what the solver says."""

from __future__ import annotations

import copy
import pickle
import time
import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from numpy.typing import NDArray
from pettingzoo.test import api_test, parallel_api_test

import cutcard as cc
from cutcard.gym import ACTIONS, FEATURES, GAMES, SeatEnv, VectorEnv
from cutcard.pettingzoo import env, parallel_env


@pytest.mark.parametrize("name", GAMES)
def test_the_checker_finds_nothing(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        made = gymnasium.make(name, render_mode="ansi", count="hi-lo", stakes=(1, 5))
        check_env(made.unwrapped, skip_render_check=False)


def some(chance: np.random.Generator, mask: NDArray[np.int8]) -> int:
    return int(chance.choice(np.flatnonzero(mask)))


@pytest.mark.parametrize("name", [*GAMES.values(), "nj-multiple-action", "nj-blackjack-face-up"])
def test_what_the_mask_allows_is_taken_and_nothing_else(name: str) -> None:
    chance = np.random.default_rng(7)
    made = SeatEnv(name, stakes=(1, 3), count="hi-lo", surrender=True) if name == "nj-blackjack" else SeatEnv(name)
    _, info = made.reset(seed=1)
    rounds = 0
    while rounds < 60:
        mask = info["action_mask"]
        before = made.unwrapped._seats.observe(1)
        for action in np.flatnonzero(mask == 0):
            same, reward, over, _, told = made.step(np.int64(action))
            assert told["refused"] and (same == before).all() and (told["action_mask"] == mask).all()
            assert reward == 0 and not over
        observation, reward, over, _, info = made.step(np.int64(some(chance, mask)))
        assert made.observation_space.contains(observation)
        if over:
            assert not info["action_mask"].any()
            rounds += 1
            _, info = made.reset()
        else:
            assert reward == 0


def test_a_strict_environment_raises() -> None:
    made = SeatEnv("nj-blackjack", strict=True)
    made.reset(seed=1)
    with pytest.raises(cc.Refused):
        made.step(np.int64(0))


def test_the_vector_refuses_what_is_not_allowed() -> None:
    made = VectorEnv(8, "nj-switch", stakes=(1, 2))
    made.reset(seed=3)
    with pytest.raises(cc.Refused, match="seat 5"):
        made.step(np.array([10, 10, 10, 10, 10, 0, 10, 10]))
    with pytest.raises(cc.NotUnderstood):
        made.step(np.zeros(3, dtype=np.int64))
    observations, *_ = made.step(np.full(8, 11))
    assert (observations[:, FEATURES.index("stake")][made.masks[:, 10] == 0] == 2).all()


def test_the_same_seed_plays_the_same() -> None:
    played = []
    for _ in range(2):
        made, chance = VectorEnv(16, "nj-double-attack", side_wagers=("dealer-bust",)), np.random.default_rng(1)
        made.reset(seed=5)
        sums = np.zeros(16)
        for _ in range(200):
            actions = np.array([some(chance, mask) for mask in made.masks])
            sums += made.step(actions)[1]
        played.append(sums)
    assert (played[0] == played[1]).all() and len(set(played[0])) > 1


@pytest.mark.parametrize("name", GAMES.values())
def test_the_exact_chart_earns_the_exact_value(name: str) -> None:
    score = cc.evaluate("expert", name, rounds=2_000_000, seed=11)
    exact = cc.Table(name).edge(strategy="total-dependent").ev
    assert abs(score.mean - exact) < 4 * score.std_error, (score, exact)
    assert score.std_error < 0.002 and score.regret < 0.01


def test_the_benchmark_is_the_solver() -> None:
    (row,) = cc.benchmark("cutcard/Blackjack-v0")
    assert row.best == cc.Table("nj-blackjack").edge().ev >= row.by_totals


def test_the_vector_is_much_faster_than_a_loop() -> None:
    """The figure in docs/python.md is measured in a release build; here the ratio, which any build has."""
    seats = 4096
    fast = VectorEnv(seats, "nj-blackjack")
    fast.reset(seed=1)
    actions = fast.expert()
    began, steps = time.perf_counter(), 0
    while time.perf_counter() < began + 1:
        # whoever is asked for a decision stands: no time goes into choosing
        actions = np.where(fast.masks[:, 0] == 1, 0, np.where(fast.masks[:, 10] == 1, 10, 9))
        fast.step(actions)
        steps += seats
    rate = steps / (time.perf_counter() - began)
    slow = SeatEnv("nj-blackjack")
    _, info = slow.reset(seed=1)
    began, steps = time.perf_counter(), 0
    while time.perf_counter() < began + 1:
        mask = info["action_mask"]
        _, _, over, _, info = slow.step(np.int64(0 if mask[0] else 10 if mask[10] else 9))
        steps += 1
        if over:
            _, info = slow.reset()
    assert rate > 20 * steps / (time.perf_counter() - began)


@pytest.mark.parametrize("name", GAMES.values())
def test_several_seats(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(env(table=name, seats=3), num_cycles=300)
        parallel_api_test(parallel_env(table=name, seats=3), num_cycles=300)


def test_both_ways_of_sitting_together_come_to_the_same() -> None:
    def action(mask: NDArray[np.int8]) -> int:
        return int(np.flatnonzero(mask)[0])

    one_by_one, together = env(seats=4), parallel_env(seats=4)
    for seed in range(20):
        one_by_one.reset(seed=seed)
        sums = dict.fromkeys(one_by_one.possible_agents, 0.0)
        for agent in one_by_one.agent_iter():
            seen, reward, over, _, _ = one_by_one.last()
            sums[agent] += reward
            one_by_one.step(None if over else action(seen["action_mask"]))
        seen, _ = together.reset(seed=seed)
        rewards: dict[str, float] = {}
        while together.agents:
            seen, rewards, *_ = together.step({a: action(seen[a]["action_mask"]) for a in together.agents})
        assert rewards == sums


def test_actions_have_names() -> None:
    assert ACTIONS[:5] == ["stand", "hit", "double", "split", "surrender"] and len(set(ACTIONS)) == len(ACTIONS)


@pytest.mark.parametrize("make", [SeatEnv, lambda **options: VectorEnv(2, **options)])
@pytest.mark.parametrize(
    "options",
    [
        {"stakes": ()},
        {"stakes": (0,)},
        {"stakes": (-1,)},
        {"stakes": (1.5,)},
        {"stakes": "1"},
        {"stakes": (1000,)},  # above the table maximum
        {"side_wagers": ("nope",)},
        {"side_wagers": "streak"},
        {"side_wagers": ("match-the-dealer",)},  # not offered at this table
    ],
)
def test_wagers_that_the_table_does_not_take_are_refused_at_once(make: Any, options: dict[str, Any]) -> None:
    with pytest.raises(cc.NotUnderstood):
        make(table="nj-blackjack", **options)


def test_seats_that_are_not_there() -> None:
    with pytest.raises(cc.NotUnderstood):
        VectorEnv(0)
    for seats in (0, -1, 7):
        with pytest.raises(cc.NotUnderstood):
            cc.pettingzoo.env(seats=seats)


def test_what_the_table_refuses_has_not_happened() -> None:
    """Even a wager that only the table itself knows to refuse leaves the seat asked for its wager."""
    env = SeatEnv("nj-blackjack")
    env._seats.minimum *= 1000
    observation, info = env.reset(seed=1)
    seen, reward, over, _, after = env.step(np.int64(10))
    assert "above the table maximum" in after["refused"] and not over and reward == 0
    # the dealer has prepared the shoe meanwhile, which is no matter of the seat's
    asked = [at for at, name in enumerate(FEATURES) if name != "left"]
    assert (seen[asked] == observation[asked]).all() and (after["action_mask"] == info["action_mask"]).all()


def test_an_environment_is_pickled_as_it_was_made() -> None:
    for made in (SeatEnv("nj-blackjack", decks=6, stakes=(1, 5), count="hi-lo"), VectorEnv(4, "nj-switch", stakes=(1, 2))):
        again = pickle.loads(pickle.dumps(made))
        assert type(again) is type(made) and again.table == made.table and again.action_space == made.action_space
        for one, other in zip(made.reset(seed=3)[0].flat, again.reset(seed=3)[0].flat, strict=True):
            assert one == other
        with pytest.raises(TypeError, match="make another"):
            copy.deepcopy(made)


def test_a_table_in_play_says_that_it_is_not_pickled() -> None:
    with pytest.raises(TypeError, match="hand on its Table"):
        pickle.dumps(cc.Live(cc.Table("nj-blackjack"), seed=7))
