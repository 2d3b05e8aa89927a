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
_MOST = 1e11  # pairs: about an hour


def agreements(cover: Cover, of_shares: bool, agreement: Agreement) -> Iterator[tuple[slice, Any, Any]]:
    """Blocks of cells, and for each the agreement with every cell in gold and in the prediction; sparse.

    An entry is there where two cells share a cluster, and 0 elsewhere. The weights of an element are divided by their
    sum (``of_shares``), or by the largest.
    """
    sides = [_Side(side, of_shares) for side in cover.sides]
    before = offsets(np.add(*(side.entries for side in sides)))
    if before[-1] > _MOST:
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
        whole = np.ones(len(side.cluster)) if side.weight is None else side.weight
        self._weight = side.shares if of_shares else whole
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

    Two elements agree in a cluster by 1 - \\|u - v\\|. An element whose clusters nobody shares has 0.
    """
    credits = np.zeros((2, len(cover.n)))
    for rows, gold, pred in agreements(cover, False, lambda u, v: 1 - np.abs(u - v)):
        both = gold.minimum(pred).tocsr()
        own = np.arange(rows.start, rows.stop)
        for which, side in enumerate((pred, gold)):
            row = np.repeat(np.arange(len(own)), np.diff(side.indptr))
            times = cover.n[side.indices] - (exclude_self & (side.indices == own[row]))
            shared = _at(both, row, side.indices)
            right = np.bincount(row, times * shared / side.data, len(own))
            met = np.bincount(row, times, len(own))
            credits[which, rows] = np.divide(right, met, out=np.zeros(len(own)), where=met > 0)
    return credits[0], credits[1]


def _at(matrix: Any, row: Array, column: Array) -> Floats:
    """The entries of a sparse matrix at some places."""
    width = matrix.shape[1]
    matrix.sum_duplicates()  # which sorts
    have = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr)) * width + matrix.indices
    wanted = row * width + column
    place = np.minimum(np.searchsorted(have, wanted), max(len(have) - 1, 0))
    return np.where(have[place] == wanted, matrix.data[place], 0.0) if len(have) else np.zeros(len(wanted))


def share_differences(cover: Cover, document: Array | None, documents: int) -> tuple[Floats, Floats]:
    """What pairs of elements differ by, for each document: between gold and prediction, and between any two pairs.

    The first is the sum over pairs of the difference of their distances on both sides; the second is the mean over all
    pairs of pairs. The distance of two elements is half the sum of the differences of their weights, 1 - the sum of the
    smaller ones.
    """
    where = np.zeros(len(cover.n), np.int64) if document is None else document
    apart = np.zeros(documents)
    values: list[list[Array]] = [[], []]
    for rows, gold, pred in agreements(cover, True, np.minimum):
        difference = np.abs((gold - pred).tocoo())
        weight = cover.n[rows][difference.coords[0]] * cover.n[difference.coords[1]]
        apart += np.bincount(where[rows][difference.coords[0]], difference.data * weight, documents) / 2
        for held, side in zip(values, (gold.tocoo(), pred.tocoo()), strict=True):
            left, right = side.coords[0] + rows.start, side.coords[1]
            times = cover.n[left] * (cover.n[right] - (left == right)) / 2
            held.append(np.array([where[left], side.data, times]))
    pairs = np.bincount(where, cover.n, documents)
    return apart, _mean_difference([np.concatenate(held, axis=1) for held in values], pairs * (pairs - 1) / 2)


def _mean_difference(values: list[Array], pairs: Floats) -> Floats:
    """The mean difference of two numbers drawn from two lists, for each document: document, value, multiplicity.

    All other pairs have the value 0. It is the integral of F*(1-G) + G*(1-F), F and G the shares below each value.
    """
    documents = len(pairs)
    every = np.arange(documents)
    lists = [
        np.concatenate([[every, every * 0.0, pairs - np.bincount(v[0].astype(np.int64), v[2], documents)], v], axis=1)
        for v in values
    ]
    document, value = (np.concatenate([one[k] for one in lists]) for k in (0, 1))
    order = np.lexsort((value, document))
    document, value = document[order].astype(np.int64), value[order]
    shares = []
    for k, one in enumerate(lists):
        times = np.concatenate([one[2] if k == j else np.zeros(len(other[2])) for j, other in enumerate(lists)])[order]
        total = np.cumsum(times)
        before = np.concatenate([[0.0], total])[np.searchsorted(document, every)]
        shares.append((total - before[document]) / np.maximum(pairs, 1.0)[document])
    gap = np.diff(value, append=0.0) * (np.diff(document, append=-1) == 0)
    below, other = shares
    return np.bincount(document, gap * (below * (1 - other) + other * (1 - below)), documents).astype(np.float64)
