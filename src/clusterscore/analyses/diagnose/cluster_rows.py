"""What became of each cluster: where most of it is, in how many parts, what that costs; and the order of rows."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np

from clusterscore.analyses.diagnose.losses import Losses
from clusterscore.count.sums import Floats, add_up, leading
from clusterscore.count.table import Table
from clusterscore.distinct import Array, Ints, offsets, ranges
from clusterscore.overlap import between_clusters, cover_of

SIDES = ("both", "gold", "pred")
_NOBODY = np.iinfo(np.int64).max  # after all others


class CellMembership(NamedTuple):
    """Which cells lie in which clusters of a side: in one each, or in several where clusters overlap."""

    cell: Ints | slice
    cluster: Array  # that the cell lies in
    size: Array  # of each cluster
    number: Ints | int  # how many clusters each cell lies in

    @classmethod
    def of(cls, table: Table, side: str) -> CellMembership:
        """The cells of a table in the clusters of "gold" or "pred"."""
        if not table.overlapping:
            return cls(slice(None), getattr(table, side), table.cells.side(side).size, 1)
        own = getattr(cover_of(table), side)
        return cls(own.cell, own.cluster, own.size, own.number)


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
        held = (CellMembership.of(table, side) for side in ("gold", "pred"))
        gold, pred = (_earliest(first[own.cell], own.cluster, len(own.size)) for own in held)
        return cls(first, gold, pred, None if document is None else _earliest(first, document, len(table.documents)))


def _earliest(first: Ints, group: Array, size: int) -> Ints:
    earliest = np.full(size, _NOBODY)
    np.minimum.at(earliest, group, first)
    return earliest


def by_loss(loss: Floats, size: Ints, place: Ints, document: Ints | None = None) -> Ints:
    """The order of rows: the largest loss first, of equal ones the largest; then by document, then by their place."""
    rows = _sorted(size.max(initial=0) - size, _in_order(place, document))
    return _sorted(~(leading(loss) + 0.0).view(np.uint64), rows)  # the bits of numbers from 0 up are in their order


def _in_order(place: Ints, document: Ints | None) -> Ints:
    """The order of rows by the place of their document, then by their own."""
    rows = np.arange(len(place))
    for keys in (place, document):
        if keys is not None and (np.diff(keys[rows]) < 0).any():  # mostly they stand one behind the other
            rows = _sorted(keys, rows)
    return rows


def _sorted(keys: Array, rows: Ints) -> Ints:
    """Rows by their keys, equal ones as they are; by 16 bits at a time, which NumPy does in linear time."""
    for shift in range(0, int(keys.max(initial=0)).bit_length(), 16):
        digits = (keys >> np.array(shift, keys.dtype)).astype(np.uint16)
        rows = rows[np.argsort(digits[rows], kind="stable")]
    return rows


def _in_groups(group: Array, count: int) -> tuple[Ints, Ints]:
    """The places of all numbers group by group, and where each group begins."""
    return np.argsort(group, kind="stable"), offsets(np.bincount(group, minlength=count))


class ClusterSide:
    """The clusters of a side, "gold" or "pred": columns with a number for each, made when they are asked for."""

    def __init__(self, table: Table, losses: Losses, order: Order, side: str):
        self.side, self.other = side, "pred" if side == "gold" else "gold"
        self._table, self._losses, self._held = table, losses, CellMembership.of(table, side)
        met = between_clusters(table)
        self._own, self._sizes, clusters = getattr(met, side), self._held.size, met.cells.side(side)
        other, sizes = getattr(met, self.other), met.cells.side(self.other).size
        self._n = np.where(sizes[other] > 0, met.n, 0)  # elements that the other side does not have are in none of it
        self._others = other, sizes, getattr(order, self.other)
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
        """What its elements cost together; an element of several clusters costs each of them the same."""
        return self.total(self._losses.loss / self._held.number)

    @cached_property
    def charged(self) -> Floats:
        """What is its own doing: a predicted cluster merges strangers, a gold cluster was split; both add up to all."""
        return self.total(self._losses.causes["split" if self.side == "gold" else "merged"])

    @property
    def share(self) -> Floats:
        """Which share of all loss that is."""
        return self._losses.share(self.loss)

    @cached_property
    def best_match(self) -> Ints:
        """The number of the cluster of the other side that shares most elements with it."""
        return np.asarray(self._others[0][self.best_cell])

    @cached_property
    def overlap(self) -> Ints:
        """How many elements they share."""
        return np.asarray(self._n[self.best_cell])

    @property
    def overlap_share(self) -> Floats:
        """Which share of this cluster that is."""
        return np.asarray(self.overlap / self.size)

    @property
    def parts(self) -> Ints:
        """Over how many clusters of the other side it lies."""
        return np.bincount(self._own[self._n > 0], minlength=len(self._sizes))[self.cluster]

    @property
    def precision(self) -> Floats | None:
        """The mean precision of its elements."""
        scores = self._losses.scores.precision
        return None if scores is None else self._mean(scores)

    @property
    def recall(self) -> Floats | None:
        """The mean recall of its elements."""
        scores = self._losses.scores.recall
        return None if scores is None else self._mean(scores)

    @property
    def f(self) -> Floats:
        """The mean F of its elements."""
        return self._mean(self._losses.scores.f)

    def _mean(self, scores: Floats) -> Floats:
        return np.asarray(self.total(self._table.n * scores) / self.size)

    def total(self, values: Floats) -> Floats:
        """What the cells of each cluster have together."""
        cell, cluster, sizes, _ = self._held
        return np.asarray(add_up(values[cell], cluster, len(sizes))[self.cluster])

    def parts_of(self, row: int) -> list[tuple[int, int]]:
        """The clusters of the other side that a cluster meets, and how many elements they share, the most first.

        Of those that share as many the one that begins first comes first, as in all rows.
        """
        cells = np.flatnonzero((self._own == self.cluster[row]) & (self._n > 0))
        other, _, firsts = self._others
        cells = cells[np.lexsort((firsts[other[cells]], -self._n[cells]))]
        return list(zip(other[cells].tolist(), self._n[cells].tolist(), strict=True))

    def other_row(self, cluster: int) -> int:
        """The place of a cluster of the other side among the clusters there."""
        return int(np.count_nonzero(self._others[1][:cluster]))

    def members_of(self, row: int) -> Ints:
        """The elements of a cluster, where the table knows them; those that share a cell stand together."""
        cluster, (cells, first), (elements, start) = self.cluster[row], self._by_cluster, self._by_cell
        own = cells[first[cluster] : first[cluster + 1]]
        return elements[ranges(start[own], start[own + 1] - start[own])]

    @cached_property
    def _by_cluster(self) -> tuple[Ints, Ints]:
        """The cells cluster by cluster, and where each cluster begins."""
        order, start = _in_groups(self._held.cluster, len(self._sizes))
        return np.arange(len(self._table.n))[self._held.cell][order], start

    @cached_property
    def _by_cell(self) -> tuple[Ints, Ints]:
        """The elements cell by cell, and where each cell begins."""
        assert self._table.members is not None
        return _in_groups(self._table.members.cell, len(self._table.n))

    @cached_property
    def best_cell(self) -> Ints:
        """The largest cell of each cluster; of equal ones that whose other cluster is smaller, then earlier."""
        own, n, (other, sizes, firsts) = self._own, self._n, self._others
        largest = np.zeros(len(self._sizes), np.int64)
        np.maximum.at(largest, own, n)
        cells = np.flatnonzero(n == largest[own])
        ordered = _sorted(sizes[other], _sorted(firsts[other], cells))
        best = np.zeros(len(self._sizes), np.int64)
        best[own[ordered[::-1]]] = ordered[::-1]  # of equal places the last writer stays
        return np.asarray(best[self.cluster])
