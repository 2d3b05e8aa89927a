"""What did the user hand over? A Clustering, where that can only mean one thing."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain
from typing import Any

import numpy as np

from clusterscore.exceptions import ClusterscoreError, InputTypeError, warn_user
from clusterscore.read.arrays import LIBRARIES, as_vector, encode_tensor, is_frame, pandas_index, tensor_vector
from clusterscore.read.clustering import Clustering
from clusterscore.read.labels import encode
from clusterscore.read.named_lists import NamedLists, read_together
from clusterscore.read.objects import of_other_library

_VECTORS = {"builtins", "numpy", *LIBRARIES}
_COLLECTIONS = (list, set, frozenset, np.ndarray)
_OF_FILES = re.compile(r'\b(gold_|pred_)?(element|cluster|document|format)="')  # what from_files is told


def as_clusterings(gold: Any, pred: Any) -> tuple[Clustering, Clustering]:
    """Both sides, each read as what it is; tuples and mappings of collections take their meaning from the other side.

    Tuples may be labels or clusters: they are labels if the other side goes by position and is as long, and clusters
    otherwise. Where both sides are tuples, and equally many, they are clusters if they share no elements with each
    other and hold the same on both sides. The ids of a text file are text: integers of the other side become text too.
    """
    gold_path, pred_path = path_of(gold), path_of(pred)
    if gold_path is None and pred_path is None:
        return _two_objects(gold, pred)
    from clusterscore.read.files import alike, read_two

    with _options_of_files():
        if gold_path is not None and pred_path is not None:
            return read_two(gold_path, pred_path, missing="drop")
        return alike(*_two_objects(gold, pred), both_typed=False)


def _two_objects(gold: Any, pred: Any) -> tuple[Clustering, Clustering]:
    if hasattr(gold, "labels_") and not hasattr(pred, "labels_"):
        warn_user(
            f"gold is a {type(gold).__name__}: gold comes first and the prediction second; the other way round P and R "
            "are swapped"
        )
    in_gold, in_pred = _are_tuples(gold), _are_tuples(pred)
    if in_gold and in_pred:
        as_labels = len(gold) == len(pred) and (
            _share_elements(gold) or _share_elements(pred) or set(chain(*gold)) != set(chain(*pred))
        )
        make = Clustering.from_labels if as_labels else Clustering.from_clusters
        return make(gold), make(pred)
    if in_gold:
        other = _read(pred, "pred")
        return read_together(_as_the_other(gold, other), other)
    other = _read(gold, "gold")
    read = _as_the_other(pred, other) if in_pred else _read(pred, "pred")
    if isinstance(read, NamedLists) and isinstance(other, Clustering):
        _refuse_systems(other, read.lists)
    return read_together(other, read)


def _refuse_systems(gold: Clustering, lists: Mapping[Any, Any]) -> None:
    """Raise where gold goes by position and each list has as many labels: these are predictions by name."""
    if gold.ids is not None or gold.index is not None or {len(one) for one in lists.values()} != {len(gold)}:
        return
    name = next(iter(lists))
    raise InputTypeError(
        f"pred maps {name!r} to {len(gold):,} labels, one for each element, as several systems are given by name; pass "
        f"one of them, pred[{name!r}], or use cs.compare(gold, pred), which takes them all"
    )


def on_device(gold: Any, pred: Any) -> tuple[Clustering, Clustering]:
    """Two tensors as clusterings whose codes stay where the labels are."""
    gold, pred = tensor_vector(gold, "gold"), tensor_vector(pred, "pred", gold)
    return Clustering(encode_tensor(gold)), Clustering(encode_tensor(pred))


def as_clustering(given: Any, side: str) -> Clustering:
    """One side alone."""
    with _options_of_files():
        made = _read(given, side)
        return made.alone() if isinstance(made, NamedLists) else made


def path_of(given: Any) -> str | None:
    """The file that is meant: a text means one if it exists, is a pattern, or ends like one; standard input is none."""
    if isinstance(given, str):
        from clusterscore.read.formats import by_name

        if not (os.path.exists(given) or set("*?[") & set(given) or by_name(given)):
            return None
    elif not isinstance(given, os.PathLike):
        return None
    path = os.fsdecode(given)
    return os.path.join(".", path) if path == "-" else path


@contextmanager
def _options_of_files() -> Iterator[None]:
    """Complaints that name an option of reading, with who takes it."""
    try:
        yield
    except ClusterscoreError as error:
        if not _OF_FILES.search(str(error)):
            raise
        raise type(error)(f"{error} (Clustering.from_files and from_file take that)") from None


def _read(given: Any, side: str) -> Clustering | NamedLists:
    """One side; an error that names the constructor to use where the meaning is open."""
    if isinstance(given, Clustering):
        return given
    if type(given) is np.ndarray and given.ndim == 1 and given.dtype != object:
        return Clustering(encode(given))
    if given is None:
        raise InputTypeError(f"{side} is None; pass one label per element, a mapping, or a list of clusters")
    if (path := path_of(given)) is not None:
        from clusterscore.read.files import read_one

        return read_one(path)
    if type(given).__module__.partition(".")[0] not in _VECTORS:
        given = of_other_library(given, side)
        if isinstance(given, Clustering):
            return given
    if isinstance(given, Mapping):
        return _from_mapping(given, side)
    if is_frame(given):
        return Clustering.from_frame(given)
    if isinstance(given, set | frozenset):
        if all(isinstance(cluster, frozenset | tuple) for cluster in given):
            return Clustering.from_clusters(given)
        raise InputTypeError(
            f"{side} is a set, which has no order; pass a list of labels, or Clustering.from_clusters([...])"
        )
    values = as_vector(given, side)
    if len(values) and not (isinstance(values, np.ndarray) and values.dtype != object):
        first = values[0]
        if isinstance(first, Mapping):
            raise InputTypeError(
                f"{side} is a list of mappings; make a frame of it for Clustering.from_frame, or one mapping "
                "element -> label for Clustering.from_mapping"
            )
        if isinstance(first, np.ndarray) and first.ndim == 0:
            raise InputTypeError(f"{side} is a list of 0-dimensional arrays; pass one array, or np.stack of the list")
        if isinstance(first, _COLLECTIONS):
            odd = next((v for v in values if not isinstance(v, (*_COLLECTIONS, tuple))), None)
            if odd is not None:
                raise InputTypeError(
                    f"{side} mixes collections with single labels (e.g. {odd!r}); say which it is: "
                    "Clustering.from_labels or Clustering.from_clusters"
                )
            return Clustering.from_clusters(values)
    return Clustering(encode(values), index=pandas_index(given))


def _from_mapping(given: Mapping[Any, Any], side: str) -> Clustering | NamedLists:
    types = set(map(type, given.values()))  # few: quicker to look at than the values
    nested = {each for each in types if issubclass(each, Mapping | Iterator)}
    if nested:
        key, value = _first(given, nested)
        raise InputTypeError(
            f"{side} maps {key!r} to a {type(value).__name__}; pass a mapping element -> label, or element -> set of "
            "labels where clusters overlap; cs.compare takes several predictions by name"
        )
    several = {each for each in types if issubclass(each, _COLLECTIONS)}
    if not several:
        return Clustering.from_mapping(given)
    if several != types:
        one, many = _first(given, types - several), _first(given, several)
        raise InputTypeError(
            f"{side} maps {one[0]!r} to one label, {one[1]!r}, and {many[0]!r} to a {type(many[1]).__name__} of "
            f"labels; write one label as a set too: {{{one[1]!r}}}"
        )
    return NamedLists(given, side, in_file=False)


def _first(given: Mapping[Any, Any], types: set[type]) -> tuple[Any, Any]:
    """The first key whose value has one of some types, and that value."""
    return next((key, value) for key, value in given.items() if type(value) in types)


def _are_tuples(given: Any) -> bool:
    return isinstance(given, list | tuple) and bool(given) and all(isinstance(each, tuple) for each in given)


def _share_elements(given: Sequence[Any]) -> bool:
    members = list(chain.from_iterable(given))
    try:
        return len(set(members)) < len(members)
    except TypeError:
        return True


def _as_the_other(given: Sequence[Any], other: Clustering | NamedLists) -> Clustering:
    by_position = isinstance(other, Clustering) and other.ids is None and len(other) == len(given)
    return Clustering.from_labels(given) if by_position else Clustering.from_clusters(given)
