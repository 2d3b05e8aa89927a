"""Variation of information."""

from __future__ import annotations

from typing import Literal

import numpy as np

from clusterscore.metrics.metric import Array, Distance, Values, divide, register
from clusterscore.metrics.mutual_information import Information, InformationMetric


@register
class VariationOfInformation(Distance, InformationMetric):
    """Variation of information: the information that one side has and the other does not, in nats. A distance.

    Formula:
        H(gold) + H(pred) - 2*I(gold, pred)

    Range:
        0 (identical) to log(N). Smaller is better.

    Use it when:
        You need a metric in the mathematical sense: it satisfies the triangle inequality.

    Options:
        normalized: None, "log" (divided by log N) or "joint" (divided by the joint entropy): 0 to 1. Divided by the
            joint entropy it still obeys the triangle inequality.

    Reference:
        Meilă 2007, Comparing clusterings, an information based distance, Journal of Multivariate Analysis 98.

    Example:
        >>> import clusterscore as cs
        >>> cs.variation_of_information([0, 0, 1, 1], [0, 0, 1, 1]).value
        0.0
    """

    normalized: Literal["log", "joint"] | None = None

    name = "variation_of_information"
    aliases = ("vi",)

    @property
    def highest(self) -> float:  # type: ignore[override]
        """Without a scale it grows with the logarithm of the number of elements."""
        return float("inf") if self.normalized is None else 1.0

    def finish(self, **parts: Array) -> Values:
        info = Information.of(**parts)
        apart, scale = info.gold_alone + info.pred_alone, info.elements
        if self.normalized == "log":
            scale = info.elements * np.log(np.maximum(info.elements, 1.0))
        elif self.normalized == "joint":
            scale = info.mutual + apart
        return Values(np.minimum(divide(apart, scale, 0.0), self.highest))
