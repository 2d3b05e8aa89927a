"""An engine from outside the package, as CONTRIBUTING.md says: the scores of arrays, at a size that splits work."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import narwhals as nw
import numpy as np
import polars as pl
import pytest

import clusterscore as cs
from clusterscore.engines.engine import ENGINES, Engine, Polars
from engines.cases import CELLS, FEW, same
from engines.scoring import refused

ROWS, CLUSTERS = 40_000, 8_000
LIGHT = [cs.metric(name) for name in ("elm", "adjusted_rand", "purity")]


class Query(NamedTuple):
    """What a database would answer."""

    connection: sqlite3.Connection
    sql: str

    def rows(self) -> pl.DataFrame:
        return pl.read_database(self.sql, self.connection)


class SqlitePlan(Polars):
    """Rows of SQLite, counted by the plan."""

    @classmethod
    def takes(cls, table: Any) -> bool:
        return isinstance(table, Query)

    def open(self, tables: Sequence[Any], sides: Any) -> list[Any]:
        return [nw.from_native(table.rows().lazy()) for table in tables]


class SqliteColumns(Engine):
    """The same, its columns counted as arrays; columns that nobody asked for stay there."""

    called = "SQLite"
    plans = False

    @classmethod
    def takes(cls, table: Any) -> bool:
        return isinstance(table, Query)

    def open(self, tables: Sequence[Any], sides: Any) -> list[Any]:
        frames = [table.rows() for table in tables]
        return [nw.from_native(frame.select(set(frame.columns) & set(sides.requested)).lazy()) for frame in frames]

    def fetch(self, frame: Any, label: str) -> dict[str, Any]:
        rows = frame.collect()
        return {name: rows[name].to_list() for name in rows.columns}


@pytest.fixture(params=[SqlitePlan, SqliteColumns])
def added(request: pytest.FixtureRequest) -> Iterator[type[Engine]]:
    ENGINES.append(request.param)
    yield request.param
    ENGINES.remove(request.param)


@pytest.fixture(scope="module")
def columns() -> dict[str, list[Any]]:
    random = np.random.default_rng(12)
    gold = random.integers(0, CLUSTERS, ROWS)
    pred = np.where(random.random(ROWS) < 0.6, gold * 7 % (CLUSTERS + 1), random.integers(0, CLUSTERS, ROWS))
    return {
        "element": random.permutation(ROWS).tolist(),
        "gold": [f"entity {label}" for label in gold.tolist()],
        "pred": pred.tolist(),
        "document": (random.integers(0, 300, ROWS) * 7919 % 300).tolist(),
    }


@pytest.fixture(scope="module")
def database(columns: dict[str, list[Any]]) -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(":memory:")
    connection.execute(f"CREATE TABLE scored ({', '.join(columns)})")
    connection.executemany("INSERT INTO scored VALUES (?, ?, ?, ?)", zip(*columns.values(), strict=True))
    yield connection
    connection.close()


def test_one_table(added: type[Engine], columns: dict[str, list[Any]], database: sqlite3.Connection) -> None:
    table = Query(database, "SELECT *, 1 AS other FROM scored ORDER BY random()")
    for metrics in (LIGHT, LIGHT, FEW if added.plans else [*FEW, *CELLS]):
        expected = cs.score(columns["gold"], columns["pred"], documents=columns["document"], metrics=metrics)
        same(cs.score_table(table, document="document", metrics=metrics), expected)


def test_two_tables(added: type[Engine], columns: dict[str, list[Any]], database: sqlite3.Connection) -> None:
    gold = dict(zip(columns["element"], columns["gold"], strict=True))
    pred = {id: label for id, label in zip(columns["element"], columns["pred"], strict=True) if id % 100}
    left = Query(database, "SELECT element, gold AS cluster FROM scored")
    right = Query(database, "SELECT pred AS cluster, element FROM scored WHERE element % 100 ORDER BY random()")
    for metrics in (LIGHT, LIGHT, FEW):
        expected = cs.score(gold, pred, missing="singleton", metrics=metrics)
        same(cs.score_table(gold_table=left, pred_table=right, missing="singleton", metrics=metrics), expected)
    refused(lambda: cs.score_table(gold_table=left, pred_table=right), "400 elements are only in gold")


def test_what_it_raises_is_one_line(added: type[Engine], database: sqlite3.Connection) -> None:
    refused(lambda: cs.score_table(Query(database, "SELECT\n nothing")), f"{added.called} could not count this")
    refused(lambda: cs.score_table(Query(database, "SELECT gold FROM scored"), threads=2), "threads= is for DuckDB")
    refused(
        lambda: cs.score_table(gold_table=Query(database, "SELECT 1"), pred_table=pl.DataFrame({"element": [1]})),
        "a table is a frame",
    )


def test_without_it_such_a_table_is_none(database: sqlite3.Connection) -> None:
    refused(lambda: cs.score_table(Query(database, "SELECT 1")), "a table is a frame", "not a Query")
