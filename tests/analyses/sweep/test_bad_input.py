"""What a person gets wrong: each is told what, an example, and what to do."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import clusterscore as cs
from clusterscore.analyses.sweep.tree import merges_of_pairs

TREE = np.array([[0, 1, 0.1, 2], [2, 3, 0.4, 3]])
GOLD = [0, 0, 1]
PAIRS = [("a", "b", 0.9)]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, "pass either a linkage, or edges=... with scored pairs"),
        ({"linkage": TREE, "edges": PAIRS}, "pass either a linkage"),
        ({"linkage": TREE[:1]}, "gold has 3 labels, and the linkage joins 2 observations; give one label for each"),
        ({"linkage": TREE[:, :3]}, "not a linkage: Linkage matrix must have 4 columns; pass what scipy's linkage"),
        ({"linkage": [[0, 1, np.nan, 2], [2, 3, 0.4, 3]]}, "row 0 has a height that is not finite (nan)"),
        ({"linkage": [[0, 1, 0.1, 2], [2, 3.5, 0.4, 3]]}, "an index that is no whole number (e.g. 3.5 in row 1)"),
        ({"linkage": "tree"}, "not a linkage: could not convert string to float: 'tree'"),
        ({"linkage": []}, "not a linkage"),
        ({"linkage": TREE, "gold": {"a": 0, "b": 0, "c": 1}}, "matched by element id, but a linkage by position"),
        ({"linkage": TREE, "gold": []}, "is empty"),
        ({"linkage": TREE, "gold": None}, "gold is None"),
        ({"linkage": TREE, "metrics": "ceafe"}, "ceafe cannot be swept: it needs the cells of every single cut; these"),
        ({"linkage": TREE, "field": "diarization"}, "der cannot be swept: it needs turns; these can: elm"),
        ({"linkage": TREE, "metrics": "elm(weights=class)"}, "elm(weights=class) cannot be swept"),
        ({"linkage": TREE, "missing": "keep"}, 'missing="keep" is for coreference; a sweep takes "error", "drop" or'),
        ({"linkage": TREE, "weights": [1, 2, 3]}, "sweep has no option 'weights'"),
        ({"gold": [["a", "b"], ["b"]], "edges": PAIRS}, "some elements of gold are in several clusters"),
        ({"edges": PAIRS}, "gold is matched by position, 0 to 2, but the pairs contain 'a'; give gold the ids as well"),
        ({"edges": [(0, 3, 0.5)]}, "gold is matched by position, 0 to 2, but the pairs contain 3"),
        ({"edges": [(0, -1, 0.5)]}, "gold is matched by position, 0 to 2, but the pairs contain -1"),
        ({"edges": [(0, 0.5, 0.5)]}, "gold is matched by position, 0 to 2, but the pairs contain 0.5"),
        (
            {"gold": {"a": 0, "c": 1}, "edges": [*PAIRS, ("x", "a", 1)]},
            "2 elements are only in the pairs (e.g. 'x'); pass missing=\"drop\" or \"singleton\"",
        ),
        ({"gold": {"c": 1, "d": 1}, "edges": PAIRS}, "no element is on both sides: give both the same ids"),
        ({"edges": [(0, 1, float("nan"))]}, "1 pair without a number"),
        ({"edges": [(0, 0, 0.5)]}, "1 pair of an element with itself"),
        ({"edges": []}, "no pairs to link"),
    ],
)  # fmt: skip
def test_sweep(arguments: dict[str, Any], words: str) -> None:
    with pytest.raises(cs.ClusterscoreError) as caught:
        cs.sweep(**{"gold": GOLD, **arguments})
    assert words in str(caught.value)


def test_fitted_models() -> None:
    cluster = pytest.importorskip("sklearn.cluster")
    points = np.random.default_rng(0).normal(size=(50, 2))
    gold = np.where(points[:, 0] > 0, "right", "left")
    model = cluster.AgglomerativeClustering(compute_distances=True, linkage="average").fit(points)
    swept = cs.sweep(gold, model, metrics="elm")
    best = swept.best("elm")
    again = cluster.AgglomerativeClustering(n_clusters=best.clusters, linkage="average").fit(points)
    assert cs.elm(gold, again.labels_).value == pytest.approx(best.score.value, abs=1e-12)
    with pytest.raises(cs.InputError, match="this AgglomerativeClustering has no distances_; fit it with compute_dist"):
        cs.sweep(gold, cluster.AgglomerativeClustering().fit(points))


def test_trees_that_write_themselves_as_arrays() -> None:
    """As HDBSCAN's single linkage tree does."""

    class SingleLinkageTree:
        def to_numpy(self) -> Any:
            return TREE

    fitted = type("HDBSCAN", (), {"__module__": "hdbscan.hdbscan_", "labels_": np.zeros(3)})()
    fitted.single_linkage_tree_ = SingleLinkageTree()
    for given in (SingleLinkageTree(), fitted, TREE.tolist()):
        assert (
            cs.sweep(GOLD, given, metrics="elm")["elm"].tolist() == cs.sweep(GOLD, TREE, metrics="elm")["elm"].tolist()
        )


def test_asked_of_a_sweep() -> None:
    swept = cs.sweep(GOLD, TREE, metrics=["elm", "nmi"])
    with pytest.raises(KeyError, match="bcubed was not scored, because it was not requested"):
        swept["bcubed"]
    with pytest.raises(KeyError, match="nmi has no precision"):
        swept["nmi.precision"]
    for threshold in ("0.5", None, True, float("nan")):
        with pytest.raises(cs.InputTypeError, match="threshold is a number, not"):
            swept.labels_at(threshold)  # type: ignore[arg-type]
    for tolerance in (-1, "1", None, float("nan")):
        with pytest.raises(cs.InputTypeError, match="it is a number from 0 up, in units of the score"):
            swept.within("elm", tolerance)  # type: ignore[arg-type]
    assert swept.labels_at(float("inf")).tolist() == [0, 0, 0]
    assert swept.labels_at(-1).tolist() == [0, 1, 2]


def test_more_elements_than_a_forest_can_have() -> None:
    ends = np.array([0]), np.array([1])
    with pytest.raises(cs.InputError, match="2,147,483,648 elements are too many for a sweep; the maximum is 2,147,"):
        merges_of_pairs(*ends, np.array([0.5]), 2**31)


def test_two_elements_and_one() -> None:
    swept = cs.sweep([0, 1], [[0, 1, 0.0, 2]])
    assert swept.thresholds.tolist() == [-np.inf, 0]
    assert swept.clusters.tolist() == [2, 1]
    alone = cs.sweep({"a": 1}, edges=[("a", "b", 1.0)], missing="drop")
    assert (alone.clusters.tolist(), alone.largest.tolist()) == ([1, 1], [1, 1])
    assert alone.dendrogram_purity == 1
    assert alone.best_flat("elm").score.value == 1
