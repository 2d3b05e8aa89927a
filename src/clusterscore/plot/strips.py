"""Segmentations as strips: gold segments above predicted ones, a line for each document, wrong boundaries marked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np

from clusterscore.count.table import Table
from clusterscore.distinct import Ints
from clusterscore.exceptions import InputError, NotAPartition, integer
from clusterscore.metrics.boundaries import Boundaries
from clusterscore.metrics.partitions import overlap_found
from clusterscore.metrics.segmentation import Segmentation
from clusterscore.nouns import noun, plural
from clusterscore.plot.canvas import Mark, Panel, counted, in_words_of_results, panel
from clusterscore.plot.style import BLUE, FAINT, VERMILION, isolated, named_apart

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_LINES = 60  # which fill a page of a paper
_DRAWN = 20_000  # places of boundaries in a plot, on all lines
_COLUMNS = 1000  # of a line, more than can be seen
_LETTERS = 14  # of a name
_INNER, _OUTER = 0.03, 0.36  # from the middle of a line to the ends of its bands
_WRONG = 1.2  # points: how wide a wrong boundary is drawn
_LOWEST = 1.3  # inches: room for the name of the axis


class Strip(NamedTuple):
    """A document, and the places where it is cut: 1 is between its first and its second element."""

    document: int  # its number in the table
    name: Any  # None where there is only one
    length: int
    right: Ints
    missed: Ints  # boundaries of gold only
    extra: Ints  # predicted ones only
    order: Ints  # where its elements stand in the input

    @property
    def summary(self) -> str:
        """What is wrong, in words.

        >>> Strip(0, "a", 5, np.array([1]), np.array([2, 3]), np.array([4]), np.arange(5)).summary
        '2 missed, 1 extra'
        """
        counts = {"missed": len(self.missed), "extra": len(self.extra)}
        return ", ".join(f"{count:,} {what}" for what, count in counts.items() if count) or "all right"


class Strips(NamedTuple):
    """The documents with the most wrong boundaries, and how many there are in all."""

    worst: Sequence[Strip]
    documents: int
    missed: int  # in all documents
    extra: int


class _Plotted(Boundaries):
    """The boundaries of a plot, whose errors say what to pass to it."""

    name = "cs.plot.strip"

    def check(self, table: Table) -> None:
        if table.overlapping:
            what, _ = overlap_found(table)
            raise NotAPartition(
                f"{what}, which is no segmentation; cs.plot.overlaps draws {noun('clusters')} that overlap"
            )
        super().check(table)

    def on(self, table: Table) -> Self:
        """Weights change no boundaries."""
        return self

    def __str__(self) -> str:
        return f"{self.name}(..., runs=True)" if self.runs else self.name


@in_words_of_results
def strip(
    gold: Any, pred: Any = None, *, most: int = 40, runs: bool = False, ax: Axes | None = None, **policies: Any
) -> Axes:
    """Where streams of pages, or other ordered elements, were cut: a line for each document, the worst on top.

    On each line the gold segments are above the predicted ones, and a gap is a boundary that both sides have. A blue
    mark above is a gold boundary that was missed; an orange mark below is a predicted one that gold does not have. The
    number after a name counts both. Every cluster has to be a run of neighbours, in the order in which gold has the
    elements, which a Table knows that was made with ``Table.from_labels(gold, pred, members=True)``.

    Options:
        most: how many documents are drawn, up to 60; the axis says if there are more.
        runs: whether every run of equal labels is a segment; else a label that comes back later is an error.

    >>> import clusterscore as cs
    >>> gold, pred = cs.Clustering.from_lengths([3, 2, 2]), cs.Clustering.from_lengths([2, 3, 1, 1])
    >>> ax = cs.plot.strip(gold, pred)
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['gold, above: 1 missed', 'predicted, below: 2 extra']
    """
    if integer("most", most, 1) > _LINES:
        raise InputError(
            f"most={most}: no more than {_LINES} lines can be seen in a plot; pass some {noun('documents')}"
        )
    measure = _Plotted(runs=runs)
    table, _ = counted(gold, pred, policies, [measure])
    measure.check(table)
    shown = strips(table, measure, most)
    with panel(ax, max(_LOWEST, 0.6 + 0.15 * len(shown.worst))) as on:
        from matplotlib.ticker import MaxNLocator

        step = _draw(on, shown.worst)
        named_rows = len(table.documents) > 1
        names = named_apart((line.name for line in shown.worst), _LETTERS)
        wrong = [len(line.missed) + len(line.extra) for line in shown.worst]
        rows = [f"{name} · {count:,}" for name, count in zip(names, wrong, strict=True)]
        on.ax.set_yticks(np.arange(len(rows)), rows if named_rows else [""] * len(rows))
        on.ax.set_ylim(len(rows) - 0.5, -0.5)
        on.ax.tick_params(axis="y", length=0)
        on.ax.spines["left"].set_visible(False)
        on.ax.xaxis.set_major_locator(MaxNLocator(8, integer=True))
        on.ax.xaxis.set_major_formatter("{x:,.0f}")
        notes = []
        if len(rows) < shown.documents:
            notes.append(f"the {len(rows):,} worst of {plural(shown.documents, 'document')}")
        if step > 1:
            notes.append(f"{step:,} in each column")
        x = noun("element") + (f" ({'; '.join(notes)})" if notes else "")
        on.label(x, f"{noun('document')} · wrong" if named_rows else "")
        return on.ax


def _draw(on: Panel, lines: Sequence[Strip]) -> int:
    """Draw the lines; returns how many elements share a column, in which boundaries are drawn once."""
    from matplotlib.collections import PolyCollection
    from matplotlib.colors import to_rgba

    longest = max(line.length for line in lines)
    step = column_width(longest, min(_COLUMNS, max(_DRAWN // len(lines), 100)))
    marks = [
        Mark(
            f"{_title(line)}{plural(line.length, 'element')}, {line.summary}",
            f"doc/{line.document}" if _title(line) else "",
        )
        for line in lines
    ]
    for low, high in ((-_OUTER, -_INNER), (_INNER, _OUTER)):
        corners = [
            [(0.5, k + low), (line.length + 0.5, k + low), (line.length + 0.5, k + high), (0.5, k + high)]
            for k, line in enumerate(lines)
        ]
        bands = PolyCollection(corners, facecolor=to_rgba(on.ink, FAINT), edgecolor="none")
        on.explain(on.ax.add_collection(bands), marks)
    _cut(on, [line.right for line in lines], step, (-_OUTER, _OUTER), on.paper, 0.8)
    # beyond the band, so that they are seen on a grey print too
    missed, extra = [line.missed for line in lines], [line.extra for line in lines]
    _cut(on, missed, step, (-_OUTER - 0.1, -_INNER), BLUE, _WRONG)
    _cut(on, extra, step, (_INNER, _OUTER + 0.1), VERMILION, _WRONG)
    legend = {f"gold, above: {sum(map(len, missed)):,} missed": BLUE}
    legend[f"predicted, below: {sum(map(len, extra)):,} extra"] = VERMILION
    for label, color in legend.items():
        look: dict[str, Any] = {"marker": "|", "markersize": 6, "markeredgewidth": _WRONG}
        on.ax.plot([], [], linestyle="none", color=color, label=label, **look)
    on.ax.set_xlim(0.5, longest + 0.5)
    on.legend(names=len(lines) > 1)
    return step


def _title(line: Strip) -> str:
    return "" if line.name is None else f"{isolated(line.name)}: "


def _cut(on: Panel, cuts: Sequence[Ints], step: int, ends: tuple[float, float], color: Any, width: float) -> None:
    """Marks of one kind on all lines, as one path, however many there are."""
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    drawn = [in_columns(places, step) for places in cuts]
    line = np.repeat(np.arange(len(drawn)), [len(places) for places in drawn])
    x = np.concatenate(drawn) + 0.5
    corners = np.stack([np.stack([x, line + end], axis=1) for end in ends], axis=1).reshape(-1, 2)
    codes = np.tile(np.array([Path.MOVETO, Path.LINETO], np.uint8), len(x))
    path = Path(corners, codes)
    on.ax.add_patch(PathPatch(path, fill=False, edgecolor=color, linewidth=width, capstyle="butt"))


def strips(table: Table, measure: Segmentation, most: int) -> Strips:
    """The documents with the most wrong boundaries, each with all of its boundaries."""
    cuts = measure.cuts(table)
    missed, extra = cuts.gold & ~cuts.pred, cuts.pred & ~cuts.gold
    masks = {"right": cuts.gold & cuts.pred, "missed": missed, "extra": extra}
    wrong = cuts.number(missed) + cuts.number(extra)
    worst = []
    for document in np.argsort(-wrong, kind="stable")[:most].tolist():
        first, length = int(cuts.first[document]), int(cuts.length[document])
        inside = slice(first, first + length)
        places = {name: np.flatnonzero(mask[inside]) for name, mask in masks.items()}
        where = np.arange(first, first + length) if cuts.order is None else cuts.order[inside]
        name = table.documents[document] if len(wrong) > 1 else None
        worst.append(Strip(document, name, length, **places, order=where))
    return Strips(worst, len(wrong), int(np.count_nonzero(missed)), int(np.count_nonzero(extra)))


def column_width(length: int, columns: int) -> int:
    """How many neighbours share a column, if there are no more than so many columns."""
    return -(-length // columns)


def in_columns(places: Ints, width: int) -> Ints:
    """Each column with a place in it, once.

    >>> in_columns(np.array([3, 14, 15, 92]), 10).tolist(), in_columns(np.array([3, 14]), 1).tolist()
    ([0, 10, 90], [3, 14])
    """
    return places if width == 1 else np.unique(places // width) * width
