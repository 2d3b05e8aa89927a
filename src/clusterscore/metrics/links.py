"""Pairs of elements, counted without looking at one: what the pair measures are made of.

Pair counts pass 2**53 at about 1.3e8 elements, where a float no longer holds every whole number, and the measures
subtract such numbers from each other. A part is therefore a float and what that float lost; from the two the exact
count is put together again.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from clusterscore.count.sums import EXACT, Floats
from clusterscore.count.table import Table
from clusterscore.distinct import Array
from clusterscore.metrics.metric import Metric, columns


class Links(NamedTuple):
    """Pairs together on both sides, in gold, in the prediction, and all there are."""

    right: Array
    gold: Array
    pred: Array
    all: Array


class PairMetric(Metric):
    """A measure of the four numbers of :class:`Links`."""

    paired = 8

    def parts(self, table: Table) -> Floats:
        elements, counted = table.pair_base("common")
        counts = (table.pairs("cell"), table.pairs("gold"), table.pairs("pred"), counted)
        return columns(*exact_columns(*counts), elements)


def links(parts: Floats, *, products: bool = False) -> Links:
    """The four numbers, exact: as floats, or as Python's integers where they (or their products) are too large."""
    *counts, counted = exact_numbers(parts[:, :8])
    total = all_pairs(parts[:, 8], counted)
    if products and total.dtype != object and len(total) and float(total.max()) >= 2.0**26:
        total = _whole(total)
        counts = [_whole(count) for count in counts]
    right, gold, pred = counts
    return Links(right, gold, pred, total)


class Excess(NamedTuple):
    """How far right pairs are above chance, times all pairs; and how far if all predicted, or all gold, were right."""

    right: Array
    pred: Array
    gold: Array


def excess(pair: Links) -> Excess:
    """Pairs above chance; of ``links(parts, products=True)`` exact."""
    chance = pair.gold * pair.pred
    return Excess(pair.right * pair.all - chance, pair.pred * pair.all - chance, pair.gold * pair.all - chance)


def exact_columns(*counts: Array) -> list[Floats]:
    """For each exact count a float, and what it lost."""
    split = []
    for count in counts:
        near = count.astype(np.float64)
        lost = np.zeros(len(near)) if count.dtype != object else (count - _whole(near)).astype(np.float64)
        split += [near, lost]
    return split


def exact_numbers(parts: Floats) -> list[Array]:
    """The counts that :func:`exact_columns` split."""
    found = []
    for k in range(0, parts.shape[1], 2):
        near, lost = parts[:, k], parts[:, k + 1]
        found.append(near if not (near >= EXACT).any() else _whole(near) + _whole(lost))
    return found


def all_pairs(elements: Floats, counted: Array | None = None) -> Array:
    """N*(N-1)/2 and pairs that are ``counted`` already, exact."""
    count = elements * (elements - 1) / 2
    more = np.zeros(len(elements)) if counted is None else counted
    if more.dtype != object and not (count >= EXACT).any():
        return np.asarray(count + more)
    whole = _whole(elements)
    return np.asarray(whole * (whole - 1) // 2 + _whole(more))


def _whole(numbers: Array) -> Array:
    return np.array([int(number) for number in numbers.tolist()], object)
