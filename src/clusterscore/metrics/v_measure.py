"""Homogeneity, completeness and V-measure."""

from __future__ import annotations

from dataclasses import dataclass

from clusterscore.count.sums import Floats, divide
from clusterscore.metrics.information import InformationMetric, information
from clusterscore.metrics.metric import Values, number
from clusterscore.metrics.registry import register


@register
@dataclass(frozen=True)
class Homogeneity(InformationMetric):
    """Homogeneity: how much of the uncertainty about the gold cluster the predicted cluster removes.

    Formula:
        I(gold, pred) / H(gold); 1 where gold is one cluster

    Range:
        0 to 1; 1 when every predicted cluster is pure.

    Use it when:
        You want the precision-like half of the V-measure.

    Reference:
        Rosenberg & Hirschberg 2007, V-measure: a conditional entropy-based external cluster evaluation measure, EMNLP.

    Example:
        >>> import clusterscore as cs
        >>> cs.homogeneity([0, 0, 1, 1], [0, 1, 2, 3]).value
        1.0
    """

    name = "homogeneity"

    def finish(self, parts: Floats) -> Values:
        info = information(parts)
        return Values(divide(info.mutual, info.gold, 1.0))


@register
@dataclass(frozen=True)
class Completeness(InformationMetric):
    """Completeness: how much of the uncertainty about the predicted cluster the gold cluster removes.

    Formula:
        I(gold, pred) / H(pred); 1 where the prediction is one cluster

    Range:
        0 to 1; 1 when every gold cluster stays together.

    Use it when:
        You want the recall-like half of the V-measure.

    Reference:
        Rosenberg & Hirschberg 2007, V-measure: a conditional entropy-based external cluster evaluation measure, EMNLP.

    Example:
        >>> import clusterscore as cs
        >>> cs.completeness([0, 0, 1, 1], [0, 0, 0, 0]).value
        1.0
    """

    name = "completeness"

    def finish(self, parts: Floats) -> Values:
        info = information(parts)
        return Values(divide(info.mutual, info.pred, 1.0))


@register
@dataclass(frozen=True)
class VMeasure(InformationMetric):
    """V-measure: the harmonic mean of homogeneity (as precision) and completeness (as recall).

    Formula:
        (1+beta)*h*c / (beta*h + c)     beta as in scikit-learn, not squared

    Range:
        0 to 1. With beta=1 it equals nmi.

    Use it when:
        Others report it. Like NMI it is not corrected for chance: many small clusters lift it.

    Options:
        beta: weight of completeness (default 1).

    Reference:
        Rosenberg & Hirschberg 2007, V-measure: a conditional entropy-based external cluster evaluation measure, EMNLP.

    Example:
        >>> import clusterscore as cs
        >>> cs.v_measure([0, 0, 1, 1], [0, 0, 1, 2]).f
        0.8
    """

    beta: float = 1.0

    name = "v_measure"
    aliases = ("v",)
    swaps = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "beta", number(self.name, "beta", self.beta, 0))

    def finish(self, parts: Floats) -> Values:
        info = information(parts)
        h, c = divide(info.mutual, info.gold, 1.0), divide(info.mutual, info.pred, 1.0)
        return Values(divide((1 + self.beta) * h * c, self.beta * h + c, 0.0), h, c)
