"""Run the command in this process, which is far quicker than starting one, or on a pseudo-terminal."""

from __future__ import annotations

import contextlib
import io
import os
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import IO, NamedTuple
from unittest import mock

import pytest

from clusterscore.command import main

_STYLE = ("NO_COLOR", "FORCE_COLOR", "COLUMNS")  # absent unless a test gives them


def needs_posix() -> None:
    """Skip a test that needs a POSIX shell, named pipes or signals, where there are none."""
    if os.name != "posix":
        pytest.skip("a shell, named pipes and signals of a POSIX system")


class Done(NamedTuple):
    """How a command ended, and what it wrote."""

    returncode: int
    stdout: str
    stderr: str


def run(
    *arguments: str, stdin: str | bytes = b"", cwd: Path | str = ".", out: IO[str] | None = None, **environment: str
) -> Done:
    """``clusterscore ARGUMENTS`` with a pipe as standard input; ``out`` takes both outputs."""
    ours, theirs = os.pipe()
    with open(theirs, "wb") as pipe:  # less than a pipe holds, or this would wait for a reader
        pipe.write(stdin.encode() if isinstance(stdin, str) else stdin)
    stdout, stderr = io.StringIO(newline=""), io.StringIO(newline="")
    code = None
    with contextlib.ExitStack() as kept:
        kept.enter_context(mock.patch.object(sys, "stdin", kept.enter_context(open(ours))))
        kept.enter_context(mock.patch.dict(os.environ, environment))
        for name in {*_STYLE} - environment.keys():
            os.environ.pop(name, None)
        kept.enter_context(contextlib.chdir(cwd))
        kept.enter_context(contextlib.redirect_stdout(out or stdout))
        kept.enter_context(contextlib.redirect_stderr(out or stderr))
        try:
            main(list(arguments))
        except SystemExit as left:
            code = left.code
    assert isinstance(code, int)
    return Done(code, stdout.getvalue(), stderr.getvalue())


@contextlib.contextmanager
def terminal() -> Iterator[tuple[int, bytearray]]:
    """The end of a pseudo-terminal that a program writes to, and what it wrote: all of it after the block."""
    import pty

    ours, theirs = pty.openpty()
    written = bytearray()

    def read() -> None:
        with contextlib.suppress(OSError):  # Linux: the other end is closed
            while piece := os.read(ours, 65536):
                written.extend(piece)

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    try:
        yield theirs, written
    finally:
        with contextlib.suppress(OSError):
            os.close(theirs)
        reader.join(20)
        os.close(ours)


def on_terminal(*arguments: str, cwd: Path | str = ".", **environment: str) -> Done:
    """What the command writes to a terminal of 100 columns, as its standard output and error."""
    with terminal() as (theirs, written), open(os.dup(theirs), "w", encoding="utf-8", newline="") as screen:
        done = run(*arguments, cwd=cwd, out=screen, **{"TERM": "xterm-256color", "COLUMNS": "100"} | environment)
    return done._replace(stdout=written.decode().replace("\r\n", "\n"))
