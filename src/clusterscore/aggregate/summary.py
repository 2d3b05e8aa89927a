"""Aggregate: scores of documents become one score, micro (pooled) or macro (averaged)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cached_property
from typing import Literal, NamedTuple, get_args

import numpy as np

from clusterscore.align.policies import Policy
from clusterscore.count.sums import add_up
from clusterscore.count.table import Table
from clusterscore.exceptions import InputError, plural
from clusterscore.metrics.metric import Metric, Values
from clusterscore.metrics.score_type import Score

Average = Literal["micro", "macro"]
AVERAGES: tuple[str, ...] = get_args(Average)


class Facts(NamedTuple):
    """What was compared: in twos, gold and predicted."""

    total: int  # elements on either side
    documents: int
    elements: tuple[int, int]
    clusters: tuple[int, int]
    singletons: tuple[int, int]
    memberships: tuple[int, int]  # as many as elements, unless some belong to several clusters or to none
    policy: Policy

    @classmethod
    def of(cls, table: Table) -> Facts:
        """The facts of a table."""
        only_gold, only_pred = table.one_sided
        elements = table.n_common + only_gold, table.n_common + only_pred
        clusters = table.number("gold"), table.number("pred")
        singletons = table.singletons("gold"), table.singletons("pred")
        memberships = elements
        if table.overlapping:
            memberships = int(table.cluster_sizes("gold").sum()), int(table.cluster_sizes("pred").sum())
        counts = elements, clusters, singletons, memberships
        return cls(table.elements, len(table.documents), *counts, table.policy)

    @property
    def overlapping(self) -> bool:
        """Whether there are clusters that overlap, or elements in none."""
        return self.memberships != self.elements

    def plus(self, other: Facts) -> Facts:
        """The facts of both together, where no document is in both."""
        elements, clusters, singletons, memberships = (
            (mine[0] + its[0], mine[1] + its[1]) for mine, its in zip(self[2:6], other[2:6], strict=True)
        )
        documents = self.documents + other.documents
        return Facts(self.total + other.total, documents, elements, clusters, singletons, memberships, self.policy)


class Averages(NamedTuple):
    """Scores of documents added up: the sums of values, precision, recall and extras by name."""

    documents: int
    totals: Mapping[str, float]
    spread: float  # the squared distances of the values from their mean, added up

    @classmethod
    def of(cls, values: Values) -> Averages:
        """The scores of some documents."""
        columns = {**values._asdict(), **values.extras}
        del columns["extras"]
        totals = {name: float(add_up(column)[0]) for name, column in columns.items() if column is not None}
        count = len(values.value)
        spread = float(add_up((values.value - totals["value"] / max(count, 1)) ** 2)[0])
        return cls(count, totals, spread)

    def plus(self, other: Averages) -> Averages:
        """Both together."""
        if not self.documents or not other.documents:
            return self if self.documents else other
        count = self.documents + other.documents
        gap = self.totals["value"] / self.documents - other.totals["value"] / other.documents
        totals = {name: total + other.totals[name] for name, total in self.totals.items()}
        between = gap * gap * self.documents * other.documents / count
        return Averages(count, totals, self.spread + other.spread + between)

    def score(self, signature: str) -> Score:
        """The means, with the standard deviation of the value (ddof=1; None for one document)."""
        count = max(self.documents, 1)  # where no document has a mention there is nothing to average: 0/0 is 0
        means = {name: total / count for name, total in self.totals.items()}
        value, precision, recall = means.pop("value"), means.pop("precision", None), means.pop("recall", None)
        std = math.sqrt(self.spread / (count - 1)) if count > 1 else None
        return Score(value, precision, recall, signature, std, means)


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
        if self.metric.wants_weights and self.table.weight is not None:
            weight = self.table.add(self.table.weight, self.table.cells.document)
            empty = np.flatnonzero(weight == 0)
            if len(empty):
                raise InputError(
                    f"{plural(len(empty), 'document')} with no weight at all (e.g. "
                    f"{self.table.documents[empty[0]]!r}), so with no score of their own; leave them out, or pool the "
                    "documents"
                )
        return self.metric.values(self.table)

    @cached_property
    def macro(self) -> Score:
        """The mean of the documents' scores, with their standard deviation (ddof=1; None for one document)."""
        return Averages.of(self.documents).score(self.metric.sign(self.table.policy, "macro"))

    def score(self, average: str) -> Score:
        """The score under one of the two averages."""
        return self.micro if average == "micro" else self.macro
