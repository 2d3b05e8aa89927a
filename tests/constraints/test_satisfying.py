"""Which measures satisfy all that is asked: in Python, on the command line, and on the page of the documentation."""

from __future__ import annotations

import json

import pytest
import which_measure
from markdown_text import plain

import clusterscore as cs
from clusterscore.constraints import Counterexample, check, matrix, satisfying
from clusterscore.constraints.verdicts import MARKS
from running import run

WANTED = ("constant_baseline", "monotonicity")


@pytest.fixture(scope="module")
def measures() -> list[str]:
    return satisfying(*WANTED)


def test_those_that_hold_in_every_case(measures: list[str]) -> None:
    assert {"adjusted_rand", "omega", "phi"} <= set(measures)
    assert not set(measures) & {"ami", "rand", "mentions", "elm", "boundaries", "mor"}
    assert measures == sorted(measures)
    assert all(check(name, wanted).outcome == "holds" for name in measures for wanted in WANTED)


def test_which_are_looked_at() -> None:
    assert satisfying("metric", metrics=["nmi", "nmi(mean=max)", "pk", "elm(weights=given)"]) == ["nmi(mean=max)"]
    assert satisfying("symmetry", "rag_bag", "identity", metrics=["bcubed", "bcubed(f=of-means)"]) == [
        "bcubed(f=of-means)"
    ]
    assert satisfying("minimal_agreement", metrics=["elm", "jaccard", "rand"]) == [
        "rand"
    ]  # others tie, or do not apply
    assert satisfying("monotonicity", metrics=["ami(mean=geometric)"], largest=5) == []
    assert satisfying("properties", metrics=["rand", "adjusted_rand"]) == []
    with pytest.raises(cs.InputError, match="did you mean 'constant_baseline'"):
        satisfying("constant_base_line")
    with pytest.raises(cs.InputError, match="no constraint was given"):
        satisfying()


@pytest.mark.parametrize("spelled", [["constant-baseline,monotonicity"], ["constant_baseline", "Monotonicity"]])
def test_the_command_lists_them(spelled: list[str], measures: list[str]) -> None:
    options = [word for name in spelled for word in ("--satisfying", name)]
    done = run("metrics", *options)
    assert done.returncode == 0, done.stderr
    lines = [line.split() for line in done.stdout.splitlines() if line[:2] in ("  ", "+ ")]
    assert sorted(line[line[0] == "+"] for line in lines) == measures
    assert done.stdout.endswith(
        "\n\nconstant_baseline: no counterexample up to N = 6\nmonotonicity: no counterexample up to N = 6\n"
    )


def test_the_command_for_programs(measures: list[str]) -> None:
    names = ["rand", "adjusted_rand", "nmi(mean=max)", "phi", "nmi"]
    rows = json.loads(run("metrics", *names, "--satisfying", "monotonicity", "--format", "json").stdout)["rows"]
    assert [row["metric"] for row in rows] == ["rand", "adjusted_rand", "phi", "nmi"]
    nmis = "nmi(mean=max)", "nmi"
    rows = json.loads(run("metrics", *nmis, "--satisfying", "metric", "--format", "json").stdout)["rows"]
    assert [(row["metric"], row["signature"][:12]) for row in rows] == [("nmi(mean=max)", "nmi|mean:max")]
    explained = run("metrics", "nmi(mean=max)", "--satisfying", "metric").stdout
    assert explained.startswith("nmi(mean=max) (also ")
    assert "nmi|mean:max|" in explained
    named = run("metrics", "nmi(mean=max)", "jaccard", "--satisfying", "metric,rag-bag,symmetry")
    assert named.returncode == 2
    csv = run("metrics", "--search", "adjusted", "--satisfying", "constant-baseline", "--format", "csv").stdout
    assert "adjusted_rand,pairs," in csv
    assert "\nnmi," not in csv


def test_options_of_a_field_are_those_that_are_checked() -> None:
    reported = cs.field("coreference").measures
    rows = json.loads(run("metrics", "--field", "coreference", "--satisfying", "symmetry", "--format", "json").stdout)
    symmetric = satisfying("symmetry", metrics=list(reported))
    assert symmetric
    assert {row["metric"] for row in rows["rows"]} == set(symmetric)


def test_the_command_says_what_is_wrong() -> None:
    code, out, err = run("metrics", "--satisfying", "constant-baselin")
    assert (code, out) == (2, "")
    assert err == "clusterscore: unknown constraint 'constant-baselin': did you mean 'constant_baseline'?\n"
    code, out, err = run("metrics", "rand", "elm", "--satisfying", "constant-baseline,metric")
    assert (code, out) == (2, "")
    assert err.startswith(
        "clusterscore: no metric satisfies constant_baseline, metric; clusterscore constraints METRIC"
    )
    code, out, err = run("metrics", "--satisfying", " , ")
    assert (code, out, err.count("\n")) == (2, "", 1)


def test_the_command_of_constraints_knows_the_group() -> None:
    names, judged = ("elm", "jaccard"), matrix(["elm", "jaccard"], "properties")
    assert run("constraints", *names, "-c", "properties").stdout == judged.to_text(reasons=True) + "\n"
    assert run("constraints", *names, "-c", "properties", "--format", "csv").stdout == judged.to_csv() + "\n"
    output = run("constraints", *names, "-c", "properties", "--format", "markdown").stdout
    assert output == judged.to_markdown(reasons=True) + "\n"
    rows = json.loads(run("constraints", *names, "-c", "properties", "--format", "json").stdout)["rows"]
    assert [row["outcome"] for row in rows] == [verdict.outcome for verdict in judged.verdicts]
    assert {row["up_to"] for row in rows} == {6, None}


def shown_case(case: Counterexample) -> str:
    """A worse and a better prediction as a drawing, anything else in words."""
    if not case.gold or "the better" not in case.description:
        return plain(case.description)
    sides = {"gold": case.gold, "worse": case.worse, "better": case.better}
    lines = [f"{name}: {' | '.join(' '.join(map(str, cluster)) for cluster in side)}" for name, side in sides.items()]
    return "\n".join(["```{drawing}", *lines, "```"])


def test_the_page_has_every_measure_and_says_what_was_found() -> None:
    shown = [cs.metric(name) for name in ("adjusted_rand", "blanc", "elm", "pk", "purity")]
    page = which_measure.properties_page([type(metric) for metric in shown])
    table = page.partition("\n## ")[0]
    marks = {line.split("]")[0][3:]: line.split(" | ")[1:] for line in table.splitlines() if line.startswith("| [")}
    checked = matrix(["adjusted_rand", "blanc", "elm", "purity"], "properties")
    expected = {name: [MARKS[verdict.outcome] for verdict in row.values()] for name, row in checked.items()}
    expected["pk"] = ["-"] * len(checked.constraints)
    assert {name: [mark.strip(" |") for mark in row] for name, row in marks.items()} == expected
    assert "yes: no counterexample up to N = 6" in table
    for verdict in checked.verdicts:
        if verdict.counterexample is not None:
            assert shown_case(verdict.counterexample) in page
    assert page.count("\n## ") == len(checked.constraints)
