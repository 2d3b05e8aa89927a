"""The Fowlkes-Mallows index."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from clusterscore.count.sums import Floats, divide
from clusterscore.metrics.links import PairMetric, links
from clusterscore.metrics.metric import Values
from clusterscore.metrics.registry import register


@register
@dataclass(frozen=True)
class FowlkesMallows(PairMetric):
    """Fowlkes-Mallows index: the geometric mean of pairwise precision and recall.

    Formula:
        sqrt(P*R), P = rc/B, R = rc/A, A gold pairs, B predicted pairs, rc pairs in both

    Range:
        0 to 1. Where neither side has a pair (all singletons) it is 1; scikit-learn says 0 there.

    Use it when:
        Others report it.

    Reference:
        Fowlkes & Mallows 1983, A method for comparing two hierarchical clusterings, JASA 78.

    Example:
        >>> import clusterscore as cs
        >>> cs.fowlkes_mallows([0, 0, 1, 1], [0, 0, 1, 2]).value
        0.7071067811865476
    """

    name = "fowlkes_mallows"
    aliases = ("fm", "fmi")
    symmetric = True

    def finish(self, parts: Floats) -> Values:
        pair = links(parts)
        precision, recall = divide(pair.right, pair.pred, 1.0), divide(pair.right, pair.gold, 1.0)
        return Values(np.sqrt(precision * recall))
