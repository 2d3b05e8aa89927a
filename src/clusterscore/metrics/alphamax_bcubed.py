"""alphaMax-BCubed, for labels that are coarser than the clusters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from clusterscore.count.sums import Floats, divide
from clusterscore.count.table import Table
from clusterscore.distinct import Array, Distinct, distinct
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
        if self.delta is None:  # nothing to normalise: one way to say it
            set_(self, "delta_norm", "class")
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
        joined = _joined(table)
        gains = _READINGS[self.reading](table, joined, self.alpha)
        weight, document = self._weight(table), table.cell_document
        # without a super-set of several clusters it is BCubed; what the others gain is added to that
        if weight is None:
            (precision, recall, _), total = table.credits(0).T, table.common
        else:
            precision, recall = _plain(table, weight, self.reading)
            total = table.add(weight, document)
        alpha = table.common * (1.0 if isinstance(self.alpha, str) else self.alpha)
        if len(gains.cells):
            here = None if document is None else document[gains.cells]
            n = table.n[gains.cells]
            counts = gains.eta * (n if weight is None else weight[gains.cells])
            precision = precision + table.add(counts * gains.precision, here)
            recall = recall + table.add(counts * gains.recall, here)
            if self.alpha == "auto":
                alpha = alpha - table.add(n * (1 - gains.alpha), here)
        return columns(precision, recall, total, alpha, table.common)

    def _weight(self, table: Table) -> Floats | None:
        if self.weights == "given":
            return table.weight
        kind = "effective" if self.delta is not None else self.weights
        if kind is None:
            return None
        total = table.common
        elements = total[0] if table.cell_document is None else total[table.cell_document]
        delta = "auto" if self.delta is None else self.delta
        return np.asarray(table.n * element_weight(kind, table.a, elements, delta, self.delta_norm == "class"))

    def finish(self, parts: Floats) -> Values:
        precision, recall = divide(parts[:, :2], parts[:, 2:3], 0.0).T
        alpha_hat = divide(parts[:, 3], parts[:, 4], 0.0)
        share = 1 / (1 + self.beta * self.beta)
        return Values(harmonic(precision, recall, share, 1 - share), precision, recall, {"alpha_hat": alpha_hat})


class _Joined(NamedTuple):
    """Super-sets, and the cells in those of several clusters: elsewhere super-set and cluster are the same."""

    superset: Array  # of each predicted cluster
    size: Floats  # of each super-set
    majority: Array  # the cell that decides its cluster's super-set, for every cluster that has one
    cells: Array  # in super-sets of several clusters
    groups: Distinct  # their (label, super-set); its counts are W


class _Gains(NamedTuple):
    """What some cells gain by their super-set; all others gain nothing and have alpha = 1."""

    cells: Array
    precision: Floats  # P_S - P_C
    recall: Floats  # R_S - R_C
    eta: Floats
    alpha: Floats


def _joined(table: Table) -> _Joined:
    labels, clusters = len(table.gold_size), len(table.pred_size)
    largest = (table.n == table.largest("pred").take(table.pred)).nonzero()[0]
    holder = table.pred.take(largest)
    decided = (np.bincount(holder, minlength=clusters) == 1).take(holder)
    majority, holder = largest[decided], holder[decided]
    superset = labels + np.arange(clusters)  # a cluster of its own, unless one label has the majority
    superset[holder] = table.gold.take(majority)
    size = np.bincount(superset, table.pred_size, labels + clusters).astype(np.float64)
    together = (np.bincount(superset, minlength=labels + clusters) > 1).take(superset)
    cells = together.take(table.pred).nonzero()[0]
    pred = table.pred[cells]
    columns = (table.gold[cells], labels), (superset[pred], labels + clusters)
    return _Joined(superset, size, majority, cells, distinct(*columns, codes=True, times=table.n[cells]))


def _eta(u: Floats, v: Floats, alpha: float | str) -> tuple[Floats, Floats]:
    if alpha == "auto":
        smaller = np.minimum(u, v)
        return smaller / np.maximum(u, v), smaller
    assert isinstance(alpha, float)
    if alpha == 0:
        return np.zeros_like(u), np.zeros_like(u)
    eta = np.minimum(u, alpha) / np.maximum(u, alpha) * (np.minimum(v, alpha) / np.maximum(v, alpha))
    return eta, np.full_like(u, alpha)


def _plain(table: Table, weight: Floats, reading: str) -> tuple[Floats, Floats]:
    """The weighted sums of P_C and R_C over cells."""
    if reading == "marginal":
        p_c, r_c = _cluster_means(table)
        columns = p_c.take(table.pred), r_c.take(table.gold)
    else:
        columns = table.n / table.b, table.n / table.a
    precision, recall = (table.add(weight * column, table.cell_document) for column in columns)
    return precision, recall


def _cluster_means(table: Table) -> tuple[Floats, Floats]:
    """P_C of each predicted and R_C of each gold cluster."""
    nn = table.n.astype(np.float64) ** 2
    # a cluster number that nobody uses has size 0, and no cell looks it up
    a, b = (np.maximum(size, 1).astype(np.float64) for size in (table.gold_size, table.pred_size))
    return np.bincount(table.pred, nn, len(b)) / b**2, np.bincount(table.gold, nn, len(a)) / a**2


def _marginal(table: Table, joined: _Joined, alpha: float | str) -> _Gains:
    p_c, r_c = _cluster_means(table)
    ww = joined.groups.counts.astype(np.float64) ** 2
    nn = table.n[joined.cells].astype(np.float64) ** 2
    # of the labels of those cells the recall changes in all their cells
    moved = np.bincount(joined.groups.column(0), ww, len(r_c))
    moved -= np.bincount(table.gold[joined.cells], nn, len(r_c))
    touched = np.zeros(len(r_c), np.bool_)
    touched[table.gold[joined.cells]] = True
    inside = np.zeros(len(p_c), np.bool_)
    inside[table.pred[joined.cells]] = True
    cells = (touched.take(table.gold) | inside.take(table.pred)).nonzero()[0]
    gold, pred = table.gold[cells], table.pred[cells]
    superset = joined.superset[pred]
    p_s = np.bincount(joined.groups.column(1), ww, len(joined.size))[superset] / joined.size[superset] ** 2
    p_c, r_c = p_c[pred], r_c[gold]
    p_s = np.where(inside[pred], p_s, p_c)
    r_s = r_c + moved[gold] / table.a[cells].astype(np.float64) ** 2
    return _Gains(cells, p_s - p_c, r_s - r_c, *_eta(p_s / p_c, r_c / r_s, alpha))


def _own(table: Table, joined: _Joined, alpha: float | str) -> _Gains:
    cells = joined.cells
    n, a, b = table.n[cells], table.a[cells], table.b[cells]
    held, size = joined.groups.counts[joined.groups.codes], joined.size[joined.superset[table.pred[cells]]]
    p_s = held / size
    return _Gains(cells, p_s - n / b, (held - n) / a, *_eta(p_s / (n / b), n / held, alpha))


def _majority(table: Table, joined: _Joined, alpha: float | str) -> _Gains:
    own = _own(table, joined, alpha)
    eta, used = np.ones(len(table.pred_size)), np.ones(len(table.pred_size))
    decides = np.isin(own.cells, joined.majority)
    main = table.pred[own.cells[decides]]
    eta[main], used[main] = own.eta[decides], own.alpha[decides]
    pred = table.pred[own.cells]
    return own._replace(eta=eta[pred], alpha=used[pred])


_READINGS = {"marginal": _marginal, "own": _own, "majority": _majority}
