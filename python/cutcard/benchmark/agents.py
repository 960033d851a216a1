"""The baselines: rule-based and learning agents, using only numpy."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from ..gym import ACTIONS, FEATURES, VectorEnv
from ..table import Table
from .play import Policy
from .scores import Agent
from .tasks import Task, by_count

__all__ = [
    "FIXED",
    "LEARNERS",
    "Learner",
    "chart",
    "counter",
    "mimic",
    "policy_gradient",
    "q_learning",
    "random_agent",
    "rules",
    "states",
]

Rows = NDArray[np.int64]
Masks = NDArray[np.int8]

AT = {name: place for place, name in enumerate(FEATURES)}
WAGER, ATTACKS, SWITCH = 1, (2, 3, 4), 6
"""The numbers of the questions that the baselines distinguish."""
STAND, HIT, PASS = ACTIONS.index("stand"), ACTIONS.index("hit"), ACTIONS.index("pass")
SEATS = 4096
FAR = 24
"""The maximum number of decisions of a round to learn from; a round rarely has more."""


def random_agent(seed: int = 0) -> Agent:
    """Makes an agent that chooses uniformly among the legal actions.

    Args:
        seed: The random seed.

    Returns:
        The agent.

    Examples:
        >>> cc.benchmark.score(random_agent(), "blackjack", rounds=1e4).regret > 0.2
        True
    """

    def agent(env: VectorEnv) -> Policy:
        chance = np.random.default_rng(seed)
        return lambda seen, masks: np.where(masks == 1, chance.random(masks.shape), -1.0).argmax(axis=1)

    return agent


def mimic(env: VectorEnv) -> Policy:
    """Plays like the dealer: hits below 17, and declines every offer.

    Args:
        env: The environment.

    Returns:
        The policy.

    Examples:
        >>> cc.benchmark.score(mimic, "blackjack", rounds=1e4).regret > 0.02
        True
    """
    hits_soft = env.table.to_dict()["soft_17"] == "hit"

    def policy(seen: NDArray[np.int16], masks: Masks) -> Rows:
        total, soft = seen[:, AT["total"]], seen[:, AT["soft"]] == 1
        draws = (total < 17) | (soft & (total == 17) & hits_soft)
        actions = np.where(draws & (masks[:, HIT] == 1), HIT, STAND)
        actions = np.where(masks[:, PASS] == 1, PASS, actions)
        return np.where(seen[:, 0] == WAGER, len(ACTIONS), actions)

    return policy


def chart(env: VectorEnv) -> Policy:
    """Plays the exact total-dependent chart, with the first stake and no side bets.

    Args:
        env: The environment.

    Returns:
        The policy.

    Examples:
        >>> cc.benchmark.score(chart, "blackjack", rounds=1e3).std_error
        0.0
    """
    return lambda seen, masks: env.expert()


def counter(env: VectorEnv) -> Policy:
    """Plays the exact total-dependent chart; bets the most at hi-lo counts with positive EV, otherwise the least.

    Args:
        env: The environment; it shows the hi-lo count.

    Returns:
        The policy.

    Examples:
        >>> cc.benchmark.score(counter, "blackjack-count", rounds=1e4).rounds
        10000
    """
    # the lowest count at which the player expects to win
    wins = min(row["count"] for row in by_count(env.table.name) if row["ev"] > 0)
    most = len(ACTIONS) + int(np.argmax(env.stakes))

    def policy(seen: NDArray[np.int16], masks: Masks) -> Rows:
        high = (seen[:, 0] == WAGER) & (seen[:, AT["count"]] >= wins)
        return np.where(high, most, env.expert())

    return policy


FIXED: dict[str, Agent] = {"random": random_agent(), "mimic": mimic, "chart": chart, "counter": counter}
"""The baselines that do not learn; `counter` plays where a count is shown."""

# the learners distinguish the question, the hand (a pair or a total), the upcard, and the stage of the hand
HANDS, UPS = 75, 11
SHAPE = (8, HANDS, UPS, 2, 2, 3, 2)
PLAIN = int(np.prod(SHAPE))
STATES = PLAIN + 11**5
"""The number of states of the learners. The question whether to switch has a state for each set of five cards."""


def states(seen: NDArray[np.int16]) -> Rows:
    """Returns one number per seat for the state that a learner distinguishes.

    Args:
        seen: Observations, one row per seat.

    Returns:
        Numbers below `STATES`.

    Examples:
        >>> env = cc.gym.VectorEnv(2)
        >>> len(states(env.reset(seed=1)[0]))
        2
    """
    wide = seen.astype(np.int64)

    def of(name: str) -> Rows:
        return wide[:, AT[name]]

    question, pair = wide[:, 0], of("pair")
    hand = np.where(pair > 0, 64 + pair, of("total") * 2 + of("soft"))
    hand = np.where(np.isin(question, ATTACKS), of("first"), hand)
    hand = np.where(question == WAGER, np.clip(of("count"), -8, 8) + 8, hand)
    later = np.minimum(of("hand"), 1)
    parts = (question, hand, of("up"), of("split"), later, np.minimum(of("attacks"), 2), of("doubled"))
    plain = np.ravel_multi_index(parts, SHAPE, mode="clip")
    cards = np.zeros_like(plain)
    for name in ("first", "second", "other_first", "other_second", "up"):
        cards = cards * 11 + of(name)
    return np.where(question == SWITCH, PLAIN + cards, plain)


def rules(table: Table) -> NDArray[np.float64]:
    """Returns the rules of a table as numbers between 0 and 1, for an agent that learns across tables.

    Args:
        table: The table.

    Returns:
        Soft 17 is hit, surrender, aces may be split again, so may other pairs, and one by the number of decks.

    Examples:
        >>> rules(cc.Table("nj-blackjack", decks=2, soft_17="hit")).tolist()
        [1.0, 0.0, 0.0, 1.0, 0.5]
    """
    told = table.to_dict()
    return np.array(
        [
            told["soft_17"] == "hit",
            told["surrender"],
            told["resplit_aces"],
            told["split_hands"] > 2,
            1 / told["decks"],
        ],
        dtype=np.float64,
    )


def _greedy(values: NDArray[np.float64], masks: Masks) -> Rows:
    return np.asarray(np.where(masks == 1, values, -np.inf).argmax(axis=1))


Learner = Callable[[Task, int, int, list[int]], Iterator[tuple[int, Agent]]]
"""A learner: takes a task, a seed, the rounds of the training and the stops; yields the agent at each stop."""


def _rotation(task: Task, seed: int) -> list[VectorEnv]:
    """Returns the training environments, one per table, to be used in rotation."""
    tables = task.training
    made = [task.environment(table, SEATS // len(tables)) for table in tables]
    for at, env in enumerate(made):
        env.reset(seed=seed * 1_000_003 + at * SEATS)
    return made


def q_learning(task: Task, seed: int, rounds: int, stops: list[int]) -> Iterator[tuple[int, Agent]]:
    """Learns a table of action values by Q-learning, from the reward and the best value of the next state.

    Args:
        task: The task.
        seed: The seed of the cards and of the exploration.
        rounds: The rounds of the training.
        stops: After how many rounds the agent is handed out.

    Returns:
        For each stop the rounds that were played, and the agent, which is greedy.

    Examples:
        >>> (stop,) = q_learning(cc.benchmark.TASKS["blackjack"], 1, 1000, [1000])
        >>> stop[0] >= 1000
        True
    """
    envs, chance = _rotation(task, seed), np.random.default_rng(seed)
    values = np.zeros((STATES, envs[0].masks.shape[1]))
    visits = np.zeros_like(values)

    def agent(env: VectorEnv) -> Policy:
        return lambda seen, masks: _greedy(values[states(seen)], masks)

    now = [states(env._observations) for env in envs]
    done = turn = 0
    for stop in stops:
        while done < stop:
            env, here = envs[turn], now[turn]
            share = max(0.5 * (1 - done / rounds), 0.02)
            some = np.where(env.masks == 1, chance.random(env.masks.shape), -1.0).argmax(axis=1)
            actions = np.where(chance.random(len(here)) < share, some, _greedy(values[here], env.masks))
            seen, rewards, over, _, _ = env.step(actions)
            there = states(seen)
            # the state after the last decision of a round is the next bet, which that decision did not cause
            ahead = np.where(env.masks == 1, values[there], -np.inf).max(axis=1)
            target = rewards.astype(np.float64) + np.where(over, 0.0, ahead)
            cells, which = np.unique(here * values.shape[1] + actions, return_inverse=True)
            times = np.bincount(which).astype(np.float64)
            mean = np.bincount(which, weights=target) / times
            flat, tried = values.reshape(-1), visits.reshape(-1)
            tried[cells] += times
            # a step size that falls more slowly than 1 / n forgets early estimates
            rate = np.minimum(times * 20 / (20 + tried[cells]), 1.0)
            flat[cells] += np.maximum(rate, 1e-4) * (mean - flat[cells])
            now[turn] = there
            done += int(over.sum())
            turn = (turn + 1) % len(envs)
        yield done, agent


def _exp(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Approximates the exponential of numbers from -1000 to 0, using only multiplications.

    `numpy.exp` rounds differently on different CPUs, but a seed must give the same training everywhere.
    """
    power = 1 + np.maximum(x, -1000.0) / 1024
    for _ in range(10):
        power = power * power
    return power


def _softmax(logits: NDArray[np.float64], masks: Masks) -> NDArray[np.float64]:
    """Returns the probabilities of the allowed actions."""
    allowed = masks == 1
    top = np.where(allowed, logits, -np.inf).max(axis=1, keepdims=True)
    shares = np.where(allowed, _exp(np.minimum(logits - top, 0.0)), 0.0)
    return np.asarray(shares / shares.sum(axis=1, keepdims=True))


def policy_gradient(task: Task, seed: int, rounds: int, stops: list[int]) -> Iterator[tuple[int, Agent]]:
    """Learns a masked softmax policy by REINFORCE, with the mean return of a state as its baseline.

    The preference for an action is a number for the state plus one for every rule of the table that applies, so that
    the agent can generalize to other tables.

    Args:
        task: The task.
        seed: The seed of the cards and of the actions.
        rounds: The rounds of the training.
        stops: After how many rounds the agent is handed out.

    Returns:
        For each stop the rounds that were played, and the agent, which takes the action of the greatest preference.

    Examples:
        >>> (stop,) = policy_gradient(cc.benchmark.TASKS["blackjack"], 1, 1000, [1000])
        >>> stop[0] >= 1000
        True
    """
    envs, chance = _rotation(task, seed), np.random.default_rng(seed)
    actions_of = envs[0].masks.shape[1]
    several = len(envs) > 1
    # at a single table the rules are always the same and there is nothing to learn about them
    given = [np.concatenate([[1.0], rules(env.table) if several else []]) for env in envs]
    wishes = np.zeros((len(given[0]), STATES, actions_of))
    scale = np.full(wishes.shape[1:], 1e-3)
    returns, visits = np.zeros(STATES), np.ones(STATES)

    def preferences(here: Rows, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        summed = weights[0] * wishes[0, here]
        for at in range(1, len(weights)):
            summed = summed + weights[at] * wishes[at, here]
        return np.asarray(summed)

    def agent(env: VectorEnv) -> Policy:
        weights = np.concatenate([[1.0], rules(env.table) if several else []])
        return lambda seen, masks: _greedy(preferences(states(seen), weights), masks)

    class Track:
        """The actions of every seat in its round, until the round is settled."""

        def __init__(self, env: VectorEnv) -> None:
            seats = env.num_envs
            self.length = np.zeros(seats, dtype=np.int64)
            self.state = np.zeros((FAR, seats), dtype=np.int64)
            self.action = np.zeros((FAR, seats), dtype=np.int64)
            self.push = np.zeros((FAR, seats, actions_of))
            self.seats = np.arange(seats)

    tracks = [Track(env) for env in envs]
    done = turn = 0
    for stop in stops:
        while done < stop:
            env, track, weights = envs[turn], tracks[turn], given[turn]
            here = states(env._observations)
            odds = _softmax(preferences(here, weights), env.masks)
            # the first action whose cumulative probability exceeds a random number; the last allowed one if none does
            passed = odds.cumsum(axis=1) > chance.random(len(here))[:, None]
            chosen = np.where(passed.any(axis=1), passed.argmax(axis=1), odds.argmax(axis=1))
            at = np.minimum(track.length, FAR - 1)
            track.state[at, track.seats], track.action[at, track.seats] = here, chosen
            push = -odds
            push[track.seats, chosen] += 1
            track.push[at, track.seats] = push
            track.length += 1
            _, rewards, over, _, _ = env.step(chosen)
            who = np.flatnonzero(over)
            for step in range(int(np.minimum(track.length[who], FAR).max(initial=0))):
                seats = who[np.minimum(track.length[who], FAR) > step]
                cell, came = track.state[step, seats], rewards[seats].astype(np.float64)
                better = came - returns[cell] / visits[cell]
                np.add.at(returns, cell, came)
                np.add.at(visits, cell, 1.0)
                gain = better[:, None] * track.push[step, seats]
                np.add.at(scale, cell, gain * gain)
                move = 0.6 * gain / np.sqrt(scale[cell])
                for plane, weight in enumerate(weights):
                    if weight:
                        np.add.at(wishes[plane], cell, weight * move)
            track.length[who] = 0
            done += len(who)
            turn = (turn + 1) % len(envs)
        yield done, agent


LEARNERS: dict[str, Learner] = {"q-learning": q_learning, "policy-gradient": policy_gradient}
"""The baselines that learn."""


def stops_of(rounds: int) -> list[int]:
    """Returns the seven numbers of rounds at which a learning curve is measured, each twice the previous one."""
    return [rounds >> (6 - step) for step in range(7)]
