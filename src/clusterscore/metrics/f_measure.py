"""Van Rijsbergen's F-measure for clusterings."""

from __future__ import annotations

from dataclasses import dataclass

from clusterscore.count.sums import Floats, divide, rounded
from clusterscore.count.table import Table
from clusterscore.metrics.metric import Metric, Values, columns, paired
from clusterscore.metrics.registry import register


@register
@dataclass(frozen=True)
class FMeasure(Metric):
    """F-measure: each gold cluster takes the predicted cluster with the best F, and counts by its size.

    Formula:
        (1/N) * sum_i a_i * max_j 2*n_ij/(a_i+b_j)

    Range:
        Above 0 to 1.

    Use it when:
        A user looks for one class at a time and opens the one cluster that holds it best. A predicted cluster may
        serve several gold clusters; set_matching forbids that.

    Reference:
        van Rijsbergen 1979, Information Retrieval; Larsen & Aone 1999, Fast and effective text mining using
        linear-time document clustering, KDD.

    Example:
        >>> import clusterscore as cs
        >>> round(cs.f_measure([0, 0, 1, 1], [0, 0, 0, 1]).value, 4)
        0.7333
    """

    name = "f_measure"
    paired = 4
    needs = frozenset({("best_matches",)})

    def parts(self, table: Table) -> Floats:
        best = table.best_matches()
        return columns(table.add(best.f * best.size, best.document, best.times), paired(table.common))

    def finish(self, parts: Floats) -> Values:
        best, elements = rounded(parts).T
        return Values(divide(best, elements, 0.0))
