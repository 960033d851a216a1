"""Trains an agent for blackjack by totals and draws how much it still gives away against exact play.

    python examples/train.py [--minutes 1] [--table nj-blackjack] [--out regret.svg]

The agent is a table of action values by what it sees (total, soft, pair, upcard), learned by Monte Carlo control: it
plays thousands of seats at once, explores, and takes the mean of what its actions came to. Regret is exact expectation
minus what the greedy policy earns, measured with its standard error.
"""

from __future__ import annotations

import argparse
import time

import numpy as np
from gymnasium.vector import AutoresetMode

import cutcard as cc
from cutcard.gym import ACTIONS, FEATURES, VectorEnv

SEEN = ["question", "total", "soft", "pair", "up", "doubled"]
SIZES = [8, 32, 2, 11, 11, 2]
COLUMNS = [FEATURES.index(name) for name in SEEN]


def state(observations: np.ndarray) -> np.ndarray:
    """One number for what the agent looks at."""
    number = np.zeros(len(observations), dtype=np.int64)
    for column, size in zip(COLUMNS, SIZES):
        number = number * size + np.clip(observations[:, column], 0, size - 1)
    return number


class Agent:
    def __init__(self, actions: int) -> None:
        self.sums = np.zeros((int(np.prod(SIZES)), actions))
        self.counts = np.ones_like(self.sums)

    def greedy(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        values = (self.sums / self.counts)[state(observations)]
        return np.where(masks == 1, values, -np.inf).argmax(axis=1)

    def explore(self, observations: np.ndarray, masks: np.ndarray, share: float, chance: np.random.Generator) -> np.ndarray:
        noise = np.where(masks == 1, chance.random(masks.shape), -1).argmax(axis=1)
        return np.where(chance.random(len(masks)) < share, noise, self.greedy(observations, masks))


def train(table: str, minutes: float, seats: int = 8192, seed: int = 1) -> tuple[Agent, list[tuple[int, cc.Score]]]:
    # a seat whose round is over wagers again in the same step, and nothing that is returned is kept
    how = {"fresh_shoes": True, "copy": False, "autoreset_mode": AutoresetMode.SAME_STEP}
    env, chance = VectorEnv(seats, table, **how), np.random.default_rng(seed)
    observations, _ = env.reset(seed=seed)
    agent = Agent(env.masks.shape[1])
    # what every seat did in its round, until the round is paid
    states = np.zeros((seats, 16), dtype=np.int64)
    chosen = np.zeros((seats, 16), dtype=np.int64)
    lengths = np.zeros(seats, dtype=np.int64)
    rounds, curve = 0, []
    spent = next_look = 0.0
    while spent < 1:
        if spent >= next_look:
            curve.append((rounds, cc.evaluate(agent.greedy, table, rounds=200_000, seed=99)))
            next_look += 0.2
        # only the training counts, not the looks at how far it is
        began = time.monotonic()
        actions = agent.explore(observations, env.masks, 0.5 * (1 - spent), chance)
        at = np.minimum(lengths, 15)
        states[np.arange(seats), at], chosen[np.arange(seats), at] = state(observations), actions
        lengths += 1
        observations, rewards, over, _, _ = env.step(actions)
        done = np.flatnonzero(over)
        rounds += len(done)
        for step in range(16):
            who = done[np.minimum(lengths[done], 16) > step]
            np.add.at(agent.sums, (states[who, step], chosen[who, step]), rewards[who])
            np.add.at(agent.counts, (states[who, step], chosen[who, step]), 1)
        lengths[done] = 0
        spent += (time.monotonic() - began) / (60 * minutes)
    curve.append((rounds, cc.evaluate(agent.greedy, table, rounds=1_000_000, seed=98)))
    return agent, curve


def plot(curve: list[tuple[int, cc.Score]], table: str) -> str:
    """The regret over the rounds of training, as a small picture."""
    width, height, left, low = 640, 360, 70, 310
    points = [(rounds, max(score.regret, 1e-4), score.std_error) for rounds, score in curve[1:]]
    most = max(rounds for rounds, _, _ in points)
    top, bottom = max(r for _, r, _ in points) * 1.5, 1e-4

    def x(rounds: float) -> float:
        return left + (width - left - 20) * rounds / most

    def y(regret: float) -> float:
        return 20 + (low - 20) * (np.log(top) - np.log(max(regret, bottom))) / (np.log(top) - np.log(bottom))

    line = " ".join(f"{x(rounds):.1f},{y(regret):.1f}" for rounds, regret, _ in points)
    bars = "".join(
        f'<line x1="{x(n):.1f}" x2="{x(n):.1f}" y1="{y(r - e):.1f}" y2="{y(r + e):.1f}" stroke="#999"/>' for n, r, e in points
    )
    ticks = "".join(
        f'<text x="{left - 8}" y="{y(r) + 4:.1f}" text-anchor="end">{100 * r:g} %</text>'
        for r in (0.0001, 0.001, 0.01, 0.1)
        if r <= top
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">'
        f'<rect width="{width}" height="{height}" fill="white"/>{ticks}{bars}'
        f'<polyline points="{line}" fill="none" stroke="#1c6e4a" stroke-width="2"/>'
        f'<text x="{left}" y="{height - 22}">0</text><text x="{width - 20}" y="{height - 22}" text-anchor="end">{most:,} rounds</text>'
        f'<text x="{width / 2}" y="{height - 6}" text-anchor="middle">{table}: regret against exact play, a round</text></svg>'
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--table", default="nj-blackjack")
    parser.add_argument("--out", default="regret.svg")
    given = parser.parse_args()
    agent, curve = train(given.table, given.minutes)
    for rounds, score in curve:
        print(f"{rounds:>12,} rounds: regret {100 * score.regret:7.4f} % ± {100 * score.std_error:.4f}")
    shown = {a: agent.counts[:, at].sum() for at, a in enumerate(ACTIONS)}
    print("actions tried:", {a: int(n) for a, n in shown.items() if n > len(agent.counts)})
    with open(given.out, "w") as file:
        file.write(plot(curve, given.table))


if __name__ == "__main__":
    main()
