"""What Spark reads and says: its session, files as a cluster reads them, and its errors in one line."""

from __future__ import annotations

import os
import re
from typing import Any

from clusterscore.exceptions import ClusterscoreError, EngineError, FileError
from clusterscore.messages import Option
from clusterscore.read.duckdb_queries import separator
from clusterscore.read.formats import TABLES, by_name

_OWN = "clusterscore: "  # around a message of ours that Spark carries
_PATH = r"(?:file:/*(?=/))?(?P<file>.+?)"
_FILE = rf"Encountered error while reading file {_PATH}\.(?: |$)"
# what Spark says, and what we say
_OF_FILES = {
    rf"{_OWN}(?P<own>.*?){_OWN}": "{own}",
    rf"Path does not exist: {_PATH}\.?(?: SQLSTATE|$)": "Spark finds no file {file!r}; check the path",
    rf"(?=.*Malformed CSV record: (?P<record>.{{0,80}}?) SQLSTATE).*?{_FILE}": "{file!r} has a row with more or fewer "
    "fields than its heading, or an open quote: {record!r}",
    rf"(?=.*CSV header).*?{_FILE}": "{file!r} has not the heading of the first file; give all files the same columns, "
    "in one order",
    rf"(?=.*MALFORMED_RECORD).*?{_FILE}": "{file!r} has a line that is not JSON; write one object per line",
    rf"(?=.*(?:footer|Parquet)).*?{_FILE}": "{file!r} is not a complete Parquet file; write or copy it again",
    _FILE: "Spark cannot read {file!r}; check that it is whole",
    "MALFORMED_RECORD": "Spark found a line that is not JSON; write one object per line",
}
_OF_MACHINES = {
    "JAVA_GATEWAY_EXITED|Java gateway process|JAVA_HOME": "Spark could not start Java; install Java 17 and set "
    "JAVA_HOME to its folder",
    "No space left on device": "Spark's disk is full; point spark.local.dir at a larger one",
}


def spark_session() -> Any:
    """The session that is there, or a new one as the environment configures it."""
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        raise EngineError(
            Option("engine", "spark"), ' needs pyspark, which is not installed; pip install "clusterscore[spark]"'
        ) from None
    return SparkSession.getActiveSession() or SparkSession.builder.appName("clusterscore").getOrCreate()


def spark_frame(session: Any, path: str | os.PathLike[str], form: str | None, header: bool = True) -> Any:
    """A file, a folder of files or a pattern, as the cluster reads it; text files hold text, as DuckDB reads it."""
    name = os.fspath(path)
    form = form or by_name(name.rstrip("/*")) or by_name(name)
    if form not in TABLES or form == "arrow":
        raise FileError(
            f"Spark reads CSV, TSV, Parquet and JSON lines, and {name!r} is not recognized; pass ",
            Option("format", "csv"),
        )
    if form == "parquet":
        return session.read.parquet(name)
    return _json_lines(session, name) if form == "jsonl" else _csv(session, name, form, header)


def _csv(session: Any, name: str, form: str, header: bool) -> Any:
    from pyspark.sql import functions as sql

    heading = session.read.text(name).filter(sql.trim("value") != "").first()
    if heading is None:
        raise FileError(f"{name!r} is empty: there is nothing to score")
    blanks = {"ignoreLeadingWhiteSpace": True, "ignoreTrailingWhiteSpace": True}
    quotes = {"quote": '"', "escape": '"', "multiLine": True}
    checks = {"inferSchema": False, "enforceSchema": False, "mode": "FAILFAST"}
    comma = separator(heading[0], "\t" if form == "tsv" else ",", repr(name))
    rows = session.read.csv(name, sep=comma, header=header, **blanks, **quotes, **checks)
    names = list(map(str.strip, rows.columns)) if header else [str(k) for k in range(1, len(rows.columns) + 1)]
    return rows.toDF(*names).select(*(_cell(column, name) for column in names))


def _cell(column: str, file: str) -> Any:
    """A cell without the blanks around it, also inside of quotes; an empty one is null."""
    from pyspark.sql import functions as sql

    given = sql.col("`" + column.replace("`", "``") + "`")
    with_tab = sql.regexp_replace(given, r"^[ \t\n\r]+|[ \t\n\r]+\z", "")
    cell = sql.regexp_replace(sql.when(given.contains("\t"), with_tab).otherwise(given), r"^\p{Zs}+|\p{Zs}+\z", "")
    # Spark reads all that is not UTF-8 as this one character, and makes one label of many
    refused = sql.raise_error(sql.lit(f"{_OWN}{file!r} is not UTF-8; save it as UTF-8 (iconv converts it){_OWN}"))
    return sql.when(given.contains("\ufffd"), refused).when(cell != "", cell).alias(column)


def _json_lines(session: Any, name: str) -> Any:
    from pyspark.sql.types import ArrayType, MapType, StringType, StructField, StructType

    inferred = session.read.json(name, mode="FAILFAST").schema
    if not len(inferred):
        raise FileError(f"{name!r} is empty: there is nothing to score")
    # lists and objects stay what they are, and are refused where they are asked for
    nested = (ArrayType, MapType, StructType)
    kinds = [field.dataType if isinstance(field.dataType, nested) else StringType() for field in inferred]
    schema = StructType([StructField(field.name, kind) for field, kind in zip(inferred, kinds, strict=True)])
    return session.read.schema(schema).json(name, mode="FAILFAST")


def spark_complaint(error: BaseException) -> ClusterscoreError:
    """What Spark could not do, in one line."""
    text = " ".join(str(error).split())
    for kind, messages in ((EngineError, _OF_MACHINES), (FileError, _OF_FILES)):
        for pattern, message in messages.items():
            if match := re.search(pattern, text):
                return kind(message.format(**match.groupdict()))
    # what Spark says itself stands behind a name in brackets, in front of what Java adds
    own = re.search(r"\[[A-Z_.]+\] (.*?)(?: SQLSTATE:|$)", text)
    reason = own[1] if own else re.sub(r"^An error occurred while calling \S+ : ", "", text)
    return EngineError(f"Spark could not count this: {reason.split(' at org.apache')[0][:300]}")
