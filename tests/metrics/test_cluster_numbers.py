"""How likely two elements are together in a random clustering: against exact Stirling and Bell numbers."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from clusterscore.metrics.cluster_numbers import together_among, together_among_all


def near(exact: Fraction) -> object:
    return pytest.approx(float(exact), rel=1e-14, abs=0)


def test_few_elements() -> None:
    below = [1]  # Stirling numbers of the second kind, S(n, 0), S(n, 1), ...
    for n in range(1, 90):
        row = [0, *(k * s + t for k, s, t in zip(range(1, n + 1), [*below[1:], 0], below, strict=True))]
        together = together_among(np.arange(1.0, n + 1), np.full(n, float(n)))
        assert together.tolist() == [near(Fraction(s, t)) for s, t in zip([*below[1:], 0], row[1:], strict=True)]
        assert together_among_all(np.array([float(n)]))[0] == near(Fraction(sum(below), sum(row)))
        below = row


@pytest.mark.parametrize("n", [10**3, 10**6, 10**9])
def test_many_elements_in_almost_as_many_clusters(n: int) -> None:
    def two_fewer(n: int) -> int:  # S(n, n-2): one cluster of three, or two of two
        return n * (n - 1) * (n - 2) // 6 + n * (n - 1) * (n - 2) * (n - 3) // 8

    together = together_among(np.array([n, n - 1.0, n - 2.0]), np.full(3, float(n)))
    exact = [Fraction(0), Fraction(2, n * (n - 1)), Fraction((n - 1) * (n - 2) // 2, two_fewer(n))]
    assert together.tolist() == list(map(near, exact))


def test_many_elements_in_few_clusters() -> None:
    assert together_among(np.array([1.0, 3.0, 70.0]), np.full(3, 1e9)).tolist() == [
        near(Fraction(1, k)) for k in (1, 3, 70)
    ]
