"""In memory or in an engine: decided here, for functions and commands alike."""

from __future__ import annotations

from typing import Any

from clusterscore.read.file import File
from clusterscore.read.formats import TABLES, by_name
from clusterscore.read.guess import file_given
from clusterscore.read.source import Source

LARGE = 1 << 23  # bytes: tables above this are counted in DuckDB, smaller ones in memory
_LIBRARIES = ("duckdb", "_duckdb", "pyspark")  # whose tables are not read into memory


def stays_in_place(given: Any) -> bool:
    """Whether a side is not read: a table of a database or a cluster, a lazy one, or a large one in a file."""
    if (file := file_given(given)) is not None:
        return are_large([file])
    return type(given).__name__ == "LazyFrame" or type(given).__module__.partition(".")[0] in _LIBRARIES


def are_large(files: list[File]) -> bool:
    """Whether files are tables that DuckDB counts faster than Python reads them."""
    if any((file.format or by_name(file.name)) not in TABLES for file in files):
        return False
    sources = [Source(path) for path in dict.fromkeys(file.name for file in files)]
    return not any(source.is_stream for source in sources) and sum(source.size() for source in sources) > LARGE
