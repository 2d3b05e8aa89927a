"""Engines: counting where the data lies, on polars, DuckDB, Spark and torch; the same integers as counting arrays."""

from __future__ import annotations

import os
from typing import Any, Literal, NamedTuple, get_args

from clusterscore.read.columns import USUAL
from clusterscore.read.file import ReadOptions

EngineName = Literal["auto", "arrays", "duckdb", "spark"]
ENGINE_NAMES: tuple[str, ...] = get_args(EngineName)


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
