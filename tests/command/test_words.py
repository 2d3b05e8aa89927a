"""A mistake is told in the words of whoever made it: options on the command line, keywords in Python."""

from __future__ import annotations

import ast
import json
import pickle
import re
import shlex
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest

import clusterscore as cs
from clusterscore.command import cli
from clusterscore.exceptions import ClusterscoreError
from clusterscore.messages import Given, Message, Option, Wording
from running import run

SOURCE = Path(cs.__file__).parent
PYTHON = re.compile(r"\b\w+=[\"'\[]|(?!Entity)\b\w+=(?=[\s;,.)]|$)|\bcs\.|\bClustering\.|\bNone\]|=(True|False)\b")
OPTION = re.compile(r"(?<!\w)--[a-z]")
FILES = {
    "gold.csv": "element,cluster\na,1\nb,1\nc,2\nd,2\ne,3\n",
    "pred.csv": "element,cluster\na,x\nb,x\nc,y\nd,z\ne,z\n",
    "short.csv": "element,cluster\na,x\nb,x\nc,y\nd,z\n",
    "more.csv": "element,cluster\na,1\nb,2\nc,2\nd,1\ne,1\nf,1\ng,1\nh,1\ni,2\nj,2\nk,2\nl,2\n",
    "others.csv": "id,person\na,1\nb,2\nc,2\n",
    "persons.csv": "id,who\na,1\nb,1\nc,2\n",
    "wide.csv": "one,two,three\na,1,1\nb,2,2\n",
    "data.csv": "a,1,7\nb,2,8\nc,2,9\n",
    "twins.csv": "a,a\n1,2\n3,4\n",
    "gaps.csv": "element,cluster\na,1\nb,\nc,2\nd,2\ne,3\n",
    "minus.csv": "element,cluster\na,0\nb,1\nc,-1\nd,-1\ne,1\n",
    "words.csv": "element,cluster\na,NaN\nb,NaN\nc,NaN\nd,z\ne,z\n",
    "twice.csv": "element,cluster\na,1\na,2\nb,1\nc,2\nd,2\ne,3\n",
    "both.csv": "element,true,found\na,1,x\nb,1,x\nc,2,x\n",
    "documents.csv": "document,element,cluster\nd1,a,1\nd1,b,1\nd2,a,2\nd2,b,1\n",
    "labels.txt": "x\nx\ny\nz\nz\n",
    "again.txt": "x\ny\nx\n",
    "fewer.txt": "x\nx\ny\n",
    "lines.txt": "a b\nb c\nd e\n",
    "odd.txt": "a,b\nc,d\n",
    "tabs.txt": "a\t1\nb\t2\n",
    "ones.txt": "1\n0\n0\n1\n0\n",
    "lengths.txt": "2\n0\n",
    "two.json": '{"a": ["x", "y"], "b": ["z"]}',
    "bits.json": '{"a": [1, 0], "b": [0]}',
    "jsonl.json": '{"element": "a", "cluster": "1"}\n{"element": "b", "cluster": "1"}\n',
    "list.jsonl": "[1, 2]\n[3]\n",
    "pairs.csv": "left,right,score\na,b,0.9\nc,d,0.3\n",
    "ends.csv": "one,two,close\na,b,0.9\nc,d,0.3\n",
    "far.csv": "left,right,distance\na,b,0.9\nc,d,0.3\n",
    "splink.csv": "unique_id_l,unique_id_r,match_probability\na,b,0.9\n",
    "labelled.csv": "left,right,label\na,b,1\nb,c,1\na,c,0\nd,e,1\n",
    "joined.csv": "left,right,label\na,b,1\nb,c,1\n",
    "key.conll": "#begin document (a); part 000\na 0 0 x (1)\n#end document\n",
    "bad.rttm": "SPEAKER r 1 0.0 1.0 <NA> <NA> A <NA> <NA>\nNONE OF IT\n",
    "book.xlsx": "PK\x03\x04 xl/ ",
    "made.pkl": "\x80\x04",
    "drawn.csv": "element,weight,stratum\na,1,s\n",
    "parquet.parquet": "PAR1 and no more",
}
MISTAKES = """
score gold.csv short.csv
score gold.csv more.csv
score documents.csv gold.csv
score gold.csv others.csv --element ident
score gold.csv wide.csv
score wide.csv wide.csv
score gold.csv data.csv
score gold.csv twins.csv
score gold.csv pred.csv --pred clster
score gold.csv pred.csv --gold-element id
score gold.csv pred.csv --element id
score gold.csv pred.csv --element a --gold-element b
score gold.csv pred.csv --format-in csv --pred-format csv
score gold.csv pred.csv --no-header --pred-no-header
score both.csv --gold true --pred found --cluster id
score both.csv --gold true --pred found --gold-element id
score gaps.csv pred.csv
score gold.csv gaps.csv --engine duckdb
score gold.csv twice.csv --engine duckdb
score gold.csv twice.csv -m elm
score gold.csv pred.csv --memory much
score gold.csv pred.csv --engine duckdb --memory much
score gold.csv pred.csv --engine duckdb --threads 0
score gold.csv pred.csv --engine duckdb --threads 100000
score gold.csv pred.csv --engine duckdb --temp-directory nowhere
score gold.csv pred.csv --engine duckdb -m pk
score gold.csv pred.csv --engine duckdb -m ceafe
score gold.csv pred.csv --engine duckdb -m 'elm(weights=given)'
score gold.csv pred.csv -m 'elm(weights=given)'
score again.txt again.txt -m pk
score gold.csv short.csv -m pk --missing singleton
score gold.csv short.csv -m nmi --missing keep
score bad.rttm bad.rttm --step 0
score gold.csv labels.txt
score labels.txt fewer.txt
score lines.txt lines.txt
score odd.txt odd.txt
score tabs.txt tabs.txt
score two.json two.json
score bits.json bits.json
score jsonl.json jsonl.json
score list.jsonl list.jsonl
score lengths.txt lengths.txt --format-in lengths
score labels.txt labels.txt --format-in elements
score labels.txt labels.txt --format-in memberships
score bad.rttm bad.rttm
score key.conll gold.csv
score book.xlsx book.xlsx
score made.pkl made.pkl
score parquet.parquet parquet.parquet
score splink.csv splink.csv
score labels.txt labels.txt --by kind
score documents.csv documents.csv --by cluster --average macro
errors gold.csv twice.csv
compare gold.csv pred.csv short.csv --missing drop
compare gold.csv pred.csv short.csv
compare gold.csv pred.csv gold.csv --baseline nobody
compare gold.csv pred.csv gold.csv --average macro
compare gold.csv pred.csv gold.csv --unit documents
compare gold.csv pred.csv gold.csv --confidence 3
report gold.csv pred.csv --baseline pred.csv
chance gold.csv pred.csv -m pk
agreement gold.csv short.csv
diff gold.csv wide.csv
diff gold.csv data.csv
diff gold.csv gaps.csv
diff gold.csv twice.csv
sweep gold.csv ends.csv
sweep gold.csv far.csv
sweep gold.csv pairs.csv --score scor
sweep labels.txt pairs.csv
sweep gold.csv pairs.csv --missing keep
sweep gold.csv pairs.csv --cross-validate 9
pairs labelled.csv pred.csv
pairs joined.csv pred.csv
pairs labelled.csv pred.csv --implied --unit pairs
pairs labelled.csv pred.csv --weight none
estimate gold.csv short.csv --sample uniform
estimate gold.csv pred.csv --drawn drawn.csv --weights size
coref gold.csv gold.csv --match head
coref key.conll key.conll --match head
"""
DOUBTS = """
score minus.csv minus.csv
score gold.csv words.csv
score ones.txt ones.txt
score gold.csv more.csv --missing drop
score gold.csv more.csv --missing singleton
score others.csv persons.csv
diff others.csv persons.csv
diff gold.csv minus.csv
estimate others.csv persons.csv --sample uniform
compare documents.csv documents.csv -m ceafe --resamples 20
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("mistakes")
    for name, text in FILES.items():
        (made / name).write_text(text, "latin-1")
    return made


@pytest.mark.parametrize("line", MISTAKES.strip().splitlines())
def test_a_command_names_options(folder: Path, line: str) -> None:
    done = run(*shlex.split(line), cwd=folder)
    assert (done.returncode, done.stdout) == (2, "")
    assert not PYTHON.search(done.stderr), done.stderr


@pytest.mark.parametrize("line", DOUBTS.strip().splitlines())
def test_so_do_warnings(folder: Path, line: str) -> None:
    done = run(*shlex.split(line), "--format", "json", cwd=folder)
    assert done.returncode == 0, done.stderr
    lines = [line.partition("warning: ")[2] for line in done.stderr.splitlines() if "warning: " in line]
    assert json.loads(done.stdout).get("warnings", []) == lines
    for text in (done.stderr, run(*shlex.split(line), cwd=folder).stdout):
        assert not PYTHON.search(text), text


def test_so_does_a_page(folder: Path) -> None:
    assert run("report", "gold.csv", "minus.csv", "-o", "page.html", cwd=folder).returncode == 0
    page = (folder / "page.html").read_text("utf-8")
    assert "pass --noise -1, else --noise -1 with --noise-as cluster" in page
    with pytest.warns(cs.ClusterscoreWarning, match="pass noise='-1'"):
        cs.report(str(folder / "gold.csv"), str(folder / "minus.csv"), path=folder / "page.html")
    assert "--noise" not in (folder / "page.html").read_text("utf-8")


IN_PYTHON: dict[str, Callable[[Callable[[str], str]], Any]] = {
    "missing elements": lambda at: cs.elm(at("gold.csv"), at("short.csv")),
    "a sample": lambda at: cs.elm(at("gold.csv"), at("more.csv")),
    "open columns": lambda at: cs.elm(at("gold.csv"), at("wide.csv")),
    "data in the first line": lambda at: cs.elm(at("gold.csv"), at("data.csv")),
    "twins": lambda at: cs.elm(at("gold.csv"), at("twins.csv")),
    "gaps": lambda at: cs.elm(at("gold.csv"), at("gaps.csv")),
    "lines": lambda at: cs.elm(at("lines.txt"), at("lines.txt")),
    "odd lines": lambda at: cs.elm(at("odd.txt"), at("odd.txt")),
    "JSON": lambda at: cs.elm(at("bits.json"), at("bits.json")),
    "coreference": lambda at: cs.elm(at("key.conll"), at("gold.csv")),
    "no coreference": lambda at: cs.coref(at("gold.csv"), at("gold.csv"), match="head"),
    "RTTM": lambda at: cs.elm(at("bad.rttm"), at("bad.rttm")),
    "Excel": lambda at: cs.elm(at("book.xlsx"), at("book.xlsx")),
    "Parquet": lambda at: cs.elm(at("parquet.parquet"), at("parquet.parquet")),
    "by position": lambda at: cs.elm(at("gold.csv"), at("labels.txt")),
    "scored pairs": lambda at: cs.sweep(at("gold.csv"), edges=at("ends.csv")),
    "labelled pairs": lambda at: cs.score_pairs(at("labelled.csv"), at("pred.csv")),
    "memory": lambda at: cs.score_table(at("gold.csv"), at("pred.csv"), engine="duckdb", memory_limit="much"),
    "an engine": lambda at: cs.score_table(at("gold.csv"), at("pred.csv"), engine="duckdb", metrics="ceafe"),
    "order": lambda at: cs.score_table(at("gold.csv"), at("pred.csv"), metrics="pk"),
    "documents": lambda at: cs.compare([0, 0, 1], {"a": [0, 1, 1]}, unit="documents"),
    "a baseline": lambda at: cs.compare([0, 0, 1], {"a": [0, 1, 1]}, baseline="b"),
    "folds": lambda at: cs.sweep(at("gold.csv"), edges=at("pairs.csv")).cross_validate("elm", folds=9),
    "noise": lambda at: cs.elm([0, 1, -1, -1], [0, 1, 1, 1]),
    "columns taken": lambda at: cs.elm(at("others.csv"), at("others.csv")),
    "a diff": lambda at: cs.diff(at("gold.csv"), at("wide.csv")),
}


@pytest.mark.parametrize("mistake", IN_PYTHON.values(), ids=IN_PYTHON)
def test_python_names_keywords(folder: Path, mistake: Callable[[Callable[[str], str]], Any]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", cs.ClusterscoreWarning)
        with pytest.raises((cs.ClusterscoreError, cs.ClusterscoreWarning)) as caught:
            mistake(lambda name: str(folder / name))
    assert not OPTION.search(str(caught.value)), caught.value


def _parameters() -> set[str]:
    """All that messages in the source name as an option, by what it is called in Python."""
    names = set()
    for file in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Option":
                names |= {argument.value for argument in node.args[:1] if isinstance(argument, ast.Constant)}
    return names


def test_the_options_exist() -> None:
    context = click.Context(cli)
    commands = [cli.get_command(context, name) for name in cli.list_commands(context)]
    known = {
        name for command in commands if command is not None for parameter in command.params for name in parameter.opts
    }
    named = _parameters()
    assert {"missing", "memory_limit", "folds", "documents"} <= named
    assert {Option(name).command.split()[0] for name in named} <= known


def test_no_piece_in_a_text() -> None:
    """An f-string would flatten an option, and the command line would show Python's words."""
    for file in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.JoinedStr):
                assert not re.search(r"\{(Option|Given|Wording|Message)\(", ast.unparse(node)), file


def test_pieces_of_pieces() -> None:
    inner = cs.InputError("1 element is only in gold; pass ", Option("missing", "drop", "singleton"))
    outer = cs.FileError("'a.csv': ", inner, Wording(" (cs.File)"))
    assert str(outer) == '\'a.csv\': 1 element is only in gold; pass missing="drop" or "singleton" (cs.File)'
    assert outer.for_command() == "'a.csv': 1 element is only in gold; pass --missing drop or singleton"
    again = pickle.loads(pickle.dumps(outer))
    assert (str(again), again.for_command()) == (str(outer), outer.for_command())
    assert str(ClusterscoreError()) == ClusterscoreError().for_command() == ""


def test_both_are_cut() -> None:
    message = Message("x" * 10_000, "; pass ", Option("gold_cluster", "a b"))
    assert str(message).endswith('x; pass gold_cluster="a b"')
    assert message.for_command().endswith("x; pass --gold 'a b'")
    assert max(len(str(message)), len(message.for_command())) <= 500


@pytest.mark.parametrize(
    ("option", "python", "command"),
    [
        (Option("unit", "pairs"), 'unit="pairs"', "--unit pairs"),
        (Option("gold_element", "record id"), 'gold_element="record id"', "--gold-element 'record id'"),
        (Option("new_cluster", "..."), 'new_cluster="..."', "--new COL"),
        (Option("pred_format", "..."), 'pred_format="..."', "--pred-format"),
        (Option("score", ...), "score=...", "--score COL"),
        (Option("pred_header", False), "pred_header=False", "--pred-no-header"),
        (Option("implied", True), "implied=True", "--implied"),
        (Option("documents"), "documents=", "--document COL"),
        (Option("resamples", 0), "resamples=0", "--resamples 0"),
        (Given("noise", [None]), "noise=[None]", "--noise ''"),
        (Given("noise", "-1"), "noise='-1'", "--noise -1"),
        (Given("noise", "n/a"), "noise='n/a'", "--noise 'n/a'"),
        (Given("temp_directory", "a b"), "temp_directory='a b'", "--temp-directory 'a b'"),
    ],
)
def test_options(option: Option, python: str, command: str) -> None:
    assert (option.python, option.command) == (python, command)
