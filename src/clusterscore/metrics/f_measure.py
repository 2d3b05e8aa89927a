"""Van Rijsbergen's F-measure for clusterings."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from clusterscore.count.sums import Floats, divide
from clusterscore.count.table import Table
from clusterscore.metrics.metric import Metric, Values, columns
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

    def parts(self, table: Table) -> Floats:
        f = 2 * table.n / (table.a + table.b)
        best = np.zeros(len(table.gold_size))
        np.maximum.at(best, table.gold, f)
        return columns(table.add(best * table.gold_size, table.gold_document), table.common)

    def finish(self, parts: Floats) -> Values:
        return Values(divide(parts[:, 0], parts[:, 1], 0.0))
