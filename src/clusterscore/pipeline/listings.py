"""Where a score was lost, as tables: ``cs.elements``, ``clusters``, ``errors`` and ``error_cells``."""

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
def elements(
    gold: Any, pred: Any = None, *, metric: str | Metric | None = None, **options: Unpack[CountOptions]
) -> Columns:
    """One row per element: its clusters and their sizes, tp, fp, fn, its own P, R and F, and what it costs the score.

    ``metric`` is one that scores elements, with parameters: ``elm`` (the default), ``bcubed``, or one that is made for
    clusterings that overlap, where ``matched_elm`` is the default. The ``loss`` of all elements adds up to 1 minus the
    score (of all documents together), and ``share`` is an element's part of that. ``rows.worst(20)`` are those that
    cost most. Of a Table, which does not know its elements, every cell gives as many rows as it counts.

    Where elements that only one side has are kept (``missing="keep"``), ``b3`` is the default, and such an element
    has no cluster on the other side, whose size is 0. The table of :func:`coref` knows its mentions: they have their
    ``text`` and ``context``, and stand in the order of their documents.

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

    Where elements that only one side has are kept (``missing="keep"``), they are of two more kinds, and the clusters
    above are compared without them:

    - ``missing``: only gold has these elements;
    - ``spurious``: only the prediction has them. What others lose by such elements is part of what these kinds cost.

    All kinds are there, in this order, with their ``cells``, ``elements``, the ``gold_clusters`` and
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
