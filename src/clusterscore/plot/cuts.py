"""Plots of a sweep: what every threshold scores, and what precision costs in recall."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from clusterscore.analyses.request import Metrics
from clusterscore.analyses.sweep.sweep_result import Sweep
from clusterscore.count.sums import Floats
from clusterscore.distinct import Array, Ints
from clusterscore.exceptions import InputTypeError, MetricError, one_of, plural
from clusterscore.metrics import metrics_of
from clusterscore.plot.canvas import Mark, Panel, panel
from clusterscore.plot.style import GREY, SERIES, named
from clusterscore.show.result import find_metric, heading

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_LINES = 4  # metrics that are drawn if none is named
_COLUMNS = 400  # of a plot, in which neighbours cannot be told apart
_MARGIN = 0.04  # of the axis, for the cut without a threshold
_SKEWED = 20  # times the median height: what lies below would not show
_AXES = {
    "edges": "threshold: pairs with a score from here up are linked",
    "linkage": "threshold: merges up to this height",
}


def sweep(found: Sweep, metrics: Metrics = None, *, against: str = "threshold", ax: Axes | None = None) -> Axes:
    """What every cut of ``cs.sweep`` scores, with the best marked and named.

    A grey line has the number of clusters, on an axis of its own. The cut without a link has no threshold, and is drawn
    beyond the last.

    Options:
        found: what :func:`clusterscore.sweep` has returned.
        metrics: some of those that were swept, by default the first four; where the line is precision, the first four
            that have one.
        against: what is on the x axis: ``"threshold"``, or ``"recall"``, where the line is precision.

    >>> import clusterscore as cs
    >>> edges = [("a", "b", 0.9), ("b", "c", 0.4), ("d", "e", 0.7)]
    >>> found = cs.sweep({"a": 1, "b": 1, "c": 2, "d": 3, "e": 3}, edges=edges, metrics=["elm", "pairwise"])
    >>> [text.get_text() for text in cs.plot.sweep(found).get_legend().get_texts()]
    ['elm 1.000 at 0.7', 'pairwise 1.000 at 0.7', 'clusters']
    """
    if not isinstance(found, Sweep):
        raise InputTypeError(f"found is a {type(found).__name__}; pass the result of cs.sweep(gold, ...)")
    one_of("against", against, ("threshold", "recall"))
    names = _chosen(found, metrics, against == "recall")
    with panel(ax, 2.1 + 0.12 * -(-len(names) // 2)) as on:
        if against == "recall":
            _by_recall(on, found, names)
        else:
            _by_threshold(on, found, names)
        return on.ax


def _chosen(found: Sweep, metrics: Metrics, both: bool) -> list[str]:
    """The metrics that are drawn; with ``both``, those that have a precision and a recall."""
    swept = [str(one) for one in found.metrics]
    able = [name for name in swept if not both or f"{name}.recall" in found.listed()]
    if metrics is None:
        names = able[:_LINES]
    else:
        try:
            names = [find_metric(one, swept, "swept") for one in metrics_of(metrics)]
        except KeyError as error:
            raise MetricError(error.args[0]) from None
    odd = [name for name in names if name not in able]
    if odd or not names:
        raise MetricError(f'{(odd or swept)[0]} has no precision and recall; draw it against="threshold"')
    if len(names) > len(SERIES):
        raise MetricError(f"{len(names)} metrics; at most {len(SERIES)} lines can be told apart: name some of them")
    return names


def _by_threshold(on: Panel, found: Sweep, names: list[str]) -> None:
    edges = found.kind == "edges"
    x = _places(on, found)
    flat = np.log(x) if on.ax.get_xscale() == "log" else x  # as far apart as they are drawn
    order = np.arange(len(found))[:: -1 if edges else 1]  # from left to right
    where: Any = "steps-pre" if edges else "steps-post"
    _count(on, found, x, order[_thinned(flat[order], found.clusters[order])], where)
    for name, series in zip(names, SERIES, strict=False):
        y = found[name]
        kept = order[_thinned(flat[order], y[order])]
        on.ax.plot(x[kept], y[kept], color=series.color, linestyle=series.linestyle, drawstyle=where)
        _mark(on, found, name, series, (x, y))
    on.ax.plot([], [], color=GREY, linewidth=0.8, label="clusters")
    on.label(_AXES[found.kind], "score")
    on.legend()


def _places(on: Panel, found: Sweep) -> Floats:
    """Where each cut is drawn: at its threshold, the first one beyond all others; on a log scale if most are small."""
    at = found.thresholds[1:]
    if not len(at):
        return np.zeros(1)
    positive = at[at > 0]
    if found.kind == "linkage" and len(positive) and at.max() > _SKEWED * np.median(at) and at.min() >= 0:
        low = float(positive.min()) * float(positive.min() / positive.max()) ** _MARGIN
        on.ax.set_xscale("log")
        on.ax.xaxis.set_major_formatter("{x:g}")
        on.ax.xaxis.set_minor_formatter("")
        return np.concatenate([[low], np.maximum(at, low)])
    reach = float(np.ptp(at) or abs(at[0]) or 1.0) * _MARGIN
    return np.concatenate([[at.max() + reach if found.kind == "edges" else at.min() - reach], at])


def _count(on: Panel, found: Sweep, x: Floats, kept: Ints, where: Any) -> None:
    """The number of clusters, behind the scores, on an axis at the right."""
    beside = on._replace(ax=on.ax.twinx())
    most = max(10, int(found.clusters[0]))
    beside.ax.plot(x[kept], found.clusters[kept], color=GREY, linewidth=0.8, drawstyle=where)
    beside.logarithmic("y", 1, most)
    beside.ax.set_ylim(0.8, 1.3 * most)
    beside.ax.set_ylabel("clusters", usetex=False, color=GREY)
    beside.ax.spines["right"].set(visible=True, color=GREY)
    size = on.ax.yaxis.get_ticklabels()[0].get_fontsize()
    for which, length in (("major", 2.5), ("minor", 1.5)):
        look: dict[str, Any] = {"width": 0.6, "length": length, "labelsize": size, "pad": 2} if on.own else {}
        beside.ax.tick_params(which=which, colors=GREY, **look)
    on.ax.set_zorder(beside.ax.get_zorder() + 1)
    on.ax.patch.set_visible(False)


def _by_recall(on: Panel, found: Sweep, names: list[str]) -> None:
    for name, series in zip(names, SERIES, strict=False):
        recall, precision = found[f"{name}.recall"], found[f"{name}.precision"]
        kept = _thinned(recall, precision)
        on.ax.plot(recall[kept], precision[kept], color=series.color, linestyle=series.linestyle)
        _mark(on, found, name, series, (recall, precision))
    on.ax.set_xlim(-0.02, 1.02)
    on.ax.set_ylim(-0.02, 1.02)
    on.label("recall", "precision")
    on.legend()


def _mark(on: Panel, found: Sweep, name: str, series: Any, at: tuple[Floats, Floats]) -> None:
    """The best cut: a mark, and in the legend its score and its threshold."""
    best = found.best(name)
    label = f"{named(heading(name), 24)} {best.score.value:.3f} at {found.shown(best.threshold)}"
    look: dict[str, Any] = {"markersize": 5, "markeredgecolor": on.paper, "markeredgewidth": 0.6, "clip_on": False}
    (dot,) = on.ax.plot(at[0][[best.row]], at[1][[best.row]], **series._asdict(), label=label, zorder=4, **look)
    on.explain(dot, [Mark(f"best cut of {label}: {plural(int(best.clusters), 'cluster')}")])


def _thinned(x: Floats, y: Array) -> Ints:
    """Of many points those that show: in each column of the plot the first, the last, the lowest and the highest."""
    if len(x) <= 4 * _COLUMNS:
        return np.arange(len(x))
    span = float(x.max() - x.min()) or 1.0
    column = np.minimum(((x - x.min()) / span * _COLUMNS).astype(np.int64), _COLUMNS - 1)
    run = np.concatenate([[0], np.cumsum(column[1:] != column[:-1])])  # a line may come back to a column
    starts = np.concatenate([[0], np.flatnonzero(np.diff(run)) + 1])
    by_height = np.lexsort((y, run))
    ends = np.concatenate([starts[1:], [len(x)]]) - 1
    return np.unique(np.concatenate([starts, ends, by_height[starts], by_height[ends]]))
