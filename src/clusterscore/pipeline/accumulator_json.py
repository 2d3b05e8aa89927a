"""An accumulator as JSON: numbers by name, which anybody may have written, so each is checked before it is used."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from clusterscore.aggregate import AVERAGES, Average, Averages, Facts, Running
from clusterscore.align.policies import Policy
from clusterscore.exceptions import ClusterscoreError, InputError, InputTypeError
from clusterscore.metrics import metric
from clusterscore.read.labels import is_null
from clusterscore.show.escapes import as_json
from clusterscore.show.scorecard import Scorecard
from clusterscore.version import __version__

_FORMAT = "clusterscore accumulator"
_SIDES = ("elements", "clusters", "singletons")


class Stored(NamedTuple):
    """What a JSON text says, checked."""

    metrics: list[str]
    average: Average
    policy: Policy
    facts: Facts | None
    states: list[dict[str, Any]]


def dumped(average: str, policy: Policy, facts: Facts | None, running: Sequence[Running]) -> str:
    """The JSON of an accumulator."""
    for one in running:
        try:
            known = metric(str(one.metric)) == one.metric
        except ClusterscoreError:
            known = False
        if not known:
            raise InputError(f"JSON has metrics by name, and {one.metric} is none of clusterscore's; pickle it instead")
    counts = None
    if facts is not None:
        counts = {"elements": facts.total, "documents": facts.documents}
        for name in _SIDES:
            counts[f"gold_{name}"], counts[f"pred_{name}"] = getattr(facts, name)
    stored = {
        "format": _FORMAT, "version": __version__, "average": average, "missing": policy.missing,
        "noise": [_label(label) for label in policy.noise], "noise_as": policy.noise_as,
        "reading": list(policy.reading), "facts": counts,
        "metrics": [{"metric": str(one.metric)} if facts is None else one.state() for one in running],
    }  # fmt: skip
    return as_json(stored, indent=2, allow_nan=False)


def _label(label: Any) -> Any:
    if is_null(label):
        return None
    if type(label) not in (str, int, float, bool) or (type(label) is float and not math.isfinite(label)):
        raise InputError(
            f"JSON has no such label as the noise {label!r} ({type(label).__name__}); pickle the accumulator instead"
        )
    return label


def loaded(text: str | bytes) -> Stored:
    """What the JSON of an accumulator says, or an error that says what is wrong with it."""
    if not isinstance(text, str | bytes):
        raise InputTypeError(f"from_json takes the text that to_json gave, not a {type(text).__name__}")
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
    _fields(given, "the accumulator", {
        "format": _is_text, "version": _is_text, "average": lambda value: value in AVERAGES, "missing": _is_text,
        "noise": _are(_is_label), "noise_as": _is_text, "reading": _are(_is_text),
        "facts": lambda value: value is None or _is_object(value), "metrics": _are(_is_object),
    })  # fmt: skip
    facts, states = None, given["metrics"]
    policy = Policy.of(given["missing"], given["noise"] or None, given["noise_as"])
    policy = policy._replace(reading=tuple(given["reading"]))
    if given["facts"] is None:
        checks: dict[str, Callable[[Any], bool]] = {"metric": _is_text}
    else:
        checks = {"metric": _is_text, "sums": lambda sums: sums is None or _are_sums(sums), "scores": _are_scores}
        facts = _facts(given["facts"], policy)
    for state in states:
        _fields(state, f"metric {state.get('metric')!r}", checks)
    names = [state["metric"] for state in states]
    if [str(each) for each in dict.fromkeys(map(metric, names))] != names:
        raise InputError(
            "the metrics of the JSON are not each there once, by its own name; leave it as to_json wrote it"
        )
    return Stored(names, given["average"], policy, facts, states)


def like(states: Sequence[dict[str, Any]], examples: Sequence[Mapping[str, Any]]) -> None:
    """Raise where sums are not those of these metrics."""
    for state, example in zip(states, examples, strict=True):
        for one, other in ((state["sums"], example["sums"]), (state["scores"]["totals"], example["scores"]["totals"])):
            if (one is None) != (other is None):
                raise InputError(f"metric {state['metric']!r} has {'no' if other is None else 'other'} sums")
            if other is not None:
                _fields(one, f"metric {state['metric']!r}", dict.fromkeys(other, _is_sum))


def check_scores(result: Callable[[], Scorecard]) -> None:
    """Raise where the sums, each of them possible, make no score together."""
    try:
        with np.errstate(all="ignore"):
            card = result()
            wrong = [name for name in card for one in (card[name], card.macro[name]) if not math.isfinite(one.value)]
    except (ArithmeticError, ValueError) as error:
        raise InputError(f"the numbers in the JSON contradict one another: {error}") from None
    if wrong:
        raise InputError(f"the numbers in the JSON contradict one another: {wrong[0]} is no number")


def _facts(given: Any, policy: Policy) -> Facts:
    names = [f"{side}_{name}" for name in _SIDES for side in ("gold", "pred")]
    _fields(given, "facts", dict.fromkeys(["elements", "documents", *names], _is_count))
    sides = [(given[f"gold_{name}"], given[f"pred_{name}"]) for name in _SIDES]
    return Facts(given["elements"], given["documents"], sides[0], sides[1], sides[2], policy)


def _fields(given: Any, what: str, checks: Mapping[str, Callable[[Any], bool]]) -> None:
    missing, unknown = (sorted(one) for one in (checks.keys() - given.keys(), given.keys() - checks.keys()))
    if missing or unknown:
        wrong = f"no {missing[0]!r}" if missing else f"an unknown {unknown[0]!r}"
        raise InputError(f"{what} in the JSON has {wrong}; leave it as to_json wrote it")
    for name, right in checks.items():
        if not right(given[name]):
            raise InputError(f"{what} in the JSON has {name!r}: {given[name]!r}; leave it as to_json wrote it")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise InputError("an object in the JSON has a name twice; leave it as to_json wrote it")
    return found


def _no_number(text: str) -> float:
    raise InputError(f"{text} in the JSON is no number that can be added up; leave it as to_json wrote it")


def _are(right: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, list) and all(map(right, value))


def _is_object(value: Any) -> bool:
    return isinstance(value, dict)


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_count(value: Any) -> bool:
    return type(value) is int and 0 <= value < 2**63


def _is_label(value: Any) -> bool:
    return value is None or type(value) in (str, int, bool) or (type(value) is float and math.isfinite(value))


def _is_sum(value: Any) -> bool:
    return type(value) is int or (type(value) is float and math.isfinite(value))


def _are_sums(value: Any) -> bool:
    return _is_object(value) and all(map(_is_sum, value.values()))


def _are_scores(value: Any) -> bool:
    if not _is_object(value) or value.keys() != set(Averages._fields):
        return False
    return _is_count(value["documents"]) and _is_sum(value["spread"]) and _are_sums(value["totals"])
