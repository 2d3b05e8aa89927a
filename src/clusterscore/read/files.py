"""Files people have, each read as what it is.

What a text file holds is text, so labels and ids are strings, whatever they look like: ``1`` in a JSON file and ``1``
in a CSV file are the same element. An empty cell and a JSON ``null`` are no label. Parquet keeps its types; where its
ids are integers and those of the other side come from a text file, they become text too.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from io import BytesIO
from typing import Any

import numpy as np

from clusterscore.distinct import Array
from clusterscore.exceptions import ElementMismatch, FileError, InputError, plural, warn_user
from clusterscore.read import lines
from clusterscore.read.clustering import Clustering
from clusterscore.read.duck import Session
from clusterscore.read.file_tables import FileTable, duckdb_table, filled, from_json
from clusterscore.read.formats import TABLES, TYPED, form_of, looks_like_json, stream_table
from clusterscore.read.frames import of_column
from clusterscore.read.json_file import read_json
from clusterscore.read.label_sets import overlapping
from clusterscore.read.named_lists import NamedLists, read_together
from clusterscore.read.page_streams import (
    NUMBERS,
    STREAMS,
    Streams,
    one_segmentation,
    read_streams,
    streams_of_rows,
    two_segmentations,
)
from clusterscore.read.rttm import STEP, Recordings, one_diarization, read_recordings, two_diarizations
from clusterscore.read.sides import AS_IT_IS, ChosenColumns, ReadAs, joined, missing_column
from clusterscore.read.source import Source, naming, refuse_second_reading

Path = str | os.PathLike[str]
_TWO_FILES = (
    "clusterings that overlap come in two files, a row for each element and cluster, or as lists in the columns"
)
_OTHERWISE = {  # how a file looks, and what else it may be
    "clusters": ("one cluster per line", lines.CLUSTERS_OR),
    "elements": ("an element and its cluster in every line", lines.ELEMENTS_OR),
}


Contents = FileTable | Clustering | NamedLists | Streams | Recordings  # what a file may hold
# a text, what messages call its file, how it is to be read, and the length of a frame
READERS: dict[str, Callable[[str, str, ReadAs, float], Contents]] = {
    "json": lambda text, called, how, _: from_json(text, called, how),
    "labels": lambda text, called, *_: lines.labels(text, called),
    "clusters": lambda text, called, *_: _lists(text, called, "clusters"),
    "elements": lambda text, called, *_: lines.elements(text, called),
    "memberships": lambda text, called, *_: _lists(text, called, "memberships"),
    "links": lambda text, called, *_: lines.links(text, called),
    "rttm": lambda text, called, _, step: read_recordings(text, called, step),
}


def read_clustering(path: Path, how: ReadAs = AS_IT_IS, step: float = STEP) -> Clustering:
    """One clustering from a file, or from standard input (``-``)."""
    made = read_one(path, how, step)
    return _signed(made.alone() if isinstance(made, NamedLists) else made, how)


def read_one(path: Path, how: ReadAs = AS_IT_IS, step: float = STEP) -> Clustering | NamedLists:
    """One clustering from a file, or lists of which another side may say what they are."""
    source = Source(path)
    with Session(ordered=True) as session:
        held = _opened(session, source, form_of(source, how.format, how.names_columns), how, step)
        return _each_alone([held], [how])[0]


def read_two(
    gold: Path,
    pred: Path,
    sides: Sequence[ReadAs] = (AS_IT_IS, AS_IT_IS),
    step: float = STEP,
    missing: str = "error",
) -> tuple[Clustering, Clustering]:
    """Gold and prediction from two files, each read in its own way; what one of them is may depend on the other.

    ``missing`` is the policy that both will be scored with: under ``"error"`` every recording must be on both sides.
    """
    refuse_second_reading([gold, pred])
    files = [
        (source, form_of(source, how.format, how.names_columns))
        for source, how in zip(map(Source, (gold, pred)), sides, strict=True)
    ]
    with Session(ordered=True) as session:
        one, other = (_opened(session, *file, how, step) for file, how in zip(files, sides, strict=True))
        if isinstance(one, Recordings) and isinstance(other, Recordings):
            left, right = two_diarizations(one, other, missing)
        elif isinstance(one, Streams) and isinstance(other, Streams):
            left, right = two_segmentations(one, other)
        else:
            left, right = read_together(*_each_alone([one, other], sides))
            if (left.ids is None) != (right.ids is None):
                ways = (
                    f"{source.called}, read as {form}, is matched by {'position' if made.ids is None else 'element id'}"
                    for (source, form), made in zip(files, (left, right), strict=True)
                )
                raise ElementMismatch(
                    f'{" and ".join(ways)}, so they cannot be matched; pass both in the same way, or pass format="..."'
                )
            left, right = alike(left, right, both_typed=all(form in TYPED for _, form in files))
            if all(how.format is None for how in sides):
                _warn_of_boundaries(left, right)
    return _signed(left, sides[0]), _signed(right, sides[1])


def _each_alone(held: Sequence[Contents], sides: Sequence[ReadAs]) -> list[Clustering | NamedLists]:
    """What each file holds by itself; of tables, the columns of both are looked for before either is read."""
    headings = [
        ChosenColumns.of(each.called, each.names, how, side if len(held) == 2 else None)
        for each, how, side in zip(held, sides, ("gold", "pred"), strict=False)
        if isinstance(each, FileTable)
    ]
    columns = iter(_checked(joined(*headings) if len(headings) == 2 else headings))
    made: list[Clustering | NamedLists] = []
    for each in held:
        if isinstance(each, FileTable):
            made += _clusterings(each, next(columns))
        elif isinstance(each, Streams):
            made.append(one_segmentation(each))
        else:
            made.append(one_diarization(each) if isinstance(each, Recordings) else each)
    return made


def read_both(path: Path, sides: Sequence[ReadAs]) -> tuple[Clustering, Clustering]:
    """Gold and prediction from two columns of one file; nothing else differs between them."""
    clusters, how = {"gold": sides[0].cluster, "pred": sides[1].cluster}, sides[0]._replace(cluster=None)
    with Session(ordered=True) as session:
        if how.format in NUMBERS:
            source = Source(path)
            rows = duckdb_table(
                session, source, stream_table(source, how.header is None) or "csv", how, {*clusters.values(), *STREAMS}
            )
            left, right = two_segmentations(*_row_streams(rows, how, clusters))
            return _signed(left, how), _signed(right, how)
        rows = _table(session, path, how, clusters.values(), 'pass format="csv"')
        heading = ChosenColumns.of(rows.called, rows.names, how, both=clusters)
        left, right = _clusterings(rows, _checked([heading])[0])
    return _signed(left, how), _signed(right, how)


def read_column(path: Path, name: str, how: ReadAs = AS_IT_IS, role: str = "show") -> list[Any]:
    """One column of a table, a value for each element in their order: that of its first row.

    As what is told by "show", another row may have another value; by "by", that is an error.
    """
    with Session(ordered=True) as session:
        rows = _table(session, path, how, {name}, "take a table, such as a CSV file")
        columns = _checked([ChosenColumns.of(rows.called, rows.names, how._replace(cluster=None), both={role: name})])[
            0
        ]
        keys = [column for other, column in columns.items() if other != role]
        taken = {
            each: values.tolist() if isinstance(values, np.ndarray) else list(values)
            for each, values in rows.take(dict.fromkeys([name, *keys]), ()).items()
        }
    if not keys:
        return taken[name]
    first: dict[Any, Any] = {}
    rows_by_key = zip(zip(*map(taken.__getitem__, keys), strict=True), taken[name], strict=True)
    apart = [key for key, value in rows_by_key if first.setdefault(key, value) != value]
    if apart and role == "by":
        raise InputError(
            f"{plural(len(apart), 'row')} of {rows.called} with another {name!r} than the first row of the same "
            f"element (e.g. {', '.join(map(repr, apart[0]))}); an element has one"
        )
    return list(first.values())


def _table(session: Session, path: Path, how: ReadAs, requested: Iterable[str | None], remedy: str) -> FileTable:
    source = Source(path)
    kind = form_of(source, how.format, has_columns=True)
    if kind in TABLES:
        return duckdb_table(session, source, kind, how, requested)
    if kind != "json":
        raise FileError(f"{source.called} is read as {kind}, which has no columns; {remedy}")
    made = from_json(source.text(), source.called, AS_IT_IS)
    if not isinstance(made, FileTable):
        raise FileError(f'{source.called} has no columns: it is not a list of objects such as {{"element": ..}}')
    return made


def _opened(session: Session, source: Source, form: str, how: ReadAs, step: float) -> Contents:
    if form in TABLES:
        return duckdb_table(session, source, form, how)
    if form == "npy":
        return _array(source)
    if form in NUMBERS:
        return _streams(session, source, form, how)
    made = READERS[form](source.text(), source.called, how, step)
    if source.guessed and form in _OTHERWISE and isinstance(made, Clustering) and overlapping(made.names):
        what, otherwise = _OTHERWISE[form]
        several = np.flatnonzero(made.names.sizes[made.codes] > 1).tolist()
        example = None if made.ids is None else made.ids[several[0]]
        raise InputError(
            f"{source.called} looks like {what}, but then {plural(len(several), 'element')} would be in several "
            f'clusters (e.g. {example!r}); pass format="{form}" if they overlap; {otherwise}'
        )
    return made


def _streams(session: Session, source: Source, form: str, how: ReadAs) -> Streams:
    """Page streams in lines, in JSON, or in the rows of a table."""
    kind = stream_table(source, how.header is None)
    if kind is None:
        return read_streams(source.text(), source.called, form)
    number = how.cluster or (NUMBERS[form] if how.header is None else "2")
    rows = duckdb_table(session, source, kind, how, {number, *STREAMS})
    return _row_streams(rows, how._replace(format=form), {"cluster": number})[0]


def _row_streams(rows: FileTable, how: ReadAs, numbers: Mapping[str, str | None]) -> list[Streams]:
    """The streams that each of some columns holds."""
    usual = STREAMS if how.header is None else {"1"} - set(numbers.values())
    document = how.document or next((each for each in usual if each in rows.names), None)
    wanted = {role: name for role, name in {**numbers, "document": document}.items() if name is not None}
    named = frozenset(role for role, name in wanted.items() if name in how or role in ("gold", "pred"))
    columns = _checked([ChosenColumns(rows.called, rows.names, wanted, named)])[0]
    values = rows.take(dict.fromkeys(columns.values()), ())
    full = {role: list(filled(values[column], column, rows.called)) for role, column in columns.items()}
    if not all(full.values()):
        raise FileError(f"{rows.called} has a header but no rows: there is nothing to score")
    return [streams_of_rows(full[role], full.get("document"), str(how.format), rows.called) for role in numbers]


def _warn_of_boundaries(gold: Clustering, pred: Clustering) -> None:
    """Labels that are all 0 and 1 are a clustering of two clusters, or else page streams that nobody called so."""
    for side in (gold, pred):
        a_clustering = side.ids is not None and side.documents is None
        if a_clustering or len(side.names) > 2 or not set(map(str, side.names)) <= {"0", "1"}:
            return
    what = "labels" if gold.ids is None else "csv"
    warn_user(
        "gold and pred are nothing but 0 and 1, scored as the labels of two clusters; if 1 starts a segment of a page "
        f'stream, pass format="boundaries", and if not, format="{what}"'
    )


def read_array(source: Source) -> Array:
    """The array in a file of NumPy's; what it would have to unpickle is refused."""
    try:
        values: Array = np.load(BytesIO(source.data()), allow_pickle=False)
        if values.dtype.kind == "U":
            values.tolist()  # letters that there are not
    except Exception as error:  # a damaged file raises errors of many kinds there
        reason = "it holds Python objects" if "allow_pickle" in str(error) else "it is damaged"
        raise FileError(f"{source.called} cannot be read: {reason}; save an array of numbers or text again") from None
    return values


def _array(source: Source) -> Clustering:
    """Labels in a file of NumPy's."""
    values = read_array(source)
    if values.ndim != 1 or values.dtype.names:
        raise FileError(f"{source.called} has an array of shape {values.shape}; labels are one column of single values")
    with naming(source.called):
        return Clustering.from_labels(values)


def _lists(text: str, called: str, form: str) -> Clustering:
    """Clusters with their elements or elements with their clusters, as the user said, in JSON or in lines."""
    if looks_like_json(text):
        made = read_json(text, called, reading=form)
        assert isinstance(made, Clustering)
        return made
    return (lines.clusters if form == "clusters" else lines.memberships)(text, called)


def _checked(tables: Sequence[ChosenColumns]) -> list[Mapping[str, str]]:
    """The columns of each table, all of which are there."""
    if message := missing_column(tables):
        raise FileError(message)
    return [table.wanted for table in tables]


def _clusterings(rows: FileTable, columns: Mapping[str, str]) -> list[Clustering]:
    """One clustering from a column of elements and one of clusters, or one from each of the columns gold and pred.

    Where sides are named, a table needs no column of elements: each row is one.
    """
    element, document = columns.get("element"), columns.get("document")
    clusters = [columns[role] for role in ("cluster", "gold", "pred") if role in columns]
    values = rows.take(dict.fromkeys(columns.values()), clusters)
    if not len(values[clusters[0]]):
        raise FileError(f"{rows.called} has a header but no rows: there is nothing to score")
    ids = None if element is None else filled(values[element], element, rows.called)
    documents = None if document is None else filled(values[document], document, rows.called)
    with naming(rows.called, "" if "cluster" in columns else _TWO_FILES):
        made = [of_column(values[each], elements=ids, documents=documents) for each in clusters]
        if "gold" in columns and ids is not None and len(made[0]) < len(ids):
            counts = Counter(ids if documents is None else zip(documents, ids, strict=True))
            again = [each for each, count in counts.items() if count > 1]
            raise InputError(f"{plural(len(again), 'element')} in more than one row (e.g. {again[0]!r})")
    return made


def _signed(made: Clustering, how: ReadAs) -> Clustering:
    """A format that the user chose is part of the signature."""
    made.options = {**made.options, **how.options}
    return made


def alike(gold: Clustering, pred: Clustering, both_typed: bool) -> tuple[Clustering, Clustering]:
    """Integer ids and documents become text where the other side's are, unless both sides chose their type."""
    kinds = _kind(gold.ids), _kind(pred.ids)
    if both_typed and set(kinds) == {"text", "integers"}:
        raise ElementMismatch(
            f"the element ids are {kinds[0]} in gold and {kinds[1]} in pred, so none would match; write them as the "
            "same type on both sides"
        )
    return _as_text_beside(gold, pred), _as_text_beside(pred, gold)


def _as_text_beside(side: Clustering, other: Clustering) -> Clustering:
    """A side whose integers are text where those of the other are."""
    ids, documents = side.ids, side.documents
    if _kind(ids) == "integers" and _kind(other.ids) == "text":
        ids = list(map(str, np.asarray(ids).tolist()))
    if documents is not None and other.documents is not None:
        names = range(len(documents.names))
        if _kind(documents.names) == "integers" and _kind(other.documents.names) == "text":
            documents = replace(documents, names=[str(documents.name(k)) for k in names])
    if ids is side.ids and documents is side.documents:
        return side
    return Clustering(side.labels, ids=ids, documents=documents, options=side.options)


def _kind(values: Sequence[Any] | Array | None) -> str:
    """What ids or names are: integers if all of them are."""
    if values is None or not len(values):
        return "nothing"
    if isinstance(values[0], str):
        return "text"
    if isinstance(values, np.ndarray) and values.dtype != object:
        return "integers" if values.dtype.kind in "iu" else "other"
    return "integers" if all(issubclass(each, int | np.integer) for each in set(map(type, values))) else "other"
