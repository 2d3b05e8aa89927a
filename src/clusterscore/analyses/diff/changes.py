"""What became of the clusters of one version in the next: changes, each a set of clusters that share elements."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from clusterscore.analyses.diagnose.cluster_rows import Order
from clusterscore.count.table import Table
from clusterscore.distinct import Array, Ints
from clusterscore.metrics.alignment import places_of

CHANGES = ("unchanged", "updated", "split", "merged", "rearranged", "created", "deleted")


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
