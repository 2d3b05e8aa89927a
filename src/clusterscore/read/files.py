"""Files people have, each read as what it is.

What a text file holds is text, so labels and ids are strings, whatever they look like: ``1`` in a JSON file and ``1``
in a CSV file are the same element. An empty cell and a JSON ``null`` are no label. Parquet keeps its types; where its
ids are integers and those of the other side come from a text file, they become text too.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from io import BytesIO
from typing import Any, NamedTuple

import numpy as np

from clusterscore.distinct import Array
from clusterscore.exceptions import ElementMismatch, FileError, InputError, nearest, plural
from clusterscore.read import lines
from clusterscore.read.clustering import Clustering
from clusterscore.read.duck import Session, exact_columns
from clusterscore.read.formats import TABLES, TYPED, form_of, looks_like_json
from clusterscore.read.frames import of_column
from clusterscore.read.json_file import json_column, read_json
from clusterscore.read.label_sets import overlapping
from clusterscore.read.named_lists import NamedLists, read_together
from clusterscore.read.rttm import STEP, one_diarization, read_recordings, two_diarizations
from clusterscore.read.scan import is_list, quoted
from clusterscore.read.source import Source, naming, refuse_second_reading

Path = str | os.PathLike[str]
Values = list[Any] | Array


class ColumnNames(NamedTuple):
    """Which column holds what; None where the user did not say."""

    element: str | None = None
    cluster: str | None = None
    document: str | None = None


NO_COLUMNS = ColumnNames()
_TWO_FILES = (
    "clusterings that overlap come in two files, a row for each element and cluster, or as lists in the columns"
)
_OTHERWISE = {  # how a file looks, and what else it may be
    "clusters": ("one cluster a line", lines.CLUSTERS_OR),
    "elements": ("an element and its cluster in every line", lines.ELEMENTS_OR),
}


class FileTable(NamedTuple):
    """A table of a file: the names of its columns, and a way to get some of them."""

    called: str
    names: Sequence[str]
    take: Callable[[Iterable[str], Collection[str]], Mapping[str, Values]]  # the second: where lists may be


# a text, what messages call its file, the columns that the user named, and the length of a frame
READERS: dict[str, Callable[[str, str, ColumnNames, float], Clustering | NamedLists]] = {
    "json": lambda text, called, columns, _: _from_json(text, called, columns),
    "labels": lambda text, called, *_: lines.labels(text, called),
    "clusters": lambda text, called, *_: _lists(text, called, "clusters"),
    "elements": lambda text, called, *_: lines.elements(text, called),
    "memberships": lambda text, called, *_: _lists(text, called, "memberships"),
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
    return _signed(made.alone() if isinstance(made, NamedLists) else made, form)


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
            left, right = read_together(*(_clustering(session, source, kind, columns, step) for source, kind in files))
        if (left.ids is None) != (right.ids is None):
            raise ElementMismatch(_position_and_id(files, (left, right)))
        left, right = _alike(left, right, both_typed=forms <= set(TYPED))
    return _signed(left, form), _signed(right, form)


def read_both(
    path: Path, gold: str, pred: str, columns: ColumnNames = NO_COLUMNS, form: str | None = None
) -> tuple[Clustering, Clustering]:
    """Gold and prediction from two columns of one file."""
    with Session(ordered=True) as session:
        rows = _table(session, path, form, {gold, pred, *columns}, 'say format="csv"')
        left, right = _clusterings(rows, columns, [gold, pred])
    return _signed(left, form), _signed(right, form)


def read_column(path: Path, name: str, columns: ColumnNames = NO_COLUMNS, form: str | None = None) -> list[Any]:
    """One column of a table, a value for each element in their order: that of its first row."""
    with Session(ordered=True) as session:
        rows = _table(session, path, form, {name, *columns}, "take a table, such as a CSV file")
        _check_column(rows, name, named={name})
        keys = [key for key in _keys(rows, columns) if key is not None and key in rows.names]
        taken = {
            each: values.tolist() if isinstance(values, np.ndarray) else values
            for each, values in rows.take(dict.fromkeys([name, *keys]), ()).items()
        }
    if not keys:
        return taken[name]
    first: dict[Any, Any] = {}
    for key, value in zip(zip(*map(taken.__getitem__, keys), strict=True), taken[name], strict=True):
        first.setdefault(key, value)
    return list(first.values())


def _table(session: Session, path: Path, form: str | None, requested: Iterable[str | None], remedy: str) -> FileTable:
    source = Source(path)
    kind = form_of(source, form, has_columns=True)
    if kind in TABLES:
        return _duckdb_table(session, source, kind, requested)
    if kind != "json":
        raise FileError(f"{source.called} is read as {kind}, which has no columns; {remedy}")
    made = read_json(source.text(), source.called)
    if isinstance(made, Clustering | NamedLists):
        raise FileError(f'{source.called} has no columns: it is not a list of objects such as {{"element": ..}}')
    return _json_table(made, source.called)


def _clustering(
    session: Session, source: Source, form: str, columns: ColumnNames, step: float
) -> Clustering | NamedLists:
    if form in TABLES:
        return _clusterings(_duckdb_table(session, source, form, columns), columns)[0]
    if form == "npy":
        return _array(source)
    made = READERS[form](source.text(), source.called, columns, step)
    if source.guessed and form in _OTHERWISE and isinstance(made, Clustering) and overlapping(made.names):
        what, otherwise = _OTHERWISE[form]
        several = np.flatnonzero(made.names.sizes[made.codes] > 1).tolist()
        example = None if made.ids is None else made.ids[several[0]]
        raise InputError(
            f"{source.called} looks like {what}, but then {plural(len(several), 'element')} would be in several "
            f'clusters (e.g. {example!r}); say format="{form}" if they overlap; {otherwise}'
        )
    return made


def _array(source: Source) -> Clustering:
    """Labels in a file of NumPy's; what it would have to unpickle is refused."""
    try:
        values = np.load(BytesIO(source.data()), allow_pickle=False)
        if values.dtype.kind == "U":
            values.tolist()  # letters that there are not
    except Exception as error:  # a damaged file raises errors of many kinds there
        reason = "it holds Python objects" if "allow_pickle" in str(error) else "it is damaged"
        raise FileError(f"{source.called} cannot be read: {reason}; save an array of integers or text again") from None
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


def _from_json(text: str, called: str, columns: ColumnNames) -> Clustering | NamedLists:
    made = read_json(text, called, columns.element or "element", columns.cluster or "cluster")
    return _clusterings(_json_table(made, called), columns)[0] if isinstance(made, dict) else made


def _json_table(columns: Mapping[str, list[Any]], called: str) -> FileTable:
    def take(names: Iterable[str], lists: Collection[str]) -> Mapping[str, Values]:
        return {name: json_column(columns[name], name, called, name in lists) for name in names}

    return FileTable(called, list(columns), take)


def _duckdb_table(session: Session, source: Source, form: str, requested: Iterable[str | None]) -> FileTable:
    relation = session.table(source, form, {*requested, *ColumnNames._fields})
    types = dict(zip(relation.columns, map(str, relation.types), strict=True))
    label = f"reading {source.called}"

    def take(names: Iterable[str], lists: Collection[str]) -> Mapping[str, Values]:
        single = [name for name in names if name not in lists or not is_list(types[name])]
        for name in single:
            if types[name].endswith("]") or types[name].startswith(("STRUCT", "MAP", "UNION")):
                raise FileError(
                    f"{source.called}: column {name!r} holds {types[name].split('(')[0]} values; a label or an id is a "
                    "single value: name another column"
                )
        chosen = relation.project(", ".join(map(quoted, single)))
        found = dict(exact_columns(chosen, lambda each: session.fetch(each, label, source.path)) if single else {})
        for name in names:
            if name not in single:
                column = relation.project(quoted(name))
                values = [value for (value,) in session.run(column.fetchall, label, source.path)]
                if None in values:
                    raise FileError(
                        f"{source.called}: {plural(values.count(None), 'row')} without a list in column {name!r} (e.g. "
                        f"row {values.index(None) + 1}); an element in no cluster has an empty one"
                    )
                found[name] = values
        return found

    return FileTable(source.called, relation.columns, take)


def _clusterings(rows: FileTable, columns: ColumnNames, sides: Sequence[str] = ()) -> list[Clustering]:
    """One clustering from a column of elements and one of clusters, or one from each of the columns ``sides``.

    Where sides are named, a table needs no column of elements: each row is one.
    """
    element, document = _keys(rows, columns, needed=not sides)
    clusters = sides or [columns.cluster or "cluster"]
    chosen = dict.fromkeys(each for each in (element, *clusters, document) if each is not None)
    for each in chosen:
        _check_column(rows, each, named={*columns, *sides})
    values = rows.take(chosen, clusters)
    if not len(values[clusters[0]]):
        raise FileError(f"{rows.called} has a heading and no rows: there is nothing to score")
    ids = None if element is None else _filled(values[element], element, rows.called)
    documents = None if document is None else _filled(values[document], document, rows.called)
    with naming(rows.called, _TWO_FILES if sides else ""):
        made = [of_column(values[each], elements=ids, documents=documents) for each in clusters]
        if sides and ids is not None and len(made[0]) < len(ids):
            counts = Counter(ids if documents is None else zip(documents, ids, strict=True))
            again = [each for each, count in counts.items() if count > 1]
            raise InputError(f"{plural(len(again), 'element')} in more than one row (e.g. {again[0]!r})")
    return made


def _keys(rows: FileTable, columns: ColumnNames, needed: bool = False) -> tuple[str | None, str | None]:
    """The columns of elements and documents; None where there is none, unless one of elements is needed."""
    element = columns.element or ("element" if "element" in rows.names or needed else None)
    return element, columns.document or ("document" if "document" in rows.names else None)


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
    if type(values) is np.ndarray:  # first, as np.ma is imported when it is named
        return values
    if isinstance(values, np.ma.MaskedArray):
        missing = np.flatnonzero(np.ma.getmaskarray(values)).tolist()
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
