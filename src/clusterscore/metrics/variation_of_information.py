"""Variation of information."""

from __future__ import annotations

from typing import Literal

import numpy as np

from clusterscore.metrics.metric import Distance, Values, divide, register
from clusterscore.metrics.mutual_information import InBase, Information


@register
class VariationOfInformation(Distance, InBase):
    """Variation of information: the information that one side has and the other does not, in nats. A distance.

    Formula:
        H(pred|gold) + H(gold|pred) = H(gold) + H(pred) - 2*I(gold, pred)

    Range:
        0 (identical) to log(N). Smaller is better.

    Use it when:
        You need a metric in the mathematical sense: it satisfies the triangle inequality. The score has its two halves:
        ``split`` = H(pred|gold), what was cut apart, and ``merge`` = H(gold|pred), what was put together wrongly.

    Options:
        normalized: None, "log" (divided by log N) or "joint" (divided by the joint entropy): 0 to 1. Divided by the
            joint entropy it still obeys the triangle inequality.
        base: of the logarithm; None (default) is e, nats. 2 gives bits, as image segmentation reports it.

    Reference:
        Meilă 2007, Comparing clusterings, an information based distance, Journal of Multivariate Analysis 98.

    Example:
        >>> import clusterscore as cs
        >>> cs.variation_of_information([0, 0, 1, 1], [0, 0, 1, 1]).value
        0.0
        >>> score = cs.variation_of_information([0, 0, 1, 1], [0, 1, 2, 2], base=2)
        >>> score.value, score.split, score.merge
        (0.5, 0.5, 0.0)
    """

    normalized: Literal["log", "joint"] | None = None

    name = "variation_of_information"
    aliases = ("vi",)
    emptied = True
    exclusive = (("normalized", "base"),)

    @property
    def unit(self) -> str:
        """What it is measured in."""
        return super().unit if self.normalized is None else "of the most possible"

    @property
    def highest(self) -> float:  # type: ignore[override]
        """Without a scale it grows with the logarithm of the number of elements."""
        return float("inf") if self.normalized is None else 1.0

    def of_information(self, info: Information) -> Values:
        split, merge, scale = info.pred_alone, info.gold_alone, info.elements
        if self.normalized == "log":
            scale = info.elements * np.log(np.maximum(info.elements, 1.0))
        elif self.normalized == "joint":
            scale = info.mutual + merge + split
        else:
            scale = info.elements * self.nats
        halves = {"split": divide(split, scale, 0.0), "merge": divide(merge, scale, 0.0)}
        return Values(np.minimum(divide(merge + split, scale, 0.0), self.highest), extras=halves)
