"""``clusterscore metrics``, ``fields``, ``constraints`` and ``demo``: what there is, and what it does."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import takewhile
from typing import Any

import click

from clusterscore.command.group import PRINTING, QUIET, Integer, Render, command, option
from clusterscore.constraints import CASES, CONSTRAINTS, Constraint, matrix, satisfying
from clusterscore.constraints.clusterings import MOST
from clusterscore.constraints.named import GROUPS, constraints_of
from clusterscore.constraints.verdicts import no_counterexample
from clusterscore.fields import current, field, known_fields, using
from clusterscore.metrics import Metric, metric, metrics_of, registered, split_names
from clusterscore.metrics.metric import GROUPS as METRIC_GROUPS
from clusterscore.nouns import NO_CALL, Field, plural
from clusterscore.read.file import File
from clusterscore.read.guess import as_clusterings
from clusterscore.screen import Screen
from clusterscore.show.grid import Grid, as_json
from clusterscore.version import DOCUMENTATION, __version__

_CHECKED = (
    "elm, bcubed, bcubed(f=of-means), adapted_bcubed, pairwise, rand, adjusted_rand, jaccard, fowlkes_mallows, purity, "
    "inverse_purity, nmi, v_measure"
)
_WIDTH = 88  # letters in a line of what a field sets
_NAMES = (
    f"Check only these (repeatable): {', '.join(constraint.name for constraint in CONSTRAINTS)}; or a group: "
    f"{', '.join(GROUPS)}. Default: formal, those of the literature."
)
_SATISFYING = (
    "List only metrics that satisfy all of these, e.g. constant-baseline,monotonicity; clusterscore constraints --list "
    "describes them."
)


@command(
    "metrics",
    click.argument("names", nargs=-1),
    option("--search", "List only metrics whose name or description contains this word.", metavar="WORD"),
    option("--satisfying properties", _SATISFYING, metavar="NAMES", multiple=True),
    PRINTING[0],
    QUIET,
)
def metrics_command(names: tuple[str, ...], search: str | None, properties: tuple[str, ...]) -> Render:
    """List all metrics, or explain those named: formula, range, options, reference.

    A + marks metrics that are defined for overlapping clusters; all others are for partitions.
    """
    kinds = [kind for group in _groups(registered()) for kind in registered() if kind.group == group]
    spoken = current()
    reported = [kind() for kind in kinds] if spoken is None else [metric(name) for name in spoken.measures]
    listed = [metric(name) for name in names] or [
        measure for kind in kinds for measure in reported if type(measure) is kind
    ]
    if search is not None:
        words = " ".join(search.lower().split())
        listed = [measure for measure in listed if words in _searched(type(measure))]
        if not listed:
            raise click.UsageError(
                f"no metric has {search!r} in its name or description; clusterscore metrics lists all"
            )
    wanted = constraints_of([part for text in properties for part in split_names(text)]) if properties else ()
    if wanted:
        with using(NO_CALL):  # the clusterings are ours
            satisfied = satisfying(*wanted, metrics=listed)
        listed = [measure for measure in listed if str(measure) in satisfied]
        if not listed:
            properties_named = ", ".join(constraint.name for constraint in wanted)
            raise click.UsageError(
                f"no metric satisfies {properties_named}; clusterscore constraints METRIC -c all shows why"
            )
    chosen = list(dict.fromkeys(listed))
    rows = (
        {
            "metric": str(measure),
            "group": measure.group,
            "aliases": ", ".join(measure.aliases),
            "overlapping": "yes" if measure.overlapping else "no",
            "what it says": _summary(measure),
            "formula": _section(measure, "Formula"),
            "reference": _section(measure, "Reference"),
            "signature": measure.signature,
        }
        for measure in chosen
    )

    tried = [
        f"{constraint.name}: {no_counterexample(min(constraint.usual, constraint.most))}"
        for constraint in wanted
        if constraint.small is not None
    ]

    def text(screen: Screen) -> str:
        listing = map(_described, chosen) if names else [_in_groups(chosen, screen)]
        return "\n\n".join([*listing, *(["\n".join(tried)] if tried else [])])

    return _listing(rows, text)


def _listing(given: Iterable[Mapping[str, Any]], text: Callable[[Screen], str]) -> Render:
    """Rows in all forms, and as a text for people."""

    def render(form: str, digits: int | None, raw: bool, screen: Screen) -> Iterable[str]:
        if form == "table":
            return [text(screen)]
        rows = list(given)
        if form == "json":
            return [as_json({"rows": rows, "version": __version__}, indent=2)]
        texts = [[", ".join(value) if isinstance(value, list) else value for value in row.values()] for row in rows]
        return Grid(list(rows[0]), texts).pieces(form)

    return render


def _summary(measure: Metric) -> str:
    return (measure.__doc__ or "").partition("\n")[0]


def _bare_summary(measure: Metric) -> str:
    """What it says, without the name that stands before it."""
    summary = _summary(measure)
    name, colon, rest = summary.partition(": ")
    text = rest if colon and len(name) < 40 else summary
    return text[:1].upper() + text[1:]


def _section(measure: Metric, title: str) -> str:
    """The text below one heading of a metric's docstring; that of another package may not have it."""
    below = f"\n{inspect.cleandoc(measure.__doc__ or '')}\n".partition(f"\n{title}:\n")[2].split("\n")
    lines = takewhile(lambda line: not line or line.startswith(" "), below)
    return inspect.cleandoc("\n".join(["", *lines])).strip()


def _searched(kind: type[Metric]) -> str:
    return " ".join([kind.name, kind.name.replace("_", " "), *kind.aliases, *str(kind.__doc__).split()]).lower()


def _groups(kinds: Sequence[Metric | type[Metric]]) -> list[str]:
    """Ours in their order, then those of other packages."""
    return list(dict.fromkeys([*METRIC_GROUPS, *(kind.group for kind in kinds)]))


def _in_groups(measures: Sequence[Metric], screen: Screen) -> str:
    """A heading for every group, and a line for measure of its metrics, which a terminal may cut."""
    parts = []
    for group in _groups(measures):
        inside = [measure for measure in measures if measure.group == group]
        first = max((len(str(measure)) for measure in inside), default=0) + 3
        lines = [f"{'+' if shown.overlapping else ' '} {shown!s:{first}}{_bare_summary(shown)}" for shown in inside]
        if screen.terminal:
            lines = [line if len(line) <= screen.width else f"{line[: screen.width - 3]}..." for line in lines]
        parts += ["\n".join([screen.style(group, "bold"), *lines])] if lines else []
    return "\n\n".join(parts)


def _described(measure: Metric) -> str:
    called = f"{measure} (also {', '.join(measure.aliases)})" if measure.aliases else str(measure)
    called += ", for clusterings that overlap too" if measure.overlapping else ""
    text = textwrap.indent(inspect.cleandoc(measure.__doc__ or "").replace("``", ""), "  ")
    return f"{called}\n\n{text}\n\n  Signature:\n      {measure.signature}"


@command("fields", click.argument("names", nargs=-1, metavar="[FIELD]..."), PRINTING[0])
def fields_command(names: tuple[str, ...]) -> Render:
    """List all fields, or explain those named: words, metrics, conventions, formats and the official scorer.

    A field is one word that sets all of these: clusterscore score GOLD PRED --field page-streams. Options
    that you add take precedence.
    """
    chosen = [field(name) for name in names] or known_fields()
    rows = [
        {
            "field": field.name,
            "about": field.about,
            "element": field.nouns.element[0],
            "cluster": field.nouns.cluster[0],
            "document": field.nouns.document[0],
            "metrics": list(field.measures),
            "average": field.average,
            "percent": field.percent,
            "digits": field.digits,
            "conventions": [f"{name}={value}" for name, value in field.conventions.items()],
            "formats": list(field.formats),
            "scorer": field.scorer,
            "page": field.page,
        }
        for field in chosen
    ]
    return _listing(rows, lambda screen: "\n\n".join(map(_explained, chosen)) if names else _fields_listed(chosen))


def _fields_listed(fields: list[Field]) -> str:
    """A line for each: what it is about, and its words."""
    first = max(len(field.name) for field in fields) + 3
    lines = [f"{field.name:{first}}{field.about}\n{'':{first}}{_words(field)}" for field in fields]
    return "\n\n".join([*lines, "clusterscore fields NAME explains one; --field NAME uses it in every command."])


def _words(field: Field) -> str:
    return ", ".join(several for _, several in field.nouns)


def _explained(field: Field) -> str:
    """Everything that it sets."""
    unit = "in percent" if field.percent else "as fractions"
    measures = ", ".join(f"{label} ({name})" for name, label in field.measures.items())
    conventions = [f"--{name.replace('_', '-')} {value}" for name, value in field.conventions.items()]
    lines = {
        "Words": _words(field),
        "Reports": f"{measures}; {unit}, {plural(field.digits, 'decimal')}",
        "Why": field.why,
        "Average": field.average,
        "Conventions": ", ".join(conventions),
        "Follows from": ", ".join(field.formats),
        "Tried first": ", ".join(field.tried_first),
        "Columns": "; ".join(f"{role}: {', '.join(names)}" for role, names in field.columns.items()),
        "By document": f"a row for each, with fewer than {field.by_document}" if field.by_document else "",
        "Official": field.scorer,
    }
    shown = [
        textwrap.fill(f"{what + ':':14}{text}", _WIDTH, initial_indent="  ", subsequent_indent=" " * 16)
        for what, text in lines.items()
        if text
    ]
    page = f"{DOCUMENTATION}{field.page}.html" if field.page and "://" not in field.page else field.page
    return "\n".join([f"{field.name}: {field.about}", "", *shown, *([f"  Page:         {page}"] if page else [])])


@command(
    "constraints",
    click.argument("metrics", nargs=-1, metavar="[METRIC]..."),
    option("--constraint -c names", _NAMES, metavar="NAME", multiple=True),
    option("--cases", "Try all known cases, or only the examples of the papers.", CASES, default="all"),
    option(
        "--largest",
        "Try all clusterings of up to this many elements (default: 7; properties: 6).",
        type=Integer(2, MOST),
    ),
    option("--list listed", "Describe the constraints without checking anything.", is_flag=True),
    PRINTING[0],
    QUIET,
)
def constraints_command(
    metrics: tuple[str, ...], names: tuple[str, ...], cases: str, largest: int | None, listed: bool
) -> Render:
    """Check metrics against the formal constraints of the literature.

    Each METRIC is a name such as elm or 'bcubed(f=of-means)'. Prints whether each metric satisfies each constraint,
    followed by the smallest example of every violation and every tie.
    """
    chosen = constraints_of([part for text in names for part in split_names(text)] or "formal")
    if listed:
        return _constraints(chosen if names else CONSTRAINTS)
    chosen_field = current()
    usual = (_CHECKED,) if chosen_field is None else tuple(chosen_field.measures)
    chosen_metrics = metrics_of([name for text in metrics or usual for name in split_names(text)])
    with using(NO_CALL):  # the clusterings are ours
        checked = matrix(chosen_metrics, chosen, largest=largest, cases=cases)
    return lambda form, digits, raw, screen: (
        checked.pieces(form) if form in ("json", "csv") else checked.grid(reasons=True).pieces(form, screen=screen)
    )


def _constraints(chosen: Sequence[Constraint]) -> Render:
    rows = [
        {
            "constraint": constraint.name,
            "statement": constraint.statement,
            "cases": constraint.family,
            "reference": constraint.reference,
        }
        for constraint in chosen
    ]
    texts = (
        [constraint.name, constraint.statement, f"Cases: {constraint.family}.", constraint.reference]
        for constraint in chosen
    )
    return _listing(rows, lambda screen: "\n\n".join("\n  ".join(filter(None, lines)) for lines in texts))


@command("demo")
def demo_command() -> Render:
    """Score a bundled example: three streams of scanned pages, cut into documents."""
    from clusterscore.analyses.diagnose.listings import elements  # which the other commands do not need
    from clusterscore.analyses.score.scoring import score
    from clusterscore.demo import pages

    columns = ("gold", "predicted")
    gold, pred = as_clusterings(*(File(pages(), element="page", cluster=name, document="stream") for name in columns))
    card = score(gold, pred)
    elm, bcubed = card["elm"], card["bcubed"]
    text = f"""\
This example has three streams of scanned pages. Gold is the document that each page belongs to;
the prediction is where a program cut the streams.

$ clusterscore score pages.csv --gold gold --pred predicted --element page --document stream

{card}

BCubed is {bcubed.value:.2f}, but it counts that every page finds at least itself. ELM does not, and is {elm.value:.2f}.
On average, {elm.precision:.0%} of the other pages in a page's predicted document belong there (precision),
and a page finds {elm.recall:.0%} of the other pages it belongs with (recall).

The pages that cost most, under ELM:

{elements(gold, pred, metric="elm").worst(5)}

The file: {pages()}"""
    return lambda *_: [text]
