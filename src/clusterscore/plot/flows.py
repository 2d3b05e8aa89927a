"""The flow from gold to the prediction: how gold clusters divide and join, the costliest first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from clusterscore.analyses.diagnose.diagnosis import Diagnosis
from clusterscore.analyses.diagnose.losses import scores_elements
from clusterscore.count.sums import Floats
from clusterscore.distinct import Array, Ints
from clusterscore.exceptions import InputError, NotAPartition, integer
from clusterscore.metrics import Metric
from clusterscore.metrics.alignment import best_alignment
from clusterscore.metrics.partitions import overlap_found
from clusterscore.nouns import noun, plural
from clusterscore.plot.canvas import Mark, Panel, counted, in_words_of_results, panel
from clusterscore.plot.overlapping import Label, cluster_labels
from clusterscore.plot.style import BLUE, GREY, VERMILION
from clusterscore.show.in_words import share

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_CLUSTERS = 40  # of a side, more than can be read
_LETTERS = 17  # of a name
_BAR = 0.03  # how wide a cluster is drawn, from 0 to 1 between both sides
_SLOT = 0.45  # of a row of text: what a small cluster has for room, its height in proportion
_LOOKS = {"the best match": BLUE, "the rest": VERMILION, "others": GREY}
_BEND = 20  # corners of the edge of a band
_OTHERS = Label("others", "others")


class Flow(NamedTuple):
    """Clusters of both sides, and how many elements each two of them share; the last of a side may be others."""

    gold: list[Label]
    pred: list[Label]
    matrix: Ints  # gold in rows
    matched: set[tuple[int, int]]  # the best matches, one to one
    clusters: tuple[int, int]  # rows and columns that are single clusters
    undrawn: str  # what is left out


@in_words_of_results
def flow(
    gold: Any,
    pred: Any = None,
    *,
    metric: str | Metric | None = None,
    most: int = 10,
    ax: Axes | None = None,
    **policies: Any,
) -> Axes:
    """How gold clusters, on the left, divide and join to predicted ones, on the right: the costliest first.

    A band is as wide as the number of elements that two clusters share. Blue bands join clusters that match best, one
    to one; orange bands are what went elsewhere. Clusters that are not drawn are one grey node on either side, for the
    elements that they exchange with those that are; the line below says what else is left out.

    Options:
        metric: what decides which clusters cost most, one that scores elements: ``elm`` or ``bcubed``, with parameters.
        most: how many clusters of each side are drawn.

    Raises:
        NotAPartition: clusters overlap; :func:`overlaps` draws them.

    >>> import clusterscore as cs
    >>> ax = cs.plot.flow(["a", "a", "a", "b", "b", "c"], ["x", "x", "y", "y", "y", "z"])
    >>> [text.get_text() for text in ax.texts]
    ['a · 3', 'b · 2', 'x · 2', 'y · 3']
    >>> ax.get_xlabel()
    'not drawn: 1 gold and 1 predicted cluster,\\nwith 0% of the loss'
    """
    if integer("most", most, 1) > _CLUSTERS:
        raise InputError(f"most={most}: no more than {_CLUSTERS} {noun('clusters')} of a side can be read in a plot")
    table, (chosen,) = counted(gold, pred, policies, None if metric is None else [metric])
    if table.overlapping:
        what, _ = overlap_found(table)
        raise NotAPartition(f"{what}; cs.plot.overlaps draws {noun('clusters')} that overlap")
    scores = scores_elements(None if metric is None else chosen, table).on(table)
    scores.check(table)
    return flow_of(Diagnosis(scores, table), most, ax)


def flow_of(diagnosis: Diagnosis, most: int = 10, ax: Axes | None = None) -> Axes:
    """The same of a prediction that is looked at already."""
    shown = _flow(diagnosis, most)
    rows = max(len(shown.gold), len(shown.pred))
    with panel(ax, 0.55 + 0.21 * rows) as on:
        _draw(on, shown, rows)
        on.ax.set_xlim(-0.02, 1.02)
        on.ax.set_ylim(1, 0)
        on.ax.set_xticks([])
        on.ax.set_yticks([])
        on.ax.spines[:].set_visible(False)
        on.ax.set_xlabel(shown.undrawn, usetex=False)
        on.legend(3)
        return on.ax


def _flow(diagnosis: Diagnosis, most: int) -> Flow:
    """The clusters that cost most, of either side, and the largest parts of each."""
    table = diagnosis.table
    gold, pred = _chosen(diagnosis, most)
    row, column = _places(table.gold_size, gold)[table.gold], _places(table.pred_size, pred)[table.pred]
    drawn = (row < len(gold)) | (column < len(pred))
    matrix = np.zeros((len(gold) + 2, len(pred) + 2), np.int64)
    np.add.at(matrix, (row[drawn], column[drawn]), table.n[drawn])
    held = matrix[:, :-2]  # predicted clusters in the order of the gold clusters that most of their elements come from
    order = np.argsort(np.arange(len(held)) @ held / held.sum(0), kind="stable")
    pred, matrix[:, :-2] = pred[order], held[:, order]
    rows, columns = np.nonzero(matrix[:-2, :-2])
    matched = best_alignment(rows, columns, matrix[rows, columns], (len(gold), len(pred)))
    used = np.flatnonzero(matrix.sum(1)), np.flatnonzero(matrix.sum(0))
    glosses = {} if diagnosis.mentions is None else {side: diagnosis.glosses(side) for side in ("gold", "pred")}
    gold_labels, pred_labels = (
        [*cluster_labels(table, side, own, _LETTERS, glosses.get(side)), _OTHERS, Label(absent, absent)]
        for side, own, absent in (("gold", gold, "not in gold"), ("pred", pred, "not predicted"))
    )
    left = table.number("gold") - len(gold), table.number("pred") - len(pred)
    lost = float(diagnosis.losses.share(diagnosis.losses.loss)[~drawn].sum())
    return Flow(
        [gold_labels[k] for k in used[0]],
        [pred_labels[k] for k in used[1]],
        matrix[np.ix_(*used)],
        set(zip(rows[matched].tolist(), columns[matched].tolist(), strict=True)),
        (len(gold), len(pred)),
        f"not drawn: {left[0]:,} gold and {plural(left[1], 'predicted cluster')},\nwith {share(lost)} of the loss"
        if any(left)
        else "",
    )


def _places(size: Array, clusters: Ints) -> Ints:
    """Where each cluster of a side stands: these, then all others, and then what is no cluster of that side."""
    places = np.where(size > 0, len(clusters), len(clusters) + 1)
    places[clusters] = np.arange(len(clusters))
    return places


def _chosen(diagnosis: Diagnosis, most: int) -> tuple[Ints, Ints]:
    """Up to so many clusters of each side: the costliest with their parts, or where nothing is lost the largest."""
    table = diagnosis.table
    taken: dict[str, dict[int, None]] = {"gold": {}, "pred": {}}
    for pattern in diagnosis.patterns(4 * most):
        own, *parts = pattern.whole, *pattern.parts
        new = {(part.side, part.number) for part in (own, *parts[:2]) if part.number not in taken[part.side]}
        if all(len(taken[side]) + sum(side == its for its, _ in new) <= most for side in taken):  # else among others
            for part in (own, *parts):
                if len(taken[part.side]) < most:
                    taken[part.side][part.number] = None
    if not taken["gold"]:
        for cell in np.argsort(-table.n, kind="stable")[:most].tolist():
            taken["gold"][int(table.gold[cell])] = taken["pred"][int(table.pred[cell])] = None
    return np.array(list(taken["gold"]), np.int64), np.array(list(taken["pred"]), np.int64)


def _tops(sizes: Floats, rows: int) -> tuple[Floats, Floats]:
    """How high clusters are drawn, and where each begins; each has room for its name, however small it is."""
    room = np.maximum(sizes, _SLOT / rows)
    scale, gap = min(1.0, 1 / room.sum()), max(0.0, 1 - room.sum()) / len(room)
    slots = scale * room + gap
    return scale * sizes, np.cumsum(slots) - slots / 2 - scale * sizes / 2


def _draw(on: Panel, shown: Flow, rows: int) -> None:
    from matplotlib.collections import PolyCollection

    both = shown.matrix.sum(1), shown.matrix.sum(0)
    total = max(1.25 * sizes.sum() for sizes in both)
    (left, left_tops), (right, right_tops) = (_tops(sizes / total, rows) for sizes in both)
    unit = np.concatenate([left, right]) / np.concatenate(both)
    down = np.concatenate([left_tops, right_tops])  # where the next band begins
    looks: dict[str, tuple[list[Any], list[Mark]]] = {name: ([], []) for name in _LOOKS}
    for row, column in zip(*np.nonzero(shown.matrix), strict=True):
        n, at = int(shown.matrix[row, column]), (int(row), len(left) + int(column))
        ends = [(float(down[k]), float(down[k] + n * unit[k])) for k in at]
        down[list(at)] = [low for _, low in ends]
        single = row < shown.clusters[0] and column < shown.clusters[1]
        kind = "others" if not single else "the best match" if (row, column) in shown.matched else "the rest"
        gold, pred = shown.gold[row], shown.pred[column]
        looks[kind][0].append(_band(*ends))
        words = f"{gold.words} to {pred.words}: {n:,} of {plural(int(both[0][row]), 'element')}"
        looks[kind][1].append(Mark(words, gold.find or pred.find))
    for kind, (bands, marks) in looks.items():
        drawn = PolyCollection(bands, facecolor=_LOOKS[kind], alpha=0.55 if kind == "the rest" else 0.35, linewidth=0)
        on.explain(on.ax.add_collection(drawn), marks)
        if bands:
            on.ax.plot([], [], color=_LOOKS[kind], alpha=0.6, linewidth=4, label=kind)
    sides = (shown.gold, left, left_tops, 0.0, "right"), (shown.pred, right, right_tops, 1 - _BAR, "left")
    for labels, sizes, tops, start, align in sides:
        for label, size, top in zip(labels, sizes.tolist(), tops.tolist(), strict=True):
            color = on.ink if label.find else _LOOKS["others"]
            on.ax.fill_between([start, start + _BAR], top, top + size, color=color, linewidth=0)
            at_side: dict[str, Any] = {"ha": align, "va": "center", "fontsize": "small", "usetex": False}
            on.ax.text(-0.015 if align == "right" else 1.015, top + size / 2, label.short, **at_side)


def _band(left: tuple[float, float], right: tuple[float, float]) -> Floats:
    """The corners of a band from one side to the other, which begins and ends level."""
    step = np.linspace(0, 1, _BEND)
    x, bend = _BAR + (1 - 2 * _BAR) * step, (1 - np.cos(np.pi * step)) / 2
    upper, lower = (begin + (end - begin) * bend for begin, end in zip(left, right, strict=True))
    return np.concatenate([np.column_stack([x, upper]), np.column_stack([x, lower])[::-1]])
