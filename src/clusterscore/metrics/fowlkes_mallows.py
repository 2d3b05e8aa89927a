"""The Fowlkes-Mallows index."""

from __future__ import annotations

import numpy as np

from clusterscore.metrics.metric import Values, divide, register
from clusterscore.metrics.pair_metric import Links, PairMetric


@register
class FowlkesMallows(PairMetric):
    """Fowlkes-Mallows index: the geometric mean of pairwise precision and recall.

    Formula:
        sqrt(P*R), P = rc/B, R = rc/A, A gold pairs, B predicted pairs, rc pairs in both

    Range:
        0 to 1. If neither side has a pair (all singletons), it is 1, where scikit-learn returns 0. Adjusted: up to 1,
        and 0 on average for a random prediction with the same cluster sizes.

    Use it when:
        Others report it. Clustering benchmarks call it fm, and afm if it is adjusted.

    Options:
        adjusted: True gives (x - E)/(1 - E), E = sqrt(A*B)/T what a random prediction of the same cluster sizes is
            expected to get, T = N*(N-1)/2 all pairs.

    Reference:
        Fowlkes & Mallows 1983, A method for comparing two hierarchical clusterings, JASA 78.

    Example:
        >>> import clusterscore as cs
        >>> cs.fowlkes_mallows([0, 0, 1, 1], [0, 0, 1, 2]).value
        0.7071067811865476
    """

    adjusted: bool = False

    name = "fowlkes_mallows"
    aliases = ("fm", "fmi")
    symmetric = True

    def of_links(self, pair: Links) -> Values:
        if self.adjusted:
            return _adjusted(pair)
        precision, recall = divide(pair.right, pair.pred, 1.0), divide(pair.right, pair.gold, 1.0)
        return Values(np.sqrt(precision * recall))


def _adjusted(pair: Links) -> Values:
    """Right pairs over g = sqrt(A*B), of which chance finds g/T: (rc*T - g*g) / (g*T - g*g), T all pairs."""
    above = pair.above_chance()
    mean, most = np.sqrt(np.asarray(pair.gold * pair.pred, np.float64)), np.asarray(pair.all, np.float64)
    room = divide(above.all, most + mean, 0.0)  # T - g, without cancellation
    # where only one side has a pair, nothing is right whatever the prediction
    adjusted = divide(above.right, mean * room, 0.0)
    chance = np.where((pair.gold == 0) & (pair.pred == 0), 1.0, divide(mean, most, 1.0))
    return Values(np.where(pair.identical, 1.0, adjusted), extras={"expected": chance})
