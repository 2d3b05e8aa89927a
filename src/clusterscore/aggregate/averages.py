"""The mean of documents' scores, and how far they spread: exact sums, whatever the order and however they arrive."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from clusterscore.count.sums import Total, product
from clusterscore.metrics.metric import Values, row_score
from clusterscore.metrics.score import Score


class Averages:
    """Scores of documents added up: values and their squares, precision, recall, extras."""

    def __init__(self) -> None:
        self._count = 0
        self._total: Total | None = None
        self._names: tuple[str, ...] = ()

    def add(self, values: Values) -> None:
        """Add the scores of some documents."""
        sided = [column for column in (values.precision, values.recall) if column is not None]
        rows = np.column_stack([*product(values.value, values.value), values.value, *sided, *values.extras.values()])
        self._count += len(rows)
        self._names = (*(["precision", "recall"] if sided else []), *values.extras)
        if self._total is None:
            self._total = Total(rows.shape[1])
        self._total.add(rows)

    def merge(self, other: Averages) -> None:
        """Add what another one has added up."""
        if other._total is None:
            return
        self._count += other._count
        self._names = other._names
        if self._total is None:
            self._total = Total(len(other._total))
        self._total.merge(other._total)

    def state(self) -> dict[str, Any]:
        """What was added up, by name: as floats that add up to each sum exactly."""
        assert self._total is not None
        near, rest, *others = self._total.floats()
        squares = Total.of_floats([[*near, *rest]]).floats()
        return {"count": self._count, **dict(zip(("squares", "value", *self._names), [*squares, *others], strict=True))}

    @classmethod
    def of_state(cls, state: Mapping[str, Any]) -> Averages:
        """What :meth:`state` wrote down."""
        made = cls()
        made._count = state["count"]
        made._names = tuple(name for name in state if name not in ("count", "squares", "value"))
        made._total = Total.of_floats([state["squares"], [], *(state[name] for name in ("value", *made._names))])
        return made

    def score(self, signature: str) -> Score:
        """The means, with the standard deviation of the value (ddof=1; None for one document)."""
        assert self._total is not None
        near, rest, value, *others = self._total.exact()
        count = max(self._count, 1)  # where no document has a mention there is nothing to average: 0/0 is 0
        std = None
        if count > 1:
            std = math.sqrt((near + rest - value * value / count) / (count - 1))
        means = {name: np.array([float(total / count)]) for name, total in zip(self._names, others, strict=True)}
        precision, recall = means.pop("precision", None), means.pop("recall", None)
        return row_score(Values(np.array([float(value / count)]), precision, recall, means), 0, signature, std)
