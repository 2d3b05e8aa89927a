"""The merge distance."""

from clusterscore.metrics.metric import Array, Distance, Parts, Sums, Values, register


@register
class MergeDistance(Distance):
    """Merge distance: how many splits and merges of whole clusters turn the prediction into gold. A distance.

    Formula:
        splits + merges, splits = cells - predicted clusters, merges = cells - gold clusters

    Range:
        0 (identical) up. Smaller is better. The score has ``splits`` and ``merges``.

    Use it when:
        People repair clusters by hand, splitting what is wrong and merging the rest, and every step costs the same. It
        violates the triangle inequality: from 1 2 | 3 4 to 1 3 | 2 4 it is 4, but via 1 2 3 4 it is 2.

    Reference:
        Menestrina, Whang & Garcia-Molina 2010, Evaluating entity resolution results, VLDB (generalized merge distance
        with unit costs).

    Example:
        >>> import clusterscore as cs
        >>> score = cs.merge_distance([0, 0, 0, 1, 1, 2], [0, 0, 1, 1, 1, 2])
        >>> score.value, score.splits, score.merges
        (2.0, 1.0, 1.0)
    """

    name = "merge_distance"
    aliases = ("generalized_merge_distance",)

    def parts(self, table: Sums) -> Parts:
        return {"cells": table.clusters("cell"), "gold": table.clusters("gold"), "pred": table.clusters("pred")}

    def finish(self, cells: Array, gold: Array, pred: Array) -> Values:
        return Values(2 * cells - gold - pred, extras={"splits": cells - pred, "merges": cells - gold})
