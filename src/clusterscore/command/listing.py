"""``clusterscore metrics`` and ``clusterscore demo``."""

from __future__ import annotations

import inspect
import textwrap

import click

from clusterscore.command.group import cli, format_option
from clusterscore.command.printing import write_out
from clusterscore.metrics import DEFAULT_SET, Metric, metric, registered, split_names
from clusterscore.pipeline import elements, score
from clusterscore.read.columns import ColumnNames
from clusterscore.read.files import read_both
from clusterscore.show import Grid
from clusterscore.show.escapes import as_json


@cli.command("metrics")
@click.argument("names", nargs=-1)
@format_option
def metrics_command(names: tuple[str, ...], form: str) -> None:
    """List all metrics with formula and reference, or tell all about those named."""
    chosen = [type(metric(name)) for name in names] or _in_order()
    if form == "table":
        write_out("\n\n".join(_described(kind, everything=bool(names)) for kind in chosen))
        return
    rows = [[kind.name, ", ".join(kind.aliases), _summary(kind), _section(kind, "Formula"), _section(kind, "Reference")]
            for kind in chosen]  # fmt: skip
    headings = ["metric", "aliases", "what it says", "formula", "reference"]
    if form == "json":
        write_out(as_json([dict(zip(headings, row, strict=True)) for row in rows], indent=2), form)
    else:
        write_out(Grid(headings, rows).render(form), form)


def _in_order() -> list[type[Metric]]:
    kinds = {kind.name: kind for kind in registered()}
    return [kinds[name] for name in dict.fromkeys([*split_names(DEFAULT_SET), *kinds])]


def _summary(kind: type[Metric]) -> str:
    return (kind.__doc__ or "").partition("\n")[0]


def _section(kind: type[Metric], title: str) -> str:
    """The text below one heading of a metric's docstring."""
    lines = inspect.cleandoc(kind.__doc__ or "").split("\n")
    start = lines.index(f"{title}:") + 1
    end = next((k for k in range(start, len(lines)) if lines[k] and not lines[k].startswith(" ")), len(lines))
    return inspect.cleandoc("\n".join(["", *lines[start:end]])).strip()


def _described(kind: type[Metric], everything: bool) -> str:
    called = f"{kind.name} (also {', '.join(kind.aliases)})" if kind.aliases else kind.name
    if everything:
        text = textwrap.indent(inspect.cleandoc(kind.__doc__ or ""), "  ")
        return f"{called}\n\n{text}\n\n  Signature:\n      {kind().signature}"
    reference = " ".join(_section(kind, "Reference").split())
    formula = textwrap.indent(_section(kind, "Formula"), "    ")
    return f"{called}\n  {_summary(kind)}\n{formula}\n  {textwrap.shorten(reference, 110, placeholder=' ...')}"


@cli.command("demo")
def demo_command() -> None:
    """Score a bundled example: three streams of scanned pages, cut into documents."""
    from clusterscore.demo import pages

    columns = ColumnNames(element="page", document="stream")
    gold, pred = read_both(pages(), "gold", "predicted", columns)
    card = score(gold, pred)
    write_out("Three streams of scanned pages. Gold: the document of each page. Predicted: where a program cut.\n")
    write_out("$ clusterscore score pages.csv --gold gold --pred predicted --element page --document stream\n")
    write_out(str(card))
    elm, bcubed = card["elm"], card["bcubed"]
    write_out(
        f"\nBCubed gives {bcubed.value:.2f}, but every page finds at least itself. Leave that out, and ELM says "
        f"{elm.value:.2f}.\nOf a page's neighbours {elm.precision:.0%} belong with it, and it found {elm.recall:.0%} "
        "of those it belongs with.\n\nThe pages that suffer most, under ELM:\n"
    )
    write_out(str(elements(gold, pred, metric="elm").worst(5)))
    write_out(f"\nThe file: {pages()}")
