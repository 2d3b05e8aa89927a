"""The registry: every metric by its name, and the grammar that names them with parameters."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields
from functools import lru_cache
from typing import Any, TypeVar

from clusterscore.align.policies import OPTIONS
from clusterscore.exceptions import MetricError, OptionError, nearest
from clusterscore.metrics.metric import Metric
from clusterscore.metrics.score import Score

_KINDS: dict[str, type[Metric]] = {}
_ALIASES: dict[str, str] = {}

M = TypeVar("M", bound=type[Metric])


def register(kind: M) -> M:
    """Class decorator: the metric can be parsed, listed, and is put through every law in the tests."""
    for name in (kind.name, *kind.aliases):
        if name in _KINDS or name in _ALIASES:
            raise ValueError(f"two metrics are called {name!r}")
    _KINDS[kind.name] = kind
    _ALIASES.update((alias, kind.name) for alias in kind.aliases)
    return kind


def registered() -> list[type[Metric]]:
    """All metric classes, in the order of registration."""
    return list(_KINDS.values())


def aliases() -> dict[str, type[Metric]]:
    """Every other name of a metric, and the metric."""
    return {alias: _KINDS[name] for alias, name in _ALIASES.items()}


def metric(name: str | Metric) -> Metric:
    """The metric of this name: ``metric("elm")``, ``metric("bcubed(f=of-means, beta=0.5)")``.

    >>> import clusterscore as cs
    >>> m = cs.metric("bcubed(beta=2)")
    >>> round(m.value([0, 0, 1], [0, 1, 1]), 4)
    0.6296
    >>> cs.metric(str(m)) == m
    True
    """
    if isinstance(name, Metric):
        return name
    if not isinstance(name, str):
        raise MetricError(f"a metric is named by a string such as 'elm(beta=2)', not by {name!r}")
    return _parse(name)


# neither pattern can match the same blanks in two ways: a million of them would take forever
_CALL = re.compile(r"(?P<name>[A-Za-z_][\w-]*)(?:\s*\((?P<inside>[^()]*)\))?")
_PARAMETER = re.compile(r"(?P<key>[A-Za-z_]\w*)\s*[=:](?P<value>[^=]+)")


@lru_cache(maxsize=512)
def _parse(text: str) -> Metric:
    call = _CALL.fullmatch(text.strip())
    if call is None:
        raise MetricError(f"cannot read the metric {text!r}; write it like elm or bcubed(f=of-means, beta=0.5)")
    kind = _kind(call["name"])
    given: dict[str, Any] = {}
    inside = (call["inside"] or "").strip()
    for item in inside.split(",") if inside else []:
        parameter = _PARAMETER.fullmatch(item.strip())
        if parameter is None:
            raise MetricError(f"cannot read {item.strip()!r} in the metric {text!r}; write key=value")
        if parameter["key"] in given:
            raise MetricError(f"{parameter['key']} stands twice in the metric {text!r}")
        given[parameter["key"]] = _literal(parameter["value"].strip())
    return make(kind, given)


def _kind(name: str) -> type[Metric]:
    key = name.lower().replace("-", "_")
    key = _ALIASES.get(key, key)
    if key not in _KINDS:
        raise MetricError(f"unknown metric {name!r}: {nearest(key, [*_KINDS, *_ALIASES])}")
    return _KINDS[key]


def make(kind: type[Metric], given: dict[str, Any]) -> Metric:
    """A metric with parameters, or an error that names those it has."""
    known = [f.name for f in fields(kind)]
    for key in given:
        if key not in known:
            hint = nearest(key, known) if known else "it has none"
            raise MetricError(f"{kind.name} has no parameter {key!r}: {hint}")
    return kind(**given)


def _literal(text: str) -> Any:
    text = text.strip("'\"")
    lowered = text.lower()
    if lowered in {"none", "true", "false"}:
        return {"none": None, "true": True, "false": False}[lowered]
    for read in (int, float):
        try:
            return read(text)
        except ValueError:
            continue
    return text


_NAME = re.compile(r"(?:[^,(]|\([^)]*\)?)+")


def split_names(text: str) -> list[str]:
    """``"elm, bcubed(f=of-means, beta=2)"`` is two names: commas inside brackets do not part them."""
    return [name for name in map(str.strip, _NAME.findall(text)) if name]


def metrics_of(names: str | Metric | Iterable[str | Metric]) -> list[Metric]:
    """The metrics that a user asked for, in that order, each once."""
    if isinstance(names, str):
        names = split_names(names)
    elif isinstance(names, Metric):
        names = [names]
    try:
        asked = tuple(names)
    except TypeError:
        raise MetricError(f"metrics={names!r} is not a list of metric names") from None
    for name in asked:
        if not isinstance(name, str | Metric):
            raise MetricError(f"a metric is named by a string such as 'elm(beta=2)', not by {name!r}")
    return list(_metrics_of(asked))


@lru_cache(maxsize=256)
def _metrics_of(names: tuple[str | Metric, ...]) -> tuple[Metric, ...]:
    if not names:
        raise MetricError("no metric was asked for; name at least one, such as 'elm'")
    return tuple(dict.fromkeys(metric(name) for name in names))


def function(kind: type[Metric]) -> Callable[..., Score]:
    """The public function of a metric: ``cs.elm(gold, pred, beta=2)``."""
    own = [f.name for f in fields(kind)]

    def call(gold: Any, pred: Any = None, **options: Any) -> Score:
        unknown = next((name for name in options if name not in own and name not in OPTIONS), None)
        if unknown is not None:
            hint = "it is an option of cs.score" if unknown == "average" else nearest(unknown, {*own, *OPTIONS})
            raise OptionError(f"{kind.name} has no option {unknown!r}: {hint}")
        given = {name: options.pop(name) for name in own if name in options and name != "weights"}
        return make(kind, given)(gold, pred, **options)

    kinds = inspect.Parameter
    shown = [
        kinds("gold", kinds.POSITIONAL_OR_KEYWORD, annotation="Any"),
        kinds("pred", kinds.POSITIONAL_OR_KEYWORD, default=None, annotation="Any"),
        *(kinds(name, kinds.KEYWORD_ONLY, default=default, annotation=hint) for name, default, hint in _options(kind)),
    ]
    call.__signature__ = inspect.Signature(shown, return_annotation="Score")  # type: ignore[attr-defined]
    call.__name__ = call.__qualname__ = kind.name
    call.__module__ = "clusterscore"
    call.__doc__ = kind.__doc__
    return call


def _options(kind: type[Metric]) -> Iterator[tuple[str, Any, str]]:
    """The options of a metric's function, with their defaults and types."""
    for f in fields(kind):
        yield f.name, f.default, "Any" if f.name == "weights" else str(f.type)  # a weight per element may stand there
    yield "documents", None, "Any"
    yield "missing", kind.usual_missing, "Missing"
    yield "noise", None, "Any"
    yield "noise_as", "singleton", "NoiseAs"
