"""Homogeneity."""

from clusterscore.metrics.class_shares import ClassWeightedInformation
from clusterscore.metrics.metric import Values, divide, register
from clusterscore.metrics.mutual_information import Information


@register
class Homogeneity(ClassWeightedInformation):
    """Homogeneity: how much of the uncertainty about the gold cluster the predicted cluster removes.

    Formula:
        I(gold, pred) / H(gold); 1 where gold is one cluster

    Range:
        0 to 1; 1 when every predicted cluster is pure.

    Use it when:
        You want the precision-like half of the V-measure.

    Options:
        weights: None, or "class": every gold cluster has the same weight, so that small classes count as much as large
            ones (cell types, for instance).

    Reference:
        Rosenberg & Hirschberg 2007, V-measure: a conditional entropy-based external cluster evaluation measure, EMNLP;
        Maan et al. 2024, Characterizing the impacts of dataset imbalance on single-cell data integration, Nature
        Biotechnology 42 (weights).

    Example:
        >>> import clusterscore as cs
        >>> cs.homogeneity([0, 0, 1, 1], [0, 1, 2, 3]).value
        1.0
    """

    name = "homogeneity"

    def of_information(self, info: Information) -> Values:
        return Values(divide(info.mutual, info.gold, 1.0))
