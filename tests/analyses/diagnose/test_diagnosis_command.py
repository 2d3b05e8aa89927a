"""``clusterscore elements``, ``clusters`` and ``errors`` as a person uses them."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

import clusterscore as cs
import running

GOLD = {"p1": "cats", "p2": "cats", "p3": "cats", "p4": "dogs", "p5": "dogs", "p6": "<b>|x"}
PRED = {"p1": "1", "p2": "1", "p3": "2", "p4": "2", "p5": "2", "p6": "3"}


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    paths = []
    for name, rows in (("gold", GOLD), ("pred", PRED)):
        path = tmp_path / f"{name}.csv"
        path.write_text("element,cluster\n" + "".join(f"{e},{c}\n" for e, c in rows.items()))
        paths.append(str(path))
    return paths


def run(*arguments: str) -> str:
    code, out, err = running.run(*arguments, "--quiet")
    assert code == 0, err
    return out


def columns_of(*arguments: str) -> dict[str, list[Any]]:
    """The rows that are printed as JSON, by column."""
    rows = json.loads(run(*arguments, "--format", "json"))["rows"]
    return {name: [row[name] for row in rows] for name in rows[0]}


ASKED = {
    "elements": cs.elements(GOLD, PRED),
    "clusters": cs.clusters(GOLD, PRED),
    "errors": cs.errors(GOLD, PRED),
    "errors --cells": cs.error_cells(GOLD, PRED),
}


@pytest.mark.parametrize("asked", ASKED)
def test_formats(asked: str, files: list[str]) -> None:
    name, *more = asked.split()
    expected = ASKED[asked]
    assert columns_of(name, *files, *more) == expected.to_dict()
    head, *rows = csv.reader(io.StringIO(run(name, *files, *more, "--format", "csv")))
    assert head == list(expected)
    assert [float(row[-1]) for row in rows] == [row[-1] for row in expected.rows()]
    assert len(rows) == len(expected)
    shown = run(name, *files, *more)
    assert shown.startswith(expected.to_text() + "\n\n")
    assert max(map(len, shown.splitlines())) <= 80
    assert "elm is 0.6111: the losses " in shown
    assert shown.rstrip().endswith(f"{cs.elm(GOLD, PRED).signature}")
    assert run(name, *files, *more, "--format", "markdown").startswith(f"| {next(iter(expected))} |")
    assert run(name, *files, *more, "--format", "latex").count("&") == (len(expected) + 1) * (len(expected.keys()) - 1)


@pytest.mark.parametrize("asked", ASKED)
def test_worst(asked: str, files: list[str]) -> None:
    name, *more = asked.split()
    found = columns_of(name, *files, *more, "--worst", "2")
    assert found == ASKED[asked].worst(2).to_dict()
    assert f"the 2 that cost most, of {len(ASKED[asked])}" in run(name, *files, *more, "--worst", "2")
    assert "that cost most" not in run(name, *files, *more, "--worst", "99")


def test_sides_and_metrics(files: list[str]) -> None:
    found = columns_of("clusters", *files, "--side", "pred", "-m", "bcubed(f=of-means)")
    assert found == cs.clusters(GOLD, PRED, metric="bcubed(f=of-means)", side="pred").to_dict()
    assert "the losses of each side add up to 0.3889" in run("clusters", *files)
    assert "the losses add up to 0.3889" in run("clusters", *files, "--side", "gold")


def test_one_file_with_documents(tmp_path: Path) -> None:
    both = tmp_path / "both.csv"
    both.write_text("page,stream,g,p\n1,s,a,a\n2,s,a,b\n1,t,a,b\n2,t,b,b\n")
    columns = ("--gold", "g", "--pred", "p", "--element", "page", "--document", "stream")
    assert columns_of("errors", str(both), *columns, "--cells")["document"] == ["s", "s", "t", "t"]
    found = columns_of("clusters", str(both), *columns)
    assert found["document"] == list("stsstt")
    assert found["loss"] == [0.5, 0.5, 0.25, 0.25, 0.25, 0.25]


def test_policies(tmp_path: Path, files: list[str]) -> None:
    short = tmp_path / "short.csv"
    short.write_text("element,cluster\np1,1\np2,1\n")
    found = columns_of("errors", files[0], str(short), "--missing", "drop")
    assert found["elements"] == [2, 0, 0, 0, 0, 0]


def test_a_date_in_json(tmp_path: Path) -> None:
    pl = pytest.importorskip("polars")
    both = tmp_path / "both.parquet"
    day = pl.Series(["2020-01-01", "2020-01-01", "2020-01-02"]).str.to_date()
    pl.DataFrame({"element": [1, 2, 3], "g": day, "p": [1, 2, 2]}).write_parquet(both)
    found = columns_of("clusters", str(both), "--gold", "g", "--pred", "p", "--side", "gold")
    assert [name[:10] for name in found["cluster"]] == ["2020-01-01", "2020-01-02"]


@pytest.mark.parametrize("name", ["elements", "clusters", "errors"])
def test_mistakes(name: str, files: list[str]) -> None:
    for more, told in (
        (("-m", "ari"), "adjusted_rand does not score single elements"),
        (("-m", "elm(adjusted=true)"), "adjusts the score of all elements"),
        (("--worst", "-1"), "-1 is not in the range"),
        (("--worst", "many"), "is not a valid integer"),
    ):
        code, out, err = running.run(name, *files, *more)
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert told in err
    # before a file is looked for
    assert "nothing" in running.run(name, "nowhere.csv", "elsewhere.csv", "-m", "nothing").stderr


KEY, RESPONSE = "examples/key.conll", "examples/response.conll"


@pytest.mark.parametrize("asked", ["elements", "clusters --side gold", "errors", "errors --cells", "elements -m lea"])
def test_coreference(asked: str) -> None:
    """What the command prints is what Python says of the table of cs.coref."""
    name, *more = asked.split()
    table = cs.coref(KEY, RESPONSE).table
    expected = {
        "elements": lambda: cs.elements(table),
        "clusters --side gold": lambda: cs.clusters(table, side="gold"),
        "errors": lambda: cs.errors(table),
        "errors --cells": lambda: cs.error_cells(table),
        "elements -m lea": lambda: cs.elements(table, metric="lea"),
    }[asked]()
    assert columns_of(name, KEY, RESPONSE, "--coref", *more) == expected.to_dict()
    shown = run(name, KEY, RESPONSE, "--coref", *more)
    score = cs.metric("lea" if "lea" in more else "b3").score(table)
    assert f"is {score.value:.4f}: the losses" in shown
    assert shown.rstrip().endswith(score.signature)


def test_coreference_options_and_what_they_print() -> None:
    shown = run("elements", KEY, RESPONSE, "--coref", "--singletons", "drop", "--worst", "1")
    assert "[her] book" in shown
    assert "missing:keep|singletons:drop|" in shown
    shown = run("clusters", KEY, RESPONSE, "--coref")
    assert "the losses of each side, with those of mentions that only the other side has, add up to 0.2262" in shown


def test_coreference_without_words(tmp_path: Path) -> None:
    path = tmp_path / "skeleton.conll"
    path.write_text("#begin document (a); part 000\na 0 0 [WORD] - (1)\na 0 1 [WORD] - (1)\n#end document\n")
    shown = run("elements", str(path), str(path), "--coref")
    assert "the files have no words: mentions are shown by the numbers of their tokens" in shown
    assert "context" not in shown


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("elements examples/gold.csv examples/pred.csv --match head", "--match is for coreference files, and these"),
        (f"elements {KEY} {RESPONSE} --match head", "needs the heads of mentions"),
        (f"elements {KEY} examples/pred.csv", "gold is a coreference file and pred is not"),
        (f"elements {KEY} {RESPONSE} --coref -m elm", "elm needs the same mentions on both sides, but 1 mention only"),
        (f"elements {KEY} --coref", "pass two files, GOLD and PRED"),
        (f"clusters {KEY} {RESPONSE} --coref --element word", "is read as coreference, which has no column 'word'"),
        (f"report {KEY} {RESPONSE} --coref --by word", "which has no column 'word'"),
    ],
)
def test_mistakes_with_coreference(line: str, message: str) -> None:
    code, out, err = running.run(*line.split())
    assert (code, out) == (2, "")
    assert message in err
