"""``clusterscore score``."""

from __future__ import annotations

from typing import Any

import click

from clusterscore.aggregate import AVERAGES
from clusterscore.command.group import cli
from clusterscore.command.inputs import Inputs, inputs
from clusterscore.count.opening import ENGINES, Limits
from clusterscore.metrics import metric, split_names
from clusterscore.pipeline import score
from clusterscore.pipeline.tables import How, score_tables
from clusterscore.progress import shown, step
from clusterscore.show import Scorecard


@cli.command("score")
@inputs
@click.option(
    "--metrics",
    "-m",
    multiple=True,
    metavar="NAMES",
    help="E.g. -m 'elm, bcubed(f=of-means, beta=2)'; all are listed by: clusterscore metrics",
)
@click.option(
    "--average",
    type=click.Choice(AVERAGES),
    default="micro",
    show_default=True,
    help="Pool all documents, or average over them.",
)
@click.option("--weights", type=click.Choice(["class", "effective"]), help="Weigh elements by their gold cluster.")
@click.option(
    "--engine",
    type=click.Choice(ENGINES),
    default="auto",
    show_default=True,
    help="Who counts: auto lets DuckDB count large tables, and memory the rest.",
)
@click.option("--memory", "memory_limit", metavar="SIZE", help="DuckDB: how much memory it may use, such as 2GB.")
@click.option("--temp-directory", metavar="DIR", help="DuckDB: where that goes which does not fit memory.")
@click.option("--threads", type=click.IntRange(1), help="DuckDB: how many work at once.")
@click.option("--baselines", is_flag=True, help="Below, what trivial and random clusterings would get.")
@click.option("--digits", type=click.IntRange(0, 17), default=4, show_default=True, help="Decimals in the table.")
def score_command(
    metrics: tuple[str, ...], average: str, weights: str | None, engine: str, memory_limit: str | None,
    temp_directory: str | None, threads: int | None, baselines: bool, digits: int, form: str, quiet: bool,
    **given: Any,
) -> None:  # fmt: skip
    """Score PRED against GOLD.

    Files hold an element and a cluster column (CSV, TSV, Parquet, JSON lines; compressed too, and patterns such as
    'part-*.parquet'), one label a line, one cluster a line, links, segment lengths, boundaries or RTTM; `-` is standard
    input. One file with both sides: clusterscore score FILE --gold COL --pred COL.
    """
    names = [name for text in metrics for name in split_names(text)]
    chosen = [metric(name) for name in names]  # a wrong name is told before a file is read
    what, limits = Inputs(**given), Limits(memory_limit, temp_directory, threads)
    in_memory = baselines or any(("cells",) in one.needs for one in chosen)
    if engine == "auto":
        large = any(limits) or (not in_memory and what.are_large_tables())
        engine = "duckdb" if large else "arrays"
    elif engine != "duckdb" and any(limits):
        raise click.UsageError("--memory, --temp-directory and --threads are for --engine duckdb")
    if baselines and engine != "arrays":
        raise click.UsageError(
            f"--baselines are made of single elements, and those stay in {engine}; take --engine arrays, which reads "
            "them into memory, without --memory, --temp-directory and --threads"
        )
    with shown(not quiet):
        if engine == "arrays":
            with step("reading"):
                gold, pred = what.clusterings()
            with step("scoring"):
                card = score(
                    gold, pred, metrics=names or None, average=average, weights=weights, baselines=baselines,
                    **what.policy.options,
                )  # fmt: skip
        else:
            how = How(average, what.policy, engine, what.format_in, limits)
            card = score_tables(what.files, what.names, names or None, weights, how)
    click.echo(_written(card, form, digits))


def _written(card: Scorecard, form: str, digits: int) -> str:
    if form == "json":
        return card.to_json()
    if form == "csv":
        return card.to_csv()
    if form == "markdown":
        return card.to_markdown(digits)
    return card.to_latex(digits) if form == "latex" else card.to_text(digits)
