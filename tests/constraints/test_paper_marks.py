"""The marks of Moreno & Dias 2015, Table 1, for every row of it: on their pairs, and what the families add."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import clusterscore as cs
from clusterscore.constraints import check, matrix

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "moreno_table1.json").read_text(encoding="utf-8"))
COLUMNS = ("homogeneity", "completeness", "rag_bag", "size_vs_quantity", "unbalanced")

# as printed: + a mark, - a cross
PRINTED = {
    "Purity": "+----",
    "Inv. Purity": "---+-",
    "F&M": "++---",
    "RandIndex": "++---",
    "Adj.RandIndex": "++---",
    "Jaccard": "++---",
    "F-measure": "+----",
    "Pb3": "+-+-+",
    "Rb3": "-+-+-",
    "Fb3": "++++-",
    "Pbmod": "+-+-+",
    "Rbmod(|x|=3)": "-+-+-",
    "Fbmod&0.9": "+++++",
    "Fb0.9": "+++++",
}


def asked(row: str) -> Callable[[Any, Any], Any]:
    """The row as a function, as a user has one."""
    how = GOLDEN["rows"][row]
    options = {key: float(Fraction(value)) if key == "alpha" else value for key, value in how["options"].items()}
    function = getattr(cs, how["metric"])

    def part(gold: Any, pred: Any) -> float:
        return float(getattr(function(gold, pred, **options), how["part"]))

    return part


@pytest.mark.parametrize("row", PRINTED)
def test_the_pairs_of_the_paper_give_its_marks(row: str) -> None:
    values = {example["name"]: example["values"][row] for example in GOLDEN["examples"]}
    for column, mark in zip(COLUMNS, PRINTED[row], strict=True):
        verdict = check(asked(row), column, cases="paper")
        assert verdict.cases == 1
        assert (verdict.outcome == "holds") == (mark == "+"), column
        worse, better = values[column]
        if verdict.counterexample is not None:
            assert verdict.counterexample.worse_score == pytest.approx(worse, abs=1e-12)
            assert verdict.counterexample.better_score == pytest.approx(better, abs=1e-12)
            assert (verdict.outcome == "ties") == (worse == pytest.approx(better, abs=1e-12))


WHOLE = ["purity", "inverse_purity", "fowlkes_mallows", "rand", "adjusted_rand", "jaccard", "bcubed(f=of-means)",
         "adapted_bcubed", "bcubed(f=of-means, alpha=0.9)"]  # fmt: skip
ROWS = ["Purity", "Inv. Purity", "F&M", "RandIndex", "Adj.RandIndex", "Jaccard", "Fb3", "Fbmod&0.9", "Fb0.9"]


def test_what_fails_in_the_paper_fails_in_the_families() -> None:
    judged = matrix(WHOLE, COLUMNS)
    for metric, row in zip(WHOLE, ROWS, strict=True):
        for column, mark in zip(COLUMNS, PRINTED[row], strict=True):
            assert mark == "+" or judged[metric][column].outcome != "holds", (metric, column)


def test_what_the_families_add_to_the_paper() -> None:
    """Where the pair of the paper is in order but another case is not."""
    judged = matrix(WHOLE, COLUMNS)
    more = {
        (metric, column, judged[metric][column].outcome)
        for metric, row in zip(WHOLE, ROWS, strict=True)
        for column, mark in zip(COLUMNS, PRINTED[row], strict=True)
        if mark == "+" and judged[metric][column].outcome != "holds"
    }
    # no pair is found together: nothing can be gained by pulling a mixed cluster apart
    assert more == {
        ("fowlkes_mallows", "homogeneity", "ties"),
        ("jaccard", "homogeneity", "ties"),
        ("adjusted_rand", "homogeneity", "ties"),
        ("adjusted_rand", "completeness", "ties"),
    }
    # and where its pair only ties, others go the wrong way round
    for metric in ("rand", "jaccard", "fowlkes_mallows", "adjusted_rand"):
        assert check(metric, "rag_bag", cases="paper").outcome == "ties"
        assert judged[metric]["rag_bag"].outcome == "violated"
        case = judged[metric]["rag_bag"].counterexample
        assert case is not None
        assert "2 clean, a bag of 3" in case.description  # three new wrong pairs against two


def test_constraints_without_a_pair_do_not_apply_to_the_papers() -> None:
    verdict = check("elm", "zero_score", cases="paper")
    assert (verdict.outcome, verdict.cases, verdict.counterexample) == ("does not apply", 0, None)
    assert check("elm", "identity", cases="paper").outcome == "does not apply"
