"""Variation of information."""

from clusterscore.metrics.metric import Array, Values, divide, register
from clusterscore.metrics.mutual_information import Information, InformationMetric


@register
class VariationOfInformation(InformationMetric):
    """Variation of information: what one side leaves unsaid about the other, both ways, in nats. A distance.

    Formula:
        H(gold) + H(pred) - 2*I(gold, pred)

    Range:
        0 (identical) to log(N). Smaller is better.

    Use it when:
        You need a metric in the mathematical sense: it obeys the triangle inequality.

    Reference:
        Meilă 2007, Comparing clusterings, an information based distance, Journal of Multivariate Analysis 98.

    Example:
        >>> import clusterscore as cs
        >>> cs.variation_of_information([0, 0, 1, 1], [0, 0, 1, 1]).value
        0.0
    """

    name = "variation_of_information"
    aliases = ("vi",)
    highest = float("inf")
    perfect = 0.0
    smaller_is_better = True
    symmetric = True

    def finish(self, **parts: Array) -> Values:
        info = Information.of(**parts)
        return Values(divide(info.gold_alone + info.pred_alone, info.elements, 0.0))
