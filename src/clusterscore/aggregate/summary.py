"""Aggregate: scores of documents become one score, micro (pooled) or macro (averaged)."""

from __future__ import annotations

from functools import cached_property
from typing import Literal, NamedTuple, get_args

import numpy as np

from clusterscore.aggregate.averages import Averages
from clusterscore.align.policies import Policy
from clusterscore.count.table import Table
from clusterscore.exceptions import InputError, plural
from clusterscore.metrics.metric import Metric, Values
from clusterscore.metrics.score import Score

Average = Literal["micro", "macro"]
AVERAGES: tuple[str, ...] = get_args(Average)


class Facts(NamedTuple):
    """What was compared: in twos, gold and predicted."""

    total: int  # elements on either side
    documents: int
    elements: tuple[int, int]
    clusters: tuple[int, int]
    singletons: tuple[int, int]
    policy: Policy

    @classmethod
    def of(cls, table: Table) -> Facts:
        """The facts of a table."""
        only_gold, only_pred = table.one_sided
        return cls(
            table.elements, len(table.documents), (table.n_common + only_gold, table.n_common + only_pred),
            (table.number("gold"), table.number("pred")), (table.singletons("gold"), table.singletons("pred")),
            table.policy,
        )  # fmt: skip

    def plus(self, other: Facts) -> Facts:
        """The facts of both together, where no document is in both."""
        elements, clusters, singletons = (
            (mine[0] + its[0], mine[1] + its[1]) for mine, its in zip(self[2:5], other[2:5], strict=True)
        )
        documents = self.documents + other.documents
        return Facts(self.total + other.total, documents, elements, clusters, singletons, self.policy)


class Summary:
    """One metric on one table, over all its documents."""

    def __init__(self, metric: Metric, table: Table):
        self.metric, self.table = metric, table

    @cached_property
    def micro(self) -> Score:
        """All elements pooled; clusters of different documents stay different."""
        return self.metric.score(self.table)

    @cached_property
    def documents(self) -> Values:
        """The scores of every document, as columns."""
        self.metric.check(self.table)
        self._refuse_weightless()
        return self.metric.values(self.table)

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

    @cached_property
    def macro(self) -> Score:
        """The mean of the documents' scores, with their standard deviation (ddof=1; None for one document)."""
        return Averages.of(self.documents).score(self.metric.sign(self.table.policy, "macro"))

    def score(self, average: str) -> Score:
        """The score under one of the two averages."""
        return self.micro if average == "micro" else self.macro
