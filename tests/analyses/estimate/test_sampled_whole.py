"""8,000 entities with known truth, 300 of them sampled in either way, again and again: what estimates say is true."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pytest

import clusterscore as cs

ENTITIES, DRAWN, RUNS = 8_000, 300, 500
METRICS = ["elm", "bcubed", "pairwise", "cluster_match"]
# "size" weighs a cluster by 1 / its records; "exact" by 1 / its chance, which is less where one could be drawn twice
WAYS = pytest.mark.parametrize("way", ["uniform", "size", "exact"])
FAR = {"uniform": 2, "size": 3, "exact": 2}  # standard errors of the mean of all runs


class Truth(NamedTuple):
    """Gold for all records, two systems, and scored pairs of which a third is made."""

    gold: np.ndarray
    new: np.ndarray
    old: np.ndarray
    edges: tuple[np.ndarray, np.ndarray, np.ndarray]


@cache
def truth() -> Truth:
    rng = np.random.default_rng(2026)
    gold = np.repeat(np.arange(ENTITIES), rng.geometric(0.4, ENTITIES))
    records = len(gold)
    new = gold.copy()
    for merged, into in rng.integers(0, ENTITIES, (500, 2)).tolist():
        new[new == merged] = into
    alone = rng.random(records) < 0.03
    new[alone] = ENTITIES + np.arange(np.count_nonzero(alone))
    old = np.where(rng.random(records) < 0.1, 10 * ENTITIES + np.arange(records), new)
    neighbours = np.flatnonzero(gold[1:] == gold[:-1])
    left, right = rng.integers(0, records, (2, 6_000))
    left, right = left[left != right], right[left != right]
    edges = (
        np.append(neighbours, left),
        np.append(neighbours + 1, right),
        np.append(rng.beta(5, 2, len(neighbours)), rng.beta(3, 4, len(left))).round(2),
    )
    return Truth(gold, new, old, edges)


def sampled(way: str, seed: int) -> cs.Sample:
    """Whole gold clusters: entities that all had the same chance, or those of records that were drawn."""
    gold, rng = truth().gold, np.random.default_rng([seed, way != "uniform"])
    chosen = rng.choice(ENTITIES, DRAWN, replace=False) if way == "uniform" else gold[rng.integers(0, len(gold), DRAWN)]
    places = np.flatnonzero(np.isin(gold, chosen))
    labels = dict(zip(places.tolist(), gold[places].tolist(), strict=True))
    if way != "exact":
        return cs.Sample(labels, weights=way)
    sizes = np.bincount(gold)
    chance = 1 - (1 - sizes / len(gold)) ** DRAWN
    return cs.Sample(labels, weights={entity: float(1 / chance[entity]) for entity in set(labels.values())})


def off(estimates: list[float], true: float) -> float:
    """How far the mean of many estimates is from the truth, in standard errors of that mean."""
    values = np.array(estimates)
    return float((values.mean() - true) / (values.std(ddof=1) / len(values) ** 0.5))


@pytest.mark.slow
@WAYS
def test_scores_and_differences(way: str) -> None:
    gold, new, old, _ = truth()
    true = {(m, s): cs.metric(m)(gold, p).value for m in METRICS for s, p in (("new", new), ("old", old))}
    values: dict[Any, list[float]] = {}
    inside: dict[Any, int] = {}
    for seed in range(RUNS):
        estimates = cs.estimate(sampled(way, seed), {"new": new, "old": old}, metrics=METRICS, resamples=0)
        for metric in METRICS:
            cases = {system: (estimates.systems[system][metric], true[metric, system]) for system in ("new", "old")}
            gap = true[metric, "old"] - true[metric, "new"]
            cases["difference"] = estimates.differences["old"][metric], gap
            for name, (estimate, truly) in cases.items():
                values.setdefault((metric, name, truly), []).append(estimate.corrected)
                inside[metric, name] = inside.get((metric, name), 0) + (
                    estimate.interval.low <= truly <= estimate.interval.high
                )
    bias = {key[:2]: round(off(corrected, key[2]), 2) for key, corrected in values.items()}
    held = {key: count / RUNS for key, count in inside.items()}
    assert {key: share for key, share in held.items() if not 0.92 <= share <= 0.97} == {}
    assert {key: far for key, far in bias.items() if abs(far) > FAR[way]} == {}


@pytest.mark.slow
@WAYS
def test_shares_of_kinds_of_errors(way: str) -> None:
    gold, new, _, _ = truth()
    true = cs.errors(gold, new)
    tables = [cs.errors(sampled(way, seed), new) for seed in range(RUNS)]
    for name in ("loss", "share"):
        values = np.array([rows[name] for rows in tables])
        far = {kind: round(off(values[:, k].tolist(), true[name][k]), 2) for k, kind in enumerate(true["kind"]) if k}
        low, high = (np.array([rows[f"{name}_{end}"] for rows in tables]) for end in ("low", "high"))
        held = dict(zip(true["kind"], ((low <= true[name]) & (true[name] <= high)).mean(0), strict=True))
        assert {kind: distance for kind, distance in far.items() if abs(distance) > FAR[way]} == {}
        common = true["kind"][true["share"] > 0.05]  # of the others a sample has a handful, or none
        assert {kind: held[kind] for kind in common if not 0.91 <= held[kind] <= 0.99} == {}


@pytest.mark.slow
@WAYS
def test_the_score_of_the_best_threshold(way: str) -> None:
    gold, _, _, edges = truth()
    pairs = list(zip(*(column.tolist() for column in edges), strict=True))
    everything = cs.sweep(dict(enumerate(gold.tolist())), edges=pairs, metrics="elm")
    true = dict(zip(everything.thresholds.tolist(), everything["elm"].tolist(), strict=True))
    honest, tuned = [], []
    for seed in range(RUNS):
        swept = cs.sweep(sampled(way, seed), edges=pairs, metrics="elm")
        best = swept.best("elm")
        tuned.append(best.score.value - true[best.threshold])
        honest.append(swept.cross_validate("elm").score.value - true[best.threshold])
    assert off(tuned, 0.0) > 2  # which is what is to be taken out
    assert abs(off(honest, 0.0)) <= FAR[way]
