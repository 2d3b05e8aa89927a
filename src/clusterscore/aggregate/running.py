"""Running sums: what is left of documents that have been scored, enough for the score of all."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from clusterscore.aggregate.summary import Averages
from clusterscore.align.policies import Policy
from clusterscore.count.table import Table
from clusterscore.exceptions import InputError, MetricError
from clusterscore.messages import Option
from clusterscore.metrics.metric import Metric, Values
from clusterscore.metrics.score_type import Score


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
        values = metric.values(table)
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
                f"{self.metric} of all documents together is not a sum over them; pass ",
                Option("average", "macro"),
                ", or score all of them in one call",
            )
        parts = {name: np.array([part], object if type(part) is int else float) for name, part in self.parts.items()}
        return self.metric.finish(**parts).score(signature)

    @property
    def documents(self) -> Values:
        """Not kept."""
        raise InputError(
            "an accumulator keeps no documents, only their sums; cs.score(..., documents=...) has a row for each"
        )
