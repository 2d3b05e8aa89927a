"""The command itself: its subcommands in the order one needs them, each imported when it is used."""

from __future__ import annotations

from importlib import import_module

import click

from clusterscore.version import __version__

COMMANDS = {  # by name: the module it is in, and what --help says of it
    "score": ("scoring", "Score PRED against GOLD with one metric or many."),
    "elements": ("scoring", "List every element with its own precision, recall and F."),
    "clusters": ("scoring", "List every cluster: how it was split or merged, and what that costs."),
    "errors": ("scoring", "List the kinds of errors, and what each costs."),
    "compare": ("comparing", "Compare several PRED, with intervals and tests."),
    "report": ("comparing", "Write an HTML page with scores, plots and all elements."),
    "coref": ("coreference", "Score coreference: CoNLL, CorefUD or jsonlines files."),
    "constraints": ("listing", "Check metrics against the formal constraints of the literature."),
    "metrics": ("listing", "List all metrics, or explain those named."),
    "demo": ("listing", "Score a bundled example, with explanations."),
}


class Contents(click.Group):
    """Subcommands that need not be imported to be listed: who asks for help does not wait for NumPy."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Their names, in the order one needs them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The subcommand of this name, which the import of its module adds."""
        if cmd_name in COMMANDS:
            import_module(f"clusterscore.command.{COMMANDS[cmd_name][0]}")
        return super().get_command(ctx, cmd_name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list in ``--help``, in whole sentences."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])


cli = Contents(
    help="Score a predicted clustering against a gold one: ELM, BCubed and all the others, from one count.",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110, "show_default": True},
)
click.version_option(__version__, prog_name="clusterscore")(cli)
