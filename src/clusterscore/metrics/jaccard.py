"""The Jaccard index on pairs."""

from clusterscore.metrics.metric import Values, divide, register
from clusterscore.metrics.pair_metric import Links, PairMetric


@register
class Jaccard(PairMetric):
    """Jaccard index: of the pairs that either side puts together, the share that both sides put together.

    Formula:
        rc / (A + B - rc), A gold pairs, B predicted pairs, rc pairs in both

    Range:
        0 to 1; 1 if neither side has a pair.

    Use it when:
        Pairs that are apart should not count, as they do in the Rand index.

    Reference:
        Jaccard 1912, The distribution of the flora in the alpine zone, New Phytologist 11.

    Example:
        >>> import clusterscore as cs
        >>> cs.jaccard([0, 0, 0, 1], [0, 0, 1, 1]).value
        0.25
    """

    name = "jaccard"
    symmetric = True

    def of_links(self, pair: Links) -> Values:
        return Values(divide(pair.right, pair.gold + pair.pred - pair.right, 1.0))
