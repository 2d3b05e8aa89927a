"""Elements weighed so that all gold clusters weigh the same: what the class-balanced measures are made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np

from clusterscore.count.rows import Logs, above_chance
from clusterscore.count.sums import add_up
from clusterscore.metrics.metric import Array, Floats, Metric, Need, Parts, Table
from clusterscore.metrics.mutual_information import InformationMetric, own_logs


class ClassShares(NamedTuple):
    """A gold cluster weighs 1: the share of it in each cell, and the share that is elsewhere.

    ``pred`` is what the predicted cluster of a cell weighs, and ``others`` what it lacks of the weight of everything.
    """

    cell: Floats
    elsewhere: Floats
    pred: Floats
    others: Floats
    met: Floats  # how many gold clusters the predicted one meets
    classes: Floats  # gold clusters of each document
    document: Array | None

    def add(self, terms: Floats) -> Floats:
        """Numbers of the cells added up for each document."""
        return add_up(terms, self.document, len(self.classes))

    def logs(self) -> Logs:
        """What the information measures are made of: see :func:`clusterscore.count.rows.log_sums`."""
        classes = self.classes[0] if self.document is None else self.classes[self.document]
        shared = above_chance(self.cell, np.ones(len(self.cell)), self.pred, classes)
        empty = self.add(self.cell * (classes - self.met)) / np.maximum(self.classes, 1.0)
        gold = self.cell * np.log1p((self.pred - self.cell) / self.cell)
        pred = self.cell * np.log1p(self.elsewhere / self.cell)
        return Logs(self.add(shared) + empty, self.add(gold), self.add(pred))


def class_shares(table: Table) -> ClassShares:
    """The shares of a table's cells."""
    number, document, classes = len(table.pred_size), table.cells.document, table.clusters("gold")
    cell, elsewhere = table.n / table.a, (table.a - table.n) / table.a
    weight, missed, met = (add_up(terms, table.pred, number)[table.pred] for terms in (cell, elsewhere, cell > 0))
    others = missed + ((classes[0] if document is None else classes[document]) - met)
    return ClassShares(cell, elsewhere, weight, others, met, classes, document)


@dataclass(frozen=True)
class ClassWeighted(Metric):
    """A measure with the parameter ``weights``: None, or "class"."""

    weights: Literal["class"] | None = None

    @property
    def needs(self) -> frozenset[Need]:
        """The weights of predicted clusters are sums over single cells, which an engine does not send."""
        return frozenset() if self.weights is None else frozenset({("cells",)})


@dataclass(frozen=True)
class ClassWeightedInformation(ClassWeighted, InformationMetric):
    """A measure of entropies, of elements or of these weights."""

    def parts(self, table: Any) -> Parts:  # Sums, and with weights a Table
        if self.weights is None:
            return super().parts(table)
        share = class_shares(table)
        return {**share.logs()._asdict(), "documents": own_logs(share.classes), "elements": share.classes}
