# %% [markdown]
# # Count a side bet
#
# A wager can be counted if the cards that leave the shoe move its value. What is one card of each value worth?

# %%
import cutcard as cc

table = cc.Table("nj-blackjack")
effects = table.removal()
effects.insurance

# %% [markdown]
# Insurance pays for tens alone, so every other card that goes helps it, and the main game likes what hi-lo counts:

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
# A simulation of whole shoes says how often each count comes and what it is worth. The tables are Arrow.

# %%
run = table.simulate(rounds=2e7, strategy="quick", count="hi-lo", ramp={1: 1, 2: 4, 3: 8})
run

# %%
run.plot("edge-by-count")
