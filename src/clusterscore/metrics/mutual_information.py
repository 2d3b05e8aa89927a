"""Mutual information, and what the information measures share."""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from clusterscore.exceptions import MetricError
from clusterscore.metrics.metric import Array, Floats, Limits, Metric, Parts, Sums, Values, divide, register


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
        """From :func:`information_parts`; which document an element is in is part of it."""
        mutual = shared + np.maximum(own_logs(elements) - documents, 0.0)
        identical = (gold_alone == 0) & (pred_alone == 0)
        return cls(mutual, mutual + gold_alone, mutual + pred_alone, gold_alone, pred_alone, identical, elements)


def information_parts(table: Sums) -> Parts:
    """What :meth:`Information.of` takes."""
    return {**table.logs()._asdict(), "documents": own_logs(table.common), "elements": table.common}


class InformationMetric(Metric):
    """A measure of entropies: parts are the sums of the table's logarithms, N*log(N), and N."""

    group = "information"

    def parts(self, table: Sums) -> Parts:
        return information_parts(table)

    def finish(self, *args: Any, **parts: Any) -> Values:
        return self.of_information(Information.of(*args, **parts))

    @abstractmethod
    def of_information(self, info: Information) -> Values:
        """The scores of rows of information."""


@dataclass(frozen=True)
class InBase(InformationMetric):
    """A measure in nats, or in the unit of another base of the logarithm."""

    base: float | None = None

    limits: ClassVar[Limits] = {"base": (1, float("inf"))}

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.base == 1:
            raise MetricError(f"{self.name}: base=1 has no logarithm; 2 gives bits, None is e")

    @property
    def unit(self) -> str:
        """What it is measured in."""
        return "nats" if self.base is None else "bits" if self.base == 2 else f"units of log({self.base:g})"

    @property
    def nats(self) -> float:
        """How many nats its unit has."""
        return 1.0 if self.base is None else math.log(self.base)


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
class MutualInformation(InBase):
    """Mutual information of the two clusterings, in nats.

    Formula:
        sum over cells of (n/N) * log(N*n/(a*b))

    Range:
        0 to min(H(gold), H(pred)); for two identical clusterings it is their entropy.

    Use it when:
        You need the value itself. To compare data sets, use nmi or ami.

    Options:
        base: of the logarithm; None (default) is e, nats. 2 gives bits.

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

    def of_information(self, info: Information) -> Values:
        return Values(divide(info.mutual, info.elements * self.nats, 0.0))
