"""The package against scikit-learn, wherever it has the same measure; and where we differ on purpose."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import clusterscore as cs

pytestmark = [  # such options and random labels of two clusters are scored here
    pytest.mark.filterwarnings("ignore:gold and pred are nothing but 0 and 1"),
]

metrics = pytest.importorskip("sklearn.metrics")
cluster = pytest.importorskip("sklearn.metrics.cluster")

TOLERANCE = 1e-10
Labels = np.ndarray
# (elements, gold clusters, predicted clusters, share of elements that keep their gold cluster)
SHAPES = [
    (2, 2, 2, 0.0),
    (7, 3, 4, 0.5),
    (50, 1, 6, 0.0),
    (50, 6, 1, 0.0),
    (60, 60, 8, 0.0),
    (200, 5, 5, 0.9),
    (500, 20, 3, 0.0),
    (1000, 400, 400, 0.7),
    (3000, 10, 1500, 0.0),
    (5000, 3, 3, 0.2),
    (5000, 70, 70, 0.95),
    (5000, 2500, 2500, 0.8),
]


def labelings(shape: tuple[int, int, int, float], seed: int) -> tuple[Labels, Labels]:
    n, k_gold, k_pred, right = shape
    rng = np.random.default_rng(seed)
    gold = rng.integers(k_gold, size=n)
    pred = np.where(rng.random(n) < right, gold, rng.integers(k_pred, size=n))
    return gold, pred


@pytest.fixture(params=SHAPES, ids=str)
def shape(request: pytest.FixtureRequest) -> tuple[int, int, int, float]:
    return request.param


@pytest.fixture(params=[1, 2, 3])
def pair(request: pytest.FixtureRequest, shape: tuple[int, int, int, float]) -> tuple[Labels, Labels]:
    return labelings(shape, request.param)


def close(value: float) -> Any:
    return pytest.approx(float(value), abs=TOLERANCE, rel=0)


def test_pair_measures(pair: tuple[Labels, Labels]) -> None:
    assert cs.rand(*pair).value == close(metrics.rand_score(*pair))
    assert cs.adjusted_rand(*pair).value == close(metrics.adjusted_rand_score(*pair))
    # Both sides all singletons is the one case in which we differ: see below.
    assert max(map(np.max, map(np.bincount, pair))) > 1
    assert cs.fowlkes_mallows(*pair).value == close(metrics.fowlkes_mallows_score(*pair))


def test_pairwise_counts(pair: tuple[Labels, Labels]) -> None:
    # scikit-learn counts ordered pairs, so its counts are twice ours; the ratios are the same.
    (_, wrong), (missed, right) = cluster.pair_confusion_matrix(*pair)
    score = cs.pairwise(*pair)
    assert score.precision == close(right / (right + wrong) if right + wrong else 1)
    assert score.recall == close(right / (right + missed) if right + missed else 1)


@pytest.mark.parametrize("beta", [0.5, 1.0, 2.0])
def test_homogeneity_completeness_v_measure(pair: tuple[Labels, Labels], beta: float) -> None:
    homogeneity, completeness, v = metrics.homogeneity_completeness_v_measure(*pair, beta=beta)
    assert cs.homogeneity(*pair).value == close(homogeneity)
    assert cs.completeness(*pair).value == close(completeness)
    assert cs.v_measure(*pair, beta=beta).value == close(v)


def test_mutual_information(pair: tuple[Labels, Labels]) -> None:
    assert cs.mutual_information(*pair).value == close(metrics.mutual_info_score(*pair))


@pytest.mark.parametrize("average", ["arithmetic", "geometric", "min", "max"])
def test_nmi(pair: tuple[Labels, Labels], average: str) -> None:
    expected = metrics.normalized_mutual_info_score(*pair, average_method=average)
    assert cs.nmi(*pair, mean=average).value == close(expected)


@pytest.mark.parametrize("small", SHAPES[:8] + SHAPES[9:11], ids=str)
def test_ami(small: tuple[int, int, int, float]) -> None:
    # scikit-learn's expectation is quadratic in clusters, hence no shape with thousands of them.
    gold, pred = labelings(small, 4)
    assert cs.ami(gold, pred).value == close(metrics.adjusted_mutual_info_score(gold, pred))


@pytest.mark.parametrize("sparse", [False, True], ids=["dense", "scipy sparse"])
def test_contingency_matrix(pair: tuple[Labels, Labels], sparse: bool) -> None:
    table = cs.Table.from_matrix(cluster.contingency_matrix(*pair, sparse=sparse))
    for metric in (cs.elm, cs.bcubed, cs.adjusted_rand, cs.v_measure, cs.purity, cs.set_matching):
        assert metric(table).value == metric(*pair).value


def test_all_singletons_fowlkes_mallows_differs_on_purpose() -> None:
    singletons = [0, 1, 2, 3]
    # No pair to find and none found: scikit-learn calls that 0, we call two identical clusterings 1.
    assert metrics.fowlkes_mallows_score(singletons, singletons) == 0
    assert cs.fowlkes_mallows(singletons, singletons).value == 1


@pytest.mark.parametrize("labels", [[0], [0, 0, 0], [0, 1, 2]], ids=["one element", "one cluster", "singletons"])
def test_other_degenerate_cases_agree(labels: list[int]) -> None:
    # The measures below call identical clusterings 1 in both libraries, degenerate ones included.
    for ours, theirs in (
        (cs.rand, metrics.rand_score),
        (cs.adjusted_rand, metrics.adjusted_rand_score),
        (cs.homogeneity, metrics.homogeneity_score),
        (cs.completeness, metrics.completeness_score),
        (cs.v_measure, metrics.v_measure_score),
        (cs.nmi, metrics.normalized_mutual_info_score),
        (cs.ami, metrics.adjusted_mutual_info_score),
    ):
        assert theirs(labels, labels) == 1
        assert ours(labels, labels).value == 1
