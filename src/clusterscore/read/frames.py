"""Frames in memory: elements and their clusters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from clusterscore.exceptions import InputError, InputTypeError
from clusterscore.read.arrays import column, python_values
from clusterscore.read.clustering import Clustering
from clusterscore.read.columns import choose_columns, refusal
from clusterscore.read.file import COLUMNS, ReadOptions
from clusterscore.read.guess import splink_table
from clusterscore.requirements import TooOld, check_frame_library, check_version

if TYPE_CHECKING:
    import narwhals as nw


def from_frame(frame: Any, element: str | None, cluster: str | None, document: str | None) -> Clustering:
    """A column of elements and one of clusters; see :meth:`Clustering.from_frame`."""
    table = opened_frame(frame)
    options = ReadOptions(element=element, cluster=cluster, document=document)
    columns = choose_columns("the frame", table.columns, options, [cluster])
    if message := refusal({None: columns}):
        columns_named = " (Clustering.from_frame takes that; a column alone, frame[...], is labels by position)"
        raise InputError(message, columns_named if message.parameters & set(COLUMNS) else "")
    made = of_column(
        column(table[columns.clusters[0]]),
        elements=one_id([column(table[name]) for name in columns.element]),
        documents=None if columns.document is None else column(table[columns.document]),
    )
    made.origin = made.origin._replace(taken=columns.taken)
    return made


def of_column(labels: Any, *, elements: Any = None, documents: Any = None) -> Clustering:
    """A column of a table, which has a label in every row, or in every row a list of labels."""
    first = next((label for label in labels if label is not None), None) if isinstance(labels, list) else None
    lists = isinstance(first, list | set | frozenset | np.ndarray)
    make = Clustering.from_memberships if lists else Clustering.from_labels
    return make(labels, elements=elements, documents=documents)


def opened_frame(frame: Any) -> nw.DataFrame[Any]:
    """A frame of any library, as narwhals has it."""
    import narwhals as nw

    check_version("narwhals", nw.__version__)
    try:
        table = nw.from_native(splink_table(frame))
        check_frame_library(table.implementation.value)
        if isinstance(table, nw.LazyFrame) and table.implementation.is_duckdb():
            table = table.collect()
        if isinstance(table, nw.DataFrame) and table.columns is not None:
            return table
        error: Exception = TypeError("it is not in memory yet")
    except TooOld:
        raise
    except (TypeError, ValueError, ImportError, nw.exceptions.NarwhalsError, UserWarning) as raised:
        error = raised
    hint = "collect() it first" if hasattr(frame, "collect") else "pass a frame of pandas, polars or pyarrow"
    raise InputTypeError(f"cannot read this {type(frame).__name__}: {' '.join(str(error).split())}; {hint}")


def one_id(parts: Sequence[Any]) -> Any:
    """A column of ids; where they have two parts, as Splink's, each is a pair; None where there are none."""
    return list(zip(*map(python_values, parts), strict=True)) if len(parts) > 1 else parts[0] if parts else None
