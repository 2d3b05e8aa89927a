"""Dendrogram purity: how pure the smallest cluster of a tree is that two elements of a gold cluster share."""

from __future__ import annotations

import numpy as np

from clusterscore.analyses.sweep.cut_sums import CutSums
from clusterscore.count.sums import add_up, divide
from clusterscore.distinct import Ints


def dendrogram_purity(cuts: CutSums, at_once: bool) -> float:
    """The share of their gold cluster in the smallest node with two elements of it; mean over all such pairs.

    Each join has the node of its pairs. What is never joined has everything in common. ``at_once``: merges with the
    same threshold make one node, as those of pairs do, which have no order; else the tree is binary.
    """
    joins, merges, leaves = cuts.joins, cuts.tree.merges, cuts.tree.merges.leaves
    node = joins.merge
    if at_once:
        node = _last_of_equal(cuts)[node]
    parts = np.unique(joins.gold * np.int64(leaves) + node, return_inverse=True)[1]
    held = np.zeros(len(parts), np.int64)
    np.maximum.at(held, parts, joins.one + joins.other)
    ever = joins.merge < merges.number
    size = np.where(ever, cuts.size[leaves + node], len(cuts.leaf))
    pure = np.where(ever, held[parts], cuts.all_sizes[joins.gold]) / size
    pairs = joins.one * joins.other
    return float(divide(add_up(pairs * pure), pairs.sum(), 1.0)[0])


def _last_of_equal(cuts: CutSums) -> Ints:
    """For each merge the last one with the same threshold that its cluster is part of."""
    merges = cuts.tree.merges
    last = np.arange(len(merges.left))
    for children in (merges.left, merges.right):
        by = np.flatnonzero(children >= merges.leaves)
        last[children[by] - merges.leaves] = by
    own = np.arange(len(last))
    group = np.searchsorted(cuts.done, own, side="right")  # merges of one cut
    last = np.where(group[last] == group, last, own)
    while (further := last[last]).tolist() != last.tolist():
        last = further
    return last
