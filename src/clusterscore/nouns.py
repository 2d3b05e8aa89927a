"""What things are called: elements, clusters and documents, or what the people of a field call them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NamedTuple


class Nouns(NamedTuple):
    """The words for an element, a cluster and a document, each in the singular and the plural."""

    element: tuple[str, str] = ("element", "elements")
    cluster: tuple[str, str] = ("cluster", "clusters")
    document: tuple[str, str] = ("document", "documents")


PLAIN = Nouns()
_WORDS = {word: (kind, number) for kind, words in enumerate(PLAIN) for number, word in enumerate(words)}
_spoken: ContextVar[Nouns] = ContextVar("nouns", default=PLAIN)


@contextmanager
def speaking(nouns: Nouns | None) -> Iterator[None]:
    """Whatever is said inside is said in these words, or where they are None as before."""
    before = _spoken.set(_spoken.get() if nouns is None else nouns)
    try:
        yield
    finally:
        _spoken.reset(before)


def speak(nouns: Nouns) -> None:
    """Use these words from here on, up to the end of the innermost :func:`speaking`."""
    _spoken.set(nouns)


def spoken() -> Nouns:
    """The words that are used now."""
    return _spoken.get()


def noun(word: str) -> str:
    """What is said now for ``element``, ``elements``, ``cluster`` and so on; any other word stays.

    >>> with speaking(Nouns(("page", "pages"), ("segment", "segments"), ("stream", "streams"))):
    ...     noun("elements"), noun("cluster"), noun("row")
    ('pages', 'segment', 'row')
    """
    if word not in _WORDS:
        return word
    kind, number = _WORDS[word]
    return _spoken.get()[kind][number]


def plural(count: int, word: str) -> str:
    """``1 element``, ``3 elements``, or as many pages or mentions."""
    named = noun(word if count == 1 else f"{word}s")
    return f"{count:,} {named}"
