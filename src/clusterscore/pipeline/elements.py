"""One row per element: what each of them gets, and why."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from clusterscore.align.match import align
from clusterscore.align.policies import check_options
from clusterscore.count.arrays import count_with_cells
from clusterscore.count.table import Table
from clusterscore.distinct import Array
from clusterscore.errors import InputError, MetricError
from clusterscore.metrics import Metric, as_table, metric, registered
from clusterscore.metrics.elementwise import ElementWise
from clusterscore.show.columns import Columns

_MOST_ROWS = 2**31  # elements of a table that are listed one by one


def elements(gold: Any, pred: Any = None, *, metric: str | Metric = "elm", **options: Any) -> Columns:
    """One row per element: its clusters and their sizes, tp, fp, fn, and its own P, R and F.

    ``metric`` is one that scores elements: ``elm`` or ``bcubed``, with parameters. Of a Table, which does not know its
    elements, every cell gives as many rows as it counts.

    >>> import clusterscore as cs
    >>> rows = cs.elements(["a", "a", "b"], ["x", "y", "y"], metric="bcubed")
    >>> rows["precision"].tolist()
    [1.0, 0.5, 0.5]
    """
    chosen = parse_elementwise(metric)
    ids: Array | None = None
    if isinstance(gold, Table):
        table = as_table(gold, pred, **options)
        chosen.check(table)
        if table.elements > _MOST_ROWS:
            raise InputError(f"one row for {table.elements:,} elements does not fit memory; cs.score adds them up")
        cell = np.repeat(np.arange(len(table.n)), table.n)
    else:
        check_options(options)
        pair = align(gold, pred, **options)
        table, codes = count_with_cells(pair, cells=True)
        chosen.check(table)
        assert codes is not None
        cell = codes
        if pair.ids is not None:
            ids = _named(pair.ids.name, pair.ids.codes)
    gold_cluster, pred_cluster = table.gold[cell], table.pred[cell]
    a, b = table.gold_size[gold_cluster], table.pred_size[pred_cluster]
    scores = chosen.elements(table.n[cell], a, b)
    columns: dict[str, Array] = {}
    if table.cell_document is not None:
        columns["document"] = _named(table.documents.__getitem__, table.cell_document[cell])
    if not isinstance(gold, Table):
        columns["element"] = np.arange(len(cell)) if ids is None else ids
    columns["gold"] = _named(table.gold_name, gold_cluster)
    columns["pred"] = _named(table.pred_name, pred_cluster)
    columns["gold_size"], columns["pred_size"] = a, b
    return Columns({**columns, **scores._asdict()})


def parse_elementwise(name: str | Metric) -> ElementWise:
    """The metric, if it gives every element a score of its own."""
    chosen = metric(name)
    if not isinstance(chosen, ElementWise):
        able = ", ".join(kind.name for kind in registered() if issubclass(kind, ElementWise))
        raise MetricError(f"{chosen.name} does not score single elements; those that do: {able}")
    if chosen.adjusted:
        raise MetricError(f"{chosen} takes chance from the score of all elements, not of each; leave adjusted out")
    return chosen


def _named(name: Callable[[int], Any], codes: Array) -> Array:
    """The names of codes; each looked up once."""
    used, where = np.unique(codes, return_inverse=True)
    names = [name(code) for code in used.tolist()]
    if names and {type(one) for one in names} == {int}:
        try:
            return np.array(names, np.int64)[where]
        except OverflowError:
            pass
    column = np.empty(len(names), object)
    column[:] = names
    return np.asarray(column[where])
