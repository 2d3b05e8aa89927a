"""Page streams, the data of the ELM papers: vectors with a 1 at the first page of every document.

Page 0 always starts a document, but some vectors say 0 there, and the authors' code takes the first 1 of a vector,
wherever it stands, for the start of the stream. Both readings are here.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import clusterscore as cs
from reproduce.elm_rows import NAMES
from reproduce.result import Floats, Ints

FOLDER = "elm-pss"
TRAIN, TEST, BERT = "train.json", "test.json", "BERT_model_predictions.json"


class Pages(NamedTuple):
    """Streams of pages, one after the other."""

    names: Any  # of the streams
    stream: Ints  # of every page
    marks: Ints  # 1 where a document starts

    @property
    def first(self) -> Ints:
        """Where each stream starts."""
        return np.flatnonzero(np.diff(self.stream, prepend=-1))

    @property
    def sizes(self) -> Ints:
        """The lengths of the documents as the marks tell them: pages before the first mark are in none."""
        starts = np.flatnonzero(self.marks)
        last = np.append(self.first[1:], len(self.marks))[self.stream[starts]]  # where the stream ends
        return np.asarray(np.minimum(np.append(starts[1:], len(self.marks)), last) - starts)

    def documents(self) -> cs.Clustering:
        """The documents, where page 0 of a stream starts one."""
        marks = self.marks.copy()
        marks[self.first] = 1
        return cs.Clustering.from_labels(np.cumsum(marks), documents=self.stream)

    def documents_without_first_mark(self) -> cs.Clustering:
        """The documents as the authors' make_index reads them."""
        marks = self.marks.copy()
        marked = np.flatnonzero(marks)
        marks[marked[np.diff(self.stream[marked], prepend=-1) > 0]] = 0
        return self._replace(marks=marks).documents()

    def mean_by_stream(self, values: Any) -> Floats:
        """The mean over the documents of each stream, of a value for every document."""
        stream, count = self.stream[np.flatnonzero(self.marks)], len(self.names)
        return np.bincount(stream, values, count) / np.maximum(np.bincount(stream, minlength=count), 1)


class PageStreams(NamedTuple):
    """The data of the paper: gold documents, and what BERT predicts for the test streams."""

    train: Pages
    test: Pages
    bert: Pages

    @property
    def every(self) -> Pages:
        """Train and test together."""
        test = self.test._replace(stream=len(self.train.names) + self.test.stream)
        return Pages(*(np.concatenate(both) for both in zip(self.train, test, strict=True)))


class Scores(NamedTuple):
    """P, R and F1 of every stream."""

    precision: Floats
    recall: Floats
    f: Floats


def scores(gold: cs.Clustering, pred: cs.Clustering) -> dict[str, Scores]:
    """BCubed and ELM of every stream, from one count."""
    table = cs.score(gold, pred, metrics=list(NAMES.values())).documents
    return {name: Scores(table[f"{key}.precision"], table[f"{key}.recall"], table[key]) for name, key in NAMES.items()}


def load(data: Path | None) -> PageStreams | None:
    """The streams in the folder ``elm-pss`` of the data; None where a file is missing."""
    if data is None:
        return None
    paths = [Path(data) / FOLDER / name for name in (TRAIN, TEST, BERT)]
    if not all(path.is_file() for path in paths):
        return None
    train, test, bert = map(_read, paths)
    if bert.names.tolist() != test.names.tolist() or bert.stream.tolist() != test.stream.tolist():
        raise cs.FileError(f"{paths[2]} does not have the streams of {TEST}, in the same order and with the same pages")
    return PageStreams(train, test, bert)


def _read(path: Path) -> Pages:
    rule = "the file maps the name of a stream to a list of 0 and 1, one for each page"
    try:
        streams: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        lengths = [len(marks) for marks in streams.values()]
        marks = np.array([mark for marks in streams.values() for mark in marks])
    except (ValueError, AttributeError, TypeError) as error:
        raise cs.FileError(f"{path}: {error}; {rule}") from None
    if not lengths or min(lengths) == 0 or marks.dtype.kind not in "iu" or not np.isin(marks, (0, 1)).all():
        raise cs.FileError(f"{path}: {rule}")
    return Pages(np.array(list(streams), object), np.repeat(np.arange(len(lengths)), lengths), marks.astype(np.int64))
