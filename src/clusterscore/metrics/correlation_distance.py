"""The correlation distance."""

from __future__ import annotations

import numpy as np

from clusterscore.metrics.metric import Distance, Values, register
from clusterscore.metrics.pair_metric import Links, PairMetric


@register
class CorrelationDistance(PairMetric, Distance):
    """Correlation distance: the angle between both sides, seen as lists of linked pairs. A distance.

    Formula:
        arccos(correlation) / pi

    Range:
        0 (identical) to 1 (no pair agrees); about 1/2 for a random prediction. Smaller is better.

    Use it when:
        You need a metric in the mathematical sense (it satisfies the triangle inequality) that chance hardly moves.

    Reference:
        Gösgens, Tikhonov & Prokhorenkova 2021, Systematic analysis of cluster similarity indices: how to validate
        validation measures, ICML.

    Example:
        >>> import clusterscore as cs
        >>> cs.correlation_distance([0, 0, 1, 1], [0, 1, 0, 1]).value
        0.6666666666666667
    """

    name = "correlation_distance"
    highest = 1.0

    def of_links(self, pair: Links) -> Values:
        above = pair.above_chance()
        right, gold, pred, every = (np.asarray(count, np.float64) for count in (*above[:3], pair.all))
        # the squared sine without a difference: by the pairs in dispute, or where most are, by those agreed upon
        disputed, agreed = (pair.gold - pair.right, pair.pred - pair.right), (pair.right, pair.apart)
        first, second = (
            np.asarray(np.where(right >= 0, near, far), np.float64) for near, far in zip(disputed, agreed, strict=True)
        )
        square = every * (np.abs(right) * (first + second) + every * first * second)
        angle = np.arctan2(np.sqrt(square), right) / np.pi
        degenerate = gold * pred == 0
        value = np.where(degenerate, np.where(pair.opposite, 1.0, 0.5), angle)
        return Values(np.where(pair.identical, 0.0, value))
