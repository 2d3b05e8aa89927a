"""Slices: elements keep the clusters they have among all; a pair counts half for either end; one alignment for all."""

from __future__ import annotations

import json
import math
import random
import time
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from click.testing import CliRunner

import clusterscore as cs
from clusterscore.command import cli

GOLD = ["a", "a", "a", "b", "b", "c", "c", "c", "d", "e"]
PRED = [1, 1, 2, 2, 2, 3, 3, 1, 4, 4]
BY = ["old", "old", "new", "old", "old", "new", "new", "new", "old", "new"]


def drawn(seed: int, n: int = 40, clusters: int = 8) -> tuple[list[int], list[int], list[str], list[str]]:
    """Gold, prediction, a slice and a document for each of n elements."""
    rng = random.Random(seed)
    gold = [rng.randrange(clusters) for _ in range(n)]
    pred = [label if rng.random() < 0.6 else rng.randrange(clusters) for label in gold]
    return gold, pred, [rng.choice("xyz") for _ in range(n)], [rng.choice("de") for _ in range(n)]


def together(labels: list[Any], k: int) -> set[int]:
    return {other for other in range(len(labels)) if labels[other] == labels[k]}


def element_scores(gold: list[Any], pred: list[Any], less: int) -> list[tuple[Fraction, Fraction, Fraction]]:
    """P, R and F of each element, by the definition."""
    scores = []
    for k in range(len(gold)):
        mine, its = together(gold, k), together(pred, k)
        tp, b, a = len(mine & its) - less, len(its) - less, len(mine) - less
        p, r = (Fraction(tp, size) if size else Fraction(1) for size in (b, a))
        scores.append((p, r, Fraction(2 * tp, a + b) if a + b else Fraction(1)))
    return scores


def mean(values: list[Fraction]) -> Fraction:
    return sum(values, Fraction(0)) / len(values)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(("metric", "less"), [("elm", 1), ("bcubed", 0)])
def test_a_slice_is_the_mean_of_its_elements_whose_clusters_are_counted_over_all(
    seed: int, metric: str, less: int
) -> None:
    gold, pred, by, documents = drawn(seed)
    for given, labels in (({}, (gold, pred)), ({"documents": documents}, tuple(
        list(zip(documents, side, strict=True)) for side in (gold, pred)
    ))):  # fmt: skip
        slices = cs.score(gold, pred, metrics=[metric, f"{metric}(f=of-means)"], by=by, **given).slices
        scores = element_scores(*labels, less)
        for name in "xyz":
            p, r, f = (mean([own[k] for own, group in zip(scores, by, strict=True) if group == name]) for k in range(3))
            score = slices[metric][name]
            assert (score.precision, score.recall, score.f) == pytest.approx((float(p), float(r), float(f)), abs=1e-12)
            of_means = slices[f"{metric}(f=of-means)"][name].value
            assert of_means == pytest.approx(float(2 * p * r / (p + r)), abs=1e-12)


@pytest.mark.parametrize("seed", range(6))
def test_a_pair_counts_half_for_either_end(seed: int) -> None:
    gold, pred, by, _ = drawn(seed)
    slices = cs.score(gold, pred, metrics=["pairwise", "rand", "jaccard", "ari"], by=by).slices
    pairs: Counter[tuple[str, str]] = Counter()
    for k, group in enumerate(by):
        for other in set(range(len(gold))) - {k}:
            same = gold[other] == gold[k], pred[other] == pred[k]
            pairs.update((group, what) for what, is_so in zip(
                ("both", "gold", "pred", "alike", "all"), (all(same), *same, same[0] == same[1], True), strict=True,
            ) if is_so)  # fmt: skip
    for name in "xyz":
        both, a, b, alike, every = (Fraction(pairs[name, what], 2) for what in ("both", "gold", "pred", "alike", "all"))
        score = slices["pairwise"][name]
        assert (score.precision, score.recall) == pytest.approx((float(both / b), float(both / a)), abs=1e-12)
        assert slices["rand"][name].value == pytest.approx(float(alike / every), abs=1e-12)
        assert slices["jaccard"][name].value == pytest.approx(float(both / (a + b - both)), abs=1e-12)
        chance = a * b / every
        assert slices["ari"][name].value == pytest.approx(float((both - chance) / ((a + b) / 2 - chance)), abs=1e-12)


@pytest.mark.parametrize("seed", range(6))
def test_set_matching_has_one_alignment_for_all_slices(seed: int) -> None:
    gold, pred, by, _ = drawn(seed, 24, 4)
    slices = cs.score(gold, pred, metrics="set_matching", by=by).slices
    ways = [[a == way[b] for a, b in zip(gold, pred, strict=True)] for way in permutations(range(4))]
    best = [right for right in ways if sum(right) == max(map(sum, ways))]
    expected = [
        {name: sum(right[k] for k in range(24) if by[k] == name) / by.count(name) for name in set(by)} for right in best
    ]
    assert any(
        all(math.isclose(slices["set_matching"][name], value) for name, value in shares.items()) for shares in expected
    )
    assert all(result.interval is None for result in slices.results["set_matching"].values())
    assert slices.notes == ["no intervals: set_matching depends on an alignment of all clusters; score more documents"]


SLICED = ["elm", "bcubed(beta=2)", "element_centric", "rand", "set_matching", "lea", "b3"]
OF_MEANS = ["adapted", "alphamax", "blanc", "pairwise", "ari", "fowlkes_mallows", "elm(weights=class)", "ceafm"]


@pytest.mark.parametrize("seed", range(3))
def test_the_slices_weighted_by_their_size_make_the_score(seed: int) -> None:
    gold, pred, by, documents = drawn(seed)
    for given in ({}, {"documents": documents}):
        card = cs.score(
            gold,
            pred,
            metrics=["elm", "bcubed(beta=2)", "element_centric", "rand", "acc", "transfer_distance(normalized=true)"],
            by=by,
            **given,
        )
        for name, score in card.items():
            whole = sum(part.elements * part.score.value for part in card.slices.results[name].values()) / len(gold)
            assert whole == pytest.approx(score.value, abs=1e-12), name


def test_one_slice_of_everything_has_the_score_and_the_interval_of_all() -> None:
    gold, pred, _, documents = drawn(0)
    for given in ({}, {"documents": documents}):
        card = cs.score(gold, pred, metrics=[*SLICED, *OF_MEANS], missing="error", by=["all"] * 40, **given)
        compared = cs.compare(gold, {"A": pred}, metrics=["elm", "pairwise", "alphamax"], resamples=1, **given)["A"]
        for name, score in card.items():
            part = card.slices[name]["all"]
            assert part.to_dict() | {"signature": ""} == pytest.approx(score.to_dict() | {"signature": ""}, abs=1e-12)
            assert part.signature == score.signature.replace("|v:", "|slice:all|v:")
            assert card.slices.results[name]["all"].difference is None
        for name, other in compared.items():
            assert other.intervals is not None
            interval = card.slices.results[name]["all"].interval
            assert interval == pytest.approx(other.intervals.jackknife, abs=1e-9)


@pytest.mark.parametrize("name", [kind.name for kind in cs.registered() if not kind.of_mentions and not kind.of_turns])
def test_every_measure_has_slices_that_make_up_its_score_or_says_why_not(name: str) -> None:
    gold, pred, by, _ = drawn(3)
    name = f"{name}(runs=true)" if cs.metric(name).ordered else name
    try:
        slices = cs.score(gold, pred, metrics=name, by=["all"] * 40).slices[name]
    except cs.MetricError:
        with pytest.raises(cs.MetricError, match="so it has no slices"):
            cs.score(gold, pred, metrics=name, by=by)
        return
    score = cs.metric(name)(gold, pred)
    assert slices["all"].value == pytest.approx(score.value, abs=1e-12)
    assert set(cs.score(gold, pred, metrics=name, by=by).slices[name]) == {"x", "y", "z"}


def test_slices_of_everything_in_overlapping_clusters_go_by_elements() -> None:
    gold = cs.Clustering.from_memberships({k: {k % 7, k % 3 + 10} for k in range(42)})
    pred = cs.Clustering.from_memberships({k: {k % 7, (k + k // 20) % 3 + 10} for k in range(42)})
    card = cs.score(gold, pred, by={k: "low" if k < 20 else "high" for k in range(42)})
    assert list(card.slices) == ["matched_elm", "matched_bcubed", "extended_bcubed", "omega"]
    assert [note.split()[0] for note in card.slices.notes] == ["overlapping_nmi", "community_f1"]
    assert (card.slices.unit, card.slices.units) == ("elements", 42)
    rows = cs.elements(gold, pred)
    means = {name: rows["f"][where].mean() for name, where in (("low", slice(20)), ("high", slice(20, None)))}
    assert {name: score.value for name, score in card.slices["matched_elm"].items()} == pytest.approx(means)
    high = card.slices.results["matched_elm"]["high"].interval
    assert high is not None
    error = rows["f"][20:].std(ddof=1) / math.sqrt(22)  # of a mean of 22 independent values
    assert 1.96 * error < (high.high - high.low) / 2 < 3 * error


def test_a_jackknife_leaves_out_one_document_after_the_other() -> None:
    gold, pred, by, _ = drawn(1, 200)
    documents = [k // 8 for k in range(200)]
    result = cs.score(gold, pred, metrics="elm", documents=documents, by=by).slices.results["elm"]["x"]
    values = []
    for left_out in range(25):
        kept = [k for k in range(200) if documents[k] != left_out]
        some = [[column[k] for k in kept] for column in (gold, pred, by, documents)]
        without = cs.score(*some[:2], metrics="elm", documents=some[3], by=some[2]).slices.results["elm"]["x"]
        values.append((without.score.value, without.difference))
    for k, ends in enumerate((result.interval, result.difference_interval)):
        assert ends is not None
        column = np.array([value[k] for value in values], float)
        error = math.sqrt(24 / 25 * ((column - column.mean()) ** 2).sum())
        assert 2.06 * error * 0.99 < (ends.high - ends.low) / 2 < 2.5 * error  # Student's t with at most 24 degrees
        assert (ends.high + ends.low) / 2 == pytest.approx(result.score.value if k == 0 else result.difference)


def test_the_difference_is_to_all_other_elements_and_the_worst_slice_comes_first() -> None:
    slices = cs.score(GOLD, PRED, metrics=["elm", "bcubed"], by=BY).slices
    for metric, less in (("elm", 1), ("bcubed", 0)):
        scores = element_scores(GOLD, PRED, less)
        assert list(slices[metric].values()) == sorted(slices[metric].values())
        for name, result in slices.results[metric].items():
            inside, outside = (
                mean([f for (_, _, f), group in zip(scores, BY, strict=True) if (group == name) is own])
                for own in (True, False)
            )
            assert result.difference == pytest.approx(float(inside - outside), abs=1e-12)
            assert result.elements == 5


def test_restricting_both_clusterings_first_is_another_question() -> None:
    """An old class whose predicted cluster is full of new elements is not pure."""
    gold, pred = ["old1"] * 3 + ["old2"] * 3 + ["new"] * 8, [1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 2, 2, 2, 2]
    slices = cs.score(gold, pred, metrics=["bcubed", "acc"], by=["old"] * 6 + ["new"] * 8).slices
    assert slices["bcubed"]["old"].precision == pytest.approx(3 / 7)
    assert cs.bcubed(gold[:6], pred[:6]).precision == 1
    assert cs.set_matching(gold[:6], pred[:6]).value == 1
    # the best alignment leaves one of the two clusters to the new class
    assert (slices["acc"]["old"].value, slices["acc"]["new"].value) == (0.5, 0.5)


def test_weights_of_elements_weigh_within_slices() -> None:
    gold, pred, by, _ = drawn(2)
    weights = [k % 3 for k in range(40)]
    slices = cs.score(gold, pred, metrics="elm", weights=weights, by=by).slices["elm"]
    scores = element_scores(gold, pred, 1)
    for name in "xyz":
        inside = [k for k in range(40) if by[k] == name]
        expected = sum(weights[k] * scores[k][2] for k in inside) / sum(weights[k] for k in inside)
        assert slices[name].value == pytest.approx(float(expected), abs=1e-12)
    with pytest.raises(cs.InputError, match=r"1 slice with no weight at all \(e.g. 'new'\)"):
        cs.score(["a", "a", "b"], [1, 1, 1], metrics="elm", weights=[1, 1, 0], by=["old", "old", "new"])


@pytest.mark.parametrize("form", [list, tuple, np.array, pd.Series, pl.Series, iter])
def test_groups_come_as_labels_do(form: Callable[[Any], Any]) -> None:
    expected = cs.score(GOLD, PRED, by=BY).slices
    assert cs.score(GOLD, PRED, by=form(BY)).slices.to_dict() == expected.to_dict()
    numbers = cs.score(GOLD, PRED, by=form([1 if group == "old" else 2 for group in BY])).slices
    assert set(numbers["elm"]) == {1, 2}
    assert numbers["elm"][1].value == expected["elm"]["old"].value


def test_groups_by_id_and_in_the_order_of_gold() -> None:
    ids = [f"p{k}" for k in range(10)]
    gold, pred = dict(zip(ids, GOLD, strict=True)), dict(reversed(list(zip(ids, PRED, strict=True))))
    expected = cs.score(GOLD, PRED, by=BY).slices.to_dict()
    assert cs.score(gold, pred, by={**dict(zip(ids, BY, strict=True)), "other": "x"}).slices.to_dict() == expected
    assert cs.score(gold, pred, by=BY).slices.to_dict() == expected


def test_what_is_dropped_has_no_slice_and_needs_none() -> None:
    gold, pred = {"a": 1, "b": 1, "c": 2, "d": 2}, {"b": 1, "c": 2, "d": 1, "e": 1}
    dropped = cs.score(gold, pred, metrics="elm", missing="drop", by=[None, "x", "y", "y"]).slices.results["elm"]
    assert {name: result.elements for name, result in dropped.items()} == {"x": 1, "y": 2}
    groups = {"a": "x", "b": "x", "c": "y", "d": "y", "e": "z"}
    alone = cs.score(gold, pred, metrics="elm", missing="singleton", by=groups).slices.results["elm"]
    assert {name: result.elements for name, result in alone.items()} == {"x": 2, "y": 2, "z": 1}
    with pytest.raises(cs.InputError, match=r"1 element only in pred \(e.g. 'e'\) has none; pass a mapping"):
        cs.score(gold, pred, missing="singleton", by=["x"] * 4)
    with pytest.raises(cs.InputError, match="both sides have, but 1 element only in gold and 1 only in pred are kept"):
        cs.score(gold, pred, metrics="blanc", missing="keep", by=["x"] * 4)
    noisy = cs.score([0, 0, 1, -1], [0, 0, 1, 1], metrics="elm", noise=-1, noise_as="drop", by=["x", "x", "y", None])
    assert {name: result.elements for name, result in noisy.slices.results["elm"].items()} == {"x": 2, "y": 1}
    assert noisy.slices["elm"]["y"].value == 1


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        ({"by": BY[:-1]}, cs.InputError, "by has 9 groups for 10 elements of gold; give one for each"),
        ({"by": [*BY[:-2], None, float("nan")]}, cs.InputError,
         r"no group \(None or NaN\) for 2 elements \(e.g. position 8\); name one for each, such as 'unknown'"),
        ({"by": "year"}, cs.InputTypeError, "by='year' is a single string; pass a group for each element"),
        ({"by": {"p1": "x"}}, cs.InputTypeError, "by is a mapping, but the labels are matched by position"),
        ({"by": set(BY)}, cs.InputTypeError, "by is a set"),
        ({"by": BY, "metrics": ["elm", "nmi"]}, cs.MetricError,
         "nmi depends on the entropies of its clusters, so it has no slices; measures of elements and pairs do"),
        ({"by": BY, "metrics": "transfer_distance"}, cs.MetricError, "a total, which grows with the number of elem"),
        ({"by": BY, "metrics": "mirkin", "pred": GOLD}, cs.MetricError, "a total, which grows with the number of elem"),
        ({"by": BY, "metrics": "purity"}, cs.MetricError, "purity depends on single clusters"),
        ({"by": BY, "metrics": "elm(adjusted=true)"}, cs.MetricError, "on all elements at once"),
        ({"by": BY, "weights": "effective"}, cs.MetricError, "no metric has slices: "),
        ({"by": BY, "average": "macro"}, cs.InputError, 'a slice is a mean over elements, but average="macro"'),
        ({"by": BY, "metrics": "set_matching(match=slice)", "documents": BY}, cs.InputError,
         "scored by themselves cannot be parts of documents as well; leave out documents"),
        ({"groups": BY}, cs.OptionError, "score has no option 'groups'"),
    ],
)  # fmt: skip
def test_bad_groups_say_what_is_wrong(given: dict[str, Any], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        cs.score(**{"gold": GOLD, "pred": PRED, **given})


def test_what_has_no_elements_has_no_slices() -> None:
    with pytest.raises(cs.InputError, match="by= is for single elements, which a Table does not know"):
        cs.score(cs.Table.from_labels(GOLD, PRED), by=BY)
    with pytest.raises(cs.InputError, match="there are no slices; pass by="):
        _ = cs.score(GOLD, PRED).slices
    with pytest.raises(cs.InputError, match=r"1 element without a group \(e.g. 'q'\); give each one"):
        cs.score({"p": 1, "q": 2}, {"p": 1, "q": 2}, by={"p": "x"})


def test_a_slice_of_one_unit_has_no_interval() -> None:
    gold, pred = ["a", "a", "b", "b", "c", "c"], [1, 1, 2, 3, 3, 3]
    results = cs.score(gold, pred, metrics="elm", by=["x", "x", "y", "y", "y", "y"]).slices.results["elm"]
    assert results["x"].interval is None
    notes = cs.score(gold, pred, metrics="elm", by=["x", "x", "y", "y", "y", "y"]).slices.notes
    assert notes[-1] == "no interval for 1 slice of one gold cluster only"
    assert results["y"].interval is not None
    assert results["x"].difference_interval is results["y"].difference_interval is None
    alone = cs.score(["a"] * 3, [1, 1, 2], metrics="elm", by=["xyz"] * 3).slices
    assert alone.results["elm"]["xyz"].interval is None


def test_slices_stand_beside_the_scores() -> None:
    card = cs.score(GOLD, PRED, metrics=["elm", "acc"], by=BY)
    slices = card.slices
    rows = slices.listed()
    assert rows["slice"] == [name for metric in slices for name in slices[metric]]
    assert rows["value"] == [score.value for metric in slices for score in slices[metric].values()]
    assert [row["slice"] for row in slices.to_dict()["scores"]["elm"]] == list(slices["elm"])
    assert json.loads(card.to_json())["slices"] == json.loads(slices.to_json())
    assert all(heading in str(slices) for heading in ("metric", "slice", "elements", "against the rest"))
    assert str(card).endswith(str(slices))
    whole = card.to_frame("pandas")
    assert whole["slice"].isna().sum() == 2
    assert len(whole) == 6
    assert cs.score(GOLD, PRED, metrics="elm", by=[(group, 1) for group in BY]).slices.to_json()


def test_of_very_many_slices_the_worst_are_printed() -> None:
    gold, pred, *_ = drawn(0, 200, 40)
    slices = cs.score(gold, pred, metrics="elm", by=[f"g{k // 4}" for k in range(200)]).slices
    shown = str(slices)
    assert "the 20 worst of 50 slices; CSV and JSON have all" in shown
    assert len(slices.to_csv().splitlines()) == 51
    assert shown.count("\n") < 50


def test_forty_thousand_elements() -> None:
    rng = np.random.default_rng(0)
    gold = rng.integers(0, 8_000, 40_000)
    pred = np.where(rng.random(40_000) < 0.8, gold, rng.integers(0, 8_000, 40_000))
    by = rng.integers(0, 10, 40_000)
    began = time.process_time()
    card = cs.score(gold, pred, by=by)
    assert time.process_time() - began < 5
    values = cs.elements(gold, pred, metric="elm")["f"]
    assert card.slices["elm"][3].value == pytest.approx(values[by == 3].mean(), abs=1e-12)
    many = cs.score(gold, pred, metrics="elm", by=np.arange(40_000)).slices
    assert many.notes == ["no intervals: 40,000 slices are too many for them; take fewer and larger ones"]
    assert many["elm"][77].value == pytest.approx(values[77], abs=1e-12)


GOLD_FILE = "element,cluster,year\np1,cats,old\np2,cats,old\np3,cats,new\np4,dogs,new\np5,dogs,new\np6,fish,old\n"
PRED_FILE = "element,cluster\np6,3\np1,1\np2,1\np3,2\np4,2\np5,2\n"


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "gold.csv").write_text(GOLD_FILE)
    (tmp_path / "pred.csv").write_text(PRED_FILE)
    (tmp_path / "gaps.csv").write_text(GOLD_FILE.replace("p3,cats,new", "p3,cats,"))
    (tmp_path / "twice.csv").write_text(GOLD_FILE + "p1,dogs,new\n")
    (tmp_path / "labels.txt").write_text("1\n2\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_command_takes_a_column_of_gold(files: Path) -> None:
    for form in ("table", "json", "csv", "markdown", "latex"):
        args = ["score", "gold.csv", "pred.csv", "--by", "year", "-m", "elm,acc", "--format", form]
        done = CliRunner().invoke(cli, args)
        assert done.exit_code == 0, done.output
        assert done.output.index("new") < done.output.rindex("old")
        if form == "json":
            rows = json.loads(done.output)["slices"]["scores"]["elm"]
            assert [(row["slice"], row["elements"], round(row["value"], 4)) for row in rows] == [
                ("new", 3, 0.4444), ("old", 3, 0.7778),
            ]  # fmt: skip
    by_cluster = CliRunner().invoke(cli, ["score", "gold.csv", "pred.csv", "--by", "cluster", "-m", "elm"])
    assert "fish" in by_cluster.output
    args = ["score", "gold.csv", "pred.csv", "--by", "year", "-m", "elm"]
    piped = CliRunner().invoke(cli, ["score", "-", *args[2:]], input=GOLD_FILE)
    assert piped.output == CliRunner().invoke(cli, args).output


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["gold.csv", "pred.csv", "--by", "yaer"], "has no column 'yaer': did you mean 'year'?"),
        (["gaps.csv", "pred.csv", "--by", "year"], "no group (None or NaN) for 1 element (e.g. 'p3')"),
        (["twice.csv", "pred.csv", "--by", "year", "--missing", "drop"], "1 row of 'twice.csv' with another 'year'"),
        (["labels.txt", "labels.txt", "--by", "year"], "has no column 'year': choose from 1; name it with by="),
        (["-", "-", "--by", "year"], "standard input can be read only once"),
        (["gold.csv", "pred.csv", "--by", "year", "--engine", "duckdb"], "--by needs single elements"),
        (["gold.csv", "pred.csv", "--cross-document", "--engine", "duckdb"], "--cross-document needs single elements"),
        (["gold.csv", "pred.csv", "--engine", "arrays", "--threads", "2"], "--threads are for --engine duckdb"),
        (["gold.csv", "pred.csv", "--by", "year", "-m", "nmi"], "nmi depends on the entropies"),
    ],
)
def test_mistakes_on_the_command_line(files: Path, args: list[str], words: str) -> None:
    done = CliRunner().invoke(cli, ["score", *args])
    assert done.exit_code != 0
    assert words in str(done.exception) + done.output


@pytest.mark.usefixtures("without_plots")
def test_the_report_has_a_bar_for_each_slice(files: Path) -> None:
    args = ["report", "gold.csv", "pred.csv", "--by", "year", "-o", "page.html", "-q"]
    assert CliRunner().invoke(cli, args).exit_code == 0
    page = (files / "page.html").read_text(encoding="utf-8")
    section = page.split('<section id="slices"')[1].split("</section>")[0]
    first = section.split("</table>")[0]
    assert first.index(">new<") < first.index(">old<")
    assert first.count('class="fill own"') == first.count('class="range"') == 2
    assert "nmi depends on the entropies" in section
    assert 'id="slices"' not in cs.report(GOLD, PRED, path=files / "plain.html").read_text(encoding="utf-8")
    several = cs.report(GOLD, {"A": PRED, "B": [f"<{label}>" for label in GOLD]}, path=files / "b.html", by=BY)
    assert (
        several.read_text(encoding="utf-8").split('<section id="errors"')[0].count("What each slice scores: elm") == 2
    )
