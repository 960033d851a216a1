"""The vector follows Gymnasium's contract for vector environments."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers import transform_action, transform_observation, transform_reward, vector
from numpy.typing import NDArray

import cutcard as cc
from cutcard.gym import ACTIONS, FEATURES, SUITS, SeatEnv, VectorEnv

HIT = ACTIONS.index("hit")
FIRST_TWO = re.compile(r"dealer ([A2-9T])\nhand 1: ([A2-9T]) ([A2-9T]), (soft )?(\d+)")
QUESTION, UP, HOLE, TOTAL = (FEATURES.index(name) for name in ("question", "up", "hole", "total"))


def first(masks: NDArray[np.int8]) -> NDArray[np.int64]:
    """The first action that is allowed in every seat."""
    return masks.argmax(axis=1)


def played(env: VectorEnv, seed: Any, steps: int = 60) -> NDArray[Any]:
    """What every seat sees, step by step."""
    env.reset(seed=seed)
    return np.array([env.step(first(env.masks))[0] for _ in range(steps)])


def test_every_seat_has_its_own_seed() -> None:
    env = VectorEnv(3, "nj-blackjack")
    assert (played(env, 5) == played(env, [5, 6, 7])).all()
    one, other = played(env, [5, 6, 7]), played(env, [7, 6, 5])
    assert (one[:, 0] == other[:, 2]).all() and (one[:, 1] == other[:, 1]).all()
    assert (one[:, 0] != one[:, 1]).any()
    assert (played(env, [5, None, 7])[:, 0] == one[:, 0]).all()
    with pytest.raises(cc.NotUnderstood, match="seed"):
        env.reset(seed=[1, 2])


def test_what_is_returned_is_kept_unless_it_is_not_to_be_copied() -> None:
    for kept in (True, False):
        env = VectorEnv(64, "nj-blackjack", copy=kept)
        seen, info = env.reset(seed=1)
        before = [seen.copy(), info["action_mask"].copy()]
        after = env.step(first(env.masks))
        same = [(seen == before[0]).all(), (info["action_mask"] == before[1]).all()]
        assert same == [kept, kept] and (after[0] != before[0]).any()
        assert np.shares_memory(seen, after[0]) is not kept


@pytest.mark.parametrize("name", ["nj-blackjack", "nj-switch", "nj-multiple-action"])
def test_the_next_step_begins_the_next_round(name: str) -> None:
    env = VectorEnv(32, name)
    assert env.metadata["autoreset_mode"] == AutoresetMode.NEXT_STEP
    env.reset(seed=3)
    over, ended = np.zeros(32, dtype=bool), 0
    for _ in range(200):
        began = over
        # a seat whose round is over may say anything
        seen, rewards, over, truncated, info = env.step(np.where(began, -7, first(env.masks)))
        assert not (over & began).any() and not rewards[began].any() and not truncated.any()
        assert (seen[began, QUESTION] == 1).all() and (seen[over, QUESTION] == 0).all()
        assert not info["action_mask"][over].any() and info["action_mask"][~over].any(axis=1).all()
        assert (seen[over, UP] > 0).all() and (seen[over, TOTAL] > 0).all()
        ended += int(over.sum())
    assert ended > 500


def test_the_same_step_may_begin_the_next_round() -> None:
    same = VectorEnv(16, "nj-blackjack", autoreset_mode=AutoresetMode.SAME_STEP)
    following = VectorEnv(16, "nj-blackjack")
    last: list[list[list[int]]] = [[[] for _ in range(16)] for _ in range(2)]
    for which, env in enumerate((same, following)):
        env.reset(seed=9)
        while min(len(ends) for ends in last[which]) < 20:
            seen, _, over, _, info = env.step(first(env.masks))
            final = info["final_obs"] if env is same and over.any() else seen
            assert ("final_obs" in info) is (env is same and bool(over.any()))
            for at in np.flatnonzero(over):
                last[which][at].append(final[at].tolist())
                assert env is following or seen[at, QUESTION] == 1
    assert [ends[:20] for ends in last[0]] == [ends[:20] for ends in last[1]]


def forms(info: dict[str, Any]) -> dict[str, Any]:
    """The keys of infos, with the shapes and types of their arrays."""
    return {
        key: forms(value) if isinstance(value, dict) else (value.shape, value.dtype)
        for key, value in info.items()
        if key != "final_obs"
    }


def test_the_infos_of_the_same_step_are_those_of_gymnasiums_own_vector() -> None:
    own = gymnasium.vector.SyncVectorEnv(
        [lambda: SeatEnv("nj-blackjack")] * 4, autoreset_mode=AutoresetMode.SAME_STEP
    )
    told = []
    for env in (own, VectorEnv(4, "nj-blackjack", autoreset_mode=AutoresetMode.SAME_STEP)):
        _, info = env.reset(seed=3)
        while "final_info" not in info:
            _, _, over, _, info = env.step(first(info["action_mask"]))
        final = info["final_info"]
        assert (info["_final_info"] == over).all() and (final["_action_mask"] == over).all()
        assert not final["action_mask"].any() and info["action_mask"].any(axis=1).all()
        told.append((sorted(info), forms(info)))
    assert told[0] == told[1]


def test_what_is_sampled_is_allowed() -> None:
    env = VectorEnv(64, "nj-switch", stakes=(1, 5))
    env.reset(seed=2)
    env.action_space.seed(1)
    for _ in range(100):
        actions = env.action_space.sample()
        assert env.action_space.contains(actions)
        assert (env.masks[np.arange(64), actions] == 1)[env.masks.any(axis=1)].all()
        env.step(actions)
    assert env.action_space == gymnasium.vector.utils.batch_space(env.single_action_space, 64)


def test_some_seats_are_reset() -> None:
    env = VectorEnv(3, "nj-blackjack")
    env.reset(seed=1)
    before, *_ = env.step(first(env.masks))
    seen, _ = env.reset(seed=[7, 8, 9], options={"reset_mask": np.array([True, False, False])})
    assert seen[0, QUESTION] == 1 and (seen[1:] == before[1:]).all()
    with pytest.raises(cc.NotUnderstood, match="reset_mask"):
        env.reset(options={"reset_mask": [True]})


def test_it_is_rendered() -> None:
    env = VectorEnv(64, "nj-blackjack", render_mode="ansi")
    env.reset(seed=1)
    assert env.render() == ("dealer",) * 64
    _, _, over, _, info = env.step(first(env.masks))
    shown = env.render()
    assert shown is not None and len(shown) == 64
    for text in np.array(shown)[~over]:
        up, one, other, soft, total = FIRST_TWO.fullmatch(text).groups()  # type: ignore[union-attr]
        points = ["-A23456789T".index(value) for value in (one, other)]
        assert int(total) == sum(points) + (10 if "A" in one + other else 0) and bool(soft) == ("A" in one + other)
    env.step(np.where(info["action_mask"][:, HIT] == 1, HIT, first(env.masks)))
    drawn = env.render()
    assert drawn is not None and sum(" and 1 more, " in text for text in drawn) > 30
    env = VectorEnv(8, "nj-switch", render_mode="ansi")
    env.reset(seed=1)
    env.step(first(env.masks))
    assert all("\nother hand: " in text for text in env.render() or [""])
    assert VectorEnv(2, "nj-blackjack").render() is None and SeatEnv("nj-blackjack").render() is None
    for wrong in ("human", 3):
        with pytest.raises(cc.NotUnderstood, match="render_mode"):
            VectorEnv(2, render_mode=wrong)  # type: ignore[arg-type]


def test_a_vector_is_copied_and_put_back() -> None:
    env = VectorEnv(8, "nj-double-attack", count="hi-lo")
    env.reset(seed=6)
    for _ in range(5):
        env.step(first(env.masks))
    state, other, third = env.state(), copy.deepcopy(env), copy.copy(env)

    def rest(env: VectorEnv) -> NDArray[Any]:
        return np.array([env.step(env.expert())[0] for _ in range(50)])

    one = rest(env)
    assert (rest(other) == one).all() and (rest(third) == one).all()
    for again in (env, other):
        again.restore(state)
        assert (rest(again) == one).all()
    with pytest.raises(cc.NotUnderstood, match="state"):
        VectorEnv(8, "nj-blackjack").restore(state)


def test_a_state_fits_only_the_rules_and_options_that_it_was_saved_with() -> None:
    """The native vector checks this itself: its exact chart is for its own rules."""
    state = VectorEnv(4, "nj-blackjack")._native.state()
    VectorEnv(4, "nj-blackjack", copy=False)._native.restore(state)
    others: list[dict[str, Any]] = [
        {"decks": 6},
        {"stakes": (2,)},
        {"count": "hi-lo"},
        {"fresh_shoes": True},
        {"suits": True},
        {"num_envs": 3},
        {"autoreset_mode": AutoresetMode.SAME_STEP},
    ]
    for other in others:
        with pytest.raises(cc.NotUnderstood, match="state"):
            VectorEnv(**{"num_envs": 4, **other})._native.restore(state)


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
@pytest.mark.parametrize("table", ["nj-blackjack", "nj-switch", "nj-multiple-action"])
def test_suits_are_shown_with_their_cards(table: str, mode: AutoresetMode) -> None:
    env = VectorEnv(64, table, suits=True, autoreset_mode=mode)
    plain = VectorEnv(64, table, autoreset_mode=mode)
    assert env.single_observation_space == SeatEnv(table, suits=True).observation_space
    assert env.single_observation_space != plain.single_observation_space
    shown = [FEATURES.index(name) for name in ("first", "second", "up", "hole")]
    at = [len(FEATURES) + number for number in range(len(SUITS))]
    seen, _ = env.reset(seed=4)
    finals: Any = None
    dealt = np.zeros((len(SUITS), 11, 5), dtype=np.int64)
    for _ in range(400):
        assert env.observation_space.contains(seen)
        finals = [] if finals is None else list(finals)
        assert all(env.single_observation_space.contains(final) and final[at[2]] > 0 for final in finals)
        rows = np.array([*seen, *finals])
        assert ((rows[:, shown] > 0) == (rows[:, at] > 0)).all()
        for place, (card, suit) in enumerate(zip(shown, at)):
            np.add.at(dealt[place], (rows[:, card], rows[:, suit]), 1)
        seen, _, over, _, info = env.step(env.action_space.sample())
        # with same-step reset only the last observations show the hole card
        finals = info["final_obs"][over] if "final_obs" in info else None
    # every card comes in every suit
    assert (dealt[:, 1:, 1:] > 0).all()


def test_no_card_of_one_deck_comes_twice() -> None:
    env = VectorEnv(256, "nj-blackjack", suits=True, decks=1, resplit_aces=True, fresh_shoes=True)
    env.reset(seed=4)
    compared = 0
    for _ in range(60):
        seen, *_ = env.step(env.action_space.sample())
        named = dict(zip([*FEATURES, *SUITS], seen.T))
        cards = [(named[name], named[f"{name}_suit"]) for name in ("first", "second", "up", "hole")]
        for one, (value, suit) in enumerate(cards):
            for other, other_suit in cards[:one]:
                # four ranks have the value ten
                same = (value == other) & (value > 0) & (value < 10)
                compared += int(same.sum())
                assert (suit != other_suit)[same].all()
    assert compared > 500


FLOATS = spaces.Box(-1, 1, (len(FEATURES),), dtype=np.float32)
WRAPPERS: dict[str, Callable[[VectorEnv], Any]] = {
    "VectorizeTransformObservation": lambda env: vector.VectorizeTransformObservation(
        env, transform_observation.TransformObservation, func=lambda seen: seen, observation_space=env.single_observation_space
    ),
    "VectorizeTransformAction": lambda env: vector.VectorizeTransformAction(
        env, transform_action.TransformAction, func=lambda action: action, action_space=env.single_action_space
    ),
    "VectorizeTransformReward": lambda env: vector.VectorizeTransformReward(
        env, transform_reward.TransformReward, func=lambda reward: 2 * reward
    ),
    "DictInfoToList": lambda env: vector.DictInfoToList(env),
    "TransformObservation": lambda env: vector.TransformObservation(env, lambda seen: seen),
    "FlattenObservation": lambda env: vector.FlattenObservation(env),
    "ReshapeObservation": lambda env: vector.ReshapeObservation(env, (len(FEATURES) // 2, 2)),
    "RescaleObservation": lambda env: vector.RescaleObservation(
        vector.DtypeObservation(env, np.float32), np.float32(-1), np.float32(1)
    ),
    "DtypeObservation": lambda env: vector.DtypeObservation(env, np.float32),
    "NormalizeObservation": lambda env: vector.NormalizeObservation(env),
    "TransformAction": lambda env: vector.TransformAction(env, lambda actions: actions),
    "TransformReward": lambda env: vector.TransformReward(env, lambda rewards: 2 * rewards),
    "ClipReward": lambda env: vector.ClipReward(env, -1, 1),
    "NormalizeReward": lambda env: vector.NormalizeReward(env),
    "RecordEpisodeStatistics": lambda env: vector.RecordEpisodeStatistics(env),
}
# these want observations that are dictionaries or pictures, actions that are real numbers, or jax and torch
OTHERS = {
    "FilterObservation", "GrayscaleObservation", "ResizeObservation", "ClipAction", "RescaleAction", "RecordVideo",
    "HumanRendering", "ArrayConversion", "JaxToNumpy", "JaxToTorch", "NumpyToTorch",
}  # fmt: skip


def test_every_wrapper_is_known() -> None:
    assert set(vector.__all__) == set(WRAPPERS) | OTHERS


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
@pytest.mark.parametrize("name", WRAPPERS)
def test_gymnasiums_wrappers_run(name: str, mode: AutoresetMode) -> None:
    env = VectorEnv(4, "nj-blackjack", autoreset_mode=mode)
    # Gymnasium changes no observations where a seat is reset in the step that ends its round
    if mode == AutoresetMode.SAME_STEP and issubclass(getattr(vector, name), gymnasium.vector.VectorObservationWrapper):
        with pytest.raises(ValueError, match="Expected autoreset_mode to be NEXT_STEP"):
            WRAPPERS[name](env)
        return
    wrapped = WRAPPERS[name](env)
    seen, _ = wrapped.reset(seed=1)
    ended = 0
    for _ in range(100):
        assert wrapped.observation_space.contains(seen), name
        seen, rewards, over, truncated, info = wrapped.step(first(env.masks))
        ended += int(over.sum())
        assert len(rewards) == len(over) == len(truncated) == 4 and len(info) > 0
    assert ended > 20


def test_gymnasium_makes_it() -> None:
    many = gymnasium.make_vec("cutcard/Switch-v0", num_envs=4, vectorization_mode="vector_entry_point")
    many.reset(seed=1)
    many.step(many.action_space.sample())
    assert isinstance(many.unwrapped, VectorEnv)
