# %% [markdown]
# # Count a side bet
#
# You can count a bet if the cards that leave the shoe change its value. How much does one card of each value change it?

# %%
import cutcard as cc

table = cc.Table("nj-blackjack")
effects = table.removal()
effects.insurance

# %% [markdown]
# Insurance wins only on tens, so every other card that leaves the shoe helps it. Hi-lo follows the main game more closely:

# %%
hi_lo = dict(zip("A23456789T", (-1, 1, 1, 1, 1, 1, 0, 0, 0, -1)))
cards = {value: 4 for value in "A23456789"} | {"T": 16}


def agreement(worth):
    """How well hi-lo follows the worth of cards: 1 is perfect."""
    both = sum(cards[v] * hi_lo[v] * worth[v] for v in cards)
    return both / (sum(cards[v] * hi_lo[v] ** 2 for v in cards) * sum(cards[v] * worth[v] ** 2 for v in cards)) ** 0.5


for name, worth in [("main game", effects.main), ("insurance", effects.insurance)]:
    print(f"{name}: {agreement(worth):.3f}")
assert agreement(effects.main) > 0.9 > agreement(effects.insurance) > 0.7

# %% [markdown]
# A simulation of whole shoes shows how often each count occurs and what a round is worth there. Its tables are Arrow
# tables.

# %%
run = table.simulate(rounds=2e7, strategy="quick", count="hi-lo", ramp={1: 1, 2: 4, 3: 8})
run

# %%
run.plot("edge-by-count")
