"""Labels, ids, documents and noise mean on an engine what they mean in a list, or are refused."""

from __future__ import annotations

import datetime
import random
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import feather

import clusterscore as cs
from clusterscore.read.arrays import encoded
from clusterscore.read.labels import encode
from engines.cases import same
from engines.makers import WAYS, Columns, ways
from engines.scoring import refused, score, score_two

BIG = 2**53


@cache
def _connection() -> duckdb.DuckDBPyConnection:
    return duckdb.connect()  # one for all: relations of two connections cannot be joined


def _relation(query: str) -> duckdb.DuckDBPyRelation:
    return _connection().sql(query)


def _polars(values: list[Any], kind: Any) -> pl.Series:
    return pl.Series(values).cast(kind) if kind.is_temporal() else pl.Series(values, dtype=kind)


@pytest.mark.parametrize(
    "words", [["a", None, "b", "a"], [], [None, None], ["x", "x\0", "", "é", "e\u0301", "x"]], ids=str
)
def test_text_that_its_library_encodes(words: list[Any]) -> None:
    """The same clusters as of the list, in one chunk, in several, in none."""
    chunks = pa.chunked_array(
        [pa.array(words, pa.string()), pa.array([], pa.string()), pa.array(words[::-1], pa.string())]
    )
    for series, given in (
        (pd.Series(words, dtype="str"), words),
        (pd.Series(words, dtype=pd.ArrowDtype(pa.string())), words),
        (chunks.cast(pa.large_string()), words + words[::-1]),
        (pa.chunked_array([], pa.string()), []),
    ):
        coded = encode(encoded(nw.from_native(series, series_only=True)))
        expected = encode(given)
        assert [coded.name(code) for code in coded.codes] == given
        assert (coded.null is None) == (expected.null is None)
        assert len(set(coded.codes.tolist())) == len(set(given))


# columns of values that differ where something narrower no longer tells them apart
APART: dict[str, tuple[Any, int]] = {
    "duckdb decimal": (f"SELECT ({BIG} + i)::DECIMAL(38, 0) x", 40),
    "duckdb fractions": (f"SELECT ('{BIG}.0000' || (10 + i))::DECIMAL(38, 6) x", 40),
    "duckdb hugeint": (f"SELECT {BIG}::HUGEINT + i x", 40),
    "duckdb uhugeint": (f"SELECT ({BIG} + i)::UHUGEINT x", 40),
    "duckdb ubigint": (f"SELECT ({2**63}::HUGEINT + i)::UBIGINT x", 40),
    "duckdb nanoseconds": ("SELECT make_timestamp_ns(1700000000000000000 + i) x", 40),
    "duckdb repeated hour": ("SELECT '2024-10-27 00:30:00+00'::TIMESTAMPTZ + to_hours(i::INT) x", 2),
    "duckdb uuid": ("SELECT ('00000000-0000-0000-0000-0000000000' || (10 + i))::UUID x", 40),
    "duckdb blob": ("SELECT ('a' || i)::BLOB x", 40),
    "duckdb times": ("SELECT '10:00:00'::TIME + to_microseconds(i) x", 40),
    "polars nanoseconds": (_polars([1, 2, 3], pl.Datetime("ns")), 3),
    "polars durations": (_polars([1, 2, 3], pl.Duration("ns")), 3),
    "polars times": (_polars([1, 2, 3], pl.Time()), 3),
    "polars moments": (_polars([1, 2, 3], pl.Datetime("ns", "UTC")), 3),
    "polars repeated hour": (
        _polars([1729989000000000, 1729992600000000], pl.Datetime("us", "UTC")).dt.convert_time_zone("Europe/Berlin"),
        2,
    ),
    "polars int128": (_polars([2**100, 2**100 + 1], pl.Int128()), 2),
    "polars uint64": (_polars([2**64 - 1, 2**64 - 2], pl.UInt64()), 2),
    "polars decimal": (pl.Series([Decimal(BIG), Decimal(BIG + 1)]), 2),
    "polars bytes": (pl.Series([b"1", b"\xff"]), 2),
    "pandas mixed": (pd.Series([0, "0", BIG, BIG + 1], dtype=object), 4),
    "pandas categories": (pd.Series(pd.Categorical([1, "1", 2])), 3),
    "pandas periods": (pd.Series(pd.period_range("2020", periods=3, freq="D")), 3),
    "pandas intervals": (pd.Series(pd.interval_range(0, 3)), 3),
    "pandas durations": (pd.Series(pd.to_timedelta([1, 2, 3], unit="ns")), 3),
    "pandas nanoseconds": (pd.Series(pd.to_datetime([1, 2, 3], unit="ns", utc=True)), 3),
    "pyarrow times": (pa.array([1, 2, 3], pa.time64("ns")), 3),
    "pyarrow moments": (pa.array([1, 2, 3], pa.timestamp("ns", "UTC")), 3),
    "pyarrow durations": (pa.array([1, 2, 3], pa.duration("ns")), 3),
    "pyarrow days": (pa.array([1, 2, 3], pa.date32()), 3),
    "pyarrow decimals": (pa.array([Decimal(BIG), Decimal(BIG + 1)], pa.decimal128(38, 0)), 2),
}  # fmt: skip


# frames that DuckDB does not take as they are
NARROWED = {
    "polars durations", "polars times", "polars moments", "polars int128", "pandas mixed", "pandas categories",
    "pandas periods", "pandas intervals", "pandas durations", "pandas nanoseconds", "pyarrow times", "pyarrow moments",
    "pyarrow durations",
}  # fmt: skip


def _table(name: str, copies: int = 2) -> Any:
    """Every value as label, document and id, in as many rows; the other label is a number for each value."""
    values, count = APART[name]
    if isinstance(values, str):
        rows = f"SELECT x, i FROM ({values}, i FROM range({count}) t(i)), range({copies})"
        return _relation(f"SELECT x AS gold, x AS document, x AS element, x AS cluster, i AS pred FROM ({rows})")
    number = list(range(count)) * copies
    if isinstance(values, pl.Series):
        column: Any = pl.concat([values] * copies)
        return pl.DataFrame({"gold": column, "document": column, "element": column, "cluster": column, "pred": number})
    if isinstance(values, pd.Series):
        column = values.iloc[number].reset_index(drop=True)
        return pd.DataFrame({"gold": column, "document": column, "element": column, "cluster": column, "pred": number})
    column = pa.concat_arrays([values] * copies)
    return pa.table({"gold": column, "document": column, "element": column, "cluster": column, "pred": number})


@pytest.mark.parametrize("engine", ["auto", "arrays", "duckdb"])
@pytest.mark.parametrize("name", APART)
def test_values_stay_apart_or_are_refused(name: str, engine: str) -> None:
    if name.startswith("duckdb") and engine == "duckdb":
        pytest.skip("a relation stays in its connection")
    count = APART[name][1]
    if engine == "duckdb" and name in NARROWED:
        refused(lambda: cs.score_table(_table(name), metrics="elm", engine=engine), "column 'gold'", "cast it to")
        return
    card = cs.score_table(_table(name), metrics=["elm", "bcubed"], engine=engine)
    documents = cs.score_table(_table(name), document="document", metrics="elm", engine=engine).documents
    element = cs.score_table(_table(name, 1), element="element", metrics="elm", engine=engine)
    two = cs.score_table(gold_table=_table(name, 1), pred_table=_table(name, 1), metrics="elm", engine=engine)
    assert card["elm"].value == card["bcubed"].value == 1
    assert len(documents["document"]) == count
    assert element["elm"].value == two["elm"].value == 1


@pytest.mark.parametrize("ending", ["parquet", "arrow"])
@pytest.mark.parametrize("name", ["pyarrow times", "pyarrow moments"])
def test_nanoseconds_in_files_stay_apart_or_are_refused(name: str, ending: str, tmp_path: Path) -> None:
    table, path = _table(name), tmp_path / f"table.{ending}"
    (pq.write_table if ending == "parquet" else feather.write_feather)(table, path)
    refused(lambda: cs.score_table(path, metrics="elm"), "'gold'", "text")
    assert cs.score_table(path, gold="pred", pred="pred", metrics="elm")["elm"].value == 1  # a column that is not read


def test_what_duckdb_would_narrow_is_refused() -> None:
    table = _relation("SELECT to_days(i::INT) gold, i pred FROM range(5) t(i)")
    for engine in ("auto", "arrays"):
        refused(lambda engine=engine: cs.score_table(table, engine=engine), "'gold' (gold) is of type INTERVAL", "cast")


@pytest.mark.parametrize("engine", ["auto", "duckdb"])
def test_objects_of_polars(engine: str) -> None:
    """Their library panics, and a panic is no Exception; a column that nobody asked for does not matter."""
    objects = pl.Series([object(), object()], dtype=pl.Object)
    refused(lambda: cs.score_table(pl.DataFrame({"gold": objects, "pred": [1, 2]}), engine=engine), "Object", "arrays")
    table = pl.DataFrame({"gold": [1, 2], "pred": [1, 2], "other": objects})
    assert cs.score_table(table, engine=engine, metrics="elm")["elm"].value == 1


NOISE: list[tuple[Any, list[Any]]] = [
    (np.array([-1, 1, 1, 2]), [np.int64(-1), np.float32(-1), Decimal(-1), -1.0, "x", np.array(-1)[()]]),
    (np.array([2**63 + 5, 1, 1, 2], "u8"), [2**63 + 5, np.uint64(2**63 + 5), -1, 2**64, float(2**63)]),
    (np.array([0.1, 1, 1, 2], "f4"), [np.float32(0.1), 0.1, Decimal("0.1"), 1, np.inf]),
    (np.array([0.1, np.inf, np.inf, 2]), [0.1, np.float32(0.1), Decimal("0.1"), np.inf, -np.inf, 10**400]),
    (np.array([1, 2, 2, 0]), [True, np.False_, np.True_, 1.5]),
    (np.array([True, False, False, True]), [1, np.True_, 0.0, Decimal(1), 2]),
    (np.array([-128, 127, 127, 0], "i1"), [-128, 128, 127.0, -129]),
]


@ways("pandas", "polars lazy", "pyarrow", "duckdb relation")
def test_noise_of_every_type(way: str, tmp_path: Path) -> None:
    for labels, noises in NOISE:
        for noise in noises:
            expected = cs.score(labels, [1, 1, 2, 2], noise=[noise], metrics="elm")
            card = score(way, {"gold": labels, "pred": np.array([1, 1, 2, 2])}, tmp_path, noise=[noise], metrics="elm")
            assert card["elm"] == expected["elm"], (labels, noise)


@ways("polars", "duckdb relation")
def test_noise_of_decimals_and_times(way: str, tmp_path: Path) -> None:
    day = datetime.datetime(2024, 2, 29, 12)
    for labels, noises in (
        ([Decimal("1.50"), Decimal(2), Decimal(2)], [1.5, Decimal("1.5"), 2, Decimal("1.501"), 10**40]),
        ([day, day.replace(hour=1), day], [day, np.datetime64(day), np.datetime64(day, "ns"), day.date()]),
        ([b"a", b"b", b"b"], [b"a", "a"]),
    ):
        for noise in noises:
            expected = cs.score(labels, [1, 1, 2], noise=[noise], metrics="elm")
            card = score(way, {"gold": labels, "pred": [1, 1, 2]}, tmp_path, noise=[noise], metrics="elm")
            assert card["elm"] == expected["elm"], (labels, noise)


def test_a_label_finer_than_a_microsecond() -> None:
    fine = np.datetime64("2024-02-29T00:00:00.000000001")
    table = pl.DataFrame({"element": _polars([1, 2], pl.Datetime("ns")), "cluster": [1, 2]})
    message = f"{fine} is finer than a microsecond", "cast the column to text"
    refused(lambda: cs.score_table(table, gold="element", pred="cluster", noise=fine), *message)
    sample = [[table["element"].to_numpy()[0]], [fine]]
    refused(lambda: cs.estimate(sample, table.lazy(), weights="uniform"), "is finer than", message[1])


@ways("pandas", "polars", "duckdb relation")
def test_noise_that_one_side_spells_otherwise(way: str, tmp_path: Path) -> None:
    """A side whose labels are text has none of the noise that the other has as numbers."""
    given: Columns = {"gold": ["-1", "a", "a"], "pred": [-1, 2, 2]}
    expected = cs.score(given["gold"], given["pred"], noise=-1, metrics="elm")
    same(score(way, given, tmp_path, noise=-1, metrics="elm"), expected)
    refused(
        lambda: score(way, given | {"pred": [3, 2, 2]}, tmp_path, noise=-1), "noise=-1 is not a label here, but '-1'"
    )


IDS: list[tuple[Any, Any, bool]] = [
    (np.array([BIG, BIG + 1]), np.array([BIG, BIG + 2], "f8"), True),
    (np.array([2**63, 2**63 + 1], "u8"), np.array([2**63 + 1, 2**63 + 2], "u8"), False),
    (np.array([2**63, 1], "u8"), np.array([1, -(2**63)], "i8"), False),
    (np.array([1, 2], "i1"), np.array([2, 300], "u2"), False),
    (np.array([1, 2], "f4"), np.array([1, 2.5], "f8"), False),
]


@ways("pandas", "polars", "pyarrow", "duckdb relation", "duckdb on pandas")
def test_ids_of_two_widths(way: str, tmp_path: Path) -> None:
    counts_itself = WAYS[way].engine == "duckdb" or way in ("polars", "duckdb relation")
    options = {"missing": "singleton", "metrics": "bcubed"}
    for left, right, refuses in IDS:
        gold, pred = ({"element": ids, "cluster": np.array([1, 1])} for ids in (left, right))
        if refuses and counts_itself:
            refused(lambda gold=gold, pred=pred: score_two(way, gold, pred, tmp_path, **options), "beyond 2**53")
            continue
        sides = [cs.Clustering.from_labels(side["cluster"], elements=side["element"]) for side in (gold, pred)]
        assert score_two(way, gold, pred, tmp_path, **options)["bcubed"] == cs.score(*sides, **options)["bcubed"]


@ways("pandas", "polars", "polars lazy", "pyarrow", "arrays of pandas")
def test_documents_in_the_order_of_gold(way: str, tmp_path: Path) -> None:
    names = ["page", "x", "delta", "alpha", "x", "page"]
    card = score(way, {"gold": [1] * 6, "pred": [1] * 6, "document": names}, tmp_path, document="document")
    assert list(card.documents["document"]) == ["page", "x", "delta", "alpha"]
    gold = {"element": [1, 2, 3], "cluster": [1, 1, 1], "document": ["z", "b", "m"]}
    pred = {"element": [9, 3, 2, 1], "cluster": [1] * 4, "document": ["a", "m", "b", "z"]}
    two = score_two(way, gold, pred, tmp_path, document="document", missing="singleton", metrics="elm")
    assert list(two.documents["document"]) == ["z", "b", "m", "a"]


@ways("duckdb relation", "duckdb on pandas", "parquet", "csv")
def test_documents_by_name_where_rows_have_no_order(way: str, tmp_path: Path) -> None:
    names = ["page", "x", "delta", "alpha"]
    card = score(way, {"gold": [1] * 4, "pred": [1] * 4, "document": names}, tmp_path, document="document")
    assert list(card.documents["document"]) == sorted(names)


@ways("pandas", "polars", "pyarrow", "duckdb relation", "csv")
def test_elements_kept_in_one_table(way: str, tmp_path: Path) -> None:
    """All of them are on both sides."""
    given: Columns = {"gold": [1, 1, 2], "pred": [1, 2, 2]}
    expected = cs.score(given["gold"], given["pred"], missing="keep", metrics="blanc")
    same(score(way, given, tmp_path, missing="keep", metrics="blanc"), expected)


_KINDS = {"id": pl.Int64, "label": pl.Int64, "document": pl.String, "gold": pl.Int64, "pred": pl.Int64}


class _Drawn:
    """Tables in which anything may be missing, empty, twice or noise."""

    def __init__(self, seed: int):
        self.random = random.Random(seed)
        self.options: dict[str, Any] = {"missing": self.of("error", "drop", "singleton", "keep"), "metrics": "blanc"}
        if self.random.random() < 0.6:
            self.options["noise"] = self.of([-1], [-1, None], [None], ["-1"])
            self.options["noise_as"] = self.of("drop", "singleton", "cluster")
        self.columns: dict[str, str] = {}
        self.tables = [self.side(), self.side()] if self.random.random() < 0.6 else [self.both()]

    def of(self, *values: Any) -> Any:
        return self.random.choice(values)

    def labels(self, count: int) -> list[Any]:
        return [
            self.of(-1, 0, 1, 2, None) if self.random.random() < 0.3 else self.of(-1, 0, 1, 2) for _ in range(count)
        ]

    def keys(self, ids: list[Any], element: float, document: float) -> Columns:
        made: Columns = {}
        if self.random.random() < element:
            made["id"] = [self.of(1, 2, 3, None) if self.random.random() < 0.15 else key for key in ids]
            self.columns["element"] = "id"
        if self.random.random() < document:
            made["document"] = [None if self.random.random() < 0.05 else self.of("b", "a") for _ in ids]
            self.columns["document"] = "document"
        return made

    def side(self) -> Columns:
        ids = self.random.sample(range(1, 6), self.of(0, 1, 2, 3, 4))
        self.columns["cluster"] = "label"
        return {"label": self.labels(len(ids)), **self.keys(ids, 1, 0.5)}

    def both(self) -> Columns:
        ids = list(range(self.of(0, 1, 2, 3, 4)))
        return {"gold": self.labels(len(ids)), "pred": self.labels(len(ids)), **self.keys(ids, 0.5, 0.5)}

    def by_arrays(self) -> cs.Scorecard:
        labels = ["gold", "pred"] if len(self.tables) == 1 else ["label", "label"]
        sides = [
            cs.Clustering.from_labels(table[label], elements=table.get("id"), documents=table.get("document"))
            for table, label in zip(self.tables * (3 - len(self.tables)), labels, strict=True)
        ]
        if any(side.overlapping for side in sides):
            raise cs.InputError("engines take partitions only, also where one of two labels is noise")
        return cs.score(*sides, **self.options)

    def by_engine(self, make: Any) -> cs.Scorecard:
        made = [make(pl.DataFrame(table, schema={name: _KINDS[name] for name in table})) for table in self.tables]
        given = {"table": made[0]} if len(made) == 1 else {"gold_table": made[0], "pred_table": made[1]}
        return cs.score_table(**given, **self.columns, **self.options)


@pytest.mark.filterwarnings("ignore::clusterscore.exceptions.ClusterscoreWarning")
@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_engines_refuse_what_arrays_refuse(engine: str) -> None:
    connection = duckdb.connect()
    make = pl.DataFrame.lazy if engine == "polars" else lambda frame: connection.from_arrow(frame.to_arrow())
    outcomes = []
    for seed in range(80 if engine == "polars" else 40):
        drawn = _Drawn(seed)
        try:
            expected = drawn.by_arrays()
        except cs.ClusterscoreError:
            with pytest.raises(cs.ClusterscoreError):
                drawn.by_engine(make)
            outcomes.append("refused")
        else:
            card = drawn.by_engine(make)
            same(card, expected)
            if engine == "polars" and "document" in card.documents:
                assert list(card.documents["document"]) == list(expected.documents["document"])
            outcomes.append("scored")
    assert min(outcomes.count("refused"), outcomes.count("scored")) > len(outcomes) / 5
