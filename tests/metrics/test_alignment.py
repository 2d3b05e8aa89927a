"""The best alignment, by what is decided at sight and by components, against SciPy on the whole matrix."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from clusterscore.count.table import Table
from clusterscore.metrics import alignment
from clusterscore.metrics.alignment import best_alignment
from clusterscore.metrics.metric import Array


def one_to_one(gold: Array, pred: Array, chosen: Array) -> bool:
    return len(set(gold[chosen].tolist())) == len(set(pred[chosen].tolist())) == len(chosen)


@pytest.mark.parametrize("rounds", [0, 1, alignment._ROUNDS])
@pytest.mark.parametrize("dense", [0, alignment._DENSE])
def test_as_good_as_the_whole_matrix(rounds: int, dense: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alignment, "_DENSE", dense)
    monkeypatch.setattr(alignment, "_ROUNDS", rounds)
    rng = np.random.default_rng(rounds + dense)
    for table in range(1000 if rounds > 1 else 200):
        shape = tuple(rng.integers(1, 12, 2).tolist())
        filled = rng.random(shape) < rng.choice([0.1, 0.2, 0.4, 0.8])
        matrix = filled * rng.integers(1, rng.choice([2, 4, 100]), shape)
        if table % 2:  # real weights, with ties
            matrix = 2 * matrix / (matrix + rng.integers(1, 4, shape))
        gold, pred = np.nonzero(matrix)
        order = rng.permutation(len(gold))
        gold, pred = gold[order], pred[order]
        weight = matrix[gold, pred]
        chosen = best_alignment(gold, pred, weight, shape)
        assert one_to_one(gold, pred, chosen)
        best = matrix[linear_sum_assignment(matrix, maximize=True)].sum()
        assert weight[chosen].sum() == pytest.approx(best, rel=1e-12 if table % 2 else 0, abs=0)


@pytest.mark.parametrize("moved", [0.3, 0.8])
def test_many_clusters(moved: float, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    gold = rng.integers(0, 10_000, 50_000)
    pred = np.where(rng.random(50_000) < moved, rng.integers(0, 10_000, 50_000), gold)
    table = Table.from_labels(gold, pred)
    weights = [table.n, 2 * table.n / (table.a + table.b)]
    chosen = [alignment.matched_cells(table, weight) for weight in weights]
    assert all(one_to_one(table.gold, table.pred, cells) for cells in chosen)
    monkeypatch.setattr(alignment, "_ROUNDS", 0)
    plain = [alignment.matched_cells(table, weight) for weight in weights]
    for weight, cells, expected in zip(weights, chosen, plain, strict=True):
        assert weight[cells].sum() == pytest.approx(weight[expected].sum(), rel=1e-12)


def test_a_chain_is_not_followed_to_its_end() -> None:
    """Each link is decided by the one after it: round by round this would take as many rounds as there are links."""
    links = np.arange(3001)
    chosen = best_alignment((links + 1) // 2, links // 2, links + 1, (1501, 1501))
    assert sorted(chosen) == list(range(0, 3001, 2))
