"""The join: which elements of two sides are the same, by their ids, and by their documents where both have some."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from clusterscore.distinct import Array, Ints, distinct
from clusterscore.read.arrays import joined, python_values
from clusterscore.read.labels import Labels, encode, without_null

SPLINK = "-__-"  # between the data set and the id, as Splink writes an id of two parts

Ids = Sequence[Any] | Array


class Joined(NamedTuple):
    """The elements of two sides, one side after the other: ``element`` says which are the same."""

    ids: Labels
    documents: Labels | None  # where both sides have some
    element: Ints
    partner: Ints  # where each element of the left side stands on the right one, or -1
    back: Ints  # where each element of the right side stands on the left one, or -1


def join(left: Ids, right: Ids, left_documents: Labels | None = None, right_documents: Labels | None = None) -> Joined:
    """Match the elements of two sides; an id that stands on a side several times stands there where it does last."""
    left, right = unify_id_types(left, right)
    ids = without_null(encode(joined(left, right)), "an id")
    documents, columns = None, [(ids.codes, len(ids.names))]
    if left_documents is not None and right_documents is not None:
        documents = together(left_documents, right_documents)
        columns.insert(0, (documents.codes, len(documents.names)))
    rows = distinct(*columns, codes=True)
    of_left, of_right = rows.codes[: len(left)], rows.codes[len(left) :]
    places = np.full((2, len(rows)), -1)
    places[0, of_left] = np.arange(len(left))
    places[1, of_right] = np.arange(len(right))
    return Joined(ids, documents, rows.codes, places[1, of_left], places[0, of_right])


def together(left: Labels, right: Labels) -> Labels:
    """Both sides' labels in common codes, one after the other."""
    names = unify_id_types(*([labels.name(k) for k in range(len(labels.names))] for labels in (left, right)))
    codes = np.concatenate([left.codes, len(left.names) + right.codes.astype(np.int64)])
    return encode([*names[0], *names[1]]).take(codes)


def unify_id_types(left: Ids, right: Ids) -> tuple[Ids, Ids]:
    """Integers become text where the other side's ids are; so do Splink's ids of two parts."""
    kinds = _kind(left), _kind(right)
    if kinds[0] == kinds[1] or "text" not in kinds:
        return left, right
    text = left if kinds[0] == "text" else right
    if isinstance(text, list) and set(map(type, text)) != {str}:  # some are numbers, and stay so
        return left, right
    return _as_text(left, kinds[0]), _as_text(right, kinds[1])


def _as_text(ids: Ids, kind: str) -> Ids:
    if kind == "integers":
        return list(map(str, python_values(ids)))
    return [SPLINK.join(map(str, parts)) for parts in ids] if kind == "pairs" else ids


def _kind(ids: Ids) -> str:
    """What ids are, by the first of them; integers only if all are."""
    if not len(ids):
        return "nothing"
    first = ids[0]
    if isinstance(first, str):
        return "text"
    if isinstance(ids, np.ndarray) and ids.dtype != object:
        return "integers" if ids.dtype.kind in "iu" else "other"
    if isinstance(first, int | np.integer) and not isinstance(first, bool):
        kinds = set(map(type, ids))
        return "integers" if all(issubclass(kind, int | np.integer) and kind is not bool for kind in kinds) else "other"
    pairs = isinstance(first, tuple) and all(isinstance(parts, tuple) and len(parts) == 2 for parts in ids)
    return "pairs" if pairs else "other"
