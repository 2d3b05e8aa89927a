"""LitBank's annotations: ``.ann`` files of one document each; beside it lies its text, ``.txt``, a sentence a line.

Those of ``coref/tsv`` have lines ``MENTION T1 4 12 4 13 ..``, the sentence and the token where the mention begins and
where it ends, that one included, and ``COREF T1 name-of-entity``. Those of ``coref/brat`` have lines ``T1 NOM_PER 355
365 ..`` for a mention and ``T136 the_victim-1 355 365 ..`` for its entity, in characters up to the end. As in LitBank's
own CoNLL files, a mention without an entity (in a copula or an apposition) is an entity by itself, and the document is
named like the file, part 0.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

from clusterscore.exceptions import FileError
from clusterscore.nouns import plural
from clusterscore.read.coreference.coref_file import (
    CorefDocument,
    CorefFile,
    Mention,
    Problems,
    Tokens,
    by_appearance,
    last_of_each,
)
from clusterscore.read.source import PACKED, Source

LITBANK = re.compile(rb"^(?:MENTION\tT\d+\t\d+\t|T\d+\t\S+ \d+ \d+(?:;|\t|\r?$))", re.MULTILINE)
_TSV = re.compile(r"MENTION\t(T\d+)\t(\d{1,9})\t(\d{1,9})\t(\d{1,9})\t(\d{1,9})(?:\t.*)?")
_COREF = re.compile(r"COREF\t(T\d+)\t(\S.*)")
_BRAT = re.compile(r"(T\d+)\t(\S+) (\d{1,9}) (\d{1,9})(?:\t.*)?")
_ID = re.compile(r"T\d+")
_TYPE = re.compile(r"(?:PROP|NOM|PRON)(?:_[A-Z]+)?")  # of a mention, where others name entities
_OTHER = re.compile(r"(?:COP|APPOS|[REAMN]\d+|\*|#\S*)\t.*|\s*")  # relations, attributes, notes

_ODD = "line without a mention or an entity (e.g. {}); left out"
_OUTSIDE = "mention outside of the text (e.g. {}); left out"
_LOST = "entity of a mention missing from the file (e.g. {}); left out"


class _Annotated(NamedTuple):
    """A mention: where it is in the file, its first and last token, and its id or its entity."""

    line: int
    text: str
    span: tuple[int, int] | None  # None if the text does not have it
    key: str


Problem = Callable[[str, int, str], None]  # of a kind, in a line, with what is there


def read_litbank(source: Source) -> CorefFile:
    """Read a file, or all of a pattern."""
    problems = Problems(source.called)
    parts = []
    options: dict[str, str] = {}
    for file in source.files:
        name = f"({_stem(file)}); part 0"
        lines = Source(file).text().replace("\r\n", "\n").split("\n")
        text = _text_beside(file, source).replace("\r\n", "\n")
        is_brat = not any(line.startswith("MENTION\t") for line in lines)
        if is_brat:
            options = {"ends": "exclusive"}
        problem = partial(problems.add, document=name)
        entities: dict[str, list[Mention]] = {}
        for mention in (_brat if is_brat else _tsv)(text, lines, problem):
            if mention.span is None:
                problem(_OUTSIDE, mention.line, mention.text)
            else:
                entities.setdefault(mention.key, []).append((mention.span, mention.line, 0))
        words = text.split()
        tokens = Tokens(words.copy, str.encode)
        parts.append((name, 1, CorefDocument(name, len(words), tokens, by_appearance(entities))))
    documents = {name: document for name, _, document in last_of_each(parts, problems)}
    return CorefFile(source.called, "litbank", documents, problems.warnings(), options=options)


def _tsv(text: str, lines: list[str], problem: Problem) -> list[_Annotated]:
    """The mentions of a table, with their entities."""
    lengths = [len(sentence.split()) for sentence in text.split("\n")]
    starts = [0, *accumulate(lengths)]
    mentions: dict[str, _Annotated] = {}
    named: dict[str, tuple[int, str]] = {}
    for number, line in enumerate(lines, 1):
        if mention := _TSV.fullmatch(line):
            first, begin, last, end = map(int, mention.groups()[1:])
            inside = first <= last < len(lengths) and begin < lengths[first] and end < lengths[last]
            span = (starts[first] + begin, starts[last] + end) if inside else (0, -1)
            mentions[mention[1]] = _Annotated(number, line, span if span[0] <= span[1] else None, mention[1])
        elif entity := _COREF.fullmatch(line):
            named[entity[1]] = number, entity[2]
        elif not _OTHER.fullmatch(line):
            problem(_ODD, number, line)
    for key, (number, entity_id) in named.items():
        if key in mentions:
            mentions[key] = mentions[key]._replace(key=entity_id)
        else:
            problem(_LOST, number, f"{key} {entity_id}")
    return list(mentions.values())


def _brat(text: str, lines: list[str], problem: Problem) -> list[_Annotated]:
    """The mentions of brat's standoff format: those of entities, and those that no entity has."""
    places = [word.span() for word in re.finditer(r"\S+", text)]
    first_at = {start: k for k, (start, _) in enumerate(places)}
    last_at = {end: k for k, (_, end) in enumerate(places)}
    mentions = []
    for number, line in enumerate(lines, 1):
        if mention := _BRAT.fullmatch(line):
            first, last = first_at.get(int(mention[3]), -1), last_at.get(int(mention[4]), -1)
            key = mention[1] if _TYPE.fullmatch(mention[2]) else mention[2]
            mentions.append(_Annotated(number, line, (first, last) if 0 <= first <= last else None, key))
        elif not _OTHER.fullmatch(line):
            problem(_ODD, number, line)
    in_entities = {own.span for own in mentions if not _ID.fullmatch(own.key)}
    return [own for own in mentions if not _ID.fullmatch(own.key) or own.span not in in_entities]


def _stem(file: str) -> str:
    path = Path(file)
    return Path(path.stem if path.suffix.lower() in PACKED else path.name).stem


def _text_beside(file: str, source: Source) -> str:
    path = Path(file).with_name(f"{_stem(file)}.txt")
    if source.is_stream or not path.is_file():
        missing = sum(not Path(name).with_name(f"{_stem(name)}.txt").is_file() for name in source.files)
        raise FileError(
            f"{source.called}: the text of {plural(missing, 'file')} is not beside it (e.g. {str(path)!r}); put it "
            "there, with a sentence in every line: annotations have no words, and tokens are counted in it"
        )
    return Source(path).text()
