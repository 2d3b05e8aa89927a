"""Normalized clustering accuracy."""

import numpy as np

from clusterscore.metrics.alignment import aligned
from clusterscore.metrics.metric import Array, Metric, Parts, Table, Values, divide, register


@register
class NormalizedClusteringAccuracy(Metric):
    """Normalized clustering accuracy: the mean recall of gold clusters in the best alignment, above chance.

    Formula:
        (S - 1) / (gold clusters - 1), S = max over one-to-one alignments of the sum of n_ij/a_i

    Range:
        -1 to 1; negative only if there are more predicted clusters than gold clusters. For a single gold cluster it is
        1 if there is one predicted cluster, and 0 otherwise. It is not symmetric: all gold clusters have the same
        weight.

    Use it when:
        Clustering benchmarks report it (column nca of Gagolewski's), for data with classes of different sizes.

    Reference:
        Gagolewski 2024, Normalized clustering accuracy: an asymmetric external cluster validity measure, Journal of
        Classification.

    Example:
        >>> import clusterscore as cs
        >>> cs.normalized_clustering_accuracy([0, 0, 0, 0, 1, 1], [0, 0, 1, 0, 1, 1]).value
        0.75
    """

    name = "normalized_clustering_accuracy"
    aliases = ("nca",)
    lowest = -1.0
    needs = frozenset({("cells",)})

    def parts(self, table: Table) -> Parts:
        right = aligned(table, table.n / table.a)
        return {"right": right, "gold": table.clusters("gold"), "pred": table.clusters("pred")}

    def finish(self, right: Array, gold: Array, pred: Array) -> Values:
        return Values(np.where(gold == 1, pred == 1, divide(right - 1, gold - 1, 0.0)))
