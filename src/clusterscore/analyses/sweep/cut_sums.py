"""The sums that metrics ask for, with a row for every cut of a tree, updated from merge to merge."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from clusterscore.analyses.sweep.tree import Joins, Tree, find_joins, largest_between
from clusterscore.count.counts import NotASum, once, refuse_single
from clusterscore.count.rows import Credits, Logs
from clusterscore.count.sums import Floats, divide
from clusterscore.distinct import Array, Ints
from clusterscore.nouns import noun
from clusterscore.progress import step


class CutSums:
    """The sums of every cut of a tree, a row each; a metric takes them as it takes those of the documents of a Table.

    A merge changes the sums by what the new cluster has and its two parts no longer have. So each sum is a value of
    all singletons and the changes of the merges added up. What a cluster holds follows from the joins inside it.

    ``document`` is that of each gold cluster, where there are documents. ``times`` says how often each gold cluster
    counts: 0 or 1 where some are chosen, or how many a sampled one stands for. With it, every sum is one over gold
    clusters, as in a table grouped by them: the prediction keeps its sizes, and a pair counts half with either element.
    Without gold for all, the leaves of ``unlabelled`` elements count in sizes.
    """

    one_sided = uncovered = (0, 0)  # both sides have the same elements, each in one cluster, without weights
    overlapping, weight = False, None

    def __init__(
        self,
        tree: Tree,
        leaf: Ints,
        gold: Ints,
        *,
        document: Ints | None = None,
        joins: Joins | None = None,
        times: Array | None = None,
        unlabelled: Ints | None = None,
    ):
        self.tree, self.leaf, self.of_gold = tree, leaf, gold
        self.done = tree.merges.done  # how many merges each cut has
        self.joins_of_all = find_joins(tree, leaf, gold) if joins is None else joins
        self.all_sizes = np.bincount(gold)  # of the gold clusters
        self.document = document
        self.documents: Sequence[int] = range(len(self.done))
        self.unit = "documents" if times is None else "clusters"
        self.times = np.ones(len(self.all_sizes), np.int64) if times is None else times
        self._unlabelled, self._times = unlabelled, times
        everyone = leaf if unlabelled is None else np.concatenate([leaf, unlabelled])
        self.n_common = len(everyone)
        self._memo: dict[tuple[Any, ...], Any] = {}
        self.size = tree.held(everyone)  # of every node, as far as its elements are known
        self.own = self.size if times is None else tree.held(leaf, times[gold])  # each as often as it counts
        self.joins = self.joins_of_all
        if times is not None and not times.all():
            self.joins = self.joins_of_all.of(np.flatnonzero(times[self.joins_of_all.gold]))
        self.join_times = self.times[self.joins.gold]

    def of_clusters(self, chosen: Array) -> CutSums:
        """The same cuts, with the sums of some gold clusters alone."""
        return CutSums(
            self.tree,
            self.leaf,
            self.of_gold,
            joins=self.joins_of_all,
            times=np.where(chosen, self.times, 0),
            unlabelled=self._unlabelled,
        )

    @property
    def common(self) -> Floats:
        """How many elements count, in every cut."""
        return self._constant((self.times * self.all_sizes).sum())

    gold_elements = pred_elements = common

    def clusters(self, side: str) -> Floats:
        """How many clusters ("gold", "pred") or cells ("cell") each cut has."""
        if side == "gold":
            return self._constant(self.times[self.all_sizes > 0].sum())
        if side == "cell":
            return self.common - _running(self._of_merges(self.join_times))[self.done]
        if self.unit == "clusters":  # each predicted cluster counts in parts, one for each of its elements
            return self._over_clusters(divide(self.own, self.size, 0.0))
        return self.predicted

    @property
    def predicted(self) -> Floats:
        """How many clusters each cut has."""
        return self._over_clusters(self.size > 0)

    @property
    def largest(self) -> Ints:
        """The size of the largest cluster of each cut."""
        made = self.size[self.tree.merges.leaves :][: self.tree.merges.number]
        return np.maximum.accumulate(np.concatenate([[1], made]))[self.done]

    @property
    def joined_pairs(self) -> Array:
        """How many pairs of elements each join brings together, as often as they count."""
        return np.asarray(self.join_times * self.joins.one * self.joins.other)

    @once
    def pairs(self, side: str) -> Array:
        """How many pairs of elements lie together, in "gold", "pred", or both ("cell"), in each cut; exact."""
        side = side.removesuffix(" common")
        if side == "gold":
            return self._constant((self.times * self.all_sizes * (self.all_sizes - 1)).sum() / 2)
        if side == "cell":
            return self._added(0, self._of_merges(self.joined_pairs))
        return self._over_clusters(self.own * (self.size - 1)) / 2

    def triples(self, side: str) -> Array:
        """How many ordered triples of elements lie together, in "gold" or "pred", in each cut; exact."""
        if self.unit != "documents":
            raise NotASum(noun("triples of elements"))
        size = (self.all_sizes if side == "gold" else self.size).astype(object)
        held = size * (size - 1) * (size - 2)
        if side == "gold":
            return np.full(len(self.done), held.sum(), object)
        merges = self.tree.merges
        change = held[merges.leaves :] - held[merges.left] - held[merges.right]
        return np.asarray(np.cumsum(np.append(held[: merges.leaves].sum(), change))[self.done])

    def pair_base(self, side: str, inside: bool = False) -> dict[str, Array]:
        """What all pairs of elements come from, as in every table; all sides have the same elements."""
        nothing = self._constant(0)
        if self.unit == "clusters":
            if inside:
                raise NotASum(noun("pairs inside documents"))
            return {"elements": nothing, "other_pairs": self.common * (self.n_common - 1) / 2}
        if inside and self.document is not None:
            size = np.bincount(self.document, self.all_sizes)
            return {"elements": nothing, "other_pairs": self._constant((size * (size - 1)).sum() / 2)}
        return {"elements": self.common, "other_pairs": nothing}

    def alone(self, side: str) -> Floats:
        """How many elements are alone in their cluster, in "gold", "pred", or both ("cell"), in each cut."""
        single = self.all_sizes == 1
        if side == "gold":
            return self._constant(self.times[single].sum())
        held = self.own
        if side == "cell":
            some = single[self.of_gold]
            held = self.tree.held(self.leaf[some], self.times[self.of_gold[some]])
        return self._over_clusters(np.where(self.size == 1, held, 0))

    @once
    def credits(self, exclude_self: int, w_fp: float = 0.5, w_fn: float = 0.5) -> Credits:
        """For each cut the sums over elements of their P, R and F, as in every table."""
        right = (1 - exclude_self) * self.own + 2 * self.node_pairs()
        precise = self._over_clusters(divide(right, self.size - exclude_self, self.own))
        return Credits(precise, self._recalls(exclude_self), self._over_clusters(self.node_f(exclude_self, w_fp)))

    def node_pairs(self) -> Array:
        """How many pairs of elements of one gold cluster every node holds."""
        return self.tree.inside(self._of_merges(self.joined_pairs))

    def _recalls(self, exclude_self: int) -> Floats:
        """The sum of the R of all elements: a join brings its pairs, each over the size of its gold cluster."""
        counted = self.times * self.all_sizes
        alone = divide((1 - exclude_self) * counted, self.all_sizes - exclude_self, counted)
        brought = divide(2 * self.joined_pairs, self.all_sizes[self.joins.gold] - exclude_self, 0.0)
        return self._added(alone.sum(), self._of_merges(brought))

    def node_f(self, exclude_self: int, w_fp: float = 0.5) -> Floats:
        """The sum of the F of the elements of every node.

        All of a gold cluster's size have the same denominator in a node, so this takes a pass over the tree for each
        size that gold clusters have: of N elements they have at most sqrt(2*N) different ones.
        """
        total = np.zeros(len(self.size))
        counts = np.where(self.times > 0, self.all_sizes, 0)  # of the clusters that count
        sizes = np.unique(counts[counts > 0]).tolist()
        by_size = np.argsort(self.all_sizes[self.joins.gold], kind="stable")
        upto = np.searchsorted(self.all_sizes[self.joins.gold], [*sizes, np.inf], sorter=by_size)
        counted, pairs = counts[self.of_gold], 2 * self.joined_pairs
        order = np.argsort(counted, kind="stable")
        where = np.searchsorted(counted[order], [*sizes, np.inf])
        with step(noun("the F of every cluster")) as at:
            for k, size in enumerate(sizes):
                at(k / len(sizes))
                joins, some = by_size[upto[k] : upto[k + 1]], order[where[k] : where[k + 1]]
                right = self.tree.inside(self._of_merges(pairs[joins], self.joins.merge[joins]))
                others = (size - exclude_self) + w_fp * (self.size - size)  # the weights add up to 1
                own: Any = 0.0
                if not exclude_self or (others == 0).any():
                    times = None if self._times is None else self._times[self.of_gold[some]]
                    own = self.tree.held(self.leaf[some], times)
                total += divide(right if exclude_self else right + own, others, own)
        return total

    @once
    def logs(self) -> Logs:
        """The sums that the information measures are made of, in each cut: see :func:`count.rows.log_sums`.

        A merge loses the information which of its two parts an element is in, less that within gold clusters. What
        is shared is added up from the last merge back, so that little is not the difference of much.
        """
        if self.unit != "documents":
            raise NotASum(noun("the entropies of its clusters"))
        merges = self.tree.merges
        within = self._of_merges(_split(self.joins.one, self.joins.other))
        lost = _split(self.size[merges.left], self.size[merges.right])
        lost = np.where(within < lost, lost - within, 0.0)
        back = len(lost) - self.done
        return Logs(_running(lost[::-1])[back], _running(lost)[self.done], _running(within[::-1])[back])

    def largest_total(self, side: str) -> Floats:
        """The sum over the clusters of a side of their largest cell, in each cut."""
        refuse_single(self.unit, side)
        new = self.joins.one + self.joins.other
        if side == "pred":
            largest = np.zeros(len(self.tree.between), np.int64)
            np.maximum.at(largest, self.joins.merge, new)
            leaves = self.tree.merges.leaves
            best = np.minimum(self.own, 1)
            start, stop = self.tree.start[leaves:], self.tree.stop[leaves:] - 1
            inside = largest_between(largest[self.tree.between], start, stop)
            best[leaves:] = np.maximum(best[leaves:], inside)
            return self._over_clusters(best)
        order = np.argsort(self.joins.gold, kind="stable")  # in time for each gold cluster
        times = self.join_times[order]
        gold, bound = self.joins.gold[order], len(self.leaf) + 1
        best = np.maximum.accumulate(gold * bound + new[order]) - gold * bound
        first = np.concatenate([[True], gold[1:] != gold[:-1]])[: len(gold)]
        more = best - np.where(first, 1, np.concatenate([[1], best[:-1]])[: len(gold)])
        return self._added(self.clusters("gold"), self._of_merges(times * more, self.joins.merge[order]))

    def _constant(self, value: Any) -> Floats:
        return np.full(len(self.done), float(value))

    def _of_merges(self, terms: Array | None = None, merge: Ints | None = None) -> Floats:
        """Terms of the joins added up for each merge; without terms their number."""
        sums = np.bincount(self.joins.merge if merge is None else merge, terms, len(self.tree.between))
        return sums.astype(np.float64, copy=False)

    def _over_clusters(self, of_nodes: Array) -> Floats:
        """The sum over the clusters of each cut of a number that every node has."""
        merges, of_nodes = self.tree.merges, of_nodes.astype(np.float64)
        change = of_nodes[merges.leaves :] - of_nodes[merges.left] - of_nodes[merges.right]
        return self._added(of_nodes[: merges.leaves].sum(), change)

    def _added(self, first: Any, changes: Floats) -> Floats:
        return np.asarray(first + _running(changes)[self.done])


def _split(first: Ints, second: Ints) -> Floats:
    """one*log(all/one) + other*log(all/other): what it takes to say who belongs to which of two parts."""
    return np.asarray(first * np.log1p(divide(second, first, 0.0)) + second * np.log1p(divide(first, second, 0.0)))


def _running(terms: Floats) -> Floats:
    """The sums of no term, the first, the first two, ...; in stretches, so that rounding does not pile up."""
    width = int(len(terms) ** 0.5) + 1
    padded = np.zeros(width * width)
    padded[: len(terms)] = terms
    sums = np.cumsum(padded.reshape(width, width), axis=1)
    before = np.concatenate([[0.0], np.cumsum(sums[:-1, -1])])
    return np.concatenate([[0.0], (sums + before[:, None]).ravel()[: len(terms)]])
