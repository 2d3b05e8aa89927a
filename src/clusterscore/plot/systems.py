"""Systems side by side, with how sure their scores are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusterscore.comparison import Standing
from clusterscore.exceptions import InputTypeError, MetricError
from clusterscore.metrics import Metric
from clusterscore.metrics import metric as parse
from clusterscore.plot.canvas import Panel, panel
from clusterscore.plot.style import BLUE, named
from clusterscore.show.compared import Comparison
from clusterscore.show.printed import heading

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_ROW = 0.19  # inches
_MOST = 9.0  # inches: a page
_DENSE = 300.0  # points, for all names of a page together


def comparison(found: Comparison, metric: str | Metric | None = None, *, ax: Axes | None = None) -> Axes:
    """Systems that ``cs.compare`` has compared: a dot for each score, a line for its BCa interval, the best on top.

    The baseline is a diamond, with a dotted line through all systems. A full dot, and a star after the name, is a
    system that differs from it significantly (Holm's p below 1 - confidence); an open dot is one that does not.
    ``metric`` is one that was compared, by default the first.

    >>> import clusterscore as cs
    >>> gold, documents = [0, 0, 1, 1] * 8, [k // 4 for k in range(32)]
    >>> found = cs.compare(gold, {"A": [0, 1, 1, 1] * 8, "B": [0, 0, 1, 1] * 8}, metrics="elm", documents=documents)
    >>> [text.get_text() for text in cs.plot.comparison(found).get_yticklabels()]
    ['B *', 'A (baseline)']
    """
    if not isinstance(found, Comparison):
        raise InputTypeError(
            f"found is of the type {type(found).__name__}; pass what cs.compare(gold, systems) has returned"
        )
    name = found.metrics[0] if metric is None else metric
    try:
        standings = {system: found[system][name] for system in found.systems}
    except KeyError as error:
        raise MetricError(error.args[0]) from None
    order = sorted(found.systems, key=lambda system: standings[system].rank)
    marks = {system: " *" if found.is_significant(system, name) else "" for system in order}
    marks[found.baseline] = " (baseline)"
    with panel(ax, min(0.6 + _ROW * len(order), _MOST)) as on:
        on.ax.axvline(standings[found.baseline].score.value, color=on.ink, linewidth=0.7, linestyle=":", zorder=0)
        for row, system in enumerate(order):
            _row(on, row, standings[system], marks[system])
        fitting: dict[str, Any] = {"fontsize": _DENSE / len(order)} if _ROW * len(order) > _MOST else {}
        on.ax.set_yticks(range(len(order)), [f"{named(system, 24)}{marks[system]}" for system in order], **fitting)
        on.ax.set_ylim(len(order) - 0.5, -0.5)
        on.ax.tick_params(axis="y", length=0)
        on.ax.spines["left"].set_visible(False)
        drawn = any(one.intervals is not None for one in standings.values())
        how = f", {100 * found.confidence:g}% interval (BCa)" if drawn else ""
        star = f"\n* differs from the baseline, p (Holm) < {1 - found.confidence:.3g}"
        on.label(f"{_short(name)}{how}{star if ' *' in marks.values() else ''}", "")
        return on.ax


def _row(on: Panel, row: int, one: Standing, mark: str) -> None:
    base = one.difference is None
    color = on.ink if base else BLUE
    if one.intervals is not None:
        # as a line, not as an error bar: a BCa interval need not hold the score
        on.ax.plot(
            list(one.intervals.bca), [row, row], color=color, marker="|", markersize=4, zorder=2, solid_capstyle="butt"
        )
    on.ax.plot([one.score.value], [row], color=color, marker="D" if base else "o", linestyle="none", zorder=3,
               markersize=4, markerfacecolor=color if mark else on.paper)  # fmt: skip


def _short(name: str | Metric) -> str:
    try:
        return heading(parse(name))
    except MetricError:  # a measure of the user's own
        return named(name)
