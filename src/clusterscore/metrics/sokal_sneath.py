"""The first index of Sokal and Sneath."""

from __future__ import annotations

import numpy as np

from clusterscore.metrics.metric import Values, divide, register
from clusterscore.metrics.pair_metric import Links, PairMetric


@register
class SokalSneath(PairMetric):
    """Sokal & Sneath's first index: the mean of four shares, of links and of separations that both sides agree on.

    Formula:
        (N11/(N11 + N10) + N11/(N11 + N01) + N00/(N00 + N10) + N00/(N00 + N01)) / 4
        N11 pairs together on both sides, N00 apart on both, N10 together in gold only, N01 in the prediction only

    Range:
        0 to 1, and 1/2 on average for a random prediction with the same cluster sizes. 1 if all pairs agree, 0 if none
        does (one cluster against singletons). Otherwise, if a side has all pairs together or all apart, it is 1/2.

    Use it when:
        You want what correlation offers, as a mean of precision, recall and their two counterparts for pairs apart.

    Reference:
        Sokal & Sneath 1963, Principles of Numerical Taxonomy; Gösgens, Tikhonov & Prokhorenkova 2021, Systematic
        analysis of cluster similarity indices: how to validate validation measures, ICML.

    Example:
        >>> import clusterscore as cs
        >>> cs.sokal_sneath([0, 0, 1, 1], [0, 0, 1, 2]).value
        0.825
    """

    name = "sokal_sneath"
    aliases = ("sokal_sneath_1",)
    symmetric = True

    def of_links(self, pair: Links) -> Values:
        linked = divide(pair.right, pair.gold, 0.0) + divide(pair.right, pair.pred, 0.0)
        parted = divide(pair.apart, pair.all - pair.gold, 0.0) + divide(pair.apart, pair.all - pair.pred, 0.0)
        trivial = (pair.gold * pair.pred == 0) | ((pair.all - pair.gold) * (pair.all - pair.pred) == 0)
        value = np.where(trivial, np.where(pair.opposite, 0.0, 0.5), (linked + parted) / 4)
        return Values(np.where(pair.identical, 1.0, value))
