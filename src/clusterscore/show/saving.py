"""Files that are written completely or not at all."""

from __future__ import annotations

import errno
import glob
import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from shutil import copymode

from clusterscore.exceptions import FileError


def write_file(path: str | os.PathLike[str], data: bytes) -> None:
    """Write a file; until all of it is on disk, the file that was there before stays.

    It keeps the permissions of that file, and a link goes on pointing to where it did. What is no file but a device or
    a pipe is written to directly.
    """
    where = Path(os.path.realpath(path))
    part = where.with_name(f".clusterscore-{os.urandom(8).hex()}.part")
    try:
        if where.exists() and not where.is_file():
            Path(path).write_bytes(data)
            return
        if where.exists() and not os.access(where, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        with open(part, "xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if where.exists():
            copymode(where, part)
        os.replace(part, where)
    except OSError as error:
        raise FileError(f"{os.fspath(path)!r} cannot be written: {error.strerror}; name another file") from None
    finally:
        with suppress(OSError):
            part.unlink()


def refuse_overwriting(path: str | os.PathLike[str], inputs: Iterable[str]) -> None:
    """Raise where a result would take the place of what it is made from, by whatever name, link or pattern."""
    if not os.path.exists(path):
        return
    for source in inputs:
        for file in [source] if os.path.exists(source) else glob.glob(source, recursive=True):
            if os.path.samefile(path, file):
                raise FileError(f"{os.fspath(path)!r} is the input {file!r}, which would be lost; name another file")
