"""One column of values, handed over in every way that can hold it; the values are drawn, and so is what they mean."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Hashable
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq
from hypothesis import strategies as st

DAY = datetime.date(1970, 1, 1)


class Kind(NamedTuple):
    """What a column holds: a small pool of keys is drawn, each of them a value of its own."""

    keys: st.SearchStrategy[Hashable]
    type: pa.DataType
    value: Callable[[Any], Any] = lambda key: key  # the Python value of a key; equal values are equal keys


def _text(letters: str | None = None) -> st.SearchStrategy[str]:
    alphabet = st.characters(codec="utf-8", exclude_characters="\0") if letters is None else st.sampled_from(letters)
    return st.text(alphabet, min_size=1, max_size=4)


BIG = 2**53
KINDS: dict[str, Kind] = {
    "small integers": Kind(st.integers(0, 5), pa.int64()),
    "negative integers": Kind(st.integers(-3, 2), pa.int8()),
    "large integers": Kind(st.sampled_from([BIG, BIG + 1, -BIG, -BIG - 1, 2**62, -(2**63), 2**63 - 1]), pa.int64()),
    "uint64": Kind(st.sampled_from([0, 1, BIG, BIG + 1, 2**63 - 1, 2**63, 2**63 + 1, 2**64 - 1]), pa.uint64()),
    "floats": Kind(st.sampled_from([0.0, 0.5, 1.0, -1.0, 1e300, 2.0**53, float("inf")]), pa.float64()),
    "float32": Kind(st.sampled_from([0.0, 0.5, 1.0, -1.0, 16777216.0]), pa.float32()),
    "truth values": Kind(st.booleans(), pa.bool_()),
    "text": Kind(_text(), pa.string()),
    "text of digits": Kind(_text("01-. "), pa.string()),
    "large text": Kind(_text("ab"), pa.large_string()),
    "bytes": Kind(st.binary(min_size=1, max_size=2), pa.binary()),
    "dates": Kind(st.integers(0, 3), pa.date32(), lambda key: DAY + datetime.timedelta(key)),
    "microseconds": Kind(
        st.integers(0, 3), pa.timestamp("us"), lambda key: datetime.datetime(1970, 1, 1) + datetime.timedelta(0, 0, key)
    ),
    "nanoseconds": Kind(st.integers(0, 3), pa.timestamp("ns"), lambda key: np.datetime64(key, "ns")),
    "durations": Kind(st.integers(0, 3), pa.duration("ns"), lambda key: np.timedelta64(key, "ns")),
    "decimals": Kind(
        st.integers(0, 3).map(lambda k: Decimal(BIG * 10 + k) / 10), pa.decimal128(20, 1), lambda key: key
    ),
    "whole decimals": Kind(st.integers(0, 3).map(lambda k: Decimal(BIG + k)), pa.decimal128(20, 0), lambda key: key),
}

NUMBERS = ("small integers", "negative integers", "large integers", "uint64", "floats", "float32")


class Column(NamedTuple):
    """Keys, None where there is no value, and the column they make."""

    kind: str
    keys: list[Any]

    @property
    def values(self) -> list[Any]:
        """As Python has them."""
        value = KINDS[self.kind].value
        return [None if key is None else value(key) for key in self.keys]

    @property
    def arrow(self) -> pa.Array:
        """As Arrow has them; all other libraries take it from there."""
        kind = KINDS[self.kind]
        if pa.types.is_temporal(kind.type):
            width = pa.int32() if kind.type == pa.date32() else pa.int64()
            return pa.array(self.keys, width).cast(kind.type)
        return pa.array(self.keys, kind.type)


@st.composite
def columns(draw: st.DrawFn, size: int, *, nulls: bool = False, kinds: tuple[str, ...] = tuple(KINDS)) -> Column:
    """A column with few distinct values, perhaps with nulls."""
    kind = draw(st.sampled_from(kinds))
    pool = draw(st.lists(KINDS[kind].keys, min_size=1, max_size=4, unique=True))
    choice = st.sampled_from([*pool, None] if nulls else pool)
    return Column(kind, draw(st.lists(choice, min_size=size, max_size=size)))


@cache
def connection() -> duckdb.DuckDBPyConnection:
    """One for all: relations of two connections cannot be joined."""
    return duckdb.connect()


def _pandas_of_arrow(table: pa.Table) -> pd.DataFrame:
    return table.to_pandas(types_mapper=pd.ArrowDtype)


def _chunks(table: pa.Table) -> pa.Table:
    half = len(table) // 2
    return pa.concat_tables([table.slice(0, half), table.slice(0, 0), table.slice(half)])


def _parquet(table: pa.Table, path: Path) -> str:
    pq.write_table(table, f"{path}.parquet")
    return f"{path}.parquet"


def _feather(table: pa.Table, path: Path) -> str:
    feather.write_feather(table, f"{path}.feather")
    return f"{path}.feather"


# how a table reaches cs.score_table, and who counts it
FRAMES: dict[str, tuple[Callable[[pa.Table, Path], Any], str]] = {
    "pyarrow": (lambda table, path: table, "auto"),
    "pyarrow chunks": (lambda table, path: _chunks(table), "auto"),
    "pandas": (lambda table, path: table.to_pandas(), "auto"),
    "pandas of pyarrow": (lambda table, path: _pandas_of_arrow(table), "auto"),
    "polars": (lambda table, path: pl.from_arrow(table), "auto"),
    "polars lazy": (lambda table, path: pl.from_arrow(table).lazy(), "auto"),
    "relation": (lambda table, path: connection().from_arrow(table), "auto"),
    "duckdb on pyarrow": (lambda table, path: table, "duckdb"),
    "duckdb on polars": (lambda table, path: pl.from_arrow(table), "duckdb"),
    "parquet": (_parquet, "auto"),
    "feather": (_feather, "auto"),
    "arrays of feather": (_feather, "arrays"),
    "arrays of polars": (lambda table, path: pl.from_arrow(table), "arrays"),
    "arrays of parquet": (_parquet, "arrays"),
}

# how a column reaches cs.score
VECTORS: dict[str, Callable[[Column], Any]] = {
    "list": lambda column: column.values,
    "pyarrow": lambda column: column.arrow,
    "chunked": lambda column: pa.chunked_array([column.arrow[:1], column.arrow[1:]]),
    "pandas": lambda column: column.arrow.to_pandas(),
    "pandas of pyarrow": lambda column: pd.Series(column.arrow, dtype=pd.ArrowDtype(column.arrow.type)),
    "polars": lambda column: pl.from_arrow(column.arrow),
}
