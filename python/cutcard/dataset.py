"""Datasets of rounds: every decision with the exact value of each action, as Parquet with a data card.

`python -m cutcard.dataset nj-blackjack --rounds 1e5 --out blackjack` writes one. Every round is dealt from a full
shoe at the table machine, so only the visible cards are known, and the values are those of the exact solver.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, SupportsIndex

import numpy as np

from . import _given
from ._seats import ACTIONS, FEATURES, Seats
from .errors import Error, Refused
from .table import Table

__all__ = ["FIELDS", "decisions", "export"]

FIELDS: dict[str, tuple[str, str]] = {
    "round": ("int64", "number of the round, from 0"),
    "step": ("int32", "number of the decision in its round, from 0"),
    "question": ("string", "what is asked: attack, second-attack, third-attack, insurance, switch or decision"),
    "hand": ("string", "cards of the hand that is asked about, such as `Ts 6h`"),
    "others": ("string", "cards of the player's other hands, separated by commas"),
    "dealer": ("string", "the dealer's open cards"),
    "total": ("int32", "total of the hand"),
    "soft": ("bool", "whether an ace counts 11"),
    "split": ("bool", "whether the hand was formed by a split"),
    "attacks": ("int32", "attack bets that were made"),
    "allowed": ("list<string>", "actions that the rules allow"),
    "action": ("string", "what was done"),
    "explored": ("bool", "whether the action was chosen at random"),
    "best": ("string", "the action of the greatest value; null where the values are not known"),
    "reward": ("double", "what the whole round came to, in initial bets"),
    **{f"value_{action}": ("double", f"exact value of `{action}`, in initial bets") for action in ACTIONS},
}
"""The columns of a dataset: the Arrow type and the description of each."""

MOST_ATTACKS = {"double-attack": 1, "triple-attack": 0}
"""The maximum number of attack bets with which the solver can value a hand."""


class _Values:
    """The exact values of decisions at a table, cached by cards."""

    def __init__(self, table: Table) -> None:
        self.table, self.game = table, table.to_dict()["game"]
        # suits matter only where special odds are paid
        self.suits = bool(table.to_dict()["bonus_payouts"])
        self.known: dict[tuple[str, ...], dict[str, float]] = {}

    def _ranks(self, cards: str) -> str:
        """Returns cards by value in a fixed order."""
        if self.suits:
            return cards
        return " ".join(sorted("T" if card[0] in "JQK" else card[0] for card in cards.split()))

    def of(self, question: str, hand: str, others: Sequence[str], dealer: str, attacks: int) -> dict[str, float]:
        """Returns the values of actions for the visible cards, or None if the solver has none."""
        asked = "" if question == "decision" else question
        if asked not in ("", "attack") or attacks > MOST_ATTACKS.get(self.game, 0):
            return {}
        if asked == "attack" and self.game != "double-attack":
            return {}
        if self.game != "switch":
            # in Switch the second cards change places, so their order matters
            hand, others = self._ranks(hand), [self._ranks(other) for other in others]
            dealer = self._ranks(dealer)
        key = (asked, hand, *others, dealer, str(attacks))
        if key not in self.known:
            self.known[key] = self._worked_out(asked, hand, others, dealer, attacks > 0)
        return self.known[key]

    def _worked_out(
        self, asked: str, hand: str, others: Sequence[str], dealer: str, attacked: bool
    ) -> dict[str, float]:
        if asked == "attack":
            return self.table.ev(up=dealer).attack
        if self.game != "switch":
            return self.table.ev(hand, dealer, removed=" ".join(others), attacked=attacked).actions
        (other,) = others
        found = self.table.ev(hand, dealer, hand2=other)
        # the other hand is played at its best afterwards, and a round has two initial bets
        rest = found.switch["keep"] - max(found.actions.values())
        both = {action: (value + rest) / 2 for action, value in found.actions.items()}
        return {**both, "switch": found.switch["switch"] / 2}


def _exact(values: _Values, asked: str, cards: Mapping[str, Any], allowed: Sequence[str]) -> dict[str, float]:
    """Returns the values of a decision if they cover exactly the legal actions."""
    if cards["split"] or (values.game == "switch" and "switch" not in allowed):
        return {}
    found = values.of(asked, cards["hand"], cards["others"], cards["dealer"], cards["attacks"])
    return found if set(found) == set(allowed) else {}


def decisions(
    table: str | Table, rounds: float | SupportsIndex = 1000, *, seed: int = 0, explore: float = 0.1
) -> Iterator[dict[str, Any]]:
    """Plays rounds and yields every decision with the exact values of its actions.

    The player takes the best action if the values are known, plays split hands as if they had been dealt, and
    declines other offers.

    Args:
        table: The table, or the name of a preset.
        rounds: How many rounds.
        seed: The seed of the cards and of the exploration.
        explore: The fraction of decisions made at random.

    Returns:
        A dictionary per decision, with the keys of `FIELDS`; unknown values are None.

    Examples:
        >>> first = next(decisions("nj-blackjack", 10, seed=1))
        >>> first["best"] in first["allowed"]
        True
    """
    made = table if isinstance(table, Table) else Table(table)
    count = _given.whole("rounds", rounds, 1, 10**12)
    share = _given.real("explore", explore)
    if not 0 <= share <= 1:
        raise Refused(f"explore: {share} is not between 0 and 1")
    return _play(made, count, np.random.default_rng(_given.whole("seed", seed, 0, 2**63)), share)


def _play(table: Table, rounds: int, chance: np.random.Generator, explore: float) -> Iterator[dict[str, Any]]:
    seats, values = Seats(table, 1, (1,), (), None, False), _Values(table)
    for number in range(rounds):
        seats.shuffle(int(chance.integers(2**63)))
        seats.begin()
        seats.act(1, len(ACTIONS))
        rows: list[dict[str, Any]] = []
        while not seats.over:
            row = _decision(seats, values, chance, explore)
            rows.append({"round": number, "step": len(rows), **row})
            seats.act(1, ACTIONS.index(row["action"]))
        for row in rows:
            yield {**row, "reward": seats.reward(1)}


def _decision(seats: Seats, values: _Values, chance: np.random.Generator, explore: float) -> dict[str, Any]:
    """Returns the current question with its values, and the answer."""
    asked = seats.live.ask()
    assert asked is not None, "the round is already over"
    question, _, number, _ = asked
    dealer, hands = seats.live.cards()
    seen = dict(zip(FEATURES, seats.live.observe(1)[0], strict=True))
    own = {hand: cards for _, hand, cards in hands}
    # an offer is made to the box; its first hand is the one in question
    hand = own[number] if number in own else next(iter(own.values()), "")
    others = [cards for at, cards in own.items() if at != (number if number in own else next(iter(own), 0))]
    allowed = [action for action, open_ in zip(ACTIONS, seats.mask(1)) if open_]
    split = bool(seen["split"])
    cards = {"hand": hand, "others": others, "dealer": dealer, "split": split, "attacks": seen["attacks"]}
    exact = _exact(values, question, cards, allowed)
    best = max(exact, key=lambda action: exact[action]) if exact else None
    explored = bool(chance.random() < explore)
    action = str(chance.choice(allowed)) if explored else best or _usual(values.table, question, hand, dealer, allowed)
    return {
        "question": question,
        "hand": hand,
        "others": ", ".join(others),
        "dealer": dealer,
        "total": seen["total"],
        "soft": bool(seen["soft"]),
        "split": split,
        "attacks": seen["attacks"],
        "allowed": allowed,
        "action": action,
        "explored": explored,
        "best": best,
        "reward": 0.0,
        **{f"value_{name}": exact.get(name) for name in ACTIONS},
    }


def _usual(table: Table, question: str, hand: str, dealer: str, allowed: Sequence[str]) -> str:
    """Returns the action if the solver has no values: plays the hand as if it had been dealt, and declines offers."""
    if question != "decision":
        return "pass"
    found = table.ev(hand, dealer).actions if len(hand.split()) > 1 else {}
    return next((action for action in found if action in allowed), allowed[0])


def export(
    table: str | Table,
    folder: str | os.PathLike[str],
    *,
    rounds: float | SupportsIndex = 1000,
    seed: int = 0,
    explore: float = 0.1,
) -> Path:
    """Writes a dataset of decisions as Parquet, with a data card.

    Args:
        table: The table, or the name of a preset.
        folder: The folder for `decisions.parquet` and `README.md`; created if missing.
        rounds: The number of rounds.
        seed: The random seed; the same seed writes the same rows.
        explore: The fraction of decisions made at random.

    Returns:
        The path of the Parquet file.

    Raises:
        Refused: pyarrow is not installed.

    Examples:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     export("nj-blackjack", folder, rounds=10).name
        'decisions.parquet'
    """
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise Refused("writing a dataset needs pyarrow, which is not installed: pip install pyarrow") from None
    made = table if isinstance(table, Table) else Table(table)
    place = Path(_given.path("folder", folder))
    # every argument is checked before anything is written
    played = decisions(made, rounds, seed=seed, explore=explore)
    try:
        place.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise Refused(f"folder: {error}") from None
    kinds = {"list<string>": pyarrow.list_(pyarrow.string()), "double": pyarrow.float64(), "bool": pyarrow.bool_()}
    kinds |= {"string": pyarrow.string(), "int64": pyarrow.int64(), "int32": pyarrow.int32()}
    by = json.dumps(made.check().to_dict()["made_by"])
    about = {"cutcard.made_by": by, "cutcard.table": made.toml(), "cutcard.seed": str(seed)}
    schema = pyarrow.schema([(name, kinds[kind]) for name, (kind, _) in FIELDS.items()], metadata=about)
    rows = valued = 0
    path = place / "decisions.parquet"
    with pyarrow.parquet.ParquetWriter(path, schema) as writer:
        batch: list[dict[str, Any]] = []
        for row in played:
            rows, valued = rows + 1, valued + (row["best"] is not None)
            batch.append(row)
            if len(batch) == 65_536:
                writer.write_table(pyarrow.Table.from_pylist(batch, schema=schema))
                batch = []
        writer.write_table(pyarrow.Table.from_pylist(batch, schema=schema))
    given = {"rounds": _given.whole("rounds", rounds, 1, 10**12), "seed": seed, "explore": float(explore)}
    (place / "README.md").write_text(data_card(made, by, given, rows, valued))
    return path


def data_card(table: Table, made_by: str, given: Mapping[str, float], rows: int, valued: int) -> str:
    """Returns the data card: the contents of the dataset, how it was made, and which values are missing."""
    by = json.loads(made_by)
    fields = "\n".join(f"| `{name}` | {kind} | {text} |" for name, (kind, text) in FIELDS.items())
    return f"""---
license: apache-2.0
pretty_name: "Cutcard decisions: {table.name}"
tags: [blackjack, reinforcement-learning, offline-rl, tabular]
size_categories: [{"n<1K" if rows < 1000 else "1K<n<1M" if rows < 1e6 else "n>1M"}]
---

# Decisions at {table.name}

{given["rounds"]:,} rounds with {rows:,} decisions, one row each.
{valued:,} of the rows have the exact value of every allowed action.

## How it was made

`cutcard.dataset.export` with rounds={given["rounds"]}, seed={given["seed"]}, explore={given["explore"]},
at the table below, by {by["program"]} {by["version"]}, commit {by["commit"]}.

Every round is dealt from a full shoe at the table machine, which follows the regulation clause by clause. The player
takes the best action by the exact values, and any allowed action in the share `explore` of decisions. No person played:
the dataset has no personal data.

## Columns

| column | type | meaning |
|---|---|---|
{fields}

## Values

A value is what the round is worth in initial bets if this action is taken and the best play follows, by the cards in
sight; it is exact, without sampling. Values are null for hands of a split, insurance, the attacks of Triple Attack and
hands behind them, and in Switch after the first decision. Rounds without a decision have no rows.

## The table

```toml
{table.toml().strip()}
```
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Writes a dataset, as given on the command line."""
    parser = argparse.ArgumentParser(prog="python -m cutcard.dataset", description="Write a dataset of decisions.")
    parser.add_argument("table", help="name of a preset, or path of a table file")
    parser.add_argument("--rounds", type=float, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--explore", type=float, default=0.1, help="fraction of decisions that are made at random")
    parser.add_argument("--out", required=True, help="folder to write")
    given = parser.parse_args(arguments)
    try:
        print(export(given.table, given.out, rounds=given.rounds, seed=given.seed, explore=given.explore))
    except Error as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
