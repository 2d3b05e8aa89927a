"""The definitions, as written out here, against exact golden values and the measures of partitions."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import brute_force
import pytest
from test_against_oracle import partitions

from overlap import by_definition
from overlap.clusterings import covers, is_partition

GOLDEN = Path(__file__).resolve().parents[1] / "golden" / "elm.json"
CASES = json.loads(GOLDEN.read_text(encoding="utf-8"))["overlapping"]
HALF = Fraction(1, 2)
PARTITIONS = [pair for n in (1, 2, 3, 4) for pair in product(partitions(n), repeat=2)]


def exact(written: list[str]) -> tuple[Fraction, ...]:
    return tuple(map(Fraction, written))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
@pytest.mark.parametrize("measure", ["matched_elm", "matched_bcubed", "extended_bcubed"])
def test_golden(case: dict[str, Any], measure: str) -> None:
    gold, pred, expected = case["gold"], case["pred"], case[measure]
    rows = by_definition.element_scores(measure, gold, pred, HALF, HALF)
    assert rows == [exact(row) for row in expected["per_element"]]
    for f, name in (("mean", "F_mean_of_F"), ("of-means", "F_of_means")):
        score = getattr(by_definition, measure)(gold, pred, f=f)
        assert score == exact([expected["P"], expected["R"], expected[name]])


F_OPTIONS: list[dict[str, Any]] = [{}, {"f": "of-means"}, {"beta": 2}, {"w_fp": Fraction(3), "w_fn": Fraction(1, 3)}]
EQUAL_ON_PARTITIONS = {"matched_elm": "elm", "matched_bcubed": "bcubed", "extended_bcubed": "bcubed"}


@pytest.mark.parametrize(
    ("measure", "of_partitions", "options"),
    [
        *((measure, same, options) for measure, same in EQUAL_ON_PARTITIONS.items() for options in F_OPTIONS),
        ("omega", "adjusted_rand", {}),
    ],
)
def test_on_partitions(measure: str, of_partitions: str, options: dict[str, Any]) -> None:
    for gold, pred in PARTITIONS:
        sides = by_definition.of_labels(gold), by_definition.of_labels(pred)
        expected = getattr(brute_force, of_partitions)(gold, pred, **options)
        assert getattr(by_definition, measure)(*sides, **options) == expected, (gold, pred)


@pytest.mark.parametrize("alpha", [0.1, 0.5, 0.9])
def test_element_centric_on_partitions(alpha: float) -> None:
    for gold, pred in PARTITIONS:
        true, predicted = by_definition.of_labels(gold), by_definition.of_labels(pred)
        expected = sum(len(x & y) ** 2 / max(len(x), len(y)) for x in true for y in predicted) / len(gold)
        assert by_definition.element_centric(true, predicted, alpha) == pytest.approx(expected, abs=1e-14)


def test_all_small_clusterings() -> None:
    assert [len(list(covers(1, most))) for most in (1, 2, 3)] == [1, 2, 3]
    # two elements: {0,1} | {0}{1}, {0,1}{0}, {0,1}{1}, {0,1}{0,1}
    assert [len(list(covers(2, most))) for most in (1, 2)] == [1, 5]
    assert sum(map(is_partition, covers(3, 3))) == 5
    assert len(set(covers(3, 4))) == len(list(covers(3, 4)))
