"""The same clusterings in other orders, in threads, pickled, and cut into documents give the same scores."""

from __future__ import annotations

import copy
import pickle
import random
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import polars as pl
import pytest

import clusterscore as cs
from overlap.clusterings import random_pair
from variants import EVERY, ROUNDED, numbers

OVERLAPPING = [metric for metric in EVERY if metric.overlapping]
SIZE = 40_000  # counted in two stretches of 32,768


def memberships(seed: int, size: int = SIZE) -> pl.DataFrame:
    """Clusters of some twenty neighbours, many of which have a second and a third cluster anywhere."""
    rng = np.random.default_rng(seed)
    home = np.arange(size) // 20 + rng.integers(0, 2, size)
    away = rng.integers(0, size // 20, (2, size))
    rows = {(e, k) for column in (home, *away) for e, k in enumerate(column.tolist()) if column is home or (e + k) % 3}
    element, cluster = zip(*sorted(rows), strict=True)
    return pl.DataFrame({"element": element, "cluster": cluster})


def test_rows_in_every_order_give_the_same_bits() -> None:
    gold, pred = memberships(1), memberships(2)

    def scored(seed: int) -> dict[str, cs.Score]:
        sides = [side.sample(fraction=1.0, shuffle=True, seed=seed) for side in (gold, pred)]
        return dict(cs.score(*map(cs.Clustering.from_frame, sides)))

    expected = dict(cs.score(cs.Clustering.from_frame(gold), cs.Clustering.from_frame(pred)))
    assert list(expected) == ["matched_elm", "matched_bcubed", "extended_bcubed", "omega", "overlapping_nmi",
                              "community_f1"]  # fmt: skip
    with ThreadPoolExecutor(2) as threads:
        assert all(scores == expected for scores in threads.map(scored, range(2)))


@pytest.mark.parametrize("metric", OVERLAPPING, ids=str)
def test_pickled(metric: cs.Metric) -> None:
    rng = random.Random(str(metric))
    for pair in [random_pair(rng) for _ in range(10)]:
        made: list[Any] = [cs.Clustering.from_clusters(side) for side in pair]
        table = cs.Table.from_labels(*made)
        expected = metric(*made)
        assert metric(*pickle.loads(pickle.dumps(made))) == metric(*copy.deepcopy(made)) == expected
        assert metric(table) == expected
        assert metric(pickle.loads(pickle.dumps(table))) == expected  # with what was computed before
        assert metric(pickle.loads(pickle.dumps(cs.Table.from_labels(*made)))) == expected


MEANT = {
    "singleton": ("a ab b 3 c ca 6", "x x y y 4 z zx"),
    "drop": ("a ab b ca", "x x y z"),
    "cluster": ("a ab b 0 c ca 0", "x x y y 0 z zx"),
}


@pytest.mark.parametrize("noise_as", MEANT)
@pytest.mark.parametrize("metric", OVERLAPPING, ids=str)
def test_noise(metric: cs.Metric, noise_as: Any) -> None:
    """Noise beside another label says nothing; alone it is what the policy makes of it."""
    score, expected = (
        metric(*(cs.Clustering.from_memberships([set(labels) for labels in side.split()]) for side in sides), **options)
        for sides, options in (
            (("a ab b- - c ca -", "x x- y y - z zx"), {"noise": "-", "noise_as": noise_as}),
            (MEANT[noise_as], {}),
        )
    )
    assert f"|noise:'-'|noise_as:{noise_as}|" in score.signature
    assert numbers(score) == pytest.approx(numbers(expected), rel=0, abs=ROUNDED)
