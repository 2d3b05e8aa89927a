"""Aggregate: scores of documents become one score, micro (pooled) or macro (averaged)."""

from __future__ import annotations

import numpy as np

from clusterscore.count.sums import Floats
from clusterscore.count.table import Table
from clusterscore.errors import InputError, plural
from clusterscore.metrics.metric import Metric, Values, row_score
from clusterscore.metrics.score import Score
from clusterscore.remember import lazy

AVERAGES = ("micro", "macro")


class Summary:
    """One metric on one table, over all its documents."""

    def __init__(self, metric: Metric, table: Table):
        self.metric, self.table = metric, table

    @lazy
    def micro(self) -> Score:
        """All elements pooled; clusters of different documents stay different."""
        return self.metric.score(self.table)

    @lazy
    def documents(self) -> Values:
        """The scores of every document, as columns."""
        self.metric.check(self.table)
        self._refuse_weightless()
        return self.metric.finish(self.metric.parts(self.table))

    def _refuse_weightless(self) -> None:
        if not self.metric.wants_weights or self.table.weight is None:
            return
        weight = self.table.add(self.table.weight, self.table.cell_document)
        empty = np.flatnonzero(weight == 0)
        if len(empty):
            raise InputError(
                f"{plural(len(empty), 'document')} with no weight at all (e.g. {self.table.documents[empty[0]]!r}), so "
                "with no score of their own; leave them out, or pool the documents"
            )

    @lazy
    def macro(self) -> Score:
        """The mean of the documents' scores, with their standard deviation (ddof=1; None for one document)."""
        each = self.documents
        mean = Values(
            _mean(each.value),
            None if each.precision is None else _mean(each.precision),
            None if each.recall is None else _mean(each.recall),
            {name: _mean(column) for name, column in each.extras.items()},
        )
        std = float(np.std(each.value, ddof=1)) if len(each.value) > 1 else None
        return row_score(mean, 0, self.metric.sign(self.table.policy, "macro"), std)

    def score(self, average: str) -> Score:
        """The score under one of the two averages."""
        return self.micro if average == "micro" else self.macro


def _mean(column: Floats) -> Floats:
    return np.array([column.mean()])
