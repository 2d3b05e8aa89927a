"""JSON: a list of labels, clusters, a mapping, or a list of objects with columns."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from clusterscore.exceptions import FileError
from clusterscore.read.clustering import Clustering
from clusterscore.read.columns import ColumnNames, FileTable, Values, clusterings


def json_clustering(text: str, called: str, columns: ColumnNames) -> Clustering:
    """Whatever a JSON text holds that can be a clustering."""
    value = parse_json(text, called, "a clustering")
    if _is_records(value):
        return clusterings(_rows(value, called), columns)[0]
    if isinstance(value, dict) and value:
        return _from_object(value, columns, called)
    if isinstance(value, list) and value:
        if all(isinstance(each, list) for each in value):
            return Clustering.from_clusters([_scalars(each, called) for each in value])
        return Clustering.from_labels(_scalars(value, called))
    raise FileError(
        f"{called} is no clustering: use a list of labels, a list of clusters, an object element -> label, or a "
        'list of objects {"element": .., "cluster": ..}'
    )


def json_rows(text: str, called: str) -> FileTable:
    """A list of objects, as a table."""
    records = parse_json(text, called, "a clustering")
    if not _is_records(records):
        raise FileError(f'{called} has no columns: it is not a list of objects such as {{"element": ..}}')
    return _rows(records, called)


def _from_object(parsed: Mapping[str, Any], columns: ColumnNames, called: str) -> Clustering:
    if not all(isinstance(value, list) for value in parsed.values()):
        return Clustering.from_mapping({name: _scalar(value, called) for name, value in parsed.items()})
    element, cluster = columns.element or "element", columns.cluster or "cluster"
    if element not in parsed or cluster not in parsed:
        return Clustering.from_clusters({name: _scalars(value, called) for name, value in parsed.items()})
    if len(set(map(len, parsed.values()))) > 1:
        raise FileError(f"{called}: its columns differ in length")
    rows = FileTable(called, list(parsed), lambda names: {name: _scalars(parsed[name], called) for name in names})
    return clusterings(rows, columns)[0]


def is_json(text: str) -> bool:
    """Whether Python takes it for JSON."""
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def parse_json(text: str, where: str, what: str, remedy: str = "") -> Any:
    """What a JSON text holds. A key twice in one object, NaN and Infinity are errors: Python would take them."""
    try:
        return json.loads(text, object_pairs_hook=_object, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        at = f" in line {error.lineno}" if "\n" in text else ""
        hint = ' (one object a line is format="jsonl")' if error.msg == "Extra data" and at else ""
        raise FileError(f"{where} is not JSON: {error.msg}{at}{hint}{remedy}") from None
    except ValueError as error:
        raise FileError(f"{where} is not JSON: {error}{remedy}") from None
    except RecursionError:
        raise FileError(f"{where} is nested too deeply to be {what}") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        counts = Counter(name for name, _ in pairs)
        raise ValueError(f"the key {next(name for name in counts if counts[name] > 1)!r:.60} stands twice in an object")
    return made


def _refuse_constant(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON value")


def _is_records(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(each, dict) for each in value)


def _rows(records: Sequence[Mapping[str, Any]], called: str) -> FileTable:
    def take(names: Iterable[str]) -> Mapping[str, Values]:
        return {name: _scalars([record.get(name) for record in records], called) for name in names}

    return FileTable(called, list(dict.fromkeys(name for record in records for name in record)), take)


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
