"""LEA, the link-based entity-aware measure."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from clusterscore.count.sums import Floats, plus
from clusterscore.count.table import Table
from clusterscore.distinct import Array
from clusterscore.metrics.coreference import CoreferenceMetric, Counts, mentions
from clusterscore.metrics.metric import paired
from clusterscore.metrics.registry import register


@register
@dataclass(frozen=True)
class Lea(CoreferenceMetric):
    """LEA: the share of each entity's links that were found, weighed by the entity's size.

    Formula:
        R = sum over gold entities of a * (sum over cells of n*(n-1)/2) / (a*(a-1)/2) / gold mentions
        P is its mirror image; a singleton counts 1 if it is a singleton on the other side too, else 0
        0/0 is 0, F = 2*P*R/(P+R)

    Range:
        0 to 1.

    Use it when:
        You want one number for coreference that rewards resolved links and does not flatter, unlike B3 and CEAF.

    Reference:
        Moosavi & Strube 2016, Which coreference evaluation metric do you trust?, ACL.

    Example:
        >>> import clusterscore as cs
        >>> round(cs.lea([{"a", "b", "c"}, {"d"}], [{"a", "b"}, {"c", "d"}]).f, 4)
        0.3333
    """

    name = "lea"

    def counts(self, table: Table) -> Counts:
        gold, pred = mentions(table)
        if not table.n_common:
            nothing = paired(np.zeros(len(gold)))
            return Counts(nothing, paired(gold), nothing, paired(pred))
        rows = table.rows()
        credit = table.credits(1)  # there a singleton has found all of its links
        lone_gold = _less(table, (rows.a == 1) & (rows.b > 1), rows.times, rows.document)
        lone_pred = _less(table, (rows.b == 1) & (rows.a > 1), rows.times, rows.document)
        return Counts(plus(credit[:, 2:4], lone_gold), paired(gold), plus(credit[:, :2], lone_pred), paired(pred))


def _less(table: Table, which: Array, times: Array | None, document: Array | None) -> Floats:
    """How many cells are concerned, to be taken away."""
    count = which.astype(np.float64) if times is None else which * times.astype(np.float64)
    return paired(-table.whole(count, document))
