"""What doubts look at on one side: a clustering in memory. Engines have a class with the same names."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from clusterscore.distinct import Array
from clusterscore.nouns import noun
from clusterscore.read.clustering import Clustering, Origin
from clusterscore.read.label_sets import LabelSets
from clusterscore.read.labels import Picked, Unnamed, array_module, is_tensor, plain

MISSING_WORDS = frozenset({"nan", "none", "null", "na", "n/a", "#n/a", "<na>", "nat", "-nan", ""})
WORDS = sorted({*MISSING_WORDS, *(f(word) for word in MISSING_WORDS for f in (str.upper, str.title)), "NaN", "NaT"})
_KEYS = np.sort(np.array([int.from_bytes(word.encode(), "little") for word in [*WORDS, "-1"]], np.uint64))
NEARLY = 0.9  # of all: nearly all
_FEW = 0.05
_SEVERAL = ("memberships", "elements", "senses")  # formats that have all clusters of an element in one place
_TRIED = 100  # elements whose labels are compared with their ids
_MINUS_ONE = int.from_bytes(b"-1", "little")


def is_usual(clustering: Clustering) -> bool:
    """Whether a glance shows that nothing is odd about a side; most are so, and small ones should not wait."""
    labels, origin, ids = clustering.labels, clustering.origin, clustering.ids
    names, count = labels.names, len(labels.codes)
    if clustering.images or origin.taken or origin.unread or origin.is_model or origin.marks_ends:
        return False
    if not 2 < len(names) < NEARLY * count:
        return False
    if ids is not None and isinstance(ids[0], float | np.floating):
        return False
    if type(names) is range:
        return names.start >= 0
    return type(names) is Picked and names.keys is not None and not _odd_words(names.keys).any()


def _odd_words(keys: Array) -> Array:
    """Which of the bytes of short names are words for nothing, or -1."""
    odd: Array = _KEYS[np.minimum(np.searchsorted(_KEYS, keys), len(_KEYS) - 1)] == keys
    return odd


def swapped_columns(left: Clustering, right: Clustering) -> str | None:
    """What to say where two sides have no element in common, but labels that are the ids of a side."""
    ours, theirs = (
        {plain(name) for name in (names.names if isinstance(names, LabelSets) else names)}
        for names in (left.labels.names, right.labels.names)
    )
    if len(ours) > len(left) and len(ours & theirs) >= NEARLY * len(ours):
        return noun("their labels are the same: are the columns of elements and clusters swapped?")
    for side, other, labels, ids in (("gold", "pred", ours, right.ids), ("pred", "gold", theirs, left.ids)):
        if ids is not None and all(plain(ids[k]) in labels for k in range(min(_TRIED, len(ids)))):
            return f"the labels of {side} are ids of {other}: " + noun(
                f"are the columns of elements and clusters of {side} swapped?"
            )
    return None


class DoubtedSide:
    """What doubts look at on one side, a clustering in memory; engines have a class with the same names."""

    def __init__(self, side: str, clustering: Clustering):
        self.side, self._clustering = side, clustering
        self.origin: Origin = clustering.origin
        self.images = clustering.images
        self.elements = len(clustering.labels.codes) if clustering.times is None else int(clustering.times.sum())
        self.names = clustering.labels.names
        self.overlapping = isinstance(self.names, LabelSets)  # clusters share elements
        self.clusters = len(self.names)  # how many there are, at most; as many if they are few

    def used(self) -> int:
        """How many clusters there are, counted."""
        codes = self._clustering.labels.codes
        array = array_module(codes)
        return int(array.count_nonzero(array.bincount(codes))) if self.elements else 0

    @cached_property
    def sizes(self) -> Array:
        """How many elements each label has, by its code."""
        labels, times = self._clustering.labels, self._clustering.times
        return np.bincount(labels.codes, times, len(labels.names)).astype(np.int64)

    def label(self, code: int) -> Any:
        """The label with this code."""
        return self._clustering.labels.name(int(code))

    def few_labels(self) -> list[Any] | None:
        """The labels, where there are at most two."""
        if len(self.names) > 2 or self.overlapping:
            return None
        return [plain(name) for name in self.names]

    def starts(self) -> list[Any]:
        """The label of the first element of every document."""
        labels, documents = self._clustering.labels, self._clustering.documents
        first = [0] if documents is None else np.unique(documents.codes, return_index=True)[1].tolist()
        return [labels.name(int(labels.codes[k])) for k in first] if self.elements else []

    def missing_words(self) -> tuple[int, str] | None:
        """How many elements have a label that is a word for none, and which."""
        names = self.names
        if isinstance(names, LabelSets):
            names = names.names
        if isinstance(names, range | Unnamed) or (isinstance(names, np.ndarray) and names.dtype.kind not in "OUS"):
            return None
        if isinstance(names, Picked) and not names.has_short:
            return None
        if isinstance(names, Picked) and names.keys is not None:  # many texts, without a look at each
            places = np.flatnonzero(_odd_words(names.keys) & (names.keys != _MINUS_ONE)).tolist()
        else:
            texts = ((k, name) for k, name in enumerate(names) if isinstance(name, str))
            places = [k for k, name in texts if name.strip().casefold() in MISSING_WORDS]
        if not places:
            return None
        codes = self._clustering.labels.codes
        if self.overlapping or is_tensor(codes):
            return len(places), str(plain(names[places[0]]))
        return int(np.isin(codes, places).sum()), str(plain(names[places[0]]))

    def labels_are_ids(self) -> tuple[int, Any] | None:
        """How many labels are what their element is called, and one of them; None where they are not nearly all."""
        ids, labels = self._clustering.ids, self._clustering.labels
        if ids is None or self.overlapping:
            return None
        at = np.linspace(0, self.elements - 1, min(_TRIED, self.elements)).astype(np.int64).tolist()
        same = sum(str(plain(ids[k])) == str(labels.name(int(labels.codes[k]))) for k in at)
        return (self.elements, plain(ids[0])) if same >= NEARLY * len(at) else None

    def more_clusters_than_elements(self, other: Any) -> bool:
        """Whether both sides overlap, have more clusters than elements, and call their clusters alike."""
        ours, theirs = self.names, other.names
        if not isinstance(ours, LabelSets) or not isinstance(theirs, LabelSets) or len(ours.names) <= self.elements:
            return False
        if isinstance(ours.names, range | Unnamed):  # numbers say nothing
            return False
        known = {plain(name) for name in theirs.names}
        return all(plain(name) in known for name in ours.names[:_TRIED])

    def in_several_clusters(self) -> tuple[int, str] | None:
        """How many elements of what was read as rows or clusters have several, and one of them, where these are few."""
        names, clustering = self.names, self._clustering
        is_meant = self.origin.declared or self.origin.form in _SEVERAL or clustering.coreference is not None
        if is_meant or not isinstance(names, LabelSets) or names.weight is not None:
            return None
        sizes = names.sizes[clustering.codes]
        places = np.flatnonzero(sizes > 1)
        if not 0 < (sizes[places] - 1).sum() <= _FEW * self.elements:
            return None
        first = int(places[0])
        code = int(clustering.codes[first])
        element = f"position {first}" if clustering.ids is None else repr(plain(clustering.ids[first]))
        clusters = names.cluster[names.start[code] : names.start[code + 1]][:2].tolist()
        return len(places), f"{element} in {' and '.join(repr(names.name(cluster)) for cluster in clusters)}"

    def float_id(self) -> Any:
        """An id that is a number with a fraction, if the ids are floats."""
        ids = self._clustering.ids
        if ids is None or not len(ids) or not isinstance(ids[0], float | np.floating):
            return None
        some = (plain(value) for value in ids[:_TRIED] if isinstance(value, float | np.floating))
        return next((value for value in some if value % 1), None)

    def minus_one(self) -> Any:
        """The label -1 where it is the only negative one among at least two others; looked for where that is cheap."""
        names = self.names
        if isinstance(names, range):
            return -1 if names.start == -1 and len(names) > 2 and self.used() > 2 else None
        if isinstance(names, np.ndarray):
            some = names.dtype.kind in "if" and len(names) > 2 and np.minimum.reduce(names) == -1
            return -1 if some and (names.dtype.kind == "i" or (names == np.floor(names)).all()) else None
        if not isinstance(names, Picked) or names.keys is None or len(names) < 3 or _MINUS_ONE not in names.keys:
            return None
        label, *others = sorted(names)  # a minus comes before all digits
        return label if all(name.isdigit() for name in others) else None
