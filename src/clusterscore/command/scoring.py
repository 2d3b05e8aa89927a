"""``clusterscore score``."""

from __future__ import annotations

from typing import Any

import click

from clusterscore.aggregate import Average
from clusterscore.command.group import average_option, cli, digits_option, metric_names, metrics_option, weights_option
from clusterscore.command.inputs import Inputs, inputs
from clusterscore.command.printing import write_out
from clusterscore.engines.opening import ENGINES, Limits
from clusterscore.metrics import metric
from clusterscore.pipeline import score
from clusterscore.pipeline.tables import How, score_tables
from clusterscore.progress import shown, step


@cli.command("score")
@inputs
@metrics_option
@average_option
@weights_option
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
@digits_option
def score_command(
    metrics: tuple[str, ...], average: Average, weights: str | None, engine: str, memory_limit: str | None,
    temp_directory: str | None, threads: int | None, baselines: bool, digits: int, form: str, raw: bool, quiet: bool,
    **given: Any,
) -> None:  # fmt: skip
    """Score PRED against GOLD.

    Files hold an element and a cluster column (CSV, TSV, Parquet, JSON lines; compressed too, and patterns such as
    'part-*.parquet'), one label a line, one cluster a line, links, segment lengths, boundaries or RTTM; `-` is standard
    input. One file with both sides: clusterscore score FILE --gold COL --pred COL.
    """
    names = metric_names(metrics)
    chosen = [metric(name) for name in names]
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
    write_out(card.render(form, digits, raw), form)
