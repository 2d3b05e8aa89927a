"""What BCubed and ELM share: each element has its own P, R and F, and the score is their mean, plain or weighted."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Literal, NamedTuple

import numpy as np

from clusterscore.count.rows import Credits, Rows
from clusterscore.count.supersets import Supersets
from clusterscore.metrics.balance import Balanced, harmonic, signed_harmonic
from clusterscore.metrics.expected import SizeCounts, size_counts, sum_over_sizes
from clusterscore.metrics.metric import Array, Floats, Metric, Parts, Table, Values, add_up, divide

Weights = Literal["class", "effective", "given"]


class ElementScores(NamedTuple):
    """The scores of an element in each cell; what a measure does not know of single elements is None."""

    tp: Array | None
    fp: Array | None
    fn: Array | None
    precision: Floats | None
    recall: Floats | None
    f: Floats

    def means(self) -> dict[str, Floats]:
        """What a score is the mean of."""
        return {
            name: column for name, column in self._asdict().items() if column is not None and name in Credits._fields
        }


class ScoresElements(Metric):
    """A measure that is a mean over elements, each with a score of its own."""

    group = "elements"

    @abstractmethod
    def cell_scores(self, table: Table) -> ElementScores:
        """What an element gets in each cell of a table."""


@dataclass(frozen=True)
class ElementMeans(Balanced, ScoresElements):
    """The means over elements of their P and R, and the mean of their F or the F of these means."""

    f: Literal["mean", "of-means"] = "mean"

    swaps = True
    shown_first = ("f",)

    def finish(self, precision: Array, recall: Array, f: Array, elements: Array, **expected: Array) -> Values:
        if expected:
            return self._adjusted({"precision": precision, "recall": recall, "f": f}, elements, expected)
        precision, recall = divide(precision, elements, 0.0), divide(recall, elements, 0.0)
        if self.f == "of-means":
            return Values(harmonic(precision, recall, *self.balance), precision, recall)
        return Values(divide(f, elements, 0.0), precision, recall)

    def _adjusted(self, losses: Parts, elements: Array, expected: Parts) -> Values:
        """(x - E)/(1 - E) as 1 - (1 - x)/(1 - E): exactly 1 where nothing is lost, also if nothing can be."""
        precision, recall, f = (1 - divide(loss, expected[f"expected_{name}"], 0.0) for name, loss in losses.items())
        chance = {name: 1 - divide(loss, elements, 1.0) for name, loss in expected.items()}
        mean_f = chance.pop("expected_f")
        if self.f == "of-means":
            return Values(signed_harmonic(precision, recall, *self.balance), precision, recall, chance)
        return Values(f, precision, recall, {**chance, "expected": mean_f})

    def counted(self, tp: Array, fp: Array, fn: Array) -> ElementScores:
        """P, R and F of elements with so many right, wrong and missing neighbours."""
        precision = divide(tp, tp + fp, 1.0)
        recall = divide(tp, tp + fn, 1.0)
        w_fp, w_fn = self.balance
        both = tp + w_fp * fp + w_fn * fn
        # 0/0: both alone gives 1; where only one error counts, its side decides
        empty = recall if w_fp == 0 else precision if w_fn == 0 else 1.0
        return ElementScores(tp, fp, fn, precision, recall, divide(tp, both, empty))


@dataclass(frozen=True)
class ElementWise(ElementMeans):
    """Mean over elements; ``exclude_self`` is 1 where an element does not count as its own neighbour."""

    weights: Weights | None = None
    adjusted: bool = False

    exclude_self: ClassVar[int] = 0

    def parts(self, table: Table) -> Parts:
        if self.weights is None and sum(self.balance) == 1 and not self.adjusted:
            return {**table.credits(self.exclude_self, *self.balance)._asdict(), "elements": table.common}
        rows = table.rows()
        weight = cell_weight(self.weights, table, rows)
        if self.adjusted:
            terms = self._losses(rows.n - self.exclude_self, rows.b - rows.n, rows.a - rows.n)
        else:
            terms = self.elements(rows.n, rows.a, rows.b).means()
        weighed = {name: weight * term for name, term in terms.items()}
        sums = {name: table.add(term, rows.document, rows.times) for name, term in weighed.items()}
        elements = table.add(weight, rows.document, rows.times)
        return {**sums, "elements": elements, **(self._expected_losses(table) if self.adjusted else {})}

    def _losses(self, tp: Array, fp: Array, fn: Array) -> dict[str, Floats]:
        """What P, R and F lack of 1. Losses, not scores: nothing cancels where almost everything is right."""
        w_fp, w_fn = self.balance
        misses = {"precision": fp, "recall": fn, "f": w_fp * fp + w_fn * fn}
        return {name: divide(miss, tp + miss, 0.0) for name, miss in misses.items()}

    def _expected_losses(self, table: Table) -> Parts:
        """For each document how far the sums over elements of P, R and F are expected to stay below their number.

        An element of a gold cluster of size a falls into a predicted one of size b with probability b/N, and there it
        finds (b-1)*(N-a)/(N-1) wrong elements, and misses (a-1)*(N-b)/(N-1) right ones, in the mean. What P, R and F
        divide these by is fixed by a and b.
        """
        w_fp, w_fn = self.balance
        gold, pred = (size_counts(table, table.sizes(side)) for side in ("gold", "pred"))

        def losses(a: Array, b: Array, elements: Array) -> list[Floats]:
            others = np.maximum(elements - 1, 1.0)
            fp, fn = (b - 1) * (elements - a) / others, (a - 1) * (elements - b) / others
            sizes = b - self.exclude_self, a - self.exclude_self
            both = w_fp * sizes[0] + w_fn * sizes[1]
            return [divide(fp, sizes[0], 0.0), divide(fn, sizes[1], 0.0), divide(w_fp * fp + w_fn * fn, both, 0.0)]

        falls = pred.size * pred.times / table.common[pred.document]
        sums = sum_over_sizes(table, (gold, _size_weight(self.weights, table, gold)), (pred, falls), losses)
        return dict(zip(("expected_precision", "expected_recall", "expected_f"), sums, strict=True))

    def elements(self, n: Array, a: Array, b: Array) -> ElementScores:
        """P, R and F of an element in each cell."""
        return self.counted(n - self.exclude_self, b - n, a - n)

    def cell_scores(self, table: Table) -> ElementScores:
        return self.elements(table.n, table.a, table.b)


def cell_weight(
    kind: str | None, table: Table, cells: Rows | Supersets, delta: float | str = "auto", per_class: bool = True
) -> Floats:
    """How much the elements of one cell of each row weigh together, up to a factor that the normalization removes."""
    if kind == "given":
        assert cells.weight is not None
        return cells.weight
    count, size = cells.n.astype(np.float64), cells.a.astype(np.float64)
    if kind is None:
        return count
    if kind == "class":
        return np.asarray(count * (1 / size))
    elements = table.common[0] if cells.document is None else table.common[cells.document]
    weight = 1 / _effective_number(size, delta, elements)
    return np.asarray(count * (weight / size if per_class else weight))


def _effective_number(size: Floats, delta: float | str, elements: Floats | float) -> Floats:
    """v(a) = (1 - delta^a) / (1 - delta); ``delta="auto"`` is (N-1)/N, computed without cancellation."""
    if delta == "auto":
        total = np.asarray(elements, np.float64)
        # N = 1: delta is 0 and every v is 1; log1p(-1) would be minus infinity times nothing
        lone = total <= 1
        safe = np.where(lone, 2.0, total)
        return np.where(lone, 1.0, -safe * np.expm1(size * np.log1p(-1 / safe)))
    assert isinstance(delta, float)
    if delta in (0, 1):
        return size**delta
    return np.asarray(-np.expm1(size * np.log(delta)) / (1 - delta))


def _size_weight(kind: str | None, table: Table, gold: SizeCounts) -> Floats:
    """What the elements in gold clusters of each size weigh together."""
    if kind != "given":
        alike = Rows(gold.document, gold.size * gold.times, gold.size, gold.size, None, None)
        return cell_weight(kind, table, alike)
    rows = table.rows()
    top = int(gold.size.max()) + 1
    document = 0 if rows.document is None else rows.document
    group = np.searchsorted(gold.document * top + gold.size, document * top + rows.a)
    return add_up(cell_weight(kind, table, rows), group, len(gold.size))
