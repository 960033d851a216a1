# %% [markdown]
# # The edge of your table in five lines
#
# A table is a preset with your options. A table that the regulation does not allow raises `cc.Unlawful`, with every
# violation and its clause.

# %%
import cutcard as cc

table = cc.Table("nj-blackjack", decks=6, surrender=True)
edge = table.edge()
edge

# %% [markdown]
# The figure is exact: it covers every deal and every draw, with the best play for the exact cards of each hand. What does
# each option cost?

# %%
for decks in (1, 2, 4, 6, 8):
    print(f"{decks} decks: {100 * table.replace(decks=decks).edge(spread=False).house_edge:.4f} %")

# %% [markdown]
# What should you do with a hand, and what are the alternatives worth?

# %%
question = table.ev("T6", up="T")
question

# %%
assert question.best == "surrender"
table.strategy()

# %% [markdown]
# An illegal table says why:

# %%
try:
    cc.Table("nj-six-to-five", decks=8)
    raise AssertionError("6 to 5 is for one or two decks")
except cc.Unlawful as error:
    for violation in error.violations:
        print(violation.clause, violation.message)
