"""``clusterscore constraints``."""

from __future__ import annotations

import click

from clusterscore.command.group import cli, format_option, quiet_option
from clusterscore.command.printing import write_out
from clusterscore.constraints import CASES, CONSTRAINTS, Matrix, matrix
from clusterscore.constraints.clusterings import MOST
from clusterscore.constraints.named import GROUPS, constraints_of
from clusterscore.metrics import metrics_of, split_names
from clusterscore.progress import shown

DEFAULT_METRICS = (
    "elm", "bcubed", "bcubed(f=of-means)", "adapted_bcubed", "pairwise", "rand", "adjusted_rand", "jaccard",
    "fowlkes_mallows", "purity", "inverse_purity", "nmi", "v_measure",
)  # fmt: skip


@cli.command("constraints")
@click.argument("metrics", nargs=-1, metavar="[METRIC]...")
@click.option(
    "--constraint",
    "-c",
    "names",
    multiple=True,
    metavar="NAME",
    help=f"Only these (may be given again): {', '.join(each.name for each in CONSTRAINTS)}; or a group: "
    f"{', '.join(GROUPS)}. Default: formal, those of the literature.",
)
@click.option(
    "--cases",
    type=click.Choice(CASES),
    default="all",
    show_default=True,
    help="All that we know, or the pairs of the papers alone.",
)
@click.option(
    "--largest", type=click.IntRange(2, MOST), help="Try all clusterings of up to so many elements (default: 7)."
)
@click.option("--list", "listed", is_flag=True, help="Say what the constraints ask for, and check nothing.")
@format_option
@quiet_option
def constraints_command(
    metrics: tuple[str, ...], names: tuple[str, ...], cases: str, largest: int | None, listed: bool, form: str,
    quiet: bool,
) -> None:  # fmt: skip
    """Put metrics through the formal constraints of the literature.

    Each METRIC is a name such as elm or 'bcubed(f=of-means)'. Prints a mark for every metric and constraint, and below
    them the smallest case of every violation and every tie.
    """
    chosen = constraints_of([part for text in names for part in split_names(text)] or "formal")
    if listed:
        described = [
            "\n".join([each.name, f"  {each.statement}", f"  Cases: {each.family}.",
                       *([f"  {each.reference}"] if each.reference else [])])
            for each in (chosen if names else CONSTRAINTS)
        ]  # fmt: skip
        write_out("\n\n".join(described))
        return
    asked = metrics_of([name for text in metrics for name in split_names(text)] or list(DEFAULT_METRICS))
    with shown(not quiet):
        found = matrix(asked, chosen, largest=largest, cases=cases)
    write_out(_written(found, form), form)


def _written(found: Matrix, form: str) -> str:
    if form == "json":
        return found.to_json()
    return found.to_csv() if form == "csv" else found.grid(reasons=True).render(form)
