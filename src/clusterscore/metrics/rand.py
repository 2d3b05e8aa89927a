"""The Rand index."""

from __future__ import annotations

from clusterscore.metrics.metric import Values, divide, register
from clusterscore.metrics.pair_metric import Links, PairMetric


@register
class Rand(PairMetric):
    """Rand index: the share of all pairs on which both sides agree.

    Formula:
        (rc + rn) / (N*(N-1)/2), rc pairs together on both sides, rn apart on both

    Range:
        0 to 1; 1 for a single element. Adjusted: -0.5 to 1, and 0 on average for a random prediction with the same
        cluster sizes.

    Use it when:
        Others report it. With many clusters, almost all pairs are apart on both sides, and it is close to 1 whatever
        the prediction; adjusted_rand corrects for that.

    Options:
        adjusted: True gives (x - E)/(1 - E), E what a random prediction of the same cluster sizes is expected to get:
            the adjusted Rand index, as adjusted_rand. The score then has E as ``expected``.

    Reference:
        Rand 1971, Objective criteria for the evaluation of clustering methods, JASA 66.

    Example:
        >>> import clusterscore as cs
        >>> cs.rand([0, 0, 1, 1], [0, 0, 1, 2]).value
        0.8333333333333334
    """

    adjusted: bool = False

    name = "rand"
    symmetric = True

    def of_links(self, pair: Links) -> Values:
        if not self.adjusted:
            return Values(divide(pair.all - pair.gold - pair.pred + 2 * pair.right, pair.all, 1.0))
        above = pair.above_chance()
        possible = above.gold + above.pred
        expected = 1 - divide(possible, above.all + pair.gold * pair.pred, 0.0)
        return Values(divide(2 * above.right, possible, 1.0), extras={"expected": expected})
