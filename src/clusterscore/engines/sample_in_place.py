"""A sample of a table that stays where it is: the clusters of some elements, and records that are drawn from it."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import reduce
from itertools import count
from operator import or_
from typing import Any, NamedTuple

import narwhals as nw
import numpy as np

from clusterscore.align.doubts import Compared, express
from clusterscore.count.sampled import ClusterSizes, SampleLookup, Strata, Taken
from clusterscore.count.sums import Floats
from clusterscore.distinct import Ints
from clusterscore.engines import Limits, TableSides
from clusterscore.engines.column_types import all_fitting, id_column, plain
from clusterscore.engines.doubted import TableSide
from clusterscore.engines.engine import Engine, choose_engine, opened
from clusterscore.engines.plan import Frame
from clusterscore.exceptions import InputError, NotAPartition
from clusterscore.nouns import noun, plural
from clusterscore.read.clustering import Origin
from clusterscore.read.columns import choose_columns, refusal
from clusterscore.read.file import DEFAULT
from clusterscore.read.guess import file_given
from clusterscore.read.labels import encode

_MEMORY = Limits("700MB", threads=min(4, os.cpu_count() or 1))  # DuckDB takes more than it is allowed
_SPARSE = 0.01  # of the rows, which are kept before the sizes of their clusters are known


class RecordsInPlace(NamedTuple):
    """A whole prediction in its engine: the same names as that in memory."""

    engine: Engine
    frame: Frame  # with columns element and cluster
    sized: Frame  # its clusters, with their size
    origin: Origin

    def find(self, wanted: list[Any]) -> SampleLookup:
        """The clusters of some elements, and how many clusters of each size there are."""
        kind, ids = self.frame.collect_schema()["element"], wanted
        if kind.is_integer() and all(isinstance(wanted_id, str) for wanted_id in wanted):  # of a text file
            ids = [int(text) if _is_whole(text) else None for text in wanted]
        elif kind == nw.String:
            ids = list(map(str, wanted))
        known = dict(zip(all_fitting(kind, ids), range(len(ids)), strict=True))
        known.pop(None, None)
        hits = self.engine.keep(self.engine.among(self.frame, "element", list(known)), "looking up")
        rows, columns = self.engine.fetch(hits, "looking up"), self._sizes(hits)
        sizes, code = np.unique(np.asarray(columns["size"], np.int64), return_inverse=True)
        clusters = np.zeros(len(sizes), np.int64)
        np.add.at(clusters, code, np.asarray(columns["clusters"], np.int64))
        histogram = ClusterSizes(sizes, clusters)
        names, of_hits, hit = map(_python_column, (columns["name"], rows["cluster"], rows["element"]))
        touched = [k for k, name in enumerate(names) if name is not None]
        names = [names[k] for k in touched]
        size, distinct = (np.asarray(columns[name])[touched].astype(np.int64) for name in ("size", "distinct"))
        if len(twice := np.flatnonzero(size > distinct)):
            where = f"{noun('cluster')} {names[int(twice[0])]!r}"
            raise NotAPartition(
                f"the prediction has {noun('an element')} more than once ({where}); each belongs to one"
            )
        place, cluster = dict(zip(names, range(len(names)), strict=True)), np.full(len(wanted), -1)
        cluster[[known[element] for element in hit]] = [place[name] for name in of_hits]
        if len(hit) > np.count_nonzero(cluster >= 0):
            raise NotAPartition(noun("the prediction has an element in several clusters; each belongs to one"))
        return SampleLookup(cluster, size, int(histogram.elements.sum()), names, histogram)

    def _sizes(self, hits: Frame) -> dict[str, Any]:
        """How many clusters of each size there are, and by ``name`` those that some rows touch.

        One pass counts the clusters, and another the ``distinct`` elements of those that are touched.
        """
        inside = self.frame.join(hits.select("cluster").unique(), on="cluster", how="semi").group_by("cluster")
        touched = inside.agg(nw.col("element").n_unique().cast(nw.Int64).alias("distinct"))
        sized = self.sized.join(touched.with_columns(name=nw.col("cluster")), on="cluster", how="left")
        counted = sized.with_columns(none=nw.col("cluster").is_null()).group_by("size", "none", "name", "distinct")
        columns = self.engine.fetch(counted.agg(nw.len().cast(nw.Int64).alias("clusters")), "counting")
        none = np.asarray(columns["none"], np.bool_)
        if none.any():
            number = plural(int(np.asarray(columns["size"])[none].sum()), "element")
            raise InputError(f"the prediction has {number} with no {noun('cluster')}; each needs one")
        return columns

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
        engine, sized, nameless = self.engine, self.sized, nw.col("element").is_null()
        keyed = engine.keyed(self.frame, "element", seed)
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
                values += _python_column(columns[name])
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


@contextmanager
def _in_place(pred: Any, limits: Limits | None = None) -> Iterator[RecordsInPlace]:
    """A prediction, opened where it is."""
    file = file_given(pred)
    how, pred = (DEFAULT, pred) if file is None else (file, file.path)
    kind = choose_engine([pred], "auto")
    engine = kind(limits if limits and kind.name == "duckdb" else Limits())
    with opened(engine, [pred], TableSides(how, how)) as (table,):
        names = table.collect_schema().names()
        chosen = choose_columns("the prediction", names, how, [how.cluster], usual=False)
        if message := refusal({None: chosen}):
            raise InputError(message)
        if not chosen.element:
            raise InputError(
                f"the prediction {chosen.has}; it needs a column of {noun('elements')} and one of {noun('clusters')}"
            )
        element = id_column(table, chosen.element)
        frame: Frame = table.select(element, plain(table, chosen.clusters[0], "cluster").alias("cluster"))
        if engine.keeps("pred"):
            frame = engine.keep(frame, "reading")
        source = None if file is None else (file.name, chosen.clusters[0], file.element)
        sized = frame.group_by("cluster").agg(nw.len().cast(nw.Int64).alias("size"))
        called = "" if file is None else file.name
        origin = Origin(source, how.format is not None, chosen.taken, called=called)
        yield RecordsInPlace(engine, frame, sized, origin)


def find_touched(pred: Any, wanted: list[Any], gold: Any = None) -> SampleLookup:
    """Look up elements where the prediction is: only the clusters that they touch travel.

    ``gold`` is what doubts look at on the other side, if it is compared with one.
    """
    with _in_place(pred) as whole:
        lookup = whole.find(wanted)
        doubted = whole.frame.select(nw.col("cluster").alias("pred"), nw.col("element").alias("pred_element"))
        assert lookup.totals is not None
        clusters = int(lookup.totals.clusters.sum())
        side = TableSide("pred", whole.engine, doubted, whole.origin, clusters=clusters, elements=lookup.elements)
        express(Compared(side, None) if gold is None else Compared(gold, side))
    return lookup


def _python_column(values: Any) -> list[Any]:
    """What an engine sent, as Python has it."""
    if isinstance(values, np.ndarray) and values.dtype.kind in "iuO":
        return list(values.tolist())
    return list(encode(values)[:])


def _is_whole(text: str) -> bool:
    """Whether a text is a whole number as it is written for one."""
    digits = text.removeprefix("-")
    return digits.isdecimal() and digits.isascii() and str(int(text)) == text


def _before(share: float) -> nw.Expr:
    """Whether a key is among so large a share of all keys, the first by name."""
    end = "g" if share >= 1 else f"{int(share * 2**64):016x}"  # after every hexadecimal digit
    return nw.col("key") < end


@contextmanager
def records_in_place(pred: Any) -> Iterator[RecordsInPlace]:
    """The records of a prediction that stays where it is."""
    with _in_place(pred, _MEMORY) as whole:
        yield whole._replace(sized=whole.engine.keep(whole.sized, "counting"))
