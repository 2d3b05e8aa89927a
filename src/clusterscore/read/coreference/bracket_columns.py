"""Files with the words of CoNLL-U, and brackets around mentions in one of their columns.

A format says what a cell holds; here the brackets become mentions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from clusterscore.exceptions import FileError
from clusterscore.read.coreference.conllu_rows import document_blocks, nodes, span_of, tokens_of
from clusterscore.read.coreference.coref_file import (
    WORD,
    Block,
    CorefDocument,
    CorefFile,
    Mention,
    Problems,
    by_appearance,
    last_of_each,
)

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
    kept = last_of_each([(name, block.line, block) for name, block in document_blocks(data)], problems)
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

    for line, number, row in nodes([block]):
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
    return CorefDocument(name, tokens, tokens_of([block]), by_appearance(entities))
