"""Running sums: what is left of documents that have been scored, enough for the score of all."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from clusterscore.aggregate.averages import Averages
from clusterscore.aggregate.summary import Facts
from clusterscore.count.table import Table
from clusterscore.exceptions import InputError, MetricError
from clusterscore.metrics.metric import Metric, Values
from clusterscore.metrics.score import Score


class Running:
    """One metric over documents that come in batches; as large as its parts, however many documents there were."""

    def __init__(self, metric: Metric):
        self.metric = metric
        self._parts: dict[str, float] | None = None  # None where the parts of documents do not add up
        self._averages: Averages | None = None
        self._facts: Facts | None = None

    def add(self, table: Table, facts: Facts) -> None:
        """Add the documents of a table."""
        self.metric.check(table)
        new = Running(self.metric)
        new._averages, new._facts = Averages.of(self.metric.values(table)), facts
        if self.metric.additive:
            new._parts = {name: column.tolist()[0] for name, column in self.metric.pooled_parts(table).items()}
        self.merge(new)

    def merge(self, other: Running) -> None:
        """Add what another one has added up."""
        if other._averages is None:
            return
        if self._averages is None:
            self._averages, self._parts = other._averages, other._parts
        else:
            self._averages = self._averages.plus(other._averages)
            if self._parts is not None and other._parts is not None:
                self._parts = {name: part + other._parts[name] for name, part in self._parts.items()}
        self._facts = other._facts

    def state(self) -> dict[str, Any]:
        """What was added up: the sums over all elements, and those of the documents' scores."""
        assert self._averages is not None
        return {"metric": str(self.metric), "sums": self._parts, "scores": self._averages._asdict()}

    def restore(self, state: Mapping[str, Any], facts: Facts) -> None:
        """Take over what :meth:`state` wrote down."""
        self._parts, self._averages, self._facts = state["sums"], Averages(**state["scores"]), facts

    def copy(self) -> Running:
        """The state as it is now."""
        one = Running(self.metric)
        one.merge(self)
        return one

    @property
    def micro(self) -> Score:
        """All elements pooled."""
        if self._facts is None:
            raise InputError("nothing was added yet: call update(gold, pred) first")
        if self._parts is None:
            raise MetricError(
                f'{self.metric} of all documents together is not a sum over them; take average="macro", or score all '
                "of them in one call"
            )
        parts = {name: np.array([part], object if type(part) is int else float) for name, part in self._parts.items()}
        return self.metric.finish(**parts).score(self.metric.sign(self._facts.policy))

    @property
    def macro(self) -> Score:
        """The mean of the documents' scores, with their standard deviation."""
        if self._averages is None or self._facts is None:
            raise InputError("nothing was added yet: call update(gold, pred) first")
        return self._averages.score(self.metric.sign(self._facts.policy, "macro"))

    @property
    def documents(self) -> Values:
        """Not kept."""
        raise InputError(
            "an accumulator keeps no documents, only their sums; cs.score(..., documents=...) has a row for each"
        )

    def score(self, average: str) -> Score:
        """The score under one of the two averages."""
        return self.micro if average == "micro" else self.macro
