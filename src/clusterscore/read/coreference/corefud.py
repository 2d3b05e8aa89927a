"""CorefUD 1.x, which is CoNLL-U with ``Entity=`` in the last column.

A mention is the set of its words and empty nodes. The items of a cell are taken from left to right.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import NamedTuple

from clusterscore.exceptions import FileError
from clusterscore.read.coreference.conllu_rows import NO_WORDS, document_blocks, nodes, span_of, tokens_of
from clusterscore.read.coreference.coref_file import (
    UNCLOSED,
    UNOPENED,
    WORD,
    Block,
    CorefDocument,
    CorefFile,
    Mention,
    Problems,
    by_appearance,
    paired_name,
    short,
)

_GLOBAL = re.compile(rb"\n#[^\S\n]*global\.Entity[^\S\n]*=[^\S\n]*(\S*)")
_ODD = re.compile(rb"\n(?!#|[^\S\n]*(?:\n|\Z)|\d{1,10}(?:[.\s-]|\Z))(.*)")
_ENTITY = re.compile(r"(?:^|\|)Entity=([^|]*)")
_ITEM = re.compile(r"\(([^()]*)(\)?)|([^()]+)\)|[^()]+|\)")
_PIECE = re.compile(r"(.+)\[(\d{1,9})/(\d{1,9})\]")
_FIELDS = "eid-etype-head-other"  # where the file does not say
_NEVER = -1  # pieces of a mention that has lost one
_NUMBER = re.compile(r"\d{1,9}", re.ASCII)

_REPEATED = "document with the name of an earlier one (e.g. {}); they count as one, as in the CorefUD scorer"
_ODD_LINE = "line without the number of a word (e.g. {}); left out"
_ODD_ITEM = "mention not written as (id-.., (id-..) or id) (e.g. {}); left out"
_HEAD = "mention whose head is none of the words (e.g. {}); the first is taken for it"
_LOST = "mention without the piece that should come before (e.g. {}); left out"


class _Header(NamedTuple):
    """What the parts of an entity are, from a line of the file on."""

    line: int
    fields: list[str]

    @property
    def id(self) -> int:
        """The place of the entity's id."""
        return next(k for k, name in enumerate(self.fields) if name in ("eid", "GRP"))

    @property
    def head(self) -> int | None:
        """The place of the head."""
        return self.fields.index("head") if "head" in self.fields else None


def read_corefud(data: bytes, called: str) -> CorefFile:
    """Read the bytes of a file."""
    lines = b"\n" + data
    headers = _headers(lines, called)
    problems = Problems(called)
    line, start = 0, 0
    for odd in _ODD.finditer(lines):
        line, start = line + lines.count(b"\n", start, odd.end()), odd.end()
        problems.add(_ODD_LINE, line, more=f": {short(odd[1].rstrip().decode('utf-8', 'replace'))}")
    parts: dict[str, tuple[str, list[Block]]] = {}
    for name, block in document_blocks(data):
        _, same = parts.setdefault(paired_name(name), (name, []))
        same.append(block)
        if len(same) > 1:
            problems.add(_REPEATED, block.line, name, more=f", before in line {same[0].line}")
    readers = [
        _Reader(name, same, headers or [_Header(0, _FIELDS.split("-"))], problems) for name, same in parts.values()
    ]
    documents = {reader.name: reader.document() for reader in readers}
    if not any(document.tokens for document in documents.values()):
        raise FileError(NO_WORDS.format(called))
    warnings = problems.warnings()
    if not headers and any(reader.items for reader in readers):
        warnings.append(f"{called}: no line # global.Entity = ..; entities are read as {_FIELDS}")
    fields = [header.fields for header in headers] or [_FIELDS.split("-")]
    return CorefFile(
        called,
        "corefud",
        documents,
        warnings,
        shared_ids=all("eid" in some for some in fields),
        has_heads=all("head" in some for some in fields),
    )


def _headers(lines: bytes, called: str) -> list[_Header]:
    """The lines that say what the parts of an entity are; each holds from there on, the first from the beginning."""
    headers: list[_Header] = []
    line, start = 0, 0
    for header in _GLOBAL.finditer(lines):
        fields = header[1].decode("utf-8", "replace").split("-")
        line, start = line + lines.count(b"\n", start, header.end()), header.end()
        if not {"eid", "GRP"} & {*fields}:
            raise FileError(
                f"{called}: line {line} names no eid among the parts of an entity: {short('-'.join(fields))}; it "
                f"should be such as # global.Entity = {_FIELDS}"
            )
        if not headers or fields != headers[-1].fields:
            headers.append(_Header(line if headers else 0, fields))
    return headers


@dataclass(eq=False)
class _Unfinished:
    """A mention that waits for its end, or for its next piece: ``start`` is None between two pieces."""

    line: int
    place: int  # among the mentions of the document, as they are opened
    pieces: int = 1
    start: int | None = None  # where the open piece begins among the nodes
    head: int = 1
    nodes: list[int] = field(default_factory=list)
    closed: int = 0  # pieces


class _Reader:
    """Reads one document: mentions open, go on after a gap, and close."""

    def __init__(self, name: str, same: list[Block], headers: Sequence[_Header], problems: Problems):
        """``same`` are the blocks of the file that have its name: mostly one."""
        self.name, self.blocks, self.problems = name, same, problems
        self.items = 0
        self._headers = headers
        self._use(headers[0])
        self._nodes: list[int] = []  # the number of each word and empty node, as mentions list them
        self._empty: dict[int, bytes] = {}
        self._entities: dict[str, list[tuple[int, Mention]]] = {}
        self._open: dict[str, list[_Unfinished]] = defaultdict(list)
        self._gapped: dict[str, list[_Unfinished]] = defaultdict(list)  # mentions in several pieces

    def _use(self, header: _Header) -> None:
        self._id, self._head = header.id, header.head

    def document(self) -> CorefDocument:
        """Read it."""
        for line, number, row in nodes(self.blocks):
            self._nodes.append(number)
            if number % (1 << WORD):
                self._empty[number] = row
            if b"Entity=" in row:
                if len(self._headers) > 1:
                    self._use(next(header for header in reversed(self._headers) if header.line <= line))
                # a form may look like an entity: only the last column counts
                for value in _ENTITY.findall(row.rstrip().rpartition(b"\t")[2].decode("utf-8", "replace")):
                    self._read(value, line)
        for entity, some in self._open.items():
            for mention in some:
                self._problem(UNCLOSED, f"({entity}", mention.line)
        for entity, some in self._gapped.items():
            for mention in some:
                if mention.start is None:
                    self._problem(UNCLOSED, f"({entity}[1/{mention.pieces}]", mention.line)
        words = (self._nodes[-1] >> WORD) + 1 if self._nodes else 0
        entities = {
            entity: [mention for _, mention in sorted(some, key=itemgetter(0))]
            for entity, some in self._entities.items()
        }
        return CorefDocument(self.name, words, tokens_of(self.blocks), by_appearance(entities), self._empty)

    def _problem(self, kind: str, text: str, line: int) -> None:
        self.problems.add(kind, line, text, self.name)

    def _read(self, text: str, line: int) -> None:
        for item in _ITEM.finditer(text):
            self.items += 1
            if item[1]:
                self._begin(item[1], line, ends=bool(item[2]))
            elif item[3]:
                parts = item[3].split("-")
                entity = parts[self._id] if len(parts) > 1 and self._id < len(parts) else item[3]  # an old way
                self._end(_pieces(entity)[0], item[0], line)
            else:
                self._problem(_ODD_ITEM, item[0], line)

    def _begin(self, text: str, line: int, ends: bool) -> None:
        parts = text.split("-")
        if self._id >= len(parts) or not parts[self._id]:
            self._problem(_ODD_ITEM, "(" + text, line)
            return
        entity, number, pieces = _pieces(parts[self._id])
        mention = _Unfinished(line, self.items, pieces)
        if number != 1:
            state = None, pieces, number - 1
            waiting = (begun for begun in self._gapped[entity] if (begun.start, begun.pieces, begun.closed) == state)
            mention = next(waiting, _Unfinished(line, self.items, _NEVER))
            if mention.pieces == _NEVER:
                self._problem(_LOST, "(" + text, line)
        elif pieces != 1:
            self._gapped[entity].append(mention)
        mention.start, mention.head = len(self._nodes) - 1, 1
        if self._head is not None and self._head < len(parts):
            given = parts[self._head]
            mention.head = int(given) if _NUMBER.fullmatch(given) else 0
            if not mention.head:
                self._problem(_HEAD, "(" + text, line)
        self._entities.setdefault(entity, [])
        self._open[entity].append(mention)
        if ends:
            self._end(entity, text, line)

    def _end(self, entity: str, text: str, line: int) -> None:
        if not self._open.get(entity):
            self._problem(UNOPENED, text, line)
            return
        mention = self._open[entity].pop()
        mention.nodes += self._nodes[mention.start :]
        mention.start = None
        mention.closed += 1
        if mention.closed != mention.pieces:
            return
        if mention.pieces > 1:
            self._gapped[entity].remove(mention)
        if mention.head > len(mention.nodes):
            self._problem(_HEAD, "(" + entity, mention.line)
            mention.head = 1
        words = sorted({*mention.nodes})
        head = words[min(max(mention.head, 1), len(words)) - 1]
        self._entities[entity].append((mention.place, (span_of(words), mention.line, head)))


def _pieces(entity: str) -> tuple[str, int, int]:
    """The id in ``id[2/3]``, the number of the piece, and how many there are: one, mostly."""
    piece = _PIECE.fullmatch(entity) if entity.endswith("]") else None
    return (piece[1], int(piece[2]), int(piece[3])) if piece else (entity, 1, 1)
