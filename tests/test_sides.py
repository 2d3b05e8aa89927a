"""Two files, each read in its own way: their columns differ, and so may their formats."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from click.testing import CliRunner

import clusterscore as cs
from clusterscore.command import main

GOLD = {"record_id": [1, 2, 3, 4, 5], "person_id": ["a", "a", "b", "b", "b"], "day": ["x", "x", "x", "y", "y"]}
PRED = {"rid": [5, 4, 3, 2, 1], "golden_id": [7, 7, 8, 8, 9], "date": ["y", "y", "x", "x", "x"]}
COLUMNS = ["--gold-element", "record_id", "--gold", "person_id", "--pred-element", "rid", "--pred", "golden_id"]
EXPECTED = cs.elm(["a", "a", "b", "b", "b"], [9, 8, 8, 7, 7])
BY_DAY = cs.elm(["a", "a", "b", "b", "b"], [9, 8, 8, 7, 7], documents=GOLD["day"])
Told = Callable[..., str]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, columns in (("people", GOLD), ("found", PRED)):
        frame = pl.DataFrame(columns)
        frame.write_csv(f"{name}.csv")
        frame.write_csv(f"{name}.data", separator="\t")
        frame.write_parquet(f"{name}.parquet")
        frame.write_ndjson(f"{name}.jsonl")
        Path(f"{name}.json").write_text(json.dumps(frame.to_dicts()))
        frame.select(frame.columns[:2]).write_csv(f"{name}-2.csv")
    return tmp_path


@pytest.fixture
def told(folder: Path, capsys: pytest.CaptureFixture[str]) -> Told:
    """What the command complains of, in the files of the folder."""

    def run(*arguments: str) -> str:
        with pytest.raises(SystemExit) as left:
            main(list(arguments))
        assert left.value.code == 2
        return capsys.readouterr().err

    return run


def scored(*arguments: str) -> tuple[float, str]:
    done = CliRunner().invoke(cs.command.cli, ["score", *arguments, "-m", "elm", "--format", "json"])
    assert not done.exception, done.output
    found = json.loads(done.stdout)["scores"]["elm"]
    return found["value"], found["signature"]


@pytest.mark.parametrize("pred", ["found.csv", "found.parquet", "found.jsonl", "found.json"])
@pytest.mark.parametrize("gold", ["people.csv", "people.parquet"])
def test_columns_of_each_file(folder: Path, gold: str, pred: str) -> None:
    engines = ["arrays", "duckdb"][: 1 + (pred != "found.json")]
    for engine in engines:
        assert scored(gold, pred, *COLUMNS, "--engine", engine) == (EXPECTED.value, EXPECTED.signature)
        where = ["--gold-document", "day", "--pred-document", "date"]
        assert scored(gold, pred, *COLUMNS, *where, "--engine", engine) == (BY_DAY.value, BY_DAY.signature)
    names = {"gold_element": "record_id", "pred_element": "rid"}
    sides = cs.Clustering.from_files(gold, pred, gold_cluster="person_id", pred_cluster="golden_id", **names)
    assert cs.elm(*sides) == EXPECTED


@pytest.mark.parametrize("engine", ["auto", "arrays", "duckdb"])
def test_tables_of_other_columns(folder: Path, engine: Any) -> None:
    names = {"gold": "person_id", "pred": "golden_id", "gold_element": "record_id", "pred_element": "rid"}
    for tables in ((pl.DataFrame(GOLD), pl.DataFrame(PRED)), ("people.csv", "found.parquet")):
        given: dict[str, Any] = {"gold_table": tables[0], "pred_table": tables[1], "engine": engine, **names}
        assert cs.score_table(**given, metrics="elm")["elm"] == EXPECTED
        card = cs.score_table(**given, gold_document="day", pred_document="date", metrics="elm")
        assert card["elm"] == BY_DAY
        with_one = cs.score_table(**given, gold_document="day", metrics="elm")  # which says where all elements are
        assert with_one["elm"] == BY_DAY


def test_formats_of_each_file(folder: Path) -> None:
    value, signature = scored("people.data", "found.csv", *COLUMNS, "--gold-format", "tsv")
    assert value == EXPECTED.value
    assert "|gold_format:tsv|" in signature
    for engine in ("arrays", "duckdb"):
        both = ["--gold-format", "csv", "--pred-format", "csv", "--engine", engine]
        assert scored("people.csv", "found.csv", *COLUMNS, *both) == scored(
            "people.csv", "found.csv", *COLUMNS, "--format-in", "csv", "--engine", engine
        )
    card = cs.score_table(
        gold_table="people.data", pred_table="found.csv", gold_format="tsv", gold="person_id", pred="golden_id",
        gold_element="record_id", pred_element="rid", metrics="elm",
    )  # fmt: skip
    assert (card["elm"].value, card["elm"].signature) == (value, signature)


def test_other_commands(folder: Path) -> None:
    for name in ("elements", "clusters", "errors"):
        done = CliRunner().invoke(cs.command.cli, [name, "people.csv", "found.csv", *COLUMNS])
        assert not done.exception, done.output
        assert done.stdout.rstrip().endswith(EXPECTED.signature)
    several = ["people.csv", "found.csv", "found.parquet", *COLUMNS]
    done = CliRunner().invoke(cs.command.cli, ["compare", *several, "-m", "elm", "--resamples", "0", "--format", "csv"])
    assert not done.exception, done.output
    assert done.stdout.count(str(EXPECTED.value)) >= 2
    done = CliRunner().invoke(cs.command.cli, ["report", *several, "--show", "day"])
    assert not done.exception, done.output


def test_mistakes_have_the_options_to_type(told: Told) -> None:
    said = told("score", "people-2.csv", "found-2.csv")
    assert "'people-2.csv' has no column 'element' or 'cluster': it has 'record_id', 'person_id', and " in said
    assert "'found-2.csv' has 'rid', 'golden_id'; say --gold-element record_id --pred-element rid --gold " in said
    assert said.endswith(" --gold person_id --pred golden_id\n")
    for engine in ("arrays", "duckdb"):
        typed = said.split("; say ")[1].split()
        assert scored("people-2.csv", "found-2.csv", *typed, "--engine", engine)[0] == EXPECTED.value
    said = told("score", "people-2.csv", "people-2.csv", "--element", "record_id", "--engine", "duckdb")
    assert said.endswith("; say --cluster person_id\n")
    said = told("score", "people.csv", "found.csv", "--gold-element", "record_id", "--pred-element", "rid")
    assert said.endswith("; say --gold COL --pred COL\n")  # two columns are left in each


def test_mistakes_in_the_names(told: Told) -> None:
    files = ["people-2.csv", "found-2.csv", "--gold-element", "record_id", "--pred-element", "rid"]
    said = told("score", *files, "--gold", "golden_id", "--pred", "person_id")
    assert "'people-2.csv' has no column 'golden_id', which 'found-2.csv' has: it has" in said
    assert said.endswith("; are the two columns swapped?\n")
    assert "no column 'goldn_id': did you mean 'golden_id'?" in told(
        "score", *files, "--gold", "person_id", "--pred", "goldn_id"
    )
    said = told("score", *files, "--cluster", "person_id")
    assert "'found-2.csv' has no column 'person_id', which 'people-2.csv' has" in said
    assert said.endswith("; say --gold person_id --pred golden_id\n")
    assert "--cluster COL is said of both sides and --pred COL of one; say --cluster COL alone, or --gold COL" in told(
        "score", *files, "--cluster", "person_id", "--pred", "golden_id"
    )
    assert "--element COL is said of both sides and --gold-element COL of one" in told(
        "score", *files, "--element", "record_id"
    )
    assert "--format-in is said of both sides and --gold-format of one" in told(
        "score", *files, "--format-in", "csv", "--gold-format", "csv"
    )
