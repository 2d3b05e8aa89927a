"""Engines: counting where the data lies, on polars, DuckDB, Spark and torch; the same integers as counting arrays."""

from __future__ import annotations

import os
from typing import Any, Literal, NamedTuple, get_args

EngineName = Literal["auto", "arrays", "duckdb", "spark"]
ENGINE_NAMES: tuple[str, ...] = get_args(EngineName)


class Limits(NamedTuple):
    """What DuckDB may use."""

    memory_limit: str | None = None
    temp_directory: str | os.PathLike[str] | None = None
    threads: int | None = None


class TableColumns(NamedTuple):
    """Which column holds what; in two tables ``element`` and ``cluster`` have those names unless others are given."""

    gold: str = "gold"
    pred: str = "pred"
    document: str | None = None
    element: str | None = None
    cluster: str | None = None
    defaults: bool = False  # use columns called document and element where none are named

    @property
    def requested(self) -> list[Any]:
        """All columns that may be asked for."""
        return [*(name for name in self[:-1] if name is not None), "document", "element", "cluster"]
