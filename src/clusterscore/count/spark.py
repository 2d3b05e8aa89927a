"""Spark, for what one machine does not hold: frames of a cluster, or files that a cluster reads."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from clusterscore.count.engines import Engine, Found, _vector
from clusterscore.errors import ClusterscoreError, EngineError, FileError
from clusterscore.progress import step
from clusterscore.read.formats import TABLES, by_name

if TYPE_CHECKING:
    from clusterscore.count.cells import Frame


class SparkEngine(Engine):
    """A Spark session: the plan runs on the cluster, and only its small result comes to the driver."""

    def __init__(self) -> None:
        self._kept: list[Any] = []

    def fetch(self, frame: Frame, label: str) -> Found:
        names = frame.collect_schema().names()
        with _in_our_words(), step(label):
            rows = frame.to_native().collect()
        return {name: _vector([row[k] for row in rows]) for k, name in enumerate(names)}

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
    """A file, a folder of files or a pattern, as the cluster reads it; text files hold text."""
    name = os.fspath(path)
    form = form or by_name(name.rstrip("/*")) or by_name(name)
    if form not in TABLES:
        raise FileError(f'Spark reads CSV, TSV, Parquet and JSON lines, and {name!r} is none by name; say format="csv"')
    reader = session.read
    with _in_our_words():
        if form == "parquet":
            return reader.parquet(name)
        if form == "jsonl":
            names = reader.json(name).columns
            return reader.schema(", ".join(f"`{each}` STRING" for each in names)).json(name)
        return reader.csv(
            name, sep="\t" if form == "tsv" else ",", header=True, inferSchema=False, quote='"', escape='"',
            multiLine=True, ignoreLeadingWhiteSpace=True, ignoreTrailingWhiteSpace=True, mode="FAILFAST",
            enforceSchema=False,
        )  # fmt: skip


@contextmanager
def _in_our_words() -> Iterator[None]:
    try:
        yield
    except (ClusterscoreError, KeyboardInterrupt):
        raise
    except Exception as error:
        raise _complaint(error) from error


def _complaint(error: Exception) -> ClusterscoreError:
    text = " ".join(str(error).split())
    if "JAVA_GATEWAY_EXITED" in text or "Java gateway process" in text or "JAVA_HOME" in text:
        return EngineError("Spark could not start Java; install Java 17 and set JAVA_HOME to its folder")
    if "PATH_NOT_FOUND" in text:
        return FileError(f"Spark finds no such file: {text[:200]}")
    if "No space left on device" in text:
        return EngineError("Spark's disk is full; point spark.local.dir at a larger one")
    return EngineError(f"Spark could not count this: {text[:300]}")
