"""Labelled pairs: what a label means (match, no match, unsure), and what a clustering scores on them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from numbers import Real
from typing import Any, NamedTuple

import numpy as np

from clusterscore.analyses.estimate.estimation import Estimate, EstimateOptions, Sampled, SampleUnits
from clusterscore.analyses.resampling import Interval
from clusterscore.count.sums import Floats
from clusterscore.distinct import Array, Ints
from clusterscore.exceptions import InputError
from clusterscore.nouns import plural
from clusterscore.read.labels import is_null, shortened

NO_MATCH, MATCH, UNSURE = 0, 1, -1
_WORDS = {
    **dict.fromkeys(("match", "matched", "yes", "y", "true", "same", "duplicate", "link"), MATCH),
    **dict.fromkeys(("nomatch", "nonmatch", "notamatch", "no", "n", "false", "distinct", "different"), NO_MATCH),
    **dict.fromkeys(("notduplicate", "nonduplicate", "nolink", "nonlink"), NO_MATCH),
    **dict.fromkeys(("unsure", "uncertain", "unknown", "maybe", "possible", "u", ""), UNSURE),
}


def match_labels(labels: Sequence[Any]) -> Ints:
    """MATCH, NO_MATCH or UNSURE for each label.

    A number from 0 to 1 is a match above 0.5 and none below; exactly 0.5, and no label at all, is unsure.

    >>> match_labels(["match", "No match", 1, 0.0, True, "0.8", "unsure", None]).tolist()
    [1, 0, 1, 0, 1, 1, -1, -1]
    """
    meanings = [_meaning(label) for label in labels]
    unknown = [label for label, meaning in zip(labels, meanings, strict=True) if meaning is None]
    if unknown:
        raise InputError(
            f"{plural(len(unknown), 'label')} not known (e.g. {shortened(unknown[0])}); write match, no match or "
            "unsure, True or False, or a number from 0 (no match) to 1 (match)"
        )
    return np.array(meanings, np.int64)


def _meaning(label: Any) -> int | None:
    if is_null(label):
        return UNSURE
    if isinstance(label, str):
        word = re.sub(r"[\s_-]+", "", label).lower()
        if word in _WORDS:
            return _WORDS[word]
        try:
            label = float(label)
        except ValueError:
            return None
    if not isinstance(label, Real | Decimal | np.bool_):
        return None
    share = float(label)
    return None if not 0 <= share <= 1 else UNSURE if share == 0.5 else int(share > 0.5)


_WIDEST = 1e12  # of the square of Student's t, by the sample's size: from here on an interval says nothing


class LabelledPairs(NamedTuple):
    """Two elements, whether they match, and a weight in each row."""

    left: Ints
    right: Ints
    match: Array  # of bool
    weight: Floats
    elements: int

    def only(self, chosen: Array) -> LabelledPairs:
        """Some of the pairs."""
        return LabelledPairs(
            self.left[chosen], self.right[chosen], self.match[chosen], self.weight[chosen], self.elements
        )

    def connected(self, *, matches_only: bool = False) -> Ints:
        """The component of each element: what hangs together by pairs, or by matches."""
        from scipy.sparse.csgraph import connected_components

        graph = self._graph(self.match if matches_only else np.ones(len(self.match), bool))
        return np.asarray(connected_components(graph, directed=False)[1], np.int64)

    @property
    def closed(self) -> tuple[Ints, Ints, Ints]:
        """The group of each element, in which all match, and any two groups that do not: one pair of theirs says so."""
        group = self.connected(matches_only=True)
        first, second = np.unique(np.sort(group[self.ends[:, ~self.match]], axis=0), axis=1)
        return group, first, second

    @property
    def implied(self) -> tuple[int, int]:
        """How many pairs match, and do not, by these labels; those that are labelled are among them."""
        group, first, second = self.closed
        size = np.bincount(group)
        return int((size * (size - 1) // 2).sum()), int((size[first] * size[second]).sum())

    @property
    def ends(self) -> Ints:
        """Both ends of each pair, in two rows."""
        return np.stack([self.left, self.right])

    def _graph(self, chosen: Array) -> Any:
        from scipy.sparse import coo_array

        ends = self.left[chosen], self.right[chosen]
        return coo_array((np.ones(len(ends[0]), bool), ends), shape=(self.elements, self.elements)).tocsr()

    def chain(self, row: int) -> list[int]:
        """The matches, element by element, that contradict a pair which is labelled as no match."""
        from scipy.sparse.csgraph import breadth_first_order

        start, element = int(self.left[row]), int(self.right[row])
        before = breadth_first_order(self._graph(self.match), start, directed=False)[1]
        path = [element]
        while element != start:
            element = int(before[element])
            path.append(element)
        return path[::-1]


class PairSums(NamedTuple):
    """By unit: the weight of pairs that match, of those that the prediction puts together (links), and of both."""

    both: Floats
    matches: Floats
    links: Floats

    def share(self, measure: str, beta: float) -> tuple[Floats, Floats]:
        """What a measure is the share of, and what of it: each is the share of some pairs that are both."""
        if measure == "precision":
            return self.both, self.links
        if measure == "recall":
            return self.both, self.matches
        return (1 + beta**2) * self.both, beta**2 * self.matches + self.links


def sums_of_labels(pairs: LabelledPairs, cluster: Ints, unit: Ints) -> PairSums:
    """The sums of the pairs as they were labelled, each with its weight; ``unit`` is that of each pair."""
    together = cluster[pairs.left] == cluster[pairs.right]
    chosen = pairs.match & together, pairs.match, together
    return PairSums(*(_by_unit(unit, pairs.weight * mask) for mask in chosen))


def _by_unit(unit: Ints, values: Array, count: int = 0) -> Floats:
    return np.bincount(unit, values, count).astype(np.float64)


def sums_of_implied(pairs: LabelledPairs, cluster: Ints, unit: Ints) -> PairSums:
    """The sums of all pairs that follow from the labels, each once; ``unit`` is that of each element."""
    from scipy.sparse import coo_array

    group, first, second = pairs.closed
    held = coo_array((np.ones(pairs.elements, np.int64), (group, np.unique(cluster, return_inverse=True)[1]))).tocsr()
    size, within = np.bincount(group), held.multiply(held - (held > 0)).sum(1) / 2
    across = held[first].multiply(held[second]).sum(1)
    of_group = np.empty(len(size), np.int64)
    of_group[group] = unit
    count = int(unit.max()) + 1
    both = _by_unit(of_group, within, count)
    matches, links = _by_unit(of_group, size * (size - 1) / 2, count), _by_unit(of_group[first], across, count)
    return PairSums(both, matches, both + links)


def ratio(sums: PairSums, measure: str, beta: float) -> Sampled:
    """A share, with what each unit does to it (linearized)."""
    part, whole = sums.share(measure, beta)
    total = float(whole.sum())
    value = float(part.sum()) / total
    pull = (part - value * whole) / total
    bias = -float(pull @ whole) / total * len(whole) / (len(whole) - 1)
    return Sampled(np.array([value]), pull[:, None], np.array([bias]), np.zeros((0, 1)))


def pair_estimate(sums: PairSums, measure: str, beta: float, pairs: int, confidence: float) -> Estimate:
    """A share of so many pairs with Wilson's interval, as if as many independent pairs told as much as these do.

    That number is the one that has their standard error; where all pairs are alike, which has none, it is how many
    units of equal weight there are (Kish 1965). Student's t has the degrees of freedom of that.
    """
    from scipy.special import stdtrit

    sampled = ratio(sums, measure, beta)
    whole, value, m = sums.share(measure, beta)[1], float(sampled.value[0]), len(sampled.influence)
    error = float(((sampled.influence**2).sum() * m / (m - 1)) ** 0.5)
    units = float(whole.sum() ** 2 / (whole**2).sum())
    size = min(value * (1 - value) / error**2, float(pairs)) if error > 0 else units
    interval = Interval(0.0, 1.0)
    if units > 1 and size > 0:
        width = min(float(stdtrit(units - 1, (1 + confidence) / 2)) ** 2 / size, _WIDEST)
        middle, reach = value + width / 2, (width * value * (1 - value) + width**2 / 4) ** 0.5
        interval = Interval((middle - reach) / (1 + width), (middle + reach) / (1 + width)).within(0.0, 1.0)
    return Estimate(value, error, interval, None, value - float(sampled.bias[0]), size)


def pair_difference(sums: PairSums, other: PairSums, measure: str, beta: float, confidence: float) -> Estimate:
    """How far a system is from another on the same pairs: a paired difference, linearized."""
    units = SampleUnits(np.arange(len(sums.both)), np.ones(len(sums.both)), np.zeros(len(sums.both), np.int64))
    gap = ratio(sums, measure, beta).less(ratio(other, measure, beta))
    return gap.estimate(units, EstimateOptions(confidence, 0, 0), (-1.0, 1.0), True)
