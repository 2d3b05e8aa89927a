"""Where a score was lost: by element, by cluster, by cell and by kind of error, from one count."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from operator import attrgetter
from typing import Any

import numpy as np

from clusterscore.count.counting import as_table
from clusterscore.count.table import Table
from clusterscore.diagnose import (
    KINDS,
    SIDES,
    ClusterSide,
    Losses,
    Order,
    by_loss,
    kind_rows,
    kinds_of,
    losses_of,
    scores_elements,
)
from clusterscore.distinct import Array, Ints
from clusterscore.exceptions import InputError, one_of
from clusterscore.metrics import Metric, Score
from clusterscore.metrics.elementwise import ElementScores, ElementWise
from clusterscore.pipeline.naming import listed, names_of
from clusterscore.read.labels import Labels
from clusterscore.remember import once
from clusterscore.show.columns import Columns, LazyColumn

_MOST_ROWS = 2**31  # elements of a table that are listed one by one
_OF_CLUSTERS = ("overlap", "share", "parts", "precision", "recall", "f", "loss")


class Diagnosis:
    """One prediction against gold under a metric that scores elements; counted once, looked at from every side."""

    def __init__(self, metric: ElementWise, table: Table):
        self.metric, self.table = metric, table
        self._memo: dict[tuple[Any, ...], Any] = {}

    @classmethod
    def of(
        cls, gold: Any, pred: Any = None, *, metric: str | Metric = "elm", weights: Any = None, **options: Any
    ) -> Diagnosis:
        """Count what a function was given: two clusterings, or a Table in their place."""
        chosen, numbers = scores_elements(metric).weighed(weights)
        options = {**options, **({} if numbers is None else {"weights": numbers})}
        table = as_table(gold, pred, members=True, **options)
        chosen = chosen.on(table)
        chosen.check(table)
        return cls(chosen, table)

    @cached_property
    def score(self) -> Score:
        """The score of all documents together; what it lacks of 1 is what all losses add up to."""
        return self.metric.score(self.table)

    @cached_property
    def losses(self) -> Losses:
        """What is lost in each cell."""
        return losses_of(self.metric, self.table)

    @cached_property
    def kinds(self) -> Ints:
        """The kind of each cell, as its place in KINDS."""
        return kinds_of(self.table.n, self.table.a, self.table.b)

    @cached_property
    def _order(self) -> Order:
        members = self.table.members
        return Order.of(self.table, None if members is None else members.cell)

    @once
    def _names(self, side: str) -> Array:
        """The names of all clusters of a side, or of all documents, by their numbers."""
        table = self.table
        if side == "document":
            return listed(table.documents, np.arange(len(table.documents)))
        name, sizes = (table.gold_name, table.gold_size) if side == "gold" else (table.pred_name, table.pred_size)
        return names_of(name, np.flatnonzero(sizes), len(sizes))

    def elements(self) -> Columns:
        """A row per element, in their order."""
        table, count = self.table, self.table.elements
        if count > _MOST_ROWS:
            raise InputError(f"one row for {count:,} elements does not fit memory; cs.score adds them up")
        members = table.members
        cell = self._cells_in_order() if members is None else members.cell
        columns: dict[str, Array | LazyColumn] = {}
        if table.cell_document is not None:
            columns["document"] = self._named("document", table.cell_document, cell)
        if members is not None:
            ids = members.pair.ids
            columns["element"] = np.arange(count) if ids is None else self._element_names(ids)
        columns["gold"], columns["pred"] = self._named("gold", table.gold, cell), self._named("pred", table.pred, cell)
        columns["gold_size"], columns["pred_size"] = _picked(table.a, cell), _picked(table.b, cell)
        columns |= {name: self._scored(name, cell) for name in ElementScores._fields}
        return Columns({**columns, "loss": self._element_losses(cell)})

    def _cells_in_order(self) -> Ints:
        order = np.argsort(self._order.cell)
        return np.repeat(order, self.table.n[order])

    def _element_names(self, ids: Labels) -> LazyColumn:
        return LazyColumn(len(ids.codes), lambda rows: listed(ids.names, ids.codes[rows]))

    def _element_losses(self, cell: Ints) -> Array | LazyColumn:
        losses, members = self.losses, self.table.members
        weights = None if members is None else members.pair.weights
        if weights is None or self.metric.weights != "given":
            return _picked(losses.loss / self.table.n, cell)
        return LazyColumn(len(cell), lambda rows: weights[rows] * losses.lacking[cell[rows]] / losses.weight)

    def clusters(self, side: str = "both") -> Columns:
        """A row per cluster of a side ("gold", "pred") or of both, the largest loss first."""
        one_of("side", side, SIDES)
        sides = ("gold", "pred") if side == "both" else (side,)
        parts = [ClusterSide(self.table, self.losses, self._order, each) for each in sides]
        began = self._order.document
        order = by_loss(
            np.concatenate([part.loss for part in parts]),
            np.concatenate([2 * part.first + k for k, part in enumerate(parts)]),
            None if began is None else np.concatenate([began[part.document] for part in parts]),
        )

        def column(make: Callable[[ClusterSide], Array]) -> LazyColumn:
            return LazyColumn(len(order), lambda rows: np.concatenate([make(part) for part in parts])[order[rows]])

        columns = {
            "side": LazyColumn(len(order), lambda rows: np.array(sides, object)[(order[rows] >= len(parts[0])) * 1])
        }
        if began is not None:
            columns["document"] = column(lambda part: self._names("document")[part.document])
        columns["cluster"] = column(lambda part: self._names(part.side)[part.cluster])
        columns["size"] = column(lambda part: part.size)
        columns["best_match"] = column(lambda part: self._names(part.other)[part.best_match])
        columns |= {name: column(attrgetter(name)) for name in _OF_CLUSTERS}
        return Columns(columns)

    def errors(self) -> Columns:
        """A row per kind of error."""
        return Columns({"kind": np.array(KINDS, object), **kind_rows(self.table, self.kinds, self.losses.loss)})

    def error_cells(self) -> Columns:
        """A row per cell, the largest loss first."""
        table, losses, began = self.table, self.losses, self._order.document
        document = table.cell_document
        order = by_loss(losses.loss, self._order.cell, None if began is None else began[document])
        columns = {} if document is None else {"document": self._named("document", document, order)}
        columns |= {side: self._named(side, getattr(table, side), order) for side in ("gold", "pred")}
        columns |= {"n": _picked(table.n, order), "gold_size": _picked(table.a, order)}
        columns["pred_size"] = _picked(table.b, order)
        columns["kind"] = LazyColumn(len(order), lambda rows: np.array(KINDS, object)[self.kinds[order[rows]]])
        columns |= {name: self._scored(name, order) for name in ("precision", "recall", "f")}
        return Columns({**columns, "loss": _picked(losses.loss, order)})

    def _named(self, side: str, numbers: Array, index: Ints) -> LazyColumn:
        return LazyColumn(len(index), lambda rows: self._names(side)[numbers[index[rows]]])

    def _scored(self, name: str, index: Ints) -> LazyColumn:
        return LazyColumn(len(index), lambda rows: getattr(self.losses.scores, name)[index[rows]])


def _picked(values: Array, index: Ints) -> LazyColumn:
    return LazyColumn(len(index), lambda rows: values.take(index[rows]))
