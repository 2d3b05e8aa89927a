"""What a coreference file holds, in every format: documents with their tokens, and entities with their mentions."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, compress
from operator import ne
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

from clusterscore.nouns import plural

_ZERO = "∅"  # an empty node without a form
_DEPS_COLUMN = 8  # of CoNLL-U
WORD = 12  # bits below the number of a word: they number the empty nodes behind it

UNOPENED = "mention closed but never opened (e.g. {}); left out"
UNCLOSED = "mention opened but never closed (e.g. {}); left out"
_REPEATED = "document with the name of a later one (e.g. {}); only the last of them counts, as in the reference scorer"
_PART = re.compile(r"\((.*)\);?\s*(?:part\s+(\d+)\s*;?)?")


# The first and last word of a mention. Where its words are not one unbroken stretch, all of them follow. Only CorefUD
# has that, and there a word is its number times 4096, plus that of an empty node behind it. So is a head.
Span = tuple[int, ...]
Mention = tuple[Span, int, int]  # with the line of the file where it begins, and its head


def words_of(span: Span) -> Sequence[int]:
    """All words of a mention, in order."""
    return span[2:] or range(span[0] << WORD, (span[1] << WORD) + 1, 1 << WORD)


def describe(span: Span, unit: str) -> str:
    """A mention, as messages call it."""
    if words := span[2:]:
        shown = [f"{word >> WORD}" + (f".{word % 2**11}" if word % 2**WORD else "") for word in words[:8]]
        return f"tokens {', '.join(shown)}{', ..' if len(words) > 8 else ''}"
    return f"{unit} {span[0]}" if span[0] == span[1] else f"{unit}s {span[0]} to {span[1]}"


class DocumentWords(NamedTuple):
    """The words of a document as text, and their numbers; none where the file does not have them."""

    numbers: Sequence[int] = ()  # as in the words of a mention, in order
    forms: Sequence[str] = ()


class Tokens(NamedTuple):
    """The tokens of a document: one row each, in which ``word`` finds the text.

    They are compared only where two files meet: mentions are numbers of tokens, and mean nothing if the tokens differ.
    No text (``b""``) goes with any other.
    """

    rows: Callable[[], Sequence[Any]]
    word: Callable[[Any], bytes]
    line: Callable[[int], int] | None = None  # of a token, if each has a line of its own
    nodes: Callable[[], Iterable[tuple[int, Any]]] | None = None  # numbers and rows, empty nodes included

    def words(self) -> DocumentWords:
        """The text of all tokens, if there is any."""
        rows = self.rows() if self.nodes is None else []
        numbers: Sequence[int] = range(0, len(rows) << WORD, 1 << WORD)
        if self.nodes is not None:
            numbers, rows = zip(*self.nodes(), strict=True)
        forms = [row if isinstance(row, str) else self.word(row).decode("utf-8", "replace") for row in rows]
        if not any(forms):
            return DocumentWords()
        return DocumentWords(
            numbers,
            [form or (_ZERO if number % (1 << WORD) else form) for number, form in zip(numbers, forms, strict=True)],
        )

    def difference(self, other: Tokens, unit: str) -> str:
        """The first token in which another document of the same length differs, if there is one."""
        mine, theirs = self.rows(), other.rows()
        candidates: Iterable[int] = range(len(mine))
        if self.word is other.word:  # then equal rows have equal words
            candidates = compress(candidates, map(ne, mine, theirs))
        for k in candidates:
            our_word, their_word = self.word(mine[k]), other.word(theirs[k])
            if our_word != their_word and our_word and their_word:
                line = "" if other.line is None else f" in line {other.line(k)}"
                ours, their = (short(word.decode("utf-8", "replace")) for word in (our_word, their_word))
                return f"{unit} {k} is {their}{line}, but {ours} in the key"
        return ""


class EmptyNode(NamedTuple):
    """An empty node: how many words of the document are before its sentence, and its ``parent:relation``s."""

    sentence: int
    dependencies: frozenset[bytes] = frozenset()

    @classmethod
    def of(cls, number: int, row: bytes) -> EmptyNode:
        """From a line of CoNLL-U."""
        columns = row.split(b"\t")
        deps = columns[_DEPS_COLUMN].strip() if len(columns) > _DEPS_COLUMN else b"_"
        sentence = (number >> WORD) + 1 - int(columns[0].split(b".")[0])
        return cls(sentence, frozenset() if deps == b"_" else frozenset(deps.split(b"|")))

    @property
    def parents(self) -> frozenset[bytes]:
        """What it depends on, by number."""
        return frozenset(dependency.partition(b":")[0] for dependency in self.dependencies)


class CorefDocument(NamedTuple):
    """One document of a file; ``tokens`` is their number, or -1 where the file does not say."""

    name: str
    tokens: int
    text: Tokens
    entities: dict[str, list[Mention]]  # none without mentions
    empty_nodes: Mapping[int, bytes] = MappingProxyType({})  # their lines, by number

    @property
    def mentions(self) -> list[Mention]:
        """The mentions, entity after entity."""
        return list(chain.from_iterable(self.entities.values()))

    @property
    def clusters(self) -> dict[str, list[tuple[int, ...]]]:
        """Entity -> its mentions: (first, last), or all words of a mention that is not one unbroken stretch."""
        return {entity: [span[2:] or span for span, _, _ in some] for entity, some in self.entities.items()}


@dataclass(eq=False)
class CorefFile:
    """A coreference file: ``documents`` by name, and ``warnings`` about what is wrong with it, a line each.

    ``offsets`` is what mentions count, "tokens" or "characters".
    """

    called: str
    form: str
    documents: dict[str, CorefDocument]
    warnings: list[str]
    offsets: str = "tokens"
    shared_ids: bool = False  # whether an entity id is meant for all documents of the file
    has_heads: bool = False
    options: Mapping[str, str] = field(default_factory=dict)  # it was read with, as far as they decide a score

    def __repr__(self) -> str:
        mentions = sum(len(document.mentions) for document in self.documents.values())
        return (
            f"CorefFile({self.called}: {self.form}, {plural(len(self.documents), 'document')}, "
            f"{plural(mentions, 'mention')}, {plural(len(self.warnings), 'warning')})"
        )


class Problems:
    """What is wrong with a file: of each kind how many, and the first of them as an example.

    A kind is the rest of a message, such as "mention closed but never opened (e.g. {}); left out".
    """

    def __init__(self, called: str):
        self._called = called
        self._counts: Counter[str] = Counter()
        self._examples: dict[str, tuple[int, str]] = {}

    def add(self, kind: str, line: int, text: str | None = None, document: str | None = None, more: str = "") -> None:
        """One more, where ``text`` is what the file has there, if it has anything."""
        self._counts[kind] += 1
        if kind not in self._examples or line < self._examples[kind][0]:
            example = f"line {line}" if text is None else f"{short(text)} in line {line}"
            self._examples[kind] = line, example + more + ("" if document is None else f", document {document!r}")

    def warnings(self) -> list[str]:
        """A line for each kind."""
        return [
            f"{self._called}: {plural(count, kind.split()[0])} {kind.partition(' ')[2].format(self._examples[kind][1])}"
            for kind, count in self._counts.items()
        ]


class Block(NamedTuple):
    """The lines of a file from one mark up to the next; ``mark`` is None before the first."""

    mark: re.Match[bytes] | None
    line: int  # that of the mark, or the first
    data: bytes  # of the file
    start: int
    stop: int

    def rows(self) -> list[bytes]:
        """The lines; what is left of the mark's own line is an empty one."""
        return self.data[self.start : self.stop].split(b"\n")

    def tokens(self, is_token: Callable[[bytes], object], word: Callable[[bytes], bytes]) -> Tokens:
        """Tokens that have a line each."""

        def line(token: int) -> int:
            return [line for line, row in enumerate(self.rows(), self.line) if is_token(row)][token]

        return Tokens(lambda: list(filter(is_token, self.rows())), word, line)


def blocks(data: bytes, mark: bytes) -> Iterator[Block]:
    """A file, cut at its marks: lines that begin with a pattern."""
    at_start = re.match(mark, data)
    last, line, start = None, 1, 0
    for following in chain([at_start] if at_start else [], re.finditer(rb"\n" + mark, data)):
        yield Block(last, line, data, start, following.start())
        line += data.count(b"\n", start, following.end())
        last, start = following, following.end()
    yield Block(last, line, data, start, len(data))


def by_appearance(entities: Mapping[str, list[Mention]]) -> dict[str, list[Mention]]:
    """Entities in the order in which they appear in a document.

    Where two appear with the same word, one that has it for a mention goes first. That is how the reference scorer
    numbers them, and it decides who keeps a mention that both have.
    """

    def begin(entity: str) -> tuple[int, bool]:
        return min((span[0], span[1] > span[0]) for span, _, _ in entities[entity])

    return {entity: entities[entity] for entity in sorted(filter(entities.get, entities), key=begin)}


T = TypeVar("T")


def last_of_each(parts: Sequence[tuple[str, int, T]], problems: Problems) -> list[tuple[str, int, T]]:
    """Of several documents with one name the last, as in the reference scorer; each has its name and its line."""
    last = {paired_name(part[0]): part for part in parts}
    kept = []
    for part in parts:
        other = last[paired_name(part[0])]
        if part is other:
            kept.append(part)
        else:
            problems.add(_REPEATED, part[1], part[0], more=f", again in line {other[1]}")
    return kept


def paired_name(name: str) -> str:
    """What a document goes by, in every format: ``(a/b); part 003`` of CoNLL is ``a/b_3`` in JSON lines.

    >>> paired_name("(bc/cctv/00/cctv_0000); part 000"), paired_name("(LuoTestCase);"), paired_name("a_0")
    ('bc/cctv/00/cctv_0000_0', 'LuoTestCase', 'a_0')
    """
    parts = _PART.fullmatch(name)
    if parts is None:
        return name
    return parts[1] if parts[2] is None else f"{parts[1]}_{int(parts[2])}"


def short(text: str) -> str:
    """What a user wrote, as messages quote it."""
    return repr(text if len(text) <= 40 else text[:37] + "...")
