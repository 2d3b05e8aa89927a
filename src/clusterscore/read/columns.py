"""Columns of a table become clusterings: which one holds the elements, the clusters, the documents."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from clusterscore.distinct import Array
from clusterscore.errors import FileError, nearest, plural
from clusterscore.read.clustering import Clustering
from clusterscore.read.scan import name as quoted
from clusterscore.read.source import naming

if TYPE_CHECKING:
    import duckdb

    from clusterscore.read.duck import Session

Values = list[Any] | Array


class Columns(NamedTuple):
    """Which column holds what; None where the user did not say."""

    element: str | None = None
    cluster: str | None = None
    document: str | None = None


NO_COLUMNS = Columns()


class Rows(NamedTuple):
    """A table of a file: the names of its columns, and a way to get some of them."""

    called: str
    names: Sequence[str]
    take: Callable[[Iterable[str]], Mapping[str, Values]]


def one_clustering(rows: Rows, columns: Columns) -> Clustering:
    """A column of elements and one of clusters."""
    element = _pick(rows, columns.element, "element")
    cluster = _pick(rows, columns.cluster, "cluster")
    (made,) = _clusterings(rows, [cluster], element, columns.document)
    return made


def two_clusterings(rows: Rows, gold: str, pred: str, columns: Columns) -> tuple[Clustering, Clustering]:
    """Gold and prediction in two columns; without a column of elements, each row is one."""
    element = columns.element or ("element" if "element" in rows.names else None)
    left, right = _clusterings(rows, [gold, pred], element, columns.document)
    return left, right


def _clusterings(rows: Rows, clusters: list[str], element: str | None, document: str | None) -> list[Clustering]:
    document = document or ("document" if "document" in rows.names else None)
    wanted = [each for each in (*clusters, element, document) if each is not None]
    for each in wanted:
        if each not in rows.names:
            raise FileError(f"{rows.called} has no column {each!r}: {nearest(each, rows.names)}")
    found = rows.take(dict.fromkeys(wanted))
    if not len(found[clusters[0]]):
        raise FileError(f"{rows.called} has a heading and no rows: there is nothing to score")
    ids, documents = (None if each is None else _filled(found[each], each, rows.called) for each in (element, document))
    with naming(rows.called):
        return [Clustering.from_labels(found[each], elements=ids, documents=documents) for each in clusters]


def _pick(rows: Rows, given: str | None, role: str) -> str:
    if given is not None or role in rows.names:
        return given or role
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


def rows_of(session: Session, relation: duckdb.DuckDBPyRelation, called: str) -> Rows:
    """The columns of a relation as Python has them."""
    types = dict(zip(relation.columns, map(str, relation.types), strict=True))

    def take(names: Iterable[str]) -> Mapping[str, Values]:
        wanted = list(names)
        for each in wanted:
            if types[each].endswith("]") or types[each].startswith(("STRUCT", "MAP", "UNION")):
                raise FileError(
                    f"{called}: column {each!r} holds {types[each].split('(')[0]} values; a label or an id is a single "
                    "value: name another column"
                )
        columns = ", ".join(exact(each, types[each]) for each in wanted)
        found = session.fetch(relation.project(columns), f"reading {called}")
        return {each: as_python(found[each], types[each]) for each in wanted}

    return Rows(called, relation.columns, take)


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
