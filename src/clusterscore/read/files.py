"""Files people have, each read as what it is.

What a text file holds is text, so labels and ids are strings, whatever they look like: ``1`` in a JSON file and ``1``
in a CSV file are the same element. An empty cell and a JSON ``null`` are no label. Parquet keeps its types; where its
ids are integers and those of the other side come from a text file, they become text too.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from clusterscore.distinct import Array
from clusterscore.errors import ElementMismatch, FileError, nearest
from clusterscore.read.clustering import Clustering
from clusterscore.read.columns import NO_COLUMNS, Columns, Rows, one_clustering, rows_of, two_clusterings
from clusterscore.read.duck import Session
from clusterscore.read.formats import FORMATS, TABLES, form_of
from clusterscore.read.json_file import json_clustering, json_rows
from clusterscore.read.lines import clusters, elements, labels, links
from clusterscore.read.rttm import STEP, one_diarization, read_recordings, two_diarizations
from clusterscore.read.segments import one_segmentation, read_streams, two_segmentations
from clusterscore.read.source import Source, refuse_second_reading

__all__ = ["FORMATS", "NO_COLUMNS", "STEP", "Columns", "read_both", "read_clustering", "read_column", "read_two"]

Path = str | os.PathLike[str]

_LINES = {"labels": labels, "clusters": clusters, "elements": elements, "links": links}
_STREAMS = ("lengths", "boundaries")


class _File(NamedTuple):
    """A file and its format."""

    source: Source
    form: str
    chosen: bool  # by the user, so it is part of the signature

    @classmethod
    def of(cls, path: Path, form: str | None, has_columns: bool) -> _File:
        source = Source(path)
        return cls(source, form_of(source, form, has_columns), form is not None)

    def text(self) -> str:
        return self.source.text()

    def signed(self, made: Clustering) -> Clustering:
        if self.chosen:
            made.options = {**made.options, "format": self.form}
        return made

    @property
    def called(self) -> str:
        return self.source.called


def read_clustering(
    path: Path, columns: Columns = NO_COLUMNS, form: str | None = None, step: float = STEP
) -> Clustering:
    """One clustering from a file, or from standard input (``-``)."""
    file = _File.of(path, form, any(columns))
    return file.signed(_clustering(file, columns, step))


def read_two(
    gold: Path, pred: Path, columns: Columns = NO_COLUMNS, form: str | None = None, step: float = STEP,
    missing: str = "error",
) -> tuple[Clustering, Clustering]:  # fmt: skip
    """Gold and prediction from two files; what one of them is may depend on the other.

    ``missing`` is the policy that both will be scored with: under ``"error"`` every recording must be on both sides.
    """
    refuse_second_reading([gold, pred])
    left, right = (_File.of(path, form, any(columns)) for path in (gold, pred))
    gold_side, pred_side = _two_sides(left, right, columns, step, missing)
    return left.signed(gold_side), right.signed(pred_side)


def _two_sides(left: _File, right: _File, columns: Columns, step: float, missing: str) -> tuple[Clustering, Clustering]:
    if left.form == right.form == "rttm":
        heard, found = (read_recordings(file.text(), step, file.called) for file in (left, right))
        return two_diarizations(heard, found, missing)
    if left.form in _STREAMS and right.form in _STREAMS:
        return two_segmentations(*(read_streams(file.text(), file.form, file.called) for file in (left, right)))
    gold_side, pred_side = (_clustering(file, columns, step) for file in (left, right))
    _refuse_position_with_id({left: gold_side, right: pred_side})
    if left.form == right.form == "parquet":
        _refuse_text_with_numbers(gold_side, pred_side)
    return _as_text_where(gold_side, pred_side), _as_text_where(pred_side, gold_side)


def read_both(
    path: Path, gold: str, pred: str, columns: Columns = NO_COLUMNS, form: str | None = None
) -> tuple[Clustering, Clustering]:
    """Gold and prediction from two columns of one file."""
    file = _File.of(path, form, has_columns=True)
    if file.form == "json":
        sides = two_clusterings(json_rows(file.text(), file.called), gold, pred, columns)
        return file.signed(sides[0]), file.signed(sides[1])
    if file.form not in TABLES:
        raise FileError(f'{file.called} is read as {file.form}, which has no columns; say format="csv"')
    with Session(ordered=True) as session:
        sides = two_clusterings(_rows(session, file, {gold, pred, *columns}), gold, pred, columns)
    return file.signed(sides[0]), file.signed(sides[1])


def read_column(path: Path, name: str, form: str | None = None) -> list[Any]:
    """One column of a table, in the order of its rows."""
    file = _File.of(path, form, has_columns=True)
    if file.form == "json":
        return _column(json_rows(file.text(), file.called), name)
    if file.form not in TABLES:
        raise FileError(f"{file.called} is read as {file.form}, which has no columns; take a table, such as a CSV file")
    with Session(ordered=True) as session:
        return _column(_rows(session, file, {name}), name)


def _column(rows: Rows, name: str) -> list[Any]:
    if name not in rows.names:
        raise FileError(f"{rows.called} has no column {name!r}: {nearest(name, rows.names)}")
    values = rows.take([name])[name]
    return values.tolist() if isinstance(values, np.ndarray) else values


def _clustering(file: _File, columns: Columns, step: float) -> Clustering:
    if file.form in TABLES:
        with Session(ordered=True) as session:
            return one_clustering(_rows(session, file, columns), columns)
    if file.form == "json":
        return json_clustering(file.text(), columns, file.called)
    if file.form == "rttm":
        return one_diarization(read_recordings(file.text(), step, file.called))
    if file.form in _STREAMS:
        return one_segmentation(read_streams(file.text(), file.form, file.called))
    return _LINES[file.form](file.text(), file.called)


def _rows(session: Session, file: _File, wanted: Iterable[str | None]) -> Rows:
    return rows_of(session, session.table(file.source, file.form, {*wanted, *Columns._fields}), file.called)


def _refuse_position_with_id(sides: dict[_File, Clustering]) -> None:
    if len({made.ids is None for made in sides.values()}) > 1:
        told = " and ".join(
            f"{file.called}, read as {file.form}, goes by {'position' if made.ids is None else 'element id'}"
            for file, made in sides.items()
        )
        raise ElementMismatch(f'{told}, so they cannot be matched; give both the same way, or say format="..."')


def _refuse_text_with_numbers(gold: Clustering, pred: Clustering) -> None:
    kinds = _kind(gold.ids), _kind(pred.ids)
    if set(kinds) == {"text", "integers"}:
        raise ElementMismatch(
            f"the element ids are {kinds[0]} in gold and {kinds[1]} in pred, so none would match; write them as the "
            "same type in both files"
        )


def _kind(values: Sequence[Any] | Array | None) -> str:
    """What ids or names are; one column is of one type."""
    if values is None or not len(values):
        return "nothing"
    first = values[0]
    return "text" if isinstance(first, str) else "integers" if isinstance(first, int | np.integer) else "other"


def _as_text_where(side: Clustering, other: Clustering) -> Clustering:
    """Integers become text where the other side's are: ids, and the names of documents."""
    ids, documents = side.ids, side.documents
    if _kind(ids) == "integers" and _kind(other.ids) == "text":
        ids = list(map(str, np.asarray(ids).tolist()))
    theirs = None if other.documents is None else other.documents.names
    if documents is not None and _kind(documents.names) == "integers" and _kind(theirs) == "text":
        documents = documents._replace(names=[str(documents.name(k)) for k in range(len(documents.names))])
    return Clustering(side.labels, ids=ids, documents=documents, options=side.options)
