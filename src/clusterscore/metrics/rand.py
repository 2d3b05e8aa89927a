"""The Rand index."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from clusterscore.count.sums import divide
from clusterscore.metrics.adjusted import Adjustable
from clusterscore.metrics.links import PairMetric, excess, links
from clusterscore.metrics.metric import Values
from clusterscore.metrics.registry import register


@register
@dataclass(frozen=True)
class Rand(PairMetric, Adjustable):
    """Rand index: the share of all pairs that both sides treat alike.

    Formula:
        (rc + rn) / (N*(N-1)/2), rc pairs together on both sides, rn apart on both

    Range:
        0 to 1; 1 for a single element. Adjusted: -0.5 to 1, 0 on average for a random prediction of the same cluster
        sizes.

    Use it when:
        Others report it. With many clusters almost all pairs are apart on both sides and it is close to 1 whatever
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

    name = "rand"
    symmetric = True

    def finish(self, **parts: Any) -> Values:
        pair = links(**parts, products=self.adjusted)
        if self.adjusted:
            above = excess(pair)
            possible = above.pred + above.gold
            chance = {"expected": 1 - divide(possible, pair.all * pair.all, 0.0)}
            return Values(divide(2 * above.right, possible, 1.0), extras=chance)
        return Values(divide(pair.all - pair.gold - pair.pred + 2 * pair.right, pair.all, 1.0))
