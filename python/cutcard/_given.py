"""Checks arguments: a value of the wrong type is refused with the name of its parameter."""

from __future__ import annotations

import difflib
import math
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any, SupportsIndex, TypeVar

from .errors import NotUnderstood

T = TypeVar("T")


def shown(value: object) -> str:
    """Returns a value as text for a message; handles huge numbers and objects without a text form."""
    try:
        return repr(value)
    except Exception:
        return f"this {type(value).__name__}"


def text(what: str, value: object) -> str:
    """Returns a text."""
    if not isinstance(value, str):
        raise NotUnderstood(f"{what}: {shown(value)} is not a string")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise NotUnderstood(f"{what}: {shown(value)} is not valid Unicode") from None
    return value


def path(what: str, value: object) -> str:
    """Returns a name or the path of a file."""
    return text(what, os.fspath(value) if isinstance(value, os.PathLike) else value)


def flag(what: str, value: object) -> bool:
    """Returns True or False."""
    if value is True or value is False:
        return value
    if type(value).__name__ in ("bool", "bool_") and type(value).__module__ == "numpy":
        return bool(value)
    raise NotUnderstood(f"{what}: {shown(value)} is neither True nor False")


def whole(what: str, value: object, least: int, most: int) -> int:
    """Returns a whole number within bounds; it may be written as 1e9."""
    if isinstance(value, float) and math.isfinite(value) and value == int(value):
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, SupportsIndex):
        raise NotUnderstood(f"{what}: {shown(value)} is not a whole number")
    try:
        number = value.__index__()
    except TypeError:
        # an array of several numbers has the method and refuses
        raise NotUnderstood(f"{what}: {shown(value)} is not a whole number") from None
    if not least <= number <= most:
        raise NotUnderstood(f"{what}: {shown(number)} is not between {least} and {most}")
    return number


def real(what: str, value: object) -> float:
    """Returns a number."""
    if isinstance(value, (bool, str, bytes)) or not hasattr(value, "__float__"):
        raise NotUnderstood(f"{what}: {shown(value)} is not a number")
    try:
        return float(value)
    except (OverflowError, TypeError, ValueError):
        raise NotUnderstood(f"{what}: {shown(value)} is not a number") from None


def amount(what: str, value: object) -> str:
    """Returns an amount of money as the table reads it."""
    try:
        number = Decimal(str(value)) if isinstance(value, (int, float, str, Decimal)) else Decimal("NaN")
    except (InvalidOperation, ValueError):
        number = Decimal("NaN")
    if isinstance(value, bool) or not number.is_finite() or abs(number) >= 10**12:
        raise NotUnderstood(f'{what}: {shown(value)} is not an amount such as 10 or "2.50"')
    return f"{number:f}"


def texts(what: str, value: object) -> list[str]:
    """Returns a list of texts; a single text is not a list."""
    if isinstance(value, (str, bytes, Mapping)) or not isinstance(value, Iterable):
        raise NotUnderstood(f"{what}: {shown(value)} is not a list of strings")
    return [text(what, one) for one in value]


def mapping(what: str, value: object) -> Mapping[Any, Any]:
    """Returns a mapping."""
    if not isinstance(value, Mapping):
        raise NotUnderstood(f"{what}: {shown(value)} is not a mapping")
    return value


def values(what: str, value: object) -> Sequence[object]:
    """Returns a list of values."""
    if isinstance(value, (str, bytes)) or not isinstance(value, Sequence):
        raise NotUnderstood(f"{what}: {shown(value)} is not a list of values")
    return value


def optional(check: Callable[..., T], what: str, value: object, *bounds: int) -> T | None:
    """Returns what is given, checked, or None."""
    return None if value is None else check(what, value, *bounds)


def kind(what: str, value: object, wanted: type[T]) -> T:
    """Returns a value of this type."""
    if not isinstance(value, wanted):
        raise NotUnderstood(f"{what}: {shown(value)} is not a {wanted.__name__}")
    return value


def known(what: str, name: str, names: Iterable[str]) -> None:
    """Refuses an unknown name and suggests the nearest known one."""
    names = list(names)
    if name not in names:
        near = difflib.get_close_matches(name, names, 1)
        hint = f"the nearest is `{near[0]}`" if near else f"there are {', '.join(names)}"
        raise NotUnderstood(f"there is no {what} `{name}`; {hint}")
