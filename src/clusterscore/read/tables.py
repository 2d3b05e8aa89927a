"""Tables of which columns are taken: rows of DuckDB, the objects of a JSON file, and frames in memory."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from clusterscore.distinct import Array
from clusterscore.exceptions import FileError, InputError, InputTypeError
from clusterscore.nouns import noun, plural
from clusterscore.read.arrays import column, python_values
from clusterscore.read.clustering import Clustering
from clusterscore.read.columns import USUAL, choose_columns, refusal
from clusterscore.read.duckdb_connection import Session
from clusterscore.read.duckdb_queries import quoted
from clusterscore.read.file import COLUMNS, DEFAULT, ReadOptions
from clusterscore.read.guess import splink_table
from clusterscore.read.json_file import json_column, read_json
from clusterscore.read.labels import Labels, encoded_once
from clusterscore.read.source import Source
from clusterscore.read.texts import Texts
from clusterscore.read.turns import TURN_COLUMNS
from clusterscore.requirements import TooOld, check_frame_library, check_version

if TYPE_CHECKING:
    import narwhals as nw

Values = list[Any] | Array | Labels | Texts
_NESTED = frozenset({"list", "array", "struct", "map", "union"})  # types of DuckDB
_LARGE = 50_000_000  # bytes of files whose columns are read one after the other


class FileTable(NamedTuple):
    """A table of a file: the names of its columns, and a way to get some of them."""

    called: str
    names: Sequence[str]
    take: Callable[[Sequence[str], Collection[str]], Mapping[str, Values]]  # the second: where lists may be


def duckdb_table(
    session: Session, source: Source, form: str, options: ReadOptions, requested: Iterable[str | None] = ()
) -> FileTable:
    """The table that DuckDB makes of a file."""
    relation = session.table(source, form, {*USUAL, *requested}, header=options.header)
    types: dict[str, Any] = dict(zip(relation.columns, relation.types, strict=True))
    reading: Any = {"label": f"reading {source.called}", "path": source.path}

    def take(names: Sequence[str], lists: Collection[str]) -> Mapping[str, Values]:
        single = list(dict.fromkeys(names))
        for name in names:
            kind = types[name]
            if name in lists and kind.id == "list" and kind.children[0][1].id not in _NESTED:
                single.remove(name)
            elif kind.id in _NESTED:
                raise FileError(
                    f"{source.called}: column {name!r} contains {str(kind).split('(')[0]} values, but a label or an "
                    "id is a single value; name another column"
                )
        rows, large = relation, source.size() > _LARGE
        if large and form in ("csv", "tsv", "jsonl"):  # what has to be parsed is read once
            rows = session.keep(relation.project(", ".join(map(quoted, dict.fromkeys(names)))), **reading)
        values: dict[str, Values] = {}
        if single and not large:
            values = session.fetch(rows.project(", ".join(map(quoted, single))), **reading)
        # one by one, labels first: a string for every row of every column would fill memory
        for name in sorted(single, key=lambda column: column not in lists) if large else ():
            (fetched,) = session.fetch(rows.project(quoted(name)), **reading).values()
            if types[name].id == "varchar" and isinstance(fetched, np.ndarray):
                fetched = encoded_once(fetched) if name in lists else Texts.of(fetched)
            values[name] = fetched
        for name in names:
            if name not in single:
                values[name] = sets = [
                    labels for (labels,) in session.run(rows.project(quoted(name)).fetchall, **reading)
                ]
                if None in sets:
                    raise FileError(
                        f"{source.called}: {plural(sets.count(None), 'row')} without a list in column "
                        f"{name!r} (e.g. row {sets.index(None) + 1}); {noun('an element')} in no "
                        f"{noun('cluster')} has an empty one"
                    )
        return values

    return FileTable(source.called, relation.columns, take)


def from_json(text: str, called: str, options: ReadOptions) -> FileTable | Clustering:
    """The table that a list of objects is; else what the JSON holds."""
    made = read_json(text, called, options.element or "element", options.cluster or "cluster")
    if not isinstance(made, dict):
        return made

    def take(names: Sequence[str], lists: Collection[str]) -> Mapping[str, Values]:
        return {name: json_column(made[name], name, called, name in lists) for name in names}

    return FileTable(called, list(made), take)


def from_frame(frame: Any, options: ReadOptions) -> Clustering:
    """A column of elements and one of clusters; see :meth:`Clustering.from_frame`."""
    table = opened_frame(frame)
    if options == DEFAULT and set(TURN_COLUMNS[1:]) <= set(table.columns) <= set(TURN_COLUMNS):
        return Clustering.from_turns(frame)
    columns = choose_columns("the frame", table.columns, options, [options.cluster])
    if message := refusal({None: columns}):
        columns_named = " (Clustering.from_frame takes that; a column alone, frame[...], is labels by position)"
        raise InputError(message, columns_named if message.parameters & set(COLUMNS) else "")
    made = of_column(
        column(table[columns.clusters[0]]),
        elements=one_id([column(table[name]) for name in columns.element]),
        documents=None if columns.document is None else column(table[columns.document]),
        grades=None if columns.grade is None else column(table[columns.grade]),
    )
    made.origin = made.origin._replace(taken=columns.taken, unread=columns.unread)
    made.options = {**made.options, **columns.signed}
    return made


def of_column(labels: Any, *, elements: Any = None, documents: Any = None, grades: Any = None) -> Clustering:
    """A column of a table, which has a label in every row, or in every row a list of labels."""
    first = next((label for label in labels if label is not None), None) if isinstance(labels, list) else None
    lists = isinstance(first, list | set | frozenset | np.ndarray)
    if not lists:
        return Clustering.from_labels(labels, elements=elements, documents=documents, grades=grades)
    if grades is not None:
        raise InputError(noun("a row with a weight has one cluster, not a list of them; write a row for each"))
    return Clustering.from_memberships(labels, elements=elements, documents=documents)


def opened_frame(frame: Any) -> nw.DataFrame[Any]:
    """A frame of any library, as narwhals has it."""
    import narwhals as nw

    check_version("narwhals", nw.__version__)
    try:
        table = nw.from_native(splink_table(frame))
        check_frame_library(table.implementation.value)
        if isinstance(table, nw.LazyFrame) and table.implementation.is_duckdb():
            table = table.collect()
        if isinstance(table, nw.DataFrame) and table.columns is not None:
            return table
        error: Exception = TypeError("it is not in memory yet")
    except TooOld:
        raise
    except (TypeError, ValueError, ImportError, nw.exceptions.NarwhalsError, UserWarning) as raised:
        error = raised
    hint = "collect() it first" if hasattr(frame, "collect") else "pass a frame of pandas, polars or pyarrow"
    raise InputTypeError(f"cannot read this {type(frame).__name__}: {' '.join(str(error).split())}; {hint}")


def one_id(parts: Sequence[Any]) -> Any:
    """A column of ids; where they have two parts, as Splink's, each is a pair; None where there are none."""
    return list(zip(*map(python_values, parts), strict=True)) if len(parts) > 1 else parts[0] if parts else None
