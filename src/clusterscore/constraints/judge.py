"""Judge: how a metric under check is asked, many cases at once where it can, one by one where it cannot."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from numbers import Real
from typing import Any, NamedTuple

import numpy as np

from clusterscore.constraints.cases import Labels
from clusterscore.constraints.partitions import partitions, shapes
from clusterscore.count.sums import Floats
from clusterscore.count.table import Table
from clusterscore.distinct import Array, Ints
from clusterscore.errors import MetricError
from clusterscore.metrics import Metric, metric, registered

Checkable = str | Metric | Callable[[Any, Any], Any]

NEAR = 1e-12  # scores that differ by less are the same score


class Batch(NamedTuple):
    """Many small pairs of clusterings, one after the other."""

    gold: Ints
    pred: Ints
    sizes: Ints  # elements of each pair

    @classmethod
    def of_rows(cls, gold: Array, pred: Array) -> Batch:
        """Pairs of the same size, one a row."""
        return cls(gold.ravel(), pred.ravel(), np.full(len(gold), gold.shape[1]))

    @classmethod
    def of_labels(cls, gold: Sequence[Labels], pred: Sequence[Labels]) -> Batch:
        """Pairs of any size."""
        sizes = np.array([len(labels) for labels in gold])
        together = [np.concatenate([np.asarray(labels, np.int64) for labels in side]) for side in (gold, pred)]
        return cls(together[0], together[1], sizes)


class Answers(NamedTuple):
    """What a metric said of each pair; NaN where it raised, with the reason."""

    value: Floats
    precision: Floats | None
    recall: Floats | None
    errors: Mapping[int, str]

    def said(self, case: int, digits: int = 4) -> str:
        """``scores 0.5000``, or what went wrong."""
        return f"raises {self.errors[case]}" if case in self.errors else f"scores {self.value[case]:.{digits}f}"


@dataclass
class Judge(ABC):
    """A metric under check: its name, what it promises, and its answers."""

    name: str
    lowest: float
    highest: float
    perfect: float | None
    smaller_is_better: bool
    usual: int  # elements up to which all clusterings are tried where nobody says
    _everything: dict[int, Answers] = field(default_factory=dict, repr=False, compare=False)

    @property
    def sign(self) -> int:
        """What makes more better: -1 for a distance."""
        return -1 if self.smaller_is_better else 1

    @abstractmethod
    def ask(self, batch: Batch) -> Answers:
        """The scores of all pairs."""

    def everything(self, n: int) -> Answers:
        """The scores of every shape of gold against every prediction of ``n`` elements, shape by shape."""
        if n not in self._everything:
            self._everything[n] = self.ask(Batch.of_rows(*every_pair(n)))
        return self._everything[n]


def every_pair(n: int) -> tuple[Ints, Ints]:
    """Gold and prediction of :meth:`Judge.everything`, one pair a row."""
    gold, pred = shapes(n), partitions(n)
    return np.repeat(gold, len(pred), axis=0), np.tile(pred, (len(gold), 1))


@dataclass
class OfMetric(Judge):
    """A metric of ours, or one made like ours: every pair is a document of one table."""

    metric: Metric = field(kw_only=True)

    def ask(self, batch: Batch) -> Answers:
        documents = np.repeat(np.arange(len(batch.sizes)), batch.sizes)
        table = Table.from_labels(batch.gold, batch.pred, documents=documents)
        self.metric.check(table)
        found = self.metric.finish(self.metric.parts(table))
        if len(found.value) != len(batch.sizes):
            raise MetricError(
                f"{self.name} gives {len(found.value):,} scores for {len(batch.sizes):,} documents; its parts() must "
                "give one row for each"
            )
        return Answers(found.value, found.precision, found.recall, {})


@dataclass
class OfFunction(Judge):
    """A function (gold, pred) -> float: called with two lists of labels for every pair."""

    function: Callable[[Any, Any], Any] = field(kw_only=True)

    def ask(self, batch: Batch) -> Answers:
        gold, pred = batch.gold.tolist(), batch.pred.tolist()
        stop = np.cumsum(batch.sizes).tolist()
        rows = np.full((len(stop), 3), np.nan)
        errors: dict[int, str] = {}
        for case, (start, end) in enumerate(zip([0, *stop], stop, strict=False)):
            try:
                found = self.function(gold[start:end], pred[start:end])
                rows[case] = _number(found), *(_part(found, side) for side in ("precision", "recall"))
            except Exception as error:  # whatever a stranger's function does wrong is a finding
                errors[case] = f"{type(error).__name__}: {error}"
        precision, recall = (None if np.isnan(part).all() else part for part in rows[:, 1:].T)
        return Answers(rows[:, 0], precision, recall, errors)


def _number(found: Any) -> float:
    if isinstance(found, str | bytes) or not hasattr(found, "__float__"):
        raise TypeError(f"it returned {found!r}, not a number")
    return float(found)


def _part(found: Any, side: str) -> float:
    part = getattr(found, side, None)
    return float(part) if isinstance(part, Real) else float("nan")


def judge_of(asked: Checkable, name: str | None = None) -> Judge:
    """The judge of a metric's name, a metric, or a function; ``name`` where the user calls it something else."""
    if isinstance(asked, type) and issubclass(asked, Metric):
        asked = asked()
    if not callable(asked) and not isinstance(asked, str | Metric):
        raise MetricError(f"{asked!r} is no metric; pass a name such as 'elm', a Metric, or a function (gold, pred)")
    if isinstance(asked, str | Metric) or _is_ours(asked):
        ours = metric(asked if isinstance(asked, str | Metric) else asked.__name__)
        if ours.wants_weights:
            raise MetricError(f"{ours} needs one weight per element, and the cases of a constraint have none")
        promises = ours.lowest, ours.highest, ours.perfect, ours.smaller_is_better
        return OfMetric(name or str(ours), *promises, 7, metric=ours)
    lowest, highest, perfect = (_promise(asked, *promise) for promise in _PROMISES)
    smaller = bool(getattr(asked, "smaller_is_better", perfect == lowest))
    return OfFunction(name or _name(asked), lowest, highest, perfect, smaller, 5, function=asked)


_PROMISES = (("lowest", 0.0), ("highest", 1.0), ("perfect", 1.0))


def _is_ours(function: Any) -> bool:
    """Whether it is the public function of a registered metric, such as ``cs.elm``."""
    name = getattr(function, "__name__", None)
    return getattr(function, "__module__", None) == "clusterscore" and name in {kind.name for kind in registered()}


def _promise(function: Any, name: str, usual: float) -> float:
    """What a function promises by an attribute of that name."""
    promised = getattr(function, name, usual)
    return float(promised) if isinstance(promised, Real) else usual


def _name(function: Any) -> str:
    if isinstance(function, partial):
        given = [*map(repr, function.args), *(f"{key}={value}" for key, value in function.keywords.items())]
        return f"{_name(function.func)}({', '.join(given)})"
    return str(getattr(function, "__name__", type(function).__name__))
