"""Specificity on pairs."""

from clusterscore.metrics.metric import Values, divide, register
from clusterscore.metrics.pair_metric import Links, PairMetric


@register
class Specificity(PairMetric):
    """Specificity: of the pairs that gold keeps apart, the share that the prediction keeps apart.

    Formula:
        TN / (TN + FP), TN pairs apart on both sides, FP pairs together in the prediction only

    Range:
        0 to 1. If gold keeps no pair apart, there is nothing to get wrong, so it is 1.

    Use it when:
        Others report it. Almost all pairs are apart, so it is close to 1 whatever the prediction; 1 minus it is the
        false positive rate. TN counts all pairs of elements, also those that a blocking step never compared.

    Reference:
        Yerushalmy 1947, Statistical problems in assessing methods of medical diagnosis, with special reference to X-ray
        techniques, Public Health Reports 62(40).

    Example:
        >>> import clusterscore as cs
        >>> cs.specificity([0, 0, 1, 1], [0, 0, 0, 1]).value
        0.5
    """

    name = "specificity"
    aliases = ("tnr", "true_negative_rate")

    def of_links(self, pair: Links) -> Values:
        return Values(divide(pair.apart, pair.all - pair.gold, 1.0))
