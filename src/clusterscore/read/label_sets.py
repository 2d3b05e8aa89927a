"""Clusterings that overlap: an element may belong to several clusters, and its label is the set of them.

Elements that belong to the same clusters are alike. So a set of clusters is a label like any other: it is matched,
dropped, shuffled and counted as one, and only the measures that are made for overlap look inside.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from clusterscore.distinct import Array, Distinct, Ints, distinct, offsets, ranges, representatives
from clusterscore.exceptions import InputError
from clusterscore.nouns import noun, plural
from clusterscore.read.labels import Labels, distinct_words, in_order, plain, shortened

Floats = npt.NDArray[np.float64]

_FLOAT_IDS = (
    "element ids that are numbers with a fraction (e.g. {!r}): read as numbers, 1.10 and 1.1 are one id; read the "
    'column as text (in pandas with dtype={{"id": str}}), or write it as text'
)


def float_ids(example: Any) -> str:
    """What to say of ids that were read as numbers."""
    return noun(_FLOAT_IDS).format(example)


@dataclass(frozen=True, eq=False)
class LabelSets(Sequence[Any]):
    """Sets of clusters: set k holds the clusters ``cluster[start[k]:start[k + 1]]``, in rising order.

    As the names of labels: a set of one cluster is called as that cluster, any other is a frozenset of names.
    """

    start: Ints
    cluster: Ints
    names: Sequence[Any] | Array  # of the clusters
    null: int | None = None  # the cluster None or NaN
    label: Ints | None = None  # the place of each cluster's name; None where that is its number
    weight: Floats | None = None  # how much each membership weighs, where they are graded

    def __len__(self) -> int:
        return len(self.start) - 1

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[k] for k in range(*index.indices(len(self)))]
        held = [self.name(k) for k in self.cluster[self.start[index] : self.start[index + 1]].tolist()]
        return held[0] if len(held) == 1 else frozenset(held)

    def name(self, cluster: int) -> Any:
        """What the user calls a cluster; None for an element that a policy left alone."""
        code = cluster if self.label is None else int(self.label[cluster])
        return plain(self.names[code]) if code < len(self.names) else None

    @cached_property
    def sizes(self) -> Ints:
        """How many clusters each set holds."""
        return np.diff(self.start)

    @cached_property
    def set_of(self) -> Ints:
        """The set of each membership."""
        return np.repeat(np.arange(len(self)), self.sizes)

    @property
    def empty(self) -> list[int]:
        """The set without clusters, if there is one."""
        return np.flatnonzero(self.sizes == 0).tolist()

    def made_of(self, clusters: Sequence[int]) -> Array:
        """Which sets hold some clusters, and none but these."""
        held = np.bincount(self.set_of[np.isin(self.cluster, clusters)], minlength=len(self))
        return np.asarray((held > 0) & (held == self.sizes))

    def without(self, clusters: Sequence[int]) -> LabelSets:
        """The same sets without some clusters; those that hold nothing else stay as they are."""
        stays = ~np.isin(self.cluster, clusters) | self.made_of(clusters)[self.set_of]
        start = offsets(np.bincount(self.set_of[stays], minlength=len(self)))
        weight = None if self.weight is None else self.weight[stays]
        return LabelSets(start, self.cluster[stays], self.names, self.null, weight=weight)

    def apart(self, sets: Ints, document: Ints | None = None) -> LabelSets:
        """Some of the sets, those of different documents made of different clusters, whatever these are called.

        A number beyond the sets is an element that a policy left alone: it gets a cluster of its own.
        """
        known = sets < len(self)
        sizes, first = np.ones(len(sets), np.int64), np.zeros(len(sets), np.int64)
        sizes[known], first[known] = self.sizes[sets[known]], self.start[sets[known]]
        of = np.repeat(np.arange(len(sets)), sizes)
        last = len(self.names) if self.label is None else len(self.label)
        code = last + of
        member = known[of]
        place = ranges(first, sizes)[member]
        code[member] = self.cluster[place]
        weight = None
        if self.weight is not None:
            weight = np.ones(len(of))
            weight[member] = self.weight[place]
        where = np.zeros(len(of), np.int64) if document is None else document[of]
        clusters = distinct((where, int(where.max(initial=0)) + 1), (code, last + len(sets)), codes=True)
        label = clusters.column(1)
        if self.label is not None:
            label = np.where(label < last, self.label[np.minimum(label, last - 1)], len(self.names))
        return LabelSets(offsets(sizes), clusters.codes, self.names, self.null, label, weight)


def checked_weights(weights: Sequence[Any] | Array) -> Floats:
    """The weights of graded memberships as numbers; an error for what is none, or below 0."""
    try:
        numbers = np.asarray(weights, np.float64)
    except (TypeError, ValueError):
        raise InputError(f"the weight of a membership is a number, not {next(filter(_no_number, weights))!r}") from None
    bad = np.flatnonzero(~((numbers >= 0) & np.isfinite(numbers)))
    if len(bad):
        raise InputError(
            f"{plural(len(bad), 'weight')} of memberships below 0, infinite or no number (e.g. "
            f"{plain(weights[bad[0]])!r}); a weight is a number from 0 up, and 0 is no membership"
        )
    return numbers


def _no_number(value: Any) -> bool:
    try:
        float(value)
    except (TypeError, ValueError):
        return value is not None  # which NumPy takes for NaN
    return False


def numbered_elements(rows: Distinct) -> tuple[Ints, Ints]:
    """The element of each row, numbered as they first appear, and the first row of each."""
    element = in_order(Labels(rows.codes, range(len(rows)))).codes
    return element, len(element) - 1 - representatives(element[::-1], len(rows))


def gather(
    element: Ints, clusters: Labels, count: int, name: Callable[[int], Any], weight: Floats | None = None
) -> Labels:
    """The label of each of ``count`` elements, from memberships: an element and its cluster, and perhaps a weight.

    Where every element belongs to one cluster, that is its label; else the set of its clusters. ``name`` is what the
    user calls an element.
    """
    order = np.argsort(element * len(clusters.names) + clusters.codes, kind="stable")  # of what is nearly in order
    element, cluster = element[order], clusters.codes[order].astype(np.int64)
    twice = np.flatnonzero((element[1:] == element[:-1]) & (cluster[1:] == cluster[:-1]))
    if len(twice):
        at = int(twice[0])
        number = 1 + int((np.diff(twice) > 1).sum())  # three times in a row are one
        example = plain(name(int(element[at])))
        remedy = "remove the repetitions if they are mistakes"
        if isinstance(example, float) and not example.is_integer():
            remedy = f"there are {float_ids(example)}"
        raise InputError(
            f"{plural(number, 'membership')} given twice (e.g. {noun('element')} {shortened(example)} in "
            f"{noun('cluster')} {shortened(clusters.name(int(cluster[at])))}), but {noun('a cluster')} can "
            f"contain {noun('an element')} only once; {remedy}"
        )
    sizes = np.bincount(element, minlength=count)
    if count and (sizes == 1).all():
        return Labels(cluster, clusters.names, clusters.null)
    start = offsets(sizes)
    if weight is not None:  # equal parts of all are what sets without weights have
        weight = weight[order] / np.maximum.reduceat(weight[order], start[:-1][sizes > 0]).repeat(sizes[sizes > 0])
        weight = None if (weight == 1).all() else weight
    codes, number = _numbered(cluster, weight, start, sizes, len(clusters.names))
    some = representatives(codes, number)
    members = ranges(start[some], sizes[some])
    held = None if weight is None else weight[members]
    return Labels(codes, LabelSets(offsets(sizes[some]), cluster[members], clusters.names, clusters.null, weight=held))


def _numbered(cluster: Ints, weight: Floats | None, start: Ints, sizes: Ints, number: int) -> tuple[Ints, int]:
    """The set of each element as a number, and how many sets there are; they are numbered as they first appear."""
    codes, used = np.zeros(len(sizes), np.int64), 0
    for size in np.flatnonzero(np.bincount(sizes)).tolist():
        alike = np.flatnonzero(sizes == size)
        members = start[alike, None] + np.arange(size)
        words = list(cluster[members].T.view(np.uint64)) or [np.zeros(len(alike), np.uint64)]
        if weight is not None:
            words += list(weight[members].T.copy().view(np.uint64))
        rows = distinct_words(words, number if weight is None else 2**64)
        codes[alike] = used + rows.codes
        used += len(rows)
    return in_order(Labels(codes, range(used))).codes, used
