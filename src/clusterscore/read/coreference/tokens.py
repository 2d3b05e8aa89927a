"""The tokens of documents, and whether those of two files are the same.

Mentions are numbers of tokens, and mean nothing if the tokens differ. So each token gets a number that stands for its
text, and these are compared: only when two files meet, and all at once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import numpy as np

from clusterscore.distinct import Ints, Keys
from clusterscore.read.coreference.lines import Lines, digests
from clusterscore.remember import lazy

_BLANK = re.compile(r"[\x00-\x09\x0b-\x20]")


class Tokens:
    """The tokens of all documents, one after the other."""

    def __init__(self, counts: Ints):
        self.counts = counts  # of each document; -1 where nobody knows

    @lazy
    def digests(self) -> Keys:
        """For each token a number that stands for its text; 0 goes with any text."""
        return np.zeros(int(np.maximum(self.counts, 0).sum()), np.uint64)

    @lazy
    def starts(self) -> Ints:
        """Where the tokens of each document begin."""
        counts = np.maximum(self.counts, 0)
        return np.cumsum(counts) - counts

    def word(self, token: int) -> str:
        """The text of a token."""
        return ""

    def line(self, token: int) -> int | None:
        """Where it stands in the file, if it has a line of its own."""
        return None

    def of(self, documents: Ints) -> Keys:
        """The digests of some documents, one after the other."""
        if len(documents) == len(self.counts) and (np.diff(documents) > 0).all():
            return self.digests
        lengths = np.maximum(self.counts[documents], 0)
        after = np.cumsum(lengths)
        index = np.arange(after[-1] if len(after) else 0)
        index += np.repeat(self.starts[documents] - after + lengths, lengths)
        return self.digests.take(index)


class LineTokens(Tokens):
    """Tokens that are a column of lines; in lines of fewer than ``columns`` nobody knows which it is."""

    def __init__(
        self, counts: Ints, lines: Lines, places: Callable[[], Ints], column: int, columns: int, unknown: bytes
    ):
        super().__init__(counts)
        self.lines, self.column, self.columns, self.unknown = lines, column, columns, unknown
        self._places = places

    @lazy
    def places(self) -> Ints:
        """The line of each token."""
        return self._places()

    @lazy
    def digests(self) -> Keys:
        return self.lines.digests(self.column, self.columns, self.unknown)[self.places]

    def word(self, token: int) -> str:
        columns = self.lines.text(int(self.places[token])).split()
        return columns[self.column].decode("utf-8", "replace") if len(columns) >= self.columns else ""

    def line(self, token: int) -> int | None:
        return int(self.places[token]) + 1


class ListedTokens(Tokens):
    """Tokens in a list."""

    def __init__(self, counts: Ints, words: Sequence[str]):
        super().__init__(counts)
        self.words = words

    @lazy
    def digests(self) -> Keys:
        words = self.words
        text = "\n".join([*words, ""])
        if _BLANK.search(text) or text.count("\n") != len(words):
            # of a word with blanks the other formats show the first part
            words = [_BLANK.split(word.replace("\n", " ").strip(), maxsplit=1)[0] for word in words]
            text = "\n".join([*words, ""])
        lines = Lines(text.encode("utf-8", "surrogatepass"))
        return digests(lines.bytes, lines.starts[: len(words)], lines.ends[: len(words)])

    def word(self, token: int) -> str:
        return self.words[token]


class Characters(Tokens):
    """The characters of texts, in the place of tokens."""

    def __init__(self, counts: Ints, text: str):
        super().__init__(counts)
        self.text = text

    @lazy
    def digests(self) -> Keys:
        return np.frombuffer(self.text.encode("utf-32-le", "surrogatepass"), "<u4").astype(np.uint64) + np.uint64(1)

    def word(self, token: int) -> str:
        return self.text[token]


def first_differences(key: Tokens, response: Tokens, ours: Ints, theirs: Ints) -> Ints:
    """For pairs of documents of one length the number of the first token that differs, or -1."""
    lengths = key.counts[ours]
    places = np.full(len(ours), -1)
    left, right = key.of(ours), response.of(theirs)
    differ = np.flatnonzero((left != right) & (left != 0) & (right != 0))
    starts = np.cumsum(lengths) - lengths
    document = np.searchsorted(starts, differ, side="right") - 1
    places[document[::-1]] = (differ - starts[document])[::-1]
    return places
