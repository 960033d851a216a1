"""The package's exceptions, with the program's messages, and the clause if the regulation is the reason."""

from __future__ import annotations

import json
from dataclasses import dataclass


class Error(Exception):
    """The base class of all errors of the package.

    Examples:
        >>> try:
        ...     cc.Table("nowhere")
        ... except cc.Error as error:
        ...     print(type(error).__name__)
        NotUnderstood
    """


class NotUnderstood(Error, ValueError):
    """The input is not valid: an unknown key, invalid cards, an unreadable file.

    Examples:
        >>> cc.Table("nj-blackjack").ev("T6", up="X")
        Traceback (most recent call last):
        cutcard.errors.NotUnderstood: ...
    """


class Refused(Error):
    """The request was understood but refused.

    Examples:
        >>> try:
        ...     cc.replay("table nj-blackjack\\ncards 8s 6h Td 3c Td\\nbet 1 ann 10\\n1 split\\n")
        ... except cc.Refused as error:
        ...     print(error.line, error.clause)
        4 19:47-2.11(a)
    """

    clause: str | None
    """The clause by which the request is refused, if there is one."""
    line: int | None
    """The line of the round file that is refused, if there is one."""

    def __init__(self, message: str, clause: str | None = None, line: int | None = None) -> None:
        super().__init__(message)
        self.clause = clause
        self.line = line


@dataclass(frozen=True)
class Violation:
    """A violation of a clause by a table.

    Examples:
        >>> cc.Table("nj-six-to-five", decks=8, hypothetical=True).check().violations[0].keys
        ('decks', 'variation')
    """

    clause: str
    message: str
    keys: tuple[str, ...]


class Unlawful(Refused):
    """The table is not legal; `violations` lists every violation.

    Examples:
        >>> try:
        ...     cc.Table("nj-six-to-five", decks=8)
        ... except cc.Unlawful as error:
        ...     print(error.violations[0].clause)
        19:47-2.2(a)1
    """

    violations: tuple[Violation, ...]

    def __init__(self, message: str, violations: str = "[]") -> None:
        found = [Violation(v["clause"], v["message"], tuple(v["keys"])) for v in json.loads(violations)]
        super().__init__(message, found[0].clause if found else None)
        self.violations = tuple(found)
        self._json = violations

    def __reduce__(self) -> tuple[type[Unlawful], tuple[str, str]]:
        return Unlawful, (str(self), self._json)
