"""Writing the page: one file with everything in it, which loads nothing and runs nothing but its own script."""

from __future__ import annotations

import os
from base64 import b64encode
from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import cache
from hashlib import sha256
from importlib import import_module
from itertools import chain
from pathlib import Path
from shlex import quote
from typing import Any, NamedTuple

import numpy as np

from clusterscore.align.policies import check_options
from clusterscore.analyses.compare.comparing import (
    compare_options,
    compare_tables,
    counted,
    in_same_documents,
    known_baseline,
    named_pairs,
    systems_by_name,
)
from clusterscore.analyses.compare.comparison import Comparison
from clusterscore.analyses.diagnose.losses import KINDS, ONE_SIDED, scores_elements
from clusterscore.analyses.estimate.estimates import Estimates
from clusterscore.analyses.estimate.estimating import (
    CountedSample,
    count_systems,
    estimable,
    estimate_options,
    estimates_of,
    refuse_with_sample,
)
from clusterscore.analyses.request import Request
from clusterscore.analyses.sweep.sweep_result import Sweep
from clusterscore.count.counting import as_table
from clusterscore.count.table import Table
from clusterscore.exceptions import FileError, InputError, InputTypeError, heard
from clusterscore.fields import current
from clusterscore.messages import Option, visible
from clusterscore.metrics import Metric
from clusterscore.nouns import PLAIN, noun
from clusterscore.page.contents import contents
from clusterscore.page.display_names import explanation, label, measure, shown_score
from clusterscore.page.figures import compared_figures, swept, system_figures
from clusterscore.page.findings import Prediction, findings, headline, sampled_findings, template
from clusterscore.page.strip_lines import strip_lines
from clusterscore.page.verdict import best_system
from clusterscore.plot.canvas import check_installed
from clusterscore.progress import say, step
from clusterscore.read.guess import are_systems, as_clusterings, files_of
from clusterscore.read.sample import Sample
from clusterscore.requirements import check_version
from clusterscore.show.description import scale_of
from clusterscore.show.saving import refuse_overwriting, write_file
from clusterscore.version import __version__

_DRAWS = 100_000_000  # elements, drawn again and again: so many in all to compare systems
_MOST_DRAWS, _FEWEST_DRAWS = 1000, 100
_SECONDS, _BYTES = (3e-6, 4e-6), (180, 60)  # of an element and of a cluster; on two cores of 2023
_LONG, _MUCH = 60, 2  # seconds and GB that are worth a line
ONE = "prediction"
_SCRIPTS = ("system.js", "table.js", "views.js", "documents.js", "plots.js", "start.js")


def write_report(
    pairs: Mapping[str, tuple[Any, Any]],
    path: str | os.PathLike[str],
    request: Request,
    metric: str | Metric | None,
    *,
    average: str,
    show: Any,
    by: Any,
    sweep: Sweep | None,
    baseline: str | None,
    title: str | None,
    compared: list[str],
    against: str = "gold",
    command: str | None = None,
    typed: Mapping[str, str] | None = None,
) -> dict[str, Table]:
    """Count some systems, each with its gold, and write their page; ``metric`` is what elements are scored with.

    ``typed`` are the files and options of each system, as another command line takes them.
    """
    weights = request.weights or request.options.get("weights")
    scores_elements(metric).weighed(weights)
    if sweep is not None and not isinstance(sweep, Sweep):
        raise InputTypeError(f"sweep is a {type(sweep).__name__}; pass the result of cs.sweep(gold, ...)")
    check_installed("a report is", "jinja2", "matplotlib")
    check_version("jinja2", import_module("jinja2").__version__)
    where = _writable(path)
    check_options(request.options)
    sides = [side.gold if isinstance(side, Sample) else side for side in chain(*pairs.values())]
    refuse_overwriting(where, files_of(sides))
    if baseline is not None and len(pairs) == 1:
        raise InputError(Option("baseline"), " is for several systems, and there is one")
    sample = next(iter(pairs.values()))[0]
    if isinstance(sample, Sample):
        refuse_with_sample(by=by, average=None if average == "micro" else average, weights=weights)
        if sweep is not None and sweep.sample is None:
            raise InputError("the sweep was made with gold that is no sample; pass the same Sample to cs.sweep")
        seen = _seen_by_estimate(sample, {name: pred for name, (_, pred) in pairs.items()}, request, metric, baseline)
    else:
        seen = _seen(pairs, request, metric, weights, average, by, baseline)
    predictions, request, comparison, sampled, estimates = seen
    if show is not None:
        for prediction in predictions:
            gold = pairs[prediction.name][0]
            prediction.show(show, gold.gold if isinstance(gold, Sample) else gold)
    first, field, count = predictions[0], current(), len(predictions)
    title = title or f"{'clustering' if field is None else field.name.replace('-', ' ')} report".capitalize()
    systems = []
    for k, prediction in enumerate(predictions):
        if sampled is None or estimates is None:
            system = findings(prediction, request, average, count)
            system["strips"] = strip_lines(prediction, first.table.documents)
        else:
            system = {**sampled_findings(prediction, sampled, request.metrics, estimates), "strips": None}
        system["figures"] = system_figures(prediction, system["card"], k, count)
        named = None if typed is None else typed[prediction.name]
        listed = ["clusters"] if prediction.cell is None else ["clusters", "elements"]
        system["all_rows"] = {what: _all_rows(what, prediction, named, request) for what in listed}
        systems.append(system)
    cards = {system["name"]: system["card"] for system in systems}
    head, best, figures, both = systems[0]["head"]["name"], None, [], comparison or estimates
    if both is not None and count > 1:
        best, figures = best_system(both, head), compared_figures(both, cards, head)
    with step("writing"):
        lines = sorted(systems[0]["lines"], key=lambda line: line is not systems[0]["main"])  # the main one first
        lists = contents(predictions, list(cards.values()), [line["name"] for line in lines])
        measures = [
            {"name": line["heading"], "words": explanation(line["name"]), "smaller": line["perfect"] == 0}
            for line in lines
        ]
        kinds = KINDS if first.losses.causes is None else (*KINDS, *ONE_SIDED)
        data: dict[str, Any] = {"title": title, "kinds": kinds, "measures": measures, "systems": list(cards)}
        data["scale"] = scale_of(field)
        data["nouns"] = {word: noun(word) for words in PLAIN for word in words}
        data["baseline"] = 0 if comparison is None else list(cards).index(comparison.baseline)
        script = "const PAGE = JSON.parse(document.getElementById('page').textContent);\n"
        script += "\n".join(map(template, _SCRIPTS))
        page = _page().render(
            title=title,
            compared=compared,
            against=against,
            systems=systems,
            comparison=comparison,
            best=best,
            figures=figures,
            swept=None if sweep is None else swept(sweep),
            estimates=estimates,
            metric=first.metric,
            counted=first.losses.scores.tp is not None,
            overlapping=any(prediction.table.overlapping for prediction in predictions),
            mentions=first.table.mentions is not None,
            remarks=first.diagnosis.remarks,
            sliced=by is not None,
            average=average,
            data=data,
            lists=lists,
            script=script,
            allowed=b64encode(sha256(script.encode()).digest()).decode("ascii"),
            style=template("page.css"),
            version=__version__,
            written=datetime.now().astimezone().strftime("%d %B %Y, %H:%M").removeprefix("0"),
            command=command,
            doubts=heard(),
        )
        write_file(where, page.encode("utf-8", "replace"))
    tables = {prediction.name: prediction.table for prediction in predictions}
    return {name: tables[name] for name in pairs}


class Seen(NamedTuple):
    """The systems of a page, the best first, what they are scored with, and how they compare."""

    predictions: list[Prediction]
    request: Request
    comparison: Comparison | None = None
    sampled: CountedSample | None = None  # where gold is a sample
    estimates: Estimates | None = None


def _seen(
    pairs: Mapping[str, tuple[Any, Any]],
    request: Request,
    metric: str | Metric | None,
    weights: Any,
    average: str,
    by: Any,
    baseline: str | None,
) -> Seen:
    """The systems of a page, each counted with its gold."""
    if list(pairs) == [ONE]:
        tables = {ONE: as_table(*pairs[ONE], members=True, by=by, **request.options)}
    else:
        tables = in_same_documents(counted(pairs, request, members=True, by=by), average)
    _say_effort(tables.values())
    decisive = next((table for table in tables.values() if table.overlapping), next(iter(tables.values())))
    chosen = scores_elements(metric, decisive).weighed(weights)[0]
    predictions = [Prediction(name, table, chosen) for name, table in tables.items()]
    request = request.resolved(*tables.values())
    if str(predictions[0].metric) not in map(str, request.metrics):
        request = request._replace(metrics=[predictions[0].metric, *request.metrics])
    comparison = _comparison(tables, request, average, baseline) if len(tables) > 1 else None
    if comparison is not None:
        head = headline(request.metrics, predictions[0].metric)
        predictions.sort(key=lambda prediction: comparison[prediction.name][head].rank)
    return Seen(predictions, request, comparison)


def _seen_by_estimate(
    sample: Sample, systems: Mapping[str, Any], request: Request, metric: str | Metric | None, baseline: str | None
) -> Seen:
    """The systems of a page, by the gold clusters of a sample."""
    main = scores_elements(metric)
    metrics = estimable(None if request.default else request.metrics)
    if main not in metrics:
        metrics = [main, *metrics]
    refuse_with_sample(**{name: value for name, value in request.options.items() if name != "missing"})
    first = next(iter(systems)) if baseline is None else known_baseline(baseline, systems)
    sampled = count_systems(sample, {first: systems[first], **systems}, request.options.get("missing"))
    estimates = estimates_of(sampled, metrics, estimate_options())
    predictions = [Prediction(name, table, main, sampled) for name, table in sampled.tables.items()]
    head = headline(metrics, main)
    predictions.sort(key=lambda prediction: -estimates.systems[prediction.name][head].value)
    return Seen(predictions, request._replace(metrics=metrics), None, sampled, estimates)


def pairs_of(gold: Any, pred: Any) -> dict[str, tuple[Any, Any]]:
    """The systems that a user handed over, each with its gold: one prediction, or several by name."""
    if isinstance(gold, Sample):
        systems = systems_by_name(pred) if are_systems(pred) else {ONE: pred}
        return {name: (gold, own) for name, own in systems.items()}
    tables = isinstance(gold, Mapping) and gold and all(isinstance(value, Table) for value in gold.values())
    by_name = isinstance(pred, Mapping) and any(isinstance(value, Table) for value in pred.values())
    if tables if pred is None else by_name or are_systems(pred):
        return named_pairs(gold, pred)
    return {ONE: (gold, pred) if isinstance(gold, Table) else as_clusterings(gold, pred)}


def _comparison(tables: dict[str, Table], request: Request, average: str, baseline: str | None) -> Comparison:
    first, elements = next(iter(tables.values())), max(table.elements for table in tables.values())
    resamples = int(np.clip(_DRAWS // max(elements, 1), _FEWEST_DRAWS, _MOST_DRAWS))
    apart = any(any(table.one_sided) for table in tables.values())  # such elements belong to no gold clusters of both
    if len(first.documents) == 1 and (average != "micro" or first.number("gold") == 1 or apart):
        resamples = 0  # there is one of what could be drawn again
    with step("comparing"):
        return compare_tables(tables, request, compare_options("auto", average, resamples, 0, 0.95), baseline)


def _all_rows(what: str, prediction: Prediction, typed: str | None, request: Request) -> str:
    """How one gets all "clusters" or "elements", of which the page lists some: a command, or a call."""
    table, metric = prediction.table, str(prediction.metric)
    default = metric == str(scores_elements(None, table).on(table))
    if typed is not None:
        return f"clusterscore {what} {typed}{'' if default else f' --metric {quote(metric)}'} --format csv"
    given = {name: repr(value) if isinstance(value, str | int) else name for name, value in request.options.items()}
    options = {**({} if default else {"metric": repr(metric)}), **given}
    both = "table" if table.members is None or table.mentions is not None else "gold, pred"
    if prediction.diagnosis.stands_for is not None:
        both = "sample, pred"
    return f"cs.{what}({', '.join([both, *(f'{name}={value}' for name, value in options.items())])}).to_csv()"


def _say_effort(tables: Iterable[Table]) -> None:
    """A line before a run that takes more than a minute, or more memory than many have to spare."""
    known = [table for table in tables if table.members is not None]
    elements = sum(table.elements for table in known)
    clusters = sum(table.number("gold") + table.number("pred") for table in known)
    seconds = _SECONDS[0] * elements + _SECONDS[1] * clusters
    memory = (_BYTES[0] * elements + _BYTES[1] * clusters) / 1e9
    if seconds > _LONG or memory > _MUCH:
        say(
            f"{elements:,} {noun('elements')} in {clusters:,} {noun('clusters')}: this takes about "
            f"{max(round(seconds / 60), 1)} min and {memory:.0f} GB of memory"
        )


def _writable(path: str | os.PathLike[str]) -> Path:
    """Where the page goes; what is wrong with that is reported before the work, not after it."""
    try:
        where = Path(path)
    except TypeError:
        raise InputTypeError(f"path={path!r} is a {type(path).__name__}, not a path") from None
    if where.suffix.lower() not in ("", ".html", ".htm"):
        raise FileError(
            f"{where}: a report is an HTML page; name it {where.with_suffix('.html').name}"
            + ("; you can print it as PDF from a browser" if where.suffix.lower() == ".pdf" else "")
        )
    if where.is_dir():
        raise FileError(f"{where} is a folder; name a file in it, such as {where / 'report.html'}")
    if not where.parent.is_dir():
        raise FileError(f"{where}: no folder {where.parent}; create it first")
    return where


@cache
def _page() -> Any:
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    environment = Environment(
        loader=FunctionLoader(template),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=lambda value: visible(value) if type(value) is str else value,  # what is Markup is ours
    )
    environment.policies["json.dumps_kwargs"] = {"allow_nan": False, "separators": (",", ":")}
    environment.filters |= {"number": _number, "label": label, "measure": measure, "score": shown_score}
    environment.filters["count"] = "{:,}".format
    environment.globals["noun"] = noun
    return environment.get_template("page.html")


def _number(value: float | None, digits: int = 4) -> str:
    """What is no score: a p-value, or how far something is from chance."""
    return "" if value is None else f"{value:.{digits}f}".replace("-", "−")
