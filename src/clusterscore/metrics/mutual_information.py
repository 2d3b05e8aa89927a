"""Mutual information, and what the information measures share."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from clusterscore.metrics.metric import Array, Floats, Metric, Parts, Sums, Values, divide, register


class Information(NamedTuple):
    """Nats, times the number of elements: the information, and each side's entropy, also where the other is known."""

    mutual: Floats
    gold: Floats
    pred: Floats
    gold_alone: Floats
    pred_alone: Floats
    identical: Array  # where neither side says anything that the other does not
    elements: Floats

    @classmethod
    def of(cls, shared: Array, gold_alone: Array, pred_alone: Array, documents: Array, elements: Array) -> Information:
        """From the parts of an :class:`InformationMetric`; which document an element is in is part of it."""
        mutual = shared + np.maximum(own_logs(elements) - documents, 0.0)
        identical = (gold_alone == 0) & (pred_alone == 0)
        return cls(mutual, mutual + gold_alone, mutual + pred_alone, gold_alone, pred_alone, identical, elements)


class InformationMetric(Metric):
    """A measure of entropies: parts are the sums of the table's logarithms, N*log(N), and N."""

    group = "information"

    def parts(self, table: Sums) -> Parts:
        return {**table.logs()._asdict(), "documents": own_logs(table.common), "elements": table.common}


def mean_of(kind: str, gold: Floats, pred: Floats) -> Floats:
    """The mean of both sides' entropies that a score is normalized by."""
    if kind == "arithmetic":
        return np.asarray((gold + pred) / 2)
    if kind == "geometric":
        return np.sqrt(gold * pred)
    return np.minimum(gold, pred) if kind == "min" else np.maximum(gold, pred)


def own_logs(elements: Floats) -> Floats:
    """N*log(N)."""
    return np.asarray(elements * np.log(np.maximum(elements, 1.0)))


@register
class MutualInformation(InformationMetric):
    """Mutual information of the two clusterings, in nats.

    Formula:
        sum over cells of (n/N) * log(N*n/(a*b))

    Range:
        0 to min(H(gold), H(pred)); for two identical clusterings it is their entropy.

    Use it when:
        You need the value itself. To compare data sets, use nmi or ami.

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
        info = Information.of(**parts)
        return Values(divide(info.mutual, info.elements, 0.0))
