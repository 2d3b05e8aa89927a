"""Pairwise precision, recall and F."""

from __future__ import annotations

from dataclasses import dataclass

from clusterscore.count.sums import Floats, divide
from clusterscore.metrics.balance import Balanced, harmonic
from clusterscore.metrics.links import PairMetric, links
from clusterscore.metrics.metric import Values
from clusterscore.metrics.registry import register


@register
@dataclass(frozen=True)
class Pairwise(PairMetric, Balanced):
    """Pairwise P, R and F: of the pairs put together, how many belong together, and the other way round.

    Formula:
        rc = sum over cells of n*(n-1)/2
        P = rc / sum_j b_j*(b_j-1)/2      R = rc / sum_i a_i*(a_i-1)/2      F = harmonic mean of P and R

    Range:
        0 to 1. A side without pairs has nothing wrong: its P (or R) is 1.

    Use it when:
        Decisions are made on pairs, as in record linkage. Large clusters dominate: a cluster counts with the square
        of its size.

    Options:
        beta: weight of recall in F (default 1); or alpha, with beta^2 = (1-alpha)/alpha; or w_fp and w_fn.

    Reference:
        Menestrina, Whang & Garcia-Molina 2010, Evaluating entity resolution results, VLDB.

    Example:
        >>> import clusterscore as cs
        >>> cs.pairwise([0, 0, 0, 1], [0, 0, 1, 1]).precision
        0.5
    """

    name = "pairwise"
    swaps = True

    def finish(self, parts: Floats) -> Values:
        pair = links(parts)
        precision, recall = divide(pair.right, pair.pred, 1.0), divide(pair.right, pair.gold, 1.0)
        return Values(harmonic(precision, recall, *self.balance), precision, recall)
