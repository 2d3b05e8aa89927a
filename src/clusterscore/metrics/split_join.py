"""The split-join distance of van Dongen."""

from __future__ import annotations

from clusterscore.metrics.metric import Array, Distance, Parts, Sums, Values, divide, register


@register
class SplitJoin(Distance):
    """Split-join distance: how many elements have to move to turn one clustering into the other. A distance.

    Formula:
        2*N - sum_i max_j n_ij - sum_j max_i n_ij

    Range:
        0 (identical) up; below 2*N. Smaller is better. The score has its two halves: ``split``, the elements
        outside the largest part of their gold cluster, and ``join``, those outside the largest part of their predicted
        cluster.

    Use it when:
        You want a distance that counts elements; community detection reports it. It satisfies the triangle inequality.

    Options:
        normalized: True divides by 2*N: 0 to below 1.

    Reference:
        van Dongen 2000, Performance criteria for graph clustering and Markov cluster experiments, CWI report INS-R0012.

    Example:
        >>> import clusterscore as cs
        >>> score = cs.split_join([0, 0, 0, 1, 1, 2], [0, 0, 1, 1, 1, 2])
        >>> score.value, score.split, score.join
        (2.0, 1.0, 1.0)
    """

    normalized: bool = False

    name = "split_join"
    aliases = ("van_dongen",)
    needs = frozenset({("largest_total", "gold"), ("largest_total", "pred")})

    def parts(self, table: Sums) -> Parts:
        return {"gold": table.largest_total("gold"), "pred": table.largest_total("pred"), "elements": table.common}

    def finish(self, gold: Array, pred: Array, elements: Array) -> Values:
        scale = 2 * elements if self.normalized else elements * 0 + 1
        halves = {"split": divide(elements - gold, scale, 0.0), "join": divide(elements - pred, scale, 0.0)}
        return Values(divide(2 * elements - gold - pred, scale, 0.0), extras=halves)
