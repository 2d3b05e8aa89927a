"""The Mirkin distance."""

from __future__ import annotations

import numpy as np

from clusterscore.metrics.metric import Array, Distance, Parts, Sums, Values, divide, register


@register
class Mirkin(Distance):
    """Mirkin distance: the ordered pairs of elements that are together on one side only. A distance.

    Formula:
        sum_i a_i^2 + sum_j b_j^2 - 2 * sum over cells of n^2

    Range:
        0 (identical) up; below N^2. Smaller is better.

    Use it when:
        You want the Rand index as a distance: divided by N*(N-1), it is 1 - rand. It satisfies the triangle inequality.

    Options:
        normalized: True divides by N^2.

    Reference:
        Mirkin 1996, Mathematical Classification and Clustering; Meilă 2007, Comparing clusterings, an information based
        distance, Journal of Multivariate Analysis 98.

    Example:
        >>> import clusterscore as cs
        >>> cs.mirkin([0, 0, 0, 1, 1, 2], [0, 0, 1, 1, 1, 2]).value
        8.0
    """

    normalized: bool = False

    name = "mirkin"
    group = "pairs"
    aliases = ("mirkin_distance",)

    def parts(self, table: Sums) -> Parts:
        sides = {side: table.pairs(side) for side in ("cell", "gold", "pred")}
        return {**sides, "elements": table.common}

    def finish(self, cell: Array, gold: Array, pred: Array, elements: Array) -> Values:
        apart = np.asarray(2 * (gold + pred - 2 * cell), np.float64)
        return Values(divide(apart, elements * elements, 0.0) if self.normalized else apart)
