"""Findings: what a page says of one system before anybody clicks, with its plots."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from clusterscore import plot
from clusterscore.baselines import baseline_pairs
from clusterscore.comparison.chance import Chance, Permuting, chance_of
from clusterscore.comparison.shuffles import Weighed
from clusterscore.count.counting import count, expand
from clusterscore.exceptions import plural
from clusterscore.metrics import Metric, Score
from clusterscore.page.system import System
from clusterscore.page.words import EXPLAINED, sentence
from clusterscore.pipeline.asking import Asked
from clusterscore.pipeline.score import card_of
from clusterscore.progress import step
from clusterscore.show import Comparison, Scorecard
from clusterscore.show.printed import heading

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_SHUFFLED = 5_000_000  # labels, dealt out again and again: so many in all
_MOST_SHUFFLES, _FEWEST_SHUFFLES = 1000, 5
_MOST_MADE = 50_000_000  # elements of a Table that are made one by one
_PAIR = ("bcubed", "elm")  # what the papers on ELM compare


class Line(NamedTuple):
    """A score with what it says, and what chance would get."""

    name: str
    score: Score
    words: str
    chance: Chance | None
    bar: float | None  # how far from 0 to 1 it is, where these are its ends
    chance_bar: float | None


class Figure(NamedTuple):
    """A plot with what it shows."""

    title: str
    caption: str
    drawing: str


class Findings(NamedTuple):
    """What a page says of one system."""

    name: str
    card: Scorecard
    documents: int
    main: Line  # under the metric that elements are scored with
    lines: list[Line]
    headings: list[str]
    baselines: dict[str, Scorecard]  # trivial and random clusterings of the same elements
    best: str | None  # of the baselines under the main metric
    shuffles: int
    pooled: Score  # what the losses are taken from
    lost: float
    kinds: list[dict[str, Any]]  # of errors, and what each costs
    figures: list[Figure]


def findings(system: System, asked: Asked, average: str, name: str) -> Findings:
    """Score a system, and look at it from every side; ``name`` begins the ids of its drawings."""
    with step("scoring"):
        card = card_of(system.table, asked, average)
    chosen = {str(one): one for one in asked.on(system.table)}
    with step("baselines"):
        baselines = _baselines(system, asked, average)
    shuffles = int(np.clip(_SHUFFLED // max(system.table.elements, 1), _FEWEST_SHUFFLES, _MOST_SHUFFLES))
    chances = _chances(system, list(chosen.values()), Permuting(average, shuffles, 0))
    lines = {key: _line(key, one, card[key], chances.get(key)) for key, one in chosen.items()}
    main = str(system.metric)
    rows = system.diagnosis.errors()
    kinds = [
        {"place": k, "words": EXPLAINED[row[0]], **dict(zip(rows, row, strict=True))}
        for k, row in enumerate(rows.rows())
    ]
    return Findings(
        name=system.name,
        card=card,
        documents=len(system.table.documents),
        main=lines[main],
        lines=list(lines.values()),
        headings=[heading(one) for one in chosen.values()],
        baselines=baselines,
        best=max(baselines, key=lambda each: baselines[each][main].value, default=None),
        shuffles=shuffles if chances else 0,
        pooled=system.diagnosis.score,
        lost=float(rows["loss"].sum()),
        kinds=kinds,
        figures=system_figures(system, card, name),
    )


def _baselines(system: System, asked: Asked, average: str) -> dict[str, Scorecard]:
    pair, table = system.pair, system.table
    if pair is None:
        if table.weight is not None or table.elements > _MOST_MADE:
            return {}
        pair = expand(table)
    made = baseline_pairs(pair, ordered=system.pair is not None)
    return {name: card_of(count(one), asked, average) for name, one in made}


def _chances(system: System, metrics: list[Metric], how: Permuting) -> Mapping[str, Chance]:
    table, pair = system.table, system.pair
    if pair is None or pair.weights is None:
        if table.weight is not None or table.elements > _MOST_MADE:
            return {}
        return chance_of(metrics, table, how)
    assert system.elements is not None
    return chance_of(metrics, table, how, Weighed(table.gold[system.elements.cell], pair.weights))


def _line(name: str, metric: Metric, score: Score, chance: Chance | None) -> Line:
    bounded = metric.highest == 1 and metric.lowest >= -1 and not metric.smaller_is_better
    bar = max(score.value, 0.0) if bounded else None
    chance_bar = max(chance.expected, 0.0) if bounded and chance is not None else None
    return Line(name, score, sentence(metric, score), chance, bar, chance_bar)


def system_figures(system: System, card: Scorecard, name: str) -> list[Figure]:
    """The plots of one system; ``name`` begins the ids in its drawings."""
    table, metric = system.table, system.metric
    drawn = [
        _figure(f"{name}-sizes", "How large the clusters are", "The sizes of gold and predicted clusters.",
                lambda: plot.sizes(table)),
        _figure(f"{name}-by-size", "Small and large clusters",
                f"Mean precision and recall ({metric.name}) of the elements of gold clusters of each size; bars are "
                "the share of elements that they hold.", lambda: plot.by_size(table, metric=metric)),
        _figure(f"{name}-overlaps", "The largest overlaps",
                "Where the elements of the largest gold clusters went. A row with several filled cells was split, a "
                "column with several was merged.", lambda: plot.overlaps(table)),
    ]  # fmt: skip
    if len(table.documents) == 1:
        return drawn
    shown = list(_PAIR) if all(one in card for one in _PAIR) else list(card)[:2]
    spread = f"How the scores of {plural(len(table.documents), 'document')} are spread."
    drawn.append(_figure(f"{name}-distribution", "Scores of the documents", spread,
                         lambda: plot.distribution(card, metrics=shown)))  # fmt: skip
    if len(shown) == 2:
        apart = "How far the two scores of each document are apart, against the mean size of its gold clusters."
        drawn.append(_figure(f"{name}-difference", "Where two measures part", apart,
                             lambda: plot.difference(card, metrics=shown)))  # fmt: skip
    return drawn


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
