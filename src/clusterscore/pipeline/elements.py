"""One row per element: what each of them gets, and what it costs."""

from __future__ import annotations

from typing import Any, Unpack

from clusterscore.align.policies import CountOptions
from clusterscore.metrics import Metric
from clusterscore.pipeline.asking import options_checked
from clusterscore.pipeline.diagnosis import Diagnosis
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
