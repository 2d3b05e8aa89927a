"""Tables of pairs with a score or a label: columns in memory, whatever holds them, or in files, which DuckDB reads."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from clusterscore.distinct import Array, Ints, distinct
from clusterscore.exceptions import FileError, InputError, InputTypeError
from clusterscore.nouns import noun, plural
from clusterscore.read.arrays import as_vector, column, joined, listed, members_of, numbers, python_values
from clusterscore.read.duckdb_connection import Session
from clusterscore.read.duckdb_queries import quoted
from clusterscore.read.label_sets import numbered_elements
from clusterscore.read.labels import encode, shortened
from clusterscore.read.source import Source
from clusterscore.read.tables import one_id, opened_frame
from clusterscore.read.texts import Texts

NULL = -1  # in the place of an element without an id


class ScoredPairs(NamedTuple):
    """Two elements and a score, or a label and its weight, in each row; a pair may come again, either way round."""

    left: Ints  # the number of an element
    right: Ints
    score: Array  # float64; the higher, the more alike the two are; of a label its weight
    elements: Sequence[Any] | Array  # the id of each, once
    label: Sequence[Any] = ()


class PairTable(NamedTuple):
    """Where pairs are: what messages call it, its columns, the number of its first row, and a way to read it.

    ``read`` takes the columns of the left ids, those of the right ones, the one of scores (or none: they are 1), and
    the one of labels (or none).
    """

    called: str
    names: Sequence[str]
    first_row: int
    read: Callable[[Sequence[str], Sequence[str], str | None, str | None], ScoredPairs]
    value: str = "score"  # what each pair has


def in_memory(edges: Any, called: str = "edges", value: str = "score") -> PairTable:
    """A frame, a mapping of columns or of pairs, triples, dedupe's scores, a graph of networkx.

    Tuples have two elements and a ``value``, which may be a label and its weight.
    """
    columns = _columns_of(edges, called, ("left", "right", value, *(["weight"] if value == "label" else [])))
    if columns is not None:
        return PairTable(called, list(columns), 0, lambda *names: _numbered(columns.__getitem__, *names), value)
    frame = opened_frame(edges)
    return PairTable(
        "the frame", frame.columns, 0, lambda *names: _numbered(lambda name: column(frame[name]), *names), value
    )


def _columns_of(edges: Any, called: str, names: Sequence[str]) -> Mapping[str, Any] | None:
    """The columns that hold pairs; None for a frame, which has them itself."""
    library = type(edges).__module__.partition(".")[0]
    if (
        library == "pandas" and edges.ndim == 1 and getattr(getattr(edges, "index", None), "nlevels", 1) == 2
    ):  # as of recordlinkage
        return {
            "left": list(edges.index.get_level_values(0)),
            "right": list(edges.index.get_level_values(1)),
            names[2]: edges,
        }
    if library == "networkx" and hasattr(edges, "nodes"):
        return _triples(edges.edges(data="weight"), called, names)
    if isinstance(edges, Mapping):
        by_pair = bool(edges) and all(isinstance(key, tuple) for key in edges)
        return _triples([(*pair, value) for pair, value in edges.items()], called, names) if by_pair else edges
    if not isinstance(edges, np.ndarray):
        return _triples(edges, called, names) if library == "builtins" else None
    if edges.dtype.names:
        columns = {name: edges[name] for name in edges.dtype.names}
        if "pairs" in columns and columns["pairs"].ndim == 2:  # dedupe's scores
            columns["left"], columns["right"] = columns.pop("pairs").T
        return columns
    if edges.ndim != 2 or not 3 <= edges.shape[1] <= len(names):
        linkage = "; a linkage goes without edges=" if edges.ndim == 2 and edges.shape[1] == 4 else ""
        shape = " x ".join(map(str, edges.shape))
        raise InputError(
            f"{called} is an array of {shape}; pass three columns: two {noun('elements')} and a {names[2]}{linkage}"
        )
    return dict(zip(names, edges.T, strict=False))


def _triples(edges: Any, called: str, names: Sequence[str]) -> Mapping[str, Any]:
    given = None if isinstance(edges, str | bytes) else listed(edges)
    if given is None:
        raise InputTypeError(
            f"{called} is {shortened(edges)}; pass a frame, a file or a list of triples (a, b, {names[2]})"
        )
    members = list(map(members_of, given))
    long = max([3, *(len(row) for row in members if row is not None and len(row) <= len(names))])
    rows = [row for row in members if row is not None and len(row) == long]
    if len(rows) < len(given):
        bad = next(k for k, row in enumerate(members) if row is None or len(row) != long)
        kind, example, more = ("scored", "0.9", "") if names[2] == "score" else ("labelled", '"match"', " and a weight")
        raise InputError(
            f"{plural(len(given) - len(rows), f'{kind} pair')} not made of two {noun('elements')} and a "
            f"{names[2]}{more * (long > 3)} (e.g. pair {bad}: {shortened(given[bad])}); write pairs as (a, b, "
            f"{example})"
        )
    return {name: [row[k] for row in rows] for k, name in enumerate(names[:long])}


def _numbered(
    take: Callable[[str], Any], left: Sequence[str], right: Sequence[str], score: str | None, label: str | None
) -> ScoredPairs:
    """The pairs in columns of ids, which may have several parts each, with their elements numbered."""
    values = [name for name in (score, label) if name is not None]
    vectors = {name: as_vector(take(name), name) for name in (*left, *right, *values)}
    count = len(vectors[left[0]])
    if any(len(vector) != count for vector in vectors.values()):
        lengths = ", ".join(f"{len(vector):,} in {name!r}" for name, vector in vectors.items())
        raise InputError(f"the columns of the pairs differ in length: {lengths}; give each pair one of each")
    given_ids = [
        joined(vectors[left_name], vectors[right_name]) for left_name, right_name in zip(left, right, strict=True)
    ]
    parts = list(map(encode, given_ids))
    element, first = numbered_elements(distinct(*((part.codes, len(part.names)) for part in parts), codes=True))
    for part in parts:
        if part.null is not None:
            element[part.codes == part.null] = NULL
    ids = [
        values[first] if isinstance(values, Texts) else part.take(first)[:]
        for values, part in zip(given_ids, parts, strict=True)
    ]
    scores = np.ones(count)
    if score is not None:
        given = vectors[score]
        if not isinstance(given, np.ndarray):
            given = [np.nan if value is None else value for value in given]
        scores = numbers(given, f"column {score!r}").astype(np.float64)
    labels = () if label is None else python_values(vectors[label])
    return ScoredPairs(element[:count], element[count:], scores, one_id(ids), labels)


def in_files(session: Session, path: str | os.PathLike[str], known: Iterable[Any], value: str = "score") -> PairTable:
    """A table in a file, or in all files of a pattern."""
    source = Source(path)
    rows = session.table(source, requested=known)
    types = dict(zip(rows.columns, map(str, rows.types), strict=True))
    reading: Any = {"label": f"reading {source.called}", "path": source.path}

    def read(left: Sequence[str], right: Sequence[str], score: str | None, label: str | None) -> ScoredPairs:
        for left_name, right_name in zip(left, right, strict=True):
            if types[left_name] != types[right_name] and "VARCHAR" in (types[left_name], types[right_name]):
                raise FileError(
                    f"{source.called} has {types[left_name]} in column {left_name!r} and {types[right_name]} in "
                    f"{right_name!r}; write the ids as one type"
                )
        ends = {f"{end}{k}": quoted(name) for end, names in (("a", left), ("b", right)) for k, name in enumerate(names)}
        cells = dict(ends)
        if score is not None:
            cells["score"] = f"coalesce(try_cast({quoted(score)} AS DOUBLE), 'nan')"
        if label is not None:
            cells["label"] = f"coalesce({quoted(label)}::VARCHAR, '')"
        pairs = session.keep(rows.project(", ".join(f"{cell} AS {name}" for name, cell in cells.items())), **reading)
        columns = {}
        for name in cells:  # one by one: as texts of Python, the ids of some million pairs would fill the memory
            (column,) = session.fetch(pairs.project(name), **reading).values()
            is_text = isinstance(column, np.ndarray) and column.dtype == object
            columns[name] = Texts.of(column) if name in ends and is_text else column
        starts, stops = list(ends)[: len(left)], list(ends)[len(left) :]
        return _numbered(columns.__getitem__, starts, stops, score and "score", label and "label")

    return PairTable(source.called, rows.columns, 1, read, value)
