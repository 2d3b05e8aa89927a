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
from clusterscore.analyses.diff.changes import CHANGES, Changes, Participants, changes_of
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
from clusterscore.fields import Field
from clusterscore.messages import Message, Option, Wording
from clusterscore.metrics.partitions import overlap_found
from clusterscore.nouns import noun
from clusterscore.read.label_sets import LabelSets
from clusterscore.read.names import Names
from clusterscore.show.columnar import Columns, LazyColumn
from clusterscore.show.grid import NamesInCell

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
        pair = align(old, new, missing="keep", **options)
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
