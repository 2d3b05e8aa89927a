"""CoNLL-2011 and 2012: a token in each line, its brackets in the last column, between lines that name the document.

What the reference scorer does is done here: a mention is its first and last token in the document, sentences do not
matter, brackets of one entity nest, and of two documents with one name the last counts. But only the last column
is looked at, wherever blanks stand for tabs, and what does not fit is reported and left out.
"""

from __future__ import annotations

import re
from collections import defaultdict
from functools import lru_cache
from operator import itemgetter

from clusterscore.exceptions import FileError, plural
from clusterscore.read.coreference.file import (
    Block,
    CorefDocument,
    CorefFile,
    Mention,
    Problems,
    blocks,
    last_of_each,
    line_tokens,
    make_document,
)

BEGIN = "#begin document"
_MARK = rb"#[ \t]*(?:(begin) document(?![^\s(])|end document)[ \t]*(.*)"
_NONE = {b"-", b"_", b"*"}
_ENDS_WITH_NONE = tuple(blank + none for none in (b"-", b"_", b"*") for blank in (b" ", b"\t"))
_ITEM = re.compile(r"(\(?)([^()|]+)(\)?)")
_WORD_COLUMN, _COLUMNS = 3, 5  # with fewer columns nobody knows which of them is the word
_PLACEHOLDER = b"[WORD]"

_MALFORMED = "cell of the last column with something other than (id), (id or id) (e.g. {}); that is left out"
_UNCLOSED = "mention opened but never closed (e.g. {}); left out"
_UNOPENED = "mention closed but never opened (e.g. {}); left out"
_NOT_A_NUMBER = (
    "mention with an entity id that is not a number (e.g. {}); they count here, the reference scorer ignores them"
)


def read_conll(data: bytes, called: str) -> CorefFile:
    """Read the bytes of a file."""
    documents: list[tuple[str, Block]] = []
    outside: list[int] = []
    for block in blocks(data, _MARK):
        if block.mark is not None and block.mark[1]:
            documents.append((block.mark[2].rstrip().decode("utf-8", "replace"), block))
        else:
            outside += [line for line, row in enumerate(block.rows(), block.line) if row.strip()]
    if not documents:
        raise FileError(f'{called} has no documents: no line begins with "{BEGIN}", as it does in CoNLL files')
    warnings = []
    if outside:
        warnings.append(
            f"{called}: {plural(len(outside), 'line')} outside of any document (e.g. line {outside[0]}); left out"
        )
    kept, repeated = last_of_each([name for name, _ in documents], [block.line for _, block in documents], called)
    problems = Problems(called, _MALFORMED, _UNCLOSED, _UNOPENED, _NOT_A_NUMBER)
    found = [_document(*documents[k], problems) for k in kept]
    warnings += repeated + problems.warnings()
    return CorefFile(called, "conll", {document.name: document for document in found}, warnings)


def _document(name: str, block: Block, problems: Problems) -> CorefDocument:
    clusters: dict[str, list[Mention]] = defaultdict(list)  # from the entity that appears first
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
                problems.add(_MALFORMED, entity, line, name)
                continue
            mentions = clusters[entity]
            if not closes:
                waiting[entity].append((line, token))
            elif opens:
                mentions.append(((token, token), line, 0))
            elif waiting.get(entity):
                begin, first = waiting[entity].pop()
                mentions.append(((first, token), begin, 0))
            else:
                problems.add(_UNOPENED, f"{entity})", line, name)
    unclosed = [(line, entity) for entity, places in waiting.items() for line, _ in places]
    for line, entity in sorted(unclosed, key=itemgetter(0)):
        problems.add(_UNCLOSED, f"({entity}", line, name)
    odd = [entity for entity in clusters if not (entity.isascii() and entity.isdigit())]
    ignored = [(line, entity) for entity in odd for _, line, _ in clusters[entity]]
    for line, entity in sorted(ignored, key=itemgetter(0)):
        problems.add(_NOT_A_NUMBER, entity, line, name)
    return make_document(name, len(rows) - blank, line_tokens(block, bytes.strip, _word), clusters)


@lru_cache(1 << 12)
def _items(cell: bytes) -> list[tuple[str, str, str]]:
    """The ids in a cell such as ``(12|(3)|7)`` between their brackets, in the order in which they take effect.

    The reference scorer takes first what both opens and closes, then what opens, then what closes. Anything else goes
    last, as one item: the cell without brackets around it.
    """
    if cell in _NONE:
        return []
    text = cell.decode("utf-8", "replace")
    found = _ITEM.findall(text)
    items = sorted((item for item in found if item[0] or item[2]), key=_turn)
    brackets = sum(len(opens) + len(closes) for opens, _, closes in items)
    malformed = len(items) < len(found) or brackets < text.count("(") + text.count(")")
    return [*items, ("", text, "")] if malformed else items


def _turn(item: tuple[str, str, str]) -> int:
    opens, _, closes = item
    return 0 if opens and closes else 1 if opens else 2


def _word(row: bytes) -> bytes:
    columns = row.split(None, _COLUMNS - 1)
    word = columns[_WORD_COLUMN] if len(columns) >= _COLUMNS else b""
    return b"" if word == _PLACEHOLDER else word
