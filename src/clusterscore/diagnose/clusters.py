"""What became of each cluster: where most of it is, in how many parts, what that costs; and the order of rows."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np

from clusterscore.count.sums import Floats, add_up
from clusterscore.count.table import Table
from clusterscore.diagnose.losses import Losses
from clusterscore.distinct import Array, Ints

SIDES = ("both", "gold", "pred")
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
        document = table.cells.document
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


class ClusterSide:
    """The clusters of a side, "gold" or "pred": columns with a number for each, made when they are asked for."""

    def __init__(self, table: Table, losses: Losses, order: Order, side: str):
        self.side, self.other = side, "pred" if side == "gold" else "gold"
        self._n, self._losses, clusters = table.n, losses, table.cells.side(side)
        self._own, self._sizes = getattr(table, side), clusters.size
        self._others = getattr(table, self.other), table.cells.side(self.other).size, getattr(order, self.other)
        self.cluster = np.flatnonzero(self._sizes)  # its number in the table
        self.first = getattr(order, side)[self.cluster]  # the place of its first element
        self.document = None if clusters.document is None else clusters.document[self.cluster]

    def __len__(self) -> int:
        return len(self.cluster)

    @cached_property
    def size(self) -> Ints:
        """How many elements it holds."""
        return np.asarray(self._sizes[self.cluster])

    @cached_property
    def loss(self) -> Floats:
        """What its elements cost together."""
        return np.asarray(add_up(self._losses.loss, self._own, len(self._sizes))[self.cluster])

    @cached_property
    def best_match(self) -> Ints:
        """The number of the cluster of the other side that shares most elements with it."""
        return np.asarray(self._others[0][self._best])

    @cached_property
    def overlap(self) -> Ints:
        """How many elements they share."""
        return np.asarray(self._n[self._best])

    @cached_property
    def share(self) -> Floats:
        """Which share of this cluster that is."""
        return np.asarray(self.overlap / self.size)

    @cached_property
    def parts(self) -> Ints:
        """Over how many clusters of the other side it lies."""
        return np.bincount(self._own, minlength=len(self._sizes))[self.cluster]

    @cached_property
    def precision(self) -> Floats | None:
        """The mean precision of its elements."""
        scores = self._losses.scores.precision
        return None if scores is None else self._mean(scores)

    @cached_property
    def recall(self) -> Floats | None:
        """The mean recall of its elements."""
        scores = self._losses.scores.recall
        return None if scores is None else self._mean(scores)

    @cached_property
    def f(self) -> Floats:
        """The mean F of its elements."""
        return self._mean(self._losses.scores.f)

    def _mean(self, scores: Floats) -> Floats:
        return np.asarray(add_up(self._n * scores, self._own, len(self._sizes))[self.cluster] / self.size)

    @cached_property
    def _best(self) -> Ints:
        """The largest cell of each cluster; of equal ones that whose other cluster is smaller, then earlier."""
        own, n, (other, sizes, firsts) = self._own, self._n, self._others
        largest = np.zeros(len(self._sizes), np.int64)
        np.maximum.at(largest, own, n)
        cells = np.flatnonzero(n == largest[own])
        ordered = _sorted(sizes[other], _sorted(firsts[other], cells))
        best = np.zeros(len(self._sizes), np.int64)
        best[own[ordered[::-1]]] = ordered[::-1]  # of equal places the last writer stays
        return np.asarray(best[self.cluster])
