"""What a coreference file holds, in every format: documents with their tokens and mentions, each in an entity."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, compress, islice
from operator import ne
from typing import Any, NamedTuple

from clusterscore.exceptions import plural

WORD = 12  # bits below the number of a word: they number the empty nodes behind it

_PART = re.compile(r"\((.*)\);?\s*(?:part\s+(\d+)\s*;?)?")


# A mention: its first and last word, or the set of its words where these are not one unbroken stretch. That only
# CorefUD has, and there a word is its number times 4096, plus that of an empty node behind it. So is a head.
Span = tuple[int, int] | frozenset[int]
Mention = tuple[Span, int, int]  # with the line of the file where it begins, and its head


def words_of(span: Span) -> frozenset[int]:
    """All words of a mention."""
    if isinstance(span, frozenset):
        return span
    return frozenset(range(span[0] << WORD, (span[1] << WORD) + 1, 1 << WORD))


def describe(span: Span, unit: str) -> str:
    """A mention, as messages call it."""
    if isinstance(span, frozenset):
        words = [f"{word >> WORD}" + (f".{word % 2**11}" if word % 2**WORD else "") for word in sorted(span)]
        return f"tokens {', '.join(words[:8])}{', ..' if len(words) > 8 else ''}"
    return f"{unit} {span[0]}" if span[0] == span[1] else f"{unit}s {span[0]} to {span[1]}"


class Tokens(NamedTuple):
    """The tokens of a document, looked at only where two files meet: one row each, in which ``word`` finds its text.

    Mentions are numbers of tokens, and mean nothing if the tokens differ. No text (``b""``) goes with any other.
    """

    rows: Callable[[], Sequence[Any]]
    word: Callable[[Any], bytes]
    line: Callable[[int], int] | None = None  # of a token, if each has a line of its own

    def first_difference(self, other: Tokens) -> int | None:
        """The number of the first token that differs from one of another document of the same length."""
        mine, theirs = self.rows(), other.rows()
        candidates: Iterable[int] = range(len(mine))
        if self.word is other.word:  # then equal rows have equal words
            candidates = compress(candidates, map(ne, mine, theirs))
        for k in candidates:
            one, two = self.word(mine[k]), other.word(theirs[k])
            if one != two and one and two:
                return k
        return None

    def describe(self, token: int) -> str:
        """A token, as messages quote it."""
        row = self.rows()[token]
        return short(row if isinstance(row, str) else self.word(row).decode("utf-8", "replace"))


class CorefDocument(NamedTuple):
    """One document of a file; ``tokens`` is their number, or -1 where the file does not say.

    Mentions of one entity follow each other; ``sizes`` says how many each entity has.
    """

    name: str
    tokens: int
    text: Tokens
    sizes: dict[str, int]
    mentions: list[Span]
    lines: list[int]  # where each mention begins in the file
    heads: list[int] | None

    @property
    def clusters(self) -> dict[str, list[tuple[int, ...]]]:
        """Entity -> its mentions: (first, last), or all words of a mention that is not one unbroken stretch."""
        mentions = (tuple(sorted(span)) for span in self.mentions)
        return {entity: list(islice(mentions, size)) for entity, size in self.sizes.items()}


def make_document(
    name: str, tokens: int, text: Tokens, clusters: Mapping[str, Sequence[Mention]], *, heads: bool = False
) -> CorefDocument:
    """A document with these entities, and with the heads of mentions if they are known."""
    mentions = chain.from_iterable(clusters.values())
    spans, lines, known = zip(*mentions, strict=True) if any(clusters.values()) else ((), (), ())
    sizes = {entity: len(some) for entity, some in clusters.items() if some}
    return CorefDocument(name, tokens, text, sizes, list(spans), list(lines), list(known) if heads else None)


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

    def __init__(self, called: str, *kinds: str):
        self._called = called
        self._counts = dict.fromkeys(kinds, 0)  # the order of the warnings; other kinds follow as they come
        self._examples: dict[str, str] = {}

    def add(self, kind: str, text: str | None, line: int, document: str) -> None:
        """One more, where ``text`` is what the file has there, if it has anything."""
        self._counts[kind] = self._counts.get(kind, 0) + 1
        if kind not in self._examples:
            self._examples[kind] = ("" if text is None else f"{short(text)} in ") + place(line, document)

    def warnings(self) -> list[str]:
        """A line for each kind."""
        return [
            f"{self._called}: {plural(count, kind.split()[0])} " + kind.partition(" ")[2].format(self._examples[kind])
            for kind, count in self._counts.items()
            if count
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


def blocks(data: bytes, mark: bytes) -> Iterator[Block]:
    """A file, cut at its marks: lines that begin with a pattern."""
    at_start = re.match(mark, data)
    found, line, start = None, 1, 0
    for following in chain([at_start] if at_start else [], re.finditer(rb"\n" + mark, data)):
        yield Block(found, line, data, start, following.start())
        line += data.count(b"\n", start, following.end())
        found, start = following, following.end()
    yield Block(found, line, data, start, len(data))


def line_tokens(block: Block, is_token: Callable[[bytes], object], word: Callable[[bytes], bytes]) -> Tokens:
    """Tokens that have a line each."""

    def rows() -> list[bytes]:
        return list(filter(is_token, block.rows()))

    def line(token: int) -> int:
        return [line for line, row in enumerate(block.rows(), block.line) if is_token(row)][token]

    return Tokens(rows, word, line)


def by_appearance(clusters: Mapping[str, Sequence[Mention]]) -> dict[str, Sequence[Mention]]:
    """Entities in the order in which they appear in a document.

    Where two appear with the same word, one that has it for a mention goes first. That is how the reference scorer
    numbers them, and it decides who keeps a mention that both have.
    """

    def begin(span: Span) -> tuple[int, bool]:
        first, last = (min(span) >> WORD, max(span) >> WORD) if isinstance(span, frozenset) else span
        return first, last > first

    named = [(entity, mentions) for entity, mentions in clusters.items() if mentions]
    return dict(sorted(named, key=lambda item: min(begin(span) for span, _, _ in item[1])))


def last_of_each(names: Sequence[str], lines: Sequence[int], called: str) -> tuple[list[int], list[str]]:
    """The documents that count, and a warning: of several with one name the last does, as in the reference scorer."""
    last = {paired_name(name): k for k, name in enumerate(names)}
    kept = sorted(last.values())
    if len(kept) == len(names):
        return kept, []
    lost = min(set(range(len(names))).difference(kept))
    other = lines[last[paired_name(names[lost])]]
    return kept, [
        f"{called}: {plural(len(names) - len(kept), 'document')} with the name of a later one (e.g. {names[lost]!r} in "
        f"line {lines[lost]}, again in line {other}); only the last of them counts, as in the reference scorer"
    ]


def paired_name(name: str) -> str:
    """What a document goes by, in every format: ``(a/b); part 003`` of CoNLL is ``a/b_3`` in JSON lines.

    >>> paired_name("(bc/cctv/00/cctv_0000); part 000"), paired_name("(LuoTestCase);"), paired_name("a_0")
    ('bc/cctv/00/cctv_0000_0', 'LuoTestCase', 'a_0')
    """
    found = _PART.fullmatch(name)
    if found is None:
        return name
    return found[1] if found[2] is None else f"{found[1]}_{int(found[2])}"


def place(line: int, document: str) -> str:
    """Where something is in a file, as messages say it."""
    return f"line {line}, document {document!r}"


def short(text: str) -> str:
    """What a user wrote, as messages quote it."""
    return repr(text if len(text) <= 40 else text[:37] + "...")
