"""Reduced mutual information."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np

from clusterscore.count.rows import Sizes
from clusterscore.metrics.expected import SizeCounts, size_counts
from clusterscore.metrics.metric import Array, Floats, Metric, Parts, Table, Values, add_up, divide, register
from clusterscore.metrics.mutual_information import own_logs

_GRID = np.linspace(-30.0, 20.0, 101)  # of log(1/alpha)
_POINTS, _ROUNDS = 9, 12  # each goes 4 times closer, down to 1e-7 of a step of the grid: the value is flat there
_ROUNDED = 1e-13  # for each element: less is no dip
_AT_ONCE = 1 << 15  # terms worked on together
_LARGE = 16.0  # from here on the series of Stirling's formula is exact


@register
class ReducedMi(Metric):
    """Reduced mutual information: what the prediction says about gold, less what it costs to say how the two relate.

    Formula:
        I(p;g) = H(g) - H(g|p), what the prediction saves when gold is transmitted, the table of n_ij included
        H(g|p) = min over alpha of [sum_j L(b_j, K*alpha) - sum over cells of L(n, alpha)] + log(prod b_j! / prod n!)
        L(x, t) = log(Gamma(x+t) / (Gamma(t)*x!)), K gold clusters, 0 <= alpha <= infinity
        H(g) is H(g|p) where p is one cluster. The score is I(p;g) / I(g;g).

    Range:
        Up to 1, and below 0 where the prediction costs more than it saves. 1 for identical clusterings, 0 if the
        prediction is one cluster, or if gold has no information (one cluster, or all singletons).

    Use it when:
        You compare systems that make different numbers of clusters against one gold clustering. NMI favours many
        clusters, because it counts what a large table happens to say as information; here the table has to be paid for.

    Options:
        normalization: "gold" (default); "mean", (I(p;g) + I(g;p)) / (I(g;g) + I(p;p)), which is the same in both
            directions; None, I(p;g)/N, nats per element.

    Reference:
        Jerdee, Kirkley & Newman 2023, Normalized mutual information is a biased measure for classification and
        community detection, arXiv 2307.01282; the same 2024, Mutual information and the encoding of contingency tables,
        Physical Review E 110; Newman, Cantwell & Young 2020, Physical Review E 101.

    Example:
        >>> import clusterscore as cs
        >>> gold, halves = [k // 9 for k in range(27)], [k // 3 for k in range(27)]
        >>> round(cs.nmi(gold, halves).value, 4), round(cs.reduced_mi(gold, halves).value, 4)
        (0.6667, 0.75)
        >>> singletons = list(range(27))
        >>> round(cs.nmi(gold, singletons).value, 4), round(cs.reduced_mi(gold, singletons).value, 4)
        (0.5, 0.0)
    """

    normalization: Literal["gold", "mean"] | None = "gold"

    name = "reduced_mi"
    group = "information"
    aliases = ("reduced_mutual_information", "rmi")
    lowest = float("-inf")

    @property
    def highest(self) -> float:  # type: ignore[override]
        """Nats per element have no bound."""
        return float("inf") if self.normalization is None else 1.0

    @property
    def perfect(self) -> float | None:  # type: ignore[override]
        """Nats per element depend on gold."""
        return None if self.normalization is None else 1.0

    @property
    def symmetric(self) -> bool:  # type: ignore[override]
        """The mean of both directions is."""
        return self.normalization == "mean"

    def parts(self, table: Table) -> Parts:
        together = Sizes(np.arange(len(table.documents)), table.common.astype(np.int64), None)  # in one cluster
        gold, pred, cells = (size_counts(table, table.sizes(side)) for side in ("gold", "pred", "cell"))
        number = {side: table.clusters(side) for side in ("gold", "pred", "cell")}
        saved = possible = np.zeros(len(table.documents))
        sides = [("gold", gold, pred), ("pred", pred, gold)]
        for side, own, other in sides if self.normalization == "mean" else sides[:1]:
            alone = _cost(table, size_counts(table, together), own, number[side])
            saved = saved + alone - _cost(table, other, cells, number[side])
            possible = possible + alone - own_logs(number[side])  # a table with one cell in each row costs the least
        identical = (number["gold"] == number["cell"]) & (number["pred"] == number["cell"])
        return {"saved": saved, "possible": possible, "elements": table.common, "identical": identical * 1.0}

    def finish(self, saved: Array, possible: Array, elements: Array, identical: Array) -> Values:
        if self.normalization is None:
            return Values(divide(saved, elements, 0.0))
        return Values(np.where(identical == 1, 1.0, np.minimum(divide(saved, possible, 0.0), 1.0)))


def _cost(table: Table, columns: SizeCounts, cells: SizeCounts, clusters: Floats) -> Floats:
    """H(g|p) of each document, by the sizes of p's clusters (``columns``) and of cells, and the number of g's clusters.

    With x = 1/alpha it is N*log(K) + sum_j f(b_j, x/K) - sum over cells of f(n, x), f(m, y) = sum_{k<m} log(1 + k*y).
    """
    documents, clusters = len(table.documents), np.maximum(clusters, 1.0)
    number, filled = (np.bincount(sizes.document, sizes.times, documents) for sizes in (columns, cells))
    columns, cells = (SizeCounts(*(column[sizes.size > 1] for column in sizes)) for sizes in (columns, cells))
    held = np.concatenate([columns.document, cells.document])

    def excess(x: Floats) -> Floats:
        of_columns = columns.times * _rising(columns.size, x[:, columns.document] / clusters[columns.document])
        of_cells = cells.times * _rising(cells.size, x[:, cells.document])
        place = held + documents * np.arange(len(x))[:, None]
        terms = np.concatenate([of_columns, -of_cells], axis=1)
        return add_up(terms.ravel(), place.ravel(), x.size).reshape(x.shape)

    # without any excess at x = 0; at infinity it has a limit where each column has one cell
    limit = np.where(filled == number, -(table.common - number) * np.log(clusters), 0.0)
    least = np.minimum(np.minimum(limit, 0.0), _lowest(excess, table.common, len(held)))
    return np.asarray(table.common * np.log(clusters) + least)


def _lowest(function: Callable[[Floats], Floats], elements: Floats, terms: int) -> Floats:
    """The least value of a function of x, for each document: every dip of a grid of log(x), refined.

    The function takes and gives rows with a column for each document; a row costs so many ``terms``.
    """
    together = max(1, _AT_ONCE // max(1, terms))
    grid = (_GRID[start : start + together, None] for start in range(0, len(_GRID), together))
    values = np.concatenate([function(np.exp(points) * np.ones(len(elements))) for points in grid])
    before, inner, after = values[:-2], values[1:-1], values[2:]
    dips = (inner <= before) & (inner < after) & (np.maximum(before, after) - inner > _ROUNDED * elements)
    least = values.min(axis=0)
    for rank in range(int(dips.sum(axis=0).max(initial=0))):
        place = np.argmax(dips & (np.cumsum(dips, axis=0) == rank + 1), axis=0) + 1
        low, high = _GRID[place - 1], _GRID[place + 1]
        for _ in range(_ROUNDS):
            points = np.linspace(low, high, _POINTS)
            values = function(np.exp(points))
            best = values.argmin(axis=0).clip(1, _POINTS - 2)
            low, high = np.take_along_axis(points, np.array([best - 1, best + 1]), axis=0)
        least = np.minimum(least, values.min(axis=0))
    return np.asarray(least)


def _rising(size: Array, y: Floats) -> Floats:
    """log((1 + y)*(1 + 2*y)*...*(1 + (m-1)*y)), m the size: log(Gamma(m+t)/(Gamma(t)*t^m)) with t = 1/y.

    The logarithms of Gamma lose all digits where t is large: there the series of Stirling's formula is subtracted term
    by term.
    """
    from scipy.special import gammaln

    m, t = size.astype(np.float64), 1 / y
    v = m * y
    s = v / (2 + v)
    tail = np.zeros_like(v)
    for power in range(21, 1, -2):
        tail = (tail + 1 / power) * s * s
    # log(1 + v) - v, whose terms are almost the same where v is small
    less = np.where(s < 0.15, 2 * s * tail - v * s, np.log1p(v) - v)
    large = t * less + (m - 0.5) * np.log1p(v) + _stirling(t + m) - _stirling(t)
    near = np.minimum(t, _LARGE)
    return np.where(t >= _LARGE, large, gammaln(m + near) - gammaln(near) - m * np.log(near))


def _stirling(z: Floats) -> Floats:
    """What is missing from Stirling's formula for log(Gamma(z)), for large z."""
    u = 1 / z
    w = u * u
    return np.asarray(u * (1 / 12 - w * (1 / 360 - w * (1 / 1260 - w * (1 / 1680 - w / 1188)))))
