"""What DuckDB complains about, in our words: one line that says what is wrong, where, and what to do."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING

from clusterscore.exceptions import ClusterscoreError, EngineError, FileError
from clusterscore.messages import Message, Option
from clusterscore.nouns import plural
from clusterscore.read.duckdb_queries import OWN, TableFile, read_heading
from clusterscore.read.source import NOT_UTF8, broken_archive, long_row

if TYPE_CHECKING:
    import duckdb

_CSV_LINE = re.compile(r"CSV Error on Line: (\d+)")
_CSV_FILE = re.compile(r"^  file = (.*)$", re.MULTILINE)
_CSV_WIDTH = re.compile(r"Expected Number of Columns: (\d+) Found: (\d+)")
_JSON = re.compile(r'JSON .*?in file "(.*?)",.*? in line (\d+): (.*)')
_TWICE = re.compile(r'has duplicate key "(.*)"')
_ZSTD = re.compile(r"Unknown frame descriptor|zstd", re.IGNORECASE)
_PARQUET = re.compile(
    "magic bytes|Parquet|TProtocol|TType|thrift|don't know what type|out of buffer|corrupt|compress|GZIP|zstd|unicode",
    re.I,
)
_NO_ROOM = re.compile(r"No space left on device|max_temp_directory_size|Disk quota exceeded|not enough space", re.I)
_LONG_ROW = "aximum line size"
_ABOUT_CSV = {  # what a message of DuckDB's holds -> ours
    "reached an invalid state": "{} mixes several kinds of line endings; write it with one "
    "(tr -d '\\r' removes Windows' own)",
    "unterminated quote": "{}, line {}: a quoted field does not end as it should; check the quotes there",
    "utf-8": NOT_UTF8.replace("{}line", "line"),
    _LONG_ROW: "{}, near line {},",
    "": "{}, line {} cannot be read; check the quotes and the number of fields there",
}


def complaint(error: duckdb.Error, folder: str, files: Mapping[str, TableFile]) -> ClusterscoreError:
    """An error of ours for one of DuckDB's, which spills to ``folder`` and reads ``files``."""
    import duckdb

    message = str(error)
    if OWN in message:
        return FileError(message.partition(OWN)[2].split("\n")[0])
    if _NO_ROOM.search(message):
        return EngineError(
            f"the disk with {folder!r} is full, where data goes that does not fit memory; name a folder on a "
            "larger disk with ",
            Option("temp_directory"),
            ", or allow more memory with ",
            Option("memory_limit"),
        )
    if isinstance(error, duckdb.OutOfMemoryException):
        used = re.search(r"\(([^()]*) used\)", message)
        return EngineError(
            f"out of memory{f' ({used[1]} used)' if used else ''}; allow more with ",
            Option("memory_limit"),
            ", or use fewer threads with ",
            Option("threads"),
        )
    what = _about_csv(message, files) or _about_json(message, files) or _about_file(message, files)
    return FileError(what) if what else EngineError(f"DuckDB could not do it: {message.strip().splitlines()[0][:300]}")


def _about_csv(message: str, files: Mapping[str, TableFile]) -> Message | str | None:
    matched = _CSV_FILE.search(message)
    if matched is None or matched[1] not in files:
        return None
    file = matched[1]
    at = _CSV_LINE.search(message)
    line = int(at[1]) if at else 1
    if width := _CSV_WIDTH.search(message):
        delimiter, count = _ragged_rows(file, files[file])
        where = "heading" if files[file].header else "first line"
        return (
            f"{files[file].called}: {plural(count, 'row')} without {plural(int(width[1]), 'field')} as in the {where} "
            f"(e.g. line {line} has {width[2]}); quote fields that hold a {delimiter!r}"
        )
    sign = next(sign for sign in _ABOUT_CSV if sign in message)
    words = _ABOUT_CSV[sign].format(files[file].called, line)
    return long_row(words) if sign == _LONG_ROW else words


def _ragged_rows(file: str, given: TableFile) -> tuple[str, int]:
    """The delimiter of a file, and how many rows have another width than its heading, by reading it once more."""
    import duckdb

    with duckdb.connect() as connection:
        heading, count = read_heading(connection, file, given), 1
        assert heading is not None  # which the row differs from
        with suppress(duckdb.Error):  # a row that is broken in another way stops it
            connection.sql(f"SELECT count(*) FROM {heading.read([file], ', store_rejects=true')}").fetchall()
            counted = connection.sql("SELECT count(DISTINCT line) FROM reject_errors WHERE error_type LIKE '%COLUMNS'")
            count = max(1, int(counted.fetchall()[0][0]))
        return heading.delimiter, count


def _about_json(message: str, files: Mapping[str, TableFile]) -> Message | str | None:
    matched = _JSON.search(message)
    if matched is None or matched[1] not in files:
        return None
    file, line, reason = matched[1], int(matched[2]), matched[3].split(". Try")[0].strip(" .")
    if twice := _TWICE.search(reason):
        return f"{files[file].called}, line {line} has the key {twice[1]!r:.60} twice; write it once"
    # DuckDB does not count empty lines, and sometimes counts one too many
    with suppress(OSError), open(file, "rb") as lines:
        filled = ((k, text) for k, text in enumerate(lines, 1) if text.strip())
        near = islice(filled, max(0, line - 3), line + 1)
        line = next((k for k, text in near if not _is_object(text)), line)
    what = "a JSON object" if "Expected OBJECT" in reason else "JSON"
    return Message(
        f"{files[file].called}, line {line} is not {what}: {reason}; write one object per line, or pass ",
        Option("format", "json"),
        " if it is one list",
    )


def _is_object(line: bytes) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def _about_file(message: str, files: Mapping[str, TableFile]) -> Message | str | None:
    if "does not support a full read" in message:  # of which file, it does not say
        names = dict.fromkeys(table.called for table in files.values() if table.form in ("csv", "tsv"))
        return long_row(" or ".join(names), ", or as many empty lines")
    named = [file for file in files if file in message]
    if not named and len(files) != 1:
        return None
    table = next(table for file, table in files.items() if not named or file == named[0])
    form, name = table.form, table.called
    if form == "parquet" and _PARQUET.search(message):
        return Message(
            f"{name} is not a complete Parquet file; write or copy it again, or pass ", Option("format", "...")
        )
    if _ZSTD.search(message):
        return broken_archive(name, ".zst")
    if named or "IO Error" in message:
        return f"cannot read {name}: {message.strip().splitlines()[0][:200]}"
    return None
