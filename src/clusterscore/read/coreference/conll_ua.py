"""CoNLL-UA, the exploded format of Universal Anaphora: CoNLL-U with more columns, and mentions in IDENTITY.

It is what the scorer of the CODI-CRAC tasks (universal-anaphora-scorer) reads. ``(EntityID=1|MarkableID=m1|Min=3,4``
opens a mention, and ``)`` closes the one opened last; with a markable's id in front (``m1)``) it closes that one. Two
pieces with one markable id are a mention with a gap. Entities that end in ``-Pseudo`` do not refer to anything, and are
left out as in that scorer. ElementOf, for split antecedents, is not scored.
"""

from __future__ import annotations

import re

from clusterscore.read.coreference.bracket_columns import Cell, Opening, read_brackets
from clusterscore.read.coreference.coref_file import CorefFile

COLUMNS = re.compile(rb"^#[^\S\n]*global\.columns[^\S\n]*=((?:[^\n]*\s)?IDENTITY(?!\S)[^\n]*)", re.MULTILINE)
_IDENTITY = 10  # where the file does not say
_NONE = {"_", "-"}
_CLOSING = re.compile(r"(?:[^()]*\))*")
_OPENING = re.compile(r"([^()]+)(\)?)")
_PSEUDO_ENDING = "-Pseudo"

_ODD = "item of IDENTITY not written as (EntityID=..|.., (EntityID=..) or ) (e.g. {}); left out"
_SPLIT = "mention with ElementOf, for a split antecedent (e.g. {}); that link is left out, it is not scored"
_PSEUDO = "mention without a referent, EntityID=..-Pseudo (e.g. {}); left out, as in the Universal Anaphora scorer"


def read_conll_ua(data: bytes, called: str) -> CorefFile:
    """Read the bytes of a file."""
    header = COLUMNS.search(data)
    column = header[1].split().index(b"IDENTITY") if header else _IDENTITY

    def cell(row: bytes) -> Cell | None:
        columns = row.split(b"\t" if b"\t" in row else None, column + 1)
        text = columns[column].decode("utf-8", "replace").strip() if column < len(columns) else "_"
        return None if text in _NONE else _cell(text)

    file = read_brackets(data, called, "conllua", cell)
    for name, document in file.documents.items():
        referring = {id_: some for id_, some in document.entities.items() if not id_.endswith(_PSEUDO_ENDING)}
        file.documents[name] = document._replace(entities=referring)
    if not any(document.entities for document in file.documents.values()):
        file.warnings.append(f"{called}: no mention in column IDENTITY; scored as empty")
    return file


def _cell(text: str) -> Cell:
    """The brackets in ``))(EntityID=1|MarkableID=m1(EntityID=2|MarkableID=m2)``."""
    closing, *opening = text.split("(")
    problems = [] if _CLOSING.fullmatch(closing) else [(_ODD, closing)]
    opens = []
    for item in opening:
        parts = _OPENING.fullmatch(item)
        fields = dict(part.partition("=")[::2] for part in parts[1].split("|")) if parts else {}
        if parts is None or not fields.get("EntityID"):
            problems.append((_ODD, f"({item}"))
            continue
        opens.append(Opening(fields["EntityID"], bool(parts[2]), fields.get("MarkableID", "")))
        if "ElementOf" in fields:
            problems.append((_SPLIT, f"({item}"))
        if fields["EntityID"].endswith(_PSEUDO_ENDING):
            problems.append((_PSEUDO, f"({item}"))
    return Cell([closed.strip() for closed in closing.split(")")[:-1]], opens, problems)
