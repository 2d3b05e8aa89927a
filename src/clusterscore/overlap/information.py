"""What clusters that overlap tell of each other: every cluster is a yes or no for each element.

The entropy of a cluster is that of its yes and no. Given the other clustering it is what the cluster of the other side
leaves open that tells most of it. A pair of clusters that tells by contrast, one holding what the other does not, is
left out, or a clustering and its complement would be the same.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from clusterscore.count.sums import Floats
from clusterscore.count.table import Table
from clusterscore.distinct import Array, Ints, distinct
from clusterscore.overlap.cover import Cover, cover_of


class Entropies(NamedTuple):
    """The entropy of each cluster of a side, alone and given the other side, and its document."""

    alone: Floats
    given: Floats
    used: Array  # false for a number that no cluster has
    matched: Array  # whether the other side has the same cluster
    document: Array | None


def entropies(table: Table) -> tuple[Entropies, Entropies]:
    """Gold given the prediction, and the prediction given gold."""
    cover = cover_of(table)
    elements = table.add(cover.n, cover.document(table))
    return _given(table, cover, elements, "gold"), _given(table, cover, elements, "pred")


def _given(table: Table, cover: Cover, elements: Floats, which: str) -> Entropies:
    pairs = cover.overlaps()
    own, other, cluster, partner = cover.gold, cover.pred, pairs.gold, pairs.pred
    if which == "pred":
        own, other, cluster, partner = other, own, partner, cluster
    document = own.document(table, which)
    total = elements[np.zeros(len(own.size), np.int64) if document is None else document]
    alone = _term(own.size, total) + _term(total - own.size, total)
    given = alone.copy()
    np.minimum.at(given, cluster, _left_open(pairs.n, own.size[cluster], other.size[partner], total[cluster]))
    kinds = _Kinds.of(own.size, document), _Kinds.of(other.size, other.document(table, _OTHER[which]))
    _without_common_elements(given, kinds, (cluster, partner), elements)
    matched = np.zeros(len(own.size), np.bool_)
    matched[cluster[(pairs.n == own.size[cluster]) & (pairs.n == other.size[partner])]] = True
    return Entropies(alone, given, own.size > 0, matched, document)


_OTHER = {"gold": "pred", "pred": "gold"}


def _term(count: Array, total: Array) -> Floats:
    """-p*log(p) for p = count/total; 0 for none and for all."""
    share = np.maximum(count, 1) / total
    return np.where(count > 0, -share * np.log(share), 0.0) + 0.0


def _left_open(n: Array, a: Array, b: Array, total: Array) -> Floats:
    """The entropy of a cluster of a elements given one of b, n in common; infinite where that tells by contrast."""
    both, own, other, neither = (_term(count, total) for count in (n, a - n, b - n, total - a - b + n))
    left = both + neither + (own + other) - (_term(b, total) + _term(total - b, total))
    return np.where(both + neither >= own + other, np.maximum(left, 0.0), np.inf)


class _Kinds(NamedTuple):
    """Clusters by document and size: how many there are of each kind, and the kind of each cluster."""

    document: Ints
    size: Ints
    number: Ints
    of_cluster: Ints  # -1 for a number that no cluster has

    @classmethod
    def of(cls, size: Ints, document: Array | None) -> _Kinds:
        """The kinds, in the order of their documents."""
        used = np.flatnonzero(size)
        where = np.zeros(len(used), np.int64) if document is None else document[used]
        rows, kind, number = np.unique(np.stack([where, size[used]]), axis=1, return_inverse=True, return_counts=True)
        of_cluster = np.full(len(size), -1)
        of_cluster[used] = kind.ravel()
        return cls(rows[0], rows[1], number, of_cluster)


def _without_common_elements(
    given: Floats, kinds: tuple[_Kinds, _Kinds], pairs: tuple[Ints, Ints], elements: Floats
) -> None:
    """Take what is left open by clusters of the other side without a common element into account, where it is less.

    A large cluster tells something of a small one that lies outside. That only depends on the sizes of both, so all
    clusters of one size are looked at together.
    """
    own, other = kinds
    first, last = (np.searchsorted(other.document, own.document, side=side) for side in ("left", "right"))
    number = last - first
    mine = np.repeat(np.arange(len(own.size)), number)
    its = np.arange(len(mine)) + np.repeat(first - (np.cumsum(number) - number), number)
    total = elements[own.document[mine]]
    fits = own.size[mine] + other.size[its] <= total
    mine, its, total = mine[fits], its[fits], total[fits]
    left = _left_open(np.zeros(len(mine), np.int64), own.size[mine], other.size[its], total)
    alone = _term(own.size[mine], total) + _term(total - own.size[mine], total)
    less = left < alone
    mine, its, left = mine[less], its[less], left[less]
    if not len(mine):
        return
    # of how many clusters of each kind a cluster has an element
    met = distinct((pairs[0], len(given)), (other.of_cluster[pairs[1]], len(other.size)))
    keys = met.column(0) * len(other.size) + met.column(1)
    order = np.argsort(keys)
    keys, counts = keys[order], met.counts[order]
    by_kind = np.argsort(own.of_cluster, kind="stable")
    starts = np.searchsorted(own.of_cluster[by_kind], np.arange(len(own.size)))
    times = own.number[mine]
    row = np.repeat(np.arange(len(mine)), times)
    cluster = by_kind[np.arange(len(row)) + np.repeat(starts[mine] - (np.cumsum(times) - times), times)]
    key = cluster * len(other.size) + its[row]
    at = np.minimum(np.searchsorted(keys, key), len(keys) - 1)
    touched = np.where(keys[at] == key, counts[at], 0)
    free = touched < other.number[its[row]]
    np.minimum.at(given, cluster[free], left[row[free]])
