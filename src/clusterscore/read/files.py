"""Files people have: one label a line, or CSV, TSV and JSON with columns.

What a file holds is text, so labels and ids are strings here, whatever they look like: ``1`` in a JSON file and
``1`` in a CSV file are the same element. An empty cell and a JSON ``null`` are no label.
"""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from clusterscore.errors import FileError, nearest, plural
from clusterscore.read.clustering import Clustering

FORMATS = ("labels", "csv", "tsv", "json", "jsonl")
_BY_EXTENSION = {".csv": "csv", ".tsv": "tsv", ".tab": "tsv", ".json": "json", ".jsonl": "jsonl", ".ndjson": "jsonl"}
_DELIMITERS = {"csv": ",", "tsv": "\t"}

Column = list[str | None]


class Columns(NamedTuple):
    """Which column holds what; None where the user did not say."""

    element: str | None = None
    cluster: str | None = None
    document: str | None = None


NO_COLUMNS = Columns()


def read_clustering(path: str, columns: Columns = NO_COLUMNS, form: str | None = None) -> Clustering:
    """One clustering from a file, or from standard input (``-``)."""
    text = _text(path)
    form = form or _form(path, text, any(columns))
    if form == "labels":
        return Clustering.from_labels(_lines(text, path))
    if form == "json":
        whole = _json(text, path)
        if not _is_records(whole):
            return _json_clustering(whole, columns, path)
    table = _table(text, form, path)
    element = _pick(table, columns.element, "element", path)
    cluster = _pick(table, columns.cluster, "cluster", path)
    document = columns.document or ("document" if "document" in table else None)
    return Clustering.from_labels(
        table[cluster],
        elements=_filled(table[element], element, path),
        documents=None if document is None else _filled(table[_named(table, document, path)], document, path),
    )


def read_both(
    path: str, gold: str, pred: str, columns: Columns = NO_COLUMNS, form: str | None = None
) -> tuple[Clustering, Clustering]:
    """Gold and prediction from two columns of one file."""
    text = _text(path)
    table = _table(text, form or _form(path, text, True), path)
    element = columns.element or ("element" if "element" in table else None)
    ids = None if element is None else _filled(table[_named(table, element, path)], element, path)
    document = columns.document or ("document" if "document" in table else None)
    documents = None if document is None else _filled(table[_named(table, document, path)], document, path)
    left, right = (
        Clustering.from_labels(table[_named(table, name, path)], elements=ids, documents=documents)
        for name in (gold, pred)
    )
    return left, right


def _text(path: str) -> str:
    if path == "-":
        data = sys.stdin.buffer.read()
    else:
        file = Path(path)
        try:
            data = file.read_bytes()
        except FileNotFoundError:
            beside = [each.name for each in file.parent.iterdir()] if file.parent.is_dir() else []
            hint = nearest(file.name, beside) if beside else f"the folder {str(file.parent)!r} does not exist"
            raise FileError(f"no file {path!r}; {'check the path' if hint.startswith('known') else hint}") from None
        except IsADirectoryError:
            raise FileError(f"{path!r} is a folder; name a file in it") from None
        except OSError as error:
            raise FileError(f"cannot read {path!r}: {error.strerror}") from None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise FileError(
            f"{_called(path)} is not UTF-8: byte 0x{data[error.start]:02x} in line {line}; save it as UTF-8 "
            "(iconv -f latin1 -t utf-8 converts Latin-1)"
        ) from None
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise FileError(f"{_called(path)} is not a text file: it has a NUL byte in line {line}")
    if not text.strip():
        raise FileError(f"{_called(path)} is empty: there is nothing to score")
    return text


def _called(path: str) -> str:
    return "standard input" if path == "-" else repr(path)


def _form(path: str, text: str, has_columns: bool) -> str:
    known = _BY_EXTENSION.get(Path(path).suffix.lower())
    if known is not None:
        return known
    first = text.lstrip().partition("\n")[0]
    if path == "-" and first.startswith(("[", "{")):
        return "json" if text.lstrip()[0] == "[" or _one_json(text) else "jsonl"
    if has_columns or {"element", "cluster"} <= set(first.replace("\t", ",").strip().split(",")):
        return "tsv" if "\t" in first else "csv"
    return "labels"


def _one_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def _lines(text: str, path: str) -> list[str]:
    lines = [line.strip() for line in text.rstrip().split("\n")]
    empty = [k for k, line in enumerate(lines, 1) if not line]
    if empty:
        raise FileError(
            f"{_called(path)} has {plural(len(empty), 'empty line')} (e.g. line {empty[0]}); a label file has one "
            "label in every line"
        )
    return lines


def _table(text: str, form: str, path: str) -> Mapping[str, Column]:
    if form in _DELIMITERS:
        return _csv(text, _DELIMITERS[form], path)
    if form == "labels":
        raise FileError(f"{_called(path)} is read as one label a line, which has no columns; say --format-in csv")
    records = _json(text, path) if form == "json" else _json_lines(text, path)
    if not _is_records(records):
        raise FileError(f'{_called(path)} has no columns: it is not a list of objects such as {{"element": ..}}')
    return _records(records, path)


class _Rows(Mapping[str, Column]):
    """The columns of a CSV file, each made when it is asked for."""

    def __init__(self, names: list[str], rows: list[list[str]]):
        self._place = {name: k for k, name in enumerate(names)}
        self._rows = rows

    def __getitem__(self, name: str) -> Column:
        k = self._place[name]
        return [row[k].strip() or None for row in self._rows]

    def __contains__(self, name: object) -> bool:  # Mapping's own would make the column to find out
        return name in self._place

    def __iter__(self) -> Iterator[str]:
        return iter(self._place)

    def __len__(self) -> int:
        return len(self._place)


def _csv(text: str, delimiter: str, path: str) -> Mapping[str, Column]:
    head = text.partition("\n")[0]
    if delimiter == "," and "," not in head and ";" in head:
        delimiter = ";"

    def lines() -> Any:
        return csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)

    reader = lines()
    try:
        names = [name.strip() for name in next(reader)]
        rows = [row for row in reader if row]
    except csv.Error as error:
        raise FileError(f"{_called(path)}, line {reader.line_num}: {error}; check the quotes there") from None
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise FileError(f"{_called(path)} has two columns called {twice[0]!r}; rename one")
    if not rows:
        raise FileError(f"{_called(path)} has a heading and no rows: there is nothing to score")
    if set(map(len, rows)) != {len(names)}:
        reader = lines()
        ragged = [(reader.line_num, len(row)) for row in reader if row and len(row) != len(names)]
        line, width = ragged[0]
        raise FileError(
            f"{_called(path)}: {plural(len(ragged), 'row')} without {plural(len(names), 'field')} as in the heading "
            f"(e.g. line {line} has {width}); quote fields that hold a {delimiter!r}"
        )
    return _Rows(names, rows)


def _json(text: str, path: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        line = getattr(error, "lineno", 1)
        raise FileError(f"{_called(path)} is not JSON: {getattr(error, 'msg', error)} in line {line}") from None
    except RecursionError:
        raise FileError(f"{_called(path)} is nested too deeply to be a clustering") from None


def _json_lines(text: str, path: str) -> list[Any]:
    records = []
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                records.append(json.loads(line))
            except (ValueError, RecursionError) as error:
                told = getattr(error, "msg", str(error))
                raise FileError(f"{_called(path)}, line {number} is not JSON: {told}") from None
    return records


def _is_records(whole: Any) -> bool:
    return isinstance(whole, list) and bool(whole) and all(isinstance(each, dict) for each in whole)


def _records(records: Sequence[Mapping[str, Any]], path: str) -> dict[str, Column]:
    names = list(dict.fromkeys(name for record in records for name in record))
    return {name: [_scalar(record.get(name), path) for record in records] for name in names}


def _scalar(value: Any, path: str) -> str | None:
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return str(value)
    raise FileError(f"{_called(path)} has a {type(value).__name__} where a label or an id should be: {str(value)[:40]}")


def _json_clustering(whole: Any, columns: Columns, path: str) -> Clustering:
    if isinstance(whole, dict) and whole:
        if all(isinstance(value, list) for value in whole.values()):
            element, cluster = columns.element or "element", columns.cluster or "cluster"
            if element in whole and cluster in whole:
                length = len(whole[element])
                if any(len(value) != length for value in whole.values()):
                    raise FileError(f"{_called(path)}: its columns differ in length")
                return Clustering.from_labels(_scalars(whole[cluster], path), elements=_scalars(whole[element], path))
            return Clustering.from_clusters({name: _scalars(value, path) for name, value in whole.items()})
        return Clustering.from_mapping({name: _scalar(value, path) for name, value in whole.items()})
    if isinstance(whole, list) and whole:
        if all(isinstance(each, list) for each in whole):
            return Clustering.from_clusters([_scalars(each, path) for each in whole])
        return Clustering.from_labels(_scalars(whole, path))
    raise FileError(
        f"{_called(path)} is no clustering: use a list of labels, a list of clusters, an object element -> label, or a "
        'list of objects {"element": .., "cluster": ..}'
    )


def _scalars(values: list[Any], path: str) -> Column:
    return [_scalar(value, path) for value in values]


def _pick(table: Mapping[str, Any], name: str | None, role: str, path: str) -> str:
    if name is not None:
        return _named(table, name, path)
    if role in table:
        return role
    raise FileError(
        f"{_called(path)} has no column {role!r}; it has {', '.join(map(repr, table))}: "
        f"name the one to use with --{role}"
    )


def _named(table: Mapping[str, Any], name: str, path: str) -> str:
    if name not in table:
        raise FileError(f"{_called(path)} has no column {name!r}: {nearest(name, table)}")
    return name


def _filled(values: Column, name: str, path: str) -> Column:
    missing = [k for k, value in enumerate(values) if value is None]
    if missing:
        raise FileError(
            f"{_called(path)}: {plural(len(missing), 'row')} without a value in column {name!r} (e.g. row "
            f"{missing[0] + 1}); fill it in or remove the row"
        )
    return values
