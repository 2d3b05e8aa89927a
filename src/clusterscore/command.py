"""The command line: one subcommand per function, one readable line for bad input."""

from __future__ import annotations

import inspect
import json
import re
import sys
import textwrap
from collections.abc import Callable
from typing import Any

import click

from clusterscore.aggregate import AVERAGES
from clusterscore.align import MISSING, NOISE_AS
from clusterscore.errors import ClusterscoreError
from clusterscore.metrics import DEFAULT_SET, Metric, metric, registered, split_names
from clusterscore.pipeline import elements, score
from clusterscore.read import Clustering
from clusterscore.read.files import FORMATS, Columns, read_both, read_clustering
from clusterscore.show import Grid
from clusterscore.version import __version__

_SHOWN = ("table", "json", "csv", "markdown", "latex")

Command = Callable[..., Any]


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(__version__, prog_name="clusterscore")
def cli() -> None:
    """Score a predicted clustering against a gold one: ELM, BCubed and all the others, from one count."""


def _inputs(command: Command) -> Command:
    """The arguments and options that say what is compared; shared by all commands that take two clusterings."""
    options = [
        click.argument("gold"),
        click.argument("pred", required=False),
        click.option("--gold", "gold_column", metavar="COL", help="One file: the column with the gold cluster."),
        click.option("--pred", "pred_column", metavar="COL", help="One file: the column with the predicted cluster."),
        click.option("--element", metavar="COL", help="Column with the element id (default: element)."),
        click.option("--cluster", metavar="COL", help="Two files: column with the cluster (default: cluster)."),
        click.option("--document", metavar="COL", help="Column with the document (default: document, if there)."),
        click.option("--format-in", type=click.Choice(FORMATS), help="What the files are, if their names do not say."),
        click.option("--missing", type=click.Choice(MISSING), default="error", show_default=True,
                     help="Elements on one side only."),
        click.option("--noise", multiple=True, metavar="LABEL",
                     help="A label that means 'not clustered' (may be given again; '' is an empty cell)."),
        click.option("--noise-as", type=click.Choice(NOISE_AS), default="singleton", show_default=True,
                     help="What noise becomes."),
        click.option("--format", "form", type=click.Choice(_SHOWN), default="table", show_default=True,
                     help="How to print."),
    ]  # fmt: skip
    for option in reversed(options):
        command = option(command)
    return command


@cli.command("score")
@_inputs
@click.option("--metrics", "-m", multiple=True, metavar="NAMES",
              help="E.g. -m 'elm, bcubed(f=of-means, beta=2)'; all are listed by: clusterscore metrics")  # fmt: skip
@click.option("--average", type=click.Choice(AVERAGES), default="micro", show_default=True,
              help="Pool all documents, or average over them.")  # fmt: skip
@click.option("--weights", type=click.Choice(["class", "effective"]), help="Weigh elements by their gold cluster.")
@click.option("--digits", type=click.IntRange(0, 17), default=4, show_default=True, help="Decimals in the table.")
def score_command(
    metrics: tuple[str, ...], average: str, weights: str | None, digits: int, form: str, **inputs: Any
) -> None:
    """Score PRED against GOLD.

    Files hold one label a line, or an element and a cluster column (CSV, TSV, JSON); `-` is standard input. One file
    with both sides: clusterscore score FILE --gold COL --pred COL.
    """
    names = [name for text in metrics for name in split_names(text)]
    for name in names:
        metric(name)  # a wrong name is told before a file is read
    gold, pred, policies = _clusterings(**inputs)
    card = score(gold, pred, metrics=names or None, average=average, weights=weights, **policies)
    if form == "json":
        click.echo(card.to_json())
    elif form == "csv":
        click.echo(card.to_csv())
    elif form == "table":
        click.echo(card.to_text(digits))
    else:
        click.echo(card.grid(digits).render(form))


@cli.command("elements")
@_inputs
@click.option("--metric", "-m", "name", default="elm", show_default=True, help="A metric that scores elements.")
def elements_command(name: str, form: str, **inputs: Any) -> None:
    """One row per element of PRED against GOLD: its clusters, tp, fp, fn, and its own P, R and F."""
    metric(name)
    gold, pred, policies = _clusterings(**inputs)
    rows = elements(gold, pred, metric=name, **policies)
    click.echo(json.dumps(rows.to_dict(), ensure_ascii=False) if form == "json" else rows.grid().render(form))


def _clusterings(
    gold: str,
    pred: str | None,
    gold_column: str | None,
    pred_column: str | None,
    element: str | None,
    cluster: str | None,
    document: str | None,
    format_in: str | None,
    missing: str,
    noise: tuple[str, ...],
    noise_as: str,
) -> tuple[Clustering, Clustering, dict[str, Any]]:
    columns = Columns(element, cluster, document)
    policies: dict[str, Any] = {"missing": missing}
    if noise:
        policies.update(noise=[label or None for label in noise], noise_as=noise_as)
    if gold_column is not None or pred_column is not None:
        if pred is not None:
            raise click.UsageError("--gold COL and --pred COL are for one file with both sides; give that file alone")
        if gold_column is None or pred_column is None:
            raise click.UsageError("--gold COL and --pred COL go together")
        if cluster is not None:
            raise click.UsageError("--cluster is for two files; with one file, --gold and --pred name the columns")
        return *read_both(gold, gold_column, pred_column, columns, format_in), policies
    if pred is None:
        raise click.UsageError("two files are needed, GOLD and PRED, or one file with --gold COL and --pred COL")
    if gold == pred == "-":
        raise click.UsageError("only one of GOLD and PRED can be standard input")
    return read_clustering(gold, columns, format_in), read_clustering(pred, columns, format_in), policies


@cli.command("metrics")
@click.argument("names", nargs=-1)
@click.option("--format", "form", type=click.Choice(_SHOWN), default="table", show_default=True, help="How to print.")
def metrics_command(names: tuple[str, ...], form: str) -> None:
    """List all metrics with formula and reference, or tell all about those named."""
    chosen = [type(metric(name)) for name in names] or _in_order()
    if form == "table":
        click.echo("\n\n".join(_told(kind, whole=bool(names)) for kind in chosen))
        return
    rows = [[kind.name, ", ".join(kind.aliases), _summary(kind), _section(kind, "Formula"), _section(kind, "Reference")]
            for kind in chosen]  # fmt: skip
    headings = ["metric", "aliases", "what it says", "formula", "reference"]
    if form == "json":
        click.echo(json.dumps([dict(zip(headings, row, strict=True)) for row in rows], indent=2, ensure_ascii=False))
    else:
        click.echo(Grid(headings, rows).render(form))


def _in_order() -> list[type[Metric]]:
    kinds = {kind.name: kind for kind in registered()}
    return [kinds[name] for name in dict.fromkeys([*DEFAULT_SET, *kinds])]


def _summary(kind: type[Metric]) -> str:
    return (kind.__doc__ or "").partition("\n")[0]


def _section(kind: type[Metric], title: str) -> str:
    """The text below one heading of a metric's docstring."""
    lines = inspect.cleandoc(kind.__doc__ or "").split("\n")
    start = lines.index(f"{title}:") + 1
    end = next((k for k in range(start, len(lines)) if lines[k] and not lines[k].startswith(" ")), len(lines))
    return inspect.cleandoc("\n".join(["", *lines[start:end]])).strip()


def _told(kind: type[Metric], whole: bool) -> str:
    called = f"{kind.name} (also {', '.join(kind.aliases)})" if kind.aliases else kind.name
    if whole:
        text = textwrap.indent(inspect.cleandoc(kind.__doc__ or ""), "  ")
        return f"{called}\n\n{text}\n\n  Signature:\n      {kind().signature}"
    reference = " ".join(_section(kind, "Reference").split())
    formula = textwrap.indent(_section(kind, "Formula"), "    ")
    return f"{called}\n  {_summary(kind)}\n{formula}\n  {textwrap.shorten(reference, 110, placeholder=' ...')}"


@cli.command("demo")
def demo_command() -> None:
    """Score a bundled example: three streams of scanned pages, cut into documents."""
    from clusterscore.demo import pages

    columns = Columns(element="page", document="stream")
    gold, pred = read_both(pages(), "gold", "predicted", columns)
    card = score(gold, pred)
    click.echo("Three streams of scanned pages. Gold: the document of each page. Predicted: where a program cut.\n")
    click.echo("$ clusterscore score pages.csv --gold gold --pred predicted --element page --document stream\n")
    click.echo(card)
    elm, bcubed = card["elm"], card["bcubed"]
    click.echo(
        f"\nBCubed gives {bcubed.value:.2f}, but every page finds at least itself. Leave that out, and ELM says "
        f"{elm.value:.2f}.\nOf a page's neighbours {elm.precision:.0%} belong with it, and it found {elm.recall:.0%} "
        "of those it belongs with.\n\nThe pages that suffer most, under ELM:\n"
    )
    rows = elements(gold, pred, metric="elm")
    worst = rows["f"].argsort(kind="stable")[:5]
    click.echo(Grid(list(rows), [rows.rows()[k] for k in worst]).to_text())
    click.echo(f"\nThe file: {pages()}")


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


def _as_options(message: str) -> str:
    """A remedy in Python's words, in those of the command line."""
    message = message.replace("noise=[None]", "--noise ''")
    return re.sub(r'\b(missing|noise_as)="(\w+)"( or "(\w+)")?', _option, message)


def _option(found: re.Match[str]) -> str:
    name, first, _, second = found.groups()
    return f"--{name.replace('_', '-')} {first}" + (f" or {second}" if second else "")


def _complain(message: str) -> int:
    click.echo("clusterscore: " + " ".join(message.split()), err=True)
    return 2
