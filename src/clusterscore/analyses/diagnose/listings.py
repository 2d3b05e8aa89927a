"""Where a score was lost, as tables: ``cs.elements``, ``clusters``, ``errors`` and ``error_cells``."""

from __future__ import annotations

from typing import Any, Literal, Unpack

from clusterscore.align.policies import CountOptions
from clusterscore.analyses.diagnose.cluster_rows import SIDES
from clusterscore.analyses.diagnose.diagnosis import Diagnosis
from clusterscore.analyses.diagnose.element_texts import shown_columns, shown_of_clusters
from clusterscore.analyses.request import options_checked
from clusterscore.exceptions import one_of
from clusterscore.metrics import Metric
from clusterscore.show.columnar import Columns


@options_checked
def elements(
    gold: Any,
    pred: Any = None,
    *,
    metric: str | Metric | None = None,
    show: Any = None,
    **options: Unpack[CountOptions],
) -> Columns:
    """List the elements: clusters and their sizes, tp, fp, fn, own P, R and F, and what each costs the score.

    ``metric`` must be one that scores elements, with parameters: ``elm`` (the default), ``bcubed``, or one for
    overlapping clusterings, for which ``matched_elm`` is the default. The ``loss`` of all elements adds up to 1 minus
    the score (over all documents), and ``rows.worst(20)`` are the ones that cost most. For a Table, which does not know
    its elements, every cell yields as many rows as it counts.

    With ``missing="keep"``, ``b3`` is the default, and an element that only one side has is in no cluster on the other
    side, and the size there is 0. The table of :func:`coref` knows its mentions: they have their ``text`` and
    ``context``, in document order.

    If clusters overlap, ``gold`` and ``pred`` are a label, or the frozenset of the labels of an element that belongs to
    several clusters. ``gold_clusters`` and ``pred_clusters`` count these clusters, and ``gold_size`` and ``pred_size``
    add up their sizes.

    Options:
        show: texts to show with the elements, by the names of their columns: ``show={"name": names}``, where names are
            a mapping element -> text, or a sequence in the order of gold.

    Returns:
        A row per element.

    >>> import clusterscore as cs
    >>> rows = cs.elements(["a", "a", "b"], ["x", "y", "y"], metric="bcubed")
    >>> rows["precision"].tolist()
    [1.0, 0.5, 0.5]
    >>> round(sum(rows["loss"].tolist()), 4), round(1 - cs.bcubed(["a", "a", "b"], ["x", "y", "y"]).f, 4)
    (0.3889, 0.3889)
    """
    diagnosis = Diagnosis.of(gold, pred, metric=metric, **options)
    return diagnosis.elements(shown_columns(diagnosis, show, gold))


@options_checked
def clusters(
    gold: Any,
    pred: Any = None,
    *,
    metric: str | Metric | None = None,
    side: Literal["both", "gold", "pred"] = "both",
    show: Any = None,
    **options: Unpack[CountOptions],
) -> Columns:
    """List the gold and the predicted clusters, the most expensive first.

    Each row has the ``side`` and the name of the ``cluster``, its ``size``, the ``best_match`` (the cluster on the
    other side that shares most elements with it; of several, the smallest, then the first), how many elements they
    share (``overlap``), the proportion of the cluster that this is (``overlap_share``: the purity of a predicted
    cluster, the inverse purity of a gold cluster), how many clusters of the other side it overlaps (``parts``: a gold
    cluster was split into them, a predicted cluster merges them), the mean P, R and F of its elements, their total
    ``loss``, and its ``share`` of the loss of all elements. The losses of the gold clusters add up to 1 minus the
    score, and so do those of the predicted clusters. If clusters overlap, the clusters of an element share its loss
    equally. If several clusters cost the same, the larger one comes first, then the one with the first element.

    Options:
        side: ``"gold"`` or ``"pred"`` for one side only.
        show: texts of the elements, as in :func:`elements`: each cluster has those of all its elements, those that are
            together on the other side one after the other, and a column ``elements`` with their ids in the same order.

    Returns:
        A row per cluster, the largest loss first.

    >>> import clusterscore as cs
    >>> rows = cs.clusters(["a", "a", "a", "b", "b"], [1, 1, 2, 2, 2], side="gold")
    >>> rows["cluster"].tolist(), rows["best_match"].tolist(), rows["parts"].tolist()
    (['a', 'b'], [1, 2], [2, 1])
    """
    one_of("side", side, SIDES)  # before anything is counted
    diagnosis = Diagnosis.of(gold, pred, metric=metric, **options)
    return diagnosis.clusters(side, shown_of_clusters(diagnosis, show, gold))


@options_checked
def errors(
    gold: Any, pred: Any = None, *, metric: str | Metric | None = None, **options: Unpack[CountOptions]
) -> Columns:
    """List the kinds of errors: how often each was made, and what it costs.

    A cell, the n elements shared by a gold cluster of size a and a predicted cluster of size b, is of one kind:

    - ``exact``: both clusters are the same, n = a = b;
    - ``split``: the predicted cluster is part of the gold cluster, n = b < a;
    - ``merge``: the whole gold cluster is in a larger predicted cluster, n = a < b;
    - ``mixed``: each has elements that the other does not have, n < a and n < b;
    - ``missed singleton``: a merge of a gold cluster of one element, 1 = a < b;
    - ``false singleton``: a split into a predicted cluster of one element, 1 = b < a.

    With ``missing="keep"``, elements that only one side has are of two more kinds, and the clusters above are compared
    without them:

    - ``missing``: only gold has these elements;
    - ``spurious``: only the prediction has them. What others lose because of such elements is part of their cost.

    All kinds are listed in this order, with their ``cells``, ``elements``, the ``gold_clusters`` and ``pred_clusters``
    involved, their ``loss``, which adds up to 1 minus the score, and their ``share`` of it. With f="mean", a loss is
    what the score would gain if the elements of these cells were right. It is divided exactly into what comes from
    strangers (``merged``) and from elements that are elsewhere (``split``), where every false neighbour of an element
    costs the same. ``notes`` name the clusters that cost most. The kinds are defined for partitions only; overlapping
    clusters are an error.

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
    """List the cells, the most expensive first: both clusters, the ``n`` elements they share, and the ``kind``.

    The kinds are those of :func:`errors`. P, R and F are those of each element of the cell, and ``loss`` is their
    total, of which ``merged`` comes from strangers and ``split`` from elements that are elsewhere. If several cells
    cost the same, the larger one comes first.

    Returns:
        A row per cell, the largest loss first.

    >>> import clusterscore as cs
    >>> rows = cs.error_cells(["a", "a", "a", "b", "b", "c"], [1, 1, 2, 2, 2, 3])
    >>> rows["gold"].tolist(), rows["pred"].tolist(), rows["kind"].tolist()[:2]
    (['a', 'a', 'b', 'c'], [2, 1, 2, 3], ['mixed', 'split'])
    """
    return Diagnosis.of(gold, pred, metric=metric, **options).error_cells()
