"""Segmentations: cuts and windows by their definition, against nltk and segeval, and as users hand them over."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import brute_force as oracle
import numpy as np
import pytest
from click.testing import CliRunner

import clusterscore as cs
from clusterscore.command import cli

PEERS = json.loads(Path(__file__).with_name("peers.json").read_text(encoding="utf-8"))
NAMES = ["boundaries", "pk", "window_diff"]
SEGMENTS = cs.Clustering.from_lengths


@pytest.mark.parametrize("peer", PEERS["versions"])
def test_peers(peer: str) -> None:
    """As recorded by record_peers.py: equal wherever nltk and segeval agree, and by a dialect where they do not."""
    for case in PEERS["cases"]:
        gold, pred = SEGMENTS(case["gold"]), SEGMENTS(case["pred"])
        values = {name: cs.metric(name)(gold, pred).value for name in case[peer]}
        assert values == pytest.approx(case[peer], abs=1e-12), case


def drawn(seed: int, elements: int, mean: int) -> tuple[Any, Any]:
    """Labels of segments that are so long on average: gold, and a prediction that is often off by one."""
    rng = np.random.default_rng(seed)
    cuts = rng.random(elements) < 1 / mean
    moved = np.roll(cuts, 1) & (rng.random(elements) < 0.3) | cuts & (rng.random(elements) < 0.6)
    return np.cumsum(cuts), np.cumsum(moved)


@pytest.mark.parametrize("name", ["pk", "window_diff"])
def test_documents_are_added_up_each_with_its_own_width(name: str) -> None:
    rng = random.Random(3)
    pairs = [drawn(k, rng.randint(1, 60), rng.randint(1, 12)) for k in range(50)]
    gold, pred = (np.concatenate(side) for side in zip(*pairs, strict=True))
    documents = np.repeat(np.arange(50), [len(stream) for stream, _ in pairs])
    alone = [getattr(oracle, name)(*(tuple(side.tolist()) for side in pair)) for pair in pairs]
    windows = [max(len(stream) - oracle._width(tuple(stream.tolist())), 0) for stream, _ in pairs]
    card = cs.score(gold, pred, metrics=name, documents=documents)
    pooled = sum(score * count for score, count in zip(alone, windows, strict=True)) / sum(windows)
    assert card.micro[name].value == pytest.approx(float(pooled), abs=1e-12)
    assert card.documents[name].tolist() == pytest.approx([float(score) for score in alone], abs=1e-12)
    assert card.macro[name].value == pytest.approx(float(sum(alone) / 50), abs=1e-12)
    seen = cs.Accumulator(name)
    for gold_part, pred_part in pairs:
        seen.update(gold_part, pred_part)
    assert seen.result()[name].value == pytest.approx(card.micro[name].value, abs=1e-12)
    again = cs.Accumulator.from_json(seen.to_json()).result()[name]
    assert again == seen.result()[name]


def test_forty_thousand_elements() -> None:
    gold, pred = drawn(0, 40_000, 20)
    sides = tuple(gold.tolist()), tuple(pred.tolist())
    assert cs.pk(gold, pred).value == float(oracle.pk(*sides))
    assert cs.window_diff(gold, pred).value == float(oracle.window_diff(*sides))
    assert cs.window_diff(gold, pred, padded=True, weighted=True).value == pytest.approx(
        float(oracle.window_diff(*sides, padded=True, weighted=True)), abs=1e-12
    )
    score = cs.boundaries(gold, pred)
    assert (score.precision, score.recall) == tuple(map(float, oracle.boundaries(*sides)[:2]))
    documents = np.arange(40_000) % 700  # every document lies all over the input
    order = np.argsort(documents, kind="stable")
    for name in NAMES:
        metric = cs.metric(f"{name}(runs=true)")
        mixed, sorted_ = (
            metric(gold, pred, documents=documents),
            metric(gold[order], pred[order], documents=documents[order]),
        )
        assert mixed == sorted_


def test_the_width_is_half_the_mean_segment() -> None:
    """Rounded to the even number from a half, as nltk and segeval do, and at least 2."""
    for lengths, k in (([10, 10], 5), ([5] * 4, 2), ([7, 7, 6], 3), ([1] * 20, 2), ([20], 10), ([14, 6], 5)):
        table = cs.Table.from_labels(SEGMENTS(lengths), SEGMENTS([1, 3, 2, 4, 10]), members=True)
        for name in ("pk", "window_diff"):
            assert cs.metric(name).parts(table)["windows"].tolist() == [20 - k]
            assert cs.metric(name)(table).value == cs.metric(f"{name}(k={k})")(table).value


def test_too_short_for_a_window() -> None:
    both = ["a", "b"], ["x", "x"]
    assert (cs.pk(*both).value, cs.window_diff(*both).value) == (0, 0)
    assert cs.pk(*both, k=1).value == 1
    assert cs.boundaries(*both).precision == 1
    assert cs.boundaries(*both).recall == 0
    # a short document has no window, and the others have
    card = cs.score([0, 1, 0, 0, 1, 1], [0, 0, 0, 0, 0, 0], metrics="pk", documents=[1, 1, 2, 2, 2, 2])
    assert card.documents["pk"].tolist() == [0, 1]
    assert card["pk"].value == 1


REPEATED = (
    "2 labels come back after others in gold (e.g. 1 at position 3), so pk does not know its segments; if 0 and 1 mark "
    "where segments start, use Clustering.from_boundaries, for segment lengths Clustering.from_lengths (for a file: "
    'format="boundaries" or "lengths"); if every run of equal labels is a segment, use pk(runs=true)'
)


def test_zeros_and_ones_are_no_labels() -> None:
    gold, pred = [1, 0, 0, 1, 0], [1, 0, 0, 0, 0]
    warned = pytest.warns(cs.ClusterscoreWarning, match=r"nothing but 0 and 1.*Clustering\.from_boundaries")
    with warned, pytest.raises(cs.InputError) as raised:
        cs.pk(gold, pred)
    assert str(raised.value) == REPEATED
    made = map(cs.Clustering.from_boundaries, (gold, pred))
    assert cs.boundaries(*made).recall == 0


def test_a_label_that_comes_back() -> None:
    gold = {"p1": "news", "p2": "news", "p3": "sport", "p4": "news"}
    with pytest.raises(cs.InputError, match=r"1 label comes back after others in gold .e.g. 'news' at element 'p4'."):
        cs.boundaries(gold, gold)
    with pytest.raises(cs.InputError, match=r"after others in pred .e.g. 'news' at element 'p4'."):
        cs.boundaries(dict.fromkeys(gold, 0), gold)
    documents = dict(zip(gold, "abab", strict=True))
    with pytest.raises(cs.InputError, match="'x' at position 3"):  # of the user's order, not of the documents'
        cs.pk(["x", "x", "y", "x", "y"], [0, 0, 0, 0, 0], documents=["a", "a", "a", "a", "b"])
    assert cs.boundaries(gold, gold, documents=documents).f == 1  # in two documents it is two clusters
    score = cs.boundaries(gold, {"p1": 0, "p2": 1, "p3": 1, "p4": 2}, runs=True)
    assert (score.precision, score.recall) == (0.5, 0.5)
    assert "runs:true" in score.signature


def test_elements_go_in_the_order_of_gold() -> None:
    gold = dict(zip("abcdef", [0, 0, 0, 1, 1, 1], strict=True))
    pred = dict(zip("fbdcea", [2, 0, 1, 1, 2, 0], strict=True))
    assert cs.boundaries(gold, pred).precision == 0
    assert cs.boundaries(gold, pred) == cs.boundaries([0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 2, 2])
    assert cs.boundaries(gold, {**pred, "g": 1}, missing="drop").recall == 0
    with pytest.raises(cs.InputError, match='missing="singleton" adds elements without any'):
        cs.pk(gold, {**pred, "g": 1}, missing="singleton")
    assert cs.boundaries([["a", "b", "c"], ["d", "e", "f"]], [{"a", "b"}, {"d", "c"}, {"e", "f"}]).precision == 0
    # a label that means "no segment" leaves its elements out, or each alone
    assert cs.boundaries([0, 0, -1, 1], [0, 0, 5, 5], noise=-1, noise_as="drop").f == 1
    assert cs.boundaries([0, 0, -1, -1], [0, 0, 5, 5], noise=-1).recall == 0.5


MISTAKES: dict[str, tuple[Callable[[], Any], type[Exception], str]] = {
    "a matrix": (
        lambda: cs.pk(cs.Table.from_matrix([[5, 1], [0, 4]])),
        cs.InputError,
        "pk needs the order of the elements, which this Table does not know; pass gold and pred, or make it with "
        "Table.from_labels(gold, pred, members=True)",
    ),
    "k of a half": (lambda: cs.pk([0], [0], k=2.5), cs.MetricError, "pk: k=2.5 must be a whole number"),  # type: ignore[arg-type]
    "no k": (lambda: cs.pk([0], [0], k=0), cs.MetricError, "pk: k=0 is out of range"),
    "k of everything": (
        lambda: cs.window_diff(SEGMENTS([5, 5]), SEGMENTS([10]), k=10),
        cs.InputError,
        "window_diff(k=10) has no window: it needs more than 10 elements, and the longest "
        "document has 10; take a smaller k, or leave it out",
    ),
    "padded as nltk": (
        lambda: cs.metric("window_diff(padded=true, dialect=nltk-gaps)"),
        cs.MetricError,
        "window_diff: padded=true and dialect=nltk-gaps exclude each other; leave one of the two out",
    ),
    "chance": (
        lambda: cs.chance(SEGMENTS([2, 2]), SEGMENTS([4]), metrics="pk"),
        cs.MetricError,
        "pk scores segmentations, and shuffled labels are none; see what trivial ones get with cs.score(..., "
        "baselines=True)",
    ),
    "a sweep": (
        lambda: cs.sweep([0, 0, 1], [[0, 1, 0.1, 2], [2, 3, 0.5, 3]], metrics="pk"),
        cs.MetricError,
        "pk cannot be swept: it needs the order of the elements; these can: elm",
    ),
    "an estimate": (
        lambda: cs.estimate({"a": 1, "b": 2}, {"a": 1, "b": 1, "c": 2}, metrics="pk", weights="uniform"),
        cs.MetricError,
        "pk depends on the order of the elements, so it is not a sum over gold clusters",
    ),
    "constraints": (
        lambda: cs.constraints.check("pk"),
        cs.MetricError,
        "pk scores segmentations, and the cases of a constraint are in no order",
    ),
    "an engine": (
        lambda: cs.score_table("examples/both-*.csv", gold="true", pred="found", metrics="elm, pk"),
        cs.MetricError,
        "pk needs the order of the elements, but the rows of a table have none; use cs.score",
    ),
    "slices": (
        lambda: cs.score([0, 0, 1], [0, 1, 1], metrics="pk", by="xyy"),
        cs.InputTypeError,
        "by='xyy' is a single string",
    ),
    "slices of a segmentation": (
        lambda: cs.score([0, 0, 1], [0, 1, 1], metrics="pk", by=list("xyy")),
        cs.MetricError,
        "pk depends on the order of the elements, so it has no slices",
    ),
    "a matrix, document by document": (
        lambda: cs.metric("pk").values(cs.Table.from_matrix([[5, 1], [0, 4]])),
        cs.InputError,
        "pk needs the order of the elements, which this Table does not know",
    ),
    "sets": (
        lambda: cs.pk([{"a", "b"}, {"c"}], [["a", "b", "c"]]),
        cs.InputError,
        "pk needs the order of the elements, but gold consists of sets, which have none; pass ordered lists, "
        "or a mapping element -> segment",
    ),
    "overlap": (
        lambda: cs.pk([["a", "b"], ["b", "c"]], [["a"], ["b", "c"]]),
        cs.NotAPartition,
        "and pk is a measure of partitions",
    ),
}  # fmt: skip


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes(mistake: str) -> None:
    call, kind, message = MISTAKES[mistake]
    with pytest.raises(kind) as raised:
        call()
    assert message in str(raised.value)


def test_a_table_that_knows_its_elements() -> None:
    gold, pred = drawn(1, 300, 5)
    table = cs.Table.from_labels(gold, pred, members=True)
    for name in NAMES:
        assert cs.metric(name)(table) == cs.metric(name)(gold, pred)
    card = cs.score(table, metrics=[*NAMES, "elm"])
    assert card["elm"] == cs.elm(gold, pred)


def test_systems_are_compared_by_documents() -> None:
    gold, first = drawn(1, 2000, 6)
    second, documents = drawn(2, 2000, 6)[1], np.arange(2000) // 40
    comparison = cs.compare(gold, {"A": first, "B": second}, metrics=NAMES, documents=documents)
    for name in NAMES:
        assert comparison["A"][name].score == cs.metric(name)(gold, first, documents=documents)
        assert comparison["A"][name].rank == 1
        assert comparison["B"][name].difference.p < 0.01
    # sums over documents: a resample is scored as if these documents had been given
    shown = comparison["A"]["pk"].intervals.jackknife
    assert shown.low < comparison["A"]["pk"].score.value < shown.high


def test_without_documents_there_is_no_interval() -> None:
    gold, pred = drawn(1, 200, 6)
    text = str(cs.compare(gold, {"A": pred, "B": gold}, metrics="elm, pk"))
    assert "pk depends on the order of the elements, so it is not a sum over gold clusters" in text


def test_baselines_are_segmentations() -> None:
    gold, pred = drawn(1, 200, 6)
    card = cs.score(gold, pred, metrics="pk, elm", baselines=True)
    assert list(card.baselines) == ["singletons", "one_cluster", "mean_size"]
    for name, baseline in (("mean_size", cs.baselines.mean_size(gold)), ("singletons", cs.baselines.singletons(200))):
        assert card.baselines[name]["pk"].value == cs.pk(gold, baseline).value


def test_annotators() -> None:
    cuts = {"ann": SEGMENTS([3, 3, 4]), "bob": SEGMENTS([3, 4, 3]), "cleo": SEGMENTS([6, 4])}
    matrix = cs.agreement_matrix(cuts, metric="boundaries")
    assert matrix["ann", "bob"].value == 0.5
    assert matrix["ann", "cleo"].value == matrix["cleo", "ann"].value == pytest.approx(2 / 3)


STREAMS = "score {}.txt {}.txt --format-in {} -m boundaries,pk --format json"


@pytest.mark.parametrize("form", ["lengths", "boundaries"])
def test_page_streams_in_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str) -> None:
    monkeypatch.chdir(tmp_path)
    lines = {"lengths": ("3 2\n1 4\n", "3 2\n2 3\n"), "boundaries": ("10010\n11000\n", "10010\n10100\n")}[form]
    for name, text in zip(("gold", "pred"), lines, strict=True):
        Path(f"{name}.txt").write_text(text)
    done = CliRunner().invoke(cli, STREAMS.format("gold", "pred", form).split())
    scores = json.loads(done.stdout)["scores"]
    assert scores["boundaries"]["precision"] == scores["boundaries"]["recall"] == 0.5
    assert scores["pk"]["value"] == float(Fraction(1, 6))


def test_a_table_of_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Large enough for an engine by itself; rows of gold are the order, and the prediction has another."""
    monkeypatch.chdir(tmp_path)
    gold, pred = drawn(5, 40_000, 7)
    rows = {"gold.csv": list(enumerate(gold)), "pred.csv": random.Random(1).sample(list(enumerate(pred)), len(pred))}
    for name, pairs in rows.items():
        Path(name).write_text("element,cluster\n" + "".join(f"page {k},s{label}\n" for k, label in pairs))
    done = CliRunner().invoke(cli, ["score", "gold.csv", "pred.csv", "-m", "window_diff", "--format", "json"])
    assert json.loads(done.stdout)["scores"]["window_diff"]["value"] == cs.window_diff(gold, pred).value


@pytest.mark.usefixtures("without_plots")
def test_report(tmp_path: Path) -> None:
    gold, pred = drawn(1, 300, 6)
    page = cs.report(gold, pred, path=tmp_path / "page.html", metrics=["elm", *NAMES]).read_text(encoding="utf-8")
    assert "of the predicted boundaries between neighbours are right" in page
    assert f"{cs.pk(gold, pred).value:.4f}" in page
