"""The command line: one subcommand per function, one readable line for bad input."""

from __future__ import annotations

import os
import re
import sys

import click

from clusterscore.command import comparing, constraints, coreference, diagnosis, listing, papers, reporting, scoring
from clusterscore.command.group import cli
from clusterscore.errors import ClusterscoreError

__all__ = [
    "cli",
    "comparing",
    "constraints",
    "coreference",
    "diagnosis",
    "listing",
    "main",
    "papers",
    "reporting",
    "run",
    "scoring",
]


def run() -> None:
    """What the installed command starts."""
    try:
        main()
    except SystemExit as left:
        if "duckdb" not in sys.modules:
            raise
        # DuckDB's bindings complain about themselves while Python is taken down; everything is closed by now
        sys.stdout.flush()
        os._exit(left.code if isinstance(left.code, int) else 0)


def main(arguments: list[str] | None = None) -> None:
    """Run the command; whatever is wrong with the input is one line and exit code 2."""
    try:
        code = cli.main(arguments, prog_name="clusterscore", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.ctx.get_help() if error.ctx else "clusterscore --help")
        code = 0
    except click.ClickException as error:
        code = _complain(error.format_message())
    except (ClusterscoreError, KeyboardInterrupt) as error:
        code = _complain(_as_options(str(error)) or "interrupted")
    except BrokenPipeError:  # the reader has seen enough, as in: clusterscore ... | head
        sys.stderr.close()
        code = 0
    except OSError as error:
        code = _complain(f"{error.filename or 'input'}: {error.strerror}")
    sys.exit(code if isinstance(code, int) else 0)


_REMEDY = re.compile(r'\b(missing|noise_as|format|engine|unit)="(\w+)"( or "(\w+)")?')
_NAMED = re.compile(r'\b(element|cluster|document|gold|pred)="\.\.\."')
_LIMITS = {"memory_limit= (--memory)": "--memory", "memory_limit=": "--memory ", "temp_directory=": "--temp-directory ",
           "threads=": "--threads ", "documents=": "--document COL", "resamples=0": "--resamples 0"}  # fmt: skip


def _as_options(message: str) -> str:
    """A remedy in Python's words, in those of the command line."""
    message = message.replace("noise=[None]", "--noise ''").replace('format="..."', "--format-in")
    for python, option in _LIMITS.items():
        message = message.replace(python, option)
    return _REMEDY.sub(_option, _NAMED.sub(r"--\1", message))


def _option(found: re.Match[str]) -> str:
    name, first, _, second = found.groups()
    option = "--format-in" if name == "format" else f"--{name.replace('_', '-')}"
    return f"{option} {first}" + (f" or {second}" if second else "")


def _complain(message: str) -> int:
    click.echo("clusterscore: " + " ".join(message.split()), err=True)
    return 2
