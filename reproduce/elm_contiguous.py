"""All contiguous clusterings of a few elements, as gold and as prediction: how BCubed and ELM rank them.

A contiguous clustering of n elements in a row is a number below 2^(n-1): bit k is set where a cluster starts at
element k+1. Scores are whole numbers: the fractions of all elements are brought to one denominator, so that two scores
are equal where they are equal, and every pair that changes its order is counted, with no rounding in between.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import comb, lcm, sqrt
from typing import NamedTuple

import numpy as np

import clusterscore as cs
from reproduce.result import Floats, Ints

LONGEST = 15  # elements: the scores of more, with their ranks, leave 64 bits
BINS = 50  # of a histogram of scores from 0 to 1
_BATCH = 64  # gold clusterings at a time: some tens of megabytes


class Ranks(NamedTuple):
    """Two orders of the same predictions, for each gold clustering: in how many pairs they differ."""

    pairs: int  # of predictions
    discordant: Ints  # strictly, one way in the one and the other way in the other
    tied_first: Ints
    tied_second: Ints
    tied_both: Ints

    @property
    def one_sided(self) -> Ints:
        """Pairs that are tied in one order only."""
        return self.tied_first + self.tied_second - 2 * self.tied_both

    @property
    def tau_b(self) -> Floats:
        """Kendall's tau-b."""
        concordant = self.pairs - self.tied_first - self.tied_second + self.tied_both - self.discordant
        untied = np.sqrt(self.pairs - self.tied_first) * np.sqrt(self.pairs - self.tied_second)
        return (concordant - self.discordant) / untied


class Comparison(NamedTuple):
    """BCubed and ELM of the same predictions, for each gold clustering."""

    ranks: Ranks
    times: Ints  # how often each gold clustering counts
    entropy: Floats  # of the sizes of the gold clusters, nats
    moments: Floats  # a row for each gold: the means of B, E, B^2, E^2 and B*E
    lowest: float  # BCubed
    histograms: Ints  # rows: BCubed, ELM, BCubed - ELM

    def total(self, counts: Ints) -> int:
        """A count of all gold clusterings together."""
        return sum((counts * self.times).tolist())

    def each(self, values: Floats | Ints) -> Floats:
        """A value for every gold clustering, also for those that were counted together."""
        return np.repeat(values.astype(np.float64), self.times)

    @property
    def swapped(self) -> Floats:
        """The share of pairs that are strictly swapped, for every gold clustering."""
        return self.each(self.ranks.discordant) / self.ranks.pairs


def full_score(elements: int) -> int:
    """The number that stands for a score of 1."""
    return elements * _unit(elements)


def code(lengths: Sequence[int]) -> int:
    """The number of a contiguous clustering, from the sizes of its clusters.

    >>> code([1, 2, 1]), code([4])
    (5, 0)
    """
    return sum(1 << (int(end) - 1) for end in np.cumsum(lengths)[:-1])


def mirrored(elements: int) -> Ints:
    """For every clustering itself or itself read backwards, whichever comes first: both give the same counts."""
    codes = np.arange(1 << (elements - 1))
    backwards = _bits(codes, elements - 1)[:, ::-1] @ (1 << np.arange(elements - 1))
    return np.minimum(codes, backwards)


def without_first_boundary(elements: int) -> Ints:
    """What becomes of every clustering if its first boundary is taken for the start of the stream."""
    codes = np.arange(1 << (elements - 1))
    return codes & (codes - 1)


def scores(golds: Ints, elements: int, less: int) -> Ints:
    """The F of all predictions (columns) against gold clusterings (rows), in parts of :func:`full_score`.

    ``less`` is 0 for BCubed and 1 for ELM, which leaves the element itself out.
    """
    credit = _credit(elements, less)
    start, end = _borders(golds, elements)
    size = end - start
    # all ways to cut the first elements: the last cluster starts somewhere, and what is before it is known
    prefixes = [np.zeros((len(golds), 1), np.int64)]
    for stop in range(1, elements + 1):
        ways = []
        for begin in range(stop):
            inside = slice(begin, stop)
            common = np.minimum(end[:, inside], stop) - np.maximum(start[:, inside], begin)
            earned = credit[common, size[:, inside], stop - begin].sum(axis=1)
            ways.append(prefixes[begin] + earned[:, None])
        prefixes.append(np.concatenate(ways, axis=1))
    return prefixes[elements]


def ranks(first: Ints, second: Ints) -> Ranks:
    """Compare two orders of the same predictions, row by row; scores below 2^63 / predictions."""
    compared = [_compared(*rows) for rows in zip(first, second, strict=True)]
    return Ranks(comb(first.shape[1], 2), *np.array(compared, np.int64).T)


def _compared(first: Ints, second: Ints) -> tuple[int, int, int, int]:
    """Pairs that are discordant, tied in the first order, in the second, and in both."""
    from scipy.stats import kendalltau

    pairs, rank = comb(len(first), 2), np.unique(second, return_inverse=True)[1]
    one, other, both = (_ties(values) for values in (first, second, first * len(first) + rank))
    untied = sqrt(pairs - one) * sqrt(pairs - other)
    # tau-b is a whole number divided by this, so that the number can be had back exactly
    surplus = round(kendalltau(first, second).statistic * untied) if untied else 0
    return (pairs - one - other + both - surplus) // 2, one, other, both


def _ties(values: Ints) -> int:
    """Pairs of equal values."""
    counts = np.unique(values, return_counts=True)[1]
    return int((counts * (counts - 1) // 2).sum())


def compare(
    elements: int, golds: Ints, predictions: Ints | None = None, at: Callable[[float], None] = lambda part: None
) -> Comparison:
    """How BCubed and ELM rank all contiguous predictions, or those with these numbers; ``at`` hears how far it is."""
    codes, times = np.unique(golds, return_counts=True)
    unit, chosen = full_score(elements), slice(None) if predictions is None else predictions
    found: list[Ranks] = []
    moments, lowest, histograms = [], unit, np.zeros((3, BINS), np.int64)
    for begin in range(0, len(codes), _BATCH):
        batch = slice(begin, begin + _BATCH)
        bcubed, elm = (scores(codes[batch], elements, less)[:, chosen] for less in (0, 1))
        found.append(ranks(bcubed, elm))
        b, e = bcubed / unit, elm / unit
        moments.append(np.stack([x.mean(axis=1) for x in (b, e, b * b, e * e, b * e)], axis=1))
        lowest = min(lowest, int(bcubed.min()))
        weights = np.repeat(times[batch], bcubed.shape[1])
        for histogram, values in zip(histograms, (bcubed, elm, bcubed - elm), strict=True):
            part = np.minimum(values * BINS // unit, BINS - 1).ravel()  # the last one holds 1 too
            histogram += np.bincount(part, weights, BINS).astype(np.int64)
        at((begin + _BATCH) / len(codes))
    counts = [np.concatenate(columns) for columns in zip(*(one[1:] for one in found), strict=True)]
    start, end = _borders(codes, elements)
    entropy = np.log(elements / (end - start)).mean(axis=1)  # the mean over elements is the sum over clusters
    every = Ranks(found[0].pairs, *counts)
    return Comparison(every, times, entropy, np.concatenate(moments), lowest / unit, histograms)


def _unit(elements: int) -> int:
    """A multiple of every a+b and a+b-2."""
    if not 1 <= elements <= LONGEST:
        raise cs.InputError(f"contiguous clusterings are compared for 1 to {LONGEST} elements, not {elements}")
    return lcm(*range(1, 2 * elements + 1))


def _credit(elements: int, less: int) -> Ints:
    """The F of one element by n, a and b, in parts of the unit."""
    unit = _unit(elements)
    n, a, b = np.ogrid[: elements + 1, : elements + 1, : elements + 1]
    sizes = a + b - 2 * less
    return np.where(sizes > 0, 2 * unit * np.maximum(n - less, 0) // np.maximum(sizes, 1), unit)


def _bits(codes: Ints, width: int) -> Ints:
    return (codes[:, None] >> np.arange(width)) & 1


def _borders(codes: Ints, elements: int) -> tuple[Ints, Ints]:
    """For every element where its cluster starts, and where it ends."""
    starts = np.ones((len(codes), elements + 1), bool)
    starts[:, 1:-1] = _bits(codes, elements - 1)
    position = np.arange(elements + 1)
    begin = np.maximum.accumulate(np.where(starts, position, 0), axis=1)[:, :-1]
    end = np.minimum.accumulate(np.where(starts, position, elements)[:, :0:-1], axis=1)[:, ::-1]
    return begin, end
