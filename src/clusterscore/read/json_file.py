"""JSON: a list of labels, clusters, a mapping, or a list of objects with columns."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from clusterscore.errors import FileError
from clusterscore.read.clustering import Clustering
from clusterscore.read.columns import Columns, Rows, Values, one_clustering


def json_clustering(text: str, columns: Columns, called: str) -> Clustering:
    """Whatever a JSON text holds that can be a clustering."""
    whole = _parsed(text, called)
    if _is_records(whole):
        return one_clustering(_rows(whole, called), columns)
    if isinstance(whole, dict) and whole:
        return _from_object(whole, columns, called)
    if isinstance(whole, list) and whole:
        if all(isinstance(each, list) for each in whole):
            return Clustering.from_clusters([_scalars(each, called) for each in whole])
        return Clustering.from_labels(_scalars(whole, called))
    raise FileError(
        f"{called} is no clustering: use a list of labels, a list of clusters, an object element -> label, or a "
        'list of objects {"element": .., "cluster": ..}'
    )


def json_rows(text: str, called: str) -> Rows:
    """A list of objects, as a table."""
    records = _parsed(text, called)
    if not _is_records(records):
        raise FileError(f'{called} has no columns: it is not a list of objects such as {{"element": ..}}')
    return _rows(records, called)


def _from_object(whole: Mapping[str, Any], columns: Columns, called: str) -> Clustering:
    if not all(isinstance(value, list) for value in whole.values()):
        return Clustering.from_mapping({name: _scalar(value, called) for name, value in whole.items()})
    element, cluster = columns.element or "element", columns.cluster or "cluster"
    if element not in whole or cluster not in whole:
        return Clustering.from_clusters({name: _scalars(value, called) for name, value in whole.items()})
    length = len(whole[element])
    if any(len(value) != length for value in whole.values()):
        raise FileError(f"{called}: its columns differ in length")
    return one_clustering(
        Rows(called, list(whole), lambda names: {name: _scalars(whole[name], called) for name in names}), columns
    )


def parse_json(text: str) -> Any:
    """What a JSON text holds. A key twice in one object, NaN and Infinity are errors: Python would take them."""
    return json.loads(text, object_pairs_hook=_object, parse_constant=_refuse_constant)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        counts = Counter(name for name, _ in pairs)
        raise ValueError(f"the key {next(name for name in counts if counts[name] > 1)!r:.60} stands twice in an object")
    return found


def _refuse_constant(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON value")


def _parsed(text: str, called: str) -> Any:
    try:
        return parse_json(text)
    except ValueError as error:
        if not isinstance(error, json.JSONDecodeError):
            raise FileError(f"{called} is not JSON: {error}") from None
        hint = ' (one object a line is format="jsonl")' if "Extra data" in str(error) else ""
        raise FileError(f"{called} is not JSON: {error.msg} in line {error.lineno}{hint}") from None
    except RecursionError:
        raise FileError(f"{called} is nested too deeply to be a clustering") from None


def _is_records(whole: Any) -> bool:
    return isinstance(whole, list) and bool(whole) and all(isinstance(each, dict) for each in whole)


def _rows(records: Sequence[Mapping[str, Any]], called: str) -> Rows:
    def take(names: Iterable[str]) -> Mapping[str, Values]:
        return {name: _scalars([record.get(name) for record in records], called) for name in names}

    return Rows(called, list(dict.fromkeys(name for record in records for name in record)), take)


def _scalars(values: list[Any], called: str) -> list[str | None]:
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
    raise FileError(f"{called} has a {type(value).__name__} where a label or an id should be: {str(value)[:40]}")
