"""``clusterscore compare`` and ``report``: several predictions against one gold, in a table or on a page."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from clusterscore.align.policies import CountOptions
from clusterscore.analyses.compare.comparing import compare
from clusterscore.analyses.diagnose.diagnosis import Diagnosis
from clusterscore.analyses.diagnose.element_texts import joined_texts
from clusterscore.analyses.diagnose.losses import scores_elements
from clusterscore.analyses.estimate.estimating import refuse_with_sample
from clusterscore.analyses.request import Request
from clusterscore.command.commands import cli
from clusterscore.command.gates import CONFIDENT, GATES, SUMMARIZED, Gate
from clusterscore.command.group import (
    CONFIDENCE,
    DIGITS,
    LAYOUT,
    QUIET,
    SCORING,
    SEED,
    Gated,
    Render,
    command,
    element_metric_option,
    option,
    parameters,
)
from clusterscore.command.inputs import BY, COREF, SAMPLE, SHOW, SYSTEMS, FilesOfSystems, sample_of
from clusterscore.command.printing import say_dropped
from clusterscore.command.sweep_command import swept
from clusterscore.page.writing import write_report
from clusterscore.show.saving import refuse_overwriting

_PAIRS = "Test each system against the baseline, or all systems against each other."
_BASELINE = option("--baseline", "System that the others are compared with (default: the first).", metavar="PRED")


@command(
    "compare",
    *SYSTEMS,
    *SCORING,
    _BASELINE,
    *parameters(
        compare,
        unit="What to resample (auto: documents if there are several, otherwise gold clusters).",
        pairs=_PAIRS,
        resamples="Number of resamples; 0 prints the scores only.",
        seed=SEED,
        confidence=CONFIDENCE,
    ),
    COREF,
    LAYOUT,
    option("--intervals", "With --layout paper: print the interval after each score.", is_flag=True),
    *SAMPLE,
    *GATES,
    CONFIDENT,
    DIGITS,
    *SUMMARIZED,
)
def compare_command(layout: str, intervals: bool, **given: Any) -> Gated:
    """Compare predictions: which PRED is better, and how certain is that?

    Prints a confidence interval for each score. For each difference from the baseline, prints an interval and the
    p-value of a paired randomization test, with Holm's correction; * marks significant differences. If one file
    contains all columns: clusterscore compare FILE --gold COL --pred COL --pred COL. For coreference: clusterscore
    compare KEY RESPONSE RESPONSE --coref.
    """
    gate = Gate(given)
    if intervals and (layout != "paper" or not given["resamples"]):
        raise click.UsageError("--intervals is for --layout paper, with resamples; the full layout always shows them")
    sources = FilesOfSystems.several(given)
    given["baseline"] = _named(given["baseline"], sources)
    if (sample := sample_of(sources.gold, given)) is not None:
        refuse_with_sample(layout=None if layout == "full" else layout)
        estimates = compare(sample, sources.preds, **given)
        return gate.passed(estimates.pieces, estimates, sources.paths)
    gold, preds, _ = sources.read()
    comparison = compare(gold, preds, **given)
    for name, facts in comparison.facts.items():
        say_dropped(facts, name)
    shown = comparison.paper(intervals=intervals) if layout == "paper" else comparison
    scores = {
        name: {metric: result.score for metric, result in results.items()} for name, results in comparison.items()
    }
    best = min(comparison, key=lambda name: comparison[name][comparison.metrics[0]].rank)
    counts = {name: given[name] for name in CountOptions.__annotations__ if given.get(name) is not None}
    return gate.passed(
        shown.pieces,
        scores,
        sources.paths,
        comparison.scale,
        comparison=comparison if len(scores) > 1 else None,
        worst={best if len(scores) > 1 else "": partial(Diagnosis.of, gold, preds[best], **counts)},
    )


@command(
    "report",
    *SYSTEMS,
    option("--output -o path", "File to write.", default="report.html", metavar="FILE"),
    option("--title", "Title of the page.", metavar="TEXT"),
    SHOW,
    BY,
    _BASELINE,
    *parameters(compare, pairs=_PAIRS),
    *SAMPLE,
    option(
        "--sweep edges", "Also score every threshold of these scored pairs, or of a linkage (.npy).", metavar="EDGES"
    ),
    COREF,
    element_metric_option("--element-metric"),
    *SCORING,
    QUIET,
)
def report_command(
    metrics: list[str] | None, element_metric: str | None, weights: str | None, path: str, **given: Any
) -> Render:
    """Write a report about PRED against GOLD: one HTML file that works offline.

    It contains the scores in plain words, compared with trivial clusterings and chance, what went wrong and what each
    kind of error costs, plots, and tables of the 50,000 costliest clusters and elements that you can sort and search.
    Several PRED are compared. If one file contains all columns: clusterscore report FILE --gold COL --pred COL. For
    coreference, with the text of each mention: clusterscore report KEY RESPONSE --coref.
    """
    scores_elements(element_metric).weighed(weights)  # a wrong name is an error before a file is read
    sources = FilesOfSystems.several(given)
    how: dict[str, Any] = {name: given.pop(name) for name in ("title", "average", "baseline")}
    how |= {"baseline": _named(how["baseline"], sources), "tested": given.pop("pairs")}
    refuse_overwriting(path, [*sources.paths, *filter(None, [given["edges"]])])
    show, by = given.pop("show"), given.pop("by")
    edges, sample = given.pop("edges"), sample_of(sources.gold, given)
    request = Request.of(metrics, weights=weights, **given)
    gold: Any = sample
    preds: Mapping[str, Any] = sources.preds
    values: dict[str, Any] = {}
    texts: dict[str, Any] = {}
    if sample is None or show or by:
        whole, preds, values, texts = sources.read_texts(show, by=by)
        gold = sample or whole
    pairs = {name: (gold, pred) for name, pred in preds.items()}
    how |= {"show": joined_texts(list(texts.values())), "by": values.get("by")}
    policies = {name: given[name] for name in ("missing", "noise", "noise_as", "background") if name in given}
    how["sweep"] = None if edges is None else swept(gold, edges, **policies)
    against = Path(sources.gold.name).name
    if sources.in_one_file:
        against, compared = f"{sources.gold.cluster} ({against})", list(sources.preds)
    else:
        named = [(Path(file.name).name, name) for name, file in sources.preds.items()]
        compared = [file if name in file else f"{name} ({file})" for file, name in named]
    typed = shlex.join(["clusterscore", *map(_without_folders, click.get_current_context().obj or ())])
    how |= {"compared": compared, "against": against, "command": typed}
    how["typed"] = {name: _typed_for(name, sources) for name in pairs}
    for name, table in write_report(pairs, path, request, element_metric, **how).items():
        say_dropped(table, name if len(pairs) > 1 else "")
    return lambda *_: [str(Path(path))]


def _typed_for(system: str, systems: FilesOfSystems) -> str:
    """The files of one system and the options of this run that ``clusterscore clusters`` and ``elements`` take, too."""
    context = click.get_current_context()
    listing = cli.get_command(context, "clusters")
    known = {parameter.name for parameter in listing.params} - {"quiet", "strict"} if listing else set()
    pred = systems.preds[system]
    words = [systems.gold.name, *(["--pred", str(pred.cluster)] if systems.in_one_file else [pred.name])]
    for parameter in context.command.params:
        if (
            isinstance(parameter, click.Option)
            and parameter.name in known
            and context.get_parameter_source(parameter.name) is ParameterSource.COMMANDLINE
        ):
            value = context.params[parameter.name]
            for word in value if isinstance(value, tuple) else (value,):
                words += [parameter.opts[0], *([] if parameter.is_flag else [str(word)])]
    return shlex.join(map(_without_folders, words))


def _named(baseline: str | None, systems: FilesOfSystems) -> str | None:
    """The system that is meant by its name, or by its file."""
    files = {file.name: name for name, file in systems.preds.items() if file.cluster != name}
    return baseline if baseline is None else files.get(baseline, baseline)


def _without_folders(typed: str) -> str:
    """A word of a command line as a page may show it: whose folders they are is nobody's business."""
    name, equals, path = typed.rpartition("=")
    return f"{name}{equals}{Path(path).name}" if os.path.isabs(path) else typed
