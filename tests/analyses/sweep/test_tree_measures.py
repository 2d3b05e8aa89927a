"""What a whole tree is worth: dendrogram purity, and the best clustering that it holds."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.cluster.hierarchy import fcluster

import clusterscore as cs
from analyses.sweep.trees import SHAPES, dendrogram_purity, flat_clusterings, linkage_of

FLAT = ["elm", "bcubed", "elm(beta=2)", "pairwise", "pairwise(beta=0.5)", "jaccard", "rand", "adjusted_rand"]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("seed", range(3))
def test_dendrogram_purity_is_its_definition(shape: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    count = int(rng.integers(2, 20))
    tree, gold = linkage_of(shape, count, rng, heights=3), rng.integers(0, 4, count)
    nodes = [{k} for k in range(count)]
    for left, right, *_ in tree.tolist():
        nodes.append(nodes[int(left)] | nodes[int(right)])
    assert cs.sweep(gold, tree).dendrogram_purity == pytest.approx(dendrogram_purity(gold.tolist(), nodes), rel=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_dendrogram_purity_of_pairs_does_not_depend_on_their_order(seed: int) -> None:
    """Pairs with one score make one node; what is never joined is joined with everything."""
    rng = np.random.default_rng(seed)
    count = 14
    gold = rng.integers(0, 4, count)
    pairs = [(*map(int, rng.choice(count, 2, replace=False)), float(rng.integers(0, 3))) for _ in range(12)]
    swept = cs.sweep(gold, edges=pairs)
    nodes = [{*range(count)}]
    for threshold in swept.thresholds:
        labels = swept.labels_at(threshold)
        nodes += [{*np.flatnonzero(labels == label).tolist()} for label in set(labels.tolist())]
    expected = dendrogram_purity(gold.tolist(), nodes)
    assert swept.dendrogram_purity == pytest.approx(expected, rel=1e-12)
    assert cs.sweep(gold, edges=pairs[::-1]).dendrogram_purity == pytest.approx(expected, rel=1e-12)


@pytest.mark.filterwarnings("ignore:gold and pred are nothing but 0 and 1")  # by chance
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("metric", FLAT)
def test_no_clustering_made_of_nodes_is_better(shape: str, metric: str) -> None:
    for seed in range(6):  # in some of them gold is one cluster, or nearly all singletons
        rng = np.random.default_rng(seed)
        count = int(rng.integers(2, 10))
        tree, gold = linkage_of(shape, count, rng), rng.integers(0, [3, 1, 99][seed % 3], count)
        swept = cs.sweep(gold, tree, metrics=metric)
        flat = swept.best_flat(metric)
        best = max(cs.metric(metric).value(gold, labels) for labels in flat_clusterings(tree))
        assert flat.score.value == pytest.approx(best, abs=1e-12)
        assert cs.metric(metric).value(gold, flat.labels) == flat.score.value
        assert flat.clusters == len(set(flat.labels.tolist()))
        assert flat.score.value >= swept.best(metric).score.value - 1e-12


def test_branches_are_cut_at_their_own_heights() -> None:
    """One height cannot be right for both branches; only what the pairs join is a node."""
    gold = {"a": 0, "b": 0, "c": 1, "d": 2, "e": 3, "f": 3}
    pairs = [("c", "d", 0.9), ("a", "b", 0.5), ("e", "f", 0.5)]
    swept = cs.sweep(gold, edges=pairs, metrics=["elm", "pairwise"])
    assert swept.best("elm").score.value < 1
    for metric in ("elm", "pairwise"):
        flat = swept.best_flat(metric)
        assert (flat.score.value, flat.clusters) == (1.0, 4)
        assert flat.labels == {"a": 0, "b": 0, "c": 1, "d": 2, "e": 3, "f": 3}


def test_large_trees() -> None:
    rng = np.random.default_rng(2)
    count = 40_000
    gold = rng.integers(0, count // 6, count)
    swept = cs.sweep(gold, linkage_of("random", count, rng), metrics=["elm", "pairwise"])
    assert swept.best_flat("elm").score.value > swept.best("elm").score.value
    assert 0 < swept.dendrogram_purity < 1


def test_measures_without_a_best_flat_clustering() -> None:
    swept = cs.sweep([0, 0, 1], [[0, 1, 1, 2], [2, 3, 2, 3]], metrics=["nmi", "elm(f=of-means)"])
    for metric in swept.metrics:
        with pytest.raises(cs.MetricError, match="has no best flat clustering that can be found branch by branch"):
            swept.best_flat(metric)


def test_of_equal_cuts_the_first() -> None:
    tree = linkage_of("chain", 6, np.random.default_rng(0))
    swept = cs.sweep(range(6), tree, metrics=["purity", "variation_of_information"])
    assert swept.best("variation_of_information").row == 0  # the smaller the better
    labels = fcluster(tree, 3, "distance")
    swept = cs.sweep(labels, tree, metrics=["purity", "elm"])
    assert swept.best("purity").row == 0
    assert swept.best("elm").threshold == 3
    assert swept.best("elm").clusters == 3
    assert swept.within("elm", 0) == (3, 3)
    assert swept.within("purity", 0) == (-np.inf, 3)
    low, high = swept.within("elm", 1)
    assert (low, high) == (-np.inf, 5)


@pytest.mark.parametrize("metric", FLAT)
def test_the_best_of_singletons_and_of_one_cluster(metric: str) -> None:
    tree = linkage_of("random", 7, np.random.default_rng(1))
    for gold in (range(7), [0] * 7):
        assert cs.sweep(gold, tree, metrics=metric).best_flat(metric).score.value == 1
