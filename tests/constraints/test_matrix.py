"""The matrix of metrics and constraints, in every form, and the command that prints it."""

from __future__ import annotations

import json
import math
import pickle
from typing import Any

import pytest

import clusterscore as cs
from clusterscore.constraints import CONSTRAINTS, check, matrix
from running import run

FORMAL = ["homogeneity", "completeness", "rag_bag", "size_vs_quantity", "unbalanced", "zero_score"]
LAWS = ["identity", "range", "relabelling", "reordering", "swap", "singletons", "all_in_one", "triangle"]
PROPERTIES = [
    "maximal_agreement", "minimal_agreement", "symmetry", "metric", "monotonicity", "monotonicity_trivial_gold",
    "strong_monotonicity", "constant_baseline", "asymptotic_constant_baseline",
]  # fmt: skip


@pytest.fixture(scope="module")
def judged() -> cs.constraints.Matrix:
    return matrix(["elm", "bcubed", "rand"])


def test_rows_and_columns(judged: cs.constraints.Matrix) -> None:
    assert list(judged) == ["elm", "bcubed", "rand"]
    assert len(judged) == 3
    assert [list(row) for row in judged.values()] == [FORMAL] * 3
    assert judged["elm"]["rag_bag"] == check("elm", "rag_bag")
    with pytest.raises(KeyError, match="did you mean 'elm'"):
        judged["elmo"]
    with pytest.raises(KeyError, match="did you mean 'rag_bag'"):
        judged["elm"]["ragbag"]
    assert [constraint.name for constraint in CONSTRAINTS] == FORMAL + LAWS + PROPERTIES


def test_as_text(judged: cs.constraints.Matrix) -> None:
    lines = str(judged).split("\n")
    assert lines[0].split() == ["rag_", "size_vs_", "zero_"]
    assert lines[1].split() == ["metric", "homogeneity", "completeness", "bag", "quantity", "unbalanced", "score"]
    assert [line.split() for line in lines[3:6]] == [
        ["elm", "tie", "yes", "no", "yes", "yes", "yes"],
        ["bcubed", "yes", "yes", "no", "yes", "no", "no"],
        ["rand", "yes", "yes", "no", "tie", "tie", "no"],
    ]
    assert str(judged).isascii()
    assert repr(judged) == str(judged)
    assert judged.to_text(reasons=True).startswith(str(judged) + "\n\nelm ties on homogeneity: gold 1 2 | 3 4: ")
    assert len(judged.reasons) == sum(verdict.outcome != "holds" for verdict in judged.verdicts)
    assert "does not apply" not in str(judged)
    assert "-: does not apply" in str(matrix("rand", ["swap"]))


def test_for_programs(judged: cs.constraints.Matrix) -> None:
    rows = judged.records()
    assert len(rows) == 18
    assert (rows[2]["constraint"], rows[2]["outcome"]) == ("rag_bag", "violated")
    assert rows[2]["violations"] == judged["elm"]["rag_bag"].violations
    assert not rows[1]["smallest_case"]
    plain = judged.to_dict()
    case = plain["rows"][list(judged["elm"]).index("homogeneity")]["counterexample"]
    assert (case["gold"], case["worse"], case["better"]) == ([[1, 2], [3, 4]], [[1, 3], [2, 4]], [[1], [2, 4], [3]])
    assert plain["constraints"].keys() == set(FORMAL)
    assert [row["outcome"] for row in rows] == [verdict.outcome for verdict in judged.verdicts]
    assert judged["elm"].listed()["constraint"] == FORMAL
    assert pickle.loads(pickle.dumps(judged["elm"])) == judged["elm"]
    latex = judged.to_latex(reasons=True)
    assert latex.index(r"\end{tabular}") < latex.index("% elm ties on homogeneity")
    assert "1 2 \\| 3 4" in judged.to_markdown(reasons=True)


def test_json_has_no_nan() -> None:
    def nan(gold: Any, pred: Any) -> float:
        return math.nan

    table = matrix(nan, "all")
    plain = json.loads(table.to_json())
    (row,) = [row for row in plain["rows"] if row["constraint"] == "range"]
    assert row["counterexample"]["worse_score"] is None
    assert all(verdict.outcome != "holds" or verdict.constraint in ("relabelling", "reordering")
               for verdict in table.verdicts)  # fmt: skip


def test_verdicts_print_as_a_table() -> None:
    text = str(check("elm", largest=4))
    lines = text.split("\n")
    assert lines[0] == "elm"
    assert [line.split()[0] for line in lines[4:27]] == FORMAL + LAWS + PROPERTIES
    assert "homogeneity: gold 1 2 | 3 4: " in text
    assert text.endswith("\nno counterexample up to N = 4: completeness, zero_score, identity, range, relabelling, "
                         "reordering, swap, maximal_agreement, symmetry, metric")  # fmt: skip
    assert text == repr(check("elm", largest=4))


def test_groups_and_names() -> None:
    assert [c.name for c in matrix("elm", "laws", largest=3).constraints] == LAWS
    assert [c.name for c in matrix("elm", "properties", largest=3).constraints] == PROPERTIES
    assert [c.name for c in matrix("elm", "all", largest=3).constraints] == FORMAL + LAWS + PROPERTIES
    assert [c.name for c in matrix("elm", ["laws", "rag_bag", "range"], largest=3).constraints] == [*LAWS, "rag_bag"]
    assert [c.name for c in matrix(cs.metric("elm"), CONSTRAINTS[:2], largest=3).constraints] == FORMAL[:2]
    with pytest.raises(cs.InputError, match="no constraint was given"):
        matrix("elm", [])
    with pytest.raises(cs.InputError, match="no metric was given"):
        matrix([])
    with pytest.raises(cs.InputError, match="metrics=7 is not a list"):
        matrix(7)  # type: ignore[arg-type]


def test_the_command_prints_the_matrix_and_its_reasons() -> None:
    done = run("constraints", "elm", "bcubed(f=of-means), rand")
    assert done.returncode == 0, done.stderr
    assert done.stdout == matrix(["elm", "bcubed(f=of-means)", "rand"]).to_text(reasons=True) + "\n"


def test_the_command_has_usual_metrics_and_formats() -> None:
    done = run("constraints", "--format", "json", "--largest", "4")
    assert list(dict.fromkeys(row["metric"] for row in json.loads(done.stdout)["rows"])) == [
        "elm", "bcubed", "bcubed(f=of-means)", "adapted_bcubed", "pairwise", "rand", "adjusted_rand", "jaccard",
        "fowlkes_mallows", "purity", "inverse_purity", "nmi", "v_measure",
    ]  # fmt: skip
    table = matrix("elm", ["rag_bag", *LAWS], largest=4)
    options = ("constraints", "elm", "-c", "rag bag, laws", "--largest", "4", "--format")
    assert run(*options, "csv").stdout == table.to_csv() + "\n"
    assert run(*options, "markdown").stdout == table.to_markdown(reasons=True) + "\n"
    assert run(*options, "latex").stdout == table.to_latex(reasons=True) + "\n"
    paper = run("constraints", "jaccard", "--cases", "paper", "-c", "homogeneity", "--format", "csv").stdout
    assert paper.split("\n")[1] == "jaccard,homogeneity,holds,1,0,0,,"


def test_the_command_lists_the_constraints() -> None:
    output = run("constraints", "--list").stdout
    assert all(f"{constraint.name}\n  {constraint.statement}\n" in output for constraint in CONSTRAINTS)
    assert run("constraints", "--list", "-c", "rag_bag").stdout.startswith("rag_bag\n  An element that")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["elmo"], "clusterscore: unknown metric 'elmo': did you mean 'elm'?"),
        (["elm", "-c", "ragbag"], "clusterscore: unknown constraint 'ragbag': did you mean 'rag_bag'?"),
        (["elm(weights=given)"], "clusterscore: elm(weights=given) needs one weight per element, and the cases"),
        (["elm", "--largest", "12"], "clusterscore: Invalid value for '--largest': 12 is not in the range"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(arguments: list[str], message: str) -> None:
    code, out, err = run("constraints", *arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith(message)
