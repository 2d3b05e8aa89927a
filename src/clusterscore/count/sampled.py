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


class SampleLookup(NamedTuple):
    """What a prediction says of the elements of a sample."""

    cluster: Ints  # of each element, -1 where the prediction does not have it
    size: Ints  # of the clusters, in the whole prediction
    elements: int  # in the whole prediction
    names: Sequence[Any] | Array = range(2**62)  # of the clusters


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
