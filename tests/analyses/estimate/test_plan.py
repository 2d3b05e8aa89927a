"""How many to label, and which: plans from a pilot, and records drawn for annotation."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import clusterscore as cs
from populations import Population, population

WHOLE = population(5, 8000)


def whole_clusters(whole: Population, records: np.ndarray) -> dict[int, int]:
    """What annotators do: all records of the entities that the drawn ones belong to."""
    start = np.concatenate([[0], np.cumsum(whole.sizes)])
    clusters = np.unique(whole.gold[records]).tolist()
    return {record: c for c in clusters for record in range(start[c], start[c + 1])}


def test_a_plan_gives_the_half_width_that_was_wanted() -> None:
    rng = np.random.default_rng(0)
    pilot = cs.estimate(whole_clusters(WHOLE, rng.integers(0, len(WHOLE.gold), 100)), WHOLE.pred, weights="size")
    needed = cs.plan(pilot, target=0.02)
    assert needed["metric"].tolist()[:3] == ["elm"] * 3
    assert needed["half_width"][0] == pytest.approx(pilot["elm"].value - pilot["elm"].interval.low)
    clusters = int(needed["clusters"][0])
    assert needed["elements"][0] == pytest.approx(clusters * pilot.facts.elements / pilot.facts.clusters, abs=1)
    assert needed["more_clusters"].tolist() == [max(0, int(count) - pilot.units) for count in needed["clusters"]]
    most = int(needed["clusters"].argmax())
    named = f"{needed['metric'][most]} {needed['part'][most]}"
    words = f"{named} needs most: {needed['more_clusters'][most]:,} more clusters"
    assert needed.notes[1] == words
    assert words in str(needed)
    assert cs.plan(pilot, target=0.9).notes[1] == "these are enough for every measure"
    assert set(cs.plan(pilot, target=0.9)["more_clusters"].tolist()) == {0}
    estimates = cs.estimate(
        whole_clusters(WHOLE, rng.integers(0, len(WHOLE.gold), clusters)), WHOLE.pred, weights="size"
    )
    low, high = estimates["elm"].interval
    assert (high - low) / 2 == pytest.approx(0.02, rel=0.15)


def test_a_plan_for_a_difference() -> None:
    worse = np.where(np.arange(len(WHOLE.pred)) % 9 == 0, 10**6 + np.arange(len(WHOLE.pred)), WHOLE.pred)
    sample = whole_clusters(WHOLE, np.arange(0, len(WHOLE.gold), 300))
    needed = cs.plan(cs.estimate(sample, {"A": WHOLE.pred, "B": worse}, metrics="elm", weights="size"), target=0.01)
    assert needed["system"].tolist() == ["A"] * 3 + ["B"] * 3 + ["B against A"] * 3
    assert needed["clusters"][6] < needed["clusters"][3]
    assert needed.notes[1].startswith("elm recall of A needs most: ")


def test_a_pilot_goes_on_until_its_interval_is_as_wide_as_was_wanted() -> None:
    drawn = cs.draw_sample(WHOLE.pred, 100)
    pilot = cs.estimate(whole_clusters(WHOLE, drawn["element"]), WHOLE.pred, metrics="elm", drawn=drawn)
    more = int(cs.plan(pilot, target=0.02)["more_clusters"][0])
    drawn = cs.draw_sample(WHOLE.pred, more, like=drawn)
    estimates = cs.estimate(whole_clusters(WHOLE, drawn["element"]), WHOLE.pred, metrics="elm", drawn=drawn)
    low, high = estimates["elm"].interval
    assert estimates.units == 100 + more
    assert (high - low) / 2 == pytest.approx(0.02, rel=0.25)


@pytest.mark.parametrize(("pilot", "target", "words"), [
    ("x", 0.01, "plan needs the result of cs.estimate on a pilot sample, not a str"),
    (None, 0, "target=0 must be a number above 0"),
    (None, "1%", "target is a number, half the width of an interval, not '1%'"),
])  # fmt: skip
def test_bad_plans(pilot: Any, target: Any, words: str) -> None:
    given = cs.estimate([["a"], ["b"]], {"a": 1, "b": 2}, weights="uniform") if pilot is None else pilot
    with pytest.raises(cs.ClusterscoreError, match=words):
        cs.plan(given, target=target)


@pytest.mark.parametrize("allocation", ["proportional", "equal"])
def test_drawn_records_stand_for_all(allocation: Any) -> None:
    drawn = cs.draw_sample(WHOLE.pred, 300, allocation=allocation, seed=1)
    assert len(set(drawn["element"].tolist())) == 300
    assert drawn["weight"].sum() == pytest.approx(len(WHOLE.pred))
    assert drawn["cluster"].tolist() == WHOLE.pred[drawn["element"]].tolist()
    size = np.bincount(WHOLE.pred)[drawn["cluster"].astype(int)]
    for stratum in set(drawn["stratum"].tolist()):
        low, _, high = stratum.partition("-")
        here = drawn["stratum"] == stratum
        assert here.sum() >= 2
        assert (size[here] >= int(low)).all()
        assert (size[here] <= int(high or low)).all()
    assert cs.draw_sample(WHOLE.pred, 300, allocation=allocation, seed=1).to_dict() == drawn.to_dict()
    assert cs.draw_sample(WHOLE.pred, 300, allocation=allocation, seed=2).to_dict() != drawn.to_dict()


@pytest.mark.parametrize("allocation", ["proportional", "equal"])
def test_estimates_from_drawn_records_are_unbiased(allocation: Any) -> None:
    """A cluster of which two records were drawn counts twice, each with its own weight."""
    metrics = ["elm", "pairwise", "cluster_match"]
    estimates = []
    for seed in range(25):
        drawn = cs.draw_sample(WHOLE.pred, 150, allocation=allocation, seed=seed)
        sample = whole_clusters(WHOLE, drawn["element"])
        estimates.append(cs.estimate(sample, WHOLE.pred, metrics=metrics, drawn=drawn, resamples=0))
    for name in metrics:
        truth = cs.metric(name)(WHOLE.gold, WHOLE.pred).value
        values = np.array([estimate[name].corrected for estimate in estimates])
        assert abs(values.mean() - truth) < 3 * values.std() / 5, name
        held = np.mean([estimate[name].interval.low <= truth <= estimate[name].interval.high for estimate in estimates])
        assert held >= 0.8
        assert np.mean([estimate[name].standard_error for estimate in estimates]) == pytest.approx(
            values.std(), rel=0.4
        )


def test_equal_weights_of_drawn_records_are_the_size_design() -> None:
    records = np.arange(0, len(WHOLE.gold), 500)
    sample = whole_clusters(WHOLE, records)
    assert len(set(sample.values())) == len(records)
    drawn = pl.DataFrame({"element": records, "weight": [7.0] * len(records), "stratum": ["all"] * len(records)})
    by_draw, by_size = (cs.estimate(sample, WHOLE.pred, metrics="elm", **how)["elm"] for how in
                        ({"drawn": drawn}, {"weights": "size"}))  # fmt: skip
    assert (by_draw.value, by_draw.standard_error) == pytest.approx((by_size.value, by_size.standard_error), rel=1e-12)


def test_what_was_drawn_comes_back_from_a_file(tmp_path: Path) -> None:
    drawn = cs.draw_sample(WHOLE.pred, 60)
    sample = whole_clusters(WHOLE, drawn["element"])
    (tmp_path / "drawn.csv").write_text(drawn.to_csv(), encoding="utf-8")
    estimates = cs.estimate(sample, WHOLE.pred, metrics="elm", drawn=tmp_path / "drawn.csv")
    assert estimates["elm"] == cs.estimate(sample, WHOLE.pred, metrics="elm", drawn=drawn)["elm"]
    assert "weights:drawn" in estimates.signature


@pytest.mark.parametrize(("columns", "options", "words"), [
    ({"element": ["a", "z"]}, {}, r"1 drawn record in no cluster of the sample \(e.g. 'z'\); add the whole gold"),
    ({"element": ["a", "b"]}, {}, r"1 sampled cluster without a drawn record \(e.g. 1\); leave out"),
    ({"element": ["a", "c"], "weight": [1, 0]}, {}, r"1 weight not above 0 \(e.g. 0 of record 'c'\)"),
    ({"element": ["a", "c"], "stratum": [1, 2]}, {}, "strata with one record only: 2"),
    ({"element": ["a", "c"]}, {"weights": "size"}, "leave out weights and strata="),
])  # fmt: skip
def test_bad_drawn_records(columns: dict[str, Any], options: dict[str, Any], words: str) -> None:
    drawn = pl.DataFrame({"weight": [1, 1], "stratum": [1, 1], **columns})
    with pytest.raises(cs.InputError, match=words):
        cs.estimate([["a", "b"], ["c"]], {"a": 1, "b": 1, "c": 2, "z": 3}, drawn=drawn, **options)
    with pytest.raises(cs.InputError, match="drawn= has no column 'weight'"):
        cs.estimate(
            [["a", "b"], ["c"]], {"a": 1, "b": 1, "c": 2}, drawn=pl.DataFrame({"element": ["a"], "stratum": [1]})
        )


@pytest.mark.parametrize(("records", "words"), [
    (1, "records"), (6, "6 records of 5 elements cannot be drawn"), (2.5, "records"),
])  # fmt: skip
def test_bad_draws(records: Any, words: str) -> None:
    with pytest.raises(cs.ClusterscoreError, match=words):
        cs.draw_sample([1, 1, 2, 3, 3], records)


def test_few_records_have_few_strata() -> None:
    assert set(cs.draw_sample([1, 2, 2, 3, 3, 3, 4, 4, 4, 4, 4], 2)["stratum"].tolist()) == {"1-5"}
    assert cs.draw_sample([1, 1], 2)["weight"].tolist() == [1, 1]
