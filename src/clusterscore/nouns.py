"""What things are called: elements, clusters and documents, or what the people of a field call them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NamedTuple


class Nouns(NamedTuple):
    """The words for an element, a cluster and a document, each in the singular and the plural.

    Options:
        element: such as ``("page", "pages")``.
        cluster: such as ``("segment", "segments")``.
        document: such as ``("stream", "streams")``.
    """

    element: tuple[str, str] = ("element", "elements")
    cluster: tuple[str, str] = ("cluster", "clusters")
    document: tuple[str, str] = ("document", "documents")


PLAIN = Nouns()
_WORDS = {word: (kind, number) for kind, words in enumerate(PLAIN) for number, word in enumerate(words)}
_OUR_WORDS = re.compile(
    r"""(?<![\w.'"/=#{-])(?:(an?)\ )?\b(elements?|clusters?|documents?)\b(?![\w=(]|[.-]\w)""", re.IGNORECASE
)
_VOWELS = tuple("aeiou")
spoken: ContextVar[Nouns] = ContextVar("nouns", default=PLAIN)  # the words that are used now


@contextmanager
def speaking(nouns: Nouns | None) -> Iterator[None]:
    """Whatever is said inside is said in these words, or where they are None as before."""
    before = spoken.set(spoken.get() if nouns is None else nouns)
    try:
        yield
    finally:
        spoken.reset(before)


def noun(text: str) -> str:
    """A word, or a text of our own, with what is said now for its elements, clusters and documents.

    Names in code stay as they are, such as ``elements=``, ``.clusters`` and ``"document"``. What users wrote is never
    part of the text: a message is made of f-strings that ask for single words.

    >>> with speaking(Nouns(("page", "pages"), ("segment", "segments"), ("stream", "streams"))):
    ...     noun("elements"), noun("Every cluster of an element"), noun("the rows of elements=ids")
    ('pages', 'Every segment of a page', 'the rows of elements=ids')
    """
    return text if spoken.get() is PLAIN else _OUR_WORDS.sub(_now_said, text)


def _now_said(found: re.Match[str]) -> str:
    article, word = found[1], found[2]
    kind, number = _WORDS[word.lower()]
    said = spoken.get()[kind][number]
    if word[0].isupper():
        said = said[0].upper() + said[1:]
    return said if not article else f"{article[0]}{'n' * said.lower().startswith(_VOWELS)} {said}"


def plural(count: int, word: str) -> str:
    """``1 element``, ``3 elements``, or as many pages or mentions."""
    named = noun(word if count == 1 else f"{word}s")
    return f"{count:,} {named}"
