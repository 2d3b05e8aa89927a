"""Tables in files, as DuckDB reads them: CSV, TSV, JSON lines and Parquet, one or many files, compressed or not.

What a text file holds is text: ``01`` and ``1`` are two labels, ``NA`` is one like any other, and ``1`` in a JSON file
is the ``1`` of a CSV file. Blanks and tabs around a cell go, and an empty cell is no value. Parquet keeps its types.
"""

from __future__ import annotations

import csv
import glob
from collections.abc import Callable, Collection, Sequence
from difflib import get_close_matches
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from clusterscore.errors import FileError
from clusterscore.read.source import first_lines, not_utf8

if TYPE_CHECKING:
    import duckdb

OWN = "clusterscore: "  # how a message of ours begins that DuckDB carries
_DELIMITERS = {"csv": ",", "tsv": "\t"}
_HEAD = 100  # lines of a .zst file in which its heading ends
_SAMPLE = 100_000  # objects of which the names are collected
_MANY_COLUMNS = 1000  # beyond that a query names only those that are asked for
_INTEGERS = frozenset(f"{sign}{size}INT" for sign in ("", "U") for size in ("TINY", "SMALL", "BIG", "HUGE")) | {
    "INTEGER", "UINTEGER",
}  # fmt: skip
# in parallel, any lines might come first
_LINE_MODE = (
    "header=false, auto_detect=false, delim='\x1f', quote='', escape='', columns={'line': 'VARCHAR'}, "
    "max_line_size=1000000, buffer_size=2000000, parallel=false"
)

Called = Callable[[str], str]


class Heading(NamedTuple):
    """How a CSV file is to be read: what it says in its first line."""

    names: tuple[str, ...]
    delimiter: str
    skip: int  # empty lines above it

    def read(self, files: Sequence[str], more: str = "") -> str:
        """The call that reads files with this heading; columns are c0, c1, ..., since a heading may hold anything."""
        columns = ", ".join(f"'c{k}': 'VARCHAR'" for k in range(len(self.names)))
        return (
            f"read_csv({_listed(files)}, header=true, skip={self.skip}, auto_detect=false, "
            f"delim={text(self.delimiter)}, quote='\"', escape='\"', columns={{{columns}}}, "
            f"hive_partitioning=false{more})"
        )


def text(value: str) -> str:
    """A string in SQL."""
    return "'" + value.replace("'", "''") + "'"


def name(value: str) -> str:
    """The name of a column in SQL."""
    return '"' + value.replace('"', '""') + '"'


def _listed(files: Sequence[str]) -> str:
    # DuckDB would take a file called part[1].csv for a pattern
    return "[" + ", ".join(text(glob.escape(file)) for file in files) + "]"


class Query(NamedTuple):
    """How the rows of some files are read."""

    query: str
    wide: bool  # whether it leaves out columns, because there are very many


class _Part(NamedTuple):
    """Files with the same columns: how DuckDB reads them, and what each column is there."""

    files: list[str]
    table: str
    cells: dict[str, str]
    types: dict[str, str]


def _together(parts: Sequence[_Part], called: Called, wanted: Collection[str]) -> Query:
    """All parts, their columns matched by name; who asks for one that does not fit is told."""
    first: dict[str, _Part] = {}  # each column -> the first part that has it
    for part in parts:
        for column in part.cells:
            first.setdefault(column, part)
    _refuse_twins(list(first), " and ".join(called(part.files[0]) for part in parts[:2]))
    columns = _chosen(list(first), wanted)
    selects = []
    for part in parts:
        cells = (f"{_cell_in(part, column, first[column], called)} AS {name(column)}" for column in columns)
        selects.append(f"SELECT {', '.join(cells)} FROM {part.table}")
    return Query(" UNION ALL ".join(selects), len(columns) < len(first))


def _chosen(columns: list[str], wanted: Collection[str]) -> list[str]:
    if len(columns) <= _MANY_COLUMNS:
        return columns
    there = set(columns)
    kept = {near for each in wanted for near in ([each] if each in there else get_close_matches(each, columns))}
    return [column for column in columns if column in kept] or columns[:_MANY_COLUMNS]


def _cell_in(part: _Part, column: str, first: _Part, called: Called) -> str:
    kind, expected = part.types.get(column), first.types[column]
    if kind == expected or (kind in _INTEGERS and expected in _INTEGERS):
        return part.cells[column]
    here, there = called(part.files[0]), called(first.files[0])
    what = f"{here} has no column {column!r}, which {there} has; give it to all files of the pattern"
    if kind is not None:
        what = f"{here} has {kind} in column {column!r} and {there} has {expected}; write them as one type"
    return _refused(what, next(iter(part.cells.values())))


def _refused(what: str, cell: str) -> str:
    """A cell that cannot be read: with a constant DuckDB would complain to those too who do not ask for the column."""
    return f"error({text(f'{OWN}{what}{chr(10)}')} || coalesce({cell}::VARCHAR, ''))"


def csv_query(
    connection: duckdb.DuckDBPyConnection, files: Sequence[str], called: Called, wanted: Collection[str], form: str
) -> Query:
    """The query for the cells of some CSV or TSV files."""
    groups: dict[Heading, list[str]] = {}
    for file in files:
        heading = read_heading(connection, file, form, called)
        if heading is not None:  # a part with nothing in it, as engines write them
            groups.setdefault(heading, []).append(file)
    if not groups:
        raise FileError(f"{called(files[0])} is empty: there is nothing to score")
    parts = []
    for heading, members in groups.items():
        cells = {column: _cell(f"c{k}") for k, column in enumerate(heading.names) if column}
        parts.append(_Part(members, heading.read(members), cells, dict.fromkeys(cells, "VARCHAR")))
    return _together(parts, called, wanted)


def _cell(column: str) -> str:
    # trim() knows every blank but no tab, and with a list of characters it is much slower
    spaces = "' ' || chr(9) || chr(10) || chr(13)"
    return (
        f"nullif(CASE WHEN contains({column}, chr(9)) THEN trim(trim({column}, {spaces})) ELSE trim({column}) END, '')"
    )


def read_heading(connection: duckdb.DuckDBPyConnection, file: str, form: str, called: Called) -> Heading | None:
    """The first line that is not empty; None where there is none."""
    skip = 0
    with first_lines(file, lambda: _lines_by_duckdb(connection, file)) as lines:
        for line in lines:
            if line.strip():
                break
            skip += 1
        else:
            return None
        delimiter = _DELIMITERS[form]
        if delimiter == "," and "," not in line and ";" in line:
            delimiter = ";"
        try:
            first = next(csv.reader(chain([line], lines), delimiter=delimiter, strict=True))
        except csv.Error as error:
            raise FileError(f"{called(file)}, line {skip + 1}: {error} in the heading; check the quotes") from None
    names = tuple(each.strip() for each in first)
    if any("\ud800" <= letter <= "\udfff" for letter in "".join(names)):
        raise FileError(not_utf8(called(file), None, skip + 1))
    if "\0" in "".join(names):
        raise FileError(f"{called(file)} is not a text file: it has a NUL byte in line {skip + 1}")
    _refuse_twins(names, called(file))
    return Heading(names, delimiter, skip)


def _lines_by_duckdb(connection: duckdb.DuckDBPyConnection, file: str) -> list[str]:
    query = f"SELECT line FROM read_csv({_listed([file])}, {_LINE_MODE}) LIMIT {_HEAD}"
    return [f"{row[0] or ''}\n" for row in connection.sql(query).fetchall()]


def _refuse_twins(names: Sequence[str], file: str) -> None:
    seen: dict[str, str] = {}
    for column in filter(None, names):
        key = column.lower()
        if key in seen:
            case = "" if seen[key] == column else f" and {column!r}, which SQL does not tell apart"
            raise FileError(f"{file}: two columns called {seen[key]!r}{case}; rename one")
        seen[key] = column


def jsonl_query(
    connection: duckdb.DuckDBPyConnection, files: Sequence[str], called: Called, wanted: Collection[str]
) -> Query:
    """The query for the values of some files with one JSON object a line, as text."""
    objects = f"read_json_objects({_listed(files)}, format='newline_delimited')"
    found = connection.sql(
        f"SELECT keys FROM (SELECT json_keys(json) AS keys, row_number() OVER () AS place FROM {objects} "
        f"LIMIT {_SAMPLE}) GROUP BY keys ORDER BY min(place)"
    ).fetchall()
    names = list(dict.fromkeys(each for (keys,) in found for each in keys or () if each))
    if not found:
        raise FileError(f"{called(files[0])} is empty: there is nothing to score")
    if not names:
        raise FileError(f'{called(files[0])} has no columns: write objects such as {{"element": .., "cluster": ..}}')
    columns = ", ".join(f"{text(each)}: 'JSON'" for each in _chosen(names, wanted))
    table = (
        f"read_json({_listed(files)}, format='newline_delimited', records=true, columns={{{columns}}}, "
        "hive_partitioning=false)"
    )
    cells = {each: _scalar(each, called(files[0])) for each in names}
    return _together([_Part(list(files), table, cells, dict.fromkeys(names, "VARCHAR"))], called, wanted)


def _scalar(column: str, file: str) -> str:
    nested = f"{OWN}{file} has a list or an object in {column!r}, where a label or an id should be: "
    endless = f"{OWN}{file} has a number in {column!r} that is not finite, where a label or an id should be: "
    value, kind = f"({name(column)} ->> '$')", f"json_type({name(column)})"
    return (
        f"CASE WHEN {kind} IN ('ARRAY', 'OBJECT') THEN error({text(nested)} || left({name(column)}::VARCHAR, 40)) "
        f"WHEN {kind} = 'DOUBLE' AND NOT isfinite({value}::DOUBLE) THEN error({text(endless)} || {value}) "
        f"ELSE {value} END"
    )


def parquet_query(
    connection: duckdb.DuckDBPyConnection, files: Sequence[str], called: Called, wanted: Collection[str]
) -> Query:
    """The query for some Parquet files; a folder such as ``day=1`` is part of a path, and no column."""
    groups: dict[tuple[tuple[Any, ...], ...], list[str]] = {}
    for file, columns in _schemas(connection, files).items():
        groups.setdefault(tuple(columns), []).append(file)
    parts = []
    for schema, members in groups.items():
        top = _top_level(schema)
        _refuse_twins([column for column, *_ in top], called(members[0]))
        table = f"read_parquet({_listed(members)}, hive_partitioning=false)"
        types = {column: kind for column, kind, *_ in connection.sql(f"DESCRIBE FROM {table}").fetchall()}
        cells = {column: name(column) for column in types}
        for column, *_, converted, _, precision, _ in top:
            if converted == "DECIMAL" and types[column] == "DOUBLE":
                what = (
                    f"{called(members[0])} has decimals of {precision} digits in column {column!r}, and at most 38 can "
                )
                cells[column] = _refused(what + "be told apart; write them as text", cells[column])
        parts.append(_Part(members, table, cells, types))
    return _together(parts, called, wanted)


def _schemas(connection: duckdb.DuckDBPyConnection, files: Sequence[str]) -> dict[str, list[tuple[Any, ...]]]:
    found = connection.sql(
        "SELECT file_name, name, coalesce(num_children, 0), type, type_length, repetition_type, converted_type, scale, "
        f"precision, logical_type FROM parquet_schema({_listed(files)})"
    ).fetchall()
    schemas: dict[str, list[tuple[Any, ...]]] = {file: [] for file in files}
    for file, *element in found:
        schemas[file].append(tuple(element))
    return schemas


def _top_level(schema: Sequence[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """The columns of a schema that is written depth first, with the number of children of each."""
    columns: list[tuple[Any, ...]] = []
    inside = 0
    for element in schema[1:]:
        if not inside:
            columns.append(element)
        inside += element[1] - bool(inside)
    return columns


QUERIES: dict[str, Callable[[duckdb.DuckDBPyConnection, Sequence[str], Called, Collection[str]], Query]] = {
    "csv": partial(csv_query, form="csv"),
    "tsv": partial(csv_query, form="tsv"),
    "jsonl": jsonl_query,
    "parquet": parquet_query,
}
