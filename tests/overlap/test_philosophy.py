"""1,134 philosophers, in 5,416 categories and 873 detected communities, with plain matrices over all of them."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

import clusterscore as cs
from overlap.clusterings import near

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "clusim-philosophy"
pytestmark = pytest.mark.skipif(
    not DATA.exists(), reason="the philosophers (shared/data/clusim-philosophy) are not here"
)
Matrix = np.ndarray[Any, Any]


@pytest.fixture(scope="module")
def memberships() -> list[dict[str, set[Any]]]:
    files = [DATA / f"{name}_community_Philosophy.json.gz" for name in ("ground_truth", "detected")]
    return [
        {element: set(labels) for element, labels in json.loads(gzip.decompress(file.read_bytes())).items()}
        for file in files
    ]


@pytest.fixture(scope="module")
def sides(memberships: list[dict[str, set[Any]]]) -> list[cs.Clustering]:
    return [cs.Clustering.from_memberships(side) for side in memberships]


@pytest.fixture(scope="module")
def members(memberships: list[dict[str, set[Any]]]) -> list[Matrix]:
    """A row per philosopher, a column per cluster, 1 where one is in the other."""
    tables = []
    for side in memberships:
        column = {label: k for k, label in enumerate(sorted(set().union(*side.values())))}
        table = np.zeros((len(side), len(column)))
        for row, element in enumerate(sorted(side)):
            table[row, [column[label] for label in side[element]]] = 1
        tables.append(table)
    assert [table.shape for table in tables] == [(1134, 5416), (1134, 873)]
    return tables


def prf(score: cs.Score) -> list[float | None]:
    return [score.precision, score.recall, score.f]


def mean_of(precision: Matrix, recall: Matrix) -> Any:
    return near([precision.mean(), recall.mean(), (2 * precision * recall / (precision + recall)).mean()])


def test_matched(sides: Any, members: list[Matrix]) -> None:
    gold, pred = members
    overlap, true, predicted = gold.T @ pred, gold.sum(0), pred.sum(0)
    heaviest = []
    for of_gold, of_pred in zip(gold > 0, pred > 0, strict=True):
        own = overlap[of_gold][:, of_pred]
        heaviest.append(own[linear_sum_assignment(own, maximize=True)].sum())
    matched, in_gold, in_pred = np.array(heaviest), gold @ true, pred @ predicted
    assert prf(cs.matched_bcubed(*sides)) == mean_of(matched / in_pred, matched / in_gold)
    right = matched - 1
    precision, recall = (np.where(of > 1, right / np.maximum(of - 1, 1), 1) for of in (in_pred, in_gold))
    f = 2 * right / (in_gold + in_pred - 2)  # nobody is in a cluster of one on both sides
    assert prf(cs.matched_elm(*sides)) == near([precision.mean(), recall.mean(), f.mean()])


def test_pairs(sides: Any, members: list[Matrix]) -> None:
    gold, pred = (table @ table.T for table in members)
    both = np.minimum(gold, pred)
    precision, recall = (
        np.nansum(both / np.where(of > 0, of, np.nan), axis=1) / (of > 0).sum(1) for of in (pred, gold)
    )
    assert prf(cs.extended_bcubed(*sides)) == mean_of(precision, recall)
    apart = np.triu_indices(len(gold), 1)
    times = [of[apart].astype(int) for of in (gold, pred)]
    shares = [np.bincount(of, minlength=100) / len(of) for of in times]
    expected = shares[0] @ shares[1]
    assert cs.omega(*sides).value == near((np.mean(times[0] == times[1]) - expected) / (1 - expected))


def test_best_match(sides: Any, members: list[Matrix]) -> None:
    gold, pred = members
    f1 = 2 * (gold.T @ pred) / np.add.outer(gold.sum(0), pred.sum(0))
    score = cs.community_f1(*sides)
    best = [f1.max(1).mean(), f1.max(0).mean()]
    assert [score.gold_f1, score.pred_f1, score.value] == near([*best, np.mean(best)])


def test_walk(sides: Any, members: list[Matrix]) -> None:
    steps = [(table / table.sum(1, keepdims=True)) @ (table / table.sum(0)).T for table in members]
    visits = [0.1 * np.linalg.inv(np.eye(len(step)) - 0.9 * step) for step in steps]
    assert cs.element_centric(*sides).value == near(1 - np.abs(visits[0] - visits[1]).sum(1).mean() / 1.8)


def test_information(sides: Any, members: list[Matrix]) -> None:
    gold, pred = members
    n = len(gold)

    def h(count: Matrix) -> Matrix:
        return np.where(count > 0, -count / n * np.log(np.maximum(count, 1) / n), 0.0)

    def alone_and_given(of: Matrix, against: Matrix) -> tuple[Matrix, Matrix]:
        size, other = of.sum(0)[:, None], against.sum(0)[None]
        d = of.T @ against
        a, b, c = n - size - other + d, other - d, size - d
        left = h(a) + h(b) + h(c) + h(d) - h(other) - h(n - other)
        alone = (h(size) + h(n - size))[:, 0]
        return alone, np.minimum(alone, np.where(h(a) + h(d) >= h(b) + h(c), left, np.inf).min(1))

    (of_gold, given_pred), (of_pred, given_gold) = alone_and_given(gold, pred), alone_and_given(pred, gold)
    information = ((of_gold - given_pred).sum() + (of_pred - given_gold).sum()) / 2
    assert cs.overlapping_nmi(*sides).value == near(information / max(of_gold.sum(), of_pred.sum()))
    unexplained = ((given_pred / of_gold).mean() + (given_gold / of_pred).mean()) / 2
    assert cs.overlapping_nmi(*sides, normalization="lancichinetti").value == near(1 - unexplained)
