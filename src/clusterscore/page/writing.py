"""Writing the page: one file with everything in it, which loads nothing and runs nothing but its own script."""

from __future__ import annotations

import os
from base64 import b64encode
from collections.abc import Mapping
from datetime import datetime
from functools import cache
from hashlib import sha256
from importlib import import_module
from itertools import chain
from pathlib import Path
from shlex import quote
from typing import Any

import numpy as np

from clusterscore.align.policies import check_options
from clusterscore.analyses.diagnose.element_texts import element_texts
from clusterscore.analyses.diagnose.losses import KINDS, ONE_SIDED, scores_elements
from clusterscore.analyses.estimate.estimating import refuse_with_sample
from clusterscore.analyses.request import Request
from clusterscore.analyses.sweep.sweep_result import Sweep
from clusterscore.count.table import Table
from clusterscore.exceptions import FileError, InputError, InputTypeError, a_type, heard
from clusterscore.fields import current
from clusterscore.messages import Option, visible
from clusterscore.metrics import Metric
from clusterscore.nouns import PLAIN, in_use, noun
from clusterscore.page.contents import contents, lists_all
from clusterscore.page.described import described
from clusterscore.page.display_names import explanation, label, measure, spell
from clusterscore.page.figures import compared_figures, swept, system_figures
from clusterscore.page.findings import Prediction, findings, sampled_findings, template
from clusterscore.page.ranked_systems import lead_of, seen_by_estimate, seen_with_gold
from clusterscore.page.strip_lines import strip_lines
from clusterscore.page.verdict import ClusterLinks, best_system
from clusterscore.plot.canvas import check_installed
from clusterscore.plot.systems import under
from clusterscore.progress import step
from clusterscore.read.guess import files_of
from clusterscore.read.sample import Sample
from clusterscore.requirements import check_version
from clusterscore.show.in_words import share, shown_score
from clusterscore.show.saving import refuse_overwriting, write_file
from clusterscore.version import __version__

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
    tested: str = "baseline",
) -> dict[str, Table]:
    """Count some systems, each with its gold, and write their page; ``metric`` is what elements are scored with.

    ``tested`` are the systems that are compared: each with the baseline, or "all" with each other.
    ``typed`` are the files and options of each system, as another command line takes them.
    """
    weights = request.weights or request.options.get("weights")
    scores_elements(metric).weighed(weights)
    if sweep is not None and not isinstance(sweep, Sweep):
        raise InputTypeError(f"sweep is {a_type(sweep)}; pass what cs.sweep returns for a linkage or edges")
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
        whole = {"average": (average, "micro"), "pairs": (tested, "baseline")}
        given = {name: value for name, (value, usual) in whole.items() if value != usual}
        refuse_with_sample(by=by, weights=weights, **given)
        if sweep is not None and sweep.sample is None:
            raise InputError("the sweep was made with gold that is no sample; pass the same Sample to cs.sweep")
        seen = seen_by_estimate(sample, {name: pred for name, (_, pred) in pairs.items()}, request, metric, baseline)
    else:
        seen = seen_with_gold(pairs, request, metric, weights, average, by, baseline, tested)
    predictions, request, comparison, sampled, estimates = seen
    if show is not None:
        for prediction in predictions:
            texts = element_texts(prediction.diagnosis, show, pairs[prediction.name][0])
            prediction.texts = np.array([spell(text) for text in texts.tolist()], object)
    first, field, count = predictions[0], current(), len(predictions)
    title = title or (
        f"{'clustering' if field is None else field.name.replace('-', ' ').removesuffix('s')} report".capitalize()
    )
    systems = []
    for k, prediction in enumerate(predictions):
        if sampled is None or estimates is None:
            assert comparison is not None
            system = findings(prediction, request, average, count, comparison)
            system["strips"] = strip_lines(prediction, first.table.documents)
        else:
            system = {**sampled_findings(prediction, sampled, request.metrics, estimates), "strips": None}
        system["figures"] = system_figures(prediction, system["card"], k, count)
        named = None if typed is None else typed[prediction.name]
        listed = ["clusters"] if prediction.cell is None else ["clusters", "elements"]
        system["all_rows"] = {what: _all_rows(what, prediction, named, request) for what in listed}
        links = ClusterLinks(
            k, [side for side in system["listed"] if lists_all(prediction.table, side)], system["sampled"]
        )
        system["worst"], system["patterns"] = (
            list(map(linked, system[name])) for name, linked in (("worst", links.worst), ("patterns", links.charged))
        )
        systems.append(system)
    cards = {system["name"]: system["card"] for system in systems}
    head, best, figures, both = systems[0]["head"]["name"], None, [], comparison or estimates
    rival = first.name
    if both is not None and count > 1:
        values = {system["name"]: system["head"]["score"].value for system in systems}
        best = best_system(lead_of(seen, head, values, average), values, head)
        rival = predictions[1].name if baseline in (None, first.name) else baseline
        figures = compared_figures(both, cards, head, rival)
    with step("writing"):
        lines = systems[0]["lines"]
        smaller = {line["name"]: line["perfect"] == 0 for line in lines}
        lists = contents(predictions, list(cards.values()), smaller)
        measures = [
            {"name": line["heading"], "words": explanation(line["name"]), "smaller": smaller[line["name"]]}
            for line in lines
        ]
        kinds = [*KINDS, *(name for name in ONE_SIDED if name in first.losses.causes)]
        data: dict[str, Any] = {"title": title, "kinds": kinds, "measures": measures, "systems": list(cards)}
        data["scale"] = in_use.get().scale
        data["nouns"] = {word: noun(word) for words in PLAIN for word in words}
        data["rival"] = list(cards).index(rival)  # of the best
        script = "const PAGE = JSON.parse(document.getElementById('page').textContent);\n"
        script += "\n".join(map(template, _SCRIPTS))
        page = _page().render(
            title=title,
            compared=compared,
            against=against,
            systems=systems,
            comparison=comparison,
            shown={} if both is None else {name: under(both, name) for name in both.metrics},
            described=[] if both is None or count == 1 else described(both),
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


def _writable(path: str | os.PathLike[str]) -> Path:
    """Where the page goes; what is wrong with that is reported before the work, not after it."""
    try:
        where = Path(path)
    except TypeError:
        raise InputTypeError(f"path={path!r} is {a_type(path)}, not a path") from None
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
    environment.filters |= {"label": label, "measure": measure, "score": shown_score}
    environment.filters |= {"count": "{:,}".format, "share": share}
    environment.globals["noun"] = noun
    return environment.get_template("page.html")
