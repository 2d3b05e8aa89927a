"""The centroid index."""

from __future__ import annotations

import numpy as np

from clusterscore.count.supersets import ARRAYS
from clusterscore.metrics.metric import Array, Distance, Floats, Parts, Table, Values, register


@register
class CentroidIndex(Distance):
    """Centroid index: how many clusters are wrong altogether, because no cluster of the other side is closest to them.

    Formula:
        Every cluster points to the one of the other side with the largest Jaccard index n/(a + b - n).
        max(gold clusters that no predicted cluster points to, predicted clusters that no gold cluster points to)
        Of equal ones that cluster is chosen which leaves the fewest without a pointer.

    Range:
        0 up; a whole number, the same in both directions. Smaller is better.

    Use it when:
        You want to know how many clusters are missing or superfluous, whatever their exact borders. The score has
        ``missed`` (gold) and ``extra`` (predicted). 0 does not mean identical.

    Reference:
        Fränti, Rezaei & Zhao 2014, Centroid index: cluster level similarity measure, Pattern Recognition 47(9); Fränti
        & Rezaei 2016, Generalizing centroid index to different clustering models, S+SSPR (for partitions).

    Example:
        >>> import clusterscore as cs
        >>> score = cs.centroid_index([0, 0, 1, 1, 2, 2], [0, 0, 0, 0, 1, 1])
        >>> score.value, score.missed, score.extra
        (1.0, 1.0, 0.0)
    """

    name = "centroid_index"
    aliases = ("ci",)
    needs = frozenset({("cells",)})

    def parts(self, table: Table) -> Parts:
        alike = table.n / (table.a + table.b - table.n)
        gold, pred = (table.gold, len(table.gold_size)), (table.pred, len(table.pred_size))
        matched = table.add(_pointed_at(gold, pred, alike), table.cells.gold.document)
        needed = table.add(_pointed_at(pred, gold, alike), table.cells.pred.document)
        return {"missed": table.clusters("gold") - matched, "extra": table.clusters("pred") - needed}

    def finish(self, missed: Array, extra: Array) -> Values:
        return Values(np.maximum(missed, extra), extras={"missed": missed, "extra": extra})


def _pointed_at(side: tuple[Array, int], other: tuple[Array, int], alike: Floats) -> Array:
    """Which clusters of a side can be the closest of one on the other side, each of those pointing to one.

    A side is the cluster of each cell, and how many there are.
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_bipartite_matching

    (cluster, count), (pointing, pointers) = side, other
    closest = alike == ARRAYS.maxima(alike, pointing, pointers)[pointing]
    where = pointing[closest].astype(np.int32), cluster[closest].astype(np.int32)
    graph = csr_array((np.ones(len(where[0]), np.int8), where), shape=(pointers, count))
    return np.asarray(maximum_bipartite_matching(graph, perm_type="row") >= 0)
