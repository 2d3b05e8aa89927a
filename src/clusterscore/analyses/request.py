"""The request of a user: metrics by name, and the options that decide what is compared with what."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import wraps
from inspect import Parameter, signature
from typing import Any, NamedTuple, ParamSpec, TypeVar, get_type_hints

from clusterscore.align.doubts import doubt_metric
from clusterscore.align.policies import CountOptions
from clusterscore.count.table import Table
from clusterscore.exceptions import ClusterscoreError, MetricError, OptionError, listening, nearest, warn_user
from clusterscore.fields import current, field, using
from clusterscore.messages import Given, Option, Wording
from clusterscore.metrics import DEFAULT_SET, GRADED_SET, OVERLAPPING_SET, Metric, metrics_of
from clusterscore.metrics.registry import with_option
from clusterscore.nouns import Field, noun
from clusterscore.read.file import File
from clusterscore.show.result import Result

P = ParamSpec("P")
T = TypeVar("T")
Metrics = str | Metric | Iterable[str | Metric] | None


class Request(NamedTuple):
    """The metrics of a call, and its options for counting."""

    metrics: list[Metric]
    options: dict[str, Any]
    default: bool = False  # nobody named a metric: this is the default set
    weights: str | None = None  # a word for them, which the metrics have

    @classmethod
    def of(
        cls, metrics: Metrics, *, counted: bool = False, weights: Any = None, missing: str | None = None, **given: Any
    ) -> Request:
        """From what a function was given; what is None was not. ``counted`` where it was given a Table."""
        chosen = chosen_metrics(metrics)
        if missing is None and not counted and all(metric.default_missing == "keep" for metric in chosen):
            missing = "keep"  # that is what these measures are for
        for metric in chosen:
            doubt_metric(metric)
        options = {name: value for name, value in {"missing": missing, **given}.items() if value is not None}
        if isinstance(weights, str):
            chosen = [metric.weighed(weights)[0] for metric in chosen if metrics is not None or metric.weighable]
        elif weights is not None:
            options["weights"] = weights
        return cls(chosen, options, metrics is None, weights if isinstance(weights, str) else None)

    @property
    def ordered(self) -> bool:
        """Whether a metric looks at the order of the elements, which a table keeps where it is told to."""
        return any(metric.ordered for metric in self.metrics)

    def on(self, table: Table) -> list[Metric]:
        """The metrics as they apply to a table; of the default set those that are defined on it."""
        chosen = self.metrics
        if self.default and table.field is not None:
            chosen = chosen_metrics(None, table.field)
        if self.default and table.overlapping and not all(_defined(metric, table) for metric in chosen):
            if table.field is not None:
                warn_user(
                    noun("some elements have several clusters, which no measure of the field "),
                    table.field.name,
                    noun(" is for, so others are reported; if the ids of elements start again in each document, pass "),
                    Option("document", "..."),
                    Wording(" (cs.File takes it)"),
                )
            chosen = metrics_of(GRADED_SET if table.graded else OVERLAPPING_SET)
            if self.weights is not None:
                raise MetricError(
                    Given("weights", self.weights),
                    noun(
                        " weights elements by the size of their gold cluster, but with overlapping clusters an element "
                        "can have several; pass one number per element"
                    ),
                )
        if self.default and table.mentions is None:
            chosen = [metric for metric in chosen if not metric.of_mentions]
        if self.default and table.weight is not None:
            chosen = [metric for metric in chosen if metric.weighable]
        if self.default and any(table.uncovered):
            chosen = [metric for metric in chosen if metric.one_sided]
        if not chosen:
            raise MetricError(
                noun("no metric of the default set is defined here, where a side has elements that the other lacks; "),
                "name some with ",
                Option("metrics"),
                ", or pass ",
                table.policy.remedy,
            )
        return chosen if table.weight is None else [metric.on(table) for metric in chosen]

    def resolved(self, *tables: Table) -> Request:
        """The same request with the metrics that apply to some tables: those for overlap if one of them overlaps."""
        decisive = next((table for table in tables if table.overlapping), tables[0])
        return self._replace(metrics=self.on(decisive), default=False)


@contextmanager
def errors_of(what: str) -> Iterator[None]:
    """Where several things are scored, an error says first which of them it is about."""
    try:
        yield
    except ClusterscoreError as error:
        raise type(error)(f"{what}: ", error) from None


def _defined(metric: Metric, table: Table) -> bool:
    """Whether a metric knows clusters that overlap, and weights where a table has them."""
    return metric.graded if table.graded else metric.overlapping


def chosen_metrics(metrics: Metrics, field: Field | None = None) -> list[Metric]:
    """The metrics that a user named; if none, those of a field, by default that in use, or else the default set."""
    if metrics is None and (known := field or current()) is not None:
        metrics = list(known.measures)
    return metrics_of(DEFAULT_SET if metrics is None else metrics)


def options_checked(function: Callable[P, T]) -> Callable[P, T]:
    """A function that takes a ``field``, and that names the option one may have meant where it does not have it.

    ``**options`` are shown one by one. What the field decides is decided where nobody says otherwise.
    """
    own = signature(function)
    shown = [parameter for parameter in own.parameters.values() if parameter.kind is not parameter.VAR_KEYWORD]
    if len(shown) < len(own.parameters):
        hints = get_type_hints(CountOptions)
        shown += [Parameter(name, Parameter.KEYWORD_ONLY, default=None, annotation=hints[name]) for name in hints]
    if all(parameter.name != "field" for parameter in shown):
        shown.append(Parameter("field", Parameter.KEYWORD_ONLY, default=None, annotation="str | Field | None"))
    words = {parameter.name: parameter.kind is parameter.KEYWORD_ONLY for parameter in shown}

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> T:
        for name in kwargs:
            if name not in words:
                hint = nearest(name, [word for word, is_option in words.items() if is_option])
                if not hint.startswith("did") and name in File.__dataclass_fields__:
                    hint = f"it is one of a file: cs.File(path, {name}=...)"
                elif not hint.startswith("did") and "metrics" in words and (written := with_option(name)):
                    hint = f"it is one of a metric: metrics={written!r}"
                raise OptionError(f"{function.__name__} has no option {name!r}: {hint}")
        named: Any = kwargs.pop("field", None)
        chosen = None if named is None else field(named)
        for name, value in (chosen.defaults if chosen else {}).items():
            if name in words:
                kwargs.setdefault(name, value)
        with listening() as messages, using(chosen):
            result = function(*args, **kwargs)
        if messages and isinstance(result, Result):
            result.doubts = list(dict.fromkeys(messages))
        return result

    call.__signature__ = own.replace(parameters=shown)  # type: ignore[attr-defined]
    return call
