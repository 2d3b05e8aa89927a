"""What DuckDB complains about, in our words: one line that says what is wrong, where, and what to do."""

from __future__ import annotations

import json
import re
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from clusterscore.errors import ClusterscoreError, EngineError, FileError, plural
from clusterscore.read.scan import OWN, Called, Heading
from clusterscore.read.source import broken_archive, decompressed, not_utf8

if TYPE_CHECKING:
    import duckdb

_CSV_LINE = re.compile(r"CSV Error on Line: (\d+)")
_CSV_FILE = re.compile(r"^  file = (.*)$", re.MULTILINE)
_CSV_WIDTH = re.compile(r"Expected Number of Columns: (\d+) Found: (\d+)")
_JSON = re.compile(r'JSON .*?in file "(.*?)",.*? in line (\d+): (.*)')
_TWICE = re.compile(r'has duplicate key "(.*)"')
_ZSTD = re.compile(r"Unknown frame descriptor|zstd", re.IGNORECASE)
_PARQUET = re.compile(r"magic bytes|too small to be a Parquet|Parquet|TProtocol|thrift|don't know what type", re.I)
_LONG_LINE = 'has a row of more than 2 MB, too long for a table; check the quotes, or say what it is with format="..."'
_NO_ROOM = re.compile(r"No space left on device|max_temp_directory_size|Disk quota exceeded|not enough space", re.I)


class Scans(NamedTuple):
    """What a session has been asked to read, and where it may write; a message needs it."""

    folder: str  # in which temporary files lie
    files: dict[str, str]  # each file -> its format
    called: Called


def complaint(error: duckdb.Error, scans: Scans) -> ClusterscoreError:
    """An error of ours for one of DuckDB's."""
    import duckdb

    message = str(error)
    if OWN in message:
        return FileError(message.partition(OWN)[2].split("\n")[0])
    if _NO_ROOM.search(message):
        return EngineError(
            f"the disk with {scans.folder!r} is full, where data goes that does not fit memory; name a folder on a "
            "larger disk with temp_directory=, or allow more memory with memory_limit= (--memory)"
        )
    if isinstance(error, duckdb.OutOfMemoryException):
        used = re.search(r"\(([^()]*) used\)", message)
        return EngineError(
            f"out of memory{f' ({used[1]} used)' if used else ''}; allow more with memory_limit= (--memory), or use "
            "fewer threads with threads="
        )
    return _about_csv(message, scans) or _about_other_files(message, scans) or EngineError(_first_line(message))


def _first_line(message: str) -> str:
    return "DuckDB could not do it: " + message.split("\n")[0].strip()[:300]


def _about_csv(message: str, scans: Scans) -> FileError | None:
    found = _CSV_FILE.search(message)
    if found is None:
        return None
    file = found[1]
    name = scans.called(file)
    if "reached an invalid state" in message:
        return FileError(
            f"{name} mixes several kinds of line ends; write it with one (tr -d '\\r' removes Windows' own)"
        )
    at = _CSV_LINE.search(message)
    line = int(at[1]) if at else 1
    if width := _CSV_WIDTH.search(message):
        return FileError(_ragged(file, name, line, int(width[1]), int(width[2]), scans))
    if "unterminated quote" in message:
        return FileError(f"{name}, line {line}: a quoted field does not end as it should; check the quotes there")
    if "utf-8" in message:
        return FileError(not_utf8(name, None, line))
    if "aximum line size" in message:
        return FileError(f"{name}, near line {line}, {_LONG_LINE}")
    return FileError(f"{name}, line {line} cannot be read; check the quotes and the number of fields there")


def _ragged(file: str, name: str, line: int, expected: int, found: int, scans: Scans) -> str:
    delimiter, count = ",", 1
    heading = _heading(file, scans)
    if heading is not None:
        delimiter, count = heading.delimiter, _ragged_rows(file, heading)
    return (
        f"{name}: {plural(count, 'row')} without {plural(expected, 'field')} as in the heading (e.g. line {line} has "
        f"{found}); quote fields that hold a {delimiter!r}"
    )


def _heading(file: str, scans: Scans) -> Heading | None:
    import duckdb

    from clusterscore.read.scan import read_heading

    with duckdb.connect() as connection:
        return read_heading(connection, file, scans.files.get(file, "csv"), scans.called)


def _ragged_rows(file: str, heading: Heading) -> int:
    """How many there are, by reading the file once more."""
    import duckdb

    with duckdb.connect() as connection:
        connection.sql(f"SELECT count(*) FROM {heading.read([file], ', store_rejects=true')}").fetchall()
        counted = connection.sql("SELECT count(DISTINCT line) FROM reject_errors WHERE error_type LIKE '%COLUMNS'")
        return max(1, int(counted.fetchall()[0][0]))


def _about_other_files(message: str, scans: Scans) -> FileError | None:
    if found := _JSON.search(message):
        file, reason = found[1], found[3].split(". Try")[0].strip(" .")
        if twice := _TWICE.search(reason):
            return FileError(f"{scans.called(file)}, line {found[2]} has the key {twice[1]!r:.60} twice; write it once")
        what = "a JSON object" if "Expected OBJECT" in reason else "JSON"
        return FileError(
            f"{scans.called(file)}, line {_bad_line(file, int(found[2]))} is not {what}: {reason}; write one object a "
            'line, or say format="json" if it is one list'
        )
    named = [file for file in scans.files if file in message]
    alone = named or list(scans.files) * (len(scans.files) == 1)
    if alone and _ZSTD.search(message):
        return broken_archive(alone[0])
    if alone and scans.files[alone[0]] == "parquet" and _PARQUET.search(message):
        return FileError(
            f'{scans.called(alone[0])} is no whole Parquet file; write or copy it again, or say format="..."'
        )
    if alone and "does not support a full read" in message:
        return FileError(f"{scans.called(alone[0])} {_LONG_LINE}")
    if named or (alone and "IO Error" in message):
        return FileError(f"cannot read {scans.called(alone[0])}: {message.split(chr(10))[0].strip()[:200]}")
    return None


def _bad_line(file: str, near: int) -> int:
    """DuckDB does not count empty lines, and sometimes counts one too many."""
    try:
        with decompressed(file) as lines:
            filled = ((k, line) for k, line in enumerate(lines, 1) if line.strip())
            for number, line in islice(filled, max(0, near - 3), near + 1):
                if not _is_object(line):
                    return number
    except (ClusterscoreError, OSError, EOFError):
        pass
    return near


def _is_object(line: bytes) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False
