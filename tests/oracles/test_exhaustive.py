"""Every pair of partitions of n elements, each as a document of one big count, against the oracle."""

from __future__ import annotations

import brute_force as oracle
import numpy as np
import pytest
from test_against_oracle import TRIPLES, VALUES, partitions

import clusterscore as cs

NAMES = [name for name in (*TRIPLES, *VALUES) if not cs.metric(name).ordered]


def check(n: int) -> None:
    every = list(partitions(n))
    pairs = [(gold, pred) for gold in every for pred in every]
    gold, pred = (np.array(side).ravel() for side in zip(*pairs, strict=True))
    documents = np.repeat(np.arange(len(pairs)), n)
    table = cs.score(gold, pred, metrics=NAMES, documents=documents).documents
    for name in NAMES:
        scores = [getattr(oracle, name)(*pair) for pair in pairs]
        expected = [float(score[2] if isinstance(score, tuple) else score) for score in scores]
        np.testing.assert_allclose(table[name], expected, rtol=0, atol=1e-12, err_msg=name)


def test_all_pairs_of_partitions_of_four_elements() -> None:
    check(4)


@pytest.mark.slow
def test_all_pairs_of_partitions_of_six_elements() -> None:
    check(6)
