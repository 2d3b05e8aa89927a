"""``clusterscore compare`` and ``report``: several predictions against one gold, in a table or on a page."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from clusterscore.analyses.compare.comparing import compare_options, compare_tables, counted
from clusterscore.analyses.compare.system_results import PAIRS
from clusterscore.analyses.diagnose.losses import scores_elements
from clusterscore.analyses.estimate.estimating import estimate as estimate_whole
from clusterscore.analyses.estimate.gold_sample import DESIGNS
from clusterscore.analyses.request import Request
from clusterscore.analyses.units import UNITS
from clusterscore.command.commands import cli
from clusterscore.command.coref_command import COREF, coref_options, coref_tables
from clusterscore.command.gates import GATES, Gate
from clusterscore.command.group import PRINTING, QUIET, SCORING, Gated, Render, command, element_metric_option, option
from clusterscore.command.inputs import BY, SYSTEMS, Inputs, systems_of
from clusterscore.command.printing import say_dropped, warn
from clusterscore.command.sweep_command import swept
from clusterscore.page.writing import write_report
from clusterscore.show.saving import refuse_overwriting


@command(
    "compare",
    *SYSTEMS,
    *SCORING,
    option("--baseline", "System that the others are compared with (default: the first).", metavar="PRED"),
    option(
        "--unit",
        "What to resample (auto: documents if there are several, otherwise gold clusters).",
        UNITS,
        default="auto",
    ),
    option(
        "--pairs",
        "Test each system against the baseline, or all systems against each other.",
        PAIRS,
        default=PAIRS[0],
    ),
    option("--resamples", "Number of resamples; 0 prints the scores only.", type=click.IntRange(0), default=1000),
    option("--seed", "Random seed; the same seed gives the same numbers.", type=click.IntRange(0), default=0),
    option("--confidence", "Confidence level of the intervals.", type=float, default=0.95),
    *COREF,
    option(
        "--layout",
        "full: a row per score; paper: systems in rows, metrics in columns.",
        ["full", "paper"],
        default="full",
    ),
    option("--intervals", "With --layout paper: print the interval after each score.", is_flag=True),
    *GATES,
    option("--digits", "Decimals in the table (default: 4, or 2 for percentages).", type=click.IntRange(0, 17)),
    *PRINTING,
)
def compare_command(
    metrics: list[str] | None,
    baseline: str | None,
    weights: str | None,
    layout: str,
    intervals: bool,
    **given: Any,
) -> Gated:
    """Compare predictions: which PRED is better, and how certain is that?

    Prints a confidence interval for each score. For each difference from the baseline, prints an interval and the
    p-value of a paired randomization test, with Holm's correction; * marks significant differences. If one file
    contains all columns: clusterscore compare FILE --gold COL --pred COL --pred COL. For coreference: clusterscore
    compare KEY RESPONSE RESPONSE --coref.
    """
    gate = Gate.of(given, percent=given["coreference"] or given["missing"] == "keep")  # as its table is
    how = compare_options(
        *(given.pop(name) for name in ("unit", "average", "resamples", "seed", "confidence", "pairs"))
    )
    if intervals and (layout != "paper" or not how.resamples):
        raise click.UsageError("--intervals is for --layout paper, with resamples; the full layout always shows them")
    mentions = coref_options(given)
    sources = systems_of(**given)
    baseline = _named(baseline, sources)
    if mentions is not None:
        request = Request.of(metrics, counted=True)
        systems = coref_tables(sources, mentions, metrics, weights=weights)
    else:
        request = Request.of(metrics, weights=weights, **sources.policy.options)
        systems = counted(sources.pairs(sources.read()), request, how.unit == "elements")
        for name, table in systems.items():
            say_dropped(table, name)
    comparison = compare_tables(systems, request, how, baseline)
    for warning in comparison.warnings:
        warn(f"warning: {warning}")
    shown = comparison.paper(intervals=intervals) if layout == "paper" else comparison
    scores = {name: {metric: one.score for metric, one in results.items()} for name, results in comparison.items()}
    return gate.passed(shown.pieces, scores, sources.paths)


@command(
    "report",
    *SYSTEMS,
    option("--output -o path", "File to write.", default="report.html", metavar="FILE"),
    option("--title", "Title of the page.", metavar="TEXT"),
    option("--show", "Column to show with each element, such as a name or a text, of GOLD or PRED.", metavar="COL"),
    BY,
    option("--baseline", "System that the others are compared with (default: the first).", metavar="PRED"),
    option(
        "--estimate", "GOLD is a sample drawn in this way: also estimate the overall score.", type=click.Choice(DESIGNS)
    ),
    option(
        "--sweep edges", "Also score every threshold of these scored pairs, or of a linkage (.npy).", metavar="EDGES"
    ),
    *COREF,
    element_metric_option("--element-metric"),
    *SCORING,
    QUIET,
)
def report_command(
    metrics: list[str] | None,
    element_metric: str | None,
    weights: str | None,
    path: str,
    show: str | None,
    by: str | None,
    edges: str | None,
    baseline: str | None,
    estimate: str | None,
    **given: Any,
) -> Render:
    """Write a report about PRED against GOLD: one HTML file that works offline.

    It contains the scores in plain words, compared with trivial clusterings and chance, what went wrong and what each
    kind of error costs, plots, and tables of the 50,000 costliest clusters and elements that you can sort and search.
    Several PRED are compared. If one file contains all columns: clusterscore report FILE --gold COL --pred COL. For
    coreference, with the text of each mention: clusterscore report KEY RESPONSE --coref.
    """
    scores_elements(element_metric).weighed(weights)  # a wrong name is an error before a file is read
    title, average = given.pop("title"), given.pop("average")
    mentions = coref_options(given)
    systems, gold = systems_of(**given), given["gold"]
    policy = systems.policy
    request = Request.of(metrics, weights=weights, **({} if mentions else policy.options), counted=bool(mentions))
    refuse_overwriting(path, [gold, *given["preds"], *filter(None, [edges])])
    groups = texts = None
    if mentions is not None:
        others = {"weights": weights, "show": show, "by": by, "sweep": edges, "estimate": estimate}
        tables = coref_tables(systems, mentions, metrics, **others)
        pairs: dict[str, tuple[Any, Any]] = {name: (table, None) for name, table in tables.items()}
    else:
        found = systems.read(show=show, by=by)
        groups, texts = found.columns.get("by"), found.columns.get("show")
        pairs = systems.pairs(found)
    typed = shlex.join(["clusterscore", *map(_without_folders, click.get_current_context().obj or ())])
    against = Path(gold).name if given["preds"] else f"{given['gold_cluster']} ({Path(gold).name})"
    named = [(Path(file).name, name) for file, name in given["preds"].items()]
    files = [file if name in file else f"{name} ({file})" for file, name in named]
    cuts = None if edges is None else swept(next(iter(pairs.values()))[0], edges, **policy.options)
    how = {"average": average, "show": texts, "by": groups, "sweep": cuts, "title": title}
    how |= {"compared": files or list(given["pred_clusters"]), "against": against}
    how["baseline"] = _named(baseline, systems)
    how["command"] = typed
    how["typed"] = {name: _typed_for(name, systems) for name in pairs}
    how["estimates"] = None
    if estimate is not None:
        sample, preds = next(iter(pairs.values()))[0], {name: pair[1] for name, pair in pairs.items()}
        only = next(iter(preds.values())) if len(preds) == 1 else preds
        how["estimates"] = estimate_whole(sample, only, metrics=metrics, weights=estimate)
    for name, table in write_report(pairs, path, request, element_metric, weights, **how).items():
        say_dropped(table, name if len(pairs) > 1 else "")
    return lambda *_: [str(Path(path))]


def _typed_for(system: str, systems: Inputs) -> str:
    """The files of one system and the options of this run that ``clusterscore clusters`` and ``elements`` take, too."""
    context = click.get_current_context()
    listing = cli.get_command(context, "clusters")
    known = {each.name for each in listing.params} - {"quiet", "strict"} if listing else set()
    pred = systems.preds[system]
    words = [systems.gold.name, *([pred.name] if context.params["preds"] else [])]
    words += ["--pred", str(pred.cluster)] if context.params["pred_clusters"] else []
    for parameter in context.command.params:
        if (
            isinstance(parameter, click.Option)
            and parameter.name in known
            and context.get_parameter_source(parameter.name) is ParameterSource.COMMANDLINE
        ):
            value = context.params[parameter.name]
            for one in value if isinstance(value, tuple) else (value,):
                words += [parameter.opts[0], *([] if parameter.is_flag else [str(one)])]
    return shlex.join(map(_without_folders, words))


def _named(baseline: str | None, systems: Inputs) -> str | None:
    """The system that is meant by its name, or by its file."""
    files = {file.name: name for name, file in systems.preds.items() if file.cluster != name}
    return baseline if baseline is None else files.get(baseline, baseline)


def _without_folders(typed: str) -> str:
    """A word of a command line as a page may show it: whose folders they are is nobody's business."""
    name, equals, path = typed.rpartition("=")
    return f"{name}{equals}{Path(path).name}" if os.path.isabs(path) else typed
