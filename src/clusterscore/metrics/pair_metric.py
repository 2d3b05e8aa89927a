"""Pairs of elements, counted without looking at one: what the pair measures are made of.

Pair counts pass 2**53 at about 1.3e8 elements, where a float no longer holds every whole number, and the measures
subtract such numbers from each other: there they are Python's integers.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from clusterscore.count.sums import EXACT
from clusterscore.metrics.metric import Array, Metric, Parts, Sums


class PairMetric(Metric):
    """A measure of the four numbers of :class:`Links`, which ``finish`` makes of its parts: ``Links.of(**parts)``."""

    group = "pairs"

    def parts(self, table: Sums) -> Parts:
        sides = {"together": table.pairs("cell"), "gold": table.pairs("gold"), "pred": table.pairs("pred")}
        return {**sides, **table.pair_base("common")}


class Links(NamedTuple):
    """Pairs together on both sides, in gold, in the prediction, and all there are."""

    right: Array
    gold: Array
    pred: Array
    all: Array

    @classmethod
    def of(cls, together: Array, gold: Array, pred: Array, elements: Array, other_pairs: Array) -> Links:
        """From the parts of a :class:`PairMetric`."""
        return cls(together, gold, pred, all_pairs(elements, other_pairs))

    @property
    def apart(self) -> Array:
        """Pairs apart on both sides."""
        return np.asarray(self.all - self.gold - self.pred + self.right)

    @property
    def identical(self) -> Array:
        """Whether no pair is together on one side only."""
        return np.asarray((self.right == self.gold) & (self.right == self.pred))

    @property
    def opposite(self) -> Array:
        """Whether there are pairs, and both sides disagree on all of them."""
        return np.asarray((self.right == 0) & (self.apart == 0) & (self.all > 0))

    def above_chance(self) -> Links:
        """All pairs times how many are right, beyond what chance makes right.

        ``right`` as it is; ``gold``, ``pred`` and ``all`` if every such pair were right on both sides. Exact.
        """
        right, gold, pred, every = self
        if every.dtype != object and len(every) and float(every.max()) >= 2.0**26:  # products pass 2**52
            right, gold, pred, every = map(whole_numbers, self)
        chance = gold * pred
        return Links(right * every - chance, gold * every - chance, pred * every - chance, every * every - chance)


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
    if numbers.dtype != object and np.abs(numbers).max(initial=0.0) < 2.0**62:
        return np.rint(numbers).astype(np.int64).astype(object)
    return np.array([round(number) for number in numbers.tolist()], object)
