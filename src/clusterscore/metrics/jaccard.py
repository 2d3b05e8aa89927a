"""The Jaccard index on pairs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from clusterscore.count.sums import divide
from clusterscore.metrics.links import PairMetric, links
from clusterscore.metrics.metric import Values
from clusterscore.metrics.registry import register


@register
@dataclass(frozen=True)
class Jaccard(PairMetric):
    """Jaccard index: of the pairs that either side puts together, the share that both do.

    Formula:
        rc / (A + B - rc), A gold pairs, B predicted pairs, rc pairs in both

    Range:
        0 to 1; 1 where neither side has a pair.

    Use it when:
        Pairs apart should not count, as they do in the Rand index.

    Reference:
        Jaccard 1912, The distribution of the flora in the alpine zone, New Phytologist 11.

    Example:
        >>> import clusterscore as cs
        >>> cs.jaccard([0, 0, 0, 1], [0, 0, 1, 1]).value
        0.25
    """

    name = "jaccard"
    symmetric = True

    def finish(self, **parts: Any) -> Values:
        pair = links(**parts)
        return Values(divide(pair.right, pair.gold + pair.pred - pair.right, 1.0))
