"""Pairs of elements with a score, whatever holds them: the higher the score, the more alike the two."""

from __future__ import annotations

import os
from collections.abc import Iterable
from itertools import chain
from typing import Any

import numpy as np

from clusterscore.distinct import Array
from clusterscore.exceptions import InputError, InputTypeError, nearest, plural
from clusterscore.read.arrays import as_vector
from clusterscore.read.clustering import Clustering
from clusterscore.read.duck import Session
from clusterscore.read.frames import SOURCE
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
_MANY = 10  # columns in a message


def scored_pairs(
    edges: Any, *, left: str | None = None, right: str | None = None, score: str | None = None
) -> ScoredPairs:
    """Pairs and their scores from three columns of a frame or a file, triples, a mapping, dedupe's scores, a graph.

    Without names the columns are found by what Splink, dedupe, recordlinkage and others call them. A score is a finite
    number, and a pair has two different elements.
    """
    for option, name in (("left", left), ("right", right), ("score", score)):
        if name is not None and not isinstance(name, str):
            raise InputTypeError(f"{option}={name!r} is no name of a column; pass a text")
    if isinstance(edges, str | os.PathLike):
        known = {*chain.from_iterable(_ENDS), *_SOURCES, *_SCORES, *_DISTANCES, left, right, score}
        with Session(ordered=True) as session:
            return _checked(in_files(session, edges, known), left, right, score)
    return _checked(in_memory(edges), left, right, score)


def from_predictions(
    frame: Any, threshold: float, left: str | None, right: str | None, score: str | None, elements: Iterable[Any] | None
) -> Clustering:
    """Pairs whose score is high enough, closed transitively; see :meth:`Clustering.from_predictions`."""
    if isinstance(threshold, bool) or not isinstance(threshold, int | float | np.number) or np.isnan(threshold):
        raise InputTypeError(f"threshold is a number, the lowest score of a link, not {threshold!r}")
    pairs = scored_pairs(frame, left=left, right=right, score=score)
    linked = pairs.score >= threshold
    ends = [Labels(each[linked], pairs.elements) for each in (pairs.left, pairs.right)]
    return closed(ends[0], ends[1], () if elements is None else as_vector(elements, "elements"))


def _checked(table: PairTable, left: str | None, right: str | None, score: str | None) -> ScoredPairs:
    """The pairs of a table, all of which can be used."""
    starts, ends = _end_columns(table, left, right)
    scores = _score_column(table, score)
    several = left is None and right is None and starts == _ENDS[0][0] and set(_SOURCES) <= set(table.names)
    sources = _SOURCES if several else ()
    pairs = table.read([*sources[:1], starts], [*sources[1:], ends], scores)
    if not len(pairs.score):
        raise InputError(f"{table.called} has no rows: there are no pairs to link")

    def refuse(bad: Array, what: str, remedy: str, *, with_ids: bool = True) -> None:
        if bad.any():
            k = int(bad.argmax())
            ids = (plain(pairs.elements[int(each[k])]) for each in (pairs.left, pairs.right)) if with_ids else ()
            example = "".join(f", {each}" for each in [" and ".join(map(shortened, ids))] if each)
            count = plural(int(bad.sum()), "pair")
            raise InputError(f"{count} {what} (e.g. row {k + table.first_row}{example}); {remedy}")

    refuse(
        (pairs.left == NULL) | (pairs.right == NULL),
        f"without an id in {starts!r} or {ends!r}",
        "fill it in, or drop them",
        with_ids=False,
    )
    refuse(np.isnan(pairs.score), f"without a number in {scores!r}", "drop them, or give them the lowest score")
    refuse(np.isinf(pairs.score), f"with an infinite {scores!r}", "write a finite number beyond all others")
    refuse(pairs.left == pairs.right, "of an element with itself", "drop them: they link nothing")
    return pairs


def _end_columns(table: PairTable, left: str | None, right: str | None) -> tuple[str, str]:
    named = {"left": left, "right": right}
    for option, name in named.items():
        if name is not None and name not in table.names:
            raise InputError(
                f"{table.called} has no column {name!r} for one end of a pair, {_nearest(name, table)}; name it with "
                f"{option}=..."
            )
    if left is not None and right is not None:
        return left, right
    known = [
        pair for pair in _ENDS if set(pair) <= set(table.names) and left in (None, pair[0]) and right in (None, pair[1])
    ]
    if len(known) == 1 or (known and known[0] == _ENDS[0]):
        return known[0]
    if known:
        raise InputError(
            f"{table.called} has columns for several pairs of ends ({' and '.join(map(str, known[:2]))}); name one: "
            f'left="{known[0][0]}", right="{known[0][1]}"'
        )
    raise InputError(f"{table.called} has no columns that are known as the two ends of a pair{_remedy(table)}")


def _score_column(table: PairTable, score: str | None) -> str:
    if score is not None:
        if score not in table.names:
            raise InputError(
                f"{table.called} has no column {score!r} for the score of a pair, {_nearest(score, table)}; name it "
                "with score=..."
            )
        return score
    known = [name for name in _SCORES if name in table.names]
    if len(known) == 1 or (known and known[0] in _SPLINK):
        return known[0]
    if known:
        raise InputError(f'{table.called} has several columns of scores ({", ".join(known)}); name one: score="..."')
    distance = next((name for name in table.names if name.lower() in _DISTANCES), None)
    if distance is not None:
        raise InputError(
            f"{table.called} has a {distance!r} and no score: the higher a score, the more alike the two; add a column "
            f"of similarities, such as 1 - {distance}, and name it with score=..."
        )
    raise InputError(f"{table.called} has no column that is known as the score of a pair{_remedy(table)}")


def _nearest(name: str, table: PairTable) -> str:
    return nearest(name, map(str, table.names))


def _remedy(table: PairTable) -> str:
    """What to type where columns are not known."""
    names = list(map(str, table.names))
    if any(map(_is_number, names)):
        return f"; its first line is data ({', '.join(names[:3])}): write a heading above it, such as left,right,score"
    typed = names if len(names) == 3 else ["...", "...", "..."]
    more = f" and {len(names) - _MANY} more" if len(names) > _MANY else ""
    return f' ({", ".join(names[:_MANY])}{more}); name them: left="{typed[0]}", right="{typed[1]}", score="{typed[2]}"'


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
