"""CoNLL-2011 and 2012: a token in each line, its brackets in the last column, between lines that name the document.

What the reference scorer does is done here: a mention is its first and last token in the document, sentences do not
matter, brackets of one entity nest, and of two documents with one name the last counts. But only the last column
is looked at, wherever blanks stand for tabs, and what does not fit is reported and left out.
"""

from __future__ import annotations

import re
from collections import defaultdict
from functools import lru_cache

from clusterscore.exceptions import FileError
from clusterscore.read.coreference.coref_file import (
    UNCLOSED,
    UNOPENED,
    Block,
    CorefDocument,
    CorefFile,
    Mention,
    Problems,
    blocks,
    last_of_each,
)

_MARK = rb"#[ \t]*(?:(begin) document(?![^\s(])|end document)[ \t]*(.*)"
_NONE = {b"-", b"_", b"*"}
_ENDS_WITH_NONE = tuple(blank + none for none in _NONE for blank in (b" ", b"\t"))
_ITEM = re.compile(r"(\(?)([^()|]+)(\)?)")
_WORD_COLUMN, _COLUMNS = 3, 5  # with fewer columns nobody knows which of them is the word
_PLACEHOLDER = b"[WORD]"

_OUTSIDE = "line outside of any document (e.g. {}); left out"
_MALFORMED = "cell of the last column with something other than (id), (id or id) (e.g. {}); that is left out"
_NOT_A_NUMBER = (
    "mention with an entity id that is not a number (e.g. {}); they count here, the reference scorer ignores them"
)


def read_conll(data: bytes, called: str) -> CorefFile:
    """Read the bytes of a file."""
    problems = Problems(called)
    parts = []
    for block in blocks(data, _MARK):
        if block.mark is not None and block.mark[1]:
            parts.append((block.mark[2].rstrip().decode("utf-8", "replace"), block.line, block))
        else:
            for line, row in enumerate(block.rows(), block.line):
                if row.strip():
                    problems.add(_OUTSIDE, line)
    if not parts:
        raise FileError(f'{called} has no documents: no line begins with "#begin document", as it does in CoNLL files')
    documents = {name: _document(name, block, problems) for name, _, block in last_of_each(parts, problems)}
    return CorefFile(called, "conll", documents, problems.warnings())


def _document(name: str, block: Block, problems: Problems) -> CorefDocument:
    entities: dict[str, list[Mention]] = defaultdict(list)  # from the one that appears first
    waiting: dict[str, list[tuple[int, int]]] = defaultdict(list)  # line and token of mentions to be closed
    blank = 0
    rows = block.rows()
    for k, row in [(k, row) for k, row in enumerate(rows) if not row.endswith(_ENDS_WITH_NONE)]:  # a few of them
        columns = row.rsplit(None, 1)
        if not columns:
            blank += 1
            continue
        token, line = k - blank, block.line + k
        for opens, entity, closes in _items(columns[-1]):
            if not opens and not closes:
                problems.add(_MALFORMED, line, entity, name)
                continue
            mentions = entities[entity]
            if not closes:
                waiting[entity].append((line, token))
            elif opens:
                mentions.append(((token, token), line, 0))
            elif waiting.get(entity):
                begin, first = waiting[entity].pop()
                mentions.append(((first, token), begin, 0))
            else:
                problems.add(UNOPENED, line, f"{entity})", name)
    for entity, places in waiting.items():
        for line, _ in places:
            problems.add(UNCLOSED, line, f"({entity}", name)
    for entity, mentions in entities.items():
        if not (entity.isascii() and entity.isdigit()):
            for _, line, _ in mentions:
                problems.add(_NOT_A_NUMBER, line, entity, name)
    with_mentions = {entity: mentions for entity, mentions in entities.items() if mentions}
    return CorefDocument(name, len(rows) - blank, block.tokens(bytes.strip, _word), with_mentions)


@lru_cache(1 << 12)
def _items(cell: bytes) -> list[tuple[str, str, str]]:
    """The ids in a cell such as ``(12|(3)|7)`` between their brackets, in the order in which they take effect.

    The reference scorer takes first what both opens and closes, then what opens, then what closes. Anything else goes
    last, as one item: the cell without brackets around it.
    """
    if cell in _NONE:
        return []
    text = cell.decode("utf-8", "replace")
    ids = _ITEM.findall(text)
    items = sorted((item for item in ids if item[0] or item[2]), key=lambda item: (not item[0], not item[2]))
    brackets = sum(len(opens) + len(closes) for opens, _, closes in items)
    malformed = len(items) < len(ids) or brackets < text.count("(") + text.count(")")
    return [*items, ("", text, "")] if malformed else items


def _word(row: bytes) -> bytes:
    columns = row.split(None, _COLUMNS - 1)
    word = columns[_WORD_COLUMN] if len(columns) >= _COLUMNS else b""
    return b"" if word == _PLACEHOLDER else word
