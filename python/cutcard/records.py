"""Replayed round files, and clauses of the catalogue."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import overload

from .columns import table_html
from .results import Document, Json


@dataclass(frozen=True)
class Settlement:
    """One settled bet and its clause.

    Examples:
        >>> replay = cc.replay("table nj-blackjack\\ncards 8s 6h Td 3c Td\\nbet 1 ann 10\\n1 stand\\n")
        >>> settlement = replay.rounds[0].settlements[0]
        >>> settlement.player, settlement.wager, settlement.net
        ('ann', 'main', Decimal('-10.00'))
    """

    box: int
    hand: int
    player: str
    wager: str
    amount: Decimal
    result: str
    net: Decimal
    clause: str
    when: str
    spot: int | None = None


class Round:
    """One round of a round file.

    Examples:
        >>> replay = cc.replay("table nj-blackjack\\ncards 8s 6h Td 3c Td\\nbet 1 ann 10\\n1 stand\\n")
        >>> replay.rounds[0].net
        {'ann': Decimal('-10.00')}
    """

    def __init__(self, data: Json) -> None:
        self._data = data

    @property
    def dealer(self) -> Json:
        """The dealer's cards and their total."""
        return dict(self._data["dealer"])

    @property
    def hands(self) -> list[Json]:
        """The hands of all boxes."""
        return list(self._data["hands"])

    @property
    def settlements(self) -> list[Settlement]:
        """Every settled bet, with its clause."""
        return [
            Settlement(**{**wager, "amount": Decimal(wager["amount"]), "net": Decimal(wager["net"])})
            for wager in self._data["wagers"]
        ]

    @property
    def net(self) -> dict[str, Decimal]:
        """The net result of each player."""
        return {player: Decimal(net) for player, net in self._data["net"].items()}

    def __repr__(self) -> str:
        return f"Round(dealer={self.dealer['cards']!r}, net={self._data['net']})"

    def _repr_html_(self) -> str:
        rows = [(s.player, s.wager, s.amount, s.result, s.net, s.clause) for s in self.settlements]
        return table_html(["player", "wager", "amount", "result", "net", "clause"], rows)


class Replay(Document):
    """A replayed round file.

    Examples:
        >>> replay = cc.replay("table nj-blackjack\\ncards 8s 6h Td 3c Td\\nbet 1 ann 10\\n1 stand\\n")
        >>> replay.rounds[0].settlements[0].clause
        '19:47-2.3(a)'
    """

    @property
    def rounds(self) -> list[Round]:
        """The rounds in their order."""
        return [Round(data) for data in self._data["rounds"]]

    def __repr__(self) -> str:
        return f"Replay({self.rounds})"


@dataclass(frozen=True)
class Clause:
    """A requirement of the catalogue.

    Examples:
        >>> cc.clauses("36.5(d)")[0].state
        'proven'
    """

    id: str
    kind: str
    state: str
    summary: str
    honoured: str
    proven_by: tuple[str, ...]
    cited_in: tuple[str, ...]


class Clauses(Document, Sequence[Clause]):
    """Clauses of the catalogue.

    Examples:
        >>> cc.clauses(game="switch", kind="rule")[0].kind
        'rule'
    """

    @staticmethod
    def _clause(entry: Json) -> Clause:
        proofs = tuple(entry.get("proven_by", ()))
        cited = tuple(entry.get("cited_in", ()))
        return Clause(
            entry["id"], entry["kind"], entry["state"], entry["summary"], entry["honoured"], proofs, cited
        )

    @overload
    def __getitem__(self, at: int) -> Clause: ...
    @overload
    def __getitem__(self, at: slice) -> list[Clause]: ...
    def __getitem__(self, at: int | slice) -> Clause | list[Clause]:
        entries = self._data["clauses"]
        if isinstance(at, slice):
            return [self._clause(entry) for entry in entries[at]]
        return self._clause(entries[at])

    def __len__(self) -> int:
        return len(self._data["clauses"])

    def __iter__(self) -> Iterator[Clause]:
        return (self._clause(entry) for entry in self._data["clauses"])

    def __repr__(self) -> str:
        return f"Clauses({len(self)})"

    def _repr_html_(self) -> str:
        return table_html(["clause", "kind", "state", "summary"], [(c.id, c.kind, c.state, c.summary) for c in self])
