"""Plots of a sweep: what every threshold scores, and what precision costs in recall."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from clusterscore.analyses.request import Metrics
from clusterscore.analyses.sweep.object_sweep import ObjectSweep
from clusterscore.analyses.sweep.sweep_result import Sweep
from clusterscore.count.sums import Floats
from clusterscore.distinct import Array, Ints
from clusterscore.exceptions import InputTypeError, MetricError, one_of
from clusterscore.metrics import metrics_of
from clusterscore.nouns import noun, plural
from clusterscore.plot.canvas import Mark, Panel, in_words_of_results, panel
from clusterscore.plot.style import GREY, SERIES, named
from clusterscore.show.in_words import shown_score
from clusterscore.show.result import find_metric, heading

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_LINES = 4  # metrics that are drawn if none is named
_COLUMNS = 400  # of a plot, in which neighbours cannot be told apart
_COUNTED = 20_000_000  # elements of cuts that have intervals, in all
_MARGIN = 0.04  # of the axis, for the cut without a threshold
_SKEWED = 20  # times the median height: what lies below would not show
_AXES = {
    "edges": "threshold: pairs with a score from here up are linked",
    "linkage": "threshold: merges up to this height",
}


@in_words_of_results
def sweep(
    sweep: Sweep | ObjectSweep, metrics: Metrics = None, *, against: str = "threshold", ax: Axes | None = None
) -> Axes:
    """What every cut of ``cs.sweep`` scores, with the best marked and named; of images what every threshold does.

    A grey line has the number of clusters, on an axis of its own. The cut without a link has no threshold, and is drawn
    beyond the last. Where gold is a sample, a band has the 95% intervals.

    Options:
        sweep: what :func:`clusterscore.sweep` has returned.
        metrics: some of those that were swept, by default the first four; where the line is precision, the first four
            that have one.
        against: what is on the x axis: ``"threshold"``, or ``"recall"``, where the line is precision.

    >>> import clusterscore as cs
    >>> edges = [("a", "b", 0.9), ("b", "c", 0.4), ("d", "e", 0.7)]
    >>> swept = cs.sweep({"a": 1, "b": 1, "c": 2, "d": 3, "e": 3}, edges=edges, metrics=["elm", "pairwise"])
    >>> [text.get_text() for text in cs.plot.sweep(swept).get_legend().get_texts()]
    ['elm 1.000 at 0.7', 'pairwise 1.000 at 0.7', 'clusters']
    """
    if isinstance(sweep, ObjectSweep):
        one_of("against", against, ("threshold",))
        return _by_iou(sweep, metrics, ax)
    if not isinstance(sweep, Sweep):
        raise InputTypeError(f"sweep is of type {type(sweep).__name__}; pass the result of cs.sweep(gold, ...)")
    one_of("against", against, ("threshold", "recall"))
    names = _chosen(sweep, metrics, against == "recall")
    with panel(ax, 2.1 + 0.12 * -(-len(names) // 2)) as on:
        if against == "recall":
            _by_recall(on, sweep, names)
        else:
            _by_threshold(on, sweep, names)
        return on.ax


def _by_iou(sweep: ObjectSweep, metrics: Metrics, ax: Axes | None) -> Axes:
    """A line for each metric; of a single one AP, F1 and PQ."""
    names = list(sweep.scores) if metrics is None else [find_metric(name, sweep.scores) for name in metrics_of(metrics)]
    lines = {heading(name): sweep[name] for name in names}
    if len(names) == 1:
        lines |= {part: sweep[f"{names[0]}.{part.lower()}"] for part in ("F1", "PQ")}
    with panel(ax, 2.1) as on:
        for (name, y), series in zip(lines.items(), SERIES, strict=False):
            on.ax.plot(sweep.thresholds, y, label=name, **series._asdict())
        on.ax.set_ylim(-0.02, 1.02)
        on.label("threshold of IoU", "score")
        on.legend(len(lines))
        return on.ax


def _chosen(sweep: Sweep, metrics: Metrics, both: bool) -> list[str]:
    """The metrics that are drawn; with ``both``, those that have a precision and a recall."""
    swept = [str(metric) for metric in sweep.metrics]
    able = [name for name in swept if not both or f"{name}.recall" in sweep.listed()]
    if metrics is None:
        names = able[:_LINES]
    else:
        try:
            names = [find_metric(metric, swept, "swept") for metric in metrics_of(metrics)]
        except KeyError as error:
            raise MetricError(error.args[0]) from None
    odd = [name for name in names if name not in able]
    if odd or not names:
        raise MetricError(f'{(odd or swept)[0]} has no precision and recall; draw it against="threshold"')
    if len(names) > len(SERIES):
        raise MetricError(f"{len(names)} metrics; at most {len(SERIES)} lines can be told apart: name some of them")
    return names


def _by_threshold(on: Panel, sweep: Sweep, names: list[str]) -> None:
    edges = sweep.kind == "edges"
    x = _places(on, sweep)
    flat = np.log(x) if on.ax.get_xscale() == "log" else x  # as far apart as they are drawn
    order = np.arange(len(sweep))[:: -1 if edges else 1]  # from left to right
    where: Any = "steps-pre" if edges else "steps-post"
    _count(on, sweep, x, order[_thinned(flat[order], sweep.clusters[order])], where)
    for name, series in zip(names, SERIES, strict=False):
        y = sweep[name]
        kept = order[_thinned(flat[order], y[order])]
        on.ax.plot(x[kept], y[kept], color=series.color, linestyle=series.linestyle, drawstyle=where)
        if sweep.sample is not None:
            rows, ends = sweep.intervals(name, int(np.clip(_COUNTED // sweep.sample.facts.population, 20, 200)))
            low, high = np.array(ends).T
            on.ax.fill_between(x[rows], low, high, color=series.color, alpha=0.12, linewidth=0)
        _mark(on, sweep, name, series, (x, y))
    on.ax.plot([], [], color=GREY, linewidth=0.8, label=noun("clusters"))
    on.scores("y")
    on.label(_AXES[sweep.kind], "score")
    on.legend()


def _places(on: Panel, sweep: Sweep) -> Floats:
    """Where each cut is drawn: at its threshold, the first one beyond all others; on a log scale if most are small."""
    at = sweep.thresholds[1:]
    positive = at[at > 0]
    if sweep.kind == "linkage" and len(positive) and at.max() > _SKEWED * np.median(at) and at.min() >= 0:
        low = float(positive.min()) * float(positive.min() / positive.max()) ** _MARGIN
        on.ax.set_xscale("log")
        on.ax.xaxis.set_major_formatter("{x:g}")
        on.ax.xaxis.set_minor_formatter("")
        return np.concatenate([[low], np.maximum(at, low)])
    reach = float(np.ptp(at) or abs(at[0]) or 1.0) * _MARGIN
    return np.concatenate([[at.max() + reach if sweep.kind == "edges" else at.min() - reach], at])


def _count(on: Panel, sweep: Sweep, x: Floats, kept: Ints, where: Any) -> None:
    """The number of clusters, behind the scores, on an axis at the right."""
    right = on._replace(ax=on.ax.twinx())
    most = max(10, int(sweep.clusters[0]))
    right.ax.plot(x[kept], sweep.clusters[kept], color=GREY, linewidth=0.8, drawstyle=where)
    right.logarithmic("y", 1, most)
    right.ax.set_ylim(0.8, 1.3 * most)
    right.ax.set_ylabel(noun("clusters"), usetex=False, color=GREY)
    right.ax.spines["right"].set(visible=True, color=GREY)
    size = on.ax.yaxis.get_ticklabels()[0].get_fontsize()
    for which, length in (("major", 2.5), ("minor", 1.5)):
        look: dict[str, Any] = {"width": 0.6, "length": length, "labelsize": size, "pad": 2} if on.own else {}
        right.ax.tick_params(which=which, colors=GREY, **look)
    on.ax.set_zorder(right.ax.get_zorder() + 1)
    on.ax.patch.set_visible(False)


def _by_recall(on: Panel, sweep: Sweep, names: list[str]) -> None:
    for name, series in zip(names, SERIES, strict=False):
        recall, precision = sweep[f"{name}.recall"], sweep[f"{name}.precision"]
        kept = _thinned(recall, precision)
        on.ax.plot(recall[kept], precision[kept], color=series.color, linestyle=series.linestyle)
        _mark(on, sweep, name, series, (recall, precision))
    on.ax.set_xlim(-0.02, 1.02)
    on.ax.set_ylim(-0.02, 1.02)
    on.scores("x", "y")
    on.label("recall", "precision")
    on.legend()


def _mark(on: Panel, sweep: Sweep, name: str, series: Any, at: tuple[Floats, Floats]) -> None:
    """The best cut: a mark, and in the legend its score and its threshold."""
    best = sweep.best(name)
    label = f"{named(heading(name), 24)} {shown_score(best.score.value, 3)} at {sweep.shown(best.threshold)}"
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
