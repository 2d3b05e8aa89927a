"""Spark, for what one machine does not hold: frames of a cluster, or files that a cluster reads."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from clusterscore.engines.open_table import Engine, Found
from clusterscore.exceptions import ClusterscoreError, EngineError, FileError
from clusterscore.progress import step
from clusterscore.read.formats import TABLES, by_name

if TYPE_CHECKING:
    from clusterscore.engines.cells import Frame

_OWN = "clusterscore: "  # around a message of ours that Spark carries
_NOT_THERE = re.compile(r"Path does not exist: (?:file:/*(?=/))?(.+?)\.?(?: SQLSTATE|$)")
_UNREADABLE = re.compile(r"Encountered error while reading file (?:file:/*(?=/))?(.+?)\.(?: |$)")


class SparkEngine(Engine):
    """A Spark session: the plan runs on the cluster, and only its small result comes to the driver."""

    def __init__(self) -> None:
        self._kept: list[Any] = []

    def fetch(self, frame: Frame, label: str) -> Found:
        names = frame.collect_schema().names()
        with _in_our_words(), step(label):
            rows = frame.to_native().collect()
        return {name: _vector([row[k] for row in rows]) for k, name in enumerate(names)}

    def complaint(self, error: BaseException) -> ClusterscoreError:
        return _complaint(error)

    def keep(self, frame: Frame) -> Frame:
        import narwhals as nw

        native = frame.to_native().persist()
        self._kept.append(native)
        kept: Frame = nw.from_native(native)
        return kept

    def close(self) -> None:
        for kept in self._kept:
            kept.unpersist()
        self._kept.clear()


def _vector(values: list[Any]) -> Any:
    """Numbers as an array, all else as Python has it."""
    kinds = set(map(type, values))
    if kinds == {bytearray} or kinds == {bytearray, type(None)}:
        return [None if value is None else bytes(value) for value in values]
    return np.array(values, np.int64 if kinds <= {int} else None) if kinds <= {int} or kinds == {float} else values


def spark_session() -> Any:
    """The session that is there, or a new one as the environment configures it."""
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        raise EngineError(
            'engine="spark" needs pyspark, which is not installed; pip install "clusterscore[spark]"'
        ) from None
    with _in_our_words():
        return SparkSession.getActiveSession() or SparkSession.builder.appName("clusterscore").getOrCreate()


def spark_frame(session: Any, path: str | os.PathLike[str], form: str | None) -> Any:
    """A file, a folder of files or a pattern, as the cluster reads it; text files hold text, as DuckDB reads it."""
    name = os.fspath(path)
    form = form or by_name(name.rstrip("/*")) or by_name(name)
    if form not in TABLES:
        raise FileError(f'Spark reads CSV, TSV, Parquet and JSON lines, and {name!r} is none by name; say format="csv"')
    with _in_our_words():
        if form == "parquet":
            return session.read.parquet(name)
        return _json_lines(session, name) if form == "jsonl" else _csv(session, name, form)


def _csv(session: Any, name: str, form: str) -> Any:
    from pyspark.sql import functions as sql

    heading = session.read.text(name).filter(sql.trim("value") != "").first()
    if heading is None:
        raise FileError(f"{name!r} is empty: there is nothing to score")
    comma = ";" if "," not in heading[0] and ";" in heading[0] else ","
    rows = session.read.csv(
        name, sep="\t" if form == "tsv" else comma, header=True, inferSchema=False, quote='"', escape='"',
        multiLine=True, ignoreLeadingWhiteSpace=True, ignoreTrailingWhiteSpace=True, mode="FAILFAST",
        enforceSchema=False,
    )  # fmt: skip
    return rows.toDF(*map(str.strip, rows.columns)).select(*(_cell(each, name) for each in rows.columns))


def _cell(column: str, file: str) -> Any:
    """A cell without the blanks around it, also inside of quotes; an empty one is null."""
    from pyspark.sql import functions as sql

    given = sql.col(_quoted(column.strip()))
    with_tab = sql.regexp_replace(given, r"^[ \t\n\r]+|[ \t\n\r]+\z", "")
    cell = sql.regexp_replace(sql.when(given.contains("\t"), with_tab).otherwise(given), r"^\p{Zs}+|\p{Zs}+\z", "")
    # Spark reads all that is not UTF-8 as this one character, and makes one label of many
    refused = sql.raise_error(sql.lit(f"{_OWN}{file!r} is not UTF-8; save it as UTF-8 (iconv converts it){_OWN}"))
    return sql.when(given.contains("\ufffd"), refused).when(cell != "", cell).alias(column.strip())


def _json_lines(session: Any, name: str) -> Any:
    from pyspark.sql.types import ArrayType, MapType, StringType, StructField, StructType

    found = session.read.json(name, mode="FAILFAST").schema
    if not len(found):
        raise FileError(f"{name!r} is empty: there is nothing to score")
    # who asks for a list or an object is told
    nested = (ArrayType, MapType, StructType)
    kinds = [each.dataType if isinstance(each.dataType, nested) else StringType() for each in found]
    schema = StructType([StructField(each.name, kind) for each, kind in zip(found, kinds, strict=True)])
    return session.read.schema(schema).json(name, mode="FAILFAST")


def _quoted(column: str) -> str:
    return "`" + column.replace("`", "``") + "`"


@contextmanager
def _in_our_words() -> Iterator[None]:
    try:
        yield
    except (ClusterscoreError, KeyboardInterrupt):
        raise
    except Exception as error:
        raise _complaint(error) from error


def _complaint(error: BaseException) -> ClusterscoreError:
    text = " ".join(str(error).split())
    if _OWN in text:
        return FileError(text.split(_OWN)[1])
    if "JAVA_GATEWAY_EXITED" in text or "Java gateway process" in text or "JAVA_HOME" in text:
        return EngineError("Spark could not start Java; install Java 17 and set JAVA_HOME to its folder")
    if "No space left on device" in text:
        return EngineError("Spark's disk is full; point spark.local.dir at a larger one")
    if found := _NOT_THERE.search(text):
        return FileError(f"Spark finds no file {found[1]!r}; check the path")
    if found := _UNREADABLE.search(text):
        return FileError(_about_file(found[1], text))
    if "MALFORMED_RECORD" in text:
        return FileError("Spark found a line that is not JSON; write one object a line")
    # what Spark says itself stands behind a name in brackets, in front of what Java adds
    told = re.search(r"\[[A-Z_.]+\] (.*?)(?: SQLSTATE:|$)", text)
    said = told[1] if told else re.sub(r"^An error occurred while calling \S+ : ", "", text)
    return EngineError(f"Spark could not count this: {said.split(' at org.apache')[0][:300]}")


def _about_file(file: str, text: str) -> str:
    if record := re.search(r"Malformed CSV record: (.{0,80}?) SQLSTATE", text):
        return f"{file!r} has a row with more or fewer fields than its heading, or an open quote: {record[1]!r}"
    if "CSV header" in text:
        return f"{file!r} has not the heading of the first file; give all files the same columns, in one order"
    if "MALFORMED_RECORD" in text:
        return f"{file!r} has a line that is not JSON; write one object a line"
    if "footer" in text or "Parquet" in text:
        return f"{file!r} is no whole Parquet file; write or copy it again"
    return f"Spark cannot read {file!r}; check that it is whole"
