"""Tables of files, of which columns are taken: rows of DuckDB, or the objects of a JSON file."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from clusterscore.distinct import Array
from clusterscore.exceptions import FileError
from clusterscore.nouns import noun, plural
from clusterscore.read.clustering import Clustering
from clusterscore.read.columns import USUAL
from clusterscore.read.duckdb_connection import Session
from clusterscore.read.duckdb_queries import quoted
from clusterscore.read.file import ReadOptions
from clusterscore.read.json_file import json_column, read_json
from clusterscore.read.labels import Labels, encoded_once
from clusterscore.read.source import Source
from clusterscore.read.texts import Texts

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
            (column,) = session.fetch(rows.project(quoted(name)), **reading).values()
            if types[name].id == "varchar" and isinstance(column, np.ndarray):
                column = encoded_once(column) if name in lists else Texts.of(column)
            values[name] = column
        for name in names:
            if name not in single:
                fetched = session.run(rows.project(quoted(name)).fetchall, **reading)
                values[name] = sets = [labels for (labels,) in fetched]
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
