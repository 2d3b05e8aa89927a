"""Counting a sample: some gold clusters against the whole prediction."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from clusterscore.count.cells import Cells, Clusters
from clusterscore.count.table import Table
from clusterscore.distinct import Ints, distinct


class SampleLookup(NamedTuple):
    """What a prediction says of the elements of a sample."""

    cluster: Ints  # of each element, -1 where the prediction does not have it
    size: Ints  # of the clusters, in the whole prediction
    elements: int  # in the whole prediction
    names: Any = None  # of the clusters, by number


class SizeCounts(NamedTuple):
    """How many clusters of each size a prediction has."""

    size: Ints  # ascending
    clusters: Ints

    @property
    def elements(self) -> Ints:
        """How many elements the clusters of each size have together."""
        return self.size * self.clusters


class Strata(NamedTuple):
    """Ranges of cluster sizes, ascending, and how many elements are in clusters of such sizes."""

    low: Ints
    high: Ints
    elements: Ints

    @property
    def names(self) -> list[str]:
        """What they are called: 1, 2, 3-4."""
        ranges = zip(self.low.tolist(), self.high.tolist(), strict=True)
        return [f"{low}" if low == high else f"{low}-{high}" for low, high in ranges]

    def of(self, sizes: Ints) -> Ints:
        """The stratum of clusters of some sizes, -1 where there is none."""
        at = np.minimum(np.searchsorted(self.high, sizes), len(self.high) - 1)
        return np.where((self.low[at] <= sizes) & (sizes <= self.high[at]), at, -1)


class Taken(NamedTuple):
    """Elements that were drawn before."""

    elements: list[Any]
    times: Ints  # how many from each stratum


def count_sample(gold: Ints, clusters: int, touched: SampleLookup) -> Table:
    """The table of some gold clusters, a row of every sum for each; an element that was not found is alone."""
    alone = np.flatnonzero(touched.cluster < 0)
    pred, size = touched.cluster.copy(), np.append(touched.size, np.ones(len(alone), np.int64))
    pred[alone] = len(touched.size) + np.arange(len(alone))
    cells = distinct((gold, clusters), (pred, len(size)))
    own = Clusters(cells.columns[0], np.bincount(gold, minlength=clusters), np.arange(clusters))
    counted = Cells(cells.counts, own, Clusters(cells.columns[1], size))
    population = touched.elements + len(alone)
    return Table(counted, documents=range(clusters), unit="clusters", population=population)
