"""Tables that do not fit together, or are none: one readable line that says what, how many, one example, the remedy."""

from __future__ import annotations

import datetime
import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import clusterscore as cs
from engines.cases import same
from engines.makers import WAYS, Columns, ways
from engines.scoring import refused, score, score_two, tables

NAN = float("nan")
DAY = datetime.date(2024, 2, 29)
JOINING = ("pandas", "polars lazy", "pyarrow chunks", "duckdb relation", "arrays of pandas")
TYPED = ("pandas", "polars lazy", "pyarrow chunks", "duckdb relation")


def joined(way: str, given: tuple[Columns, Columns], folder: Path, **options: Any) -> cs.Scorecard:
    return score_two(way, *given, folder, **{"metrics": "elm"} | options)


def alone(way: str, columns: Columns, folder: Path, **options: Any) -> cs.Scorecard:
    return score(way, columns, folder, **{"metrics": "elm"} | options)


# elements on one side only
MISMATCHED: dict[str, tuple[tuple[Columns, Columns], list[str]]] = {
    "only in gold": (tables(["ä", "b"], ["b"]), ["1 element is only in gold (e.g. 'ä')"]),
    "only in pred": (tables(["b"], ["b", "日", "日本"]), ["2 elements are only in pred (e.g. '日"]),
    "in neither": (
        tables(["a", "b"], ["c"]), ["2 elements are only in gold (e.g. '", "1 element is only in pred (e.g. 'c')"],
    ),
    "in another document": (
        tables(["a", "b"], ["a", "b"], gold_document=["x", "y"], pred_document=["y", "y"]),
        ["1 element is only in gold (e.g. 'a'"],
    ),
    "no document either": (tables(["a", "b"], ["b"], pred_document=["x"]), ["1 element is only in gold (e.g. 'a')"]),
}  # fmt: skip


@pytest.mark.parametrize("case", MISMATCHED)
@ways(*JOINING)
def test_elements_on_one_side_only(way: str, case: str, tmp_path: Path) -> None:
    given, words = MISMATCHED[case]
    document = "document" if any("document" in side for side in given) else None
    remedy = "give both the same ids" if case == "in neither" else 'missing="drop" or "singleton"'
    message = refused(lambda: joined(way, given, tmp_path, document=document), *words, remedy)
    with pytest.raises(cs.ElementMismatch, match=message[:20]):
        joined(way, given, tmp_path, document=document)


@ways(*TYPED)
def test_an_example_is_written_as_the_ids_are(way: str, tmp_path: Path) -> None:
    refused(
        lambda: joined(way, tables([1, 2], [2, 2**60 + 1]), tmp_path),
        f"(e.g. 1) and 1 element is only in pred (e.g. {2**60 + 1})",
    )
    refused(
        lambda: joined(way, tables([DAY], [DAY, DAY + datetime.timedelta(1)]), tmp_path),
        "(e.g. datetime.date(2024, 3, 1))",
    )


# an id that stands twice, and the policy under which it might not be seen
REPEATED: dict[str, tuple[tuple[Columns, Columns], dict[str, Any], str]] = {
    "in gold": (tables(["ä", "ä", "b"], ["ä", "b"]), {}, "'ä'"),
    "in pred": (tables(["a", "b"], ["a", "b", "b"]), {}, "'b'"),
    "in both": (tables(["a", "a", "b"], ["b", "a", "a"]), {}, "'a'"),
    "only in gold": (tables(["a", "z", "z"], ["a"]), {}, "'z'"),
    "only in gold, dropped": (tables(["a", "z", "z"], ["a"]), {"missing": "drop"}, "'z'"),
    "only in pred, made up": (tables(["a"], ["a", "z", "z"]), {"missing": "singleton"}, "'z'"),
    "only in pred, kept": (tables(["a"], ["a", "z", "z"]), {"missing": "keep", "metrics": "blanc"}, "'z'"),
    "as many rows as without": (tables(["a", "a", "b"], ["a", "c"]), {"missing": "drop"}, "'a'"),
    "noise": (
        tables(["a", "n", "n"], ["a", "n"], gold_cluster=["1", "x", "x"]), {"noise": "x", "noise_as": "drop"}, "'n'",
    ),
    "in one document": (
        tables(["a", "a"], ["a"], gold_document=["x", "x"], pred_document=["x"]), {"document": "document"}, "'a'",
    ),
    "documents in gold alone": (tables(["a", "a"], ["a"], gold_document=["x", "y"]), {"document": "document"}, "'a'"),
}  # fmt: skip


@pytest.mark.parametrize("case", REPEATED)
@ways(*JOINING)
def test_an_id_that_stands_twice(way: str, case: str, tmp_path: Path) -> None:
    given, options, example = REPEATED[case]
    refused(lambda: joined(way, given, tmp_path, **options), "1 element in ", f"(e.g. {example}")


@ways(*TYPED)
def test_a_number_that_stands_twice(way: str, tmp_path: Path) -> None:
    """1.1 may have been 1.10; 2.0 has not."""
    for number, remedy in ((1.5, "gold has element ids that are numbers with a fraction"), (2.0, "remove the rep")):
        refused(lambda ids=[number, number, 3.25]: joined(way, tables(ids, ids), tmp_path), f"(e.g. {number})", remedy)


@ways(*JOINING, "json lines")
def test_an_element_twice_in_one_table(way: str, tmp_path: Path) -> None:
    given: Columns = {"gold": [1, 1, 2], "pred": [1, 1, 1], "element": ["é", "é", "y"], "document": ["a", "a", "b"]}
    for document in (None, "document"):
        refused(lambda at=document: alone(way, given, tmp_path, element="element", document=at), "1 element in ", "'é'")
    given["document"] = ["a", "b", "b"]
    assert alone(way, given, tmp_path, element="element", document="document")["elm"].value < 1


# what is null: two tables, options, what the message must say
NULLS: dict[str, tuple[tuple[Columns, Columns], dict[str, Any], list[str]]] = {
    "id in gold": (tables(["a", None], ["a"]), {}, ["1 element without an id"]),
    "id in pred": (tables(["a"], ["a", None, None]), {}, ["without an id"]),
    "id in both": (tables(["a", None], ["a", None]), {}, ["without an id"]),
    "id, dropped": (tables(["a", None], ["a"]), {"missing": "drop"}, ["1 element without an id"]),
    "id, kept": (tables(["a", None], ["a"]), {"missing": "keep", "metrics": "blanc"}, ["1 element without an id"]),
    "label in gold": (
        tables(["a", "b"], ["a", "b"], gold_cluster=["x", None]), {}, ["gold has 1 element with no label", "[None]"],
    ),
    "all labels": (
        tables(["a", "b"], ["a", "b"], pred_cluster=[None, None]), {}, ["pred has 2 elements with no label", "noise"],
    ),
    "document": (
        tables(["a", "b"], ["a", "b"], gold_document=["x", None], pred_document=["x", None]), {"document": "document"},
        ["without a document"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", NULLS)
@ways("pandas", "polars lazy", "pyarrow chunks", "csv", "arrays of pandas")
def test_nulls_in_two_tables(way: str, case: str, tmp_path: Path) -> None:
    given, options, words = NULLS[case]
    refused(lambda: joined(way, given, tmp_path, **options), *words)


@ways(*JOINING)
def test_nulls_in_one_table(way: str, tmp_path: Path) -> None:
    whole: Columns = {name: ["a", "b", "c"] for name in ("gold", "pred", "document", "element")}
    messages = {"gold": "gold has 2 elements with no label", "pred": "pred has 2 elements with no label",
                "document": "2 elements without a document", "element": "2 elements without an id"}  # fmt: skip
    for column, message in messages.items():
        given = whole | {column: [None, "a", None]}
        refused(lambda given=given: alone(way, given, tmp_path, document="document", element="element"), message)
    refused(
        lambda: alone(way, whole | {"element": ["a", None, "c"]}, tmp_path, element="element"),
        "1 element without an id",
    )


@ways(*TYPED, "arrays of pandas", "arrays of parquet")
def test_nan_is_null(way: str, tmp_path: Path) -> None:
    refused(
        lambda: alone(way, {"gold": [1.0, NAN, NAN], "pred": [1, 1, 2]}, tmp_path), "gold has 2 elements with no label"
    )
    refused(lambda: joined(way, tables([1.5, NAN], [1.5]), tmp_path), "1 element without an id")


@pytest.mark.parametrize("kind", [pl.Float64, pl.Float32])
@pytest.mark.parametrize("column", ["gold", "document", "element"])
def test_nan_that_the_statistics_of_a_file_leave_out(column: str, kind: type[pl.DataType], tmp_path: Path) -> None:
    """DuckDB 2.0 answers isnan() from the smallest and largest value of a column, which polars writes without NaN."""
    messages = {"gold": "gold has 1 element with no label", "document": "1 element without a document",
                "element": "1 element without an id"}  # fmt: skip
    path, numbers = tmp_path / "t.parquet", pl.DataFrame({"pred": [1, 1, 2]})
    columns = [pl.Series(name, [1, 2, 3]) for name in messages if name != column]
    numbers.with_columns(*columns, pl.Series(column, [1.0, NAN, 2.0], kind)).write_parquet(path)
    with duckdb.connect() as connection:
        for table in (path, connection.from_parquet(str(path))):
            refused(lambda table=table: cs.score_table(table, document="document", element="element"), messages[column])
    pl.DataFrame({"element": [1.0, NAN], "cluster": [1, 2]}).write_parquet(path)
    refused(lambda: cs.score_table(gold_table=path, pred_table=path), "1 element without an id")


@ways(*TYPED)
def test_infinity_is_a_label(way: str, tmp_path: Path) -> None:
    given: Columns = {"gold": [1.0, float("inf"), float("-inf")], "pred": [1.0, 1.0, float("inf")]}
    assert alone(way, given, tmp_path)["elm"] == cs.score(given["gold"], given["pred"])["elm"]


@ways(*JOINING)
def test_no_label_at_all_may_be_noise(way: str, tmp_path: Path) -> None:
    """A column that is null from end to end has no type in some libraries."""
    gold, pred = [1, 1, 2], [None, None, None]
    expected = cs.score(gold, pred, noise=[None], metrics=["elm", "alphamax_bcubed"])
    metrics = ["elm", "alphamax_bcubed"]
    same(alone(way, {"gold": gold, "pred": pred}, tmp_path, noise=[None], metrics=metrics), expected)
    given = tables([1, 2, 3], [1, 2, 3], gold_cluster=gold, pred_cluster=pred)
    same(joined(way, given, tmp_path, noise=[None], metrics=metrics), expected)


@ways("polars lazy", "duckdb relation")
def test_integers_match_their_text(way: str, tmp_path: Path) -> None:
    clusters = {"gold_cluster": [5, 5, 7], "pred_cluster": [0, 1, 1]}
    expected = cs.score({3: 5, 1: 5, 2: 7}, {1: 0, 2: 1, 3: 1}, metrics="bcubed")
    for ids, more in ((["3", "1", "2"], [1, 2, 3]), ([3, 1, 2], ["1", "2", "3"])):
        same(joined(way, tables(ids, more, **clusters), tmp_path, metrics="bcubed"), expected)
    where = {"gold_document": [9, 9, 8], "pred_document": ["9", "8", "9"]}
    card = joined(way, tables([3, 1, 2], [1, 2, 3], **clusters, **where), tmp_path, document="document")
    sides = [{3: 5, 1: 5}, {1: 0, 3: 1}], [{2: 7}, {2: 1}]
    expected = [cs.elm(*pair).value for pair in sides]
    by_document = dict(zip(map(str, card.documents["document"]), card.documents["elm"].tolist(), strict=True))
    assert by_document == dict(zip(("9", "8"), expected, strict=True))


@ways("polars lazy", "duckdb relation")
def test_text_never_equals_a_fraction_or_a_day(way: str, tmp_path: Path) -> None:
    message = "the element ids are text in gold and numbers in pred, so none would match"
    refused(lambda: joined(way, tables(["1.0", "2.5"], [1.0, 2.5]), tmp_path), message, "cast")
    given = tables(["a"], ["a"], gold_document=[1.5], pred_document=["1.5"])
    refused(
        lambda: joined(way, given, tmp_path, document="document"),
        "the document ids are numbers in gold and text in pred",
    )
    refused(lambda: joined(way, tables([DAY], ["2024-02-29"]), tmp_path), "in gold and text in pred")


@pytest.mark.parametrize("engine", ["auto", "arrays"])
def test_numbers_match_the_text_of_a_text_file(engine: str, tmp_path: Path) -> None:
    gold, pred = tables([3, 1, 2], [1, 2, 3], gold_cluster=[5, 5, 7], pred_cluster=[0, 1, 1])
    expected = cs.score({3: 5, 1: 5, 2: 7}, {1: 0, 2: 1, 3: 1}, metrics="bcubed")
    made = {way: [WAYS[way].make(table, tmp_path / f"{k}") for k, table in enumerate((gold, pred))]
            for way in ("parquet", "csv", "json lines", "tsv")}  # fmt: skip
    pairs = [("parquet", "csv"), ("csv", "parquet"), ("json lines", "parquet"), ("tsv", "json lines")]
    for left, right in pairs:
        same(
            cs.score_table(gold_table=made[left][0], pred_table=made[right][1], metrics="bcubed", engine=engine),
            expected,
        )


@pytest.mark.parametrize("kinds", [("i4", "i8"), ("u1", "i8"), ("u8", "i8"), ("i8", "f8"), ("f4", "f8")], ids=" ".join)
def test_numbers_of_any_width_match(kinds: tuple[str, str]) -> None:
    """1 is 1 and 1.0, in Python and everywhere."""
    for make, engine in ((pd.DataFrame, "auto"), (pl.DataFrame, "auto"), (pa.table, "auto"), (pa.table, "duckdb")):
        gold, pred = (make({"element": np.array([1, 2], kind), "cluster": [1, 1]}) for kind in kinds)
        assert cs.score_table(gold_table=gold, pred_table=pred, metrics="elm", engine=engine)["elm"].value == 1


def test_text_of_any_kind_matches() -> None:
    words = pa.array(["a", "b"])
    kinds = [words, words.cast(pa.large_string()), words.dictionary_encode()]
    tables = [pa.table({"element": array, "cluster": [1, 1]}) for array in kinds]
    frames = [
        pd.DataFrame({"element": pd.Series(["a", "b"], dtype=dtype), "cluster": [1, 1]})
        for dtype in ("category", object, "str")
    ]
    lazy = [
        pl.LazyFrame({"element": pl.Series(["a", "b"], dtype=dtype), "cluster": [1, 1]})
        for dtype in (pl.String, pl.Categorical)
    ]
    for library in (tables, frames, lazy):
        for gold in library:
            for pred in library:
                assert cs.score_table(gold_table=gold, pred_table=pred, metrics="elm")["elm"].value == 1


@pytest.mark.parametrize("engine", ["auto", "duckdb"])
@pytest.mark.parametrize("ids", [["a", "b"], [1, 2], [1.5, 2.5], [True, False], [DAY, DAY + datetime.timedelta(1)]])
def test_categories_match_their_values(ids: list[Any], engine: str) -> None:
    gold, pred = (pd.DataFrame({"element": column, "cluster": [1, 1]}) for column in (pd.Categorical(ids), ids))
    assert cs.score_table(gold_table=gold, pred_table=pred, metrics="elm", engine=engine)["elm"].value == 1


@ways(
    "pandas", "pandas of pyarrow", "pandas objects", "polars", "pyarrow chunks", "duckdb relation", "parquet", "spark"
)
def test_large_numbers_stay_as_they_are_in_a_join(way: str, tmp_path: Path) -> None:
    """Where a side lacks rows, some libraries make floats of whole numbers."""
    big = 2**53
    given = tables([big, big + 1, 3, 4], [big, big + 1, 3, 5], gold_cluster=[big, big + 1, big, big + 1],
                   gold_document=[big, big, big + 1, big + 1], pred_document=[big, big, big + 1, big + 1])  # fmt: skip
    gold, pred = (
        cs.Clustering.from_labels(table["cluster"], elements=table["element"], documents=table["document"])
        for table in given
    )
    for missing in ("drop", "singleton"):
        expected = cs.score(gold, pred, metrics="bcubed", missing=missing)
        same(joined(way, given, tmp_path, metrics="bcubed", missing=missing, document="document"), expected)


@ways(*JOINING, "duckdb on pandas", "json lines")
def test_empty_tables(way: str, tmp_path: Path) -> None:
    none: Columns = {"gold": [], "pred": [], "element": [], "cluster": []}
    some: Columns = {"gold": ["a"], "pred": ["b"], "element": ["x"], "cluster": ["y"]}
    refused(lambda: alone(way, none, tmp_path), "empty", "nothing to score")
    refused(lambda: joined(way, (none, none), tmp_path), "empty", "nothing to score")
    for pair in ((none, some), (some, none)):
        refused(lambda pair=pair: joined(way, pair, tmp_path))


@pytest.mark.parametrize("make", [pd.DataFrame, pl.LazyFrame, pa.table], ids=["pandas", "polars", "pyarrow"])
@pytest.mark.parametrize("engine", ["auto", "duckdb", "arrays"])
def test_empty_tables_with_types(make: Any, engine: str) -> None:
    whole = pa.table({"element": ["x"], "cluster": [1]})
    none = whole.slice(0, 0)
    gold, pred = (make(table.to_pydict()) if make is not pa.table else table for table in (whole, none))
    if make is pl.LazyFrame:
        pred = gold.head(0)
    elif make is pd.DataFrame:
        pred = gold[:0]
    refused(lambda: cs.score_table(pred, gold="element", pred="cluster", engine=engine), "empty", "nothing to score")
    refused(lambda: cs.score_table(gold_table=pred, pred_table=pred, engine=engine), "empty", "nothing to score")
    message = refused(lambda: cs.score_table(gold_table=gold, pred_table=pred, engine=engine))
    assert "1 element is only in gold (e.g. 'x')" in message or "pred is empty" in message
    refused(lambda: cs.score_table(gold_table=pred, pred_table=gold, engine=engine, missing="drop"), "nothing to score")


def test_partitions_of_no_rows(tmp_path: Path) -> None:
    rows = pa.table({"gold": ["a", "a", "b"], "pred": [1, 2, 2]})
    for k in range(3):
        pq.write_table(rows.slice(0, 0), tmp_path / f"{k}.parquet")
    pattern = str(tmp_path / "*.parquet")
    refused(lambda: cs.score_table(pattern), "empty", "nothing to score")
    pq.write_table(rows, tmp_path / "3.parquet")
    same(cs.score_table(pattern), cs.score(["a", "a", "b"], [1, 2, 2]))
    for k, text in enumerate(["gold,pred\n", "gold,pred\na,1\n", "gold,pred\na,2\nb,2\n", ""]):
        (tmp_path / f"{k}.csv").write_text(text)
    same(cs.score_table(str(tmp_path / "*.csv")), cs.score(["a", "a", "b"], [1, 2, 2]))


@ways("polars", "parquet")
def test_many_documents(way: str, tmp_path: Path) -> None:
    random = np.random.default_rng(9)
    size = 120_000
    document = np.concatenate([np.arange(40_000), random.integers(0, 40_000, size - 40_000)]).tolist()
    gold, pred = random.integers(0, 3, size).tolist(), random.integers(0, 3, size).tolist()
    expected = cs.score(gold, pred, documents=document, metrics=["elm", "rand"], average="macro")
    given = {"gold": gold, "pred": pred, "document": document}
    card = alone(way, given, tmp_path, document="document", metrics=["elm", "rand"], average="macro")
    assert len(card.documents["document"]) == 40_000
    assert (card.micro, card.macro) == (expected.micro, expected.macro)


@ways(*JOINING)
def test_a_column_that_is_not_there(way: str, tmp_path: Path) -> None:
    given: Columns = {"gold": ["a"], "pred": ["b"], "docs": ["c"]}
    refused(lambda: alone(way, given, tmp_path, gold="glod"), "the table has no column 'glod'", "did you mean 'gold'?")
    refused(
        lambda: alone(way, given, tmp_path, pred="x"),
        "the table has no column 'x'",
        "choose from docs, gold, pred",
        "pred=",
    )
    refused(lambda: alone(way, given, tmp_path, document="dosc"), "no column 'dosc'", "did you mean 'docs'?")
    refused(lambda: alone(way, given, tmp_path, element="element"), "no column 'element'")
    pair = tables(["a"], ["a"])
    refused(
        lambda: joined(way, pair, tmp_path, cluster="clustre"), "the gold table has no column 'clustre'", "'cluster'?"
    )
    refused(lambda: joined(way, pair, tmp_path, element="id"), "the gold table has no column 'id'", "element=")
    refused(lambda: joined(way, pair, tmp_path, document="document"), "no column 'document'", "document=")
    short = (pair[0], {"element": ["a"]})
    refused(lambda: joined(way, short, tmp_path), "the pred table has 'element'")


NESTED: dict[str, list[Any]] = {"lists": [[1], [2]], "structs": [{"a": 1}, {"a": 2}]}


@pytest.mark.parametrize("kind", NESTED)
@ways("pandas", "pandas of pyarrow", "polars lazy", "pyarrow", "duckdb relation", "duckdb on pandas", "parquet",
      "json lines", "arrays of pandas", "arrays of parquet")  # fmt: skip
def test_columns_of_lists_and_structs(way: str, kind: str, tmp_path: Path) -> None:
    flat = [1, 2]
    for column in ("pred", "document"):
        given = {"gold": flat, "pred": flat, "document": flat, "element": flat, column: NESTED[kind]}
        refused(lambda given=given: alone(way, given, tmp_path, document="document", element="element"))
    refused(lambda: joined(way, tables(NESTED[kind], NESTED[kind]), tmp_path))


frame = pd.DataFrame({"gold": [1, 1], "pred": [1, 2]})
sided = pd.DataFrame({"element": [1, 2], "cluster": [1, 2]})
other = pl.DataFrame({"element": [1, 2], "cluster": [1, 2]})


CONNECTIONS: list[duckdb.DuckDBPyConnection] = []  # before DuckDB 2.0 a relation does not keep its connection open


def relation() -> duckdb.DuckDBPyRelation:
    CONNECTIONS.append(duckdb.connect())
    return CONNECTIONS[-1].from_arrow(pa.table({"element": [1, 2], "cluster": [1, 2]}))


def changing() -> duckdb.DuckDBPyRelation:
    CONNECTIONS.append(duckdb.connect())
    return CONNECTIONS[-1].sql("SELECT i AS gold, i AS pred, random() || '' AS document FROM range(3) t(i)")


def closed() -> duckdb.DuckDBPyRelation:
    connection = duckdb.connect()
    rows = connection.from_arrow(pa.table({"gold": [1, 2], "pred": [1, 2]}))
    connection.close()
    return rows


FILE = "there is no such file.csv"
CALLS: dict[str, tuple[Callable[[], Any], list[str]]] = {
    "nothing": (lambda: cs.score_table(), ["pass one table", "gold_table= and pred_table="]),
    "None": (lambda: cs.score_table(None, engine="arrays"), ["pass one table"]),
    "a list": (lambda: cs.score_table([0, 0, 1]), ["a table is a frame", "not a list", "cs.score"]),
    "a list for DuckDB": (lambda: cs.score_table([0, 0, 1], engine="duckdb"), ["a table is a frame", "not a list"]),
    "a dict": (lambda: cs.score_table({"gold": [0], "pred": [0]}), ["a table is a frame", "not a dict"]),
    "an array": (lambda: cs.score_table(np.zeros((3, 2))), ["a table is a frame", "ndarray", "cs.score"]),
    "a column": (lambda: cs.score_table(frame["gold"]), ["a table is a frame", "Series"]),
    "a number": (lambda: cs.score_table(3), ["a table is a frame", "int"]),
    "bytes": (lambda: cs.score_table(b"file.csv"), ["a table is a frame", "bytes"]),
    "a Table": (lambda: cs.score_table(cs.Table.from_labels([0], [0])), ["a table is a frame"]),
    "a column twice": (
        lambda: cs.score_table(pd.DataFrame([[1, 2, 3]], columns=["gold", "gold", "pred"])), ["gold"],
    ),
    "a relation and a frame": (lambda: cs.score_table(gold_table=relation(), pred_table=sided), ["duckdb and pandas"]),
    "a relation and a file": (lambda: cs.score_table(gold_table=relation(), pred_table=FILE), ["duckdb"]),
    "a relation for our DuckDB": (lambda: cs.score_table(relation(), engine="duckdb"), ["duckdb", 'engine="auto"']),
    "two connections": (lambda: cs.score_table(gold_table=relation(), pred_table=relation()), ["connection"]),
    "a closed connection": (lambda: cs.score_table(closed()), ["closed"]),
    "gold_table alone": (lambda: cs.score_table(gold_table=sided), ["two tables", "gold_table= and pred_table="]),
    "pred_table alone": (lambda: cs.score_table(pred_table=sided), ["two tables", "gold_table= and pred_table="]),
    "pred_table beside a table of both": (
        lambda: cs.score_table(frame, pred_table=sided),
        ["the gold table has 'gold', 'pred'", "which column is the element and the cluster?", 'gold_element="..."'],
    ),
    "a cluster of both sides": (
        lambda: cs.score_table(cs.File("no.csv", cluster="x")),
        ["cluster='x' names one column", 'pass gold="..." and pred="..."'],
    ),
    "both forms": (lambda: cs.score_table(frame, gold_table=sided, pred_table=sided), ["one table with both sides"]),
    "gold= of two tables": (
        lambda: cs.score_table(gold_table=sided, pred_table=sided, gold="x"),
        ["the gold table has no column 'x'", 'name it with gold="..."'],
    ),
    "gold= beside cluster=": (
        lambda: cs.score_table(gold_table=sided, pred_table=sided, gold="x", cluster="y"),
        ['cluster="..." is for both sides and gold="..." for one', 'or gold="..." and pred="..."'],
    ),
    "cluster= of one table": (
        lambda: cs.score_table(frame, cluster="gold"), ['cluster="..." is for two tables', 'gold="..."'],
    ),
    "pred_element= of one table": (
        lambda: cs.score_table(frame, pred_element="x"),
        ['pred_element="..." is for two tables; in one table element="..." holds for both sides'],
    ),
    "a column that is a number": (lambda: cs.score_table(frame, gold=3), ["no column 3"]),
    "a column that is a list": (lambda: cs.score_table(frame, pred=["pred"]), ["pred=['pred']", "pass a name as text"]),
    "engine": (lambda: cs.score_table(frame, engine="duckbd"), ["'duckbd'", "'auto', 'arrays', 'duckdb', 'spark'"]),
    "engine None": (lambda: cs.score_table(frame, engine=None), ["engine=None is not an option"]),
    "engine, before the file": (lambda: cs.score_table(FILE, engine="Spark"), ["engine='Spark'"]),
    "two tables of clusters": (
        lambda: cs.score_table(gold_table=sided[["cluster"]], pred_table=sided),
        ["the gold table has 'cluster', and", "which column is the element?", 'gold_element="..."'],
    ),
    "no document, of rows without ids": (
        lambda: cs.score_table(frame.assign(document=["x", None]), document="document", engine="arrays"),
        ["1 element without a document"],
    ),
    "documents that change": (
        lambda: cs.score_table(changing(), document="document", metrics="purity"),
        ["the documents of the table changed while it was counted"],
    ),
    "no file": (lambda: cs.score_table(FILE), [repr(FILE)]),
    "no file for arrays": (lambda: cs.score_table(FILE, engine="arrays"), [repr(FILE)]),
    "no file of two": (lambda: cs.score_table(gold_table=sided, pred_table=FILE), [repr(FILE)]),
    "no file of a pattern": (lambda: cs.score_table("no/such/*.parquet"), ["no file matches 'no/such/*.parquet'"]),
    "a folder": (lambda: cs.score_table(Path(__file__).parent), ["is a folder", "*.py"]),
    "a file without columns": (lambda: cs.score_table(__file__, format="labels"), ["has no columns", "Parquet"]),
    "memory_limit": (lambda: cs.score_table(frame, engine="duckdb", memory_limit="2 gigs"), ["'2 gigs'", "2GB"]),
    "memory_limit, a number": (lambda: cs.score_table(FILE, memory_limit=2), ["memory_limit=2 is not a size", "2GB"]),
    "memory_limit of nothing": (lambda: cs.score_table(FILE, memory_limit="0GB"), ["memory_limit='0GB'"]),
    "memory_limit of pandas": (
        lambda: cs.score_table(frame, memory_limit="2GB"), ["memory_limit= is for DuckDB", 'engine="duckdb"'],
    ),
    "threads of polars": (lambda: cs.score_table(other, threads=2), ["threads= is for DuckDB"]),
    "temp_directory of arrays": (
        lambda: cs.score_table(frame, engine="arrays", temp_directory="/tmp"), ["temp_directory= is for DuckDB"],
    ),
    "memory_limit of a relation": (lambda: cs.score_table(relation(), memory_limit="2GB"), ["memory_limit= is for"]),
    "threads": (lambda: cs.score_table(FILE, threads=0), ["threads=0", "from 1 up"]),
    "temp_directory": (lambda: cs.score_table(FILE, temp_directory="no/such"), ["'no/such' is not a folder"]),
    "temp_directory, a number": (lambda: cs.score_table(FILE, temp_directory=3), ["temp_directory=3"]),
    "weights": (lambda: cs.score_table(frame, weights=[1, 2]), ['"class" or "effective"', "cs.score"]),
    "weights, a word": (lambda: cs.score_table(frame, weights="klass"), ["weights='klass'", "'class'"]),
    "weights of rand": (lambda: cs.score_table(frame, weights="class", metrics="rand"), ["rand does not accept"]),
    "average": (lambda: cs.score_table(FILE, average="median"), ["average='median'", "'micro', 'macro'"]),
    "metrics": (lambda: cs.score_table(FILE, metrics="elmo"), ["unknown metric 'elmo'", "'elm'"]),
    "missing": (lambda: cs.score_table(FILE, missing="ignore"), ["missing='ignore'", "'keep'"]),
    "noise_as": (lambda: cs.score_table(FILE, noise=1, noise_as="delete"), ["noise_as='delete'"]),
    "all noise": (lambda: cs.score_table(frame, noise=1, noise_as="drop", gold="gold", pred="gold"), ["empty"]),
    "a metric that needs both sides": (
        lambda: cs.score_table(gold_table=sided, pred_table=sided[:1], missing="keep", metrics="elm"),
        ["elm needs the same elements on both sides", "1 element only in gold"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CALLS)
def test_call(case: str) -> None:
    call, words = CALLS[case]
    refused(call, *words)


@ways("pandas", "polars", "pyarrow", "duckdb relation")
def test_noise_of_another_kind_is_no_label(way: str, tmp_path: Path) -> None:
    """As in Python 1.0 is 1, and a day, a word or a tuple is no number."""
    apart = []
    for labels in ([1, 2, 2], [1.0, 2.5, 2.5], ["a", "x", "x"], [DAY, DAY, DAY]):
        for noise in (-1, 1, 1.0, 1.5, 2**70, "x", ("a", "b"), DAY):
            given = {"gold": labels, "pred": ["p", "p", "q"]}
            try:
                outcome = alone(way, given, tmp_path, noise=[noise]).micro
            except Exception as error:
                outcome = error
            if outcome != cs.score(given["gold"], given["pred"], noise=[noise], metrics="elm").micro:
                apart.append((labels[0], noise, outcome))
    assert apart == []


@ways("pandas", "polars", "duckdb relation", "parquet", "arrays of pandas")
def test_noise_written_otherwise(way: str, tmp_path: Path) -> None:
    message = "is not a label here, but"
    refused(
        lambda: alone(way, {"gold": ["-1", "a"], "pred": ["a", "a"]}, tmp_path, noise=-1), f"noise=-1 {message} '-1' is"
    )
    refused(lambda: alone(way, {"gold": [-1, 2], "pred": [1, 1]}, tmp_path, noise="-1"), f"noise='-1' {message} -1 is")


def test_frames_of_different_libraries_are_counted_as_arrays(tmp_path: Path) -> None:
    gold, pred = tables(["a", "b", "c"], ["c", "b", "a"], gold_cluster=[1, 1, 2], pred_cluster=[1, 2, 2])
    expected = cs.score(
        dict(zip("abc", [1, 1, 2], strict=True)), dict(zip("cba", [1, 2, 2], strict=True)), metrics=["elm", "ceafe"]
    )
    kinds = ("pandas", "polars lazy", "pyarrow chunks", "polars", "pandas")
    for left, right in itertools.pairwise(kinds):
        made = WAYS[left].make(gold, tmp_path / "gold"), WAYS[right].make(pred, tmp_path / "pred")
        for engine in ("auto", "arrays"):
            same(
                cs.score_table(gold_table=made[0], pred_table=made[1], metrics=["elm", "ceafe"], engine=engine),
                expected,
            )


def test_files_and_frames_of_different_libraries_meet_in_duckdb(tmp_path: Path) -> None:
    gold, pred = tables(["a", "b", "c"], ["c", "b", "a"], gold_cluster=[1, 1, 2], pred_cluster=[1, 2, 2])
    expected = cs.score(
        dict(zip("abc", [1, 1, 2], strict=True)), dict(zip("cba", [1, 2, 2], strict=True)), metrics="elm"
    )
    kinds = ("pandas", "polars lazy", "pyarrow chunks", "parquet parts", "csv")
    for left, right in zip(kinds, kinds[1:] + kinds[:1], strict=True):
        made = WAYS[left].make(gold, tmp_path / "gold"), WAYS[right].make(pred, tmp_path / "pred")
        same(cs.score_table(gold_table=made[0], pred_table=made[1], metrics="elm", engine="duckdb"), expected)


@ways("pandas", "csv", "arrays of csv", "spark")
def test_progress_is_silent_without_a_terminal(way: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    given = {"gold": [1, 1, 2], "pred": [1, 2, 2]}
    made = WAYS[way].make(given, tmp_path / "table")
    capfd.readouterr()
    cs.score_table(made, engine=WAYS[way].engine, progress=True)
    assert capfd.readouterr() == ("", "")


def test_nothing_is_left_behind(tmp_path: Path) -> None:
    """Neither by a run that ends, nor by one that fails."""
    made = WAYS["csv"].make({"gold": [1, 1, 2], "pred": [1, 2, 2]}, tmp_path / "table")
    spill = tmp_path / "spill"
    spill.mkdir()
    cs.score_table(made, temp_directory=spill, memory_limit="200MB", threads=1)
    refused(lambda: cs.score_table(made, temp_directory=spill, gold="no"))
    refused(lambda: cs.score_table(made, temp_directory=spill, memory_limit="1KB"), "memory")
    assert list(spill.iterdir()) == []


def test_too_many_elements_for_alphamax(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("clusterscore.engines.count_tables._MOST_SQUARED", 1)
    refused(lambda: cs.score_table(pl.from_pandas(frame)), "alphamax_bcubed on an engine", "leave it out of metrics=")


def test_what_the_engine_did_not_count_is_refused() -> None:
    card = cs.score_table(pl.from_pandas(frame), metrics="elm")
    refused(lambda: cs.purity(card.table), "metrics=")
    refused(lambda: cs.set_matching(card.table), "engine")
    refused(lambda: card.table.to_matrix(), 'engine="arrays"')
    assert cs.bcubed(card.table) == cs.bcubed([1, 1], [1, 2])
