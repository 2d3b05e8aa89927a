"""CorefUD 1.x, which is CoNLL-U with ``Entity=`` in the last column.

A mention is the set of its words. Words are numbered through the document; empty nodes (``5.1``) count apart, so that
they do not shift the words, and mean the same in a file that has others. Here the items of a cell are taken from
left to right.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from clusterscore.exceptions import FileError, plural
from clusterscore.read.coreference.file import (
    WORD,
    Block,
    CorefDocument,
    CorefFile,
    Mention,
    Problems,
    blocks,
    by_appearance,
    last_of_each,
    line_tokens,
    make_document,
    short,
)

_NEWDOC = rb"#[^\S\n]*newdoc\b(?:[^\S\n]+id)?[^\S\n]*=?[^\S\n]*(.*)"
_GLOBAL = re.compile(rb"\n#[^\S\n]*global\.Entity[^\S\n]*=[^\S\n]*(\S*)")
_NODE = re.compile(rb"(\d{1,10})(?:\.(\S*)|(?=\s|$))")  # a word or an empty node
_WORD = re.compile(rb"\d{1,10}(?=\s|$)")
_ODD_LINE = re.compile(rb"\n(?!#|[^\S\n]*(?:\n|\Z)|\d{1,10}(?:[.\s-]|\Z))(.*)")
_ENTITY = re.compile(r"(?:^|\|)Entity=([^|]*)")
_ITEM = re.compile(r"\(([^()]*)(\)?)|([^()]+)\)|[^()]+|\)")
_PART = re.compile(r"(.+)\[(\d{1,9})/(\d{1,9})\]")
_FIELDS = "eid-etype-head-other"  # where the file does not say
_LEADING = 2**11  # of the number of an empty node that stands before the first word of its sentence
_FORM_COLUMN, _COLUMNS = 1, 3
_UNKNOWN = b"_"
_LONGEST_NUMBER = 9

_ODD = "mention not written as (id-.., (id-..) or id) (e.g. {}); left out"
_HEAD = "mention whose head is none of the words (e.g. {}); the first is taken for it"
_LOST = "mention without the piece that should come before (e.g. {}); left out"
_UNOPENED = "mention closed but never opened (e.g. {}); left out"
_UNCLOSED = "mention opened but never closed (e.g. {}); left out"


def read_corefud(data: bytes, called: str) -> CorefFile:
    """Read the bytes of a file."""
    fields, unnamed = _fields(b"\n" + data, called)
    first, *others = blocks(data, _NEWDOC)
    parts = [first, *others] if any(map(_NODE.match, first.rows())) else others
    names = [_name(block) or str(number) for number, block in enumerate(parts, 1)]
    kept, repeated = last_of_each(names, [block.line for block in parts], called)
    warnings = _odd_lines(b"\n" + data, called) + repeated
    problems = Problems(called)
    readers = [_Reader(names[k], parts[k], fields, problems) for k in kept]
    documents = {reader.name: reader.document() for reader in readers}
    if not any(document.tokens for document in documents.values()):
        raise FileError(f"{called} has no words: no line begins with the number of a word and a tab")
    if unnamed and any(reader.items for reader in readers):
        warnings.append(f"{called}: no line # global.Entity = ..; entities are read as {_FIELDS}")
    warnings += problems.warnings()
    return CorefFile(called, "corefud", documents, warnings, shared_ids="eid" in fields, has_heads="head" in fields)


def _fields(data: bytes, called: str) -> tuple[list[str], bool]:
    """What the parts of an item mean, and whether the file does not say so."""
    found = _GLOBAL.search(data)
    if found is None:
        return _FIELDS.split("-"), True
    text = found[1].decode("utf-8", "replace")
    if not {"eid", "GRP"} & {*text.split("-")}:
        line = data.count(b"\n", 0, found.end())
        raise FileError(
            f"{called}: line {line} names no eid among the parts of an entity: {short(text)}; it should be such as "
            f"# global.Entity = {_FIELDS}"
        )
    return text.split("-"), False


def _name(block: Block) -> str:
    return block.mark[1].decode("utf-8", "replace").strip() if block.mark else ""


def _odd_lines(data: bytes, called: str) -> list[str]:
    odd = list(_ODD_LINE.finditer(data))
    if not odd:
        return []
    line = data.count(b"\n", 0, odd[0].end())
    text = odd[0][1].rstrip().decode("utf-8", "replace")
    return [
        f"{called}: {plural(len(odd), 'line')} without the number of a word (e.g. line {line}: {short(text)}); left out"
    ]


def _word(row: bytes) -> bytes:
    columns = row.split(None, _COLUMNS - 1)
    word = columns[_FORM_COLUMN] if len(columns) >= _COLUMNS else b""
    return b"" if word == _UNKNOWN else word


Stretch = tuple[int, int]  # from a node to another


class _Gapped:
    """A mention in several pieces, which come one after the other."""

    def __init__(self, parts: int, line: int):
        self.parts, self.line = parts, line
        self.pieces: list[Stretch] = []
        self.is_open = True


class _Opened(NamedTuple):
    """A mention, or a piece of one, that waits for its end."""

    node: int
    head: int
    line: int
    gapped: _Gapped | None


class _Reader:
    """Reads one document: mentions open, go on after a gap, and close."""

    def __init__(self, name: str, block: Block, fields: list[str], problems: Problems):
        self.name, self.block, self.problems = name, block, problems
        self.items = 0
        self._id = next(k for k, field in enumerate(fields) if field in ("eid", "GRP"))
        self._head = fields.index("head") if "head" in fields else None
        self._nodes: list[int] = []  # the number of each word and empty node, as mentions list them
        self._clusters: dict[str, list[Mention]] = {}
        self._open: dict[str, list[_Opened]] = defaultdict(list)
        self._gapped: dict[str, list[_Gapped]] = defaultdict(list)

    def document(self) -> CorefDocument:
        """Read it."""
        words = 0
        for line, row in enumerate(self.block.rows(), self.block.line):
            number = _NODE.match(row)
            if number is None:
                continue
            minor = 0 if number[2] is None else _minor(number)
            words += not minor
            self._nodes.append(((words - 1) << WORD) + minor)
            if b"Entity=" in row:
                # a form may look like an entity: only the last column counts
                for value in _ENTITY.findall(row.rstrip().rpartition(b"\t")[2].decode("utf-8", "replace")):
                    self._read(value, line)
        for entity, line in self._unclosed():
            self.problems.add(_UNCLOSED, f"({entity}", line, self.name)
        tokens = line_tokens(self.block, _WORD.match, _word)
        clusters = by_appearance(self._clusters)
        return make_document(self.name, words, tokens, clusters, heads=self._head is not None)

    def _read(self, text: str, line: int) -> None:
        for item in _ITEM.finditer(text):
            self.items += 1
            if item[1]:
                self._opened(item[1], line, closed=bool(item[2]))
            elif item[3]:
                self._closed(item[3], line)
            else:
                self.problems.add(_ODD, item[0], line, self.name)

    def _opened(self, text: str, line: int, closed: bool) -> None:
        parts = text.split("-")
        entity = parts[self._id] if self._id < len(parts) else ""
        if not entity:
            self.problems.add(_ODD, "(" + text, line, self.name)
            return
        head = 1
        if self._head is not None and self._head < len(parts):
            given = parts[self._head]
            head = int(given) if given.isascii() and given.isdigit() and len(given) <= _LONGEST_NUMBER else 0
            if head < 1:
                self.problems.add(_HEAD, "(" + text, line, self.name)
                head = 1
        gapped = None
        if entity.endswith("]") and (piece := _PART.fullmatch(entity)):
            entity, gapped = piece[1], self._piece(piece, text, line)
        self._clusters.setdefault(entity, [])
        opened = _Opened(len(self._nodes) - 1, head, line, gapped)
        if closed:
            self._end(entity, opened)
        else:
            self._open[entity].append(opened)

    def _piece(self, piece: re.Match[str], text: str, line: int) -> _Gapped:
        """The mention whose piece this is; a piece of a mention that did not begin is lost."""
        entity, number, parts = piece[1], int(piece[2]), int(piece[3])
        if number == 1:
            self._gapped[entity].append(_Gapped(parts, line))
            return self._gapped[entity][-1]
        for gapped in self._gapped[entity]:
            if not gapped.is_open and gapped.parts == parts and len(gapped.pieces) == number - 1:
                gapped.is_open = True
                return gapped
        self.problems.add(_LOST, "(" + text, line, self.name)
        return _Gapped(0, line)

    def _closed(self, text: str, line: int) -> None:
        parts = text.split("-")
        entity = parts[self._id] if len(parts) > 1 and self._id < len(parts) else text  # an old way to write it
        if entity.endswith("]") and (piece := _PART.fullmatch(entity)):
            entity = piece[1]
        if self._open.get(entity):
            self._end(entity, self._open[entity].pop())
        else:
            self.problems.add(_UNOPENED, text + ")", line, self.name)

    def _end(self, entity: str, opened: _Opened) -> None:
        pieces, line, gapped = [(opened.node, len(self._nodes) - 1)], opened.line, opened.gapped
        if gapped is not None:
            gapped.is_open = False
            gapped.pieces += pieces
            if len(gapped.pieces) != gapped.parts:
                return
            self._gapped[entity].remove(gapped)
            pieces, line = gapped.pieces, gapped.line
        nodes = [node for start, stop in pieces for node in self._nodes[start : stop + 1]]
        head = opened.head
        if head > len(nodes):
            self.problems.add(_HEAD, "(" + entity, line, self.name)
            head = 1
        words = sorted({*nodes})
        span = (words[0] >> WORD, words[-1] >> WORD) if _unbroken(words) else frozenset(words)
        self._clusters[entity].append((span, line, words[min(head, len(words)) - 1]))

    def _unclosed(self) -> Iterator[tuple[str, int]]:
        for entity, waiting in self._open.items():
            yield from ((entity, opened.line) for opened in waiting)
        for entity, some in self._gapped.items():
            yield from ((f"{entity}[1/{gapped.parts}]", gapped.line) for gapped in some if not gapped.is_open)


def _minor(number: re.Match[bytes]) -> int:
    """The number of an empty node behind its word."""
    minor = number[2]
    node = int(minor) % _LEADING if minor.isdigit() and len(minor) <= _LONGEST_NUMBER else 0
    return max(1, node) + (0 if int(number[1]) else _LEADING)


def _unbroken(words: list[int]) -> bool:
    return not any(word % (1 << WORD) for word in words) and words[-1] - words[0] == (len(words) - 1) << WORD
