"""The command line: one subcommand per function, one readable line for bad input."""

from __future__ import annotations

import os
import sys
import warnings
from functools import partial
from typing import Any

import click

import clusterscore.interrupts as interrupts
from clusterscore.command.commands import cli
from clusterscore.command.printing import drop_output, prepared, send_out, warn
from clusterscore.exceptions import ClusterscoreError, ClusterscoreWarning
from clusterscore.requirements import OLDEST, check_version

__all__ = ["cli", "main"]

_SIGPIPE = 128 + 13  # as a shell counts it


def main(arguments: list[str] | None = None) -> None:
    """Run the command; whatever is wrong with the input is one line and exit code 2."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    code, message = 2, ""
    try:
        if sys.stdout is None:
            raise OSError("standard output is closed: there is nowhere to write to")
        # from 8.2 on it does not have its version at hand, and warns those who ask
        check_version("click", vars(click).get("__version__", OLDEST["click"]))
        if "_CLUSTERSCORE_COMPLETE" in os.environ:  # a shell that completes words
            cli.main(prog_name="clusterscore")
        # cli.main() has its own way with Ctrl-C
        with warnings.catch_warnings(), cli.make_context("clusterscore", list(given), obj=given) as context:
            warnings.showwarning = partial(_show_warning, set())
            warnings.simplefilter("always", ClusterscoreWarning)
            cli.invoke(context)
        code = 0
    except click.exceptions.Exit as left:
        code = left.exit_code
    except click.exceptions.NoArgsIsHelpError as error:
        send_out(prepared([error.ctx.get_help() if error.ctx else "clusterscore --help"]))
        code = 0
    except click.ClickException as error:
        message = error.format_message()
    except (ClusterscoreError, ClusterscoreWarning) as error:  # a warning under --strict
        message = error.for_command()
    except BrokenPipeError:
        code, message = _SIGPIPE, "standard output was closed before everything was written"
    except OSError as error:
        message = ": ".join(str(part) for part in (error.filename, error.strerror or error) if part)
    except MemoryError:
        message = "there is not enough memory; score with --engine duckdb and --memory keeps large tables on disk"
    except BaseException:
        if not interrupts.received:
            raise
        # an engine that is interrupted has errors of its own
        code, message = 128 + interrupts.received, interrupts.message()
    if message:
        warn(message)
    try:
        sys.stdout.flush()
    except (OSError, AttributeError):
        drop_output()
    sys.exit(code)


def _show_warning(seen: set[str], message: Warning | str, *_: Any) -> None:
    """What the library, or another, warns of, each once, in the words of the command line."""
    text = message.for_command() if isinstance(message, ClusterscoreWarning) else str(message)
    if text not in seen:
        seen.add(text)
        warn(f"warning: {text}")
