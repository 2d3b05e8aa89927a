"""Records drawn for annotation, from strata of predicted cluster sizes; and more of them, without drawing one twice."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import numpy as np

from clusterscore.align.join import join
from clusterscore.analyses.estimate.gold_sample import drawn_columns, element_ids, numbers, whole_prediction
from clusterscore.count.sampled import ClusterSizes, SampleLookup, Strata, Taken
from clusterscore.count.sums import Floats
from clusterscore.distinct import Ints
from clusterscore.exceptions import InputError, NotAPartition
from clusterscore.messages import Message, Option
from clusterscore.nouns import noun, plural
from clusterscore.read.clustering import Clustering
from clusterscore.read.labels import plain
from clusterscore.read.names import Names, as_column, label_ranks
from clusterscore.show.columnar import Columns

_RANGE = re.compile(r"\s*(\d{1,18})(?:-(\d{1,18}))?\s*")
_ROUNDED = 1e-4  # by which the weights in a file may differ


class RecordsInMemory:
    """The records of a prediction in memory; engines have a class with the same names."""

    def __init__(self, made: Clustering):
        self._made, self._ids = made, element_ids(made)
        self._sizes, self._codes = whole_prediction(made)
        self._taken = np.zeros(len(self._codes), np.bool_)

    def find(self, elements: list[Any]) -> SampleLookup:
        """The clusters of some elements, and how many clusters of each size there are."""
        ids = np.arange(len(self._ids)) if isinstance(self._ids, range) else self._ids
        at = join(elements, ids).partner if elements else np.zeros(0, np.int64)
        self._taken[at[at >= 0]] = True
        cluster = np.where(at < 0, -1, self._codes[np.maximum(at, 0)].astype(np.int64))
        return SampleLookup(cluster, self._sizes, len(self._codes), self._made.names, ClusterSizes.of(self._sizes))

    def draw(self, strata: Strata, times: Ints, seed: int, taken: Taken) -> tuple[list[Any], list[Any], Ints]:
        """So many elements from each stratum, none of those taken; their clusters and their strata."""
        # rows as they are drawn, whatever their order: by their names, or where they have none by their clusters' names
        labels, ids, by_position = self._made.labels, self._ids, isinstance(self._ids, range)
        order = label_ranks(labels).argsort(kind="stable") if by_position else Names(ids).order()
        order = order[~self._taken[order]]
        own = strata.of(self._sizes[self._codes[order]])
        rng = np.random.default_rng([seed, len(taken.elements)] if taken.elements else seed)
        rows: list[int] = []
        for k, number in enumerate(times.tolist()):
            drawn = order[np.sort(rng.choice(np.flatnonzero(own == k), number, replace=False))]
            rows += (np.sort(drawn) if by_position else drawn).tolist()
        clusters = [labels.name(self._codes[k]) for k in rows]
        return [plain(ids[k]) for k in rows], clusters, np.repeat(np.arange(len(times)), times)


class Earlier(NamedTuple):
    """What was drawn before."""

    elements: list[Any]
    weights: Floats
    names: list[str]  # of the stratum of each

    @classmethod
    def of(cls, like: Any) -> Earlier:
        """The rows of a table or of a file that cs.draw_sample gave."""
        elements, weights, strata = drawn_columns(like, "like")
        if not elements:
            raise InputError(Option("like"), " has no records; leave it out")
        if len(set(elements)) < len(elements):
            raise NotAPartition(Option("like"), " has a record more than once; leave each in once")
        return cls(elements, numbers(weights, "weights"), [str(name).strip() for name in strata])

    def strata(self, found: SampleLookup, counts: ClusterSizes) -> tuple[Strata, Ints]:
        """Its strata as they are in a prediction, and that of each record; an error if it is not the same one."""
        if len(absent := np.flatnonzero(found.cluster < 0)):
            example = f" not in the prediction (e.g. {self.elements[int(absent[0])]!r}); pass the one it was drawn from"
            raise InputError(f"{plural(len(absent), 'record')} of ", Option("like"), example)
        ranges = []
        for name in dict.fromkeys(self.names):
            if (match := _RANGE.fullmatch(name)) is None:
                what = (
                    f" has the stratum {name!r}, which is no range of {noun('cluster')} sizes such as 3-4; pass "
                    "what was drawn"
                )
                raise InputError(Option("like"), what)
            ranges.append((int(match[1]), int(match[2] or match[1])))
        low, high = np.array(sorted(ranges), np.int64).T
        strata = Strata(low, high, np.zeros(len(low), np.int64))
        of_size = strata.of(counts.size)
        np.add.at(strata.elements, of_size[of_size >= 0], counts.elements[of_size >= 0])
        own = strata.of(found.size[found.cluster])
        place = {name: k for k, name in enumerate(strata.names)}
        stratum = np.array([place.get(name, -1) for name in self.names])
        if (of_size < 0).any():
            raise _other(
                f"{noun('a cluster')} has {plural(int(counts.size[of_size < 0][0]), 'element')}, and no stratum does"
            )
        if len(moved := np.flatnonzero(own != stratum)):
            k = int(moved[0])
            where = f"{self.elements[k]!r} is in stratum {strata.names[own[k]]} here, and in {self.names[k]} there"
            raise _other(where)
        there = np.bincount(stratum, self.weights, len(low))
        near = abs(there - strata.elements) <= np.maximum(0.5, _ROUNDED * strata.elements)
        for k in np.flatnonzero(~near).tolist():
            here = f"stratum {strata.names[k]} has {plural(int(strata.elements[k]), 'element')} here"
            raise _other(f"{here}, and the weights there add up to {there[k]:,.6g}")
        return strata, stratum


class Draw(NamedTuple):
    """How many records are drawn, and how."""

    number: int
    allocation: str
    seed: int
    earlier: Earlier | None

    def of(self, records: Any) -> Columns:
        """What is drawn from the records of a prediction, after what was drawn earlier."""
        before = self.earlier.elements if self.earlier else []
        found = records.find(before)
        counts = found.totals
        assert counts is not None
        total = self.number + len(before)
        if total > found.elements:
            left = f", of which {len(before):,} are drawn," if before else ""
            raise InputError(
                f"{self.number:,} records of {plural(found.elements, 'element')}{left} cannot be drawn; draw fewer"
            )
        if self.earlier:
            strata, stratum = self.earlier.strata(found, counts)
        else:
            strata, stratum = strata_of(counts, self.number // 2), np.zeros(0, np.int64)
        held, have = strata.elements, np.bincount(stratum, minlength=len(strata.low))
        equal = np.full(len(held), 1 / len(held))
        share = held / found.elements if self.allocation == "proportional" else equal
        times = _allocated(total, share, held, have if before else np.full(len(held), 2))
        elements, clusters, drawn = records.draw(strata, times - have, self.seed, Taken(before, have))
        if set(map(type, before)) == {str} and set(map(type, elements)) == {int}:  # they come from a text file
            before = list(map(int, before))
        stratum = np.concatenate([stratum, drawn])
        names = Names(found.names).take(found.cluster).tolist()
        return Columns(
            {
                "element": as_column([*before, *elements]),
                "cluster": as_column([*names, *clusters]),
                "stratum": as_column([strata.names[k] for k in stratum.tolist()]),
                "weight": (held / times)[stratum],
            }
        )


def strata_of(counts: ClusterSizes, most: int) -> Strata:
    """The strata of predicted cluster sizes, at most so many, with two records each; small ones join another."""
    kind = np.ceil(np.log2(counts.size)).astype(np.int64)
    while True:
        kinds, at = np.unique(kind, return_inverse=True)
        held = np.zeros(len(kinds), np.int64)
        np.add.at(held, at, counts.elements)
        small = [*np.flatnonzero(held < 2).tolist(), *([len(kinds) - 1] if len(kinds) > most else [])]
        if len(kinds) == 1 or not small:
            first = np.searchsorted(at, np.arange(len(kinds)))
            return Strata(counts.size[first], counts.size[np.append(first[1:], len(at)) - 1], held)
        kind[kind == kinds[small[0]]] = kinds[small[0] - 1 if small[0] else 1]


def _allocated(number: int, share: Any, held: Ints, least: Ints) -> Ints:
    """How many records are drawn from each stratum, at least so many, and all together so many."""
    drawn = np.minimum(held, np.maximum(least, (number * share).astype(np.int64)))
    while drawn.sum() < number:
        drawn[np.where(drawn < held, number * share - drawn, -np.inf).argmax()] += 1
    while drawn.sum() > number:
        drawn[np.where(drawn > least, drawn - number * share, -np.inf).argmax()] -= 1
    return np.asarray(drawn)


def _other(why: str) -> InputError:
    remedy = "pass the prediction that it was drawn from, or draw anew"
    return InputError(Message(Option("like"), f" was drawn from another prediction: {why}; {remedy}"))
