"""The mentions of one file that take part in a comparison.

A partition holds an element once, but a file may have a mention several times. Two conventions say what that means: the
one of the reference scorer, and the one of the CorefUD scorer, which counts a mention once in an entity, keeps it in
each entity that has it, and finds it in the last of them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import chain, compress
from typing import Any

import numpy as np

from clusterscore.distinct import Ints
from clusterscore.nouns import plural
from clusterscore.read.clustering import Clustering
from clusterscore.read.coreference.coref_file import (
    WORD,
    CorefFile,
    EmptyNode,
    Mention,
    Span,
    describe,
    words_of,
)
from clusterscore.read.coreference.mentions import MentionSide, WordsOf
from clusterscore.read.labels import Labels


class MentionList:
    """Mentions in the order of their file; two are the same if they have the same name in the same document.

    The name of a mention is its span, with ``by_head`` also its head. A document goes by its number in the key. With
    ``corefud`` a mention that an entity has twice is left out the second time.
    """

    def __init__(
        self,
        file: CorefFile,
        numbers: Sequence[int],
        cross_document: bool,
        drop_singletons: bool,
        *,
        corefud: bool = False,
        by_head: bool = False,
    ):
        """``numbers`` are those of the documents in the key, or -1."""
        self.file = file
        self.names: list[str] = []  # of the entities
        self._document_names = dict(zip(numbers, file.documents, strict=True))
        sizes: list[int] = []
        mentions: list[Mention] = []
        self.documents: list[int] = []
        for number, document in zip(numbers, file.documents.values(), strict=True):
            if number >= 0:
                self.names += document.entities
                sizes += map(len, document.entities.values())
                mentions += document.mentions
                self.documents += [number] * (len(mentions) - len(self.documents))
        self.entity = np.repeat(np.arange(len(sizes)), sizes)
        if cross_document:
            codes = {name: code for code, name in enumerate(dict.fromkeys(self.names))}
            self.entity = np.array([codes[name] for name in self.names], np.int64)[self.entity]
            self.names = list(codes)
        columns: list[list[Any]] = [[mention[k] for mention in mentions] for k in range(3)]
        self.spans, self.lines, self.heads = columns
        self._by_head = by_head
        self.twice: list[str] = []  # what to say of mentions that an entity has twice
        self._number()
        if corefud and self.is_repeated:
            self._keep_first_in_entity()
        if drop_singletons:  # also where the only mention is written twice
            entities = self.entity.tolist()
            counts = Counter(entity for entity, _ in {*zip(entities, self.original.tolist(), strict=True)})
            self._keep([counts[entity] > 1 for entity in entities])
        if corefud and self.is_repeated:
            self._order_by_entity()

    def _number(self) -> None:
        """Find out which mentions are the same: the number of the first and of the last such for each."""
        # what each mention goes by in its document
        self.keys: list[Any] = list(zip(self.spans, self.heads, strict=True)) if self._by_head else self.spans
        self.first: dict[int, dict[Any, int]] = defaultdict(dict)  # document -> key -> the mention that stands for it
        places = enumerate(zip(self.documents, self.keys, strict=True))
        self.original = np.array([self.first[number].setdefault(key, k) for k, (number, key) in places], np.int64)
        self.latest = self.original.copy()
        self.latest[self.original] = np.arange(len(self))  # of equal places the last writer stays
        self.latest = self.latest[self.original]

    @property
    def is_repeated(self) -> bool:
        """Whether a mention is there several times."""
        return bool((self.original != np.arange(len(self))).any())

    def __len__(self) -> int:
        return len(self.spans)

    def _keep(self, kept: Sequence[bool]) -> None:
        self.entity = self.entity[np.array(kept, bool)]
        self.documents, self.spans, self.lines, self.heads = (
            list(compress(column, kept)) for column in (self.documents, self.spans, self.lines, self.heads)
        )
        self._number()

    def _keep_first_in_entity(self) -> None:
        _, first = np.unique(np.stack([self.entity, self.original]), axis=1, return_index=True)
        kept = np.zeros(len(self), bool)
        kept[first] = True
        self.twice = self.warning(np.flatnonzero(~kept), " in one entity", "each counts once, as in the CorefUD scorer")
        self._keep(kept.tolist())

    def _order_by_entity(self) -> None:
        """Let the first and the last of equal mentions be those of the CorefUD scorer, which sorts entities."""
        begins: dict[Any, tuple[int, int, int, int]] = {}
        for place, (name, document) in enumerate(self.file.documents.items()):
            for entity, some in document.entities.items():
                key = entity if self.file.shared_ids else (name, entity)
                if key not in begins:
                    words = (words_of(span) for span, _, _ in some)
                    begins[key] = min((place, word[0], -len(word), word[-1]) for word in words)

        def rank(mention: int) -> tuple[tuple[int, int, int, int], str]:
            entity = self.names[self.entity[mention]]
            name = self._document_names[self.documents[mention]]
            return begins[entity if self.file.shared_ids else (name, entity)], entity

        same: dict[int, list[int]] = defaultdict(list)
        for mention in np.flatnonzero(np.bincount(self.original, minlength=len(self))[self.original] > 1).tolist():
            same[int(self.original[mention])].append(mention)
        for mentions in same.values():
            mentions.sort(key=rank)
            self.original[mentions], self.latest[mentions] = mentions[0], mentions[-1]
            self.first[self.documents[mentions[0]]][self.keys[mentions[0]]] = mentions[0]

    def empty_node(self, mention: int) -> EmptyNode | None:
        """The head of a mention, if that is an empty node."""
        head = self.heads[mention]
        row = self.file.documents[self._document_names[self.documents[mention]]].empty_nodes.get(head)
        return None if row is None else EmptyNode.of(head, row)

    def side(self) -> MentionSide:
        """These mentions, and where their words are."""
        texts = {number: self.file.documents[name].text for number, name in self._document_names.items()}
        document = np.array(self.documents, np.int64)
        return MentionSide(document, self.entity, self.spans, self.heads, self.original, self.latest, WordsOf(texts))

    def warning(self, repeated: Ints, which: str, consequence: str) -> list[str]:
        """What to say about repeated mentions."""
        if not len(repeated):
            return []
        k = int(repeated[0])
        entity, first_entity = (self.names[self.entity[mention]] for mention in (k, int(self.original[k])))
        where = f"entities {first_entity!r} and {entity!r}" if entity != first_entity else f"entity {entity!r}"
        where += f", line {self.lines[k]}, document {self._document_names[self.documents[k]]!r}"
        return [
            f"{self.file.called}: {plural(len(repeated), 'repeated mention')}{which} (e.g. "
            f"{describe(self.spans[k], self.file.offsets[:-1])} in {where}); {consequence}"
        ]

    def clustering(self, kept: Ints, ids: Ints, documents: list[str] | None, options: dict[str, str]) -> Clustering:
        """Some of the mentions as a clustering, made with these options."""
        return Clustering(
            Labels(self.entity[kept], self.names),
            ids=ids[kept],
            documents=None if documents is None else Labels(np.array(self.documents, np.int64)[kept], documents),
            options={**self.file.options, **options},
        )


def extent(span: Span) -> tuple[int, int, int]:
    """By which mentions are sorted: their first word, their last, and how many they have."""
    words = words_of(span)
    return words[0], words[-1], len(words)


def extents(spans: Sequence[Span]) -> Ints:
    """The same of many mentions, a row each."""
    bounds = np.fromiter(chain.from_iterable(span[:2] for span in spans), np.int64, 2 * len(spans)).reshape(-1, 2)
    made = np.column_stack([bounds << WORD, bounds[:, 1] - bounds[:, 0] + 1])
    for k, span in enumerate(spans):
        if len(span) > 2:
            made[k] = extent(span)
    return made
