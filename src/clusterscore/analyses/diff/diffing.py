"""Two versions of a clustering, and no gold: what changed."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np

from clusterscore.align.match import align
from clusterscore.align.policies import NoiseAs, Pair, Side
from clusterscore.analyses.diagnose.cluster_rows import Order
from clusterscore.analyses.diff.diff_result import Diff, VersionFacts
from clusterscore.analyses.request import options_checked
from clusterscore.count.cells import Clusters
from clusterscore.count.counting import count, with_absent
from clusterscore.count.table import Table
from clusterscore.distinct import Array, Ints, representatives
from clusterscore.exceptions import (
    ClusterscoreError,
    ClusterscoreWarning,
    InputTypeError,
    NotAPartition,
    listening,
    warn_user,
)
from clusterscore.messages import Message, Option, Wording
from clusterscore.metrics.alignment import places_of
from clusterscore.metrics.partitions import overlap_found
from clusterscore.nouns import Field, noun
from clusterscore.read.label_sets import LabelSets
from clusterscore.read.names import Names
from clusterscore.show.columnar import Columns, LazyColumn
from clusterscore.show.grid import NamesInCell

CHANGES = ("unchanged", "updated", "split", "merged", "rearranged", "created", "deleted")
_ONE_OLD, _ONE_NEW = ({"unchanged", "updated", *more} for more in (("split", "deleted"), ("merged", "created")))
_NUMBERS = ("elements", "added", "gone", "apart", "together")


@options_checked
def diff(
    old: Any,
    new: Any,
    *,
    documents: Any = None,
    noise: Any = None,
    noise_as: NoiseAs | None = None,
    field: str | Field | None = None,
) -> Diff:
    """List what changed from one version of a clustering to the next: ``cs.diff(old, new)``.

    A change is a set of old and new clusters that are connected by shared elements. One old and one new cluster are
    ``unchanged`` if they have the same elements, and ``updated`` if elements were added or are gone. One old cluster
    that is in several new ones was ``split``, several that are in one were ``merged``, and several of both are
    ``rearranged``. A cluster none of whose elements are in the other version was ``created`` or ``deleted``.

    The changes that affect most pairs come first: pairs that were taken ``apart`` or brought ``together``. Elements
    that only one version has are listed in ``added`` and ``gone``. Other options are those of
    :func:`clusterscore.score`.

    Options:
        old: the earlier clustering, in any form.
        new: the later clustering, in any form.

    Returns:
        Changes by kind, and the elements that were added and are gone.

    >>> import clusterscore as cs
    >>> diff = cs.diff({"p1": "a", "p2": "a", "p3": "b"}, {"p1": "a", "p2": "c", "p3": "b"})
    >>> diff.split["old"].tolist(), diff.split["new"].tolist(), len(diff.unchanged)
    (['a'], [('a', 'c')], 1)
    """
    if isinstance(old, Table) or isinstance(new, Table):
        raise InputTypeError(noun("a Table counts elements and does not name them; pass both versions as clusterings"))
    given = {"documents": documents, "noise": noise, "noise_as": noise_as}
    options = {name: value for name, value in given.items() if value is not None}
    with in_versions():
        pair = align(old, new, missing="keep", background="keep", **options)
        if type(pair.gold.names) is LabelSets or type(pair.pred.names) is LabelSets:
            raise NotAPartition(
                f"{overlap_found(count(pair, members=True))[0]}; a diff is between partitions: keep each "
                f"{noun('element')} in one {noun('cluster')}"
            )
    return _diff(with_absent(pair))


@contextmanager
def in_versions() -> Iterator[None]:
    """Errors and warnings speak of the versions, which are gold and prediction everywhere else."""
    try:
        with warnings.catch_warnings(record=True) as caught, listening(passed_on=False):
            warnings.simplefilter("always")
            yield
    except ClusterscoreError as error:
        raise type(error)(_of_versions(error.message)) from None
    for warning in caught:
        message = warning.message
        warn_user(_of_versions(message.message if isinstance(message, ClusterscoreWarning) else Message(str(message))))


def _of_versions(message: Message) -> Message:
    pieces = list[str | Option | Wording]()
    for piece in message.pieces:
        if isinstance(piece, str):
            pieces.append(versioned(piece))
        elif isinstance(piece, Option):
            pieces.append(Option(versioned(piece.parameter), *piece.values))
        else:
            pieces.append(Wording(versioned(piece.python), versioned(piece.command)))
    return Message(*pieces)


def versioned(text: str) -> str:
    """A message about gold and prediction as one about the old and the new version; what is quoted stays.

    >>> versioned("gold has 'gold' in gold.csv; pass gold_element=")
    "old has 'gold' in gold.csv; pass old_element="
    """
    for side, version in (("gold", "old"), ("pred", "new"), ("GOLD", "OLD"), ("PRED", "NEW")):
        text = re.sub(
            rf"""(?<![\w'"/\\]){side}(?=_(element|document|format|cluster|header)|(?![\w'"/\\]|\.\w))""", version, text
        )
    return text


class Participants(NamedTuple):
    """The clusters of a version, change by change, the largest of each first; and where each change begins."""

    cluster: Ints
    size: Ints
    start: Ints

    @classmethod
    def of(cls, component: Ints, size: Array, first: Ints, changes: int) -> Participants:
        """From the change of each cluster, -1 for one that is not there."""
        there = np.flatnonzero(component >= 0)
        cluster = there[np.lexsort((first[there], -size[there], component[there]))]
        number = np.bincount(component[cluster], minlength=changes)
        return cls(cluster, size[cluster].astype(np.int64), np.append(0, np.cumsum(number)))

    @property
    def clusters(self) -> Ints:
        """How many clusters take part in each change."""
        return np.diff(self.start)


class Changes(NamedTuple):
    """All changes: columns with a number for each, and the change of each cell."""

    kind: Ints  # its place in CHANGES
    old: Participants
    new: Participants
    elements: Ints  # of all its clusters together
    added: Ints  # elements that the old version does not have,
    gone: Ints  # and that the new one does not have
    apart: Ints  # pairs of elements that were together, and are not,
    together: Ints  # and that were not, and are
    example: Ints  # the place of an element
    order: Ints  # the largest change first
    of_cell: Ints


def changes_of(table: Table, absent: tuple[Array, Array]) -> Changes:
    """The changes from the old side of a table (gold) to the new one (pred).

    A change is a connected component of the graph of old and new clusters that share elements. ``absent`` says which
    clusters are none: they hold the elements that one version does not have.
    """
    old, new, n = table.gold, table.pred, table.n
    added, gone = absent[0][old], absent[1][new]
    shared = np.flatnonzero(~added & ~gone)
    places = places_of(old[shared], new[shared])
    of_old, of_new = np.full(len(absent[0]), -1), np.full(len(absent[1]), -1)
    of_old[old[shared]] = of_new[new[shared]] = places.component
    count = len(places.rows)
    for component, side, missing in ((of_old, old, absent[0]), (of_new, new, absent[1])):
        used = np.zeros(len(component), np.bool_)
        used[side] = True
        alone = np.flatnonzero(used & ~missing & (component < 0))  # nothing of it is in the other version
        component[alone] = np.arange(count, count + len(alone))
        count += len(alone)
    of_cell = np.where(added, of_new[new], of_old[old])

    assert table.members is not None
    order, sizes = Order.of(table, table.members.cell), (table.cells.gold.size, table.cells.pred.size)
    before = Participants.of(of_old, sizes[0], order.gold, count)
    after = Participants.of(of_new, sizes[1], order.pred, count)
    number = _sums(of_cell, n, count)
    plus, minus = (_sums(of_cell[which], n[which], count) for which in (added, gone))
    kept = _sums(of_cell[shared], _pairs(n[shared]), count)
    apart, together = (
        _sums(component[participants.cluster], _pairs(participants.size), count) - kept
        for component, participants in ((of_old, before), (of_new, after))
    )
    kind = _kinds(before.clusters, after.clusters, plus + minus)
    # the smallest part is what is worth a look; of an updated cluster, what only one version has
    one_sided = added | gone
    rows = np.lexsort((order.cell, n, one_sided ^ (kind[of_cell] == CHANGES.index("updated")), of_cell))
    example = order.cell[rows[np.flatnonzero(np.diff(of_cell[rows], prepend=-1))]]
    first = np.full(count, len(table.members.cell))
    np.minimum.at(first, of_cell, order.cell)
    largest = np.lexsort((first, -number, -(apart + together)))
    return Changes(kind, before, after, number, plus, minus, apart, together, example, largest, of_cell)


def _kinds(old: Ints, new: Ints, one_sided: Ints) -> Ints:
    """The kind of each change between so many old and new clusters, with so many elements of one version only."""
    conditions = [old == 0, new == 0, (old == 1) & (new == 1) & (one_sided == 0), (old == 1) & (new == 1)]
    kinds = ["created", "deleted", "unchanged", "updated", "split", "merged"]
    return np.select(
        [*conditions, old == 1, new == 1], list(map(CHANGES.index, kinds)), CHANGES.index("rearranged")
    ).astype(np.int64)


def _pairs(sizes: Array) -> Ints:
    return np.asarray(sizes.astype(np.int64) * (sizes - 1) // 2)


def _sums(component: Ints, values: Array, count: int) -> Ints:
    """Whole numbers added up for each change; exact, which np.bincount with weights is not."""
    sums = np.zeros(count, np.int64)
    np.add.at(sums, component, values)
    return sums


class _Version(NamedTuple):
    """The clusters of one version, by their numbers in the table, and which of them each cell is in.

    One is no cluster: it has no name, and holds the elements that this version does not have.
    """

    names: Array
    size: Ints
    absent: Array
    of_cell: Array

    @classmethod
    def of(cls, side: Side, clusters: Clusters, of_cell: Array) -> _Version:
        """From a side of the table."""
        numbers = np.arange(len(clusters.size))
        absent = clusters.name.places(numbers) == side.size - 1
        names = clusters.name.column(np.flatnonzero(clusters.size), len(numbers))
        return cls(names, np.where(absent, 0, clusters.size), absent, of_cell)

    def columns(self, side: str, changed: Participants, changes: Ints, single: bool) -> dict[str, LazyColumn]:
        """The clusters that take part in some changes and their sizes: one of each, or all of them."""
        return {
            side: LazyColumn(changes, lambda rows: _taken(self.names[changed.cluster], changed.start, rows, single)),
            f"{side}_size": LazyColumn(changes, lambda rows: _taken(changed.size, changed.start, rows, single)),
        }


def _taken(values: Array, start: Ints, rows: Ints, single: bool) -> Array:
    """The value that begins at the start of each row, or all up to the start of the next."""
    if single:
        return np.asarray(values[start[rows]])
    column = np.empty(len(rows), object)
    for k, row in enumerate(rows.tolist()):
        column[k] = NamesInCell(values[start[row] : start[row + 1]].tolist())
    return column


def _diff(pair: Pair) -> Diff:
    table = count(pair, members=True)
    assert table.members is not None
    old = _Version.of(pair.gold, table.cells.gold, table.gold)
    new = _Version.of(pair.pred, table.cells.pred, table.pred)
    changed = changes_of(table, (old.absent, new.absent))
    words = np.array(CHANGES, object)

    def elements(places: Ints) -> dict[str, LazyColumn]:
        ids, documents = pair.ids, pair.documents
        columns = {
            "element": LazyColumn(places, lambda at: at if ids is None else Names(ids.names).take(ids.codes[at]))
        }
        if documents is None:
            return columns
        where = LazyColumn(places, lambda at: Names(documents.names).take(documents.codes[at]))
        return {"document": where, **columns}

    def changes(rows: Ints, kind: str = "") -> dict[str, LazyColumn]:
        who = {} if kind == "created" else old.columns("old", changed.old, rows, kind in _ONE_OLD)
        who |= {} if kind == "deleted" else new.columns("new", changed.new, rows, kind in _ONE_NEW)
        example = elements(changed.example[rows])
        example["example"] = example.pop("element")
        return {**who, **{name: LazyColumn(rows, getattr(changed, name).take) for name in _NUMBERS}, **example}

    ordered = changed.kind[changed.order]
    tables = {name: Columns(changes(changed.order[ordered == k], name)) for k, name in enumerate(CHANGES)}
    cell = table.members.cell
    for name, version, other in (("added", old, new), ("gone", new, old)):
        places = np.flatnonzero(version.absent[version.of_cell][cell])
        tables[name] = Columns(
            {**elements(places), "cluster": LazyColumn(other.of_cell[cell[places]], other.names.take)}
        )
    every = Columns({"change": words[ordered], **changes(changed.order)})
    size = len(CHANGES)
    counts = {
        "change": words,
        "changes": np.bincount(changed.kind, minlength=size),
        "old_clusters": np.bincount(np.repeat(changed.kind, changed.old.clusters), minlength=size),
        "new_clusters": np.bincount(np.repeat(changed.kind, changed.new.clusters), minlength=size),
        **{
            name: np.bincount(changed.kind, getattr(changed, name), size).astype(np.int64)
            for name in ("elements", "added", "gone")
        },
    }
    versions = [
        VersionFacts(len(cell) - len(tables[missing]), len(own.cluster))
        for missing, own in (("added", changed.old), ("gone", changed.new))
    ]
    same = tables["unchanged"]
    renamed = int(np.count_nonzero(same["old"].astype(object) != same["new"].astype(object)))
    return Diff((versions[0], versions[1]), Columns(counts), tables, every, _cells(table, old, new, changed), renamed)


def _cells(table: Table, old: _Version, new: _Version, changes: Changes) -> Columns:
    """A row per cell, by the number of its change, the largest cell first."""
    number = 1 + representatives(changes.order, len(changes.order))
    cells = np.lexsort((-table.n, number[changes.of_cell]))
    return Columns(
        {
            "number": number[changes.of_cell[cells]],
            "change": np.array(CHANGES, object)[changes.kind[changes.of_cell[cells]]],
            "old": LazyColumn(old.of_cell[cells], old.names.take),
            "new": LazyColumn(new.of_cell[cells], new.names.take),
            "old_size": LazyColumn(old.of_cell[cells], old.size.take),
            "new_size": LazyColumn(new.of_cell[cells], new.size.take),
            "elements": LazyColumn(cells, table.n.take),
        }
    )
