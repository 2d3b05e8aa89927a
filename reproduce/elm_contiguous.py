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

from reproduce.result import Floats, Ints

BINS = 10_000  # of a histogram of scores from 0 to 1: fine enough for quartiles
_BATCH = 64  # gold clusterings at a time: some tens of megabytes


class Ranks(NamedTuple):
    """Two orders of the same predictions, for each gold clustering."""

    pairs: int  # of predictions
    discordant: Ints  # pairs that are one way in the one and the other way in the other, strictly
    tau_b: Floats  # Kendall's


class Comparison(NamedTuple):
    """BCubed and ELM of the same predictions, for each gold clustering."""

    ranks: Ranks
    entropy: Floats  # of the sizes of the gold clusters, bits
    histograms: Ints  # of all scores; rows: BCubed, ELM

    @property
    def swapped(self) -> Floats:
        """The share of pairs that are strictly swapped, for every gold clustering."""
        return self.ranks.discordant / self.ranks.pairs


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
    discordant, tau = zip(*(_compared(*rows) for rows in zip(first, second, strict=True)), strict=True)
    return Ranks(comb(first.shape[1], 2), np.array(discordant, np.int64), np.array(tau))


def _compared(first: Ints, second: Ints) -> tuple[int, float]:
    """The discordant pairs, and tau-b."""
    from scipy.stats import kendalltau

    pairs, rank = comb(len(first), 2), np.unique(second, return_inverse=True)[1]
    first_ties, second_ties, both = (_ties(values) for values in (first, second, first * len(first) + rank))
    untied = sqrt(pairs - first_ties) * sqrt(pairs - second_ties)
    tau = float(kendalltau(first, second).statistic) if untied else 0.0
    # tau-b is a whole number divided by this, so that the number can be had back exactly
    return (pairs - first_ties - second_ties + both - round(tau * untied)) // 2, tau


def _ties(values: Ints) -> int:
    """Pairs of equal values."""
    counts = np.unique(values, return_counts=True)[1]
    return int((counts * (counts - 1) // 2).sum())


def compare(
    elements: int, golds: Ints, predictions: Ints | None = None, at: Callable[[float], None] = lambda part: None
) -> Comparison:
    """How BCubed and ELM rank all contiguous predictions, or those with these numbers; ``at`` hears how far it is."""
    codes, inverse, times = np.unique(golds, return_inverse=True, return_counts=True)
    unit, chosen = full_score(elements), slice(None) if predictions is None else predictions
    batches: list[Ranks] = []
    histograms = np.zeros((2, BINS), np.int64)
    for begin in range(0, len(codes), _BATCH):
        batch = slice(begin, begin + _BATCH)
        bcubed, elm = (scores(codes[batch], elements, less)[:, chosen] for less in (0, 1))
        batches.append(ranks(bcubed, elm))
        weights = np.repeat(times[batch], bcubed.shape[1])
        histograms += [histogram(values, unit, weights) for values in (bcubed, elm)]
        at((begin + _BATCH) / len(codes))
    discordant, tau = (np.concatenate(column)[inverse] for column in list(zip(*batches, strict=True))[1:])
    start, end = _borders(golds, elements)
    entropy = np.log2(elements / (end - start)).mean(axis=1)  # the mean over elements is the sum over clusters
    return Comparison(Ranks(batches[0].pairs, discordant, tau), entropy, histograms)


def histogram(values: Ints, unit: int, weights: Ints | None = None) -> Ints:
    """How many scores are in each of the bins; the last one holds 1 too."""
    part = np.minimum(values * BINS // unit, BINS - 1).ravel()
    return np.bincount(part, weights, BINS).astype(np.int64)


def _unit(elements: int) -> int:
    """A multiple of every a+b and a+b-2; with up to 15 elements everything stays within 64 bits."""
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
