"""JSON: a list of labels, clusters, a mapping, lists by name, or a list of objects with columns."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from clusterscore.exceptions import FileError, a_type
from clusterscore.messages import Message, Option
from clusterscore.nouns import noun, plural
from clusterscore.read.clustering import Clustering
from clusterscore.read.source import errors_about


def read_json(
    text: str, called: str, element: str = "element", cluster: str = "cluster"
) -> Clustering | dict[str, list[Any]]:
    """A clustering, or columns as JSON has them; an object of lists may mean two things, and is an error.

    Columns are a list of objects, or an object of lists if ``element`` and ``cluster`` are among them.
    """
    value = _parsed(text, called)
    if isinstance(value, list):
        if all(isinstance(record, dict) for record in value):
            names = dict.fromkeys(name for record in value for name in record)
            return {name: [record.get(name) for record in value] for name in names}
        if all(isinstance(item, list) for item in value):
            return _listed(value, called, Clustering.from_clusters)
        return Clustering.from_labels(scalars(value, called))
    if not any(isinstance(item, list) for item in value.values()):
        return Clustering.from_mapping({name: _scalar(label, called) for name, label in value.items()})
    _refuse_single(value.items(), called, "key")
    if not {element, cluster} <= value.keys():
        raise FileError(f"{called}: ", _two_meanings(value))
    lengths = sorted(map(len, value.values()))
    if lengths[0] < lengths[-1]:
        raise FileError(
            f"{called}: its columns have from {lengths[0]:,} to {lengths[-1]:,} values; write one for each "
            f"{noun('element')} in all of them"
        )
    return value


def read_lists(text: str, called: str, form: str) -> Clustering:
    """Lists, of which the user said what they are: "clusters" with their elements, or "memberships" of elements."""
    value = _parsed(text, called)
    if isinstance(value, dict):
        _refuse_single(value.items(), called, "key")
    else:
        _refuse_single(enumerate(value), called, "item")
    return _listed(value, called, Clustering.from_memberships if form == "memberships" else Clustering.from_clusters)


def _parsed(text: str, called: str) -> list[Any] | dict[str, Any]:
    """A list or an object that is not empty."""
    value = parse_json(text, called, "a clustering")
    if not isinstance(value, list | dict) or not value:
        raise FileError(
            f"{called} is not a clustering: use a list of labels, a list of {noun('clusters')}, an object "
            f"{noun('element')} -> label or {noun('element')} -> list of labels, or a list of objects "
            '{"element": .., "cluster": ..}'
        )
    return value


def _listed(value: Any, called: str, make: Callable[[Any], Clustering]) -> Clustering:
    """Lists of elements, which are clusters, or lists of labels, one for each element; those of an object by name."""
    named = isinstance(value, dict)
    lists = [scalars(values, called) for values in (value.values() if named else value)]
    with errors_about(called):
        return make(dict(zip(value, lists, strict=True)) if named else lists)


def _two_meanings(value: dict[str, Any]) -> Message:
    key, values = max(value.items(), key=lambda item: len(item[1]) > 0)  # the first that is not empty
    bits = all(isinstance(bit, int) and bit in (0, 1) for stream in value.values() for bit in stream)
    streams = Message("; 0 or 1 for every page of a stream is ", Option("format", "boundaries"))
    return Message(
        f"{key!r}: {str(values)[:60]} may be {noun('a cluster')} with its {noun('elements')} or "
        f"{noun('an element')} with its {noun('clusters')}; pass ",
        Option("format", "clusters", "memberships"),
        streams if bits else "",
    )


def _refuse_single(items: Iterable[tuple[Any, Any]], called: str, where: str) -> None:
    """Raise for a single value in the place of a list."""
    odd = [(key, item) for key, item in items if not isinstance(item, list)]
    if odd:
        key, item = odd[0]
        example = json.dumps(item)[:40]
        remedy = "[] where there is none" if item is None else f"a list also where there is one: [{example}]"
        raise FileError(
            f"{called}: {plural(len(odd), 'single value')} instead of lists of labels or {noun('elements')} "
            f"(e.g. {where} {key!r}: {example}); write {remedy}"
        )


def is_json(text: str) -> bool:
    """Whether Python takes it for JSON."""
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def parse_json(text: str, called: str, what: str, line: int | None = None) -> Any:
    """What a JSON text holds, a file or one of its lines. NaN, Infinity and a key twice in one object are errors."""
    where = called if line is None else f"{called}, line {line}"
    try:
        return json.loads(text, object_pairs_hook=_object, parse_constant=_refuse_constant)
    except ValueError as error:
        reason, more = str(getattr(error, "msg", error)), Message()
        if line is not None:
            more = Message(f"; write {what} a line")
        elif isinstance(error, json.JSONDecodeError):
            by_line = Message(" (one object per line is ", Option("format", "jsonl"), ")")
            more = Message(f" in line {error.lineno}", by_line if reason == "Extra data" else "")
        raise FileError(f"{where} is not JSON: {reason}", more) from None
    except RecursionError:
        raise FileError(f"{where} is nested too deeply to be {what}") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        counts = Counter(name for name, _ in pairs)
        raise ValueError(f"the key {next(name for name in counts if counts[name] > 1)!r:.60} occurs twice in an object")
    return made


def _refuse_constant(constant: str) -> None:
    raise ValueError(f"{constant} is not a JSON value")


def json_column(values: list[Any], name: str, called: str, lists: bool) -> list[Any]:
    """A column of labels or ids as text; with ``lists`` all its values may be lists of labels."""
    if not lists or not any(isinstance(value, list) for value in values):
        return scalars(values, called)
    _refuse_single(enumerate(values, 1), called, f"column {name!r}, row")
    return [scalars(value, called) for value in values]


def scalars(values: list[Any], called: str) -> list[str | None]:
    """Labels or ids, as text."""
    return [_scalar(value, called) for value in values]


def _scalar(value: Any, called: str) -> str | None:
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        if not math.isfinite(value):
            raise FileError(f"{called} has a number that is not finite ({value}), and no label or id")
        return str(value)
    raise FileError(f"{called} has {a_type(value)} where a label or an id should be: {str(value)[:40]}")
