"""Lists by name: the members of each cluster by its name, or the clusters of each element.

Nothing in a mapping of collections says which, in Python as in JSON. What tells is the other side, whose elements are
these keys or these members; that Python's sets are asked for where elements have several labels; and that a clustering
has clusters of more than one element.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, product
from typing import Any

from clusterscore.exceptions import ClusterscoreError, FileError, InputTypeError
from clusterscore.read.clustering import Clustering
from clusterscore.read.source import naming

READINGS = ("clusters", "memberships")  # name -> members, element -> labels


@dataclass(frozen=True)
class NamedLists:
    """Collections by their keys, and what messages call them: a file, or a side of what the user passed."""

    lists: Mapping[Any, Collection[Any]]
    called: str
    in_file: bool = True

    def read(self, reading: str) -> Clustering:
        """The clustering that one of the READINGS makes of it."""
        make = Clustering.from_clusters if reading == "clusters" else Clustering.from_memberships
        with naming(self.called) if self.in_file else nullcontext():
            return make(self.lists)

    @cached_property
    def sets(self) -> bool:
        """Whether all are sets, which are labels of an element unless something speaks against it."""
        return all(issubclass(each, set | frozenset) for each in set(map(type, self.lists.values())))

    def elements(self, reading: str) -> set[Any]:
        """What the elements are."""
        if reading == "memberships":
            return set(self.lists)
        try:
            return set(chain.from_iterable(self.lists.values())) - {None}
        except TypeError as error:
            self.read("memberships")  # says which of them
            raise InputTypeError(f"{self.called}: {error}") from None

    def likely(self) -> list[str]:
        """The readings in which some cluster holds several elements."""
        held = list(map(set, self.lists.values()))
        sizes = {"clusters": map(len, held), "memberships": Counter(chain.from_iterable(held)).values()}
        return [reading for reading in READINGS if max(sizes[reading], default=0) > 1]

    def alone(self) -> Clustering:
        """The clustering, where nothing else tells what it is."""
        self.elements("clusters")
        likely = ["memberships"] if self.sets else self.likely()
        if len(likely) > 1:
            raise self.unclear()
        return self.read(likely[0] if likely else "clusters")

    def unclear(self) -> ClusterscoreError:
        """The error where either reading makes sense."""
        key, values = max(self.lists.items(), key=lambda item: len(item[1]) > 0)  # the first that is not empty
        what = f"{key!r}: {str(values)[:60]} may be a cluster with its elements or an element with its clusters; pass"
        if self.in_file:
            bits = all({"0", "1"}.issuperset(each) for each in self.lists.values())
            pages = '; 0 or 1 for every page of a stream is format="boundaries"' if bits else ""
            return FileError(f'{self.called}: {what} format="clusters" or format="memberships"{pages}')
        return InputTypeError(
            f"{self.called}: {what} Clustering.from_clusters(mapping) or Clustering.from_memberships(mapping)"
        )


Side = Clustering | NamedLists


def read_together(gold: Side, pred: Side) -> tuple[Clustering, Clustering]:
    """Both sides, each by the reading whose elements the other side has too; an error where that is no answer.

    All the elements of a clustering tell more than some of them; two mappings may share all their labels by chance.
    """
    if isinstance(gold, Clustering) and isinstance(pred, Clustering):
        return gold, pred
    if all(isinstance(side, Clustering) or side.sets for side in (gold, pred)):  # the usual, without a look inside
        keys = [_ids(side) if isinstance(side, Clustering) else set(side.lists) for side in (gold, pred)]
        if keys[0] == keys[1]:
            return _read(gold, "memberships"), _read(pred, "memberships")
    text = any(isinstance(side, NamedLists) and side.in_file for side in (gold, pred))
    left, right = _elements(gold, text), _elements(pred, text)
    both = list(product(left, right))
    fitting = [pair for pair in both if not left[pair[0]].isdisjoint(right[pair[1]])]
    if None in left or None in right:
        fitting = [pair for pair in fitting if left[pair[0]] == right[pair[1]]] or fitting
    for readings in (_asked_for, _likely):
        if len(fitting) > 1:
            fitting = [pair for pair in fitting if pair[0] in readings(gold) and pair[1] in readings(pred)] or fitting
    if len(fitting) > 1:
        unsure = [side for side in (gold, pred) if isinstance(side, NamedLists)]
        raise min(unsure, key=lambda side: side.sets).unclear()
    one, other = fitting[0] if fitting else (None, None)
    return _read(gold, one), _read(pred, other)


def _ids(clustering: Clustering) -> set[Any]:
    return set() if clustering.ids is None else set(clustering.ids)


def _elements(side: Side, text: bool) -> dict[str | None, set[Any]]:
    """The elements by each reading, those of a clustering by none; as text, so that integers match those of a file."""
    if isinstance(side, NamedLists):
        found: dict[str | None, set[Any]] = {reading: side.elements(reading) for reading in READINGS}
    else:
        found = {None: _ids(side)}
    return {reading: set(map(str, elements)) for reading, elements in found.items()} if text else found


def _asked_for(side: Side) -> Sequence[str | None]:
    if isinstance(side, Clustering):
        return [None]
    return READINGS[1:] if side.sets else READINGS


def _likely(side: Side) -> Sequence[str | None]:
    return [None] if isinstance(side, Clustering) else side.likely() or READINGS


def _read(side: Side, reading: str | None) -> Clustering:
    if isinstance(side, Clustering):
        return side
    return side.alone() if reading is None else side.read(reading)
