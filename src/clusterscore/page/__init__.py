"""Report: where a prediction is right and wrong, on one page that can be sent to a colleague."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from clusterscore.aggregate import AVERAGES, Average
from clusterscore.align.policies import CountOptions
from clusterscore.analyses.compare.system_results import PAIRS, Pairs
from clusterscore.analyses.request import Metrics, Request, options_checked
from clusterscore.count.table import Table
from clusterscore.exceptions import one_of
from clusterscore.metrics import Metric

if TYPE_CHECKING:
    from clusterscore.analyses.sweep.sweep_result import Sweep

__all__ = ["report"]


@options_checked
def report(
    gold: Any,
    pred: Any = None,
    *,
    path: str | os.PathLike[str] = "report.html",
    title: str | None = None,
    show: Any = None,
    by: Any = None,
    sweep: Sweep | None = None,
    baseline: str | None = None,
    pairs: Pairs = "baseline",
    element_metric: str | Metric | None = None,
    metrics: Metrics = None,
    average: Average = "micro",
    **options: Unpack[CountOptions],
) -> Path:
    """Write a page that shows where a prediction is right and wrong: one HTML file, which needs no network.

    It has the scores in plain words, next to those of trivial clusterings and of chance, the kinds of errors with what
    each costs, plots, and the 50,000 costliest clusters and elements in tables that can be sorted and searched, with
    the command that prints all of them; a click on a cluster shows its members and where they went. Several systems,
    ``cs.report(gold, {"A": a, "B": b})``, are compared with the baseline; the best comes first, and is tested against
    the second best. If clusters overlap, there are no kinds of errors, as these are defined for partitions only. Needs
    ``pip install "clusterscore[report]"``.

    If gold is a :class:`clusterscore.Sample`, all scores are estimates of the whole with their intervals, and the
    tables list the sampled clusters and elements, with what each of them stands for.

    Options:
        pred: the prediction, or several by name.
        path: the file to write.
        title: of the page.
        show: a text for each element: a mapping element -> text, or a sequence in the order of gold.
        by: a group for each element, as in :func:`clusterscore.score`: the page has a bar for each.
        sweep: what :func:`clusterscore.sweep` has returned: the page shows what every threshold scores, the best
            marked.
        baseline: the system that others are compared with; the first, if none is named.
        pairs: ``"all"`` tests every system against every other, as in :func:`clusterscore.compare`.
        element_metric: what elements are scored with, ``elm`` (the default) or ``bcubed`` with parameters; where
            clusters overlap, ``matched_elm`` (the default) or another that is made for that.

    Returns:
        The path.

    >>> import clusterscore as cs, tempfile, os
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     page = cs.report(["a", "a", "b"], ["x", "y", "y"], path=os.path.join(folder, "report.html"))
    ...     page.name, page.read_text(encoding="utf-8")[:15]
    ('report.html', '<!doctype html>')
    """
    from clusterscore.page.ranked_systems import ONE, pairs_of  # with all that a page is made of
    from clusterscore.page.writing import write_report

    one_of("average", average, AVERAGES)
    one_of("pairs", pairs, PAIRS)
    systems = pairs_of(gold, pred)
    names = ["the prediction"] if list(systems) == [ONE] else list(systems)
    request = Request.of(metrics, counted=isinstance(next(iter(systems.values()))[0], Table), **options)
    how = {"average": average, "show": show, "by": by, "sweep": sweep, "baseline": baseline, "title": title}
    write_report(systems, path, request, element_metric, **how, compared=names, tested=pairs)
    return Path(path)
