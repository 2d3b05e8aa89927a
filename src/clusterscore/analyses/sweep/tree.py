"""Which clusters become one as the threshold moves: the tree of all merges, and where gold clusters join.

Its leaves have an order in which every cluster is a stretch.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from clusterscore.count.sums import Floats
from clusterscore.distinct import Array, Ints
from clusterscore.exceptions import InputError
from clusterscore.nouns import noun
from clusterscore.progress import step
from clusterscore.read.links import as_linkage


class Merges(NamedTuple):
    """Merge m joins the nodes ``left[m]`` and ``right[m]``, and makes node N + m of them; the N leaves come first.

    In the end everything is one cluster: what is never joined is joined by merges beyond the first ``number``.
    """

    left: Ints
    right: Ints
    threshold: Floats  # of the first ``number`` merges, in the order in which they happen
    number: int

    @property
    def leaves(self) -> int:
        """How many there are."""
        return len(self.left) + 1

    @property
    def done(self) -> Ints:
        """How many merges each cut has made: none, and all up to each threshold."""
        different = np.flatnonzero(np.diff(self.threshold)) + 1
        return np.concatenate([[0], different, [self.number] * (self.number > 0)]).astype(np.int64)


def merges_of_linkage(linkage: Any) -> Merges:
    """The merges of a hierarchy by their height; one below its own parts (an inversion) happens with the last of them.

    That is what ``scipy.cluster.hierarchy.fcluster`` does.
    """
    from scipy.cluster.hierarchy import maxdists

    rows = as_linkage(linkage)
    count = len(rows)
    height = maxdists(rows) if count else np.zeros(0)
    order = np.argsort(height, kind="stable")
    rank = np.empty(count, np.int64)
    rank[order] = np.arange(count)
    children = rows[order, :2].astype(np.int64)
    made = children > count
    children[made] = count + 1 + rank[children[made] - count - 1]
    return Merges(children[:, 0], children[:, 1], height[order], count)


def merges_of_pairs(left: Ints, right: Ints, score: Floats, leaves: int) -> Merges:
    """The merges of connected components as the threshold falls: of all pairs those of a maximum spanning forest."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import minimum_spanning_tree

    if leaves >= 2**31:
        raise InputError(f"{leaves:,} {noun('elements')} are too many for a sweep; the maximum is {2**31 - 1:,}")
    with step("the strongest pairs"):
        order = np.argsort(-score, kind="stable")
        low, high = np.minimum(left, right)[order], np.maximum(left, right)[order]
        first = np.unique(low * np.int64(leaves) + high, return_index=True)[1]  # of equal pairs that of the best score
        places = low[first].astype(np.int32), high[first].astype(np.int32)  # all that scipy 1.13 takes
        graph = coo_array((first + 1.0, places), shape=(leaves, leaves)).tocsr()
        forest = minimum_spanning_tree(graph, overwrite=True).tocoo()
        rank = np.sort(forest.data.astype(np.int64) - 1)
    threshold = score[order[rank]]
    ends = low[rank].tolist(), high[rank].tolist()
    with step("joining them") as at:
        return Merges(*_joined(*ends, leaves, at), threshold, len(rank))


def _joined(left: list[int], right: list[int], leaves: int, at: Any) -> tuple[Ints, Ints]:
    """The nodes that pairs of leaves join one after the other; then what is left is joined one by one."""
    above, node, size = list(range(leaves)), list(range(leaves)), [1] * leaves

    def top(leaf: int) -> int:
        while above[leaf] != leaf:
            above[leaf] = leaf = above[above[leaf]]
        return leaf

    ones, others = [], []
    for m, (first, second) in enumerate(zip(left, right, strict=True)):
        if not m & 0xFFFF:
            at(m / leaves)
        first, second = top(first), top(second)
        if size[first] < size[second]:
            first, second = second, first
        ones.append(node[first])
        others.append(node[second])
        above[second], node[first] = first, leaves + m
        size[first] += size[second]
    roots = [node[leaf] for leaf in range(leaves) if above[leaf] == leaf]
    ones += [*roots[:1], *range(leaves + len(left), 2 * leaves - 2)][: len(roots) - 1]
    return np.array(ones, np.int64), np.array([*others, *roots[1:]], np.int64)


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


def largest_between(values: Ints, start: Ints, stop: Ints) -> Ints:
    """The largest of ``values[start:stop]`` for many stretches, none of them empty.

    Of ``tree.between`` and two places, of which the first comes first, it is the merge that joins their leaves.
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
    when[same] = largest_between(tree.between, place[same], place[same + 1])
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
