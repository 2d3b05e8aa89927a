"""Mutual information adjusted for chance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from clusterscore.count.rows import Sizes
from clusterscore.count.sums import Floats, add_up, divide
from clusterscore.count.table import Table
from clusterscore.distinct import Array
from clusterscore.metrics.information import InformationMetric, information
from clusterscore.metrics.metric import Values, columns
from clusterscore.metrics.registry import register
from clusterscore.metrics.size_pairs import size_counts, size_pairs

_BLOCK = 1 << 16  # numbers in one stretch of the recurrence
_NEGLIGIBLE = 1e-30


@register
@dataclass(frozen=True)
class Ami(InformationMetric):
    """Adjusted mutual information: mutual information above what chance would give for the same cluster sizes.

    Formula:
        (I - E[I]) / ((H(gold) + H(pred))/2 - E[I])
        E[I] = sum over gold sizes a and predicted sizes b of the mean of (n/N)*log(N*n/(a*b)), n hypergeometric

    Range:
        Up to 1; 0 on average for a random prediction of the same cluster sizes, so it can be a little below 0.

    Use it when:
        You compare systems that make different numbers of clusters and want an information measure. The expectation
        depends on cluster sizes only: equal sizes are computed once, so tens of thousands of clusters take no time.

    Reference:
        Vinh, Epps & Bailey 2010, Information theoretic measures for clusterings comparison, JMLR 11.

    Example:
        >>> import clusterscore as cs
        >>> round(cs.ami([0, 0, 1, 1, 2, 2], [0, 0, 1, 1, 1, 2]).value, 4)
        0.5024
    """

    name = "ami"
    aliases = ("adjusted_mutual_information",)
    lowest = -1.0
    symmetric = True

    @property
    def additive(self) -> bool:
        return False  # chance is taken over all elements of the pool

    def parts(self, table: Table) -> Floats:
        expected = expected_information(table.sizes("gold"), table.sizes("pred"), table.common)
        return columns(super().parts(table), expected)

    def finish(self, parts: Floats) -> Values:
        info, expected = information(parts), parts[:, 10]
        adjusted = divide(info.mutual - expected, (info.gold + info.pred) / 2 - expected, 0.0)
        return Values(np.where(info.identical, 1.0, adjusted))


def expected_information(gold: Sizes, pred: Sizes, elements: Floats) -> Floats:
    """E[I] in nats for each document, under random relabelling with the cluster sizes fixed."""
    documents = len(elements)
    a, b = size_counts(gold, documents), size_counts(pred, documents)
    expected = np.zeros(documents)
    for left, right, where in size_pairs(a, b, documents):
        mean = _mean_of_cell(a.size[left], b.size[right], elements[where])
        terms = mean * a.times[left] * b.times[right] / elements[where]
        expected += add_up(terms, where, documents)[:, 0]
    return expected


def _mean_of_cell(a: Array, b: Array, elements: Floats) -> Floats:
    """The mean of n*log(N*n/(a*b)), n hypergeometric: N elements, a of them gold, b drawn.

    From the most likely n outwards each probability follows from its neighbour by one product, and in the end all are
    divided by their sum: no factorials, no cancellation.
    """
    a, b = a.astype(np.float64), b.astype(np.float64)
    mode = np.floor((a + 1) * (b + 1) / (elements + 2))
    mode = np.clip(mode, np.maximum(0.0, a + b - elements), np.minimum(a, b))
    scale = elements / (a * b)
    weight, total = np.ones(len(a)), mode * _log(mode * scale)
    for step in (1.0, -1.0):
        still = np.arange(len(a))
        n, chance = mode.copy(), np.ones(len(a))
        while len(still):
            stretch = np.arange(max(1, min(4096, _BLOCK // len(still))))
            at = n[:, None] + step * stretch  # n before each step
            aa, bb, rest = a[still, None], b[still, None], (elements - a - b)[still, None]
            if step > 0:
                ratio = (aa - at) * (bb - at) / ((at + 1) * (rest + at + 1))
            else:
                below = (aa - at + 1) * (bb - at + 1)
                ratio = np.where(below > 0, at * (rest + at) / np.where(below > 0, below, 1.0), 0.0)
            ratio = np.maximum(ratio, 0.0)  # beyond the last possible n
            chances = chance[:, None] * np.cumprod(ratio, axis=1)
            values = np.maximum(at + step, 0.0)
            weight[still] += chances.sum(axis=1)
            total[still] += (chances * values * _log(values * scale[still, None])).sum(axis=1)
            n, chance = n + step * len(stretch), chances[:, -1]
            go = chance > _NEGLIGIBLE
            still, n, chance = still[go], n[go], chance[go]
    return np.asarray(total / weight)


def _log(ratio: Floats) -> Floats:
    return np.log(np.where(ratio > 0, ratio, 1.0))
