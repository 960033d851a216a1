"""Arrow columns that other libraries read without copying, and plots."""

from __future__ import annotations

import functools
import html
import os
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, overload

from . import _given, _native
from .errors import Refused

SHOWN = 20
"""The number of rows shown of a table."""


def table_html(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Returns a table as HTML."""

    def cells(tag: str, values: Iterable[object]) -> str:
        return "".join(f"<{tag}>{html.escape(str(value))}</{tag}>" for value in values)

    body = "".join(f"<tr>{cells('td', row)}</tr>" for row in rows)
    return f"<table><thead><tr>{cells('th', head)}</tr></thead><tbody>{body}</tbody></table>"


class Columns:
    """Columns of the same length, by name.

    polars, DuckDB and pyarrow read the columns in place; `pandas.DataFrame(columns)` and `numpy.asarray(columns)` copy
    them. `columns["ev"]` is a column, `columns[0]` a row, and iterating gives the rows.

    Examples:
        >>> import cutcard as cc
        >>> run = cc.Table("nj-blackjack").simulate(1e4, strategy="quick", count="hi-lo")
        >>> sum(run.by_count["rounds"])
        10000
    """

    def __init__(self, columns: _native.Columns | dict[str, list[Any]]) -> None:
        self._columns = _native.Columns(list(columns.items())) if isinstance(columns, dict) else columns

    def __reduce__(self) -> tuple[type[Columns], tuple[dict[str, list[Any]]]]:
        return Columns, (self.to_dict(),)

    @functools.cached_property
    def _lists(self) -> dict[str, list[Any]]:
        return self._columns.to_dict()

    def to_dict(self) -> dict[str, list[Any]]:
        """Returns the columns as lists, by name.

        Returns:
            A list for each column.

        Examples:
            >>> import cutcard as cc
            >>> list(cc.Table("nj-blackjack").sweep({"decks": [6, 8]}, spread=False).columns.to_dict())
            ['decks', 'house_edge']
        """
        return {name: list(column) for name, column in self._lists.items()}

    @property
    def column_names(self) -> list[str]:
        """The names of the columns."""
        return list(self._lists)

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self._columns.__arrow_c_stream__(requested_schema)

    @functools.cached_property
    def __array_interface__(self) -> dict[str, Any]:
        # not `__array__`: pandas would take that first and lose the names of the columns
        import numpy as np

        arrays = [np.asarray(column) for column in self._lists.values()]
        kind = [(name, array.dtype) for name, array in zip(self._lists, arrays, strict=True)]
        # numpy uses the memory of this object, so the array must live as long as the object
        self._records = np.empty(len(self), dtype=kind)
        for name, array in zip(self._lists, arrays, strict=True):
            self._records[name] = array
        return self._records.__array_interface__

    def __len__(self) -> int:
        return len(next(iter(self._lists.values()), []))

    def _row(self, at: int) -> dict[str, Any]:
        return {name: column[at] for name, column in self._lists.items()}

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return (self._row(at) for at in range(len(self)))

    @overload
    def __getitem__(self, at: str) -> list[Any]: ...
    @overload
    def __getitem__(self, at: int) -> dict[str, Any]: ...
    @overload
    def __getitem__(self, at: slice) -> list[dict[str, Any]]: ...
    def __getitem__(self, at: str | int | slice) -> list[Any] | dict[str, Any]:
        if isinstance(at, str):
            return list(self._lists[at])
        if isinstance(at, slice):
            return [self._row(row) for row in range(len(self))[at]]
        return self._row(at)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Columns) and self._lists == other._lists

    __hash__ = None  # type: ignore[assignment]

    def _shown(self) -> list[list[str]]:
        def cell(value: object) -> str:
            return f"{value:.6f}" if isinstance(value, float) else str(value)

        return [[cell(value) for value in row.values()] for row in self[:SHOWN]]

    def _more(self) -> str:
        return f"… {len(self)} rows in all" if len(self) > SHOWN else ""

    def __repr__(self) -> str:
        rows = [self.column_names, *self._shown()]
        widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
        lines = ["  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in rows]
        return "\n".join([*lines, *filter(None, [self._more()])])

    def _repr_html_(self) -> str:
        more = self._more()
        return table_html(self.column_names, self._shown()) + (f"<p>{more}</p>" if more else "")


class Picture:
    """A plot as SVG, displayed in notebooks; `draw` draws it with matplotlib if installed.

    Examples:
        >>> import cutcard as cc
        >>> run = cc.Table("nj-blackjack").simulate(1e4, strategy="quick")
        >>> run.plot("distribution").svg[:4]
        '<svg'
    """

    def __init__(self, name: str, svg: str, shapes: _native._Shapes) -> None:
        self.name = name
        self.svg = svg
        self._shapes = shapes

    def draw(self, ax: Any = None) -> Any:
        """Draws the picture with matplotlib.

        Args:
            ax: The matplotlib axes to draw on. Default: a new figure.

        Returns:
            The axes.

        Examples:
            >>> ax = run.plot("distribution").draw()  # doctest: +SKIP
            >>> ax.figure.savefig("distribution.pdf")  # doctest: +SKIP
        """
        if ax is None:
            from matplotlib import pyplot

            ax = pyplot.subplots()[1]
        title, names, bars, lines = self._shapes
        for at, width, to, colour in bars:
            ax.bar(at, to, width=width, color=colour)
        for points, colour, label in lines:
            ax.plot(*zip(*points, strict=True), color=colour, linewidth=1.2, label=label or None)
        ax.set(title=title, xlabel=names[0], ylabel=names[1])
        if any(label for _, _, label in lines):
            ax.legend()
        return ax

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the picture to a file.

        Args:
            path: The file, such as `"edge.svg"`.

        Returns:
            Nothing.

        Examples:
            >>> run.plot("distribution").save("distribution.svg")  # doctest: +SKIP
        """
        name = _given.path("path", path)
        try:
            with open(name, "w", encoding="utf-8") as file:
                file.write(self.svg)
        except (OSError, ValueError) as error:
            raise Refused(f"path: {error}") from None

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"Picture({self.name!r})"
