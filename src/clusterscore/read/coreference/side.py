"""The mentions of one file that take part in a comparison, numbered so that both sides agree."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from clusterscore.distinct import Array, Ints, distinct
from clusterscore.read.clustering import Clustering
from clusterscore.read.coreference.file import WORD, CorefFile
from clusterscore.read.labels import Labels, encode


@dataclass(frozen=True)
class Side:
    """Mentions of a file, in its order."""

    file: CorefFile
    at: Ints  # their places in the file
    document: Ints  # as the key numbers them
    entity: Ints
    names: list[str]  # of the entities
    span: Ints  # a number for each mention's document and words, the same on both sides

    @classmethod
    def of(cls, file: CorefFile, home: Ints, cross_document: bool) -> Side:
        """The mentions of the documents that have a home; ids of several documents may mean one entity."""
        document = home[file.mentions.document]
        at = np.flatnonzero(document >= 0)
        entity, names = file.mentions.entity[at], list(file.entities)
        if cross_document and names:
            coded = encode(names)
            entity = coded.codes[entity].astype(np.int64)
            names = [coded.name(k) for k in range(len(coded.names))]
        return cls(file, at, document[at], entity, names, at)

    def __len__(self) -> int:
        return len(self.at)

    def take(self, index: Array) -> Side:
        """Some of them."""
        return replace(
            self,
            at=self.at[index],
            document=self.document[index],
            entity=self.entity[index],
            span=self.span[index],
        )

    def without_singletons(self) -> Side:
        """Entities of one mention go, also where that mention is written twice."""
        if not len(self):
            return self
        entities = len(self.names)
        found = distinct((self.entity, entities), (self.span, int(self.span.max()) + 1))
        sizes = np.bincount(found.column(0), minlength=entities)
        return self.take(np.flatnonzero(sizes[self.entity] > 1))

    def first(self) -> Ints:
        """For each mention the first one with the same words: itself, mostly."""
        return first_of_each(self.span, self.span)

    def words(self, mention: int) -> frozenset[int]:
        """The words of a mention, as in ``CorefFile.word_sets``."""
        at = int(self.at[mention])
        span = self.file.span(at)
        if self.file.mentions.first[at] < 0:
            return frozenset(span)
        return frozenset(range(span[0] << WORD, (span[1] << WORD) + 1, 1 << WORD))

    def told(self, mention: int, earlier: int) -> str:
        """A mention that is there twice, as messages call it."""
        one, other = (self.names[int(self.entity[k])] for k in (mention, earlier))
        where = f"entities {other!r} and {one!r}" if one != other else f"entity {one!r}"
        at = int(self.at[mention])
        return f"{self.file.told(at)} in {where}, {self.file.place(at)}"

    def clustering(self, ids: Ints, documents: list[str] | None, options: Mapping[str, str]) -> Clustering:
        """The mentions as a clustering, made with these options."""
        coded = None if documents is None else Labels(self.document, documents)
        return Clustering(
            Labels(self.entity, self.names), ids=ids, documents=coded, options={**self.file.options, **options}
        )


def first_of_each(codes: Ints, wanted: Ints) -> Ints:
    """Where each of the wanted codes stands first, or -1."""
    first = np.full(max(int(some.max(initial=-1)) for some in (codes, wanted)) + 1, -1)
    first[codes[::-1]] = np.arange(len(codes))[::-1]
    return first[wanted]


def same_spans(gold: Side, pred: Side) -> tuple[Side, Side]:
    """Number the mentions of both sides: those with the same words in the same document get the same number."""
    sets: dict[tuple[int, ...], int] = {}
    columns = [_columns(side, sets) for side in (gold, pred)]
    document, first, length = (np.concatenate([left, right]) for left, right in zip(*columns, strict=True))
    if not len(document):
        return gold, pred
    found = distinct(*((column, int(column.max()) + 1) for column in (document, first, length)), codes=True)
    return replace(gold, span=found.codes[: len(gold)]), replace(pred, span=found.codes[len(gold) :])


def _columns(side: Side, sets: dict[tuple[int, ...], int]) -> tuple[Ints, Ints, Ints]:
    """Document, first word and length; mentions with listed words have length 0 and the number of their list."""
    mentions = side.file.mentions.take(side.at)
    first, length = mentions.first.copy(), mentions.last - mentions.first + 1
    for k in np.flatnonzero(mentions.first < 0).tolist():
        words = side.file.word_sets[-1 - int(mentions.first[k])]
        first[k], length[k] = sets.setdefault(words, len(sets)), 0
    return side.document, first, length
