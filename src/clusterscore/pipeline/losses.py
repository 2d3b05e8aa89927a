"""Where a score was lost: a row per element, per cluster, per kind of error, per cell."""

from __future__ import annotations

from typing import Any, Literal, Unpack

from clusterscore.align.policies import CountOptions
from clusterscore.diagnose import SIDES
from clusterscore.exceptions import one_of
from clusterscore.metrics import Metric
from clusterscore.pipeline.diagnosis import Diagnosis
from clusterscore.pipeline.request import options_checked
from clusterscore.show.columns import Columns


@options_checked
def elements(gold: Any, pred: Any = None, *, metric: str | Metric = "elm", **options: Unpack[CountOptions]) -> Columns:
    """One row per element: its clusters and their sizes, tp, fp, fn, its own P, R and F, and what it costs the score.

    ``metric`` is one that scores elements: ``elm`` or ``bcubed``, with parameters. The ``loss`` of all elements adds up
    to 1 minus the score (of all documents together). ``rows.worst(20)`` are those that cost most. Of a Table, which
    does not know its elements, every cell gives as many rows as it counts.

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
    metric: str | Metric = "elm",
    side: Literal["both", "gold", "pred"] = "both",
    **options: Unpack[CountOptions],
) -> Columns:
    """One row per gold and per predicted cluster, those that cost most first.

    Each row has the ``side`` and the name of the ``cluster``, its ``size``, the ``best_match`` (the cluster of the
    other side that shares most elements with it; of equal ones the smaller, then the first), how many elements they
    share (``overlap``), which ``share`` of the cluster that is (purity of a predicted cluster, inverse purity of a
    gold one), over how many clusters of the other side it lies (``parts``: a gold cluster was split into them, a
    predicted one merged of them), the mean P, R and F of its elements, and their ``loss`` together. The losses of the
    gold clusters add up to 1 minus the score, and so do those of the predicted ones. ``side`` may be "gold" or "pred".

    >>> import clusterscore as cs
    >>> rows = cs.clusters(["a", "a", "a", "b", "b"], [1, 1, 2, 2, 2], side="gold")
    >>> rows["cluster"].tolist(), rows["best_match"].tolist(), rows["parts"].tolist()
    (['a', 'b'], [1, 2], [2, 1])
    """
    one_of("side", side, SIDES)  # before anything is counted
    return Diagnosis.of(gold, pred, metric=metric, **options).clusters(side)


@options_checked
def errors(gold: Any, pred: Any = None, *, metric: str | Metric = "elm", **options: Unpack[CountOptions]) -> Columns:
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
    f="mean" a loss is what the score would gain if the elements of these cells were right.

    >>> import clusterscore as cs
    >>> rows = cs.errors(["a", "a", "a", "b", "b", "c"], [1, 1, 2, 2, 2, 3])
    >>> dict(zip(rows["kind"], rows["cells"].tolist()))
    {'exact': 1, 'split': 1, 'merge': 1, 'mixed': 1, 'missed singleton': 0, 'false singleton': 0}
    """
    return Diagnosis.of(gold, pred, metric=metric, **options).errors()


@options_checked
def error_cells(
    gold: Any, pred: Any = None, *, metric: str | Metric = "elm", **options: Unpack[CountOptions]
) -> Columns:
    """One row per cell, those that cost most first: both clusters, the ``n`` elements they share, and the ``kind``.

    The kinds are those of :func:`errors`. P, R and F are those of each element of the cell, ``loss`` is that of all.

    >>> import clusterscore as cs
    >>> rows = cs.error_cells(["a", "a", "a", "b", "b", "c"], [1, 1, 2, 2, 2, 3])
    >>> rows["gold"].tolist(), rows["pred"].tolist(), rows["kind"].tolist()[:2]
    (['a', 'a', 'b', 'c'], [2, 1, 2, 3], ['mixed', 'split'])
    """
    return Diagnosis.of(gold, pred, metric=metric, **options).error_cells()
