"""Frames in memory: elements and their clusters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from clusterscore.exceptions import InputError, InputTypeError, nearest
from clusterscore.read.arrays import column, python_values
from clusterscore.read.clustering import Clustering
from clusterscore.read.objects import splink_table
from clusterscore.requirements import check_version

if TYPE_CHECKING:
    import narwhals as nw

_CLUSTERS = {"element": "unique_id", "cluster": "cluster_id"}  # as Splink calls them
_PAIRS = {"unique_id_l", "unique_id_r", "match_probability"}
SOURCE = "source_dataset"  # Splink's ids may repeat in another data set


def from_frame(frame: Any, element: str | None, cluster: str | None, document: str | None) -> Clustering:
    """A column of elements and one of clusters; see :meth:`Clustering.from_frame`."""
    table = opened_frame(frame)
    names = table.columns
    chosen, sources = {"element": element or "element", "cluster": cluster or "cluster"}, None
    if element is None and cluster is None and chosen["element"] not in names:
        if set(names) >= _PAIRS:
            raise InputError(
                "the frame has pairs with a match_probability, and no clusters; cs.sweep(gold, edges=frame) scores "
                "every threshold, Clustering.from_predictions(frame, threshold=0.9, elements=all_ids) is one"
            )
        if set(_CLUSTERS.values()) <= set(names):
            chosen, sources = dict(_CLUSTERS), SOURCE if SOURCE in names else None
    if document is not None or "document" in names:
        chosen["document"] = document or "document"
    _check(names, chosen)
    return of_column(
        column(table[chosen["cluster"]]),
        elements=_ids(table, chosen["element"], sources),
        documents=column(table[chosen["document"]]) if "document" in chosen else None,
    )


def of_column(labels: Any, *, elements: Any = None, documents: Any = None) -> Clustering:
    """A column of a table, which has a label in every row, or in every row a list of labels."""
    first = next((each for each in labels if each is not None), None) if isinstance(labels, list) else None
    lists = isinstance(first, list | set | frozenset | np.ndarray)
    make = Clustering.from_memberships if lists else Clustering.from_labels
    return make(labels, elements=elements, documents=documents)


def opened_frame(frame: Any) -> nw.DataFrame[Any]:
    """A frame of any library, as narwhals has it."""
    import narwhals as nw

    check_version("narwhals", nw.__version__)
    try:
        table = nw.from_native(splink_table(frame))
        if isinstance(table, nw.LazyFrame) and table.implementation.is_duckdb():
            table = table.collect()
        if isinstance(table, nw.DataFrame) and table.columns is not None:
            return table
        error: Exception = TypeError("it is not in memory yet")
    except (TypeError, ValueError, ImportError, nw.exceptions.NarwhalsError, UserWarning) as raised:
        error = raised
    hint = "collect() it first" if hasattr(frame, "collect") else "pass a frame of pandas, polars or pyarrow"
    raise InputTypeError(f"cannot read this {type(frame).__name__}: {' '.join(str(error).split())}; {hint}")


def _check(names: list[str], chosen: Mapping[str, str]) -> None:
    for role, name in chosen.items():
        if name not in names:
            raise InputError(
                f"the frame has no column {name!r} for the {role}s, {nearest(str(name), map(str, names))}; "
                f"Clustering.from_frame(frame, {role}=...) names it; a column alone, frame[...], is labels by position"
            )


def _ids(table: nw.DataFrame[Any], name: str, source: str | None) -> Any:
    """A column of ids, each with the data set that it comes from where there are several."""
    values: Any = column(table[name])
    return (
        values
        if source is None
        else list(zip(python_values(column(table[source])), python_values(values), strict=True))
    )
