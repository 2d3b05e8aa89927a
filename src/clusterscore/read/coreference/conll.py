"""CoNLL-2011 and 2012: a token in each line, its brackets in the last column, between lines that name the document.

What the reference scorer does is done here: a mention is its first and last token in the document, sentences do not
matter, brackets of one entity nest, and of two documents with one name the last counts. But only the last column
is looked at, wherever blanks stand for tabs, and what does not fit is told and left out.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from clusterscore.distinct import Ints
from clusterscore.errors import FileError, plural
from clusterscore.read.coreference.brackets import Items, items, match
from clusterscore.read.coreference.file import CorefFile, Mentions, last_of_each, place, short
from clusterscore.read.coreference.lines import BLANK, Lines
from clusterscore.read.coreference.tokens import LineTokens

BEGIN = "#begin document"
_MARK = re.compile(rb"#[ \t]*(?:(begin) document(?![^ \t(])|end document)[ \t]*")
_NONE = np.isin(np.arange(256), [ord(sign) for sign in "-_*"])
_WORD_COLUMN, _COLUMNS = 3, 5  # with fewer columns nobody knows which of them is the word
_PLACEHOLDER = b"[WORD]"


class _Documents(NamedTuple):
    """Where the documents are: from a line up to another; and how many tokens stand before each line."""

    names: list[str]
    first: Ints
    stop: Ints
    before: Ints

    @property
    def counts(self) -> Ints:
        return self.before[self.stop] - self.before[self.first]


def read_conll(data: bytes, called: str) -> CorefFile:
    """Read the bytes of a file."""
    lines = Lines(data)
    documents, warnings = _documents(lines, called)
    at, document = _cells(lines, documents)
    found = items(lines.joined(lines.last_columns(at), lines.ends[at]))
    said = _Said(called, lines, documents.names, at, document)
    warnings += said.malformed(found.malformed)
    mentions, entities = _mentions(found, at, documents, document, said, warnings)
    return CorefFile(called, "conll", documents.names, mentions, entities, _tokens(lines, documents), warnings)


def _documents(lines: Lines, called: str) -> tuple[_Documents, list[str]]:
    names: list[str] = []
    begins: list[int] = []
    ends: list[int] = []
    marks: list[int] = []
    filled = lines.filled
    for line in np.flatnonzero(filled & (lines.bytes[lines.starts] == ord("#"))).tolist():
        text = lines.text(line)
        mark = _MARK.match(text)
        if mark is None:
            continue
        marks.append(line)
        if len(ends) < len(begins):
            ends.append(line)
        if mark[1]:
            begins.append(line)
            names.append(text[mark.end() :].decode("utf-8", "replace"))
    if not begins:
        raise FileError(f'{called} has no documents: no line begins with "{BEGIN}", as it does in CoNLL files')
    if len(ends) < len(begins):
        ends.append(len(lines))
    filled[marks] = False
    before = np.concatenate([[0], np.cumsum(filled)])
    all_of_them = _Documents(names, np.array(begins), np.array(ends), before)
    warnings = _outside(all_of_them, called)
    kept, repeated = last_of_each(names, [line + 1 for line in begins], called)
    chosen = np.array(kept)
    return (
        _Documents([names[k] for k in kept], all_of_them.first[chosen], all_of_them.stop[chosen], before),
        warnings + repeated,
    )


def _outside(documents: _Documents, called: str) -> list[str]:
    before = documents.before
    count = int(before[-1] - documents.counts.sum())
    if not count:
        return []
    edges = np.concatenate([[0], documents.stop, [len(before) - 1]])
    gaps = [(start, stop) for start, stop in zip(edges, [*documents.first, edges[-1]], strict=False)]
    start = next(start for start, stop in gaps if before[stop] > before[start])
    line = int(np.searchsorted(before, before[start], side="right"))
    return [f"{called}: {plural(count, 'line')} outside of any document (e.g. line {line}); left out"]


def _cells(lines: Lines, documents: _Documents) -> tuple[Ints, Ints]:
    """The lines of documents whose last column has something, and their documents."""
    last = np.maximum(lines.ends - 1, 0)
    none = _NONE[lines.bytes[last]] & ((last <= lines.starts) | (lines.bytes[last - 1] <= BLANK))
    some = np.flatnonzero(~none & (documents.before[1:] > documents.before[:-1]))
    document = np.searchsorted(documents.first, some, side="right") - 1
    inside = (document >= 0) & (some < documents.stop[document])
    return some[inside], document[inside]


def _mentions(
    found: Items, at: Ints, documents: _Documents, document: Ints, said: _Said, warnings: list[str]
) -> tuple[Mentions, Sequence[str]]:
    ids = [name.decode("utf-8", "replace") for name in found.ids]
    owner = document[found.cell]
    group = owner * len(ids) + found.entity
    used, first, inverse = np.unique(group, return_index=True, return_inverse=True)
    rank = np.empty(len(used), np.int64)
    rank[np.argsort(first)] = np.arange(len(used))  # entities count from the first that appears
    entity = rank[inverse]
    matched = match(found.kind, entity)
    warnings += said.unmatched(found, matched.unclosed, "opened but never closed", "({}")
    warnings += said.unmatched(found, matched.unopened, "closed but never opened", "{})")

    opening, closing = matched.opening, matched.closing
    order = np.lexsort((closing, entity[opening]))
    opening, closing = opening[order], closing[order]
    line = at[found.cell]
    token = documents.before[line] - documents.before[documents.first[owner]]
    warnings += said.not_numbers(found, opening)
    names = [ids[code] for code in (used % max(1, len(ids)))[np.argsort(first)].tolist()]
    return Mentions(owner[opening], entity[opening], token[opening], token[closing], line[opening] + 1), names


class _Said(NamedTuple):
    """What messages need to say where something stands."""

    called: str
    lines: Lines
    names: list[str]
    at: Ints  # the line of each cell
    document: Ints

    def place(self, cell: int) -> str:
        return place(int(self.at[cell]) + 1, self.names[int(self.document[cell])])

    def malformed(self, cells: Ints) -> list[str]:
        if not len(cells):
            return []
        example = self.lines.text(int(self.at[cells[0]])).split()[-1].decode("utf-8", "replace")
        return [
            f"{self.called}: {plural(len(cells), 'cell')} of the last column with something other than (id), (id or "
            f"id) (e.g. {short(example)} in {self.place(int(cells[0]))}); that is left out"
        ]

    def unmatched(self, found: Items, which: Ints, trouble: str, form: str) -> list[str]:
        if not len(which):
            return []
        one = int(which[0])
        bracket = form.format(found.ids[int(found.entity[one])].decode("utf-8", "replace"))
        return [
            f"{self.called}: {plural(len(which), 'mention')} {trouble} (e.g. {short(bracket)} in "
            f"{self.place(int(found.cell[one]))}); left out"
        ]

    def not_numbers(self, found: Items, opening: Ints) -> list[str]:
        odd = np.array([not name.isdigit() for name in found.ids], np.bool_)
        where = opening[odd[found.entity[opening]]]
        if not len(where):
            return []
        one = int(where.min())
        name = found.ids[int(found.entity[one])].decode("utf-8", "replace")
        return [
            f"{self.called}: {plural(len(where), 'mention')} with an entity id that is not a number (e.g. "
            f"{short(name)} in {self.place(int(found.cell[one]))}); they count here, the reference scorer ignores them"
        ]


def _tokens(lines: Lines, documents: _Documents) -> LineTokens:
    def places() -> Ints:
        before = documents.before
        filled = before[1:] > before[:-1]
        if documents.counts.sum() == before[-1]:
            return np.flatnonzero(filled)
        edge = np.zeros(len(lines) + 1, np.int64)
        np.add.at(edge, documents.first, 1)
        np.add.at(edge, documents.stop, -1)
        return np.flatnonzero(filled & (np.cumsum(edge[:-1]) > 0))

    return LineTokens(documents.counts, lines, places, _WORD_COLUMN, _COLUMNS, _PLACEHOLDER)
