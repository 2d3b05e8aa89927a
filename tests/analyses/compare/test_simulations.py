"""Do the intervals hold what they promise? On simulated collections, thousands of runs; slow.

Documents are drawn from a population whose true score is known. Their sizes, numbers of clusters and difficulty differ,
and a difficult document is difficult for all systems, as it is in the world.
"""

from __future__ import annotations

import itertools
from typing import NamedTuple

import numpy as np
import pytest

import clusterscore as cs
from clusterscore.analyses.resampling import Intervals

RUNS = 4000  # so many that chance moves a share by less than a hundredth
METRICS = ("elm", "bcubed(f=of-means)", "pairwise", "adjusted_rand")


class Population(NamedTuple):
    """Documents one after the other: where each begins, and the labels of gold and two systems."""

    start: np.ndarray
    gold: np.ndarray
    systems: tuple[np.ndarray, ...]

    def sample(self, rng: np.random.Generator, documents: int) -> tuple[np.ndarray, list[np.ndarray], np.ndarray]:
        chosen = rng.integers(0, len(self.start) - 1, documents)
        takes = [np.arange(self.start[d], self.start[d + 1]) for d in chosen]
        order = np.concatenate(takes)
        where = np.repeat(np.arange(documents), [len(take) for take in takes])
        return self.gold[order], [system[order] for system in self.systems], where


def population(seed: int, documents: int, errors: tuple[float, ...], uneven: bool = False) -> Population:
    """Documents of similar sizes; if ``uneven``, a few hold most of the elements, and most of the pairs."""
    rng = np.random.default_rng(seed)
    if uneven:
        sizes = np.clip(np.exp(rng.normal(np.log(20), 0.9, documents)), 2, 600).astype(int)
        clusters = np.maximum(2, (sizes * rng.beta(1.5, 4, documents)).astype(int))
    else:
        sizes = rng.integers(5, 30, documents)
        clusters = rng.integers(2, 8, documents)
    where = np.repeat(np.arange(documents), sizes)
    hard = rng.beta(2, 2, documents)[where]
    gold = rng.integers(0, clusters[where])
    systems = []
    for error in errors:
        wrong = rng.random(len(gold)) < np.clip(hard * 2 * error, 0, 1)
        systems.append(np.where(wrong, rng.integers(0, clusters[where]), gold))
    return Population(np.concatenate([[0], np.cumsum(sizes)]), gold, tuple(systems))


@pytest.mark.slow
@pytest.mark.parametrize("average", ["micro", "macro"])
def test_intervals_cover_the_true_value(average: str) -> None:
    """95% intervals hold the truth in 93 to 97% of the runs: of the score, and of the difference of two systems.

    NMI is looked at as a macro average only: of pooled documents it grows with their number, so that a collection of
    120 has another true value than the population.
    """
    metrics = (*METRICS, "nmi") if average == "macro" else METRICS
    everyone = population(1, 20_000, (0.4, 0.35))
    where = np.repeat(np.arange(20_000), np.diff(everyone.start))
    truth = {
        metric: [
            cs.score(everyone.gold, pred, metrics=metric, documents=where, average=average)[metric].value
            for pred in everyone.systems
        ]
        for metric in metrics
    }
    rng = np.random.default_rng(2)
    held = dict.fromkeys([(m, what, how) for m in metrics for what in ("score", "gap") for how in Intervals._fields], 0)
    for run in range(RUNS):
        gold, (a, b), documents = everyone.sample(rng, 120)
        comparison = cs.compare(gold, {"A": a, "B": b}, metrics=metrics, documents=documents, average=average, seed=run)
        for metric in metrics:
            first, second = comparison["A"][metric], comparison["B"][metric].difference
            assert second is not None
            for how in Intervals._fields:
                low, high = getattr(first.intervals, how)
                held[metric, "score", how] += low <= truth[metric][0] <= high
                low, high = getattr(second.intervals, how)
                held[metric, "gap", how] += low <= truth[metric][1] - truth[metric][0] <= high
    assert {key: count for key, count in held.items() if not 0.93 * RUNS <= count <= 0.97 * RUNS} == {}


@pytest.mark.slow
@pytest.mark.parametrize("documents", [15, 40, 200])
@pytest.mark.parametrize("uneven", [False, True])
def test_intervals_cover_with_few_and_uneven_documents(uneven: bool, documents: int) -> None:
    """The intervals that tables show hold the truth in 92 to 97% of the runs, where BCa of pairs is down to 82%."""
    metrics = ("elm", "bcubed(f=of-means)", "pairwise")
    everyone = population(1, 20_000, (0.4, 0.35), uneven)
    where = np.repeat(np.arange(20_000), np.diff(everyone.start))
    cards = [cs.score(everyone.gold, pred, metrics=metrics, documents=where) for pred in everyone.systems]
    rng, runs = np.random.default_rng(2), 2000
    held = dict.fromkeys([(m, what) for m in metrics for what in ("score", "gap")], 0)
    for _ in range(runs):
        gold, (a, b), chosen = everyone.sample(rng, documents)
        comparison = cs.compare(gold, {"A": a, "B": b}, metrics=metrics, documents=chosen, resamples=2)
        for metric in metrics:
            score, gap = comparison["A"][metric].intervals, comparison["B"][metric].difference
            assert score is not None
            assert gap is not None
            assert gap.intervals is not None
            truth = [card[metric].value for card in cards]
            held[metric, "score"] += score.jackknife.low <= truth[0] <= score.jackknife.high
            held[metric, "gap"] += gap.intervals.jackknife.low <= truth[1] - truth[0] <= gap.intervals.jackknife.high
    assert {key: count / runs for key, count in held.items() if not 0.92 * runs <= count <= 0.97 * runs} == {}


@pytest.mark.slow
def test_equal_systems_are_told_apart_as_seldom_as_promised() -> None:
    """Under the null the paired test rejects at 5% in 4 to 6% of the runs."""
    everyone = population(3, 20_000, (0.4, 0.4))
    rng = np.random.default_rng(4)
    rejected = dict.fromkeys(METRICS, 0)
    for run in range(RUNS):
        gold, (a, b), documents = everyone.sample(rng, 40)
        comparison = cs.compare(gold, {"A": a, "B": b}, metrics=METRICS, documents=documents, seed=run, resamples=999)
        for metric in METRICS:
            difference = comparison["B"][metric].difference
            assert difference is not None
            assert difference.p is not None
            rejected[metric] += difference.p <= 0.05
    assert {metric: count for metric, count in rejected.items() if not 0.04 * RUNS <= count <= 0.06 * RUNS} == {}


@pytest.mark.slow
def test_power_rises_with_documents() -> None:
    everyone = population(5, 20_000, (0.4, 0.33))
    rng = np.random.default_rng(6)
    runs = 200
    powers = []
    for documents in (10, 30, 90, 270):
        rejected = 0
        for run in range(runs):
            gold, (a, b), where = everyone.sample(rng, documents)
            comparison = cs.compare(gold, {"A": a, "B": b}, metrics="elm", documents=where, seed=run, resamples=499)
            difference = comparison["B"]["elm"].difference
            assert difference is not None
            assert difference.p is not None
            rejected += difference.p <= 0.05
        powers.append(rejected / runs)
    assert all(after > before + 0.05 for before, after in itertools.pairwise(powers)), powers
    assert powers[-1] > 0.9


@pytest.mark.slow
def test_gold_clusters_cover_too() -> None:
    """One document: a population of gold clusters; those that are drawn bring their elements' own scores."""
    rng = np.random.default_rng(7)
    sizes = rng.integers(1, 30, 4000)
    gold = np.repeat(np.arange(4000), sizes)
    hard = rng.beta(2, 2, 4000)[gold]
    pred = np.where(rng.random(len(gold)) < hard, rng.integers(0, 4000, len(gold)), gold)
    truth = cs.bcubed(gold, pred).value
    table = cs.Table.from_labels(gold, pred)
    from clusterscore.analyses.resampling import CompareOptions, intervals
    from clusterscore.analyses.spread import parts_of, spreads
    from clusterscore.analyses.units import units_of

    units = units_of({"A": table}, "clusters", "micro")
    sums = parts_of(cs.metric("bcubed"), [table], units, "micro")
    assert not isinstance(sums, str)
    held = 0
    for run in range(RUNS):
        chosen = rng.integers(0, 4000, 150)
        sample = units._replace(places=[units.places[0][chosen]])
        spread = spreads(
            [cs.metric("bcubed")], [table], sample, CompareOptions("clusters", "micro", 1000, run, 0.95), []
        )["bcubed"]
        assert not isinstance(spread, str)
        parts = {name: part[chosen].sum(keepdims=True) for name, part in sums[0].parts.items()}
        value = float(sums[0].finish(parts)[0])
        low, high = intervals(value, spread.resampled[0], spread.without[0], None, 0.95).bca
        held += low <= truth <= high
    assert 0.93 * RUNS <= held <= 0.97 * RUNS
