"""Overlapping clusterings on the command line: files in, a table or JSON out, one line for a mistake."""

from __future__ import annotations

import csv
import io
import json
import random
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import clusterscore as cs
from clusterscore import engines
from clusterscore.metrics import OVERLAPPING_SET
from running import run

SET = list(OVERLAPPING_SET)
GOLD = "element,cluster\na,10\na,9\nb,10\nc,9\n"
PRED = "element,cluster\na,1\nb,1\nb,2\nc,2\n"
CARD = """\
             gold  predicted
elements        3          3
memberships     4          4
clusters        2          2
singletons      0          0

metric                 P        R     score   options
---------------------------------------------------------------
matched_elm       0.4444   0.4444    0.3333   f:mean|beta:1
matched_bcubed    0.6667   0.6667    0.6111   f:mean|beta:1
extended_bcubed   0.6667   0.6667    0.6111   f:mean|beta:1
omega                               -0.5000
overlapping_nmi                      0.5000   normalization:max
community_f1                         0.7500

avg:micro|missing:error|v:0.1.0
"""


class Shell:
    """A folder with files, and the command."""

    def out(self, *arguments: str) -> str:
        code, out, err = run(*arguments)
        assert code == 0, err
        return out

    def json(self, *arguments: str) -> Any:
        return json.loads(self.out(*arguments, "--format", "json"))

    def error(self, *arguments: str) -> str:
        """The one line that a mistake gives."""
        code, out, err = run(*arguments)
        assert (code, out) == (2, "")
        assert err.startswith("clusterscore: ")
        assert err.count("\n") == 1
        return err


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    monkeypatch.chdir(tmp_path)
    Path("gold.csv").write_text(GOLD)
    Path("pred.csv").write_text(PRED)
    return Shell()


def numbers(output: Any) -> dict[str, float]:
    return {name: score["value"] for name, score in output["scores"].items()}


def test_a_card(shell: Shell) -> None:
    assert shell.out("score", "gold.csv", "pred.csv") == CARD
    card = shell.json("score", "gold.csv", "pred.csv")
    assert list(card["scores"]) == SET
    facts = {name: card[name] for name in ("elements", "documents", "gold_clusters", "gold_singletons")}
    assert facts == {"elements": 3, "documents": 1, "gold_clusters": 2, "gold_singletons": 0}
    assert (card["gold_memberships"], card["pred_memberships"]) == (4, 4)


def test_a_partition_has_no_memberships(shell: Shell) -> None:
    Path("p.csv").write_text("element,cluster\na,1\nb,1\nc,2\n")
    assert "memberships" not in shell.out("score", "p.csv", "p.csv")
    assert "gold_memberships" not in shell.json("score", "p.csv", "p.csv")
    assert "elm" in shell.json("score", "p.csv", "p.csv")["scores"]
    mixed = shell.json("score", "gold.csv", "p.csv")
    assert (mixed["gold_memberships"], mixed["pred_memberships"]) == (4, 3)


@pytest.mark.parametrize("command", ["score", "elements", "clusters", "compare", "report"])
def test_a_measure_of_partitions(shell: Shell, command: str) -> None:
    option = "--element-metric" if command == "report" else "-m"
    error = shell.error(command, "gold.csv", "pred.csv", option, "elm")
    assert (
        "1 element of gold in more than one cluster (e.g. 'a' in '10' and '9'), and elm is a measure of part" in error
    )
    assert all(name in error for name in SET)


def test_where_the_score_was_lost(shell: Shell) -> None:
    """Where nobody names a measure, elements are scored by one that is made for overlap."""
    pair = ("gold.csv", "pred.csv")
    assert shell.json("elements", *pair) == shell.json("elements", *pair, "-m", "matched_elm")
    assert "matched_elm is 0.3333: the losses add up to 0.6667" in shell.out("elements", *pair)
    rows = shell.json("clusters", *pair, "--side", "gold")["rows"]
    assert {row["cluster"]: row["size"] for row in rows} == {"10": 2, "9": 2}
    assert sum(row["loss"] for row in rows) == pytest.approx(2 / 3)
    assert "clusterscore clusters and clusterscore elements show where" in shell.error("errors", *pair)


def test_a_report(shell: Shell) -> None:
    Path("named.csv").write_text("element,cluster,name\na,10,Anna\na,9,Anna\nb,10,Bob\nc,9,Cid\n")
    assert shell.out("report", "named.csv", "pred.csv", "--show", "name", "-o", "page.html", "-q") == "page.html\n"
    assert "matched_elm" in Path("page.html").read_text()


def test_sets_of_clusters_are_printed_in_order(shell: Shell) -> None:
    """A set has no order of its own: what is printed never changes from run to run."""
    ask = ("elements", "gold.csv", "pred.csv", "-m", "matched_elm")
    rows = shell.json(*ask)["rows"]
    assert [row["gold"] for row in rows] == [["10", "9"], ["10"], ["9"]]
    assert [row["pred"] for row in rows] == [["1"], ["1", "2"], ["2"]]
    for more in ((), ("--raw",)):
        rows = list(csv.DictReader(io.StringIO(shell.out(*ask, "--format", "csv", *more))))
        assert [(row["gold"], row["pred"]) for row in rows] == [("10 | 9", "1"), ("10", "1 | 2"), ("9", "2")]
    assert "\na         10 | 9   1 " in shell.out(*ask)
    assert "| a | 10 \\| 9 | 1 |" in shell.out(*ask, "--format", "markdown")
    assert r"a & 10 \textbar{} 9 & 1 &" in shell.out(*ask, "--format", "latex")


def test_sets_of_clusters_in_python() -> None:
    made = cs.Clustering.from_memberships
    gold = made({"a": {10, 9}, "b": {10}, "c": set()})
    rows = cs.elements(gold, made({"a": {1}, "b": {1}, "c": {1, "x"}}), missing="drop")
    assert rows.to_dict()["gold"] == [frozenset({10, 9}), 10]
    assert [row["gold"] for row in json.loads(rows.to_json())["rows"]] == [[10, 9], [10]]
    assert rows.to_frame("pandas")["gold"].tolist() == [frozenset({10, 9}), 10]
    assert pl.DataFrame(rows.to_frame("polars"))["gold"].to_list() == ["10 | 9", "10"]
    mixed = cs.elements(made({"a": {1, "b", (2, 3)}}), {"a": 1})
    (row,) = json.loads(mixed.to_json())["rows"]
    assert (row["gold"], row["pred"]) == ([[2, 3], 1, "b"], 1)


MORE = ["element_centric", "fuzzy_rand", "graded_bcubed"]  # that are for overlapping clusterings


def test_the_listing_says_which(shell: Shell) -> None:
    listing = shell.out("metrics")
    assert {line.split()[1] for line in listing.splitlines() if line.startswith("+ ")} == {*SET, *MORE}
    assert "omega (also omega_index), for clusterings that overlap too\n" in shell.out("metrics", "omega")
    marked = {row["metric"] for row in shell.json("metrics")["rows"] if row["overlapping"] == "yes"}
    assert marked == {*SET, *MORE}


def test_large_tables_are_counted_in_memory(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    """DuckDB, which counts large tables, refuses to join rows that repeat; nobody has to know that."""
    expected = numbers(shell.json("score", "gold.csv", "pred.csv"))
    lists = [{"element": e, "cluster": c} for e, c in {"a": ["10", "9"], "b": ["10"], "c": ["9"]}.items()]
    Path("gold.jsonl").write_text("".join(json.dumps(row) + "\n" for row in lists))
    Path("part.csv").write_text("element,cluster\na,1\nb,1\nc,2\n")
    matched = shell.json("score", "part.csv", "part.csv", "-m", "set_matching")
    monkeypatch.setattr(engines, "LARGE", 0)
    assert shell.json("score", "part.csv", "part.csv", "-m", "set_matching") == matched  # it needs single clusters
    for gold in ("gold.csv", "gold.jsonl"):
        assert numbers(shell.json("score", gold, "pred.csv")) == expected
        assert "and elm is a measure of partitions" in shell.error("score", gold, "pred.csv", "-m", "elm")
    for engine in (("--engine", "duckdb"), ("--memory", "1GB")):
        error = shell.error("score", "gold.csv", "pred.csv", *engine)
        assert "1 element in more than one row of gold (e.g. 'a')" in error
        assert "for overlapping clusterings, use --engine arrays with two files" in error
        assert "--engine arrays" in shell.error("score", "gold.jsonl", "pred.csv", *engine)
    assert numbers(shell.json("score", "gold.jsonl", "pred.csv", "--engine", "arrays")) == expected


def test_a_file_with_both_sides(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("both.csv").write_text("element,gold,pred\na,10,1\na,9,2\nb,10,1\n")
    ask = ("score", "both.csv", "--gold", "gold", "--pred", "pred")
    assert "1 element in more than one row (e.g. 'a')" in shell.error(*ask)
    assert "for overlapping clusterings, use --engine arrays with two files" in shell.error(*ask, "--engine", "duckdb")
    rows = [("a", ["10", "9"], ["1"]), ("b", ["10"], ["1", "2"]), ("c", ["9"], ["2"])]
    text = "".join(json.dumps({"element": e, "gold": gold, "pred": pred}) + "\n" for e, gold, pred in rows)
    Path("both.jsonl").write_text(text)
    expected = numbers(shell.json("score", "gold.csv", "pred.csv"))
    ask = ("score", "both.jsonl", "--gold", "gold", "--pred", "pred")
    assert numbers(shell.json(*ask)) == expected
    monkeypatch.setattr(engines, "LARGE", 0)
    assert numbers(shell.json(*ask)) == expected


def test_lists_in_json(shell: Shell) -> None:
    Path("gold.json").write_text('{"a": ["10", "9"], "b": ["10"], "c": ["9"]}')
    Path("pred.json").write_text('{"1": ["a", "b"], "2": ["b", "c"]}')
    expected = numbers(shell.json("score", "gold.csv", "pred.csv"))
    of_gold, of_pred = ("--gold-format", "memberships"), ("--pred-format", "clusters")
    for pair, formats in (
        (("gold.json", "pred.csv"), of_gold),
        (("gold.csv", "pred.json"), of_pred),
        (("gold.json", "pred.json"), of_gold + of_pred),
    ):
        error = shell.error("score", *pair)  # whatever the other side is
        assert "pass --format-in clusters or memberships" in error
        assert ("'gold.json': 'a': ['10', '9'] may be" in error) == (pair[0] == "gold.json")
        assert numbers(shell.json("score", *pair, *formats)) == expected
    Path("numbers.json").write_text('{"1": [1, 2], "2": [1]}')
    assert "pass --format-in clusters or memberships" in shell.error("score", "numbers.json", "numbers.json")
    for form in ("clusters", "memberships"):
        card = shell.json("score", "numbers.json", "numbers.json", "--format-in", form)
        assert set(numbers(card).values()) == {1.0}
        assert f"|format:{form}|" in card["scores"]["omega"]["signature"]


def test_standard_input(shell: Shell) -> None:
    Path("pred.memberships").write_text("a\t1\nb\t1 2\nc\t2\n")
    ask = ("score", "-", "pred.memberships", "--format-in", "memberships", "--format", "json")
    card = json.loads(run(*ask, stdin="a\t10 9\nb\t10\nc\t9\n").stdout)
    assert numbers(card) == numbers(shell.json("score", "gold.csv", "pred.csv"))


def test_systems_and_documents(shell: Shell) -> None:
    """Several documents and several systems, of which some overlap and some do not."""
    rng = random.Random(15)
    sides = {}
    for name, most in (("g", 2), ("A", 3), ("B", 1)):
        rows = [
            (f"e{e}", f"c{c}", f"d{d}")
            for d in range(8)
            for e in range(6)
            for c in rng.sample(range(4), rng.randint(1, most))
        ]
        Path(f"{name}.csv").write_text("element,cluster,document\n" + "".join(f"{','.join(row)}\n" for row in rows))
        elements, labels, documents = map(list, zip(*rows, strict=True))
        sides[name] = cs.Clustering.from_labels(labels, elements=elements, documents=documents)
    card = cs.score(sides["g"], sides["A"], average="macro")
    output = shell.json("score", "g.csv", "A.csv", "--average", "macro")
    assert numbers(output) == {name: score.value for name, score in card.items()}
    assert output["documents"] == 8
    compared = shell.json("compare", "g.csv", "A.csv", "B.csv", "--resamples", "50")
    expected = cs.compare(sides["g"], {name: sides[name] for name in "AB"}, resamples=50)
    for name in "AB":
        assert numbers(compared["systems"][name]) == {m: result.score.value for m, result in expected[name].items()}
    assert (compared["unit"], compared["units"]) == ("documents", 8)


MISTAKES = {
    "a membership twice": ("element,cluster\na,x\nb,x\na,x\n", ["1 membership given twice (e.g. element 'a' in"]),
    "an empty cell": ("element,cluster\na,x\na,\nb,x\nc,x\n", ["gold has 1 element with no label", "--noise ''"]),
    "no id": ("element,cluster\na,x\n,y\n", ["1 row without a value in column 'element' (e.g. row 2)"]),
    "no row for an element": (
        "element,cluster\na,x\na,y\nb,x\n",
        ["1 element is only in pred (e.g. 'c')", "--missing"],
    ),
}


@pytest.mark.parametrize("case", MISTAKES)
def test_mistakes(shell: Shell, case: str) -> None:
    text, expected = MISTAKES[case]
    Path("bad.csv").write_text(text)
    error = shell.error("score", "bad.csv", "pred.csv")
    assert [part for part in expected if part not in error] == [], error


def test_mistakes_in_other_formats(shell: Shell) -> None:
    Path("bad.json").write_text('{"a": ["x", "y"], "b": "x", "c": ["x"]}')
    assert "1 single value instead of lists" in shell.error("score", "bad.json", "pred.csv")
    Path("links.txt").write_text("a b\nb c\n")
    assert "pass --format-in clusters if they overlap; if each line is a link, pass --format-in links" in shell.error(
        "score", "links.txt", "pred.csv"
    )
    Path("none.memberships").write_text("a\tx\nb\tx\nc\t\n")
    assert "1 element in no cluster of gold (e.g. 'c'); pass --missing drop or singleton" in shell.error(
        "score", "none.memberships", "pred.csv"
    )
    assert shell.json("score", "none.memberships", "pred.csv", "--missing", "drop")["elements"] == 2
