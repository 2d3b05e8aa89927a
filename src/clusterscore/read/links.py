"""Linked pairs, closed transitively: what is linked, over however many links, is one cluster."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np

from clusterscore.distinct import Ints
from clusterscore.exceptions import InputError, InputTypeError, plural


def closed(pairs: Iterable[tuple[Any, Any]], elements: Iterable[Any] | None) -> tuple[list[Any], Ints]:
    """The elements, those given first and in their order, and the code of each one's cluster."""
    given = listed(pairs)
    if given is None:
        raise InputTypeError(f"from_pairs takes a list of pairs, not {pairs!r}"[:200])
    ends = [None if isinstance(pair, str | bytes | Mapping) else listed(pair) for pair in given]
    links = [link for link in ends if link is not None and len(link) == 2]
    if len(links) < len(given):
        bad = next(k for k, link in enumerate(ends) if link is None or len(link) != 2)
        raise InputError(
            f"{plural(len(given) - len(links), 'linked pair')} not made of two elements (e.g. pair {bad}: "
            f"{given[bad]!r}); write pairs as (a, b)"
        )
    return joined([link[0] for link in links], [link[1] for link in links], () if elements is None else elements)


def joined(left: Sequence[Any], right: Sequence[Any], elements: Iterable[Any] = ()) -> tuple[list[Any], Ints]:
    """The same, of links whose ends stand side by side in two lists."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    try:
        place = dict.fromkeys(chain(elements, chain.from_iterable(zip(left, right, strict=True))), 0)
    except TypeError as error:
        raise InputTypeError(f"an element of a pair must be hashable: {error}") from None
    if not place:
        return [], np.zeros(0, np.int64)
    ids = list(place)
    place.update(zip(ids, range(len(ids)), strict=True))
    rows, columns = (np.fromiter(map(place.__getitem__, ends), np.int64, len(ends)) for ends in (left, right))
    graph = coo_array((np.ones(len(left), np.int8), (rows, columns)), shape=(len(ids), len(ids)))
    _, codes = connected_components(graph, directed=False)
    return ids, codes.astype(np.int64)


def listed(values: Any) -> list[Any] | None:
    """What can be iterated over, as a list."""
    try:
        return list(values)
    except TypeError:
        return None
