"""A field follows from a format that is its own, and is said; plain files have none; a Table keeps its field."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import clusterscore as cs
from fields.samples import CONLLU, KEY, RESPONSE, command, files_of, json_lines, seen, values
from running import run

FORMATS = {
    "conll": ("key.v4_gold_conll", KEY, RESPONSE),
    "corefud": ("ud.conllu", CONLLU, CONLLU.replace("Entity=(e2", "Entity=(e1", 1)),
    "jsonlines": ("test.jsonlines", json_lines(0), json_lines(1)),
    "conll without a name": ("key", KEY, RESPONSE),
    "jsonlines without a name": ("key.txt", json_lines(0), json_lines(1)),
}


@pytest.fixture(params=FORMATS)
def files(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, str, str]:
    """The format, key and response."""
    name, key, response = FORMATS[request.param]
    for folder, text in (("gold", key), ("ours", response)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / name).write_text(text, encoding="utf-8")
    return request.param.partition(" ")[0], str(tmp_path / "gold" / name), str(tmp_path / "ours" / name)


def test_the_field_follows_from_the_format(files: tuple[str, str, str], tmp_path: Path) -> None:
    form, key, response = files
    card = cs.score(key, response)
    assert card.field is cs.field("coreference")
    assert json.loads(card.to_json())["field"] == "coreference"
    assert str(card).rstrip().endswith(f"field: coreference, as the files are {form}")
    assert "CoNLL F1" in str(card)
    named = cs.score(key, response, field="coreference")
    assert "as the files are" not in str(named)
    assert dict(card) == dict(named)
    assert values(("score", key, response), tmp_path)["field"] == "coreference"
    assert f"as the files are {form}" in command("score", key, response, cwd=tmp_path).stdout
    assert run("score", key, response, "--fail-under", "conll=0.5", cwd=tmp_path).returncode == 2  # in percent
    assert run("score", key, response, "--fail-under", "conll=5", cwd=tmp_path).returncode == 0


def test_coref_is_the_field(files: tuple[str, str, str]) -> None:
    _, key, response = files
    card, same = cs.coref(key, response), cs.score(key, response, field="coreference")
    assert list(card) == list(same) == list(cs.field("coreference").measures)
    assert all(card[name] == same[name] for name in card)
    assert card.to_json() == same.to_json()
    assert str(card) == str(same)
    assert (
        cs.coref(key, response, metrics="b3", singletons="drop")["b3"]
        == cs.score(key, response, metrics="b3", singletons="drop", field="coreference")["b3"]
    )


def test_the_command_coref_is_the_field(files: tuple[str, str, str], tmp_path: Path) -> None:
    _, key, response = files
    ways = [("coref", key, response), ("score", key, response, "--field", "coreference")]
    assert len({command(*way, "--format", "json", cwd=tmp_path).stdout for way in ways}) == 1
    assert len({command(*way, cwd=tmp_path).stdout for way in ways}) == 1


@pytest.mark.parametrize("name", ["clustering", "entity-resolution"])
def test_plain_files_have_no_field(name: str, tmp_path: Path) -> None:
    files = files_of(name, tmp_path)
    printed = values(("score", *files), tmp_path)
    assert "field" not in printed
    text = command("score", *files, cwd=tmp_path).stdout
    assert "field:" not in text
    assert "elements" in text
    card = cs.score(*(str(tmp_path / file) for file in files))
    assert card.field is None


@pytest.mark.usefixtures("without_plots")
def test_a_table_keeps_its_field(files: tuple[str, str, str], tmp_path: Path) -> None:
    _, key, response = files
    card = cs.score(key, response)
    again = cs.score(card.table)
    assert again.field is cs.field("coreference")
    assert dict(again) == dict(card)
    assert "mentions" in str(again)
    assert "entity" in str(cs.clusters(card.table))
    cs.report(card.table, path=tmp_path / "page.html")
    assert "mentions" in seen(tmp_path / "page.html")
    assert list(cs.score(card.table, metrics="muc")) == ["muc"]


def test_a_table_of_page_streams_keeps_its_field() -> None:
    """Its measures, words and average; those of nobody where nobody named a field."""
    gold, pred = {"a": [1, 0, 1, 0], "b": [1, 1, 0]}, {"a": [1, 0, 0, 0], "b": [1, 1, 0]}
    card = cs.score(gold, pred, field="page-streams")
    again = cs.score(card.table, average="macro")
    assert again.field is cs.field("page-streams")
    assert {name: score.value for name, score in again.items()} == {name: score.value for name, score in card.items()}
    assert cs.score([0, 0, 1], [0, 1, 1]).field is None


def test_nothing_is_left_of_a_field_after_its_call(tmp_path: Path) -> None:
    cs.score([1, 0, 1], [1, 1, 1], field="page-streams")
    assert cs.fields.current() is None
    with pytest.raises(cs.ClusterscoreError):
        cs.score([1, 0], [1, 0, 1], field="page-streams")
    assert cs.fields.current() is None
    assert "elements" in str(cs.score([0, 0, 1], [0, 1, 1]))
    run("score", "nothing.csv", "nobody.csv", "--field", "page-streams", cwd=tmp_path)
    assert cs.fields.current() is None
