"""A file the user named, or standard input: its bytes, its text, and what is said where it cannot be read."""

from __future__ import annotations

import glob
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from io import BufferedReader, TextIOWrapper
from pathlib import Path
from typing import IO

from clusterscore.errors import ClusterscoreError, FileError, InputError, nearest

BOM = b"\xef\xbb\xbf"
_COMPRESSED = {".gz": "gzip", ".bz2": "bz2", ".xz": "lzma"}
_GLOB = frozenset("*?[")
_PIECE = 1 << 20


class Source:
    """What a path stands for; standard input (``-``) is read once and kept."""

    def __init__(self, path: str | os.PathLike[str]):
        self.path = os.fspath(path)
        self._kept: bytes | None = None

    @property
    def is_stdin(self) -> bool:
        """``-`` is standard input."""
        return self.path == "-"

    @property
    def called(self) -> str:
        """What messages call it."""
        return called(self.path)

    def files(self) -> list[str]:
        """The files that the path means: itself, or all that a pattern such as ``part-*.csv`` finds."""
        if not os.path.exists(self.path) and _GLOB & set(self.path):
            found = sorted(name for name in glob.glob(self.path, recursive=True) if os.path.isfile(name))
            if not found:
                raise FileError(f"no file matches {self.path!r}; check the path, and quote the pattern in a shell")
            return found
        with _opened(self.path):  # what cannot be read is told here, in our words
            return [self.path]

    def data(self) -> bytes:
        """All its bytes, decompressed."""
        if self._kept is None:
            if self.is_stdin:
                self._kept = b"".join(_standard_input())
            else:
                self._kept = b"".join(map(_whole_lines, self.files()))
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

    def copy_to(self, target: str) -> None:
        """Write standard input to a file, for those who can only read files."""
        with open(target, "wb") as file:
            if self._kept is not None:
                file.write(self._kept)
            else:
                file.writelines(_standard_input())


def _standard_input() -> Iterator[bytes]:
    """What comes, piece by piece: in one read() of everything a Ctrl-C between two of its pieces would be lost."""
    if sys.stdin is None or sys.stdin.closed:
        raise FileError("standard input is closed: there is nothing to read; pipe a file to it, or name one")
    incoming: BufferedReader = sys.stdin.buffer  # type: ignore[assignment]
    while piece := incoming.read1(_PIECE):
        yield piece


def _whole_lines(path: str) -> bytes:
    """A file such that another can follow it."""
    with decompressed(path) as file:
        data = _read(file, path).removeprefix(BOM)
    return data if data.endswith(b"\n") else data + b"\n"


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
    file = _opened(path)
    ending = Path(path).suffix.lower()
    if ending not in (*_COMPRESSED, ".zst"):
        return file
    file.close()
    if ending == ".zst":
        raise FileError(f"{path!r}: a .zst file can hold CSV, TSV or JSON lines; decompress others first (zstd -d)")
    opened: IO[bytes] = import_module(_COMPRESSED[ending]).open(path, "rb")
    return opened


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
            yield iter(TextIOWrapper(file, "utf-8-sig", "surrogateescape", newline=""))
        except (ClusterscoreError, MemoryError):
            raise
        except Exception as error:
            raise _unreadable(path, error) from None


def copy_decompressed(path: str, target: str) -> None:
    """A plain copy of a file, decompressed and without a byte order mark."""
    with decompressed(path) as file, open(target, "wb") as copy:
        copy.write(_read(file, path, len(BOM)).removeprefix(BOM))
        while part := _read(file, path, 1 << 20):
            copy.write(part)


def _read(file: IO[bytes], path: str, size: int = -1) -> bytes:
    try:
        return file.read(size)
    except MemoryError:
        raise
    except Exception as error:  # every kind of archive has errors of its own
        raise _unreadable(path, error) from None


def _unreadable(path: str, error: Exception) -> FileError:
    if Path(path).suffix.lower() in _COMPRESSED:
        return broken_archive(path)
    return FileError(f"cannot read {path!r}: {getattr(error, 'strerror', None) or error}")


def broken_archive(path: str) -> FileError:
    """A compressed file that does not decompress."""
    ending = Path(path).suffix
    return FileError(f"{path!r} is no whole {ending} file; copy or compress it again, or rename it if it is plain text")


def _opened(path: str) -> IO[bytes]:
    try:
        return open(path, "rb")
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
