"""Where a score was lost: by element, by cluster, by cell and by kind of error, from one count."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from operator import attrgetter
from typing import Any, Literal, Unpack

import numpy as np

from clusterscore.align.policies import CountOptions, dropped_note
from clusterscore.count.cells import Clusters
from clusterscore.count.counting import as_table
from clusterscore.count.counts import once
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
from clusterscore.metrics.elementwise import ElementScores, ScoresElements
from clusterscore.metrics.partitions import overlap_found
from clusterscore.overlap import between_clusters, cover_of
from clusterscore.pipeline.naming import listed, names_of
from clusterscore.pipeline.request import options_checked
from clusterscore.show.columns import Columns, LazyColumn

_MOST_ROWS = 2**31  # elements of a table that are listed one by one
_OF_CLUSTERS = ("overlap", "overlap_share", "parts", "precision", "recall", "f", "loss", "share")
_SIZES = ("gold_clusters", "pred_clusters", "gold_size", "pred_size")
_OF_ELEMENTS = ("gold", "pred", *_SIZES, *ElementScores._fields, "loss", "share")
_OF_CELLS = ("gold", "pred", "n", "gold_size", "pred_size", "kind", "precision", "recall", "f", "loss")


class Diagnosis:
    """One prediction against gold under a metric that scores elements; counted once, looked at from every side."""

    def __init__(self, metric: ScoresElements, table: Table):
        self.metric, self.table = metric, table
        self._memo: dict[tuple[Any, ...], Any] = {}

    @classmethod
    def of(
        cls, gold: Any, pred: Any = None, *, metric: str | Metric | None = None, weights: Any = None, **options: Any
    ) -> Diagnosis:
        """Count what a function was given: two clusterings, or a Table in their place."""
        chosen, numbers = scores_elements(metric).weighed(weights)
        options = {**options, **({} if numbers is None else {"weights": numbers})}
        table = as_table(gold, pred, members=True, **options)
        if metric is None and table.overlapping:
            chosen = scores_elements(None, overlapping=True).weighed(weights)[0]
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
        table = between_clusters(self.table)
        if side == "document":
            return listed(table.documents, np.arange(len(table.documents)))
        return _all_names(table.cells.side(side))

    @once
    def _labels(self, side: str) -> Array:
        """What the elements of each cell have for a label on a side: a cluster, or a frozenset of those they are in."""
        return _all_names(self.table.cells.side(side)) if self.table.overlapping else self._names(side)

    def elements(self) -> Columns:
        """A row per element, in their order."""
        table, members = self.table, self.table.members
        if table.elements > _MOST_ROWS:
            raise InputError(f"one row for {table.elements:,} elements does not fit memory; cs.score adds them up")
        loss = self.losses.loss / table.n
        if members is None:
            order = np.argsort(self._order.cell)
            return Columns(self._columns(np.repeat(order, table.n[order]), _OF_ELEMENTS, loss), self._notes)
        columns = self._columns(members.cell, _OF_ELEMENTS, loss)
        weights, ids, cell, lacking = members.pair.weights, members.pair.ids, members.cell, self.losses.lacking
        places = np.arange(len(cell))
        columns["element"] = places if ids is None else LazyColumn(ids.codes, lambda codes: listed(ids.names, codes))
        if weights is not None and self.metric.wants_weights:
            shares = weights / self.losses.weight
            columns["loss"] = LazyColumn(places, lambda rows: shares[rows] * lacking[cell[rows]])
            columns["share"] = LazyColumn(places, lambda rows: self.losses.share(columns["loss"][rows]))
        names = [name for name in ("document", "element", *_OF_ELEMENTS) if name in columns]
        return Columns({name: columns[name] for name in names}, self._notes)

    def clusters(self, side: str = "both") -> Columns:
        """A row per cluster of a side ("gold", "pred") or of both, the largest loss first."""
        one_of("side", side, SIDES)
        sides = ("gold", "pred") if side == "both" else (side,)
        parts = [ClusterSide(self.table, self.losses, self._order, each) for each in sides]
        began = self._order.document
        order = by_loss(
            np.concatenate([part.loss for part in parts]),
            np.concatenate([part.size for part in parts]),
            np.concatenate([2 * part.first + k for k, part in enumerate(parts)]),
            None if began is None else np.concatenate([began[part.document] for part in parts]),
        )

        def column(make: Callable[[ClusterSide], Array]) -> LazyColumn:
            return LazyColumn(order, lambda rows: np.concatenate([make(part) for part in parts])[rows])

        columns = {"side": LazyColumn(order, lambda rows: np.array(sides, object)[(rows >= len(parts[0])) * 1])}
        if began is not None:
            columns["document"] = column(lambda part: self._names("document")[part.document])
        columns["cluster"] = column(lambda part: self._names(part.side)[part.cluster])
        columns["size"] = column(lambda part: part.size)
        columns["best_match"] = column(lambda part: self._names(part.other)[part.best_match])
        known = [
            name for name in _OF_CLUSTERS if name not in ("precision", "recall") or getattr(parts[0], name) is not None
        ]
        columns |= {name: column(attrgetter(name)) for name in known}
        return Columns(columns, self._notes)

    def errors(self) -> Columns:
        """A row per kind of error."""
        self._refuse_overlap()
        rows = {"kind": np.array(KINDS, object), **kind_rows(self.table, self.kinds, self.losses)}
        return Columns(rows, self._notes)

    def error_cells(self) -> Columns:
        """A row per cell, the largest loss first."""
        self._refuse_overlap()
        began, loss = self._order.document, self.losses.loss
        order = by_loss(
            loss, self.table.n, self._order.cell, None if began is None else began[self.table.cells.document]
        )
        return Columns(self._columns(order, _OF_CELLS, loss), self._notes)

    @property
    def _notes(self) -> list[str]:
        return dropped_note(self.table.policy.missing, self.table.dropped)

    def _refuse_overlap(self) -> None:
        if self.table.overlapping:
            raise InputError(
                f"{overlap_found(self.table)[0]}, and the kinds of errors are those of partitions; cs.clusters and "
                "cs.elements show where the score of clusterings that overlap was lost"
            )

    def _columns(self, cells: Ints, names: Iterable[str], loss: Array) -> dict[str, Array | LazyColumn]:
        """Columns with a row for each of these cells, and the document first where there is one."""
        table, scores, document = self.table, self.losses.scores, self.table.cells.document
        make: dict[str, Callable[[Ints], Array]] = {
            "gold": lambda cell: self._labels("gold")[table.gold[cell]],
            "pred": lambda cell: self._labels("pred")[table.pred[cell]],
            "n": table.n.take,
            "gold_size": table.a.take,
            "pred_size": table.b.take,
            "kind": lambda cell: np.array(KINDS, object)[self.kinds[cell]],
            **{name: column.take for name, column in scores._asdict().items() if column is not None},
            "loss": loss.take,
            "share": lambda cell: self.losses.share(loss[cell]),
        }
        if table.overlapping:
            for name, side in zip(("gold", "pred"), cover_of(table).sides, strict=True):
                make |= {f"{name}_clusters": side.number.take, f"{name}_size": side.total(side.size).take}
        first = {} if document is None else {"document": LazyColumn(document[cells], self._names("document").take)}
        return {**first, **{name: LazyColumn(cells, make[name]) for name in names if name in make}}


def _all_names(clusters: Clusters) -> Array:
    return names_of(clusters.name, np.flatnonzero(clusters.size), len(clusters.size))


@options_checked
def elements(
    gold: Any, pred: Any = None, *, metric: str | Metric | None = None, **options: Unpack[CountOptions]
) -> Columns:
    """One row per element: its clusters and their sizes, tp, fp, fn, its own P, R and F, and what it costs the score.

    ``metric`` is one that scores elements, with parameters: ``elm`` (the default), ``bcubed``, or one that is made for
    clusterings that overlap, where ``matched_elm`` is the default. The ``loss`` of all elements adds up to 1 minus the
    score (of all documents together), and ``share`` is an element's part of that. ``rows.worst(20)`` are those that
    cost most. Of a Table, which does not know its elements, every cell gives as many rows as it counts.

    Where clusters overlap, ``gold`` and ``pred`` are a label, or the frozenset of the labels of an element that belongs
    to several clusters; ``gold_clusters`` and ``pred_clusters`` say to how many, ``gold_size`` and ``pred_size`` how
    many elements these hold, each cluster counted by itself.

    Returns:
        A row per element.

    >>> import clusterscore as cs
    >>> rows = cs.elements(["a", "a", "b"], ["x", "y", "y"], metric="bcubed")
    >>> rows["precision"].tolist()
    [1.0, 0.5, 0.5]
    >>> round(sum(rows["loss"].tolist()), 4), round(1 - cs.bcubed(["a", "a", "b"], ["x", "y", "y"]).f, 4)
    (0.3889, 0.3889)
    """
    return Diagnosis.of(gold, pred, metric=metric, **options).elements()


@options_checked
def clusters(
    gold: Any,
    pred: Any = None,
    *,
    metric: str | Metric | None = None,
    side: Literal["both", "gold", "pred"] = "both",
    **options: Unpack[CountOptions],
) -> Columns:
    """One row per gold and per predicted cluster, those that cost most first.

    Each row has the ``side`` and the name of the ``cluster``, its ``size``, the ``best_match`` (the cluster of the
    other side that shares most elements with it; of equal ones the smaller, then the first), how many elements they
    share (``overlap``), which part of the cluster that is (``overlap_share``: the purity of a predicted cluster, the
    inverse purity of a gold one), over how many clusters of the other side it lies (``parts``: a gold cluster was split
    into them, a predicted one merged of them), the mean P, R and F of its elements, their ``loss`` together, and its
    ``share`` of all loss. The losses of the gold clusters add up to 1 minus the score, and so do those of the predicted
    ones: where clusters overlap, those of a side share the loss of an element equally. Of clusters that cost the same
    the larger comes first, then that of the first element. ``side`` may be "gold" or "pred".

    Options:
        side: ``"gold"`` or ``"pred"`` for one side alone.

    Returns:
        A row per cluster, the largest loss first.

    >>> import clusterscore as cs
    >>> rows = cs.clusters(["a", "a", "a", "b", "b"], [1, 1, 2, 2, 2], side="gold")
    >>> rows["cluster"].tolist(), rows["best_match"].tolist(), rows["parts"].tolist()
    (['a', 'b'], [1, 2], [2, 1])
    """
    one_of("side", side, SIDES)  # before anything is counted
    return Diagnosis.of(gold, pred, metric=metric, **options).clusters(side)


@options_checked
def errors(
    gold: Any, pred: Any = None, *, metric: str | Metric | None = None, **options: Unpack[CountOptions]
) -> Columns:
    """One row per kind of error: how often it was made, and what it costs.

    A cell, the n elements that a gold cluster of a and a predicted cluster of b share, is of one kind:

    - ``exact``: both clusters are the same, n = a = b;
    - ``split``: the predicted cluster is a part of the gold one, n = b < a;
    - ``merge``: the gold cluster lies whole in a larger predicted one, n = a < b;
    - ``mixed``: both have other elements, n < a and n < b;
    - ``missed singleton``: a merge of a gold cluster of one element, 1 = a < b;
    - ``false singleton``: a split where the predicted cluster is one element, 1 = b < a.

    All six kinds are there, in this order, with their ``cells``, ``elements``, the ``gold_clusters`` and
    ``pred_clusters`` concerned, their ``loss``, which adds up to 1 minus the score, and its ``share`` of all loss. With
    f="mean" a loss is what the score would gain if the elements of these cells were right. The kinds are those of
    partitions: where clusters overlap there is an error.

    Returns:
        A row per kind of error.

    >>> import clusterscore as cs
    >>> rows = cs.errors(["a", "a", "a", "b", "b", "c"], [1, 1, 2, 2, 2, 3])
    >>> dict(zip(rows["kind"], rows["cells"].tolist()))
    {'exact': 1, 'split': 1, 'merge': 1, 'mixed': 1, 'missed singleton': 0, 'false singleton': 0}
    """
    return Diagnosis.of(gold, pred, metric=metric, **options).errors()


@options_checked
def error_cells(
    gold: Any, pred: Any = None, *, metric: str | Metric | None = None, **options: Unpack[CountOptions]
) -> Columns:
    """One row per cell, those that cost most first: both clusters, the ``n`` elements they share, and the ``kind``.

    The kinds are those of :func:`errors`. P, R and F are those of each element of the cell, ``loss`` is that of all.
    Of cells that cost the same the larger comes first.

    Returns:
        A row per cell, the largest loss first.

    >>> import clusterscore as cs
    >>> rows = cs.error_cells(["a", "a", "a", "b", "b", "c"], [1, 1, 2, 2, 2, 3])
    >>> rows["gold"].tolist(), rows["pred"].tolist(), rows["kind"].tolist()[:2]
    (['a', 'a', 'b', 'c'], [2, 1, 2, 3], ['mixed', 'split'])
    """
    return Diagnosis.of(gold, pred, metric=metric, **options).error_cells()
