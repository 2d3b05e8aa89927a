"""The mean of documents' scores, and how far they spread."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from clusterscore.count.sums import add_up
from clusterscore.metrics.metric import Values
from clusterscore.metrics.score import Score


class Averages(NamedTuple):
    """Scores of documents added up: the sums of values, precision, recall and extras by name."""

    documents: int
    totals: Mapping[str, float]
    spread: float  # the squared distances of the values from their mean, added up

    @classmethod
    def of(cls, values: Values) -> Averages:
        """The scores of some documents."""
        sides = {"precision": values.precision, "recall": values.recall}
        columns = {"value": values.value, **{name: side for name, side in sides.items() if side is not None}}
        totals = {name: float(add_up(column)[0]) for name, column in {**columns, **values.extras}.items()}
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
        return Averages(
            count, totals, self.spread + other.spread + gap * gap * self.documents * other.documents / count
        )

    def score(self, signature: str) -> Score:
        """The means, with the standard deviation of the value (ddof=1; None for one document)."""
        count = max(self.documents, 1)  # where no document has a mention there is nothing to average: 0/0 is 0
        means = {name: np.array([total / count]) for name, total in self.totals.items()}
        value, precision, recall = (means.pop(name, None) for name in ("value", "precision", "recall"))
        assert value is not None
        std = math.sqrt(self.spread / (count - 1)) if count > 1 else None
        return Values(value, precision, recall, means).score(signature, std)
