"""Figures: the plots of a page, as drawings that stand in it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from clusterscore import plot
from clusterscore.errors import plural
from clusterscore.progress import step
from clusterscore.report.system import System
from clusterscore.show import Comparison, Scorecard

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_PAIR = ("bcubed", "elm")  # what the papers on ELM compare


class Figure(NamedTuple):
    """A plot with what it shows."""

    title: str
    caption: str
    drawing: str


def system_figures(system: System, card: Scorecard, name: str) -> list[Figure]:
    """The plots of one system; ``name`` begins the ids in its drawings."""
    table, metric = system.table, system.metric
    found = [
        _figure(
            f"{name}-sizes", "How large the clusters are", "The sizes of gold and predicted clusters.",
            lambda: plot.sizes(table),
        ),
        _figure(
            f"{name}-by-size", "Small and large clusters",
            f"Mean precision and recall ({metric.name}) of the elements of gold clusters of each size; bars are the "
            "share of elements that they hold.",
            lambda: plot.by_size(table, metric=metric),
        ),
        _figure(
            f"{name}-overlaps", "The largest overlaps",
            "Where the elements of the largest gold clusters went. A row with several filled cells was split, a column "
            "with several was merged.",
            lambda: plot.overlaps(table),
        ),
    ]  # fmt: skip
    if len(table.documents) > 1:
        found += _of_documents(card, name)
    return found


def _of_documents(card: Scorecard, name: str) -> list[Figure]:
    several = plural(len(card.table.documents), "document")
    shown = list(_PAIR) if all(one in card for one in _PAIR) else list(card)[:2]
    found = [
        _figure(
            f"{name}-distribution", "Scores of the documents", f"How the scores of {several} are spread.",
            lambda: plot.distribution(card, metrics=shown),
        )
    ]  # fmt: skip
    if len(shown) == 2:
        found.append(
            _figure(
                f"{name}-difference", "Where two measures part",
                "How far the two scores of each document are apart, against the mean size of its gold clusters.",
                lambda: plot.difference(card, metrics=shown),
            )
        )  # fmt: skip
    return found


def comparison_figures(found: Comparison) -> list[Figure]:
    """The systems beside each other, under each metric."""
    level = f"{100 * found.confidence:g}%"
    caption = f"Scores with their {level} intervals, the best on top; a star differs from {found.baseline}."
    return [
        _figure(f"compared-{k}", name, caption, lambda name=name: plot.comparison(found, name))  # type: ignore[misc]
        for k, name in enumerate(found.metrics[:2])
    ]


def _figure(name: str, title: str, caption: str, draw: Callable[[], Axes]) -> Figure:
    with step(f"drawing: {title.lower()}"), plot.offscreen():
        return Figure(title, caption, plot.svg(draw(), name, label=f"{title}. {caption}"))
