"""How the lines of a text file end: DuckDB reads one kind of line ends in a file, and loses a last row without end."""

from __future__ import annotations

import re
from collections.abc import Iterator
from mmap import ACCESS_READ, mmap

LONGEST_ROW = 30_000_000  # bytes: a last row that fills its buffer of 32 MB is left out by DuckDB without a word
_CHUNK = 1 << 20
_OPENING = re.compile('(?:^|[,;|\t])"')
_CLOSING = re.compile('(?:[^"]++|"")*+"')


def line_ends(number: int) -> tuple[bool, int]:
    """Whether the lines of an open file end in several ways, and how many bytes its last row has."""
    try:
        text = mmap(number, 0, access=ACCESS_READ)
    except (OSError, ValueError):  # what is no file on a disk
        return False, 0
    with text:
        stop = len(text)
        while tail := text[max(0, stop - _CHUNK) : stop]:  # empty lines at the end
            stop -= len(tail) - len(filled := tail.rstrip(b"\r\n"))
            if filled:
                break
        returns = text.find(b"\r") >= 0
        row = stop - 1 - max(text.rfind(b"\n", 0, stop), text.rfind(b"\r", 0, stop) if returns else -1)
        if not returns:
            return False, row
        kinds = (re.search(end, text) is not None for end in (b"\r\n", rb"\r(?!\n)", rb"(?<!\r)\n"))
        return sum(kinds) > 1, row


def rows_that_end(chunks: Iterator[bytes]) -> Iterator[bytes | None]:
    """The same chunks, and None in the place of the first with which a row gets too long."""
    length = 0
    for chunk in chunks:
        ends = [end for end in (b"\n", b"\r") if end in chunk]
        length += min(map(chunk.find, ends), default=len(chunk))
        yield chunk if length <= LONGEST_ROW else None
        if ends:
            length = len(chunk) - max(map(chunk.rfind, ends)) - 1


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
    while quote := (_CLOSING.match if inside else _OPENING.search)(line, at):
        at, inside = quote.end(), not inside
    return inside
