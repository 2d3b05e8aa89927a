"""alphaMax-BCubed, for labels that are coarser than the clusters."""

from __future__ import annotations

from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np

from clusterscore.count.rows import Rows
from clusterscore.count.supersets import Supersets
from clusterscore.distinct import stretches
from clusterscore.metrics.balance import harmonic
from clusterscore.metrics.elementwise import Weights, cell_weight
from clusterscore.metrics.metric import Array, Floats, Limits, Metric, Need, Parts, Table, Values, divide, register


@register
class AlphaMaxBCubed(Metric):
    """alphaMax-BCubed: BCubed that forgives clusters for being finer than the labels.

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
        The labels are coarse classes and the clusters may rightly be finer, as in collections of images or documents.

    Options:
        alpha: "auto" (default), or one number from 0 to 1 for all.
        delta: None (default; unweighted), a number from 0 to 1, or "auto" for (N-1)/N: elements are weighted by the
            inverse effective number of their label, against imbalance.
        delta_norm: "class" (default, Eq. 9 as printed) or "element" (normalized over elements; delta=0 is unweighted).
        beta: weight of recall in F (default 1).
        reading: "marginal" (default; gives the paper's tables), "own" or "majority".
        weights: as in bcubed, instead of delta.

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
    group = "elements"
    aliases = ("alphamax",)
    limits: ClassVar[Limits] = {"alpha": (0, 1), "delta": (0, 1), "beta": (0, np.inf)}
    ignored: ClassVar = {"beta": {0.0: "recall"}}
    exclusive = (("weights", "delta"),)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.delta is None:  # nothing to normalize: one way to say it
            object.__setattr__(self, "delta_norm", "class")

    @property
    def parameters(self) -> dict[str, Any]:
        known = super().parameters
        if self.delta is None:
            known["delta"] = "none"
            del known["delta_norm"]
        return known

    @property
    def needs(self) -> frozenset[Need]:
        is_weighted = self.delta is not None or self.weights is not None
        return frozenset({("supersets", self.reading, is_weighted and self.reading == "marginal")})

    def parts(self, table: Table) -> Parts:
        ((_, *which),) = self.needs
        cells = table.supersets(*which)
        kind = self.weights if self.delta is None else "effective"

        def add(terms: Floats, rows: Rows | Supersets = cells) -> Floats:
            return table.add(terms, rows.document, rows.times)

        # without a super-set of several clusters it is BCubed; what the others gain is added to that
        weight, weights = cells.n, table.common
        if kind is not None:
            rows = table.rows()
            delta, per_class = "auto" if self.delta is None else self.delta, self.delta_norm == "class"
            weight, all_weight = (cell_weight(kind, table, some, delta, per_class) for some in (cells, rows))
            weights = add(all_weight, rows)
        terms = np.empty((5, len(cells.n)))
        for start, stop in stretches(len(cells.n)):
            here = slice(start, stop)
            some = cells.take(here)
            gains, of = _gains(some, self.reading, self.alpha), weight[here]
            terms[0, here] = gains.eta * of * (gains.p_s - gains.p_c)
            terms[1, here] = gains.eta * of * (gains.r_s - gains.r_c)
            terms[2, here] = some.n * (gains.alpha - 1)
            if kind is not None:
                terms[3, here], terms[4, here] = of * gains.p_c, of * gains.r_c
        if kind is None:
            precision, recall, _ = table.credits(0)
        elif self.reading == "marginal":
            precision, recall = add(terms[3]), add(terms[4])
        else:
            precision, recall = (add(all_weight * (rows.n / size), rows) for size in (rows.b, rows.a))
        return {
            "precision": precision + add(terms[0]),
            "recall": recall + add(terms[1]),
            "weights": weights,
            "alpha": table.common + add(terms[2]),
            "elements": table.common,
        }

    def finish(self, precision: Array, recall: Array, weights: Array, alpha: Array, elements: Array) -> Values:
        precision, recall = divide(precision, weights, 0.0), divide(recall, weights, 0.0)
        alpha_hat = divide(alpha, elements, 0.0) if self.alpha == "auto" else np.full(len(alpha), self.alpha)
        share = 1 / (1 + self.beta * self.beta)
        return Values(harmonic(precision, recall, share, 1 - share), precision, recall, {"alpha_hat": alpha_hat})


class _Gains(NamedTuple):
    """P and R of cells in their cluster and in its super-set, and how far they move from one to the other."""

    p_c: Floats
    p_s: Floats
    r_c: Floats
    r_s: Floats
    eta: Floats
    alpha: Floats


def _gains(cells: Supersets, reading: str, alpha: float | str) -> _Gains:
    """By the reading "marginal" P and R are those of whole clusters, else each cell has its own.

    By "majority" eta is that of the cluster's majority cell.
    """
    a, b, size = (column.astype(np.float64) for column in (cells.a, cells.b, cells.size))
    if reading == "marginal":
        p_c, p_s = _floats(cells.pred_nn) / b**2, _floats(cells.super_ww) / size**2
        r_c, r_s = _floats(cells.gold_nn) / a**2, _floats(cells.gold_ww) / a**2
    else:
        n, held = _floats(cells.n), _floats(cells.held)
        p_c, p_s, r_c, r_s = n / b, held / size, n / a, held / a
    u, v = p_s / p_c, r_c / r_s
    if reading == "majority":
        n, held = _floats(cells.main_n), _floats(cells.main_held)
        u, v = held / size / (n / b), n / held
    if alpha == "auto":
        used = np.minimum(u, v)
        eta = used / np.maximum(u, v)
    else:
        used = np.full(len(u), float(alpha))
        eta = np.minimum(u, used) / np.maximum(u, used) * (np.minimum(v, used) / np.maximum(v, used))
    return _Gains(p_c, p_s, r_c, r_s, eta, used)


def _floats(column: Array | None) -> Floats:
    assert column is not None
    return column.astype(np.float64)
