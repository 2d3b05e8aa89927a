"""Types of columns: those whose values an engine tells apart as Python does, and what can be compared with what."""

from __future__ import annotations

import datetime
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from clusterscore.exceptions import InputTypeError
from clusterscore.read.labels import moment
from clusterscore.read.labels import plain as plain_label

if TYPE_CHECKING:
    import narwhals as nw

    from clusterscore.engines.cells import Frame
    from clusterscore.engines.open_table import Engine

_EXACT_FLOATS = 2**53  # beyond it not every whole number is a float


def plain(frame: Frame, name: str, role: str) -> nw.Expr:
    """A column whose values can be compared: NaN is null, categories are text."""
    import narwhals as nw

    # in Spark a dot in a name stands for a field of a struct
    spark = frame.implementation.is_spark_like()
    column = nw.col(f"`{name}`" if "." in name and spark else name)
    kind: Any = frame.collect_schema()[name]
    if kind.is_float():
        return nw.when(~column.is_nan()).then(column + 0.0)  # 0.0 and -0.0 are one label
    if kind in (nw.Categorical, nw.Enum):
        return column.cast(nw.String)
    if kind.is_integer() or kind.is_decimal() or kind in (nw.String, nw.Boolean, nw.Date, nw.Binary):
        return column
    # the driver gets a moment of Spark as the hour on the clock, which comes twice when summer ends
    if kind == nw.Datetime and not (spark and kind.time_zone):
        return column
    polars = frame.implementation.is_polars()
    if kind == nw.Time or (kind == nw.Duration and polars):  # others cut durations to microseconds
        return column
    if _named(frame, name) in ("Null", '"NULL"', "void", "UUID"):
        return column.cast(nw.String)
    if kind.is_nested():
        raise InputTypeError(f"column {name!r} ({role}) is of type {kind}; one value a row is needed")
    remedy = ', or pass engine="arrays"' if polars else ""
    raise InputTypeError(
        f"column {name!r} ({role}) is of type {_named(frame, name)}, whose values this engine does not keep exactly; "
        f"cast it to text or whole numbers{remedy}"
    )


def _named(frame: Frame, name: str) -> str:
    """The type of a column as its own library calls it."""
    native: Any = frame.to_native()
    if frame.implementation.is_duckdb():
        return str(dict(zip(native.columns, native.types, strict=True))[name])
    if frame.implementation.is_polars():
        return str(native.collect_schema()[name])
    return str(native.schema[name].dataType.typeName())


def fitting(kind: Any, label: Any) -> Any:
    """A label as a column of this type holds it, or None where no value of the type equals it."""
    import narwhals as nw

    label = moment(plain_label(label))
    if isinstance(label, np.generic) and getattr(kind, "time_unit", None) == "ns":
        raise InputTypeError(f'noise={label} is finer than a microsecond; pass engine="arrays" to compare with that')
    if kind in (nw.String, nw.Categorical, nw.Enum):
        return label if isinstance(label, str) else None
    if kind.is_numeric() or kind == nw.Boolean:
        return _fitting_number(kind, label)
    if kind == nw.Datetime:
        fits = isinstance(label, datetime.datetime)
        return label if fits and (label.tzinfo is not None) == (kind.time_zone is not None) else None
    only = {nw.Binary: bytes, nw.Date: datetime.date, nw.Duration: datetime.timedelta, nw.Time: datetime.time}
    return label if type(label) is next((one for each, one in only.items() if kind == each), None) else None


def _fitting_number(kind: Any, label: Any) -> Any:
    import narwhals as nw

    if not isinstance(label, int | float | Decimal | Fraction):
        return None
    try:
        exact = Fraction(label)
    except (OverflowError, ValueError):  # infinite
        return float(label) if kind.is_float() else None
    if kind == nw.Boolean:
        return bool(exact) if exact in (0, 1) else None
    if kind.is_float():
        try:
            near = float(np.float32(exact)) if kind == nw.Float32 else float(exact)
        except OverflowError:
            return None
        return near if np.isfinite(near) and Fraction(near) == exact else None
    if kind.is_decimal():
        digits = exact * 10**kind.scale
        fits = digits.denominator == 1 and abs(digits) < 10**kind.precision
        return Decimal((int(digits < 0), tuple(map(int, str(abs(int(digits))))), -kind.scale)) if fits else None
    bits, signed = int(str(kind).partition("Int")[2]), kind.is_signed_integer()
    lowest, beyond = (-(2 ** (bits - 1)), 2 ** (bits - 1)) if signed else (0, 2**bits)
    return int(exact) if exact.denominator == 1 and lowest <= exact < beyond else None


def joinable(engine: Engine, sides: list[Frame], left: str, right: str, as_text: bool) -> list[Frame]:
    """Keys of one type: whole numbers of any width, numbers of any kind, text of any kind.

    With ``as_text`` whole numbers become text where those of the other side are; otherwise text never equals a number.
    """
    import narwhals as nw

    names = (left, right)
    kinds = [frame.collect_schema()[name] for frame, name in zip(sides, names, strict=True)]
    if kinds[0] == kinds[1]:
        return sides
    target: Any = None
    if as_text and nw.String in kinds and any(kind.is_integer() for kind in kinds):
        target = nw.String
    elif all(kind.is_integer() for kind in kinds):
        wide = nw.UInt64 in kinds or nw.Int128 in kinds
        target = None if nw.UInt128 in kinds else nw.Int128 if wide else nw.Int64
    elif all(kind.is_integer() or kind.is_float() for kind in kinds):
        _refuse_inexact(engine, sides, names)
        target = nw.Float64
    if target is None:
        target = _of_the_other(engine, sides, names, kinds)
    return [frame.with_columns(nw.col(name).cast(target)) for frame, name in zip(sides, names, strict=True)]


def _refuse_inexact(engine: Engine, sides: list[Frame], names: tuple[str, str]) -> None:
    """Whole numbers become floats to be compared with floats: those that are none would meet others."""
    import narwhals as nw

    for frame, name in zip(sides, names, strict=True):
        if frame.collect_schema()[name].is_integer():
            large = (nw.col(name) > _EXACT_FLOATS) | (nw.col(name) < -_EXACT_FLOATS)
            if not engine.is_empty(frame.filter(large)):
                role = name.removeprefix("gold_").removeprefix("pred_")
                raise InputTypeError(
                    f"the {role} ids are whole numbers beyond 2**53 on one side and floats on the other, which cannot "
                    "hold them; cast the floats to whole numbers"
                )


def _of_the_other(engine: Engine, sides: list[Frame], names: tuple[str, str], kinds: list[Any]) -> Any:
    """Ids of two kinds never match; a side without rows has no kind."""
    for frame, other in zip(sides, kinds[::-1], strict=True):
        if engine.is_empty(frame):
            return other
    gold, pred = map(_told, kinds)
    if gold == pred:
        gold, pred = map(str, kinds)
    raise InputTypeError(
        f"the {names[0].removeprefix('gold_')} ids are {gold} in gold and {pred} in pred, so none would match; cast "
        "one to the type of the other"
    )


def _told(kind: Any) -> str:
    import narwhals as nw

    return "text" if kind == nw.String else "numbers" if kind.is_numeric() else str(kind)
