"""Engines: who counts a table, and how the small result gets here."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import md5
from typing import Any, ClassVar

import narwhals as nw
import numpy as np

from clusterscore.engines import Limits, TableSides
from clusterscore.engines.column_types import for_duckdb
from clusterscore.engines.plan import Frame
from clusterscore.engines.spark_files import spark_complaint, spark_frame, spark_session
from clusterscore.exceptions import ClusterscoreError, ClusterscoreWarning, EngineError, InputError, InputTypeError
from clusterscore.messages import Option
from clusterscore.progress import step
from clusterscore.read.arrays import column, encoded
from clusterscore.read.duckdb_connection import Session, exact_columns
from clusterscore.read.duckdb_queries import quoted, text
from clusterscore.read.formats import TYPED, by_name
from clusterscore.read.labels import plain
from clusterscore.read.source import refuse_second_reading
from clusterscore.requirements import check_frame_library, check_version

check_version("narwhals", nw.__version__)
_PASSED_ON = (ClusterscoreError, ClusterscoreWarning, MemoryError, KeyboardInterrupt, SystemExit, GeneratorExit)


class Engine:
    """Who counts tables: a class for each library, which is chosen from :data:`ENGINES`."""

    name: ClassVar[str] = ""  # by which ``engine=`` asks for it
    called: ClassVar[str] = "the frame's library"
    libraries: ClassVar[Sequence[str]] = ()  # whose frames it counts, as narwhals calls them
    plans: ClassVar[bool] = True  # it runs the counting plan; otherwise its columns are counted as arrays
    writes_joins = False  # a join is finished before it is counted

    def __init__(self, limits: Limits):
        self._kept: list[Any] = []
        for name, value in limits._asdict().items():
            if value is not None:
                raise InputError(
                    Option(name),
                    " is for DuckDB, which is not used here; pass a file, or ",
                    Option("engine", "duckdb"),
                )

    @classmethod
    def takes(cls, table: Any) -> bool:
        """Whether it counts such a table."""
        return library(table) in cls.libraries

    def open(self, tables: Sequence[Any], sides: TableSides) -> list[Frame]:
        """The tables as frames of narwhals; ``sides`` say the format of files, and which columns are to be read."""
        return [as_frame(table) for table in tables]

    def fetch(self, frame: Frame, label: str) -> dict[str, Any]:
        """Run a plan, and bring its columns: numbers as arrays, all else may be lists."""
        with step(label):
            rows = frame.collect()
            # ids are compared with those of the other side, value by value
            coded = [] if self.plans else [name for name in rows.columns if not name.endswith("element")]
            return {name: encoded(rows[name]) if name in coded else column(rows[name]) for name in rows.columns}

    def value(self, frame: Frame, expression: nw.Expr) -> Any:
        """A single value, as Python has it."""
        return plain(self.fetch(frame.select(expression.alias("value")), "looking")["value"][0])

    def count(self, frame: Frame) -> int:
        """How many rows a frame has."""
        return int(self.value(frame, nw.len().cast(nw.Int64)))

    def keep(self, frame: Frame, label: str) -> Frame:
        """A frame that is used more than once, computed once."""
        return frame

    def keeps(self, side: str) -> bool:
        """Whether the columns of a side are kept before anything is counted: a text file is read once."""
        return False

    def numbered(self, frame: Frame, name: str) -> Frame:
        """A frame with a column of row numbers, where rows have an order."""
        return frame

    def among(self, frame: Frame, name: str, values: list[Any]) -> Frame:
        """The rows whose value in a column is one of these, which may be very many."""
        return frame.filter(nw.col(name).is_in(values))

    def keyed(self, frame: Frame, element: str, seed: int) -> Frame:
        """A frame with a column ``key``: text by which rows are drawn, the same for an element wherever it stands."""
        raise NotImplementedError

    def complaint(self, error: BaseException) -> ClusterscoreError:
        """What went wrong, in one line."""
        lines = (str(error).strip() or type(error).__name__).splitlines()
        return EngineError(f"{self.called} could not count this: {type(error).__name__}: {lines[0][:300]}")

    def close(self) -> None:
        """Give back what it holds."""


class InMemory(Engine):
    """Frames in memory of any library: their columns are taken out."""

    libraries = ("pandas", "modin", "cudf", "pyarrow", "polars")
    plans = False


class Polars(Engine):
    """Frames of polars, eager or lazy: polars runs the plan where they are."""

    called = "polars"
    libraries = ("polars",)

    def keep(self, frame: Frame, label: str) -> Frame:
        with step(label):
            return frame.collect().lazy()

    def numbered(self, frame: Frame, name: str) -> Frame:
        native: Any = frame.to_native()
        return as_frame(native.with_row_index(name)).with_columns(nw.col(name).cast(nw.Int64))

    def keyed(self, frame: Frame, element: str, seed: int) -> Frame:
        polars: Any = nw.get_native_namespace(frame)
        spelled = polars.col(element).cast(polars.String)
        key = spelled.map_elements(lambda name: md5(f"{seed}:{name}".encode()).hexdigest(), polars.String)
        return as_frame(frame.to_native().with_columns(key.alias("key")))


class DuckRelations(Engine):
    """Relations of a DuckDB connection of the user's; nothing is written there."""

    called = "DuckDB"
    libraries: ClassVar[Sequence[str]] = ("duckdb",)

    def __init__(self, limits: Limits):
        import duckdb

        super().__init__(limits)
        check_version("duckdb", duckdb.__version__)

    def fetch(self, frame: Frame, label: str) -> dict[str, Any]:
        relation: Any = frame.to_native()
        with step(label):
            return exact_columns(relation, lambda fetch: fetch())

    def among(self, frame: Frame, name: str, values: list[Any]) -> Frame:
        kind = frame.collect_schema()[name]
        if kind != nw.String and not kind.is_integer():  # JSON has no others
            return super().among(frame, name, values)
        # a list in SQL is parsed value by value, a text is one constant
        listed, relation = text(json.dumps(values)), frame.to_native()
        kinds = dict(zip(relation.columns, relation.types, strict=True))
        wanted = f"SELECT unnest(from_json({listed}, '[\"{kinds[name]}\"]'))"
        return as_frame(relation.filter(f"{quoted(name)} IN ({wanted})"))

    def keyed(self, frame: Frame, element: str, seed: int) -> Frame:
        relation: Any = frame.to_native()
        return as_frame(relation.project(f"*, {_key(element, seed)}"))


class DuckSession(DuckRelations):
    """A DuckDB session of our own, for files of any size: it may write tables to its own folder."""

    name = "duckdb"
    libraries = InMemory.libraries

    def __init__(self, limits: Limits):
        super().__init__(Limits())
        self._session = Session(*limits)
        self._text: list[bool] = []  # which tables are text files
        # a join that feeds a count holds the memory of both at once, which a small limit does not have
        self.writes_joins = limits.memory_limit is not None

    @classmethod
    def takes(cls, table: Any) -> bool:
        return is_path(table) or super().takes(table)

    def open(self, tables: Sequence[Any], sides: TableSides) -> list[Frame]:
        session = self._session.__enter__()
        self._text = [
            is_path(table) and (how.format or by_name(os.fspath(table))) not in TYPED
            for table, how in zip(tables, sides[:2], strict=False)
        ]
        relations = [
            session.table(table, how.format, sides.requested, header=how.header)
            if is_path(table)
            else session.register(f"given_{k}", for_duckdb(table, as_frame(table), sides.requested))
            for k, (table, how) in enumerate(zip(tables, sides[:2], strict=False))
        ]
        return list(map(as_frame, relations))

    def fetch(self, frame: Frame, label: str) -> dict[str, Any]:
        return self._session.fetch(frame.to_native(), label)

    def keeps(self, side: str) -> bool:
        return self._text[side == "pred" and len(self._text) == 2]

    def keep(self, frame: Frame, label: str) -> Frame:
        return as_frame(self._session.keep(frame.to_native(), label))

    def close(self) -> None:
        self._session.close()


class Spark(Engine):
    """A Spark session: the plan runs on the cluster, and only its small result comes to the driver."""

    name = "spark"
    libraries = ("pyspark", "pyspark[connect]")

    def open(self, tables: Sequence[Any], sides: TableSides) -> list[Frame]:
        session = None if all(map(self.takes, tables)) else spark_session()
        frames = [
            as_frame(spark_frame(session, table, how.format, how.header) if is_path(table) else table)
            for table, how in zip(tables, sides[:2], strict=False)
        ]
        for frame in frames:
            if not self.takes(frame):
                raise InputTypeError(
                    Option("engine", "spark"),
                    f" counts PySpark frames and files, and this is a frame of {library(frame)}; "
                    "spark.createDataFrame(frame) makes one of it",
                )
        return frames

    def fetch(self, frame: Frame, label: str) -> dict[str, Any]:
        with step(label):
            rows = frame.to_native().collect()
        return {name: _vector([row[k] for row in rows]) for k, name in enumerate(frame.collect_schema().names())}

    def keep(self, frame: Frame, label: str) -> Frame:
        self._kept.append(frame.to_native().persist())
        return as_frame(self._kept[-1])

    def among(self, frame: Frame, name: str, values: list[Any]) -> Frame:
        native: Any = frame.to_native()
        rows = native.sparkSession.createDataFrame([(value,) for value in values], native.select(name).schema)
        return frame.join(as_frame(rows), on=name, how="semi")

    def keyed(self, frame: Frame, element: str, seed: int) -> Frame:
        native: Any = frame.to_native()
        return as_frame(native.selectExpr("*", _key(element, seed)))

    def complaint(self, error: BaseException) -> ClusterscoreError:
        return spark_complaint(error)

    def close(self) -> None:
        for kept in self._kept:
            kept.unpersist()


ENGINES: list[type[Engine]] = [Polars, InMemory, DuckRelations, DuckSession, Spark]


def choose_engine(tables: Sequence[Any], name: str) -> type[Engine]:
    """The engine of this name, or else the first that takes all tables; ``"arrays"`` takes out columns if it can."""
    for kind in ENGINES:
        if kind.name == name:
            return kind
    preferred: list[type[Engine]] = [InMemory] if name == "arrays" else []
    for kind in preferred + ENGINES:
        if all(map(kind.takes, tables)):
            return kind
    libraries = ["a file" if is_path(table) else as_frame(table).implementation.value for table in tables]
    raise InputTypeError(
        f"the tables are of {' and '.join(libraries)}, which cannot be joined; pass both of one kind, or as frames in "
        "memory"
    )


@contextmanager
def opened(engine: Engine, tables: Sequence[Any], sides: TableSides) -> Iterator[list[Frame]]:
    """The tables as an engine has them; whatever it raises in the meantime becomes an error of ours."""
    refuse_second_reading(tables)
    try:
        yield engine.open(tables, sides)
    except _PASSED_ON:
        raise
    except BaseException as error:  # a panic of polars is no Exception
        raise engine.complaint(error) from error
    finally:
        engine.close()


def is_path(table: Any) -> bool:
    """A file or a pattern of files."""
    return isinstance(table, str | os.PathLike)


def library(table: Any) -> str | None:
    """The library that a frame belongs to, as narwhals calls it; None for what is no frame."""
    try:
        frame = nw.from_native(table, pass_through=True)
    except nw.exceptions.DuplicateError as error:
        reason = " ".join(str(error).split())[:160]
        raise InputError(f"the table has two columns with the same name: {reason}; rename one") from None
    return str(frame.implementation.value) if isinstance(frame, nw.DataFrame | nw.LazyFrame) else None


def as_frame(table: Any) -> Frame:
    """A frame of any library, as narwhals has it."""
    name = library(table)
    if name is None:
        raise InputTypeError(
            "a table is a frame of pandas, polars, pyarrow, DuckDB or PySpark, or the path of a file, not a "
            f"{type(table).__name__}; pass lists and arrays of labels to cs.score"
        )
    check_frame_library(name)
    try:
        frame: Frame = nw.from_native(table).lazy()
        frame.collect_schema()
        return frame
    except Exception as error:
        reason = " ".join(str(error).split())[:200]
        raise EngineError(f"this {type(table).__name__} cannot be read: {reason}") from error


def _key(element: str, seed: int) -> str:
    # as DuckDB and Spark both have it, in every version
    return f"md5(concat('{seed}:', CAST({element} AS STRING))) AS key"


def _vector(values: list[Any]) -> Any:
    """What Spark sends: numbers as an array, all else as Python has it."""
    kinds = set(map(type, values))
    if kinds == {bytearray} or kinds == {bytearray, type(None)}:
        return [None if value is None else bytes(value) for value in values]
    return np.array(values, np.int64 if kinds <= {int} else None) if kinds <= {int} or kinds == {float} else values
