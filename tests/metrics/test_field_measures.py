"""Measures that single fields report: perfect documents, pairs with oneself, templates of logs, old and new classes."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import clusterscore as cs

law = settings(max_examples=30, deadline=None, derandomize=True, database=None)
label = st.integers(0, 3)
rows = st.lists(st.tuples(label, label, st.integers(0, 3)), min_size=1, max_size=16).map(
    lambda drawn: tuple(map(list, zip(*drawn, strict=True)))
)
PAIRS = ["specificity", "npv", "p4", "phi", "pairwise(pairs=self)"]


def large(seed: int, elements: int = 45_000, documents: int = 9_000) -> pd.DataFrame:
    """Many small documents, about half of them right."""
    rng = np.random.default_rng(seed)
    document, gold = rng.integers(0, documents, elements), rng.integers(0, 4, elements)
    wrong = (rng.random(documents) < 0.5)[document] & (rng.random(elements) < 0.3)
    return pd.DataFrame({"document": document, "gold": gold, "pred": np.where(wrong, 7, gold)})


def right_documents(frame: pd.DataFrame) -> list[bool]:
    """For each document whether its clusters are the same sets on both sides."""

    def sets(side: str) -> pd.Series[Any]:
        clusters = frame.groupby(["document", side]).apply(lambda part: frozenset(part.index), include_groups=False)
        return clusters.groupby("document").agg(set)

    return (sets("gold") == sets("pred")).tolist()


# Perfect documents -------------------------------------------------------------------------------------


def test_perfect_documents_of_many() -> None:
    frame = large(0)
    right = right_documents(frame)
    assert 0.2 < np.mean(right) < 0.8
    card = cs.score(frame.gold, frame.pred, documents=frame.document, metrics="stp")
    assert card.micro["perfect_documents"].value == card.macro["perfect_documents"].value == np.mean(right)
    assert sum(card.documents["perfect_documents"]) == sum(right)
    seen = cs.Accumulator("stp")
    for _, part in frame.groupby(frame.document % 5):
        seen.update(part.gold, part.pred, documents=part.document)
    assert seen.result()["stp"].value == pytest.approx(np.mean(right), rel=1e-15)
    names = {"gold": "gold", "pred": "pred", "document": "document", "metrics": "stp"}
    assert cs.score_table(frame, **names)["stp"].value == np.mean(right)


@law
@given(rows)
def test_a_perfect_document_scores_one_under_every_measure_of_identity(drawn: Any) -> None:
    gold, pred, documents = drawn
    card = cs.score(gold, pred, documents=documents, metrics=["stp", "elm", "bcubed", "acc", "ari"])
    right = [score == 1 for score in card.documents["set_matching"]]
    assert [score == 1 for score in card.documents["perfect_documents"]] == right
    assert card["stp"].value == pytest.approx(np.mean(right), rel=1e-15)


def test_documents_are_no_sums_over_smaller_things() -> None:
    gold, pred = [0, 0, 1, 1], [0, 0, 1, 2]
    with pytest.raises(cs.MetricError, match="perfect_documents depends on whole documents, so it has no slices"):
        cs.score(gold, pred, metrics="stp", by=list("abab"))
    with pytest.raises(cs.MetricError, match="depends on whole documents, so it is not a sum over gold clusters"):
        cs.estimate(gold, pred, metrics="stp", weights="uniform")
    with pytest.raises(cs.MetricError, match="perfect_documents cannot be swept"):
        cs.sweep(gold, edges=[(0, 1, 0.5)], metrics="stp")
    compared = cs.compare(gold, {"A": pred, "B": gold}, metrics="stp", documents=[1, 1, 2, 2], resamples=50)
    assert tuple(compared[system]["stp"].score.value for system in "AB") == (0.5, 1.0)


# Pairs -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("documents", [False, True])
def test_pairs_of_many_elements(documents: bool) -> None:
    frame = large(1, documents=20_000)
    sides = [list(zip(frame.document, frame[side], strict=True)) for side in ("gold", "pred")]
    cells, gold, pred = (Counter(labels).values() for labels in (zip(*sides, strict=True), *sides))
    right, of_gold, of_pred = (sum(n * (n - 1) // 2 for n in sizes) for sizes in (cells, gold, pred))
    every = len(frame) * (len(frame) - 1) // 2
    tp, fp, fn = right, of_pred - right, of_gold - right
    tn = every - tp - fp - fn
    both = sum(n == a == b == 1 for n, a, b in cell_sizes(*sides))
    expected = {
        "specificity": tn / (tn + fp),
        "npv": tn / (tn + fn),
        "p4": 4 * tp * tn / (4 * tp * tn + (tp + tn) * (fp + fn)),
        "phi": (tp * tn - fp * fn) / ((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)) ** 0.5,
    }
    if documents:
        card = cs.score(frame.gold, frame.pred, documents=frame.document, metrics=PAIRS)
    else:
        card = cs.score(*(cs.Clustering.from_labels(side) for side in sides), metrics=PAIRS)
    assert {name: card[name].value for name in expected} == pytest.approx(expected, rel=1e-13)
    alone = [sum(n == 1 for n in sizes) for sizes in (gold, pred)]
    score = card["pairwise(pairs=self)"]
    assert both > 1000
    assert score.recall == pytest.approx((right + both) / (of_gold + alone[0]), rel=1e-15)
    assert score.precision == pytest.approx((right + both) / (of_pred + alone[1]), rel=1e-15)


def cell_sizes(gold: list[Any], pred: list[Any]) -> list[tuple[int, int, int]]:
    sizes = Counter(gold), Counter(pred)
    cells = Counter(zip(gold, pred, strict=True))
    return [(n, sizes[0][g], sizes[1][p]) for (g, p), n in cells.items()]


@law
@given(rows)
def test_pairs_that_are_apart_are_the_others(drawn: Any) -> None:
    gold, pred, _ = drawn
    values = {name: cs.metric(name)(gold, pred).value for name in PAIRS}
    assert values["npv"] == cs.specificity(pred, gold).value
    plain, shares = cs.pairwise(gold, pred), [values["specificity"], values["npv"]]
    shares += [plain.precision, plain.recall]
    if all(shares) and len(set(gold)) > 1 and len(set(pred)) > 1:  # no share is 0/0
        assert values["p4"] == pytest.approx(4 / sum(1 / share for share in shares))
    ari = cs.adjusted_rand(gold, pred).value
    assert np.sign(round(values["phi"], 12)) == np.sign(round(ari, 12)) or len({*gold}) in (1, len(gold))


@law
@given(rows)
def test_single_elements_that_stay_alone_never_hurt(drawn: Any) -> None:
    gold, pred, _ = drawn
    more = [[*side, *(f"alone {k}" for k in range(5))] for side in (gold, pred)]
    before, after = cs.pairwise(gold, pred, pairs="self"), cs.pairwise(*more, pairs="self")
    assert after.precision >= before.precision - 1e-15
    assert after.recall >= before.recall - 1e-15
    assert cs.pairwise(*more) == cs.pairwise(gold, pred)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("pairwise(pairs=all)", "pairs='all' is not an option; use one of 'different', 'self'"),
        ("pairwise(pairs=self, adjusted=true)", "adjusted=true and pairs=self exclude each other"),
        ("boundaries(first=marked)", "first='marked' is not an option; use one of 'out', 'counted', 'given'"),
        ("boundaries(empty=2)", "empty=2 is out of range; it is a finite number from 0 to 1"),
        ("panoptic(rule=exact)", "rule='exact' is not an option; use one of 'iou', 'majority'"),
        ("acc(mean=old)", "mean='old' is not an option; use one of 'elements', 'classes'"),
        ("phi(beta=2)", "phi has no parameter 'beta'"),
    ],
)
def test_options_that_do_not_exist(text: str, message: str) -> None:
    with pytest.raises(cs.MetricError, match=message.replace("(", r"\(")):
        cs.metric(text)


def test_defaults_leave_signatures_as_they_were() -> None:
    assert cs.metric("pairwise").signature.startswith("pairwise|beta:1|avg")
    assert cs.metric("pairwise(pairs=self)").signature.startswith("pairwise|beta:1|pairs:self|avg")
    assert "first" not in cs.metric("boundaries").signature
    assert "|first:counted|" in cs.metric("boundaries(first=counted)").signature


# Templates of logs -------------------------------------------------------------------------------------

template = st.sampled_from([None, "a", "b", "c", "d"])
parsed = st.lists(st.tuples(template, template), min_size=1, max_size=12).filter(lambda both: any(g for g, _ in both))


def of_logs(lines: list[Any], tool: str, only: list[str] | None = None) -> tuple[float, ...]:
    """GA, PGA and RGA as sets of lines; a line without a prediction is in one group of its kind, or in none."""
    kept = [(gold, pred) for gold, pred in lines if gold is not None]

    def groups(side: int) -> dict[Any, set[int]]:
        labels = {line[side] for line in kept} - ({None} if side and tool == "logparser" else set())
        return {label: {k for k, line in enumerate(kept) if line[side] == label} for label in labels}

    gold, pred = groups(0), groups(1)
    chosen = list(gold) if only is None else only
    right = [gold[label] for label in chosen if gold[label] in pred.values()]
    touched = [group for group in pred.values() if any(group & gold[label] for label in chosen)]
    counts = len(right), len(pred if only is None else touched)
    scored = sum(len(gold[label]) for label in chosen)
    return sum(map(len, right)) / scored, counts[0] / counts[1] if counts[1] else 0.0, len(right) / len(chosen)


def logs(card: Any) -> tuple[float, ...]:
    exact = card["cluster_match"]
    return card["ga"].value, exact.precision, exact.recall


@law
@given(parsed, st.sampled_from(["loghub", "logparser"]), st.data())
def test_logs_by_definition(lines: Any, tool: str, data: Any) -> None:
    gold, pred = map(list, zip(*lines, strict=True))
    metrics = ["ga", "cluster_match"]
    assert logs(cs.score(gold, pred, metrics=metrics, noise_as=tool)) == pytest.approx(of_logs(lines, tool))
    only = data.draw(st.lists(st.sampled_from(sorted({*gold} - {None})), min_size=1, unique=True))
    card = cs.score(gold, pred, metrics=metrics, noise_as=tool, only=only)
    assert logs(card) == pytest.approx(of_logs(lines, tool, only))
    assert "only:given" in card["ga"].signature


@pytest.mark.parametrize("tool", ["loghub", "logparser"])
def test_many_lines_in_every_door(tool: str) -> None:
    rng = np.random.default_rng(3)
    gold = rng.zipf(1.4, 45_000) % 900
    pred = np.where(rng.random(45_000) < 0.002, 901, gold // (1 + (gold % 7 == 0)))
    log = rng.integers(0, 3, 45_000)
    frame = pd.DataFrame({"LineId": range(45_000), "gold": gold, "pred": pred, "log": log}).astype("Int64")
    frame.loc[::97, "gold"], frame.loc[::89, "pred"] = pd.NA, pd.NA
    names = {"metrics": ["ga", "cluster_match", "pairwise"], "noise_as": tool}
    sides = [[None if pd.isna(label) else label for label in frame[side]] for side in ("gold", "pred")]
    expected = cs.score(*sides, documents=log, **names)
    known = list(zip(log.tolist(), *sides, strict=True))
    known = [line for line in known if line[1] is not None]
    sizes = [Counter((line[0], line[side]) for line in known) for side in (1, 2)]
    right = sum(
        n for (where, a, b), n in Counter(known).items()
        if n == sizes[0][where, a] == sizes[1][where, b] and (tool == "loghub" or b is not None)
    )  # fmt: skip
    assert expected["ga"].value == right / len(known)
    assert 0.05 < expected["ga"].value < 0.9
    import polars as pl

    for table in (frame, pl.from_pandas(frame), pl.from_pandas(frame).lazy()):
        card = cs.score_table(table, gold="gold", pred="pred", document="log", **names)
        assert {name: card[name] for name in card} == {name: expected[name] for name in expected}


def test_only_some_templates() -> None:
    gold, pred = ["a", "a", "b", "b", "c"], [1, 1, 2, 3, 3]
    with pytest.warns(cs.ClusterscoreWarning, match=r"only= names 1 cluster that gold does not have \(e.g. 'z'\)"):
        assert cs.score(gold, pred, metrics="cluster_match", only=["a", "z"])["cluster_match"].recall == 0.5
    apart = cs.score(gold, pred, metrics="ga", only=["a", "c"], documents=list("yxxxz"), average="macro")
    assert (apart["ga"].value, apart.documents["document"].tolist()) == (1.0, ["y", "x", "z"])
    apart = cs.score(gold, pred, metrics="ga", only=["c"], documents=list("yyxxz"), average="macro")
    assert (apart["ga"].value, apart.documents["document"].tolist()) == (1.0, ["z"])  # others have none
    for bad, message in {
        "a": "only='a' must be a list with labels",
        (): r"only=\(\) must be a list with labels",
        3: "only=3 must be a list with labels",
    }.items():
        with pytest.raises(cs.InputTypeError, match=message):
            cs.score(gold, pred, metrics="ga", only=bad)
    with pytest.raises(cs.InputTypeError, match="must be a list with labels"):
        cs.score(gold, pred, metrics="ga", only=["a", []])
    with pytest.raises(cs.InputError, match="only= names 1 cluster that gold does not have"):
        cs.score(gold, pred, metrics="ga", only=["y"])
    with pytest.raises(cs.InputError, match="write it like the labels"):
        cs.score([1, 1, 2], pred[:3], metrics="ga", only=["1"])
    with pytest.raises(cs.InputError, match="elm needs all gold clusters, and only= leaves some of them"):
        cs.score(gold, pred, metrics="elm", only=["b"])
    with pytest.raises(cs.InputError, match="only= and by= exclude each other"):
        cs.score(gold, pred, metrics="ga", only=["b"], by=gold)
    with pytest.raises(cs.InputError, match="only= is for single elements"):
        cs.score(cs.Table.from_labels(gold, pred), metrics="ga", only=["b"])


# Page streams as they were marked ----------------------------------------------------------------------

flags = st.lists(st.integers(0, 1), min_size=1, max_size=7)


@pytest.mark.filterwarnings("ignore::clusterscore.ClusterscoreWarning")
@law
@given(st.lists(flags.flatmap(lambda gold: st.tuples(st.just(gold), st.permutations(gold))), min_size=1, max_size=4))
def test_first_pages_as_given(streams: Any) -> None:
    gold, pred = (dict(enumerate(side)) for side in zip(*streams, strict=True))
    sides = [cs.Clustering.from_boundaries(side) for side in (gold, pred)]
    counts = np.zeros(3)
    for a, b in streams:
        counts += sum(map(np.logical_and, a, b)), sum(b), sum(a)
    score = cs.boundaries(*sides, first="given", empty=0)
    assert score.precision == pytest.approx(counts[0] / counts[1] if counts[1] else 0)
    assert score.recall == pytest.approx(counts[0] / counts[2] if counts[2] else 0)
    flat = [cs.Clustering.from_boundaries(np.concatenate(list(side.values()))) for side in (gold, pred)]
    where = [k for k, (stream, _) in enumerate(streams) for _ in stream]
    again = cs.boundaries(*flat, first="given", empty=0, documents=where)
    assert (again.precision, again.recall) == (score.precision, score.recall)
    labels = [cs.Clustering.from_labels(side.codes, elements=side.ids, documents=where) for side in sides]
    assert cs.boundaries(*labels, first="given").f == cs.boundaries(*sides, first="counted").f  # labels always start


# Old and new classes -----------------------------------------------------------------------------------


def alignments(gold: list[int], pred: list[int]) -> Any:
    """Every way to give each class one cluster, or none, and no cluster twice."""
    classes, clusters = sorted(set(gold)), sorted(set(pred))
    for chosen in product([None, *clusters], repeat=len(classes)):
        used = [cluster for cluster in chosen if cluster is not None]
        if len(set(used)) == len(used):
            yield dict(zip(classes, chosen, strict=True))


@pytest.mark.filterwarnings("ignore::clusterscore.ClusterscoreWarning")
@settings(max_examples=150, deadline=None, derandomize=True, database=None)
@given(st.lists(st.tuples(label, label), min_size=1, max_size=14), st.sets(label, min_size=1))
def test_the_best_of_equal_alignments(rows: Any, old: set[int]) -> None:
    gold, pred = map(list, zip(*rows, strict=True))
    size, cells = Counter(gold), Counter(rows)

    def figures(alignment: dict[int, int | None]) -> tuple[Any, ...]:
        matched = {label: cells[label, cluster] for label, cluster in alignment.items()}
        shares = {label: Fraction(matched[label], size[label]) for label in matched}
        seen = sum(number for label, number in matched.items() if label in old)
        return sum(matched.values()), seen, sum(shares.values()), shares

    best = max(figures(alignment)[:3] for alignment in alignments(gold, pred))
    equal = [figures(alignment)[3] for alignment in alignments(gold, pred) if figures(alignment)[:3] == best]
    kinds = {"old": {*gold} & old, "new": {*gold} - old}
    v2 = cs.score(gold, pred, metrics="acc", old=old).slices["acc"]
    v2b = cs.score(gold, pred, metrics="acc(mean=classes)", old=old)
    known = v2b.slices["acc(mean=classes)"]
    assert {*v2} == {*known} == {kind for kind, labels in kinds.items() if labels}
    assert v2b["acc(mean=classes)"].value == pytest.approx(float(best[2] / len(size)), abs=1e-12)
    matched = {"old": best[1], "new": best[0] - best[1]}
    for kind, labels in kinds.items():
        if labels:
            assert v2[kind].value == pytest.approx(matched[kind] / sum(size[label] for label in labels), abs=1e-12)
            means = [sum(shares[label] for label in labels) / len(labels) for shares in equal]
            assert any(known[kind].value == pytest.approx(float(mean), abs=1e-12) for mean in means)
    shares = {
        label: score.value
        for label, score in cs.score(gold, pred, metrics="acc", old=old, by=gold).slices["acc"].items()
    }
    assert any(shares == pytest.approx({k: float(v) for k, v in exact.items()}, abs=1e-12) for exact in equal)


def test_many_classes_with_many_equal_alignments() -> None:
    rng = np.random.default_rng(5)
    gold = rng.integers(0, 200, 40_000)
    pred = np.where(rng.random(40_000) < 0.6, gold % 150, rng.integers(0, 180, 40_000))
    old = range(100)
    cards = {m: cs.score(gold, pred, metrics=m, old=old) for m in ("acc", "acc(match=slice)", "acc(mean=classes)")}
    acc, apart, classes = (card[name] for name, card in cards.items())
    assert acc.value == cs.set_matching(gold, pred).value <= apart.value
    v2, v2b = cards["acc"].slices["acc"], cards["acc(mean=classes)"].slices["acc(mean=classes)"]
    shares = [(gold < 100).mean(), (gold >= 100).mean()]
    assert shares[0] * v2["old"].value + shares[1] * v2["new"].value == pytest.approx(acc.value, abs=1e-12)
    assert (v2b["old"].value + v2b["new"].value) / 2 == pytest.approx(classes.value, abs=1e-12)
    # 6 x 6 classes of the same shape: every order of them has the same number of elements
    gold, pred = map(np.repeat, zip(*product(range(6), range(6)), strict=True), [3, 3])
    slices = cs.score(gold, pred, metrics="acc", old=[0, 1, 2]).slices["acc"]
    assert {kind: score.value for kind, score in slices.items()} == pytest.approx({"old": 1 / 6, "new": 1 / 6})


@pytest.mark.parametrize("metric", ["acc", "acc(match=slice)", "acc(mean=classes)"])
def test_no_class_is_old(metric: str) -> None:
    card = cs.score([0, 0, 1, 1], [1, 1, 0, 1], metrics=metric, old=set())
    (slices,) = card.slices.values()
    assert {part: score.value for part, score in slices.items()} == {"new": 0.75}


@pytest.mark.parametrize("bad", ["cat", 7, {}, [[1]]])
def test_old_classes_are_a_list(bad: Any) -> None:
    with pytest.raises(cs.InputTypeError, match=r"old=.* must be a list with labels of gold clusters"):
        cs.score(["cat", "dog"], [1, 2], metrics="acc", old=bad)


def test_old_classes_are_spelled_as_they_are() -> None:
    with pytest.raises(cs.InputError, match="old='1' is not a label here, but 1 is; write it like the labels"):
        cs.score([1, 1, 2], [1, 2, 2], metrics="acc", old=["1"])
    card = cs.score([1, 1, 2], [1, 2, 2], metrics="acc", old=[9, 1])  # a class without an element is no mistake
    assert {kind: score.value for kind, score in card.slices["acc"].items()} == {"old": 0.5, "new": 1.0}
    assert list(cs.score([1, 1, 2], [1, 2, 2], metrics="acc", old=[1, 2]).slices["acc"]) == ["old"]
    warning = r"old= names 1 cluster that gold does not have \(e.g. 9\): all of them are new"
    with pytest.warns(cs.ClusterscoreWarning, match=warning):
        assert list(cs.score([1, 1, 2], [1, 2, 2], metrics="acc", old=[9]).slices["acc"]) == ["new"]
    mask = np.array([1, 1, 2]) == 1  # to whoever looks for labels, these are 0 and 1
    for old in (mask, mask.tolist()):
        with pytest.raises(cs.InputTypeError, match="old= is a mask; list the labels of gold clusters"):
            cs.score([1, 1, 2], [1, 2, 2], metrics="acc", old=old)
    assert list(cs.score([True, True, False], [1, 2, 2], metrics="acc", old=[True]).slices["acc"]) == ["old", "new"]
