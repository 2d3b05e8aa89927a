"""Every field that is registered says things that hold: measures that parse, doubts and formats that exist."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import clusterscore as cs
from clusterscore import fields
from clusterscore.align.doubts import DOUBTS
from clusterscore.align.policies import CountOptions
from clusterscore.analyses.score.scorecard import AVERAGES
from clusterscore.fields import FIELDS, register_field
from clusterscore.nouns import Field, Nouns
from clusterscore.read.file import COLUMNS
from clusterscore.read.formats import COREFERENCE, FORMATS
from fields.samples import HAS_CRAC, NO_CRAC, plugins_forgotten
from running import run

DOCS = Path(__file__).parents[2] / "docs"
ALL = list(FIELDS)


@pytest.fixture
def field(request: pytest.FixtureRequest) -> Field:
    return cs.field(request.param)


def test_there_are_fields() -> None:
    assert {"clustering", "coreference", "crac", "entity-resolution", "logs", "page-streams", "word-senses"} <= set(ALL)
    assert [made.name for made in fields.known_fields()] == ALL


@pytest.mark.parametrize("name", ALL)
def test_measures_are_canonical(name: str) -> None:
    if name == "crac" and not HAS_CRAC:
        pytest.skip(NO_CRAC)
    measures = cs.field(name).measures
    assert [str(cs.metric(measure)) for measure in measures] == list(measures)
    assert all(measures.values())
    assert len(set(measures.values())) == len(measures)
    # who types what a row is called does not get another measure
    words = {row: measure for measure, row in measures.items() if row.isalnum()}
    assert {row: cs.metric(row).name for row in words} == {row: cs.metric(words[row]).name for row in words}


@pytest.mark.parametrize("field", ALL, indirect=True)
def test_what_it_names_exists(field: Field) -> None:
    assert set(field.undoubted) <= {doubt.__name__ for doubt in DOUBTS}
    assert set(field.formats) <= set(FORMATS)
    assert set(field.tried_first) <= {*FORMATS, COREFERENCE}
    assert set(field.columns) <= set(COLUMNS)
    assert set(field.conventions) <= set(CountOptions.__annotations__)
    assert field.average in AVERAGES
    assert field.scale == (100 if field.percent else 1)
    assert 0 <= field.digits <= 6
    assert field.about.endswith((".", "?"))
    assert field.why.endswith(".")


def test_a_format_is_that_of_one_field_only() -> None:
    """The field follows from the format, so no two have the same."""
    formats = [form for made in FIELDS.values() for form in made.formats]
    assert len(formats) == len(set(formats))


@pytest.mark.parametrize("field", ALL, indirect=True)
def test_words_differ(field: Field) -> None:
    words = [word for both in field.nouns for word in both]
    assert all(word and word == word.lower().strip() for word in words)
    assert len(set(words)) == 6


@pytest.mark.parametrize("field", ALL, indirect=True)
def test_it_has_a_page(field: Field) -> None:
    if not (DOCS / "fields").is_dir():
        pytest.skip("the documentation has no pages of fields yet")
    assert (DOCS / f"{field.page}.md").is_file()


@pytest.mark.parametrize("field", ALL, indirect=True)
def test_it_is_explained(field: Field) -> None:
    done = run("fields", field.name)
    assert (done.returncode, done.stderr) == (0, "")
    text = " ".join(done.stdout.split())
    assert text.startswith(f"{field.name}: {field.about}")
    assert ", ".join(several for _, several in field.nouns) in text
    for name, label in field.measures.items():
        assert f"{label} ({name})" in text
    for part in (field.why, field.scorer, f"Average: {field.average}", f"/en/latest/{field.page}.html", *field.formats):
        assert part in text
    for option, value in field.conventions.items():
        assert f"--{option.replace('_', '-')} {value}" in text
    for names in field.columns.values():
        assert ", ".join(names) in text
    assert max(map(len, done.stdout.splitlines())) <= 98


def test_all_are_listed() -> None:
    listed = run("fields").stdout
    for made in FIELDS.values():
        assert f"{made.name} " in listed
        assert made.about in listed
    assert "--field NAME" in listed


@pytest.mark.parametrize("names", [(), ("crac",), ("page-streams", "coreference")])
def test_programs_read_them(names: tuple[str, ...]) -> None:
    chosen = [cs.field(name) for name in names] or list(FIELDS.values())
    rows = json.loads(run("fields", *names, "--format", "json").stdout)["rows"]
    assert [row["field"] for row in rows] == [made.name for made in chosen]
    for row, made in zip(rows, chosen, strict=True):
        assert row["metrics"] == list(made.measures)
        assert (row["element"], row["cluster"], row["document"]) == tuple(single for single, _ in made.nouns)
        assert (row["average"], row["percent"], row["digits"]) == (made.average, made.percent, made.digits)
        assert row["conventions"] == [f"{name}={value}" for name, value in made.conventions.items()]
    table = list(csv.DictReader(io.StringIO(run("fields", *names, "--format", "csv").stdout)))
    assert [row["field"] for row in table] == [made.name for made in chosen]
    assert [row["metrics"] for row in table] == [", ".join(made.measures) for made in chosen]
    lines = run("fields", *names, "--format", "markdown").stdout.splitlines()
    assert len([line for line in lines if line.startswith("|")]) == 2 + len(chosen)
    assert all(any(made.about in line for line in lines) for made in chosen)


@pytest.mark.parametrize("spelt", ["page-streams", "page_streams", "Page Streams", " PAGE-STREAMS "])
def test_spellings(spelt: str) -> None:
    assert cs.field(spelt) is FIELDS["page-streams"]
    assert cs.field(cs.field(spelt)) is FIELDS["page-streams"]


@pytest.mark.parametrize("wrong", ["page-stream", "pagestreams", "corefrence", "entity", "", "no such thing"])
def test_unknown_names(wrong: str) -> None:
    messages = {}
    for way, call in {
        "field": lambda: cs.field(wrong),
        "score": lambda: cs.score([0], [0], field=wrong),
        "coref": lambda: cs.coref("examples/key.conll", "examples/response.conll", field=wrong),
    }.items():
        if way == "coref" and not wrong:
            continue  # which is none given
        with pytest.raises(cs.InputError, match="unknown field") as caught:
            call()
        messages[way] = str(caught.value)
    assert len(set(messages.values())) == 1
    nearest = {"page-stream": "page-streams", "pagestreams": "page-streams", "corefrence": "coreference"}
    assert nearest.get(wrong, "") in messages["field"]
    for arguments in (("fields", wrong), ("score", "a.csv", "b.csv", "--field", wrong)):
        done = run(*arguments)
        assert done.returncode == 2
        assert done.stderr == f"clusterscore: {messages['field']}\n"


@pytest.mark.parametrize("wrong", [3, True, ["page-streams"], b"page-streams", Field, object()])
def test_wrong_types(wrong: Any) -> None:
    with pytest.raises(cs.InputTypeError, match="named by a text such as 'page-streams'"):
        cs.field(wrong)
    with pytest.raises(cs.InputTypeError, match="named by a text"):
        cs.score([0, 0, 1], [0, 1, 1], field=wrong)


def test_registered_twice() -> None:
    own = FIELDS["page-streams"]
    assert register_field(own) is own
    assert register_field(replace(own)) == own  # a module that is loaded again
    with pytest.raises(cs.InputError, match="two fields are called 'page-streams'"):
        register_field(replace(own, digits=3))
    with pytest.raises(cs.InputTypeError, match="not a str"):
        register_field("page-streams")  # type: ignore[arg-type]
    assert FIELDS["page-streams"] == own


def test_one_of_the_user_s_own_works_without_being_registered() -> None:
    mine = Field("mine", "Mine.", Nouns(("ant", "ants"), ("nest", "nests"), ("wood", "woods")), {"nmi": "N"}, digits=1)
    card = cs.score([0, 0, 1], [0, 1, 1], field=mine)
    assert list(card) == ["nmi"]
    assert "ants " in str(card)
    assert json.loads(card.to_json())["field"] == "mine"
    assert "mine" not in FIELDS


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("fields_absent:logs", "ModuleNotFoundError"),
        ("clusterscore.fields:FIELDS", "a field is a clusterscore.Field, not a dict"),
        ("clusterscore.fields.taken:again", "two fields are called 'clustering'"),
    ],
)
def test_what_other_packages_have_that_does_not_load(
    text: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is a warning, and all other fields work."""
    (tmp_path / "fields_taken.py").write_text(
        "from dataclasses import replace\nimport clusterscore as cs\nagain = replace(cs.field('clustering'), digits=9)",
        encoding="utf-8",
    )
    (tmp_path / "odd-1.0.dist-info").mkdir()
    (tmp_path / "odd-1.0.dist-info" / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: odd\nVersion: 1.0\n", "utf-8"
    )
    points = f"[clusterscore.fields]\nodd = {text.replace('clusterscore.fields.taken', 'fields_taken')}\n"
    (tmp_path / "odd-1.0.dist-info" / "entry_points.txt").write_text(points, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    with plugins_forgotten():
        assert cs.field("clustering").digits == 4
        with pytest.warns(cs.ClusterscoreWarning, match="the field 'odd' of the package 'odd' is left out") as warned:
            known = fields.known_fields()
        assert words in str(warned[0].message)
        assert [made.name for made in known] == ALL
