"""Plain text: a label, a cluster, an element with its cluster, or a link in every line."""

from __future__ import annotations

import numpy as np

from clusterscore.errors import FileError, plural
from clusterscore.read.clustering import Clustering
from clusterscore.read.labels import Labels
from clusterscore.read.links import joined
from clusterscore.read.source import naming


def labels(text: str, called: str) -> Clustering:
    """One label a line."""
    return Clustering.from_labels(filled_lines(text, called, "a label file has one label in every line"))


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
    ids, codes = joined([pair[0] for pair in pairs], [pair[1] for pair in pairs], alone)
    return Clustering(Labels(codes, range(int(codes.max()) + 1)), ids=ids)


def filled_lines(text: str, called: str, rule: str) -> list[str]:
    """All lines; none of them may be empty, as the rule says."""
    lines = [line.strip() for line in text.rstrip().split("\n")]
    empty = [k for k, line in enumerate(lines, 1) if not line]
    if empty:
        raise FileError(f"{called} has {plural(len(empty), 'empty line')} (e.g. line {empty[0]}); {rule}")
    return lines
