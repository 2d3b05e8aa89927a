"""A JSON object of lists: the members of each cluster by its name, or the clusters of each element.

Nothing in the object says which. What tells is the other side, whose elements are these keys or these members; and that
a clustering has clusters of more than one element.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, product

from clusterscore.exceptions import FileError
from clusterscore.read.clustering import Clustering
from clusterscore.read.source import naming

READINGS = ("clusters", "memberships")  # name -> members, element -> labels


@dataclass(frozen=True)
class NamedLists:
    """The lists of an object by their keys, and what messages call its file."""

    lists: dict[str, list[str | None]]
    called: str

    def read(self, reading: str) -> Clustering:
        """The clustering that one of the READINGS makes of it."""
        make = Clustering.from_clusters if reading == "clusters" else Clustering.from_memberships
        with naming(self.called):
            return make(self.lists)

    def elements(self, reading: str) -> set[str | None]:
        """What the elements are."""
        return set(chain.from_iterable(self.lists.values())) - {None} if reading == "clusters" else set(self.lists)

    def likely(self) -> list[str]:
        """The readings in which some cluster holds several elements."""
        holders = Counter(chain.from_iterable(map(set, self.lists.values())))
        sizes = {"clusters": map(len, self.lists.values()), "memberships": holders.values()}
        return [reading for reading in READINGS if max(sizes[reading], default=0) > 1]

    def alone(self) -> Clustering:
        """The clustering, where nothing else tells what it is."""
        likely = self.likely()
        if len(likely) > 1:
            raise self.unclear()
        return self.read(likely[0] if likely else "clusters")

    def unclear(self) -> FileError:
        """The error where either reading makes sense."""
        key, values = max(self.lists.items(), key=lambda item: len(item[1]) > 0)  # the first that is not empty
        return FileError(
            f"{self.called}: {key!r}: {str(values)[:60]} may be a cluster with its elements or an element with its "
            'clusters; say format="clusters" or format="memberships"'
        )


def read_together(gold: Clustering | NamedLists, pred: Clustering | NamedLists) -> tuple[Clustering, Clustering]:
    """Both sides, each by the reading whose elements the other side has too; an error where that is no answer."""
    if isinstance(gold, Clustering) and isinstance(pred, Clustering):
        return gold, pred
    left, right = _elements(gold), _elements(pred)
    fitting = [(one, other) for one, other in product(left, right) if not left[one].isdisjoint(right[other])]
    if len(fitting) > 1:
        likely = [_likely(gold), _likely(pred)]
        fitting = [both for both in fitting if both[0] in likely[0] and both[1] in likely[1]]
        if len(fitting) != 1:
            raise next(side for side in (gold, pred) if isinstance(side, NamedLists)).unclear()
    one, other = fitting[0] if fitting else (None, None)
    return _read(gold, one), _read(pred, other)


def _elements(side: Clustering | NamedLists) -> dict[str | None, set[str | None]]:
    """The elements by each reading; those of a clustering by none."""
    if isinstance(side, NamedLists):
        return {reading: side.elements(reading) for reading in READINGS}
    return {None: set() if side.ids is None else set(map(str, side.ids))}  # integers of a Parquet file match text


def _likely(side: Clustering | NamedLists) -> Sequence[str | None]:
    return [None] if isinstance(side, Clustering) else side.likely() or READINGS


def _read(side: Clustering | NamedLists, reading: str | None) -> Clustering:
    if isinstance(side, Clustering):
        return side
    return side.alone() if reading is None else side.read(reading)
