"""Plain text: a label, a cluster, an element with its clusters, or a link in every line, and page streams.

A page stream is the lengths of its segments, or a 0 or 1 for every page, where 1 starts a segment. One number a line,
or all in one line, is one stream. Where there are several lines and one of them holds several numbers, every line is a
stream of its own, and a document of the result.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

from clusterscore.distinct import Ints
from clusterscore.exceptions import ElementMismatch, FileError, InputError, plural
from clusterscore.read.clustering import Clustering
from clusterscore.read.labels import Labels
from clusterscore.read.links import closed
from clusterscore.read.source import naming

CLUSTERS_OR = 'if each line is a link, say format="links"; if it is one label, format="labels"'
ELEMENTS_OR = 'if each line is a link, say format="links"; if it is a cluster, format="clusters"'
_STREAMS = {  # what a number may be, and the rule
    "lengths": (
        re.compile(r"(?=0*[1-9])[0-9]{1,12}").fullmatch,
        'segment lengths are whole numbers from 1 up; a 0 or 1 for every page is format="boundaries"',
    ),
    "boundaries": (
        re.compile("[01]").fullmatch,
        'boundaries are 0 or 1 for every page; segment lengths are format="lengths"',
    ),
}


def labels(text: str, called: str) -> Clustering:
    """One label a line."""
    return Clustering.from_labels(_filled_lines(text, called, "a label file has one label in every line"))


def clusters(text: str, called: str) -> Clustering:
    """One cluster a line, its elements separated by blanks or tabs."""
    members = {number: line.split() for number, line in enumerate(text.split("\n"), 1) if line.strip()}
    with naming(called, CLUSTERS_OR):
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
    with naming(called, ELEMENTS_OR):
        return Clustering.from_labels([label or None for label in names], elements=ids)


def memberships(text: str, called: str) -> Clustering:
    """An element, a tab and its clusters in every line, separated by blanks or tabs; nothing after the tab is none."""
    lines = [(number, *line.partition("\t")) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    bad = [number for number, element, tab, _ in lines if not tab or not element.strip()]
    if bad:
        raise FileError(
            f"{called}: {plural(len(bad), 'line')} without an element and a tab (e.g. line {bad[0]}); write an "
            'element, a tab and its clusters, separated by blanks, or say format="..."'
        )
    sets = [names.split() for *_, names in lines]
    with naming(called):
        return Clustering.from_memberships(sets, elements=[element.strip() for _, element, *_ in lines])


def links(text: str, called: str) -> Clustering:
    """A link in every line, two elements that belong together, closed transitively; one element is alone.

    Elements are separated by a tab, a comma or blanks: by the first of these that the text has.
    """
    separator = "\t" if "\t" in text else "," if "," in text else None
    ends = {
        number: [end for end in map(str.strip, line.split(separator)) if end]
        for number, line in enumerate(text.split("\n"), 1)
        if line.strip()
    }
    bad = [(number, len(line)) for number, line in ends.items() if not 1 <= len(line) <= 2]
    if bad:
        raise FileError(
            f"{called}: {plural(len(bad), 'line')} not made of one or two elements (e.g. line {bad[0][0]} has "
            f'{bad[0][1]}); cut other columns off, or say format="clusters" if each line is a cluster'
        )
    pairs = [line for line in ends.values() if len(line) == 2]
    alone = [line[0] for line in ends.values() if len(line) == 1]
    return closed([pair[0] for pair in pairs], [pair[1] for pair in pairs], alone)


class Streams(NamedTuple):
    """The numbers of a file, and how many of them stand in each line."""

    numbers: Ints
    widths: Ints
    form: str
    called: str

    @property
    def many(self) -> bool:
        """Whether the lines are streams."""
        return len(self.widths) > 1 and bool((self.widths > 1).any())

    @property
    def pages(self) -> Ints:
        """How many pages each line has."""
        if self.form == "boundaries":
            return self.widths
        return np.add.reduceat(self.numbers, np.cumsum(self.widths) - self.widths)


def read_streams(text: str, called: str, form: str) -> Streams:
    """The numbers of a text, separated by blanks or commas; 0 and 1 may also stand side by side."""
    lines = _filled_lines(text.replace(",", " "), called, f"a {form} file has numbers in every line")
    words = [line.split() for line in lines]
    if form == "boundaries":
        words = [list("".join(line)) if set("".join(line)) <= {"0", "1"} else line for line in words]
    allowed, rule = _STREAMS[form]
    bad = [(word, number) for number, line in enumerate(words, 1) for word in line if not allowed(word)]
    if bad:
        word, number = bad[0]
        raise FileError(f"{called}: {plural(len(bad), 'number')} out of place (e.g. {word!r} in line {number}); {rule}")
    widths = np.fromiter(map(len, words), np.int64, len(words))
    return Streams(np.array([int(word) for line in words for word in line], np.int64), widths, form, called)


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
        raise FileError(f"{streams.called}: {error or 'it does not fit memory'}") from None
    if many:
        documents = np.repeat(np.arange(len(streams.pages)), streams.pages)
        made.documents = Labels(documents, [str(line) for line in range(1, len(streams.pages) + 1)])
    return made


def two_segmentations(gold: Streams, pred: Streams) -> tuple[Clustering, Clustering]:
    """Both sides: if one of them has a stream in every line, both have."""
    many = gold.many or pred.many
    if many:
        if len(gold.widths) != len(pred.widths):
            raise ElementMismatch(
                f"{gold.called} has {plural(len(gold.widths), 'stream')} and {pred.called} has {len(pred.widths):,}; "
                "write one stream a line, in the same order in both"
            )
        left, right = gold.pages, pred.pages
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
