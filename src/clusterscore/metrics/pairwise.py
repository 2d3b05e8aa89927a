"""Pairwise precision, recall and F."""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np

from clusterscore.metrics.balance import Balanced, harmonic, signed_harmonic
from clusterscore.metrics.metric import Parts, Sums, Values, divide, register
from clusterscore.metrics.pair_metric import Links, PairMetric, whole_numbers


@register
class Pairwise(PairMetric, Balanced):
    """Pairwise P, R and F: how many pairs that were put together belong together, and the reverse.

    Formula:
        rc = sum over cells of n*(n-1)/2
        P = rc / sum_j b_j*(b_j-1)/2      R = rc / sum_i a_i*(a_i-1)/2      F = harmonic mean of P and R

    Range:
        0 to 1. A side without pairs has nothing wrong, so its P (or R) is 1. Adjusted: up to 1, and 0 on average for a
        random prediction with the same cluster sizes; 1 if all predictions of these sizes score the same.

    Use it when:
        Decisions are made about pairs, as in record linkage. Large clusters dominate: a cluster counts with the square
        of its size.

    Options:
        beta: weight of recall in F (default 1); or alpha, with beta^2 = (1-alpha)/alpha; or w_fp and w_fn.
        adjusted: True gives (x - E)/(1 - E) for P, R and F, E what a random prediction of the same cluster sizes is
            expected to get: E[P] = A/T, E[R] = B/T, A gold, B predicted and T = N*(N-1)/2 all pairs. With beta 1 the
            F is the adjusted Rand index.
        pairs: "different" (default) counts pairs of different elements; with "self" an element alone in its cluster is
            a pair with itself, as in S2AND, so that single elements count, and 0/0 cannot occur.

    Reference:
        Menestrina, Whang & Garcia-Molina 2010, Evaluating entity resolution results, VLDB; Subramanian, King, Downey &
        Feldman 2021, S2AND: a benchmark and evaluation system for author name disambiguation, JCDL (self).

    Example:
        >>> import clusterscore as cs
        >>> cs.pairwise([0, 0, 0, 1], [0, 0, 1, 1]).precision
        0.5
    """

    adjusted: bool = False
    pairs: Literal["different", "self"] = "different"

    name = "pairwise"
    swaps = True
    unsaid: ClassVar = {"pairs": "different"}
    exclusive = (("adjusted", "pairs"),)

    @property
    def one_sided(self) -> bool:  # type: ignore[override]
        """Pairs of different elements are; all the pairs there are, and elements alone, are not."""
        return self.pairs == "different" and not self.adjusted

    def parts(self, table: Sums) -> Parts:
        parts = super().parts(table)
        if self.pairs == "different":
            return parts
        alone = {"together": table.alone("cell"), "gold": table.alone("gold"), "pred": table.alone("pred")}
        exact = {name: whole_numbers(n) if parts[name].dtype == object else n for name, n in alone.items()}
        return {**parts, **{name: parts[name] + number for name, number in exact.items()}}

    def of_links(self, pair: Links) -> Values:
        if self.adjusted:
            return self._adjusted(pair)
        precision, recall = divide(pair.right, pair.pred, 1.0), divide(pair.right, pair.gold, 1.0)
        return Values(harmonic(precision, recall, *self.balance), precision, recall)

    def _adjusted(self, pair: Links) -> Values:
        """P, R and F are each right pairs over a fixed number; F is also that of the adjusted P and R."""
        above = pair.above_chance()
        precision, recall = divide(above.right, above.pred, 1.0), divide(above.right, above.gold, 1.0)
        w_fp, w_fn = self.balance
        if w_fp == w_fn:  # whole numbers stay whole: the adjusted Rand index to the last digit
            f = divide(2 * above.right, above.pred + above.gold, 1.0)
        else:
            f = signed_harmonic(precision, recall, w_fp, w_fn)
        possible = w_fp * above.pred + w_fn * above.gold
        chance = {
            "expected_precision": np.where(pair.pred == 0, 1.0, divide(pair.gold, pair.all, 1.0)),
            "expected_recall": np.where(pair.gold == 0, 1.0, divide(pair.pred, pair.all, 1.0)),
            "expected": 1 - divide(possible, pair.all * (w_fp * pair.pred + w_fn * pair.gold), 0.0),
        }
        return Values(f, precision, recall, chance)
