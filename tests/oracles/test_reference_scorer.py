"""The reference scorer's own 36 cases, exact, through the function and through the command.

The numbers are ours (tests/golden/conll.json); the files are not, and are read from beside the project.
"""

from __future__ import annotations

import json
import math
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import clusterscore as cs
from clusterscore.command import cli

HERE = Path(__file__).resolve()
DATA = HERE.parents[2].parent / "shared" / "data" / "conll-testsuite"
CASES: dict[str, dict[str, Any]] = json.loads((HERE.parents[1] / "golden" / "conll.json").read_text(encoding="utf-8"))[
    "cases"
]
NAMES = {
    "muc": "muc", "bcub": "b3", "ceafm": "ceafm", "ceafe": "ceafe", "lea": "lea", "blanc": "blanc(links=document)",
}  # fmt: skip
COUNTS = {
    "R_num": "recall_numerator", "R_den": "recall_denominator", "P_num": "precision_numerator",
    "P_den": "precision_denominator",
    "rc": "linked_right", "key_coref_links": "linked_gold", "resp_coref_links": "linked_pred",
    "rn": "unlinked_right", "key_noncoref_links": "unlinked_gold", "resp_noncoref_links": "unlinked_pred",
}  # fmt: skip
LUO = "blanc(dialect=luo2014, links=document)"
# where one kind of link is in the response only, and Luo et al. 2014 still count it
HALVED = {"F1", "I1", "K1", "M3", "M6", "N3", "N6"}

pytestmark = [  # as they do in its test suite
    pytest.mark.skipif(not DATA.exists(), reason="shared/data/conll-testsuite is not here"),
    pytest.mark.filterwarnings("ignore:.*conll-testsuite.*(the tokens of . document differ|repeated mention)"),
]
each_case = pytest.mark.parametrize("name", CASES)


def paths(name: str) -> list[str]:
    return [str(DATA / CASES[name][side]) for side in ("key", "response")]


def near(written: Any) -> Any:
    return pytest.approx(float(Fraction(written)), abs=1e-9, rel=0)


def run(*arguments: str) -> str:
    done = CliRunner().invoke(cli, ["coref", *arguments, "--quiet"], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


def mean_f(case: dict[str, Any]) -> Fraction:
    return sum((Fraction(case["metrics"][name]["F"]) for name in ("muc", "bcub", "ceafe")), Fraction(0)) / 3


def test_there_are_36_cases_and_their_files() -> None:
    assert len(CASES) == 36
    assert all(Path(path).exists() for name in CASES for path in paths(name))


@each_case
def test_function(name: str) -> None:
    case = CASES[name]
    card = cs.coref(*paths(name))
    for metric, expected in case["metrics"].items():
        score = card[NAMES[metric]]
        assert score.precision == near(expected["P"]), metric
        assert score.recall == near(expected["R"]), metric
        assert score.f == near(expected["F"]), metric
        assert score.extras == {COUNTS[part]: near(count) for part, count in expected["counts"].items()}, metric
    assert card["conll"].value == near(mean_f(case))


@each_case
def test_blanc_as_in_luo_2014(name: str) -> None:
    """A side is left out only where neither key nor response has such links."""
    blanc = CASES[name]["metrics"]["blanc"]
    count = blanc["counts"]
    sides = []
    for right, key, response in (
        (count["rc"], count["key_coref_links"], count["resp_coref_links"]),
        (count["rn"], count["key_noncoref_links"], count["resp_noncoref_links"]),
    ):
        if key or response:
            shares = [(right, response), (right, key), (2 * right, key + response)]
            sides.append([Fraction(part, whole) if whole else Fraction(0) for part, whole in shares])
    expected = [sum(column) / len(sides) for column in zip(*sides, strict=True)]
    score = cs.coref(*paths(name), metrics=LUO)[LUO]
    assert [score.precision, score.recall, score.f] == [near(value) for value in expected]
    usual = Fraction(blanc["F"])
    assert (expected[2] == usual / 2 != 0) if name in HALVED else expected[2] == usual


def printed(*arguments: str) -> dict[str, list[str]]:
    rows = [line.split() for line in run(*arguments).splitlines()]
    shown = {label.split()[0]: name for name, label in cs.field("coreference").measures.items()}
    return {shown[row[0]]: row[-3:] for row in rows if row and shown.get(row[0]) in NAMES.values()}


@each_case
def test_printed(name: str) -> None:
    rounded, cut = printed(*paths(name)), printed(*paths(name), "--truncate")
    for metric, expected in CASES[name]["metrics"].items():
        exact = [100 * Fraction(expected[part]) for part in "PRF"]
        for text, value in zip(rounded[NAMES[metric]], exact, strict=True):
            assert text == f"{float(text):.2f}"
            assert abs(Fraction(text) - value) <= Fraction(1, 200) + Fraction(1, 10**9), (metric, text)
        for text, value in zip(cut[NAMES[metric]], exact, strict=True):
            # where the value has two decimals, the scorer's own sum may fall short of it
            least = math.floor(100 * value) - (100 * value == math.floor(100 * value) > 0)
            assert least <= 100 * Fraction(text) <= 100 * value, (metric, text)
