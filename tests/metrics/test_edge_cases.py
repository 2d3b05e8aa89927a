"""The documented table of edge cases: the documentation renders the same file that is checked here."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import clusterscore as cs

TABLE = json.loads((Path(__file__).resolve().parents[1] / "edge_cases.json").read_text(encoding="utf-8"))
CASES = {case["name"]: case for case in TABLE["cases"]}
MEASURES = list(TABLE["cases"][0]["scores"])
TOLERANCE = 1e-12
# no link to count, and 0/0 is 0 in coreference
EMPTY = {
    ("one element", "muc"), ("one element", "conll"), ("one element", "blanc(links=document)"),
    ("all singletons, both", "muc"), ("all singletons, both", "conll"),
}  # fmt: skip


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("name", CASES)
def test_edge_case(name: str, measure: str) -> None:
    case = CASES[name]
    score = cs.metric(measure)(case["gold"], case["pred"])
    expected: Any = case["scores"][measure]
    if isinstance(expected, list):
        values = [score.precision, score.recall, score.f]
    else:
        values, expected = [score.value], [expected]
    assert values == pytest.approx([float(Fraction(x)) for x in expected], abs=TOLERANCE, rel=0)


def test_every_case_has_every_measure() -> None:
    for case in CASES.values():
        assert list(case["scores"]) == MEASURES, case["name"]


def test_identical_clusterings_score_one() -> None:
    def pairs_of(case: dict[str, Any]) -> set[tuple[int, int]]:
        return set(zip(case["gold"], case["pred"], strict=True))

    identical = [c for c in CASES.values() if len(pairs_of(c)) == len(set(c["gold"])) == len(set(c["pred"]))]
    assert len(identical) == 4
    not_one = {measure for measure in MEASURES if cs.metric(measure).perfect != 1} - {"muc", "conll"}
    for case in identical:
        for measure in set(MEASURES) - not_one:
            if (case["name"], measure) not in EMPTY:
                assert set(case["scores"][measure]) == {"1"}, (case["name"], measure)
