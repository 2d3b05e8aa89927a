"""Mutual information."""

from __future__ import annotations

from dataclasses import dataclass

from clusterscore.count.sums import divide
from clusterscore.distinct import Array
from clusterscore.metrics.information import InformationMetric, information
from clusterscore.metrics.metric import Values
from clusterscore.metrics.registry import register


@register
@dataclass(frozen=True)
class MutualInformation(InformationMetric):
    """Mutual information of the two clusterings, in nats.

    Formula:
        sum over cells of (n/N) * log(N*n/(a*b))

    Range:
        0 to min(H(gold), H(pred)); of two identical clusterings it is their entropy.

    Use it when:
        You need the number itself; to compare data sets use nmi or ami.

    Reference:
        Cover & Thomas 2006, Elements of Information Theory.

    Example:
        >>> import clusterscore as cs
        >>> cs.mutual_information([0, 0, 1, 1], [0, 0, 1, 1]).value
        0.6931471805599453
    """

    name = "mutual_information"
    aliases = ("mi",)
    highest = float("inf")
    perfect = None
    symmetric = True

    def finish(self, **parts: Array) -> Values:
        info = information(**parts)
        return Values(divide(info.mutual, info.elements, 0.0))
