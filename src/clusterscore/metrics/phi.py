"""The phi coefficient on pairs."""

from __future__ import annotations

from typing import Any

import numpy as np

from clusterscore.metrics.metric import Values, divide, register
from clusterscore.metrics.pair_metric import Links, PairMetric


@register
class Phi(PairMetric):
    """Phi coefficient (Matthews correlation): the correlation of being together in gold and in the prediction.

    Formula:
        (TP*TN - FP*FN) / sqrt((TP + FP)*(TP + FN)*(TN + FP)*(TN + FN))
        TP pairs together on both sides, TN apart on both, FP together in the prediction only, FN in gold only

    Range:
        -1 to 1, and 0 on average for a random prediction with the same cluster sizes. If a side has all pairs together
        or all apart, it is 1 for identical clusterings, otherwise 0.

    Use it when:
        Others report it. It is corrected for chance like adjusted_rand, and close to it unless one side has many more
        pairs than the other.

    Reference:
        Matthews 1975, Comparison of the predicted and observed secondary structure of T4 phage lysozyme, Biochimica et
        Biophysica Acta 405(2).

    Example:
        >>> import clusterscore as cs
        >>> round(cs.phi([0, 0, 1, 1], [0, 0, 1, 2]).value, 4)
        0.6325
    """

    name = "phi"
    aliases = ("mcc", "matthews")
    lowest = -1.0
    symmetric = True

    def finish(self, **parts: Any) -> Values:
        pair = Links.of(**parts)
        above = pair.above_chance()  # the difference of products, and the products under the root
        gold, pred = (np.asarray(count, np.float64) for count in (above.gold, above.pred))
        identical = (pair.right == pair.gold) & (pair.right == pair.pred)
        return Values(np.where(identical, 1.0, divide(above.right, np.sqrt(gold * pred), 0.0)))
