"""Merges: which clusters become one as the threshold moves, in the order in which that happens."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from clusterscore.count.sums import Floats
from clusterscore.distinct import Ints
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
