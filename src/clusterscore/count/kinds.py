"""Types of columns: what can be compared with what, in every library."""

from __future__ import annotations

import datetime
from typing import TYPE_CHECKING, Any

from clusterscore.errors import InputTypeError

if TYPE_CHECKING:
    import narwhals as nw

    from clusterscore.count.cells import Frame

_COLLECTIONS = (list, dict, set, frozenset)


def plain(frame: Frame, name: str, role: str) -> nw.Expr:
    """A column whose values can be compared: NaN is null, categories are text."""
    import narwhals as nw

    # in Spark a dot in a name stands for a field of a struct
    quoted = f"`{name}`" if "." in name and frame.implementation.is_spark_like() else name
    kind, column = frame.collect_schema()[name], nw.col(quoted)
    if kind.is_nested() or kind == nw.Binary:
        raise InputTypeError(f"column {name!r} ({role}) is of type {kind}; one value a row is needed")
    if kind == nw.Object:
        _refuse_collections(frame, name, role)
    if kind.is_float():
        return nw.when(~column.is_nan()).then(column + 0.0)  # 0.0 and -0.0 are one label
    if kind in (nw.Categorical, nw.Enum):
        return column.cast(nw.String)
    if kind == nw.Unknown and frame.implementation.is_pyarrow():  # null from end to end has no type there
        return column.cast(nw.String)
    return column


def _refuse_collections(frame: Frame, name: str, role: str) -> None:
    values = frame.select(name).collect()[name].to_list()
    odd = next((value for value in values if isinstance(value, _COLLECTIONS)), None)
    if odd is not None:
        raise InputTypeError(
            f"column {name!r} ({role}) holds a {type(odd).__name__}, such as {str(odd)[:40]}; one value a row is needed"
        )


def fitting(kind: Any, label: Any) -> Any:
    """A label as a column of this type has it, or None where it cannot."""
    import narwhals as nw

    number = isinstance(label, int | float)
    if kind in (nw.String, nw.Categorical, nw.Enum):
        return label if isinstance(label, str) else None
    if kind.is_integer():
        return int(label) if number and abs(label) < 2**63 and label == int(label) else None
    if kind.is_float() or kind.is_decimal():
        return float(label) if number and abs(label) < 2**1000 else None
    if kind == nw.Boolean:
        return bool(label) if number and label in (0, 1) else None
    if kind == nw.Date:
        return label if type(label) is datetime.date else None
    if kind == nw.Datetime:
        return label if isinstance(label, datetime.datetime) else None
    return label if kind == nw.Object else None


def nullable(frame: Frame, columns: list[str]) -> Frame:
    """Columns that a join may leave without a value: pandas would make floats of whole numbers, and lose digits."""
    import narwhals as nw

    if not frame.implementation.is_pandas():
        return frame
    native = frame.select(*dict.fromkeys(columns)).to_native().convert_dtypes()
    made: Frame = nw.from_native(native).lazy()
    return made


def joinable(sides: list[Frame], left: str, right: str, as_text: bool) -> list[Frame]:
    """Keys of one type: whole numbers of any width, numbers of any kind, text of any kind.

    With ``as_text`` whole numbers become text where those of the other side are; otherwise text never equals a number.
    """
    import narwhals as nw

    names = (left, right)
    kinds = [frame.collect_schema()[name] for frame, name in zip(sides, names, strict=True)]
    target: Any = None
    if as_text and nw.String in kinds and any(kind.is_integer() for kind in kinds):
        target = nw.String
    elif all(kind.is_integer() for kind in kinds):
        target = nw.Int64
    elif all(kind.is_integer() or kind.is_float() for kind in kinds):
        target = nw.Float64
    elif all(kind == nw.String for kind in kinds) and sides[0].implementation.is_pyarrow():
        target = nw.String
    if target is None:
        _refuse_different(kinds, left.removeprefix("gold_"))
        return sides
    if kinds[0] == kinds[1] == target and not sides[0].implementation.is_pyarrow():
        return sides
    return [frame.with_columns(nw.col(name).cast(target)) for frame, name in zip(sides, names, strict=True)]


def _refuse_different(kinds: list[Any], role: str) -> None:
    gold, pred = map(_told, kinds)
    if gold != pred:
        raise InputTypeError(
            f"the {role} ids are {gold} in gold and {pred} in pred, so none would match; cast one to the type of the "
            "other"
        )


def _told(kind: Any) -> str:
    import narwhals as nw

    if kind == nw.String:
        return "text"
    if kind.is_integer() or kind.is_float() or kind.is_decimal():
        return "numbers"
    return str(kind)
