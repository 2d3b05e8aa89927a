"""What the command writes: results on standard output, complete or not at all; everything else in lines on stderr."""

from __future__ import annotations

import json
import os
import sys

import click

from clusterscore.exceptions import FileError, readable, visible


def write_out(text: str, form: str = "table") -> None:
    """Print a result; what a terminal would obey is spelled out, and what is not for a terminal stays as it is."""
    out = sys.stdout
    if out.isatty():
        text = "\n".join(map(visible, text.split("\n")))
    encoding = out.encoding or "utf-8"
    try:
        data = f"{text}\n".encode(encoding)
    except UnicodeEncodeError as error:
        if form == "csv":
            raise FileError(
                f"standard output is {encoding}, which has no {text[error.start]!r}; set PYTHONIOENCODING=utf-8, "
                "or print --format json"
            ) from None
        if form == "json":
            text = "".join(sign if sign.isascii() else json.dumps(sign)[1:-1] for sign in text)
        data = f"{text}\n".encode(encoding, "backslashreplace")
    try:
        out.flush()
        if not hasattr(out, "buffer"):  # not a file, but what took its place
            out.write(data.decode(encoding))
            return
        left = memoryview(data)
        while left:  # under PYTHONUNBUFFERED one call may write a part, and say nothing of the rest
            left = left[out.buffer.write(left) :]
        out.flush()
    except OSError as error:
        raise OSError(error.errno, error.strerror, "standard output") from None


def drop_output() -> None:
    """Have Python not write again, when it ends, what could not be written."""
    try:
        number = sys.stdout.fileno()
    except (OSError, ValueError, AttributeError):
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, number)
    os.close(nowhere)


def warn(message: str) -> None:
    """A line on standard error."""
    try:
        click.echo(f"clusterscore: {readable(' '.join(message.split()))}", err=True)
    except OSError:  # nobody can read it
        return
