"""CoNLL-U as Stanza writes it, with its coreference in MISC: ``coref_chains=start-repr-id0,unit-id3``.

Stanza 1.7 and later (``CoNLL.write_doc2conll``) name in every word of a mention the chain, and whether the word starts
it, ends it, is in the middle of it, or is all of it (``unit``). Some versions before July 2026 wrote the same under
``ner=`` by mistake (stanza pull request 1628); there it is read too.
"""

from __future__ import annotations

import re

from clusterscore.read.coreference.bracket_columns import Cell, Opening, read_brackets
from clusterscore.read.coreference.coref_file import CorefFile

CHAINS = re.compile(rb"[\t|](?:coref_chains|ner)=(?:unit|start|middle|end)-(?:repr-)?id\d[^\t\n]*$", re.MULTILINE)
_VALUES = re.compile(r"(?:^|\|)(coref_chains|ner)=([^|]*)")
_ITEM = re.compile(r"(unit|start|middle|end)-(?:repr-)?id(\d+)")

_ODD = "item of coref_chains not written as unit-id0, start-id0, middle-id0 or end-id0 (e.g. {}); left out"


def read_stanza_conllu(data: bytes, called: str) -> CorefFile:
    """Read the bytes of a file."""
    return read_brackets(data, called, "corefud", _cell)


def _cell(row: bytes) -> Cell | None:
    if not CHAINS.search(row):
        return None
    closes, opens, problems = [], [], []
    for key, value in _VALUES.findall(row.rstrip().rpartition(b"\t")[2].decode("utf-8", "replace")):
        for text in value.split(","):
            item = _ITEM.fullmatch(text)
            if item is None:
                problems += [(_ODD, text)] if key == "coref_chains" else []
            elif item[1] == "end":
                closes.append(item[2])
            elif item[1] != "middle":
                opens.append(Opening(item[2], item[1] == "unit"))
    return Cell(closes, opens, problems)
