"""A metric works in scikit-learn's model selection as it is."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import clusterscore as cs

pytest.importorskip("sklearn")

from sklearn.cluster import DBSCAN, KMeans
from sklearn.metrics import make_scorer
from sklearn.model_selection import GridSearchCV, cross_val_score


def three_blobs() -> tuple[Any, Any]:
    random = np.random.default_rng(0)
    labels = np.repeat([0, 1, 2], 30)
    order = random.permutation(90)
    return (random.normal(0, 0.1, (90, 2)) + labels[:, None] * 5)[order], labels[order]


def search(name: str, jobs: int | None) -> Any:
    model = KMeans(n_init=2, random_state=0)
    scorer = make_scorer(cs.metric(name).value)
    return GridSearchCV(model, {"n_clusters": [2, 3, 6]}, scoring=scorer, cv=3, n_jobs=jobs).fit(*three_blobs())


@pytest.mark.parametrize("name", ["elm", "bcubed(f=of-means, beta=0.5)", "ari"])
def test_grid_search(name: str) -> None:
    tuned = search(name, None)
    assert tuned.best_params_ == {"n_clusters": 3}
    assert tuned.best_score_ == 1


def test_a_function_is_a_scorer_too() -> None:
    model = KMeans(n_init=2, random_state=0)
    tuned = GridSearchCV(model, {"n_clusters": [2, 3, 6]}, scoring=make_scorer(cs.elm), cv=3).fit(*three_blobs())
    assert tuned.best_params_ == {"n_clusters": 3}
    assert tuned.cv_results_["mean_test_score"].tolist() == search("elm", None).cv_results_["mean_test_score"].tolist()


@pytest.mark.filterwarnings("default")  # of the worker processes
def test_grid_search_in_two_processes() -> None:
    alone, together = search("elm", None), search("elm", 2)
    assert together.cv_results_["mean_test_score"].tolist() == alone.cv_results_["mean_test_score"].tolist()


def test_a_distance_is_minimised() -> None:
    scorer = make_scorer(cs.metric("vi").value, greater_is_better=False)
    points, labels = three_blobs()
    scores = cross_val_score(KMeans(2, n_init=2, random_state=0), points, labels, scoring=scorer, cv=3)
    assert (scores < 0).all()


def test_the_scorer_is_the_metric() -> None:
    points, labels = three_blobs()
    model = KMeans(6, n_init=2, random_state=0).fit(points)
    assert make_scorer(cs.metric("elm").value)(model, points, labels) == cs.elm(labels, model.predict(points)).f


def test_a_scorer_of_ours() -> None:
    """It is what make_scorer makes, knows which way is better, and takes policies and models that cannot predict."""
    points, labels = three_blobs()
    model = KMeans(n_init=2, random_state=0)
    grid = {"n_clusters": [2, 3, 6]}
    scoring = {name: cs.scorer(name) for name in ("elm", "vi")}
    tuned = GridSearchCV(model, grid, scoring=scoring, cv=3, refit="vi").fit(points, labels)
    assert tuned.best_params_ == {"n_clusters": 3}
    assert tuned.cv_results_["mean_test_elm"].tolist() == search("elm", None).cv_results_["mean_test_score"].tolist()
    assert (tuned.cv_results_["mean_test_vi"] <= 0).all()
    fitted = model.set_params(n_clusters=6).fit(points)
    assert cs.scorer("bcubed(beta=2)")(fitted, points, labels) == cs.bcubed(labels, fitted.predict(points), beta=2).f
    noisy = DBSCAN(eps=0.05)
    expected = cs.elm(labels, noisy.fit_predict(points), noise=-1, noise_as="drop").f
    assert cs.scorer("elm", noise=-1, noise_as="drop")(noisy, points, labels) == expected
    halves = KMeans(2, n_init=2, random_state=0).fit(points)  # 0 and 1 are labels, and no page streams
    truth = [1, *halves.predict(points)[1:].tolist()]
    assert cs.scorer("elm")(halves, points, truth) == cs.elm(cs.Clustering.from_labels(truth), halves.predict(points)).f
    assert pickle.loads(pickle.dumps(cs.scorer("elm", noise=-1))) == cs.scorer("elm", noise=-1)
    with pytest.raises(cs.InputError, match=r"elm compares with gold; pass it as y: fit\(X, y\)"):
        cs.scorer("elm")(fitted, points)
    with pytest.raises(cs.MetricError, match="did you mean"):
        cs.scorer("elmm")
