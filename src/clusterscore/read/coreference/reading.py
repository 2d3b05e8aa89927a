"""Coreference files, each read as what it is."""

from __future__ import annotations

import os

from clusterscore.errors import InputError, one_of
from clusterscore.progress import step
from clusterscore.read.coreference.conll import read_conll
from clusterscore.read.coreference.corefud import read_corefud
from clusterscore.read.coreference.file import CorefFile
from clusterscore.read.coreference.forms import form_of, text_of
from clusterscore.read.coreference.jsonlines import read_jsonlines
from clusterscore.read.source import Source

OFFSETS = ("tokens", "characters")


def read_coreference(
    path: str | os.PathLike[str], form: str | None = None, *, offsets: str = "tokens", key: bool = False
) -> CorefFile:
    """Entities and their mentions from a file, or from standard input (``-``).

    ``form`` is "conll", "corefud" or "jsonlines"; without it the file tells. ``offsets`` says what the numbers of a
    JSON file count: tokens, the last one included, or characters up to the end of a mention. A JSON file may hold both
    gold and predicted clusters: the gold ones are read if the file is the ``key``.
    """
    one_of("offsets", offsets, OFFSETS)
    source = Source(path)
    with step(f"reading {source.called}"):
        data = text_of(source)
        chosen = form_of(source, data, form)
        if chosen == "jsonlines":
            file = read_jsonlines(data.decode("utf-8"), source.called, offsets, key)
        elif offsets != "tokens":
            raise InputError(f'offsets="{offsets}" is for JSON lines; {source.called} is {chosen}, which has tokens')
        else:
            file = read_conll(data, source.called) if chosen == "conll" else read_corefud(data, source.called)
    options = {"format": form, "offsets": None if offsets == "tokens" else offsets}
    file.options = {name: value for name, value in options.items() if value is not None}
    return file
