"""alphaMax-BCubed, for labels that are coarser than the clusters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from clusterscore.count.sums import Floats, divide
from clusterscore.count.table import Table
from clusterscore.distinct import Array, distinct, pack
from clusterscore.errors import MetricError
from clusterscore.metrics.balance import harmonic
from clusterscore.metrics.metric import Metric, Values, columns, number, word
from clusterscore.metrics.registry import register
from clusterscore.metrics.weights import WEIGHTS, element_weight


@register
@dataclass(frozen=True)
class AlphaMaxBCubed(Metric):
    """alphaMax-BCubed: BCubed that forgives a prediction for being finer than the labels, as far as it is.

    Clusters with the same majority label join one super-set (a cluster whose majority is tied stays alone). Precision
    and recall are BCubed's, moved towards those of the super-sets by eta.

    Formula:
        P_C, R_C of clusters, P_S, R_S of super-sets; u = P_S/P_C, v = R_C/R_S
        eta = min(u,alpha)/max(u,alpha) * min(v,alpha)/max(v,alpha); alpha = min(u,v) of each cell where "auto"
        P = (1/N) * sum over cells of n*[P_C + eta*(P_S - P_C)], R likewise, F of the two means
        alpha_hat = (1/N) * sum over cells of n*alpha, the estimated uncertainty of the labels

    Range:
        0 to 1. alpha=0 is exactly BCubed (of-means). It can fall below BCubed.

    Use it when:
        The labels name coarse classes and the clusters may rightly be finer, as in image or document collections.

    Options:
        alpha: "auto" (default), or one number from 0 to 1 for all.
        delta: None (default; unweighted), a number from 0 to 1, or "auto" for (N-1)/N: elements weigh by the
            inverse effective number of their label, against imbalance.
        delta_norm: "class" (default, Eq. 9 as printed) or "element" (normalised over elements; delta=0 is unweighted).
        beta: weight of recall in F (default 1).
        reading: "marginal" (default; gives the paper's tables), "own" or "majority".
        weights: as in bcubed, in the place of delta.

    Reference:
        alpha Max-B-CUBED (anonymous). Its Sec. 6 says that 1-alpha = 0 gives BCubed; it is alpha = 0 that does.

    Example:
        >>> import clusterscore as cs
        >>> score = cs.alphamax_bcubed(["A"] * 4 + ["B"] * 4, [0, 0, 1, 1, 2, 2, 3, 3])
        >>> score.precision, score.recall, score.alpha_hat
        (1.0, 0.75, 0.5)
    """

    alpha: float | str = "auto"
    delta: float | str | None = None
    delta_norm: str = "class"
    beta: float = 1.0
    reading: str = "marginal"
    weights: str | None = None

    name = "alphamax_bcubed"
    aliases = ("alphamax",)
    weighable = True

    def __post_init__(self) -> None:
        set_ = object.__setattr__
        if self.alpha != "auto":
            set_(self, "alpha", number(self.name, "alpha", self.alpha, 0, 1))
        if self.delta is not None and self.delta != "auto":
            set_(self, "delta", number(self.name, "delta", self.delta, 0, 1))
        set_(self, "beta", number(self.name, "beta", self.beta, 0))
        word(self.name, "delta_norm", self.delta_norm, ("class", "element"))
        word(self.name, "reading", self.reading, ("marginal", "own", "majority"))
        if self.weights is not None:
            word(self.name, "weights", self.weights, WEIGHTS)
            if self.delta is not None:
                raise MetricError(f"{self.name}: weights and delta both weigh the elements; give one of them")

    @property
    def parameters(self) -> dict[str, Any]:
        known = super().parameters
        if self.delta is None:
            known["delta"] = "none"
            del known["delta_norm"]
        return known

    @property
    def additive(self) -> bool:
        return self.delta != "auto" and self.weights != "effective"

    @property
    def wants_weights(self) -> bool:
        return self.weights == "given"

    def parts(self, table: Table) -> Floats:
        found = _READINGS[self.reading](table, _superset_cells(table), self.alpha)
        weight = self._weight(table)
        document = table.cell_document
        precision, recall, alpha = found
        sums = [table.add(terms, document) for terms in (weight * precision, weight * recall, weight)]
        return columns(*sums, table.add(table.n * alpha, document), table.common)

    def _weight(self, table: Table) -> Floats:
        if self.weights == "given":
            assert table.weight is not None
            return table.weight
        kind = "effective" if self.delta is not None else self.weights
        count = table.n.astype(np.float64)
        if kind is None:
            return count
        total = table.common
        elements = total[0] if table.cell_document is None else total[table.cell_document]
        delta = "auto" if self.delta is None else self.delta
        a = table.gold_size[table.gold]
        return np.asarray(count * element_weight(kind, a, elements, delta, self.delta_norm == "class"))

    def finish(self, parts: Floats) -> Values:
        precision, recall = divide(parts[:, :2], parts[:, 2:3], 0.0).T
        alpha_hat = divide(parts[:, 3], parts[:, 4], 0.0)
        share = 1 / (1 + self.beta**2)
        return Values(harmonic(precision, recall, share, 1 - share), precision, recall, {"alpha_hat": alpha_hat})


class _Joined(NamedTuple):
    """Super-sets: the one of each predicted cluster, and how many of a cell's label are in the cell's super-set."""

    superset: Array  # of each predicted cluster
    size: Array  # of each super-set
    group: Array  # of each cell: its (label, super-set)
    held: Array  # W of each group
    group_gold: Array
    group_superset: Array
    majority: Array  # the cells that decide their cluster's super-set


def _superset_cells(table: Table) -> _Joined:
    labels, clusters = len(table.gold_size), len(table.pred_size)
    largest = np.flatnonzero(table.n == table.largest("pred")[table.pred])
    decided = np.bincount(table.pred[largest], minlength=clusters) == 1
    majority = largest[decided[table.pred[largest]]]
    superset = labels + np.arange(clusters)  # a cluster of its own, unless one label has the majority
    superset[table.pred[majority]] = table.gold[majority]
    size = np.bincount(superset, table.pred_size, labels + clusters)
    cell_superset = superset[table.pred]
    found = distinct(*pack([(table.gold, labels), (cell_superset, labels + clusters)]), codes=True)
    assert found.codes is not None
    held = np.bincount(found.codes, table.n, len(found.keys))
    first = np.zeros(len(found.keys), np.int64)
    first[found.codes] = np.arange(len(found.codes))
    return _Joined(superset, size, found.codes, held, table.gold[first], cell_superset[first], majority)


def _eta(u: Floats, v: Floats, alpha: float | str) -> tuple[Floats, Floats]:
    if alpha == "auto":
        smaller = np.minimum(u, v)
        return smaller / np.maximum(u, v), smaller
    assert isinstance(alpha, float)
    if alpha == 0:
        return np.zeros_like(u), np.zeros_like(u)
    eta = np.minimum(u, alpha) / np.maximum(u, alpha) * (np.minimum(v, alpha) / np.maximum(v, alpha))
    return eta, np.full_like(u, alpha)


def _marginal(table: Table, joined: _Joined, alpha: float | str) -> tuple[Floats, Floats, Floats]:
    nn = table.n.astype(np.float64) ** 2
    ww = joined.held**2
    labels, clusters = len(table.gold_size), len(table.pred_size)
    a2, b2 = table.gold_size.astype(np.float64) ** 2, table.pred_size.astype(np.float64) ** 2
    p_c = np.bincount(table.pred, nn, clusters) / b2
    inside = np.bincount(joined.group_superset, ww, len(joined.size))[joined.superset]
    p_s = inside / joined.size[joined.superset] ** 2
    r_c = np.bincount(table.gold, nn, labels) / a2
    r_s = np.bincount(joined.group_gold, ww, labels) / a2
    eta, used = _eta((p_s / p_c)[table.pred], (r_c / r_s)[table.gold], alpha)
    precision = p_c[table.pred] + eta * (p_s - p_c)[table.pred]
    recall = r_c[table.gold] + eta * (r_s - r_c)[table.gold]
    return precision, recall, used


def _own_scores(table: Table, joined: _Joined) -> tuple[Floats, Floats, Floats, Floats]:
    n, held = table.n.astype(np.float64), joined.held[joined.group]
    a = table.gold_size[table.gold]
    return n / table.pred_size[table.pred], held / joined.size[joined.superset][table.pred], n / a, held / a


def _own(table: Table, joined: _Joined, alpha: float | str) -> tuple[Floats, Floats, Floats]:
    p_c, p_s, r_c, r_s = _own_scores(table, joined)
    eta, used = _eta(p_s / p_c, r_c / r_s, alpha)
    return p_c + eta * (p_s - p_c), r_c + eta * (r_s - r_c), used


def _majority(table: Table, joined: _Joined, alpha: float | str) -> tuple[Floats, Floats, Floats]:
    p_c, p_s, r_c, r_s = _own_scores(table, joined)
    # a tied cluster is its own super-set: eta changes nothing there, and "auto" finds alpha = 1
    eta_of = np.ones(len(table.pred_size))
    used_of = np.full(len(table.pred_size), 1.0 if alpha == "auto" else alpha)
    main = joined.majority
    eta_of[table.pred[main]], used_of[table.pred[main]] = _eta((p_s / p_c)[main], (r_c / r_s)[main], alpha)
    eta = eta_of[table.pred]
    return p_c + eta * (p_s - p_c), r_c + eta * (r_s - r_c), used_of[table.pred]


_READINGS = {"marginal": _marginal, "own": _own, "majority": _majority}
