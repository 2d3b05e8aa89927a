"""How the lines of a text file end: DuckDB reads one kind of line ends in a file, and loses a last row without end."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from clusterscore.exceptions import FileError
from clusterscore.read.scan import SEPARATORS
from clusterscore.read.source import LONG_ROW, ZSTD

_LONGEST_ROW = 30_000_000  # bytes: a last row that fills its buffer of 32 MB is left out by DuckDB without a word
_OPENING = re.compile(f'(?:^|[{re.escape("".join(SEPARATORS))}])"')
_CLOSING = re.compile('(?:[^"]++|"")*+"')


class Lines:
    """What the bytes of a file show of its lines, while they pass."""

    def __init__(self, name: str):
        self._name = name  # in messages
        self._ends: Counter[bytes] = Counter()

    @property
    def mixed(self) -> bool:
        """Whether they end in several ways, inside quotes or outside."""
        both = self._ends[b"\r\n"]
        return sum([both > 0, self._ends[b"\r"] > both, self._ends[b"\n"] > both]) > 1

    def watch(self, chunks: Iterator[bytes]) -> Iterator[bytes]:
        """The same chunks; an error where a row does not end. What only DuckDB can decompress is left to it."""
        length, last = 0, b""  # of the row that has begun, and of the chunk before
        for chunk in chunks:
            if not last and chunk.startswith(ZSTD):
                yield chunk
                yield from chunks
                return
            ends = [end for end in (b"\n", b"\r") if end in chunk]
            length += min(map(chunk.find, ends), default=len(chunk))
            if length > _LONGEST_ROW:
                raise FileError(f"{self._name} {LONG_ROW.format('')}")
            if ends:
                length = len(chunk) - max(map(chunk.rfind, ends)) - 1
            self._count(chunk, ends, last)
            last = chunk[-1:]
            yield chunk

    def _count(self, chunk: bytes, ends: list[bytes], last: bytes) -> None:
        """Count line ends, of a file without carriage returns only as many as are needed to tell."""
        split = last == b"\r" and chunk.startswith(b"\n")
        if b"\r" in ends:
            self._ends.update({end: chunk.count(end) for end in (b"\r", b"\n", b"\r\n")})
        else:
            self._ends[b"\n"] += split + (chunk.find(b"\n", split) >= 0)
        self._ends[b"\r\n"] += split


def with_one_end(file: str) -> Iterator[bytes]:
    """The lines of a CSV file, all with the same end, except inside quotes."""
    inside = False
    with open(file, encoding="latin-1", newline="") as lines:  # every byte is a letter there
        for line in lines:
            inside = _ends_quoted(line, inside)
            yield (line if inside else line.rstrip("\r\n") + "\n").encode("latin-1")


def _ends_quoted(line: str, inside: bool) -> bool:
    """Whether a line that may begin inside quotes ends inside of them."""
    at = 0
    while found := (_CLOSING.match if inside else _OPENING.search)(line, at):
        at, inside = found.end(), not inside
    return inside
