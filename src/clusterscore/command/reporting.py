"""``clusterscore report``: one page that shows where predictions are right and wrong."""

from __future__ import annotations

from typing import Any

import click

from clusterscore.command.comparing import named_systems, read_all, sources_of
from clusterscore.command.group import average_option, cli, metric_names, metrics_option, weights_option
from clusterscore.command.inputs import inputs_of_page
from clusterscore.command.printing import write_out
from clusterscore.diagnose import scores_elements
from clusterscore.page.writing import write_report
from clusterscore.pipeline.asking import Asked
from clusterscore.progress import shown, step
from clusterscore.read.files import read_column
from clusterscore.read.source import refuse_second_reading
from clusterscore.show.saving import refuse_overwriting


@cli.command("report")
@inputs_of_page
@click.option("--output", "-o", "path", default="report.html", show_default=True, metavar="FILE", help="The page.")
@click.option(
    "--title", metavar="TEXT", default="Clustering report", show_default=True, help="What the page is called."
)
@click.option("--show", metavar="COL", help="A column of GOLD that is shown beside each element: its name, its text.")
@click.option("--metric", "name", default="elm", show_default=True, help="A metric that scores elements.")
@metrics_option
@average_option
@weights_option
def report_command(
    gold: str, preds: tuple[str, ...], gold_column: str | None, pred_columns: tuple[str, ...], path: str, title: str,
    show: str | None, name: str, metrics: tuple[str, ...], average: str, weights: str | None, quiet: bool, **given: Any,
) -> None:  # fmt: skip
    """Write a page about PRED against GOLD: one HTML file that needs no network.

    It has the scores in plain words, beside trivial clusterings and chance, what went wrong and what each kind of error
    costs, plots, and all clusters and elements in tables that can be sorted and searched. Several PRED are compared.
    One file with all sides: clusterscore report FILE --gold COL --pred COL.
    """
    names = metric_names(metrics)
    scorer = scores_elements(name).weighed(weights)[0]
    named = named_systems(gold, preds, gold_column, pred_columns)
    refuse_second_reading([gold] * (1 + (show is not None)))  # the texts are read after the clusters
    sources = sources_of(named, gold, gold_column, given)
    policy = next(iter(sources.values())).policy
    asked = Asked.of(names or None, weights=weights, **policy.options)
    refuse_overwriting(path, [gold, *preds])
    against = f"{gold_column} ({gold})" if gold_column is not None else gold
    with shown(not quiet):
        with step("reading") as at:
            pairs = read_all(sources, at)
            texts = None if show is None else read_column(gold, show, given["format_in"])
        words = {"title": title, "compared": f"{', '.join(named)} against {against}"}
        page = write_report(pairs, path, asked, scorer, average=average, show=texts, **words)
    write_out(str(page))
