"""Measures that single fields report: documents without error, pairs with oneself, the other half of the pairs."""

from __future__ import annotations

from collections import Counter
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
    lambda found: tuple(map(list, zip(*found, strict=True)))
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
        clusters = frame.groupby(["document", side]).apply(lambda each: frozenset(each.index), include_groups=False)
        return clusters.groupby("document").agg(set)

    return (sets("gold") == sets("pred")).tolist()


# Perfect documents -------------------------------------------------------------------------------------


def test_perfect_documents_of_many() -> None:
    frame = large(0)
    right = right_documents(frame)
    assert 0.2 < np.mean(right) < 0.8
    found = cs.score(frame.gold, frame.pred, documents=frame.document, metrics="stp")
    assert found.micro["perfect_documents"].value == found.macro["perfect_documents"].value == np.mean(right)
    assert sum(found.documents["perfect_documents"]) == sum(right)
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
    cells, gold, pred = (Counter(each).values() for each in (zip(*sides, strict=True), *sides))
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
    found = {name: cs.metric(name)(gold, pred).value for name in PAIRS}
    assert found["npv"] == cs.specificity(pred, gold).value
    plain, shares = cs.pairwise(gold, pred), [found["specificity"], found["npv"]]
    shares += [plain.precision, plain.recall]
    if all(shares) and len(set(gold)) > 1 and len(set(pred)) > 1:  # no share is 0/0
        assert found["p4"] == pytest.approx(4 / sum(1 / share for share in shares))
    ari = cs.adjusted_rand(gold, pred).value
    assert np.sign(round(found["phi"], 12)) == np.sign(round(ari, 12)) or len({*gold}) in (1, len(gold))


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
        ("pairwise(pairs=self, adjusted=true)", "adjusted goes with pairs=different only"),
        ("boundaries(first=given)", "first='given' is not an option; use one of 'out', 'counted'"),
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
