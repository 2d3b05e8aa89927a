"""The rows of CoNLL-U, for all that comes in them: documents, words, and empty nodes between words.

Words are numbered through the document; empty nodes (``5.1``) count apart, so that they do not shift the words, and
mean the same in a file that has others.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from clusterscore.read.coreference.coref_file import WORD, Block, Span, Tokens, blocks

NO_WORDS = "{} has no words: no line begins with the number of a word and a tab"
_NEWDOC = rb"#[^\S\n]*newdoc\b(?:[^\S\n]+id)?[^\S\n]*=?[^\S\n]*(.*)"
_NODE = re.compile(rb"(\d{1,10})(?:\.(\S*)|(?=\s|$))")  # a word or an empty node
_WORD = re.compile(rb"\d{1,10}(?=\s|$)")
_LEADING = 2**11  # of the number of an empty node that stands before the first word of its sentence
_FORM_COLUMN, _COLUMNS = 1, 3
_UNKNOWN = b"_"


def document_blocks(data: bytes) -> list[tuple[str, Block]]:
    """The documents of a file, each with its name, or its number where it has none."""
    first, *others = blocks(data, _NEWDOC)
    listed = [first, *others] if any(map(_NODE.match, first.rows())) else others
    names = (block.mark[1].decode("utf-8", "replace").strip() if block.mark else "" for block in listed)
    return [(name or str(k), block) for k, (name, block) in enumerate(zip(names, listed, strict=True), 1)]


def nodes(same: Sequence[Block]) -> Iterator[tuple[int, int, bytes]]:
    """The line, the number and the row of each word and empty node, in the blocks of one document."""
    words = 0
    for block in same:
        for line, row in enumerate(block.rows(), block.line):
            node = _NODE.match(row)
            if node is not None:
                words += node[2] is None
                number = (words - 1) << WORD
                yield line, number if node[2] is None else number + _minor(node[1], node[2]), row


def node_number(words: int, word_id: str, minor: str | None) -> int:
    """The number of the last of so many words, or of an empty node behind it: node ``minor`` of word ``word_id``.

    >>> node_number(3, "3", None) == 2 << 12, node_number(3, "3", "1") == (2 << 12) + 1
    (True, True)
    """
    return ((words - 1) << WORD) + (0 if minor is None else _minor(word_id.encode(), minor.encode()))


def _minor(word_id: bytes, minor: bytes) -> int:
    """The number of an empty node behind its word."""
    node = int(minor) % _LEADING if minor.isdigit() and len(minor) <= 9 else 0
    return max(1, node) + (0 if word_id.strip(b"0") else _LEADING)


def span_of(numbers: Iterable[int]) -> Span:
    """The span of a mention with these words and empty nodes."""
    words = sorted(numbers)
    first, last = words[0] >> WORD, words[-1] >> WORD
    unbroken = not any(word % (1 << WORD) for word in words) and last - first == len(words) - 1
    return (first, last) if unbroken else (first, last, *words)


def tokens_of(same: Sequence[Block]) -> Tokens:
    """The words of a document as text, and with empty nodes among them."""
    rows = [block.tokens(_WORD.match, _form).rows for block in same]

    def line(token: int) -> int:
        return [line for line, _, row in nodes(same) if _WORD.match(row)][token]

    every = rows[0] if len(rows) == 1 else lambda: [row for some in rows for row in some()]
    return Tokens(every, _form, line, lambda: ((number, row) for _, number, row in nodes(same)))


def _form(row: bytes) -> bytes:
    columns = row.split(None, _COLUMNS - 1)
    word = columns[_FORM_COLUMN] if len(columns) >= _COLUMNS else b""
    return b"" if word == _UNKNOWN else word
