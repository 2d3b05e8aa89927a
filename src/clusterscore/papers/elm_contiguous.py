"""All contiguous clusterings of a few elements, as gold and as prediction: how BCubed and ELM rank them.

A contiguous clustering of n elements in a row is a number below 2^(n-1): bit k is set where a cluster starts at
element k+1. Scores are whole numbers: the fractions of all elements are brought to one denominator, so that two scores
are equal where they are equal, and every pair that changes its order is counted, with no rounding in between.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import comb, lcm
from typing import NamedTuple

import numpy as np

from clusterscore.count.sums import Floats
from clusterscore.distinct import Array, Ints
from clusterscore.errors import InputError

LONGEST = 15  # elements: the scores of more, with their ranks, leave 64 bits
BINS = 50  # of a histogram of scores from 0 to 1
_BATCH = 64  # gold clusterings at a time: some tens of megabytes
_SIDE = 128  # predictions that are compared each with each


class Golds(NamedTuple):
    """Gold clusterings by their numbers, and how often each one counts."""

    codes: Ints
    times: Ints


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
        tau: Floats = (concordant - self.discordant) / untied
        return tau


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


def whole(elements: int) -> int:
    """The number that stands for a score of 1."""
    return elements * _unit(elements)


def code(lengths: Sequence[int]) -> int:
    """The number of a contiguous clustering, from the sizes of its clusters.

    >>> code([1, 2, 1]), code([4])
    (5, 0)
    """
    return sum(1 << (int(end) - 1) for end in np.cumsum(lengths)[:-1])


def counted(codes: Ints) -> Golds:
    """Each clustering once, with how often it is there."""
    return Golds(*np.unique(codes, return_counts=True))


def mirrored(elements: int) -> Ints:
    """For every clustering itself or itself read backwards, whichever comes first: both give the same counts."""
    codes = np.arange(1 << (elements - 1))
    backwards = _bits(codes, elements - 1)[:, ::-1] @ (1 << np.arange(elements - 1))
    first: Ints = np.minimum(codes, backwards)
    return first


def without_first_boundary(elements: int) -> Ints:
    """What becomes of every clustering if its first boundary is taken for the start of the stream."""
    codes = np.arange(1 << (elements - 1))
    return codes & (codes - 1)


def scores(golds: Array, elements: int, less: int) -> Ints:
    """The F of all predictions (columns) against gold clusterings (rows), in parts of :func:`whole`.

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
    predictions = first.shape[1]
    ordered, where = _sorted(second)
    second_rank = np.zeros_like(ordered)
    np.cumsum(ordered[:, 1:] != ordered[:, :-1], axis=1, out=second_rank[:, 1:])
    rank = np.empty_like(second_rank)
    np.put_along_axis(rank, where, second_rank, axis=1)
    # by the first score, and by the second where the first is tied: a rank before a smaller one is then discordant
    both = np.sort(first * predictions + rank, axis=1)
    rank = both % predictions
    discordant = np.array([_inversions(row) for row in rank], np.int64)
    return Ranks(comb(predictions, 2), discordant, _ties(both // predictions), _ties(ordered), _ties(both))


def compare(
    elements: int, golds: Golds, predictions: Ints | None = None, at: Callable[[float], None] | None = None
) -> Comparison:
    """How BCubed and ELM rank all contiguous predictions, or those with these numbers; ``at`` hears how far it is."""
    unit = whole(elements)
    found: list[Ranks] = []
    moments, lowest, histograms = [], unit, np.zeros((3, BINS), np.int64)
    for begin in range(0, len(golds.codes), _BATCH):
        chosen = slice(begin, begin + _BATCH)
        bcubed, elm = (scores(golds.codes[chosen], elements, less) for less in (0, 1))
        if predictions is not None:
            bcubed, elm = bcubed[:, predictions], elm[:, predictions]
        found.append(ranks(bcubed, elm))
        b, e = bcubed / unit, elm / unit
        moments.append(np.stack([x.mean(axis=1) for x in (b, e, b * b, e * e, b * e)], axis=1))
        lowest = min(lowest, int(bcubed.min()))
        for histogram, values in zip(histograms, (bcubed, elm, bcubed - elm), strict=True):
            histogram += _histogram(values, unit, golds.times[chosen])
        if at is not None:
            at((begin + _BATCH) / len(golds.codes))
    counts = [np.concatenate(columns) for columns in zip(*(one[1:] for one in found), strict=True)]
    start, end = _borders(golds.codes, elements)
    entropy = np.log(elements / (end - start)).mean(axis=1)  # the mean over elements is the sum over clusters
    every = Ranks(found[0].pairs, *counts)
    return Comparison(every, golds.times, entropy, np.concatenate(moments), lowest / unit, histograms)


def _unit(elements: int) -> int:
    """A multiple of every a+b and a+b-2."""
    if not 1 <= elements <= LONGEST:
        raise InputError(f"contiguous clusterings are compared for 1 to {LONGEST} elements, not {elements}")
    return lcm(*range(1, 2 * elements + 1))


def _credit(elements: int, less: int) -> Ints:
    """The F of one element by n, a and b, in parts of the unit."""
    unit = _unit(elements)
    n, a, b = np.ogrid[: elements + 1, : elements + 1, : elements + 1]
    sizes = a + b - 2 * less
    return np.where(sizes > 0, 2 * unit * np.maximum(n - less, 0) // np.maximum(sizes, 1), unit)


def _bits(codes: Array, width: int) -> Array:
    return (codes[:, None] >> np.arange(width)) & 1


def _borders(codes: Array, elements: int) -> tuple[Ints, Ints]:
    """For every element where its cluster starts, and where it ends."""
    starts = np.ones((len(codes), elements + 1), bool)
    starts[:, 1:-1] = _bits(codes, elements - 1)
    position = np.arange(elements + 1)
    begin = np.maximum.accumulate(np.where(starts, position, 0), axis=1)[:, :-1]
    end = np.minimum.accumulate(np.where(starts, position, elements)[:, :0:-1], axis=1)[:, ::-1]
    return begin, end


def _sorted(values: Ints) -> tuple[Ints, Ints]:
    """Each row in order, and where its values stood; sorting numbers is faster than sorting places."""
    count = values.shape[1]
    keys = np.sort(values * count + np.arange(count), axis=1)
    return keys // count, keys % count


def _ties(ordered: Ints) -> Ints:
    """Pairs of equal values in each sorted row."""
    # a value that is the k-th of its kind is tied with k-1 before it
    position = np.arange(ordered.shape[1])
    new = np.ones(ordered.shape, bool)
    new[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    since = np.maximum.accumulate(np.where(new, position, 0), axis=1)
    ties: Ints = (position - since).sum(axis=1)
    return ties


def _inversions(rank: Ints) -> int:
    """Pairs of which the first is larger: within blocks each with each, between blocks by counts of ranks."""
    side = min(_SIDE, len(rank))  # both are powers of two
    blocks = rank.astype(np.uint16).reshape(-1, side)
    later = np.triu(np.ones((side, side), bool), 1)
    within = np.count_nonzero((blocks[:, :, None] > blocks[:, None, :]) & later)
    kinds = int(rank.max()) + 1
    cell = np.arange(len(rank)) // side * kinds + rank
    counts = np.bincount(cell, minlength=len(blocks) * kinds).reshape(-1, kinds)
    before = np.cumsum(counts, axis=0) - counts
    larger = before.sum(axis=1, keepdims=True) - np.cumsum(before, axis=1)
    return int(within + larger.ravel()[cell].sum())


def _histogram(values: Ints, unit: int, times: Ints) -> Ints:
    """How many values are in each of the equal parts from 0 to 1; the last one holds 1 too."""
    part = np.minimum(values * BINS // unit, BINS - 1)
    row = np.arange(len(values))[:, None] * BINS
    return times @ np.bincount((row + part).ravel(), minlength=len(values) * BINS).reshape(-1, BINS)
