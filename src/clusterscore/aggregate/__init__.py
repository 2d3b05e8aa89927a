"""Aggregate: scores of documents become one score: micro (pooled), macro (averaged), or weighted by their sizes."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from clusterscore.align.policies import Policy, dropped_note
from clusterscore.count.counts import once
from clusterscore.count.sums import add_up
from clusterscore.count.table import Table
from clusterscore.distinct import Array
from clusterscore.exceptions import InputError, MetricError
from clusterscore.messages import Option
from clusterscore.metrics.metric import Metric, Values
from clusterscore.metrics.score_type import Score
from clusterscore.nouns import noun, plural

Average = Literal["micro", "macro", "weighted"]
AVERAGES: tuple[str, ...] = get_args(Average)


class Facts(NamedTuple):
    """What was compared: in twos, gold and predicted."""

    total: int  # elements on either side
    documents: int
    elements: tuple[int, int]
    clusters: tuple[int, int]
    singletons: tuple[int, int]
    memberships: tuple[int, int]  # as many as elements, unless some belong to several clusters or to none
    dropped: tuple[int, int]  # elements on one side only, which are in no other fact
    noise: tuple[int, int]  # elements that noise_as="drop" left out, which are in no other fact
    policy: Policy

    @classmethod
    def of(cls, table: Table) -> Facts:
        """The facts of a table."""
        only_gold, only_pred = table.one_sided
        elements = table.n_common + only_gold, table.n_common + only_pred
        named = table if table.whole is None else table.objects  # no background, whatever of it is compared
        clusters = named.number("gold"), named.number("pred")
        singletons = named.singletons("gold"), named.singletons("pred")
        memberships = elements
        if table.overlapping:
            memberships = int(table.cluster_sizes("gold").sum()), int(table.cluster_sizes("pred").sum())
        counts = elements, clusters, singletons, memberships, table.dropped, table.noise
        return cls(table.elements, len(table.documents), *counts, table.policy)

    @property
    def dropped_counts(self) -> dict[str, int]:
        """How many elements missing="drop" and noise_as="drop" left out on each side, as JSON has it."""
        return {
            f"{side}_{what}": getattr(self, what)[k]
            for what in self.policy.drops(self.noise)
            for k, side in enumerate(("gold", "pred"))
        }

    def in_words(self, elements: int) -> str:
        """How many elements and documents there are, and how many elements were left out."""
        documents = [plural(self.documents, "document")] if self.documents > 1 else []
        counts = ", ".join([plural(elements, "element"), *documents])
        return "; ".join([counts, *dropped_note(self.policy, self.dropped, self.noise)])

    def plus(self, other: Facts) -> Facts:
        """The facts of both together, where no document is in both."""
        elements, clusters, singletons, memberships, dropped, noise = (
            (mine[0] + its[0], mine[1] + its[1]) for mine, its in zip(self[2:8], other[2:8], strict=True)
        )
        total, documents = self.total + other.total, self.documents + other.documents
        return Facts(total, documents, elements, clusters, singletons, memberships, dropped, noise, self.policy)


class Averages(NamedTuple):
    """Scores of documents added up, each as often as it weighs: values, precision, recall and extras by name."""

    documents: int
    weight: float  # of all documents; each weighs 1, or as much as it has elements
    squares: float  # the weights squared, added up
    totals: Mapping[str, float]
    spread: float  # the squared distances of the values from their mean, added up

    @classmethod
    def of(cls, values: Values, weights: Array | None = None) -> Averages:
        """The scores of some documents."""
        columns = {**values._asdict(), **values.extras}
        del columns["extras"]
        count = len(values.value)
        totals = {
            name: float(add_up(column, times=weights)[0]) for name, column in columns.items() if column is not None
        }
        weight, squares = float(count), float(count)
        if weights is not None:
            weight, squares = float(weights.sum()), float((weights.astype(np.float64) ** 2).sum())
        spread = float(add_up((values.value - totals["value"] / (weight or 1)) ** 2, times=weights)[0])
        return cls(count, weight, squares, totals, spread)

    def plus(self, other: Averages) -> Averages:
        """Both together."""
        weight = self.weight + other.weight
        gap = self.totals["value"] / (self.weight or 1) - other.totals["value"] / (other.weight or 1)
        totals = {name: total + other.totals[name] for name, total in self.totals.items()}
        between = gap * gap * self.weight * other.weight / (weight or 1)
        documents, squares = self.documents + other.documents, self.squares + other.squares
        return Averages(documents, weight, squares, totals, self.spread + other.spread + between)

    def score(self, signature: str) -> Score:
        """The means, with the standard deviation of the value (unbiased: ddof=1; None for one document)."""
        weight = self.weight or 1  # where no document has a mention there is nothing to average: 0/0 is 0
        means = {name: total / weight for name, total in self.totals.items()}
        value, precision, recall = means.pop("value"), means.pop("precision", None), means.pop("recall", None)
        freedom = weight - self.squares / weight  # one less than the documents, where all weigh the same
        std = math.sqrt(self.spread / freedom) if self.documents > 1 and freedom > 0 else None
        return Score(value, precision, recall, signature, std, means)


def _of_documents(metric: Metric, table: Table) -> Values:
    """The scores of every document, as columns."""
    metric.check(table)
    if metric.wants_weights and table.weight is not None:
        weight = table.add(table.weight, table.cells.document)
        empty = np.flatnonzero(weight == 0)
        if len(empty):
            raise InputError(
                f"{plural(len(empty), 'document')} with no weight at all (e.g. {table.documents[empty[0]]!r}), so they "
                "have no score of their own; leave them out"
            )
    return metric.values(table)


@dataclass(eq=False)
class Summary:
    """One metric on one table, over all its documents."""

    metric: Metric
    table: Table
    _memo: dict[tuple[Any, ...], Any] = field(default_factory=dict)

    @cached_property
    def documents(self) -> Values:
        """The scores of every document, as columns."""
        return _of_documents(self.metric, self.table)

    @once
    def score(self, average: str) -> Score:
        """Of all elements pooled ("micro"), or the mean of the documents' scores, with their standard deviation.

        Clusters of different documents stay different. In a "weighted" mean a document weighs as much as it has
        elements. The deviation is unbiased (ddof=1; None for one document).
        """
        if average == "micro":
            return self.metric.score(self.table)
        weights = self.table.document_elements if average == "weighted" else None
        return Averages.of(self.documents, weights).score(self.metric.sign(self.table.policy, average))


class Running(NamedTuple):
    """One metric over documents that come in batches; as large as its parts, however many documents there were."""

    metric: Metric
    parts: Mapping[str, float] | None  # None where the parts of documents do not add up
    averages: Averages  # in which all documents weigh the same
    by_size: Averages  # in which each weighs as much as it has elements
    policy: Policy

    @classmethod
    def of(cls, metric: Metric, table: Table, policy: Policy) -> Running:
        """The documents of a table."""
        metric.check(table)
        parts = None
        if metric.additive:
            parts = {name: column.tolist()[0] for name, column in metric.pooled_parts(table).items()}
        values = _of_documents(metric, table)
        return cls(metric, parts, Averages.of(values), Averages.of(values, table.document_elements), policy)

    def plus(self, other: Running) -> Running:
        """Both together."""
        parts = None
        if self.parts is not None and other.parts is not None:
            both = dict.fromkeys([*self.parts, *other.parts])  # omega has a part for each number of shared clusters
            parts = {name: self.parts.get(name, 0.0) + other.parts.get(name, 0.0) for name in both}
        averages, by_size = self.averages.plus(other.averages), self.by_size.plus(other.by_size)
        return Running(self.metric, parts, averages, by_size, other.policy)

    def state(self) -> dict[str, Any]:
        """What was added up: the sums over all elements, and those of the documents' scores."""
        averages = {"scores": self.averages._asdict(), "scores_by_size": self.by_size._asdict()}
        return {"metric": str(self.metric), "sums": self.parts, **averages}

    @classmethod
    def restored(cls, metric: Metric, state: Mapping[str, Any], policy: Policy) -> Running:
        """What :meth:`state` wrote down."""
        averages, by_size = (Averages(**state[name]) for name in ("scores", "scores_by_size"))
        return cls(metric, state["sums"], averages, by_size, policy)

    def score(self, average: str) -> Score:
        """Of all elements pooled ("micro"), or the mean of the documents' scores, alike ("macro") or "weighted"."""
        signature = self.metric.sign(self.policy, average)
        if average != "micro":
            return (self.averages if average == "macro" else self.by_size).score(signature)
        if self.parts is None:
            raise MetricError(
                f"{self.metric} of all {noun('documents')} together is not a sum over them; pass ",
                Option("average", "macro"),
                ", or score all of them in one call",
            )
        parts = {name: np.array([part], object if type(part) is int else float) for name, part in self.parts.items()}
        return self.metric.finish(**parts).score(signature)

    @property
    def documents(self) -> Values:
        """Not kept."""
        raise InputError(
            noun("an accumulator keeps no documents, only their sums; cs.score(..., documents=...) has a row for each")
        )
