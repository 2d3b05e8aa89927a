"""Tables of files, of which columns are taken: rows of DuckDB, or the objects of a JSON file."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from clusterscore.distinct import Array
from clusterscore.exceptions import FileError, plural
from clusterscore.read.clustering import Clustering
from clusterscore.read.columns import USUAL
from clusterscore.read.duckdb_connection import Session, exact_columns
from clusterscore.read.duckdb_queries import is_list, quoted
from clusterscore.read.file import ReadOptions
from clusterscore.read.json_file import json_column, read_json
from clusterscore.read.labels import Labels, encoded_once
from clusterscore.read.source import Source
from clusterscore.read.texts import Texts

Values = list[Any] | Array | Labels | Texts
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
    types = dict(zip(relation.columns, map(str, relation.types), strict=True))
    label = f"reading {source.called}"

    def take(names: Sequence[str], lists: Collection[str]) -> Mapping[str, Values]:
        single = [name for name in names if name not in lists or not is_list(types[name])]
        for name in single:
            if types[name].endswith("]") or types[name].startswith(("STRUCT", "MAP", "UNION")):
                raise FileError(
                    f"{source.called}: column {name!r} contains {types[name].split('(')[0]} values, but a label or an "
                    "id is a single value; name another column"
                )

        rows = relation
        if source.size() > _LARGE and form in ("csv", "tsv", "jsonl"):  # what has to be parsed is read once
            rows = session.keep(relation.project(", ".join(map(quoted, dict.fromkeys(names)))), label, source.path)

        def columns(some: Sequence[str]) -> dict[str, Values]:
            chosen = rows.project(", ".join(map(quoted, some)))
            return exact_columns(chosen, lambda each: session.fetch(each, label, source.path)) if some else {}

        if source.size() <= _LARGE:
            found = columns(single)
        else:  # one by one, labels first: a string for every row of every column would fill memory
            found = {}
            for name in sorted(single, key=lambda each: each not in lists):
                (values,) = columns([name]).values()
                if types[name] == "VARCHAR" and isinstance(values, np.ndarray):
                    values = encoded_once(values) if name in lists else Texts.of(values)
                found[name] = values
        for name in names:
            if name not in single:
                column = rows.project(quoted(name))
                values = [value for (value,) in session.run(column.fetchall, label, source.path)]
                if None in values:
                    raise FileError(
                        f"{source.called}: {plural(values.count(None), 'row')} without a list in column {name!r} (e.g. "
                        f"row {values.index(None) + 1}); an element in no cluster has an empty one"
                    )
                found[name] = values
        return found

    return FileTable(source.called, relation.columns, take)


def from_json(text: str, called: str, options: ReadOptions) -> FileTable | Clustering:
    """The table that a list of objects is; else what the JSON holds."""
    made = read_json(text, called, options.element or "element", options.cluster or "cluster")
    if not isinstance(made, dict):
        return made

    def take(names: Sequence[str], lists: Collection[str]) -> Mapping[str, Values]:
        return {name: json_column(made[name], name, called, name in lists) for name in names}

    return FileTable(called, list(made), take)


def filled(values: Values, column: str, called: str) -> Values:
    """The values of a column, none of which is missing."""
    missing = [k for k, value in enumerate(values) if value is None] if isinstance(values, list) else []
    if missing:
        raise FileError(
            f"{called}: {plural(len(missing), 'row')} without a value in column {column!r} (e.g. row "
            f"{missing[0] + 1}); fill it in or remove the row"
        )
    return values
