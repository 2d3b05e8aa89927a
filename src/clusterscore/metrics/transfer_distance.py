"""The transfer distance."""

from __future__ import annotations

from clusterscore.metrics.alignment import aligned
from clusterscore.metrics.metric import Array, Distance, Parts, Table, Values, divide, register


@register
class TransferDistance(Distance):
    """Transfer distance: how many elements have to change their cluster to make both sides the same. A distance.

    Formula:
        N - max over one-to-one alignments of the sum of n_ij over aligned pairs (i, j)

    Range:
        0 (identical) up; below N. Smaller is better. Divided by N it is 1 - set_matching.

    Use it when:
        Elements are corrected one by one. It satisfies the triangle inequality.

    Options:
        normalized: True divides by N.

    Reference:
        Day 1981, The complexity of computing metric distances between partitions; Charon, Denœud, Guénoche & Hudry
        2006, Maximum transfer distance between partitions, Journal of Classification 23.

    Example:
        >>> import clusterscore as cs
        >>> cs.transfer_distance([0, 0, 0, 1, 1, 2], [0, 0, 1, 1, 1, 2]).value
        1.0
    """

    normalized: bool = False

    name = "transfer_distance"
    aliases = ("partition_distance", "mndd")
    needs = frozenset({("cells",)})

    def parts(self, table: Table) -> Parts:
        return {"right": aligned(table, table.n), "elements": table.common}

    def finish(self, right: Array, elements: Array) -> Values:
        return Values(divide(elements - right, elements, 0.0) if self.normalized else elements - right)
