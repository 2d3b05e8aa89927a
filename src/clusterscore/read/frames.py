"""Frames in memory: elements and their clusters, or pairs of elements and how likely they belong together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from clusterscore.exceptions import InputError, InputTypeError, nearest, plural
from clusterscore.read.arrays import as_vector, column, numbers
from clusterscore.read.clustering import Clustering
from clusterscore.read.links import closed
from clusterscore.read.objects import splink_table

if TYPE_CHECKING:
    import narwhals as nw

_CLUSTERS = {"element": "unique_id", "cluster": "cluster_id"}  # as Splink calls them
_PAIRS = {"left": "unique_id_l", "right": "unique_id_r", "score": "match_probability"}
_ROLES = {
    "element": "the elements",
    "cluster": "the clusters",
    "document": "the documents",
    "left": "one end of a pair",
    "right": "the other end of a pair",
    "score": "the score of a pair",
}
_SOURCE = "source_dataset"  # Splink's ids may repeat in another data set


def from_frame(frame: Any, element: str | None, cluster: str | None, document: str | None) -> Clustering:
    """A column of elements and one of clusters; see :meth:`Clustering.from_frame`."""
    table = _opened(frame)
    names = table.columns
    chosen, sources = {"element": element or "element", "cluster": cluster or "cluster"}, None
    if element is None and cluster is None and chosen["element"] not in names:
        if set(_PAIRS.values()) <= set(names):
            raise InputError(
                f"the frame has pairs with a {_PAIRS['score']}, and no clusters; make some with "
                "Clustering.from_predictions(frame, threshold=0.9, elements=all_ids)"
            )
        if set(_CLUSTERS.values()) <= set(names):
            chosen, sources = dict(_CLUSTERS), _SOURCE if _SOURCE in names else None
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


def from_predictions(
    frame: Any, threshold: float, left: str | None, right: str | None, score: str | None, elements: Iterable[Any] | None
) -> Clustering:
    """Pairs whose score is high enough, closed transitively; see :meth:`Clustering.from_predictions`."""
    table = _opened(frame)
    chosen = {role: name or _PAIRS[role] for role, name in (("left", left), ("right", right), ("score", score))}
    _check(table.columns, chosen)
    values = column(table[chosen["score"]])
    if isinstance(values, list):
        values = [np.nan if each is None else each for each in values]
    scores = numbers(values, f"column {chosen['score']!r}")
    unknown = np.isnan(scores)
    if unknown.any():
        raise InputError(
            f"{plural(int(unknown.sum()), 'pair')} without a value in column {chosen['score']!r} (e.g. row "
            f"{int(unknown.argmax())}); drop them, or write 0"
        )
    if isinstance(threshold, bool) or not isinstance(threshold, int | float | np.number) or np.isnan(threshold):
        raise InputTypeError(f"threshold is a number, the lowest {chosen['score']} of a link, not {threshold!r}")
    linked = table.filter((scores >= threshold).tolist())
    sources = f"{_SOURCE}_l", f"{_SOURCE}_r"
    named = left is None and right is None and set(sources) <= set(table.columns)
    starts = _ids(linked, chosen["left"], sources[0] if named else None)
    ends = _ids(linked, chosen["right"], sources[1] if named else None)
    return closed(starts, ends, () if elements is None else as_vector(elements, "elements"))


def _opened(frame: Any) -> nw.DataFrame[Any]:
    import narwhals as nw

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
            remedy = f"name it with {role}=..."
            if role in ("element", "cluster", "document"):
                remedy = f"Clustering.from_frame(frame, {role}=...) names it; a column alone, frame[...], is labels"
                remedy += " by position"
            raise InputError(
                f"the frame has no column {name!r} for {_ROLES[role]}, {nearest(str(name), map(str, names))}; {remedy}"
            )


def _ids(table: nw.DataFrame[Any], name: str, source: str | None) -> Any:
    """A column of ids, each with the data set that it comes from where there are several."""
    values: Any = column(table[name])
    return values if source is None else list(zip(*map(_listed, (column(table[source]), values)), strict=True))


def _listed(values: Any) -> Any:
    return values.tolist() if isinstance(values, np.ndarray) else values
