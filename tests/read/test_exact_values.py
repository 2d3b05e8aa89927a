"""Values that some library would narrow on the way: kept apart, and the same through every door."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import clusterscore as cs

Doors = dict[str, Callable[[], Any]]

BERLIN = "Europe/Berlin"
NANOSECONDS = np.array([1, 2, 1000], "M8[ns]")
DURATIONS = NANOSECONDS.astype("i8").astype("m8[ns]")
# two instants, one reading of the clock: it is set back at 01:00 UTC
INSTANTS = [dt.datetime(2024, 10, 27, hour, 30, tzinfo=dt.UTC) for hour in (0, 1, 5)]
LARGE = [2**53, 2**53 + 1, 2**53 + 2]
UNSIGNED = [2**63, 2**63 + 1, 2**64 - 1]
DAYS = [dt.date(2020, 1, day) for day in (1, 2, 3)]
FAR = [dt.datetime(3000, 1, 1), dt.datetime(2020, 1, 1), dt.datetime(1700, 1, 1)]


def arrow(values: Any, kind: Any) -> Any:
    return pd.Series(pd.array(pa.array(values, kind), dtype=pd.ArrowDtype(kind)))


DOORS: dict[str, Doors] = {
    "nanoseconds": {
        "numpy": lambda: NANOSECONDS,
        "list of NumPy's": lambda: list(NANOSECONDS),
        "list of pandas'": lambda: list(pd.Series(NANOSECONDS)),
        "pandas": lambda: pd.Series(NANOSECONDS),
        "pandas arrow": lambda: arrow(NANOSECONDS, pa.timestamp("ns")),
        "polars": lambda: pl.Series([1, 2, 1000]).cast(pl.Datetime("ns")),
        "polars with zone": lambda: pl.Series([1, 2, 1000]).cast(pl.Datetime("ns")).dt.replace_time_zone("UTC"),
        "pyarrow": lambda: pa.array(NANOSECONDS),
        "pyarrow chunks": lambda: pa.chunked_array([NANOSECONDS[:1], NANOSECONDS[1:]]),
    },
    "durations": {
        "numpy": lambda: DURATIONS,
        "pandas": lambda: pd.Series(DURATIONS),
        "pandas arrow": lambda: arrow(DURATIONS, pa.duration("ns")),
        "polars": lambda: pl.Series([1, 2, 1000]).cast(pl.Duration("ns")),
        "pyarrow": lambda: pa.array(DURATIONS),
    },
    "times of day": {
        "polars": lambda: pl.Series([1, 2, 1000]).cast(pl.Time),
        "pyarrow": lambda: pa.array([1, 2, 1000], pa.time64("ns")),
        "pyarrow chunks": lambda: pa.chunked_array([pa.array([1, 2, 1000], pa.time64("ns"))]),
        "pandas arrow": lambda: arrow([1, 2, 1000], pa.time64("ns")),
    },
    "the repeated hour": {
        "list in UTC": lambda: INSTANTS,
        "list": lambda: [instant.astimezone(ZoneInfo(BERLIN)) for instant in INSTANTS],
        "pandas": lambda: pd.Series(pd.to_datetime(INSTANTS)).dt.tz_convert(BERLIN),
        "pandas arrow": lambda: arrow(INSTANTS, pa.timestamp("us", BERLIN)),
        "polars": lambda: pl.Series(INSTANTS).dt.convert_time_zone(BERLIN),
        "polars in UTC": lambda: pl.Series(INSTANTS),
        "pyarrow": lambda: pa.array(INSTANTS, pa.timestamp("us", BERLIN)),
    },
    "integers beyond 2**53": {
        "list": lambda: LARGE,
        "numpy": lambda: np.array(LARGE),
        "unsigned": lambda: np.array(LARGE, np.uint64),
        "pandas": lambda: pd.Series(LARGE),
        "pandas nullable": lambda: pd.Series(LARGE, dtype="Int64"),
        "pandas arrow": lambda: arrow(LARGE, pa.int64()),
        "pandas objects": lambda: pd.Series(LARGE, dtype=object),
        "polars": lambda: pl.Series(LARGE),
        "polars 128 bits": lambda: pl.Series(LARGE, dtype=pl.Int128),
        "polars decimal": lambda: pl.Series(list(map(Decimal, LARGE))),
        "polars object": lambda: pl.Series(LARGE, dtype=pl.Object),
        "decimals": lambda: list(map(Decimal, LARGE)),
        "pyarrow": lambda: pa.array(LARGE),
        "pyarrow decimal": lambda: pa.array(list(map(Decimal, LARGE))),
        "pandas arrow decimal": lambda: arrow(list(map(Decimal, LARGE)), pa.decimal128(38, 0)),
    },
    "unsigned from 2**63 on": {
        "list": lambda: UNSIGNED,
        "numpy": lambda: np.array(UNSIGNED, np.uint64),
        "pandas": lambda: pd.Series(UNSIGNED, dtype="uint64"),
        "pandas nullable": lambda: pd.Series(UNSIGNED, dtype="UInt64"),
        "pandas arrow": lambda: arrow(UNSIGNED, pa.uint64()),
        "polars": lambda: pl.Series(UNSIGNED, dtype=pl.UInt64),
        "pyarrow": lambda: pa.array(UNSIGNED, pa.uint64()),
        "polars 128 bits": lambda: pl.Series(UNSIGNED, dtype=pl.Int128),
    },
    "floats of 32 bits": {
        "numpy": lambda: np.array([0.1, 0.2, 0.5], np.float32),
        "longdouble": lambda: np.array([0.1, 0.2, 0.5], np.float32).astype(np.longdouble),
        "complex": lambda: np.array([0.1, 0.2, 0.5], np.float32).astype(complex),
        "polars": lambda: pl.Series([0.1, 0.2, 0.5], dtype=pl.Float32),
        "pandas": lambda: pd.Series([0.1, 0.2, 0.5], dtype="float32"),
        "pyarrow": lambda: pa.array([0.1, 0.2, 0.5], pa.float32()),
    },
    "days": {
        "list": lambda: DAYS,
        "numpy": lambda: np.array(DAYS, "M8[D]"),
        "polars": lambda: pl.Series(DAYS),
        "pyarrow": lambda: pa.array(DAYS),
        "pandas arrow": lambda: arrow(DAYS, pa.date32()),
        "pandas objects": lambda: pd.Series(DAYS),
    },
    "years that nanoseconds do not reach": {
        "list": lambda: FAR,
        "numpy seconds": lambda: np.array(FAR, "M8[s]"),
        "numpy microseconds": lambda: np.array(FAR, "M8[us]"),
        "list of NumPy's": lambda: list(map(np.datetime64, FAR, ("s", "ns", "ms"))),
        "polars": lambda: pl.Series(FAR),
        "pandas": lambda: pd.Series(np.array(FAR, "M8[s]")),
    },
    "categories": {
        "pandas": lambda: pd.Series(pd.Categorical([1, "1", 1.5])),
        "list": lambda: [1, "1", 1.5],
        "pandas objects": lambda: pd.Series([1, "1", 1.5], dtype=object),
    },
    "periods": {"pandas": lambda: pd.Series(pd.period_range("2020-01", periods=3, freq="M"))},
    "intervals": {
        "pandas": lambda: pd.Series(pd.interval_range(0, 3)),
        "pyarrow": lambda: pa.array([pa.MonthDayNano([1, 2, k]) for k in (1, 2, 3)]),
    },
}  # fmt: skip

ALL = [pytest.param(kind, door, id=f"{kind}: {door}") for kind, doors in DOORS.items() for door in doors]


@pytest.mark.parametrize(("kind", "door"), ALL)
def test_labels_documents_and_ids_stay_apart(kind: str, door: str) -> None:
    values = DOORS[kind][door]()
    assert cs.elm(values, [0, 1, 2]).f == 1.0
    assert len(cs.score([0, 1, 2], [0, 0, 0], documents=values, metrics="elm").documents) == 3
    by_id = cs.Clustering.from_labels([0, 1, 2], elements=values)
    assert cs.elm(by_id, cs.Clustering.from_labels([2, 1, 0], elements=DOORS[kind][door]())).f == 1.0
    if type(values).__module__.startswith("polars"):
        frame = pl.DataFrame({"element": values, "cluster": values, "document": values})
        assert cs.elm(frame, frame).f == 1.0


@pytest.mark.parametrize("kind", [kind for kind, doors in DOORS.items() if len(doors) > 1 and kind != "intervals"])
def test_every_door_gives_the_same_ids_and_documents(kind: str) -> None:
    doors = DOORS[kind]
    for first in doors:
        for second in doors:
            left, right = doors[first](), doors[second]()
            sides = (cs.Clustering.from_labels([0, 1, 2], elements=ids) for ids in (left, right))
            assert cs.elm(*sides).f == 1.0, (first, second)
            sides = (cs.Clustering.from_labels([0, 0, 0], elements=[7, 8, 9], documents=ids) for ids in (left, right))
            assert cs.Table.from_labels(*sides).number("gold") == 3, (first, second)


@pytest.mark.parametrize(
    ("gold", "pred"),
    [
        (np.array([2**53 + 1]), np.array([2.0**53])),
        (np.array([2**64 - 1], np.uint64), np.array([-1])),
        (np.array([2**64 - 1], np.uint64), np.array([2.0**64])),
        (pl.Series([1001]).cast(pl.Datetime("ns")), [dt.datetime(1970, 1, 1, microsecond=1)]),
        (pl.Series([1]).cast(pl.Time), [dt.time(0)]),
        (INSTANTS[:1], pl.Series(INSTANTS[1:2]).dt.convert_time_zone(BERLIN)),
        # the year 3000 in nanoseconds overflows to this
        (np.array(["3000-01-01"], "M8[s]"), np.array(["1830-11-23T00:50:52.580896768"], "M8[ns]")),
        (np.array([1], "M8[ns]"), np.array([1])),
    ],
    ids=lambda given: str(getattr(given, "dtype", type(given).__name__)),
)
def test_ids_that_differ_do_not_meet(gold: Any, pred: Any) -> None:
    left, right = (cs.Clustering.from_labels(["a"], elements=ids) for ids in (gold, pred))
    with pytest.raises(cs.ElementMismatch, match=r"1 element is only in gold .* 1 element is only in pred"):
        cs.elm(left, right)


@pytest.mark.parametrize(
    "column",
    [
        pa.array(list(map(Decimal, LARGE)), pa.decimal128(38, 0)),
        pa.array([Decimal("90071992547409.91"), Decimal("90071992547409.92"), Decimal("90071992547409.93")]),
        pytest.param(
            pa.array([1, 2, 1000], pa.time64("ns")),
            marks=pytest.mark.skipif(duckdb.__version__.startswith("1.4."), reason="DuckDB 1.4 has no such times"),
        ),
        pa.array(NANOSECONDS),
        pa.array(INSTANTS, pa.timestamp("us", BERLIN)),
        pa.array(UNSIGNED, pa.uint64()),
        pa.array(DAYS),
    ],
    ids=lambda column: str(column.type),
)
def test_columns_of_a_parquet_file(tmp_path: Path, column: Any) -> None:
    for role in ("element", "cluster", "document"):
        path = tmp_path / f"{role}.parquet"
        given = {"element": pa.array([1, 2, 3]), "cluster": pa.array([1, 1, 1]), role: column}
        pq.write_table(pa.table(given), path)
        made = cs.Clustering.from_file(path)
        table = cs.Table.from_labels(made, made)
        assert table.elements == 3
        assert table.number("gold") == (1 if role == "element" else 3)


def test_a_day_of_a_file_is_a_day(tmp_path: Path) -> None:
    pq.write_table(pa.table({"element": DAYS, "cluster": [0, 1, 2]}), tmp_path / "days.parquet")
    made = cs.Clustering.from_file(tmp_path / "days.parquet")
    assert cs.elm(made, dict(zip(DAYS, "abc", strict=True))).f == 1.0
