"""In which order rows stand: by what they cost, and equal ones as their elements were given."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from clusterscore.count.sums import Floats
from clusterscore.count.table import Table
from clusterscore.distinct import Array, Ints

_NOBODY = np.iinfo(np.int64).max  # after all others


class Order(NamedTuple):
    """The place of the first element of each cell, cluster and document."""

    cell: Ints
    gold: Ints
    pred: Ints
    document: Ints | None

    @classmethod
    def of(cls, table: Table, cell: Array | None) -> Order:
        """From the cell of every element; without elements, as if they stood by document, gold and predicted cluster.

        A number that nobody uses comes last.
        """
        first = np.empty(len(table.n), np.int64)
        document = table.cell_document
        if cell is None:
            keys = (table.pred, table.gold, *(() if document is None else (document,)))
            first[np.lexsort(keys)] = np.arange(len(first))
        else:
            first[cell[::-1]] = np.arange(len(cell) - 1, -1, -1)  # of equal places the last writer stays
        return cls(
            first,
            _earliest(first, table.gold, len(table.gold_size)),
            _earliest(first, table.pred, len(table.pred_size)),
            None if document is None else _earliest(first, document, len(table.documents)),
        )


def _earliest(first: Ints, group: Array, size: int) -> Ints:
    found = np.full(size, _NOBODY)
    np.minimum.at(found, group, first)
    return found


def by_loss(loss: Floats, place: Ints, document: Ints | None = None) -> Ints:
    """The order of rows: the largest loss first; equal ones by the place of their document, then by their own."""
    rows = _sorted(place, np.arange(len(place)))
    if document is not None and (np.diff(document[rows]) < 0).any():  # mostly they stand one behind the other
        rows = _sorted(document, rows)
    return _sorted(~(loss + 0.0).view(np.uint64), rows)  # the bits of numbers from 0 up are in their order


def _sorted(keys: Array, rows: Ints) -> Ints:
    """Rows by their keys, equal ones as they are; by 16 bits at a time, which NumPy does in linear time."""
    for shift in range(0, int(keys.max(initial=0)).bit_length(), 16):
        digits = (keys >> np.array(shift, keys.dtype)).astype(np.uint16)
        rows = rows[np.argsort(digits[rows], kind="stable")]
    return rows
