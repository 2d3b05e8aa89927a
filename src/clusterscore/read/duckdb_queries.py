"""Tables in files, as DuckDB reads them: CSV, TSV, JSON lines and Parquet, one or many files, compressed or not.

What a text file holds is text: ``01`` and ``1`` are two labels, ``NA`` is one like any other, and ``1`` in a JSON file
is the ``1`` of a CSV file. Blanks and tabs around a cell go, and an empty cell is no value. Parquet keeps its types.
"""

from __future__ import annotations

import csv
import glob
import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from io import StringIO, TextIOWrapper
from itertools import chain, count, islice
from typing import TYPE_CHECKING, Any, NamedTuple

from clusterscore.exceptions import FileError
from clusterscore.messages import Message, Option
from clusterscore.read.columns import UNNAMED
from clusterscore.read.source import EMPTY, HAS_NUL, NOT_UTF8, Look, cannot_read, opened

if TYPE_CHECKING:
    import duckdb

OWN = "clusterscore: "  # how a message of ours begins that DuckDB carries
SEPARATORS = {",": "comma", "\t": "tab", ";": "semicolon", "|": "bar"}
_HEAD = 100  # lines of a .zst file in which its heading ends
_LONGEST_LINE = 1 << 26  # characters of a heading
_EMPTY_LINES = 1_000_000  # above it
_NUMBERED = re.compile(r"_\d+$")  # how DuckDB tells columns apart that have one name
_SAMPLE = 100_000  # objects of which the names are collected
_MANY_COLUMNS = 1000  # beyond that a query names only those that are requested
_INTEGERS = frozenset(
    {"INTEGER", "UINTEGER"} | {f"{sign}{size}INT" for sign in ("", "U") for size in ("TINY", "SMALL", "BIG", "HUGE")}
)
# as which DuckDB reads nanoseconds too: those of durations, and before 2.0 all of these
_MICROSECONDS = frozenset(
    f"{kind}{ending}"
    for kind in ("INTERVAL", "TIME", "TIME WITH TIME ZONE", "TIMESTAMP WITH TIME ZONE")
    for ending in ("", "[]")
)
_DOUBTFUL = _MICROSECONDS | {"DOUBLE"}  # what the schema of a Parquet file is looked at for
# trim() knows every blank but no tab, and with a list of characters it is much slower
_CSV_CELL = (
    "nullif(CASE WHEN contains({column}, chr(9)) THEN trim(trim({column}, ' ' || chr(9) || chr(10) || chr(13))) "
    "ELSE trim({column}) END, '')"
)
# in parallel, any lines might come first
_LINE_MODE = (
    "header=false, auto_detect=false, delim='\x1f', quote='', escape='', columns={'line': 'VARCHAR'}, "
    "max_line_size=1000000, buffer_size=2000000, parallel=false"
)

Query = tuple[str, bool]  # how the rows of some files are read, and whether columns are left out: there are very many


class TableFile(NamedTuple):
    """A file that DuckDB reads: what the user named, its format, what messages call it, and what a look has shown."""

    path: str
    form: str
    called: str
    look: Look
    header: bool = True


Files = Mapping[str, TableFile]


def text(value: str) -> str:
    """A string in SQL."""
    return "'" + value.replace("'", "''") + "'"


def quoted(value: str) -> str:
    """The name of a column in SQL."""
    return '"' + value.replace('"', '""') + '"'


def _listed(files: Iterable[str]) -> str:
    # DuckDB would take a file called part[1].csv for a pattern
    return f"[{', '.join(text(glob.escape(file)) for file in files)}]"


class _Part(NamedTuple):
    """Files with the same columns: what messages call the first, how DuckDB reads them, each column's type and SQL."""

    name: str
    table: str
    cells: dict[str, tuple[str, str]]


def _together(parts: Sequence[_Part], requested: Collection[str]) -> Query:
    """All parts, their columns matched by name; one that does not fit is an error for those who request it."""
    first: dict[str, _Part] = {}  # each column -> the first part that has it
    for part in parts:
        for column in part.cells:
            first.setdefault(column, part)
    _refuse_twins(list(first), " and ".join(part.name for part in parts[:2]))
    columns = list(first) if len(first) <= _MANY_COLUMNS else _some_of(list(first), requested)
    selects = []
    for part in parts:
        cells = dict(part.cells)
        for column in columns:
            other, expected = first[column].name, first[column].cells[column][0]
            if column not in cells:
                what = f"{part.name} has no column {column!r}, which {other} has; give it to all files of the pattern"
                cells[column] = expected, _refused(what, next(iter(part.cells.values()))[1])
            elif cells[column][0] != expected and not {cells[column][0], expected} <= _INTEGERS:
                kind, cell = cells[column]
                what = f"{part.name} has {kind} in column {column!r} and {other} has {expected}; write them as one type"
                cells[column] = expected, _refused(what, cell)
        named = ", ".join(f"{cells[column][1]} AS {quoted(column)}" for column in columns)
        selects.append(f"SELECT {named} FROM {part.table}")
    return " UNION ALL ".join(selects), len(columns) < len(first)


def _some_of(columns: list[str], requested: Collection[str]) -> list[str]:
    """Of very many columns those that are requested, and those that are called much like one."""
    there = set(columns)
    kept = {near for name in requested for near in ([name] if name in there else get_close_matches(name, columns))}
    return [column for column in columns if column in kept] or columns[:_MANY_COLUMNS]


def _refused(what: str, cell: str) -> str:
    """A cell that cannot be read: with a constant DuckDB would complain to those who do not request the column."""
    return f"error({text(f'{OWN}{what}{chr(10)}')} || coalesce({cell}::VARCHAR, ''))"


def _refused_nanoseconds(name: str, column: str, kind: str, cell: str) -> str:
    what = f"{name} has nanoseconds in column {column!r}, and this DuckDB keeps microseconds of them"
    newer = "" if kind.startswith("INTERVAL") else "pip install -U duckdb, or "
    return _refused(f"{what}; {newer}write them as text", cell)


class CsvHeading(NamedTuple):
    """How a CSV file is to be read: what it says in its first line, or as many numbers where that is data."""

    names: tuple[str, ...]
    delimiter: str
    skip: int  # empty lines above it
    there: bool = True  # else the first line is data

    def read(self, files: Sequence[str], more: str = "") -> str:
        """The call that reads files with this heading; columns are c0, c1, ..., since a heading may hold anything."""
        columns = ", ".join(f"'c{k}': 'VARCHAR'" for k in range(len(self.names)))
        return (
            f"read_csv({_listed(files)}, header={str(self.there).lower()}, skip={self.skip}, auto_detect=false, "
            f"delim={text(self.delimiter)}, quote='\"', escape='\"', columns={{{columns}}}, "
            f"hive_partitioning=false{more})"
        )


def csv_query(connection: duckdb.DuckDBPyConnection, files: Files, requested: Collection[str]) -> Query:
    """The query for the cells of some CSV or TSV files."""
    groups: dict[CsvHeading, list[str]] = {}
    for file, table in files.items():
        heading = read_heading(connection, file, table)
        if heading is not None:  # a part with nothing in it, as engines write them
            groups.setdefault(heading, []).append(file)
    if not groups:
        raise FileError(EMPTY.format(next(iter(files.values())).called))
    parts = []
    for heading, members in groups.items():
        cells = {
            column: ("VARCHAR", _CSV_CELL.format(column=f"c{k}")) for k, column in enumerate(heading.names) if column
        }
        parts.append(_Part(files[members[0]].called, heading.read(members), cells))
    return _together(parts, requested)


def read_heading(connection: duckdb.DuckDBPyConnection, file: str, table: TableFile) -> CsvHeading | None:
    """The first line that is not empty; None where there is none. It shows what separates the columns."""
    name, header = table.called, table.header
    lines, skip, line = _lines(connection, file, table.look), 0, ""
    for skip, line in enumerate(lines):
        if line.strip():
            break
        if skip == _EMPTY_LINES:
            raise FileError(f"{name} begins with more than {_EMPTY_LINES:,} empty lines; remove them")
    if not line.strip():
        return None
    where = "heading" if header else "first line"
    delimiter = separator(line, "\t" if table.form == "tsv" else ",", name, where)
    try:
        first = next(csv.reader(chain([line], lines), delimiter=delimiter, strict=True))
    except csv.Error as error:
        raise FileError(f"{name}, line {skip + 1}: {error} in the {where}; check the quotes") from None
    columns = tuple(map(str.strip, first))
    if header and len(columns) > 1 and not columns[0] and UNNAMED not in columns:
        columns = (UNNAMED, *columns[1:])
    letters = "".join(columns)
    if any("\ud800" <= letter <= "\udfff" for letter in letters):
        raise FileError(NOT_UTF8.format(name, "", skip + 1))
    if "\0" in letters:
        raise FileError(HAS_NUL.format(name, skip + 1))
    if not header:
        return CsvHeading(tuple(map(str, range(1, len(columns) + 1))), delimiter, skip, False)
    _refuse_twins(columns, name, in_first_line=True)
    return CsvHeading(columns, delimiter, skip)


def separator(heading: str, usual: str, name: str, where: str = "heading") -> str:
    """What separates the columns of a heading: the usual character, or else the one of the others that it has."""
    bare = re.sub('"[^"]*("|$)', "", heading)
    others = [mark for mark in SEPARATORS if mark in bare]
    if usual in bare or not others:
        return usual
    if len(others) > 1:
        names = " and ".join(f"{SEPARATORS[mark]} ({bare.count(mark)})" for mark in others)
        raise FileError(
            f"{name}: its {where} has no {SEPARATORS[usual]}, but {names}; write one of them between the columns"
        )
    return others[0]


def _lines(connection: duckdb.DuckDBPyConnection, file: str, look: Look) -> Iterator[str]:
    """The lines of a file, read as they are needed: first those that a look has shown.

    What is not UTF-8 comes as lone surrogates: it may stand where nobody looks.
    """
    if file.lower().endswith(".zst"):
        query = f"SELECT line FROM read_csv({_listed([file])}, {_LINE_MODE}) LIMIT {_HEAD}"
        yield from (f"{line or ''}\n" for (line,) in connection.sql(query).fetchall())
        return
    shown = StringIO(look.start.decode("utf-8-sig", "surrogateescape"), newline="").readlines()
    if look.whole:
        yield from shown
        return
    yield from shown[:-1]  # the last may go on
    with TextIOWrapper(opened(file), "utf-8-sig", "surrogateescape", newline="") as lines:
        try:
            for number in count():
                if not (line := lines.readline(_LONGEST_LINE)):
                    return
                if number >= len(shown) - 1:
                    yield line
        except OSError as error:
            raise FileError(cannot_read(file, error)) from None


def _refuse_twins(columns: Sequence[str], name: str, in_first_line: bool = False) -> None:
    seen: dict[str, str] = {}
    for column in filter(None, columns):
        key = column.lower()
        if key in seen:
            case = "" if seen[key] == column else f" and {column!r}, which SQL does not tell apart"
            data = Message(", or pass ", Option("header", False), " if the first line is data")
            otherwise = data if in_first_line else ""
            raise FileError(f"{name}: two columns called {seen[key]!r}{case}; rename one", otherwise)
        seen[key] = column


def jsonl_query(connection: duckdb.DuckDBPyConnection, files: Files, requested: Collection[str]) -> Query:
    """The query for the values of some files with one JSON object a line, as text."""
    name = next(iter(files.values())).called
    columns, lists = _shown_objects(files) or _sampled_objects(connection, files, requested)
    if not columns:
        raise FileError(f'{name} has no columns: write objects such as {{"element": .., "cluster": ..}}')
    kept = columns if len(columns) <= _MANY_COLUMNS else _some_of(columns, requested)
    types = ", ".join(f"{text(column)}: 'JSON'" for column in kept)
    table = (
        f"read_json({_listed(files)}, format='newline_delimited', records=true, columns={{{types}}}, "
        "hive_partitioning=false)"
    )
    cells = {
        column: _list(column, name) if column in lists and column in requested else ("VARCHAR", _scalar(column, name))
        for column in columns
    }
    return _together([_Part(name, table, cells)], requested)


def _shown_objects(files: Files) -> tuple[list[str], set[str]] | None:
    """The names in all objects, and those that have lists, where a look has shown whole files; else None."""
    if not all(table.look.whole for table in files.values()):
        return None
    try:
        lines = (line for table in files.values() for line in table.look.start.splitlines())
        objects = [json.loads(line) for line in lines if line.strip()]
        items = [item for values in objects for item in values.items() if item[0]]
    except (ValueError, AttributeError, RecursionError):  # DuckDB says where
        return None
    names = list(dict.fromkeys(name for name, _ in items))
    return (names, {name for name, value in items if isinstance(value, list)}) if objects else None


def _sampled_objects(
    connection: duckdb.DuckDBPyConnection, files: Files, requested: Collection[str]
) -> tuple[list[str], set[str]]:
    """The same for the objects at the beginning, and lists in columns that are requested."""
    objects = f"read_json_objects({_listed(files)}, format='newline_delimited')"
    connection.execute(f"CREATE OR REPLACE TEMP TABLE beginning AS SELECT json FROM {objects} LIMIT {_SAMPLE}")
    sampled = connection.sql(
        "SELECT json_keys(json) AS keys FROM beginning GROUP BY keys ORDER BY min(beginning.rowid)"
    ).fetchall()
    if not sampled:
        raise FileError(EMPTY.format(next(iter(files.values())).called))
    columns = list(dict.fromkeys(key for (keys,) in sampled for key in keys or () if key))
    asked = [column for column in columns if column in requested]
    pointers = ["/" + column.replace("~", "~0").replace("/", "~1") for column in asked]
    arrays = (f"coalesce(bool_or(json_type(json, {text(pointer)}) = 'ARRAY'), false)" for pointer in pointers)
    holds = connection.sql(f"SELECT {', '.join(arrays)} FROM beginning").fetchall()[0] if asked else ()
    connection.execute("DROP TABLE beginning")
    return columns, {column for column, has_lists in zip(asked, holds, strict=True) if has_lists}


def _scalar(column: str, file: str, value: str = "") -> str:
    value = value or quoted(column)
    nested = f"{OWN}{file} has a list or an object in {column!r}, where a label or an id should be: "
    endless = f"{OWN}{file} has a number in {column!r} that is not finite, where a label or an id should be: "
    words, kind = f"({value} ->> '$')", f"json_type({value})"
    return (
        f"CASE WHEN {kind} IN ('ARRAY', 'OBJECT') THEN error({text(nested)} || left({value}::VARCHAR, 40)) "
        f"WHEN {kind} = 'DOUBLE' AND NOT isfinite({words}::DOUBLE) THEN error({text(endless)} || {words}) "
        f"ELSE {words} END"
    )


def _list(column: str, file: str) -> tuple[str, str]:
    """The type and the SQL of a column of lists."""
    value = quoted(column)
    single = f"{OWN}{file} has a single value in {column!r} where others have lists; write one as a list too: "
    made = f"[{_scalar(column, file, 'each')} FOR each IN json_extract({value}, '$[*]')]"
    return "VARCHAR[]", (
        f"CASE WHEN json_type({value}) = 'ARRAY' THEN {made} WHEN json_type({value}) <> 'NULL' THEN "
        f"error({text(single)} || left({value}::VARCHAR, 40)) END"
    )


def is_narrowed(kind: Any) -> bool:
    """Whether DuckDB may cut the nanoseconds of this type of Arrow, so that different values become one."""
    return any(fine in str(kind) for fine in ("time64[ns]", "timestamp[ns, tz=", "duration[ns]", "month_day_nano"))


def parquet_query(connection: duckdb.DuckDBPyConnection, files: Files, requested: Collection[str]) -> Query:
    """The query for some Parquet files; a folder such as ``day=1`` is part of a path, and no column."""
    schemas: dict[str, list[tuple[Any, ...]]] = {file: [] for file in files}
    described = _described(connection, list(files)) if len(files) == 1 else None
    doubtful = described is None or not _DOUBTFUL.isdisjoint(described.values())
    if doubtful or any(map(_NUMBERED.search, described or ())):
        for file, *element in connection.sql(
            "SELECT file_name, name, coalesce(num_children, 0), precision, scale, type, type_length, repetition_type, "
            f"converted_type, logical_type FROM parquet_schema({_listed(files)})"
        ).fetchall():
            schemas[file].append(tuple(element))
    groups: dict[tuple[tuple[Any, ...], ...], list[str]] = {}
    for file, schema in schemas.items():
        groups.setdefault(tuple(schema), []).append(file)
    parts = [
        _parquet_part(described or _described(connection, some), schema, some, files[some[0]].called)
        for schema, some in groups.items()
    ]
    return _together(parts, requested)


def _parquet(files: Sequence[str]) -> str:
    return f"read_parquet({_listed(files)}, hive_partitioning=false)"


def _described(connection: duckdb.DuckDBPyConnection, files: Sequence[str]) -> dict[str, str]:
    """The columns of some Parquet files that are alike, with their types."""
    return {column: kind for column, kind, *_ in connection.sql(f"DESCRIBE FROM {_parquet(files)}").fetchall()}


def _parquet_part(
    described: Mapping[str, str], schema: Iterable[tuple[Any, ...]], files: Sequence[str], name: str
) -> _Part:
    digits: list[tuple[str, int | None]] = []  # of each column; None where there are no decimals
    fine = set()  # columns with nanoseconds
    inside = 0  # the schema is written depth first, with the number of children of each
    for column, children, precision, *_, logical_type in islice(schema, 1, None):
        if not inside:
            digits.append((column, precision))
        if logical_type and "NANOS=NanoSeconds" in logical_type:
            fine.add(digits[-1][0])
        inside += children - bool(inside)
    _refuse_twins([column for column, _ in digits] or list(described), name)
    cells = {column: (kind, quoted(column)) for column, kind in described.items()}
    for column, precision in digits:
        kind, cell = cells[column]
        if precision and kind == "DOUBLE":  # as which DuckDB reads decimals that it does not have
            what = f"{name} has decimals of {precision} digits in column {column!r}, and at most 38 can be told apart"
            cells[column] = kind, _refused(f"{what}; write them as text", cell)
        elif column in fine and kind in _MICROSECONDS:
            cells[column] = kind, _refused_nanoseconds(name, column, kind, cell)
    return _Part(name, _parquet(files), cells)


def arrow_query(connection: duckdb.DuckDBPyConnection, files: Files, requested: Collection[str]) -> Query:
    """The query for some Arrow (Feather) files, which pyarrow reads, a batch of rows at a time."""
    import duckdb

    try:
        from pyarrow import ArrowException, dataset
    except ImportError:
        name = next(iter(files.values())).called
        raise FileError(f"{name} is an Arrow file: pip install pyarrow to read it, or write it as Parquet") from None
    parts = []
    for file, table in files.items():
        name = table.called
        try:
            rows = dataset.dataset(file, format="ipc")
            for batch in rows.to_batches():  # one that points outside of its memory would end the process
                batch.validate(full=True)
        except (ArrowException, OSError, ValueError):
            raise FileError(f"{name} is not a complete Arrow file; write or copy it again") from None
        _refuse_twins(rows.schema.names, name)
        try:
            connection.register(file, rows)
            described = connection.sql(f"DESCRIBE FROM {quoted(file)}").fetchall()
        except duckdb.NotImplementedException as error:
            raise FileError(f"DuckDB does not read all columns of {name} ({error}); write it as Parquet") from None
        # a dictionary has the type of its values, as in Parquet
        cells = {
            column: ("VARCHAR", f"{quoted(column)}::VARCHAR") if kind.startswith("ENUM") else (kind, quoted(column))
            for column, kind, *_ in described
        }
        for column in filter(lambda column: is_narrowed(rows.schema.field(column).type), cells):
            kind, cell = cells[column]
            if kind in _MICROSECONDS:
                cells[column] = kind, _refused_nanoseconds(name, column, kind, cell)
        parts.append(_Part(name, quoted(file), cells))
    return _together(parts, requested)


QUERIES: dict[str, Callable[..., Query]] = {  # of a connection, files, and the columns requested
    "csv": csv_query,
    "tsv": csv_query,
    "jsonl": jsonl_query,
    "parquet": parquet_query,
    "arrow": arrow_query,
}
