"""The command itself: its subcommands in the order one needs them, each imported when it is used."""

from __future__ import annotations

from importlib import import_module
from typing import NamedTuple

import click

from clusterscore.exceptions import nearest
from clusterscore.version import __version__


class Entry(NamedTuple):
    """What is known of a subcommand before its module is imported."""

    module: str
    help: str  # one sentence, for the list of all
    example: str


COMMANDS = {
    "score": Entry(
        "score_command", "Score PRED against GOLD with one or more metrics.", "gold.csv pred.csv -m 'elm, bcubed'"
    ),
    "elements": Entry(
        "score_command", "List the elements with their precision, recall and F.", "gold.csv pred.csv --worst 10"
    ),
    "clusters": Entry(
        "score_command",
        "List the clusters: how they were split or merged, and what that costs.",
        "gold.csv pred.csv --worst 5",
    ),
    "errors": Entry("score_command", "List the kinds of errors and what they cost.", "gold.csv pred.csv -m bcubed"),
    "compare": Entry(
        "compare_command",
        "Compare several PRED, with confidence intervals and significance tests.",
        "gold.csv ours.csv theirs.csv",
    ),
    "estimate": Entry(
        "estimate_command",
        "Estimate the score of PRED from a sample of gold clusters.",
        "gold.csv pred.csv --weights size",
    ),
    "draw-sample": Entry("estimate_command", "Draw elements of PRED to label, with their weights.", "pred.csv 4"),
    "sweep": Entry(
        "sweep_command",
        "Score every threshold of scored pairs or of a linkage, and find the best.",
        "gold.csv edges.csv -m elm",
    ),
    "pairs": Entry(
        "estimate_command", "Score PRED on labelled pairs (match, no match, unsure).", "labelled.csv pred.csv"
    ),
    "report": Entry(
        "compare_command", "Write an HTML report with scores, plots and tables.", "gold.csv pred.csv -o report.html"
    ),
    "diff": Entry(
        "diff_command", "List what changed from OLD to NEW, two versions of a clustering.", "old.csv new.csv"
    ),
    "align": Entry(
        "align_command",
        "Rename the clusters of PRED to the clusters of GOLD they match best.",
        "gold.csv pred.csv -o aligned.csv",
    ),
    "agreement": Entry(
        "diff_command", "Score annotators or runs against each other.", "ann=gold.csv bob=pred.csv cleo=other.csv"
    ),
    "coref": Entry(
        "coref_command",
        "Score coreference in CoNLL, CorefUD or jsonlines files.",
        "key.conll response.conll -m 'conll, lea'",
    ),
    "constraints": Entry(
        "metrics_command", "Check metrics against the formal constraints of the literature.", "elm bcubed --largest 5"
    ),
    "fields": Entry(
        "metrics_command", "List the fields that clusterscore speaks, or explain one of them.", "page-streams"
    ),
    "metrics": Entry("metrics_command", "List all metrics, or explain some of them.", "elm"),
    "demo": Entry("metrics_command", "Score a bundled example and explain the result.", ""),
}


def example(name: str) -> str:
    """A line that can be typed, for the end of a help text."""
    return f"Example: clusterscore {name} {COMMANDS[name].example}".rstrip()


class Contents(click.Group):
    """Subcommands that need not be imported to be listed: who asks for help does not wait for NumPy."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Their names, in the order one needs them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The subcommand of this name, which the import of its module adds, or an error that names the nearest."""
        if cmd_name in COMMANDS:
            import_module(f"clusterscore.command.{COMMANDS[cmd_name].module}")
        elif not ctx.resilient_parsing:  # as where a shell completes words
            is_path = "." in cmd_name or "/" in cmd_name
            hint = "to score it, write clusterscore score GOLD PRED" if is_path else nearest(cmd_name, COMMANDS)
            ctx.fail(f"No such command {cmd_name!r}: {hint}")
        return super().get_command(ctx, cmd_name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list in ``--help``, in whole sentences."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.help) for name, entry in COMMANDS.items()])


cli = Contents(
    help="Score a predicted clustering against a gold one, find its mistakes, and compare systems.",
    epilog=example("score"),
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110, "show_default": True},
)
click.version_option(__version__, prog_name="clusterscore")(cli)
