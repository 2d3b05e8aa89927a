"""A Sample in the place of gold: every analysis answers with estimates of the whole."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import clusterscore as cs
from clusterscore.command import main

METRICS = ["elm", "bcubed", "bcubed(f=of-means)", "elm(f=of-means, beta=2)"]


def population(seed: int, entities: int = 400) -> tuple[dict[str, int], dict[str, int]]:
    """Gold for all records, and a prediction that splits and merges."""
    rng = np.random.default_rng(seed)
    gold = np.repeat(np.arange(entities), rng.geometric(0.4, entities))
    pred = gold.copy()
    for merged, into in rng.integers(0, entities, (entities // 10, 2)).tolist():
        pred[pred == merged] = into
    alone = np.flatnonzero(rng.random(len(gold)) < 0.06)
    pred[alone] = entities + np.arange(len(alone))
    names = [f"r{k}" for k in range(len(gold))]
    return dict(zip(names, gold.tolist(), strict=True)), dict(zip(names, pred.tolist(), strict=True))


GOLD, PRED = population(1)
SOME = {record: entity for record, entity in GOLD.items() if entity % 5 == 0}
EVERY_SAMPLE = pytest.mark.parametrize("weights", ["uniform", "size"])


def own_scores(gold: dict[str, int], pred: dict[str, int]) -> Iterator[tuple[str, float, str]]:
    """By definition: what each element of some gold clusters has for ELM's F, and the kind of its cell."""
    members, together = defaultdict(set), defaultdict(set)
    for element, cluster in gold.items():
        members[cluster].add(element)
    for element, cluster in pred.items():
        together[cluster].add(element)
    for element in gold:
        mine, theirs = members[gold[element]], together[pred[element]]
        tp, fp, fn = len(mine & theirs) - 1, len(theirs - mine), len(mine - theirs)
        f = 2 * tp / (2 * tp + fp + fn) if tp + fp + fn else 1.0
        if not fp and not fn:
            kind = "exact"
        elif len(mine) == 1:
            kind = "missed singleton"
        elif len(theirs) == 1:
            kind = "false singleton"
        else:
            kind = "split" if not fp else "merge" if not fn else "mixed"
        yield element, f, kind


@EVERY_SAMPLE
def test_losses_by_definition(weights: str) -> None:
    sizes = {entity: list(SOME.values()).count(entity) for entity in set(SOME.values())}
    weight = {entity: 1.0 if weights == "uniform" else 1 / size for entity, size in sizes.items()}
    total = sum(weight[entity] for entity in SOME.values())
    lost: dict[str, float] = defaultdict(float)
    loss = {}
    for element, f, kind in own_scores(SOME, PRED):
        loss[element] = weight[SOME[element]] * (1 - f) / total
        lost[kind] += loss[element]
    sample = cs.Sample(SOME, weights=weights)
    kinds = cs.errors(sample, PRED)
    assert dict(zip(kinds["kind"], kinds["loss"], strict=True)) == pytest.approx(
        {**dict.fromkeys(kinds["kind"], 0.0), **lost}
    )
    rows = cs.elements(sample, PRED)
    assert dict(zip(rows["element"], rows["loss"], strict=True)) == pytest.approx(loss)
    stands_for = {element: len(PRED) * weight[entity] / total for element, entity in SOME.items()}
    assert dict(zip(rows["element"], rows["stands_for"], strict=True)) == pytest.approx(stands_for)
    assert rows["stands_for"].sum() == pytest.approx(len(PRED))


@EVERY_SAMPLE
@pytest.mark.parametrize("metric", METRICS)
def test_losses_add_up_to_what_the_estimate_lacks(weights: str, metric: str) -> None:
    sample = cs.Sample(SOME, weights=weights)
    lacking = 1 - cs.score(sample, PRED, metrics=metric)[metric].value
    for listing in (cs.errors, cs.clusters, cs.elements, cs.error_cells):
        assert float(listing(sample, PRED, metric=metric)["loss"].sum()) == pytest.approx(lacking)
    kinds = cs.errors(sample, PRED, metric=metric)
    assert (kinds["share_low"] <= kinds["share"]).all()
    assert (kinds["share"] <= kinds["share_high"]).all()
    assert (kinds["loss_low"] <= kinds["loss"]).all()
    assert (kinds["loss"] <= kinds["loss_high"]).all()


@pytest.mark.parametrize("metric", METRICS)
def test_a_whole_population_is_diagnosed_as_gold_is(metric: str) -> None:
    sample = cs.Sample(GOLD, weights="uniform")
    for listing in (cs.errors, cs.elements, cs.error_cells):
        rows, expected = listing(sample, PRED, metric=metric), listing(GOLD, PRED, metric=metric)
        for name in expected:
            assert list(rows[name]) == pytest.approx(list(expected[name]), abs=1e-12), name
    rows, expected = cs.clusters(sample, PRED, metric=metric), cs.clusters(GOLD, PRED, metric=metric, side="gold")
    assert {*rows} - {*expected} == {"stands_for"}
    assert rows["loss"] == pytest.approx(expected["loss"], abs=1e-12)
    assert list(rows["cluster"]) == list(expected["cluster"])


@EVERY_SAMPLE
def test_score_compare_and_estimate_are_one(weights: str) -> None:
    sample, other = cs.Sample(SOME, weights=weights), {record: record for record in PRED}
    expected = cs.estimate(SOME, PRED, metrics=["elm", "ari"], weights=weights)
    for estimates in (
        cs.score(sample, PRED, metrics=["elm", "ari"]),
        cs.estimate(sample, PRED, metrics=["elm", "ari"]),
    ):
        assert estimates.to_json() == expected.to_json()
    both = cs.compare(sample, {"A": PRED, "B": other}, metrics="elm", baseline="B")
    assert list(both.systems) == ["B", "A"]
    assert both.systems["A"]["elm"] == expected["elm"]
    assert both.differences["A"]["elm"].value == pytest.approx(expected["elm"].value - both.systems["B"]["elm"].value)


def cuts_of(seed: int) -> list[tuple[str, str, float]]:
    rng, records = np.random.default_rng(seed), list(GOLD)
    edges = [(a, b, float(rng.beta(5, 2))) for a, b in pairwise(records) if GOLD[a] == GOLD[b]]
    for first, second in rng.integers(0, len(records), (300, 2)).tolist():
        if first != second:
            edges.append((records[first], records[second], float(rng.beta(3, 4))))
    return edges


SWEPT = ["elm", "bcubed", "bcubed(f=of-means)", "pairwise", "adjusted_rand", "muc", "rand", "blanc", "mirkin"]


@EVERY_SAMPLE
def test_every_cut_has_its_estimate(weights: str) -> None:
    swept = cs.sweep(cs.Sample(SOME, weights=weights), edges=cuts_of(2), metrics=SWEPT)
    for row in range(0, len(swept), 37):
        labels = swept.labels_at(float(swept.thresholds[row]))
        estimates = cs.estimate(SOME, labels, metrics=SWEPT, weights=weights, resamples=0)
        for metric in SWEPT:
            assert swept[metric][row] == pytest.approx(estimates[metric].value, rel=1e-9), (metric, row)
    best = swept.best("elm")
    assert best.estimate is not None
    at_best = cs.estimate(SOME, swept.labels_at(best.threshold), metrics="elm", weights=weights)["elm"]
    assert best.estimate.interval == at_best.interval
    rows, intervals = swept.intervals("elm")
    assert len(rows) == len(intervals) <= 200
    assert best.row in rows


def test_a_whole_population_is_swept_as_gold_is() -> None:
    edges = cuts_of(3)
    swept = cs.sweep(cs.Sample(GOLD, weights="uniform"), edges=edges, metrics=SWEPT)
    expected = cs.sweep(GOLD, edges=edges, metrics=SWEPT)
    assert swept.thresholds.tolist() == expected.thresholds.tolist()
    assert swept.clusters.tolist() == expected.clusters.tolist()
    for metric in SWEPT:
        assert swept[metric] == pytest.approx(expected[metric], abs=1e-12, rel=1e-12)
    tuned, plain = swept.cross_validate("elm"), expected.cross_validate("elm")
    assert tuned.score.value == pytest.approx(plain.score.value, abs=1e-12)


def test_a_linkage_is_swept_by_position() -> None:
    from scipy.cluster.hierarchy import linkage

    gold = [entity if entity % 5 == 0 else None for entity in GOLD.values()]
    places = np.array(list(GOLD.values()), float) + np.random.default_rng(0).normal(0, 0.3, len(GOLD))
    tree = linkage(places[:, None], "average")
    swept = cs.sweep(cs.Sample(gold, weights="size"), tree, metrics=["elm"])
    labels = swept.labels_at(swept.best("elm").threshold)
    expected = cs.estimate(gold, labels, metrics="elm", weights="size", resamples=0)["elm"].value
    assert swept.best("elm").score.value == pytest.approx(expected)


def test_the_optimism_of_a_threshold_is_taken_out() -> None:
    """A threshold chosen on 15 entities scores too well on them: held out, the score is lower, and not too low."""
    edges, gaps = cuts_of(4), []
    true = cs.sweep(GOLD, edges=edges, metrics="elm")
    for seed in range(30):
        chosen = np.random.default_rng(seed).choice(400, 15, replace=False).tolist()
        sample = {record: entity for record, entity in GOLD.items() if entity in chosen}
        swept = cs.sweep(cs.Sample(sample, weights="uniform"), edges=edges, metrics="elm")
        best, held_out = swept.best("elm"), swept.cross_validate("elm").score.value
        row = int(np.searchsorted(-true.thresholds, -best.threshold))
        gaps.append((best.score.value - true["elm"][row], held_out - true["elm"][row]))
    tuned, honest = np.mean(gaps, 0)
    error = np.std(gaps, 0)[1] / len(gaps) ** 0.5
    assert tuned > 0.01
    assert honest < tuned
    assert abs(honest) < 2.5 * error


NEEDS_ALL: dict[str, Callable[[cs.Sample], Any]] = {
    "by": lambda sample: cs.score(sample, PRED, by=PRED),
    "documents": lambda sample: cs.score(sample, PRED, documents=PRED),
    "noise": lambda sample: cs.errors(sample, PRED, noise=-1),
    "side": lambda sample: cs.clusters(sample, PRED, side="pred"),
    "unit": lambda sample: cs.compare(sample, {"A": PRED}, unit="elements"),
    "missing": lambda sample: cs.sweep(sample, edges=cuts_of(1), missing="drop"),
    "average": lambda sample: cs.report(sample, PRED, average="macro"),
}


@pytest.mark.parametrize("option", NEEDS_ALL)
def test_what_needs_gold_for_all_elements(option: str) -> None:
    with pytest.raises(cs.InputError, match=f"{option}= needs gold for all elements"):
        NEEDS_ALL[option](cs.Sample(SOME, weights="uniform"))


WRONG: dict[str, tuple[Callable[[], Any], str]] = {
    "no word": (lambda: cs.Sample(SOME), 'weights="uniform" if every entity had the same chance, weights="size" if r'),
    "None": (lambda: cs.Sample(None, weights="size"), "the gold of a sample is None"),
    "a sample of a sample": (lambda: cs.Sample(cs.Sample(SOME, weights="size")), "a Sample already"),
    "twice": (lambda: cs.estimate(cs.Sample(SOME, weights="size"), PRED, weights="size"), "already says how it was"),
    "one metric": (lambda: cs.elm(cs.Sample(SOME, weights="size"), PRED), "gold is a Sample; pass it instead of"),
    "no prediction": (lambda: cs.score(cs.Sample(SOME, weights="size")), "the prediction is None"),
    "a tree": (lambda: cs.sweep(cs.Sample(SOME, weights="size"), edges=cuts_of(1)).dendrogram_purity, "needs gold for"),
    "mentions": (lambda: cs.errors(cs.Sample(SOME, weights="size"), PRED, metric="b3"), "use bcubed(f=of-means) here"),
    "sizes of clusters": (lambda: cs.plot.sizes(cs.Sample(SOME, weights="size"), PRED), "gold is a Sample"),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_mistakes(case: str) -> None:
    call, words = WRONG[case]
    with pytest.raises(cs.ClusterscoreError) as caught:
        call()
    assert words in str(caught.value)


def test_weights_that_have_a_name() -> None:
    sample, weighed = cs.Sample(SOME, weights="uniform"), "elm(weights=class)"
    expected = cs.score(sample, PRED, metrics=weighed)[weighed]
    assert cs.score(sample, PRED, metrics="elm", weights="class")[weighed] == expected
    assert cs.compare(sample, {"A": PRED}, metrics="elm", weights="class").systems["A"][weighed] == expected
    assert weighed in cs.score(sample, PRED, weights="class").metrics
    assert float(cs.errors(sample, PRED, weights="class")["loss"].sum()) == pytest.approx(1 - expected.value)
    with pytest.raises(cs.InputError, match="weights= needs gold for all elements"):
        cs.score(sample, PRED, weights=dict.fromkeys(PRED, 1.0))


def test_a_sample_is_named_in_a_line() -> None:
    assert repr(cs.Sample(SOME, weights="size")) == "Sample(<dict>, weights='size')"
    assert repr(cs.Sample(cs.File("a.csv"), weights=[1, 2])).startswith("Sample(File(")


def labelled(drawn: cs.Columns) -> pl.DataFrame:
    """What draw-sample wrote, with the gold cluster of each record and the other records of these clusters."""
    wanted = {GOLD[element] for element in drawn["element"].tolist()}
    rows = pl.DataFrame(
        {"element": [r for r in GOLD if GOLD[r] in wanted], "gold": [c for c in GOLD.values() if c in wanted]}
    )
    return rows.join(drawn.to_frame("polars").drop("cluster"), on="element", how="left")


def test_a_drawn_sample_needs_no_word(tmp_path: Path) -> None:
    drawn = cs.draw_sample(PRED, 60, allocation="equal", seed=3)
    frame = labelled(drawn)
    expected = cs.estimate(dict(zip(frame["element"], frame["gold"], strict=True)), PRED, metrics="elm", drawn=drawn)
    own = cs.Sample(cs.Clustering.from_frame(frame, cluster="gold"), drawn=frame)
    assert cs.score(own, PRED, metrics="elm")["elm"] == expected["elm"]
    renamed = frame.rename({"gold": "cluster"})
    assert cs.score(cs.Sample(renamed), PRED, metrics="elm")["elm"] == expected["elm"]
    renamed.write_csv(tmp_path / "labelled.csv")
    assert cs.score(cs.Sample(tmp_path / "labelled.csv"), PRED, metrics="elm")["elm"].value == expected["elm"].value


def test_a_drawn_sample_that_nobody_labelled(tmp_path: Path) -> None:
    drawn = cs.draw_sample(PRED, 60, seed=3)
    (tmp_path / "drawn.csv").write_text(drawn.to_csv())
    for sample in (drawn.to_frame("polars"), tmp_path / "drawn.csv"):
        with pytest.raises(cs.InputError, match="are those of the prediction, as draw-sample wrote them"):
            cs.score(cs.Sample(sample), PRED, metrics="elm")
    alone = drawn.to_frame("polars").with_columns(cluster="element")  # each is a gold cluster of its own
    assert cs.score(cs.Sample(alone), PRED, metrics="elm")["elm"].recall.value == 1


def test_plots_by_estimate() -> None:
    pytest.importorskip("matplotlib")
    sample, whole = cs.Sample(SOME, weights="uniform"), cs.Sample(GOLD, weights="uniform")
    with cs.plot.offscreen():
        axes, expected = cs.plot.by_size(whole, PRED), cs.plot.by_size(GOLD, PRED)
        for line, wanted in zip(axes.lines, expected.lines, strict=True):
            assert line.get_ydata() == pytest.approx(wanted.get_ydata())
        assert [text.get_text() for text in axes.get_xticklabels()] == [
            text.get_text() for text in expected.get_xticklabels()
        ]
        other_system = {record: record for record in PRED}
        drawn = cs.plot.comparison(cs.compare(sample, {"A": PRED, "B": other_system}, metrics=["elm", "ari"]), "elm")
        assert [text.get_text() for text in drawn.get_yticklabels()] == ["A (baseline)", "B *"]
        swept = cs.sweep(sample, edges=cuts_of(2), metrics="elm")
        assert len(cs.plot.sweep(swept).collections) == 1  # the band of intervals


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    worse = {record: (f"alone {record}" if k % 7 == 0 else str(PRED[record])) for k, record in enumerate(PRED)}
    tables = {"sample": SOME, "pred": PRED, "worse": worse}
    for name, table in tables.items():
        rows = "".join(f"{element},{cluster}\n" for element, cluster in table.items())
        (tmp_path / f"{name}.csv").write_text(f"element,cluster\n{rows}")
    edges = "".join(f"{first},{second},{score}\n" for first, second, score in cuts_of(2))
    (tmp_path / "edges.csv").write_text(f"left,right,score\n{edges}")
    return tmp_path


def typed(line: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as left:
        main(line.split())
    out, err = capsys.readouterr()
    return int(left.value.code or 0), out, err


def test_commands_give_what_functions_give(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sample = cs.Sample({k: str(v) for k, v in SOME.items()}, weights="size")
    pred = {k: str(v) for k, v in PRED.items()}
    for line, expected in {
        "score sample.csv pred.csv -m elm": cs.score(sample, pred, metrics="elm"),
        "errors sample.csv pred.csv": cs.errors(sample, pred),
        "clusters sample.csv pred.csv": cs.clusters(sample, pred),
        "elements sample.csv pred.csv": cs.elements(sample, pred),
        "compare sample.csv pred.csv worse.csv -m elm": cs.compare(
            sample, {"pred": pred, "worse": cs.File("worse.csv")}, metrics="elm"
        ),
        "sweep sample.csv edges.csv -m elm": cs.sweep(sample, edges="edges.csv", metrics="elm"),
    }.items():
        code, out, err = typed(f"{line} --sample size --format csv", capsys)
        assert (code, err) == (0, ""), line
        assert out.rstrip() == expected.to_csv().rstrip(), line


@pytest.mark.parametrize(("line", "code", "words"), [
    ("score sample.csv pred.csv -m elm --sample uniform --fail-under elm=0.5 --confident", 0, ""),
    ("score sample.csv pred.csv -m elm --sample uniform --fail-under elm=0.99", 1, "below 0.99 (--fail-under)"),
    ("score sample.csv pred.csv -m elm --sample uniform --fail-under elm=VALUE", 0, ""),
    ("score sample.csv pred.csv -m elm --sample uniform --fail-under elm=VALUE --confident", 1, "at least 0."),
    ("estimate sample.csv worse.csv pred.csv -m elm --sample uniform --fail-if-worse", 1, "than pred's, p < 0.001"),
    ("estimate sample.csv pred.csv worse.csv -m elm --sample uniform --fail-if-worse", 0, ""),
    ("estimate sample.csv pred.csv -m elm --sample uniform --fail-if-worse", 2, "name a second one"),
    ("score sample.csv pred.csv -m elm --sample uniform --confident", 2, "--confident is for --fail-under"),
    ("score sample.csv sample.csv -m elm --fail-under elm=0.5 --confident", 2, "--confident is for estimates"),
    ("score sample.csv pred.csv -m elm", 2, "if gold is a sample of clusters, --sample uniform or size estimates"),
    ("estimate sample.csv pred.csv -m elm", 2, "--sample uniform if every entity had the same chance"),
    ("score sample.csv pred.csv --sample uniform --by cluster", 2, "--by needs gold for all elements"),
    ("score sample.csv pred.csv --sample uniform --engine duckdb", 2, "--engine needs gold for all elements"),
    ("sweep sample.csv edges.csv --sample uniform --missing drop", 2, "--missing needs gold for all elements"),
    ("errors sample.csv pred.csv --sample wieght", 2, "choose from cluster, element; name it with --sample"),
])  # fmt: skip
def test_gates_and_mistakes_of_commands(
    files: Path, line: str, code: int, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    value = cs.score(cs.Sample(SOME, weights="uniform"), PRED, metrics="elm")["elm"].value
    status, _, err = typed(line.replace("VALUE", f"{value - 0.001:.4f}"), capsys)
    assert status == code, err
    assert words in err


def test_a_tolerance_of_worse(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Hardly worse, and not significantly: it passes, but not with a tolerance that is smaller still."""
    hardly = {**PRED, next(iter(SOME)): -1}
    (files / "hardly.csv").write_text("element,cluster\n" + "".join(f"{e},{c}\n" for e, c in hardly.items()))
    line = "estimate sample.csv hardly.csv pred.csv -m elm --sample uniform --fail-if-worse"
    assert typed(line, capsys)[0] == 0
    assert typed(f"{line} --tolerance 0.5", capsys)[0] == 0
    code, _, err = typed(f"{line} --tolerance 0.000001", capsys)
    assert (code, "(--fail-if-worse)" in err) == (1, True)


def test_many_records_are_diagnosed_and_swept() -> None:
    """Above the sizes at which hash tables and chunks behave otherwise."""
    gold, pred = population(5, 20_000)
    sample = {record: entity for record, entity in gold.items() if entity % 9 == 0}
    assert len(gold) > 40_000
    given = cs.Sample(sample, weights="uniform")
    estimate = cs.score(given, pred, metrics="elm")["elm"]
    assert estimate.interval.low < cs.elm(gold, pred).f < estimate.interval.high
    assert float(cs.elements(given, pred)["loss"].sum()) == pytest.approx(1 - estimate.value)
    whole = cs.Sample(gold, weights="uniform")
    assert cs.errors(whole, pred)["loss"] == pytest.approx(cs.errors(gold, pred)["loss"], abs=1e-12)
