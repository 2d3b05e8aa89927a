"""Tables that somebody else holds: which engine counts a frame or a file, opened and closed."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from clusterscore.count.engines import DuckEngine, Engine, SessionEngine
from clusterscore.errors import ClusterscoreError, EngineError, InputError, InputTypeError, one_of
from clusterscore.read.duck import Session
from clusterscore.read.formats import by_name

if TYPE_CHECKING:
    from clusterscore.count.cells import Frame

ENGINES = ("auto", "arrays", "duckdb", "spark")


class Limits(NamedTuple):
    """What DuckDB may use."""

    memory_limit: str | None = None
    temp_directory: str | os.PathLike[str] | None = None
    threads: int | None = None


def is_path(table: Any) -> bool:
    """A file or a pattern of files."""
    return isinstance(table, str | os.PathLike)


def is_text_file(table: Any, form: str | None) -> bool:
    """A file in which all that is written is text."""
    return is_path(table) and (form or by_name(os.fspath(table))) != "parquet"


@contextmanager
def opened(
    tables: Sequence[Any], engine: str, form: str | None, limits: Limits
) -> Iterator[tuple[Engine, list[Frame]]]:
    """The engine that counts these tables, and the tables as it has them."""
    one_of("engine", engine, ENGINES)
    if engine == "spark":
        made = _on_spark(tables, form)
    elif engine == "duckdb" or any(map(is_path, tables)):
        made = _on_duckdb(tables, form, limits)
    else:
        made = _where_they_are(tables)
    if any(limits) and not isinstance(made[0], SessionEngine):
        made[0].close()
        given = next(name for name, value in limits._asdict().items() if value is not None)
        raise InputError(f'{given}= is for DuckDB, which does not count here; pass a file, or engine="duckdb"')
    try:
        yield made
    except (ClusterscoreError, MemoryError):
        raise
    except Exception as error:
        raise made[0].complaint(error) from error
    finally:
        made[0].close()


def _where_they_are(tables: Sequence[Any]) -> tuple[Engine, list[Frame]]:
    frames = [_lazy(table) for table in tables]
    kinds = {frame.implementation for frame in frames}
    if len(kinds) > 1:
        told = " and ".join(str(frame.implementation.value) for frame in frames)
        raise InputTypeError(
            f'the tables are of {told}, which cannot be joined; pass both of one kind, or engine="duckdb"'
        )
    (kind,) = kinds
    if kind.is_duckdb():
        return DuckEngine(), frames
    if kind.is_pyspark() or kind.is_pyspark_connect():
        from clusterscore.count.spark import SparkEngine

        return SparkEngine(), frames
    return Engine(), frames


def _lazy(table: Any) -> Frame:
    import narwhals as nw

    try:
        frame: Frame = nw.from_native(table).lazy()
        frame.collect_schema()
        return frame
    except nw.exceptions.DuplicateError as error:
        told = " ".join(str(error).split())[:160]
        raise InputError(f"the table has two columns of one name: {told}; rename one") from None
    except TypeError:
        raise InputTypeError(
            f"a table is a frame of pandas, polars, pyarrow, DuckDB or PySpark, or the path of a file, not a "
            f"{type(table).__name__}; labels in lists and arrays go to cs.score"
        ) from None
    except Exception as error:
        raise EngineError(
            f"this {type(table).__name__} cannot be read: {' '.join(str(error).split())[:200]}"
        ) from error


def _on_spark(tables: Sequence[Any], form: str | None) -> tuple[Engine, list[Frame]]:
    from clusterscore.count.spark import SparkEngine, spark_frame, spark_session

    session = spark_session()
    frames = []
    for table in tables:
        frame = _lazy(spark_frame(session, table, form) if is_path(table) else table)
        if not (frame.implementation.is_pyspark() or frame.implementation.is_pyspark_connect()):
            raise InputTypeError(
                f'engine="spark" counts PySpark frames and files, and this is a frame of {frame.implementation.value}; '
                "spark.createDataFrame(frame) makes one of it"
            )
        frames.append(frame)
    return SparkEngine(), frames


def _on_duckdb(tables: Sequence[Any], form: str | None, limits: Limits) -> tuple[Engine, list[Frame]]:
    import narwhals as nw

    session = Session(*limits)
    session.__enter__()
    try:
        frames = []
        for k, table in enumerate(tables):
            if is_path(table):
                frames.append(nw.from_native(session.table(table, form)))
            else:
                session.connection.register(f"given_{k}", _registrable(table))
                frames.append(nw.from_native(session.connection.table(f"given_{k}")))
        return SessionEngine(session, limited=limits.memory_limit is not None), frames
    except BaseException:
        session.close()
        raise


def _registrable(table: Any) -> Any:
    """A frame that DuckDB reads in place."""
    frame = _lazy(table)
    kind = frame.implementation
    if kind.is_duckdb() or kind.is_pyspark() or kind.is_pyspark_connect():
        raise InputTypeError(
            f"a {kind.value} frame belongs to an engine of its own and cannot be taken into another; pass it with "
            'engine="auto", and both tables of that kind'
        )
    return frame.collect().to_arrow() if kind.is_polars() else table
