"""Types of columns: those whose values an engine tells apart as Python does, and what can be compared with what."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import narwhals as nw
import numpy as np

from clusterscore.align.join import SPLINK
from clusterscore.engines.plan import Frame
from clusterscore.exceptions import InputTypeError, NotAPartition
from clusterscore.messages import Message, Option, Wording
from clusterscore.nouns import noun
from clusterscore.read.duckdb_queries import is_narrowed
from clusterscore.read.labels import moment
from clusterscore.read.labels import plain as plain_label

if TYPE_CHECKING:
    from clusterscore.engines.engine import Engine

OVERLAPPING = Message(
    "for overlapping clusterings, use ",
    Wording("cs.score with Clustering.from_files or from_frame", "--engine arrays with two files"),
)
_EXACT = (nw.String, nw.Boolean, nw.Date, nw.Binary, nw.Time)  # and whole numbers and decimals
_AS_TEXT = ("Null", '"NULL"', "void", "UUID")  # as their libraries call them
_PYTHON = {nw.Binary: bytes, nw.Date: datetime.date, nw.Duration: datetime.timedelta, nw.Time: datetime.time}
_ONE_KIND = ("string", "integer", "floating", "boolean", "date", "bytes", "empty")  # as pandas calls them
_EXACT_FLOATS = 2**53  # beyond it not every whole number is a float


def plain(frame: Frame, name: str, role: str) -> nw.Expr:
    """A column whose values can be compared: NaN is null, categories are text."""
    kind: Any = frame.collect_schema()[name]
    spark, polars = frame.implementation.is_spark_like(), frame.implementation.is_polars()
    # in Spark a dot in a name stands for a field of a struct
    column = nw.col(f"`{name}`" if "." in name and spark else name)
    if kind.is_float():
        # not is_nan(): DuckDB answers it from the smallest and largest value that a Parquet file names, never NaN
        number = column.is_finite() | (column.abs() == float("inf"))
        return nw.when(number).then(column + 0.0)  # 0.0 and -0.0 are one label
    # the driver gets a moment of Spark as the hour on the clock, which comes twice when summer ends
    moments = kind == nw.Datetime and not (spark and kind.time_zone)
    durations = kind == nw.Duration and polars  # others cut them to microseconds
    if kind.is_integer() or kind.is_decimal() or kind in _EXACT or moments or durations:
        return column
    native = _native_type(frame, name)
    if kind in (nw.Categorical, nw.Enum) or native in _AS_TEXT:
        return column.cast(nw.String)
    if kind == nw.List and role in ("gold", "pred", "cluster"):
        raise NotAPartition(
            f"column {name!r} ({role}) holds lists, and only one {noun('cluster')} per row can be counted here; ",
            OVERLAPPING,
        )
    if kind.is_nested():
        raise InputTypeError(f"column {name!r} ({role}) is of type {kind}; each row needs a single value")
    raise InputTypeError(
        f"column {name!r} ({role}) is of type {native}, whose values this engine does not keep exactly; cast it to "
        "text or whole numbers",
        Message(", or pass ", Option("engine", "arrays")) if polars else "",
    )


def id_column(frame: Frame, names: Sequence[str], called: str = "element") -> nw.Expr:
    """The ids of elements; those of two parts as Splink writes them in one."""
    parts = [plain(frame, name, "element") for name in names]
    if len(parts) == 1:
        return parts[0].alias(called)
    return nw.concat_str(*(part.cast(nw.String) for part in parts), separator=SPLINK).alias(called)


def _native_type(frame: Frame, name: str) -> str:
    """The type of a column as its own library calls it."""
    native: Any = frame.to_native()
    if frame.implementation.is_duckdb():
        return str(dict(zip(native.columns, native.types, strict=True))[name])
    if frame.implementation.is_spark_like():
        return str(native.schema[name].dataType.typeName())
    return str(native.collect_schema()[name])


def fitting(kind: Any, label: Any) -> Any:
    """A label as a column of this type holds it, or None where no value of the type equals it."""
    label = moment(plain_label(label))
    if isinstance(label, np.generic) and getattr(kind, "time_unit", None) == "ns":
        raise InputTypeError(
            f"{label} is finer than a microsecond, the finest that is compared with a column here; cast the column to "
            "text, and pass text"
        )
    if kind == nw.String:
        return label if isinstance(label, str) else None
    if kind.is_numeric() or kind == nw.Boolean:
        return _fitting_number(kind, label) if isinstance(label, int | float | Decimal | Fraction) else None
    if kind == nw.Datetime:
        fits = isinstance(label, datetime.datetime)
        return label if fits and (label.tzinfo is not None) == (kind.time_zone is not None) else None
    return label if type(label) is next((python for dtype, python in _PYTHON.items() if kind == dtype), None) else None


def all_fitting(kind: Any, labels: Sequence[Any]) -> Sequence[Any]:
    """Labels as a column of this type holds them, None for those that no value of the type equals."""
    types, known = set(map(type, labels)), [label for label in labels if label is not None]
    alike = types <= {str} if kind == nw.String else kind.is_integer() and types <= {int, type(None)} and bool(known)
    if alike and (kind == nw.String or None not in (fitting(kind, min(known)), fitting(kind, max(known)))):
        return labels  # the usual case, and there may be many
    return [None if label is None else fitting(kind, label) for label in labels]


def _fitting_number(kind: Any, label: Any) -> Any:
    make: Any = bool if kind == nw.Boolean else float if kind.is_float() else int
    try:
        if kind.is_decimal():
            digits = Fraction(label) * 10**kind.scale
            fits = digits.denominator == 1 and abs(digits) < 10**kind.precision
            return Decimal((int(digits < 0), tuple(map(int, str(abs(int(digits))))), -kind.scale)) if fits else None
        with np.errstate(over="ignore"):
            near = make(np.float32(label) if kind == nw.Float32 else label)
    except (OverflowError, ValueError):  # too large for a float, or infinite
        return None
    if kind.is_integer():
        bits = int(str(kind).partition("Int")[2])
        lowest, beyond = (-(2 ** (bits - 1)), 2 ** (bits - 1)) if kind.is_signed_integer() else (0, 2**bits)
        near = near if lowest <= near < beyond else None
    return near if near == label else None


def joinable(engine: Engine, frames: Mapping[str, Frame], keys: tuple[str, str]) -> dict[str, Frame]:
    """Frames whose keys are of one type: whole numbers of any width, numbers of any kind, text of any kind.

    Where those of one side are text, whole numbers of the other become text too, as they do in memory.
    """
    sides = dict(zip(frames, keys, strict=True))
    kinds = [frames[side].collect_schema()[key] for side, key in sides.items()]
    role = keys[0].removeprefix("gold_")
    target: Any = None
    if kinds[0] == kinds[1]:
        return dict(frames)
    if nw.String in kinds and any(kind.is_integer() for kind in kinds):
        target = nw.String
    elif all(kind.is_integer() for kind in kinds):
        wide = nw.UInt64 in kinds or nw.Int128 in kinds
        target = None if nw.UInt128 in kinds else nw.Int128 if wide else nw.Int64
    elif all(kind.is_integer() or kind.is_float() for kind in kinds):
        target = nw.Float64
        for (side, key), kind in zip(sides.items(), kinds, strict=True):
            large = (nw.col(key) > _EXACT_FLOATS) | (nw.col(key) < -_EXACT_FLOATS)
            if kind.is_integer() and engine.count(frames[side].filter(large)):
                raise InputTypeError(
                    f"the {role} ids are whole numbers beyond 2**53 on one side and floats on the other, which cannot "
                    "hold them; cast the floats to whole numbers"
                )
    if target is None:  # ids of two kinds never match, but a side without rows has no kind
        empty = [not engine.count(frame) for frame in frames.values()]
        if not any(empty):
            gold, pred = (
                "text" if kind == nw.String else "numbers" if kind.is_numeric() else str(kind) for kind in kinds
            )
            gold, pred = map(str, kinds) if gold == pred else (gold, pred)
            raise InputTypeError(
                f"the {role} ids are {gold} in gold and {pred} in pred, so none would match; cast one to the type of "
                "the other"
            )
        target = kinds[1] if empty[0] else kinds[0]
    return {side: frames[side].with_columns(nw.col(key).cast(target)) for side, key in sides.items()}


def for_duckdb(table: Any, frame: Frame, requested: Sequence[Any]) -> Any:
    """A frame in memory that DuckDB reads in place, without columns that nobody asked for and DuckDB may not know."""
    library, kinds = frame.implementation, frame.collect_schema()
    if library.is_pyarrow():
        for field in table.schema:
            if field.name in requested and is_narrowed(field.type):
                raise _not_exact(field.name, f"of type {field.type}")
        return table
    pandas = library.is_pandas_like()
    if not pandas and not library.is_polars():
        raise InputTypeError(
            f"a {library.value} frame belongs to an engine of its own and cannot be taken into another; pass it with ",
            Option("engine", "auto"),
            ", and both tables of that kind",
        )
    odd = (nw.Object, nw.Int128, nw.UInt128, *((nw.Unknown, nw.Categorical) if pandas else (nw.Time,)))
    # DuckDB makes one type of a column of several, and before 2.0 microseconds of the nanoseconds of times of day and
    # of moments in a time zone
    fine = [
        name
        for name, kind in kinds.items()
        if (getattr(kind, "time_zone", None) and "'ns'" in str(kind)) or (pandas and is_narrowed(table[name].dtype))
    ]
    doubtful = [name for name, kind in kinds.items() if kind in odd or name in fine]
    rows = frame.drop([name for name in doubtful if name not in requested]).collect()
    changed = {}
    for name in [name for name in doubtful if name in requested]:
        what = f"of type {kinds[name]}"
        if pandas:
            values = table[name].cat.categories if kinds[name] == nw.Categorical else table[name]
            what = nw.get_native_namespace(table).api.types.infer_dtype(values, skipna=True)
        if what not in _ONE_KIND:
            raise _not_exact(name, what)
        if kinds[name] == nw.Categorical and what != "string":
            changed[name] = table[name].astype(object)
    return rows.to_native().assign(**changed) if pandas else rows.to_arrow()


def _not_exact(name: str, what: str) -> InputTypeError:
    return InputTypeError(
        f"column {name!r} is {what}, which DuckDB does not keep exactly; cast it to text or whole numbers, or leave "
        "the frame to ",
        Option("engine", "auto", "arrays"),
    )
