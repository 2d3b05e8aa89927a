"""What clusters that overlap tell of each other: every cluster is a yes or no for each element.

The entropy of a cluster is that of its yes and no. It shares some of it with the best cluster of the other side; the
rest is its entropy given the other side. A pair of clusters that tells by contrast, one holding what the other does
not, is left out, or a clustering and its complement would be the same.

Both are sums of terms that are never below 0. As differences of entropies they would have no correct digit where a
small cluster is next to a huge one.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from clusterscore.count.rows import above_chance, split_logs
from clusterscore.count.sums import Floats, divide
from clusterscore.count.table import Table
from clusterscore.distinct import Array, Ints, distinct, ranges
from clusterscore.overlap.cover import Cover, cover_of

_TIE = 1e-14  # sums of logarithms that differ by less are the same number, rounded in two ways


class Entropies(NamedTuple):
    """The entropy of each cluster, in nats, in two parts: what the other side shares, and what is left given it."""

    shared: Floats
    given: Floats
    used: Array  # false for a number that no cluster has
    matched: Array  # whether the other side has the same cluster
    document: Array | None


def entropies(table: Table) -> tuple[Entropies, Entropies]:
    """Of the clusters of gold, and of those of the prediction."""
    cover = cover_of(table)
    elements = table.add(cover.n, cover.document(table))
    return _of_side(table, cover, elements, "gold"), _of_side(table, cover, elements, "pred")


def _of_side(table: Table, cover: Cover, elements: Floats, which: str) -> Entropies:
    pairs = cover.overlaps()
    own, other, cluster, partner = cover.gold, cover.pred, pairs.gold, pairs.pred
    if which == "pred":
        own, other, cluster, partner = other, own, partner, cluster
    document = own.document(table, which)
    total = elements[np.zeros(len(own.size), np.int64) if document is None else document]
    size = own.size.astype(np.float64)
    shared, given = np.zeros(len(size)), split_logs(size, total) + split_logs(total - size, total)
    both = _information(pairs.n, own.size[cluster], other.size[partner], total[cluster])
    _take_best(shared, given, cluster, both)
    kinds = _Kinds.of(own.size, document), _Kinds.of(other.size, other.document(table, _OTHER[which]))
    _without_common_elements(shared, given, kinds, (cluster, partner), elements)
    matched = np.zeros(len(own.size), np.bool_)
    matched[cluster[(pairs.n == own.size[cluster]) & (pairs.n == other.size[partner])]] = True
    shared, given = (divide(part, total, 0.0) for part in (shared, given))  # of an image without objects 0/0
    return Entropies(shared, given, own.size > 0, matched, document)


_OTHER = {"gold": "pred", "pred": "gold"}


class _Information(NamedTuple):
    """N times the entropy that two clusters share, and that of the first given the second."""

    shared: Floats
    given: Floats


def _take_best(shared: Floats, given: Floats, cluster: Ints, candidates: _Information) -> None:
    np.maximum.at(shared, cluster, candidates.shared)
    np.minimum.at(given, cluster, candidates.given)


def _information(n: Array, a: Array, b: Array, total: Floats) -> _Information:
    """Of clusters of a elements and clusters of b, with n in both; those that tell by contrast share nothing."""
    n, a, b = (column.astype(np.float64) for column in (n, a, b))
    held = n, a - n, b - n, (total - a) - (b - n)
    yes, own, other, no = (split_logs(count, total) for count in held)
    alike = yes + no >= (own + other) * (1 - _TIE)
    sizes = (a, b), (a, total - b), (total - a, b), (total - a, total - b)
    shared, given = np.zeros(len(n)), np.zeros(len(n))
    for count, (own_size, other_size) in zip(held, sizes, strict=True):
        some = count > 0
        shared[~some] += (own_size * (other_size / total))[~some]
        shared[some] += above_chance(count[some], own_size[some], other_size[some], total[some])
        given += split_logs(count, other_size)
    return _Information(np.where(alike, shared, 0.0), np.where(alike, given, np.inf))


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
        columns = (where, int(where.max(initial=0)) + 1), (size[used], int(size.max(initial=0)) + 1)
        kinds = distinct(*columns, codes=True)
        order = np.lexsort((kinds.column(1), kinds.column(0)))
        rank, of_cluster = np.empty(len(kinds), np.int64), np.full(len(size), -1)
        rank[order] = np.arange(len(kinds))
        of_cluster[used] = rank[kinds.codes]
        return cls(kinds.column(0)[order], kinds.column(1)[order], kinds.counts[order], of_cluster)

    def paired(self, chosen: Array, other: _Kinds, its_chosen: Array) -> tuple[Ints, Ints]:
        """All pairs of some kinds with some of the other side, of the same document."""
        mine, its = np.flatnonzero(chosen), np.flatnonzero(its_chosen)
        where = other.document[its]
        first, last = (np.searchsorted(where, self.document[mine], side=side) for side in ("left", "right"))
        return np.repeat(mine, last - first), its[ranges(first, last - first)]


def _without_common_elements(
    shared: Floats, given: Floats, kinds: tuple[_Kinds, _Kinds], pairs: tuple[Ints, Ints], elements: Floats
) -> None:
    """Take what clusters of the other side tell without a common element into account, where it is more.

    A large cluster tells something of a small one that lies outside. That only depends on the sizes of both, so all
    clusters of one size are looked at together. One of both has at least N/e elements, or it tells by contrast: of the
    elements in neither h is at most a + b, and h(a) is above a for every smaller a.
    """
    own, other = kinds
    large, its_large = (2.72 * side.size >= elements[side.document] for side in kinds)
    every = np.ones(len(other.size), np.bool_)
    paired = own.paired(large, other, every), own.paired(~large, other, its_large)
    mine, its = (np.concatenate(column) for column in zip(*paired, strict=True))
    total = elements[own.document[mine]]
    fits = own.size[mine] + other.size[its] <= total
    mine, its, total = mine[fits], its[fits], total[fits]
    both = _information(np.zeros(len(mine), np.int64), own.size[mine], other.size[its], total)
    more = both.shared > 0
    mine, its, both = mine[more], its[more], _Information(both.shared[more], both.given[more])
    if not len(mine):
        return
    # of how many clusters of each kind a cluster has an element
    met = distinct((pairs[0], len(shared)), (other.of_cluster[pairs[1]], len(other.size)))
    keys = met.column(0) * len(other.size) + met.column(1)
    order = np.argsort(keys)
    keys, counts = keys[order], met.counts[order]
    by_kind = np.argsort(own.of_cluster, kind="stable")
    starts = np.searchsorted(own.of_cluster[by_kind], np.arange(len(own.size)))
    times = own.number[mine]
    row = np.repeat(np.arange(len(mine)), times)
    cluster = by_kind[ranges(starts[mine], times)]
    key = cluster * len(other.size) + its[row]
    at = np.minimum(np.searchsorted(keys, key), len(keys) - 1)
    touched = np.where(keys[at] == key, counts[at], 0)
    free = touched < other.number[its[row]]
    _take_best(shared, given, cluster[free], _Information(both.shared[row[free]], both.given[row[free]]))
