"""The best alignment, by components, against SciPy on the whole matrix."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from clusterscore.metrics import alignment


@pytest.mark.parametrize("dense", [0, alignment._DENSE])
def test_as_good_as_the_whole_matrix(dense: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alignment, "_DENSE", dense)
    rng = np.random.default_rng(0)
    for _ in range(600):
        shape = tuple(rng.integers(1, 12, 2).tolist())
        matrix = rng.integers(1, 4, shape) * (rng.random(shape) < rng.choice([0.1, 0.2, 0.4, 0.8]))
        gold, pred = np.nonzero(matrix)
        order = rng.permutation(len(gold))
        gold, pred = gold[order], pred[order]
        weight = matrix[gold, pred] / 3
        chosen = alignment.best_alignment(gold, pred, weight, shape)
        assert len(set(gold[chosen])) == len(set(pred[chosen])) == len(chosen)
        best = matrix[linear_sum_assignment(matrix, maximize=True)].sum() / 3
        assert weight[chosen].sum() == pytest.approx(best, abs=1e-12)
