"""Plots of scores: how those of documents are spread, and where two metrics part."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from clusterscore.aggregate import Summary
from clusterscore.analyses.request import Metrics
from clusterscore.analyses.score.scorecard import Scorecard
from clusterscore.count.sums import Floats, divide
from clusterscore.count.table import Table
from clusterscore.exceptions import MetricError, one_of
from clusterscore.metrics import Metric
from clusterscore.nouns import noun, plural
from clusterscore.overlap import between_clusters
from clusterscore.plot.canvas import Mark, Panel, counted, in_words_of_results, panel
from clusterscore.plot.style import BLUE, SERIES, Series, compact, isolated, named
from clusterscore.show.in_words import shown_score
from clusterscore.show.result import heading

if TYPE_CHECKING:
    from matplotlib.axes import Axes

GRID = 1025  # points of a curve
_PAIR = ("bcubed", "elm")  # what the papers on ELM compare
PARTS = ("value", "precision", "recall")
_FEW = 10  # documents, below which a curve would tell more than they do
_EQUAL = 1e-9
_REACH = 3  # bandwidths, beyond which a curve has come down
_PART = 0.5  # of all possible scores: an axis shows no more than where the curves are, if that is less
_HALF = 28  # letters: half the width of a figure
_SHADED = 2  # metrics: the shades of more would cover each other
MANY = 2000  # points, above which a plot shows how many there are, not each
_SPREAD = 10.0  # from the smallest to the largest size: beyond, sizes are shown on a log scale


class DocumentScores(NamedTuple):
    """One metric's scores of all documents, and how they are shown."""

    name: str
    values: Floats
    mean: float
    std: float  # 0 for one document
    low: float  # no score is below
    high: float
    series: Series

    @property
    def summary(self) -> str:
        """Mean and standard deviation in words."""
        spread = f" ± {shown_score(self.std, 2)}" if len(self.values) > 1 else ""
        return f"{shown_score(self.mean, 2)}{spread}"


@in_words_of_results
def distribution(
    gold: Any,
    pred: Any = None,
    *,
    metrics: Metrics = None,
    part: str = "value",
    ax: Axes | None = None,
    **policies: Any,
) -> Axes:
    """How the scores of the documents are spread, under one metric or several: ``distribution(card)``.

    Several systems are a mapping of names to Scorecards or Tables: ``distribution({"A": card_a, "B": card_b})``, under
    elm unless you name others.

    A smooth curve for each (Gaussian kernel, Scott's bandwidth, mirrored at the lowest and the highest possible score),
    its mean as a dotted line, one standard deviation to either side shaded, both numbers in the legend. Where there are
    few documents, or all score the same, they are drawn one by one. Of more than two metrics nothing is shaded.

    Options:
        gold: the true clustering; or a Scorecard, or several by name.
        metrics: one or several; without them bcubed and elm, or where clusters overlap matched_bcubed and matched_elm,
            or of a Scorecard without these, its first two.
        part: ``"value"``, ``"precision"`` or ``"recall"``.

    >>> import clusterscore as cs
    >>> gold, pred, documents = [0, 0, 1, 1] * 30, [0, 0, 1, 2, 0, 1, 1, 1] * 15, [k // 4 for k in range(120)]
    >>> card = cs.score(gold, pred, documents=documents)
    >>> [text.get_text() for text in cs.plot.distribution(card).get_legend().get_texts()]
    ['bcubed 0.75 ± 0.08', 'elm 0.42 ± 0.08']
    """
    systems = gold if pred is None and _are_systems(gold) else {"": gold}
    scores: list[tuple[str, Metric, Floats]] = []
    for system, given in systems.items():
        table, chosen = counted(given, pred, policies, metrics, _PAIR if len(systems) == 1 else _PAIR[1:])
        for metric, column in zip(chosen, by_document(table, chosen, part), strict=True):
            names = [system, heading(metric) if len(systems) == 1 or len(chosen) > 1 else ""]
            scores.append((" ".join(filter(None, names)), metric, column))
    if len(scores) > len(SERIES):
        curves = f"{len(scores)} {'metrics' if len(systems) == 1 else 'curves (systems times metrics)'}"
        raise MetricError(f"{curves} cannot be distinguished in one plot; name up to {len(SERIES)}")
    shown = [
        DocumentScores(named(name, 36), column, float(column.mean()), _std(column), *_bounds(metric, column), series)
        for (name, metric, column), series in zip(scores, SERIES, strict=False)
    ]
    documents = max(len(column) for *_, column in scores)
    under = [heading(chosen[0])] if len(systems) > 1 and len(chosen) == 1 else []
    kind = [] if under and part == "value" else ["score" if part == "value" else part]
    what = f"{' '.join(under + kind)} per {noun('document')} ({plural(documents, 'document')})"
    in_rows = documents < _FEW or all(curve.std < _EQUAL for curve in shown)
    lines = -(-len(shown) // _legend_columns(shown))
    with panel(ax, 0.75 + 0.3 * len(shown) if in_rows else 1.78 + 0.12 * lines) as on:
        (_rows if in_rows else _curves)(on, shown)
        on.label(what, "" if in_rows else "density")
        low, high = min(curve.low for curve in shown), max(curve.high for curve in shown)
        if not in_rows:
            on.ax.set_yticks([])  # how dense is nothing anybody reads
            low, high = _seen(shown, low, high)
        room = 0.02 * (high - low)
        on.ax.set_xlim(low - room, high + room)
        on.scores("x")
        return on.ax


def _are_systems(given: Any) -> bool:
    """Whether these are several systems by name, and not elements with their labels."""
    return (
        isinstance(given, Mapping)
        and bool(given)
        and all(isinstance(system, Scorecard | Table) for system in given.values())
    )


def by_document(table: Table, metrics: list[Metric], part: str) -> list[Floats]:
    """The score of every document under each metric, or a part of it."""
    one_of("part", part, PARTS)
    columns = [getattr(Summary(metric, table).documents, part) for metric in metrics]
    for metric, column in zip(metrics, columns, strict=True):
        if column is None:
            raise MetricError(f'{metric} has no {part}; take part="value", or another metric')
    return columns


def _bounds(metric: Metric, values: Floats) -> tuple[float, float]:
    """From 0 to 1, further where scores go further, never beyond what a metric can be."""
    low, high = metric.lowest, metric.highest
    reach = _REACH * bandwidth(values)
    if low < 0:
        low = max(low, min(0.0, float(values.min()) - reach))
    if high > 1:
        high = min(high, max(1.0, float(values.max()) + reach))
    return min(low, float(values.min())), max(high, float(values.max()))


def _seen(shown: list[DocumentScores], low: float, high: float) -> tuple[float, float]:
    """Where the curves are, if that is a small part of all that scores can be."""
    reach = _REACH * max(bandwidth(curve.values) for curve in shown)
    first = max(low, min(float(curve.values.min()) for curve in shown) - reach)
    last = min(high, max(float(curve.values.max()) for curve in shown) + reach)
    return (first, last) if 0 < last - first < _PART * (high - low) else (low, high)


def _curves(on: Panel, shown: list[DocumentScores]) -> None:
    for scores in shown:
        color, linestyle, _ = scores.series
        if scores.std < _EQUAL:
            label = f"{scores.name} {shown_score(scores.mean, 2)} (all)"
            on.ax.axvline(scores.mean, color=color, linestyle=linestyle, linewidth=1.6, label=label)
            continue
        at, height = np.linspace(scores.low, scores.high, GRID), density(scores.values, scores.low, scores.high)
        on.ax.plot(at, height, color=color, linestyle=linestyle, label=f"{scores.name} {scores.summary}")
        on.ax.vlines(scores.mean, 0, np.interp(scores.mean, at, height), color=color, linestyle=":", linewidth=0.9)
        if len(shown) <= _SHADED:
            inside = np.linspace(
                max(scores.mean - scores.std, scores.low), min(scores.mean + scores.std, scores.high), GRID
            )
            on.ax.fill_between(inside, np.interp(inside, at, height), color=color, alpha=0.15, linewidth=0)
    on.ax.set_ylim(bottom=0)
    on.legend(_legend_columns(shown))


def _legend_columns(shown: list[DocumentScores]) -> int:
    return 2 if all(len(f"{scores.name} {scores.summary}") <= _HALF for scores in shown) else 1


def _std(values: Floats) -> float:
    """The standard deviation; 0 for one value."""
    return float(values.std(ddof=1)) if len(values) > 1 else 0.0


def bandwidth(values: Floats) -> float:
    """Scott's: the standard deviation, divided by the fifth root of their number."""
    return float(_std(values) * len(values) ** -0.2)


def density(values: Floats, low: float, high: float) -> Floats:
    """The density of values at GRID points from low to high: Gaussian kernel, Scott's bandwidth, mirrored at the ends.

    What a kernel would put beyond a bound comes back inside, so that the area is 1 and a crowd at the very best score
    looks like one. Values are first shared out between their two neighbours on the grid: a million cost no more than
    reading them.
    """
    from scipy.ndimage import gaussian_filter1d

    step = (high - low) / (GRID - 1)
    place = (values - low) / step
    left = np.minimum(place.astype(np.int64), GRID - 2)
    share = place - left
    weight = np.bincount(left, 1 - share, GRID) + np.bincount(left + 1, share, GRID)
    weight[[0, -1]] *= 2  # a value at a bound is its own mirror image
    smooth = gaussian_filter1d(weight, max(bandwidth(values) / step, 1.0), mode="mirror", truncate=8.0)
    return np.asarray(smooth / np.trapezoid(smooth, dx=step))


def _rows(on: Panel, shown: list[DocumentScores]) -> None:
    """A row for each metric: a mark for every score, its mean and standard deviation below."""
    for row, scores in enumerate(shown):
        color, _, marker = scores.series
        at, times = np.unique(scores.values.round(9), return_counts=True)
        look: dict[str, Any] = {"linestyle": "none", "marker": marker, "color": color, "markerfacecolor": "none"}
        (marks,) = on.ax.plot(at, np.full(len(at), row), label=scores.name, **look)
        pairs = zip(at.tolist(), times.tolist(), strict=True)
        words = [f"{scores.name}: {plural(count, 'document')} {shown_score(score, 3)}" for score, count in pairs]
        on.explain(marks, list(map(Mark, words)))
        above: dict[str, Any] = {"textcoords": "offset points", "ha": "center", "va": "bottom", "fontsize": "small"}
        for score, count in zip(at[times > 1].tolist(), times[times > 1].tolist(), strict=True):
            on.ax.annotate(f"×{compact(count)}", (score, row), (0, 3), color=color, **above)
        on.ax.plot([scores.mean - scores.std, scores.mean + scores.std], [row + 0.25] * 2, color=on.ink, linewidth=0.8)
        on.ax.plot([scores.mean], [row + 0.25], color=on.ink, marker="|", markersize=5)
    on.ax.set_yticks(range(len(shown)), [f"{scores.name}\n{scores.summary}" for scores in shown])
    on.ax.set_ylim(len(shown) - 0.5, -0.5)


@in_words_of_results
def difference(
    gold: Any,
    pred: Any = None,
    *,
    metrics: Metrics = None,
    part: str = "value",
    ax: Axes | None = None,
    **policies: Any,
) -> Axes:
    """How far two metrics are apart in each document, against the mean size of its gold clusters.

    A mark for each document, or darker cells where there are thousands of them, and a line of means over documents of
    about the same size.

    Options:
        metrics: two; without them bcubed and elm.
        part: ``"value"``, ``"precision"`` or ``"recall"``.

    >>> import clusterscore as cs
    >>> ax = cs.plot.difference([0, 0, 1, 2], [0, 1, 1, 1], documents=["a", "a", "b", "b"])
    >>> ax.collections[0].get_offsets().round(3).tolist()
    [[1.0, 0.667], [2.0, 0.667]]
    """
    table, chosen = counted(gold, pred, policies, metrics, _PAIR)
    if len(chosen) != 2:
        raise MetricError(f'{plural(len(chosen), "metric")}; name two that differ, as in metrics=("bcubed", "elm")')
    values, others = by_document(table, chosen, part)
    sizes = between_clusters(table).sizes("gold")
    clusters = table.total(sizes._replace(size=sizes.size > 0))
    held = clusters > 0  # a document may be empty in gold
    size, apart = divide(table.total(sizes), clusters, 0.0)[held], (values - others)[held]
    order = np.lexsort((apart, size))
    size, apart = size[order], apart[order]
    with panel(ax, 2.0) as on:
        logarithmic = len(size) > 0 and bool(size[-1] / size[0] > _SPREAD)
        on.ax.axhline(0, color=on.ink, linewidth=0.6, linestyle=":")
        if len(size) > MANY:
            cells(on, size, apart, (36, 16), logarithmic)
        else:
            dots = on.ax.scatter(size, apart, s=9, color=BLUE, alpha=0.55, linewidths=0, label=noun("a document"))
            both = list(zip(map(heading, chosen), (values, others), strict=True))
            on.explain(dots, [document_mark(table, place, both) for place in np.flatnonzero(held)[order].tolist()])
        _means(on, size, apart)
        if logarithmic:
            on.logarithmic("x", size[0], size[-1])
        on.legend()
        of = "" if part == "value" else f", {part}"
        on.scores("y")
        on.label(noun("mean gold cluster size (elements)"), f"{' − '.join(map(heading, chosen))}{of}")
        return on.ax


def document_mark(table: Table, place: int, scores: Iterable[tuple[str, Floats]]) -> Mark:
    """What a document is called, and what it scores."""
    words = ", ".join(f"{name} {shown_score(values[place], 3)}" for name, values in scores)
    name = table.documents[place]
    whole = noun("all elements") if name is None else f"{noun('document')} {isolated(name)}"
    return Mark(f"{whole}: {words}", f"doc/{place}")


def cells(on: Panel, x: Floats, y: Floats, grid: tuple[int, int], logarithmic: bool = False) -> None:
    """Documents by the thousand: darker where there are more of them."""
    from matplotlib.colors import LinearSegmentedColormap, LogNorm, to_rgba

    # from almost nothing to a colour: it lies on the paper, whatever colour that has
    ramp = LinearSegmentedColormap.from_list("ramp", [to_rgba(BLUE, 0.25), to_rgba(BLUE)])
    look: dict[str, Any] = {"norm": LogNorm(), "cmap": ramp, "linewidths": 0.1}
    look["xscale"] = "log" if logarithmic else "linear"
    drawn = on.ax.hexbin(x, y, gridsize=grid, mincnt=1, **look)
    most = int(np.max(drawn.get_array()))  # type: ignore[arg-type]
    on.ax.scatter([], [], marker="h", color=BLUE, label=f"1 to {most:,} {noun('documents')}")


def _means(on: Panel, size: Floats, apart: Floats) -> None:
    """A line through the means of neighbours, where there are enough of them."""
    groups = min(len(size) // 15, 12)
    if groups < 2 or size[0] == size[-1]:
        return
    starts = np.unique(np.searchsorted(size, size[np.arange(groups) * len(size) // groups]))
    x, y = (np.add.reduceat(values, starts) / np.diff([*starts, len(size)]) for values in (size, apart))
    on.ax.plot(x, y, color=on.ink, marker="o", markersize=2.5, linewidth=1, label="mean of similar sizes")
