"""The order in which units are drawn and labels dealt: that of their names, whatever the order of rows and files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from clusterscore.count.table import Table
from clusterscore.distinct import Array, Ints, representatives
from clusterscore.read.labels import Labels
from clusterscore.read.names import Names, label_ranks


class RankedClusters(NamedTuple):
    """The clusters of a side that hold something, by their numbers."""

    used: Ints
    rank: Ints  # of each, by document and name; elements that a policy left alone in a document share one
    alone: Ints  # the number of the element among those left alone, -1 for a cluster with a name
    size: int  # how many numbers there are, used or not

    def of_all(self) -> Ints:
        """The rank of each cluster by its number."""
        ranks = np.full(self.size, -1)
        ranks[self.used] = self.rank
        return ranks


def ranked(table: Table, side: str) -> RankedClusters:
    """The clusters of a side in the order of their documents' names and their own."""
    clusters = table.cells.side(side)
    used = np.flatnonzero(clusters.size)
    places, names = clusters.name.places(used), clusters.name.names
    alone = np.where(places < len(names), -1, places)
    rank = label_ranks(Labels(places, names))
    if clusters.document is not None:
        rank = rank + document_ranks(table.documents)[clusters.document[used]] * (int(rank.max(initial=0)) + 1)
    return RankedClusters(used, rank, alone, len(clusters.size))


def document_ranks(documents: Sequence[object]) -> Ints:
    """The place of each document in the order of their names."""
    return representatives(Names(documents).order(), len(documents))


def partners(table: Table, found: RankedClusters) -> list[Array]:
    """What tells gold clusters apart that have no name: the predicted cluster of their element, and its weight."""
    if not (found.alone >= 0).any():
        return []
    keys = []
    for column in [ranked(table, "pred").of_all()[table.pred], *([] if table.weight is None else [table.weight])]:
        of_cluster = np.zeros(found.size, column.dtype)
        of_cluster[table.gold] = column
        keys.append(np.where(found.alone >= 0, of_cluster[found.used], 0))
    return keys
