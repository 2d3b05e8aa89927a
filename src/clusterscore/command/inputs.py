"""What is compared: the arguments and options that all commands share which take two clusterings."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from clusterscore.align import MISSING, NOISE_AS, Policy
from clusterscore.align.noise import other_spelling
from clusterscore.command.group import Command, format_option, quiet_option, raw_option
from clusterscore.engines.prepare import Names
from clusterscore.read import Clustering
from clusterscore.read.columns import ColumnNames
from clusterscore.read.files import read_both, read_two
from clusterscore.read.formats import FORMATS, TABLES, by_name
from clusterscore.read.rttm import STEP
from clusterscore.read.source import Source

_LARGE = 1 << 23  # bytes: tables above this are counted in DuckDB, the others in memory


def inputs(command: Command) -> Command:
    """The options, of which an :class:`Inputs` is made."""
    pred = click.option("--pred", "pred_column", metavar="COL", help="One file: the column with the predicted cluster.")
    return format_option(raw_option(_with_options(command, click.argument("pred", required=False), pred)))


def inputs_of_systems(command: Command) -> Command:
    """The same for several predictions, of which one :class:`Inputs` each is made."""
    return format_option(raw_option(inputs_of_page(command)))


def inputs_of_page(command: Command) -> Command:
    """The same for a command that prints no table."""
    what = "One file: a column with predicted clusters (given again for each system)."
    preds = click.option("--pred", "pred_columns", metavar="COL", multiple=True, help=what)
    return _with_options(command, click.argument("preds", nargs=-1, metavar="PRED..."), preds)


def _with_options(command: Command, argument: Any, pred: Any) -> Command:
    options = [
        click.argument("gold"),
        argument,
        click.option("--gold", "gold_column", metavar="COL", help="One file: the column with the gold cluster."),
        pred,
        click.option("--element", metavar="COL", help="Column with the element id (default: element)."),
        click.option("--cluster", metavar="COL", help="Two files: column with the cluster (default: cluster)."),
        click.option("--document", "--documents", "document", metavar="COL",
                     help="Column with the document (default: document, if there)."),
        click.option("--format-in", type=click.Choice(list(FORMATS)),
                     help="What the files are, if their names do not say."),
        click.option("--step", type=float, default=STEP, show_default=True, metavar="SECONDS",
                     help="RTTM: the length of a frame."),
        click.option("--missing", type=click.Choice(MISSING), default="error", show_default=True,
                     help="Elements on one side only."),
        click.option("--noise", multiple=True, metavar="LABEL",
                     help="A label that means 'not clustered' (may be given again; '' is an empty cell)."),
        click.option("--noise-as", type=click.Choice(NOISE_AS), default="singleton", show_default=True,
                     help="What noise becomes."),
        quiet_option,
    ]  # fmt: skip
    for option in reversed(options):
        command = option(command)
    return command


@dataclass
class Inputs:
    """One file with both sides, or two files, and how they are to be read."""

    gold: str
    pred: str | None
    gold_column: str | None
    pred_column: str | None
    element: str | None
    cluster: str | None
    document: str | None
    format_in: str | None
    step: float
    missing: str
    noise: tuple[str, ...]
    noise_as: str

    def __post_init__(self) -> None:
        if self.gold_column is not None or self.pred_column is not None:
            if self.pred is not None:
                raise click.UsageError(
                    "--gold COL and --pred COL are for one file with both sides; give that file alone"
                )
            if self.gold_column is None or self.pred_column is None:
                raise click.UsageError("--gold COL and --pred COL go together")
            if self.cluster is not None:
                raise click.UsageError("--cluster is for two files; with one file, --gold and --pred name the columns")
        elif self.pred is None:
            raise click.UsageError("two files are needed, GOLD and PRED, or one file with --gold COL and --pred COL")

    @property
    def files(self) -> list[str]:
        """One file or two."""
        return [self.gold] if self.pred is None else [self.gold, self.pred]

    @property
    def names(self) -> Names:
        """The columns, for those who count tables."""
        return Names(self.gold_column or "gold", self.pred_column or "pred", self.document, self.element, self.cluster,
                     usual=True)  # fmt: skip

    @property
    def policy(self) -> Policy:
        """The policies; a label of a Parquet file may be a number, which is written as text here."""
        noise: list[Any] = [label or None for label in self.noise]
        if any((self.format_in or by_name(file)) == "parquet" for file in self.files):
            numbers = [other_spelling(label) for label in noise if label is not None]
            noise += [number for number in numbers if number is not None]
        return Policy.of(self.missing, noise or None, self.noise_as if noise else "singleton")

    def clusterings(self) -> tuple[Clustering, Clustering]:
        """Both sides, read into memory."""
        columns = ColumnNames(self.element, self.cluster, self.document)
        if self.pred is not None:
            return read_two(self.gold, self.pred, columns, self.format_in, self.step, self.missing)
        assert self.gold_column is not None
        assert self.pred_column is not None
        return read_both(self.gold, self.gold_column, self.pred_column, columns, self.format_in)

    def are_large_tables(self) -> bool:
        """Whether the files are tables that DuckDB counts faster than Python reads them."""
        if any((self.format_in or by_name(file)) not in TABLES for file in self.files):
            return False
        sources = [Source(file) for file in self.files]
        return not any(source.is_stream for source in sources) and sum(source.size() for source in sources) > _LARGE


def short_names(paths: Iterable[str]) -> dict[str, str]:
    """Files by what they are called without folder and ending, as long as these differ."""
    stems = {path: Path(path).name.partition(".")[0] or path for path in paths}
    return stems if len(set(stems.values())) == len(stems) else {path: path for path in stems}
