"""Mentions as people know them: by their words, and by the words around them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from clusterscore.distinct import Array, Ints
from clusterscore.read.coreference.coref_file import WORD, DocumentWords, Span, Tokens, words_of
from clusterscore.read.names import as_column

if TYPE_CHECKING:
    from clusterscore.read.coreference.matching import Alignment

MARKS = "\x02", "\x03"  # around the words of a mention, where a page sets them off
_BRACKETS = "[", "]"
_AROUND = {"tokens": 50, "characters": 100}  # looked at before and after a mention
LETTERS = 40  # of these words, in a table
_LONGEST = 140  # letters of a mention within its context
_GLOSS = 40  # letters by which an entity is known


class WordsOf(dict[int, DocumentWords]):
    """The words of some documents by their number, read when they are looked at; a copy has them all."""

    def __init__(self, tokens: Mapping[int, Tokens]):
        super().__init__()
        self._tokens = tokens

    def __missing__(self, number: int) -> DocumentWords:
        self[number] = words = self._tokens[number].words() if number in self._tokens else DocumentWords()
        return words

    def __reduce__(self) -> Any:
        return defaultdict, (DocumentWords, {number: self[number] for number in self._tokens})


class MentionSide(NamedTuple):
    """The mentions of one file: the number of each one's document, its entity, span and head, and who has its name.

    ``original`` is the first mention of the same name, ``latest`` the last, in the order of their entities.
    """

    document: Ints
    entity: Ints
    spans: Sequence[Span]
    heads: Sequence[int]
    original: Ints
    latest: Ints
    words: Mapping[int, DocumentWords]  # of all documents

    @property
    def is_repeated(self) -> bool:
        """Whether a mention is there several times: in CorefUD, in several entities, so that no partition holds it."""
        return bool((self.original != np.arange(len(self.original))).any())

    @property
    def is_zero(self) -> Array:
        """Of each mention whether its head is an empty node."""
        return np.array(self.heads, np.int64) % (1 << WORD) > 0


class Mentions:
    """The mentions of a key and a response by their element ids: those of the key first, then those of the response.

    Words are read when somebody looks at them. Where only one of the two files has any, it lends them to the other.
    """

    def __init__(
        self,
        key: MentionSide,
        response: MentionSide,
        documents: Sequence[str],
        offsets: str,
        alignment: Alignment | None = None,
        one_to_one: Alignment | None = None,
    ):
        self.sides, self.document_names, self._offsets = (key, response), documents, offsets
        self.alignment = alignment  # of two CorefUD files, as their scorer looks it up
        self.one_to_one = alignment if one_to_one is None else one_to_one  # the same mentions as they were matched

    def as_matched(self) -> Mentions:
        """The same mentions, found on the other side where they were matched."""
        return Mentions(*self.sides, self.document_names, self._offsets, self.one_to_one, self.one_to_one)

    @cached_property
    def have_words(self) -> bool:
        """Whether there are words to show."""
        return any(side.words[number].forms for side in self.sides for number in range(len(self.document_names)))

    def _mention(self, element: int) -> tuple[int, Span, DocumentWords]:
        """The document of a mention, its span, and the words of its document."""
        own, other = self.sides
        if element >= len(own.spans):
            element, own, other = element - len(own.spans), other, own
        number = int(own.document[element])
        words = own.words[number]
        return number, own.spans[element], words if words.forms else other.words[number]

    def order(self, elements: Ints) -> Ints:
        """The order in which mentions stand in their documents; of those that begin together the longest first."""
        places = [self._mention(element)[:2] for element in elements.tolist()]
        keys = [(number, words_of(span)[0], -words_of(span)[-1]) for number, span in places]
        return np.array(sorted(range(len(keys)), key=keys.__getitem__), np.int64)

    def documents(self, elements: Ints) -> Array:
        """The names of their documents."""
        return as_column([self.document_names[self._mention(element)[0]] for element in elements.tolist()])

    def names(self, elements: Ints) -> Array:
        """Their spans: ``7``, ``7–8``, ``3,5–6`` where words are left out, ``5.1`` where one is an empty node.

        With a hyphen a spreadsheet would take them for dates.
        """
        return as_column([_spelled(self._mention(element)[1]) for element in elements.tolist()])

    def texts(self, elements: Ints) -> Array:
        """Their words; where some are left out, there is a gap."""
        return as_column(
            [" … ".join(text for inside, text in self._runs(element) if inside) for element in elements.tolist()]
        )

    def contexts(self, elements: Ints, marks: tuple[str, str] = _BRACKETS, letters: int = LETTERS) -> Array:
        """Their words between marks, with so many letters before and after."""
        return as_column([self._context(element, marks, letters) for element in elements.tolist()])

    def glosses(self, elements: Ints, cluster: Array, size: int) -> Array:
        """A short text for each of so many entities: its longest mention, not counting what is cut off."""
        order = self.order(elements)
        best: dict[int, str] = {}
        for entity, text in zip(cluster[order].tolist(), self.texts(elements[order]), strict=True):
            if entity not in best or len(best[entity]) < min(len(text), _GLOSS):
                best[entity] = text
        return as_column([_cut(best.get(entity, ""), _GLOSS, 0) for entity in range(size)])

    def _runs(self, element: int) -> Iterator[tuple[bool, str]]:
        """The words of a mention, and those between them that are not part of it."""
        _, span, (numbers, forms) = self._mention(element)
        inside = frozenset(words_of(span))
        first, last = _bounds(span, numbers)
        for is_inside, some in groupby(range(first, last), lambda k: numbers[k] in inside):
            yield is_inside, self._joined(forms[k] for k in some)

    def _context(self, element: int, marks: tuple[str, str], letters: int) -> str:
        _, span, (numbers, forms) = self._mention(element)
        around = _AROUND[self._offsets]
        first, last = _bounds(span, numbers)
        before, after = self._joined(forms[max(0, first - around) : first]), self._joined(forms[last : last + around])
        runs = [
            f"{marks[0]}{_cut(text, _LONGEST, 40)}{marks[1]}" if inside else _cut(text, letters // 2, letters // 2)
            for inside, text in self._runs(element)
        ]
        parts = (_cut(before, 0, letters), *runs, _cut(after, letters, 0))
        return self._joined(part for part in parts if part)

    def _joined(self, words: Any) -> str:
        return (" " if self._offsets == "tokens" else "").join(words)


def _bounds(span: Span, numbers: Sequence[int]) -> tuple[int, int]:
    """Where a mention begins and ends among the words of its document."""
    words = words_of(span)
    return bisect_left(numbers, words[0]), bisect_right(numbers, words[-1])


def _spelled(span: Span) -> str:
    if not span[2:]:
        return f"{span[0]}" if span[0] == span[1] else f"{span[0]}–{span[1]}"
    parts: list[str] = []
    words = sorted(span[2:])
    for _, run in groupby(enumerate(words), lambda pair: (pair[1] % (1 << WORD), pair[0] - (pair[1] >> WORD))):
        first, *_, last = [word for _, word in run] * 2
        if first % (1 << WORD):
            parts.append(f"{first >> WORD}.{first % 2**11}")
        else:
            parts.append(_spelled((first >> WORD, last >> WORD)))
    return ",".join(parts)


def _cut(text: str, head: int, tail: int) -> str:
    """A text with so many letters of its beginning and end, and a mark where some are left out."""
    if len(text) <= head + tail:
        return text
    first, last = text[: head + 1].rpartition(" ")[0] or text[:head], text[len(text) - tail - 1 :].partition(" ")[2]
    return f"{first if head else ''} … {(last or text[len(text) - tail :]) if tail else ''}".strip()
