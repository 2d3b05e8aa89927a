"""The Rand index in standard deviations above chance."""

from __future__ import annotations

import math

import numpy as np

from clusterscore.metrics.metric import Array, Metric, Parts, Sums, Values, register
from clusterscore.metrics.pair_metric import whole_numbers


@register
class StandardizedRand(Metric):
    """Standardized Rand index: how many standard deviations the Rand index lies above chance.

    Formula:
        z = (T - E[T]) / sd(T), T = sum over cells of n*(n-1), the prediction shuffled with its cluster sizes fixed
        A2 = sum_i a_i*(a_i-1), A3 = sum_i a_i*(a_i-1)*(a_i-2), A4 = A2^2 - 4*A3 - 2*A2, and B2, B3, B4 of the sizes b_j
        E[T] = A2*B2/(N)_2,  E[T^2] = 2*A2*B2/(N)_2 + 4*A3*B3/(N)_3 + A4*B4/(N)_4,  (N)_k = N*(N-1)*...*(N-k+1)

    Range:
        Unbounded, and 0 on average for a random prediction. It grows with the data and with the number of clusters, so
        there is no best value. 0 if all predictions with these cluster sizes score the same.

    Use it when:
        You choose among predictions with different numbers of clusters, and want the one that chance explains least.
        It is no measure of quality: with enough data every prediction above chance has a large z. The score has
        ``p_adjusted``, the share of random predictions that would score less (by the normal distribution). Rand,
        adjusted Rand and Mirkin distance have the same z.

    Reference:
        Romano, Bailey, Nguyen & Verspoor 2014, Standardized mutual information for clustering comparisons, ICML; Klede,
        Schwinn, Zanca & Eskofier 2023, p-value adjustment for monotonous, unbiased, and fast clustering comparison,
        NeurIPS.

    Example:
        >>> import clusterscore as cs
        >>> score = cs.standardized_rand([0, 0, 0, 1, 1, 1], [0, 0, 0, 1, 1, 1])
        >>> round(score.value, 4), round(score.p_adjusted, 4)
        (3.0, 0.9987)
    """

    name = "standardized_rand"
    group = "pairs"
    aliases = ("z_rand",)
    lowest = float("-inf")
    highest = float("inf")
    perfect = None
    symmetric = True

    def parts(self, table: Sums) -> Parts:
        pairs = {name: table.pairs(side) for name, side in (("together", "cell"), ("gold", "gold"), ("pred", "pred"))}
        triples = {f"{side}_triples": table.triples(side) for side in ("gold", "pred")}
        return {**pairs, **triples, "elements": table.common}

    def finish(
        self, together: Array, gold: Array, pred: Array, gold_triples: Array, pred_triples: Array, elements: Array
    ) -> Values:
        """Whole numbers up to the end: the variance is a difference of numbers that are almost the same."""
        right, a2, b2 = (2 * whole_numbers(pairs) for pairs in (together, gold, pred))
        a3, b3, n = map(whole_numbers, (gold_triples, pred_triples, elements))
        a4, b4 = a2 * a2 - 4 * a3 - 2 * a2, b2 * b2 - 4 * b3 - 2 * b2
        pairs = n * (n - 1)
        triples, fours = pairs * (n - 2), pairs * (n - 2) * (n - 3)
        # of fewer than four elements there are no four different ones, and nothing to divide
        d2, d3, d4 = (np.where(count > 0, count, 1) for count in (pairs, triples, fours))
        above = right * d2 - a2 * b2
        spread = (2 * a2 * b2 * d3 * d4 + 4 * a3 * b3 * d2 * d4 + a4 * b4 * d2 * d3) * d2 - a2 * a2 * b2 * b2 * d3 * d4
        square = above * above * d3 * d4
        squares = zip(square, spread, strict=True)  # without any spread all predictions score the same
        z = np.array([math.sqrt(top / bottom) if bottom else 0.0 for top, bottom in squares])
        z = np.where(above < 0, -z, z)
        return Values(z, extras={"p_adjusted": np.array([math.erfc(-x / math.sqrt(2)) / 2 for x in z.tolist()])})
