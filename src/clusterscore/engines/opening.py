"""Tables that somebody else holds: which engine counts a frame or a file, opened and closed."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

from clusterscore.engines.open_table import DuckEngine, Engine, Memory, PolarsEngine, SessionEngine
from clusterscore.exceptions import ClusterscoreError, EngineError, InputError, InputTypeError, one_of
from clusterscore.read.duck import Session
from clusterscore.read.formats import by_name
from clusterscore.read.source import refuse_second_reading

if TYPE_CHECKING:
    from narwhals import Implementation

    from clusterscore.engines.cells import Frame
    from clusterscore.engines.prepare import Names

_ONE_KIND = ("string", "integer", "floating", "boolean", "date", "bytes", "empty")  # as pandas calls them
_PASSED_ON = (ClusterscoreError, MemoryError, KeyboardInterrupt, SystemExit, GeneratorExit)
EngineName = Literal["auto", "arrays", "duckdb", "spark"]
ENGINES: tuple[str, ...] = get_args(EngineName)


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


def taken_out(tables: Sequence[Any], engine: str) -> bool:
    """Whether the columns of these tables are counted as arrays: pandas and pyarrow leave it to NumPy."""
    if engine != "auto" or any(table is None or is_path(table) for table in tables):
        return engine == "arrays"
    kinds = [_lazy(table).implementation for table in tables]
    return all(map(_in_memory, kinds)) and not all(kind.is_polars() for kind in kinds)


def _in_memory(kind: Implementation) -> bool:
    return kind.is_pandas_like() or kind.is_pyarrow() or kind.is_polars()


@contextmanager
def opened(
    tables: Sequence[Any], engine: str, form: str | None, limits: Limits, names: Names
) -> Iterator[tuple[Engine, list[Frame]]]:
    """The engine that counts these tables, and the tables as it has them."""
    one_of("engine", engine, ENGINES)
    refuse_second_reading(tables)
    if engine == "spark":
        made = _on_spark(tables, form)
    elif engine == "duckdb" or any(map(is_path, tables)):
        made = _on_duckdb(tables, form, limits, names)
    else:
        made = _where_they_are(tables, engine)
    if any(limits) and not isinstance(made[0], SessionEngine):
        made[0].close()
        given = next(name for name, value in limits._asdict().items() if value is not None)
        raise InputError(f'{given}= is for DuckDB, which does not count here; pass a file, or engine="duckdb"')
    try:
        yield made
    except _PASSED_ON:
        raise
    except BaseException as error:  # a panic of polars is no Exception
        raise made[0].complaint(error) from error
    finally:
        made[0].close()


def _where_they_are(tables: Sequence[Any], engine: str) -> tuple[Engine, list[Frame]]:
    frames = [_lazy(table) for table in tables]
    kinds = {frame.implementation for frame in frames}
    if taken_out(tables, engine) and all(map(_in_memory, kinds)):
        return Memory(), frames
    if len(kinds) > 1:
        told = " and ".join(str(frame.implementation.value) for frame in frames)
        raise InputTypeError(
            f"the tables are of {told}, which cannot be joined; pass both of one kind, or as frames in memory"
        )
    (kind,) = kinds
    if kind.is_polars():
        return PolarsEngine(), frames
    if kind.is_duckdb():
        return DuckEngine(), frames
    if kind.is_pyspark() or kind.is_pyspark_connect():
        from clusterscore.engines.spark import SparkEngine

        return SparkEngine(), frames
    raise _no_table(tables[0])


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
        raise _no_table(table) from None
    except Exception as error:
        raise EngineError(
            f"this {type(table).__name__} cannot be read: {' '.join(str(error).split())[:200]}"
        ) from error


def _no_table(table: Any) -> InputTypeError:
    return InputTypeError(
        f"a table is a frame of pandas, polars, pyarrow, DuckDB or PySpark, or the path of a file, not a "
        f"{type(table).__name__}; labels in lists and arrays go to cs.score"
    )


def _on_spark(tables: Sequence[Any], form: str | None) -> tuple[Engine, list[Frame]]:
    from clusterscore.engines.spark import SparkEngine, spark_frame, spark_session

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


def _on_duckdb(tables: Sequence[Any], form: str | None, limits: Limits, names: Names) -> tuple[Engine, list[Frame]]:
    import narwhals as nw

    session = Session(*limits)
    session.__enter__()
    engine = SessionEngine(session, limited=limits.memory_limit is not None)
    try:
        frames = []
        for k, table in enumerate(tables):
            if is_path(table):
                frames.append(nw.from_native(session.table(table, form, names.chosen)))
            else:
                frames.append(nw.from_native(session.register(f"given_{k}", _registrable(table, names.chosen))))
        return engine, frames
    except BaseException as error:
        session.close()
        raise error if isinstance(error, _PASSED_ON) else engine.complaint(error) from None


def _registrable(table: Any, wanted: Sequence[Any]) -> Any:
    """A frame that DuckDB reads in place, without columns that nobody asked for and DuckDB does not know."""
    frame = _lazy(table)
    kind = frame.implementation
    if not _in_memory(kind):
        raise InputTypeError(
            f"a {kind.value} frame belongs to an engine of its own and cannot be taken into another; pass it with "
            'engine="auto", and both tables of that kind'
        )
    import narwhals as nw

    kinds = frame.collect_schema()
    if kind.is_pyarrow():
        return table
    if kind.is_pandas_like():
        return _in_one_kind(table, kinds, wanted)
    odd = [name for name, each in kinds.items() if each in (nw.Object, nw.Int128, nw.UInt128)]
    for name in odd:
        if name in wanted:
            raise _not_for_duckdb(name, f"of type {kinds[name]}")
    return frame.drop(odd).collect().to_arrow()


def _in_one_kind(table: Any, kinds: Mapping[str, Any], wanted: Sequence[Any]) -> Any:
    """A frame of pandas in which DuckDB finds what is there: it makes one type of a column of several."""
    import narwhals as nw

    infer = nw.get_native_namespace(table).api.types.infer_dtype
    several = (nw.Object, nw.Unknown, nw.Categorical)
    # nanoseconds in a time zone become microseconds
    odd = [
        name for name, each in kinds.items()
        if each in several or (getattr(each, "time_zone", None) and each.time_unit == "ns")
    ]  # fmt: skip
    made = table.drop(columns=[name for name in odd if name not in wanted])
    for name in odd:
        if name not in wanted:
            continue
        values = table[name]
        if kinds[name] == nw.Categorical:
            if infer(values.cat.categories) == "string":
                continue
            values = values.astype(object)
        if infer(values, skipna=True) not in _ONE_KIND:
            raise _not_for_duckdb(name, f"{infer(values, skipna=True)} (dtype {table[name].dtype})")
        made = made.assign(**{name: values})
    return made


def _not_for_duckdb(name: str, what: str) -> InputTypeError:
    return InputTypeError(
        f"column {name!r} is {what}, which DuckDB does not keep exactly; cast it to text or whole numbers, or leave "
        'the frame to engine="auto" or "arrays"'
    )
