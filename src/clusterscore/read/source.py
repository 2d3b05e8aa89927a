"""A file the user named, all files of a pattern, or a stream: its bytes, its text, and how its lines end."""

from __future__ import annotations

import codecs
import glob
import os
import re
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from itertools import chain
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import IO, Any

from clusterscore.exceptions import FileError, InputError, nearest
from clusterscore.messages import Message, Option

BOM = b"\xef\xbb\xbf"
PACKED = {".gz": "gzip", ".bz2": "bz2", ".xz": "lzma"}  # what Python decompresses; .zst is left to DuckDB
ZSTD = b"\x28\xb5\x2f\xfd"
EMPTY = "{} is empty: there is nothing to score"
HAS_NUL = "{} is not a text file: it has a NUL byte in line {}; if it is UTF-16, save it as UTF-8"
NOT_UTF8 = "{} is not UTF-8: {}line {}; save it as UTF-8 (iconv -f latin1 -t utf-8 converts Latin-1)"
_PACKED_STARTS = {
    ".gz": rb"\x1f\x8b\x08",
    ".bz2": rb"BZh[1-9](1AY&SY|\x17rE8P\x90)",
    ".xz": rb"\xfd7zXZ\0",
    ".zst": re.escape(ZSTD),
}
_WIDE_TEXT = {b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16"}  # by their byte order marks
_NO_TEXT = re.compile(rb"[\0-\x08\x0e-\x1f]")
_BINARY = (
    b"PAR1",
    b"ARROW1",
    b"\x93NUMPY",
    b"PK",
    b"II*\0",
    b"MM\0*",
    b"II+\0",
    b"MM\0+",
    ZSTD,
)  # how large files begin that have no lines
_GLOB = frozenset("*?[")
_CHUNK = 1 << 20  # bytes read at once; a format shows in them, if it does
LONGEST_ROW = 30_000_000  # bytes: a last row that fills its buffer of 32 MB is left out by DuckDB without a word
_OPENING = re.compile('(?:^|[,;|\t])"')
_CLOSING = re.compile('(?:[^"]++|"")*+"')


@dataclass
class Look:
    """What a first look at a file shows, for which it is opened once."""

    start: bytes = b""  # of its text, decompressed, as UTF-8
    whole: bool = False  # there is no more of it
    is_plain: bool = True  # DuckDB reads it as it is: it decompresses by name, and knows UTF-8 only
    is_marked: bool = False  # it has a byte order mark
    mixed_ends: bool = False  # the lines of a text end in several ways
    last_row: int = 0  # bytes behind the last line end


class Source:
    """What a path stands for. A stream (``-``, a pipe) can be read once, so what has been read of it is kept."""

    def __init__(self, path: str | os.PathLike[str]):
        self.path = os.fsdecode(path)
        self.called = called(self.path)  # in messages
        self.is_stream = stream_id(self.path) is not None
        self.guessed = False  # what it is shows in its content only
        self._looks: dict[str, Look] = {}
        self._begun: dict[str, Iterator[bytes]] = {}  # all chunks of the streams that have been looked at

    @cached_property
    def files(self) -> list[str]:
        """The files that the path means: itself, or all that a pattern such as ``part-*.csv`` matches."""
        if self.is_stream:
            return [self.path]
        if not os.path.exists(self.path) and _GLOB & set(self.path):
            matching = sorted(name for name in glob.glob(self.path, recursive=True) if not os.path.isdir(name))
            if not matching:
                raise FileError(f"no file matches {self.path!r}; check the path, and quote the pattern in a shell")
            return matching
        if not os.path.isfile(self.path):
            opened(self.path).close()  # what is not there is an error, in our words
        return [self.path]

    def size(self) -> int:
        """How many bytes its files have on disk; a stream has none there."""
        return 0 if self.is_stream else sum(map(os.path.getsize, self.files))

    def look(self, file: str = "") -> Look:
        """A look at one of its files, or at the first."""
        file = file or self.files[0]
        if file not in self._looks:
            look = Look()
            chunks = _chunks(file, look)
            look.start = next(chunks, b"")
            if stream_id(file) is None:
                look.whole = next(chunks, None) is None
            else:
                self._begun[file] = chain([look.start], chunks)
            self._looks[file] = look
        return self._looks[file]

    @cached_property
    def data(self) -> bytes:
        """All its bytes, decompressed; where there are several files, each ends with a line end."""
        parts = [b"".join(self.chunks(file)) for file in self.files]
        if any(part.startswith(ZSTD) for part in parts):
            raise FileError(
                f"{self.called}: a .zst file can hold CSV, TSV or JSON lines; decompress others first (zstd -d)"
            )
        if len(parts) > 1:
            parts = [part.removeprefix(BOM) + b"\n" * (not part.endswith(b"\n")) for part in parts]
        return parts[0] if len(parts) == 1 else b"".join(parts)

    def text(self, *, may_be_empty: bool = False) -> str:
        """All its text; UTF-8, and not empty unless it may be."""
        data = self.data
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            raise FileError(NOT_UTF8.format(self.called, f"byte 0x{data[error.start]:02x} in ", line)) from None
        if "\0" in text:
            raise FileError(HAS_NUL.format(self.called, text.count("\n", 0, text.index("\0")) + 1))
        if not text.strip() and not may_be_empty:
            raise FileError(EMPTY.format(self.called))
        return text

    def chunks(self, file: str) -> Iterator[bytes]:
        """The bytes of a file from the start to the end, decompressed and checked; UTF-16 as UTF-8."""
        if "data" in vars(self):
            return (self.data[at : at + _CHUNK] for at in range(0, len(self.data), _CHUNK))
        if file in self._begun:
            return self._begun.pop(file)
        if file in self._looks and self._looks[file].whole:
            return iter([self._looks[file].start])
        return _chunks(file)


def stream_id(path: str | os.PathLike[str]) -> Any:
    """What tells streams apart: standard input, a FIFO, a process substitution, of which what is read is gone.

    None for files.
    """
    name = os.fspath(path)
    try:
        status = os.fstat(sys.stdin.fileno()) if name == "-" else os.stat(name)
    except (OSError, ValueError, AttributeError):
        status = None
    if status is None or stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode):
        return name if name == "-" else None
    return status.st_dev, status.st_ino


def refuse_second_reading(paths: Iterable[Any]) -> None:
    """Raise where one stream would have to be read twice; what is no path is left alone."""
    seen: dict[Any, str] = {}
    for path in paths:
        key = stream_id(path) if isinstance(path, str | os.PathLike) else None
        if key is None:
            continue
        name = os.fspath(path)
        if key in seen:
            other = "" if seen[key] == name else f", which is also {called(seen[key])},"
            raise FileError(f"{called(name)}{other} can be read only once; write it to a file first")
        seen[key] = name


def _chunks(path: str, look: Look | None = None) -> Iterator[bytes]:
    """What comes, chunk by chunk, decompressed, and UTF-16 as UTF-8; only .zst stays as it is.

    A chunk is read in pieces: in one read() a Ctrl-C between two of them is lost. A ``look`` gets what shows on disk.
    """
    if path == "-" and (sys.stdin is None or sys.stdin.buffer.closed):
        raise FileError("standard input is closed: there is nothing to read; pipe a file to it, or name one")
    source: Any = nullcontext(sys.stdin.buffer) if path == "-" else opened(path)
    with source as raw:
        ending, encoding, line, is_first, is_last = "", None, 1, True, False
        try:
            beginning = raw.peek() if hasattr(raw, "peek") else b""
            suffix = Path(path).suffix.lower()
            named, is_wide = suffix if suffix in _PACKED_STARTS else "", beginning[:2] in _WIDE_TEXT
            ending = next((packed for packed, magic in _PACKED_STARTS.items() if re.match(magic, beginning)), "")
            if not ending and not is_wide and _NO_TEXT.search(beginning):
                ending = named  # a damaged archive; what is plain text was decompressed by a browser
            if look is not None:
                look.is_plain = ending == named and ending not in PACKED and not is_wide
                look.is_marked = beginning.startswith(BOM)
                if beginning and not ending and stream_id(path) is None and not beginning.startswith(_BINARY):
                    look.mixed_ends, look.last_row = line_ends(raw.fileno())
            with import_module(PACKED[ending]).open(raw) if ending in PACKED else nullcontext(raw) as file:
                while not is_last:
                    pieces, size = [], 0
                    while size < _CHUNK and not is_last:
                        pieces.append(file.read1(_CHUNK))
                        size, is_last = size + len(pieces[-1]), not pieces[-1]
                    chunk = b"".join(pieces)
                    if is_first and chunk[:2] in _WIDE_TEXT:
                        encoding = _WIDE_TEXT[chunk[:2]]
                        decoder = codecs.getincrementaldecoder(encoding)()
                    if encoding is not None:
                        text = decoder.decode(chunk)
                        line, chunk = line + text.count("\n"), text.encode()
                        decoder.decode(b"", final=is_last)
                    is_first = False
                    if chunk:
                        yield chunk
        except MemoryError:
            raise
        except UnicodeDecodeError as error:
            raise FileError(
                f"{called(path)} begins as {encoding} and is not: {error.reason}, after line {line}; save it as UTF-8"
            ) from None
        except Exception as error:  # every kind of archive has errors of its own
            message = broken_archive(called(path), ending) if ending else cannot_read(path, error)
            raise FileError(message) from None


def opened(path: str) -> IO[bytes]:
    """The file, open, or an error that says why it cannot be."""
    try:
        return open(path, "rb")
    except FileNotFoundError:
        folder = Path(path).parent
        if not folder.is_dir():
            raise FileError(f"no file {path!r}; the folder {str(folder)!r} does not exist") from None
        hint = nearest(Path(path).name, [neighbour.name for neighbour in folder.iterdir()])
        raise FileError(f"no file {path!r}; {hint if hint.startswith('did you mean') else 'check the path'}") from None
    except IsADirectoryError:
        endings = sorted(neighbour.suffix for neighbour in Path(path).glob("*.*"))
        pattern = os.path.join(path, f"*{max(endings, key=endings.count, default='.csv')}")
        raise FileError(f"{path!r} is a folder; name a file in it, or all of a kind as {pattern!r}") from None
    except (OSError, ValueError) as error:  # a NUL in the name is a ValueError
        raise FileError(cannot_read(path, error)) from None


@contextmanager
def errors_about(name: str, otherwise: str | Message = "") -> Iterator[None]:
    """Complaints about what is in a file, with its name, and with what else the file may be."""
    try:
        yield
    except InputError as error:
        raise InputError(f"{name}: ", error, "; " if otherwise else "", otherwise) from None


def called(path: str) -> str:
    """What messages call a file."""
    return "standard input" if path == "-" else repr(path)


def cannot_read(path: str, error: Exception) -> str:
    """The message for a file that the system does not let us read."""
    return f"cannot read {called(path)}: {getattr(error, 'strerror', None) or error}"


def long_row(name: str, more: str = "") -> Message:
    """The message for a row that is too long for a table, or something else that may be the reason."""
    what = f"{name} has a row of more than 2 MB{more}, too long for a table"
    return Message(what, "; check the quotes, or pass the format as ", Option("format", "..."))


def broken_archive(name: str, ending: str) -> str:
    """The message for a compressed file that does not decompress."""
    return f"{name} is not a complete {ending} file; copy or compress it again"


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


def rows_that_end(chunks: Iterator[bytes], name: str) -> Iterator[bytes]:
    """The same chunks of a table; an error with the first with which a row gets too long."""
    length = 0
    for chunk in chunks:
        ends = [end for end in (b"\n", b"\r") if end in chunk]
        length += min(map(chunk.find, ends), default=len(chunk))
        if length > LONGEST_ROW:
            raise FileError(long_row(name))
        yield chunk
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
