"""Every gold cluster size with every predicted one of the same document: what chance is made of.

Under random relabelling with the cluster sizes fixed, all that is expected of a cell depends on the sizes of its two
clusters. Equal sizes are taken together: of N elements at most about sqrt(2N) sizes differ.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from clusterscore.count.rows import Sizes
from clusterscore.distinct import Array, Ints, distinct

_AT_ONCE = 1 << 20  # pairs of cluster sizes worked on together


class SizeCounts(NamedTuple):
    """The distinct cluster sizes of every document, ordered by document and size, and how many clusters have each."""

    document: Array
    size: Array
    times: Array


class SizePairs(NamedTuple):
    """Some of the pairs: where the gold size stands among the gold sizes, the predicted one, and their document."""

    gold: Ints
    pred: Ints
    document: Array


def size_counts(sizes: Sizes, documents: int) -> SizeCounts:
    """Equal sizes of a document put together."""
    held = sizes.size.nonzero()[0]  # a cluster of size 0 is none
    size = sizes.size[held]
    where = np.zeros(len(held), np.int64) if sizes.document is None else sizes.document[held]
    times = None if sizes.times is None else sizes.times[held]
    found = distinct((where, documents), (size, int(size.max(initial=0)) + 1), times=times)
    document, size = found.column(0), found.column(1)
    order = np.lexsort((size, document))
    return SizeCounts(document[order], size[order], found.counts[order])


def size_pairs(gold: SizeCounts, pred: SizeCounts, documents: int) -> Iterator[SizePairs]:
    """All pairs, block by block."""
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
        yield SizePairs(left, start[document] + offset, document)
        first = last
