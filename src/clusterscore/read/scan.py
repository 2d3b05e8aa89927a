"""Tables in files, as DuckDB reads them: CSV, TSV, JSON lines and Parquet, one or many files, compressed or not.

What a text file holds is text: ``01`` and ``1`` are two labels, ``NA`` is one like any other, and ``1`` in a JSON file
is the ``1`` of a CSV file. Blanks and tabs around a cell go, and an empty cell is no value. Parquet keeps its types.
"""

from __future__ import annotations

import csv
import glob
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import partial
from io import TextIOWrapper
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from clusterscore.exceptions import FileError
from clusterscore.read.source import cannot_read, has_nul, is_empty, not_utf8, opened

if TYPE_CHECKING:
    import duckdb

OWN = "clusterscore: "  # how a message of ours begins that DuckDB carries
_DELIMITERS = {"csv": ",", "tsv": "\t"}
_HEAD = 100  # lines of a .zst file in which its heading ends
_LONGEST_LINE = 1 << 26  # characters of a heading
_SAMPLE = 100_000  # objects of which the names are collected
_MANY_COLUMNS = 1000  # beyond that a query names only those that are asked for
_INTEGERS = frozenset(
    {"INTEGER", "UINTEGER"} | {f"{sign}{size}INT" for sign in ("", "U") for size in ("TINY", "SMALL", "BIG", "HUGE")}
)
# in parallel, any lines might come first
_LINE_MODE = (
    "header=false, auto_detect=false, delim='\x1f', quote='', escape='', columns={'line': 'VARCHAR'}, "
    "max_line_size=1000000, buffer_size=2000000, parallel=false"
)

Query = tuple[str, bool]  # how the rows of some files are read, and whether columns are left out: there are very many


def text(value: str) -> str:
    """A string in SQL."""
    return "'" + value.replace("'", "''") + "'"


def quoted(value: str) -> str:
    """The name of a column in SQL."""
    return '"' + value.replace('"', '""') + '"'


def _listed(files: Sequence[str]) -> str:
    # DuckDB would take a file called part[1].csv for a pattern
    return f"[{', '.join(text(glob.escape(file)) for file in files)}]"


class _Part(NamedTuple):
    """Files with the same columns: what messages call the first, how DuckDB reads them, and each column's SQL."""

    name: str
    table: str
    cells: dict[str, str]
    types: dict[str, str]


def _together(parts: Sequence[_Part], wanted: Collection[str]) -> Query:
    """All parts, their columns matched by name; who asks for one that does not fit is told."""
    first: dict[str, _Part] = {}  # each column -> the first part that has it
    for part in parts:
        for column in part.cells:
            first.setdefault(column, part)
    _refuse_twins(list(first), " and ".join(part.name for part in parts[:2]))
    columns = _chosen(list(first), wanted)
    selects = []
    for part in parts:
        cells = (f"{_cell_in(part, column, first[column])} AS {quoted(column)}" for column in columns)
        selects.append(f"SELECT {', '.join(cells)} FROM {part.table}")
    return " UNION ALL ".join(selects), len(columns) < len(first)


def _chosen(columns: list[str], wanted: Collection[str]) -> list[str]:
    if len(columns) <= _MANY_COLUMNS:
        return columns
    there = set(columns)
    kept = {near for each in wanted for near in ([each] if each in there else get_close_matches(each, columns))}
    return [column for column in columns if column in kept] or columns[:_MANY_COLUMNS]


def _cell_in(part: _Part, column: str, first: _Part) -> str:
    kind, expected = part.types.get(column), first.types[column]
    if kind == expected or (kind in _INTEGERS and expected in _INTEGERS):
        return part.cells[column]
    what = f"{part.name} has no column {column!r}, which {first.name} has; give it to all files of the pattern"
    if kind is not None:
        what = f"{part.name} has {kind} in column {column!r} and {first.name} has {expected}; write them as one type"
    return _refused(what, next(iter(part.cells.values())))


def _refused(what: str, cell: str) -> str:
    """A cell that cannot be read: with a constant DuckDB would complain to those too who do not ask for the column."""
    return f"error({text(f'{OWN}{what}{chr(10)}')} || coalesce({cell}::VARCHAR, ''))"


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


def csv_query(
    connection: duckdb.DuckDBPyConnection,
    files: Sequence[str],
    names: Mapping[str, str],
    wanted: Collection[str],
    form: str,
) -> Query:
    """The query for the cells of some CSV or TSV files."""
    groups: dict[Heading, list[str]] = {}
    for file in files:
        heading = read_heading(connection, file, form, names[file])
        if heading is not None:  # a part with nothing in it, as engines write them
            groups.setdefault(heading, []).append(file)
    if not groups:
        raise FileError(is_empty(names[files[0]]))
    parts = []
    for heading, members in groups.items():
        cells = {column: _cell(f"c{k}") for k, column in enumerate(heading.names) if column}
        parts.append(_Part(names[members[0]], heading.read(members), cells, dict.fromkeys(cells, "VARCHAR")))
    return _together(parts, wanted)


def _cell(column: str) -> str:
    # trim() knows every blank but no tab, and with a list of characters it is much slower
    spaces = "' ' || chr(9) || chr(10) || chr(13)"
    return (
        f"nullif(CASE WHEN contains({column}, chr(9)) THEN trim(trim({column}, {spaces})) ELSE trim({column}) END, '')"
    )


def read_heading(connection: duckdb.DuckDBPyConnection, file: str, form: str, name: str) -> Heading | None:
    """The first line that is not empty; None where there is none."""
    skip = 0
    lines = _lines(connection, file)
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
        raise FileError(f"{name}, line {skip + 1}: {error} in the heading; check the quotes") from None
    columns = tuple(each.strip() for each in first)
    letters = "".join(columns)
    if any("\ud800" <= letter <= "\udfff" for letter in letters):
        raise FileError(not_utf8(name, None, skip + 1))
    if "\0" in letters:
        raise FileError(has_nul(name, skip + 1))
    _refuse_twins(columns, name)
    return Heading(columns, delimiter, skip)


def _lines(connection: duckdb.DuckDBPyConnection, file: str) -> Iterator[str]:
    """The lines of a file, read as they are asked for.

    What is not UTF-8 comes as lone surrogates: it may stand where nobody looks.
    """
    if file.lower().endswith(".zst"):
        query = f"SELECT line FROM read_csv({_listed([file])}, {_LINE_MODE}) LIMIT {_HEAD}"
        yield from (f"{line or ''}\n" for (line,) in connection.sql(query).fetchall())
        return
    with TextIOWrapper(opened(file), "utf-8-sig", "surrogateescape", newline="") as lines:
        try:
            while line := lines.readline(_LONGEST_LINE):
                yield line
        except OSError as error:
            raise FileError(cannot_read(file, error)) from None


def _refuse_twins(columns: Sequence[str], name: str) -> None:
    seen: dict[str, str] = {}
    for column in filter(None, columns):
        key = column.lower()
        if key in seen:
            case = "" if seen[key] == column else f" and {column!r}, which SQL does not tell apart"
            raise FileError(f"{name}: two columns called {seen[key]!r}{case}; rename one")
        seen[key] = column


def jsonl_query(
    connection: duckdb.DuckDBPyConnection, files: Sequence[str], names: Mapping[str, str], wanted: Collection[str]
) -> Query:
    """The query for the values of some files with one JSON object a line, as text."""
    name = names[files[0]]
    sampled = connection.sql(
        f"SELECT keys FROM (SELECT json_keys(json) AS keys, row_number() OVER () AS place FROM "
        f"read_json_objects({_listed(files)}, format='newline_delimited') LIMIT {_SAMPLE}) "
        "GROUP BY keys ORDER BY min(place)"
    ).fetchall()
    if not sampled:
        raise FileError(is_empty(name))
    columns = list(dict.fromkeys(each for (keys,) in sampled for each in keys or () if each))
    if not columns:
        raise FileError(f'{name} has no columns: write objects such as {{"element": .., "cluster": ..}}')
    kept = ", ".join(f"{text(each)}: 'JSON'" for each in _chosen(columns, wanted))
    table = (
        f"read_json({_listed(files)}, format='newline_delimited', records=true, columns={{{kept}}}, "
        "hive_partitioning=false)"
    )
    cells = {each: _scalar(each, name) for each in columns}
    return _together([_Part(name, table, cells, dict.fromkeys(columns, "VARCHAR"))], wanted)


def _scalar(column: str, file: str) -> str:
    nested = f"{OWN}{file} has a list or an object in {column!r}, where a label or an id should be: "
    endless = f"{OWN}{file} has a number in {column!r} that is not finite, where a label or an id should be: "
    value, kind = f"({quoted(column)} ->> '$')", f"json_type({quoted(column)})"
    return (
        f"CASE WHEN {kind} IN ('ARRAY', 'OBJECT') THEN error({text(nested)} || left({quoted(column)}::VARCHAR, 40)) "
        f"WHEN {kind} = 'DOUBLE' AND NOT isfinite({value}::DOUBLE) THEN error({text(endless)} || {value}) "
        f"ELSE {value} END"
    )


def parquet_query(
    connection: duckdb.DuckDBPyConnection, files: Sequence[str], names: Mapping[str, str], wanted: Collection[str]
) -> Query:
    """The query for some Parquet files; a folder such as ``day=1`` is part of a path, and no column."""
    schemas: dict[str, list[tuple[Any, ...]]] = {file: [] for file in files}
    for file, *element in connection.sql(
        "SELECT file_name, name, coalesce(num_children, 0), precision, scale, type, type_length, repetition_type, "
        f"converted_type, logical_type FROM parquet_schema({_listed(files)})"
    ).fetchall():
        schemas[file].append(tuple(element))
    groups: dict[tuple[tuple[Any, ...], ...], list[str]] = {}
    for file, schema in schemas.items():
        groups.setdefault(tuple(schema), []).append(file)
    return _together([_parquet_part(connection, *group, names) for group in groups.items()], wanted)


def _parquet_part(
    connection: duckdb.DuckDBPyConnection,
    schema: tuple[tuple[Any, ...], ...],
    files: Sequence[str],
    names: Mapping[str, str],
) -> _Part:
    name = names[files[0]]
    digits: list[tuple[str, int | None]] = []  # of each column; it is None where there are no decimals
    inside = 0  # the schema is written depth first, with the number of children of each
    for column, children, precision, *_ in schema[1:]:
        if not inside:
            digits.append((column, precision))
        inside += children - bool(inside)
    _refuse_twins([column for column, _ in digits], name)
    table = f"read_parquet({_listed(files)}, hive_partitioning=false)"
    types = {column: kind for column, kind, *_ in connection.sql(f"DESCRIBE FROM {table}").fetchall()}
    cells = {column: quoted(column) for column in types}
    for column, precision in digits:
        if precision and types[column] == "DOUBLE":  # as which DuckDB reads decimals that it does not have
            what = f"{name} has decimals of {precision} digits in column {column!r}, and at most 38 can be told apart"
            cells[column] = _refused(f"{what}; write them as text", cells[column])
    return _Part(name, table, cells, types)


QUERIES: dict[str, Callable[[duckdb.DuckDBPyConnection, Sequence[str], Mapping[str, str], Collection[str]], Query]] = {
    "csv": partial(csv_query, form="csv"),
    "tsv": partial(csv_query, form="tsv"),
    "jsonl": jsonl_query,
    "parquet": parquet_query,
}
