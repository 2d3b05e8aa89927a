"""Records drawn from a table that stays where it is: those whose keyed hash comes first in their stratum."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import reduce
from itertools import count
from operator import or_
from typing import Any

import narwhals as nw
import numpy as np

from clusterscore.count.sampled import SampleLookup, Strata, Taken
from clusterscore.count.sums import Floats
from clusterscore.distinct import Ints
from clusterscore.engines import Limits
from clusterscore.engines.sample_lookup import InPlace, find_in_place, in_place, python_column
from clusterscore.exceptions import InputError, NotAPartition
from clusterscore.nouns import noun, plural

_MEMORY = Limits("700MB", threads=min(4, os.cpu_count() or 1))  # DuckDB takes more than it is allowed
_SPARSE = 0.01  # of the rows, which are kept before the sizes of their clusters are known


class RecordsInPlace:
    """The records of a prediction in an engine: the same names as those in memory."""

    def __init__(self, whole: InPlace):
        self._whole = whole._replace(sized=whole.engine.keep(whole.sized, "counting"))

    def find(self, elements: list[Any]) -> SampleLookup:
        """The clusters of some elements, and how many clusters of each size there are."""
        return find_in_place(self._whole, elements)

    def draw(self, strata: Strata, times: Ints, seed: int, taken: Taken) -> tuple[list[Any], list[Any], Ints]:
        """So many elements from each stratum, none of those taken; their clusters and their strata.

        A record's place in the draw is a hash of the seed and its id, so the order of rows decides nothing, and the
        same seed goes on where it stopped.
        """
        known, first = set(map(str, taken.elements)), times + taken.times
        for again in count():  # nearly never: it takes six standard deviations
            share = np.minimum((first + 4.0**again * (6 * np.sqrt(first) + 10)) / strata.elements, 1)
            elements, clusters, stratum = self._first(strata, np.where(times > 0, share, 0), seed)
            free = np.array([str(element) not in known for element in elements], np.bool_)
            places = [np.flatnonzero((stratum == k) & free)[:number] for k, number in enumerate(times.tolist())]
            if sum(map(len, places)) == times.sum() or share.min() == 1:
                break
        at = np.concatenate(places).tolist()
        return [elements[k] for k in at], [clusters[k] for k in at], stratum[at]

    def _first(self, strata: Strata, share: Floats, seed: int) -> tuple[list[Any], list[Any], Ints]:
        """The rows of each stratum whose keys come first, about such a share of it."""
        engine, sized, nameless = self._whole.engine, self._whole.sized, nw.col("element").is_null()
        keyed = engine.keyed(self._whole.frame, "element", seed)
        ranges = zip(strata.low.tolist(), strata.high.tolist(), strict=True)
        inside = [nw.col("size").is_between(low, high) for low, high in ranges]
        rows: dict[str, list[Any]] = {"key": [], "element": [], "cluster": [], "size": []}
        for is_sparse, chosen in ((True, (share > 0) & (share <= _SPARSE)), (False, share > _SPARSE)):
            numbers = np.flatnonzero(chosen).tolist()
            if not numbers:
                continue
            if is_sparse:  # few rows of many clusters
                few = engine.keep(keyed.filter(_before(share[chosen].max()) | nameless), "drawing")
                joined = few.join(sized, on="cluster", how="inner")
            else:
                few = engine.keep(sized.filter(reduce(or_, [inside[k] for k in numbers])), "drawing")
                joined = keyed.join(few, on="cluster", how="inner")
            drawn = reduce(or_, [inside[k] & _before(share[k]) for k in numbers])
            columns = engine.fetch(joined.filter(drawn | nameless), "drawing")
            for name, values in rows.items():
                values += python_column(columns[name])
        if absent := rows["element"].count(None):
            raise InputError(f"{plural(absent, 'element')} without an id (null or NaN); give each one an id of its own")
        if len(set(rows["key"])) < len(rows["key"]):
            twice = Counter(rows["element"]).most_common(1)[0][0]
            raise NotAPartition(
                f"the prediction has {noun('an element')} more than once (e.g. {twice!r}); each belongs to one"
            )
        order = sorted(range(len(rows["key"])), key=rows["key"].__getitem__)
        elements, clusters = ([rows[name][k] for k in order] for name in ("element", "cluster"))
        return elements, clusters, strata.of(np.array(rows["size"], np.int64)[order])


def _before(share: float) -> nw.Expr:
    """Whether a key is among so large a share of all keys, the first by name."""
    end = "g" if share >= 1 else f"{int(share * 2**64):016x}"  # after every hexadecimal digit
    return nw.col("key") < end


@contextmanager
def records_in_place(pred: Any) -> Iterator[RecordsInPlace]:
    """The records of a prediction that stays where it is."""
    with in_place(pred, _MEMORY) as whole:
        yield RecordsInPlace(whole)
