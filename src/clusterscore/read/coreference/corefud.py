"""CorefUD 1.x, which is CoNLL-U with ``Entity=`` in the last column.

A mention is the set of its words. Words are numbered through the document; empty nodes (``5.1``) count apart, so that
they do not shift the words, and mean the same in a file that has others. Here the items of a cell are taken from
left to right.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

from clusterscore.distinct import Array, Ints
from clusterscore.errors import FileError, plural
from clusterscore.read.coreference.entity_cells import EntityCells, Found
from clusterscore.read.coreference.file import WORD, CorefFile, Mentions, by_appearance, last_of_each, short
from clusterscore.read.coreference.lines import BLANK, Lines
from clusterscore.read.coreference.tokens import LineTokens

_NEWDOC = re.compile(rb"#\s*newdoc\b(?:\s+id)?\s*=?\s*(.*)")
_GLOBAL = re.compile(rb"#\s*global\.Entity\s*=\s*(\S*)")
_ENTITY = re.compile(rb"Entity=([^|\t\r\n]*)")
_FIELDS = "eid-etype-head-other"  # where the file does not say
_LEADING = 2**11  # of the number of an empty node that stands before the first word of its sentence
_FORM, _COLUMNS = 1, 3
_UNKNOWN = b"_"
_LONGEST_NUMBER = 10


class _Nodes(NamedTuple):
    """Words and empty nodes of all documents, as they follow each other."""

    line: Ints
    document: Ints
    code: Ints  # the number of the word in the document, shifted, and that of the empty node
    empty: Array

    @property
    def words(self) -> Ints:
        return self.line[~self.empty]


def read_corefud(data: bytes, called: str) -> CorefFile:
    """Read the bytes of a file."""
    lines = Lines(data)
    comments = _comments(lines)
    nodes, names, warnings = _nodes(lines, comments, called)
    fields, told = _fields(lines, comments, called)
    cells = EntityCells(called, fields, names)
    _read_cells(lines, nodes, cells)
    if cells.items and told:
        warnings.append(told)
    found = cells.finish()
    warnings += cells.warnings()
    mentions, entities, word_sets = _mentions(found, nodes, "head" in fields)
    counts = np.bincount(nodes.document[~nodes.empty], minlength=len(names))
    tokens = LineTokens(counts, lines, lambda: nodes.words, _FORM, _COLUMNS, _UNKNOWN)
    shared = "eid" in fields
    return CorefFile(
        called, "corefud", names, mentions, entities, tokens, warnings, word_sets=word_sets, shared_ids=shared
    )


def _comments(lines: Lines) -> Ints:
    return np.flatnonzero(lines.filled & (lines.bytes[lines.starts] == ord("#")))


def _fields(lines: Lines, comments: Ints, called: str) -> tuple[list[str], str]:
    """What the parts of an item mean, and what to say if the file does not tell."""
    for line in comments.tolist():
        said = _GLOBAL.match(lines.text(line))
        if said is None:
            continue
        fields = said[1].decode("utf-8", "replace").split("-")
        if not {"eid", "GRP"} & set(fields):
            raise FileError(
                f"{called}: line {line + 1} names no eid among the parts of an entity: {short(said[1].decode())}; it "
                f"should be such as # global.Entity = {_FIELDS}"
            )
        return fields, ""
    return _FIELDS.split("-"), f"{called}: no line # global.Entity = ..; entities are read as {_FIELDS}"


def _nodes(lines: Lines, comments: Ints, called: str) -> tuple[_Nodes, list[str], list[str]]:
    filled = lines.filled
    filled[comments] = False
    at = np.flatnonzero(filled)
    separator = _after_number(lines, at)
    word, empty = separator <= BLANK, separator == ord(".")
    odd = ~(word | empty | (separator == ord("-")))
    warnings = _odd_lines(lines, at[odd], called)
    chosen = word | empty
    line, empty = at[chosen], empty[chosen]
    document, names, repeated = _documents(lines, comments, line, called)
    inside = document >= 0
    line, document, empty = line[inside], document[inside], empty[inside]
    if empty.all():
        raise FileError(f"{called} has no words: no line begins with the number of a word and a tab")
    before = np.cumsum(~empty)
    starts = np.searchsorted(document, np.arange(len(names)))
    base = np.concatenate([[0], before])[starts]
    code = (before - 1 - base[document]) << WORD
    for k in np.flatnonzero(empty).tolist():
        code[k] |= _minor(lines.text(int(line[k])))
    return _Nodes(line, document, code, empty), names, warnings + repeated


def _after_number(lines: Lines, at: Ints) -> Ints:
    """The byte that follows the number at the start of each line; 255 where there is none, or a very long one."""
    place = lines.starts[at]
    left = np.arange(len(at))
    found = np.full(len(at), 255)
    for digits in range(_LONGEST_NUMBER + 1):
        letter = lines.bytes[place[left]]
        number = (letter >= ord("0")) & (letter <= ord("9"))
        if digits:
            found[left[~number]] = letter[~number]
        left = left[number]
        place[left] += 1
    return found


def _minor(text: bytes) -> int:
    major, minor = text.split()[0].split(b".", 1)
    number = int(minor) % _LEADING if minor.isdigit() and len(minor) < _LONGEST_NUMBER else 0
    return max(1, number) + (0 if int(major) else _LEADING)


def _odd_lines(lines: Lines, odd: Ints, called: str) -> list[str]:
    if not len(odd):
        return []
    example = lines.text(int(odd[0])).decode("utf-8", "replace")
    return [
        f"{called}: {plural(len(odd), 'line')} without the number of a word (e.g. line {int(odd[0]) + 1}: "
        f"{short(example)}); left out"
    ]


def _documents(lines: Lines, comments: Ints, line: Ints, called: str) -> tuple[Ints, list[str], list[str]]:
    """The document of each line, or -1 where a later one has its name; the names; what is to be said."""
    names: list[str] = []
    begins: list[int] = []
    for comment in comments.tolist():
        found = _NEWDOC.match(lines.text(comment))
        if found is not None:
            begins.append(comment)
            names.append(found[1].decode("utf-8", "replace").strip())
    if len(line) and (not begins or line[0] < begins[0]):
        begins.insert(0, 0)
        names.insert(0, "")
    names = [name or str(number) for number, name in enumerate(names, 1)]
    kept, warnings = last_of_each(names, [begin + 1 for begin in begins], called)
    place = np.full(len(names), -1)
    place[kept] = np.arange(len(kept))
    document = place[np.searchsorted(np.array(begins, np.int64), line, side="right") - 1] if begins else line
    return document, [names[k] for k in kept], warnings


def _read_cells(lines: Lines, nodes: _Nodes, cells: EntityCells) -> None:
    found = [(each.start(), each[1]) for each in _ENTITY.finditer(lines.data)]
    where = np.array([place for place, _ in found], np.int64)
    line = np.searchsorted(lines.starts, where, side="right") - 1
    node = np.minimum(np.searchsorted(nodes.line, line), len(nodes.line) - 1)
    before = lines.bytes[where - 1]
    fits = np.flatnonzero((nodes.line[node] == line) & ((before == ord("\t")) | (before == ord("|"))))
    columns = (node[fits], nodes.document[node[fits]], line[fits], lines.ends[line[fits]])
    for k, number, document, at, end in zip(fits.tolist(), *(each.tolist() for each in columns), strict=True):
        place, text = found[k]
        if lines.data.find(b"\t", place, end) < 0:  # a form may look like an entity: only the last column counts
            cells.read(text.decode("utf-8", "replace"), number, document, at + 1)


def _mentions(found: Found, nodes: _Nodes, has_heads: bool) -> tuple[Mentions, list[str], list[tuple[int, ...]]]:
    first_node, last_node = found.first, found.last
    gaps = np.concatenate([[0], np.cumsum(nodes.empty)])
    first, last = nodes.code[first_node] >> WORD, nodes.code[last_node] >> WORD
    head = nodes.code[np.minimum(first_node + found.head - 1, last_node)]
    listed = gaps[last_node + 1] > gaps[first_node]
    listed[list(found.pieces)] = True
    word_sets: list[tuple[int, ...]] = []
    begin = first * 2 + (last > first)
    for k in np.flatnonzero(listed).tolist():
        pieces = found.pieces.get(k) or [(int(first_node[k]), int(last_node[k]))]
        words = sorted({code for start, stop in pieces for code in nodes.code[start : stop + 1].tolist()})
        head[k] = words[min(int(found.head[k]), len(words)) - 1]
        if _unbroken(words):
            first[k], last[k] = words[0] >> WORD, words[-1] >> WORD
        else:
            word_sets.append(tuple(words))
            first[k], last[k] = -len(word_sets), -len(word_sets)
    order, entity, old = by_appearance(found.document, found.entity, begin)
    mentions = Mentions(found.document, entity, first, last, found.line, head if has_heads else None).take(order)
    return mentions, [found.names[k] for k in old.tolist()], word_sets


def _unbroken(words: list[int]) -> bool:
    return not any(word % (1 << WORD) for word in words) and words[-1] - words[0] == (len(words) - 1) << WORD
