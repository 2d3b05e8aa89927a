"""The newer measures: exact values by definition, verified with the programs of their authors where there are any."""

from __future__ import annotations

import json
from fractions import Fraction
from math import isqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import clusterscore as cs

GOLDEN = Path(__file__).resolve().parents[1] / "golden" / "measures"
pytestmark = pytest.mark.filterwarnings("ignore::clusterscore.ClusterscoreWarning")


def cases(name: str) -> Any:
    """Small cases by their labels, large ones by a rule for the label of element k."""
    content = json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))
    given = [case for size in ("cases", "medium", "large") for case in content.get(size, [])]
    return pytest.mark.parametrize("case", given, ids=lambda case: case["name"])


def sides(case: dict[str, Any]) -> list[Any]:
    if "n" not in case:
        return [case["gold"], case["pred"]]
    rules = (compile(case[side], side, "eval") for side in ("gold", "pred"))
    return [np.array([eval(rule, {"k": k, "isqrt": isqrt}) for k in range(case["n"])]) for rule in rules]


def near(value: str | int, tolerance: float = 1e-9) -> Any:
    return pytest.approx(float(Fraction(value)), rel=tolerance, abs=tolerance)


@cases("pair_counting")
def test_pairs(case: dict[str, Any]) -> None:
    gold, pred = sides(case)
    scores = {
        "correlation": cs.correlation(gold, pred),
        "correlation distance": cs.correlation_distance(gold, pred),
        "sokal sneath 1": cs.sokal_sneath(gold, pred),
    }
    for name, score in scores.items():
        assert score.value == near(case["values"][name]), name


@cases("standardized")
def test_standardized(case: dict[str, Any]) -> None:
    score = cs.standardized_rand(*sides(case))
    if case["values"]["z"] is None:  # every prediction of these sizes scores the same
        assert (score.value, score.p_adjusted) == (0, 0.5)
    else:
        assert score.value == near(case["values"]["z"])
        assert score.p_adjusted == near(case["values"]["normal(z)"])


@cases("chance_models")
@pytest.mark.parametrize("model", ["num", "all"])
def test_chance_models(case: dict[str, Any], model: str) -> None:
    score, expected = cs.adjusted_rand(*sides(case), model=model), case["values"][f"{model}1"]
    assert score.value == near(expected["adjusted_rand"])
    assert score.expected == near(expected["expected_rand"])


@cases("balanced")
def test_class_weights(case: dict[str, Any]) -> None:
    gold, pred = sides(case)
    for name in ("ari", "homogeneity", "completeness", "v_measure"):
        assert cs.metric(f"{name}(weights=class)")(gold, pred).value == near(case["values"][name]), name


@cases("more")
def test_matchings_and_halves(case: dict[str, Any]) -> None:
    gold, pred = sides(case)
    ratio, index = cs.matching_ratio(gold, pred), cs.centroid_index(gold, pred)
    parts = cs.variation_of_information(gold, pred)
    values = {
        "matching_ratio": ratio.value,
        "sensitivity": ratio.sensitivity,
        "ppv": ratio.ppv,
        "accuracy squared": ratio.accuracy**2,
        "fraction": ratio.fraction,
        "jaccard_error_rate": cs.jaccard_error_rate(gold, pred).value,
        "centroid_index": index.value,
        "centroid_index.missed": index.missed,
        "centroid_index.extra": index.extra,
        "vi.split": parts.split,
        "vi.merge": parts.merge,
    }
    if case["values"]["goodman_kruskal_tau"] is not None:
        values["goodman_kruskal_tau"] = cs.goodman_kruskal_tau(gold, pred).precision
    bits = cs.variation_of_information(gold, pred, base=2)
    assert bits.split == pytest.approx(parts.split / np.log(2), abs=1e-12)
    for name, value in values.items():
        if name in case["values"]:
            assert value == near(case["values"][name]), name
        elif f"{name} (float)" in case["values"]:
            assert value == near(case["values"][f"{name} (float)"], 1e-7), name


@cases("reduced_mi")
def test_reduced_mi(case: dict[str, Any]) -> None:
    gold, pred = sides(case)
    values = {
        "normalized_gold": cs.reduced_mi(gold, pred).value,
        "normalized_pred": cs.reduced_mi(pred, gold).value,
        "normalized_mean": cs.reduced_mi(gold, pred, normalization="mean").value,
        "reduced": cs.reduced_mi(gold, pred, normalization=None).value * len(gold),
    }
    for name, value in values.items():
        assert value == near(case["values"][name]), name


def test_reduced_mi_as_its_authors_print_it() -> None:
    published = json.loads((GOLDEN / "reduced_mi.json").read_text(encoding="utf-8"))["published"]["gold 3x9, pred 9x3"]
    gold, pred = [k // 9 for k in range(27)], [k // 3 for k in range(27)]
    assert f"{cs.reduced_mi(gold, pred).value:.3f}" == published["normalized_gold"]
    assert f"{cs.reduced_mi(gold, pred, normalization='mean').value:.3f}" == published["normalized_mean"]
    assert f"{cs.reduced_mi(pred, gold).value:.3f}" == published["normalized_pred"]
