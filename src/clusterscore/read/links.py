"""Links between elements: what is linked, over however many links, is one cluster."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any

import numpy as np

from clusterscore.exceptions import InputError, InputTypeError, plural
from clusterscore.read.arrays import listed, members_of
from clusterscore.read.clustering import Clustering
from clusterscore.read.labels import Labels


def ends(pairs: Iterable[tuple[Any, Any]]) -> tuple[list[Any], list[Any]]:
    """The two ends of each pair."""
    given = listed(pairs)
    if given is None:
        raise InputTypeError(f"from_pairs takes a list of pairs, not {pairs!r}"[:200])
    each = [members_of(pair) for pair in given]
    links = [link for link in each if link is not None and len(link) == 2]
    if len(links) < len(given):
        bad = next(k for k, link in enumerate(each) if link is None or len(link) != 2)
        raise InputError(
            f"{plural(len(given) - len(links), 'linked pair')} not made of two elements (e.g. pair {bad}: "
            f"{given[bad]!r}); write pairs as (a, b)"
        )
    return [link[0] for link in links], [link[1] for link in links]


def closed(left: Sequence[Any], right: Sequence[Any], elements: Iterable[Any] = ()) -> Clustering:
    """Links closed transitively: what is linked, over however many links, is one cluster.

    The ends of the links stand side by side in two lists; ``elements`` come first, linked or not.
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    try:
        place = dict.fromkeys(chain(elements, chain.from_iterable(zip(left, right, strict=True))), 0)
    except TypeError as error:
        raise InputTypeError(f"an element of a pair must be hashable: {error}") from None
    ids = list(place)
    place.update(zip(ids, range(len(ids)), strict=True))
    rows, columns = (np.fromiter(map(place.__getitem__, ends), np.int64, len(ends)) for ends in (left, right))
    graph = coo_array((np.ones(len(left), np.int8), (rows, columns)), shape=(len(ids), len(ids)))
    count, codes = connected_components(graph, directed=False) if ids else (0, np.zeros(0))
    return Clustering(Labels(codes.astype(np.int64), range(count)), ids=ids)
