"""Fitting: names take most of a page's room; where they do not all fit, the worst have theirs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from clusterscore.distinct import Array, Ints
from clusterscore.report.packing import Packed, names

_SPARE = 0.95  # of what should fit: fewer names do not deflate as well as all of them

Column = Sequence[Any] | Array


class Fitted(NamedTuple):
    """Columns of names, packed, and whose they are: None where all have one."""

    columns: list[Packed]
    kept: Ints | None


def fitted(columns: list[Column], wanted: Ints, room: int) -> Fitted:
    """All names if they fit ``room`` bytes, else as many as fit, in the order in which they are ``wanted``."""
    packed = [names(column) for column in columns]
    kept: Ints | None = None
    while _size(packed) > room:
        before = len(wanted) if kept is None else len(kept)
        count = int(_SPARE * before * room / _size(packed))
        kept = np.sort(wanted[:count])
        packed = [names(taken(column, kept)) for column in columns]
        if not count:
            break
    return Fitted(packed, kept)


def _size(packed: list[Packed]) -> int:
    return sum(len(each.data) for each in packed)


def taken(column: Column, places: Ints) -> Column:
    """The entries at some places."""
    if isinstance(column, np.ndarray):
        return column[places]
    return [column[place] for place in places.tolist()]


def ranks(cell: Ints) -> Ints:
    """The place of each element among those of its cell."""
    order = np.argsort(cell, kind="stable")
    sizes = np.bincount(cell)
    found = np.empty(len(cell), np.int64)
    found[order] = np.arange(len(cell)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return found
