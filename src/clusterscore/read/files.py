"""Files people have, each read as what it is.

What a text file holds is text, so labels and ids are strings, whatever they look like: ``1`` in a JSON file and ``1``
in a CSV file are the same element. An empty cell and a JSON ``null`` are no label. Parquet keeps its types; where its
ids are integers and those of the other side come from a text file, they become text too.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np

from clusterscore.distinct import Array
from clusterscore.exceptions import ElementMismatch, FileError
from clusterscore.read.clustering import Clustering
from clusterscore.read.columns import NO_COLUMNS, ColumnNames, FileTable, check_column, clusterings, table_rows
from clusterscore.read.duck import Session
from clusterscore.read.formats import TABLES, form_of
from clusterscore.read.json_file import json_clustering, json_rows
from clusterscore.read.lines import (
    clusters,
    elements,
    labels,
    links,
    one_segmentation,
    read_streams,
    two_segmentations,
)
from clusterscore.read.rttm import STEP, one_diarization, read_recordings, two_diarizations
from clusterscore.read.source import Source, refuse_second_reading

Path = str | os.PathLike[str]

# a text, what messages call its file, the columns that the user named, and the length of a frame
READERS: dict[str, Callable[[str, str, ColumnNames, float], Clustering]] = {
    "json": lambda text, called, columns, _: json_clustering(text, called, columns),
    "labels": lambda text, called, *_: labels(text, called),
    "clusters": lambda text, called, *_: clusters(text, called),
    "elements": lambda text, called, *_: elements(text, called),
    "links": lambda text, called, *_: links(text, called),
    "lengths": lambda text, called, *_: one_segmentation(read_streams(text, called, "lengths")),
    "boundaries": lambda text, called, *_: one_segmentation(read_streams(text, called, "boundaries")),
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
        left, right = two_segmentations(*(read_streams(source.text(), source.called, kind) for source, kind in files))
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
    with _rows(path, form, {gold, pred, *columns}, 'say format="csv"') as rows:
        left, right = clusterings(rows, columns, [gold, pred])
    return _signed(left, form), _signed(right, form)


def read_column(path: Path, name: str, form: str | None = None) -> list[Any]:
    """One column of a table, in the order of its rows."""
    with _rows(path, form, {name}, "take a table, such as a CSV file") as rows:
        check_column(rows, name)
        values = rows.take([name])[name]
        return values.tolist() if isinstance(values, np.ndarray) else values


@contextmanager
def _rows(path: Path, form: str | None, wanted: Iterable[str | None], remedy: str) -> Iterator[FileTable]:
    source = Source(path)
    kind = form_of(source, form, has_columns=True)
    if kind == "json":
        yield json_rows(source.text(), source.called)
    elif kind in TABLES:
        with Session(ordered=True) as session:
            yield table_rows(session, source, kind, wanted)
    else:
        raise FileError(f"{source.called} is read as {kind}, which has no columns; {remedy}")


def _clustering(session: Session, source: Source, form: str, columns: ColumnNames, step: float) -> Clustering:
    if form in TABLES:
        return clusterings(table_rows(session, source, form, columns), columns)[0]
    return READERS[form](source.text(), source.called, columns, step)


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
