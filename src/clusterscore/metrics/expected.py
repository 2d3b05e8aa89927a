"""What is expected of a random prediction with the same cluster sizes: sums over pairs of a gold and a predicted size.

Under random relabelling with the cluster sizes fixed, all that is expected of a cell depends on the sizes of its two
clusters. Equal sizes are taken together: of N elements at most about sqrt(2N) sizes differ.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from clusterscore.count.rows import Sizes
from clusterscore.count.sums import Floats, add_up
from clusterscore.count.table import Table
from clusterscore.distinct import Array, Ints, distinct

_AT_ONCE = 1 << 20  # pairs of cluster sizes worked on together


class SizeCounts(NamedTuple):
    """The distinct cluster sizes of every document, ordered by document and size, and how many clusters have each."""

    document: Array
    size: Array
    times: Array


def size_counts(table: Table, sizes: Sizes) -> SizeCounts:
    """Clusters (or cells) of a table, equal sizes of a document put together."""
    held = sizes.size.nonzero()[0]  # a cluster of size 0 is none
    size = sizes.size[held]
    where = np.zeros(len(held), np.int64) if sizes.document is None else sizes.document[held]
    times = None if sizes.times is None else sizes.times[held]
    by_size = distinct((where, len(table.documents)), (size, int(size.max(initial=0)) + 1), times=times)
    document, size = by_size.column(0), by_size.column(1)
    order = np.lexsort((size, document))
    return SizeCounts(document[order], size[order], by_size.counts[order])


def sum_over_sizes(
    table: Table,
    gold: tuple[SizeCounts, Array],
    pred: tuple[SizeCounts, Array],
    terms: Callable[[Array, Array, Array], Sequence[Floats]],
) -> list[Floats]:
    """For each document the sums of ``terms(a, b, N)`` over all its pairs of sizes.

    ``gold`` and ``pred`` are the sizes with the weight of each; a pair weighs the product.
    """
    (gold_sizes, gold_weight), (pred_sizes, pred_weight) = gold, pred
    documents = len(table.documents)
    sums: list[Floats] = []
    for left, right, document in _size_pairs(gold_sizes, pred_sizes, documents):
        values = terms(gold_sizes.size[left], pred_sizes.size[right], table.common[document])
        weight = gold_weight[left] * pred_weight[right]
        added = [add_up(weight * term, document, documents) for term in values]
        sums = [total + more for total, more in zip(sums, added, strict=True)] if sums else added
    return sums


def _size_pairs(gold: SizeCounts, pred: SizeCounts, documents: int) -> Iterator[tuple[Ints, Ints, Ints]]:
    """All pairs, block by block: the place of the gold size, of the predicted size, and their document."""
    width = np.bincount(pred.document, minlength=documents)
    start = np.cumsum(width) - width
    ends = np.cumsum(width[gold.document])
    first = 0
    while first < len(gold.size):
        done = int(ends[first - 1]) if first else 0
        last = max(first + 1, int(np.searchsorted(ends, done + _AT_ONCE)))
        here = width[gold.document[first:last]]
        left = np.repeat(np.arange(first, last), here)
        offset = np.arange(len(left)) - np.repeat(np.cumsum(here) - here, here)
        document = gold.document[left]
        yield left, start[document] + offset, document
        first = last
