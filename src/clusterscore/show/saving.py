"""Files that are there as a whole or not at all."""

from __future__ import annotations

import errno
import glob
import os
import stat
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from secrets import token_hex

from clusterscore.exceptions import FileError


def write_file(path: str | os.PathLike[str], data: bytes) -> None:
    """Write a file; until all of it is on disk, the file that was there before stays.

    It keeps the permissions of that file, and a link goes on pointing to where it did. What is no file but a device or
    a pipe is written to directly.
    """
    part = None
    try:
        mode = os.stat(path).st_mode if os.path.exists(path) else None
        if mode is not None and not stat.S_ISREG(mode):
            Path(path).write_bytes(data)
            return
        if mode is not None and not os.access(path, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        where = os.path.realpath(path)
        part = os.path.join(os.path.dirname(where), f".clusterscore-{token_hex(8)}.part")
        number = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
        with open(number, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(number)
        if mode is not None:
            os.chmod(part, stat.S_IMODE(mode))
        os.replace(part, where)
    except OSError as error:
        raise FileError(f"{os.fspath(path)!r} cannot be written: {error.strerror}; name another file") from None
    finally:
        if part is not None:
            with suppress(OSError):
                os.remove(part)


def refuse_overwriting(path: str | os.PathLike[str], inputs: Iterable[str]) -> None:
    """Raise where a result would take the place of what it is made from, by whatever name, link or pattern."""
    if not os.path.exists(path):
        return
    for each in inputs:
        for file in [each] if os.path.exists(each) else glob.glob(each, recursive=True):
            if os.path.samefile(path, file):
                raise FileError(f"{os.fspath(path)!r} is the input {file!r}, which would be lost; name another file")
