"""Scores of a whole tree: its dendrogram purity, and the best clustering made of its nodes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from clusterscore.analyses.sweep.cut_sums import CutSums
from clusterscore.count.sums import Floats, add_up, divide
from clusterscore.distinct import Ints
from clusterscore.exceptions import MetricError
from clusterscore.metrics import Metric
from clusterscore.metrics.balance import Balanced
from clusterscore.metrics.elementwise import ElementWise


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


class Fraction(NamedTuple):
    """A score as ``(top . x) / (bottom . x)``, x the right pairs, the predicted pairs, and 1."""

    top: tuple[float, float, float]
    bottom: tuple[float, float, float]


def best_nodes(metric: Metric, cuts: CutSums) -> Ints:
    """The clusters of the best clustering made of nodes, as the number of its cluster for each leaf."""
    plain = "mean", None, False, 1
    if isinstance(metric, ElementWise) and (metric.f, metric.weights, metric.adjusted, sum(metric.balance)) == plain:
        return _labels(cuts, _kept(cuts, cuts.node_f(metric.exclude_self, metric.balance[0]))[0])
    fraction = _fraction(metric, cuts)
    right, predicted = cuts.node_pairs(), cuts.size * (cuts.size - 1) / 2
    ratio, better = -1.0, 0.0
    while better > ratio:  # Dinkelbach 1967: what has the best top - ratio * bottom is better than ratio, until none is
        ratio = better
        gain = [top - ratio * bottom for top, bottom in zip(*fraction, strict=True)]
        split, total = _kept(cuts, gain[0] * right + gain[1] * predicted)
        if total + gain[2] > 1e-12 * max(abs(total), 1.0):
            chosen = _chosen(cuts, split)
            sums = right[chosen].sum(), predicted[chosen].sum(), 1.0
            better = np.dot(fraction.top, sums) / np.dot(fraction.bottom, sums)
    return _labels(cuts, split)


def _fraction(metric: Metric, cuts: CutSums) -> Fraction:
    """How a measure of pairs depends on the right and the predicted pairs."""
    gold, count = float(cuts.pairs("gold")[0]), cuts.n_common * (cuts.n_common - 1) / 2
    expected = gold / max(count, 1.0)
    w_fp, w_fn = metric.balance if isinstance(metric, Balanced) else (1.0, 1.0)
    known = {
        "pairwise": Fraction((1, 0, 0), (1 - w_fp - w_fn, w_fp, w_fn * gold)),
        "jaccard": Fraction((1, 0, 0), (-1, 1, gold)),
        "rand": Fraction((2, -1, count - gold), (0, 0, count)),
        "adjusted_rand": Fraction((1, -expected, 0), (0, 0.5 - expected, gold / 2)),
    }
    if metric.name not in known or getattr(metric, "adjusted", False):
        raise MetricError(
            f"{metric} has no best flat clustering that can be found branch by branch; those that have one: elm and "
            f"bcubed with f=mean, {', '.join(known)}"
        )
    return known[metric.name]


def _kept(cuts: CutSums, gain: Floats) -> tuple[list[bool], float]:
    """Which nodes are better in parts than as one cluster, and the total gain of the best clusters."""
    merges = cuts.tree.merges
    best, split = gain.tolist(), [False] * len(gain)
    children = zip(merges.left.tolist(), merges.right.tolist(), strict=True)
    for node, (left, right) in enumerate(children, merges.leaves):
        parts = best[left] + best[right]
        if parts > best[node] or node >= merges.leaves + merges.number:
            best[node], split[node] = parts, True
    return split, best[-1]


def _chosen(cuts: CutSums, split: list[bool]) -> list[int]:
    """The largest nodes that are not split."""
    merges, nodes, chosen = cuts.tree.merges, [len(split) - 1], []
    while nodes:
        node = nodes.pop()
        if split[node]:
            nodes += [int(merges.left[node - merges.leaves]), int(merges.right[node - merges.leaves])]
        else:
            chosen.append(node)
    return chosen


def _labels(cuts: CutSums, split: list[bool]) -> Ints:
    """The number of the cluster of each leaf."""
    starts = np.zeros(cuts.tree.merges.leaves, np.int64)
    starts[cuts.tree.start[_chosen(cuts, split)]] = 1
    return np.asarray(np.cumsum(starts)[cuts.tree.place] - 1)
