"""The smallest example that shows what a measure is about: computed where clusterings can be searched, and otherwise
the example of its docstring, drawn.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import chdir, suppress
from doctest import DocTestParser
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

import drawings
import numpy as np
from markdown_text import link, table

import clusterscore as cs
from clusterscore.align.doubts import undoubted
from clusterscore.constraints.clusterings import partitions, shapes
from clusterscore.constraints.scored import Subject, not_in_cases
from clusterscore.metrics.metric import METRICS
from clusterscore.read.guess import as_clustering
from clusterscore.read.label_sets import LabelSets

# what a measure is compared with, unless its example names another one: by what it counts
WELL_KNOWN = {"elements": "bcubed", "coreference": "bcubed"}
OTHERS = "pairwise", "adjusted_rand"
ELEMENTS = range(3, 6)  # of the clusterings that are searched
CLEAR = 0.1  # of the range of both measures
DRAWN = 40  # elements at most
ROOT = Path(__file__).resolve().parent.parent  # where the paths of examples begin


class Disagreement(NamedTuple):
    """Two predictions, of which one measure prefers the first, and another one the second."""

    other: str
    gold: list[int]
    pred: tuple[list[int], list[int]]
    scores: tuple[tuple[float, float], tuple[float, float]]
    clear: float


def smallest_example(kind: type[cs.Metric], example: str) -> str:
    """The section of a measure's page."""
    case = disagreement(kind, example) if kind.group != "overlapping" and not_in_cases(kind()) is None else None
    if case is not None:
        return _compared(kind, case)
    if kind.of_mentions:
        ((_, _, card),) = calls("coref", example)
        return _drawn([entities(card, "gold"), entities(card, "pred")], card[kind.name])
    for gold, pred, score in calls(kind.name, example):
        with suppress(cs.ClusterscoreError):  # of what is no clustering
            sides = [stretches(gold, gold, pred), stretches(pred, gold, pred)]
            if not all(sides):
                sides = [named_clusters(gold), named_clusters(pred)]
            if sum(map(len, sides[0])) <= DRAWN:
                return _drawn(sides, score)
    raise ValueError(f"{kind.name}: no example can be drawn")


def _drawn(sides: Iterable[list[list[str]]], score: cs.Score) -> str:
    return f"{drawings.written(dict(zip(('gold', 'predicted'), sides, strict=True)))}\n\n`{score}`"


def disagreement(kind: type[cs.Metric], example: str) -> Disagreement | None:
    """Where it disagrees most with a well-known measure: in the smallest clusterings in which they clearly do."""
    named = [name for name in re.findall(r"cs\.(\w+)\(", example) if name in METRICS]
    for other in (*named, WELL_KNOWN.get(kind.group), *OTHERS):
        if other is not None and METRICS[other] is not kind:
            searched = [_most_contrary(kind.name, other, n) for n in ELEMENTS]
            clear = next((case for case in searched if case.clear >= CLEAR), None)
            best = clear or max(searched, key=lambda case: case.clear)
            if best.clear > 0:
                return best
    return None


@cache
def _subject(name: str) -> Subject:
    return Subject.of(name)


def _most_contrary(name: str, other: str, n: int) -> Disagreement:
    """Of all pairs of predictions of ``n`` elements, that on which two measures disagree most, as they have a range."""
    values, contrast = [], np.float64(np.inf)
    for sign, measure in zip((1, -1), map(_subject, (name, other)), strict=True):
        value = measure.small(n).value.reshape(len(shapes(n)), -1)
        preferred = sign * measure.sign * (value[:, :, None] - value[:, None, :])
        contrast = np.minimum(contrast, preferred / (np.ptp(value) or 1))
        values.append(value)
    gold, first, second = np.unravel_index(contrast.argmax(), contrast.shape)
    rows = partitions(n)
    scores = tuple((float(value[gold, first]), float(value[gold, second])) for value in values)
    predictions = rows[first].tolist(), rows[second].tolist()
    return Disagreement(other, rows[shapes(n)[gold]].tolist(), predictions, scores, float(contrast.max()))  # type: ignore[arg-type]


def _compared(kind: type[cs.Metric], case: Disagreement) -> str:
    sides = {"gold": case.gold, "A": case.pred[0], "B": case.pred[1]}
    rows = []
    for name, values, best in zip((kind.name, case.other), case.scores, (0, 1), strict=True):
        shown = [f"**{value:.4f}**" if k == best else f"{value:.4f}" for k, value in enumerate(values)]
        rows.append([link(name) + (", smaller is better" if METRICS[name].smaller_is_better else ""), *shown])
    return "\n".join([
        drawings.written({name: named_clusters(labels) for name, labels in sides.items()}),
        "",
        table(["Measure", "A", "B"], rows),
        "",
        f"Which prediction is better? `{kind.name}` says A, `{case.other}` says B. Of all clusterings of up to",
        f"{len(case.gold)} elements, these are the ones on which the two measures disagree most.",
    ])  # fmt: skip


def stretches(side: Any, *sides: Any) -> list[list[str]]:
    """If sides say who speaks when: the stretches of time, in which nobody begins or ends, of each who speaks."""
    turns = [given.turns for given in sides if getattr(given, "turns", None) is not None]
    if len(turns) < len(sides):
        return []
    times = sorted({time / spoken.unit for spoken in turns for time in (*spoken.start.tolist(), *spoken.end.tolist())})
    by_speaker: dict[int, list[str]] = {}
    for start, end, speaker in zip(*(column.tolist() for column in side.turns[2:5]), strict=True):
        inside = [(a, b) for a, b in pairwise(times) if start <= a * side.turns.unit and b * side.turns.unit <= end]
        by_speaker.setdefault(speaker, []).extend(f"{a:g}-{b:g}s" for a, b in inside)
    return list(by_speaker.values())


def named_clusters(given: Any) -> list[list[str]]:
    """The clusters of what a user may pass, as a drawing names their elements: by number, where they have no name."""
    clustering = as_clustering(given, "gold")
    names = range(1, len(clustering) + 1) if clustering.ids is None else clustering.ids
    elements = list(zip(map(str, names), clustering.codes.tolist(), strict=True))
    clusters: dict[int, list[str]] = {}
    for name, code in elements if clustering.has_order else sorted(elements):
        for cluster, weight in _memberships(clustering.names, code):
            clusters.setdefault(cluster, []).append(name if weight == 1 else f"{name}/{weight:g}")
    return list(clusters.values())


def _memberships(sets: Any, code: int) -> Iterator[tuple[int, float]]:
    if not isinstance(sets, LabelSets):
        yield code, 1.0
        return
    held = slice(sets.start[code], sets.start[code + 1])
    weights = [1.0] * len(sets.cluster[held]) if sets.weight is None else sets.weight[held] / sets.weight[held].sum()
    yield from zip(sets.cluster[held].tolist(), map(float, weights), strict=True)


def entities(card: cs.Scorecard, side: str) -> list[list[str]]:
    """The mentions of each entity by their words, and by their place where others have the same words."""
    rows = cs.elements(card.table).records()
    count = Counter(row["text"] for row in rows)
    clusters: dict[str, list[str]] = {}
    for row in rows:
        if row[side] is not None:
            name = row["text"] if count[row["text"]] == 1 else f"{row['text']}{row['element']}"
            clusters.setdefault(row[side], []).append(name.replace(" ", "\N{NO-BREAK SPACE}"))
    return list(clusters.values())


def calls(function: str, example: str) -> list[tuple[Any, Any, Any]]:
    """What the example of a docstring passes to a function, and the results."""
    original, made = getattr(cs, function), []

    def recorded(gold: Any, pred: Any = None, **options: Any) -> Any:
        result = original(gold, pred, **options)
        made.append((gold, pred, result))
        return result

    source = "".join(line.source for line in DocTestParser().get_examples(example))
    with undoubted(), patch.object(cs, function, recorded), chdir(ROOT):
        exec(source, {})
    return made
