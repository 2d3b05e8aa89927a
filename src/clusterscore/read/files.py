"""Files people have, each read as what it is.

What a text file holds is text, so labels and ids are strings, whatever they look like: ``1`` in a JSON file and ``1``
in a CSV file are the same element. An empty cell and a JSON ``null`` are no label. Parquet keeps its types; where its
ids are integers and those of the other side come from a text file, they become text too.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from clusterscore.distinct import Array
from clusterscore.exceptions import ElementMismatch, FileError, nearest, plural
from clusterscore.read import lines
from clusterscore.read.clustering import Clustering
from clusterscore.read.duck import Session, exact_columns
from clusterscore.read.formats import TABLES, form_of
from clusterscore.read.json_file import read_json, scalars
from clusterscore.read.rttm import STEP, one_diarization, read_recordings, two_diarizations
from clusterscore.read.scan import quoted
from clusterscore.read.source import Source, naming, refuse_second_reading

Path = str | os.PathLike[str]
Values = list[Any] | Array


class ColumnNames(NamedTuple):
    """Which column holds what; None where the user did not say."""

    element: str | None = None
    cluster: str | None = None
    document: str | None = None


NO_COLUMNS = ColumnNames()


class FileTable(NamedTuple):
    """A table of a file: the names of its columns, and a way to get some of them."""

    called: str
    names: Sequence[str]
    take: Callable[[Iterable[str]], Mapping[str, Values]]


# a text, what messages call its file, the columns that the user named, and the length of a frame
READERS: dict[str, Callable[[str, str, ColumnNames, float], Clustering]] = {
    "json": lambda text, called, columns, _: _from_json(text, called, columns),
    "labels": lambda text, called, *_: lines.labels(text, called),
    "clusters": lambda text, called, *_: lines.clusters(text, called),
    "elements": lambda text, called, *_: lines.elements(text, called),
    "links": lambda text, called, *_: lines.links(text, called),
    "lengths": lambda text, called, *_: lines.one_segmentation(lines.read_streams(text, called, "lengths")),
    "boundaries": lambda text, called, *_: lines.one_segmentation(lines.read_streams(text, called, "boundaries")),
    "rttm": lambda text, called, _, step: one_diarization(read_recordings(text, called, step)),
}


def read_clustering(
    path: Path, columns: ColumnNames = NO_COLUMNS, form: str | None = None, step: float = STEP
) -> Clustering:
    """One clustering from a file, or from standard input (``-``)."""
    source = Source(path)
    with Session(ordered=True) as session:
        made = _clustering(session, source, form_of(source, form, any(columns)), columns, step)
    return _signed(made, form)


def read_two(
    gold: Path,
    pred: Path,
    columns: ColumnNames = NO_COLUMNS,
    form: str | None = None,
    step: float = STEP,
    missing: str = "error",
) -> tuple[Clustering, Clustering]:
    """Gold and prediction from two files; what one of them is may depend on the other.

    ``missing`` is the policy that both will be scored with: under ``"error"`` every recording must be on both sides.
    """
    refuse_second_reading([gold, pred])
    files = [(source, form_of(source, form, any(columns))) for source in map(Source, (gold, pred))]
    forms = {kind for _, kind in files}
    if forms == {"rttm"}:
        heard = [read_recordings(source.text(), source.called, step) for source, _ in files]
        left, right = two_diarizations(heard[0], heard[1], missing)
    elif forms <= {"lengths", "boundaries"}:
        left, right = lines.two_segmentations(
            *(lines.read_streams(source.text(), source.called, kind) for source, kind in files)
        )
    else:
        with Session(ordered=True) as session:
            left, right = (_clustering(session, source, kind, columns, step) for source, kind in files)
        if (left.ids is None) != (right.ids is None):
            raise ElementMismatch(_position_and_id(files, (left, right)))
        left, right = _alike(left, right, both_typed=forms == {"parquet"})
    return _signed(left, form), _signed(right, form)


def read_both(
    path: Path, gold: str, pred: str, columns: ColumnNames = NO_COLUMNS, form: str | None = None
) -> tuple[Clustering, Clustering]:
    """Gold and prediction from two columns of one file."""
    with Session(ordered=True) as session:
        rows = _table(session, path, form, {gold, pred, *columns}, 'say format="csv"')
        left, right = _clusterings(rows, columns, [gold, pred])
    return _signed(left, form), _signed(right, form)


def read_column(path: Path, name: str, form: str | None = None) -> list[Any]:
    """One column of a table, in the order of its rows."""
    with Session(ordered=True) as session:
        rows = _table(session, path, form, {name}, "take a table, such as a CSV file")
        _check_column(rows, name, named={name})
        values = rows.take([name])[name]
    return values.tolist() if isinstance(values, np.ndarray) else values


def _table(session: Session, path: Path, form: str | None, requested: Iterable[str | None], remedy: str) -> FileTable:
    source = Source(path)
    kind = form_of(source, form, has_columns=True)
    if kind in TABLES:
        return _duckdb_table(session, source, kind, requested)
    if kind != "json":
        raise FileError(f"{source.called} is read as {kind}, which has no columns; {remedy}")
    made = read_json(source.text(), source.called)
    if isinstance(made, Clustering):
        raise FileError(f'{source.called} has no columns: it is not a list of objects such as {{"element": ..}}')
    return _json_table(made, source.called)


def _clustering(session: Session, source: Source, form: str, columns: ColumnNames, step: float) -> Clustering:
    if form in TABLES:
        return _clusterings(_duckdb_table(session, source, form, columns), columns)[0]
    return READERS[form](source.text(), source.called, columns, step)


def _from_json(text: str, called: str, columns: ColumnNames) -> Clustering:
    made = read_json(text, called, columns.element or "element", columns.cluster or "cluster")
    return made if isinstance(made, Clustering) else _clusterings(_json_table(made, called), columns)[0]


def _json_table(columns: Mapping[str, list[Any]], called: str) -> FileTable:
    return FileTable(called, list(columns), lambda names: {name: scalars(columns[name], called) for name in names})


def _duckdb_table(session: Session, source: Source, form: str, requested: Iterable[str | None]) -> FileTable:
    relation = session.table(source, form, {*requested, *ColumnNames._fields})
    types = dict(zip(relation.columns, map(str, relation.types), strict=True))

    def take(names: Iterable[str]) -> Mapping[str, Values]:
        for name in names:
            if types[name].endswith("]") or types[name].startswith(("STRUCT", "MAP", "UNION")):
                raise FileError(
                    f"{source.called}: column {name!r} holds {types[name].split('(')[0]} values; a label or an id is a "
                    "single value: name another column"
                )
        chosen = relation.project(", ".join(map(quoted, names)))
        return exact_columns(chosen, lambda each: session.fetch(each, f"reading {source.called}", source.path))

    return FileTable(source.called, relation.columns, take)


def _clusterings(rows: FileTable, columns: ColumnNames, sides: Sequence[str] = ()) -> list[Clustering]:
    """One clustering from a column of elements and one of clusters, or one from each of the columns ``sides``.

    Where sides are named, a table needs no column of elements: each row is one.
    """
    element = columns.element or ("element" if "element" in rows.names or not sides else None)
    document = columns.document or ("document" if "document" in rows.names else None)
    clusters = sides or [columns.cluster or "cluster"]
    chosen = dict.fromkeys(each for each in (element, *clusters, document) if each is not None)
    for each in chosen:
        _check_column(rows, each, named={*columns, *sides})
    values = rows.take(chosen)
    if not len(values[clusters[0]]):
        raise FileError(f"{rows.called} has a heading and no rows: there is nothing to score")
    ids = None if element is None else _filled(values[element], element, rows.called)
    documents = None if document is None else _filled(values[document], document, rows.called)
    with naming(rows.called):
        return [Clustering.from_labels(values[each], elements=ids, documents=documents) for each in clusters]


def _check_column(rows: FileTable, column: str, named: Collection[str | None]) -> None:
    """Refuse a column that is not there, whether the user has named it or not."""
    if column in rows.names:
        return
    if column in named:
        raise FileError(f"{rows.called} has no column {column!r}: {nearest(column, rows.names)}")
    raise FileError(
        f"{rows.called} has no column {column!r}; it has {', '.join(map(repr, rows.names))}: "
        f'name the one to use with {column}="..."'
    )


def _filled(values: Values, column: str, called: str) -> Values:
    if isinstance(values, np.ma.MaskedArray):
        missing = np.flatnonzero(np.ma.getmaskarray(values)).tolist()
    elif isinstance(values, np.ndarray):
        return values
    else:
        missing = [k for k, value in enumerate(values) if value is None]
    if missing:
        raise FileError(
            f"{called}: {plural(len(missing), 'row')} without a value in column {column!r} (e.g. row "
            f"{missing[0] + 1}); fill it in or remove the row"
        )
    return values.data if isinstance(values, np.ma.MaskedArray) else values


def _signed(made: Clustering, form: str | None) -> Clustering:
    """A format that the user chose is part of the signature."""
    if form is not None:
        made.options = {**made.options, "format": form}
    return made


def _position_and_id(files: Sequence[tuple[Source, str]], sides: Sequence[Clustering]) -> str:
    ways = " and ".join(
        f"{source.called}, read as {form}, goes by {'position' if made.ids is None else 'element id'}"
        for (source, form), made in zip(files, sides, strict=True)
    )
    return f'{ways}, so they cannot be matched; give both the same way, or say format="..."'


def _alike(gold: Clustering, pred: Clustering, both_typed: bool) -> tuple[Clustering, Clustering]:
    """Integer ids and documents become text where the other side's are, unless both sides chose their type."""
    kinds = _kind(gold.ids), _kind(pred.ids)
    if both_typed and set(kinds) == {"text", "integers"}:
        raise ElementMismatch(
            f"the element ids are {kinds[0]} in gold and {kinds[1]} in pred, so none would match; write them as the "
            "same type in both files"
        )
    for side, other in ((gold, pred), (pred, gold)):
        if _kind(side.ids) == "integers" and _kind(other.ids) == "text":
            side.ids = list(map(str, np.asarray(side.ids).tolist()))
        if side.documents is None or other.documents is None:
            continue
        names = side.documents.names
        if _kind(names) == "integers" and _kind(other.documents.names) == "text":
            side.documents = replace(side.documents, names=[str(side.documents.name(k)) for k in range(len(names))])
    return gold, pred


def _kind(values: Sequence[Any] | Array | None) -> str:
    """What ids or names are; one column is of one type."""
    if values is None or not len(values):
        return "nothing"
    first = values[0]
    return "text" if isinstance(first, str) else "integers" if isinstance(first, int | np.integer) else "other"
