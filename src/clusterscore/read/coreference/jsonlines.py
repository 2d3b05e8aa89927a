"""JSON lines: a document in every line, its clusters as lists of offsets.

Offsets count tokens, and the last one is part of the mention; or they count characters, and then the end is behind it
(``clusters``, as fastcoref writes them), unless the key says otherwise (``clusters_char_offsets`` of maverick).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from clusterscore.exceptions import FileError
from clusterscore.read.coreference.coref_file import (
    CorefDocument,
    CorefFile,
    Mention,
    Problems,
    Tokens,
    by_appearance,
    last_of_each,
)
from clusterscore.read.json_file import is_json, parse_json

_NAMES = ("doc_key", "doc_id", "document_id", "id")
_WORDS = ("sentences", "tokens", "words", "cased_words")
# key -> whether the end of a mention is behind it
_TOKENS = {"clusters_token_offsets": False, "clusters": False}
_CHARACTERS = {"clusters_char_offsets": False, "clusters": True}
_PREDICTED = "predicted_clusters"
_MOST = 2**31  # tokens or characters of a document lie below it

_UNNAMED = "document without a doc_key (e.g. {}); each goes by its number in the file"
_NO_CLUSTERS = "document without clusters (e.g. {}); scored as empty"
_NO_LIST = "cluster not given as a list of mentions (e.g. {}); left out"
_NO_SPAN = "mention not given as [start, end] (e.g. {}); left out"
_BEYOND = "mention ending behind the last token of its document (e.g. {}); kept"
_ONLY_TEXT = (
    "document with a text but no tokens (e.g. {}); its offsets are read as tokens, the last one included: say "
    'offsets="characters" if they count characters'
)


def read_jsonlines(text: str, called: str, offsets: str, key: bool) -> CorefFile:
    """Read the text of a file; where it has both gold and predicted clusters, ``key`` says that gold is meant."""
    parts = []
    for k, (line, content) in enumerate(_objects(text, called), 1):
        name = next((content[key] for key in _NAMES if key in content), k)
        parts.append((str(name), line, content))
    if not parts:
        raise FileError(f"{called} has no documents: it holds no JSON object")
    problems = Problems(called)
    kept = last_of_each(parts, problems)
    for _, line, content in kept:
        if content.keys().isdisjoint(_NAMES):
            problems.add(_UNNAMED, line)
    documents = {name: _document(name, line, content, offsets, key, problems) for name, line, content in kept}
    return CorefFile(called, "jsonlines", documents, problems.warnings(), offsets)


def _objects(text: str, called: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """The documents, each with its line. One may be spread over lines, or a list may hold all."""
    first = text.lstrip().partition("\n")[0]
    is_one_value = not (first.startswith("{") and is_json(first)) and is_json(text)
    for number, part in enumerate([text] if is_one_value else text.split("\n"), 1):
        if not part.strip():
            continue
        value = parse_json(part, called, "a document", number)
        for content in value if is_one_value and isinstance(value, list) else [value]:
            if not isinstance(content, dict):
                raise FileError(
                    f"{called}, line {number} is not a JSON object but a {type(content).__name__}; write a document a "
                    'line, such as {"doc_key": "a_0", "clusters": [[[0, 1], [5, 5]]]}'
                )
            yield number, content


def _document(
    name: str, line: int, content: Mapping[str, Any], offsets: str, key: bool, problems: Problems
) -> CorefDocument:
    words = _words(content)
    clusters, is_behind = _clusters(content, offsets, key)
    if clusters is None:
        problems.add(_NO_CLUSTERS, line, document=name)
    if offsets == "tokens" and words is None and "text" in content:
        problems.add(_ONLY_TEXT, line, document=name)
    limit = _MOST if words is None or offsets == "characters" else len(words)
    entities: dict[str, list[Mention]] = {}
    for entity, mentions in (clusters or {}).items():
        if not isinstance(mentions, list):
            problems.add(_NO_LIST, line, str(mentions), name)
            continue
        entities[entity] = []
        for mention in mentions:
            span = _span(mention, is_behind)
            if span is None:
                problems.add(_NO_SPAN, line, str(mention), name)
                continue
            if span[1] >= limit:
                problems.add(_BEYOND, line, str(mention), name)
            entities[entity].append((span, line, 0))
    tokens, word = (content.get("text"), _character) if offsets == "characters" else (words, _first_part)
    known: Sequence[str] | None = tokens if isinstance(tokens, str | list) else None
    text = Tokens(lambda: known or (), word)
    return CorefDocument(name, -1 if known is None else len(known), text, by_appearance(entities))


def _clusters(content: Mapping[str, Any], offsets: str, key: bool) -> tuple[Mapping[str, Any] | None, bool]:
    """The clusters by name, if there are any, and whether the end of a mention is behind it."""
    kinds = _CHARACTERS if offsets == "characters" else _TOKENS
    predicted = {_PREDICTED: kinds["clusters"]}
    for kind, is_behind in ({**kinds, **predicted} if key else {**predicted, **kinds}).items():
        clusters = content.get(kind)
        if isinstance(clusters, list):
            return {str(k): cluster for k, cluster in enumerate(clusters)}, is_behind
        if isinstance(clusters, dict):
            return clusters, is_behind
    return None, False


def _first_part(word: str) -> bytes:
    """Of a word with blanks the other formats show the first part."""
    return next(iter(_character(word).split(None, 1)), b"")


def _character(character: str) -> bytes:
    return character.encode("utf-8", "surrogatepass")


def _words(content: Mapping[str, Any]) -> list[str] | None:
    for key in _WORDS:
        listed = content.get(key)
        if isinstance(listed, list):
            words: list[Any] = []
            for item in listed:
                words.extend(item if isinstance(item, list) else [item])
            return words if set(map(type, words)) <= {str} else [str(word) for word in words]
    return None


def _span(mention: Any, is_behind: bool) -> tuple[int, int] | None:
    if not isinstance(mention, list) or list(map(type, mention)) != [int, int]:
        return None
    first, last = mention[0], mention[1] - is_behind
    return (first, last) if 0 <= first <= last < _MOST else None
