"""Scored pairs, whatever holds them: the same pairs from all of it, and what is wrong with others in plain words."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import networkx as nx
import numpy as np
import pandas as pd
import polars as pl
import pytest

import clusterscore as cs
from clusterscore.read.scored_pairs import scored_pairs

TRIPLES = [("a", "b", 0.875), ("c", "b", 0.25), ("b", "a", 0.5), ("d", "c", -1.0)]
COLUMNS: dict[str, list[Any]] = {name: [row[k] for row in TRIPLES] for k, name in enumerate(("left", "right", "score"))}


def triples(*given: Any, **options: Any) -> list[tuple[Any, Any, float]]:
    """What was read, in the user's own words."""
    pairs = scored_pairs(*given, **options)
    assert pairs.score.dtype == np.float64
    assert len(set(pairs.elements)) == len(pairs.elements)
    ends = [[pairs.elements[k] for k in side.tolist()] for side in (pairs.left, pairs.right)]
    return list(zip(*ends, pairs.score.tolist(), strict=True))


def message_of(*given: Any, **options: Any) -> str:
    with pytest.raises(cs.ClusterscoreError) as caught:
        scored_pairs(*given, **options)
    return str(caught.value)


def indexed() -> pd.Series:
    index = pd.MultiIndex.from_arrays([COLUMNS["left"], COLUMNS["right"]])
    return pd.Series(COLUMNS["score"], index=index)


def of_dedupe() -> Any:
    return np.array([((a, b), s) for a, b, s in TRIPLES], dtype=[("pairs", "U1", 2), ("score", "f4")])


IN_MEMORY: dict[str, Callable[[], Any]] = {
    "triples": lambda: TRIPLES,
    "an iterator of triples": lambda: map(list, TRIPLES),
    "a mapping of columns": lambda: COLUMNS,
    "a mapping of pairs": lambda: {(a, b): score for a, b, score in TRIPLES},
    "pandas": lambda: pd.DataFrame(COLUMNS),
    "pandas, text of Arrow": lambda: pd.DataFrame(COLUMNS).astype({"left": "string[pyarrow]"}),
    "polars": lambda: pl.DataFrame(COLUMNS),
    "pyarrow": lambda: pl.DataFrame(COLUMNS).to_arrow(),
    "duckdb": lambda: duckdb.from_arrow(pl.DataFrame(COLUMNS).to_arrow()),
    "recordlinkage, a Series with two levels": indexed,
    "dedupe": of_dedupe,
    "a structured array": lambda: np.array(TRIPLES, [("left", "U1"), ("right", "U1"), ("score", "f8")]),
    "networkx": lambda: nx.MultiDiGraph([(a, b, {"weight": score}) for a, b, score in TRIPLES]),
}


@pytest.mark.parametrize("kind", IN_MEMORY)
def test_pairs_in_memory(kind: str) -> None:
    assert sorted(triples(IN_MEMORY[kind]())) == sorted(TRIPLES)


def test_pairs_in_an_array_of_numbers() -> None:
    assert triples(np.array([[0, 1, 0.5], [2, 1, 0.25]])) == [(0, 1, 0.5), (2, 1, 0.25)]


WRITERS: dict[str, Callable[[pl.DataFrame, Path], None]] = {
    "csv": lambda frame, path: frame.write_csv(path),
    "csv.gz": lambda frame, path: frame.to_pandas().to_csv(path, index=False),
    "tsv": lambda frame, path: frame.write_csv(path, separator="\t"),
    "parquet": lambda frame, path: frame.write_parquet(path),
    "jsonl": lambda frame, path: frame.write_ndjson(path),
    "feather": lambda frame, path: frame.write_ipc(path, compression="uncompressed"),
}


@pytest.mark.parametrize("ending", WRITERS)
def test_pairs_in_files(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"edges.{ending}"
    WRITERS[ending](pl.DataFrame(COLUMNS), path)
    assert triples(path) == TRIPLES
    assert triples(str(path)) == TRIPLES
    WRITERS[ending](pl.DataFrame(COLUMNS), tmp_path / f"edges2.{ending}")
    assert sorted(triples(str(tmp_path / f"edges*.{ending}"))) == sorted(2 * TRIPLES)


def test_integers_stay_integers_in_parquet_and_are_text_in_csv(tmp_path: Path) -> None:
    frame = pl.DataFrame({"left": [7, 3], "right": [3, 5], "score": [1, 0]})
    frame.write_parquet(tmp_path / "edges.parquet")
    frame.write_csv(tmp_path / "edges.csv")
    assert triples(tmp_path / "edges.parquet") == triples(frame) == [(7, 3, 1), (3, 5, 0)]
    assert triples(tmp_path / "edges.csv") == [("7", "3", 1), ("3", "5", 0)]


@pytest.mark.parametrize("as_file", [False, True])
def test_rows_keep_their_order_in_large_tables(as_file: bool, tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    left, gap, score = rng.integers(0, 40_000, 200_000), rng.integers(1, 99, 200_000), rng.random(200_000)
    frame = pl.DataFrame({"left": left, "right": left + gap, "score": score})
    given: Any = frame.with_columns(pl.col("left", "right").cast(pl.String))
    if as_file:
        given.write_parquet(tmp_path / "edges.parquet", row_group_size=10_000)
        given = tmp_path / "edges.parquet"
    pairs = scored_pairs(given)
    ids = np.array(pairs.elements).astype(int)
    assert (ids[pairs.left] == left).all()
    assert (ids[pairs.right] == left + gap).all()
    assert (pairs.score == score).all()


# The names of columns ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "names",
    [
        ("unique_id_l", "unique_id_r", "match_probability"),
        ("unique_id_l", "unique_id_r", "match_weight"),
        ("id_1", "id_2", "similarity"),
        ("source", "target", "weight"),
        ("u", "v", "probability"),
        ("a", "b", "score"),
        ("ltable_id", "rtable_id", "confidence"),
    ],
)
def test_known_names(names: tuple[str, str, str]) -> None:
    assert triples(dict(zip(names, COLUMNS.values(), strict=True), other=[1, 2, 3, 4])) == TRIPLES


@pytest.mark.parametrize("as_file", [False, True])
def test_splink(as_file: bool, tmp_path: Path) -> None:
    columns: dict[str, list[Any]] = {
        "match_weight": [9.0, -9.0],
        "match_probability": [0.99, 0.01],
        "source_dataset_l": ["x", "x"],
        "unique_id_l": [1, 2],
        "source_dataset_r": ["y", "x"],
        "unique_id_r": [1, 1],
    }
    given: Any = columns
    if as_file:
        given = tmp_path / "edges.parquet"
        pl.DataFrame(columns).write_parquet(given)
    assert triples(given) == [(("x", 1), ("y", 1), 0.99), (("x", 2), ("x", 1), 0.01)]
    assert triples(given, score="match_weight") == [(("x", 1), ("y", 1), 9.0), (("x", 2), ("x", 1), -9.0)]
    assert "1 pair of an element with itself" in message_of(
        given, left="unique_id_l", right="unique_id_r"
    )  # said is said


def test_one_end_named() -> None:
    assert triples(COLUMNS, left="left") == TRIPLES
    columns = {"u": ["a"], "v": ["b"], "source": ["c"], "target": ["d"], "score": [1]}
    assert triples(columns, right="target") == [("c", "d", 1)]
    assert triples(columns, left="u", right="target") == [("a", "d", 1)]


# What is wrong -------------------------------------------------------------------------------------------

HEADLESS = "ann,anne,0.93\nbob,rob,0.5\n"
WRONG: dict[str, tuple[Any, dict[str, str], str]] = {
    "unknown names": (
        {"one": ["a"], "two": ["b"], "cosine": [1]},
        {},
        "edges has no columns recognized as the two ends of a pair, but one, two, cosine; name them: "
        'left="one", right="two", score="cosine"',
    ),
    "an unknown score": ({"left": ["a"], "right": ["b"], "p": [1]}, {}, "no column recognized as the score"),
    "a wrong name": (COLUMNS, {"left": "lefd"}, "no column 'lefd' for one end of a pair: did you mean 'left'?"),
    "a wrong score": (COLUMNS, {"score": "scor"}, "the score of a pair: did you mean 'score'? name it with score="),
    "no name": (COLUMNS, {"score": 3}, "score=3 is not a column name"),
    "a distance": (
        {"left": ["a"], "right": ["b"], "distance": [1]},
        {},
        "edges has a 'distance' and no score: the higher a score, the more alike the two; add a column of "
        "similarities, such as 1 - distance",
    ),
    "two pairs of ends": (
        {**COLUMNS, "u": [1] * 4, "v": [2] * 4},
        {},
        "several pairs of ends (('left', 'right') and ('u', 'v')); name one: left=\"left\", right=\"right\"",
    ),
    "two scores": ({**COLUMNS, "weight": [1] * 4}, {}, 'several columns of scores (score, weight); name one: score="'),
    "NaN": (
        [("a", "b", 1), ("a", "c", float("nan")), ("b", "c", None)],
        {},
        "2 pairs without a number in 'score' (e.g. row 1, 'a' and 'c'); drop them, or give them the lowest score",
    ),
    "infinite": ([("a", "b", -np.inf)], {}, "1 pair with an infinite 'score' (e.g. row 0, 'a' and 'b'); write a"),
    "text": ([("a", "b", "high")], {}, "column 'score' must be numbers"),
    "no id": (
        [("a", "b", 1), (None, "b", 1)],
        {},
        "1 pair without an id in 'left' or 'right' (e.g. row 1); fill it in, or drop them",
    ),
    "self loop": (
        [("a", "b", 1), ("b", "b", 1)],
        {},
        "1 pair of an element with itself (e.g. row 1, 'b' and 'b'); drop them: they link nothing",
    ),
    "no rows": ([], {}, "edges has no rows: there are no pairs to link"),
    "pairs": ([("a", "b")], {}, "1 scored pair not made of two elements and a score (e.g. pair 0: ('a', 'b'))"),
    "words": (["abc", ("a", "b", 1)], {}, "1 scored pair not made of two elements and a score (e.g. pair 0: 'abc')"),
    "a number": (3, {}, "edges is 3; pass a frame, a file or a list of triples"),
    "lengths": ({**COLUMNS, "score": [1]}, {}, "4 in 'left', 4 in 'right', 1 in 'score'"),
    "a linkage": (np.zeros((3, 4)), {}, "an array of 3 x 4; pass three columns: two elements and a score; a linkage"),
    "labels": (np.zeros(3), {}, "edges is an array of 3; pass three columns"),
    "a lazy frame": (pl.LazyFrame(COLUMNS), {}, "collect() it first"),
    "lists": ({"left": [["a"]], "right": ["b"], "score": [1]}, {}, "must be hashable"),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_pairs(case: str) -> None:
    given, options, words = WRONG[case]
    assert words in message_of(given, **options)


WRONG_FILES = {
    "no heading": (HEADLESS, "its first line is data (ann, anne, 0.93): write a heading above it, such as left,"),
    "unknown names": ("one,two,p\na,b,1\n", 'name them: left="one", right="two", score="p"'),
    "text": ("left,right,score\na,b,1\nc,d,high\n,e,\n", "1 pair without an id in 'left' or 'right' (e.g. row 3)"),
    "no number": ("left,right,score\na,b,1\nc,d,high\n", "1 pair without a number in 'score' (e.g. row 2, 'c'"),
    "a decimal comma": ("left;right;score\na;b;0,5\n", "1 pair without a number in 'score' (e.g. row 1, 'a' and 'b')"),
    "NaN": ("left,right,score\na,b,NaN\n", "1 pair without a number in 'score' (e.g. row 1, 'a' and 'b')"),
    "infinite": ("left,right,score\na,b,inf\n", "1 pair with an infinite 'score' (e.g. row 1, 'a' and 'b')"),
    "self loop": ("left,right,score\na,a,1\n", "1 pair of an element with itself (e.g. row 1, 'a' and 'a')"),
    "no rows": ("left,right,score\n", "has no rows: there are no pairs to link"),
    "nothing": ("", "is empty: there is nothing to score"),
}


@pytest.mark.parametrize("case", WRONG_FILES)
def test_wrong_files(case: str, tmp_path: Path) -> None:
    text, words = WRONG_FILES[case]
    path = tmp_path / "edges.csv"
    path.write_text(text)
    assert words in message_of(path)


def test_ends_of_different_types(tmp_path: Path) -> None:
    path = tmp_path / "edges.parquet"
    pl.DataFrame({"left": [1], "right": ["b"], "score": [0.5]}).write_parquet(path)
    assert "has BIGINT in column 'left' and VARCHAR in 'right'; write the ids as one type" in message_of(path)
    assert "no file" in message_of(tmp_path / "other.parquet")
    assert "no file" in message_of("nowhere")
