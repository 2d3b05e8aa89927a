"""The V-measure."""

from __future__ import annotations

from typing import ClassVar

from clusterscore.metrics.class_shares import ClassWeightedInformation
from clusterscore.metrics.metric import Limits, Values, divide, register
from clusterscore.metrics.mutual_information import Information


@register
class VMeasure(ClassWeightedInformation):
    """V-measure: the harmonic mean of homogeneity (as precision) and completeness (as recall).

    Formula:
        (1+beta)*h*c / (beta*h + c)     beta as in scikit-learn, not squared

    Range:
        0 to 1. With beta=1 it equals nmi.

    Use it when:
        Others report it. Like NMI, it is not corrected for chance, and many small clusters inflate it.

    Options:
        beta: weight of completeness (default 1).
        weights: None, or "class": every gold cluster has the same weight, so that small classes count as much as large
            ones (cell types, for instance).

    Reference:
        Rosenberg & Hirschberg 2007, V-measure: a conditional entropy-based external cluster evaluation measure, EMNLP;
        Maan et al. 2024, Characterizing the impacts of dataset imbalance on single-cell data integration, Nature
        Biotechnology 42 (weights).

    Example:
        >>> import clusterscore as cs
        >>> cs.v_measure([0, 0, 1, 1], [0, 0, 1, 2]).f
        0.8
    """

    beta: float = 1.0

    name = "v_measure"
    aliases = ("v",)
    limits: ClassVar[Limits] = {"beta": (0, float("inf"))}
    ignored: ClassVar = {"beta": {0.0: "completeness"}}

    @property
    def swaps(self) -> bool:  # type: ignore[override]
        """The weights come from gold."""
        return self.weights is None

    def of_information(self, info: Information) -> Values:
        h, c = divide(info.mutual, info.gold, 1.0), divide(info.mutual, info.pred, 1.0)
        return Values(divide((1 + self.beta) * h * c, self.beta * h + c, 0.0), h, c)
