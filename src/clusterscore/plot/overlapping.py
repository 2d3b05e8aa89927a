"""The largest clusters of both sides, and how much of each gold cluster lies in which predicted one."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import compress
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from clusterscore.count.sums import divide
from clusterscore.count.table import Table
from clusterscore.distinct import Array, Ints
from clusterscore.exceptions import InputError, integer
from clusterscore.metrics.alignment import best_alignment
from clusterscore.nouns import noun, plural
from clusterscore.overlap import Memberships, between_clusters, cover_of
from clusterscore.plot.canvas import Mark, Panel, counted, in_words_of_results, panel
from clusterscore.plot.style import BLUE, compact, differing, isolated, named_apart, percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_CLUSTERS = 200
_WRITTEN = 12  # clusters of a side: up to here the numbers fit their cells
_LETTERS = 14  # of a name
_MOST = 7.0  # inches
_KEY = "% of the gold cluster"
_WHITE = "#fafafa"
_OTHERS = "#808080"  # black and white are both legible on it
_LEAST = 0.1  # how much colour the smallest share has
_EMPTY = 0.03  # ink in a cell with nothing in it, which only helps the eye along its row
_DARK = 0.8  # from this share on, white is read more easily than black


class Label(NamedTuple):
    """What a row or a column is: in a few letters, in words, and where a page shows it."""

    short: str
    words: str
    find: str = ""


class Blocks(NamedTuple):
    """The largest clusters of each side, and all others of that side as one block.

    ``matrix`` counts elements, gold in rows. Elements that the other side does not have are in a last column (of gold
    clusters) or row (of predicted ones), where there are any. Where clusters overlap, an element is in the cells of all
    its clusters, and among the others if all of its clusters are.
    """

    rows: list[Label]
    columns: list[Label]
    matrix: Ints
    size: Ints  # of each row, as the share of which its cells are shown
    clusters: tuple[int, int]  # rows and columns that are single clusters
    matched: int  # of which the first so many are matched, on the diagonal


@in_words_of_results
def overlaps(gold: Any, pred: Any = None, *, largest: int = 10, ax: Axes | None = None, **policies: Any) -> Axes:
    """Where the elements of the largest gold clusters went: a row for each, a column for each predicted cluster.

    A cell is as dark as the share of the gold cluster that lies in the predicted one; the number is that share in
    percent. Matching clusters (those of the best one-to-one alignment) lie on the diagonal: a row with several cells is
    a cluster that was split, a column with several cells is one that was merged. All clusters but the ``largest`` are
    one grey row and one grey column, however many there are. Among the clusters shown are those that share most with a
    large one of the other side. The number after a name is the size of the cluster. Where clusters overlap, a row may
    add up to more than 100 percent, and the grey ones are the elements that are in no cluster shown.

    Options:
        largest: how many clusters of each side are shown.

    >>> import clusterscore as cs
    >>> ax = cs.plot.overlaps(["a", "a", "a", "b", "b", "c"], ["x", "x", "y", "y", "y", "z"])
    >>> [text.get_text() for text in ax.get_yticklabels()]
    ['a · 3', 'b · 2', 'c · 1']
    >>> [text.get_text() for text in ax.texts][:-1]
    ['67', '33', '100', '100']
    """
    if integer("largest", largest, 1) > _CLUSTERS:
        raise InputError(
            f"largest={largest}: no more than {_CLUSTERS} {noun('clusters')} of a side can be seen in a plot"
        )
    table, _ = counted(gold, pred, policies)
    blocks = blocked(table, largest)
    rows, columns = blocks.matrix.shape
    written = max(blocks.clusters) <= _WRITTEN
    with panel(ax, min(1.1 + (0.2 if written else 0.13) * rows, _MOST)) as on:
        _heat(on, blocks, written)
        small: dict[str, Any] = {} if written else {"fontsize": "small"}
        row_names, column_names = ([label.short for label in labels] for labels in (blocks.rows, blocks.columns))
        on.ax.set_xticks(
            np.arange(columns), column_names, rotation=90, va="center", ha="right", rotation_mode="anchor", **small
        )
        on.ax.set_yticks(np.arange(rows), row_names, **small)
        on.ax.set_xlim(-0.5, columns - 0.5)
        on.ax.set_ylim(rows - 0.5, -0.5)
        on.ax.tick_params(length=0)
        on.ax.spines[:].set_visible(False)
        on.label(noun("predicted cluster · elements"), noun("gold cluster · elements"), names=True)
        key = noun(_KEY if written else f"darker: larger {_KEY}")
        on.ax.text(1, 1.01, key, transform=on.ax.transAxes, ha="right", va="bottom", fontsize="small")
        return on.ax


def _heat(on: Panel, blocks: Blocks, written: bool) -> None:
    from matplotlib.colors import to_rgba

    share = divide(blocks.matrix, blocks.size[:, None], 0.0)
    rows, columns = blocks.clusters
    others = np.ones(share.shape, bool)
    others[:rows, :columns] = False
    colours = np.empty((*share.shape, 4))
    colours[:] = to_rgba(BLUE)
    colours[others] = to_rgba(_OTHERS)  # others do not match because they meet
    colours[:, :, 3] = _LEAST + (1 - _LEAST) * share
    colours[share == 0] = to_rgba(on.ink, _EMPTY)
    edges = [np.arange(length + 1) - 0.5 for length in share.shape]
    cells = on.ax.pcolormesh(edges[1], edges[0], colours, edgecolor=on.paper, linewidth=0.6)
    on.explain(cells, list(_marks(blocks)))
    if not written:
        return
    for row, column in zip(*map(np.ndarray.tolist, np.nonzero(share)), strict=True):
        part = float(share[row, column])
        color = _WHITE if part > _DARK and not others[row, column] else on.ink
        on.ax.text(column, row, percent(part), ha="center", va="center", fontsize="small", color=color)


def _marks(blocks: Blocks) -> Iterator[Mark]:
    for row, size, counts in zip(blocks.rows, blocks.size.tolist(), blocks.matrix.tolist(), strict=True):
        for column, count in zip(blocks.columns, counts, strict=True):
            yield Mark(f"{row.words} and {column.words}: {count:,} of {plural(size, 'element')}", row.find)


def blocked(table: Table, largest: int) -> Blocks:
    """The counts between the largest clusters of both sides; the others of a side are one block."""
    met = between_clusters(table)
    gold, pred = _chosen(met, largest)
    counts, size, width = _between(table, gold, pred)
    rows, columns = np.nonzero(counts[:-2, :-2])
    matched = np.sort(best_alignment(rows, columns, counts[rows, columns], (len(gold), len(pred))))
    rows, columns = _first(rows[matched], len(size)), _first(columns[matched], len(width))
    gold, pred, size, width = gold[rows[:-2]], pred[columns[:-2]], size[rows], width[columns]
    only = "only in " if table.overlapping else ""
    row_names = [*_labels(met, "gold", gold, only), Label(f"not in gold · {compact(size[-1])}", "not in gold")]
    nowhere = Label(f"not predicted · {compact(width[-1])}", "not predicted")
    column_names = [*_labels(met, "pred", pred, only), nowhere]
    return Blocks(
        list(compress(row_names, size)),
        list(compress(column_names, width)),
        counts[np.ix_(rows[size > 0], columns[width > 0])],
        size[size > 0],
        (len(gold), len(pred)),
        len(matched),
    )


def _first(places: Ints, count: int) -> Ints:
    """All places, with some of them first."""
    return np.append(places, np.delete(np.arange(count), places))


def _labels(table: Table, side: str, clusters: Ints, only: str) -> list[Label]:
    """What these clusters are called, and all others."""
    others, word = table.number(side) - len(clusters), {"gold": "gold", "pred": "predicted"}[side]
    rest = Label(only + plural(others, "other"), f"{only}{others:,} other {word}")
    return [*cluster_labels(table, side, clusters, _LETTERS), rest]


def cluster_labels(table: Table, side: str, clusters: Ints, letters: int, glosses: Array | None = None) -> list[Label]:
    """What clusters of a side are called, each with its size, in so many letters; by a gloss, if it has one."""
    known, several = table.cells.side(side), len(table.documents) > 1
    place, word = np.cumsum(known.size > 0) - 1, {"gold": "gold", "pred": "predicted"}[side]
    names, words = [], []
    for cluster in clusters.tolist():
        own = known.name(cluster)
        own = "(alone)" if own is None else own  # an element that a policy left alone has no cluster's name
        of = [table.documents[known.document[cluster]]] if several and known.document is not None else []
        words.append(f"{word} {': '.join(map(isolated, (*of, own)))}")
        names.append([str(part) for part in (*of, own if glosses is None else glosses[cluster] or own)])
    whole = [": ".join(parts) for parts in names]
    if several and max(map(len, whole), default=0) > letters:  # documents by what they differ in
        names = [[document, own] for document, (_, own) in zip(differing([of for of, _ in names]), names, strict=True)]
        whole = [": ".join(parts) for parts in names]
    short = named_apart(whole, letters)
    if several:  # something of both
        halves = [list(dict.fromkeys(half)) for half in zip(*names, strict=True)]
        known_as = [dict(zip(half, named_apart(half, letters // 2 - 1), strict=True)) for half in halves]
        short = [
            name if len(text) <= letters else ": ".join(by[part] for by, part in zip(known_as, parts, strict=True))
            for name, text, parts in zip(short, whole, names, strict=True)
        ]
    sizes, finds = known.size[clusters].tolist(), [f"{side}/{number}" for number in place[clusters].tolist()]
    rows = zip(short, sizes, words, finds, strict=True)
    return [Label(f"{name} · {compact(size)}", text, find) for name, size, text, find in rows]


def _chosen(table: Table, largest: int) -> tuple[Ints, Ints]:
    """Up to so many clusters of each side: the largest of both, and of each the one that it shares most with."""
    sides = ((table.gold_size, table.gold, table.pred), (table.pred_size, table.pred, table.gold))
    in_turn = sorted(
        (-int(size[cluster]), side, cluster, best)
        for side, (size, own, other) in enumerate(sides)
        for cluster, best in _seeds(size, own, other, table.n, largest + 1).items()
    )
    # one more, where it would be alone among the others
    room = [used if used <= largest + 1 else largest for used in (table.number("gold"), table.number("pred"))]
    taken: list[list[int]] = [[], []]
    for _, side, cluster, best in in_turn:
        for where, number in ((side, cluster), (1 - side, best)):
            if number >= 0 and number not in taken[where] and len(taken[where]) < room[where]:
                taken[where].append(number)
    gold = sorted(taken[0], key=table.gold_size.__getitem__, reverse=True)
    pred = sorted(taken[1], key=table.pred_size.__getitem__, reverse=True)
    return np.array(gold, np.int64), np.array(pred, np.int64)


def _seeds(size: Array, own: Array, other: Array, n: Array, most: int) -> dict[int, int]:
    """The largest clusters of a side, and of each the cluster of the other side that it shares most with, or -1."""
    partners = dict.fromkeys(np.argsort(-size, kind="stable")[: min(most, np.count_nonzero(size))].tolist(), -1)
    cells = np.flatnonzero(np.isin(own, list(partners)))
    cells = cells[np.lexsort((-cells, n[cells]))]  # of equal cells the first is written last
    partners.update(zip(own[cells].tolist(), other[cells].tolist(), strict=True))
    return partners


def _between(table: Table, gold: Ints, pred: Ints) -> tuple[Ints, Ints, Ints]:
    """Elements of each row and column, of each row, and of each column.

    Rows and columns are these clusters, then what is in others only, then what is in no cluster of that side.
    """
    cover = cover_of(table)
    rows, columns = _inside(cover.gold, gold), _inside(cover.pred, pred)
    sums = rows.multiply(cover.n[:, None]).T @ columns, cover.n @ rows, cover.n @ columns
    # a float holds the sums exactly: no table counts more than 2**53 elements
    return np.asarray(sums[0].toarray(), np.int64), np.asarray(sums[1], np.int64), np.asarray(sums[2], np.int64)


def _inside(side: Memberships, clusters: Ints) -> Any:
    """Which cells are in each of these clusters, in others only, and in none at all; sparse."""
    from scipy.sparse import csr_array

    places = np.full(len(side.size), -1)
    places[clusters] = np.arange(len(clusters))
    column = places[side.cluster]
    row, column = side.cell[column >= 0], column[column >= 0]
    rest = np.flatnonzero(np.bincount(row, minlength=len(side.number)) == 0)
    where = np.append(row, rest), np.append(column, len(clusters) + (side.number[rest] == 0))
    return csr_array((np.ones(len(where[0])), where), shape=(len(side.number), len(clusters) + 2))
