"""Pairs of elements, counted without looking at one: what the pair measures are made of.

Pair counts pass 2**53 at about 1.3e8 elements, where a float no longer holds every whole number, and the measures
subtract such numbers from each other: there they are Python's integers.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from clusterscore.count.sums import EXACT
from clusterscore.count.table import Table
from clusterscore.distinct import Array
from clusterscore.metrics.metric import Metric, Parts


class Links(NamedTuple):
    """Pairs together on both sides, in gold, in the prediction, and all there are."""

    right: Array
    gold: Array
    pred: Array
    all: Array


class PairMetric(Metric):
    """A measure of the four numbers of :class:`Links`."""

    def parts(self, table: Table) -> Parts:
        return {
            "together": table.pairs("cell"), "gold": table.pairs("gold"), "pred": table.pairs("pred"),
            **table.pair_base("common"),
        }  # fmt: skip


def links(
    together: Array, gold: Array, pred: Array, elements: Array, other_pairs: Array, *, products: bool = False
) -> Links:
    """The four numbers, exact: as floats, or as Python's integers where they (or their products) are too large."""
    found = Links(together, gold, pred, all_pairs(elements, other_pairs))
    if products and found.all.dtype != object and len(found.all) and float(found.all.max()) >= 2.0**26:
        found = Links(*map(whole_numbers, found))
    return found


class Excess(NamedTuple):
    """How far right pairs are above chance, times all pairs; and how far if all predicted, or all gold, were right."""

    right: Array
    pred: Array
    gold: Array


def excess(pair: Links) -> Excess:
    """Pairs above chance; of ``links(..., products=True)`` exact."""
    chance = pair.gold * pair.pred
    return Excess(pair.right * pair.all - chance, pair.pred * pair.all - chance, pair.gold * pair.all - chance)


def all_pairs(elements: Array, other_pairs: Array | None = None) -> Array:
    """N*(N-1)/2, and pairs that are counted already, exact."""
    count = elements * (elements - 1) / 2
    more = np.zeros(len(elements)) if other_pairs is None else other_pairs
    if more.dtype != object and not (count >= EXACT).any():
        return np.asarray(count + more)
    whole = whole_numbers(elements)
    return np.asarray(whole * (whole - 1) // 2 + whole_numbers(more))


def whole_numbers(numbers: Array) -> Array:
    """Python's integers in the place of floats that hold whole numbers."""
    return np.array([round(number) for number in numbers.tolist()], object)
