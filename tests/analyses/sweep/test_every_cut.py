"""Every row of a sweep is the score of that cut."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from scipy.cluster.hierarchy import fcluster, linkage

import clusterscore as cs
from analyses.sweep.trees import SHAPES, linkage_of
from variants import NAMES, variants

METRICS = [
    "elm", "elm(f=of-means)", "elm(beta=0.5)", "elm(alpha=1)", "bcubed", "bcubed(f=of-means)", "bcubed(beta=2)",
    "bcubed(f=of-means, beta=2)", "pairwise", "pairwise(beta=3)", "rand", "adjusted_rand", "jaccard", "fowlkes_mallows",
    "blanc", "muc", "v_measure", "nmi", "nmi(mean=min)", "homogeneity", "completeness", "mutual_information",
    "variation_of_information", "purity", "inverse_purity", "k_measure", "talburt_wang", "merge_distance",
    "split_join", "mirkin", "blanc(links=document)", "pairwise(pairs=self)", "specificity", "npv", "p4", "phi",
]  # fmt: skip


def check(swept: Any, gold: Any, rows: Any, **options: Any) -> None:
    """The rows against what each cut scores by itself."""
    for row in rows:
        labels = swept.labels_at(swept.thresholds[row])
        card = cs.score(gold, labels, metrics=METRICS, **options)
        for name in METRICS:
            score = card[name]
            assert swept[name][row] == pytest.approx(score.value, rel=1e-12, abs=1e-12), (name, row)
            if score.precision is not None:
                sides = swept[f"{name}.precision"][row], swept[f"{name}.recall"][row]
                assert sides == pytest.approx((score.precision, score.recall), rel=1e-12, abs=1e-12), (name, row)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("seed", range(4))
def test_rows_are_scores(shape: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    count = int(rng.integers(2, 40))
    tree = linkage_of(shape, count, rng, heights=[None, 3, 10, 1][seed])
    gold = rng.integers(0, max(1, count // [3, 1, 8, 2][seed]), count)
    swept = cs.sweep(gold, tree, metrics=METRICS)
    assert swept.thresholds.tolist() == [-np.inf, *np.unique(tree[:, 2])]
    for row, threshold in enumerate(swept.thresholds):
        labels = swept.labels_at(threshold)
        cut = fcluster(tree, threshold, "distance") if row else np.arange(count)
        assert cs.rand(cut, labels).value == 1
        assert swept.clusters[row] == len(set(cut.tolist()))
        assert swept.largest[row] == np.unique(cut, return_counts=True)[1].max()
    check(swept, gold, range(len(swept)))


@pytest.mark.parametrize("method", ["single", "average", "ward", "centroid", "median"])
def test_what_scipy_makes(method: str) -> None:
    """Centroid and median linkages have inversions: a merge below its parts is cut as SciPy cuts it."""
    rng = np.random.default_rng(3)
    points = rng.integers(0, 7, (60, 2)).astype(float)
    tree = linkage(points, method)
    gold = rng.integers(0, 12, 60)
    swept = cs.sweep(gold, tree, metrics=METRICS)
    assert (np.diff(swept.thresholds) > 0).all()
    for threshold in swept.thresholds[1:]:
        assert cs.rand(fcluster(tree, threshold, "distance"), swept.labels_at(threshold)).value == 1
    check(swept, gold, range(len(swept)))


@pytest.mark.parametrize("missing", ["error", "drop", "singleton"])
@pytest.mark.parametrize("seed", range(4))
def test_rows_are_scores_of_components(missing: Any, seed: int) -> None:
    """Equal scores, pairs twice and the other way round, elements without pairs, pairs with unknown elements."""
    rng = np.random.default_rng(seed)
    count = int(rng.integers(2, 30))
    gold = {f"e{k}": int(label) for k, label in enumerate(rng.integers(0, max(1, count // 3), count))}
    names = [*gold, *([] if missing == "error" else ["x", "y", "z"])]
    ends = [(left, right) for left, right in rng.integers(0, len(names), (2 * count, 2)).tolist() if left != right]
    pairs = [(names[left], names[right], float(rng.integers(0, 8)) / 8) for left, right in ends]
    pairs += [(right, left, score / 2) for left, right, score in pairs[:3]] + pairs[:2]
    swept = cs.sweep(gold, edges=pairs, metrics=METRICS, missing=missing)
    assert swept.thresholds[0] == np.inf
    assert (np.diff(swept.thresholds) < 0).all()
    named = [*gold, *dict.fromkeys(name for pair in pairs for name in pair[:2] if name not in gold)]
    for row, threshold in enumerate(swept.thresholds):
        linked = [(left, right) for left, right, score in pairs if score >= threshold]
        closed = cs.Clustering.from_pairs(linked, elements=named)
        labels = swept.labels_at(threshold)
        assert cs.rand(closed, labels).value == 1
        kept = [label for name, label in labels.items() if name in gold or missing == "singleton"]
        assert swept.clusters[row] == len(set(kept))
        assert swept.largest[row] == max(map(kept.count, kept))
    with np.errstate(all="raise"):
        check(swept, gold, range(len(swept)), missing=missing)


@pytest.mark.filterwarnings("ignore:missing=")
@pytest.mark.parametrize("shape", SHAPES)
def test_at_a_realistic_size(shape: str) -> None:
    rng = np.random.default_rng(5)
    count = 40_000
    gold = np.repeat(np.arange(count), np.minimum(rng.zipf(1.7, count), 2_000))[:count]
    if shape != "chain":
        gold = rng.permutation(gold)
    swept = cs.sweep(gold, linkage_of(shape, count, rng), metrics=METRICS)
    assert len(swept) == count
    check(swept, gold, [1, 2_500, count // 2, count - 40, count - 2, count - 1])


def test_pairs_at_a_realistic_size() -> None:
    rng = np.random.default_rng(6)
    count = 40_000
    gold = rng.integers(0, count // 4, count)
    left, right = rng.integers(0, count, (2, 90_000))
    left, right = left[left != right], right[left != right]
    score = np.round(rng.random(len(left)), 4)
    swept = cs.sweep(gold, edges={"left": left, "right": right, "score": score}, metrics=METRICS)
    check(swept, gold, [0, 1, len(swept) // 3, len(swept) // 2, len(swept) - 1])


def test_documents_and_noise() -> None:
    """Clusters of different documents are different; noise in gold is treated as everywhere."""
    gold = [0, 0, 1, 1, 0, 0, -1, 1]
    documents = list("aaaabbbb")
    pairs = [(0, 1, 0.9), (2, 3, 0.8), (4, 6, 0.7), (1, 2, 0.6), (5, 7, 0.6)]
    options: dict[str, Any] = {"documents": documents, "noise": -1, "noise_as": "drop"}
    swept = cs.sweep(gold, edges=pairs, metrics=METRICS, **options)
    check(swept, gold, range(len(swept)), **options)
    pooled = cs.sweep(gold, edges=pairs, metrics="elm", noise=-1, noise_as="drop")
    assert swept["elm"][0] != pooled["elm"][0]
    with pytest.raises(cs.InputError, match="different documents are merged, first at 0\\.5; leave out documents"):
        cs.sweep(gold, edges=[*pairs, (0, 7, 0.5)], documents=documents, noise=-1)


@pytest.mark.parametrize("name", NAMES)
def test_every_registered_measure_is_swept_as_it_is_scored_or_refused(name: str) -> None:
    rng = np.random.default_rng(8)
    gold, tree = rng.integers(0, 9, 40), linkage_of("random", 40, rng, heights=12)
    for metric in variants(name):
        swept, refusal = None, ""
        try:
            swept = cs.sweep(gold, tree, metrics=[metric])
        except cs.ClusterscoreError as error:
            refusal = str(error)
        if swept is None:
            assert "cannot be swept" in refusal or "needs weights" in refusal
            continue
        for row, threshold in enumerate(swept.thresholds):
            score = metric(gold, swept.labels_at(threshold))
            assert swept[metric][row] == pytest.approx(score.value, rel=1e-12, abs=1e-12), (metric, row)


def test_what_is_missing_from_a_metric_is_no_missing_sum(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cs.metric("rand").__class__, "parts", lambda metric, table: metric.misspelt)
    with pytest.raises(AttributeError, match="misspelt"):
        cs.sweep([0, 0, 1], edges=[(0, 1, 0.5)], metrics="rand")


def test_a_sweep_can_be_pickled() -> None:
    swept = cs.sweep([0, 0, 1], edges=[(0, 1, 0.5)])
    again = pickle.loads(pickle.dumps(swept))
    assert again.to_json() == swept.to_json()
    assert again.cross_validate("elm", folds=2) == swept.cross_validate("elm", folds=2)
