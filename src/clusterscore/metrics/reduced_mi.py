"""Reduced mutual information."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np

from clusterscore.count.rows import Sizes
from clusterscore.metrics.expected import SizeCounts, size_counts
from clusterscore.metrics.metric import Array, Floats, Metric, Parts, Table, Values, add_up, divide, register
from clusterscore.metrics.mutual_information import own_logs

_GRID = np.linspace(-20.0, 30.0, 101)  # of log(alpha)
_ROUNDS = 24  # each halves what is left of a step of the grid, down to 1e-7: the value is flat there
_ROUNDED = 1e-13  # of the cost: less is no dip
_AT_ONCE = 1 << 15  # terms worked on together
_LARGE = 16.0  # from here on the series of Stirling's formula is exact
_HALF_LOG = np.log(2 * np.pi) / 2


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
        whole, gold, pred, cells = (
            size_counts(table, sizes) for sizes in (together, *map(table.sizes, ("gold", "pred", "cell")))
        )
        number = {side: table.clusters(side) for side in ("gold", "pred", "cell")}
        logs = table.logs()
        saved = possible = np.zeros(len(table.documents))
        sides = [(gold, pred, number["gold"], logs.gold_alone), (pred, gold, number["pred"], logs.pred_alone)]
        for own, other, clusters, alone in sides if self.normalization == "mean" else sides[:1]:
            blind = _cost(table, whole, own, clusters, logs.shared + alone)
            saved = saved + blind - _cost(table, other, cells, clusters, alone)
            possible = possible + blind - own_logs(clusters)  # a table with one cell in each row costs the least
        identical = (number["gold"] == number["cell"]) & (number["pred"] == number["cell"])
        return {"saved": saved, "possible": possible, "elements": table.common, "identical": identical * 1.0}

    def finish(self, saved: Array, possible: Array, elements: Array, identical: Array) -> Values:
        if self.normalization is None:
            return Values(divide(saved, elements, 0.0))
        return Values(np.where(identical == 1, 1.0, np.minimum(divide(saved, possible, 0.0), 1.0)))


def _cost(table: Table, columns: SizeCounts, cells: SizeCounts, clusters: Floats, logs: Floats) -> Floats:
    """H(g|p) of each document, by the sizes of p's clusters (``columns``) and of cells, and the number of g's clusters.

    It is the least sum_j G(b_j, K*alpha) - sum over cells of G(n, alpha), G(m, t) = log(Gamma(m+t)/Gamma(t)). For alpha
    below N, m*log(m) is taken out of every G, and their sum is ``logs``, that of n*log(b/n) over cells: what remains is
    small, and nothing is lost where almost all is in one cell. From N up it is m*log(t), and the sum is N*log(K).
    """
    documents, clusters = len(table.documents), np.maximum(clusters, 1.0)
    number, filled = (np.bincount(sizes.document, sizes.times, documents) for sizes in (columns, cells))
    columns, cells = (SizeCounts(*(column[sizes.size > 1] for column in sizes)) for sizes in (columns, cells))
    held = np.concatenate([columns.document, cells.document])
    size, times = np.concatenate([columns.size, cells.size]) * 1.0, np.concatenate([columns.times, -cells.times])
    scale = np.concatenate([clusters[columns.document], np.ones(len(cells.size))])
    alone = number - np.bincount(columns.document, columns.times, documents)  # columns of one element
    more = number - filled - np.bincount(held, times, documents)  # so many more than cells of one, where G is log(t)
    spread = table.common * np.log(clusters)  # what it is where alpha is infinite

    def cost(alpha: Floats) -> Floats:
        near = alpha < table.common
        terms = times * _rising(size, alpha[:, held] * scale, near[:, held])
        place = held + documents * np.arange(len(alpha))[:, None]
        small = logs + alone * np.log(clusters) + more * (np.log(alpha) + 1)
        return np.where(near, small, spread) + add_up(terms.ravel(), place.ravel(), alpha.size).reshape(alpha.shape)

    # at 0 it has a limit where each column has one cell
    limit = np.where(filled == number, number * np.log(clusters), spread)
    return np.asarray(np.minimum(np.minimum(limit, spread), _lowest(cost, table.common, len(held))))


def _lowest(function: Callable[[Floats], Floats], elements: Floats, terms: int) -> Floats:
    """The least value of a function of alpha, for each document: every dip of a grid of log(alpha), refined.

    The function takes and gives rows with a column for each document; a row costs so many ``terms``.
    """
    together = max(1, _AT_ONCE // max(1, terms))
    grid = (_GRID[start : start + together, None] for start in range(0, len(_GRID), together))
    values = np.concatenate([function(np.exp(points) * np.ones(len(elements))) for points in grid])
    before, inner, after = values[:-2], values[1:-1], values[2:]
    dips = (inner <= before) & (inner < after) & (np.maximum(before, after) - inner > _ROUNDED * inner)
    least = values.min(axis=0)
    for rank in range(int(dips.sum(axis=0).max(initial=0))):
        place = np.argmax(dips & (np.cumsum(dips, axis=0) == rank + 1), axis=0) + 1
        low, high = _GRID[place - 1], _GRID[place + 1]
        for _ in range(_ROUNDS):
            points = np.linspace(low, high, 5)
            values = function(np.exp(points[1:-1]))
            best = values.argmin(axis=0)
            low, high = np.take_along_axis(points, np.array([best, best + 2]), axis=0)
        least = np.minimum(least, values.min(axis=0))
    return np.asarray(least)


def _rising(m: Floats, t: Floats, near: Array) -> Floats:
    """log(Gamma(m+t)/Gamma(t)) without m*log(m) - m where it is ``near``, and without m*log(t) elsewhere."""
    m, far = np.broadcast_to(m, t.shape), ~near
    v = m / t
    log = np.log1p(v)
    large = t * log + m * np.log1p(1 / v)
    large[far] = t[far] * _log1p_less(v[far]) + m[far] * log[far]
    return np.asarray(large - log / 2 + _stirling(t + m) - _stirling(t))


def _log1p_less(v: Floats) -> Floats:
    """log(1 + v) - v, by a series where the two are almost the same."""
    s = v / (2 + v)
    tail = np.zeros_like(v)
    for power in range(21, 1, -2):
        tail = (tail + 1 / power) * s * s
    return np.where(s < 0.15, 2 * s * tail - v * s, np.log1p(v) - v)


def _stirling(z: Floats) -> Floats:
    """What is missing from Stirling's formula for log(Gamma(z))."""
    from scipy.special import gammaln

    u = 1 / z
    w = u * u
    missing = np.asarray(u * (1 / 12 - w * (1 / 360 - w * (1 / 1260 - w * (1 / 1680 - w / 1188)))))
    small = z < _LARGE
    z = z[small]
    missing[small] = gammaln(z) - (z - 0.5) * np.log(z) + z - _HALF_LOG
    return missing
