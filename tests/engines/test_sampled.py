"""A sample against a prediction that stays where it is: the same numbers as in memory, from the clusters it touches."""

from __future__ import annotations

from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import polars as pl
import pytest

import clusterscore as cs
from clusterscore.engines.sample_in_place import find_touched
from engines.makers import needs_spark, spark
from populations import population

WHOLE = population(3, 9000)
SAMPLED = WHOLE.gold % 60 == 0
METRICS = ["elm", "pairwise", "rand", "muc", "cluster_match"]


def frame(text: bool) -> pl.DataFrame:
    ids = np.arange(len(WHOLE.gold))
    return pl.DataFrame({"element": [f"r{k}" for k in ids] if text else ids, "cluster": WHOLE.pred})


def sampled(text: bool) -> pl.DataFrame:
    return frame(text).select("element", pl.Series("cluster", WHOLE.gold)).filter(pl.Series(SAMPLED))


@cache
def connection() -> duckdb.DuckDBPyConnection:
    return duckdb.connect()  # before DuckDB 2.0 a relation does not keep its connection open


def relation(made: pl.DataFrame, folder: Path) -> Any:
    return connection().from_arrow(made.to_arrow())


def parquet(made: pl.DataFrame, folder: Path) -> Any:
    made.write_parquet(folder / "pred.parquet")
    return folder / "pred.parquet"


def text_file(made: pl.DataFrame, folder: Path) -> Any:
    made.write_csv(folder / "pred.csv")
    return str(folder / "pred.csv")


def lazy(made: pl.DataFrame, folder: Path) -> Any:
    return made.lazy()


@pytest.mark.parametrize("text", [True, False], ids=["text ids", "integer ids"])
@pytest.mark.parametrize("make", [relation, parquet, text_file, lazy])
def test_engines_give_the_estimates_of_arrays(make: Any, text: bool, tmp_path: Path) -> None:
    assert len(WHOLE.gold) > 40_000
    expected = cs.estimate(sampled(text), frame(text), metrics=METRICS, weights="size")
    estimates = cs.estimate(sampled(text), make(frame(text), tmp_path), metrics=METRICS, weights="size")
    assert estimates.to_dict() == expected.to_dict()


@needs_spark
def test_spark_gives_the_estimates_of_arrays() -> None:
    rows = frame(True).head(3000)
    sample = sampled(True).filter(pl.col("element").is_in(rows["element"].implode()))
    table = spark().createDataFrame(rows.rows(), ["element", "cluster"])
    expected = cs.estimate(sample, rows, metrics=METRICS, weights="uniform")
    assert (
        cs.estimate(sample, {"A": table, "B": rows}, metrics=METRICS, weights="uniform").systems["A"]["elm"]
        == expected["elm"]
    )


def test_two_engines_are_compared_on_one_sample(tmp_path: Path) -> None:
    systems = {"file": parquet(frame(False), tmp_path), "memory": frame(False)}
    gap = cs.estimate(sampled(False), systems, metrics="elm", weights="uniform").differences["memory"]["elm"]
    assert (gap.value, gap.p) == (0, 1)


def test_ids_of_a_text_file_match_integers(tmp_path: Path) -> None:
    sampled(False).write_csv(tmp_path / "sample.csv")
    expected = cs.estimate(sampled(False), frame(False), metrics="elm", weights="uniform")["elm"]
    for make in (parquet, text_file):
        assert (
            cs.estimate(tmp_path / "sample.csv", make(frame(False), tmp_path), metrics="elm", weights="uniform")["elm"]
            == expected
        )


def test_only_what_the_sample_touches_is_fetched(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from clusterscore.engines.engine import DuckRelations

    fetched: list[int] = []
    plain = DuckRelations.fetch

    def fetch(self: Any, *given: Any) -> Any:
        columns = plain(self, *given)
        fetched.append(max(map(len, columns.values())))
        return columns

    monkeypatch.setattr(DuckRelations, "fetch", fetch)
    cs.estimate(sampled(False), relation(frame(False), tmp_path), metrics="elm", weights="uniform")
    sizes = np.bincount(WHOLE.pred)
    touched = np.unique(WHOLE.pred[SAMPLED])
    others = len(np.unique(np.delete(sizes, touched)[np.delete(sizes, touched) > 0]))  # a row for each size
    expected = [int(SAMPLED.sum()), len(touched) + others]
    assert sorted(fetched, reverse=True)[:2] == sorted(expected, reverse=True)
    assert set(fetched) - set(expected) == {1}  # what doubts ask


@pytest.mark.parametrize("make", [relation, lazy, parquet])
@pytest.mark.parametrize("ids", [
    [2**62, -5, 7, 0], ["it's", 'a "b"', "\\ü\n\0", ""], [1.5, 2.0, -0.0, 8.0], [date(2024, 1, k) for k in range(1, 5)],
])  # fmt: skip
def test_ids_of_every_kind_are_found(make: Any, ids: list[Any], tmp_path: Path) -> None:
    """By a join where there may be many, and otherwise one by one; what no value can equal is not found."""
    made = pl.DataFrame({"element": ids, "cluster": ["x", "y", "y", "z"]})
    touched = find_touched(make(made, tmp_path), [*ids[2::-1], "nobody", 2**70, 0.25])
    assert [None if code < 0 else touched.names[code] for code in touched.cluster.tolist()] == [
        "y",
        "y",
        "x",
        *[None] * 3,
    ]
    assert sorted(zip(touched.names, touched.size.tolist(), strict=True)) == [("x", 1), ("y", 2)]
    assert touched.elements == 4


ONE = r"1 element is only in the sample \(e.g. 'b'\); pass missing="
NONE = r"2 elements are only in the sample \(e.g. 'a'\); no element is on both sides: give both the same ids"


@pytest.mark.parametrize(("columns", "words"), [
    ({"element": ["a", "b", "c"], "cluster": [1, None, 2]}, "the prediction has 1 element with no cluster"),
    ({"element": ["a", "a", "b"], "cluster": [1, 1, 2]}, "an element more than once"),
    ({"element": ["a", "a", "b"], "cluster": [1, 2, 2]}, "an element in several clusters"),
    ({"element": ["x", "y", "z"], "cluster": [1, 2, 2]}, NONE),
    ({"element": ["a", "y", "z"], "cluster": [1, 2, 2]}, ONE),
    ({"element": [1, 2, 3], "cluster": [1, 2, 2]}, NONE),
    ({"page": ["a", "b", "c"], "group": [1, 2, 2]}, "'page', 'group': which column is the element and the cluster"),
])  # fmt: skip
@pytest.mark.parametrize("make", [relation, lazy])
def test_bad_predictions(make: Any, columns: dict[str, Any], words: str, tmp_path: Path) -> None:
    with pytest.raises(cs.InputError, match=words):
        cs.estimate([["a"], ["b"]], make(pl.DataFrame(columns), tmp_path), weights="uniform")


@pytest.mark.parametrize("make", [relation, lazy])
def test_usual_columns_are_recognised(make: Any, tmp_path: Path) -> None:
    estimates = [
        cs.estimate(
            [["a"], ["b"]],
            make(pl.DataFrame({element: ["a", "b", "c"], cluster: [1, 2, 2]}), tmp_path),
            weights="uniform",
        )["elm"]
        for element, cluster in (("element", "cluster"), ("id", "cluster"), ("unique_id", "cluster_id"))
    ]
    assert estimates[0] == estimates[1] == estimates[2]


DOUBTFUL: dict[str, tuple[list[Any], str]] = {
    "the text NaN": (["x", "NaN", "NaN", "y", "y", "z"], "pred has 2 elements with the label 'NaN'"),
    "noise": ([-1, 0, 0, 1, 2, 2], "pred has the label '?-1'? among labels from 0 up"),
    "a single cluster": (["x"] * 6, "pred has all 6 elements in a single cluster"),
    "the ids": ([f"e{k}" for k in range(6)], "the labels of pred are its element ids"),
}


@pytest.mark.parametrize("case", DOUBTFUL)
@pytest.mark.parametrize("make", [relation, lazy, parquet, text_file])
def test_predictions_are_doubted_wherever_they_are(
    make: Any, case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    labels, words = DOUBTFUL[case]
    pred = make(pl.DataFrame({"element": [f"e{k}" for k in range(6)], "cluster": labels}), tmp_path)
    for large in (0, 1 << 23):
        monkeypatch.setattr("clusterscore.engines.LARGE", large)
        with pytest.warns(cs.ClusterscoreWarning, match=words):
            cs.estimate([["e0", "e1"], ["e2"], ["e3", "e4"]], pred, metrics="elm", resamples=0, weights="uniform")
    if case != "a single cluster":  # which is only doubtful beside gold
        monkeypatch.setattr("clusterscore.engines.LARGE", 0)
        with pytest.warns(cs.ClusterscoreWarning):
            cs.score_pairs([("e1", "e2", 1), ("e3", "e4", 1), ("e0", "e5", 0)], pred)
