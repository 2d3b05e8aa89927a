"""The command line as a person uses it: files in, a table or JSON out, one line for a mistake."""

from __future__ import annotations

import json
import re
import warnings
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import clusterscore as cs
from clusterscore.command import cli
from clusterscore.screen import STYLED
from running import on_terminal, run

GOLD = {"p1": "cats", "p2": "cats", "p3": "cats", "p4": "dogs", "p5": "dogs", "p6": "fish"}
PRED = {"p1": "1", "p2": "1", "p3": "2", "p4": "2", "p5": "2", "p6": "3"}
EXPECTED = cs.score(GOLD, PRED)


def fails(*arguments: str, stdin: str | bytes = b"", cwd: Path | str = ".") -> str:
    """The one line that a mistake gives."""
    done = run(*arguments, stdin=stdin, cwd=cwd)
    assert done.returncode == 2, done.stdout + done.stderr
    assert not done.stdout
    assert done.stderr.startswith("clusterscore: ")
    assert done.stderr.count("\n") == 1
    assert "Traceback" not in done.stderr
    return done.stderr


def scores(*arguments: str, stdin: str = "", cwd: Path | str = ".") -> dict[str, dict[str, float]]:
    done = run("score", *arguments, "--format", "json", stdin=stdin, cwd=cwd)
    assert done.returncode == 0, done.stderr
    by_metric: dict[str, dict[str, float]] = json.loads(done.stdout)["scores"]
    return by_metric


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same two clusterings in every format, the prediction in another order."""
    home = tmp_path_factory.mktemp("files")
    turned = dict(reversed(PRED.items()))
    (home / "gold.txt").write_text("".join(f"{label}\n" for label in GOLD.values()))
    (home / "pred.txt").write_text("".join(f"{label}\r\n" for label in PRED.values()), newline="")
    for name, rows in (("gold", GOLD), ("pred", turned)):
        pairs = list(rows.items())
        (home / f"{name}.csv").write_text("element,cluster\n" + "".join(f"{e},{c}\n" for e, c in pairs))
        (home / f"{name}.tsv").write_text("﻿cluster\telement\n" + "".join(f"{c}\t{e}\n" for e, c in pairs))
        (home / f"{name}_semicolon.csv").write_text("element;cluster\n" + "".join(f"{e};{c}\n" for e, c in pairs))
        records = [{"element": e, "cluster": c} for e, c in pairs]
        (home / f"{name}.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
        (home / f"{name}_records.json").write_text(json.dumps(records))
        (home / f"{name}_mapping.json").write_text(json.dumps(rows))
        (home / f"{name}_columns.json").write_text(json.dumps({"element": list(rows), "cluster": list(rows.values())}))
        clusters = [[e for e, c in pairs if c == label] for label in sorted(set(rows.values()))]
        (home / f"{name}_clusters.json").write_text(json.dumps(clusters))
        named = {label: [e for e, c in pairs if c == label] for label in sorted(set(rows.values()))}
        (home / f"{name}_named.json").write_text(json.dumps(named))
    both = "".join(f"{e},{GOLD[e]},{PRED[e]}\n" for e in GOLD)
    (home / "both.csv").write_text("id,true,found\n" + both)
    (home / "streams.csv").write_text(
        "s,page,g,p\n" + "".join(f"{s},{k},a,{x}\n" for s in "AB" for k, x in enumerate("xxy"))
    )
    return home


BY_ID = {"{}.csv": {}, "{}.tsv": {}, "{}_semicolon.csv": {}, "{}.jsonl": {}, "{}_records.json": {},
         "{}_mapping.json": {}, "{}_columns.json": {}, "{}_clusters.json": {},
         "{}_named.json": {"format": "clusters"}}  # fmt: skip


def test_every_format_with_every_other(folder: Path) -> None:
    golds, preds = (
        [cs.Clustering.from_file(folder / name.format(side), **BY_ID[name]) for name in BY_ID]
        for side in ("gold", "pred")
    )
    for gold, pred in product(golds, preds):
        scores = json.dumps(cs.score(gold, pred).to_dict()["scores"])
        assert re.sub(r"\|(gold_|pred_)?format:clusters", "", scores) == json.dumps(EXPECTED.to_dict()["scores"])


def test_files_through_the_command(folder: Path) -> None:
    expected = EXPECTED.to_dict()["scores"]
    assert scores("gold.csv", "pred.tsv", cwd=folder) == expected
    assert scores("gold.txt", "pred.txt", cwd=folder) == expected
    assert scores("both.csv", "--gold", "true", "--pred", "found", cwd=folder) == expected
    assert scores("both.csv", "--gold", "true", "--pred", "found", "--element", "id", cwd=folder) == expected


def test_plain_text_through_the_command(folder: Path) -> None:
    expected = EXPECTED.to_dict()["scores"]
    (folder / "gold.clusters").write_text("p1 p2 p3\np4 p5\np6\n")
    (folder / "pairs").write_text("p1,p2\np3,p4\np5,p4\np6\n")
    (folder / "gold.lengths").write_text("3 2 1\n")
    (folder / "pred.boundaries").write_text("101001\n")
    assert scores("gold.clusters", "pred.csv", cwd=folder) == expected
    assert scores("pairs", "pairs", "--format-in", "links", "-m", "elm", cwd=folder)["elm"]["f"] == 1.0
    assert scores("gold.lengths", "pred.boundaries", cwd=folder) == expected
    assert scores("gold.cs*", "pred.tsv", cwd=folder) == expected


def test_recordings(folder: Path) -> None:
    line = "SPEAKER {} 1 {} {} <NA> <NA> {} <NA> <NA>\n".format
    (folder / "gold.rttm").write_text(line("r", 0, 1, "A") + line("r", 1, 1, "B") + line("s", 0, 1, "A"))
    (folder / "pred.rttm").write_text(line("r", 0, 1, "x") + line("r", 1, 2, "y"))
    assert "pass --missing drop" in fails("score", "gold.rttm", "pred.rttm", "--strict", cwd=folder)
    options = ("gold.rttm", "pred.rttm", "--missing", "drop", "--step", "0.5", "--format", "json", "-m", "elm")
    assert json.loads(run("score", *options, cwd=folder).stdout)["elements"] == 6
    noise = ("--noise", "(silence)", "--noise-as", "drop")
    assert json.loads(run("score", *options, *noise, cwd=folder).stdout)["scores"]["elm"]["f"] == 1.0


@pytest.mark.parametrize("name", ["pred.csv", "pred.tsv", "pred.jsonl", "pred_records.json", "pred_mapping.json"])
def test_standard_input(folder: Path, name: str) -> None:
    assert scores("gold.csv", "-", stdin=(folder / name).read_text(), cwd=folder) == EXPECTED.to_dict()["scores"]


def test_labels_from_standard_input(folder: Path) -> None:
    assert scores("gold.txt", "-", stdin="1\n1\n2\n2\n2\n3\n", cwd=folder) == EXPECTED.to_dict()["scores"]


def test_documents_and_averages(folder: Path) -> None:
    options = ("streams.csv", "--gold", "g", "--pred", "p", "--element", "page", "--document", "s", "-m", "elm")
    printed = json.loads(run("score", *options, "--average", "macro", "--format", "json", cwd=folder).stdout)
    assert printed["documents"] == 2
    assert printed["elements"] == 6
    assert printed["gold_clusters"] == 2  # "a" of two streams is two clusters
    assert printed["scores"]["elm"]["std"] == 0.0
    assert printed["scores"]["elm"]["value"] == pytest.approx(4 / 9)
    assert "avg:macro" in printed["scores"]["elm"]["signature"]


def test_metrics_are_asked_for_by_name_and_keep_their_order(folder: Path) -> None:
    by_metric = scores("gold.csv", "pred.csv", "-m", "ari, bcubed(f=of-means, beta=2)", "-m", "elm", cwd=folder)
    assert list(by_metric) == ["adjusted_rand", "bcubed(f=of-means, beta=2)", "elm"]
    assert by_metric["bcubed(f=of-means, beta=2)"]["f"] == cs.bcubed(GOLD, PRED, f="of-means", beta=2).f


@pytest.mark.parametrize(
    ("form", "fragment"),
    [
        ("table", "elm      0.6667   0.6667   0.6111   f:mean|beta:1"),
        ("csv", "elm,0.611111111111111"),
        ("markdown", "| elm | 0.6667 | 0.6667 | 0.6111 |"),
        ("latex", r"elm & 0.6667 & 0.6667 & 0.6111 & f:mean\textbar{}beta:1 \\"),
    ],
)
def test_forms(folder: Path, form: str, fragment: str) -> None:
    assert fragment in run("score", "gold.csv", "pred.csv", "-m", "elm,bcubed", "--format", form, cwd=folder).stdout


def test_a_name_of_blanks_is_no_metric(folder: Path) -> None:
    for blanks in ("", "  ", " , "):
        assert "is empty; name at least one metric" in fails("score", "gold.csv", "pred.csv", "-m", blanks, cwd=folder)


def test_policies(folder: Path) -> None:
    (folder / "short.csv").write_text("element,cluster\np1,1\np2,1\np3,\n")
    assert "3 elements are only in gold (e.g. 'p4'); pass --missing drop or singleton" in fails(
        "score", "gold.csv", "short.csv", "--noise", "", cwd=folder
    )
    message = fails("score", "gold.csv", "short.csv", "--missing", "drop", cwd=folder)
    assert "1 element with no label" in message
    assert "pass --noise '' with --noise-as drop or singleton" in message
    options = ("--missing", "drop", "--noise", "", "--noise-as", "drop", "-m", "elm")
    by_metric = scores("gold.csv", "short.csv", *options, cwd=folder)
    assert by_metric["elm"]["value"] == 1.0
    assert by_metric["elm"]["signature"] == "elm|f:mean|beta:1|avg:micro|missing:drop|noise:null|noise_as:drop|v:0.1.0"  # type: ignore[comparison-overlap]


def test_elements(folder: Path) -> None:
    printed = json.loads(
        run("elements", "gold.csv", "pred.csv", "--metric", "bcubed", "--format", "json", cwd=folder).stdout
    )
    assert printed["scores"]["bcubed"] == cs.bcubed(GOLD, PRED).to_dict()
    rows = {name: [row[name] for row in printed["rows"]] for name in ("element", "pred", "precision")}
    assert rows["element"] == list(GOLD)
    assert rows["pred"] == list(PRED.values())
    assert rows["precision"] == [1.0, 1.0, pytest.approx(1 / 3), pytest.approx(2 / 3), pytest.approx(2 / 3), 1.0]
    assert "does not score single elements" in fails("elements", "gold.csv", "pred.csv", "-m", "ari", cwd=folder)


def test_what_python_tells(monkeypatch: pytest.MonkeyPatch) -> None:
    def invoke(_: Any) -> None:
        warnings.showwarning("numbers\nare odd", RuntimeWarning, "x.py", 1)
        raise MemoryError

    monkeypatch.setattr(cli, "invoke", invoke)
    assert run("fields").stderr.splitlines() == [
        "clusterscore: warning: numbers are odd",
        "clusterscore: there is not enough memory; score with --engine duckdb and --memory keeps large tables on disk",
    ]


def test_metrics_lists_all() -> None:
    listing = run("metrics").stdout
    lines = [line.split()[line.startswith("+")] for line in listing.splitlines() if line[:2] in ("  ", "+ ")]
    assert sorted(lines) == [kind.name for kind in cs.registered()]
    headings = [line for line in listing.splitlines() if line and line[:2] not in ("  ", "+ ")]
    groups = ["elements", "pairs", "clusters", "information", "coreference", "segmentation", "speakers", "overlapping"]
    assert headings == groups
    shown = STYLED.sub("", on_terminal("metrics").stdout).splitlines()
    whole = [line if len(line) <= 100 else f"{line[:97]}..." for line in listing.splitlines()]
    assert (shown, max(map(len, shown))) == (whole, 100)
    assert "n*(n-1)/(b-1)" in run("metrics", "elm").stdout
    output = run("metrics", "--search", "Particle  tracking").stdout
    assert output.splitlines()[0] == "clusters"
    assert output.split()[1] == "cluster_match"
    assert "no metric has 'zzz' in its name or description" in fails("metrics", "--search", "zzz")
    whole = run("metrics", "ari").stdout
    assert "Hubert & Arabie 1985" in whole
    assert "adjusted_rand|avg:micro|missing:error|v:" in whole
    assert len(json.loads(run("metrics", "--format", "json").stdout)["rows"]) == len(cs.registered())


def test_demo() -> None:
    shown = run("demo").stdout
    assert "documents      3" in shown
    assert "f:mean|beta:1" in shown
    assert "pages.csv" in shown


def test_help_and_version() -> None:
    assert "score" in run().stdout
    assert "--gold COL" in run("score", "--help").stdout
    assert run("--version").stdout.strip().endswith(cs.__version__)


def test_mistakes(folder: Path) -> None:
    def error(*arguments: str) -> str:
        return fails("score", *arguments, cwd=folder)

    (folder / "ragged.csv").write_text("element,cluster\np1,a\np2\np3,b,c\n")
    (folder / "latin.txt").write_bytes(b"a\nb\xe9\n")
    (folder / "empty.csv").write_text("")
    (folder / "heading.csv").write_text("element,cluster\n")
    (folder / "quote.csv").write_text('element,cluster\np1,"a\np2,b\n')
    (folder / "twice.csv").write_text("element,cluster\np1,a\np2,a\np1,a\n")
    (folder / "same.csv").write_text("element,cluster,cluster\np1,a,b\n")
    (folder / "noid.csv").write_text("element,cluster\n,a\np2,b\n")
    (folder / "gap.txt").write_text("a\n\nb\n")
    (folder / "broken.json").write_text('{"a": ')
    (folder / "broken.jsonl").write_text('{"element": 1, "cluster": 2}\n{]\n')
    (folder / "number.json").write_text("7")
    (folder / "words.txt").write_text("New York\nNew York\n")
    (folder / "r.rttm").write_text("SPEAKER r 1 0 1 <NA> <NA> A <NA> <NA>\n")
    (folder / "deep.json").write_text("[" * 100_000)
    (folder / "binary.txt").write_bytes(b"a\0b\n")

    assert "no file 'gold.cvs'; did you mean 'gold.csv'?" in error("gold.cvs", "pred.csv")
    assert "the folder 'nowhere' does not exist" in error("nowhere/gold.csv", "pred.csv")
    assert "is a folder" in error(".", "pred.csv")
    assert "2 rows without 2 fields as in the heading (e.g. line 3 has 1)" in error("gold.csv", "ragged.csv")
    assert "is not UTF-8: byte 0xe9 in line 2" in error("latin.txt", "pred.txt")
    assert "is empty" in error("empty.csv", "pred.csv")
    assert "no rows" in error("heading.csv", "pred.csv")
    assert "'quote.csv', line" in error("quote.csv", "pred.csv")
    assert "1 membership given twice (e.g. element 'p1' in cluster 'a')" in error("twice.csv", "pred.csv")
    assert "two columns called 'cluster'" in error("same.csv", "pred.csv")
    assert "1 row without a value in column 'element' (e.g. row 1)" in error("noid.csv", "pred.csv")
    assert "1 empty line (e.g. line 2)" in error("gap.txt", "pred.txt")
    assert "is not JSON" in error("broken.json", "pred.csv")
    assert "line 2 is not JSON" in error("broken.jsonl", "pred.csv")
    assert "is not a clustering" in error("number.json", "pred.csv")
    assert "'deep.json' is" in error("deep.json", "pred.csv")
    assert "NUL byte in line 1" in error("binary.txt", "pred.txt")
    assert "no column 'clutser': did you mean 'cluster'?" in error("gold.csv", "pred.csv", "--cluster", "clutser")
    assert "'both.csv' has 'id', 'true', 'found', and 'pred.csv' has 'element', " in error("both.csv", "pred.csv")
    assert error("both.csv", "pred.csv").endswith(": which column is the cluster? pass --gold COL\n")
    assert "go together" in error("both.csv", "--gold", "true")
    assert "--gold is given 2 times (true, found)" in error("both.csv", "pred.csv", "--gold", "true", "--gold", "found")
    assert "--cluster COL is for two tables" in error(
        "both.csv", "--gold", "true", "--pred", "found", "--cluster", "id"
    )
    assert "--pred-format is for two tables" in error(
        "both.csv", "--gold", "true", "--pred", "found", "--pred-format", "csv"
    )
    assert "pass two files" in error("gold.csv")
    assert "standard input can be read only once" in error("-", "-")
    assert "by position" in error("gold.csv", "pred.txt")
    assert "or pass --format-in" in error("gold.csv", "pred.txt")
    assert "pass --format-in links; if it is one label, --format-in labels" in error("words.txt", "words.txt")
    assert "--step 0.0 is not a length in seconds" in error("r.rttm", "r.rttm", "--step", "0")
    assert "no file matches 'none-*.csv'" in error("none-*.csv", "pred.csv")
    assert "unknown metric 'elmo': did you mean 'elm'?" in error("gold.csv", "pred.csv", "-m", "elmo")
    assert "has no parameter 'betta': did you mean 'beta'?" in error("gold.csv", "pred.csv", "-m", "elm(betta=1)")
    assert "beta=-1 is out of range" in error("gold.csv", "pred.csv", "-m", "elm(beta=-1)")
    assert re.search("No such option:? '?--frmat", error("gold.csv", "pred.csv", "--frmat", "json"))
    assert "not one of" in error("gold.csv", "pred.csv", "--average", "mean")
    assert "No such command 'scor'" in fails("scor")
    assert "standard input is empty" in error("-", "pred.csv")
