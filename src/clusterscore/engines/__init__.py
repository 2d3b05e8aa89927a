"""Engines: counting where the data lies, on polars, DuckDB, Spark and torch; the same integers as counting arrays.

What is read into memory, and what stays where it is, is decided here, for functions and commands alike.
"""

from __future__ import annotations

import os
from typing import Any, Literal, NamedTuple, get_args

from clusterscore.read.columns import USUAL
from clusterscore.read.file import File, ReadOptions
from clusterscore.read.formats import TABLES, by_name
from clusterscore.read.guess import file_given
from clusterscore.read.source import Source

EngineName = Literal["auto", "arrays", "duckdb", "spark"]
ENGINE_NAMES: tuple[str, ...] = get_args(EngineName)
LARGE = 1 << 23  # bytes: tables above this are counted in DuckDB, smaller ones in memory
_LIBRARIES = ("duckdb", "_duckdb", "pyspark")  # whose tables are not read into memory


class Limits(NamedTuple):
    """What DuckDB may use."""

    memory_limit: str | None = None
    temp_directory: str | os.PathLike[str] | None = None
    threads: int | None = None


class TableSides(NamedTuple):
    """How the sides are read, each from its own table, or both from one, where only their clusters differ."""

    gold: ReadOptions
    pred: ReadOptions
    usual: bool = False  # use columns called document and element where none are named
    sources: tuple[str, str] | None = None  # the files of two tables

    @property
    def requested(self) -> list[Any]:
        """All columns that may be asked for."""
        named = (name for side in self[:2] for name in (side.element, side.cluster, side.document) if name is not None)
        return [*named, *USUAL, "gold", "pred", "1", "2"]


def stays_in_place(given: Any) -> bool:
    """Whether a side is not read: a table of a database or a cluster, a lazy one, or a large one in a file."""
    if (file := file_given(given)) is not None:
        return are_large([file])
    return type(given).__name__ == "LazyFrame" or type(given).__module__.partition(".")[0] in _LIBRARIES


def are_large(files: list[File]) -> bool:
    """Whether files are tables that DuckDB counts faster than Python reads them; it knows no weights."""
    if any((file.format or by_name(file.name)) not in TABLES or file.grade is not None for file in files):
        return False
    sources = [Source(path) for path in dict.fromkeys(file.name for file in files)]
    return not any(source.is_stream for source in sources) and sum(source.size() for source in sources) > LARGE
