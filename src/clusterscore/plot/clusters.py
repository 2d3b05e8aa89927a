"""Plots by cluster size: how large the clusters are, and how well those of a size are found."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from clusterscore.count.sums import Floats, divide
from clusterscore.count.table import Table
from clusterscore.diagnose.losses import scores_elements
from clusterscore.distinct import Array, Ints
from clusterscore.metrics import Metric
from clusterscore.metrics.elementwise import cell_weight
from clusterscore.metrics.expected import size_counts
from clusterscore.plot.asking import asked
from clusterscore.plot.canvas import Panel, panel
from clusterscore.plot.style import FAINT, SERIES, compact
from clusterscore.show.printed import heading

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_BARS = 12  # sizes: up to here each has bars of its own
_BINS = 8
_GOLD_BARS: dict[str, Any] = {"color": SERIES[0].color}
_PRED_BARS: dict[str, Any] = {"facecolor": "none", "edgecolor": SERIES[1].color, "hatch": "/////"}
_LETTERS = 8  # of a range of sizes, as it fits below a bin
_STEPS = 400  # corners of a line, more than can be seen


def sizes(gold: Any, pred: Any = None, *, ax: Axes | None = None, **policies: Any) -> Axes:
    """How large the clusters are, in gold and in the prediction.

    Where all clusters are small, a bar says how many there are of each size. Else a line says how many there are of at
    least that size, both on a log scale: it begins at the number of clusters and ends at the largest one.

    >>> import clusterscore as cs
    >>> ax = cs.plot.sizes([0, 0, 0, 1, 2], [0, 0, 1, 1, 2])
    >>> [[int(bar.get_height()) for bar in bars] for bars in ax.containers]
    [[2, 0, 1], [1, 2, 0]]
    """
    table = asked(gold, pred, policies).table
    both = {name: of_size(table, side) for name, side in (("gold", "gold"), ("predicted", "pred"))}
    largest = max((int(size.max(initial=0)) for size, _ in both.values()), default=0)
    with panel(ax, 1.9) as on:
        if largest <= _BARS:
            _size_bars(on, both, largest)
        else:
            _size_lines(on, both, largest)
        on.legend()
        return on.ax


class OfSize(NamedTuple):
    """The sizes that there are, and how many clusters are of each."""

    size: Ints
    clusters: Ints


def of_size(table: Table, side: str) -> OfSize:
    """How many clusters of a side there are of each size, over all documents."""
    found = size_counts(table.pooled(), side)
    return OfSize(found.size, found.times)


def _size_bars(on: Panel, both: dict[str, OfSize], largest: int) -> None:
    at = np.arange(1, largest + 1)
    for k, (name, (size, count)) in enumerate(both.items()):
        height = np.bincount(size, count, largest + 1)[1:]
        # open and filled, so that they are told apart without colours
        look = _GOLD_BARS if k == 0 else _PRED_BARS
        on.ax.bar(at + 0.2 * (2 * k - 1), height, 0.38, label=name, linewidth=0.8, **look)
    on.ax.set_xticks(at)
    on.ax.set_xlim(0.4, largest + 0.6)
    on.label("cluster size (elements)", "clusters")
    _counted(on)


def _size_lines(on: Panel, both: dict[str, OfSize], largest: int) -> None:
    most = max(int(count.sum()) for _, count in both.values())
    for (name, (size, count)), series in zip(both.items(), SERIES, strict=False):
        at_least = count[::-1].cumsum()[::-1]
        kept = _corners(size, largest)
        # all clusters are of size 1 or more, and none is larger than the largest
        x, y = np.concatenate([[0.5], size[kept], size[-1:]]), np.concatenate([at_least[:1], at_least[kept], [0.5]])
        on.ax.step(x, y, where="pre", color=series.color, linestyle=series.linestyle, label=name)
        on.ax.plot(size[-1], at_least[-1], color=series.color, marker=series.marker, clip_on=False)
    on.logarithmic("x", 1, largest)
    on.logarithmic("y", 1, max(most, 10))
    on.ax.set_xlim(0.75, 1.3 * largest)
    on.ax.set_ylim(0.7, 1.5 * max(most, 10))
    on.label("cluster size s (elements)", "clusters of size s or more")


def _corners(size: Ints, largest: int) -> Array:
    """Which sizes to draw: all, or as many as can be told apart on a log scale; the smallest and the largest always."""
    if len(size) <= _STEPS:
        return np.arange(len(size))
    place = (np.log(size) * (_STEPS / np.log(largest))).astype(np.int64)
    return np.unique([*np.unique(place, return_index=True)[1].tolist(), len(size) - 1])


def _counted(on: Panel) -> None:
    """Ticks for whole numbers."""
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    on.ax.yaxis.set_major_locator(MaxNLocator("auto", integer=True, min_n_ticks=1))
    on.ax.yaxis.set_major_formatter(FuncFormatter(lambda count, _: compact(count)))


class Bins(NamedTuple):
    """Gold clusters by their size: the largest size of each bin, and what the metric says of their elements."""

    names: list[str]
    clusters: Ints
    share: Floats  # of all elements
    precision: Floats
    recall: Floats


def by_size(
    gold: Any,
    pred: Any = None,
    *,
    metric: str | Metric = "elm",
    ax: Axes | None = None,
    **policies: Any,
) -> Axes:
    """Precision and recall of the elements of small and of large gold clusters.

    ``metric`` is one that scores elements: ``elm`` or ``bcubed``, with parameters. Grey bars are the share of all
    elements that clusters of that size hold: weighed with them, the marks have the score's precision and recall as
    their mean. Below each size stands the number of its clusters.

    >>> import clusterscore as cs
    >>> ax = cs.plot.by_size([0, 0, 0, 1, 2], [0, 0, 1, 1, 2], metric="bcubed")
    >>> [(line.get_label(), line.get_ydata().round(3).tolist()) for line in ax.lines]
    [('precision', [0.75, 0.833]), ('recall', [1.0, 0.556])]
    """
    given = asked(gold, pred, policies, [metric])
    chosen = given.metrics[0]
    bins = binned(given.table, chosen)
    with panel(ax, 2.0) as on:
        at = np.arange(len(bins.names))
        of = "elements" if getattr(chosen, "weights", None) is None else "weight"
        on.ax.bar(at, bins.share, 0.8, color=on.ink, alpha=FAINT, linewidth=0, label=f"share of {of}")
        for name, values, series in zip(("precision", "recall"), (bins.precision, bins.recall), SERIES, strict=False):
            on.ax.plot(at, values, color=series.color, linestyle=series.linestyle, marker=series.marker, label=name,
                       markerfacecolor=series.color if name == "precision" else "none", clip_on=False)  # fmt: skip
        on.ax.set_xticks(
            at, [f"{name}\n({compact(count)})" for name, count in zip(bins.names, bins.clusters.tolist(), strict=True)]
        )
        on.ax.set_xlim(-0.6, max(len(at) - 0.4, 1.4))
        on.ax.set_ylim(0, 1.02)
        on.label("gold cluster size (number of clusters)", f"{heading(chosen)}, mean of the elements")
        on.legend(3)
        return on.ax


def binned(table: Table, metric: Metric) -> Bins:
    """The elements' scores by the size of their gold cluster; bins that hold no cluster are left out."""
    chosen = scores_elements(metric)
    chosen.check(table)
    pooled = table.pooled()
    rows = pooled.rows()
    weight = cell_weight(chosen.weights, pooled, rows)
    if rows.times is not None:
        weight = weight * rows.times
    size, count = of_size(table, "gold")
    ends = size_bins(size)
    place = np.searchsorted(ends, rows.a)
    scores = chosen.elements(rows.n, rows.a, rows.b)
    total, precision, recall = (
        np.bincount(place, terms, len(ends)) for terms in (weight, weight * scores.precision, weight * scores.recall)
    )
    clusters = np.bincount(np.searchsorted(ends, size), count, len(ends)).astype(np.int64)
    held = np.flatnonzero(clusters)
    starts = np.concatenate([[1], ends[:-1] + 1])
    names = [_range(a, b) for a, b in zip(starts[held].tolist(), ends[held].tolist(), strict=True)]
    if len(size) == len(ends):
        names = [compact(one) for one in size.tolist()]
    share = divide(total, total.sum(), 0.0)
    # a bin whose elements weigh nothing has no score
    return Bins(
        names, clusters[held], share[held], divide(precision, total, np.nan)[held], divide(recall, total, np.nan)[held]
    )


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
    for base in (2, 4, 10, 100, 1000, 10**6):
        ends = [1]
        while ends[-1] < largest:
            ends.append(ends[-1] * base)
        if len(np.unique(np.searchsorted(ends, size))) <= _BINS:
            break
    return np.array([*ends[:-1], largest], np.int64)
