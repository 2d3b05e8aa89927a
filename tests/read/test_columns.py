"""Columns of every library are labels and ids: by what they hold, whatever holds them."""

from __future__ import annotations

from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import clusterscore as cs

TEXT, NUMBERS = ["a", "a", "b", "c", "b"], [2**53, 2**53, 2**53 + 1, 7, 2**53 + 1]
DAYS = pd.to_datetime(["2020-01-01", "2020-01-01", "2021-05-06", "2022-01-01", "2021-05-06"])
COLUMNS: dict[str, Any] = {
    "an index": pd.Index(TEXT),
    "an index of numbers": pd.Index(NUMBERS),
    "an index of several levels": pd.MultiIndex.from_arrays([NUMBERS, TEXT]),
    "an index of days": DAYS,
    "an index of categories": pd.CategoricalIndex(TEXT),
    "an index of intervals": pd.IntervalIndex.from_breaks(range(4)).take([0, 0, 1, 2, 1]),
    "periods": pd.PeriodIndex(DAYS, freq="M"),
    "days": DAYS.array,
    "categories": pd.Categorical(TEXT, categories=["c", "b", "a", "nobody"]),
    "bins": pd.cut([1, 1, 5, 9, 5], 3),
    "a Series of categories": pd.Series(NUMBERS, dtype="category"),
    "Int64": pd.array(NUMBERS, dtype="Int64"),
    "string": pd.array(TEXT, dtype="string"),
    "string[pyarrow]": pd.array(TEXT, dtype="string[pyarrow]"),
    "int64[pyarrow]": pd.array(NUMBERS, dtype="int64[pyarrow]"),
    "a dictionary of Arrow in pandas": pd.Series(pd.arrays.ArrowExtensionArray(pa.array(TEXT).dictionary_encode())),
    "sparse": pd.arrays.SparseArray(NUMBERS),
    "NumPy in pandas": pd.array(NUMBERS, dtype="int64"),
    "polars' Categorical": pl.Series(TEXT, dtype=pl.Categorical),
    "polars' Enum": pl.Series(TEXT, dtype=pl.Enum(["c", "b", "a"])),
    "pyarrow": pa.array(NUMBERS),
    "a dictionary": pa.array(TEXT).dictionary_encode(),
    "chunks": pa.chunked_array([TEXT[:2], TEXT[2:]]),
    "chunks with a dictionary each": pa.chunked_array(
        [pa.array(TEXT[:2]).dictionary_encode(), pa.array(TEXT[2:]).dictionary_encode()]
    ),
    "runs": pa.RunEndEncodedArray.from_arrays([2, 3, 4, 5], ["a", "b", "c", "b"]),
    "string views": pa.array(TEXT, pa.string_view()),
}
WITHOUT: dict[str, Any] = {
    "Int64": pd.array([2**53, None, 2**53 + 1], dtype="Int64"),
    "string[pyarrow]": pd.array(["a", None, "b"], dtype="string[pyarrow]"),
    "int64[pyarrow]": pd.array([1, None, 2], dtype="int64[pyarrow]"),
    "boolean": pd.array([True, None, False], dtype="boolean"),
    "categories": pd.Categorical(["a", None, "b"]),
    "an index": pd.Index(["a", None, "b"]),
    "polars' Categorical": pl.Series(["a", None, "b"], dtype=pl.Categorical),
    "a dictionary": pa.array(["a", None, "b"]).dictionary_encode(),
}
GOLD = [0, 0, 1, 1, 2]


@pytest.mark.parametrize("kind", COLUMNS)
def test_labels(kind: str) -> None:
    expected = cs.elm(GOLD, ["a", "a", "b", "c", "b"])
    assert cs.elm(GOLD, COLUMNS[kind]) == expected
    assert cs.elm(COLUMNS[kind], GOLD).precision == expected.recall


@pytest.mark.parametrize("kind", COLUMNS)
def test_elements_and_documents(kind: str) -> None:
    """As ids they name three elements: a, b and c."""
    made = cs.Clustering.from_labels([0, 1, 0, 0, 1], elements=COLUMNS[kind])
    assert repr(made) == "Clustering(3 elements by id, 2 overlapping clusters)"
    assert cs.score(GOLD, GOLD, metrics="elm", documents=COLUMNS[kind]).documents is not None


@pytest.mark.parametrize("kind", WITHOUT)
def test_a_value_that_is_missing(kind: str) -> None:
    with pytest.raises(cs.ClusterscoreError, match=r"pred has 1 element with no label .*position 1"):
        cs.elm([0, 0, 1], WITHOUT[kind])
    assert cs.elm([0, 0, 1], WITHOUT[kind], noise=[None], noise_as="drop") == cs.elm(
        [0, 0, 1], ["a", None, "b"], noise=[None], noise_as="drop"
    )
    with pytest.raises(cs.ClusterscoreError, match="1 element without an id"):
        cs.Clustering.from_labels([0, 0, 1], elements=WITHOUT[kind])


@pytest.mark.parametrize("value", [pd.Timestamp("2020-01-01"), pd.NA, pd.Series([1]).groupby([1])])
def test_what_is_no_column(value: Any) -> None:
    with pytest.raises(cs.ClusterscoreError, match="pred is a"):
        cs.elm([0, 0, 1], value)
