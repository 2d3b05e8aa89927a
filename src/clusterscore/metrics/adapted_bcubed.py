"""Adapted BCubed, for unbalanced data."""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np

from clusterscore.metrics.balance import harmonic
from clusterscore.metrics.elementwise import Weights, cell_weight
from clusterscore.metrics.metric import Array, Limits, Metric, Parts, Table, Values, divide, register


@register
class AdaptedBCubed(Metric):
    """Adapted BCubed: BCubed for unbalanced data: recall looks at larger groups than pairs, F favours precision.

    Formula:
        P = BCubed P
        R = (BCubed R) ** (order-1)                                     recall="power" (Eq. 5)
        R = (1/N) * sum over cells of n**order / a**(order-1)           recall="tuples" (Eq. 4)
        1/F = alpha/P + (1-alpha)/R

    Range:
        Above 0 to 1.

    Use it when:
        A few large classes occur together with many small ones, as in search-result clustering.

    Options:
        order: size of the tuples (default 3); 2 gives plain BCubed.
        alpha: weight of precision (default 0.9).
        recall: "power" (default) or "tuples".
        weights: as in bcubed.

    Reference:
        Moreno & Dias 2015, Adapted B-CUBED metrics to unbalanced datasets, SIGIR. Its tables print the recall of
        "tuples" with order 4 under |x|=3, and Eq. 2 seems to exchange P and R.

    Example:
        >>> import clusterscore as cs
        >>> cs.adapted_bcubed([0, 0, 0, 1], [0, 0, 1, 1]).f
        0.7017543859649122
    """

    order: float = 3
    alpha: float = 0.9
    recall: Literal["power", "tuples"] = "power"
    weights: Weights | None = None

    name = "adapted_bcubed"
    group = "elements"
    aliases = ("adapted",)
    limits: ClassVar[Limits] = {"order": (2, np.inf), "alpha": (0, 1)}
    ignored: ClassVar = {"alpha": {0.0: "precision", 1.0: "recall"}}

    def parts(self, table: Table) -> Parts:
        credits = table.credits(0)
        if self.weights is None and (self.recall == "power" or self.order == 2):
            return {"precision": credits.precision, "recall": credits.recall, "elements": table.common}
        rows = table.rows()
        weight = cell_weight(self.weights, table, rows)
        power = 1.0 if self.recall == "power" else self.order - 1
        terms = {"recall": weight * (rows.n / rows.a) ** power, "elements": weight}
        if self.weights is not None:
            terms["precision"] = weight * (rows.n / rows.b)
        sums = {name: table.add(column, rows.document, rows.times) for name, column in terms.items()}
        return {"precision": credits.precision, **sums}

    def finish(self, precision: Array, recall: Array, elements: Array) -> Values:
        precision, recall = divide(precision, elements, 0.0), divide(recall, elements, 0.0)
        if self.recall == "power":
            recall = np.asarray(recall ** (self.order - 1))
        return Values(harmonic(precision, recall, self.alpha, 1 - self.alpha), precision, recall)
