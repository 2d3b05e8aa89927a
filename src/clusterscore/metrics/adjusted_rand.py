"""The Rand index adjusted for chance."""

from typing import Any

from clusterscore.metrics.metric import Values, divide, register
from clusterscore.metrics.pair_metric import Links, PairMetric


@register
class AdjustedRand(PairMetric):
    """Adjusted Rand index: agreement on pairs, corrected for chance.

    Formula:
        (rc - E) / ((A + B)/2 - E), E = A*B / (N*(N-1)/2)
        A = sum_i a_i*(a_i-1)/2 gold pairs, B = sum_j b_j*(b_j-1)/2 predicted pairs, rc pairs in both

    Range:
        -0.5 to 1, and 0 on average for a random prediction with the same cluster sizes. It is 1 for two identical
        clusterings, even for all singletons or one cluster. Exact at any size: the counts are not rounded before the
        division.

    Use it when:
        You compare systems that make different numbers of clusters, and want a single number that chance does not
        inflate.

    Reference:
        Hubert & Arabie 1985, Comparing partitions, Journal of Classification 2.

    Example:
        >>> import clusterscore as cs
        >>> cs.adjusted_rand([0, 0, 1, 1], [0, 0, 1, 2]).value
        0.5714285714285714
    """

    name = "adjusted_rand"
    aliases = ("ari",)
    lowest = -0.5
    symmetric = True

    def finish(self, **parts: Any) -> Values:
        above = Links.of(**parts).above_chance()
        # where nothing can be above chance both sides are all singletons, or both one cluster: identical
        return Values(divide(2 * above.right, above.gold + above.pred, 1.0))
