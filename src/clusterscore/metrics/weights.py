"""Element weights: how much each element counts in a mean over elements."""

from __future__ import annotations

from typing import Literal

import numpy as np

from clusterscore.count.rows import Rows
from clusterscore.count.sums import Floats
from clusterscore.count.supersets import Supersets
from clusterscore.count.table import Table
from clusterscore.distinct import Array

Weights = Literal["class", "effective", "given"]


def effective_number(a: Array, delta: float | str, elements: Floats | float) -> Floats:
    """v(a) = (1 - delta^a) / (1 - delta); ``delta="auto"`` is (N-1)/N, computed without cancellation."""
    size = a.astype(np.float64)
    if delta == "auto":
        total = np.asarray(elements, np.float64)
        # N = 1: delta is 0 and every v is 1; log1p(-1) would be minus infinity times nothing
        lone = total <= 1
        safe = np.where(lone, 2.0, total)
        return np.where(lone, 1.0, -safe * np.expm1(size * np.log1p(-1 / safe)))
    assert isinstance(delta, float)
    if delta == 1:
        return size
    if delta == 0:
        return np.ones_like(size)
    return np.asarray(-np.expm1(size * np.log(delta)) / (1 - delta))


def element_weight(
    kind: str | None, a: Array, elements: Floats | float, delta: float | str = "auto", per_class: bool = True
) -> Floats:
    """The weight of one element of a gold cluster of size ``a``, up to a factor that the normalisation removes."""
    if kind is None:
        return np.ones(len(a))
    size = a.astype(np.float64)
    if kind == "class":
        return np.asarray(1 / size)
    weight = 1 / effective_number(a, delta, elements)
    return np.asarray(weight / size if per_class else weight)


def cell_weight(
    kind: str | None, table: Table, cells: Rows | Supersets, delta: float | str = "auto", per_class: bool = True
) -> Floats:
    """How much the elements of one cell of each row weigh together."""
    if kind == "given":
        assert cells.weight is not None
        return cells.weight
    count = cells.n.astype(np.float64)
    if kind is None:
        return count
    total = table.common
    elements = total[0] if cells.document is None else total[cells.document]
    return np.asarray(count * element_weight(kind, cells.a, elements, delta, per_class))
