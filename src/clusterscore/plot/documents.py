"""Plots with a score for every document: how scores are spread, and where two metrics part."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from clusterscore.count.sums import Floats, divide
from clusterscore.exceptions import MetricError, plural
from clusterscore.metrics import Metric
from clusterscore.pipeline.asking import Metrics
from clusterscore.plot.asking import asked
from clusterscore.plot.canvas import Panel, panel
from clusterscore.plot.style import BLUE, SERIES, Series, compact
from clusterscore.show.printed import heading

if TYPE_CHECKING:
    from matplotlib.axes import Axes

GRID = 257  # points of a curve
_FEW = 10  # documents, below which a curve would tell more than they do
_EQUAL = 1e-9
_SHADED = 2  # metrics: the shades of more would cover each other
_MANY = 2000  # points, above which a plot shows how many there are, not each
_SPREAD = 10.0  # from the smallest to the largest size: beyond, sizes are shown on a log scale


class Scores(NamedTuple):
    """One metric's scores of all documents, and how they are shown."""

    name: str
    values: Floats
    low: float  # no score is below
    high: float
    series: Series

    @property
    def equal(self) -> bool:
        """Whether all documents have the same score."""
        return float(np.ptp(self.values)) < _EQUAL

    @property
    def mean(self) -> float:
        """Their mean."""
        return float(self.values.mean())

    @property
    def std(self) -> float:
        """Their standard deviation; 0 for one document."""
        return float(self.values.std(ddof=1)) if len(self.values) > 1 else 0.0

    @property
    def summary(self) -> str:
        """Mean and standard deviation in words."""
        return f"{self.mean:.2f} ± {self.std:.2f}" if len(self.values) > 1 else f"{self.mean:.2f}"


def distribution(
    gold: Any,
    pred: Any = None,
    *,
    metrics: Metrics = ("bcubed", "elm"),
    part: str = "value",
    ax: Axes | None = None,
    **policies: Any,
) -> Axes:
    """How the scores of the documents are spread, under one metric or several: ``distribution(card)``.

    A smooth curve for each (Gaussian kernel, Scott's bandwidth, mirrored at the lowest and the highest possible score),
    its mean as a dotted line, one standard deviation to either side shaded, both numbers in the legend. Where there are
    few documents, or all score the same, they are drawn one by one. Of more than two metrics nothing is shaded.
    ``part`` is ``"value"``, ``"precision"`` or ``"recall"``.

    >>> import clusterscore as cs
    >>> gold, pred, documents = [0, 0, 1, 1] * 30, [0, 0, 1, 2, 0, 1, 1, 1] * 15, [k // 4 for k in range(120)]
    >>> card = cs.score(gold, pred, documents=documents)
    >>> [text.get_text() for text in cs.plot.distribution(card).get_legend().get_texts()]
    ['bcubed 0.75 ± 0.08', 'elm 0.42 ± 0.08']
    """
    given = asked(gold, pred, policies, metrics)
    if len(given.metrics) > len(SERIES):
        raise MetricError(f"{len(given.metrics)} metrics cannot be told apart in one plot; name up to {len(SERIES)}")
    columns = given.documents(part)
    shown = [
        Scores(heading(one), column, *_bounds(one, column), series)
        for one, column, series in zip(given.metrics, columns, SERIES, strict=False)
    ]
    documents = len(columns[0])
    what = f"{'score' if part == 'value' else part} per document ({plural(documents, 'document')})"
    in_rows = documents < _FEW or all(one.equal for one in shown)
    with panel(ax, 0.75 + 0.3 * len(shown) if in_rows else 1.9) as on:
        if in_rows:
            _rows(on, shown)
            on.label(what, "")
        else:
            _curves(on, shown)
            on.label(what, "density")
        low, high = min(one.low for one in shown), max(one.high for one in shown)
        room = 0.02 * (high - low)
        on.ax.set_xlim(low - room, high + room)
        return on.ax


def _bounds(metric: Metric, values: Floats) -> tuple[float, float]:
    """From 0 to 1, further where scores go further, never beyond what a metric can be."""
    low, high = metric.lowest, metric.highest
    reach = 3 * bandwidth(values)  # there a curve has come down, if no bound is before
    if low < 0:
        low = max(low, min(0.0, float(values.min()) - reach))
    if high > 1:
        high = min(high, max(1.0, float(values.max()) + reach))
    return min(low, float(values.min())), max(high, float(values.max()))


def _curves(on: Panel, shown: list[Scores]) -> None:
    top = 0.0
    for one in shown:
        if one.equal:
            continue
        at = np.linspace(one.low, one.high, GRID)
        height = density(one.values, one.low, one.high)
        top = max(top, float(height.max()))
        on.ax.plot(
            at, height, color=one.series.color, linestyle=one.series.linestyle, label=f"{one.name} {one.summary}"
        )
        on.ax.vlines(one.mean, 0, np.interp(one.mean, at, height), color=one.series.color, linestyle=":", linewidth=0.9)
        if len(shown) > _SHADED:
            continue
        inside = np.linspace(max(one.mean - one.std, one.low), min(one.mean + one.std, one.high), GRID)
        on.ax.fill_between(inside, np.interp(inside, at, height), color=one.series.color, alpha=0.15, linewidth=0)
    for one in shown:
        if one.equal:
            on.ax.plot([one.mean] * 2, [0, top], color=one.series.color, linestyle=one.series.linestyle, linewidth=1.6,
                       label=f"{one.name} {one.mean:.2f} (all)")  # fmt: skip
    on.ax.set_ylim(0, 1.05 * top)
    on.legend()


def bandwidth(values: Floats) -> float:
    """Scott's: the standard deviation, divided by the fifth root of their number; 0 for one value."""
    return float(values.std(ddof=1)) * len(values) ** -0.2 if len(values) > 1 else 0.0


def density(values: Floats, low: float, high: float) -> Floats:
    """The density of values at GRID points from low to high: Gaussian kernel, Scott's bandwidth, mirrored at the ends.

    What a kernel would put beyond a bound comes back inside, so that the area is 1 and a crowd at the very best score
    looks like one. Values are first shared out between their two neighbours on the grid: a million cost no more than
    reading them.
    """
    step = (high - low) / (GRID - 1)
    place = (values - low) / step
    left = np.minimum(place.astype(np.int64), GRID - 2)
    share = place - left
    weight = np.bincount(left, 1 - share, GRID) + np.bincount(left + 1, share, GRID)
    width = max(bandwidth(values), step)
    offset = np.arange(-(GRID - 1), GRID) * step
    kernel = np.exp(-0.5 * (offset / width) ** 2)
    # the mirror images of the grid to the left and to the right, the ends not doubled
    mirrored = np.concatenate([weight[:0:-1], weight, weight[-2::-1]])
    mirrored[[GRID - 1, 2 * GRID - 2]] *= 2
    smooth = np.convolve(mirrored, kernel, "same")[GRID - 1 : 2 * GRID - 1]
    area = step * (smooth.sum() - (smooth[0] + smooth[-1]) / 2)
    return np.asarray(smooth / area)


def _rows(on: Panel, shown: list[Scores]) -> None:
    """A row for each metric: a mark for every score, its mean and standard deviation below."""
    for row, one in enumerate(shown):
        at, times = np.unique(one.values.round(9), return_counts=True)
        on.ax.plot(at, np.full(len(at), row), linestyle="none", marker=one.series.marker, color=one.series.color,
                   markerfacecolor="none", label=one.name)  # fmt: skip
        for score, count in zip(at[times > 1].tolist(), times[times > 1].tolist(), strict=True):
            on.ax.annotate(f"×{compact(count)}", (score, row), (0, 3), textcoords="offset points", ha="center",
                           va="bottom", fontsize="small", color=one.series.color)  # fmt: skip
        on.ax.plot([one.mean - one.std, one.mean + one.std], [row + 0.25] * 2, color=on.ink, linewidth=0.8)
        on.ax.plot([one.mean], [row + 0.25], color=on.ink, marker="|", markersize=5)
    on.ax.set_yticks(range(len(shown)), [f"{one.name}\n{one.summary}" for one in shown])
    on.ax.set_ylim(len(shown) - 0.5, -0.5)


def difference(
    gold: Any,
    pred: Any = None,
    *,
    metrics: Metrics = ("bcubed", "elm"),
    part: str = "value",
    ax: Axes | None = None,
    **policies: Any,
) -> Axes:
    """How far two metrics are apart in each document, against the mean size of its gold clusters.

    A mark for each document, or darker cells where there are thousands of them, and a line of means over documents of
    about the same size.

    >>> import clusterscore as cs
    >>> ax = cs.plot.difference([0, 0, 1, 2], [0, 1, 1, 1], documents=["a", "a", "b", "b"])
    >>> ax.collections[0].get_offsets().round(3).tolist()
    [[1.0, 0.667], [2.0, 0.667]]
    """
    given = asked(gold, pred, policies, metrics)
    if len(given.metrics) != 2:
        count = plural(len(given.metrics), "metric")
        raise MetricError(f'{count}; name two that differ, as in metrics=("bcubed", "elm")')
    first, second = given.metrics
    values, others = given.documents(part)
    clusters = given.table.clusters("gold")
    size = divide(given.table.gold_elements, clusters, 0.0)
    held = clusters > 0  # a document may be empty in gold
    size, apart = size[held], (values - others)[held]
    order = np.lexsort((apart, size))
    size, apart = size[order], apart[order]
    with panel(ax, 2.0) as on:
        logarithmic = len(size) > 0 and bool(size[-1] / size[0] > _SPREAD)
        on.ax.axhline(0, color=on.ink, linewidth=0.6, linestyle=":")
        if len(size) > _MANY:
            _cells(on, size, apart, logarithmic)
        else:
            on.ax.scatter(size, apart, s=9, color=BLUE, alpha=0.55, linewidths=0, label="a document")
        _means(on, size, apart)
        if logarithmic:
            on.logarithmic("x", size[0], size[-1])
        on.legend()
        of = "" if part == "value" else f", {part}"
        on.label("mean gold cluster size (elements)", f"{heading(first)} − {heading(second)}{of}")
        return on.ax


def _cells(on: Panel, size: Floats, apart: Floats, logarithmic: bool) -> None:
    from matplotlib.colors import LogNorm

    cells = on.ax.hexbin(
        size, apart, gridsize=(36, 16), mincnt=1, xscale="log" if logarithmic else "linear", norm=LogNorm(),
        cmap=on.ramp(BLUE, 0.25), linewidths=0.1,
    )  # fmt: skip
    most = int(np.max(cells.get_array()))  # type: ignore[arg-type]
    on.ax.scatter([], [], marker="h", color=BLUE, label=f"1 to {most:,} documents")


def _means(on: Panel, size: Floats, apart: Floats) -> None:
    """A line through the means of neighbours, where there are enough of them."""
    groups = min(len(size) // 15, 12)
    if groups < 2 or size[0] == size[-1]:
        return
    starts = np.unique(np.searchsorted(size, size[np.arange(groups) * len(size) // groups]))
    count = np.diff([*starts, len(size)])
    on.ax.plot(np.add.reduceat(size, starts) / count, np.add.reduceat(apart, starts) / count, color=on.ink,
               marker="o", markersize=2.5, linewidth=1, label="mean of similar sizes")  # fmt: skip
