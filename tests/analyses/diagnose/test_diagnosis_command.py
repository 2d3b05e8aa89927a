"""``clusterscore elements``, ``clusters`` and ``errors`` as a person uses them."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import numpy as np
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
    assert shown.startswith(expected.to_text() + "\n")
    assert max(map(len, shown.splitlines())) <= 80
    assert "elm is 0.6111: the losses " in shown
    assert shown.rstrip().endswith(f"{cs.elm(GOLD, PRED).signature}")
    assert run(name, *files, *more, "--format", "markdown").startswith(f"| {next(iter(expected))} |")
    assert run(name, *files, *more, "--format", "latex").count("&") == (len(expected) + 1) * (len(expected.keys()) - 1)


@pytest.mark.parametrize("asked", ASKED)
def test_worst(asked: str, files: list[str]) -> None:
    name, *more = asked.split()
    printed = columns_of(name, *files, *more, "--worst", "2")
    assert printed == ASKED[asked].worst(2).to_dict()
    assert f"the 2 that cost most, of {len(ASKED[asked])}" in run(name, *files, *more, "--worst", "2")
    assert "that cost most" not in run(name, *files, *more, "--worst", "99")


def test_sides_and_metrics(files: list[str]) -> None:
    printed = columns_of("clusters", *files, "--side", "pred", "-m", "bcubed(f=of-means)")
    assert printed == cs.clusters(GOLD, PRED, metric="bcubed(f=of-means)", side="pred").to_dict()
    assert "the losses of each side add up to 0.3889" in run("clusters", *files)
    assert "the losses add up to 0.3889" in run("clusters", *files, "--side", "gold")


def test_one_file_with_documents(tmp_path: Path) -> None:
    both = tmp_path / "both.csv"
    both.write_text("page,stream,g,p\n1,s,a,a\n2,s,a,b\n1,t,a,b\n2,t,b,b\n")
    columns = ("--gold", "g", "--pred", "p", "--element", "page", "--document", "stream")
    assert columns_of("errors", str(both), *columns, "--cells")["document"] == ["s", "s", "t", "t"]
    printed = columns_of("clusters", str(both), *columns)
    assert printed["document"] == list("stsstt")
    assert printed["loss"] == [0.5, 0.5, 0.25, 0.25, 0.25, 0.25]


def test_policies(tmp_path: Path, files: list[str]) -> None:
    short = tmp_path / "short.csv"
    short.write_text("element,cluster\np1,1\np2,1\n")
    printed = columns_of("errors", files[0], str(short), "--missing", "drop")
    assert printed["elements"] == [2, 0, 0, 0, 0, 0]


def test_a_date_in_json(tmp_path: Path) -> None:
    pl = pytest.importorskip("polars")
    both = tmp_path / "both.parquet"
    day = pl.Series(["2020-01-01", "2020-01-01", "2020-01-02"]).str.to_date()
    pl.DataFrame({"element": [1, 2, 3], "g": day, "p": [1, 2, 2]}).write_parquet(both)
    printed = columns_of("clusters", str(both), "--gold", "g", "--pred", "p", "--side", "gold")
    assert [name[:10] for name in printed["cluster"]] == ["2020-01-01", "2020-01-02"]


@pytest.mark.parametrize("name", ["elements", "clusters", "errors"])
def test_mistakes(name: str, files: list[str]) -> None:
    for more, message in (
        (("-m", "ari"), "adjusted_rand does not score single elements"),
        (("-m", "elm(adjusted=true)"), "adjusts the score of all elements"),
        (("--worst", "-1"), "-1 is not in the range"),
        (("--worst", "many"), "is not a valid integer"),
    ):
        code, out, err = running.run(name, *files, *more)
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert message in err
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


@pytest.fixture
def review(tmp_path: Path) -> list[str]:
    """A gold with names, and a prediction with what it was matched on; rows in another order."""
    (tmp_path / "gold.csv").write_text(
        'element,cluster,name,size\nr1,A,Ann,S\nr2,A,"=Anna, 2",M\nr3,B,Bob,L\nr4,B,,L\nr5,C,Cleo,\n'
    )
    (tmp_path / "pred.csv").write_text("element,cluster,by\nr5,3,e\nr4,2,d\nr3,1,c\nr2,1,b\nr1,1,a\n")
    return [str(tmp_path / name) for name in ("gold.csv", "pred.csv")]


def test_a_review_queue_has_the_texts_of_both_files(review: list[str]) -> None:
    """Beside each element, or all those of a cluster in one order; a name that is taken is told apart."""
    rows = columns_of("elements", *review, "--show", "name,by", "--show", "size")
    assert rows["name"] == ["Ann", "=Anna, 2", "Bob", None, "Cleo"]
    assert (rows["by"], rows["size"]) == (list("abcde"), ["S", "M", "L", "L", None])
    clusters = columns_of("clusters", *review, "--show", "name, by,size", "--worst", "1", "--side", "pred")
    assert [clusters[name] for name in ("cluster", "elements", "by", "size_shown", "size")] == [
        ["1"], [["r1", "r2", "r3"]], [["a", "b", "c"]], [["S", "M", "L"]], [3]
    ]  # fmt: skip
    typed = "clusters", *review, "--show", "name", "--worst", "1", "--side", "pred", "--format", "csv"
    head, row = csv.reader(io.StringIO(run(*typed)))
    assert dict(zip(head, row, strict=True))["name"] == "Ann | =Anna, 2 | Bob"
    head, *_, second = list(csv.reader(io.StringIO(run("elements", *review, "--show", "name", "--format", "csv"))))[:3]
    assert dict(zip(head, second, strict=True))["name"] == "'=Anna, 2"
    sampled = columns_of("clusters", *review, "--sample", "uniform", "--show", "name", "--worst", "1")
    assert sampled["name"] in ([["Ann", "=Anna, 2"]], [["Bob", ""]])


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--show", "nme"], "no column 'nme': did you mean 'name'?"),
        (["--show", "name,colour"], "no column 'colour'"),
    ],
)
def test_a_column_that_is_not_there(review: list[str], more: list[str], message: str) -> None:
    code, _, err = running.run("clusters", *review, *more)
    assert code == 2
    assert message in err


def test_texts_in_python() -> None:
    names = {"r1": "Ann", "r2": "Anna", "r3": "Bob"}
    gold, pred = {"r1": 0, "r2": 0, "r3": 1}, {"r1": 0, "r2": 1, "r3": 1}
    rows = cs.clusters(gold, pred, show={"name": names})
    texts = {(row["side"], row["cluster"]): list(row["name"]) for row in rows.records()}
    assert texts == {
        ("gold", 0): ["Ann", "Anna"],
        ("gold", 1): ["Bob"],
        ("pred", 0): ["Ann"],
        ("pred", 1): ["Anna", "Bob"],
    }
    assert cs.elements([0, 0, 1], [0, 1, 1], show={"word": ["x", "y", "z"]})["word"].tolist() == ["x", "y", "z"]
    topics = cs.Clustering.from_memberships({"p": ["a", "b"], "q": ["a"], "r": ["b"]})
    both = cs.clusters(topics, topics, show={"text": {"p": "P", "q": "Q", "r": "R"}}, side="gold")
    assert {row["cluster"]: sorted(row["text"]) for row in both.records()} == {"a": ["P", "Q"], "b": ["P", "R"]}
    for show, message in (
        (["x", "y", "z"], "show has texts by the names of their columns"),
        ({1: names}, "show has texts by the names of their columns"),
        ({"name": ["x"]}, r"show\['name'\] has 1 texts for 3 elements of gold"),
        ({"name": {"other": "x"}}, r"show\['name'\] has no text for any of 3 elements \(e.g. 'r1'\)"),
    ):
        with pytest.raises(cs.ClusterscoreError, match=message):
            cs.clusters(gold, pred, show=show)
    with pytest.raises(cs.InputError, match="a Table does not know its elements"):
        cs.clusters(cs.Table.from_labels([0, 0], [0, 1]), show={"name": ["a", "b"]})


def test_texts_of_very_many_clusters() -> None:
    """Each cluster is looked up, not looked for: 30,000 of them take no longer than the rest."""
    gold = np.arange(60_000) // 2
    rows = cs.clusters(gold, np.roll(gold, 1), show={"place": [str(k) for k in range(60_000)]}, side="gold")
    held = dict(zip(rows["cluster"].tolist(), rows["place"].tolist(), strict=True))
    assert all(sorted(map(int, held[k])) == [2 * k, 2 * k + 1] for k in range(0, 30_000, 997))
