"""Page streams: the lengths of their segments, or a 0 or 1 for every page, where 1 starts a segment.

In plain text one number a line, or all in one line, is one stream. Where there are several lines and one of them holds
several numbers, every line is a stream of its own, and a document of the result. In JSON a list is a stream, and an
object has streams by name; a table has a row for every page or segment, in order, and a column with the stream.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from clusterscore.distinct import Ints
from clusterscore.exceptions import ElementMismatch, FileError, InputError, plural
from clusterscore.read.clustering import Clustering
from clusterscore.read.formats import looks_like_json
from clusterscore.read.json_file import parse_json
from clusterscore.read.labels import Labels
from clusterscore.read.lines import filled_lines

_RULES = {  # what a number may be, and the rule
    "lengths": (
        re.compile(r"(?=0*[1-9])[0-9]{1,12}").fullmatch,
        'segment lengths are whole numbers from 1 up; a 0 or 1 for every page is format="boundaries"',
    ),
    "boundaries": (
        re.compile("[01]").fullmatch,
        'boundaries are 0 or 1 for every page; segment lengths are format="lengths"',
    ),
}
NUMBERS = {"boundaries": "boundary", "lengths": "length"}  # the column of a table with the numbers
STREAMS = ("document", "stream")  # one of them is the column with the stream


class Streams(NamedTuple):
    """The numbers of a file, how many of them each stream or line has, and the names of streams that have any."""

    numbers: Ints
    widths: Ints
    form: str
    called: str
    names: Sequence[str] | None = None
    apart: bool = False  # each stream is a list of its own, however short

    @property
    def many(self) -> bool:
        """Whether there are several streams, not one whose numbers stand in lines of their own."""
        several = len(self.widths) > 1 and (self.apart or bool((self.widths > 1).any()))
        return several or self.names is not None

    @property
    def pages(self) -> Ints:
        """How many pages each stream has."""
        if self.form == "boundaries":
            return self.widths
        return np.add.reduceat(self.numbers, np.cumsum(self.widths) - self.widths)

    def name(self, at: int) -> str:
        """What messages call a stream."""
        return f"line {at + 1}" if self.names is None else repr(self.names[at])


def read_streams(text: str, called: str, form: str) -> Streams:
    """Numbers in lines, separated by blanks or commas, where 0 and 1 may also stand side by side; or lists in JSON."""
    if looks_like_json(text):
        return _from_json(parse_json(text, called, "page streams"), called, form)
    lines = filled_lines(text.replace(",", " "), called, f"a {form} file has numbers in every line")
    words = [line.split() for line in lines]
    if form == "boundaries":
        words = [list("".join(line)) if set("".join(line)) <= {"0", "1"} else line for line in words]
    places = (f"line {number}" for number in range(1, len(words) + 1))
    return Streams(_numbers(words, form, called, places), _widths(words), form, called)


def _from_json(value: Any, called: str, form: str) -> Streams:
    named = isinstance(value, dict)
    lists = list(value.values()) if named else value if value and isinstance(value[0], list) else [value]
    if not value or not all(isinstance(each, list) and each for each in lists):
        raise FileError(
            f"{called} has no {form} of page streams: write a list of numbers for each, as [[1, 0, 0], [1, 1]], or by "
            'name as {"stream": [1, 0, 0]}; none may be empty'
        )
    words = [[_word(each) for each in stream] for stream in lists]
    places = map(repr, value) if named else (f"list {number}" for number in range(1, len(lists) + 1))
    numbers = _numbers(words, form, called, places)
    return Streams(numbers, _widths(words), form, called, list(value) if named else None, apart=True)


def streams_of_rows(values: Sequence[Any], streams: Sequence[Any] | None, form: str, called: str) -> Streams:
    """A row for every page or segment, in the order of each stream; ``streams`` says which it belongs to."""
    words = [[_word(value)] for value in values]
    numbers = _numbers(words, form, called, (f"row {number}" for number in range(1, len(words) + 1)))
    if streams is None:
        return Streams(numbers, np.array([len(numbers)]), form, called)
    found: dict[Any, int] = {}
    codes = np.array([found.setdefault(each, len(found)) for each in streams])
    return Streams(numbers[np.argsort(codes, kind="stable")], np.bincount(codes), form, called, list(map(str, found)))


def _word(value: Any) -> str:
    text = str(value).strip()
    return {"true": "1", "false": "0"}.get(text.lower(), text)


def _widths(words: Sequence[Sequence[str]]) -> Ints:
    return np.fromiter(map(len, words), np.int64, len(words))


def _numbers(words: Sequence[Sequence[str]], form: str, called: str, places: Iterable[str]) -> Ints:
    allowed, rule = _RULES[form]
    bad = [(word, place) for place, some in zip(places, words, strict=True) for word in some if not allowed(word)]
    if bad:
        word, place = bad[0]
        raise FileError(f"{called}: {plural(len(bad), 'number')} out of place (e.g. {word!r} in {place}); {rule}")
    return np.array([int(word) for some in words for word in some], np.int64)


def one_segmentation(streams: Streams, by_line: bool | None = None) -> Clustering:
    """The segmentation of one or several streams."""
    many = streams.many if by_line is None else by_line
    lengths = streams.numbers
    if streams.form == "boundaries":
        cuts = streams.numbers.copy()
        # where a stream begins, a segment does
        cuts[np.cumsum(streams.widths) - streams.widths if many else 0] = 1
        lengths = np.diff(np.append(np.flatnonzero(cuts), len(cuts)))
    try:
        made = Clustering.from_lengths(lengths)
    except (InputError, MemoryError) as error:
        raise FileError(f"{streams.called}: {error or 'it does not fit into memory'}") from None
    if many:
        documents = np.repeat(np.arange(len(streams.pages)), streams.pages)
        names = streams.names or [str(line) for line in range(1, len(streams.pages) + 1)]
        made.documents = Labels(documents, list(names))
    return made


def two_segmentations(gold: Streams, pred: Streams) -> tuple[Clustering, Clustering]:
    """Both sides, streams with names by name, others in their order; if one side has several, both have."""
    many = gold.many or pred.many
    if gold.names is not None and pred.names is not None:
        pred = _in_order_of(gold, pred)
    names = gold.names or pred.names
    gold, pred = gold._replace(names=names), pred._replace(names=names)
    if many:
        if len(gold.widths) != len(pred.widths):
            raise ElementMismatch(
                f"{gold.called} has {plural(len(gold.widths), 'stream')} and {pred.called} has {len(pred.widths):,}; "
                "write one stream per line, in the same order in both, or name them in both"
            )
        left, right = gold.pages, pred.pages
        apart = np.flatnonzero(left != right)
        if len(apart):
            at = int(apart[0])
            raise ElementMismatch(
                f"{plural(len(apart), 'stream')} of different lengths (e.g. {gold.name(at)}: "
                f"{plural(int(left[at]), 'page')} in {gold.called} and {int(right[at]):,} in {pred.called}); both need "
                "the same pages"
            )
        return _numbered(one_segmentation(gold, many), left), _numbered(one_segmentation(pred, many), left)
    return one_segmentation(gold, many), one_segmentation(pred, many)


def _numbered(made: Clustering, pages: Ints) -> Clustering:
    """Pages and segments by their numbers in their own stream, from 1 up, as people look them up."""
    first = np.repeat(np.cumsum(pages) - pages, pages)
    segments = made.codes - made.codes[first]
    labels = Labels(segments, range(1, int(segments.max()) + 2))
    return Clustering(labels, ids=np.arange(1, len(first) + 1) - first, documents=made.documents)


def _in_order_of(gold: Streams, pred: Streams) -> Streams:
    """The streams of ``pred``, matched by name."""
    for one, other in ((gold, pred), (pred, gold)):
        known = set(other.names or ())
        only = [name for name in one.names or () if name not in known]
        if only:
            raise ElementMismatch(
                f"{plural(len(only), 'stream')} of {one.called} not in {other.called} (e.g. {only[0]!r}); both need "
                "the same streams"
            )
    places = {name: place for place, name in enumerate(pred.names or ())}
    order = np.array([places[name] for name in gold.names or ()])
    parts = np.split(pred.numbers, np.cumsum(pred.widths)[:-1])
    return pred._replace(numbers=np.concatenate([parts[k] for k in order]), widths=pred.widths[order])
