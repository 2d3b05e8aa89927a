"""Columns: a result with one row per element or per document, which any frame library can take over."""

from __future__ import annotations

import importlib
import math
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from clusterscore.distinct import Array
from clusterscore.errors import ClusterscoreError, nearest, whole
from clusterscore.show.grid import Grid

_FRAMES = ("pandas", "polars", "pyarrow")
_TYPED = {str, bytes, bool, int, float, tuple}  # what every library has a type for
_SHOWN = 20
_DIGITS = 4  # decimals of a number, if not more


class Late:
    """A column that is made when somebody looks at it: all of it, or some rows."""

    def __init__(self, length: int, make: Callable[[slice | Array], Array]):
        self._length, self._make = length, make

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, rows: slice | Array) -> Array:
        return self._make(rows)


class Columns:
    """Rows in named columns, as in a frame: ``rows["f"]`` is a NumPy array, ``len(rows)`` the number of rows.

    Iterating goes over the column names, as in pandas; ``to_frame()`` makes a frame of your library.

    >>> import clusterscore as cs
    >>> rows = cs.elements([0, 0, 1], [0, 1, 1])
    >>> len(rows), rows["tp"].tolist(), list(rows)[:3]
    (3, [0, 0, 0], ['element', 'gold', 'pred'])
    """

    def __init__(self, columns: Mapping[str, Array | Late]):
        self._columns = dict(columns)

    def __getitem__(self, name: str) -> Array:
        if name not in self._columns:
            raise KeyError(f"no column {name!r}: {nearest(str(name), self._columns)}")
        column = self._columns[name]
        if isinstance(column, Late):
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
        return Columns({name: column[rows] for name, column in self._columns.items()})

    def worst(self, rows: int, by: str = "loss") -> Columns:
        """The rows that have most of a column, by default those that cost most; equal ones in their order."""
        count, values = whole("rows", rows), self[by]
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

    def to_frame(self, library: str | None = None) -> Any:
        """A frame of ``library`` ("pandas", "polars", "pyarrow"), by default the one that is in use or installed."""
        return as_frame(dict(self), library)

    def grid(self) -> Grid:
        """All rows as a printable table; of a column of small numbers more decimals are shown."""
        return Grid(list(self._columns), self.rows(), decimals={name: _decimals(self[name]) for name in self})

    def __repr__(self) -> str:
        text = self.head(_SHOWN).grid().to_text()
        return text if len(self) <= _SHOWN else f"{text}\n... {len(self):,} rows"


def _decimals(column: Array) -> int:
    """So many that the largest number of a column shows three digits: what one of a million elements costs is small."""
    largest = float(np.abs(column).max(initial=0.0)) if column.dtype.kind == "f" else 0.0
    return max(_DIGITS, 2 - math.floor(math.log10(largest))) if 0 < largest < 1 else _DIGITS


def as_frame(columns: Mapping[str, Any], library: str | None = None) -> Any:
    """Columns as a frame of whatever library the user has."""
    if library is not None and library not in _FRAMES:
        raise ClusterscoreError(f"unknown frame library {library!r}; use one of {', '.join(_FRAMES)}")
    wanted = [library] if library else [*(name for name in _FRAMES if name in sys.modules), *_FRAMES]
    for name in wanted:
        try:
            importlib.import_module(name)
        except ImportError:
            continue
        import narwhals as nw

        plain = {key: _values(column, anything=name == "pandas") for key, column in columns.items()}
        backend = nw.Implementation.from_string(name)
        return nw.from_dict(plain, backend=backend).to_native()  # type: ignore[arg-type]
    raise ClusterscoreError(
        f"no frame library is installed ({', '.join(wanted)} looked for); install one of them, or use to_dict()"
    )


def _values(column: Any, anything: bool) -> Any:
    """A column as a frame library takes it; what has no type there, such as clusters 'a' and 1, goes as text."""
    if not isinstance(column, np.ndarray) or column.dtype != object:
        return column
    values = column.tolist()
    if anything or _typed([value for value in values if value is not None]):
        return values
    return [None if value is None else str(value) for value in values]


def _typed(values: list[Any]) -> bool:
    kinds = set(map(type, values))
    return not kinds or (
        len(kinds) == 1 and kinds <= _TYPED and not (kinds == {int} and max(map(abs, values)) >= 2**63)
    )
