"""Plain text: a label, a cluster, an element with its cluster, or a link in every line, and page streams.

A page stream is the lengths of its segments, or a 0 or 1 for every page, where 1 starts a segment. One number a line,
or all in one line, is one stream. Where there are several lines and one of them holds several numbers, every line is a
stream of its own, and a document of the result.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from clusterscore.distinct import Array, Ints
from clusterscore.exceptions import ElementMismatch, FileError, InputError, plural
from clusterscore.read.clustering import Clustering, closed
from clusterscore.read.labels import Labels
from clusterscore.read.source import naming


def labels(text: str, called: str) -> Clustering:
    """One label a line."""
    return Clustering.from_labels(_filled_lines(text, called, "a label file has one label in every line"))


def clusters(text: str, called: str) -> Clustering:
    """One cluster a line, its elements separated by blanks or tabs."""
    members = {number: line.split() for number, line in enumerate(text.split("\n"), 1) if line.strip()}
    with naming(called, 'if each line is a link, say format="links"; if it is one label, format="labels"'):
        return Clustering.from_clusters(members)


def elements(text: str, called: str) -> Clustering:
    """An element and its cluster in every line, separated by a tab, without a heading."""
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    bad = [(number, line) for number, line in lines if line.count("\t") != 1]
    if bad:
        raise FileError(
            f"{called}: {plural(len(bad), 'line')} without exactly one tab (e.g. line {bad[0][0]}: "
            f'{bad[0][1].strip()[:40]!r}); write an element, a tab and its cluster, or say format="..."'
        )
    cells = list(map(str.strip, "\t".join(line for _, line in lines).split("\t")))
    ids, names = cells[::2], cells[1::2]
    if "" in ids:
        number = lines[ids.index("")][0]
        raise FileError(f"{called}: {plural(ids.count(''), 'line')} without an element (e.g. line {number})")
    with naming(called, 'if each line is a link, say format="links"; if it is a cluster, format="clusters"'):
        return Clustering.from_labels([label or None for label in names], elements=ids)


def links(text: str, called: str) -> Clustering:
    """A link in every line, two elements that belong together, closed transitively; one element is alone.

    Elements are separated by a tab, a comma or blanks: by the first of these that the text has.
    """
    separator = "\t" if "\t" in text else "," if "," in text else None
    numbers = [number for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    ends = [line.split(separator) for line in text.split("\n") if line.strip()]
    if separator is not None:
        ends = [[end for end in map(str.strip, line) if end] for line in ends]
    counts = np.fromiter(map(len, ends), np.int64, len(ends))
    bad = np.flatnonzero((counts < 1) | (counts > 2)).tolist()
    if bad:
        raise FileError(
            f"{called}: {plural(len(bad), 'line')} not made of one or two elements (e.g. line {numbers[bad[0]]} has "
            f'{counts[bad[0]]}); cut other columns off, or say format="clusters" if each line is a cluster'
        )
    pairs = [line for line in ends if len(line) == 2]
    alone = [line[0] for line in ends if len(line) == 1]
    return closed([pair[0] for pair in pairs], [pair[1] for pair in pairs], alone)


class Streams(NamedTuple):
    """The numbers of a file, and how many of them stand in each line."""

    numbers: Array
    widths: Ints
    form: str
    called: str

    @property
    def many(self) -> bool:
        """Whether the lines are streams."""
        return len(self.widths) > 1 and bool((self.widths > 1).any())


def read_streams(text: str, called: str, form: str) -> Streams:
    """The numbers of a text, separated by blanks or commas; 0 and 1 may also stand side by side."""
    lines = _filled_lines(text.replace(",", " "), called, f"a {form} file has numbers in every line")
    words = [line.split() for line in lines]
    if form == "boundaries":
        words = [list("".join(line)) if set("".join(line)) <= {"0", "1"} else line for line in words]
    widths = np.fromiter(map(len, words), np.int64, len(words))
    flat = [word for line in words for word in line]
    bad = [k for k, word in enumerate(flat) if not _allowed(word, form)]
    if bad:
        line = int(np.searchsorted(np.cumsum(widths), bad[0], side="right")) + 1
        rule = (
            'segment lengths are whole numbers from 1 up; a 0 or 1 for every page is format="boundaries"'
            if form == "lengths"
            else 'boundaries are 0 or 1 for every page; segment lengths are format="lengths"'
        )
        raise FileError(
            f"{called}: {plural(len(bad), 'number')} out of place (e.g. {flat[bad[0]]!r} in line {line}); {rule}"
        )
    return Streams(np.array(flat, np.int64), widths, form, called)


def _allowed(word: str, form: str) -> bool:
    if form == "boundaries":
        return word in ("0", "1")
    return word.isascii() and word.isdigit() and len(word) < 13 and int(word) > 0


def one_segmentation(streams: Streams, by_line: bool | None = None) -> Clustering:
    """The segmentation of one or several streams."""
    many = streams.many if by_line is None else by_line
    ends = np.cumsum(streams.widths)
    starts = (ends - streams.widths) if many else np.zeros(1, np.int64)  # where a stream begins, a segment does
    if streams.form == "lengths":
        lengths = streams.numbers
    else:
        cuts = streams.numbers.copy()
        cuts[starts] = 1
        lengths = np.diff(np.append(np.flatnonzero(cuts), len(cuts)))
    try:
        made = Clustering.from_lengths(lengths)
    except (InputError, MemoryError) as error:
        raise FileError(f"{streams.called}: {error or 'it does not fit memory'}") from None
    if many:
        pages = _pages(streams)
        documents = np.repeat(np.arange(len(pages)), pages)
        made.documents = Labels(documents, [str(line) for line in range(1, len(pages) + 1)])
    return made


def _pages(streams: Streams) -> Ints:
    """How many pages each line has."""
    if streams.form == "boundaries":
        return streams.widths
    return np.add.reduceat(streams.numbers, np.cumsum(streams.widths) - streams.widths)


def two_segmentations(gold: Streams, pred: Streams) -> tuple[Clustering, Clustering]:
    """Both sides: if one of them has a stream in every line, both have."""
    many = gold.many or pred.many
    if many:
        if len(gold.widths) != len(pred.widths):
            raise ElementMismatch(
                f"{gold.called} has {plural(len(gold.widths), 'stream')} and {pred.called} has {len(pred.widths):,}; "
                "write one stream a line, in the same order in both"
            )
        left, right = _pages(gold), _pages(pred)
        apart = np.flatnonzero(left != right)
        if len(apart):
            at = int(apart[0])
            raise ElementMismatch(
                f"{plural(len(apart), 'stream')} of different lengths (e.g. line {at + 1}: "
                f"{plural(int(left[at]), 'page')} in {gold.called} and {int(right[at]):,} in {pred.called}); both need "
                "the same pages"
            )
    return one_segmentation(gold, many), one_segmentation(pred, many)


def _filled_lines(text: str, called: str, rule: str) -> list[str]:
    """All lines; none of them may be empty, as the rule says."""
    lines = [line.strip() for line in text.rstrip().split("\n")]
    empty = [k for k, line in enumerate(lines, 1) if not line]
    if empty:
        raise FileError(f"{called} has {plural(len(empty), 'empty line')} (e.g. line {empty[0]}); {rule}")
    return lines
