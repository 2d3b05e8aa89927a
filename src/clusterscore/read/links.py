"""Links between elements: what is linked, over however many links, is one cluster."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from clusterscore.distinct import Array, Ints, distinct
from clusterscore.exceptions import InputError, InputTypeError, check_number
from clusterscore.messages import Wording
from clusterscore.nouns import noun, plural
from clusterscore.read.arrays import joined, listed, members_of
from clusterscore.read.clustering import Clustering
from clusterscore.read.label_sets import numbered_elements
from clusterscore.read.labels import Labels, Unnamed, encode, without_null


def ends(pairs: Iterable[tuple[Any, Any]]) -> tuple[list[Any], list[Any]]:
    """The two ends of each pair."""
    given = listed(pairs)
    if given is None:
        raise InputTypeError(f"from_pairs takes a list of pairs, not {pairs!r}"[:200])
    members = [members_of(pair) for pair in given]
    links = [link for link in members if link is not None and len(link) == 2]
    if len(links) < len(given):
        bad = next(k for k, link in enumerate(members) if link is None or len(link) != 2)
        raise InputError(
            f"{plural(len(given) - len(links), 'linked pair')} not made of two {noun('elements')} (e.g. pair "
            f"{bad}: {given[bad]!r}); write pairs as (a, b)"
        )
    return [link[0] for link in links], [link[1] for link in links]


def closed(
    left: Sequence[Any] | Array, right: Sequence[Any] | Array, elements: Sequence[Any] | Array = ()
) -> Clustering:
    """Links closed transitively: what is linked, over however many links, is one cluster.

    The ends of the links stand side by side in two vectors; ``elements`` come first, linked or not.
    """
    alone, count = len(elements), len(left)
    values = joined(left, right) if not alone else joined(elements, joined(left, right))
    in_turn = alone + np.arange(2 * count).reshape(2, count).T.ravel()  # both ends of a link, then those of the next
    ids = without_null(encode(values), "an id").take(np.concatenate([np.arange(alone), in_turn]))
    rows = distinct((ids.codes, len(ids.names)), codes=True)
    element, first = numbered_elements(rows)
    number, codes = components(element[alone::2], element[alone + 1 :: 2], len(rows))
    return Clustering(Labels(codes, Unnamed(number)), ids=ids.take(first)[:])


def components(left: Array, right: Array, nodes: int) -> tuple[int, Ints]:
    """How many parts a graph has that are not linked with each other, and the part of each of its nodes."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    graph = coo_array((np.ones(len(left), np.int8), (left, right)), shape=(nodes, nodes))
    number, part = connected_components(graph, directed=False) if nodes else (0, np.zeros(0))
    return int(number), part.astype(np.int64)


def as_linkage(linkage: Any) -> Array:
    """The merges of a hierarchy as SciPy writes them, a row each: two nodes, a height, a size.

    From SciPy, fastcluster, a fitted AgglomerativeClustering (``children_``, ``distances_``), or HDBSCAN
    (``single_linkage_tree_``).
    """
    from scipy.cluster.hierarchy import is_valid_linkage

    linkage = getattr(linkage, "single_linkage_tree_", linkage)
    given = linkage.to_numpy() if hasattr(linkage, "to_numpy") else linkage
    try:
        if hasattr(linkage, "children_"):
            given = _fitted(linkage)
        merges = np.ascontiguousarray(given, dtype=np.float64)
        is_valid_linkage(merges, throw=True)
    except (TypeError, ValueError) as error:
        raise InputError(
            f"not a linkage: {str(error).rstrip('.')}; pass what scipy's linkage(distances) returns, a row for each "
            "merge, and scored pairs as ",
            Wording("edges=...", "a table"),
        ) from None
    if not np.isfinite(merges).all():
        bad = int(np.flatnonzero(~np.isfinite(merges).all(axis=1))[0])
        raise InputError(f"not a linkage: row {bad} has a height that is not finite ({merges[bad, 2]})")
    split = merges[:, :2] % 1 != 0
    if split.any():
        bad, side = np.argwhere(split)[0]
        raise InputError(
            f"not a linkage: {plural(int(split.any(axis=1).sum()), 'row')} with an index that is no whole number (e.g. "
            f"{merges[bad, side]} in row {bad}); the first two columns are the numbers of what is merged"
        )
    return merges


def _fitted(model: Any) -> Array:
    """The linkage of a fitted AgglomerativeClustering."""
    if getattr(model, "distances_", None) is None:
        raise InputError(f"this {type(model).__name__} has no distances_; fit it with compute_distances=True")
    leaves = len(model.children_) + 1
    sizes = [1] * leaves
    for left, right in model.children_.tolist():
        sizes.append(sizes[left] + sizes[right])
    return np.column_stack([model.children_, model.distances_, sizes[leaves:]])


def cut(linkage: Any, threshold: float | None, clusters: int | None) -> Array:
    """The labels where a linkage is cut at a height, or into a number of clusters."""
    from scipy.cluster.hierarchy import fcluster

    if (threshold is None) == (clusters is None):
        raise InputError(noun("cut a linkage at a height, threshold=0.5, or into a number of clusters, clusters=10"))
    merges = as_linkage(linkage)
    if clusters is None:
        check_number("threshold", threshold)
        return np.asarray(fcluster(merges, threshold, "distance"))
    check_number("clusters", clusters)
    if clusters != int(clusters) or not 1 <= clusters <= len(merges) + 1:
        raise InputError(
            f"clusters is a whole number from 1 to {len(merges) + 1:,}, the {noun('elements')}, not {clusters!r}"
        )
    return np.asarray(fcluster(merges, int(clusters), "maxclust"))
