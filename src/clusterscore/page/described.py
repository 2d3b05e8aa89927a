"""Tables of a page that results describe themselves: the columns that people see of them in every other output."""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby
from typing import Any, NamedTuple

from clusterscore.show.description import TEXT
from clusterscore.show.grid import MINUS
from clusterscore.show.result import Result


class Described(NamedTuple):
    """Each column as its heading and whether it has a "metric", a "name", "text" or a "number"; and groups of rows.

    A cell is its value, what people see of it, and whether it is bold. The rows of a group have their first in common.
    """

    columns: list[tuple[str, str]]
    groups: list[list[list[tuple[Any, str, bool]]]]
    grouped: bool


def described(result: Result) -> list[Described]:
    """A result as tables of a page."""
    tables = []
    for description in result.descriptions():
        known, columns = (
            list(description.rows),
            [column for column in description.columns if column.heading is not None],
        )
        grid = replace(description, rows=known).grid(result.usual_digits)
        heads, *lines = grid.lines(minus=MINUS)
        kinds = ["name" if column.is_name else "text" if column.kind is TEXT else "number" for column in columns]
        kinds = ["metric" if column.name == "metric" else kind for column, kind in zip(columns, kinds, strict=True)]
        rows = [
            [
                (column.value(row), text.replace("-", MINUS), grid.colours.get((at, k)) == "bold")
                for k, (column, text) in enumerate(zip(columns, line, strict=True))
            ]
            for at, (row, line) in enumerate(zip(known, lines, strict=True))
        ]
        alike = [list(group) for _, group in groupby(rows, lambda row: row[0][0])]
        grouped = columns[0].once
        tables.append(Described(list(zip(heads, kinds, strict=True)), alike if grouped else [rows], grouped))
    return tables
