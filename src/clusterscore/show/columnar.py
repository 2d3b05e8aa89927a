"""Columns: a result with one row per element or per document, which any frame library can take over."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import takewhile
from operator import itemgetter
from typing import Any

import numpy as np

from clusterscore.count.sums import leading
from clusterscore.distinct import Array
from clusterscore.exceptions import UnknownName, integer, nearest
from clusterscore.notebook import html_output
from clusterscore.nouns import noun
from clusterscore.show.description import ANY, COUNT, FLAG, NUMBER, Column, Description
from clusterscore.show.grid import Grid, as_json, sorted_set
from clusterscore.show.result import Result, in_its_words
from clusterscore.version import __version__

SHOWN = 20  # rows of a long table, where somebody reads it
NAMES = (
    "document",
    "element",
    "text",
    "gold",
    "gold_text",
    "pred",
    "pred_text",
    "cluster",
    "best_match",
    "best_match_text",
)
_BREAKS = ("tp", "kind", "precision", "f", "loss")  # a table that is too wide goes on below with the first of these
_WHOSE = ("gold", "pred", "old", "new", "more")  # clusters
_DIGITS = 4  # decimals of a number, if not more


class LazyColumn:
    """A column that is made when somebody looks at it, all of it or some rows, from what ``index`` has in a row."""

    def __init__(self, index: Array, make: Callable[[Array], Array]):
        self._index, self._make = index, make

    def __len__(self) -> int:
        return len(self._index)

    def __getitem__(self, rows: slice | Array) -> Array:
        return self._make(self._index[rows])


class Columns(Result):
    """Rows in named columns, as in a frame: ``rows["f"]`` is a NumPy array, ``len(rows)`` the number of rows.

    Iterating goes over the column names, as in pandas; ``to_frame()`` makes a frame of your library.

    >>> import clusterscore as cs
    >>> rows = cs.elements([0, 0, 1], [0, 1, 1])
    >>> len(rows), rows["tp"].tolist(), list(rows)[:3]
    (3, [0, 0, 0], ['element', 'gold', 'pred'])
    """

    def __init__(self, columns: Mapping[str, Array | LazyColumn], notes: Sequence[str] = ()):
        self._columns = dict(columns)
        self.notes = notes  # printed below the rows
        self.facts: Mapping[str, Any] = {}  # what the rows were made of, for JSON

    def __getitem__(self, name: str) -> Array:
        if name not in self._columns:
            raise UnknownName(f"no column {name!r}: {nearest(str(name), self._columns)}")
        column = self._columns[name]
        if isinstance(column, LazyColumn):
            column = self._columns[name] = column[:]
        return column

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(next(iter(self._columns.values()), ()))

    def __contains__(self, name: object) -> bool:
        return name in self._columns

    def keys(self) -> list[str]:
        """The column names; with them ``dict(rows)`` has the columns."""
        return list(self._columns)

    def head(self, rows: int) -> Columns:
        """The first rows."""
        return self.take(slice(rows))

    def take(self, rows: slice | Array) -> Columns:
        """Some rows: those of a slice, of their numbers, or where a mask is true."""
        taken = Columns({name: column[rows] for name, column in self._columns.items()}, self.notes)
        taken.use = self.use
        return taken

    def worst(self, rows: int, by: str = "loss") -> Columns:
        """The rows that have most of a column, by default those that cost most; equal ones in their order."""
        count, values = integer("rows", rows), self[by]
        if values.dtype.kind == "f":
            values = leading(values)
        chosen = np.arange(len(values))
        if count < len(values):
            least = np.partition(values, -count)[-count] if count else np.inf
            chosen = np.flatnonzero(values >= least)
        return self.take(chosen[np.argsort(-values[chosen], kind="stable")[:count]])

    def rows(self) -> list[tuple[Any, ...]]:
        """The rows as tuples of plain Python values."""
        return list(zip(*(self[name].tolist() for name in self), strict=True))

    def to_dict(self) -> dict[str, list[Any]]:
        """The columns as lists of plain Python values."""
        return {name: self[name].tolist() for name in self}

    def listed(self) -> dict[str, Any]:
        """The columns as arrays."""
        return dict(self)

    def records(self) -> list[dict[str, Any]]:
        """Each row as a mapping of plain values; where an element is in several clusters, those of all are lists."""
        columns = [_without_sets(values) for values in self.to_dict().values()]
        return [dict(zip(self, row, strict=True)) for row in zip(*columns, strict=True)]

    def to_json(self) -> str:
        """The :meth:`records` as JSON, a row in every line; names that JSON has no type for as text."""
        facts = self.with_warnings({**self.facts, "version": __version__})
        head = ",\n".join(f'  "{name}": {as_json(value)}' for name, value in facts.items())
        rows = ",\n".join(f"    {as_json(row, default=str)}" for row in self.records())
        return f'{{\n{head},\n  "rows": [\n{rows}\n  ]\n}}'

    def description(self) -> Description:
        """All rows, whose columns are those of the result."""
        kinds = {"f": NUMBER, "i": COUNT, "u": COUNT, "b": FLAG}
        columns = [
            Column(name, itemgetter(k), kind=ANY if name in NAMES else kinds.get(self[name].dtype.kind, ANY))
            for k, name in enumerate(self)
        ]
        return Description(columns, _LazyRows(self), below=self.notes)

    def grids(self, digits: int = _DIGITS) -> list[Grid]:
        """All rows as a printable table; of a column of small numbers more decimals are shown."""
        keys = {"side", "document", "element", "cluster"} | (set() if "element" in self else {"gold", "pred"})
        grid = Grid(
            list(map(_heading, self)),
            _LazyRows(self),
            below=self.notes,
            decimals={_heading(name): _decimals(column, digits) for name, column in self._columns.items()},
            short={"precision": "P", "recall": "R", "f": "F"},
            names=list(map(_heading, NAMES)),
            breaks=[name for name in _BREAKS if name in list(self)[1:]][:1],
            keys=max(1, len(list(takewhile(keys.__contains__, self)))),
        )
        return [grid]

    def csv_grid(self) -> Grid:
        """All rows as they are."""
        return Grid(list(self), _LazyRows(self))

    def __str__(self) -> str:
        text = self.head(SHOWN).to_text()
        return text if len(self) <= SHOWN else f"{text}\n... {len(self):,} rows"

    @in_its_words
    def _repr_html_(self) -> str:
        grid = self.head(SHOWN).grid()
        cut = [f"the first {SHOWN} of {len(self):,} rows"] if len(self) > SHOWN else []
        grid.below = [*cut, *self.notes]
        return html_output(grid.to_html())


class _LazyRows(Sequence[tuple[Any, ...]]):
    """The rows of columns, made when they are looked at."""

    def __init__(self, columns: Columns):
        self._columns = columns

    def __len__(self) -> int:
        return len(self._columns)

    def __getitem__(self, rows: Any) -> Any:
        if not isinstance(rows, slice):
            return self[rows : rows + 1 or None][0]
        return self._columns.take(rows).rows()


def _heading(name: str) -> str:
    """The name of a column as people read it; ``cluster_match`` is a metric."""
    whose, _, what = name.rpartition("_")
    return f"{whose}_{noun(what)}" if whose in _WHOSE else noun(name)


def _without_sets(values: list[Any]) -> list[Any]:
    if not any(isinstance(value, frozenset) for value in values):
        return values
    return [
        sorted_set(value) if isinstance(value, frozenset) else value if value is None else [value] for value in values
    ]


def _decimals(column: Array | LazyColumn, digits: int) -> int:
    """So many that the largest number of a column shows three digits: what one of a million elements costs is small."""
    largest = float(np.abs(column[:]).max(initial=0.0)) if column[:1].dtype.kind == "f" else 0.0
    return max(digits, 2 - math.floor(math.log10(largest))) if 0 < largest < 1 else digits
