"""The negative predictive value on pairs."""

from clusterscore.metrics.metric import Values, divide, register
from clusterscore.metrics.pair_metric import Links, PairMetric


@register
class NegativePredictiveValue(PairMetric):
    """Negative predictive value (NPV): of the pairs that the prediction keeps apart, the share that belongs apart.

    Formula:
        TN / (TN + FN), TN pairs apart on both sides, FN pairs together in gold only

    Range:
        0 to 1. If the prediction keeps no pair apart, it is 1.

    Use it when:
        Others report it. Almost all pairs are apart, so it is close to 1 whatever the prediction. TN counts all pairs
        of elements, also those that a blocking step never compared.

    Reference:
        Vecchio 1966, Predictive value of a single diagnostic test in unselected populations, New England Journal of
        Medicine 274(21).

    Example:
        >>> import clusterscore as cs
        >>> cs.npv([0, 0, 1, 1], [0, 0, 1, 2]).value
        0.8
    """

    name = "npv"
    aliases = ("negative_predictive_value",)

    def of_links(self, pair: Links) -> Values:
        return Values(divide(pair.apart, pair.all - pair.pred, 1.0))
