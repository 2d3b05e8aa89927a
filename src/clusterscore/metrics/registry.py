"""Metrics by name: the grammar that names them with parameters, and their functions in ``cs``."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable
from dataclasses import fields
from functools import cache, lru_cache
from typing import Any

from clusterscore.align.policies import OPTIONS
from clusterscore.exceptions import MetricError, OptionError, nearest
from clusterscore.metrics.metric import METRICS, Metric, loaded, register
from clusterscore.metrics.score_type import Score
from clusterscore.plugins import load_plugins


def metric(name: str | Metric) -> Metric:
    """Look up a metric by name, as an object whose signature is known before anything is scored.

    Options:
        name: a name or alias, with parameters in brackets: ``"elm"``, ``"bcubed(f=of-means, beta=0.5)"``. A Metric is
            returned as it is.

    Raises:
        MetricError: the name or a parameter is unknown or out of range; the message suggests the nearest one.

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

_PARTS = {"precision", "recall", "f", "f1", "p", "r"}  # of scores: of no metric in particular
_WITHOUT_GOLD = {
    f"{name}{end}" for name in ("silhouette", "davies_bouldin", "calinski_harabasz") for end in ("", "_score")
}


@lru_cache(maxsize=512)
def _parse(text: str) -> Metric:
    call = _CALL.fullmatch(text.strip().replace("\u00b3", "3"))  # B³
    if call is None:
        comma = ", and a comma between several" if re.search(r"[\w)][\s;|+]+[A-Za-z]", text) else ""
        raise MetricError(f"cannot read the metric {text!r}; write it like elm or bcubed(f=of-means, beta=0.5){comma}")
    name = call["name"].lower().replace("-", "_")
    if name not in METRICS:
        _load_plugins()
    if name not in METRICS:
        listed = "; cs.registered() and clusterscore metrics list all"
        parts = f"elm, bcubed, pairwise and others each give P, R and F{listed}"
        hint = parts if name in _PARTS else nearest(name, METRICS, listed)
        if name in _WITHOUT_GOLD:
            hint = "it judges a clustering without gold, by distances; scikit-learn has it"
        raise MetricError(f"unknown metric {call['name']!r}: {hint}")
    kind = METRICS[name]
    known = [f.name for f in fields(kind)]
    given: dict[str, Any] = {}
    inside = (call["inside"] or "").strip()
    for item in inside.split(",") if inside else []:
        parameter = _PARAMETER.fullmatch(item.strip())
        if parameter is None:
            raise MetricError(f"cannot read {item.strip()!r} in the metric {text!r}; write key=value")
        key = parameter["key"]
        if key in given:
            raise MetricError(f"{key} occurs twice in the metric {text!r}")
        if key not in known:
            hint = nearest(key, known) if known else "it has none"
            raise MetricError(f"{kind.name} has no parameter {key!r}: {hint}")
        given[key] = _literal(parameter["value"].strip())
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


def registered() -> list[type[Metric]]:
    """List all metric classes, including those of other packages, in alphabetical order.

    >>> import clusterscore as cs
    >>> [kind.name for kind in cs.registered() if kind.smaller_is_better][:3]
    ['adapted_rand_error', 'centroid_index', 'correlation_distance']
    """
    _load_plugins()
    return loaded()


def with_option(name: str) -> str:
    """How a metric is written that has an option of this name; nothing if none has."""
    return next((f"{kind.name}({name}=...)" for kind in registered() if name in kind.__dataclass_fields__), "")


def _register_plugin(loaded: object) -> None:
    if not (isinstance(loaded, type) and issubclass(loaded, Metric)):
        raise MetricError("it is neither a metric class nor a module that registers some")
    if loaded not in METRICS.values():
        register(loaded)


def _load_plugins() -> None:
    load_plugins("clusterscore.metrics", "metric", _register_plugin)


def metrics_of(names: str | Metric | Iterable[str | Metric]) -> list[Metric]:
    """The metrics that a user named, in that order, each once."""
    if isinstance(names, str):
        names = split_names(names)
    elif isinstance(names, Metric):
        names = [names]
    try:
        named = list(names)
    except TypeError:
        raise MetricError(f"metrics={names!r} is not a list of metric names, such as ['elm', 'bcubed']") from None
    chosen = list(dict.fromkeys(map(metric, named)))
    if not chosen:
        raise MetricError("no metric was given; name at least one, such as 'elm'")
    return chosen


@cache
def function(kind: type[Metric]) -> Callable[..., Score]:
    """The public function of a metric: ``cs.elm(gold, pred, beta=2)``."""
    own = {f.name: f for f in fields(kind)}
    default = kind()

    def call(gold: Any, pred: Any = None, **options: Any) -> Score:
        unknown = next((name for name in options if name not in own and name not in OPTIONS), None)
        if unknown is not None:
            hint = "it is an option of cs.score" if unknown == "average" else nearest(unknown, {*own, *OPTIONS})
            raise OptionError(f"{kind.name} has no option {unknown!r}: {hint}")
        given = {name: options.pop(name) for name in own if name in options and name != "weights"}
        return (kind(**given) if given else default)(gold, pred, **options)

    # a weight per element may stand in the place of a word
    shown = {name: (f.default, "Any" if name == "weights" else str(f.type)) for name, f in own.items()}
    if kind.of_turns:  # whose documents are their recordings
        shown |= {"missing": (kind.default_missing, "Missing"), "uem": (None, "Any")}
    else:
        shown |= {"documents": (None, "Any"), "missing": (kind.default_missing, "Missing")}
        shown |= {"noise": (None, "Any"), "noise_as": ("singleton", "NoiseAs")}
        shown |= {"background": (None, "Background | None")}
    kinds = inspect.Parameter
    parameters = [
        kinds("gold", kinds.POSITIONAL_OR_KEYWORD, annotation="Any"),
        kinds("pred", kinds.POSITIONAL_OR_KEYWORD, default=None, annotation="Any"),
        *(kinds(name, kinds.KEYWORD_ONLY, default=value, annotation=hint) for name, (value, hint) in shown.items()),
    ]
    call.__signature__ = inspect.Signature(parameters, return_annotation="Score")  # type: ignore[attr-defined]
    call.__name__ = call.__qualname__ = kind.name
    call.__module__ = "clusterscore"
    call.__doc__ = kind.__doc__
    return call
