"""Collections of elements or labels, whatever holds them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np

from clusterscore.exceptions import InputTypeError
from clusterscore.read.labels import Labels

_LISTABLE = {list, tuple, set, frozenset}  # what collections usually are


def listed(values: Any) -> list[Any] | None:
    """A list of what can be iterated; None for what cannot."""
    try:
        return list(values)
    except TypeError:
        return None


def members_of(values: Any) -> list[Any] | None:
    """The elements of a cluster or a pair; a text is no collection of its letters, nor a mapping of its keys."""
    if type(values) in _LISTABLE:
        return list(values)
    return None if isinstance(values, str | bytes | Mapping) else listed(values)


def clusters_and_members(
    clusters: Iterable[Iterable[Any]] | Mapping[Any, Iterable[Any]],
) -> tuple[Labels, list[Any], bool]:
    """The cluster of each member, the members, cluster after cluster, and whether they are in an order."""
    names: Sequence[Any]
    if isinstance(clusters, Mapping):
        names, groups = list(clusters), list(clusters.values())
    else:
        given = listed(clusters)
        if given is None:
            raise InputTypeError(f"from_clusters takes a list of clusters, not {clusters!r}"[:200])
        groups, names = given, range(len(given))
    members = []
    for k, group in enumerate(groups):
        inside = members_of(group)
        if inside is None:
            raise InputTypeError(
                f"from_clusters takes collections of elements, but cluster {k} is {group!r}; "
                "one label per element is Clustering.from_labels"
            )
        members.append(inside)
    labels = Labels(np.repeat(np.arange(len(members)), list(map(len, members))), names)
    has_order = not any(isinstance(group, set | frozenset) for group in groups)
    return labels, list(chain.from_iterable(members)), has_order
