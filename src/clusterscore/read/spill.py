"""A folder for what does not fit memory. It goes when the work is over, and also when the process is killed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile

from clusterscore.errors import InputError, InputTypeError

# the pipe to a process closes with it, however it ends
_WATCH = "import shutil, sys; sys.stdin.read(); shutil.rmtree(sys.argv[1], ignore_errors=True)"


class SpillFolder:
    """A fresh private folder, watched by a small process that outlives this one."""

    def __init__(self, inside: str | None = None):
        self.path = os.path.abspath(tempfile.mkdtemp(prefix="clusterscore-", dir=inside))
        self._watcher = _watch(self.path)

    def remove(self) -> None:
        """Remove the folder first and the watcher after it: whatever happens between, one of them does it."""
        shutil.rmtree(self.path, ignore_errors=True)
        if self._watcher is not None and self._watcher.stdin is not None:
            self._watcher.kill()
            self._watcher.wait()
            self._watcher.stdin.close()
            self._watcher = None


def _watch(path: str) -> subprocess.Popen[bytes] | None:
    if not sys.executable or getattr(sys, "frozen", False):  # then it is not Python that would start
        return None
    try:
        return subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", _WATCH, path],
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C in the terminal is not for it
        )  # fmt: skip
    except OSError:  # no room for another process: the normal ways to remove the folder are left
        return None


def checked_folder(folder: str | os.PathLike[str] | None) -> str | None:
    """The folder for temporary files as the user named it, if it can be written to."""
    if folder is None:
        return None
    if not isinstance(folder, str | os.PathLike):
        raise InputTypeError(f"temp_directory={folder!r} is no path; name a folder")
    name = os.fspath(folder)
    if not os.path.isdir(name):
        raise InputError(f"temp_directory={name!r} is no folder; name one that exists, on a disk with room to spare")
    if not os.access(name, os.W_OK | os.X_OK):
        raise InputError(f"temp_directory={name!r} cannot be written to; name a folder of your own")
    return name
