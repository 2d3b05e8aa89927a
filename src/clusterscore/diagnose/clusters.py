"""What became of each cluster: where most of it is, in how many parts, and what that costs."""

from __future__ import annotations

import numpy as np

from clusterscore.count.sums import Adder, Floats, add_up
from clusterscore.count.table import Table
from clusterscore.diagnose.losses import Losses
from clusterscore.diagnose.order import Order
from clusterscore.distinct import Array, Ints
from clusterscore.remember import lazy

SIDES = ("both", "gold", "pred")


class ClusterSide:
    """The clusters of a side, "gold" or "pred": columns with a number for each, made when they are asked for."""

    def __init__(self, table: Table, losses: Losses, order: Order, side: str):
        self._n, self._losses = table.n, losses
        gold = table.gold, table.gold_size, order.gold
        pred = table.pred, table.pred_size, order.pred
        self.side, self.other = (side, "pred") if side == "gold" else (side, "gold")
        own, self._others = (gold, pred) if side == "gold" else (pred, gold)
        self._own, self._sizes, firsts = own
        self.cluster = np.flatnonzero(self._sizes)  # its number in the table
        self.first = firsts[self.cluster]  # the place of its first element
        documents = table.gold_document if side == "gold" else table.pred_document
        self.document = None if documents is None else documents[self.cluster]

    def __len__(self) -> int:
        return len(self.cluster)

    @lazy
    def size(self) -> Ints:
        """How many elements it holds."""
        return np.asarray(self._sizes[self.cluster])

    @lazy
    def loss(self) -> Floats:
        """What its elements cost together."""
        return np.asarray(add_up(self._losses.loss, self._own, len(self._sizes))[self.cluster])

    @lazy
    def best_match(self) -> Ints:
        """The number of the cluster of the other side that shares most elements with it."""
        return np.asarray(self._others[0][self._best])

    @lazy
    def overlap(self) -> Ints:
        """How many elements they share."""
        return np.asarray(self._n[self._best])

    @lazy
    def share(self) -> Floats:
        """Which share of this cluster that is."""
        return np.asarray(self.overlap / self.size)

    @lazy
    def parts(self) -> Ints:
        """Over how many clusters of the other side it lies."""
        return np.bincount(self._own, minlength=len(self._sizes))[self.cluster]

    @lazy
    def precision(self) -> Floats:
        """The mean precision of its elements."""
        return self._mean(self._losses.scores.precision)

    @lazy
    def recall(self) -> Floats:
        """The mean recall of its elements."""
        return self._mean(self._losses.scores.recall)

    @lazy
    def f(self) -> Floats:
        """The mean F of its elements."""
        return self._mean(self._losses.scores.f)

    def _mean(self, scores: Floats) -> Floats:
        adder = Adder(float(self.size.sum()), len(self._sizes))
        adder.add(self._n * scores, self._own)
        return np.asarray(adder.sums[self.cluster] / self.size)

    @lazy
    def _best(self) -> Ints:
        other, sizes, firsts = self._others
        best = _best_cell(self._own, len(self._sizes), self._n, other, (sizes, firsts))
        return np.asarray(best[self.cluster])


def _best_cell(own: Array, count: int, n: Array, other: Array, then: tuple[Array, ...]) -> Ints:
    """For each cluster its largest cell; of equal ones that whose other cluster has the least of ``then``."""
    largest = np.zeros(count, np.int64)
    np.maximum.at(largest, own, n)
    cells = np.flatnonzero(n == largest[own])
    whose = own[cells]
    best = np.zeros(count, np.int64)
    best[whose] = cells
    tied = cells[np.bincount(whose, minlength=count)[whose] > 1]
    for keys in then:
        key, whose = keys[other[tied]], own[tied]
        least = np.full(count, np.iinfo(np.int64).max)
        np.minimum.at(least, whose, key)
        tied = tied[key == least[whose]]
    best[own[tied]] = tied
    return best
