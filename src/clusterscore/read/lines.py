"""Plain text: a label, a cluster, an element with its clusters, or a link in every line; lists of these in JSON."""

from __future__ import annotations

from typing import Any

from clusterscore.exceptions import FileError
from clusterscore.messages import Message, Option
from clusterscore.nouns import noun, plural
from clusterscore.read.clustering import Clustering
from clusterscore.read.formats import looks_like_json
from clusterscore.read.json_file import read_lists
from clusterscore.read.links import closed
from clusterscore.read.source import errors_about

LOOKS = {"clusters": "one cluster per line", "elements": "an element and its cluster in every line"}  # without a name
_OTHERWISE = {"clusters": ("; if it is one label, ", "labels"), "elements": ("; if it is a cluster, ", "clusters")}


def otherwise(form: str) -> Message:
    """What else a file of this format may be."""
    words, other = _OTHERWISE[form]
    links = Option("format", "links")
    return Message("if each line is a link, pass ", links, noun(words), Option("format", other))


def labels(text: str, called: str) -> Clustering:
    """One label a line."""
    return Clustering.from_labels(filled_lines(text, called, "a label file has one label in every line"))


def clusters(text: str, called: str) -> Clustering:
    """One cluster a line, its elements separated by blanks or tabs."""
    if looks_like_json(text):
        return read_lists(text, called, "clusters")
    with errors_about(called, otherwise("clusters")):
        return Clustering.from_clusters({number: line.split() for number, line in _numbered_lines(text)})


def elements(text: str, called: str) -> Clustering:
    """An element and its cluster in every line, separated by a tab, without a heading."""
    lines = _numbered_lines(text)
    bad = [(number, line) for number, line in lines if line.count("\t") != 1]
    if bad:
        raise FileError(
            f"{called}: {plural(len(bad), 'line')} without exactly one tab (e.g. line {bad[0][0]}: "
            f"{bad[0][1].strip()[:40]!r}); write {noun('an element')}, a tab and its {noun('cluster')}, or "
            "pass ",
            Option("format", "..."),
        )
    cells = list(map(str.strip, "\t".join(line for _, line in lines).split("\t")))
    ids, names = cells[::2], cells[1::2]
    if "" in ids:
        number = lines[ids.index("")][0]
        raise FileError(f"{called}: {plural(ids.count(''), 'line')} without {noun('an element')} (e.g. line {number})")
    with errors_about(called, otherwise("elements")):
        return Clustering.from_labels([label or None for label in names], elements=ids)


def memberships(text: str, called: str) -> Clustering:
    """An element, a tab and its clusters in every line, separated by blanks or tabs; nothing after the tab is none."""
    if looks_like_json(text):
        return read_lists(text, called, "memberships")
    lines = [(number, *line.partition("\t")) for number, line in _numbered_lines(text)]
    bad = [number for number, element, tab, _ in lines if not tab or not element.strip()]
    if bad:
        raise FileError(
            f"{called}: {plural(len(bad), 'line')} without {noun('an element')} and a tab (e.g. line "
            f"{bad[0]}); write {noun('an element')}, a tab and its {noun('clusters')}, separated by blanks, "
            "or pass ",
            Option("format", "..."),
        )
    sets = [names.split() for *_, names in lines]
    with errors_about(called):
        return Clustering.from_memberships(sets, elements=[element.strip() for _, element, *_ in lines])


def senses(text: str, called: str) -> Clustering:
    """Word senses as SemEval has them: a term, an instance of it, and its senses, each perhaps with /weight.

    Terms are documents; a sense without a weight has 1. What follows !! is a comment.
    """
    remedy = "write add.v add.v.1 sense/weight"
    lines = [(number, line.partition("!!")[0].split()) for number, line in _numbered_lines(text)]
    short = [number for number, words in lines if len(words) < 3]
    if short:
        raise FileError(
            f"{called}: {plural(len(short), 'line')} without a term, an instance and a sense (e.g. line {short[0]}); "
            f"{remedy} ..., separated by blanks, or pass ",
            Option("format", "..."),
        )
    known: dict[tuple[str, str], int] = {}
    for number, (term, instance, *_) in lines:
        if (first := known.setdefault((term, instance), number)) != number:
            raise FileError(
                f"{called}: {instance!r} is in line {first} and in line {number}; write its senses in one line"
            )
    graded: list[dict[str, Any]] = []
    for number, (_, _, *words) in lines:
        parts = [word.rpartition("/") for word in words]
        weights = {sense if slash else weight: weight if slash else 1.0 for sense, slash, weight in parts}
        if len(weights) < len(words) or "" in weights:
            raise FileError(f"{called}: line {number} has a sense twice, or a weight without a sense; {remedy} ...")
        graded.append(weights)
    with errors_about(called):
        names = {"elements": [words[1] for _, words in lines], "documents": [words[0] for _, words in lines]}
        return Clustering.from_graded(graded, **names)


def links(text: str, called: str) -> Clustering:
    """A link in every line, two elements that belong together, closed transitively; one element is alone.

    Elements are separated by a tab, a comma or blanks: by the first of these that the text has.
    """
    separator = "\t" if "\t" in text else "," if "," in text else None
    ends = {number: list(filter(None, map(str.strip, line.split(separator)))) for number, line in _numbered_lines(text)}
    bad = [(number, len(line)) for number, line in ends.items() if not 1 <= len(line) <= 2]
    if bad:
        raise FileError(
            f"{called}: {plural(len(bad), 'line')} not made of one or two {noun('elements')} (e.g. line "
            f"{bad[0][0]} has {bad[0][1]}); cut other columns off, or pass ",
            Option("format", "clusters"),
            noun(" if each line is a cluster"),
        )
    pairs = [line for line in ends.values() if len(line) == 2]
    alone = [line[0] for line in ends.values() if len(line) == 1]
    return closed([pair[0] for pair in pairs], [pair[1] for pair in pairs], alone)


def _numbered_lines(text: str) -> list[tuple[int, str]]:
    """The lines that are not empty, each with its number."""
    return [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]


def filled_lines(text: str, called: str, rule: str) -> list[str]:
    """All lines; none of them may be empty, as the rule says."""
    lines = [line.strip() for line in text.rstrip().split("\n")]
    empty = [k for k, line in enumerate(lines, 1) if not line]
    if empty:
        raise FileError(f"{called} has {plural(len(empty), 'empty line')} (e.g. line {empty[0]}); {rule}")
    return lines
