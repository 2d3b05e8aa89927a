"""Plots of systems: how sure their scores are, and which of them differ."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from clusterscore.analyses.compare.comparison import Comparison
from clusterscore.analyses.compare.system_results import SystemResult
from clusterscore.analyses.estimate.estimates import Estimates
from clusterscore.exceptions import InputTypeError, MetricError
from clusterscore.metrics import Metric
from clusterscore.metrics import metric as metric_named
from clusterscore.plot.canvas import Mark, Panel, in_words_of_results, panel, panels
from clusterscore.plot.style import BLUE, FONT, isolated, named
from clusterscore.show.result import ByMetric, heading

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

_ROW = 0.19  # inches, for a system
_CLOSE = 0.13  # where there are several panels
_SIDE_BY_SIDE = 2  # panels: with more their numbers would run into each other
_MOST = 9.0  # inches: a page
_NAME = 6.5  # points


@in_words_of_results
def comparison(
    comparison: Comparison | Estimates, metric: str | Metric | None = None, *, ax: Axes | None = None
) -> Axes:
    """Systems that ``cs.compare`` has compared: a dot for each score, a line for its interval, the best on top.

    The baseline is a diamond, with a dotted line through all systems. A full dot, and a star after the name, is a
    system that differs from it significantly (Holm's p below 1 - confidence); an open dot is one that does not.

    Options:
        comparison: what :func:`clusterscore.compare` has returned, or :func:`clusterscore.estimate` where gold is a
            sample: the estimates, compared with the first system.
        metric: one that was compared. Without it every metric has a panel of its own, with its own scale, and the
            systems are in the order of their mean ranks; what is returned is the first panel.
        ax: has room for one metric: the first, if none is named.

    >>> import clusterscore as cs
    >>> gold, documents = [0, 0, 1, 1] * 8, [k // 4 for k in range(32)]
    >>> compared = cs.compare(gold, {"A": [0, 1, 1, 1] * 8, "B": [0, 0, 1, 1] * 8}, metrics="elm", documents=documents)
    >>> [text.get_text() for text in cs.plot.comparison(compared).get_yticklabels()]
    ['B *', 'A (baseline)']
    """
    if isinstance(comparison, Estimates):
        return _drawn(_Estimated(comparison), metric, ax)
    if not isinstance(comparison, Comparison):
        raise InputTypeError(
            f"comparison is a {type(comparison).__name__}; pass the result of cs.compare(gold, systems)"
        )
    return _drawn(comparison, metric, ax)


class _Estimated:
    """Estimates of systems, as a comparison with the first one."""

    unit = "clusters"

    def __init__(self, estimates: Estimates):
        self.metrics, self.systems, self.confidence = estimates.metrics, list(estimates.systems), estimates.confidence
        self.baseline = self.systems[0]
        found: dict[str, dict[str, Any]] = {name: {} for name in self.systems}
        for name in self.metrics:
            best = -1 if metric_named(name).smaller_is_better else 1
            values = {system: best * estimates.systems[system][name].value for system in self.systems}
            for system in self.systems:
                estimate = estimates.systems[system][name]
                found[system][name] = SimpleNamespace(
                    score=estimate,
                    intervals=SimpleNamespace(jackknife=estimate.interval),
                    difference=estimates.differences[system][name] if system in estimates.differences else None,
                    rank=1 + sum(value > values[system] for value in values.values()),
                )
        self._found = {name: ByMetric(own, "estimated") for name, own in found.items()}

    def __getitem__(self, system: str) -> Mapping[Any, Any]:
        return self._found[system]

    def values(self) -> Iterable[Mapping[Any, Any]]:
        """The results of each system."""
        return self._found.values()

    def is_significant(self, system: str, metric: str | Metric) -> bool:
        """Whether a system differs from the first."""
        gap = self[system][metric].difference
        return gap is not None and gap.p < 1 - self.confidence

    def short_name(self, metric: str) -> str:
        """A metric as a heading."""
        return heading(metric)


def _drawn(comparison: Comparison | _Estimated, metric: str | Metric | None, ax: Axes | None) -> Axes:
    if metric is None and ax is None and len(comparison.metrics) > 1:
        return _all_metrics(comparison)
    name = comparison.metrics[0] if metric is None else metric
    try:
        results = {system: comparison[system][name] for system in comparison.systems}
    except KeyError as error:
        raise MetricError(error.args[0]) from None
    order = sorted(comparison.systems, key=lambda system: results[system].rank)
    marks = {system: " *" if comparison.is_significant(system, name) else "" for system in order}
    marks[comparison.baseline] = " (baseline)"
    with panel(ax, min(0.6 + _ROW * len(order), _MOST)) as on:
        _systems(on, comparison, name, order)
        _names(on, [f"{named(system, 24)}{marks[system]}" for system in order], _ROW * len(order) / _MOST)
        star = f"\n* differs from the baseline, p (Holm) < {1 - comparison.confidence:.3g}"
        on.label(
            f"{named(heading(name), 80)}{_level(comparison)}{star if ' *' in marks.values() else ''}", "", names=True
        )
        return on.ax


def _all_metrics(comparison: Comparison | _Estimated) -> Axes:
    """A panel for every metric, in two columns; names at the left only."""
    ranks = {system: sum(comparison[system][name].rank for name in comparison.metrics) for system in comparison.systems}
    order = sorted(comparison.systems, key=ranks.__getitem__)
    names = [named(system) for system in order]
    rows = -(-len(comparison.metrics) // _SIDE_BY_SIDE)
    height = 0.35 + rows * (0.42 + _CLOSE * len(order))
    with panels(len(comparison.metrics), _SIDE_BY_SIDE, min(height, _MOST)) as all_of_them:
        for k, (on, name) in enumerate(zip(all_of_them, comparison.metrics, strict=True)):
            _systems(on, comparison, name, order)
            _names(on, names if k % _SIDE_BY_SIDE == 0 else [""] * len(order), height / _MOST)
            on.ax.set_title(named(comparison.short_name(name), 30), loc="left", pad=2)
            on.ax.locator_params(axis="x", nbins=4)
        tested = len(order) > 1 and comparison.unit is not None
        full = f"full: differs from the baseline (diamond), p (Holm) < {1 - comparison.confidence:.3g}"
        note = "\n".join([f"score{_level(comparison)}", *([full] if tested else [])])
        all_of_them[0].ax.figure.figure.supxlabel(note, fontsize=FONT, color=all_of_them[0].ink)
        return all_of_them[0].ax


def _systems(on: Panel, comparison: Comparison | _Estimated, metric: str | Metric, order: list[str]) -> None:
    """Scores and intervals under one metric, a row for each system."""
    baseline = comparison[comparison.baseline][metric].score.value
    on.ax.axvline(baseline, color=on.ink, linewidth=0.7, linestyle=":", zorder=0)
    for row, system in enumerate(order):
        full = system == comparison.baseline or comparison.is_significant(system, metric)
        dot = _system(on, row, comparison[system][metric], full)
        on.explain(dot, [Mark(_words(comparison, system, metric), f"system:{system}")])


def _names(on: Panel, names: list[str], crowding: float) -> None:
    """Names at the left of their rows; smaller where these would need so many times the page."""
    fitting: dict[str, Any] = {"fontsize": _NAME / crowding} if crowding > 1 else {}
    on.ax.set_yticks(range(len(names)), names, **fitting)
    on.ax.set_ylim(len(names) - 0.5, -0.5)
    on.ax.tick_params(axis="y", length=0)
    on.ax.spines["left"].set_visible(False)


def _level(comparison: Comparison | _Estimated) -> str:
    """What the lines are, where there are any."""
    drawn = any(result.intervals is not None for results in comparison.values() for result in results.values())
    return f", {100 * comparison.confidence:g}% interval" if drawn else ""


def _words(comparison: Comparison | _Estimated, system: str, metric: str | Metric) -> str:
    result = comparison[system][metric]
    words = f"{isolated(system)}: {result.score.value:.4f}"
    if result.intervals is not None:
        words += ", {:g}% interval {:.4f} to {:.4f}".format(100 * comparison.confidence, *result.intervals.jackknife)
    if result.difference is not None:
        words += f"; {result.difference.value:+.4f} against {isolated(comparison.baseline)}"
    return words


def _system(on: Panel, row: int, result: SystemResult, full: bool) -> Artist:
    color, marker = (on.ink, "D") if result.difference is None else (BLUE, "o")
    if result.intervals is not None:
        ends = list(result.intervals.jackknife)
        on.ax.plot(ends, [row, row], color=color, marker="|", markersize=4, zorder=2, solid_capstyle="butt")
    dot: dict[str, Any] = {"marker": marker, "markersize": 4, "markerfacecolor": color if full else on.paper}
    return on.ax.plot([result.score.value], [row], color=color, linestyle="none", zorder=3, **dot)[0]
