"""JSON lines: a document in every line, its clusters as lists of offsets.

Offsets count tokens, and the last one is part of the mention; or they count characters, and then the end is behind it
(``clusters``, as fastcoref writes them), unless the key says otherwise (``clusters_char_offsets`` of maverick).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from clusterscore.errors import FileError, plural
from clusterscore.read.coreference.file import MOST, CorefFile, Mentions, by_appearance, last_of_each, place, short
from clusterscore.read.coreference.tokens import Characters, ListedTokens, Tokens
from clusterscore.read.json_file import parse_json

_NAMES = ("doc_key", "doc_id", "document_id", "id")
_WORDS = ("sentences", "tokens", "words", "cased_words")
# key -> whether the end of a mention is behind it
_TOKENS = {"clusters_token_offsets": False, "clusters": False}
_CHARACTERS = {"clusters_char_offsets": False, "clusters": True}
_PREDICTED = "predicted_clusters"


class _Document(NamedTuple):
    line: int
    content: Mapping[str, Any]


def read_jsonlines(text: str, called: str, offsets: str, key: bool) -> CorefFile:
    """Read the text of a file; where it has both gold and predicted clusters, ``key`` says that gold is meant."""
    documents = list(_documents(text, called))
    if not documents:
        raise FileError(f"{called} has no documents: it holds no JSON object")
    names = [_name(content, number) for number, (_, content) in enumerate(documents, 1)]
    kept, warnings = last_of_each(names, [line for line, _ in documents], called)
    documents, names = [documents[k] for k in kept], [names[k] for k in kept]
    unnamed = [k for k, (_, content) in enumerate(documents) if not any(name in content for name in _NAMES)]
    if unnamed:
        warnings.append(
            f"{called}: {plural(len(unnamed), 'document')} without a doc_key (e.g. line {documents[unnamed[0]].line}); "
            "each goes by its number in the file"
        )
    reader = _Reader(called, offsets, key)
    for name, document in zip(names, documents, strict=True):
        reader.read(name, document)
    tokens = _characters(documents) if offsets == "characters" else reader.tokens()
    mentions, entities = reader.mentions()
    return CorefFile(
        called, "jsonlines", names, mentions, entities, tokens, warnings + reader.warnings(), offsets=offsets
    )


def _documents(text: str, called: str) -> Iterator[_Document]:
    whole = _whole(text, called)
    if whole is not None:
        listed = whole if isinstance(whole, list) else [whole]
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
        yield _Document(number, content)


def _whole(text: str, called: str) -> Any:
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


def _characters(documents: list[_Document]) -> Characters:
    texts = [content.get("text") for _, content in documents]
    counts = [len(text) if isinstance(text, str) else -1 for text in texts]
    return Characters(np.array(counts, np.int64), "".join(text for text in texts if isinstance(text, str)))


class _Reader:
    """Takes the documents of a file one after the other."""

    def __init__(self, called: str, offsets: str, key: bool):
        self.called, self.offsets, self.key = called, offsets, key
        self._rows: list[tuple[int, int, int, int, int]] = []  # document, entity, first, last, line
        self._entities: list[str] = []
        self._counts: list[int] = []
        self._words: list[str] = []
        self._trouble: dict[str, tuple[int, str]] = {}

    def read(self, name: str, document: _Document) -> None:
        """One document."""
        line, content = document
        words = _words(content)
        self._counts.append(-1 if words is None else len(words))
        self._words += words or []
        clusters, behind = self._clusters(name, document)
        if self.offsets == "tokens" and words is None and "text" in content:
            self._say(_ONLY_TEXT, "", name, line)
        limit = MOST if words is None or self.offsets == "characters" else len(words)
        number = len(self._counts) - 1
        for cluster, mentions in clusters:
            if not isinstance(mentions, list):
                self._say(_NO_LIST, short(str(mentions)), name, line)
                continue
            entity = len(self._entities)
            self._entities.append(cluster)
            for mention in mentions:
                span = _span(mention, behind)
                if span is None:
                    self._say(_NO_SPAN, short(str(mention)), name, line)
                    continue
                if span[1] >= limit:
                    self._say(_BEYOND, short(str(mention)), name, line)
                self._rows.append((number, entity, *span, line))

    def _clusters(self, name: str, document: _Document) -> tuple[list[tuple[str, Any]], bool]:
        """The clusters with their names, and whether the end of a mention is behind it."""
        line, content = document
        kinds = dict(_CHARACTERS if self.offsets == "characters" else _TOKENS)
        kinds = {**kinds, _PREDICTED: kinds["clusters"]} if self.key else {_PREDICTED: kinds["clusters"], **kinds}
        for kind, behind in kinds.items():
            found = content.get(kind)
            if isinstance(found, list):
                return [(str(k), cluster) for k, cluster in enumerate(found)], behind
            if isinstance(found, dict):
                return [(str(k), cluster) for k, cluster in found.items()], behind
        self._say(_NO_CLUSTERS, "", name, line)
        return [], False

    def mentions(self) -> tuple[Mentions, list[str]]:
        """All mentions, and the names of their entities."""
        document, entity, first, last, line = np.array(self._rows, np.int64).reshape(-1, 5).T
        order, renumbered, old = by_appearance(document, entity, first * 2 + (last > first))
        mentions = Mentions(document, renumbered, first, last, line).take(order)
        return mentions, [self._entities[k] for k in old.tolist()]

    def tokens(self) -> Tokens:
        """The tokens of all documents."""
        return ListedTokens(np.array(self._counts, np.int64), self._words)

    def warnings(self) -> list[str]:
        """What is wrong with them."""
        return [
            f"{self.called}: {plural(count, what)} {trouble.format(eg=example)}"
            for (what, trouble), (count, example) in (
                (key.split(" ", 1), value) for key, value in self._trouble.items()
            )
        ]

    def _say(self, trouble: str, text: str, document: str, line: int) -> None:
        count, example = self._trouble.get(trouble, (0, ""))
        example = example or (f"{text} in " if text else "") + place(line, document)
        self._trouble[trouble] = count + 1, example


_NO_CLUSTERS = "document without clusters (e.g. {eg}); scored as empty"
_NO_LIST = "cluster not given as a list of mentions (e.g. {eg}); left out"
_NO_SPAN = "mention not given as [start, end] (e.g. {eg}); left out"
_BEYOND = "mention ending behind the last token of its document (e.g. {eg}); kept"
_ONLY_TEXT = (
    "document with a text but no tokens (e.g. {eg}); its offsets are read as tokens, the last one included: say "
    'offsets="characters" if they count characters'
)


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
    return (first, last) if 0 <= first <= last < MOST else None
