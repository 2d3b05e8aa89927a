"""The command line: one subcommand per function, one readable line for bad input."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

import clusterscore.interrupts as interrupts
from clusterscore.command.commands import cli
from clusterscore.command.printing import drop_output, prepared, send_out, warn
from clusterscore.exceptions import ClusterscoreError, ClusterscoreWarning
from clusterscore.requirements import OLDEST, check_version

__all__ = ["cli", "main", "run"]

_SIGPIPE = 128 + 13  # as a shell counts it


def run() -> None:
    """What the installed command starts."""
    interrupts.watch()
    interrupts.raising = True
    try:
        main()
    except SystemExit as left:
        interrupts.raising = False  # all is done: a signal ends it at once
        if "duckdb" not in sys.modules:
            raise
        # DuckDB's bindings complain about themselves while Python is taken down; everything is closed by now
        os._exit(left.code if isinstance(left.code, int) else 0)


def main(arguments: list[str] | None = None) -> None:
    """Run the command; whatever is wrong with the input is one line and exit code 2."""
    try:
        code = _run(arguments)
    except BaseException:
        if not interrupts.received:
            raise
        # an engine that is interrupted has errors of its own
        code = _complain(interrupts.message(), 128 + interrupts.received)
    try:
        sys.stdout.flush()
    except (OSError, AttributeError):
        drop_output()
    sys.exit(code)


def _run(arguments: list[str] | None) -> int:
    if sys.stdout is None:
        return _complain("standard output is closed: there is nowhere to write to")
    given = sys.argv[1:] if arguments is None else arguments
    try:
        # from 8.2 on it does not have its version at hand, and warns those who ask
        check_version("click", vars(click).get("__version__", OLDEST["click"]))
        if "_CLUSTERSCORE_COMPLETE" in os.environ:  # a shell that completes words
            cli.main(prog_name="clusterscore")
        # cli.main() has its own way with Ctrl-C
        with _warnings_as_lines(), cli.make_context("clusterscore", list(given), obj=list(given)) as context:
            cli.invoke(context)
        return 0
    except click.exceptions.Exit as left:
        return left.exit_code
    except click.exceptions.NoArgsIsHelpError as error:
        send_out(prepared([error.ctx.get_help() if error.ctx else "clusterscore --help"]))
        return 0
    except click.ClickException as error:
        return _complain(error.format_message())
    except (ClusterscoreError, ClusterscoreWarning) as error:  # a warning under --strict
        return _complain(error.for_command())
    except BrokenPipeError:
        return _complain("standard output was closed before everything was written", _SIGPIPE)
    except OSError as error:
        return _complain(": ".join(str(part) for part in (error.filename, error.strerror or error) if part))
    except MemoryError:
        return _complain("there is not enough memory; --engine duckdb with --memory keeps large tables on disk")


@contextmanager
def _warnings_as_lines() -> Iterator[None]:
    """What the library warns of, each once, in the words of the command line."""
    seen: set[str] = set()

    def show(
        message: Warning | str, category: type[Warning], filename: str, lineno: int, file: Any = None, line: Any = None
    ) -> None:
        if not issubclass(category, ClusterscoreWarning):
            show_other(message, category, filename, lineno, file, line)
            return
        text = message.for_command() if isinstance(message, ClusterscoreWarning) else str(message)
        if text not in seen:
            seen.add(text)
            warn(f"warning: {text}")

    with warnings.catch_warnings():
        show_other, warnings.showwarning = warnings.showwarning, show
        warnings.simplefilter("always", ClusterscoreWarning)
        yield


def _complain(message: str, code: int = 2) -> int:
    warn(message)
    return code
