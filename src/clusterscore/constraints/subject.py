"""Subject: a metric under check. Cases are scored in one pass where it can do that, one by one where it cannot."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from numbers import Real
from typing import Any, NamedTuple

import numpy as np

from clusterscore.constraints.cases import pairs
from clusterscore.count.sums import Floats
from clusterscore.count.table import Table
from clusterscore.distinct import Array
from clusterscore.exceptions import MetricError
from clusterscore.metrics import Metric, metric, registered
from clusterscore.pipeline import score

Checkable = str | Metric | Callable[[Any, Any], Any]


class Answers(NamedTuple):
    """What a metric gives for each pair; NaN where it raises, or has no precision and recall."""

    value: Floats
    precision: Floats
    recall: Floats
    error: Array  # what it raises, or ""

    def describe(self, row: int, digits: int = 4) -> str:
        """``scores 0.5000``, or what went wrong."""
        return f"raises {self.error[row]}" if self.error[row] else f"scores {self.value[row]:.{digits}f}"


@dataclass
class Subject:
    """A metric, or a function (gold, pred) -> float, with its name and what it promises."""

    metric: Any
    name: str
    lowest: float
    highest: float
    perfect: float | None
    smaller_is_better: bool
    _small: dict[int, Answers] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(cls, given: Checkable, name: str | None = None) -> Subject:
        """The subject of a metric's name, a metric, or a function; ``name`` where the user calls it something else."""
        if isinstance(given, type) and issubclass(given, Metric):
            given = given()
        if not callable(given) and not isinstance(given, str | Metric):
            raise MetricError(
                f"{given!r} is no metric; pass a name such as 'elm', a Metric, or a function (gold, pred)"
            )
        if isinstance(given, str | Metric) or _is_ours(given):
            ours = metric(given if isinstance(given, str | Metric) else given.__name__)
            if ours.wants_weights:
                raise MetricError(f"{ours} needs one weight per element, and the cases of a constraint have none")
            return cls(ours, name or str(ours), ours.lowest, ours.highest, ours.perfect, ours.smaller_is_better)
        lowest, highest, perfect = (_number(given, *each) for each in (("lowest", 0), ("highest", 1), ("perfect", 1)))
        smaller = bool(getattr(given, "smaller_is_better", perfect == lowest))
        return cls(given, name or _name(given), lowest, highest, perfect, smaller)

    @property
    def sign(self) -> int:
        """What makes more better: -1 for a distance."""
        return -1 if self.smaller_is_better else 1

    @property
    def default_largest(self) -> int:
        """Elements up to which all clusterings are tried by default; a function is called for each of them."""
        return 7 if isinstance(self.metric, Metric) else 5

    def small(self, n: int) -> Answers:
        """The scores of all :func:`pairs` of ``n`` elements."""
        if n not in self._small:
            self._small[n] = self.ask(*pairs(n))
        return self._small[n]

    def ask(self, gold: Array, pred: Array) -> Answers:
        """The scores of pairs of clusterings, one pair a row."""
        inside = gold >= 0
        columns, error = np.full((3, len(gold)), np.nan), np.full(len(gold), "", object)
        if isinstance(self.metric, Metric):
            table = Table.from_labels(gold[inside], pred[inside], documents=np.nonzero(inside)[0])
            found = score(table, metrics=[self.metric]).documents
            for k, part in enumerate(("", ".precision", ".recall")):
                column = found[str(self.metric) + part] if str(self.metric) + part in found else columns[k]
                if len(column) != len(gold):
                    counts = f"{len(column):,} scores for {len(gold):,} documents"
                    raise MetricError(f"{self.name} gives {counts}; its parts() must give one row for each")
                columns[k] = column
        else:
            for row, (one, other) in enumerate(zip(gold, pred, strict=True)):
                try:
                    columns[:, row] = _numbers(self.metric(one[inside[row]].tolist(), other[inside[row]].tolist()))
                except Exception as raised:  # whatever a stranger's function does wrong is a finding
                    error[row] = f"{type(raised).__name__}: {raised}"
        return Answers(columns[0], columns[1], columns[2], error)


def _numbers(found: Any) -> list[float]:
    """The value, precision and recall of what a function returned."""
    if isinstance(found, str | bytes) or not hasattr(found, "__float__"):
        raise TypeError(f"it returned {found!r}, not a number")
    return [float(found), _number(found, "precision", np.nan), _number(found, "recall", np.nan)]


def _number(given: Any, attribute: str, default: float) -> float:
    found = getattr(given, attribute, default)
    return float(found) if isinstance(found, Real) else float(default)


def _is_ours(function: Any) -> bool:
    """Whether it is the public function of a registered metric, such as ``cs.elm``."""
    name = getattr(function, "__name__", None)
    return getattr(function, "__module__", None) == "clusterscore" and name in {kind.name for kind in registered()}


def _name(function: Any) -> str:
    if isinstance(function, partial):
        given = [*map(repr, function.args), *(f"{key}={value}" for key, value in function.keywords.items())]
        return f"{_name(function.func)}({', '.join(given)})"
    return str(getattr(function, "__name__", type(function).__name__))
