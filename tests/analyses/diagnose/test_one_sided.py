"""Elements that only one side has: against sets of elements, companion by companion, in fractions."""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

import clusterscore as cs
from clusterscore.analyses.diagnose.losses import KINDS, ONE_SIDED

Labels = dict[Any, str]  # element -> cluster
SIDE = st.dictionaries(st.integers(0, 14), st.sampled_from("abcde"), max_size=14)
LESS = {"b3": 0, "lea": 1}  # whether an element is no companion of itself


def members(labels: Labels) -> dict[Any, set[Any]]:
    """The cluster of every element."""
    return {element: {other for other, name in labels.items() if name == labels[element]} for element in labels}


def right(element: Any, own: dict[Any, set[Any]], other: dict[Any, set[Any]], less: int) -> Fraction:
    """Which share of an element's companions on its own side are its companions on the other."""
    if element not in other:
        return Fraction(0)
    companions = own[element] - ({element} if less else set())
    if not companions:  # alone: right if it is alone there too
        return Fraction(len(other[element]) == 1)
    return Fraction(len(companions & other[element]), len(companions))


def by_hand(gold: Labels, pred: Labels, metric: str) -> tuple[dict[Any, Fraction], dict[Any, Fraction]]:
    """What every element costs, and what every kind of error does, also by what its loss comes from."""
    true, predicted, less = members(gold), members(pred), LESS[metric]
    recall = {element: right(element, true, predicted, less) for element in gold}
    precision = {element: right(element, predicted, true, less) for element in pred}
    r, p = (
        sum(shares.values(), Fraction(0)) / len(shares) if shares else Fraction(0) for shares in (recall, precision)
    )
    if not gold or not pred:
        c_p = c_r = Fraction(1)
    elif p + r == 0:
        c_p = c_r = Fraction(1, 2)
    else:
        c_p, c_r = r / (p + r), p / (p + r)  # 1 - 2PR/(P+R) = (R*(1-P) + P*(1-R)) / (P+R)
    cost: dict[Any, Fraction] = defaultdict(Fraction)
    kinds: dict[Any, Fraction] = defaultdict(Fraction)
    for side, scores, coefficient in (("gold", recall, c_r), ("pred", precision, c_p)):
        for element, score in scores.items():
            lost = coefficient * (1 - score) / len(scores)
            cost[element] += lost
            if not lost:
                continue
            if element not in gold or element not in pred:
                kinds["missing" if element in gold else "spurious"] += lost
                continue
            own, other = (true, predicted) if side == "gold" else (predicted, true)
            wrong = own[element] - other[element]
            blamed = ("missing", pred) if side == "gold" else ("spurious", gold)
            if not wrong:  # alone, by itself right: the other side gave it companions
                wrong = other[element] - own[element]
                blamed = ("spurious", gold) if side == "gold" else ("missing", pred)
            for companion in wrong:
                kind = blamed[0] if companion not in blamed[1] else kind_of(element, gold, pred)
                kinds[kind] += lost / len(wrong)
                if companion in blamed[1]:  # it is elsewhere, or a stranger
                    kinds[kind, "split" if blamed[0] == "missing" else "merged"] += lost / len(wrong)
    return cost, kinds


def kind_of(element: Any, gold: Labels, pred: Labels) -> str:
    """The kind of the cell of an element."""
    if element not in pred:
        return "missing"
    if element not in gold:
        return "spurious"
    true, predicted = members(gold)[element], members(pred)[element]
    true_shared, predicted_shared = true & pred.keys(), predicted & gold.keys()
    if true_shared == predicted_shared:
        return "exact"
    if len(true) == 1:
        return "missed singleton"
    if len(predicted) == 1:
        return "false singleton"
    return "split" if predicted_shared < true_shared else "merge" if true_shared < predicted_shared else "mixed"


@given(SIDE, SIDE, st.sampled_from(["b3", "lea"]))
@example({1: "a", 2: "a", 3: "a"}, {1: "b", 2: "b", 9: "b"}, "b3")  # nothing wrong but one missing and one spurious
@example({1: "a"}, {1: "b", 9: "b"}, "lea")  # alone in gold, and not there
@example({1: "a", 2: "a"}, {}, "b3")
@example({}, {1: "a"}, "lea")
@example({1: "a"}, {2: "a"}, "b3")
def test_by_definition(gold: Labels, pred: Labels, metric: str) -> None:
    assume(gold or pred)
    cost, kinds = by_hand(gold, pred, metric)
    score = cs.metric(metric)(gold, pred)
    rows = cs.elements(gold, pred, metric=metric)
    assert set(rows["element"]) == gold.keys() | pred.keys()
    assert len(rows) == len(gold.keys() | pred.keys())
    for element, own, other, loss in zip(rows["element"], rows["gold"], rows["pred"], rows["loss"], strict=True):
        assert (own, other) == (gold.get(element), pred.get(element))
        assert loss == pytest.approx(float(cost[element]), abs=1e-14)
    assert rows["loss"].sum() == pytest.approx(1 - score.f, abs=1e-14)
    assert rows["precision"].sum() == pytest.approx(score.precision * len(pred), abs=1e-12)
    assert rows["recall"].sum() == pytest.approx(score.recall * len(gold), abs=1e-12)

    errors = cs.errors(gold, pred, metric=metric)
    assert errors["kind"].tolist() == [*KINDS, *ONE_SIDED]
    assert errors["loss"].tolist() == pytest.approx([float(kinds[kind]) for kind in errors["kind"]], abs=1e-14)
    for cause in ("merged", "split"):
        by_cause = [float(kinds[kind, cause]) for kind in errors["kind"]]
        assert errors[cause].tolist() == pytest.approx(by_cause, abs=1e-14)
    counts = Counter(kind_of(element, gold, pred) for element in gold.keys() | pred.keys())
    assert dict(zip(errors["kind"], errors["elements"].tolist(), strict=True)) == {
        kind: counts[kind] for kind in errors["kind"]
    }
    cells = cs.error_cells(gold, pred, metric=metric)
    assert cells["loss"].sum() == pytest.approx(1 - score.f, abs=1e-14)
    assert cells["n"].sum() == len(rows)


@given(SIDE, SIDE)
def test_every_cluster_by_definition(gold: Labels, pred: Labels) -> None:
    assume(gold or pred)
    rows, elements = cs.clusters(gold, pred, metric="b3"), cs.elements(gold, pred, metric="b3")
    loss = dict(zip(elements["element"], elements["loss"], strict=True))
    by_cluster = {(row["side"], row["cluster"]): row for row in rows.records()}
    sides = {"gold": gold, "pred": pred}
    assert set(by_cluster) == {(side, name) for side, labels in sides.items() for name in labels.values()}
    for (side, name), row in by_cluster.items():
        own, other = sides[side], sides["pred" if side == "gold" else "gold"]
        inside = {element for element, label in own.items() if label == name}
        parts = Counter(other[element] for element in inside if element in other)
        assert (row["size"], row["parts"]) == (len(inside), len(parts))
        assert row["overlap"] == max(parts.values(), default=0)
        assert row["best_match"] is None if not parts else parts[row["best_match"]] == row["overlap"]
        assert row["loss"] == pytest.approx(sum(loss[element] for element in inside), abs=1e-14)


def test_documents_and_what_a_table_knows() -> None:
    """A table without elements says the same of its clusters, and clusters of different documents stay apart."""
    rng = np.random.default_rng(3)
    names = [(int(d), int(e)) for d, e in zip(rng.integers(0, 5, 400), rng.integers(0, 120, 400), strict=True)]
    sides = []
    for share in (0.8, 0.7):
        kept = sorted({name for name in names if rng.random() < share})
        labels = [f"c{k}" for k in rng.integers(0, 12, len(kept))]
        sides.append(cs.Clustering.from_labels(labels, elements=[e for _, e in kept], documents=[d for d, _ in kept]))
    plain = cs.Table.from_labels(*sides, missing="keep")
    full = cs.Table.from_labels(*sides, missing="keep", members=True)
    assert min(plain.one_sided) > 10
    assert plain.members is None
    for ask in (cs.clusters, cs.errors, cs.error_cells):
        of_plain, of_full = (
            {name: rows[name] for name in rows if name != "best_match"} for rows in (ask(plain), ask(full))
        )
        assert sorted(map(str, zip(*of_plain.values(), strict=True))) == sorted(
            map(str, zip(*of_full.values(), strict=True))
        )
    together = [{f"{d}/{e}": f"{d}/{name}" for d, e, name in zip(
        map(side.documents.__getitem__, range(len(side))), side.ids, side.labels[:], strict=True
    )} for side in sides]  # fmt: skip
    assert cs.errors(*together, metric="b3").rows() == [
        tuple(pytest.approx(value, abs=1e-13) if isinstance(value, float) else value for value in row)
        for row in cs.errors(full).rows()
    ]


def test_what_keeps_and_what_needs_both_sides() -> None:
    gold, pred = {"a": 1, "b": 1}, {"a": 1, "c": 1}
    assert cs.elements(gold, pred, missing="keep").rows() == cs.elements(gold, pred, metric="b3").rows()
    with pytest.raises(cs.InputError, match="elm needs the same elements on both sides, but 1 element only in gold"):
        cs.elements(gold, pred, metric="elm", missing="keep")
    with pytest.raises(cs.ElementMismatch, match="1 element is only in gold"):
        cs.elements(gold, pred, metric="b3", missing="error")
    same = cs.errors({"a": 1, "b": 2}, {"a": 1, "b": 1}, metric="b3")
    assert same["elements"].tolist() == [0, 0, 0, 0, 2, 0, 0, 0]
