"""What a metric under check makes of cases: their scores, whether they keep a constraint, and words for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from numbers import Real
from typing import Any, NamedTuple

import numpy as np

from clusterscore.aggregate import Summary
from clusterscore.constraints.clusterings import pairs, partitions, same_pairs, shapes
from clusterscore.constraints.verdicts import Counterexample, ElementGroups
from clusterscore.count.sums import Floats
from clusterscore.count.table import Table
from clusterscore.distinct import Array, Ints
from clusterscore.exceptions import MetricError
from clusterscore.metrics import Metric, metric
from clusterscore.metrics.pair_metric import values_of_pairs

Checkable = str | Metric | Callable[[Any, Any], Any]
NEAR = 1e-11  # scores that differ by less are the same score
MOST_IN_DETOURS = 6  # elements: there are 203 clusterings of six, 877 of seven, and a third is tried with every two


class PairScores(NamedTuple):
    """Pairs of clusterings, one a row of labels, and what a metric gives for each; NaN where it gives nothing."""

    gold: Array  # shorter rows are filled up with -1
    pred: Array
    value: Floats
    precision: Floats
    recall: Floats
    error: Array  # what it raises, or ""

    def take(self, rows: Ints) -> PairScores:
        """Some of them."""
        return PairScores(*(column[rows] for column in self))

    def describe(self, row: int, digits: int) -> str:
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
    sign: int  # -1 where less is better
    _known: dict[tuple[str, int], PairScores] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(cls, given: Checkable, name: str | None = None) -> Subject:
        """The subject of a metric's name, a metric, or a function; ``name`` where the user calls it something else."""
        if isinstance(given, type) and issubclass(given, Metric):
            given = given()
        if getattr(given, "__module__", None) == "clusterscore":  # a function of the package, such as cs.elm
            given = str(getattr(given, "__name__", ""))
        if isinstance(given, str | Metric):
            ours = metric(given)
            if (lacking := not_in_cases(ours)) is not None:
                raise MetricError(f"{ours} {lacking}")
            sign = -1 if ours.smaller_is_better else 1
            return cls(ours, name or str(ours), ours.lowest, ours.highest, ours.perfect, sign)
        if not callable(given):
            raise MetricError(
                f"{given!r} is not a metric; pass a name such as 'elm', a Metric, or a function (gold, pred)"
            )
        lowest, highest, perfect = (
            _number(given, *attribute) for attribute in (("lowest", 0), ("highest", 1), ("perfect", 1))
        )
        sign = -1 if getattr(given, "smaller_is_better", perfect == lowest) else 1
        return cls(given, name or _name(given), lowest, highest, perfect, sign)

    def small(self, n: int) -> PairScores:
        """The scores of all :func:`pairs` of ``n`` elements."""
        return self._once("small", n, *pairs(n))

    def exchanged(self, n: int) -> PairScores:
        """The scores of all of them with the sides exchanged."""
        return self._once("exchanged", n, *pairs(n)[::-1])

    def _once(self, what: str, n: int, gold: Array, pred: Array) -> PairScores:
        if (what, n) not in self._known:
            self._known[what, n] = self.score(gold, pred)
        return self._known[what, n]

    def score(self, gold: Array, pred: Array) -> PairScores:
        """The scores of pairs of clusterings, one pair a row: all in one pass, or for a function one by one."""
        columns, error = np.full((3, len(gold)), np.nan), np.full(len(gold), "", object)
        if isinstance(self.metric, Metric):
            table = _counted(gold.tobytes(), pred.tobytes(), gold.shape)
            scores = Summary(self.metric.on(table), table).documents
            for k, column in enumerate((scores.value, scores.precision, scores.recall)):
                if column is not None:
                    columns[k] = column
        else:
            inside = gold >= 0
            for row, (gold_row, pred_row) in enumerate(zip(gold, pred, strict=True)):
                try:
                    columns[:, row] = _numbers(
                        self.metric(gold_row[inside[row]].tolist(), pred_row[inside[row]].tolist())
                    )
                except Exception as raised:  # whatever a stranger's function does wrong is a finding
                    error[row] = f"{type(raised).__name__}: {raised}"
        return PairScores(gold, pred, columns[0], columns[1], columns[2], error)

    @property
    def counts_pairs(self) -> bool:
        """Whether it is a measure of pairs: it is decided by how many of them are together on each side."""
        return self.score_counts(np.ones((1, 4), np.int64)) is not None

    def score_counts(self, counts: Ints) -> PairScores | None:
        """The scores of pair counts N11, N10, N01, N00, a row each; None where these do not decide the score."""
        values = values_of_pairs(self.metric, counts) if isinstance(self.metric, Metric) else None
        if values is None:
            return None
        nothing, labels = np.full(len(counts), np.nan), np.zeros((len(counts), 0), np.int64)
        return PairScores(labels, labels, values.value, nothing, nothing, np.full(len(counts), "", object))

    def compared(self, worse: Floats, better: Floats) -> tuple[Array, Array]:
        """Where the better score is not better, and where both are the same."""
        tied = np.isclose(worse, better, rtol=NEAR, atol=NEAR)
        return ~(self.sign * better > self.sign * worse) & ~tied, tied  # not a number: neither more nor equal

    def in_order(self, worse: PairScores, better: PairScores, notes: Sequence[str] | None = None) -> CheckedCases:
        """The better prediction scores more."""
        text = "gold {gold}{note}: {worse} {scores[0]}, the better {better} {scores[1]}"
        numbers = worse.value, better.value
        return CheckedCases(*self.compared(*numbers), worse, better, numbers, text, notes, sides=3, tie=TIE)

    def detours(self, n: int, best: float) -> CheckedCases:
        """By how much less than the best it scores, it is no farther to a prediction than by the shortest detour."""
        straight, count = self.small(n), len(partitions(n))
        far = self.sign * (best - straight.value[same_pairs(n)])
        ways = far[shapes(n)][:, :, None] + far  # from gold to a third, and from there to the prediction
        gold, pred = (index.ravel() for index in np.indices((len(shapes(n)), count)))
        third = ways.argmin(axis=1).ravel()
        numbers = far[shapes(n)].ravel(), ways[gold, third, pred]
        text = "from gold {gold} to {worse} it is {low}, by way of {better} {high}"
        broken = ~(numbers[0] <= numbers[1] + NEAR * np.maximum(numbers[0], 1.0))
        by_way = straight.take(gold * count + third)
        return CheckedCases(broken, np.zeros_like(broken), straight, by_way, numbers, text, sides=3)

    def cases_in_order(self, cases: Sequence[Case]) -> CheckedCases:
        """The better prediction of each case scores more."""
        most = max(len(case.gold) for case in cases)
        gold, worse, better = (
            np.array([[*case[side], *[-1] * (most - len(case.gold))] for case in cases]) for side in range(3)
        )
        scored = self.score(np.concatenate([gold, gold]), np.concatenate([worse, better]))
        rows, notes = np.arange(len(cases)), [f" ({case.note})" if case.note else "" for case in cases]
        return self.in_order(scored.take(rows), scored.take(rows + len(rows)), notes)


@lru_cache(maxsize=32)  # of many metrics the cases are the same
def _counted(gold: bytes, pred: bytes, shape: tuple[int, int]) -> Table:
    """Rows of labels as a table, each a document; a row ends before its first -1."""
    sides = [np.frombuffer(side, np.int64).reshape(shape) for side in (gold, pred)]
    inside = sides[0] >= 0
    labels = (side[inside] + 1 for side in sides)  # 0 is the background of images
    return Table.from_labels(*labels, documents=np.nonzero(inside)[0])


def not_in_cases(metric: Metric) -> str | None:
    """What a metric looks at that the cases of constraints do not have, if anything."""
    if metric.ordered:
        return "scores segmentations, and the cases of a constraint are in no order"
    if metric.of_mentions:
        return "scores mentions of coreference files, and the cases of a constraint have none"
    if metric.of_turns:
        return "scores turns of speakers, and the cases of a constraint have none"
    if metric.wants_weights:
        return "needs one weight per element, and the cases of a constraint have none"
    return None


def _numbers(result: Any) -> list[float]:
    """The value, precision and recall of what a function returned."""
    if isinstance(result, str | bytes) or not hasattr(result, "__float__"):
        raise TypeError(f"it returned {result!r}, not a number")
    return [float(result), _number(result, "precision", np.nan), _number(result, "recall", np.nan)]


def _number(owner: Any, attribute: str, default: float) -> float:
    value = getattr(owner, attribute, default)
    return float(value) if isinstance(value, Real) else float(default)


def _name(function: Any) -> str:
    if isinstance(function, partial):
        given = [*map(repr, function.args), *(f"{key}={value}" for key, value in function.keywords.items())]
        return f"{_name(function.func)}({', '.join(given)})"
    return str(getattr(function, "__name__", type(function).__name__))


TIE = "gold {gold}{note}: {worse} and the better {better} both score {low}"


class Case(NamedTuple):
    """Two predictions of one gold clustering, of which one ought to score better."""

    gold: Sequence[int]
    worse: Sequence[int]
    better: Sequence[int]
    note: str = ""


class CheckedCases(NamedTuple):
    """Cases that were scored together, a row each: which of them break a constraint, and which only tie."""

    broken: Array
    tied: Array
    worse: PairScores
    better: PairScores | None  # a law may look at one prediction
    numbers: tuple[Floats, Floats]  # what is compared
    text: str  # how to say that a case is broken, with what `example` knows in braces
    notes: Sequence[str] | None = None
    sides: int = 2  # clusterings to a case: gold and the prediction, and a better one
    tie: str | None = None  # how to say that it is tied, if not in the same words

    def size(self, rows: Ints) -> Array:
        """The elements, and the clusters of all sides together, of each of these rows."""
        sides = (self.worse.gold, self.worse.pred, (self.better or self.worse).pred)[: self.sides]
        clusters = [(np.diff(np.sort(side[rows], axis=1), axis=1, prepend=-1) > 0).sum(axis=1) for side in sides]
        return np.stack([(self.worse.gold[rows] >= 0).sum(axis=1), np.sum(clusters, axis=0)])

    def example(self, row: int) -> Counterexample:
        """One case with its scores, in at least four decimals and as many as show that they differ."""
        ways = self.worse, self.better or self.worse
        gold, worse, better = (_clusters(side[row]) for side in (ways[0].gold, ways[0].pred, ways[1].pred))
        low, high = (float(column[row]) for column in self.numbers)
        digits = 4 if self.tied[row] else next((d for d in range(4, 17) if f"{low:.{d}f}" != f"{high:.{d}f}"), 4)
        text = self.tie if self.tied[row] and self.tie is not None else self.text
        description = text.format(
            gold=" | ".join(map(_spaced, gold)),
            worse=" | ".join(map(_spaced, worse)),
            better=" | ".join(map(_spaced, better)),
            labels=[f"gold {_spaced(way.gold[row])}, prediction {_spaced(way.pred[row])}" for way in ways],
            scores=[way.describe(row, digits) for way in ways],
            low=f"{low:.{digits}f}",
            high=f"{high:.{digits}f}",
            note=self.notes[row] if self.notes else "",
        )
        if self.better is None:
            return Counterexample(gold, worse, None, low, None, description)
        return Counterexample(gold, worse, better, low, high, description)


def _clusters(labels: Array) -> ElementGroups:
    """The clusters of the elements 1, 2, ... that have these labels."""
    clusters: dict[int, list[int]] = {}
    for element, label in enumerate(labels.tolist(), 1):
        if label >= 0:  # rows of labels are filled up with -1
            clusters.setdefault(label, []).append(element)
    return list(clusters.values())


def _spaced(numbers: Sequence[int]) -> str:
    return " ".join(map(str, numbers))


def each_keeps(scored: PairScores, keeps: Array, wrong: str) -> CheckedCases:
    """Every prediction keeps a law by itself; ``wrong`` says of a score why it does not."""
    notes = ["" if error else f", {wrong}" for error in scored.error]
    text = "gold {gold}: prediction {worse} {scores[0]}{note}"
    return CheckedCases(~keeps, np.zeros_like(keeps), scored, None, (scored.value, scored.value), text, notes)


def unchanged(
    first: PairScores, again: PairScores | None, numbers: tuple[Floats, Floats], text: str, *, nan: bool = True
) -> CheckedCases:
    """Two numbers of every pair are the same; with ``nan`` also where neither is a number, which another law says."""
    broken = ~np.isclose(*numbers, rtol=NEAR, atol=NEAR, equal_nan=nan)
    return CheckedCases(broken, np.zeros_like(broken), first, again, numbers, text)
