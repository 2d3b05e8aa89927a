"""The request of a user: metrics by name, and the options that decide what is compared with what."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from inspect import Parameter, signature
from typing import Any, NamedTuple, ParamSpec, TypeVar, get_type_hints

from clusterscore.align.doubts import doubt_metric
from clusterscore.align.policies import CountOptions
from clusterscore.count.table import Table
from clusterscore.exceptions import MetricError, OptionError, listening, nearest
from clusterscore.messages import Given
from clusterscore.metrics import COREFERENCE_SET, DEFAULT_SET, OVERLAPPING_SET, Metric, metrics_of
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
        chosen = metrics_of(DEFAULT_SET if metrics is None else metrics)
        if missing is None and not counted and all(one.default_missing == "keep" for one in chosen):
            missing = "keep"  # that is what these measures are for
        for one in chosen:
            doubt_metric(one)
        options = {name: value for name, value in {"missing": missing, **given}.items() if value is not None}
        if isinstance(weights, str):
            chosen = [one.weighed(weights)[0] for one in chosen if metrics is not None or one.weighable]
        elif weights is not None:
            options["weights"] = weights
        return cls(chosen, options, metrics is None, weights if isinstance(weights, str) else None)

    @property
    def ordered(self) -> bool:
        """Whether a metric looks at the order of the elements, which a table keeps where it is told to."""
        return any(one.ordered for one in self.metrics)

    def on(self, table: Table) -> list[Metric]:
        """The metrics as they apply to a table; of the default set those that are defined on it."""
        chosen = self.metrics
        if self.default and table.mentions is not None:
            chosen = metrics_of(COREFERENCE_SET)
        if self.default and table.overlapping:
            chosen = metrics_of(OVERLAPPING_SET)
            if self.weights is not None:
                raise MetricError(
                    Given("weights", self.weights),
                    " weights elements by the size of their gold cluster, but with overlapping clusters an element can "
                    "have several; pass one number per element",
                )
        if self.default and table.weight is not None:
            chosen = [one for one in chosen if one.weighable]
        if self.default and any(table.uncovered):
            chosen = [one for one in chosen if one.one_sided]
        return [one.on(table) for one in chosen]

    def resolved(self, *tables: Table) -> Request:
        """The same request with the metrics that apply to some tables: those for overlap if one of them overlaps."""
        decisive = next((table for table in tables if table.overlapping), tables[0])
        return self._replace(metrics=self.on(decisive), default=False)


def options_checked(function: Callable[P, T]) -> Callable[P, T]:
    """A function that names the option one may have meant, where it is given one that it does not have.

    ``**options`` are shown one by one.
    """
    own = signature(function)
    shown = [one for one in own.parameters.values() if one.kind is not one.VAR_KEYWORD]
    if len(shown) < len(own.parameters):
        hints = get_type_hints(CountOptions)
        shown += [Parameter(name, Parameter.KEYWORD_ONLY, default=None, annotation=hints[name]) for name in hints]
    words = {one.name: one.kind is one.KEYWORD_ONLY for one in shown}

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> T:
        for name in kwargs:
            if name not in words:
                known = [word for word, is_option in words.items() if is_option]
                raise OptionError(f"{function.__name__} has no option {name!r}: {nearest(name, known)}")
        with listening() as messages:
            result = function(*args, **kwargs)
        if messages and isinstance(result, Result):
            result.doubts = list(dict.fromkeys(messages))
        return result

    call.__signature__ = own.replace(parameters=shown)  # type: ignore[attr-defined]
    return call
