"""Pairs of elements, counted without looking at one: what the pair measures are made of.

Pair counts pass 2**53 at about 1.3e8 elements, where a float no longer holds every whole number, and the measures
subtract such numbers from each other: there they are Python's integers.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import NamedTuple

import numpy as np

from clusterscore.count.sums import EXACT
from clusterscore.exceptions import MetricError
from clusterscore.metrics.metric import Array, Metric, Parts, Sums, Values
from clusterscore.metrics.score_type import Score
from clusterscore.version import __version__


class PairMetric(Metric):
    """A measure of the four numbers of :class:`Links`."""

    group = "pairs"

    def parts(self, table: Sums) -> Parts:
        sides = {"together": table.pairs("cell"), "gold": table.pairs("gold"), "pred": table.pairs("pred")}
        return {**sides, **table.pair_base("common")}

    def finish(self, together: Array, gold: Array, pred: Array, elements: Array, other_pairs: Array) -> Values:
        return self.of_links(Links(together, gold, pred, all_pairs(elements, other_pairs)))

    @abstractmethod
    def of_links(self, pair: Links) -> Values:
        """The scores of rows of pairs."""

    def of_pairs(self, *, tp: float, fp: float, fn: float, tn: float) -> Score:
        """The score of pairs that were counted elsewhere, such as those with a score from a threshold up.

        >>> import clusterscore as cs
        >>> cs.metric("pairwise").of_pairs(tp=3, fp=1, fn=3, tn=93).precision
        0.75
        """
        values = values_of_pairs(self, np.array([[tp, fn, fp, tn]]))
        if values is None:
            raise MetricError(f"{self} needs to know more than how many pairs are right; score clusterings")
        return values.score(f"{self.short_signature}|pairs:counted|v:{__version__}")


class PairCounts:
    """Four counts of pairs in the place of a table: N11, N10, N01, N00 (on both sides, in gold only, ...), a row each.

    It answers what can be known from them, and has nothing else. There need not be clusterings with such counts, nor a
    whole number of elements that has so many pairs.
    """

    overlapping = False

    def __init__(self, counts: Array) -> None:
        both, gold_only, pred_only, _ = counts.T.astype(np.float64)
        self.documents = range(len(counts))
        self.asked = False  # whether anybody wanted to know about pairs
        self._all = counts.sum(axis=1).astype(np.float64)
        self._together: dict[str, Array] = {"cell": both, "gold": both + gold_only, "pred": both + pred_only}
        self.common = self.gold_elements = self.pred_elements = (1 + np.sqrt(1 + 8 * self._all)) / 2

    def pairs(self, side: str) -> Array:
        """Pairs together in "gold", "pred", or both ("cell")."""
        self.asked = True
        return self._together[side.removesuffix(" common")]

    def pair_base(self, side: str, inside: bool = False) -> dict[str, Array]:
        """What all pairs come from."""
        return {"elements": np.zeros(len(self._all)), "other_pairs": self._all}


def values_of_pairs(metric: Metric, counts: Array) -> Values | None:
    """The scores of such counts, a row each; None where a metric asks a table for something else, or for no pairs."""
    pairs = PairCounts(counts)
    try:
        values = metric.finish(**metric.parts(pairs))
    except AttributeError:
        return None
    return values if pairs.asked else None


class Links(NamedTuple):
    """Pairs together on both sides, in gold, in the prediction, and all there are."""

    right: Array
    gold: Array
    pred: Array
    all: Array

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
