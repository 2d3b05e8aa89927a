"""Tables in files, as DuckDB reads them: CSV, TSV, JSON lines and Parquet, one or many files, compressed or not.

What a text file holds is text: ``01`` and ``1`` are two labels, ``NA`` is one like any other, and ``1`` in a JSON file
is the ``1`` of a CSV file. Blanks and tabs around a cell go, and an empty cell is no value. Parquet keeps its types.
"""

from __future__ import annotations

import csv
import glob
from collections.abc import Callable, Sequence
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from clusterscore.errors import FileError
from clusterscore.read.source import first_lines, not_utf8

if TYPE_CHECKING:
    import duckdb

OWN = "clusterscore: "  # how a message of ours begins that DuckDB carries
_DELIMITERS = {"csv": ",", "tsv": "\t"}
_HEAD = 100  # lines of a .zst file in which its heading ends
_SAMPLE = 100_000  # objects of which the names are collected
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


def csv_query(connection: duckdb.DuckDBPyConnection, files: Sequence[str], form: str, called: Called) -> str:
    """The query for all cells of some CSV or TSV files; columns are matched by name."""
    groups: dict[Heading, list[str]] = {}
    for file in files:
        heading = read_heading(connection, file, form, called)
        if heading is not None:  # a part with nothing in it, as engines write them
            groups.setdefault(heading, []).append(file)
    if not groups:
        raise FileError(f"{called(files[0])} is empty: there is nothing to score")
    whose: dict[str, str] = {}  # each column -> the first file that has it
    for heading, members in groups.items():
        for column in filter(None, heading.names):
            whose.setdefault(column, members[0])
    parts = []
    for heading, members in groups.items():
        cells = (_cell_of(column, heading, called(members[0]), called(whose[column])) for column in whose)
        parts.append(f"SELECT {', '.join(cells)} FROM {heading.read(members)}")
    return " UNION ALL ".join(parts)


def _cell_of(column: str, heading: Heading, file: str, other: str) -> str:
    if column in heading.names:
        return f"{_cell(f'c{heading.names.index(column)}')} AS {name(column)}"
    # only who asks for the column is told; with a constant DuckDB would tell everybody
    told = f"{OWN}{file} has no column {column!r}, which {other} has; give it to all files of the pattern\n"
    return f"error({text(told)} || coalesce(c0, ''))::VARCHAR AS {name(column)}"


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
            raise FileError(f"{file} has two columns called {seen[key]!r}{case}; rename one")
        seen[key] = column


def jsonl_query(connection: duckdb.DuckDBPyConnection, files: Sequence[str], called: Called) -> str:
    """The query for all values of some files with one JSON object a line, as text."""
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
    _refuse_twins(names, called(files[0]))
    columns = ", ".join(f"{text(each)}: 'JSON'" for each in names)
    values = ", ".join(f"{_scalar(each, called(files[0]))} AS {name(each)}" for each in names)
    return (
        f"SELECT {values} FROM read_json({_listed(files)}, format='newline_delimited', records=true, "
        f"columns={{{columns}}}, hive_partitioning=false)"
    )


def _scalar(column: str, file: str) -> str:
    told = f"{OWN}{file} has a list or an object in {column!r}, where a label or an id should be: "
    return (
        f"CASE WHEN json_type({name(column)}) IN ('ARRAY', 'OBJECT') "
        f"THEN error({text(told)} || left({name(column)}::VARCHAR, 40)) ELSE {name(column)} ->> '$' END"
    )


def parquet_query(connection: duckdb.DuckDBPyConnection, files: Sequence[str], called: Called) -> str:
    """The query for some Parquet files; columns are matched by name, and folders such as ``day=1`` are a column."""
    schema = connection.sql(f"SELECT name, coalesce(num_children, 0) FROM parquet_schema({_listed(files[:1])})")
    _refuse_twins(_top_level(schema.fetchall()), called(files[0]))
    partitioned = "" if len(files) > 1 else ", hive_partitioning=false"
    return f"SELECT * FROM read_parquet({_listed(files)}{partitioned})"


def _top_level(schema: Sequence[tuple[str, int]]) -> list[str]:
    """The columns of a schema that is written depth first, with the number of children of each."""
    names: list[str] = []
    inside = 0
    for column, children in schema[1:]:
        if not inside:
            names.append(column)
        inside += children - bool(inside)
    return names
