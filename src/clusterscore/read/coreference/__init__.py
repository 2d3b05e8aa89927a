"""Coreference: files of documents, entities and mentions, and two of them brought together.

Each file is read as what it is: its content says so, and its name where the content says nothing.
"""

from __future__ import annotations

import os
import re
from collections import Counter

import numpy as np

from clusterscore.exceptions import FileError, InputError, one_of, warn_user
from clusterscore.messages import Option, Wording
from clusterscore.progress import step
from clusterscore.read.clustering import Clustering
from clusterscore.read.coreference.bracket_columns import CHAINS, IDENTITY, read_conll_ua, read_stanza_conllu
from clusterscore.read.coreference.conll_format import read_conll
from clusterscore.read.coreference.coref_file import CorefDocument, CorefFile
from clusterscore.read.coreference.corefud import read_corefud
from clusterscore.read.coreference.jsonlines import read_jsonlines
from clusterscore.read.coreference.litbank import LITBANK, read_litbank
from clusterscore.read.coreference.pairing import PairedCoreference, pair_coreference
from clusterscore.read.file import OFFSETS
from clusterscore.read.formats import by_name
from clusterscore.read.labels import Labels
from clusterscore.read.source import BOM, Source

__all__ = ["FORMS", "CorefDocument", "CorefFile", "PairedCoreference", "pair_coreference", "read_coreference"]
__all__ += ["read_mentions"]

_SPELLED = {
    "conll": "CoNLL-2012",
    "corefud": "CorefUD (CoNLL-U)",
    "jsonlines": "JSON lines",
    "conllua": "CoNLL-UA",
    "litbank": "LitBank's annotations",
}
FORMS = tuple(_SPELLED)
ENDINGS = {
    "corefud": (".conllu",),
    "conllua": (".conllua",),
    "litbank": (".ann",),
    "jsonlines": (".jsonl", ".jsonlines", ".ndjson", ".json"),
    "conll": ("conll", ".key", ".response", ".skel", "_skel"),
}
_SIGNS = {  # by which a form is known: the first that a file has
    "jsonlines": re.compile(rb'\A\s*(\{\s*("|\})|\[\s*(\]|(\[\s*){0,2}\{))'),
    "conll": re.compile(rb"^#[ \t]*begin document", re.MULTILINE),
    "conllua": IDENTITY,
    "litbank": LITBANK,
    "corefud": re.compile(
        rb"^(#[ \t]*(global\.Entity|newdoc|sent_id|newpar)\b|[1-9][0-9]*([-.][0-9]+)?(\t[^\t\n]*){9}\r?$)", re.MULTILINE
    ),
}
_ENTITY = re.compile(rb"^\d[^\n]*[\t|]Entity=[^\t\n]*$", re.MULTILINE)
_HEADER = re.compile(rb"^#[ \t]*global\.Entity\b", re.MULTILINE)
_MISC = re.compile(rb"^\d[^\n]*\t([^\t\n]*)$", re.MULTILINE)
_KEYS = 8  # of MISC, that a message lists
_HEAD = 1 << 16  # bytes in which a form shows, if it does


def read_coreference(
    path: str | os.PathLike[str] | Source, form: str | None = None, *, offsets: str = "tokens", key: bool = False
) -> CorefFile:
    """Entities and their mentions from a file, or from standard input (``-``).

    ``form`` is "conll", "corefud", "jsonlines", "conllua" or "litbank"; without it the file tells. ``offsets`` says
    what the mentions of a JSON file are to count: tokens, or characters. A JSON file may hold both gold and predicted
    clusters: the gold ones are read if the file is the ``key``.
    """
    one_of("offsets", offsets, OFFSETS)
    source = path if isinstance(path, Source) else Source(path)
    with step(f"reading {source.called}"):
        data = source.data.removeprefix(BOM)
        if not data.isascii() or b"\0" in data or not re.search(rb"\S", data):
            source.text()  # decodes everything, and says what is wrong
        chosen = _form(source, data, form)
        if chosen == "jsonlines":
            file = read_jsonlines(source.text(), source.called, offsets, key)
        elif offsets != "tokens":
            raise InputError(
                Option("offsets", offsets), f" is for JSON lines; {source.called} is {chosen}, which has tokens"
            )
        else:
            file = read_litbank(source) if chosen == "litbank" else _READERS[chosen](data, source.called)
    options = {"format": form, "offsets": None if offsets == "tokens" else offsets}
    file.options = {**file.options, **{name: value for name, value in options.items() if value is not None}}
    return file


def read_mentions(file: CorefFile) -> Clustering:
    """The mentions of a file as a clustering: an element is a span in its document, a cluster an entity."""
    documents = list(file.documents.values())
    entities = [entity for document in documents for entity in document.entities]
    sizes = [len(mentions) for document in documents for mentions in document.entities.values()]
    spans = [span for document in documents for span, _, _ in document.mentions]
    numbers = np.repeat(np.arange(len(documents)), [len(document.mentions) for document in documents])
    made = Clustering(
        Labels(np.repeat(np.arange(len(sizes)), sizes), entities),
        ids=spans,
        documents=Labels(numbers, list(file.documents)),
        options=file.options,
    )
    made.coreference = file
    for warning in file.warnings:
        warn_user(warning)
    return made


def _read_conllu(data: bytes, called: str) -> CorefFile:
    """CorefUD, or CoNLL-U of Stanza; without any coreference it is an error, for nobody wants a score of 0."""
    if _ENTITY.search(data):
        return read_corefud(data, called)
    if CHAINS.search(data):
        return read_stanza_conllu(data, called)
    file = read_corefud(data, called)
    if _HEADER.search(data):
        file.warnings.append(f"{called}: no Entity= in the last column; scored as empty")
        return file
    keys = Counter(part.partition(b"=")[0] for misc in _MISC.findall(data) for part in misc.strip().split(b"|"))
    names = [key.decode("utf-8", "replace") for key, _ in keys.most_common() if key and key != b"_"]
    listed = ", ".join(repr(key[:40]) for key in names[:_KEYS]) + (", .." if len(names) > _KEYS else "")
    raise FileError(
        f"{called} has no coreference: no Entity= in the last column, as in CorefUD, nor coref_chains=, as in Stanza's "
        f"output; {'it has only ' + listed if names else 'nothing is there'}"
    )


_READERS = {"conll": read_conll, "corefud": _read_conllu, "conllua": read_conll_ua}


def _form(source: Source, data: bytes, requested: str | None) -> str:
    """The form of a file, or an error if it cannot be the one that the user requests."""
    if requested is not None:
        one_of("form", requested, FORMS)
    shown = next((form for text in (data[:_HEAD], data) for form, sign in _SIGNS.items() if sign.search(text)), None)
    if requested is not None and shown is not None and requested != shown:
        raise FileError(f'{source.called} is {_SPELLED[shown]}, not {_SPELLED[requested]}; read it as "{shown}"')
    form = requested or shown or by_name(source.path, ENDINGS)
    if form is None:
        raise FileError(
            f"{source.called} is not a known kind of coreference file: CoNLL has lines #begin document (name); "
            "part 000, CorefUD ten columns with Entity= in the last, CoNLL-UA a column IDENTITY, JSON lines an object "
            "with clusters in every line, LitBank's annotations lines MENTION and COREF; "
            "a table, labels and other clusterings go to ",
            Wording("cs.score", "clusterscore score"),
        )
    return form
