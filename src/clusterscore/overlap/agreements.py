"""How far two elements agree in graded clusterings, for all pairs of elements that share a cluster.

The agreement is a sum over the clusters that both belong to, so only those pairs are looked at; the work is the sum of
the squared sizes of the clusters, counted in distinct elements.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from clusterscore.count.sums import Floats
from clusterscore.distinct import Array, Ints, offsets, ranges
from clusterscore.exceptions import InputError
from clusterscore.nouns import noun
from clusterscore.overlap.cover import Cover, Memberships
from clusterscore.progress import step

Agreement = Callable[[Floats, Floats], Floats]  # of two memberships of a cluster, by their weights

_ENTRIES = 1 << 22  # of a block: some 200 MB
_ROUNDED = 1e-13  # what sums of the same weights may differ by
_MOST = 1e11  # pairs: about two hours
_MOST_KEPT = 1 << 27  # pairs whose values are sorted together: some 8 GB


def agreements(
    cover: Cover, of_shares: bool, agreement: Agreement, most: float = _MOST
) -> Iterator[tuple[slice, Any, Any]]:
    """Blocks of cells, and for each the agreement with every cell in gold and in the prediction; sparse.

    An entry is there where two cells share a cluster, and 0 elsewhere. The weights of an element are divided by their
    sum (``of_shares``), or by the largest.
    """
    sides = [_Side(side, of_shares) for side in cover.sides]
    before = offsets(np.add(*(side.entries for side in sides)))
    if before[-1] > most:
        raise InputError(
            f"graded measures compare every two {noun('elements')} that share {noun('a cluster')}: "
            f"{float(before[-1]):.1e} pairs here; score {noun('documents')} or a sample of the {noun('elements')} "
            "(fuzzy_rand with its usual bond looks at no pairs)"
        )
    start = 0
    with step(noun("pairs of elements")) as at:
        while start < len(cover.n):
            stop = max(start + 1, int(np.searchsorted(before, before[start] + _ENTRIES, side="right")) - 1)
            rows = slice(start, min(stop, len(cover.n)))
            yield rows, *(side.block(rows, agreement) for side in sides)
            start = rows.stop
            at(start / len(cover.n))


class _Side:
    """One side: its memberships, cell by cell and cluster by cluster."""

    def __init__(self, side: Memberships, of_shares: bool):
        self._side = side
        of_largest = np.ones(len(side.cluster)) if side.weight is None else side.weight
        self._weight = side.shares if of_shares else of_largest
        self._order = np.argsort(side.cluster, kind="stable")
        self._size = np.bincount(side.cluster, minlength=len(side.size))
        self._start = offsets(self._size)
        self.entries: Ints = side.total(self._size)  # of each cell

    def block(self, rows: slice, agreement: Agreement) -> Any:
        """The agreement of some cells with all."""
        from scipy.sparse import coo_array

        side, count = self._side, rows.stop - rows.start
        own = np.arange(side.start[rows.start], side.start[rows.stop])
        size = self._size[side.cluster[own]]
        left = np.repeat(own, size)
        right = self._order[ranges(self._start[side.cluster[own]], size)]
        values = agreement(self._weight[left], self._weight[right])
        places = side.cell[left] - rows.start, side.cell[right]
        return coo_array((values, places), shape=(count, len(side.number))).tocsr()  # which adds up


def graded_credits(cover: Cover, exclude_self: bool) -> tuple[Floats, Floats]:
    """For each cell the mean of min(s, g)/s over the elements that share a predicted cluster, and of min(s, g)/g.

    Two elements agree in a cluster by 1 - \\|u - v\\|, written so that it is above 0 for any weights. An element whose
    clusters nobody shares has 0.
    """
    credits = np.zeros((2, len(cover.n)))
    for rows, gold, pred in agreements(cover, False, lambda u, v: np.minimum(u, v) + (1 - np.maximum(u, v))):
        both = gold.minimum(pred).tocsr()
        own = np.arange(rows.start, rows.stop)
        for which, side in enumerate((pred, gold)):
            row = np.repeat(np.arange(len(own)), np.diff(side.indptr))
            times = cover.n[side.indices] - (exclude_self & (side.indices == own[row]))
            right = np.bincount(row, times * both[row, side.indices] / side.data, len(own))
            met = np.bincount(row, times, len(own))
            credits[which, rows] = np.divide(right, met, out=np.zeros(len(own)), where=met > 0)
    return credits[0], credits[1]


def share_differences(cover: Cover, document: Array | None, documents: int) -> tuple[Floats, Floats]:
    """What pairs of elements differ by, for each document: between gold and prediction, and between any two pairs.

    The first is the sum over pairs of the difference of their distances on both sides; the second is the mean over all
    pairs of pairs. The distance of two elements is half the sum of the differences of their weights, 1 - the sum of the
    smaller ones.
    """
    where = np.zeros(len(cover.n), np.int64) if document is None else document
    apart = np.zeros(documents)
    kept: list[list[Array]] = [[], []]  # of either side: document, value and number of pairs, whose value is not 0
    for rows, gold, pred in agreements(cover, True, np.minimum, _MOST_KEPT):
        difference = np.abs((gold - pred).tocoo())
        difference.data[difference.data < _ROUNDED] = 0.0
        weight = cover.n[rows][difference.coords[0]] * cover.n[difference.coords[1]]
        apart += np.bincount(where[rows][difference.coords[0]], difference.data * weight, documents) / 2
        for parts, side in zip(kept, (gold.tocoo(), pred.tocoo()), strict=True):
            left, right = side.coords[0] + rows.start, side.coords[1]
            once = (left < right) | ((left == right) & (cover.n[left] > 1))
            left, right = left[once], right[once]
            times = np.where(left < right, cover.n[left] * cover.n[right], cover.n[left] * (cover.n[left] - 1) / 2)
            parts.append(np.array([where[left], side.data[once], times]))
    elements = np.bincount(where, cover.n, documents)
    gold, pred = (np.concatenate(parts, axis=1) for parts in kept)
    return apart, _mean_difference(gold, pred, elements * (elements - 1) / 2)


def _mean_difference(gold: Array, pred: Array, pairs: Floats) -> Floats:
    """The mean difference of two numbers drawn from two lists, for each document: document, value, multiplicity.

    All other pairs have the value 0. It is the integral of F*(1-G) + G*(1-F), F and G the shares above each value.
    """
    document = np.concatenate([gold[0], pred[0]]).astype(np.int32)
    value = np.concatenate([gold[1], pred[1]])
    order = np.lexsort((-value, document))
    document, value = document[order], value[order]
    drop = np.where(np.diff(document, append=-1) == 0, -np.diff(value, append=0.0), value)  # to the next one, or to 0
    drop[drop < _ROUNDED] = 0.0
    end = np.searchsorted(document, np.arange(len(pairs)))
    shares = []
    for times in ([gold[2], np.zeros(len(pred[2]))], [np.zeros(len(gold[2])), pred[2]]):
        total = np.concatenate([[0.0], np.cumsum(np.concatenate(times)[order])])
        shares.append((total[1:] - total[end][document]) / np.maximum(pairs, 1.0)[document])
    f, g = shares
    return np.bincount(document, drop * (f * (1 - g) + g * (1 - f)), len(pairs)).astype(np.float64)
