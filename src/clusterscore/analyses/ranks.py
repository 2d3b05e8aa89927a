"""How far two rankings of the same systems agree, counted exactly."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from clusterscore.distinct import Array, Ints, distinct

CLOSE = 1e-12  # of the larger: scores that are equal on paper differ by less, since sums are rounded
NOUGHT = 1e-15  # a score that is 0 on paper may come out as this much


class Agreement(NamedTuple):
    """All pairs of systems, by what a first and a second ranking say of them."""

    pairs: int
    concordant: int  # both put the same system first
    discordant: int  # each puts another one first
    tied_first: int  # tied in the first ranking only,
    tied_second: int  # in the second only,
    tied_both: int  # in both

    @property
    def swapped(self) -> float:
        """The share of pairs that are strictly swapped."""
        return self.discordant / self.pairs

    @property
    def tau_b(self) -> float | None:
        """Kendall's tau-b: from -1, one ranking turned round, to 1; None where a ranking ties all systems."""
        first, second = (self.concordant + self.discordant + tied for tied in (self.tied_second, self.tied_first))
        # the root of the whole product: of two equal numbers it is that number to the last bit
        return (self.concordant - self.discordant) / math.sqrt(first * second) if first and second else None

    def turned(self) -> Agreement:
        """The same with the rankings exchanged."""
        return self._replace(tied_first=self.tied_second, tied_second=self.tied_first)


def tie_ranks(values: Array) -> Ints:
    """The rank of each finite value, from 0 for the lowest; values that differ by rounding alone have the same.

    Neighbours in order are tied where they are close, so that what is tied with the same is tied.

    >>> tie_ranks(np.array([0.3, 0.1 + 0.2, 0.2, 0.9])).tolist()
    [1, 1, 0, 2]
    """
    order = np.argsort(values, kind="stable")
    left, right = values[order[:-1]], values[order[1:]]
    # halves, so that the difference of two very large values stays finite
    apart = right / 2 - left / 2 > np.maximum(CLOSE * np.maximum(abs(left), abs(right)), NOUGHT) / 2
    ranks = np.zeros(len(values), np.int64)
    ranks[order[1:]] = np.cumsum(apart)
    return ranks


def agreement(first: Array, second: Array) -> Agreement:
    """Compare two rankings, given as ranks from 0 (:func:`tie_ranks`), in the time of a sort.

    >>> agreement(np.array([0, 1, 2]), np.array([0, 2, 1]))
    Agreement(pairs=3, concordant=2, discordant=1, tied_first=0, tied_second=0, tied_both=0)
    """
    count = len(first)
    pairs = math.comb(count, 2)
    sizes = [int(ranks.max(initial=0)) + 1 for ranks in (first, second)]
    tied_both = _tied(distinct((first, sizes[0]), (second, sizes[1])).counts)
    tied_first, tied_second = (_tied(np.bincount(ranks)) - tied_both for ranks in (first, second))
    # tied in the first, they stand in the order of the second, and no pair of them is falling
    discordant = falling(second[np.lexsort((second, first))])
    concordant = pairs - discordant - tied_first - tied_second - tied_both
    return Agreement(pairs, concordant, discordant, tied_first, tied_second, tied_both)


def _tied(counts: Array) -> int:
    return int((counts * (counts - 1) // 2).sum())


def falling(ranks: Array) -> int:
    """How many pairs stand in falling order, the larger number first; numbers from 0 up.

    Two numbers differ first in one bit: among those with the same bits above it, a pair falls where a 1 stands before
    a 0.

    >>> falling(np.array([2, 0, 1, 1]))
    3
    """
    total = 0
    for bit in range(int(ranks.max(initial=0)).bit_length()):
        order = np.argsort(ranks >> (bit + 1), kind="stable")
        bits = (ranks[order] >> bit) & 1
        ones_before = np.cumsum(bits) - bits
        starts = np.flatnonzero(np.diff(ranks[order] >> (bit + 1), prepend=-1))
        ones_before -= np.repeat(ones_before[starts], np.diff(starts, append=len(ranks)))
        total += int(ones_before[bits == 0].sum())
    return total
