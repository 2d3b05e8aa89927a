"""What the command writes: results on standard output, complete or not at all; everything else in lines on stderr."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable
from itertools import chain
from tempfile import SpooledTemporaryFile
from typing import IO, Any

import click

from clusterscore.exceptions import FileError
from clusterscore.messages import readable, visible
from clusterscore.screen import STYLED, Screen

_IN_MEMORY = 1 << 24  # bytes of a result; what is longer waits in a temporary file


def prepared(pieces: Iterable[str], form: str = "table") -> IO[bytes]:
    """A result as it will be printed, all of it: from here on only writing can fail.

    What a terminal would obey is spelled out, and what is not for a terminal stays as it is.
    """
    out = sys.stdout
    encoding, terminal = out.encoding or "utf-8", out.isatty()
    made = SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115 (send_out closes it)
    for piece in chain(pieces, ["\n"]):
        text = _spelled_out(piece, form) if terminal else piece
        try:
            made.write(text.encode(encoding))
        except UnicodeEncodeError as error:
            if form == "csv":
                raise FileError(
                    f"standard output is {encoding}, which cannot show {text[error.start]!r}; set "
                    "PYTHONIOENCODING=utf-8, or print --format json"
                ) from None
            if form == "json":
                text = "".join(sign if sign.isascii() else json.dumps(sign)[1:-1] for sign in text)
            made.write(text.encode(encoding, "backslashreplace"))
    made.seek(0)
    return made


def send_out(made: IO[bytes]) -> None:
    """Print what is prepared."""
    out = sys.stdout
    try:
        with made:
            out.flush()
            while data := made.read(_IN_MEMORY):
                if not hasattr(out, "buffer"):  # not a file, but what took its place
                    out.write(data.decode(out.encoding or "utf-8"))
                    continue
                left = memoryview(data)
                while left:  # under PYTHONUNBUFFERED one call may write a part, and say nothing of the rest
                    left = left[out.buffer.write(left) :]
            out.flush()
    except OSError as error:
        raise OSError(error.errno, error.strerror, "standard output") from None


def _spelled_out(text: str, form: str) -> str:
    """The text as a terminal may have it; the styles of our own tables, in which names cannot hold any, stay."""
    lines = text.split("\n")
    if form != "table" or "\x1b" not in text:
        return "\n".join(map(visible, lines))
    split = (STYLED.split(line) for line in lines)
    return "\n".join("".join(part if STYLED.fullmatch(part) else visible(part) for part in parts) for parts in split)


def drop_output() -> None:
    """Have Python not write again, when it ends, what could not be written."""
    try:
        number = sys.stdout.fileno()
    except (OSError, ValueError, AttributeError):
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, number)
    os.close(nowhere)


def say_dropped(scored: Any, system: str = "") -> None:
    """Lines on standard error where --missing drop or --noise-as drop decides what is scored."""
    from clusterscore.align.policies import dropped_note

    for line in dropped_note(scored.policy, scored.dropped, scored.noise):
        warn(f"{system}: {line}" if system else line)


def warn(message: str) -> None:
    """A line on standard error; on a terminal yellow for a warning, and red for an error."""
    line = readable(" ".join(message.split()))
    try:
        screen = Screen.of(sys.stderr)
        lead = screen.style("clusterscore:", "yellow" if line.startswith("warning:") else "red")
        click.echo(f"{lead} {line}", err=True, color=screen.styled)
    except OSError:  # nobody can read it
        return
