"""Adjusted for chance: what a score is above the one expected of a random prediction with the same cluster sizes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from clusterscore.count.sums import Floats, add_up, divide
from clusterscore.count.table import Table
from clusterscore.exceptions import MetricError
from clusterscore.metrics.balance import Balanced
from clusterscore.metrics.metric import Metric, Parts
from clusterscore.metrics.size_pairs import SizeCounts, size_counts, size_pairs
from clusterscore.metrics.weights import element_weight


@dataclass(frozen=True)
class Adjustable(Metric):
    """The parameter ``adjusted``: (x - E)/(1 - E), E the expected score of a random relabelling, sizes fixed."""

    adjusted: bool = field(default=False, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.adjusted, bool):
            raise MetricError(f"{self.name}: adjusted={self.adjusted!r} must be true or false")

    @property
    def parameters(self) -> dict[str, Any]:
        known = super().parameters
        adjusted = known.pop("adjusted")
        return {**known, "adjusted": adjusted} if adjusted else known  # last, and no word where it is off

    @property
    def lowest(self) -> float:
        return float("-inf") if self.adjusted else 0.0


@dataclass(frozen=True)
class AdjustableF(Adjustable, Balanced):
    """A measure with P, R and F that can be adjusted."""

    def __post_init__(self) -> None:
        super().__post_init__()
        w_fp, w_fn = self.balance
        if self.adjusted and w_fp + w_fn != 1:
            raise MetricError(
                f"{self.name}: adjusted needs w_fp + w_fn = 1, not {w_fp + w_fn:g}; only then does F divide by sizes "
                "alone, and has a known mean under chance; give them so, or as alpha or beta"
            )


def expected_losses(table: Table, weights: str | None, less: int, balance: tuple[float, float]) -> Parts:
    """For each document how far the sums over elements of P, R and F are expected to stay below their number.

    An element of a gold cluster of size a falls into a predicted one of size b with probability b/N, and there it
    finds (b-1)*(N-a)/(N-1) wrong elements, and misses (a-1)*(N-b)/(N-1) right ones, in the mean. What P, R and F
    divide these by is fixed by a and b. Losses, not scores: nothing cancels where chance gets almost everything right.
    """
    documents, elements = len(table.common), table.common
    a, b = (size_counts(table.sizes(side), documents) for side in ("gold", "pred"))
    weight = _weight(table, weights, a)
    falls = b.size * b.times / elements[b.document]
    w_fp, w_fn = balance
    sums = np.zeros((3, documents))
    for left, right, where in size_pairs(a, b, documents):
        own, other, all_ = a.size[left], b.size[right], elements[where]
        rest = np.maximum(all_ - 1, 1.0)
        fp, fn = (other - 1) * (all_ - own) / rest, (own - 1) * (all_ - other) / rest
        both = w_fp * (other - less) + w_fn * (own - less)
        often = weight[left] * falls[right]
        losses = (fp, other - less), (fn, own - less), (w_fp * fp + w_fn * fn, both)
        for k, (top, bottom) in enumerate(losses):
            sums[k] += add_up(often * divide(top, bottom, 0.0), where, documents)
    return dict(zip(("expected_precision", "expected_recall", "expected_f"), sums, strict=True))


def _weight(table: Table, kind: str | None, gold: SizeCounts) -> Floats:
    """What the elements in gold clusters of each size weigh together."""
    if kind != "given":
        each = element_weight(kind, gold.size, table.common[gold.document])
        return np.asarray(gold.size * gold.times * each)
    rows = table.rows()
    assert rows.weight is not None
    top = int(gold.size.max()) + 1
    document = 0 if rows.document is None else rows.document
    group = np.searchsorted(gold.document * top + gold.size, document * top + rows.a)
    return add_up(rows.weight, group, len(gold.size))
