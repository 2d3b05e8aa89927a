"""Normalized pivoted accuracy."""

import numpy as np

from clusterscore.metrics.alignment import aligned
from clusterscore.metrics.metric import Array, Metric, Parts, Table, Values, divide, register


@register
class NormalizedPivotedAccuracy(Metric):
    """Normalized pivoted accuracy: the share of elements kept by the best alignment, above equal shares.

    Formula:
        (A - 1/K) / (1 - 1/K), A = set_matching, K = max(gold clusters, predicted clusters)

    Range:
        0 to 1; 1 if both sides are one cluster.

    Use it when:
        Clustering benchmarks report it (column npa of Gagolewski's).

    Reference:
        Gagolewski 2024, Normalized clustering accuracy: an asymmetric external cluster validity measure, Journal of
        Classification.

    Example:
        >>> import clusterscore as cs
        >>> cs.normalized_pivoted_accuracy([0, 0, 1, 1], [0, 0, 0, 1]).value
        0.5
    """

    name = "normalized_pivoted_accuracy"
    aliases = ("npa",)
    needs = frozenset({("cells",)})
    symmetric = True

    def parts(self, table: Table) -> Parts:
        clusters = {side: table.clusters(side) for side in ("gold", "pred")}
        return {"right": aligned(table, table.n), "elements": table.common, **clusters}

    def finish(self, right: Array, elements: Array, gold: Array, pred: Array) -> Values:
        most = np.maximum(gold, pred)
        return Values(divide(most * right - elements, (most - 1) * elements, 1.0))
