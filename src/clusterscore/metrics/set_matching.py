"""Set matching, also known as clustering accuracy."""

from __future__ import annotations

from dataclasses import dataclass

from clusterscore.count.sums import Floats, divide
from clusterscore.count.table import Table
from clusterscore.metrics.alignment import best_alignment
from clusterscore.metrics.metric import Metric, Values, columns
from clusterscore.metrics.registry import register


@register
@dataclass(frozen=True)
class SetMatching(Metric):
    """Set matching (clustering accuracy): the share of elements kept by the best one-to-one alignment of clusters.

    Formula:
        (1/N) * max over one-to-one alignments of the sum of n_ij over aligned pairs (i, j)

    Range:
        Above 0 to 1.

    Use it when:
        Each predicted cluster should stand for one class, as in deep clustering ("ACC"). The alignment works on the
        overlaps alone, never on a dense table; its worst case still grows with clusters times overlaps.

    Reference:
        Meilă & Heckerman 2001, An experimental comparison of model-based clustering methods, Machine Learning 42.

    Example:
        >>> import clusterscore as cs
        >>> cs.set_matching([0, 0, 1, 1], [1, 1, 1, 0]).value
        0.75
    """

    name = "set_matching"
    needs = frozenset({("cells",)})
    aliases = ("accuracy", "acc")
    symmetric = True

    def parts(self, table: Table) -> Floats:
        chosen = best_alignment(table.gold, table.pred, table.n, (len(table.gold_size), len(table.pred_size)))
        document = None if table.cell_document is None else table.cell_document[chosen]
        return columns(table.whole(table.n[chosen], document), table.common)

    def finish(self, parts: Floats) -> Values:
        return Values(divide(parts[:, 0], parts[:, 1], 0.0))
