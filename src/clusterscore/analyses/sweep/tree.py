"""The tree of all merges, its leaves in an order in which every cluster is a stretch, and where gold clusters join."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from clusterscore.analyses.sweep.merges import Merges
from clusterscore.distinct import Array, Ints


class Tree:
    """Every node as a stretch of places: it holds the leaves at places ``start`` to ``stop - 1``.

    ``place`` is that of each leaf. ``between[k]`` is the merge that joins the leaves at places k and k + 1, so the
    merges inside a node are those between its places.
    """

    def __init__(self, merges: Merges):
        self.merges = merges
        leaves, count = merges.leaves, len(merges.left)
        left, right = merges.left.tolist(), merges.right.tolist()
        size = [1] * leaves
        for first, second in zip(left, right, strict=True):
            size.append(size[first] + size[second])
        start = [0] * (leaves + count)
        for m in range(count - 1, -1, -1):
            at = start[leaves + m]
            start[left[m]] = at
            start[right[m]] = at + size[left[m]]
        self.start = np.array(start)
        self.stop = self.start + np.array(size)
        self.place = self.start[:leaves]
        self.between = np.empty(count, np.int64)
        self.between[self.stop[merges.left] - 1] = np.arange(count)

    def held(self, leaf: Ints, times: Array | None = None) -> Array:
        """How many of some leaves each node holds, each as often as it counts."""
        counts = np.bincount(self.place[leaf], times, len(self.place))
        sums = np.concatenate([[0], np.cumsum(counts)])  # of those before each place
        return np.asarray(sums[self.stop] - sums[self.start])

    def inside(self, of_merges: Array) -> Array:
        """The sum over the merges inside each node of a number that each merge has."""
        first = np.concatenate([[0], np.cumsum(of_merges[self.between])])  # of the merges before each place
        last = np.concatenate([[0], first])  # of those before the place before
        return np.asarray(last[self.stop] - first[self.start])

    def clusters_after(self, done: int) -> Ints:
        """The cluster of each leaf when so many merges are done, numbered by their places."""
        apart = np.concatenate([[0], np.cumsum(self.between >= done)])
        return np.asarray(apart[self.place])

    def joined_by(self, first: Ints, last: Ints) -> Ints:
        """The merge that joins the leaves at two places, of which the first comes first."""
        return largest_between(self.between, first, last)


def largest_between(values: Ints, start: Ints, stop: Ints) -> Ints:
    """The largest of ``values[start:stop]`` for many stretches, none of them empty.

    Two overlapping stretches of a power of two cover each; those of one power after the other are made by doubling.
    """
    largest = np.empty(len(start), np.int64)
    power = np.frexp(stop - start)[1] - 1  # the largest power of two that fits in
    by_power = np.argsort(power, kind="stable")
    upto = np.searchsorted(power, np.arange(int(power.max(initial=-1)) + 2), sorter=by_power)
    for k in range(len(upto) - 1):
        here, width = by_power[upto[k] : upto[k + 1]], 1 << k
        largest[here] = np.maximum(values[start[here]], values[stop[here] - width])
        values = np.maximum(values[:-width], values[width:])
    return largest


class Joins(NamedTuple):
    """Merge ``merge`` makes one cell of two cells of a gold cluster, of ``one`` and ``other`` elements.

    A gold cluster of a elements has a - 1 of them, so there are fewer than elements, whatever the tree. They come in
    the order of the merges.
    """

    merge: Ints
    gold: Ints
    one: Ints
    other: Ints

    def of(self, chosen: Ints) -> Joins:
        """Some of them."""
        return Joins(*(column[chosen] for column in self))


def find_joins(tree: Tree, leaf: Ints, gold: Ints) -> Joins:
    """The joins of all gold clusters; ``gold[k]`` is that of the element at leaf ``leaf[k]``.

    In the order of places, neighbours of the same gold cluster come together where the tree joins them. The cell
    that is then made reaches on either side to the next two neighbours that are joined later.
    """
    place = tree.place[leaf]
    order = np.lexsort((place, gold))
    place, gold = place[order], gold[order]
    same = np.flatnonzero(gold[:-1] == gold[1:])
    when = np.full(len(gold), len(tree.between))  # another gold cluster is never joined
    when[same] = tree.joined_by(place[same], place[same + 1])
    before, after = _later(when.tolist())
    joins = Joins(when[same], gold[same], same - before[same], after[same] - same)
    return joins.of(np.argsort(joins.merge, kind="stable"))


def _later(when: list[int]) -> tuple[Ints, Ints]:
    """The nearest index before each one, and after it, with a later (or equally late) time; -1 and the end if none."""
    before, after = [-1] * len(when), [len(when) - 1] * len(when)
    waiting: list[int] = []
    for k, time in enumerate(when):
        while waiting and when[waiting[-1]] < time:
            after[waiting.pop()] = k
        if waiting:
            before[k] = waiting[-1]
        waiting.append(k)
    return np.array(before, np.int64), np.array(after, np.int64)
