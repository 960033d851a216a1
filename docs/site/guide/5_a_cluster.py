# %% [markdown]
# # A billion rounds on a cluster
#
# A run on a [Ray](https://www.ray.io) cluster gives the same document as one machine. The run is divided into chunks. A
# chunk depends only on the seed and its number, so if the cluster loses a chunk, another worker plays it again.

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
