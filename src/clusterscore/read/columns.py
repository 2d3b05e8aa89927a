"""ColumnNames of a table become clusterings: which one holds the elements, the clusters, the documents."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from clusterscore.distinct import Array
from clusterscore.exceptions import FileError, nearest, plural
from clusterscore.read.clustering import Clustering
from clusterscore.read.scan import quoted
from clusterscore.read.source import naming

if TYPE_CHECKING:
    from clusterscore.read.duck import Session
    from clusterscore.read.source import Source

Values = list[Any] | Array


class ColumnNames(NamedTuple):
    """Which column holds what; None where the user did not say."""

    element: str | None = None
    cluster: str | None = None
    document: str | None = None


NO_COLUMNS = ColumnNames()


class FileTable(NamedTuple):
    """A table of a file: the names of its columns, and a way to get some of them."""

    called: str
    names: Sequence[str]
    take: Callable[[Iterable[str]], Mapping[str, Values]]


def clusterings(rows: FileTable, columns: ColumnNames, sides: Sequence[str] = ()) -> list[Clustering]:
    """One clustering from a column of elements and one of clusters, or one from each of the columns ``sides``.

    Where sides are named, a table needs no column of elements: each row is one.
    """
    element, cluster, document = columns
    if element is None and ("element" in rows.names or not sides):
        element = _default(rows, "element")
    clusters = sides or [cluster or _default(rows, "cluster")]
    if document is None and "document" in rows.names:
        document = "document"
    wanted = dict.fromkeys(each for each in (*clusters, element, document) if each is not None)
    for each in wanted:
        check_column(rows, each)
    values = rows.take(wanted)
    if not len(values[clusters[0]]):
        raise FileError(f"{rows.called} has a heading and no rows: there is nothing to score")
    ids = None if element is None else _filled(values[element], element, rows.called)
    documents = None if document is None else _filled(values[document], document, rows.called)
    with naming(rows.called):
        return [Clustering.from_labels(values[each], elements=ids, documents=documents) for each in clusters]


def check_column(rows: FileTable, column: str) -> None:
    """Refuse a column that is not there."""
    if column not in rows.names:
        raise FileError(f"{rows.called} has no column {column!r}: {nearest(column, rows.names)}")


def _default(rows: FileTable, role: str) -> str:
    if role in rows.names:
        return role
    raise FileError(
        f"{rows.called} has no column {role!r}; it has {', '.join(map(repr, rows.names))}: "
        f'name the one to use with {role}="..."'
    )


def _filled(values: Values, column: str, called: str) -> Values:
    if isinstance(values, np.ma.MaskedArray):
        missing = np.flatnonzero(np.ma.getmaskarray(values)).tolist()
    elif isinstance(values, np.ndarray):
        return values
    else:
        missing = [k for k, value in enumerate(values) if value is None]
    if missing:
        raise FileError(
            f"{called}: {plural(len(missing), 'row')} without a value in column {column!r} (e.g. row "
            f"{missing[0] + 1}); fill it in or remove the row"
        )
    return values.data if isinstance(values, np.ma.MaskedArray) else values


def table_rows(session: Session, source: Source, form: str, wanted: Iterable[str | None]) -> FileTable:
    """A table that DuckDB reads, its columns as Python has them."""
    relation = session.table(source, form, {*wanted, *ColumnNames._fields})
    types = dict(zip(relation.columns, map(str, relation.types), strict=True))

    def take(names: Iterable[str]) -> Mapping[str, Values]:
        chosen = {name: types[name] for name in names}
        for name, kind in chosen.items():
            if kind.endswith("]") or kind.startswith(("STRUCT", "MAP", "UNION")):
                raise FileError(
                    f"{source.called}: column {name!r} holds {kind.split('(')[0]} values; a label or an id is a single "
                    "value: name another column"
                )
        exactly = relation.project(", ".join(exact(name, kind) for name, kind in chosen.items()))
        arrays = session.fetch(exactly, f"reading {source.called}", source.path)
        return {name: as_python(arrays[name], kind) for name, kind in chosen.items()}

    return FileTable(source.called, relation.columns, take)


def exact(column: str, kind: str) -> str:
    """What to ask DuckDB for: NumPy would lose digits of decimals, of integers of 128 bits, and of times of day."""
    wide = kind.startswith("DECIMAL") or kind in ("HUGEINT", "UHUGEINT", "TIME_NS")
    return f"{quoted(column)}::VARCHAR AS {quoted(column)}" if wide else quoted(column)


def as_python(values: Any, kind: str) -> Values:
    """A column that was asked for so, as Python has its values."""
    make: Callable[[Any], Any]
    if kind in ("HUGEINT", "UHUGEINT"):
        make = int
    elif kind.startswith("DECIMAL"):
        make = Decimal
    elif kind == "BLOB":
        make = bytes
    elif kind == "DATE":
        return list(values.astype("datetime64[D]").tolist())  # a day is a day, not a moment
    else:
        return cast(Values, values)
    return [None if value is None else make(value) for value in values.tolist()]
