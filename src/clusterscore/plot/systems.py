"""Plots of systems: how sure their scores are, which of them differ, and two of them document by document."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from clusterscore.analyses.compare.comparison import Comparison
from clusterscore.analyses.estimate.estimates import Estimates
from clusterscore.analyses.resampling import Interval
from clusterscore.analyses.score.scorecard import Scorecard
from clusterscore.count.table import Table
from clusterscore.exceptions import InputError, InputTypeError, MetricError, a_type
from clusterscore.metrics import Metric
from clusterscore.metrics import metric as metric_named
from clusterscore.nouns import noun, plural
from clusterscore.plot.canvas import Mark, Panel, counted, in_words_of_results, panel, panels
from clusterscore.plot.scores import MANY, by_document, cells, document_mark
from clusterscore.plot.style import BLUE, FONT, GREY, SERIES, isolated, named, named_apart
from clusterscore.show.in_words import shown_score
from clusterscore.show.result import heading

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_ROW = 0.19  # inches, for a system
_CLOSE = 0.13  # where there are several panels
_SIDE_BY_SIDE = 2  # panels: with more their numbers would run into each other
_MOST = 9.0  # inches: a page
_NAME = 6.5  # points
_LINE = 50  # letters of a legend in one line
_ROOM = 0.04  # of the scores' range, on either side


class Shown(NamedTuple):
    """What is drawn of a system under one metric: a score, or an estimate, next to that of the baseline."""

    value: float
    interval: Interval | None
    difference: float | None  # None for the baseline itself
    differs: bool  # significantly
    rank: int


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
    if not isinstance(comparison, Comparison | Estimates):
        raise InputTypeError(f"comparison is {a_type(comparison)}; pass the result of cs.compare(gold, systems)")
    if metric is None and ax is None and len(comparison.metrics) > 1:
        return _all_metrics(comparison)
    name = comparison.metrics[0] if metric is None else metric
    shown = dict(sorted(under(comparison, name).items(), key=lambda item: item[1].rank))
    marks = [" (baseline)" if result.difference is None else " *" * result.differs for result in shown.values()]
    with panel(ax, min(0.6 + _ROW * len(shown), _MOST)) as on:
        names = [f"{name}{mark}" for name, mark in zip(named_apart(shown, 24), marks, strict=True)]
        _draw(on, shown, names, _ROW * len(shown) / _MOST, comparison.confidence)
        star = f"\n* differs from the baseline, {_p(comparison)}" if " *" in marks else ""
        on.label(f"{named(heading(name), 80)}{_level(comparison)}{star}", "", names=True)
        return on.ax


def _all_metrics(comparison: Comparison | Estimates) -> Axes:
    """A panel for every metric, in two columns; names at the left only."""
    shown = {name: under(comparison, name) for name in comparison.metrics}
    order = sorted(comparison.systems, key=lambda system: sum(own[system].rank for own in shown.values()))
    names = named_apart(order)
    rows = -(-len(shown) // _SIDE_BY_SIDE)
    height = 0.35 + rows * (0.42 + _CLOSE * len(order))
    with panels(len(shown), _SIDE_BY_SIDE, min(height, _MOST)) as all_of_them:
        for k, (on, (name, own)) in enumerate(zip(all_of_them, shown.items(), strict=True)):
            at_left = names if k % _SIDE_BY_SIDE == 0 else [""] * len(order)
            _draw(on, {system: own[system] for system in order}, at_left, height / _MOST, comparison.confidence)
            title = comparison.short_name(name) if isinstance(comparison, Comparison) else heading(name)
            on.ax.set_title(named(title, 30), loc="left", pad=2)
            on.ax.locator_params(axis="x", nbins=4)
        note = f"score{_level(comparison)}"
        if len(order) > 1 and (isinstance(comparison, Estimates) or comparison.unit is not None):
            note += f"\nfull: differs from the baseline (diamond), {_p(comparison)}"
        all_of_them[0].ax.figure.figure.supxlabel(note, fontsize=FONT, color=all_of_them[0].ink)
        return all_of_them[0].ax


def under(comparison: Comparison | Estimates, metric: str | Metric) -> dict[str, Shown]:
    """The systems under one metric; one that was not compared is an error."""
    try:
        if isinstance(comparison, Comparison):
            return {
                system: Shown(
                    own.score.value,
                    None if own.intervals is None else own.intervals.jackknife,
                    None if own.difference is None else own.difference.value,
                    comparison.is_significant(system, metric),
                    own.rank,
                )
                for system, own in ((system, comparison[system][metric]) for system in comparison.systems)
            }
        results = {system: own[metric] for system, own in comparison.systems.items()}
    except KeyError as error:
        raise MetricError(error.args[0]) from None
    gaps = {system: own[metric] for system, own in comparison.differences.items()}
    sign = -1 if metric_named(metric).smaller_is_better else 1
    return {
        system: Shown(
            own.value,
            own.interval,
            gaps[system].value if system in gaps else None,
            system in gaps and (gaps[system].p or 0.0) < 1 - comparison.confidence,
            1 + sum(sign * other.value > sign * own.value for other in results.values()),
        )
        for system, own in results.items()
    }


def _p(comparison: Comparison | Estimates) -> str:
    """When a difference counts as one."""
    return f"p{' (Holm)' * isinstance(comparison, Comparison)} < {1 - comparison.confidence:.3g}"


def _level(comparison: Comparison | Estimates) -> str:
    """What the lines are, where there are any."""
    drawn = isinstance(comparison, Estimates) or any(
        result.intervals is not None for results in comparison.values() for result in results.values()
    )
    return f", {100 * comparison.confidence:g}% interval" if drawn else ""


def _draw(on: Panel, shown: Mapping[str, Shown], names: list[str], crowding: float, confidence: float) -> None:
    """A row for each system; names are smaller where the rows would need so many times the page (``crowding``)."""
    baseline = next(system for system, result in shown.items() if result.difference is None)
    on.ax.axvline(shown[baseline].value, color=on.ink, linewidth=0.7, linestyle=":", zorder=0)
    for row, (system, result) in enumerate(shown.items()):
        words = f"{isolated(system)}: {shown_score(result.value)}"
        color, marker = (on.ink, "D") if system == baseline else (BLUE, "o")
        if result.interval is not None:
            words += ", {:g}% interval {} to {}".format(100 * confidence, *map(shown_score, result.interval))
            ends = list(result.interval)
            on.ax.plot(ends, [row, row], color=color, marker="|", markersize=4, zorder=2, solid_capstyle="butt")
        if result.difference is not None:
            words += f"; {shown_score(result.difference, sign=True)} against {isolated(baseline)}"
        face = color if result.differs or system == baseline else on.paper
        look: dict[str, Any] = {"marker": marker, "markersize": 4, "markerfacecolor": face, "linestyle": "none"}
        (dot,) = on.ax.plot([result.value], [row], color=color, zorder=3, **look)
        on.explain(dot, [Mark(words, f"system:{system}")])
    fitting: dict[str, Any] = {"fontsize": _NAME / crowding} if crowding > 1 else {}
    on.ax.set_yticks(range(len(names)), names, **fitting)
    on.ax.set_ylim(len(names) - 0.5, -0.5)
    on.ax.tick_params(axis="y", length=0)
    on.ax.spines["left"].set_visible(False)
    on.scores("x")


@in_words_of_results
def scatter(
    systems: Mapping[str, Scorecard | Table],
    *,
    metric: str | Metric | None = None,
    part: str = "value",
    ax: Axes | None = None,
    **policies: Any,
) -> Axes:
    """Two systems on the same documents: a mark for each document, at what the first and the second score there.

    ``scatter({"A": card_a, "B": card_b})``: where a mark lies above the diagonal, B is better in that document (for a
    distance, A). The legend says in how many documents each is better, and in how many they are equal. Thousands of
    documents are drawn as cells, darker where there are more.

    Options:
        systems: two, by name, as Scorecards or Tables of the same documents.
        metric: elm, if none is named, or where clusters overlap matched_elm.
        part: ``"value"``, ``"precision"`` or ``"recall"``.

    >>> import clusterscore as cs
    >>> gold, documents = [0, 0, 1, 1] * 3, [k // 4 for k in range(12)]
    >>> a = cs.score(gold, [0, 0, 1, 1] + [0, 1, 1, 1] * 2, documents=documents)
    >>> b = cs.score(gold, [0, 0, 1, 1] * 2 + [0, 0, 0, 1], documents=documents)
    >>> [text.get_text() for text in cs.plot.scatter({"A": a, "B": b}).get_legend().get_texts()]
    ['better in 0: A', 'better in 1: B', 'equal in 2']
    """
    if not isinstance(systems, Mapping) or not all(
        isinstance(system, Scorecard | Table) for system in systems.values()
    ):
        raise InputTypeError('pass two systems by name, as in scatter({"A": card_a, "B": card_b})')
    if len(systems) != 2:
        raise InputError(f"{plural(len(systems), 'system')}; a scatter has two, one for each axis: name two of them")
    given = [counted(system, None, policies, None if metric is None else [metric]) for system in systems.values()]
    (other, _), (table, (chosen,)) = given
    numbers = {document: k for k, document in enumerate(other.documents)}
    if len(other.documents) != len(table.documents) or not all(document in numbers for document in table.documents):
        raise InputError(noun("the two systems have different documents; score both on the same ones"))
    x, y = (by_document(system_table, system_metrics, part)[0] for system_table, system_metrics in given)
    x = x[[numbers[document] for document in table.documents]]
    better = (x - y if chosen.smaller_is_better else y - x).round(9)
    sides = {
        f"better in {{:,}}: {name}": which
        for name, which in zip(named_apart(systems), (better < 0, better > 0), strict=True)
    }
    sides["equal in {:,}"] = better == 0
    columns = 3 if sum(map(len, sides)) < _LINE and len(x) <= MANY else 1
    with panel(ax, 2.8 if columns > 1 else 3.0) as on:
        low, high = min(x.min(), y.min()), max(x.max(), y.max())
        room = _ROOM * (high - low or 1.0)
        on.ax.plot([low - room, high + room], [low - room, high + room], color=on.ink, linewidth=0.6, linestyle=":")
        if len(x) > MANY:
            cells(on, x, y, (30, 17))
        both = list(zip(map(isolated, systems), (x, y), strict=True))
        looks = [*SERIES[:2], SERIES[0]._replace(color=GREY)]
        for (words, which), (color, _, marker) in zip(sides.items(), looks, strict=True):
            label, places = words.format(np.count_nonzero(which)), np.flatnonzero(which)
            if len(x) > MANY:
                on.ax.plot([], [], linestyle="none", label=label)
                continue
            look: dict[str, Any] = {"s": 9, "color": color, "marker": marker, "alpha": 0.6, "linewidths": 0}
            dots = on.ax.scatter(x[places], y[places], label=label, **look)
            on.explain(dots, [document_mark(table, place, both) for place in places.tolist()])
        on.ax.set(xlim=(low - room, high + room), ylim=(low - room, high + room), box_aspect=1)
        on.legend(columns)
        on.scores("x", "y")
        what = heading(chosen) if part == "value" else f"{heading(chosen)} {part}"
        x_label, y_label = (f"{what} of {name}" for name in named_apart(systems, 24))
        on.label(x_label, y_label)
        return on.ax
