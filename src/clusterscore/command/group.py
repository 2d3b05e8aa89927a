"""How a subcommand is made, and the options that several of them have."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from inspect import signature
from typing import Any, Literal, NamedTuple, get_args, get_origin, get_type_hints

import click
from click.core import ParameterSource

from clusterscore.aggregate import AVERAGES
from clusterscore.analyses.diagnose.losses import scores_elements
from clusterscore.command.commands import cli, example
from clusterscore.command.printing import prepared, send_out, warn
from clusterscore.exceptions import ClusterscoreWarning, MetricError, listening, nearest
from clusterscore.fields import field as known_field
from clusterscore.fields import using
from clusterscore.metrics import metric, split_names
from clusterscore.metrics.metric import METRICS
from clusterscore.metrics.registry import with_option
from clusterscore.progress import shown, step
from clusterscore.screen import Screen
from clusterscore.show.grid import FORMS

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]
# what a subcommand returns: its result in a form, with decimals, raw or not, for a screen, in pieces
Render = Callable[[str, int | None, bool, Screen], Iterable[str]]


class Word(click.Choice[str]):
    """One of some words; where another is typed, the nearest is named."""

    def get_invalid_choice_message(self, value: Any, ctx: click.Context | None) -> str:
        """What is wrong, and what may have been meant."""
        hint = nearest(str(value), self.choices)
        text = super().get_invalid_choice_message(value, ctx)
        return f"{text.rstrip('.')}; {hint}" if hint.startswith("did") else text


class Integer(click.IntRange):
    """An integer in a range, which errors and help call an integer, not an "integer range"."""

    name = "integer"


class Number(click.FloatRange):
    """A number in a range."""

    name = "number"


def option(names: str, text: str, choice: Sequence[str] | None = None, **settings: Any) -> Decorator:
    """An option by its names, with the text that explains it, and the words that it takes."""
    if choice is not None:
        settings["type"] = Word(choice)
    return click.option(*names.split(), help=text, **settings)


def column_option(names: str, text: str, **settings: Any) -> Decorator:
    """An option that names a column."""
    return option(names, text, metavar="COL", **settings)


def parameters(function: Callable[..., Any], **texts: str) -> tuple[Decorator, ...]:
    """Options that are parameters of a public function, by their names there, with the texts that explain them.

    Their defaults, the words that they take and their types are those of the function; a text names a column.
    """
    declared, hints = signature(function).parameters, get_type_hints(function)
    return tuple(
        option(f"--{name.replace('_', '-')}", text, **_settings(declared[name].default, hints[name]))
        for name, text in texts.items()
    )


def _settings(default: Any, hint: Any) -> dict[str, Any]:
    words = [word for kind in (hint, *get_args(hint)) if get_origin(kind) is Literal for word in get_args(kind)]
    if words:
        return {"choice": words, "default": default}
    if isinstance(default, bool):
        return {"is_flag": True, "default": default}
    if isinstance(default, int | float):
        return {"type": Integer(0) if isinstance(default, int) else float, "default": default}
    return {"metavar": "COL", "default": default}


def _complete(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    """The names of metrics that begin so, for a shell."""
    from clusterscore.metrics import registered

    return [kind.name for kind in registered() if kind.name.startswith(incomplete)]


_NAMES: dict[str, Any] = {"multiple": True, "shell_complete": _complete}


def metrics_option(text: str) -> Decorator:
    """``--metrics``: a list of names, or None; a wrong name is an error before a file is read."""
    return option("--metrics --metric -m metrics", text, metavar="NAMES", callback=_metric_names, **_NAMES)


def element_metric_option(names: str) -> Decorator:
    """An option that names one metric, or None: one that scores elements."""
    text = "Metric for elements (default: elm; matched_elm if clusters overlap; b3 for coreference)."
    return option(names, text, metavar="NAME", callback=_element_metric, **_NAMES)


def _metric_names(context: Any, parameter: Any, texts: tuple[str, ...]) -> list[str] | None:
    names = [name for text in texts for name in split_names(text)]
    if texts and not names:
        raise MetricError(f"{parameter.opts[0]} is empty; name at least one metric, such as elm, or leave it out")
    for name in names:
        metric(name)
    return names or None


def _element_metric(context: Any, parameter: Any, texts: tuple[str, ...]) -> str | None:
    names = _metric_names(context, parameter, texts) or []
    if len(names) > 1:
        raise MetricError(f"{parameter.opts[0]} takes one metric here, not {len(names)}: {', '.join(names)}")
    for name in names:
        scores_elements(name)
    return names[0] if names else None


AVERAGE = option(
    "--average",
    "micro pools all documents, macro averages over them, weighted weights them by size.",
    AVERAGES,
    default="micro",
)
SCORING = (
    metrics_option("Metrics, e.g. -m 'elm, bcubed(beta=2)'; clusterscore metrics lists all."),
    AVERAGE,
    option(
        "--weights",
        "Weight elements by their gold cluster: class gives every cluster the same weight.",
        ["class", "effective"],
    ),
)
SEED = "Random seed; the same seed gives the same numbers."
CONFIDENCE = "Confidence level of the intervals."
DIGITS = option("--digits", "Decimals in the table (default: 4, or 2 for percentages).", type=Integer(0, 17))
LAYOUT = option(
    "--layout",
    "full: a row per score; paper: systems in rows, metrics in columns.",
    ["full", "paper"],
    default="full",
)
QUIET = option("--quiet -q", "Do not show progress on the terminal.", is_flag=True)
FIELD = option(
    "--field",
    "What the data is, such as page-streams: sets words, metrics and conventions; clusterscore fields lists all.",
    metavar="NAME",
)
STRICT = option("--strict", "Treat doubts about the input as errors, not as warnings.", is_flag=True)


def printing(*more: str) -> tuple[Decorator, ...]:
    """How a result is printed, in all formats and some more."""
    return (
        option("--format form", "Output format.", [*FORMS, *more], default="table"),
        option("--raw", "CSV and Markdown: do not escape formulas and links in names.", is_flag=True),
        QUIET,
    )


PRINTING = printing()


class Gated(NamedTuple):
    """What a command prints, and why it fails all the same."""

    render: Render
    failures: list[str]


_ELSEWHERE = {  # what other programs call an option, and what to do here
    **{form: f"write --format {form}" for form in ("json", "csv", "latex", "markdown")},
    **dict.fromkeys(("id", "ids", "id-column", "key"), "write --element COL"),
    **dict.fromkeys(("column", "label", "labels", "cluster-column"), "write --cluster COL"),
    **{f"{side}-{what}": f"write --{side} COL" for side in ("gold", "pred") for what in ("column", "col", "label")},
    **dict.fromkeys(("sep", "separator", "delimiter"), "leave it out, the separator of columns is recognized"),
    **dict.fromkeys(("output", "out"), "write > FILE after the command"),
}


class Subcommand(click.Command):
    """One whose errors say what to write instead."""

    allow_extra_args = True  # which are refused here

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse what is typed; an option of a metric is an error that says where it goes."""
        usage = " ".join([ctx.command_path, *self.collect_usage_pieces(ctx)])
        try:
            extra = super().parse_args(ctx, args)
        except click.MissingParameter as error:
            ctx.fail(f"{error.format_message().rstrip('.')}; write {usage}")
        except click.NoSuchOption as error:
            written = with_option(error.option_name.lstrip("-").replace("-", "_"))
            if written and any(parameter.name == "metrics" for parameter in self.params):
                ctx.fail(f"{error.option_name} is an option of metrics: name one with it, as in -m '{written}'")
            if (ours := _ELSEWHERE.get(error.option_name.lstrip("-"))) is not None:
                ctx.fail(f"No such option {error.option_name!r}; {ours}")
            raise
        if extra and not ctx.resilient_parsing:
            several = "; several metrics are one list, as in -m elm,bcubed" if extra[0].lower() in METRICS else ""
            ctx.fail(f"{extra[0]!r} is one argument too many{several}; write {usage}")
        return extra


def command(name: str, *options: Decorator) -> Callable[[Callable[..., Render | Gated]], click.Command]:
    """Decorator: a subcommand with these options, whose progress is shown, and whose result is printed."""

    def decorate(function: Callable[..., Render | Gated]) -> click.Command:
        @wraps(function)
        def run(
            form: str = "table",
            digits: int | None = None,
            raw: bool = False,
            quiet: bool = False,
            strict: bool = False,
            field: str | None = None,
            **given: Any,
        ) -> None:
            if strict:
                warnings.simplefilter("error", ClusterscoreWarning)
            if given.pop("coreference", False) and field is None:
                field = "coreference"
            chosen = None if field is None else known_field(field)
            source = click.get_current_context().get_parameter_source
            for parameter, value in (chosen.defaults if chosen else {}).items():
                if parameter in given and source(parameter) is ParameterSource.DEFAULT:  # what is typed wins
                    given[parameter] = value
            with shown(not quiet), listening(is_command=True), using(chosen):
                result = function(**given)
                render, failures = result if isinstance(result, Gated) else (result, [])
                with step("writing"):
                    made = prepared(render(form, digits, raw, Screen.of(sys.stdout)), form)
            send_out(made)
            if failures:
                warn("; ".join(failures))
                raise click.exceptions.Exit(1)

        more = [FIELD, STRICT] if PRINTING[0] in options or QUIET in options else [FIELD] if options else []
        for option in reversed((*options, *more)):
            option(run)
        return cli.command(name, cls=Subcommand, epilog=example(name))(run)

    return decorate
