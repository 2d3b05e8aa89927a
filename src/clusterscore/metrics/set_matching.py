"""Set matching, also known as clustering accuracy."""

from __future__ import annotations

from typing import ClassVar, Literal

from clusterscore.metrics.alignment import aligned
from clusterscore.metrics.metric import Array, Metric, Parts, Table, Values, divide, register


@register
class SetMatching(Metric):
    """Set matching (clustering accuracy): the share of elements kept by the best one-to-one cluster alignment.

    Formula:
        (1/N) * max over one-to-one alignments of the sum of n_ij over aligned pairs (i, j)

    Range:
        Above 0 to 1.

    Use it when:
        Each predicted cluster should correspond to one class, as in deep clustering ("ACC"). The alignment works on the
        overlaps alone, never on a dense table, but its worst case still grows with clusters times overlaps.

    Options:
        match: with ``by``, whether slices such as old and new classes are scored under one alignment of "all" (default;
            v2 of generalized category discovery), or each "slice" is aligned by itself (v1).

    Reference:
        Meilă & Heckerman 2001, An experimental comparison of model-based clustering methods, Machine Learning 42.

    Example:
        >>> import clusterscore as cs
        >>> cs.set_matching([0, 0, 1, 1], [1, 1, 1, 0]).value
        0.75
    """

    match: Literal["all", "slice"] = "all"

    name = "set_matching"
    unsaid: ClassVar = {"match": "all"}
    needs = frozenset({("cells",)})
    aliases = ("accuracy", "acc")
    symmetric = True

    @property
    def sliced_apart(self) -> bool:
        """Whether each slice is aligned by itself."""
        return self.match == "slice"

    def parts(self, table: Table) -> Parts:
        return {"right": aligned(table, table.n), "elements": table.common}

    def finish(self, right: Array, elements: Array) -> Values:
        return Values(divide(right, elements, 0.0))
