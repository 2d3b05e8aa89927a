"""The same table, handed over in every way that there is."""

from __future__ import annotations

import csv
import gzip
import json
import os
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

Columns = dict[str, list[Any]]  # plain values of Python, None where there is none

HAS_SPARK = find_spec("pyspark") is not None
needs_spark = pytest.mark.skipif(not HAS_SPARK, reason="pyspark is not installed; make test-spark installs it")
_SPARK_TYPES = {"int": "long", "str": "string", "float": "double", "bool": "boolean", "date": "date"}


class Way(NamedTuple):
    """How a table reaches cs.score_table."""

    make: Callable[[Columns, Path], Any]  # the path has no ending yet
    engine: str = "auto"
    text: bool = False  # whatever it holds is text


def _arrow(columns: Columns) -> pa.Table:
    return pa.table(columns)


def _chunks(columns: Columns) -> pa.Table:
    """Three stretches of rows, with nothing in front, between and behind."""
    whole = pa.table(columns)
    third = len(whole) // 3
    none = whole.slice(0, 0)
    stretches = [none, whole.slice(0, third), none, none, whole.slice(third, third), whole.slice(2 * third), none]
    return pa.Table.from_batches(
        [pa.record_batch(list(map(_one_chunk, table.columns)), names=table.column_names) for table in stretches]
    )


def _one_chunk(column: pa.ChunkedArray) -> pa.Array:
    return pa.concat_arrays(column.chunks) if column.num_chunks else pa.array([], column.type)


def _dictionaries(columns: Columns) -> pa.Table:
    arrays = {name: pa.array(values) for name, values in columns.items()}
    return pa.table(
        {name: array.dictionary_encode() if array.type == pa.string() else array for name, array in arrays.items()}
    )


@cache
def _connection() -> duckdb.DuckDBPyConnection:
    return duckdb.connect()  # one for all: relations of two connections cannot be joined


def _relation(columns: Columns) -> duckdb.DuckDBPyRelation:
    return _connection().from_arrow(pa.table(columns))


def _objects(columns: Columns) -> pd.DataFrame:
    return pd.DataFrame({name: pd.Series(values, dtype=object) for name, values in columns.items()})


def _words_as_categories(library: Any, category: Any) -> Callable[[Columns], Any]:
    def make(columns: Columns) -> Any:
        series = {}
        for name, values in columns.items():
            words = any(isinstance(value, str) for value in values)
            series[name] = library.Series(values, dtype=category) if words else library.Series(values)
        return library.DataFrame(series)

    return make


def _parquet(columns: Columns, path: Path) -> Path:
    pq.write_table(pa.table(columns), f"{path}.parquet", row_group_size=500)
    return path.with_name(f"{path.name}.parquet")


def _parquet_parts(columns: Columns, path: Path) -> str:
    """Files with many, few and no rows; the columns do not stand in the same order in each."""
    whole = pa.table(columns)
    few = min(2, len(whole))
    path.mkdir(parents=True, exist_ok=True)
    parts = [whole.slice(0, 0), whole.slice(0, few), whole.slice(few).select(list(columns)[::-1]), whole.slice(0, 0)]
    for k, part in enumerate(parts):
        pq.write_table(part, path / f"part-{k}.parquet")
    return os.fspath(path / "part-*.parquet")


def _delimited(delimiter: str, ending: str) -> Callable[[Columns, Path], Path]:
    def make(columns: Columns, path: Path) -> Path:
        file = path.with_name(f"{path.name}.{ending}")
        opened = gzip.open if ending.endswith("gz") else open
        with opened(file, "wt", encoding="utf-8", newline="") as out:
            writer = csv.writer(out, delimiter=delimiter)
            writer.writerow(columns)
            writer.writerows(zip(*columns.values(), strict=True))  # None is an empty cell
        return file

    return make


def _json_lines(columns: Columns, path: Path) -> Path:
    file = path.with_name(f"{path.name}.jsonl")
    rows = (dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True))
    lines = (json.dumps(row, default=str, ensure_ascii=False) + "\n" for row in rows)
    file.write_text("".join(lines), encoding="utf-8")
    return file


@cache
def spark() -> Any:
    """The one session of all tests: two workers, four partitions, and nothing that pays only on large data."""
    from pyspark.sql import SparkSession

    settings = {
        "spark.sql.shuffle.partitions": "4", "spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false",
        "spark.sql.adaptive.enabled": "false", "spark.sql.codegen.wholeStage": "false",
        "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    }  # fmt: skip
    builder = SparkSession.builder.master("local[2]").appName("clusterscore tests")
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    return session


def _spark_type(values: list[Any]) -> str:
    return _SPARK_TYPES[next((type(value).__name__ for value in values if value is not None), "str")]


def _spark_frame(columns: Columns) -> Any:
    schema = ", ".join(f"`{name}` {_spark_type(values)}" for name, values in columns.items())
    return spark().createDataFrame(list(zip(*columns.values(), strict=True)), schema)


def _spark_partitions(columns: Columns) -> Any:
    """Rows of one label go together, so that some of many partitions have none."""
    return _spark_frame(columns).repartition(9, next(iter(columns)))


def frame(make: Callable[[Columns], Any]) -> Callable[[Columns, Path], Any]:
    def made(columns: Columns, path: Path) -> Any:
        with np.errstate(invalid="ignore"):  # pandas 2.2 tries whether a column of infinities may be whole numbers
            return make(columns)

    return made


FRAMES: dict[str, Way] = {
    "pandas": Way(frame(pd.DataFrame)),
    "pandas of pyarrow": Way(frame(lambda columns: pd.DataFrame(columns).convert_dtypes(dtype_backend="pyarrow"))),
    "pandas nullable": Way(frame(lambda columns: pd.DataFrame(columns).convert_dtypes())),
    "pandas objects": Way(frame(_objects)),
    "pandas categories": Way(frame(_words_as_categories(pd, "category"))),
    "polars": Way(frame(pl.DataFrame)),
    "polars lazy": Way(frame(pl.LazyFrame)),
    "polars categories": Way(frame(_words_as_categories(pl, pl.Categorical))),
    "pyarrow": Way(frame(_arrow)),
    "pyarrow chunks": Way(frame(_chunks)),
    "pyarrow dictionaries": Way(frame(_dictionaries)),
    "duckdb relation": Way(frame(_relation)),
    "duckdb on pandas": Way(frame(pd.DataFrame), "duckdb"),
    "duckdb on polars": Way(frame(pl.DataFrame), "duckdb"),
    "duckdb on polars lazy": Way(frame(pl.LazyFrame), "duckdb"),
    "duckdb on pyarrow": Way(frame(_chunks), "duckdb"),
    "arrays of pandas": Way(frame(pd.DataFrame), "arrays"),
    "arrays of polars lazy": Way(frame(pl.LazyFrame), "arrays"),
    "arrays of pyarrow": Way(frame(_chunks), "arrays"),
    "arrays of a relation": Way(frame(_relation), "arrays"),
}
FILES: dict[str, Way] = {
    "parquet": Way(_parquet),
    "parquet parts": Way(_parquet_parts),
    "csv": Way(_delimited(",", "csv"), text=True),
    "tsv": Way(_delimited("\t", "tsv"), text=True),
    "csv.gz": Way(_delimited(",", "csv.gz"), "duckdb", text=True),
    "json lines": Way(_json_lines, text=True),
    "arrays of parquet": Way(_parquet, "arrays"),
    "arrays of csv": Way(_delimited(",", "csv"), "arrays", text=True),
}
SPARK: dict[str, Way] = {
    "spark": Way(frame(_spark_frame)),
    "spark partitions": Way(frame(_spark_partitions), "spark"),
    "spark on parquet parts": Way(_parquet_parts, "spark"),
    "spark on csv": Way(_delimited(",", "csv"), "spark", text=True),
    "spark on json lines": Way(_json_lines, "spark", text=True),
}
WAYS = FRAMES | FILES | SPARK


def ways(*names: str) -> pytest.MarkDecorator:
    """A parameter for these ways, or for all but Spark's; those of Spark are skipped where there is none."""
    chosen = names or (*FRAMES, *FILES)
    return pytest.mark.parametrize(
        "way", [pytest.param(name, marks=needs_spark if name in SPARK else ()) for name in chosen]
    )
