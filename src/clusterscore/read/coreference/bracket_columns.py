"""Files with the words of CoNLL-U, and brackets around mentions in one of their columns: CoNLL-UA, and Stanza's files.

A format says what a cell holds; here the brackets become mentions.

CoNLL-UA, the exploded format of Universal Anaphora, has more columns than CoNLL-U, and mentions in IDENTITY. It is what
the scorer of the CODI-CRAC tasks (universal-anaphora-scorer) reads. ``(EntityID=1|MarkableID=m1|Min=3,4`` opens a
mention, and ``)`` closes the one opened last; with a markable's id in front (``m1)``) it closes that one. Two pieces
with one markable id are a mention with a gap. Entities that end in ``-Pseudo`` do not refer to anything, and are left
out as in that scorer. ElementOf, for split antecedents, is not scored.

Stanza 1.7 and later (``CoNLL.write_doc2conll``) write CoNLL-U with ``coref_chains=start-repr-id0,unit-id3`` in MISC: in
every word of a mention the chain, and whether the word starts it, ends it, is in the middle of it, or is all of it
(``unit``). Some versions before July 2026 wrote the same under ``ner=`` by mistake (stanza pull request 1628); there it
is read too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
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
    last_of_each,
)

IDENTITY = re.compile(rb"^#[^\S\n]*global\.columns[^\S\n]*=((?:[^\n]*\s)?IDENTITY(?!\S)[^\n]*)", re.MULTILINE)
_IDENTITY_COLUMN = 10  # where the file does not say
_NONE = {"_", "-"}
_CLOSING = re.compile(r"(?:[^()]*\))*")
_OPENING = re.compile(r"([^()]+)(\)?)")
_PSEUDO_ENDING = "-Pseudo"
_ODD_IDENTITY = "item of IDENTITY not written as (EntityID=..|.., (EntityID=..) or ) (e.g. {}); left out"
_SPLIT = "mention with ElementOf, for a split antecedent (e.g. {}); that link is left out, it is not scored"
_PSEUDO = "mention without a referent, EntityID=..-Pseudo (e.g. {}); left out, as in the Universal Anaphora scorer"

CHAINS = re.compile(rb"[\t|](?:coref_chains|ner)=(?:unit|start|middle|end)-(?:repr-)?id\d[^\t\n]*$", re.MULTILINE)
_CHAIN_VALUES = re.compile(r"(?:^|\|)(coref_chains|ner)=([^|]*)")
_CHAIN = re.compile(r"(unit|start|middle|end)-(?:repr-)?id(\d+)")
_ODD_CHAIN = "item of coref_chains not written as unit-id0, start-id0, middle-id0 or end-id0 (e.g. {}); left out"


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


def read_conll_ua(data: bytes, called: str) -> CorefFile:
    """Read the bytes of a CoNLL-UA file."""
    header = IDENTITY.search(data)
    column = header[1].split().index(b"IDENTITY") if header else _IDENTITY_COLUMN

    def cell(row: bytes) -> Cell | None:
        columns = row.split(b"\t" if b"\t" in row else None, column + 1)
        text = columns[column].decode("utf-8", "replace").strip() if column < len(columns) else "_"
        return None if text in _NONE else _identity_cell(text)

    file = _read_brackets(data, called, "conllua", cell)
    for name, document in file.documents.items():
        referring = {id_: some for id_, some in document.entities.items() if not id_.endswith(_PSEUDO_ENDING)}
        file.documents[name] = document._replace(entities=referring)
    if not any(document.entities for document in file.documents.values()):
        file.warnings.append(f"{called}: no mention in column IDENTITY; scored as empty")
    return file


def _identity_cell(text: str) -> Cell:
    """The brackets in ``))(EntityID=1|MarkableID=m1(EntityID=2|MarkableID=m2)``."""
    closing, *opening = text.split("(")
    problems = [] if _CLOSING.fullmatch(closing) else [(_ODD_IDENTITY, closing)]
    opens = []
    for item in opening:
        parts = _OPENING.fullmatch(item)
        fields = dict(part.partition("=")[::2] for part in parts[1].split("|")) if parts else {}
        if parts is None or not fields.get("EntityID"):
            problems.append((_ODD_IDENTITY, f"({item}"))
            continue
        opens.append(Opening(fields["EntityID"], bool(parts[2]), fields.get("MarkableID", "")))
        if "ElementOf" in fields:
            problems.append((_SPLIT, f"({item}"))
        if fields["EntityID"].endswith(_PSEUDO_ENDING):
            problems.append((_PSEUDO, f"({item}"))
    return Cell([closed.strip() for closed in closing.split(")")[:-1]], opens, problems)


def read_stanza_conllu(data: bytes, called: str) -> CorefFile:
    """Read the bytes of a CoNLL-U file of Stanza's."""
    return _read_brackets(data, called, "corefud", _chains_cell)


def _chains_cell(row: bytes) -> Cell | None:
    if not CHAINS.search(row):
        return None
    closes, opens, problems = [], [], []
    for key, value in _CHAIN_VALUES.findall(row.rstrip().rpartition(b"\t")[2].decode("utf-8", "replace")):
        for text in value.split(","):
            item = _CHAIN.fullmatch(text)
            if item is None:
                problems += [(_ODD_CHAIN, text)] if key == "coref_chains" else []
            elif item[1] == "end":
                closes.append(item[2])
            elif item[1] != "middle":
                opens.append(Opening(item[2], item[1] == "unit"))
    return Cell(closes, opens, problems)


def _read_brackets(data: bytes, called: str, form: str, cell: Callable[[bytes], Cell | None]) -> CorefFile:
    """Read the bytes of a file, in which ``cell`` finds the brackets of a row, if there are any."""
    problems = Problems(called)
    kept = last_of_each([(name, block.line, block) for name, block in document_blocks(data)], problems)
    documents = {name: _document(name, block, cell, problems) for name, _, block in kept}
    if not any(document.tokens for document in documents.values()):
        raise FileError(NO_WORDS.format(called))
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
        brackets = cell(row)
        if brackets is None:
            continue
        for kind, text in brackets.problems:
            problems.add(kind, line, text, name)
        for closed in brackets.closes:
            k = next((k for k in reversed(range(len(waiting))) if closed in ("", waiting[k][0].closed_by)), None)
            if k is None:
                problems.add(UNOPENED, line, f"{closed})", name)
            else:
                finish(*waiting.pop(k))
        for opening in brackets.opens:
            if opening.ends:
                finish(opening, line, len(numbers) - 1)
            else:
                waiting.append((opening, line, len(numbers) - 1))
    for opening, line, _ in waiting:
        problems.add(UNCLOSED, line, f"({opening.closed_by}", name)
    entities: dict[str, list[Mention]] = {}
    for entity, line, words in mentions.values():
        entities.setdefault(entity, []).append((span_of(words), line, 0))
    tokens = (numbers[-1] >> WORD) + 1 if numbers else 0
    return CorefDocument(name, tokens, tokens_of([block]), by_appearance(entities))
