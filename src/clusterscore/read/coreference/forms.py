"""Which form a coreference file has: what is in it says so, and its name where that says nothing."""

from __future__ import annotations

import re

from clusterscore.errors import FileError, one_of
from clusterscore.read.source import BOM, Source

FORMS = ("conll", "corefud", "jsonlines")
_SPELLED = {"conll": "CoNLL-2012", "corefud": "CorefUD (CoNLL-U)", "jsonlines": "JSON lines"}
_BY_NAME = (
    ("corefud", re.compile(r"\.conllu$")),
    ("jsonlines", re.compile(r"\.(jsonl|jsonlines|ndjson|json)$")),
    ("conll", re.compile(r"conll$|\.(key|response)$|[._]skel$")),
)
_COMPRESSED = re.compile(r"\.(gz|bz2|xz)$")
_JSON = re.compile(rb'\s*(\{\s*("|\})|\[\s*(\{|\]))')
_BEGIN = re.compile(rb"^#[ \t]*begin document", re.MULTILINE)
_COMMENT = re.compile(rb"^#[ \t]*(global\.Entity|newdoc|sent_id|newpar)\b", re.MULTILINE)
_CONLLU = re.compile(rb"^[1-9][0-9]*([-.][0-9]+)?(\t[^\t\n]*){9}\r?$", re.MULTILINE)
_HEAD = 1 << 16  # bytes in which a form shows, if it does


def form_of(source: Source, data: bytes, said: str | None) -> str:
    """The form of a file, or an error if what the user said cannot be."""
    if said is not None:
        one_of("form", said, FORMS)
    shown = by_content(data)
    if said is not None and shown is not None and said != shown:
        raise FileError(f'{source.called} is {_SPELLED[shown]}, not {_SPELLED[said]}; read it as "{shown}"')
    form = said or shown or by_name(source.path)
    if form is None:
        raise FileError(
            f"{source.called} is no coreference file that is known here: CoNLL has lines #begin document (name); "
            "part 000, CorefUD ten columns with Entity= in the last, JSON lines an object with clusters in every line"
        )
    return form


def by_name(path: str) -> str | None:
    """The form that the ending of a name stands for."""
    name = _COMPRESSED.sub("", path.lower())
    return next((form for form, ending in _BY_NAME if ending.search(name)), None)


def by_content(data: bytes) -> str | None:
    """The form that shows."""
    head = data[:_HEAD]
    if _JSON.match(head):
        return "jsonlines"
    for text in (head, data) if len(data) > _HEAD else (head,):
        if _BEGIN.search(text):
            return "conll"
        if _COMMENT.search(text) or _CONLLU.search(text):
            return "corefud"
    return None


def text_of(source: Source) -> bytes:
    """The bytes of a text file: UTF-8, and not empty."""
    data = source.data().removeprefix(BOM)
    if not data.isascii() or b"\0" in data or not re.search(rb"\S", data):
        source.text()  # decodes everything, and says what is wrong
    return data
