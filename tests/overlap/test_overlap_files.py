"""Files and frames in which an element belongs to several clusters: each format against the same data in memory."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import clusterscore as cs
from clusterscore.engines import count_tables
from clusterscore.read.files import read_files
from overlap.test_philosophy import DATA
from read.reading import read_both

Made = cs.Clustering
GOLD = {"p1": ["x", "y"], "p2": ["x"], "p3": ["y", "z", "x"], "p4": ["z"]}
PRED = {"p4": ["1", "2"], "p3": ["2"], "p2": ["1"], "p1": ["1"]}
NUMBERS = [float(score) for score in cs.score(Made.from_memberships(GOLD), Made.from_memberships(PRED)).values()]
Sets = dict[str, list[str]]


def rows(sets: Sets) -> list[tuple[str, str]]:
    return [(element, label) for element, labels in sets.items() for label in labels]


def clusters(sets: Sets) -> dict[str, list[str]]:
    """Name -> members."""
    members: dict[str, list[str]] = {}
    for element, label in rows(sets):
        members.setdefault(label, []).append(element)
    return members


def records(sets: Sets) -> list[dict[str, Any]]:
    return [{"element": element, "cluster": labels} for element, labels in sets.items()]


def lines(texts: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in texts)


# a file's name -> what is in it, and the format where the name does not say it
FORMATS: dict[str, tuple[Callable[[Sets], str], str | None]] = {
    "rows.csv": (lambda sets: lines(["element,cluster", *map(",".join, rows(sets))]), None),
    "rows.tsv": (lambda sets: lines(["element\tcluster", *map("\t".join, rows(sets))]), None),
    "rows.jsonl": (lambda sets: lines(json.dumps({"element": e, "cluster": c}) for e, c in rows(sets)), None),
    "rows.json": (lambda sets: json.dumps([{"element": e, "cluster": c} for e, c in rows(sets)]), None),
    "lists.jsonl": (lambda sets: lines(map(json.dumps, records(sets))), None),
    "lists.json": (lambda sets: json.dumps(records(sets)), None),
    "columns.json": (lambda sets: json.dumps({"element": list(sets), "cluster": list(sets.values())}), None),
    "members.json": (lambda sets: json.dumps(list(clusters(sets).values())), None),
    "named.json": (lambda sets: json.dumps(clusters(sets)), "clusters"),
    "keyed.json": (json.dumps, "memberships"),
    "t.elements": (lambda sets: lines(map("\t".join, rows(sets))), None),
    "t.clusters": (lambda sets: lines(map(" ".join, clusters(sets).values())), None),
    "t.memberships": (lambda sets: lines(f"{e}\t{' '.join(c)}" for e, c in sets.items()), None),
    "clusters.txt": (lambda sets: lines(map("\t".join, clusters(sets).values())), "clusters"),
    "elements.txt": (lambda sets: lines(map("\t".join, rows(sets))), "elements"),
}


def content(made: Made) -> list[list[Any]]:
    """The clusters by their members, whatever they are called."""
    assert made.ids is not None
    held: dict[Any, list[Any]] = {}
    for element, code in zip(made.ids, made.codes.tolist(), strict=True):
        label = made.labels.name(code)
        for name in label if isinstance(label, frozenset) else [label]:
            held.setdefault(name, []).append(str(element))
    return sorted(map(sorted, held.values()))


def message_of(read: Callable[..., Any], *arguments: Any, **options: Any) -> str:
    with pytest.raises(cs.ClusterscoreError) as caught:
        read(*arguments, **options)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, str | bytes], str]:
    def written(name: str, data: str | bytes) -> str:
        (tmp_path / name).write_bytes(data.encode() if isinstance(data, str) else data)
        return str(tmp_path / name)

    return written


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("name", FORMATS)
def test_every_format(write: Any, name: str, packed: bool) -> None:
    make, form = FORMATS[name]
    paths = []
    for side, sets in (("gold", GOLD), ("pred", PRED)):
        data = make(sets).encode()
        paths.append(write(f"{side}-{name}{'.gz' if packed else ''}", gzip.compress(data) if packed else data))
    read = [Made.from_file(path, format=form) for path in paths]
    assert [content(made) for made in read] == [sorted(map(sorted, clusters(sets).values())) for sets in (GOLD, PRED)]
    card = cs.score(*Made.from_files(*paths, format=form))
    assert [float(score) for score in card.values()] == NUMBERS
    assert card.facts["memberships"] == (7, 5)
    assert card.to_dict()["gold_memberships"] == 7
    assert ("format:" in card["omega"].signature) == (form is not None)


def test_parquet(tmp_path: Path) -> None:
    paths = [str(tmp_path / name) for name in ("rows.parquet", "lists.parquet", "numbers.parquet")]
    elements, labels = map(list, zip(*rows(GOLD), strict=True))
    pq.write_table(pa.table({"element": elements, "cluster": labels}), paths[0])
    pq.write_table(pa.table({"element": list(GOLD), "cluster": list(GOLD.values())}), paths[1])
    pq.write_table(pa.table({"element": [1, 2, 3], "cluster": [[10, 20], [], [10]]}), paths[2])
    expected = content(Made.from_memberships(GOLD))
    assert [content(Made.from_file(path)) for path in paths[:2]] == [expected, expected]
    assert Made.from_file(paths[2]).labels[:] == [frozenset({10, 20}), frozenset(), 10]
    pq.write_table(pa.table({"element": [1, 2], "cluster": [[10], None]}), paths[2])
    message = message_of(Made.from_file, paths[2])
    assert "1 row without a list in column 'cluster' (e.g. row 2); an element in no cluster has an empty one" in message


FRAMES: dict[str, Callable[[dict[str, Any]], Any]] = {
    "pandas": pd.DataFrame,
    "pandas of pyarrow": lambda columns: pa.table(columns).to_pandas(),  # lists are arrays there
    "polars": pl.DataFrame,
    "pyarrow": pa.table,
}


@pytest.mark.parametrize("library", FRAMES)
def test_frames(library: str) -> None:
    elements, labels = map(list, zip(*rows(GOLD), strict=True))
    repeated = FRAMES[library]({"element": elements, "cluster": labels})
    lists = FRAMES[library]({"element": list(GOLD), "cluster": list(GOLD.values())})
    pred = Made.from_memberships(PRED)
    for frame in (repeated, lists):
        for gold in (frame, Made.from_frame(frame)):
            assert [float(score) for score in cs.score(gold, pred).values()] == NUMBERS
    assert "1 element in more than one row of gold (e.g. 'p" in message_of(
        cs.score_table, gold_table=FRAMES[library]({"element": ["p", "p"], "cluster": [1, 2]}), pred_table=repeated
    )


def test_tables_are_partitions(write: Any) -> None:
    """Engines count one row per element; where there are more, they say who does."""
    path = write("t.csv", FORMATS["rows.csv"][0](GOLD))
    for engine in ("auto", "arrays"):
        message = message_of(cs.score_table, gold_table=path, pred_table=path, engine=engine)
        assert "2 elements in more than one row of gold (e.g. 'p1')" in message
        assert "use cs.score with Clustering.from_files or from_frame" in message
    lists = write("t.jsonl", FORMATS["lists.jsonl"][0](GOLD))
    message = message_of(cs.score_table, gold_table=lists, pred_table=lists)
    assert "column 'cluster' (gold) holds lists" in message
    assert "use cs.score with" in message


def test_rows_are_not_multiplied(write: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two elements in a thousand rows each would be two million joined ones: they are found before that."""
    text = lines(["element,cluster", *(f"{element},{label}" for element in "ab" for label in range(1000))])
    paths = {"gold_table": write("gold.csv", text), "pred_table": write("pred.csv", text)}
    monkeypatch.setattr(count_tables, "_prepare", lambda *_: pytest.fail("they were joined"))
    assert "2 elements in more than one row of gold (e.g. 'a')" in message_of(cs.score_table, **paths)
    paths["gold_table"] = write("gold.csv", "element,cluster\na,1\nb,1\n")
    assert "2 elements in more than one row of pred (e.g. 'a')" in message_of(cs.score_table, **paths)


def test_documents(write: Any) -> None:
    """The same element and the same cluster in two documents are two."""
    text = "element,cluster,document\np,x,d\np,y,d\np,x,e\nq,x,d\nq,x,e\n"
    gold, pred = Made.from_files(write("gold.csv", text), write("pred.csv", text.replace("p,y,d", "q,y,d")))
    assert repr(gold) == "Clustering(4 elements by id, 2 overlapping clusters, 2 documents)"
    card = cs.score(gold, gold)
    assert card.facts == {"elements": (4, 4), "memberships": (5, 5), "clusters": (3, 3), "singletons": (1, 1)}
    assert {float(score) for score in card.values()} == {1.0}
    in_memory = Made.from_labels(["x", "y", "x", "x", "x"], elements=list("pppqq"), documents=list("ddede"))
    assert [float(s) for s in cs.score(gold, pred).values()] == [float(s) for s in cs.score(in_memory, pred).values()]
    sets = [("p", "d", ["x", "y"]), ("p", "e", ["x"]), ("q", "d", ["x"]), ("q", "e", ["x"])]
    lists = [{"element": element, "document": document, "cluster": labels} for element, document, labels in sets]
    made = Made.from_file(write("gold.jsonl", lines(map(json.dumps, lists))))
    assert [float(s) for s in cs.score(made, gold).values()] == [1.0] * 6


def test_more_rows_than_one_batch(write: Any) -> None:
    """36,000 memberships, in rows of any order, score as those in memory do, to the last bit."""
    rng = np.random.default_rng(15)
    sides, paths = [], []
    for side in ("gold", "pred"):
        labels = np.concatenate([rng.integers(500 * k, 500 * k + 500, 12_000) for k in range(3)])
        order = rng.permutation(len(labels))
        ids, labels = np.tile(np.arange(12_000), 3)[order].tolist(), labels[order].tolist()
        sides.append(Made.from_labels(list(map(str, labels)), elements=list(map(str, ids))))
        paths.append(
            write(f"{side}.csv", lines(["element,cluster", *(f"{e},{c}" for e, c in zip(ids, labels, strict=True))]))
        )
    metrics = ["matched_elm", "matched_bcubed", "extended_bcubed", "omega"]
    expected = [float(score) for score in cs.score(*sides, metrics=metrics).values()]
    card = cs.score(*Made.from_files(*paths), metrics=metrics)
    assert [float(score) for score in card.values()] == expected
    assert card.facts["memberships"] == (36_000, 36_000)


M, C = "memberships", "clusters"
# two JSON objects of lists, and what each is: neither the keys, nor the lists, nor the other file tells
TWO_OBJECTS: dict[str, tuple[Any, Any, tuple[str, str]]] = {
    "element -> labels": ({"a": ["x", "y"], "b": ["x"]}, {"a": [1], "b": [1, 2]}, (M, M)),
    "name -> members": ({"x": ["a", "b"], "y": ["a"]}, {"1": ["a"], "2": ["a", "b"]}, (C, C)),
    "one of each": ({"a": ["x", "y"], "b": ["x"]}, {"1": ["a"], "2": ["a", "b"]}, (M, C)),
    "the other way round": ({"x": ["a", "b"], "y": ["a"]}, {"a": [1], "b": [1, 2]}, (C, M)),
    "partitions by name, named alike": ({"1": ["a", "b"], "2": ["c"]}, {"1": ["a"], "2": ["b", "c"]}, (C, C)),
    "partitions of numbers": ({"0": [0, 1], "1": [2, 3]}, {"0": [0], "1": [1, 2, 3]}, (C, C)),
    "one label each": ({"a": [1], "b": [1], "c": [2]}, {"a": [1], "b": [2], "c": [2]}, (M, M)),
    "gold is a partition, names are alike": ({"1": ["a", "b"], "2": ["c"]}, {"1": ["a", "b"], "2": ["b", "c"]}, (C, C)),
    "an element in no cluster": ({"a": ["x"], "b": []}, {"a": [1], "b": [1]}, (M, M)),
    "an empty cluster": ({"x": ["a", "b"], "y": []}, {"1": ["a"], "2": ["a", "b"]}, (C, C)),
    "singletons against memberships": ({"a": [1], "b": [2], "c": [3]}, {"a": [7, 8], "b": [8], "c": [7]}, (M, M)),
    "labels that are null": ({"a": ["x", None], "b": ["x"]}, {"a": [1, None], "b": [1, 2]}, (M, M)),
    "no cluster at all, and what may be either": ({"a": [], "b": []}, {"a": ["b", "c"], "c": ["b"]}, (M, C)),
    "numbers everywhere": ({"1": [1, 2], "2": [1]}, {"1": [1], "2": [1, 2]}, (C, M)),
    "the same labels": ({"a": ["x", "y"], "b": ["x"]}, {"a": ["y"], "b": ["x", "y"]}, (M, C)),
    "nothing in common": ({"a": ["x", "y"], "b": ["x"]}, {"c": ["u"], "d": ["u", "v"]}, (C, M)),
}  # fmt: skip


def as_said(lists: dict[str, list[Any]], reading: str) -> Made:
    text = {key: [None if value is None else str(value) for value in values] for key, values in lists.items()}
    return Made.from_memberships(text) if reading == M else Made.from_clusters(text)


def rows_of(made: Made) -> list[Any]:
    return sorted(zip(made.ids or (), made.labels, strict=True), key=str)


@pytest.mark.parametrize("case", TWO_OBJECTS)
def test_two_objects_of_lists(write: Any, case: str) -> None:
    gold, pred, readings = TWO_OBJECTS[case]
    paths = [write("gold.json", json.dumps(gold)), write("pred.json", json.dumps(pred))]
    for form, path in (({}, paths[0]), ({"pred_format": M}, paths[0]), ({"gold_format": M}, paths[1])):
        message = message_of(Made.from_files, *paths, **form)
        assert 'pass format="clusters" or "memberships"' in message
        assert f"'{path}': '" in message
    sides = Made.from_files(*paths, gold_format=readings[0], pred_format=readings[1])
    for made, lists, reading in zip(sides, (gold, pred), readings, strict=True):
        assert rows_of(made) == rows_of(as_said(lists, reading))
    for reading in (M, C):  # said is said
        if case != "labels that are null" or reading == M:
            made, _ = Made.from_files(*paths, format=reading)
            assert content(made) == content(as_said(gold, reading))


def test_the_other_side_does_not_tell(write: Any) -> None:
    """Whatever the other side is, an object of lists is read as it is said to be."""
    keyed, named = write("keyed.json", json.dumps(GOLD)), write("named.json", json.dumps(clusters(GOLD)))
    others = [write("t.csv", FORMATS["rows.csv"][0](PRED)), write("t.clusters", FORMATS["t.clusters"][0](PRED))]
    for path, form in ((keyed, M), (named, C)):
        for other in others:
            for read in (Made.from_files, cs.score):
                assert 'pass format="clusters" or "memberships"' in message_of(read, path, other)
            sides = Made.from_files(path, other, gold_format=form)
            assert [float(score) for score in cs.score(*sides).values()] == NUMBERS
            assert [float(score) for score in cs.score(cs.File(path, format=form), other).values()] == NUMBERS


def test_one_object_of_lists(write: Any) -> None:
    """Also where it can hardly be anything else: one element in each list, or lists of what the others have."""

    def read(value: Any, form: str | None = None) -> Made:
        return Made.from_file(write("t.json", json.dumps(value)), format=form)

    for value, form, expected in (
        ({"c1": ["a", "b"], "c2": ["c"]}, C, [["a", "b"], ["c"]]),
        ({"c1": ["a"], "c2": ["c"]}, C, [["a"], ["c"]]),
        ({"a": ["x"], "b": ["x"], "c": ["y"]}, M, [["a", "b"], ["c"]]),
    ):
        assert "may be a cluster with its elements or an element with its clusters" in message_of(read, value)
        assert content(read(value, form)) == expected
    assert "'p1': ['x', 'y'] may be" in message_of(read, GOLD)


TWICE = "1 membership given twice (e.g. element 'a' in cluster 'x')"
BROKEN: dict[str, tuple[str, str, str | None, list[str]]] = {
    "a membership twice in rows": (
        "t.csv", "element,cluster\na,x\nb,x\na,x\n", None, [TWICE],
    ),
    "a membership twice in a cluster": (
        "t.clusters", "a b\nb c b c\n", None, ["2 memberships given twice (e.g. element 'b' in cluster 2)"],
    ),
    "a label twice": ("t.memberships", "a\tx x\n", None, [TWICE]),
    "a label twice in two lines": ("t.memberships", "a\tx\na\ty x\n", None, ["1 membership given twice", "'a'"]),
    "a label twice in JSON": ("t.json", '{"a": ["x", "x"]}', "memberships", ["1 membership given twice", "'a'", "'x'"]),
    "a label twice in JSON lines": (
        "t.jsonl", '{"element": "a", "cluster": ["x", "x"]}\n', None, ["1 membership given twice", "'a'", "'x'"],
    ),
    "a string for a list": (
        "t.json", '{"a": ["x"], "b": "y"}', None, ["1 single value instead of lists", "key 'b': \"y\"", '["y"]'],
    ),
    "strings for lists": ("t.json", '{"a": "x", "b": "y"}', "memberships", ["2 single values", '["x"]']),
    "a string for a list in a list": ("t.json", '[["x"], "y"]', "memberships", ["item 1: \"y\"", '["y"]']),
    "null for a list": ("t.json", '{"a": ["x"], "b": null}', None, ["key 'b': null", "write [] where there is none"]),
    "a string in a column of lists": (
        "t.json", '[{"element": 1, "cluster": ["x"]}, {"element": 2, "cluster": "x"}]', None,
        ["column 'cluster', row 2: \"x\"", '["x"]'],
    ),
    "a string among lists of JSON lines": (
        "t.jsonl", '{"element": 1, "cluster": ["x"]}\n{"element": 2, "cluster": "x"}\n', None,
        ["has a single value in 'cluster' where others have lists", '"x"'],
    ),
    "a list in a list": (
        "t.jsonl", '{"element": 1, "cluster": [["x"]]}\n', None, ["has a list or an object in 'cluster'", '["x"]'],
    ),
    "a list in a list of JSON": ("t.json", '{"a": [["x"]]}', "memberships", ["has a list where a label or an id"]),
    "an object in a list": ("t.json", '{"a": [{"x": 1}]}', "memberships", ["has a dict where a label or an id"]),
    "an element that is a list": (
        "t.jsonl", '{"element": ["a"], "cluster": "x"}\n', None, ["column 'element' contains VARCHAR[] values"],
    ),
    "no tab": ("t.memberships", "a x y\nb\tx\n", None, ["1 line without an element and a tab (e.g. line 1)"]),
    "no element": ("t.memberships", "a\tx\n\ty\n", None, ["1 line without an element and a tab (e.g. line 2)"]),
    "objects for lists": ("t.json", '[{"element": 1}]', "memberships", ["1 single value", "item 0"]),
    "links, by the look of it": ("t.txt", "a b\nb c\n", None, ["(e.g. 'b')", 'pass format="clusters"', '"links"']),
    "pairs, by the look of it": (
        "t.txt", "a\tb\na\tc\nc\tb\n", None, ["(e.g. 'a')", 'pass format="elements"', '"links"'],
    ),
    "a table, by the look of it": (
        "t.txt", "a\tb\na\tc\n", None,
        ["every line has 1 tab", 'format="tsv"', 'format="elements"', 'format="labels"'],
    ),
    "broken JSON for clusters": ("t.txt", '{"a": ["x", ', "clusters", ["is not JSON"]),
    "broken JSON for memberships": ("t.json", '[["x"', "memberships", ["is not JSON"]),
    "cut off, and no archive though it is called one": ("t.json.gz", "{", None, ["is not JSON"]),
}  # fmt: skip


@pytest.mark.parametrize("case", BROKEN)
def test_broken_files(write: Any, case: str) -> None:
    name, text, form, expected = BROKEN[case]
    message = message_of(Made.from_file, write(name, text), format=form)
    for part in expected:
        assert part in message, message
    assert name in message


def test_one_table_has_one_row_per_element(write: Any) -> None:
    """Rows that repeat an element would multiply: two memberships on each side are not four."""
    for text, what in (
        ("a,1,x\na,2,y\nb,1,x\n", "1 element in more than one row (e.g. 'a')"),
        ("a,1,x\na,2,x\nb,1,x\n", TWICE),
    ):
        message = message_of(read_both, write("t.csv", f"element,gold,pred\n{text}"))
        assert what in message
        assert "clusterings that overlap come in two files, a row for each element and cluster, or as lists" in message
    rows = [{"element": e, "gold": GOLD[e], "pred": PRED[e]} for e in GOLD]
    for name, text in (("t.jsonl", lines(map(json.dumps, rows))), ("t.json", json.dumps(rows))):
        card = cs.score(*read_both(write(name, text)))
        assert [float(score) for score in card.values()] == NUMBERS


def test_texts_of_elements(write: Any) -> None:
    """A column that goes with the elements has one value for each, in their order, however many rows they have."""
    table = "name,document,element,cluster\nAnna,d,a,x\nBob,d,b,x\nAnna,d,a,y\nAda,e,a,z\n"
    path = write("t.csv", table)
    assert Made.from_file(path).ids == ["a", "b", "a"]

    def read_column(path: str, **options: str) -> list[str]:
        return list(read_files({"gold": cs.File(path, **options)}, {"by": "name"}).columns["by"])

    assert read_column(path) == ["Anna", "Bob", "Ada"]
    assert read_column(write("u.csv", "name\nAnna\nAnna\n")) == ["Anna", "Anna"]
    renamed = write("v.csv", table.replace("element", "id").replace("document", "day"))
    assert read_column(renamed, element="id", document="day") == ["Anna", "Bob", "Ada"]
    message = message_of(read_column, renamed, element="id")  # a is Anna and Ada
    assert "1 row of" in message
    assert "with another 'name' than the first row of the same element (e.g. 'a')" in message
    shown = read_files({"gold": cs.File(renamed, element="id")}, {"show": "name"}).columns["show"]
    assert shown == {"a": "Anna", "b": "Bob"}


def test_empty_and_identical_clusters(write: Any) -> None:
    gold = Made.from_file(write("t.clusters", "a b\n\n \nb a\n"))
    assert cs.score(gold, gold).facts["clusters"] == (2, 2)
    for text, form in (('[["a", "b"], [], ["b", "a"]]', None), ('{"x": ["a", "b"], "y": [], "z": ["a", "b"]}', C)):
        read, _ = Made.from_files(write("gold.json", text), write("pred.clusters", "a b\nb a\n"), gold_format=form)
        assert cs.omega(read, gold).value == cs.matched_elm(read, gold).value == 1
        assert cs.score(read, gold).facts["clusters"] == (2, 2)


def test_elements_in_no_cluster(write: Any) -> None:
    pred = Made.from_memberships({"a": ["1"], "b": ["1", "2"], "c": ["2"]})
    for name, text, form in (
        ("t.json", '{"a": ["x"], "b": ["x"], "c": []}', "memberships"),
        ("t.memberships", "a\tx\nb\tx\nc\t\n", None),
        ("t.jsonl", lines(json.dumps({"element": e, "cluster": ["x"] if e != "c" else []}) for e in "abc"), None),
    ):
        gold = Made.from_file(write(name, text), format=form)
        assert "1 element in no cluster of gold (e.g. 'c')" in message_of(cs.score, gold, pred)
        assert cs.score(gold, pred, missing="drop").facts["elements"] == (2, 2)
        assert cs.score(gold, pred, missing="singleton").facts["clusters"] == (2, 2)
        kept = cs.score(gold, pred, missing="keep")
        assert (list(kept), kept.facts["memberships"]) == (["omega", "overlapping_nmi", "community_f1"], (2, 4))


def test_labels_that_are_null(write: Any) -> None:
    pred = Made.from_memberships({"a": ["1"], "b": ["1", "2"]})
    for name, text, form in (
        ("t.csv", "element,cluster\na,x\na,\nb,x\n", None),
        ("t.json", '{"a": ["x", null], "b": ["x"]}', "memberships"),
        ("t.jsonl", '{"element": "a", "cluster": ["x", null]}\n{"element": "b", "cluster": ["x"]}\n', None),
    ):
        gold = Made.from_file(write(name, text), format=form)
        message = message_of(cs.score, gold, pred)
        assert "gold has 1 element with no label" in message
        assert cs.score(gold, pred, noise=[None], noise_as="drop").facts["memberships"] == (2, 3)


@pytest.mark.parametrize("seed", range(8))
def test_random_covers_in_every_format(write: Any, seed: int) -> None:
    """Whatever overlaps how, a file gives what the memory gives."""
    rng = random.Random(seed)
    sets = {f"e{k}": rng.sample([f"c{j}" for j in range(5)], rng.randint(1, 3)) for k in range(rng.randint(1, 12))}
    expected = sorted(map(sorted, clusters(sets).values()))
    for name, (make, form) in FORMATS.items():
        assert content(Made.from_file(write(name, make(sets)), format=form)) == expected, name


@pytest.mark.skipif(not DATA.exists(), reason="the philosophers (shared/data/clusim-philosophy) are not here")
def test_philosophers() -> None:
    """Element -> labels, gold in words and detected by number; that the lists are memberships is said."""
    paths = [DATA / f"{name}_community_Philosophy.json.gz" for name in ("ground_truth", "detected")]
    in_memory = [Made.from_memberships(json.loads(gzip.decompress(path.read_bytes()))) for path in paths]
    metrics = ["matched_elm", "omega", "community_f1"]
    expected = cs.score(*in_memory, metrics=metrics)
    card = cs.score(*Made.from_files(*paths, format="memberships"), metrics=metrics)
    assert [float(score) for score in card.values()] == [float(score) for score in expected.values()]
    assert card.facts == {
        "elements": (1134, 1134), "memberships": (13_375, 6_137), "clusters": (5416, 873), "singletons": (3361, 2)
    }  # fmt: skip
    for given in ([Made.from_file, paths[0]], [Made.from_files, *paths]):
        assert 'pass format="clusters" or "memberships"' in message_of(*given)
