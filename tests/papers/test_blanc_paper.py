"""BLANC reproduced: a row for every formula and rule, and what the rows rest on against exact golden values."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import clusterscore as cs
from reproduce import blanc
from reproduce.result import Result, printed_rows

GOLDEN = json.loads((Path(__file__).resolve().parents[1] / "golden" / "blanc.json").read_text(encoding="utf-8"))
CASES = [*GOLDEN["cases"], *GOLDEN["system_mentions"]]


@pytest.fixture(scope="module")
def result() -> Result:
    return blanc.reproduce(None)


def test_every_formula_and_every_rule_has_its_row_and_matches(result: Result) -> None:
    printed = [
        str(cell)
        for table in ("Table 1", "Table 2")
        for line in printed_rows("R", table)
        for name, cell in line.items()
        if name not in ("gold \\ system", "score")
    ]
    assert [row.printed for row in result.rows if "Table" in row.section] == printed
    rules = [(line["condition"], line["printed"]) for line in printed_rows("R", "text")]
    assert [(row.quantity, row.printed) for row in result.rows if "Sec." in row.section] == rules
    assert (len(printed), len(rules)) == (18, 12)
    assert all(row.match is True and row.known for row in result.rows)
    assert (result.paper, list(result.figures), list(result.skipped)) == ("blanc", [], [])


def test_a_wrong_blanc_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    right = blanc.scored()

    def regressed(name: str, wrong: Any) -> set[str]:
        monkeypatch.setattr(blanc, "scored", lambda: {**right, name: wrong})
        rows = [row for row in blanc.reproduce(None).rows if row.regressed]
        assert all(" of " in str(row.computed) for row in rows)
        return {row.section for row in rows}

    assert regressed("both", 0.99 * right["both"]) >= {"R Table 2", "R Sec. 2.2 1a", "R Sec. 2.2 4b", "R Sec. 2.1"}
    assert regressed("both", right["both"] + 0.6) >= {"R Sec. 2.2 1b", "R Sec. 2.2 near boundary"}
    assert regressed("c", right["c"] + 0.01) >= {"R Sec. 2.2 2c", "R Sec. 2.2 3a", "R Sec. 2.2 4a"}
    assert regressed("n", right["n"] + 0.01) >= {"R Sec. 2.2 1c", "R Sec. 2.2 3b", "R Sec. 2.2 4b"}
    assert regressed("linked_right", np.minimum(right["linked_right"], 3)) == {"R Table 1"}


def sides(case: dict[str, Any]) -> list[cs.Clustering]:
    return [cs.Clustering.from_clusters([list(part) for part in case[side].split("|")]) for side in ("gold", "pred")]


def linked(written: str) -> set[frozenset[str]]:
    return {frozenset(pair) for cluster in written.split("|") for pair in combinations(cluster, 2)}


@pytest.mark.parametrize("case", GOLDEN["cases"], ids=lambda case: case["id"])
def test_the_links_of_the_golden_cases(case: dict[str, Any]) -> None:
    extras = cs.blanc(*sides(case), links="document").extras
    every = {frozenset(pair) for pair in combinations(case["gold"].replace("|", ""), 2)}
    key, response = linked(case["gold"]), linked(case["pred"])
    counts = {"rc": key & response, "wc": response - key, "rn": every - key - response, "wn": key - response}
    assert case["counts"] == {name: len(links) for name, links in counts.items()}
    rc, rn = extras["linked_right"], extras["unlinked_right"]
    assert [rc, extras["linked_pred"] - rc, rn, extras["linked_gold"] - rc] == [*case["counts"].values()]


# the scorer that the authors gave to the field prints numbers that the paper does not


def cut(value: Fraction) -> str:
    """Percent, cut off after two decimals."""
    return f"{value * 10000 // 1 / 100:g}"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_the_reference_scorer_prints_these_digits(case: dict[str, Any]) -> None:
    score = cs.blanc(*sides(case), links="document", missing="keep")
    values = [Fraction(value or 0).limit_denominator(1000) for value in (score.precision, score.recall, score.f)]
    assert [cut(value) for value in values] == [cut(Fraction(value)) for value in case["perl_v8_01"]]
