"""The correlation of pairs."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from clusterscore.metrics.metric import Values, divide, register
from clusterscore.metrics.pair_metric import Links, PairMetric


@register
class Correlation(PairMetric):
    """Correlation of pairs: how strongly being together in gold and being together in the prediction are linked.

    Formula:
        (N11*N00 - N10*N01) / sqrt((N11 + N10)*(N11 + N01)*(N00 + N10)*(N00 + N01))
        N11 pairs together on both sides, N00 apart on both, N10 together in gold only, N01 in the prediction only

    Range:
        -1 to 1, and 0 on average for a random prediction with the same cluster sizes. 1 if all pairs agree, -1 if none
        does (one cluster against singletons). Otherwise, if a side has all pairs together or all apart, it is 0.

    Use it when:
        You want one number on pairs that neither chance nor the share of unlinked pairs moves. Of 25 measures of pairs,
        only this one and sokal_sneath have a maximal and a minimal agreement, are symmetric, improve with every pair
        that is put right, and give random predictions the same score on average.

    Reference:
        Gösgens, Tikhonov & Prokhorenkova 2021, Systematic analysis of cluster similarity indices: how to validate
        validation measures, ICML.

    Example:
        >>> import clusterscore as cs
        >>> round(cs.correlation([0, 0, 1, 1], [0, 0, 1, 2]).value, 4)
        0.6325
        >>> cs.correlation([0, 0, 0], [0, 1, 2]).value
        -1.0
    """

    name = "correlation"
    lowest = -1.0
    symmetric = True
    opposite: ClassVar[float] = -1.0  # where no pair agrees
    empty = 1.0  # identical clusterings with all pairs together, or all apart

    def of_links(self, pair: Links) -> Values:
        above = pair.above_chance()  # the difference of products, and the products under the root
        gold, pred = (np.asarray(count, np.float64) for count in (above.gold, above.pred))
        correlation = divide(above.right, np.sqrt(gold * pred), np.where(pair.opposite, self.opposite, 0.0))
        return Values(np.where(pair.identical, np.where(above.gold == 0, self.empty, 1.0), correlation))
