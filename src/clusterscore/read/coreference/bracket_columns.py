"""Files with the words of CoNLL-U, and brackets around mentions in one of their columns.

Words are numbered as in CorefUD: through the document, with empty nodes (``5.1``) behind the word that they follow.
A format says what a cell holds; here the brackets become mentions.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from clusterscore.exceptions import FileError
from clusterscore.read.coreference.coref_file import (
    WORD,
    Block,
    CorefDocument,
    CorefFile,
    Mention,
    Problems,
    Span,
    blocks,
    by_appearance,
    last_of_each,
)

_NEWDOC = rb"#[^\S\n]*newdoc\b(?:[^\S\n]+id)?[^\S\n]*=?[^\S\n]*(.*)"
_NODE = re.compile(rb"(\d{1,10})(?:\.(\S*)|(?=\s|$))")
_WORD = re.compile(rb"\d{1,10}(?=\s|$)")
_LEADING = 2**11  # of the number of an empty node that stands before the first word of its sentence
_FORM_COLUMN = 1
_UNKNOWN = b"_"

_UNOPENED = "mention closed but never opened (e.g. {}); left out"
_UNCLOSED = "mention opened but never closed (e.g. {}); left out"


class Opening(NamedTuple):
    """A bracket that opens; ``ends`` if it closes in the same cell."""

    entity: str
    ends: bool
    mention: str = ""  # its id, where a mention may come in several pieces

    @property
    def closed_by(self) -> str:
        """What the closing bracket names."""
        return self.mention or self.entity


class Cell(NamedTuple):
    """What a cell holds: brackets that close, which come first, and those that open.

    A closing bracket names a mention or an entity, or it is empty: then it closes what was opened last.
    """

    closes: Sequence[str] = ()
    opens: Sequence[Opening] = ()
    problems: Sequence[tuple[str, str]] = ()  # the kind, and what the file has there


def read_brackets(data: bytes, called: str, form: str, cell: Callable[[bytes], Cell | None]) -> CorefFile:
    """Read the bytes of a file, in which ``cell`` finds the brackets of a row, if there are any."""
    problems = Problems(called)
    first, *others = blocks(data, _NEWDOC)
    listed = [first, *others] if any(map(_NODE.match, first.rows())) else others
    names = (block.mark[1].decode("utf-8", "replace").strip() if block.mark else "" for block in listed)
    parts = [(name or str(k), block.line, block) for k, (name, block) in enumerate(zip(names, listed, strict=True), 1)]
    kept = last_of_each(parts, problems)
    documents = {name: _document(name, block, cell, problems) for name, _, block in kept}
    if not any(document.tokens for document in documents.values()):
        raise FileError(f"{called} has no words: no line begins with the number of a word and a tab")
    return CorefFile(called, form, documents, problems.warnings())


def _document(name: str, block: Block, cell: Callable[[bytes], Cell | None], problems: Problems) -> CorefDocument:
    numbers: list[int] = []
    waiting: list[tuple[Opening, int, int]] = []  # with its line and its first word, counted here
    mentions: dict[object, tuple[str, int, set[int]]] = {}  # entity, line and words

    def finish(opening: Opening, line: int, start: int) -> None:
        key = (opening.entity, opening.mention) if opening.mention else len(mentions)
        mentions.setdefault(key, (opening.entity, line, set()))[2].update(numbers[start:])

    for line, number, row in _nodes(block):
        numbers.append(number)
        found = cell(row)
        if found is None:
            continue
        for kind, text in found.problems:
            problems.add(kind, line, text, name)
        for closed in found.closes:
            k = next((k for k in reversed(range(len(waiting))) if closed in ("", waiting[k][0].closed_by)), None)
            if k is None:
                problems.add(_UNOPENED, line, f"{closed})", name)
            else:
                finish(*waiting.pop(k))
        for opening in found.opens:
            if opening.ends:
                finish(opening, line, len(numbers) - 1)
            else:
                waiting.append((opening, line, len(numbers) - 1))
    for opening, line, _ in waiting:
        problems.add(_UNCLOSED, line, f"({opening.closed_by}", name)
    entities: dict[str, list[Mention]] = {}
    for entity, line, words in mentions.values():
        entities.setdefault(entity, []).append((span_of(words), line, 0))
    tokens = (numbers[-1] >> WORD) + 1 if numbers else 0
    shown = block.tokens(_WORD.match, _form)._replace(nodes=lambda: ((k, row) for _, k, row in _nodes(block)))
    return CorefDocument(name, tokens, shown, by_appearance(entities))


def _nodes(block: Block) -> Iterator[tuple[int, int, bytes]]:
    """The line, the number and the row of each word and empty node."""
    words = 0
    for line, row in enumerate(block.rows(), block.line):
        node = _NODE.match(row)
        if node is not None:
            words += node[2] is None
            yield line, node_number(words, node[1].decode(), None if node[2] is None else node[2].decode()), row


def node_number(words: int, word_id: str, minor: str | None) -> int:
    """The number of the last of so many words, or of an empty node behind it: node ``minor`` of word ``word_id``.

    >>> node_number(3, "3", None) == 2 << 12, node_number(3, "3", "1") == (2 << 12) + 1
    (True, True)
    """
    number = (words - 1) << WORD
    if minor is None:
        return number
    node = int(minor) % _LEADING if minor.isdecimal() and len(minor) <= 9 else 0
    return number + max(1, node) + (0 if word_id.strip("0") else _LEADING)


def span_of(numbers: Iterable[int]) -> Span:
    """The span of a mention with these words and empty nodes."""
    words = sorted(numbers)
    first, last = words[0] >> WORD, words[-1] >> WORD
    unbroken = not any(word % (1 << WORD) for word in words) and last - first == len(words) - 1
    return (first, last) if unbroken else (first, last, *words)


def _form(row: bytes) -> bytes:
    columns = row.split(None, _FORM_COLUMN + 1)
    word = columns[_FORM_COLUMN] if len(columns) > _FORM_COLUMN + 1 else b""
    return b"" if word == _UNKNOWN else word
