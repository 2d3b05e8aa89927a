"""Counting a sample: some gold clusters against the whole prediction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from clusterscore.align.policies import DEFAULT, Pair, Side
from clusterscore.count.cells import Cells, ClusterNames, Clusters
from clusterscore.count.counts import Members
from clusterscore.count.table import Table
from clusterscore.distinct import Array, Ints, distinct
from clusterscore.read.labels import Labels


class ClusterSizes(NamedTuple):
    """How many clusters of each size a prediction has."""

    size: Ints  # ascending
    clusters: Ints

    @classmethod
    def of(cls, sizes: Ints) -> ClusterSizes:
        """Those of clusters in memory; one of size 0 is none."""
        return cls(*np.unique(sizes[sizes > 0], return_counts=True))

    @property
    def elements(self) -> Ints:
        """How many elements the clusters of each size have together."""
        return self.size * self.clusters


class SampleLookup(NamedTuple):
    """What a prediction says of the elements of a sample."""

    cluster: Ints  # of each element, -1 where the prediction does not have it
    size: Ints  # of the clusters, in the whole prediction
    elements: int  # in the whole prediction
    names: Sequence[Any] | Array = range(2**62)  # of the clusters
    totals: ClusterSizes | None = None  # of the whole prediction, if known: intervals are calibrated on them


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


def count_sample(
    gold: Ints, clusters: int, touched: SampleLookup, names: Sequence[Any] = range(2**62), ids: Labels | None = None
) -> Table:
    """The table of some gold clusters, a row of every sum for each; an element that was not found is alone."""
    alone = np.flatnonzero(touched.cluster < 0)
    pred, size = touched.cluster.copy(), np.append(touched.size, np.ones(len(alone), np.int64))
    pred[alone] = len(touched.size) + np.arange(len(alone))
    cells = distinct((gold, clusters), (pred, len(size)), codes=True)
    sizes = np.bincount(gold, minlength=clusters)
    own = Clusters(cells.columns[0], sizes, np.arange(clusters), ClusterNames(names))
    counted = Cells(cells.counts, own, Clusters(cells.columns[1], size, None, ClusterNames(touched.names)))
    nobody = np.zeros(0, np.int64)
    sides = Side(gold, clusters, names, None, nobody), Side(pred, len(size), touched.names, None, nobody)
    return Table(
        counted,
        documents=range(clusters),
        unit="clusters",
        members=Members(Pair(*sides, None, None, ids, DEFAULT), cells.codes),
        population=touched.elements + len(alone),
    )
