"""The oracle against the exact golden values, and against even slower counting, before anything trusts it."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from itertools import permutations, product
from pathlib import Path
from typing import Any

import brute_force as oracle
import image_measures
import pytest

from overlap import by_definition

TESTS = Path(__file__).resolve().parents[1]


def golden(name: str) -> dict[str, Any]:
    return json.loads((TESTS / "golden" / f"{name}.json").read_text(encoding="utf-8"))


EDGE_CASES = json.loads((TESTS / "edge_cases.json").read_text(encoding="utf-8"))["cases"]
ELM, ALPHAMAX, BLANC, MORENO = (golden(name) for name in ("elm", "alphamax", "blanc", "moreno_table1"))


def exact(value: Any) -> Any:
    """Options are written as strings in JSON: "1/2" is a number, "auto" and "mean" are words."""
    try:
        return Fraction(value)
    except ValueError:
        return value


def options(written: dict[str, Any]) -> dict[str, Any]:
    return {name: value if isinstance(value, int) else exact(value) for name, value in written.items()}


def fractions(written: list[str]) -> tuple[Fraction, ...]:
    return tuple(map(Fraction, written))


@pytest.mark.parametrize("case", ELM["cases"], ids=lambda case: case["name"])
@pytest.mark.parametrize("metric", ["bcubed", "elm"])
def test_bcubed_and_elm(case: dict[str, Any], metric: str) -> None:
    gold, pred, expected = tuple(case["gold"]), tuple(case["pred"]), case[metric]
    for name, written in ELM["options"].items():
        score = getattr(oracle, metric)(gold, pred, **options(written))
        assert score == fractions([expected["P"], expected["R"], expected[name]]), name
    half = Fraction(1, 2)
    rows = oracle.elements(gold, pred, metric == "elm")
    for row, per_element in zip(rows, expected["per_element"], strict=True):
        assert (row.precision, row.recall, row.f(half, half)) == fractions(per_element)


@pytest.mark.parametrize("case", ALPHAMAX["cases"], ids=lambda case: case["name"])
def test_alphamax(case: dict[str, Any]) -> None:
    gold, pred = tuple(case["gold"]), tuple(case["pred"])
    for beta, name in ((1, "F1"), (2, "F2"), (Fraction(1, 2), "F_half")):
        score = oracle.bcubed(gold, pred, f="of-means", beta=beta)
        assert score == fractions([case["bcubed"][part] for part in ("P", "R", name)])
    for name, weights in case["weights"].items():
        chosen = options(ALPHAMAX["weight_options"][name])
        assert tuple(oracle.delta_weights(gold, chosen["delta"], chosen["delta_norm"])) == fractions(weights)
    _, majority = oracle.super_sets(gold, pred)
    for cluster, label in majority.items():
        assert case["superset_of_cluster"][str(pred[min(cluster)])] == (label or "tie")
    for reading, variants in case["readings"].items():
        for name, expected in variants.items():
            chosen = options(ALPHAMAX["options"][name])
            score = oracle.alphamax_bcubed(gold, pred, reading=reading, **chosen)
            assert score[:3] == fractions([expected[part] for part in ("P", "R", "F1")]), (reading, name)
            if "F2" in expected:
                assert oracle.alphamax_bcubed(gold, pred, reading=reading, beta=2).f == Fraction(expected["F2"])
                assert score.alpha_hat == Fraction(expected["alpha_hat"])
                assert (score.eta, score.alpha) == (fractions(expected["eta"]), fractions(expected["alpha"]))


@pytest.mark.parametrize("case", BLANC["cases"], ids=lambda case: case["id"])
def test_blanc(case: dict[str, Any]) -> None:
    gold, pred = case["gold"].split("|"), case["pred"].split("|")
    true, predicted = oracle.links_of(gold), oracle.links_of(pred)
    assert case["counts"] == {
        "rc": len(true.together & predicted.together),
        "wc": len(predicted.together - true.together),
        "rn": len(true.apart & predicted.apart),
        "wn": len(predicted.apart - true.apart),
    }
    assert oracle.blanc_of_clusters(gold, pred) == fractions(case["expected"])
    assert oracle.blanc_of_clusters(gold, pred, dialect="luo2014") == fractions(case["luo2014"])
    # One mention and no link: the paper's words give 1, the reference scorer prints 0. We follow the paper.
    if case["id"] != "N1":
        assert case["perl_v8_01"] == case["expected"]


@pytest.mark.parametrize("case", BLANC["system_mentions"], ids=lambda case: case["id"])
def test_blanc_with_system_mentions(case: dict[str, Any]) -> None:
    gold, pred = case["gold"].split("|"), case["pred"].split("|")
    true, predicted = oracle.links_of(gold), oracle.links_of(pred)
    assert case["link_counts"] == {
        "rc": len(true.together & predicted.together),
        "key_coref": len(true.together),
        "resp_coref": len(predicted.together),
        "rn": len(true.apart & predicted.apart),
        "key_noncoref": len(true.apart),
        "resp_noncoref": len(predicted.apart),
    }
    assert oracle.blanc_of_clusters(gold, pred) == fractions(case["perl_v8_01"])
    assert oracle.blanc_of_clusters(gold, pred, dialect="luo2014") == fractions(case["luo2014"])


@pytest.mark.parametrize("name", BLANC["weights"])
def test_blanc_weight(name: str) -> None:
    case = next(case for case in BLANC["cases"] if case["id"] == name)
    gold, pred = case["gold"].split("|"), case["pred"].split("|")
    for weight, f in BLANC["weights"][name].items():
        assert oracle.blanc_of_clusters(gold, pred, weight=Fraction(weight)).f == Fraction(f)


@pytest.mark.parametrize("example", MORENO["examples"], ids=lambda example: example["name"])
def test_moreno_table(example: dict[str, Any]) -> None:
    for side in (0, 1):
        gold, pred = tuple(example["gold"]), tuple(example[("left", "right")[side]])
        for row, asked in MORENO["rows"].items():
            score = getattr(oracle, asked["metric"])(gold, pred, **options(asked["options"]))
            value = score if asked["part"] == "value" else getattr(score, asked["part"])
            assert float(value) == pytest.approx(example["values"][row][side], abs=1e-15), row


SMALL = [
    ((0, 0, 0, 1, 1, 2), (0, 0, 1, 1, 2, 2)),
    ((0, 0, 0, 0, 1, 1), (0, 1, 1, 1, 1, 1)),
    ((0, 1, 2, 3, 3, 3), (0, 0, 0, 1, 1, 1)),
    ((0, 0, 1, 1, 2), (0, 1, 2, 3, 3)),
]


@pytest.mark.parametrize(("gold", "pred"), SMALL)
def test_chance_is_the_mean_over_all_permutations(gold: oracle.Labels, pred: oracle.Labels) -> None:
    shuffled = list(permutations(pred))
    information = math.fsum(oracle.mutual_information(gold, p) for p in shuffled) / len(shuffled)
    assert oracle.expected_mutual_information(gold, pred) == pytest.approx(information, abs=1e-14)
    assert oracle.mean([oracle.adjusted_rand(gold, p) for p in shuffled]) == 0


@pytest.mark.parametrize(("gold", "pred"), SMALL)
def test_set_matching_is_the_best_of_all_permutations(gold: oracle.Labels, pred: oracle.Labels) -> None:
    rows, columns = list(set(gold)), list(set(pred))
    # Rows left without a column are aligned to a column that holds nothing.
    columns += [None] * len(rows)
    best = 0
    for order in permutations(columns, len(rows)):
        chosen = dict(zip(rows, order, strict=True))
        best = max(best, sum(chosen[g] == p for g, p in zip(gold, pred, strict=True)))
    assert oracle.set_matching(gold, pred) == Fraction(best, len(gold))


@pytest.mark.parametrize(("gold", "pred"), SMALL)
def test_tuple_recall_counts_tuples(gold: oracle.Labels, pred: oracle.Labels) -> None:
    shares = []
    for true, predicted in zip(oracle.cluster_of(gold), oracle.cluster_of(pred), strict=True):
        tuples = list(product(true, repeat=2))
        shares.append(Fraction(sum(predicted.issuperset(t) for t in tuples), len(tuples)))
    assert oracle.adapted_bcubed(gold, pred, order=3, recall="tuples").recall == oracle.mean(shares)


@pytest.mark.parametrize("case", EDGE_CASES, ids=lambda case: case["name"])
def test_edge_case_table_is_what_the_oracle_says(case: dict[str, Any]) -> None:
    for measure, written in case["scores"].items():
        name, _, option = measure.rstrip(")").partition("(")
        chosen = dict(part.split("=") for part in option.split(", ")) if option else {}
        sides = tuple(case["gold"]), tuple(case["pred"])
        if hasattr(oracle, name):
            score = getattr(oracle, name)(*sides, **chosen)
        elif hasattr(image_measures, name):
            score = getattr(image_measures, name)(*sides, **chosen)
            score = score["value"] if isinstance(score, dict) else score
        else:
            score = getattr(by_definition, name)(*map(by_definition.of_labels, sides), **chosen)
        if isinstance(score, float):
            assert score == pytest.approx(float(Fraction(written)), abs=1e-15), measure
        else:
            scores = list(score[:3]) if isinstance(score, tuple) else [score]
            assert scores == [Fraction(x) for x in (written if isinstance(written, list) else [written])], measure
