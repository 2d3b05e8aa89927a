"""Page streams: the lengths of their segments, or a 0 or 1 for every page, where 1 starts a segment.

In plain text one number a line, or all in one line, is one stream. Where there are several lines and one of them holds
several numbers, every line is a stream of its own, and a document of the result. In JSON a list is a stream, and an
object has streams by name; a table has a row for every page or segment, and a column with the stream.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from clusterscore.distinct import Ints
from clusterscore.exceptions import ClusterscoreError, FileError, InputError
from clusterscore.messages import Message, Option, Wording
from clusterscore.nouns import plural
from clusterscore.read.arrays import as_vector, numbers
from clusterscore.read.clustering import Clustering
from clusterscore.read.formats import looks_like_json
from clusterscore.read.json_file import parse_json, scalars
from clusterscore.read.labels import Labels, Unnamed
from clusterscore.read.lines import filled_lines

_RULES = {  # what a number may be, and the rule
    "lengths": (
        re.compile(r"(?=0*[1-9])[0-9]{1,12}").fullmatch,
        Message(
            "segment lengths are whole numbers from 1 up; a 0 or 1 for every page is ", Option("format", "boundaries")
        ),
    ),
    "boundaries": (
        re.compile("[01]").fullmatch,
        Message("boundaries are 0 or 1 for every page; segment lengths are ", Option("format", "lengths")),
    ),
}
NUMBERS = {"boundaries": "boundary", "lengths": "length"}  # the column of a table with the numbers
STREAMS = ("document", "stream")  # one of them is the column with the stream
PAGE_LABELS = "labels of pages"  # a list for each stream in JSON
_DIGITS = re.compile(r"(\d+)")
_LONGEST = 2**40  # elements in a segment: longer ones are a mistake, and would not fit memory


def segmentation(streams: Sequence[Any], form: str, names: Sequence[Any] | None = None, ids: Any = None) -> Clustering:
    """One stream goes by position; several, or those with names, are documents, with pages numbered from 1 in each.

    ``ids`` stand for these numbers, those of all streams one after the other.
    """
    parts = []
    for k, stream in enumerate(streams):
        try:
            parts.append(_by_boundaries(stream) if form == "boundaries" else _by_lengths(stream))
        except ClusterscoreError as error:
            raise type(error)(f"stream {names[k]!r}: " if names else "", error) from None
    if names is None and len(parts) > 1:
        names = [str(number) for number in range(1, len(parts) + 1)]
    made = Clustering(parts[0])
    if names is not None:
        segments = np.array([len(labels.names) for labels in parts], np.int64)
        pages = np.array([len(labels) for labels in parts], np.int64)
        codes = np.concatenate([labels.codes for labels in parts]) + np.repeat(np.cumsum(segments) - segments, pages)
        made = Clustering(
            Labels(codes, _from_one(segments)),  # in each stream
            ids=_from_one(pages),
            documents=Labels(np.repeat(np.arange(len(pages)), pages), list(names)),
        )
    if ids is not None:
        made.ids = ids
    marks = np.concatenate([np.asarray(stream) == 1 for stream in streams]) if form == "boundaries" else None
    ends = form == "boundaries" and all(len(stream) > 1 and stream[0] == 0 and stream[-1] == 1 for stream in streams)
    made.origin = made.origin._replace(marks=marks, marks_ends=ends)
    return made


def _by_lengths(lengths: Any) -> Labels:
    """Segments by their lengths, in order."""
    values = numbers(lengths, "lengths")
    bad = (values != np.floor(values)) | ~(values >= 1) | (values > _LONGEST)
    if values.dtype == np.bool_ or bad.any():
        example = values[bad][0].item() if bad.any() else values[0].item()
        raise InputError(f"segment lengths are whole numbers from 1 up (to 2**40), but one of them is {example!r}")
    counts = values.astype(np.int64)
    return Labels(np.repeat(np.arange(len(counts)), counts), Unnamed(len(counts)))


def _by_boundaries(boundaries: Any) -> Labels:
    """Segments by 0 and 1: 1 starts one, and so does the first position."""
    values = numbers(boundaries, "boundaries")
    bad = (values != 0) & (values != 1)
    if bad.any():
        raise InputError(
            f"boundaries are 0 or 1 (1 starts a segment), but {int(bad.sum()):,} of {len(values):,} are not (e.g. "
            f"{values[bad][0].item()!r}); segment lengths go to Clustering.from_lengths"
        )
    starts = values.astype(np.int64)
    starts[:1] = 1
    codes = np.cumsum(starts) - 1
    return Labels(codes, Unnamed(int(codes[-1]) + 1 if len(codes) else 0))


def _from_one(sizes: Ints) -> Ints:
    """Numbers from 1 up to each of some sizes, one after the other."""
    return np.arange(1, sizes.sum() + 1) - np.repeat(np.cumsum(sizes) - sizes, sizes)


def given_streams(given: Any, form: str) -> Clustering:
    """The numbers of one stream, of several one after the other, or by name, as a user of Python has them."""
    if isinstance(given, list | tuple) and any(isinstance(stream, list | tuple | np.ndarray) for stream in given):
        return segmentation([np.asarray(as_vector(stream, form)) for stream in given], form)
    if not isinstance(given, Mapping):
        return segmentation([as_vector(given, form)], form)
    if not given:
        raise InputError(f"there are no streams: pass a mapping stream -> {form}")
    return segmentation(list(map(np.asarray, given.values())), form, list(given))


def read_streams(text: str, called: str, form: str) -> Clustering:
    """Numbers in lines, separated by blanks or commas, where 0 and 1 may also stand side by side; or lists in JSON."""
    if looks_like_json(text):
        return _from_json(parse_json(text, called, "page streams"), called, form)
    lines = filled_lines(text.replace(",", " "), called, f"a {form} file has numbers in every line")
    words = [line.split() for line in lines]
    if form == "boundaries":
        words = [list("".join(line)) if set("".join(line)) <= {"0", "1"} else line for line in words]
    numbers = _numbers(words, form, called, (f"line {number}" for number in range(1, len(words) + 1)))
    if all(len(line) == 1 for line in words):
        numbers = [np.concatenate(numbers)]
    return _in_file(numbers, form, called)


def _from_json(value: Any, called: str, form: str) -> Clustering:
    named = isinstance(value, dict)
    lists = list(value.values()) if named else value if value and isinstance(value[0], list) else [value]
    if not value or not all(isinstance(stream, list) and stream for stream in lists):
        raise FileError(
            f"{called} has no {form} of page streams: write a list of numbers for each, as [[1, 0, 0], [1, 1]], or by "
            'name as {"stream": [1, 0, 0]}; none may be empty'
        )
    words = [[_word(number) for number in stream] for stream in lists]
    places = map(repr, value) if named else (f"list {number}" for number in range(1, len(lists) + 1))
    return _in_file(_numbers(words, form, called, places), form, called, list(value) if named else None)


def are_flags(column: Any) -> bool:
    """Whether there is nothing but 0 and 1."""
    values = plain_list(column)
    return bool(values) and set(map(_word, values)) <= {"0", "1"}


def plain_list(column: Any) -> list[Any]:
    """The values of a list, an array or a tensor."""
    return list(column.tolist() if hasattr(column, "tolist") else column)


def are_boundaries(*columns: Any, streams: Any = None, pages: Any = None) -> bool:
    """Whether these are the 0 and 1 of pages, where 1 starts a segment; an error where they may be labels as well."""
    if not all(map(are_flags, columns)):
        return False
    words = [list(map(_word, plain_list(column))) for column in columns]
    codes, _, order = _in_order(streams, pages, len(words[0]))
    ends = np.cumsum(np.bincount(codes))[:-1]
    return _are_flags(
        [part.tolist() for flags in words for part in np.split(np.array(flags)[order], ends)], len(ends) > 0
    )


def _are_flags(streams: Sequence[Sequence[str]], apart: bool, called: str = "") -> bool:
    """Whether 0 and 1 mark pages: a first page is marked, or in a stream of its own (``apart``) a mark comes after one.

    As labels, those of a segment would stand together.
    """
    if any(stream[0] == "1" for stream in streams) or not any("1" in stream for stream in streams):
        return True
    if apart and any("10" in "".join(stream) for stream in streams):
        return True
    raise FileError(
        f"{called or 'a side'} has nothing but 0 and 1, and begins with 0: they may mark the first page of each "
        "segment, or be the labels of two segments; pass ",
        Option("format", "boundaries", "labels"),
        Wording(" (Clustering.from_boundaries, from_labels)"),
    )


def form_by_content(text: str, called: str, form: str) -> str:
    """What the numbers of page streams are, in lines or in JSON; where they can mean two things, an error.

    Nothing but 0 and 1 are boundaries. Whole numbers from 1 up may be the lengths of segments, or labels of pages.
    """
    value: Any = parse_json(text, called, "page streams") if form == "json" else None
    lists = list(value.values()) if isinstance(value, dict) else value
    if form == "json" and (not isinstance(lists, list) or not all(isinstance(stream, list) for stream in lists)):
        lists = [lists]
    words = [[_word(label) for label in stream] for stream in lists] if form == "json" else [text.split()]
    every = list(chain.from_iterable(words))
    if every and set("".join(every)) <= {"0", "1"}:
        lines = words if form == "json" else [list("".join(line.split())) for line in text.splitlines() if line.strip()]
        several = any(len(line) > 1 for line in lines)
        _are_flags(lines if several else [list(chain.from_iterable(lines))], several, called)
        return "boundaries"
    if every and all(map(_RULES["lengths"][0], every)):
        raise FileError(
            f"{called} has whole numbers from 1 up, which may be the lengths of segments or the labels of pages; pass ",
            Option("format", "lengths", "labels"),
        )
    return PAGE_LABELS if form == "json" and isinstance(value, dict | list) and lists != [value] else form


def read_page_labels(text: str, called: str) -> Clustering:
    """A label for every page, a list for each stream, by name or one after the other."""
    value = parse_json(text, called, "page streams")
    named = value if isinstance(value, dict) else {str(number): stream for number, stream in enumerate(value, 1)}
    streams = {name: scalars(stream, called) for name, stream in named.items()}
    pages = np.array([len(stream) for stream in streams.values()], np.int64)
    return Clustering.from_labels(
        list(chain.from_iterable(streams.values())),
        elements=_from_one(pages),
        documents=np.repeat(np.arange(len(streams)), pages) if not streams else np.repeat(list(streams), pages),
    )


class _PageRows(NamedTuple):
    """The stream of each row by its number, the names of the streams, and the rows in the order of their pages."""

    codes: Ints
    names: list[str] | None
    order: Ints


def _in_order(streams: Sequence[Any] | None, pages: Sequence[Any] | None, rows: int) -> _PageRows:
    codes, names = np.zeros(rows, np.int64), None
    if streams is not None:
        stream_codes: dict[Any, int] = {}
        codes = np.array([stream_codes.setdefault(stream, len(stream_codes)) for stream in streams])
        names = list(map(str, stream_codes))
    order = np.argsort(codes, kind="stable")
    if pages is not None:
        keys = [[int(part) if k % 2 else part for k, part in enumerate(_DIGITS.split(str(page)))] for page in pages]
        order = np.array(sorted(range(len(keys)), key=lambda row: (codes[row], keys[row])), np.int64)
    return _PageRows(codes, names, order)


def streams_of_rows(
    values: Sequence[Any], streams: Sequence[Any] | None, pages: Sequence[Any] | None, form: str, called: str
) -> Clustering:
    """A row for every page or segment; ``streams`` says which it belongs to, and ``pages`` where it stands there.

    Without pages rows are in the order of each stream. Pages are ordered as people count them: ``p2`` before ``p10``.
    """
    words = [[_word(value)] for value in values]
    numbers = np.concatenate(_numbers(words, form, called, (f"row {number}" for number in range(1, len(words) + 1))))
    if pages is not None and form == "lengths":
        raise FileError(f"{called}: a row of lengths is a segment, and no page; leave out ", Option("element"))
    codes, names, order = _in_order(streams, pages, len(numbers))
    ids = None
    if pages is not None:
        listed = list(map(str, pages))
        ids = [listed[row] for row in order.tolist()]
        twice = [
            row for row in range(1, len(ids)) if ids[row] == ids[row - 1] and codes[order[row]] == codes[order[row - 1]]
        ]
        if twice:
            where, remedy = "", Message("name the column of streams with ", Option("document"))
            if names is not None:
                where, remedy = f" of stream {names[codes[order[twice[0]]]]!r}", Message("remove the others")
            raise FileError(
                f"{called}: {plural(len(twice), 'page')} in more than one row (e.g. {ids[twice[0]]!r}{where}); a page "
                "is in a stream once: ",
                remedy,
            )
    return _in_file(np.split(numbers[order], np.cumsum(np.bincount(codes))[:-1]), form, called, names, ids)


def _in_file(
    streams: Sequence[Ints], form: str, called: str, names: Sequence[str] | None = None, pages: Any = None
) -> Clustering:
    try:
        return segmentation(streams, form, names, pages)
    except MemoryError:
        raise FileError(f"{called}: it does not fit into memory") from None


def _word(value: Any) -> str:
    text = str(value).strip()
    return {"true": "1", "false": "0"}.get(text.lower(), text)


def _numbers(words: Sequence[Sequence[str]], form: str, called: str, places: Iterable[str]) -> list[Ints]:
    allowed, rule = _RULES[form]
    if not all(map(allowed, chain.from_iterable(words))):
        bad = [(word, place) for place, some in zip(places, words, strict=True) for word in some if not allowed(word)]
        word, place = bad[0]
        raise FileError(f"{called}: {plural(len(bad), 'number')} out of place (e.g. {word!r} in {place}); ", rule)
    return [np.array([int(word) for word in some], np.int64) for some in words]
