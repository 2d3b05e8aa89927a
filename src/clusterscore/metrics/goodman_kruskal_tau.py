"""Goodman and Kruskal's tau."""

from __future__ import annotations

import numpy as np

from clusterscore.metrics.balance import harmonic
from clusterscore.metrics.metric import Array, Metric, Parts, Table, Values, divide, register
from clusterscore.metrics.pair_metric import all_pairs, whole_numbers


@register
class GoodmanKruskalTau(Metric):
    """Goodman-Kruskal tau: how much better one side's label is guessed if the other side's label is known.

    Formula:
        P = (sum of n^2/(b*N) - sum of (a/N)^2) / (1 - sum of (a/N)^2)     gold guessed from pred
        R = (sum of n^2/(a*N) - sum of (b/N)^2) / (1 - sum of (b/N)^2)     pred guessed from gold
        1 if there is one cluster to guess; F = 2*P*R/(P+R)

    Range:
        0 (labels tell nothing about each other) to 1 (one tells the other).

    Use it when:
        You compare with dscore, which prints P as GKT(sys, ref) and R as GKT(ref, sys).

    Reference:
        Goodman & Kruskal 1954, Measures of association for cross classifications, JASA 49.

    Example:
        >>> import clusterscore as cs
        >>> score = cs.goodman_kruskal_tau([0, 0, 1, 1], [0, 0, 1, 2])
        >>> score.precision, score.recall
        (1.0, 0.6)
    """

    name = "goodman_kruskal_tau"
    aliases = ("gkt",)
    group = "pairs"
    swaps = True
    symmetric = True

    def parts(self, table: Table) -> Parts:
        rows, parts = table.rows(), {"elements": table.common}
        for side, size in (("gold", rows.a), ("pred", rows.b)):
            wrong = rows.n * ((size - rows.n) / size)  # guesses, where the label of this side is known
            parts |= {f"{side}_known": table.add(wrong, rows.document, rows.times), f"{side}_pairs": table.pairs(side)}
        return parts

    def finish(
        self, elements: Array, gold_known: Array, pred_known: Array, gold_pairs: Array, pred_pairs: Array
    ) -> Values:
        precision, recall = _tau(pred_known, gold_pairs, elements), _tau(gold_known, pred_pairs, elements)
        return Values(harmonic(precision, recall, 0.5, 0.5), precision, recall)


def _tau(known: Array, pairs: Array, elements: Array) -> Array:
    """1 less the wrong guesses where the other label is known, as a share of those where it is not."""
    blind = divide(2 * (whole_numbers(all_pairs(elements)) - whole_numbers(pairs)), elements, 0.0)
    return np.maximum(1 - divide(known, blind, 0.0), 0.0)
