# %% [markdown]
# # A billion rounds on a cluster
#
# A run on a [Ray](https://www.ray.io) cluster gives the very document of one machine. Tasks are rows of chunks; a chunk is a
# pure function of the seed and its number, so whatever a cluster loses is played again.

# %%
import os

import cutcard as cc

rounds = float(os.environ.get("GUIDE_ROUNDS", "1e9"))
table = cc.Table("nj-blackjack")
run = cc.ray.simulate(table, rounds, strategy="quick", seed=7)     # address="auto" for the cluster of this machine
run

# %%
alone = table.simulate(rounds, strategy="quick", seed=7)
assert (run.ev, run.std_dev, run.rounds) == (alone.ev, alone.std_dev, alone.rounds)
run.played_by

# %% [markdown]
# The same from a shell: `cutcard simulate nj-blackjack --rounds 1e12 --ray auto`.
