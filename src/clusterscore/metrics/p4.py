"""P4 on pairs."""

import numpy as np

from clusterscore.metrics.metric import Values, divide, register
from clusterscore.metrics.pair_metric import Links, PairMetric


@register
class P4(PairMetric):
    """P4: the harmonic mean of pairwise precision, recall, specificity and negative predictive value.

    Formula:
        4*TP*TN / (4*TP*TN + (TP + TN)*(FP + FN))
        TP pairs together on both sides, TN apart on both, FP together in the prediction only, FN in gold only

    Range:
        0 to 1. 0/0 is 1 without an error, otherwise 0.

    Use it when:
        Others report it. It is low if one of the four is low. Where almost all pairs are apart, specificity and NPV
        are close to 1, and it is close to 2*F/(1 + F), F the pairwise F.

    Reference:
        Sitarz 2022, Extending F1 metric, probabilistic approach, arXiv:2210.11997.

    Example:
        >>> import clusterscore as cs
        >>> round(cs.p4([0, 0, 1, 1], [0, 0, 1, 2]).value, 4)
        0.7619
    """

    name = "p4"
    symmetric = True

    def of_links(self, pair: Links) -> Values:
        right, apart, every = (np.asarray(count, np.float64) for count in (pair.right, pair.apart, pair.all))
        errors = np.asarray(pair.gold + pair.pred - 2 * pair.right, np.float64)
        four = 4 * right * apart
        return Values(divide(four, four + (every - errors) * errors, np.where(errors == 0, 1.0, 0.0)))
