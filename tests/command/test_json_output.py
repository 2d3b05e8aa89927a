"""One JSON shape for all commands: what each prints with ``--format json`` is held to the schema in the package."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from output_schema import FILE, results, schema

import clusterscore as cs
from clusterscore.command import main
from clusterscore.command.commands import COMMANDS

EXAMPLES = Path(__file__).parents[2] / "examples"
SCHEMA = json.loads((files("clusterscore") / "show" / "output.schema.json").read_text(encoding="utf-8"))
PAIR, STREAMS = "gold.csv pred.csv", "streams.csv --gold gold --pred model --document stream --element page"
CALLS = [
    f"score {PAIR}",
    f"score {PAIR} --baselines -m elm",
    f"score {PAIR} --gold-also pred.csv",
    "score genres.csv found_genres.json --pred-format memberships",
    f"score {STREAMS} --by stream",
    f"score {STREAMS} --average macro",
    f"score {STREAMS} --by-document",
    f"score {STREAMS} --average weighted",
    f"score {PAIR} --engine duckdb",
    f"elements {PAIR}",
    f"elements {PAIR} --worst 0",
    "elements genres.csv found_genres.json --pred-format memberships",
    f"elements {STREAMS}",
    f"clusters {PAIR}",
    f"clusters {STREAMS} --side gold",
    f"errors {PAIR}",
    f"errors {PAIR} --cells",
    f"compare {PAIR} --resamples 20",
    f"compare {PAIR} again=gold.csv --resamples 20 -m elm",
    f"compare {PAIR} --resamples 0 -m elm --missing drop",
    f"compare {PAIR} again=gold.csv --resamples 20 -m elm --pairs all --layout paper",
    "compare key.conll response.conll again=key.conll --coref --resamples 0",
    f"estimate {PAIR} --sample uniform",
    f"estimate {PAIR} --sample size --resamples 0 --target 0.1",
    f"estimate {PAIR} --sample uniform again=gold.csv -m elm,rand",
    f"score {PAIR} --sample size -m elm",
    f"errors {PAIR} --sample size",
    f"errors {PAIR} --sample size --cells",
    f"clusters {PAIR} --sample uniform",
    f"elements {PAIR} --sample uniform",
    f"compare {PAIR} again=gold.csv -m elm --sample uniform",
    "sweep gold.csv edges.csv -m elm --sample uniform",
    "draw-sample pred.csv 4",
    "pairs labelled.csv pred.csv",
    "pairs labelled.csv pred.csv again=gold.csv --sampled matches",
    "sweep gold.csv edges.csv",
    "sweep gold.csv edges.csv -m elm,nmi --cross-validate 2",
    f"align {PAIR}",
    f"align {STREAMS}",
    "diff old.csv new.csv",
    "diff old.csv old.csv",
    "agreement gold.csv pred.csv",
    "agreement gold.csv pred.csv --elements",
    "coref key.conll response.conll",
    "coref key.conll response.conll --by-document",
    "coref key.conll response.conll again=key.conll",
    "score key.conll response.conll",
    "score crac/gold crac/pred --field crac",
    "fields",
    "constraints elm nmi --largest 4",
    "constraints --list",
    "metrics",
    "metrics elm ari",
]
Print = Callable[[str], Any]


@pytest.fixture
def printed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Print:
    monkeypatch.chdir(EXAMPLES)

    def run(call: str) -> Any:
        with pytest.raises(SystemExit) as left:
            main([*call.split(), "--format", "json"])
        out, err = capsys.readouterr()
        assert left.value.code == 0, err
        return json.loads(out, parse_constant=lambda name: pytest.fail(f"{name} is not JSON"))

    return run


def test_the_schema_is_one_and_can_fail() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    score = {"value": 0.5, "precision": None, "recall": None, "f": None, "signature": "elm|v:1"}
    good = {"scores": {"elm": score}, "elements": 1, "documents": 1, "version": "1"}
    valid = Draft202012Validator(SCHEMA).is_valid
    assert valid(good)
    assert valid({"systems": {"A": {"scores": {"elm": score}}}, "version": "1"})
    for wrong in (
        {"version": "1"},
        {**good, "version": 1},
        {**good, "responses": {}},
        {**good, "scores": {}},
        {**good, "scores": {"elm": 0.5}},
        {**good, "scores": {"elm": {**score, "value": None}}},
        {**good, "scores": {"elm": {**score, "signature": "elm"}}},
        {**good, "elements": 1.5},
        {"systems": {"A": {"elm": score}}, "version": "1"},
        {"rows": {"element": [1]}, "version": "1"},
    ):
        assert not valid(wrong), wrong


def test_rows_follow_from_the_results() -> None:
    assert FILE.read_text(encoding="utf-8") == schema(), "run python docs/output_schema.py"
    for name, result in results().items():
        own = Draft202012Validator(SCHEMA["$defs"][f"row: {name}"])
        rows = json.loads(json.dumps(list(result.records()), default=str))
        assert rows, name
        for row in rows:
            own.validate(row)
            assert not own.is_valid({**row, "another": 1}), name


def test_every_command_that_prints_json_is_here() -> None:
    assert {call.split()[0] for call in CALLS} == {*COMMANDS} - {"demo", "report"}


@pytest.mark.parametrize("call", CALLS)
def test_the_shape(call: str, printed: Print) -> None:
    content = printed(call)
    Draft202012Validator(SCHEMA).validate(content)
    assert content["version"] == cs.__version__


def test_rows_rest_on_the_score_beside_them(printed: Print) -> None:
    content = printed(f"elements {PAIR} -m bcubed")
    assert content["scores"] == printed(f"score {PAIR} -m bcubed")["scores"]
    assert sum(row["loss"] for row in content["rows"]) == pytest.approx(1 - content["scores"]["bcubed"]["value"])
    assert len(content["rows"]) == content["elements"] == 9


def test_one_response_and_several_have_the_same_scores(printed: Print) -> None:
    single = printed("coref key.conll response.conll -m muc")
    several = printed("coref key.conll response.conll again=key.conll -m muc")["systems"]
    assert list(several) == ["response", "again"]
    assert several["response"] == {name: value for name, value in single.items() if name not in ("version", "field")}
    assert several["again"]["scores"]["muc"]["f"] == 1.0
