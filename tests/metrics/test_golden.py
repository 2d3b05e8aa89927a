"""Our package against exact values worked out by hand and by the papers, through the public interface."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import clusterscore as cs

GOLDEN = Path(__file__).resolve().parents[1] / "golden"
TOLERANCE = 1e-12


def golden(name: str) -> dict[str, Any]:
    return json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))


ELM, ALPHAMAX, BLANC, MORENO = (golden(name) for name in ("elm", "alphamax", "blanc", "moreno_table1"))


def options(written: dict[str, Any]) -> dict[str, Any]:
    """Options are written as strings in JSON: "1/2" is a number, "auto" and "mean" are words."""
    chosen = {}
    for name, value in written.items():
        try:
            chosen[name] = value if isinstance(value, int) else float(Fraction(value))
        except ValueError:
            chosen[name] = value
    return chosen


def close(written: list[str] | str) -> Any:
    if isinstance(written, str):
        return pytest.approx(float(Fraction(written)), abs=TOLERANCE, rel=0)
    return pytest.approx([float(Fraction(value)) for value in written], abs=TOLERANCE, rel=0)


def prf(score: Any) -> list[float]:
    assert score.value == score.f
    return [score.precision, score.recall, score.f]


@pytest.mark.parametrize("case", ELM["cases"], ids=lambda case: case["name"])
@pytest.mark.parametrize("metric", ["bcubed", "elm"])
def test_bcubed_and_elm(case: dict[str, Any], metric: str) -> None:
    gold, pred, expected = case["gold"], case["pred"], case[metric]
    for name, written in ELM["options"].items():
        score = getattr(cs, metric)(gold, pred, **options(written))
        assert prf(score) == close([expected["P"], expected["R"], expected[name]]), name
    assert prf(getattr(cs, metric)(gold, pred)) == close([expected["P"], expected["R"], expected["F_mean_of_F"]])


@pytest.mark.parametrize("case", ELM["cases"], ids=lambda case: case["name"])
@pytest.mark.parametrize("metric", ["bcubed", "elm"])
def test_elements(case: dict[str, Any], metric: str) -> None:
    rows = cs.elements(case["gold"], case["pred"], metric=metric)
    for column, name in enumerate(("precision", "recall", "f")):
        expected = [per_element[column] for per_element in case[metric]["per_element"]]
        assert rows[name].tolist() == close(expected), name


@pytest.mark.parametrize("case", ELM["overlapping"], ids=lambda case: case["name"])
@pytest.mark.parametrize("metric", ["matched_elm", "matched_bcubed", "extended_bcubed"])
def test_overlapping(case: dict[str, Any], metric: str) -> None:
    gold, pred, expected = case["gold"], case["pred"], case[metric]
    for f, name in (("mean", "F_mean_of_F"), ("of-means", "F_of_means")):
        score = getattr(cs, metric)(gold, pred, f=f)
        assert prf(score) == close([expected["P"], expected["R"], expected[name]])
    rows = cs.elements(gold, pred, metric=metric)
    for column, name in enumerate(("precision", "recall", "f")):
        by_element = [expected["per_element"][element][column] for element in rows["element"]]
        assert list(rows[name]) == close(by_element), name


@pytest.mark.parametrize("case", ALPHAMAX["cases"], ids=lambda case: case["name"])
def test_alphamax_bcubed(case: dict[str, Any]) -> None:
    gold, pred = case["gold"], case["pred"]
    for beta, name in ((1, "F1"), (2, "F2"), (0.5, "F_half")):
        score = cs.bcubed(gold, pred, f="of-means", beta=beta)
        assert prf(score) == close([case["bcubed"][part] for part in ("P", "R", name)])
    for reading, variants in case["readings"].items():
        for name, expected in variants.items():
            chosen = options(ALPHAMAX["options"][name])
            score = cs.alphamax_bcubed(gold, pred, reading=reading, **chosen)
            assert prf(score) == close([expected[part] for part in ("P", "R", "F1")]), (reading, name)
            if "F2" in expected:
                assert score.alpha_hat == close(expected["alpha_hat"])
                score = cs.alphamax_bcubed(gold, pred, reading=reading, beta=2, **chosen)
                assert prf(score) == close([expected[part] for part in ("P", "R", "F2")])


@pytest.mark.parametrize("case", BLANC["cases"], ids=lambda case: case["id"])
@pytest.mark.parametrize("dialect", ["reference", "luo2014"])
def test_blanc(case: dict[str, Any], dialect: str) -> None:
    gold, pred = ([list(cluster) for cluster in case[side].split("|")] for side in ("gold", "pred"))
    # Where the reference scorer and the paper's words differ (N1: one mention, no link) we follow the paper.
    expected = case["expected"] if dialect == "reference" else case["luo2014"]
    assert prf(cs.blanc(gold, pred, dialect=dialect)) == close(expected)


def test_blanc_follows_the_reference_scorer_but_for_one_mention() -> None:
    differ = [case["id"] for case in BLANC["cases"] if case["perl_v8_01"] != case["expected"]]
    assert differ == ["N1"]
    assert cs.blanc(["a"], ["a"]).value == 1


@pytest.mark.parametrize("case", BLANC["system_mentions"], ids=lambda case: case["id"])
@pytest.mark.parametrize("dialect", ["reference", "luo2014"])
def test_blanc_with_system_mentions(case: dict[str, Any], dialect: str) -> None:
    gold, pred = ([list(cluster) for cluster in case[side].split("|")] for side in ("gold", "pred"))
    expected = case["perl_v8_01"] if dialect == "reference" else case["luo2014"]
    assert prf(cs.blanc(gold, pred, missing="keep", dialect=dialect)) == close(expected)


@pytest.mark.parametrize("name", BLANC["weights"])
def test_blanc_weight(name: str) -> None:
    case = next(case for case in BLANC["cases"] if case["id"] == name)
    gold, pred = ([list(cluster) for cluster in case[side].split("|")] for side in ("gold", "pred"))
    for weight, f in BLANC["weights"][name].items():
        assert cs.blanc(gold, pred, weight=float(Fraction(weight))).f == close(f), weight


@pytest.mark.parametrize("example", MORENO["examples"], ids=lambda example: example["name"])
@pytest.mark.parametrize("side", ["left", "right"])
def test_moreno_table(example: dict[str, Any], side: str) -> None:
    for row, asked in MORENO["rows"].items():
        score = getattr(cs, asked["metric"])(example["gold"], example[side], **options(asked["options"]))
        expected = example["values"][row][side == "right"]
        assert getattr(score, asked["part"]) == pytest.approx(expected, abs=TOLERANCE, rel=0), row
