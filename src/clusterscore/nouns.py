"""What things are called: elements, clusters and documents, or what the people of a field call them; and the field."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, NamedTuple


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


_NOISE = {"noise", "noise_as"}


@dataclass(frozen=True)
class Field:
    """What a field reports, and in which words.

    Options that you add take precedence.

    Options:
        name: the word that stands for it, such as ``"page-streams"``.
        about: what is scored there, in a sentence.
        nouns: what elements, clusters and documents are called.
        measures: the metrics reported by default, each with the name that papers use. The first is the headline.
        why: why these measures, in a sentence or two.
        average: ``"micro"``, ``"macro"`` or ``"weighted"``.
        percent: whether scores are shown in percent; programs get fractions.
        digits: decimals shown.
        conventions: options that decide what is compared with what, such as ``{"singletons": "drop"}``.
        formats: formats of files that only this field has: the field follows from them.
        tried_first: formats that a file is tried as first, where its content could mean several things.
        columns: names of columns that are recognized, by what they hold: ``{"cluster": ("cluster_id",)}``.
        undoubted: doubts that do not apply, because what they ask about is usual here.
        by_document: with fewer documents than this, each has a row.
        paper: the metrics of a table in a paper, each with its name there; one that has P and R has a column for each.
        scorer: the official scorer whose numbers these equal, and to how many digits; "" if there is none.
        page: the page that explains it: an address, or a path in our documentation.

    >>> import clusterscore as cs
    >>> cs.field("page-streams").nouns.element
    ('page', 'pages')
    """

    name: str
    about: str
    nouns: Nouns
    measures: Mapping[str, str]
    why: str = ""
    average: str = "micro"
    percent: bool = False
    digits: int = 4
    conventions: Mapping[str, Any] = field(default_factory=dict)
    formats: tuple[str, ...] = ()
    tried_first: tuple[str, ...] = ()
    columns: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    undoubted: tuple[str, ...] = ()
    by_document: int = 0
    paper: Mapping[str, str] = field(default_factory=dict)
    scorer: str = ""
    page: str = ""

    @property
    def defaults(self) -> dict[str, Any]:
        """The parameters of functions that it sets; metrics and other conventions are looked up where needed."""
        return {"average": self.average, **{name: self.conventions[name] for name in _NOISE & {*self.conventions}}}

    @property
    def matching(self) -> dict[str, Any]:
        """How it brings the mentions of coreference files together."""
        return {name: way for name, way in self.conventions.items() if name not in _NOISE | {"background"}}

    @property
    def scale(self) -> int:
        """By what scores are multiplied where people see them."""
        return 100 if self.percent else 1


PLAIN = Nouns()
_WORDS = {word: (kind, number) for kind, words in enumerate(PLAIN) for number, word in enumerate(words)}
_OUR_WORDS = re.compile(
    r"""(?<![\w.'"/=#{-])(?:(an?)\ )?\b(elements?|clusters?|documents?)\b(?![\w=(]|[.-]\w)""", re.IGNORECASE
)
_VOWELS = tuple("aeiou")


@dataclass
class Use:
    """The field in which a call is answered, if there is one, with its words and its unit."""

    field: Field | None = None
    nouns: Nouns = PLAIN
    scale: int = 1  # by what scores are multiplied where people see them
    follows: str = ""  # from which format, where nobody named the field


NO_CALL = Use()
in_use: ContextVar[Use] = ContextVar("use", default=NO_CALL)  # by the call that is being answered


def noun(text: str) -> str:
    """A word, or a text of our own, with what is said now for its elements, clusters and documents.

    Names in code stay as they are, such as ``elements=``, ``.clusters`` and ``"document"``. What users wrote is never
    part of the text: a message is made of f-strings that ask for single words.

    >>> pages = Use(nouns=Nouns(("page", "pages"), ("segment", "segments"), ("stream", "streams")))
    >>> before = in_use.set(pages)
    >>> noun("elements"), noun("Every cluster of an element"), noun("the rows of elements=ids")
    ('pages', 'Every segment of a page', 'the rows of elements=ids')
    >>> in_use.reset(before)
    """
    return text if in_use.get().nouns is PLAIN else _OUR_WORDS.sub(_translated, text)


def _translated(match: re.Match[str]) -> str:
    article, word = match[1], match[2]
    kind, number = _WORDS[word.lower()]
    ours = in_use.get().nouns[kind][number]
    if word[0].isupper():
        ours = ours[0].upper() + ours[1:]
    return ours if not article else f"{article[0]}{'n' * ours.lower().startswith(_VOWELS)} {ours}"


def plural(count: int, word: str) -> str:
    """``1 element``, ``3 elements``, or as many pages or mentions."""
    named = noun(word if count == 1 else f"{word}s")
    return f"{count:,} {named}"
