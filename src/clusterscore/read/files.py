"""Files people have, each read by itself, as what it is.

What a text file holds is text, so labels and ids are strings, whatever they look like: ``1`` in a JSON file and ``1``
in a CSV file are the same element. An empty cell and a JSON ``null`` are no label. Parquet keeps its types.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from clusterscore.exceptions import FileError, InputError, nearest
from clusterscore.fields import known_columns, tries
from clusterscore.messages import Message, Option
from clusterscore.nouns import noun, plural
from clusterscore.progress import step
from clusterscore.read import lines
from clusterscore.read.clustering import Clustering
from clusterscore.read.columns import TableColumns, choose_columns, refusal
from clusterscore.read.duckdb_connection import Session
from clusterscore.read.file import COLUMNS, File, ReadOptions
from clusterscore.read.formats import COREFERENCE, IMAGES, MENTIONS, TABLES, form_of, stream_table
from clusterscore.read.images import images_in
from clusterscore.read.label_sets import LabelSets
from clusterscore.read.page_streams import (
    NUMBERS,
    PAGE_LABELS,
    STREAMS,
    are_boundaries,
    are_flags,
    form_by_content,
    read_page_labels,
    read_streams,
    streams_of_rows,
)
from clusterscore.read.rttm import read_rttm
from clusterscore.read.source import Source, errors_about, refuse_second_reading
from clusterscore.read.tables import FileTable, Values, duckdb_table, from_json, of_column, one_id

_TWO_FILES = (
    "clusterings that overlap come in two files, a row for each element and cluster, or as lists in the columns"
)
_AS_TABLE = Message(Option("format", "csv"), " if it is a table")
# a text, what messages call its file, and how it is to be read
READERS: dict[str, Callable[[str, str, ReadOptions], Clustering | FileTable]] = {
    "json": from_json,
    "labels": lambda text, called, _: lines.labels(text, called),
    "clusters": lambda text, called, _: lines.clusters(text, called),
    "elements": lambda text, called, _: lines.elements(text, called),
    "memberships": lambda text, called, _: lines.memberships(text, called),
    "senses": lambda text, called, _: lines.senses(text, called),
    "links": lambda text, called, _: lines.links(text, called),
    "lengths": lambda text, called, _: read_streams(text, called, "lengths"),
    "boundaries": lambda text, called, _: read_streams(text, called, "boundaries"),
    PAGE_LABELS: lambda text, called, _: read_page_labels(text, called),
    "rttm": lambda text, called, options: Clustering.from_turns(
        read_rttm(text, called), step=options.step, frames=options.frames
    ),
}


class FilesRead(dict[str, Clustering]):
    """Clusterings by their keys, and columns of their files that were asked for besides."""

    columns: dict[str, Any]  # a value for each element


@dataclass
class _OneFile:
    """A file of which one clustering is read, or several that differ in nothing but the column of clusters."""

    file: File
    members: dict[str | None, list[str]]  # columns of clusters, each with the keys that ask for it
    also: dict[str, str]  # further columns, by what they are for
    held: Clustering | FileTable | None = None
    held_as: str = ""  # in words
    form: str = ""
    understood: str = ""  # what the field took it for, where others would not
    columns: TableColumns | None = None


def read_file(file: File) -> Clustering:
    """One clustering from a file, or from standard input (``-``)."""
    return read_files({"": file})[""]


def read_files(files: Mapping[str, File], also: Mapping[str, str] | None = None, *, sides: bool = True) -> FilesRead:
    """Clusterings from files, each of which is opened once to look at it and once to read it.

    ``also`` names further columns, by what they are for: of the first file, or of the first that has them. ``sides``:
    messages tell gold, whose key begins so, from predictions, which go by any other.
    """
    groups: dict[File, _OneFile] = {}
    for key, file in files.items():
        alike = replace(file, cluster=None)
        groups.setdefault(alike, _OneFile(alike, {}, {})).members.setdefault(file.cluster, []).append(key)
    refuse_second_reading(  # columns of one file are read together, but not a file that stands for two
        group.file.path for group in groups.values() for _ in range(max(map(len, group.members.values())))
    )
    made, also = FilesRead(), also or {}
    made.columns = {}
    with step("reading"), Session(ordered=True) as session:
        for group in groups.values():
            more = also.values() if group is next(iter(groups.values())) else ()
            _open(session, group, more, is_alone=len(groups) == 1)
        if not any(group.columns for group in groups.values()):
            for group in groups.values():
                if group.form != "json":  # whose rows may have such names
                    _refuse_columns(group)
        if also:
            _assign_columns(list(groups.values()), also)
        tables: dict[str | None, TableColumns] = {}  # of several on a side one that is unclear, if there is any
        for group in groups.values():
            whose: list[str | None] = [None]  # columns are in the file; None where it has named ones of several
            if sides and len(files) > 1 and len(group.members) == 1:
                (keys,) = group.members.values()
                whose = list(dict.fromkeys("gold" if key.startswith("gold") else "pred" for key in keys))
            for side in whose:
                clear = side not in tables or not (tables[side].open or tables[side].absent)
                if group.columns is not None and clear:
                    tables[side] = group.columns
        if message := refusal(tables):
            raise FileError(message)
        for group in groups.values():
            _read(group, made)
    made.update({key: made.pop(key) for key in files})  # in their order
    return made


def read_columns(file: File, names: Sequence[str]) -> list[list[Any]]:
    """Some columns of a table, all their rows."""
    source = Source(file.path)
    with Session(ordered=True) as session:
        table = _columns_of(session, source, file, names)
        if absent := [name for name in names if name not in table.names]:
            raise FileError(f"{source.called} has no column {absent[0]!r}: {nearest(absent[0], table.names)}")
        values = table.take(names, ())
    return [list(values[name]) for name in names]


def column_names(file: File) -> list[str]:
    """What the columns of a file are called; none where it is no table."""
    source = Source(file.path)
    with Session(ordered=True) as session:
        form = form_of(source, file.format, has_columns=False)
        return list(_columns_of(session, source, file, ()).names) if form in TABLES else []


def _columns_of(session: Session, source: Source, file: File, names: Sequence[str]) -> FileTable:
    form = form_of(source, file.format, has_columns=True)
    return duckdb_table(session, source, form if form in TABLES else "csv", file, names)


def _assign_columns(groups: Sequence[_OneFile], also: Mapping[str, str]) -> None:
    """Decide which file has the further columns; texts to show may be in any, all else is in the first."""
    for what, name in also.items():
        here = [group for group in groups if group.columns is not None and name in group.columns.names]
        holder = here[0] if here and what.startswith("show") else groups[0]
        if holder.columns is None:
            raise FileError(f"{holder.held_as}, which has no column {name!r}; leave it out, or pass ", _AS_TABLE)
        holder.also[what] = name
        if name not in holder.columns.names and holder.columns.absent is None:
            holder.columns = holder.columns._replace(absent=(what.partition(" ")[0], name))


def _open(session: Session, group: _OneFile, more: Collection[str], is_alone: bool) -> None:
    """Look at a file: what it is, and if it is a table, which columns are read."""
    source, options, clusters = Source(group.file.path), group.file, list(group.members)
    named = [*filter(None, [*clusters, options.element, options.document, options.grade]), *more]
    form = form_of(source, options.format, has_columns=bool(named) or not options.header)
    group.held_as, group.form = f"{source.called} is read as {form}", form
    if options.format is None and tries("boundaries") and form in ("labels", "clusters", "json"):
        form = group.form = form_by_content(source.text(), source.called, form)
        group.understood = form if form in NUMBERS else ""
    kind = stream_table(source, options.header) if form in NUMBERS else form if form in TABLES else None
    if form in MENTIONS:
        _refuse_columns(group)
        group.held = _mentions(source, None if form == COREFERENCE else form, group)
    elif kind is not None:
        wanted = {*named, *STREAMS, *(name for role in COLUMNS for name in known_columns(role))}
        group.held = duckdb_table(session, source, kind, options, wanted)
    elif form in IMAGES:
        group.held = _array(source, form)
    else:
        text = source.text(may_be_empty=form == "rttm")  # of a system that heard nobody
        group.held = READERS[form](text, source.called, options)
        if source.guessed and form in lines.LOOKS and isinstance(group.held, Clustering):
            _refuse_overlap(group.held, form, source.called)
    table = group.held
    if isinstance(table, FileTable) and form in TABLES and options.format is None and tries("boundaries"):
        column_forms = {column: number for number, column in NUMBERS.items()}
        asked = [column_forms[name] for name in (clusters if any(clusters) else table.names) if name in column_forms]
        if len(asked) == 1:
            form = group.form = group.understood = asked[0]
    if isinstance(table, FileTable) and form in NUMBERS:
        group.columns = _stream_columns(table, group, form)
    elif isinstance(table, FileTable):
        several = sum(map(len, group.members.values())) > 1
        roles = [keys[0].partition(" ")[0] or "cluster" for keys in group.members.values()] if several else ()
        both = several and is_alone and clusters != [None]  # sides are its columns, and rows the same elements
        group.columns = choose_columns(table.called, table.names, options, clusters, roles=roles, rows=both)
    elif len(group.members) > 1:
        raise FileError(f"{group.held_as}, which has no columns; pass ", _AS_TABLE)


def _refuse_columns(group: _OneFile) -> None:
    """Raise where somebody named a column of a file that has none."""
    file, clusters = group.file, filter(None, group.members)
    named = next(filter(None, [*clusters, file.element, file.document, file.grade]), None)
    if named is not None:
        raise FileError(f"{group.held_as}, which has no column {named!r}; leave it out, or pass ", _AS_TABLE)


def _stream_columns(table: FileTable, group: _OneFile, form: str) -> TableColumns:
    """The columns of page streams: a row for each page or segment, and the stream that it belongs to."""
    header = group.file.header
    number = NUMBERS[form] if header else "2" if len(table.names) > 1 else "1"
    clusters = [cluster or number for cluster in group.members]
    usual = STREAMS if header else tuple({"1"} - set(clusters))
    document = group.file.document or next((name for name in usual if name in table.names), None)
    options = replace(group.file, document=document)
    return choose_columns(table.called, table.names, options, clusters, rows=True)


def _read(group: _OneFile, files_read: FilesRead) -> None:
    """Take what a file holds, once it is clear which columns are read."""
    options, held, columns = group.file, group.held, group.columns
    if isinstance(held, FileTable):
        assert columns is not None
        values = held.take([*columns.all, *group.also.values()], columns.clusters)
        if not all(map(len, values.values())):
            raise FileError(f"{held.called} has a header but no rows: there is nothing to score")
        ids = one_id([values[name] for name in columns.element])
        documents = None if columns.document is None else values[columns.document]
        if options.format is None and group.form in TABLES and tries("boundaries"):
            flags = [name for name in columns.clusters if are_flags(values[name])]
            if flags and len(flags) < len(columns.clusters):
                other = next(name for name in columns.clusters if name not in flags)
                raise FileError(
                    f"{held.called}: column {flags[0]!r} has nothing but 0 and 1, as boundaries have, and {other!r} "
                    "has labels; is the right column named? pass ",
                    Option("format", group.form),
                    " if both are labels, or two files",
                )
            if flags and are_boundaries(*(values[name] for name in flags), streams=documents, pages=ids):
                group.form = group.understood = "boundaries"
        streams = group.form in NUMBERS
        for name in columns.all if streams else [name for name in columns.all if name not in columns.clusters]:
            column = values[name]
            if isinstance(column, list) and None in column:
                raise FileError(
                    f"{held.called}: {plural(column.count(None), 'row')} without a value in column {name!r} (e.g. row "
                    f"{column.index(None) + 1}); fill it in or remove the row"
                )
        labels = [values[name] for name in columns.clusters]
        if streams:
            made = _segmentations(held.called, labels, ids, documents, group.form)
        else:
            grades = None if columns.grade is None else list(values[columns.grade])
            made = _clusterings(held.called, labels, ids, documents, grades)
        for what, name in group.also.items():
            files_read.columns[what] = _per_element(held.called, list(values[name]), ids, documents, what, name)
    else:
        assert held is not None
        made = [held]
    taken, unread = ({}, {}) if columns is None else (columns.taken, columns.unread)
    clusters = [None] if columns is None else columns.clusters
    for cluster, keys, side in zip(clusters, group.members.values(), made, strict=True):
        understood = {"format": group.understood} if group.understood else {}
        side.options = {**side.options, **understood, **options.signed, **({} if columns is None else columns.signed)}
        source = (options.name, cluster, options.element) if options.name != "-" else None
        side.origin = side.origin._replace(
            source=source,
            declared=options.format is not None,
            taken=taken,
            unread=unread,
            called=options.name,
            form=group.form,
        )
        files_read.update(dict.fromkeys(keys, side))


def _clusterings(called: str, columns: Sequence[Values], ids: Any, documents: Any, grades: Any) -> list[Clustering]:
    """One clustering from each column of clusters; several are about the same rows."""
    several = len(columns) > 1
    with errors_about(called, noun(_TWO_FILES) if several else ""):
        made = [of_column(labels, elements=ids, documents=documents, grades=grades) for labels in columns]
        if several and ids is not None and len(made[0]) < len(ids):
            counts = Counter(ids if documents is None else zip(documents, ids, strict=True))
            again = [element for element, count in counts.items() if count > 1]
            raise InputError(f"{plural(len(again), 'element')} in more than one row (e.g. {again[0]!r})")
    for side in made[1:]:  # the same elements: nobody has to match them again
        side.ids, side.documents = made[0].ids, made[0].documents
    return made


def _segmentations(called: str, columns: Sequence[Values], pages: Any, streams: Any, form: str) -> list[Clustering]:
    """A segmentation from each column of numbers."""
    streams = None if streams is None else list(streams)
    return [streams_of_rows(list(numbers), streams, pages, form, called) for numbers in columns]


def _per_element(called: str, values: list[Any], ids: Any, documents: Any, what: str, name: str) -> Any:
    """A value for each element, that of its first row: texts to show by their ids, all else in their order."""
    if ids is None:
        return values
    first: dict[Any, Any] = {}
    keys = list(ids) if documents is None else list(zip(documents, ids, strict=True))
    apart = [key for key, value in zip(keys, values, strict=True) if first.setdefault(key, value) != value]
    if what.startswith("show"):
        return first
    if apart:
        raise InputError(
            f"{plural(len(apart), 'row')} of {called} with another {name!r} than the first row of the same "
            f"{noun('element')} (e.g. {apart[0]!r}); {noun('an element')} has one"
        )
    return list(first.values())


def _refuse_overlap(made: Clustering, form: str, called: str) -> None:
    """A file that looks like something in which elements would be in several clusters may be something else."""
    if not isinstance(made.names, LabelSets):
        return
    several = np.flatnonzero(made.names.sizes[made.codes] > 1).tolist()
    example = None if made.ids is None else made.ids[several[0]]
    raise InputError(
        f"{called} looks like {noun(lines.LOOKS[form])}, but then {plural(len(several), 'element')} would be in "
        f"several {noun('clusters')} (e.g. {example!r}); pass ",
        Option("format", form),
        " if they overlap; ",
        lines.otherwise(form),
    )


def _mentions(source: Source, form: str | None, group: _OneFile) -> Clustering:
    """The mentions of a coreference file."""
    from clusterscore.read.coreference import read_coreference, read_mentions

    is_gold = any(key.startswith("gold") for keys in group.members.values() for key in keys)
    file = read_coreference(source, form, offsets=group.file.offsets, key=is_gold)
    group.form = file.form
    return read_mentions(file)


def _array(source: Source, form: str) -> Clustering:
    """Labels in an array, or label images."""
    values = images_in(source, form)
    with errors_about(source.called):
        in_a_row = isinstance(values, np.ndarray) and values.ndim == 1 and not values.dtype.names
        if in_a_row and not (isinstance(values, np.memmap) and values.dtype.kind in "biu"):
            return Clustering.from_labels(values)
        made = Clustering.from_images(values)
        made.shapes = None if in_a_row else made.shapes
        return made
