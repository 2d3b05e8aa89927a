"""How many to label, and which: a plan from a pilot, and records drawn for annotation.

They come from strata of predicted cluster sizes; and more of them, without drawing one twice.
"""

from __future__ import annotations

import math
import re
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from clusterscore.align.join import join
from clusterscore.analyses.estimate.estimates import Estimates
from clusterscore.analyses.estimate.gold_sample import drawn_columns, element_ids, numbers, whole_prediction
from clusterscore.analyses.request import options_checked
from clusterscore.count.sampled import ClusterSizes, SampleLookup, Strata, Taken
from clusterscore.count.sums import EXACT, Floats
from clusterscore.distinct import Ints
from clusterscore.engines import stays_in_place
from clusterscore.exceptions import InputError, InputTypeError, NotAPartition, a_type, check_number, integer, one_of
from clusterscore.messages import Given, Message, Option
from clusterscore.nouns import Field, noun, plural
from clusterscore.read.clustering import Clustering
from clusterscore.read.guess import as_clustering
from clusterscore.read.labels import plain
from clusterscore.read.names import Names, as_column, label_ranks
from clusterscore.show.columnar import Columns
from clusterscore.show.result import by_column

Allocation = Literal["proportional", "equal"]
ALLOCATIONS: tuple[str, ...] = get_args(Allocation)
_FINEST = 1e100  # by which a half width can be divided, and its square still be a number
_RANGE = re.compile(r"\s*(\d{1,18})(?:-(\d{1,18}))?\s*")
_ROUNDED = 1e-4  # by which the weights in a file may differ


@options_checked
def plan(pilot: Estimates, *, target: float = 0.01) -> Columns:
    """How many gold clusters to label for intervals of a given width, based on a pilot estimate.

    Options:
        pilot: the result of :func:`clusterscore.estimate` on a small sample.
        target: the desired half width of the interval.

    Returns:
        A row for each metric and part, and for several systems also for their differences: the current half width of
        the interval, and how many ``clusters``, with how many ``elements``, you need to reach the target if you draw
        them in the same way; ``more_clusters`` of them are not in the pilot. Draw these with
        ``cs.draw_sample(pred, more, like=drawn)``.

    >>> import clusterscore as cs
    >>> pred = {f"r{k}": k // 3 for k in range(300)}
    >>> sample = [[f"r{3 * k}", f"r{3 * k + 1}", f"r{3 * k + 2}"][: 3 - k % 2] for k in range(40)]
    >>> needed = cs.plan(cs.estimate(sample, pred, metrics="bcubed", weights="uniform"), target=0.01)
    >>> needed["part"].tolist(), needed["clusters"].tolist(), needed["elements"].tolist()
    (['score', 'precision', 'recall'], [91, 108, 2], [228, 270, 5])
    """
    from scipy.special import stdtrit

    if not isinstance(pilot, Estimates):
        raise InputTypeError(f"plan needs the result of cs.estimate on a pilot sample, not {a_type(pilot)}")
    check_number("target", target, ", half the width of an interval")
    if not 0 < target < math.inf:
        raise InputError(
            Given("target", target), " must be a number above 0, such as 0.01: half the width of an interval"
        )
    rows: list[dict[str, Any]] = []
    first, drawn = next(iter(pilot.systems)), pilot.drawn
    gaps = {f"{name} against {first}": differences for name, differences in pilot.differences.items()}
    for metric, system, part, estimate in pilot.rows({**pilot.systems, **gaps}):
        needed, freedom = 2.0, estimate.effective_size - 1
        error = estimate.standard_error
        for _ in range(50):  # the more there are, the better is the error itself known
            reach = float(stdtrit(freedom * needed / pilot.units, (1 + pilot.confidence) / 2)) * error
            wider = min(reach / target, _FINEST) ** 2
            needed = max(2.0, pilot.units * wider / (1 + drawn * wider))
        half = float(stdtrit(freedom, (1 + pilot.confidence) / 2)) * error * (1 - drawn) ** 0.5
        if needed > EXACT:
            raise InputError(
                Given("target", target), noun(" takes more clusters than there can be; pass a wider one, such as 0.01")
            )
        clusters = math.ceil(needed)
        elements = math.ceil(clusters * pilot.facts.elements / pilot.facts.clusters)
        rows.append(
            {"metric": metric, "system": system, "part": part, "estimate": estimate.value, "half_width": half}
            | {"clusters": clusters, "elements": elements, "more_clusters": max(0, clusters - pilot.units)}
        )
    columns = by_column(rows)
    most = int(np.argmax(columns["clusters"]))
    of_system = f" of {columns['system'][most]}" if gaps else ""
    named = f"{columns['metric'][most]} {columns['part'][most]}{of_system}"
    more = columns["more_clusters"][most]
    if not gaps:
        del columns["system"]
    fractions = ("estimate", "half_width")
    planned = Columns(
        {name: np.array(column) if name in fractions else as_column(column) for name, column in columns.items()}
    )
    planned.notes = [
        f"for intervals of +/- {target:g}, by {plural(pilot.units, 'cluster')}",
        f"{named} needs most: {plural(more, 'more cluster')}" if more else "these are enough for every measure",
        pilot.signature,
    ]
    return planned


@options_checked
def draw_sample(
    pred: Any,
    records: int,
    *,
    allocation: Allocation = "proportional",
    seed: int = 0,
    like: Any = None,
    field: str | Field | None = None,
) -> Columns:
    """Draw records of a prediction to label, from strata of predicted cluster sizes (1, 2, 3-4, 5-8, ...).

    For each of them, find all records of the entity it belongs to. These whole clusters are the sample for
    ``cs.estimate(sample, pred, drawn=drawn)``. A large file, or a table in DuckDB or Spark, is not read into memory.

    Options:
        records: the number of records to draw.
        allocation: ``"proportional"`` to the size of each stratum, or ``"equal"`` numbers from each, so that large
            clusters are seen more often.
        like: an earlier result from the same prediction, as a table or a file: so many more records are drawn from its
            strata, none of them again. The result has the earlier rows and the new ones, with the weights of both.

    Returns:
        A row for each record (``element``), with its predicted ``cluster``, the ``stratum`` and the ``weight``, the
        number of records it stands for.

    >>> import clusterscore as cs
    >>> pred = {f"r{k}": min(k // 2, 20) for k in range(100)}
    >>> drawn = cs.draw_sample(pred, 8, allocation="equal")
    >>> sorted(set(zip(drawn["stratum"].tolist(), drawn["weight"].tolist())))
    [('2', 10.0), ('60', 15.0)]
    >>> more = cs.draw_sample(pred, 12, allocation="equal", like=drawn)
    >>> sorted(set(zip(more["stratum"].tolist(), more["weight"].tolist())))
    [('2', 4.0), ('60', 6.0)]
    """
    one_of("allocation", allocation, ALLOCATIONS)
    number = integer("records", records, 2 if like is None else 1)
    how = number, allocation, integer("seed", seed), None if like is None else Earlier.of(like)
    if not stays_in_place(pred):
        return _drawn(RecordsInMemory(as_clustering(pred, "pred")), *how)
    from clusterscore.engines.sample_in_place import records_in_place

    with records_in_place(pred) as whole:
        return _drawn(whole, *how)


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

    def strata(self, lookup: SampleLookup, counts: ClusterSizes) -> tuple[Strata, Ints]:
        """Its strata as they are in a prediction, and that of each record; an error if it is not the same one."""
        if len(absent := np.flatnonzero(lookup.cluster < 0)):
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
        own = strata.of(lookup.size[lookup.cluster])
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


def _drawn(records: Any, number: int, allocation: str, seed: int, earlier: Earlier | None) -> Columns:
    """So many records of a prediction, after what was drawn earlier."""
    before = earlier.elements if earlier else []
    lookup = records.find(before)
    counts = lookup.totals
    assert counts is not None
    total = number + len(before)
    if total > lookup.elements:
        left = f", of which {len(before):,} are drawn," if before else ""
        raise InputError(
            f"{number:,} records of {plural(lookup.elements, 'element')}{left} cannot be drawn; "
            f"draw at most {lookup.elements - len(before):,}"
        )
    if earlier:
        strata, stratum = earlier.strata(lookup, counts)
    else:
        strata, stratum = strata_of(counts, number // 2), np.zeros(0, np.int64)
    held, have = strata.elements, np.bincount(stratum, minlength=len(strata.low))
    equal = np.full(len(held), 1 / len(held))
    share = held / lookup.elements if allocation == "proportional" else equal
    times = _allocated(total, share, held, have if before else np.full(len(held), 2))
    elements, clusters, drawn = records.draw(strata, times - have, seed, Taken(before, have))
    if set(map(type, before)) == {str} and set(map(type, elements)) == {int}:  # they come from a text file
        before = list(map(int, before))
    stratum = np.concatenate([stratum, drawn])
    names = Names(lookup.names).take(lookup.cluster).tolist()
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
