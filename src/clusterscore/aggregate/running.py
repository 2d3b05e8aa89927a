"""Running sums: what is left of documents that have been scored, enough for the score of all."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from clusterscore.aggregate.averages import Averages
from clusterscore.aggregate.summary import Facts
from clusterscore.count.sums import Total
from clusterscore.count.table import Table
from clusterscore.errors import InputError, MetricError
from clusterscore.metrics.metric import Metric, Values, row_score
from clusterscore.metrics.score import Score


class Running:
    """One metric over documents that come in batches; as large as its parts, however many documents there were."""

    def __init__(self, metric: Metric):
        self.metric = metric
        self._parts: Total | None = None
        self._averages = Averages()
        self._facts: Facts | None = None

    def add(self, table: Table, facts: Facts) -> None:
        """Add the documents of a table."""
        self.metric.check(table)
        parts = self.metric.parts(table)
        values = self.metric.finish(parts)
        if self.metric.additive:
            # pooled sums lose nothing; one by one, documents would be rounded
            pooled = parts if len(table.documents) == 1 else self.metric.pooled_parts(table)
            if self._parts is None:
                self._parts = Total(pooled.shape[1])
            self._parts.add(pooled)
        self._averages.add(values)
        self._facts = facts

    def merge(self, other: Running) -> None:
        """Add what another one has added up."""
        if other._facts is None:
            return
        if self._parts is None and other._parts is not None:
            self._parts = Total(len(other._parts))
        if self._parts is not None and other._parts is not None:
            self._parts.merge(other._parts)
        self._averages.merge(other._averages)
        self._facts = other._facts

    def state(self) -> dict[str, Any]:
        """What was added up: the sums over all elements, and those of the documents' scores."""
        sums = None if self._parts is None else self._parts.floats()
        return {"metric": str(self.metric), "sums": sums, "scores": self._averages.state()}

    def restore(self, state: Mapping[str, Any], facts: Facts) -> None:
        """Take over what :meth:`state` wrote down."""
        self._parts = None if state["sums"] is None else Total.of_floats(state["sums"])
        self._averages = Averages.of_state(state["scores"])
        self._facts = facts

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
        values = self.metric.finish(self._parts.row(self.metric.paired))
        return row_score(values, 0, self.metric.sign(self._facts.policy))

    @property
    def macro(self) -> Score:
        """The mean of the documents' scores, with their standard deviation."""
        if self._facts is None:
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
