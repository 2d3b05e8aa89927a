"""What a coreference file holds: for every document its mentions, each in an entity, and its tokens.

A mention is the set of words it covers. Nearly all of them are unbroken, and are kept as their first and last word:
two arrays over all documents of a file. Mentions with a gap, or with words that only CorefUD has (empty nodes), are
few; their words are listed beside.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from clusterscore.distinct import Array, Ints
from clusterscore.errors import plural
from clusterscore.read.coreference.tokens import Tokens
from clusterscore.remember import lazy

WORD = 12  # bits below the number of a word: they number the empty nodes behind it
MOST = 2**31  # tokens or characters of a document lie below it

_PART = re.compile(r"\((.*)\);?\s*(?:part\s+(\d+)\s*;?)?")


@dataclass(frozen=True)
class Mentions:
    """All mentions of a file: by document, and there by the entity that appears first.

    ``entity`` counts the entities of all documents; ``first`` and ``last`` are words of the document, both within the
    mention. Where ``first`` is negative the words are ``word_sets[-1 - first]``.
    """

    document: Ints
    entity: Ints
    first: Ints
    last: Ints
    line: Ints  # where it begins in the file
    head: Ints | None = None  # as in ``word_sets``

    def __len__(self) -> int:
        return len(self.document)

    def take(self, index: Array | slice) -> Mentions:
        """Some of them."""
        return Mentions(
            self.document[index], self.entity[index], self.first[index], self.last[index], self.line[index],
            None if self.head is None else self.head[index],
        )  # fmt: skip


class CorefDocument(NamedTuple):
    """One document of a file."""

    name: str
    tokens: int
    mentions: list[tuple[int, ...]]  # (first, last), or all words of a mention with gaps, as in CorefFile.word_sets
    entities: list[str]  # of each mention
    heads: list[int] | None = None

    @property
    def clusters(self) -> dict[str, list[tuple[int, ...]]]:
        """Entity -> its mentions."""
        found: dict[str, list[tuple[int, ...]]] = {}
        for mention, entity in zip(self.mentions, self.entities, strict=True):
            found.setdefault(entity, []).append(mention)
        return found


class CorefFile:
    """A coreference file: ``documents`` by name, and ``warnings`` about what is wrong with it, a line each.

    The columns behind it are ``names`` (of the documents), ``mentions``, ``entities`` (their names), ``word_sets`` (the
    words of mentions that are not one unbroken stretch: word number times 4096, plus the number of an empty node) and
    ``tokens``. ``offsets`` is what mentions count, "tokens" or "characters".
    """

    def __init__(
        self,
        called: str,
        form: str,
        names: list[str],
        mentions: Mentions,
        entities: Sequence[str],
        tokens: Tokens,
        warnings: list[str],
        *,
        word_sets: Sequence[tuple[int, ...]] = (),
        offsets: str = "tokens",
        shared_ids: bool = False,
    ):
        self.called, self.form, self.names = called, form, names
        self.mentions, self.entities, self.word_sets = mentions, entities, word_sets
        self.tokens, self.warnings, self.offsets = tokens, warnings, offsets
        self.shared_ids = shared_ids  # whether an entity id is meant for all documents of the file
        self.options: Mapping[str, str] = {}  # it was read with, as far as they decide a score

    def __repr__(self) -> str:
        return (
            f"CorefFile({self.called}: {self.form}, {plural(len(self.names), 'document')}, "
            f"{plural(len(self.mentions), 'mention')}, {plural(len(self.warnings), 'warning')})"
        )

    @lazy
    def documents(self) -> dict[str, CorefDocument]:
        """Name -> document, in the order of the file."""
        bounds = np.searchsorted(self.mentions.document, np.arange(len(self.names) + 1)).tolist()
        counts = self.tokens.counts.tolist()
        return {
            name: self._document(name, counts[k], slice(bounds[k], bounds[k + 1])) for k, name in enumerate(self.names)
        }

    def _document(self, name: str, tokens: int, where: slice) -> CorefDocument:
        mine = self.mentions.take(where)
        return CorefDocument(
            name,
            tokens,
            [self.span(k) for k in range(where.start, where.stop)],
            [self.entities[code] for code in mine.entity.tolist()],
            None if mine.head is None else mine.head.tolist(),
        )

    def span(self, mention: int) -> tuple[int, ...]:
        """The words of a mention: first and last, or all of them as in ``word_sets``."""
        first = int(self.mentions.first[mention])
        return self.word_sets[-1 - first] if first < 0 else (first, int(self.mentions.last[mention]))

    def told(self, mention: int) -> str:
        """A mention, as messages call it."""
        span, unit = self.span(mention), self.offsets[:-1]
        if self.mentions.first[mention] < 0:
            words = [f"{word >> WORD}" + (f".{word % 2**11}" if word % 2**WORD else "") for word in span]
            return f"tokens {', '.join(words[:8])}{', ..' if len(words) > 8 else ''}"
        return f"{unit} {span[0]}" if span[0] == span[1] else f"{unit}s {span[0]} to {span[1]}"

    def place(self, mention: int) -> str:
        """Where a mention stands, as messages say it."""
        return place(int(self.mentions.line[mention]), self.names[int(self.mentions.document[mention])])


def place(line: int, document: str) -> str:
    """Where something stands in a file."""
    return f"line {line}, document {document!r}"


def short(text: str) -> str:
    """What a user wrote, as messages quote it."""
    return repr(text if len(text) <= 40 else text[:37] + "...")


def paired_name(name: str) -> str:
    """What a document goes by, in every format: ``(a/b); part 003`` of CoNLL is ``a/b_3`` in JSON lines.

    >>> paired_name("(bc/cctv/00/cctv_0000); part 000"), paired_name("(LuoTestCase);"), paired_name("a_0")
    ('bc/cctv/00/cctv_0000_0', 'LuoTestCase', 'a_0')
    """
    found = _PART.fullmatch(name)
    if found is None:
        return name
    return found[1] if found[2] is None else f"{found[1]}_{int(found[2])}"


def last_of_each(names: Sequence[str], lines: Sequence[int], called: str) -> tuple[list[int], list[str]]:
    """The documents that count, and a warning: of several with one name the last does, as in the reference scorer."""
    last = {paired_name(name): k for k, name in enumerate(names)}
    kept = sorted(last.values())
    if len(kept) == len(names):
        return kept, []
    counted = set(kept)
    lost = next(k for k in range(len(names)) if k not in counted)
    other = lines[last[paired_name(names[lost])]]
    return kept, [
        f"{called}: {plural(len(names) - len(kept), 'document')} with the name of a later one (e.g. {names[lost]!r} in "
        f"line {lines[lost]}, again in line {other}); only the last of them counts, as in the reference scorer"
    ]


def by_appearance(document: Ints, entity: Ints, begin: Ints) -> tuple[Ints, Ints, Ints]:
    """The order of mentions in a file, their entities renumbered, and the old number of each entity.

    Entities count by document, then by where they appear first.

    ``begin`` is twice the first word of a mention, and one more if it has others: where two entities appear with the
    same word, one that has it for a mention goes first. That is how the reference scorer numbers them, and it decides
    who keeps a mention that both have.
    """
    used, entity = np.unique(entity, return_inverse=True)
    earliest = np.full(len(used), np.iinfo(np.int64).max)
    where = np.zeros(len(used), np.int64)
    np.minimum.at(earliest, entity, begin)
    where[entity] = document
    order = np.lexsort((earliest, where))
    rank = np.empty(len(used), np.int64)
    rank[order] = np.arange(len(used))
    renumbered = rank[entity]
    return np.argsort(renumbered, kind="stable"), renumbered, used[order]
