"""The command itself, to which every file here adds its subcommands, and the options that several of them have."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from clusterscore.aggregate import AVERAGES
from clusterscore.exceptions import MetricError
from clusterscore.metrics import metric, split_names
from clusterscore.show.grid import FORMS
from clusterscore.version import __version__

Command = Callable[..., Any]


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(__version__, prog_name="clusterscore")
def cli() -> None:
    """Score a predicted clustering against a gold one: ELM, BCubed and all the others, from one count."""


metrics_option = click.option("--metrics", "-m", multiple=True, metavar="NAMES",
                              help="E.g. -m 'elm, bcubed(beta=2)'; clusterscore metrics lists all.")  # fmt: skip
average_option = click.option("--average", type=click.Choice(AVERAGES), default="micro", show_default=True,
                              help="Pool all documents, or average over them.")  # fmt: skip
weights_option = click.option(
    "--weights", type=click.Choice(["class", "effective"]), help="Weigh elements by their gold cluster."
)
digits_option = click.option(
    "--digits", type=click.IntRange(0, 17), default=4, show_default=True, help="Decimals in the table."
)
format_option = click.option(
    "--format", "form", type=click.Choice(FORMS), default="table", show_default=True, help="How to print."
)
raw_option = click.option("--raw", is_flag=True, help="CSV and Markdown: names as they are, formulas and links too.")
quiet_option = click.option("--quiet", "-q", is_flag=True, help="No progress on the terminal.")


def metric_names(texts: tuple[str, ...]) -> list[str]:
    """The metrics that ``--metrics`` names; a wrong name is told before a file is read."""
    names = [name for text in texts for name in split_names(text)]
    if texts and not names:
        raise MetricError("--metrics names no metric; name at least one, such as elm, or leave it out")
    for name in names:
        metric(name)
    return names
