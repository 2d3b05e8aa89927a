"""Element-centric similarity."""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np

from clusterscore.metrics.elementwise import ElementScores, ScoresElements
from clusterscore.metrics.metric import Array, Limits, Parts, Table, Values, divide, register
from clusterscore.overlap import cover_of, walk_similarity


@register
class ElementCentric(ScoresElements):
    """Element-centric similarity: how similarly both clusterings place an element among the others.

    Formula:
        On partitions (1/N) * sum over cells of n*n/max(a,b). In general a walk begins at element i and goes to one of
        its clusters, to an element of that, and so on, and begins again with probability 1 - alpha at every step; p_ij
        and q_ij are the probabilities of finding it at j, in gold and in the prediction:
        S(i) = 1 - sum over j of |p_ij - q_ij| / (2*alpha), and the score is the mean over elements.

    Range:
        Above 0 to 1; 1 for two equal clusterings, and for some that repeat a cluster.

    Use it when:
        You work in biology or network science, where it is reported, for partitions and overlapping clusterings alike.
        On partitions it is close to bcubed. If clusters overlap, it compares every element with all elements that can
        be reached from it: a few thousand different elements take seconds, and excessive work is refused.

    Options:
        alpha: the probability of walking on (default 0.9). On partitions it changes nothing.
        weights: None, or one number per element.

    Reference:
        Gates, Wood, Hetrick & Ahn 2019, Element-centric clustering comparison unifies overlaps and hierarchy,
        Scientific Reports 9:8574.

    Example:
        >>> import clusterscore as cs
        >>> round(cs.element_centric([0, 0, 1, 1], [0, 0, 0, 1]).value, 4)
        0.5417
    """

    alpha: float = 0.9
    weights: Literal["given"] | None = None

    name = "element_centric"
    aliases = ("element_sim",)
    limits: ClassVar[Limits] = {"alpha": (0.001, 0.999)}
    symmetric = True
    overlapping = True

    def parts(self, table: Table) -> Parts:
        if table.overlapping:
            n, f, document, times, given = table.n, self._walked(table), table.cells.document, None, table.weight
        else:
            rows = table.rows()
            n, f, document = rows.n, rows.n / np.maximum(rows.a, rows.b), rows.document
            times, given = rows.times, rows.weight
        weight = n.astype(np.float64) if given is None or self.weights is None else given
        return {
            "similar": table.add(weight * f, document, times),
            "elements": table.add(weight, document, times),
        }

    def finish(self, similar: Array, elements: Array) -> Values:
        return Values(divide(similar, elements, 0.0))

    def cell_scores(self, table: Table) -> ElementScores:
        f = self._walked(table) if table.overlapping else table.n / np.maximum(table.a, table.b)
        return ElementScores(None, None, None, None, None, f)

    def _walked(self, table: Table) -> Array:
        return walk_similarity(cover_of(table), self.alpha)
