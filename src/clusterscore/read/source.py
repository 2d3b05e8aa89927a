"""A file the user named, or a stream: its bytes, its text, and what is said where it cannot be read."""

from __future__ import annotations

import glob
import os
import stat
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from importlib import import_module
from io import BufferedReader, TextIOWrapper
from itertools import chain
from pathlib import Path
from typing import IO, Any

from clusterscore.errors import ClusterscoreError, EngineError, FileError, InputError, nearest

BOM = b"\xef\xbb\xbf"
_COMPRESSED = {".gz": "gzip", ".bz2": "bz2", ".xz": "lzma"}
_GLOB = frozenset("*?[")
_CHUNK = 1 << 20  # bytes read at once; a format shows in them, if it does
_LONGEST_LINE = 1 << 26  # characters of a heading


class Source:
    """What a path stands for. A stream (``-``, a pipe) can be read once, so what has been read of it is kept."""

    def __init__(self, path: str | os.PathLike[str]):
        self.path = os.fspath(path)
        self._kept: bytes | None = None
        self._begun: Iterator[bytes] | None = None  # all chunks of a stream that has been looked at

    @property
    def called(self) -> str:
        """What messages call it."""
        return called(self.path)

    def files(self) -> list[str]:
        """The files that the path means: itself, or all that a pattern such as ``part-*.csv`` finds."""
        if is_stream(self.path):
            return [self.path]
        if not os.path.exists(self.path) and _GLOB & set(self.path):
            found = sorted(name for name in glob.glob(self.path, recursive=True) if not os.path.isdir(name))
            if not found:
                raise FileError(f"no file matches {self.path!r}; check the path, and quote the pattern in a shell")
            return found
        with _opened(self.path):  # what cannot be read is told here, in our words
            return [self.path]

    def start(self) -> bytes:
        """The first bytes, for those who want to know what it is."""
        if self._kept is not None:
            return self._kept[:_CHUNK]
        first = self.files()[0]
        chunks = self._chunks(first)
        start = next(chunks, b"")
        if is_stream(first):
            self._begun = chain([start], chunks)
        return start

    def data(self) -> bytes:
        """All its bytes, decompressed."""
        if self._kept is None:
            files = self.files()
            self._kept = b"".join(each for file in files for each in _full_lines(self._chunks(file), len(files) > 1))
        return self._kept

    def text(self) -> str:
        """All its text; UTF-8, and not empty."""
        data = self.data()
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise FileError(not_utf8(self.called, data[error.start], data.count(b"\n", 0, error.start) + 1)) from None
        if "\0" in text:
            line = text.count("\n", 0, text.index("\0")) + 1
            raise FileError(f"{self.called} is not a text file: it has a NUL byte in line {line}")
        if not text.strip():
            raise FileError(f"{self.called} is empty: there is nothing to score")
        return text

    def copy(self, file: str, target: str) -> None:
        """A plain copy of one of its files, decompressed and without a byte order mark."""
        chunks = self._chunks(file) if self._kept is None else iter([self._kept])
        try:
            with open(target, "wb") as copy:
                copy.write(next(chunks, b"").removeprefix(BOM))
                copy.writelines(chunks)
        except OSError as error:
            raise EngineError(
                f"{called(file)} cannot be copied to {os.path.dirname(target)!r}: {error.strerror}; name a folder on a "
                "larger disk with temp_directory="
            ) from None

    def _chunks(self, file: str) -> Iterator[bytes]:
        begun, self._begun = self._begun, None
        return _chunks(file) if begun is None else begun


def is_stream(path: str | os.PathLike[str]) -> bool:
    """Standard input, a FIFO, a process substitution: what is read is gone."""
    return os.fspath(path) == "-" or _stream_id(path) is not None


def _stream_id(path: str | os.PathLike[str]) -> tuple[int, int] | None:
    try:
        found = os.fstat(sys.stdin.fileno()) if os.fspath(path) == "-" else os.stat(path)
    except (OSError, ValueError, AttributeError):
        return None
    return None if stat.S_ISREG(found.st_mode) or stat.S_ISDIR(found.st_mode) else (found.st_dev, found.st_ino)


def refuse_second_reading(paths: Iterable[Any]) -> None:
    """Raise where one stream would have to be read twice; what is no path is left alone."""
    seen: dict[Any, str] = {}
    for path in paths:
        if isinstance(path, str | os.PathLike) and is_stream(path):
            name = os.fspath(path)
            key = _stream_id(name) or name
            if key in seen:
                other = "" if seen[key] == name else f", which is also {called(seen[key])},"
                raise FileError(f"{called(name)}{other} can be read only once; write it to a file first")
            seen[key] = name


def _full_lines(chunks: Iterator[bytes], several: bool) -> Iterator[bytes]:
    """A file, such that another can follow it if there are several."""
    last = next(chunks, b"")
    yield last.removeprefix(BOM) if several else last
    for last in chunks:
        yield last
    if several and not last.endswith(b"\n"):
        yield b"\n"


@contextmanager
def naming(name: str, otherwise: str = "") -> Iterator[None]:
    """Complaints about what is in a file, with its name, and with what else the file may be."""
    try:
        yield
    except InputError as error:
        raise InputError(f"{name}: {error}" + (f"; {otherwise}" if otherwise else "")) from None


def called(path: str) -> str:
    """What messages call a file."""
    return "standard input" if path == "-" else repr(path)


def not_utf8(name: str, byte: int | None, line: int) -> str:
    """The message for another encoding."""
    which = "" if byte is None else f"byte 0x{byte:02x} in "
    return f"{name} is not UTF-8: {which}line {line}; save it as UTF-8 (iconv -f latin1 -t utf-8 converts Latin-1)"


def decompressed(path: str) -> IO[bytes]:
    """The file, open; decompressed as its name says."""
    ending = Path(path).suffix.lower()
    if ending == ".zst":
        _opened(path).close()
        raise FileError(f"{path!r}: a .zst file can hold CSV, TSV or JSON lines; decompress others first (zstd -d)")
    return _opened(path, import_module(_COMPRESSED[ending]).open if ending in _COMPRESSED else open)


def _chunks(path: str) -> Iterator[bytes]:
    """The bytes of a file or of standard input, from the start to the end, decompressed and checked."""
    if path == "-":
        yield from _standard_input()
        return
    with decompressed(path) as file:
        while part := _read(file.read, path):
            yield part


def _standard_input() -> Iterator[bytes]:
    """What comes, piece by piece: in one read() of everything a Ctrl-C between two of its pieces would be lost."""
    if sys.stdin is None or sys.stdin.buffer.closed:
        raise FileError("standard input is closed: there is nothing to read; pipe a file to it, or name one")
    incoming: BufferedReader = sys.stdin.buffer  # type: ignore[assignment]
    held = b""
    while piece := _read(incoming.read1, "-"):
        held += piece
        if len(held) >= _CHUNK:
            yield held
            held = b""
    if held:
        yield held


@contextmanager
def first_lines(path: str, otherwise: Callable[[], list[str]]) -> Iterator[Iterator[str]]:
    """The lines of a file, read as they are asked for; ``otherwise`` gives those of an archive unknown to Python.

    What is not UTF-8 comes as lone surrogates: it may stand where nobody looks.
    """
    if Path(path).suffix.lower() == ".zst":
        yield iter(otherwise())
        return
    with decompressed(path) as file:
        try:
            text = TextIOWrapper(file, "utf-8-sig", "surrogateescape", newline="")
            yield iter(lambda: text.readline(_LONGEST_LINE), "")
        except (ClusterscoreError, MemoryError):
            raise
        except Exception as error:
            raise _unreadable(path, error) from None


def _read(way: Callable[[int], bytes], path: str) -> bytes:
    try:
        return way(_CHUNK)
    except MemoryError:
        raise
    except Exception as error:  # every kind of archive has errors of its own
        raise _unreadable(path, error) from None


def _unreadable(path: str, error: Exception) -> FileError:
    if Path(path).suffix.lower() in _COMPRESSED:
        return broken_archive(path)
    return FileError(f"cannot read {called(path)}: {getattr(error, 'strerror', None) or error}")


def broken_archive(path: str) -> FileError:
    """A compressed file that does not decompress."""
    ending = Path(path).suffix
    return FileError(f"{path!r} is no whole {ending} file; copy or compress it again, or rename it if it is plain text")


def _opened(path: str, way: Callable[..., Any] = open) -> IO[bytes]:
    try:
        opened: IO[bytes] = way(path, "rb")
        return opened
    except FileNotFoundError:
        file = Path(path)
        beside = [each.name for each in file.parent.iterdir()] if file.parent.is_dir() else []
        hint = nearest(file.name, beside) if beside else f"the folder {str(file.parent)!r} does not exist"
        raise FileError(f"no file {path!r}; {'check the path' if hint.startswith('known') else hint}") from None
    except IsADirectoryError:
        raise FileError(
            f"{path!r} is a folder; name a file in it, or all of a kind as {os.path.join(path, '*.csv')!r}"
        ) from None
    except OSError as error:
        raise FileError(f"cannot read {path!r}: {error.strerror}") from None
    except ValueError as error:  # a NUL in the name
        raise FileError(f"cannot read {path!r}: {error}") from None
