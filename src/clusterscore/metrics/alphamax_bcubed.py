"""alphaMax-BCubed, for labels that are coarser than the clusters."""

from __future__ import annotations

from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np

from clusterscore.count.rows import Rows
from clusterscore.count.supersets import Supersets
from clusterscore.exceptions import MetricError
from clusterscore.metrics.balance import harmonic
from clusterscore.metrics.elementwise import Weights, cell_weight
from clusterscore.metrics.metric import Array, Floats, Limits, Metric, Need, Parts, Table, Values, divide, register


@register
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

    alpha: float | Literal["auto"] = "auto"
    delta: float | Literal["auto"] | None = None
    delta_norm: Literal["class", "element"] = "class"
    beta: float = 1.0
    reading: Literal["marginal", "own", "majority"] = "marginal"
    weights: Weights | None = None

    name = "alphamax_bcubed"
    aliases = ("alphamax",)
    limits: ClassVar[Limits] = {"alpha": (0, 1), "delta": (0, 1), "beta": (0, np.inf)}

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.delta is None:  # nothing to normalise: one way to say it
            object.__setattr__(self, "delta_norm", "class")
        if self.weights is not None and self.delta is not None:
            raise MetricError(f"{self.name}: weights and delta both weigh the elements; give one of them")

    @property
    def parameters(self) -> dict[str, Any]:
        known = super().parameters
        if self.delta is None:
            known["delta"] = "none"
            del known["delta_norm"]
        return known

    @property
    def needs(self) -> frozenset[Need]:
        return frozenset({("supersets", self.reading, self._kind is not None and self.reading == "marginal")})

    @property
    def _kind(self) -> str | None:
        return "effective" if self.delta is not None else self.weights

    def parts(self, table: Table) -> Parts:
        kind = self._kind
        cells = table.supersets(self.reading, kind is not None and self.reading == "marginal")
        gains = _READINGS[self.reading](cells, self.alpha)

        def add(terms: Floats, rows: Rows | Supersets = cells) -> Floats:
            return table.add(terms, rows.document, rows.times)

        # without a super-set of several clusters it is BCubed; what the others gain is added to that
        if kind is None:
            credits = table.credits(0)
            precision, recall, weights = credits.precision, credits.recall, table.common
            gain = gains.eta * cells.n
        else:
            rows = table.rows()
            weight, weight_here = self._weight(table, rows), self._weight(table, cells)
            weights, gain = add(weight, rows), gains.eta * weight_here
            if self.reading == "marginal":
                precision, recall = add(weight_here * gains.p_c), add(weight_here * gains.r_c)
            else:
                precision, recall = (add(weight * (rows.n / size), rows) for size in (rows.b, rows.a))
        alpha = table.common
        if self.alpha == "auto":
            alpha = alpha + add(cells.n * (gains.alpha - 1))
        precision, recall = precision + add(gain * gains.precision), recall + add(gain * gains.recall)
        sums = {"precision": precision, "recall": recall, "weights": weights}
        return {**sums, "alpha": alpha, "elements": table.common}

    def _weight(self, table: Table, cells: Rows | Supersets) -> Floats:
        delta = "auto" if self.delta is None else self.delta
        return cell_weight(self._kind, table, cells, delta, self.delta_norm == "class")

    def finish(self, precision: Array, recall: Array, weights: Array, alpha: Array, elements: Array) -> Values:
        precision, recall = divide(precision, weights, 0.0), divide(recall, weights, 0.0)
        alpha_hat = divide(alpha, elements, 0.0) if self.alpha == "auto" else np.full(len(alpha), self.alpha)
        share = 1 / (1 + self.beta * self.beta)
        return Values(harmonic(precision, recall, share, 1 - share), precision, recall, {"alpha_hat": alpha_hat})


class _Gains(NamedTuple):
    """What cells gain by their super-set."""

    p_c: Floats
    r_c: Floats
    precision: Floats  # P_S - P_C
    recall: Floats  # R_S - R_C
    eta: Floats
    alpha: Floats


def _eta(u: Floats, v: Floats, alpha: float | str) -> tuple[Floats, Floats]:
    if alpha == "auto":
        smaller = np.minimum(u, v)
        return smaller / np.maximum(u, v), smaller
    assert isinstance(alpha, float)
    if alpha == 0:
        return np.zeros_like(u), np.zeros_like(u)
    eta = np.minimum(u, alpha) / np.maximum(u, alpha) * (np.minimum(v, alpha) / np.maximum(v, alpha))
    return eta, np.full_like(u, alpha)


def _marginal(cells: Supersets, alpha: float | str) -> _Gains:
    """P is that of the whole cluster or super-set, R that of the whole gold cluster."""
    a, b, size = (column.astype(np.float64) ** 2 for column in (cells.a, cells.b, cells.size))
    p_c, p_s, r_c, r_s = (
        _floats(top) / bottom
        for top, bottom in ((cells.pred_nn, b), (cells.super_ww, size), (cells.gold_nn, a), (cells.gold_ww, a))
    )
    return _Gains(p_c, r_c, p_s - p_c, r_s - r_c, *_eta(p_s / p_c, r_c / r_s, alpha))


def _own(cells: Supersets, alpha: float | str) -> _Gains:
    """Each cell has its own P and R."""
    n, held = _floats(cells.n), _floats(cells.held)
    p_c, p_s = n / cells.b, held / cells.size
    return _Gains(p_c, n / cells.a, p_s - p_c, (held - n) / cells.a, *_eta(p_s / p_c, n / held, alpha))


def _majority(cells: Supersets, alpha: float | str) -> _Gains:
    """As ``own``, but eta is that of the cluster's majority cell."""
    n, held = _floats(cells.main_n), _floats(cells.main_held)
    eta, used = _eta(held / cells.size / (n / cells.b), n / held, alpha)
    return _own(cells, alpha)._replace(eta=eta, alpha=used)


def _floats(column: Array | None) -> Floats:
    assert column is not None
    return column.astype(np.float64)


_READINGS = {"marginal": _marginal, "own": _own, "majority": _majority}
