"""Comparing systems: resamples against recounts, tests against all exchanges, intervals against their definition."""

from __future__ import annotations

import itertools
import os
import re
import subprocess
import sys
from fractions import Fraction
from functools import cache, reduce
from inspect import signature
from operator import getitem
from typing import Any

import numpy as np
import pytest

import clusterscore as cs
from clusterscore.analyses import resampling, spread
from clusterscore.analyses.compare.comparing import counted
from clusterscore.analyses.request import Request
from clusterscore.analyses.resampling import CompareOptions, choices, draws, holm, intervals
from clusterscore.analyses.spread import Weighting, parts_of, spreads
from clusterscore.analyses.units import Units, units_of
from variants import ON_ANY_LABELS, SUMMED

UNWEIGHED = [metric for metric in ON_ANY_LABELS if not metric.wants_weights]


def collection(seed: int, documents: int, largest: int = 9) -> tuple[list[int], dict[str, list[int]], list[int]]:
    """Gold, two systems and the documents of a small collection."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, largest + 1, documents)
    where = np.repeat(np.arange(documents), sizes)
    sides = [rng.integers(0, 4, len(where)).tolist() for _ in range(3)]
    return sides[0], {"A": sides[1], "B": sides[2]}, where.tolist()


@cache
def counted_collection(
    seed: int, documents: int, largest: int, unit: str, average: str = "micro"
) -> tuple[dict[str, cs.Table], Units]:
    tables = systems_of(*collection(seed, documents, largest), unit)
    return tables, units_of(tables, unit, average)


def systems_of(gold: Any, systems: Any, documents: Any, unit: str, **given: Any) -> dict[str, cs.Table]:
    asked = Request.of("elm", documents=documents, **given)
    options = CompareOptions(unit, "micro", 10, 0, 0.95)
    return counted({name: (gold, pred) for name, pred in systems.items()}, asked, options)


def plain(metric: cs.Metric, table: cs.Table, average: str = "micro") -> float:
    from clusterscore.aggregate import Summary

    return Summary(metric, table).score(average).value


@pytest.mark.parametrize("metric", UNWEIGHED, ids=str)
def test_weights_of_one_give_the_plain_score(metric: cs.Metric) -> None:
    """By the same matrix product that makes the resamples."""
    for seed, average in itertools.product(range(0, 12, 2), ["micro", "macro"]):
        tables, units = counted_collection(seed, 2 + seed * 3, 4 + 5 * seed, "documents", average)
        sums = parts_of(metric, list(tables.values()), units, average)
        if not metric.additive and average == "micro":
            assert isinstance(sums, str) == (("cells",) in metric.needs)
            continue  # recounted, where that needs no cells: see below
        assert not isinstance(sums, str)
        weighting = Weighting({"it": sums})
        ones = np.ones((1, units.number)) @ weighting.columns
        for k, system in enumerate(tables.values()):
            expected = pytest.approx(plain(metric, system, average), rel=SUMMED, abs=SUMMED)
            assert weighting.scores(ones, "it", k)[0] == expected


@pytest.mark.parametrize("unit", ["clusters", "elements"])
@pytest.mark.parametrize("metric", UNWEIGHED, ids=str)
def test_weights_of_one_give_the_plain_score_over_other_units(metric: cs.Metric, unit: str) -> None:
    refused = 0
    for seed in range(0, 12, 2):
        tables, units = counted_collection(seed, 1 + seed % 3, 15 + 10 * seed, unit)
        sums = parts_of(metric, list(tables.values()), units, "micro")
        if isinstance(sums, str):
            assert "not a sum over" in sums
            refused += 1
            continue
        weighting = Weighting({"it": sums})
        whole = np.ones(units.number) if units.multiplicity is None else units.multiplicity.astype(float)
        for k, system in enumerate(tables.values()):
            expected = pytest.approx(plain(metric, system), rel=SUMMED, abs=SUMMED)
            assert weighting.scores(whole[None] @ weighting.columns, "it", k)[0] == expected
    sums_over_elements = {"elm", "bcubed", "adapted_bcubed", "alphamax_bcubed", "pairwise", "rand", "adjusted_rand",
                          "jaccard", "fowlkes_mallows", "goodman_kruskal_tau", "b3", "lea", "mentions", "blanc",
                          "matched_elm",
                          "matched_bcubed", "extended_bcubed", "omega", "element_centric", "k_measure",
                          "mirkin", "specificity", "npv", "p4", "phi", "correlation", "correlation_distance",
                          "sokal_sneath", "graded_bcubed", "fuzzy_rand", "adapted_rand_error",
                          "grouping_accuracy"}  # fmt: skip
    sums_over_clusters = {"inverse_purity", "f_measure", "cluster_match", "merge_distance", "muc", "panoptic",
                          "talburt_wang"}  # fmt: skip
    additive = (
        metric.additive and not re.search("links=document|model=", str(metric)) and not metric.needs & {("cells",)}
    )
    assert (refused == 0) == (additive and (metric.name in sums_over_elements or (
        unit == "clusters" and metric.name in sums_over_clusters)))  # fmt: skip


@pytest.mark.parametrize("metric", UNWEIGHED, ids=str)
def test_a_resample_is_the_score_of_the_resampled_documents(metric: cs.Metric) -> None:
    """Counted from scratch: a document drawn twice is two documents."""
    gold, systems, documents = collection(3, 7)
    tables = systems_of(gold, systems, documents, "documents")
    units = units_of(tables, "documents", "micro")
    scores = spreads(
        [metric], list(tables.values()), units, CompareOptions("documents", "micro", 6, 11, 0.95), [(1, 0)]
    )[str(metric)]
    if isinstance(scores, str):
        assert not metric.additive
        assert ("cells",) in metric.needs
        return
    weights = np.concatenate(list(draws(units, 6, 11)))
    where = np.array(documents)
    for k, pred in enumerate(systems.values()):
        for row, value in zip(weights, scores.resampled[k], strict=True):
            copies = [(d, c) for d, times in enumerate(row) for c in range(int(times))]
            takes = [np.flatnonzero(where == d) for d, _ in copies]
            order = np.concatenate(takes)
            names = np.repeat(np.arange(len(copies)), [len(take) for take in takes])
            table = cs.Table.from_labels(np.array(gold)[order], np.array(pred)[order], documents=names, members=True)
            assert value == pytest.approx(plain(metric, table), abs=1e-12, rel=1e-12)
        for left, value in enumerate(scores.without[k]):
            order = np.flatnonzero(where != left)
            table = cs.Table.from_labels(
                np.array(gold)[order], np.array(pred)[order], documents=where[order], members=True
            )
            assert value == pytest.approx(plain(metric, table), abs=1e-12, rel=1e-12)


@pytest.mark.parametrize("name", ["elm", "bcubed(f=of-means)", "adjusted_rand", "ami", "nmi", "elm(weights=effective)"])
def test_the_test_looks_at_every_exchange(name: str) -> None:
    """Few documents: the p-value is the share of all exchanges, each counted from scratch."""
    gold, systems, documents = collection(5, 6)
    comparison = cs.compare(gold, systems, metrics=name, documents=documents, resamples=100)
    where, metric = np.array(documents), cs.metric(name)
    gap = metric(gold, systems["B"], documents=documents).value - metric(gold, systems["A"], documents=documents).value
    as_far = 0
    for choice in itertools.product([False, True], repeat=6):
        keep = np.array(choice)[where]
        first = np.where(keep, systems["A"], systems["B"])
        second = np.where(keep, systems["B"], systems["A"])
        moved = metric(gold, second, documents=documents).value - metric(gold, first, documents=documents).value
        as_far += abs(moved) >= abs(gap) - 1e-12
    difference = comparison["B"][name].difference
    assert difference is not None
    assert difference.p == as_far / 64
    assert difference.value == gap
    assert "test:exchange-all" in comparison.signature


def test_shares_of_gold_clusters_are_those_of_their_elements() -> None:
    """Pairs and Rand from their definition: each element judges all others, and a gold cluster is its elements."""
    rng = np.random.default_rng(2)
    gold, pred = rng.integers(0, 5, 30), rng.integers(0, 4, 30)
    tables = systems_of(gold, {"A": pred}, None, "clusters")
    units = units_of(tables, "clusters", "micro")
    weights = rng.integers(0, 4, units.number)
    labels = np.unique(gold)
    often = weights[np.searchsorted(labels, gold)]
    same_gold, same_pred = gold[:, None] == gold, pred[:, None] == pred
    others = ~np.eye(30, dtype=bool)
    right = int(((same_gold == same_pred) & others).sum(axis=1) @ often)
    both = int((same_gold & same_pred & others).sum(axis=1) @ often)
    expected = {
        "rand": Fraction(right, int(29 * often.sum())),
        "jaccard": Fraction(both, int(((same_gold | same_pred) & others).sum(axis=1) @ often)),
        "pairwise": Fraction(2 * both, int(((same_gold & others).sum(1) + (same_pred & others).sum(1)) @ often)),
    }
    for name, value in expected.items():
        sums = parts_of(cs.metric(name), list(tables.values()), units, "micro")
        assert not isinstance(sums, str)
        weighting = Weighting({"it": sums})
        got = weighting.scores(weights[None] @ weighting.columns, "it", 0)[0]
        assert got == pytest.approx(float(value), abs=1e-14)


def test_blocks_do_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    """The weights, and with them all numbers, are the same however many are held at once."""
    gold, systems, documents = collection(1, 30)
    metrics = ["elm", "ari", "nmi", "ami", "alphamax(delta=auto)"]
    first = cs.compare(gold, systems, documents=documents, metrics=metrics, resamples=50).to_dict()
    monkeypatch.setattr(resampling, "BLOCK", 77)
    monkeypatch.setattr(spread, "_AT_ONCE", 99)
    assert cs.compare(gold, systems, documents=documents, metrics=metrics, resamples=50).to_dict() == first


def test_same_seed_same_numbers() -> None:
    gold, systems, documents = collection(1, 30)
    first, same, other = (
        cs.compare(gold, systems, documents=documents, resamples=200, seed=seed).to_dict() for seed in (7, 7, 8)
    )
    assert first == same
    assert first["systems"]["A"]["scores"]["elm"]["bca"] != other["systems"]["A"]["scores"]["elm"]["bca"]
    assert first["systems"]["A"]["scores"]["elm"]["value"] == other["systems"]["A"]["scores"]["elm"]["value"]


_PROGRAM = """
import numpy as np, clusterscore as cs
rng = np.random.default_rng(0)
gold, one, two = rng.integers(0, 9, (3, 40_000))
where = np.repeat(np.arange(400), 100)
print(cs.compare(gold, {"A": one, "B": two}, documents=where, resamples=700).to_json())
"""


def test_threads_do_not_matter() -> None:
    """With one thread and with four for the matrix products: the same to 1e-12."""
    first, second = (
        subprocess.run(
            [sys.executable, "-c", _PROGRAM], capture_output=True, text=True, check=True,
            env={**os.environ, "OPENBLAS_NUM_THREADS": threads, "MKL_NUM_THREADS": threads},
        ).stdout
        for threads in ("1", "4")
    )  # fmt: skip
    assert '"bca"' in first
    number = re.compile(r"-?\d+\.\d+(?:e-?\d+)?")
    assert number.sub("", first) == number.sub("", second)
    numbers, expected = (list(map(float, number.findall(text))) for text in (first, second))
    assert numbers == pytest.approx(expected, rel=SUMMED, abs=SUMMED)


def test_draws_draw_every_unit_alike() -> None:
    weights = np.concatenate(list(draws(Units("documents", [np.arange(5)]), 20_000, 0)))
    assert (weights.sum(axis=1) == 5).all()
    assert weights.mean(axis=0) == pytest.approx(np.ones(5), abs=0.03)
    assert weights.var(axis=0) == pytest.approx(np.full(5, 0.8), abs=0.05)
    often = np.array([1, 3, 6])
    elements = Units("elements", [np.arange(3)], often)
    weights = np.concatenate(list(draws(elements, 20_000, 0)))
    assert (weights.sum(axis=1) == 10).all()
    assert weights.mean(axis=0) == pytest.approx(often, abs=0.06)
    chosen = np.concatenate(list(choices(elements, 20_000, 0)))
    assert chosen.mean(axis=0) == pytest.approx(often / 2, abs=0.05)


def test_bca_is_scipys() -> None:
    """The same resamples through another implementation."""
    from scipy.stats import bootstrap

    rng = np.random.default_rng(4)
    sample = rng.exponential(size=40)
    seed = {"rng" if "rng" in signature(bootstrap).parameters else "random_state": 5}  # as scipy 1.13 calls it
    theirs = bootstrap((sample,), np.mean, n_resamples=4000, method="BCa", confidence_level=0.9, batch=4000, **seed)
    jackknife = (sample.sum() - sample) / 39
    ours = intervals(float(sample.mean()), theirs.bootstrap_distribution, jackknife, None, 0.9)
    low, high = theirs.confidence_interval
    assert ours.bca == pytest.approx((low, high), abs=2e-3)
    assert ours.percentile == pytest.approx(np.quantile(theirs.bootstrap_distribution, [0.05, 0.95]))


def test_bca_does_not_see_the_last_digit() -> None:
    """A resample that draws every unit once has the score of all, up to rounding; half of such ties lie below."""
    value, resampled = 0.3, np.repeat([0.1, 0.3, 0.5], [300, 400, 300])
    jackknife = np.array([0.25, 0.3, 0.36])
    exact = intervals(value, resampled, jackknife, None, 0.95)
    for nudged in (np.nextafter(value, 0), np.nextafter(value, 1)):
        assert intervals(float(nudged), resampled, jackknife, None, 0.95).bca == exact.bca


def test_jackknife_of_a_mean_is_students_t() -> None:
    """Of a mean the jackknife is exact, and terms with the kurtosis of a normal distribution have n - 1 degrees."""
    from scipy.stats import t

    rng = np.random.default_rng(6)
    flat = rng.choice([-1.0, 1.0], 60)  # no tails at all
    left_out = (flat.sum() - flat) / 59
    interval = intervals(float(flat.mean()), flat, left_out, None, 0.9).jackknife
    assert interval == pytest.approx(t.interval(0.9, 59, flat.mean(), flat.std(ddof=1) / np.sqrt(60)), abs=1e-12)


def test_one_unit_that_decides_leaves_one_degree_of_freedom() -> None:
    from scipy.stats import t

    sample = np.array([0.0] * 99 + [100.0])
    interval = intervals(1.0, sample, (100 - sample) / 99, None, 0.95).jackknife
    assert interval == pytest.approx(t.interval(0.95, 2 * 100 / 100, 1, 1), rel=0.05)  # kurtosis 100: two degrees


def test_the_jackknife_of_units_that_stand_for_several() -> None:
    left_out, times = np.array([0.2, 0.5, 0.9, 0.4]), np.array([1, 3, 2, 5])
    alone = intervals(0.5, left_out, np.repeat(left_out, times), None, 0.95).jackknife
    assert intervals(0.5, left_out, left_out, times, 0.95).jackknife == pytest.approx(alone, abs=1e-12)


@pytest.mark.parametrize("units", [1, 2, 3])
def test_the_jackknife_of_very_few_units(units: int) -> None:
    from scipy.stats import t

    left_out = np.arange(units) / 10
    low, high = intervals(0.1, left_out, left_out, None, 0.95).jackknife
    error = np.sqrt((units - 1) / units * ((left_out - left_out.mean()) ** 2).sum())
    assert (low, high) == pytest.approx((0.1 - t.ppf(0.975, 1) * error, 0.1 + t.ppf(0.975, 1) * error))


def test_holm() -> None:
    assert holm([]) == []
    assert holm([0.2]) == [0.2]
    assert holm([0.01, 0.04, 0.03, 0.5]) == pytest.approx([0.04, 0.09, 0.09, 0.5])
    assert holm([0.9, 0.8]) == [1.0, 1.0]


def test_identical_systems() -> None:
    gold, systems, documents = collection(2, 25)
    comparison = cs.compare(gold, {"A": systems["A"], "B": systems["A"]}, documents=documents, resamples=100)
    for metric in comparison.metrics:
        result = comparison["B"][metric]
        assert result.difference is not None
        assert result.difference.value == 0
        assert result.difference.p == result.difference.p_holm == 1
        assert result.difference.intervals is not None
        assert set(result.difference.intervals) == {(0, 0)}
        assert (result.difference.wins, result.difference.ties, result.difference.losses) == (0, 25, 0)
        assert result.rank == comparison["A"][metric].rank == 1
        assert not comparison.is_significant("B", metric)


def test_perfect_system() -> None:
    gold, _, documents = collection(2, 25)
    comparison = cs.compare(gold, {"A": gold}, documents=documents, metrics=["elm", "ari", "vi"], resamples=100)
    assert comparison["A"]["elm"].intervals == ((1, 1),) * 3
    assert comparison["A"]["ari"].intervals == ((1, 1),) * 3
    assert comparison["A"]["vi"].intervals == ((0, 0),) * 3


def test_smaller_is_better() -> None:
    gold, systems, documents = collection(2, 25)
    comparison = cs.compare(
        gold, {"bad": systems["A"], "perfect": gold}, documents=documents, metrics="vi", resamples=100
    )
    assert comparison["perfect"]["vi"].rank == 1
    difference = comparison["perfect"]["vi"].difference
    assert difference is not None
    assert difference.value < 0
    assert difference.losses == 0
    assert difference.wins > 0


def test_wins_are_by_document() -> None:
    gold, systems, documents = collection(9, 40)
    comparison = cs.compare(gold, systems, metrics="elm", documents=documents, resamples=10, baseline="B")
    a, b = (cs.score(gold, pred, metrics="elm", documents=documents).documents["elm"] for pred in systems.values())
    difference = comparison["A"]["elm"].difference
    assert difference is not None
    assert comparison["B"]["elm"].difference is None
    assert (difference.wins, difference.ties, difference.losses) == (
        int((a > b).sum()), int((a == b).sum()), int((a < b).sum())
    )  # fmt: skip


def test_macro() -> None:
    gold, systems, documents = collection(9, 40)
    comparison = cs.compare(gold, systems, metrics="elm", documents=documents, average="macro", resamples=500)
    card = cs.score(gold, systems["B"], metrics="elm", documents=documents, average="macro")
    assert comparison["B"]["elm"].score == card["elm"]
    values = card.documents["elm"]
    spread = comparison["B"]["elm"].intervals
    assert spread is not None
    normal = 1.96 * values.std(ddof=1) / np.sqrt(40)
    assert spread.bca.high - spread.bca.low == pytest.approx(2 * normal, rel=0.15)


def test_tables_in_the_place_of_both() -> None:
    gold, systems, documents = collection(9, 20)
    tables = {name: cs.Table.from_labels(gold, pred, documents=documents) for name, pred in systems.items()}
    options: dict[str, Any] = {"metrics": "elm, ari", "resamples": 50}
    assert (
        cs.compare(tables, **options).to_dict() == cs.compare(gold, systems, documents=documents, **options).to_dict()
    )


def test_documents_and_clusters_are_matched_by_name() -> None:
    """Tables that number them in another order."""
    gold, systems, documents = collection(9, 20)
    rng = np.random.default_rng(0)
    order = rng.permutation(len(gold))
    straight = cs.Table.from_labels(gold, systems["A"], documents=documents)
    mixed = [np.array(column)[order] for column in (gold, systems["B"], documents)]
    turned = cs.Table.from_labels(mixed[0], mixed[1], documents=mixed[2].tolist())
    again = cs.Table.from_labels(gold, systems["B"], documents=documents)
    for unit in ("documents", "clusters"):
        first, second = (
            cs.compare({"A": straight, "B": b}, metrics="elm, pairwise", unit=unit, resamples=60).to_dict()
            for b in (turned, again)
        )
        assert first == second


def test_elements_come_with_a_warning() -> None:
    gold, systems, _ = collection(9, 20)
    with pytest.warns(cs.ClusterscoreWarning, match="not: the intervals are too narrow"):
        comparison = cs.compare(gold, systems, metrics="elm", unit="elements", resamples=200)
    assert comparison.units == len(gold)
    assert any("independent" in note for note in comparison.notes)
    assert "independent" in str(comparison)
    result = comparison["A"]["elm"]
    assert result.intervals is not None
    values = cs.elements(gold, systems["A"], metric="elm")["f"]
    normal = 1.96 * values.std() / np.sqrt(len(values))
    assert result.intervals.percentile.high - result.intervals.percentile.low == pytest.approx(2 * normal, rel=0.2)


def test_measures_without_parts_say_so() -> None:
    gold, systems, _ = collection(9, 3)
    comparison = cs.compare(gold, systems, metrics=["elm", "nmi", "set_matching", "ami"], resamples=50)
    assert comparison.unit == "clusters"
    assert comparison["A"]["elm"].intervals is not None
    for name in ("nmi", "set_matching", "ami"):
        result = comparison["B"][name]
        assert result.intervals is None
        assert result.difference is not None
        assert result.difference.p is None
        assert any(note.startswith(f"no interval: {name} depends on") for note in comparison.notes)
        assert f"no interval: {name}" in str(comparison)
    assert result.difference.value == cs.ami(gold, systems["B"]).value - cs.ami(gold, systems["A"]).value


def test_no_resamples() -> None:
    gold, systems, documents = collection(9, 20)
    comparison = cs.compare(gold, systems, documents=documents, resamples=0)
    assert comparison.unit is None
    assert "interval" not in str(comparison)
    result = comparison["B"]["elm"]
    assert result.intervals is None
    assert result.difference is not None
    assert result.difference.p is None
    assert result.difference.wins + result.difference.ties + result.difference.losses == 20
    alone = cs.compare([0, 0], {"A": [0, 1]}, metrics="elm", resamples=0)
    assert alone["A"]["elm"].score.value == 0


def test_element_weights() -> None:
    gold, systems, documents = collection(9, 20)
    weights = np.random.default_rng(0).random(len(gold))
    comparison = cs.compare(gold, systems, documents=documents, weights=weights, resamples=50)
    assert comparison.metrics == [name for name in comparison.metrics if "weights=given" in name]
    assert comparison["A"]["elm(weights=given)"].score == cs.elm(
        gold, systems["A"], documents=documents, weights=weights
    )
    by_class = cs.compare(gold, systems, documents=documents, metrics="elm", weights="class", resamples=50)
    assert by_class.metrics == ["elm(weights=class)"]


def test_coreference_keeps_what_one_side_lacks() -> None:
    key = {("d1", 1): "a", ("d1", 2): "a", ("d1", 3): "a", ("d2", 1): "c", ("d2", 2): "c"}
    comparison = cs.compare(
        cs.Clustering.from_labels(
            list(key.values()), elements=[f"{d}{e}" for d, e in key], documents=[d for d, _ in key]
        ),
        {"A": cs.Clustering.from_labels(["x", "x"], elements=["d11", "d12"], documents=["d1", "d1"])},
        metrics=["muc", "conll"], resamples=20,
    )  # fmt: skip
    assert "missing:keep" in comparison.signature
    assert comparison["A"]["muc"].score.recall == pytest.approx(1 / 3)


IMAGE = np.arange(1, 5).reshape(2, 2)


@pytest.mark.parametrize(
    ("arguments", "options", "kind", "message"),
    [
        (([0, 0], {"A": [0, 0]}), {}, cs.InputError, "one gold cluster only, so nothing to resample"),
        (([0, 1], {"A": [0, 0]}), {"unit": "documents"}, cs.InputError, "one document only"),
        (([0, 1], {"A": [0, 0]}), {"average": "macro"}, cs.InputError, "macro average is a mean over documents"),
        (([0, 1], {"A": [0, 0, 1]}), {}, cs.ElementMismatch, "system 'A': gold has 2 labels and pred has 3"),
        (({1: 0, 2: 1}, {"A": {1: 0, 2: 0}, "B": {1: 0, 3: 1}}), {}, cs.ElementMismatch, "system 'B': 1 element"),
        (({1: 0, 2: 1, 3: 1}, {"A": {1: 0, 2: 0}, "B": {1: 0, 3: 1}}), {"missing": "drop"}, cs.InputError,
         "scored on different elements"),
        (({1: 0, 2: 1}, {"A": {1: 0, 2: 0, 3: 1}, "B": {1: 0, 2: 0, 4: 1}}), {"missing": "singleton"}, cs.InputError,
         "scored on different elements"),
        (([0, 1, 1], {"A": [0, 1, -1], "B": [0, -1, 1]}), {"noise": -1, "noise_as": "drop"}, cs.InputError,
         r"under noise_as=\"drop\" the systems are scored on different elements: 2 with one of 'A' and 'B' only"),
        (([0, 1, 1], {"A": [0, 1, 1], "B": [0, -1, 1]}), {"noise": -1, "noise_as": "drop"}, cs.InputError,
         "on 2 gold elements in 2 clusters; leave the same elements out of all, or pass noise_as=\"singleton\""),
        ((IMAGE, {"A": IMAGE - 1, "B": IMAGE}), {"background": "pred"}, cs.InputError,
         "leave the same elements out of all, or pass background=\"gold\" or \"keep\""),
        (([["a", "b"], ["b", "c"]], {"A": [["a", "b", "c"]]}), {"unit": "clusters"}, cs.InputError,
         'clusters that overlap cannot be drawn one by one; resample unit="elements", or documents'),
        (([0, 1], {}), {}, cs.InputError, "no system"),
        (([0, 1], [[0, 1]]), {}, cs.InputTypeError, "not a mapping of names to predictions"),
        (([0, 1],), {}, cs.InputTypeError, "systems are missing"),
        (([0, 1], {1: [0, 1]}), {}, cs.InputTypeError, "named by a string"),
        (([0, 1], {"A": [0, 1]}), {"baseline": "B"}, cs.InputError, "baseline='B' is not a system"),
        (([0, 1], {"A": [0, 1]}), {"unit": "pages"}, cs.InputError, "unit='pages' is not an option"),
        (([0, 1], {"A": [0, 1]}), {"unit": 3}, cs.InputError, "unit=3 is not an option"),
    ],
)  # fmt: skip
def test_bad_input(arguments: Any, options: Any, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message):
        cs.compare(*arguments, **options)


def test_elements_that_are_called_alike_in_several_documents() -> None:
    gold, first, second = (
        cs.Clustering.from_labels([0, 1, 1, 0], elements=elements, documents=[*"ddee"])
        for elements in ("abab", "abax", "abxb")
    )
    message = r"different elements: 2 with one of 'A' and 'B' only \(e\.g\. '[ab]' in document 'e' with '[AB]'\)"
    with pytest.raises(cs.InputError, match=message):
        cs.compare(gold, {"A": first, "B": second}, missing="drop")


def test_tables_of_other_things() -> None:
    first, second = (cs.Table.from_labels([0, 0, 1], [0, 1, 1], documents=[*"aa", last]) for last in "bc")
    with pytest.raises(cs.InputError, match=r"not scored on the same things: 1 document only with 'A' \(e\.g\. 'b'\)"):
        cs.compare({"A": first, "B": second}, metrics="elm")
    third = cs.Table.from_labels([0, 0, 1, 1], [0, 1, 1, 1], documents=[*"aabb"])
    with pytest.raises(cs.InputError, match="different elements: 'A' on 3 gold elements"):
        cs.compare({"A": first, "B": third}, metrics="elm")
    with pytest.raises(cs.InputTypeError, match="contains both sides"):
        cs.compare(first, {"A": [0]})
    with pytest.raises(cs.InputError, match="does not know its elements"):
        cs.compare({"A": first}, metrics="elm", unit="elements")


def test_names_are_found() -> None:
    gold, systems, documents = collection(9, 20)
    comparison = cs.compare(gold, systems, documents=documents, metrics=["ari", "bcubed(beta=2)"], resamples=10)
    assert comparison["A"]["adjusted_rand"] == comparison["A"]["ari"]
    assert list(comparison) == comparison.systems == ["A", "B"]
    for names, words in ((["C"], "no system"), (["A", "elm"], "was not compared"), (["A", "elmo"], "unknown metric")):
        with pytest.raises(KeyError, match=words):
            reduce(getitem, names, comparison)
