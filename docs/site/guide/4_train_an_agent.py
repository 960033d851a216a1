# %% [markdown]
# # Train an agent
#
# These environments have the rules of real regulations, and their values are known exactly. So an agent's regret can be
# measured.

# %%
import numpy as np
from gymnasium.vector import AutoresetMode

import cutcard as cc
from cutcard.gym import ACTIONS, FEATURES, VectorEnv

for row in cc.benchmark.values()[:3]:
    best, by_totals = 100 * row.best, 100 * row.by_totals
    print(f"{row.environment:<24} best play {best:.4f} %, best play by totals {by_totals:.4f} %")

# %% [markdown]
# First we measure an agent that stands whenever it may:

# %%
stand = ACTIONS.index("stand")


def timid(observations, masks):
    """Stands, or does the first thing that is allowed."""
    return np.where(masks[:, stand] == 1, stand, masks.argmax(axis=1))


before = cc.evaluate(timid, "nj-blackjack", rounds=200_000)
print(f"regret {100 * before.regret:.2f} % of a bet, standard error {100 * before.std_error:.2f} %")

# %% [markdown]
# The next agent learns from its own rounds, at four thousand seats at once. It sees the total and the dealer's card, and
# keeps the mean result of each action in each situation. A seat whose round is over bets again in the same step.

# %%
env = VectorEnv(4096, "nj-blackjack", fresh_shoes=True, autoreset_mode=AutoresetMode.SAME_STEP)
chance, seats = np.random.default_rng(1), np.arange(4096)
columns = [FEATURES.index(name) for name in ("question", "total", "soft", "up")]
sums = np.zeros((8, 40, 2, 12, env.masks.shape[1]))
counts = np.ones_like(sums)


def situation(observations):
    """What the agent looks at."""
    return tuple(np.clip(observations[:, column], 0, most - 1) for column, most in zip(columns, sums.shape))


def learned(observations, masks):
    """The action that came to most in such a situation."""
    return np.where(masks == 1, (sums / counts)[situation(observations)], -np.inf).argmax(axis=1)


seen, _ = env.reset(seed=1)
done, length = np.zeros((4096, 16, 5), dtype=np.int64), np.zeros(4096, dtype=np.int64)
for turn in range(800):
    explored = np.where(env.masks == 1, chance.random(env.masks.shape), -1).argmax(axis=1)
    greedy = chance.random(4096) < min(0.9, turn / 600)
    chosen = np.where(greedy, learned(seen, env.masks), explored)
    done[seats, np.minimum(length, 15)] = np.stack([*situation(seen), chosen], axis=1)
    length += 1
    seen, rewards, over, _, _ = env.step(chosen)
    for step in range(16):
        paid = over.astype(bool) & (length > step)
        np.add.at(sums, tuple(done[paid, step].T), rewards[paid])
        np.add.at(counts, tuple(done[paid, step].T), 1)
    length[over.astype(bool)] = 0

after = cc.evaluate(learned, "nj-blackjack", rounds=200_000)
print(f"regret {100 * after.regret:.2f} % of a bet, standard error {100 * after.std_error:.2f} %")
assert after.regret < before.regret / 3

# %% [markdown]
# `python/examples/train.py` tells pairs apart too, plays for a minute, and draws its regret.
