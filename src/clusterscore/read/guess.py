"""What did the user hand over? A Clustering, where that can only mean one thing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np

from clusterscore.exceptions import InputTypeError
from clusterscore.read.arrays import as_vector, encode_tensor, is_frame, tensor_vector
from clusterscore.read.clustering import Clustering, pandas_index
from clusterscore.read.labels import encode

_COLLECTIONS = (list, set, frozenset, np.ndarray)


def as_clusterings(gold: Any, pred: Any) -> tuple[Clustering, Clustering]:
    """Both sides, each read as what it is; a list of tuples takes its meaning from the other side if it must.

    Tuples may be labels or clusters. Where they share elements they cannot be clusters; where they do not, they are
    labels if the other side goes by position and is as long, and clusters otherwise.
    """
    if isinstance(gold, list | tuple) and _may_be_either(gold):
        if isinstance(pred, list | tuple) and _may_be_either(pred):
            as_labels = set(chain.from_iterable(gold)) != set(chain.from_iterable(pred)) and len(gold) == len(pred)
            make = Clustering.from_labels if as_labels else Clustering.from_clusters
            return make(gold), make(pred)
        other = as_clustering(pred, "pred")
        return _as_the_other(gold, other), other
    other = as_clustering(gold, "gold")
    if isinstance(pred, list | tuple) and _may_be_either(pred):
        return other, _as_the_other(pred, other)
    return other, as_clustering(pred, "pred")


def on_device(gold: Any, pred: Any) -> tuple[Clustering, Clustering]:
    """Two tensors as clusterings whose codes stay where the labels are."""
    gold, pred = tensor_vector(gold, "gold"), tensor_vector(pred, "pred", gold)
    return Clustering(encode_tensor(gold)), Clustering(encode_tensor(pred))


def as_clustering(given: Any, side: str) -> Clustering:
    """One side; an error that names the constructor to use where the meaning is open."""
    if isinstance(given, Clustering):
        return given
    if type(given) is np.ndarray and given.ndim == 1 and given.dtype != object:
        return Clustering(encode(given))
    if given is None:
        raise InputTypeError(f"{side} is None; pass one label per element, a mapping, or a list of clusters")
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


def _from_mapping(given: Mapping[Any, Any], side: str) -> Clustering:
    many = next(((k, v) for k, v in given.items() if isinstance(v, (*_COLLECTIONS, Mapping))), None)
    if many is not None:
        raise InputTypeError(
            f"{side} maps {many[0]!r} to a {type(many[1]).__name__}, which may be an element's labels or a cluster's "
            "members; clusters by name are Clustering.from_clusters(mapping), one label per element is "
            "Clustering.from_mapping({element: label})"
        )
    return Clustering.from_mapping(given)


def _may_be_either(given: Sequence[Any]) -> bool:
    if not given or not all(isinstance(v, tuple) for v in given):
        return False
    try:
        members = list(chain.from_iterable(given))
        return len(set(members)) == len(members)
    except TypeError:
        return False


def _as_the_other(given: Sequence[Any], other: Clustering) -> Clustering:
    by_position = other.ids is None and len(other) == len(given)
    return Clustering.from_labels(given) if by_position else Clustering.from_clusters(given)
