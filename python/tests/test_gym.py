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
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test

import cutcard as cc
from cutcard.gym import ACTIONS, FEATURES, GAMES, MOST_REFUSED, SUITS, SeatEnv, VectorEnv
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


def test_the_checker_plays_what_a_strict_environment_refuses() -> None:
    """Why docs/python.md says that `check_env` is not for strict environments: it plays an old action after a reset."""
    made = gymnasium.make("cutcard/Blackjack-v0", strict=True).unwrapped
    with pytest.raises(cc.Refused, match="is not a legal answer now"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for _ in range(20):
            check_env(made, skip_render_check=True)


def test_repeating_a_refused_action_is_truncated() -> None:
    made = SeatEnv("nj-blackjack")
    made.reset(seed=1)
    ended = [made.step(np.int64(0))[3] for _ in range(MOST_REFUSED)]
    assert ended == [False] * (MOST_REFUSED - 1) + [True]
    made.reset()
    assert not made.step(np.int64(0))[3]


def played_out(made: SeatEnv, seed: int) -> NDArray[np.int16]:
    """The last observation of a round."""
    observation, info = made.reset(seed=seed)
    over = False
    while not over:
        action = np.int64(np.flatnonzero(info["action_mask"])[0])
        observation, _, over, _, info = made.step(action)
    return observation


def test_the_last_observation_shows_the_final_cards() -> None:
    made = SeatEnv("nj-blackjack", render_mode="ansi", suits=True)
    points = {**{str(n): n for n in range(2, 10)}, "A": 1, "T": 10, "J": 10, "Q": 10, "K": 10}
    for seed in range(30):
        seen = played_out(made, seed)
        dealer, hand = (line.partition(" ")[2] for line in made.render().splitlines()[:2])  # type: ignore[union-attr]
        cards = hand.partition(": ")[2].split()
        named = dict(zip([*FEATURES, *SUITS], seen.tolist(), strict=True))
        assert named["question"] == 0 and named["cards"] == len(cards) and named["stake"] == 1
        assert [named["first"], named["second"]] == [points[card[0]] for card in cards[:2]]
        first, *second = dealer.split()[:2]
        assert named["up"] == points[first[0]] and named["hole"] == (points[second[0][0]] if second else 0)
        assert named["up_suit"] == 1 + "cdhs".index(first[1]) and named["first_suit"] == 1 + "cdhs".index(cards[0][1])
        assert made.observation_space.contains(seen)


def test_planners_copy_an_environment_in_the_middle_of_a_round() -> None:
    def rest(made: Any) -> list[Any]:
        chance, told = np.random.default_rng(5), []
        _, _, over, _, info = made.step(made.action_space.sample(mask=made.unwrapped._mask))
        for _ in range(40):
            if over:
                _, info = made.reset()
            observation, reward, over, _, info = made.step(np.int64(some(chance, info["action_mask"])))
            told += [observation.tolist(), reward, over]
        return told

    for made in (SeatEnv("nj-switch", count="hi-lo"), gymnasium.make("cutcard/Blackjack-v0", fresh_shoes=True)):
        made.reset(seed=4)
        made.step(np.int64(len(ACTIONS)))
        state, other, third = made.unwrapped.state(), copy.deepcopy(made), copy.copy(made.unwrapped)
        for env_ in (made, other, third):
            env_.action_space.seed(1)
        first = rest(made)
        assert rest(other) == first and rest(third) == first
        for env_ in (made, other):
            env_.unwrapped.restore(state)
            env_.action_space.seed(1)
            assert rest(env_) == first
    with pytest.raises(cc.NotUnderstood, match="state"):
        SeatEnv("nj-blackjack", decks=6).restore(state)
    with pytest.raises(cc.NotUnderstood, match="state"):
        SeatEnv("nj-blackjack").restore(None)  # type: ignore[arg-type]


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
            actions = np.array([some(chance, mask) if mask.any() else 0 for mask in made.masks])
            sums += made.step(actions)[1]
        played.append(sums)
    assert (played[0] == played[1]).all() and len(set(played[0])) > 1


@pytest.mark.parametrize("name", GAMES.values())
def test_the_exact_chart_earns_the_exact_value(name: str) -> None:
    score = cc.evaluate("expert", name, rounds=2_000_000, seed=11)
    exact = cc.Table(name).edge(strategy="total-dependent").ev
    assert abs(score.mean - exact) < 4 * score.std_error, (score, exact)
    assert score.std_error < 0.002 and score.regret < 0.01


def test_as_many_rounds_are_evaluated_as_were_asked_for() -> None:
    for rounds, seats in ((1e4, 4096), (5, 4096), (4097, 4096)):
        score = cc.evaluate("expert", "nj-blackjack", rounds=rounds, seats=seats)
        assert score.rounds == rounds and type(score.rounds) is int


def test_regret_is_measured_against_the_best_of_the_stakes() -> None:
    value = cc.Table("nj-blackjack").edge(spread=False).ev
    assert value < 0, "so the least stake is the best"
    for stakes in ((2, 4), (4, 2)):
        score = cc.evaluate("expert", "nj-blackjack", rounds=100_000, stakes=stakes)
        assert score.best == pytest.approx(2 * value)
        # the expert makes the first of the stakes, and plays by totals
        given_away = 2 * value - stakes[0] * value
        assert abs(score.regret - given_away) < 4 * score.std_error + 0.001
    assert cc.evaluate("expert", "nj-blackjack", rounds=10).best == pytest.approx(value)


def test_the_benchmark_is_the_solver() -> None:
    (row,) = cc.benchmark.values("cutcard/Blackjack-v0")
    assert row.best == cc.Table("nj-blackjack").edge().ev >= row.by_totals


def test_the_vector_is_much_faster_than_a_loop() -> None:
    """The figure in docs/python.md is measured in a release build; here the ratio, which any build has."""
    seats = 4096
    fast = VectorEnv(seats, "nj-blackjack")
    fast.reset(seed=1)
    actions = fast.expert()
    began, steps = time.perf_counter(), 0
    while time.perf_counter() < began + 1:
        # every seat stands when asked for a decision, so that choosing takes no time
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
        seed_test(lambda: env(table=name, seats=3), num_cycles=20)
        parallel_seed_test(lambda: parallel_env(table=name, seats=3), num_cycles=20)


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


@pytest.mark.parametrize("make", [env, parallel_env])
def test_a_table_of_several_agents_is_copied_in_the_middle_of_a_round(make: Any) -> None:
    def rest(made: Any) -> list[Any]:
        told = []
        for agent in made.possible_agents:
            made.action_space(agent).seed(3)
        while made.agents:
            if make is env:
                agent = made.agent_selection
                dead = made.terminations[agent]
                made.step(None if dead else made.action_space(agent).sample())
                told.append((agent, made.render(), dict(made.rewards)))
            else:
                step = made.step({agent: made.action_space(agent).sample() for agent in made.agents})
                told.append((made.render(), step[1]))
        return told

    made = make(seats=3, render_mode="ansi")
    made.reset(seed=2)
    first = made.action_space("box_1").sample()
    made.step(first if make is env else {agent: made.action_space(agent).sample() for agent in made.agents})
    others = [copy.deepcopy(made), copy.copy(made)]
    told = rest(made)
    assert [rest(other) for other in others] == [told, told]


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
    assert (seen == observation).all() and (after["action_mask"] == info["action_mask"]).all()


def test_an_environment_is_pickled_as_it_was_made() -> None:
    for made in (SeatEnv("nj-blackjack", decks=6, stakes=(1, 5), count="hi-lo"), VectorEnv(4, "nj-switch", stakes=(1, 2))):
        again = pickle.loads(pickle.dumps(made))
        assert type(again) is type(made) and again.table == made.table and again.action_space == made.action_space
        for one, other in zip(made.reset(seed=3)[0].flat, again.reset(seed=3)[0].flat, strict=True):
            assert one == other


def test_a_table_in_play_is_copied_and_not_pickled() -> None:
    live = cc.Live(cc.Table("nj-blackjack"), seed=7, rounds=3)
    live.deal()
    others = [copy.deepcopy(live), copy.copy(live)]
    while live.asked:
        # if the copy shared the table machine, its question would have changed by now
        assert all(other.asked == live.asked and other.table is live.table for other in others)
        told = live.decide(live.asked.actions[0])
        assert [other.decide(other.asked.actions[0]) for other in others] == [told, told]
    told = list(live)
    assert [list(other) for other in others] == [told, told]
    with pytest.raises(TypeError, match="pickle its Table"):
        pickle.dumps(live)
