"""What can go wrong, with the words of the program and the clause where the regulation is the reason."""

from __future__ import annotations

import json
from dataclasses import dataclass


class Error(Exception):
    """Anything that the package says no to."""


class NotUnderstood(Error, ValueError):
    """The question was not understood: an unknown key, cards that are none, a file that cannot be read."""


class Refused(Error):
    """The question was understood and refused."""

    clause: str | None
    """The clause that says so, where one does."""
    line: int | None
    """The line of a round file."""

    def __init__(self, message: str, clause: str | None = None, line: int | None = None) -> None:
        super().__init__(message)
        self.clause = clause
        self.line = line


@dataclass(frozen=True)
class Violation:
    """Something about a table that a clause does not allow."""

    clause: str
    message: str
    keys: tuple[str, ...]


class Unlawful(Refused):
    """A table that is not lawful, with every violation."""

    violations: tuple[Violation, ...]

    def __init__(self, message: str, violations: str = "[]") -> None:
        found = [Violation(v["clause"], v["message"], tuple(v["keys"])) for v in json.loads(violations)]
        super().__init__(message, found[0].clause if found else None)
        self.violations = tuple(found)
        self._json = violations

    def __reduce__(self) -> tuple[type[Unlawful], tuple[str, str]]:
        return Unlawful, (str(self), self._json)
