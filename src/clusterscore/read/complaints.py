"""What DuckDB complains about, in our words: one line that says what is wrong, where, and what to do."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING

from clusterscore.exceptions import ClusterscoreError, EngineError, FileError, plural
from clusterscore.read.scan import OWN, read_heading
from clusterscore.read.source import broken_archive, not_utf8

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


def complaint(
    error: duckdb.Error, folder: str, forms: Mapping[str, str], names: Mapping[str, str]
) -> ClusterscoreError:
    """An error of ours for one of DuckDB's.

    It spills to ``folder``; ``forms`` has the format of each file that it reads, ``names`` what messages call it.
    """
    import duckdb

    message = str(error)
    if OWN in message:
        return FileError(message.partition(OWN)[2].split("\n")[0])
    if _NO_ROOM.search(message):
        return EngineError(
            f"the disk with {folder!r} is full, where data goes that does not fit memory; name a folder on a "
            "larger disk with temp_directory=, or allow more memory with memory_limit= (--memory)"
        )
    if isinstance(error, duckdb.OutOfMemoryException):
        used = re.search(r"\(([^()]*) used\)", message)
        return EngineError(
            f"out of memory{f' ({used[1]} used)' if used else ''}; allow more with memory_limit= (--memory), or use "
            "fewer threads with threads="
        )
    first_line = message.split("\n")[0].strip()
    what = _about_csv(message, forms, names) or _about_json(message, names)
    if what is None:
        named = [file for file in forms if file in message]
        alone = named or list(forms) * (len(forms) == 1)
        if alone:
            what = _about_file(message, alone[0], forms, names)
        if what is None and (named or (alone and "IO Error" in message)):
            what = f"cannot read {names[alone[0]]}: {first_line[:200]}"
    return FileError(what) if what is not None else EngineError(f"DuckDB could not do it: {first_line[:300]}")


def _about_csv(message: str, forms: Mapping[str, str], names: Mapping[str, str]) -> str | None:
    matched = _CSV_FILE.search(message)
    if matched is None:
        return None
    file = matched[1]
    name = names.get(file, repr(file))
    if "reached an invalid state" in message:
        return f"{name} mixes several kinds of line ends; write it with one (tr -d '\\r' removes Windows' own)"
    at = _CSV_LINE.search(message)
    line = int(at[1]) if at else 1
    if width := _CSV_WIDTH.search(message):
        delimiter, count = _ragged_rows(file, forms.get(file, "csv"), name)
        return (
            f"{name}: {plural(count, 'row')} without {plural(int(width[1]), 'field')} as in the heading (e.g. line "
            f"{line} has {width[2]}); quote fields that hold a {delimiter!r}"
        )
    if "unterminated quote" in message:
        return f"{name}, line {line}: a quoted field does not end as it should; check the quotes there"
    if "utf-8" in message:
        return not_utf8(name, None, line)
    if "aximum line size" in message:
        return f"{name}, near line {line}, {_LONG_LINE}"
    return f"{name}, line {line} cannot be read; check the quotes and the number of fields there"


def _ragged_rows(file: str, form: str, name: str) -> tuple[str, int]:
    """The delimiter of a file, and how many rows have another width than its heading, by reading it once more."""
    import duckdb

    with duckdb.connect() as connection:
        heading = read_heading(connection, file, form, name)
        if heading is None:
            return ",", 1
        count = 1
        with suppress(duckdb.Error):  # a row that is broken in another way stops it
            connection.sql(f"SELECT count(*) FROM {heading.read([file], ', store_rejects=true')}").fetchall()
            counted = connection.sql("SELECT count(DISTINCT line) FROM reject_errors WHERE error_type LIKE '%COLUMNS'")
            count = max(1, int(counted.fetchall()[0][0]))
        return heading.delimiter, count


def _about_json(message: str, names: Mapping[str, str]) -> str | None:
    matched = _JSON.search(message)
    if matched is None:
        return None
    file, line, reason = matched[1], matched[2], matched[3].split(". Try")[0].strip(" .")
    name = names.get(file, repr(file))
    if twice := _TWICE.search(reason):
        return f"{name}, line {line} has the key {twice[1]!r:.60} twice; write it once"
    what = "a JSON object" if "Expected OBJECT" in reason else "JSON"
    return (
        f"{name}, line {_bad_line(file, int(line))} is not {what}: {reason}; write one object a line, or say "
        'format="json" if it is one list'
    )


def _about_file(message: str, file: str, forms: Mapping[str, str], names: Mapping[str, str]) -> str | None:
    if _ZSTD.search(message):
        return broken_archive(file)
    if forms[file] == "parquet" and _PARQUET.search(message):
        return f'{names[file]} is no whole Parquet file; write or copy it again, or say format="..."'
    if "does not support a full read" in message:
        return f"{names[file]} {_LONG_LINE}"
    return None


def _bad_line(file: str, near: int) -> int:
    """DuckDB does not count empty lines, and sometimes counts one too many."""
    try:
        with open(file, "rb") as lines:
            filled = ((k, line) for k, line in enumerate(lines, 1) if line.strip())
            for number, line in islice(filled, max(0, near - 3), near + 1):
                if not _is_object(line):
                    return number
    except OSError:
        pass
    return near


def _is_object(line: bytes) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False
