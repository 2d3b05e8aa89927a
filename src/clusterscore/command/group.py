"""The command itself, to which every file here adds its subcommands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from clusterscore.version import __version__

SHOWN = ("table", "json", "csv", "markdown", "latex")

Command = Callable[..., Any]


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(__version__, prog_name="clusterscore")
def cli() -> None:
    """Score a predicted clustering against a gold one: ELM, BCubed and all the others, from one count."""
