"""An accumulator as JSON: numbers by name, which anybody may have written, so each is checked before it is used."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from clusterscore.aggregate import Facts, Running
from clusterscore.align.policies import Policy
from clusterscore.analyses.score.scorecard import Scorecard
from clusterscore.exceptions import ClusterscoreError, InputError, InputTypeError, a_type
from clusterscore.metrics import Metric, metric
from clusterscore.read.labels import is_null
from clusterscore.show.grid import as_json
from clusterscore.version import __version__

_FORMAT = "clusterscore accumulator"
_LARGEST = 1e150  # that a sum can be; its square is a number too
_WEIGHTS = ("weight", "squares", "spread")  # of averages
_SIDES = ("elements", "clusters", "singletons", "memberships", "dropped", "noise")


def dumped(
    average: str, policy: Policy, facts: Facts | None, metrics: Sequence[Metric], running: Sequence[Running]
) -> str:
    """The JSON of an accumulator; ``running`` is empty where nothing was added."""
    for chosen in metrics:
        try:
            known = metric(str(chosen)) == chosen
        except ClusterscoreError:
            known = False
        if not known:
            raise InputError(f"JSON has metrics by name, and {chosen} is none of clusterscore's; pickle it instead")
    counts = None
    if facts is not None:
        counts = {"elements": facts.total, "documents": facts.documents}
        for name in _SIDES:
            counts[f"gold_{name}"], counts[f"pred_{name}"] = getattr(facts, name)
    stored = {
        "format": _FORMAT,
        "version": __version__,
        "average": average,
        "missing": policy.missing,
        "noise": [_label(label) for label in policy.noise],
        "noise_as": policy.noise_as,
        "background": policy.background,
        "reading": list(policy.reading),
        "facts": counts,
        "metrics": [sums.state() for sums in running] or [{"metric": str(chosen)} for chosen in metrics],
    }
    return as_json(stored, indent=2, allow_nan=False)


def _label(label: Any) -> Any:
    if is_null(label):
        return None
    if type(label) not in (str, int, float, bool) or (type(label) is float and not math.isfinite(label)):
        raise InputError(
            f"JSON has no such label as the noise {label!r} ({type(label).__name__}); pickle the accumulator instead"
        )
    return label


def parsed(text: str | bytes) -> dict[str, Any]:
    """The object that the text is, if it is the JSON of an accumulator of this version; its fields are not checked."""
    if not isinstance(text, str | bytes):
        raise InputTypeError(f"from_json takes the text that to_json gave, not {a_type(text)}")
    try:
        given = json.loads(text, object_pairs_hook=_object, parse_constant=_no_number)
    except InputError:
        raise
    except (ValueError, RecursionError) as error:  # also bytes of another encoding, and numbers of too many digits
        raise InputError(f"the text is not the JSON of an accumulator: {error or 'too deep'}") from None
    if not isinstance(given, dict) or given.get("format") != _FORMAT:
        raise InputError(f'the JSON is not that of an accumulator: it has no "format": "{_FORMAT}"')
    if given.get("version") != __version__:
        raise InputError(
            f"the JSON was written by clusterscore {given.get('version')!r}, and this is {__version__}, which may "
            "score differently; read it with the same version"
        )
    return given


def metric_names(given: Mapping[str, Any]) -> list[str]:
    """The metrics of an accumulator, each by its own name."""
    metrics = given.get("metrics")
    if not isinstance(metrics, list) or not all(isinstance(entry, dict) for entry in metrics):
        raise InputError(f"the JSON, 'metrics': {metrics!r} cannot be there; leave it as to_json wrote it"[:300])
    names = [entry.get("metric") for entry in metrics]
    if [str(chosen) for chosen in dict.fromkeys(map(metric, names))] != names:
        raise InputError(
            "the metrics of the JSON are not each there once, by its own name; leave it as to_json wrote it"
        )
    return names


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise InputError("an object in the JSON has a name twice; leave it as to_json wrote it")
    return fields


def _no_number(text: str) -> float:
    raise InputError(f"{text} in the JSON is not a number that can be added up; leave it as to_json wrote it")


def check_like(given: Any, example: Any, path: str = "the JSON") -> None:
    """Raise unless there is the same in both: fields of the same names, and in them counts, numbers or text."""
    if isinstance(given, dict) and isinstance(example, dict):
        missing, unknown = sorted(example.keys() - given.keys()), sorted(given.keys() - example.keys())
        if missing or unknown:
            wrong = f"no {missing[0]!r}" if missing else f"an unknown {unknown[0]!r}"
            raise InputError(f"{path} has {wrong}; leave it as to_json wrote it")
        for name, value in example.items():
            check_like(given[name], value, f"{path}, {name!r}")
            if name in _WEIGHTS and type(value) is float and given[name] < 0:
                raise InputError(f"{path}, {name!r}: {given[name]!r} is below 0; leave it as to_json wrote it")
    elif isinstance(given, list) and isinstance(example, list):
        for k, value in enumerate(given):
            check_like(value, example[min(k, len(example) - 1)], f"{path} {k}")
    elif not _alike(given, example):
        raise InputError(f"{path}: {given!r} cannot be there; leave it as to_json wrote it"[:300])


def with_numbered_sums(example: dict[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """The example with as many numbered sums as were given: omega has pred_1, pred_2, ... and the data say how many."""
    for state, other in zip(example["metrics"], given["metrics"], strict=True):
        known, named = state.get("sums") or {}, other.get("sums")
        for name in named if isinstance(named, dict) else ():
            start, _, number = name.rpartition("_")
            if f"{start}_1" in known and re.fullmatch(r"[1-9]\d{0,8}", number):
                known.setdefault(name, known[f"{start}_1"])
    return example


def _alike(given: Any, example: Any) -> bool:
    if type(given) is type(example) and given == example:
        return True
    if type(example) is int:
        return type(given) is int and 0 <= given < 2**63
    if type(example) is float:  # a sum of pairs may be an integer that no float holds
        return type(given) in (int, float) and abs(given) <= _LARGEST
    return type(given) is type(example)


def facts_of(given: Mapping[str, int], policy: Policy) -> Facts:
    """What was compared."""
    sides = {name: (given[f"gold_{name}"], given[f"pred_{name}"]) for name in _SIDES}
    return Facts(total=given["elements"], documents=given["documents"], policy=policy, **sides)


def check_scores(result: Callable[[], Scorecard]) -> None:
    """Raise where the sums, each of them possible, make no score together."""
    try:
        with np.errstate(all="ignore"):
            card = result()
            wrong = [
                name
                for name in card
                for score in (card[name], card.macro[name], card.weighted[name])
                for number in score.to_dict().values()
                if number is not None and not isinstance(number, str) and not abs(number) <= _LARGEST
            ]
    except (ArithmeticError, TypeError, ValueError) as error:
        raise InputError(f"the numbers in the JSON contradict one another: {error}") from None
    if wrong:
        raise InputError(f"the numbers in the JSON contradict one another: {wrong[0]} is not a number")
