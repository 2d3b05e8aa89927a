"""Columns: a result with one row per element or per document, which any frame library can take over."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from clusterscore.distinct import Array
from clusterscore.errors import ClusterscoreError, nearest
from clusterscore.show.grid import Grid

_FRAMES = ("pandas", "polars", "pyarrow")
_SHOWN = 20


class Columns:
    """Rows in named columns, as in a frame: ``rows["f"]`` is a NumPy array, ``len(rows)`` the number of rows.

    Iterating goes over the column names, as in pandas; ``to_frame()`` makes a frame of your library.

    >>> import clusterscore as cs
    >>> rows = cs.elements([0, 0, 1], [0, 1, 1])
    >>> len(rows), rows["tp"].tolist(), list(rows)[:3]
    (3, [0, 0, 0], ['element', 'gold', 'pred'])
    """

    def __init__(self, columns: Mapping[str, Array]):
        self._columns = dict(columns)

    def __getitem__(self, name: str) -> Array:
        if name not in self._columns:
            raise KeyError(f"no column {name!r}: {nearest(str(name), self._columns)}")
        return self._columns[name]

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
        return Columns({name: column[:rows] for name, column in self._columns.items()})

    def rows(self) -> list[tuple[Any, ...]]:
        """The rows as tuples of plain Python values."""
        return list(zip(*(column.tolist() for column in self._columns.values()), strict=True))

    def to_dict(self) -> dict[str, list[Any]]:
        """The columns as lists of plain Python values."""
        return {name: column.tolist() for name, column in self._columns.items()}

    def to_frame(self, library: str | None = None) -> Any:
        """A frame of ``library`` ("pandas", "polars", "pyarrow"), by default the one that is in use or installed."""
        return as_frame(self._columns, library)

    def grid(self) -> Grid:
        """All rows as a printable table."""
        return Grid(list(self._columns), self.rows())

    def __repr__(self) -> str:
        text = Grid(list(self._columns), self.head(_SHOWN).rows()).to_text()
        return text if len(self) <= _SHOWN else f"{text}\n... {len(self):,} rows"


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

        plain = {key: column.tolist() if isinstance(column, np.ndarray) and column.dtype == object else column
                 for key, column in columns.items()}  # fmt: skip
        backend = nw.Implementation.from_string(name)
        return nw.from_dict(plain, backend=backend).to_native()  # type: ignore[arg-type]
    raise ClusterscoreError(
        f"no frame library is installed ({', '.join(wanted)} looked for); install one of them, or use to_dict()"
    )
