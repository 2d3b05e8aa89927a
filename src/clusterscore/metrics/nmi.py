"""Normalized mutual information."""

from __future__ import annotations

from typing import Literal

import numpy as np

from clusterscore.metrics.metric import Values, divide, register
from clusterscore.metrics.mutual_information import Information, InformationMetric, mean_of


@register
class Nmi(InformationMetric):
    """Normalized mutual information: the share of information that both sides have in common.

    Formula:
        I(gold, pred) / mean(H(gold), H(pred))     mean: arithmetic, geometric, min or max

    Range:
        0 to 1; 1 for identical clusterings, even for one cluster; 0 if only one side is a single cluster.

    Use it when:
        Others report it; state which mean you use. It is not corrected for chance; ami is.

    Options:
        mean: "arithmetic" (default), "geometric", "min", "max".

    Reference:
        Strehl & Ghosh 2002, Cluster ensembles, JMLR 3; Vinh, Epps & Bailey 2010, JMLR 11.

    Example:
        >>> import clusterscore as cs
        >>> cs.nmi([0, 0, 1, 1], [0, 0, 1, 2]).value
        0.8
    """

    mean: Literal["arithmetic", "geometric", "min", "max"] = "arithmetic"

    name = "nmi"
    aliases = ("normalized_mutual_information",)
    symmetric = True

    def of_information(self, info: Information) -> Values:
        scale = mean_of(self.mean, info.gold, info.pred)
        return Values(np.where(info.identical, 1.0, np.minimum(divide(info.mutual, scale, 0.0), 1.0)))
