"""JSON lines: a document in every line, its clusters as lists of offsets.

Offsets count tokens, and the last one is part of the mention; or they count characters, and then the end is behind it
(``clusters``, as fastcoref writes them), unless the key says otherwise (``clusters_char_offsets`` of maverick).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from clusterscore.exceptions import FileError, plural
from clusterscore.read.coreference.file import (
    CorefDocument,
    CorefFile,
    Mention,
    Problems,
    Tokens,
    by_appearance,
    last_of_each,
    make_document,
    short,
)
from clusterscore.read.json_file import parse_json

_NAMES = ("doc_key", "doc_id", "document_id", "id")
_WORDS = ("sentences", "tokens", "words", "cased_words")
# key -> whether the end of a mention is behind it
_TOKENS = {"clusters_token_offsets": False, "clusters": False}
_CHARACTERS = {"clusters_char_offsets": False, "clusters": True}
_PREDICTED = "predicted_clusters"
_MOST = 2**31  # tokens or characters of a document lie below it

_NO_CLUSTERS = "document without clusters (e.g. {}); scored as empty"
_NO_LIST = "cluster not given as a list of mentions (e.g. {}); left out"
_NO_SPAN = "mention not given as [start, end] (e.g. {}); left out"
_BEYOND = "mention ending behind the last token of its document (e.g. {}); kept"
_ONLY_TEXT = (
    "document with a text but no tokens (e.g. {}); its offsets are read as tokens, the last one included: say "
    'offsets="characters" if they count characters'
)


class _Object(NamedTuple):
    """A document, as JSON has it."""

    line: int
    content: Mapping[str, Any]


def read_jsonlines(text: str, called: str, offsets: str, key: bool) -> CorefFile:
    """Read the text of a file; where it has both gold and predicted clusters, ``key`` says that gold is meant."""
    objects = list(_objects(text, called))
    if not objects:
        raise FileError(f"{called} has no documents: it holds no JSON object")
    names = [_name(content, number) for number, (_, content) in enumerate(objects, 1)]
    kept, warnings = last_of_each(names, [line for line, _ in objects], called)
    unnamed = [objects[k].line for k in kept if not any(name in objects[k].content for name in _NAMES)]
    if unnamed:
        warnings.append(
            f"{called}: {plural(len(unnamed), 'document')} without a doc_key (e.g. line {unnamed[0]}); each goes by "
            "its number in the file"
        )
    problems = Problems(called)
    documents = {names[k]: _document(names[k], objects[k], offsets, key, problems) for k in kept}
    return CorefFile(called, "jsonlines", documents, warnings + problems.warnings(), offsets)


def _objects(text: str, called: str) -> Iterator[_Object]:
    value = _one_value(text, called)
    if value is not None:
        listed = value if isinstance(value, list) else [value]
        numbered: Iterable[tuple[int, Any]] = ((1, each) for each in listed)
    else:
        numbered = (
            (number, _parsed(line, number, called)) for number, line in enumerate(text.split("\n"), 1) if line.strip()
        )
    for number, content in numbered:
        if not isinstance(content, dict):
            raise FileError(
                f"{called}, line {number} is no JSON object but a {type(content).__name__}; write a document a line, "
                'such as {"doc_key": "a_0", "clusters": [[[0, 1], [5, 5]]]}'
            )
        yield _Object(number, content)


def _one_value(text: str, called: str) -> Any:
    """One document that is spread over lines, or a list of all; None if every line is one."""
    first = text.lstrip().partition("\n")[0]
    try:
        if first.startswith("{"):
            json.loads(first)
            return None
    except (ValueError, RecursionError):
        pass
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return None
    return _parsed(text, 1, called)


def _parsed(line: str, number: int, called: str) -> Any:
    try:
        return parse_json(line)
    except ValueError as error:
        reason = short(str(getattr(error, "msg", error)))
        raise FileError(f"{called}, line {number} is not JSON: {reason}; write one document a line") from None
    except RecursionError:
        raise FileError(f"{called}, line {number} is nested too deeply to be a document") from None


def _name(content: Mapping[str, Any], number: int) -> str:
    for key in _NAMES:
        if key in content:
            return str(content[key])
    return str(number)


def _document(name: str, given: _Object, offsets: str, key: bool, problems: Problems) -> CorefDocument:
    line, content = given
    words = _words(content)
    found = _clusters(content, offsets, key)
    if found is None:
        problems.add(_NO_CLUSTERS, None, line, name)
    if offsets == "tokens" and words is None and "text" in content:
        problems.add(_ONLY_TEXT, None, line, name)
    limit = _MOST if words is None or offsets == "characters" else len(words)
    clusters: dict[str, list[Mention]] = {}
    listed, behind = found or ({}, False)
    for entity, mentions in listed.items():
        if not isinstance(mentions, list):
            problems.add(_NO_LIST, str(mentions), line, name)
            continue
        clusters[entity] = []
        for mention in mentions:
            span = _span(mention, behind)
            if span is None:
                problems.add(_NO_SPAN, str(mention), line, name)
                continue
            if span[1] >= limit:
                problems.add(_BEYOND, str(mention), line, name)
            clusters[entity].append((span, line, 0))
    tokens, word = (content.get("text"), _character) if offsets == "characters" else (words, _first_part)
    known: Sequence[str] | None = tokens if isinstance(tokens, str | list) else None
    text = Tokens(lambda: known or (), word)
    return make_document(name, -1 if known is None else len(known), text, by_appearance(clusters))


def _clusters(content: Mapping[str, Any], offsets: str, key: bool) -> tuple[dict[str, Any], bool] | None:
    """The clusters by name, and whether the end of a mention is behind it."""
    kinds = _CHARACTERS if offsets == "characters" else _TOKENS
    predicted = {_PREDICTED: kinds["clusters"]}
    for kind, behind in ({**kinds, **predicted} if key else {**predicted, **kinds}).items():
        found = content.get(kind)
        if isinstance(found, list):
            return {str(k): cluster for k, cluster in enumerate(found)}, behind
        if isinstance(found, dict):
            return found, behind
    return None


def _first_part(word: str) -> bytes:
    """Of a word with blanks the other formats show the first part."""
    parts = word.encode("utf-8", "surrogatepass").split(None, 1)
    return parts[0] if parts else b""


def _character(character: str) -> bytes:
    return character.encode("utf-8", "surrogatepass")


def _words(content: Mapping[str, Any]) -> list[str] | None:
    for key in _WORDS:
        found = content.get(key)
        if isinstance(found, list):
            words: list[Any] = []
            for each in found:
                words.extend(each if isinstance(each, list) else [each])
            return words if set(map(type, words)) <= {str} else [str(word) for word in words]
    return None


def _span(mention: Any, behind: bool) -> tuple[int, int] | None:
    if not isinstance(mention, list) or len(mention) != 2:
        return None
    first, last = mention
    if type(first) is not int or type(last) is not int:
        return None
    last -= behind
    return (first, last) if 0 <= first <= last < _MOST else None
