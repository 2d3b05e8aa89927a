"""Page streams as people have them: boundaries, lengths or labels, in tables, lines, JSON and Python."""

from __future__ import annotations

import json
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import clusterscore as cs
from fields.samples import BOUNDARIES, command, labels_of, page_table, values
from running import run

FIELD = "page-streams"
GOLD, PRED = ({stream: both[side] for stream, both in BOUNDARIES.items()} for side in (0, 1))


def numbers(card: Any) -> dict[str, float]:
    return {name: score.value for name, score in card.items()}


def lengths_of(boundaries: list[int]) -> list[int]:
    return [len(list(run)) for _, run in groupby(labels_of(boundaries))]


@pytest.fixture(scope="module")
def expected() -> dict[str, float]:
    """From labels, which nobody has to understand."""
    pages = [(stream, page) for stream, flags in GOLD.items() for page in range(len(flags))]
    sides = [
        [f"{stream}-{label}" for stream, flags in side.items() for label in labels_of(flags)] for side in (GOLD, PRED)
    ]
    measures = list(cs.field(FIELD).measures)
    return numbers(cs.score(*sides, documents=[s for s, _ in pages], metrics=measures, average="macro"))


def row_table(side: int, value: str, header: str) -> str:
    rows = [header]
    for stream, both in BOUNDARIES.items():
        flags = both[side]
        for page, (flag, label) in enumerate(zip(flags, labels_of(flags), strict=True), 1):
            rows.append(f"{stream},{page},{flag if value == 'flag' else f'doc {label}'}")
    return "\n".join(rows)


def length_table(side: int) -> str:
    rows = [f"{stream},{length}" for stream, both in BOUNDARIES.items() for length in lengths_of(both[side])]
    return "\n".join(["stream,length", *rows])


WRITTEN = {
    "boundaries in a column of that name": ("csv", lambda side: row_table(side, "flag", "stream,page,boundary")),
    "boundaries in another column": ("csv", lambda side: row_table(side, "flag", "stream,page,cluster")),
    "labels": ("csv", lambda side: row_table(side, "label", "stream,page,cluster")),
    "lengths": ("csv", length_table),
    "boundaries in JSON": ("json", lambda side: json.dumps((GOLD, PRED)[side])),
    "flags in JSON": ("json", lambda side: json.dumps({k: [*map(bool, v)] for k, v in (GOLD, PRED)[side].items()})),
    "lists in JSON": ("json", lambda side: json.dumps(list((GOLD, PRED)[side].values()))),
    "labels in JSON": (
        "json",
        lambda side: json.dumps({k: [f"doc {x}" for x in labels_of(v)] for k, v in (GOLD, PRED)[side].items()}),
    ),
    "lines": ("txt", lambda side: "\n".join(" ".join(map(str, v)) for v in (GOLD, PRED)[side].values())),
    "lengths by ending": (
        "lengths",
        lambda side: "\n".join(" ".join(map(str, lengths_of(v))) for v in (GOLD, PRED)[side].values()),
    ),
}


@pytest.mark.parametrize("how", WRITTEN)
def test_two_files(how: str, expected: dict[str, float], tmp_path: Path) -> None:
    ending, write = WRITTEN[how]
    for side, name in enumerate(("gold", "pred")):
        (tmp_path / f"{name}.{ending}").write_text(write(side), encoding="utf-8")
    files = (f"gold.{ending}", f"pred.{ending}")
    printed = values(("score", *files, "--field", FIELD), tmp_path)
    assert {name: score["value"] for name, score in printed["scores"].items()} == pytest.approx(expected, abs=1e-15)
    assert printed["documents"] == len(BOUNDARIES)
    card = cs.score(*(str(tmp_path / file) for file in files), field=FIELD)
    assert {name: score["signature"] for name, score in printed["scores"].items()} == {
        name: score.signature for name, score in card.items()
    }
    assert numbers(card) == {name: score["value"] for name, score in printed["scores"].items()}
    understood = (
        "boundaries" if "labels" not in how and "lengths" not in how else "lengths" if how == "lengths" else None
    )
    if understood is not None:
        assert f"format:{understood}" in card["elm"].signature
    else:
        assert "format:" not in card["elm"].signature


def test_one_table(expected: dict[str, float], tmp_path: Path) -> None:
    page_table(tmp_path)
    scores = values(("score", "pages.csv", "--gold", "gold", "--pred", "pred", "--field", FIELD), tmp_path)["scores"]
    assert {name: score["value"] for name, score in scores.items()} == pytest.approx(expected, abs=1e-15)
    text = (tmp_path / "pages.csv").read_text(encoding="utf-8").splitlines()
    shuffled = [text[0], *sorted(text[1:], key=lambda row: row[::-1])]  # the order of pages is in their column
    (tmp_path / "shuffled.csv").write_text("\n".join(shuffled), encoding="utf-8")
    again = values(("score", "shuffled.csv", "--gold", "gold", "--pred", "pred", "--field", FIELD), tmp_path)["scores"]
    assert {name: score["value"] for name, score in again.items()} == pytest.approx(expected, abs=1e-15)


def test_a_prediction_that_does_not_mark_the_first_page(tmp_path: Path) -> None:
    """Beside gold that does, its 0 and 1 are boundaries all the same: the first page starts a segment anyhow."""
    for name, start in (("marked", 1), ("unmarked", 0)):
        rows = ["page,gold,pred", f"1,1,{start}", "2,0,1", "3,1,1", "4,0,0"]
        (tmp_path / f"{name}.csv").write_text("\n".join(rows), encoding="utf-8")
    marked, unmarked = (
        values(("score", f"{name}.csv", "--gold", "gold", "--pred", "pred", "--field", FIELD), tmp_path)["scores"]
        for name in ("marked", "unmarked")
    )
    assert marked == unmarked


@pytest.mark.parametrize("kind", ["lists", "arrays", "flags", "tuples"])
def test_python(kind: str, expected: dict[str, float]) -> None:
    make: dict[str, Any] = {
        "lists": list,
        "arrays": np.array,
        "flags": lambda flags: [bool(flag) for flag in flags],
        "tuples": tuple,
    }
    sides = [{stream: make[kind](flags) for stream, flags in side.items()} for side in (GOLD, PRED)]
    card = cs.score(*sides, field=FIELD)
    assert numbers(card) == pytest.approx(expected, abs=1e-15)
    assert "format:boundaries" in card["elm"].signature
    declared = [cs.Clustering.from_boundaries(side) for side in (GOLD, PRED)]
    assert numbers(cs.score(*declared, field=FIELD)) == numbers(card)
    if kind == "lists":  # in their order, without names
        assert numbers(cs.score(*(list(side.values()) for side in sides), field=FIELD)) == numbers(card)


def test_one_stream_in_python() -> None:
    gold, pred = GOLD["case-07"], PRED["case-07"]
    card = cs.score(gold, pred, field=FIELD, metrics="bcubed, elm")
    labels = cs.score(labels_of(gold), labels_of(pred), metrics="bcubed, elm", average="macro")
    assert numbers(card) == numbers(labels)
    assert cs.score(labels_of(gold), labels_of(pred), field=FIELD, metrics="elm")["elm"].value == labels["elm"].value
    with pytest.warns(cs.ClusterscoreWarning, match="scored as the labels of two clusters"):
        plain = cs.score(gold, pred, metrics="bcubed")
    assert plain["bcubed"].value != card["bcubed"].value
    assert "format:" not in plain["bcubed"].signature
    for make in (np.array, lambda flags: np.array(flags, bool), tuple, pd.Series):
        same = cs.score(make(gold), make(pred), field=FIELD, metrics="bcubed, elm")
        assert dict(same) == dict(card)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("whole", "3\n1\n2\n"),
        ("in lines", "3 1 2\n2 2\n"),
        ("whole.json", "[3, 1, 2]"),
        ("by.json", '{"a": [3, 1], "b": [2]}'),
    ],
)
def test_numbers_that_may_be_lengths_or_labels(name: str, text: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(
        cs.FileError, match=r"the lengths of segments or the labels of pages; pass format=.lengths. or .labels."
    ):
        cs.score(str(tmp_path / name), str(tmp_path / name), field=FIELD)
    sides = cs.File(str(tmp_path / name), format="lengths"), cs.File(str(tmp_path / name), format="lengths")
    card = cs.score(*sides, field=FIELD)
    assert card["elm"].value == 1
    assert card.to_dict()["elements"] == sum(map(int, "".join(c if c.isdigit() else " " for c in text).split()))


def test_many_pages(tmp_path: Path) -> None:
    """More than 32,768, in streams of many lengths: written three ways, the same number."""
    rng = np.random.default_rng(3)
    streams = {f"s{k}": rng.integers(1, 200) for k in range(400)}
    gold = {name: [1, *(rng.random(size - 1) < 0.3).astype(int).tolist()] for name, size in streams.items()}
    pred = {name: [1, *(rng.random(size - 1) < 0.3).astype(int).tolist()] for name, size in streams.items()}
    assert sum(streams.values()) > 32_768
    for side, flags in (("gold", gold), ("pred", pred)):
        (tmp_path / f"{side}.json").write_text(json.dumps(flags), encoding="utf-8")
        rows = [f"{name},{k},{flag}" for name, stream in flags.items() for k, flag in enumerate(stream, 1)]
        (tmp_path / f"{side}.csv").write_text("\n".join(["stream,page,boundary", *rows]), encoding="utf-8")
    card = cs.score(gold, pred, field=FIELD, metrics="elm, bcubed, boundaries")
    for ending in ("json", "csv"):
        files = [str(tmp_path / f"{side}.{ending}") for side in ("gold", "pred")]
        again = cs.score(*files, field=FIELD, metrics="elm, bcubed, boundaries")
        assert numbers(again) == pytest.approx(numbers(card), abs=1e-12)
        assert again["elm"].signature == card["elm"].signature
    whole = [np.array([flag for stream in side.values() for flag in stream]) for side in (gold, pred)]
    pooled = cs.score(*whole, field=FIELD, metrics="elm")["elm"].value
    assert pooled == cs.elm(*(np.cumsum(flags) for flags in whole)).f


def test_equal_signatures_mean_equal_numbers(tmp_path: Path) -> None:
    """The same files with and without the field: where the numbers differ, so do the signatures."""
    for side, text in (("gold", "1\n0\n0\n1\n0\n"), ("pred", "1\n0\n1\n1\n0\n")):
        (tmp_path / f"{side}.txt").write_text(text, encoding="utf-8")
    ways: list[tuple[str, ...]] = [(), ("--field", FIELD), ("--format-in", "boundaries"), ("--format-in", "labels")]
    ways += [(*way, "--average", average) for way in ways for average in ("micro", "macro")]
    seen: dict[str, float] = {}
    for way in ways:
        files = ("score", "gold.txt", "pred.txt", "-m", "elm", *way)
        if (way and way[-1] == "micro") or not way or "--field" not in way:
            files = (*files, "--quiet")
        done = _scores(files, tmp_path)
        signature, value = done["signature"], done["value"]
        assert seen.setdefault(signature, value) == value, way
    assert len(set(seen.values())) == 2
    assert len(seen) >= 4


def _scores(arguments: tuple[str, ...], folder: Path) -> dict[str, Any]:
    from running import run

    printed = json.loads(run(*arguments, "--format", "json", cwd=folder).stdout)
    return dict(printed["scores"]["elm"])


def test_the_table_says_how_it_was_understood(tmp_path: Path) -> None:
    page_table(tmp_path)
    output = command("score", "pages.csv", "--gold", "gold", "--pred", "pred", "--field", FIELD, cwd=tmp_path).stdout
    assert output.rstrip().endswith("|format:boundaries|v:" + cs.__version__)


@pytest.mark.filterwarnings("ignore:pred has boundaries that begin with 0 and end with 1")
@pytest.mark.parametrize("given", [[0, 0, 1, 1], [0, 0, 1, 0], np.array([0, 1, 1, 1])])
def test_marks_that_begin_with_0_may_be_labels(given: Any) -> None:
    """A flat list does not say where streams end, so that 0 after 1 may be a label of the next."""
    with pytest.raises(cs.FileError, match='format="boundaries" or "labels"'):
        cs.score([1, 0, 0, 1], given, field="page-streams", metrics="elm")
    read = cs.score([1, 0, 0, 1], cs.Clustering.from_boundaries(given), field="page-streams", metrics="elm")
    marked = [1, *given[1:]]
    assert read["elm"] == cs.score([1, 0, 0, 1], marked, field="page-streams", metrics="elm")["elm"]


def test_streams_that_begin_with_0(tmp_path: Path) -> None:
    """In a stream, a 0 after a 1 is no label: those of a segment stand together."""
    gold, marked, unmarked, unclear = (
        tmp_path / name for name in ("gold.txt", "marked.txt", "unmarked.txt", "two.txt")
    )
    gold.write_text("1 0 0 1 0\n1 0 1 0\n")
    marked.write_text("1 0 1 0 0\n1 0 1 0\n")
    unmarked.write_text("0 0 1 0 0\n0 0 1 0\n")
    unclear.write_text("0 0 1 1 1\n0 0 1 1\n")
    scores = [cs.score(gold, path, field="page-streams", metrics="elm")["elm"] for path in (marked, unmarked)]
    assert scores[0] == scores[1]
    with pytest.raises(cs.FileError, match="may mark the first page of each segment, or be the labels"):
        cs.score(gold, unclear, field="page-streams")


def test_marks_beside_labels_in_one_table(tmp_path: Path) -> None:
    path = tmp_path / "pages.csv"
    path.write_text("stream,page,gold,name\na,1,1,x\na,2,0,x\na,3,1,y\n")
    arguments = "score", "pages.csv", "--gold", "gold", "--pred", "name", "--field", "page-streams", "-m", "elm"
    done = run(*arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert "column 'gold' has nothing but 0 and 1, as boundaries have, and 'name' has labels" in done.stderr
    assert run(*arguments, "--format-in", "csv", cwd=tmp_path).returncode == 0


def test_conventions_that_have_no_effect_are_doubted() -> None:
    with pytest.warns(cs.ClusterscoreWarning, match="the conventions of crac are for coreference files"):
        cs.score([0, 0, 1], [0, 1, 1], field="crac")


def test_streams_one_after_the_other() -> None:
    """A list, tuple or array for each, which have numbers for names."""
    named = cs.Clustering.from_lengths({"1": [3, 2], "2": [4]})
    for streams in ([[3, 2], [4]], ([3, 2], [4]), [(3, 2), (4,)], [np.array([3, 2]), np.array([4])]):
        made = cs.Clustering.from_lengths(streams)
        assert made.documents is not None
        assert list(made.documents.names) == ["1", "2"]
        assert cs.elm(named, made).f == 1
    assert cs.elm(named, cs.Clustering.from_boundaries([[1, 0, 0, 1, 0], [1, 0, 0, 0]])).f == 1
