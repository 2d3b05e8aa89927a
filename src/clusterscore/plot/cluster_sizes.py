"""Plots by cluster size: how large the clusters are, and how well those of a size are predicted."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from clusterscore.analyses.diagnose.cluster_rows import CellMembership
from clusterscore.analyses.diagnose.diagnosis import Diagnosis
from clusterscore.analyses.diagnose.losses import scores_elements
from clusterscore.count.counting import with_one_sided
from clusterscore.count.rows import Rows
from clusterscore.count.sums import Floats, divide
from clusterscore.count.table import Table
from clusterscore.distinct import Ints
from clusterscore.exceptions import MetricError
from clusterscore.metrics import Metric
from clusterscore.metrics.elementwise import ElementWise, ScoresElements, cell_weight
from clusterscore.metrics.expected import SizeCounts, size_counts
from clusterscore.nouns import noun, plural
from clusterscore.overlap import between_clusters
from clusterscore.plot.canvas import Mark, Panel, counted, in_words_of_results, panel
from clusterscore.plot.style import FAINT, SERIES, compact
from clusterscore.read.sample import Sample
from clusterscore.show.in_words import shown_score
from clusterscore.show.result import heading

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_BARS = 12  # sizes: up to here each has bars of its own
_BINS = 8
# open and filled, so that they can be distinguished without colours
_BAR_LOOKS: tuple[dict[str, Any], ...] = (
    {"color": SERIES[0].color},
    {"facecolor": "none", "edgecolor": SERIES[1].color, "hatch": "/////"},
)
_SIDE = {"gold": "gold", "predicted": "pred"}
_MARKED = 60  # sizes, each with a mark on its line
_LETTERS = 8  # of a range of sizes, as it fits below a bin
_STEPS = 400  # corners of a line, more than can be seen


@in_words_of_results
def sizes(gold: Any, pred: Any = None, *, ax: Axes | None = None, **policies: Any) -> Axes:
    """How large the clusters are, in gold and in the prediction.

    Where all clusters are small, a bar says how many there are of each size. Else a line says how many there are of at
    least that size, both on a log scale: it begins at the number of clusters and ends at the largest one.

    >>> import clusterscore as cs
    >>> ax = cs.plot.sizes([0, 0, 0, 1, 2], [0, 0, 1, 1, 2])
    >>> [[int(bar.get_height()) for bar in bars] for bars in ax.containers]
    [[2, 0, 1], [1, 2, 0]]
    """
    table = between_clusters(counted(gold, pred, policies)[0]).pooled()
    both = {"gold": size_counts(table, table.sizes("gold")), "predicted": size_counts(table, table.sizes("pred"))}
    largest = max(int(counts.size.max(initial=0)) for counts in both.values())
    with panel(ax, 1.9) as on:
        (_size_bars if largest <= _BARS else _size_lines)(on, both, largest)
        on.legend()
        return on.ax


def _size_bars(on: Panel, both: dict[str, SizeCounts], largest: int) -> None:
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    at = np.arange(1, largest + 1)
    for (name, counts), look, shift in zip(both.items(), _BAR_LOOKS, (-0.2, 0.2), strict=True):
        height = np.bincount(counts.size, counts.times, largest + 1)[1:]
        bars = on.ax.bar(at + shift, height, 0.38, label=name, linewidth=0.8, **look)
        for size, count, bar in zip(at.tolist(), height.astype(int).tolist(), bars, strict=True):
            words = f"{name}: {plural(count, 'cluster')} of {plural(size, 'element')}"
            on.explain(bar, [Mark(words, f"{_SIDE[name]}:{size}-{size}")])
    on.ax.set_xticks(at)
    on.ax.set_xlim(0.4, largest + 0.6)
    on.label(noun("cluster size (elements)"), noun("clusters"))
    on.ax.yaxis.set_major_locator(MaxNLocator("auto", integer=True, min_n_ticks=1))
    on.ax.yaxis.set_major_formatter(FuncFormatter(lambda count, _: compact(count)))


def _size_lines(on: Panel, both: dict[str, SizeCounts], largest: int) -> None:
    most, smallest = 10, min(int(counts.size.min(initial=largest)) for counts in both.values())
    for (name, counts), (color, linestyle, marker) in zip(both.items(), SERIES, strict=False):
        size, at_least = counts.size, np.cumsum(counts.times[::-1])[::-1]
        most = max(most, int(at_least.max(initial=0)))
        kept = np.arange(len(size))
        if len(size) > _STEPS:  # as many as can be distinguished on a log scale
            kept = np.unique(np.searchsorted(size, np.geomspace(size[0], size[-1], _STEPS)))
        # all clusters are of size 1 or more, and none is larger than the largest
        x, y = np.concatenate([[0.5], size[kept], size[-1:]]), np.concatenate([at_least[:1], at_least[kept], [0.5]])
        on.ax.step(x, y, where="pre", color=color, linestyle=linestyle, label=name)
        if len(size) <= _MARKED:
            (marks,) = on.ax.plot(size, at_least, color=color, marker=marker, markersize=1.8, linestyle="none")
            columns = (size.tolist(), at_least.tolist(), counts.times.tolist())
            on.explain(marks, [_mark(name, *row) for row in zip(*columns, strict=True)])
        on.ax.plot(size[-1:], at_least[-1:], color=color, marker=marker, clip_on=False)
    on.logarithmic("x", smallest, largest)
    on.logarithmic("y", 1, most)
    on.ax.set_xlim(0.75 * smallest, 1.3 * largest)
    on.ax.set_ylim(0.7, 1.5 * most)
    on.label(noun("cluster size s (elements)"), noun("clusters of size s or more"))


def _mark(name: str, size: int, at_least: int, times: int) -> Mark:
    words = f"{name}: {plural(int(at_least), 'cluster')} of {plural(size, 'element')} or more"
    return Mark(f"{words}, {int(times):,} of just that size", f"{_SIDE[name]}:{size}-")


class Bins(NamedTuple):
    """Gold clusters by their size, and what the metric says of their elements."""

    ranges: list[tuple[int, int, int]]  # the first and the last size, and how many clusters there are
    share: Floats  # of all elements
    precision: Floats
    recall: Floats


@in_words_of_results
def by_size(
    gold: Any,
    pred: Any = None,
    *,
    metric: str | Metric | None = None,
    ax: Axes | None = None,
    **policies: Any,
) -> Axes:
    """Precision and recall of the elements of small and of large gold clusters.

    Grey bars are the share of all elements that clusters of that size hold, where an element is shared equally by its
    gold clusters: weighed with them, the marks have the score's precision and recall as their mean. Below each size
    stands the number of its clusters. Where gold is a sample, all of these are estimates.

    Options:
        metric: one that scores elements: ``elm`` or ``bcubed``, with parameters; where clusters overlap,
            ``matched_elm``, ``matched_bcubed`` or ``extended_bcubed``.

    >>> import clusterscore as cs
    >>> ax = cs.plot.by_size([0, 0, 0, 1, 2], [0, 0, 1, 1, 2], metric="bcubed")
    >>> [(line.get_label(), line.get_ydata().round(3).tolist()) for line in ax.lines]
    [('precision', [0.75, 0.833]), ('recall', [1.0, 0.556])]
    """
    if isinstance(gold, Sample):
        return by_size_of(Diagnosis.of(gold, pred, metric=metric, **policies), ax)
    table, (chosen,) = counted(gold, pred, policies, None if metric is None else [metric])
    return _draw_bins(_binned(table, chosen), chosen, ax)


def by_size_of(diagnosis: Diagnosis, ax: Axes | None = None) -> Axes:
    """The same of a sample of gold clusters that is looked at already."""
    return _draw_bins(_binned(diagnosis.table, diagnosis.metric, diagnosis.stands_for), diagnosis.metric, ax)


def _draw_bins(bins: Bins, chosen: Metric, ax: Axes | None) -> Axes:
    with panel(ax, 2.0) as on:
        from matplotlib.collections import LineCollection

        at = np.arange(len(bins.ranges))
        names = [f"{_range(first, last)}\n({compact(count)})" for first, last, count in bins.ranges]
        of = noun("elements") if getattr(chosen, "weights", None) is None else "weight"
        bars = on.ax.bar(at, bins.share, 0.8, color=on.ink, alpha=FAINT, linewidth=0, label=f"share of {of}")
        for bar, mark in zip(bars, _bin_marks(bins, of), strict=True):
            on.explain(bar, [mark])
        for name, series in zip(("precision", "recall"), SERIES, strict=False):
            values, face = getattr(bins, name), series.color if name == "precision" else "none"
            look: dict[str, Any] = {"color": series.color, "marker": series.marker, "markerfacecolor": face}
            on.ax.plot(at, values, label=name, clip_on=False, linestyle="none", **look)
            joined = [np.column_stack([at[[k, k + 1]], values[[k, k + 1]]]) for k in _neighbours(bins.ranges)]
            lines = LineCollection(joined, colors=series.color, linestyles=[series.linestyle], zorder=1.9)
            on.ax.add_collection(lines)
        on.ax.set_xticks(at, names)
        on.ax.set_xlim(-0.6, max(len(at) - 0.4, 1.4))
        on.ax.set_ylim(0, 1.02)
        on.scores("y")
        gap = "\n" if len(heading(chosen)) > _LETTERS else " "  # as it fits beside the plot
        on.label(
            noun("gold cluster size (number of clusters)"), f"{heading(chosen)},{gap}mean of the {noun('elements')}"
        )
        on.legend(3)
        return on.ax


def _neighbours(ranges: list[tuple[int, int, int]]) -> list[int]:
    """The bins after which the next size follows; between others there are no sizes that a curve could tell of."""
    return [k for k, (before, after) in enumerate(pairwise(ranges)) if after[0] == before[1] + 1]


def _binned(table: Table, metric: Metric, stands_for: Floats | None = None) -> Bins:
    """The elements' scores by the size of their gold cluster; bins that hold no cluster are left out.

    A gold cluster of a sample ``stands_for`` so many.
    """
    chosen = scores_elements(metric)
    chosen.check(table)
    pooled = between_clusters(table).pooled()
    counts = size_counts(pooled, pooled.sizes("gold"))
    if stands_for is None:
        size, weight, scores = _weighed(table.pooled(), chosen)
    else:
        size, scores = table.a, chosen.cell_scores(table).means()
        rows = Rows(None, table.n, table.a, table.b, None, None)
        weight = cell_weight(getattr(chosen, "weights", None), table, rows) * stands_for[table.gold]
        number = np.bincount(table.gold_size, stands_for)
        counts = counts._replace(times=number[counts.size])
    if "precision" not in scores:
        raise MetricError(
            f"{chosen.name} has no precision and recall to draw by {noun('cluster')} size; use bcubed or elm"
        )
    ends = size_bins(counts.size)
    clusters = np.bincount(np.searchsorted(ends, counts.size), counts.times, len(ends))
    held = np.flatnonzero(clusters)
    starts = counts.size if len(counts.size) == len(ends) else np.concatenate([[1], ends[:-1] + 1])
    ranges = list(
        zip(*(np.rint(column[held]).astype(int).tolist() for column in (starts, ends, clusters)), strict=True)
    )
    place = np.searchsorted(ends, size)
    total, precision, recall = (
        np.bincount(place, terms, len(ends))[held]
        for terms in (weight, weight * scores["precision"], weight * scores["recall"])
    )
    # a bin whose elements weigh nothing has no score
    means = divide(precision, total, np.nan), divide(recall, total, np.nan)
    return Bins(ranges, divide(total, total.sum(), 0.0), *means)


def _bin_marks(bins: Bins, of: str) -> Iterator[Mark]:
    for (first, last, count), share, *both in zip(*bins, strict=True):
        sizes = plural(first, "element") if first == last else f"{first:,} to {last:,} {noun('elements')}"
        held = f"{plural(count, 'gold cluster')} of {sizes}, {100 * share:.1f}% of all {of}"
        precision, recall = (shown_score(mean, 3) for mean in both)
        yield Mark(f"{held}; precision {precision}, recall {recall}", f"gold:{first}-{last}")


def _weighed(table: Table, metric: ScoresElements) -> tuple[Ints, Floats, dict[str, Floats]]:
    """Elements that are alike: the size of their gold cluster, what they weigh together, and their scores."""
    if isinstance(metric, ElementWise):  # by numbers alone, which every table has
        rows = table.rows()
        weight = cell_weight(metric.weights, table, rows)
        scores = metric.elements(rows.n, rows.a, rows.b).means()
        return rows.a, weight if rows.times is None else weight * rows.times, scores
    table = with_one_sided(table)
    scores, held = metric.cell_scores(table).means(), CellMembership.of(table, "gold")
    weight = (table.n if table.weight is None else table.weight) / held.number * (table.a > 0)
    return held.size[held.cluster], weight[held.cell], {name: column[held.cell] for name, column in scores.items()}


def _range(first: int, last: int) -> str:
    if first == last:
        return compact(first)
    both = f"{compact(first)}–{compact(last)}"
    return both if len(both) <= _LETTERS else f">{compact(first - 1)}"


def size_bins(size: Ints) -> Ints:
    """The largest size of each bin: every size by itself if they are few, else powers of 2, of 4, of 10, ..

    >>> size_bins(np.array([1, 2, 7])).tolist(), size_bins(np.arange(1, 50)).tolist()
    ([1, 2, 7], [1, 2, 4, 8, 16, 32, 49])
    """
    if len(size) <= _BINS:
        return size
    largest = int(size[-1])
    for base in (2, 4, 10, 100, 1000):
        ends = [1]
        while ends[-1] < largest:
            ends.append(ends[-1] * base)
        if len(np.unique(np.searchsorted(ends, size))) <= _BINS:
            break
    return np.array([*ends[:-1], largest], np.int64)
