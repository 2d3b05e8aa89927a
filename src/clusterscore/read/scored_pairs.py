"""Pairs of elements with a score or a label, whatever holds them: the higher a score, the more alike the two."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain
from typing import Any

import numpy as np

from clusterscore.distinct import Array
from clusterscore.exceptions import InputError, InputTypeError, check_number, nearest
from clusterscore.messages import Given, Message, Option, one_after_another
from clusterscore.nouns import noun, plural
from clusterscore.read.arrays import as_vector
from clusterscore.read.clustering import Clustering
from clusterscore.read.columns import SOURCE
from clusterscore.read.duckdb_connection import Session
from clusterscore.read.labels import Labels, plain, shortened
from clusterscore.read.links import closed
from clusterscore.read.pair_tables import NULL, PairTable, ScoredPairs, in_files, in_memory

_ENDS = (  # the columns of the two elements of a pair, as people call them
    ("unique_id_l", "unique_id_r"),  # Splink
    ("left", "right"),
    ("left_id", "right_id"),
    ("ltable_id", "rtable_id"),
    ("id_l", "id_r"),
    ("id_1", "id_2"),
    ("id1", "id2"),
    ("rec_id_1", "rec_id_2"),
    ("record_id_1", "record_id_2"),
    ("element_1", "element_2"),
    ("source", "target"),
    ("u", "v"),
    ("a", "b"),
)
_SOURCES = (f"{SOURCE}_l", f"{SOURCE}_r")  # Splink's ids may repeat in another data set
_SPLINK = ("match_probability", "match_weight")  # which say the same, in other units
_SCORES = (*_SPLINK, "score", "probability", "similarity", "weight", "confidence")
_DISTANCES = ("distance", "dist", "dissimilarity", "cost")
_LABELS = ("clerical_match_score", "label", "is_match", "match", "is_duplicate", "duplicate")
_BY_LABEL = {"match", "distinct", "unsure", "uncertain"}  # as dedupe's training data has them
_MANY = 10  # columns in a message


def scored_pairs(
    edges: Any, *, left: str | None = None, right: str | None = None, score: str | None = None
) -> ScoredPairs:
    """Pairs and their scores from three columns of a frame or a file, triples, a mapping, dedupe's scores, a graph.

    Without names the columns are found by what Splink, dedupe, recordlinkage and others call them. A score is a finite
    number, and a pair has two different elements.
    """
    _check_names(left=left, right=right, score=score)
    with _opened(edges, "edges", "score", {*_SCORES, *_DISTANCES, left, right, score}) as table:
        ends = _end_columns(table, left, right)
        scores = _score_column(table, score)
        pairs = _checked(table, ends, left is None and right is None, scores, None)
    nothing, without = np.isnan(pairs.score), f"without a number in {scores!r}"
    _refuse(table, pairs, nothing, without, "drop them, or give them the lowest score")
    endless, infinite = np.isinf(pairs.score), f"with an infinite {scores!r}"
    _refuse(table, pairs, endless, infinite, "write a finite number beyond all others")
    return pairs


def labelled_pairs(
    labelled: Any,
    *,
    left: str | None = None,
    right: str | None = None,
    label: str | None = None,
    weight: str | None = None,
) -> tuple[ScoredPairs, bool]:
    """Pairs and their labels, as they are written, from what :func:`scored_pairs` takes; and whether they have weights.

    A column "weight", or a fourth value of a tuple, is a weight. dedupe's training data has pairs by their label.
    """
    _check_names(left=left, right=right, label=label, weight=weight)
    if isinstance(labelled, Mapping) and labelled and set(labelled) <= _BY_LABEL:  # dedupe's training data
        fields = (left, right)
        rows = [(kind, pair) for kind, pairs_of_kind in labelled.items() for pair in pairs_of_kind]
        labelled = [(*(_id_of(end, name) for end, name in zip(pair, fields, strict=True)), kind) for kind, pair in rows]
        left = right = None
    elif getattr(labelled, "nlevels", 1) == 2:  # recordlinkage's matches
        labelled = [(*pair, "match") for pair in labelled]
    with _opened(labelled, "labelled", "label", {*_LABELS, left, right, label, weight, "weight"}) as table:
        ends = _end_columns(table, left, right)
        labels = _value_column(table, label, "label", _LABELS)
        if weight is not None or "weight" in table.names:
            weight = _value_column(table, weight, "weight", ("weight",))
        pairs = _checked(table, ends, left is None and right is None, weight, labels)
    bad, what = ~((pairs.score > 0) & (pairs.score < np.inf)), f"without a weight above 0 in {weight!r}"
    _refuse(table, pairs, bad, what, "a weight is 1 / the probability that the pair is drawn")
    return pairs, weight is not None


@contextmanager
def _opened(given: Any, called: str, value: str, names: set[str | None]) -> Iterator[PairTable]:
    """The table of pairs in a file or in memory; ``names`` are those of columns that may be asked for."""
    if isinstance(given, str | os.PathLike):
        with Session(ordered=True) as session:
            yield in_files(session, given, {*chain.from_iterable(_ENDS), *_SOURCES, *names}, value)
    else:
        yield in_memory(given, called, value)


def _id_of(record: Any, field: str | None) -> Any:
    """The id of one end of a pair in dedupe's training data, which has whole records."""
    if not isinstance(record, Mapping):
        return record
    if field is None or field not in record:
        raise InputError(
            f"the pairs are made of records (with {', '.join(map(str, list(record)[:_MANY]))}); name the field with "
            "the id: ",
            one_after_another([Option("left", "id"), Option("right", "id")]),
        )
    return record[field]


def _check_names(**names: Any) -> None:
    for option, name in names.items():
        if name is not None and not isinstance(name, str):
            raise InputTypeError(Given(option, name), " is not a column name; pass a string")


def from_predictions(
    frame: Any, threshold: float, left: str | None, right: str | None, score: str | None, elements: Iterable[Any] | None
) -> Clustering:
    """Pairs whose score is high enough, closed transitively; see :meth:`Clustering.from_predictions`."""
    check_number("threshold", threshold, ", the lowest score of a link")
    pairs = scored_pairs(frame, left=left, right=right, score=score)
    linked = pairs.score >= threshold
    left_ends, right_ends = (Labels(end[linked], pairs.elements) for end in (pairs.left, pairs.right))
    return closed(left_ends, right_ends, () if elements is None else as_vector(elements, "elements"))


def _checked(
    table: PairTable, columns: tuple[str, str], unnamed: bool, score: str | None, label: str | None
) -> ScoredPairs:
    """The pairs of a table, all of which have two different elements."""
    starts, ends = columns
    several = unnamed and starts == _ENDS[0][0] and set(_SOURCES) <= set(table.names)
    sources = _SOURCES if several else ()
    pairs = table.read([*sources[:1], starts], [*sources[1:], ends], score, label)
    if not len(pairs.score):
        raise InputError(f"{table.called} has no rows: there are no pairs to link")

    nameless, without = (pairs.left == NULL) | (pairs.right == NULL), f"without an id in {starts!r} or {ends!r}"
    _refuse(table, pairs, nameless, without, "fill it in, or drop them", with_ids=False)
    _refuse(table, pairs, pairs.left == pairs.right, noun("of an element with itself"), "drop them: they link nothing")
    return pairs


def _refuse(table: PairTable, pairs: ScoredPairs, bad: Array, what: str, remedy: str, *, with_ids: bool = True) -> None:
    if bad.any():
        k = int(bad.argmax())
        ids = (shortened(plain(pairs.elements[int(end[k])])) for end in (pairs.left, pairs.right))
        example = f", {' and '.join(ids)}" if with_ids else ""
        count = plural(int(bad.sum()), "pair")
        raise InputError(f"{count} {what} (e.g. row {k + table.first_row}{example}); {remedy}")


def _end_columns(table: PairTable, left: str | None, right: str | None) -> tuple[str, str]:
    _refuse_absent(table, left, "left", "one end")
    _refuse_absent(table, right, "right", "one end")
    if left is not None and right is not None:
        return left, right
    known = [
        pair for pair in _ENDS if set(pair) <= set(table.names) and left in (None, pair[0]) and right in (None, pair[1])
    ]
    if len(known) == 1 or (known and known[0] == _ENDS[0]):
        return known[0]
    if known:
        raise InputError(
            f"{table.called} has columns for several pairs of ends ({' and '.join(map(str, known[:2]))}); name one: ",
            one_after_another([Option("left", known[0][0]), Option("right", known[0][1])]),
        )
    raise InputError(f"{table.called} has no columns recognized as the two ends of a pair", _remedy(table))


def _value_column(table: PairTable, named: str | None, what: str, usual: Sequence[str]) -> str:
    """The column of scores, labels or weights."""
    _refuse_absent(table, named, what, f"the {what}")
    if named is not None:
        return named
    known = [name for name in usual if name in table.names]
    if len(known) == 1 or (known and known[0] in _SPLINK):
        return known[0]
    if known:
        several = f"{table.called} has several columns of {what}s ({', '.join(known)}); name one: "
        raise InputError(several, Option(what, "..."))
    raise InputError(f"{table.called} has no column recognized as the {what} of a pair", _remedy(table))


def _score_column(table: PairTable, score: str | None) -> str:
    usual = [name for name in _SCORES if name in table.names]
    distance = next((name for name in table.names if name.lower() in _DISTANCES), None)
    if distance is not None and score is None and not usual:
        raise InputError(
            f"{table.called} has a {distance!r} and no score: the higher a score, the more alike the two; add a column "
            f"of similarities, such as 1 - {distance}, and name it with ",
            Option("score", ...),
        )
    return _value_column(table, score, "score", usual)


def _refuse_absent(table: PairTable, name: str | None, option: str, what: str) -> None:
    """Raise where the user named a column that is not there."""
    if name is not None and name not in table.names:
        near = nearest(name, map(str, table.names))
        message = f"{table.called} has no column {name!r} for {what} of a pair: {near}"
        raise InputError(message, " name it with " if near.endswith("?") else "; name it with ", Option(option, ...))


def _remedy(table: PairTable) -> Message:
    """What to type where columns are not known."""
    names = list(map(str, table.names))
    if any(map(_is_number, names)):
        heading = f"left,right,{table.value}"
        return Message(
            f"; its first line is data ({', '.join(names[:3])}): write a heading above it, such as {heading}"
        )
    typed = names if len(names) == 3 else ["...", "...", "..."]
    more = f" and {len(names) - _MANY} more" if len(names) > _MANY else ""
    options = one_after_another(map(Option, ("left", "right", table.value), typed))
    return Message(f", but {', '.join(names[:_MANY])}{more}; name them: ", options)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
