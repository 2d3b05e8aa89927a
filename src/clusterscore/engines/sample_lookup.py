"""Some elements of a table that stays where it is: their clusters, and how large these are."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import narwhals as nw
import numpy as np

from clusterscore.align.doubts import Compared, express
from clusterscore.count.sampled import ClusterSizes, SampleLookup
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


class InPlace(NamedTuple):
    """A whole prediction in its engine."""

    engine: Engine
    frame: Frame  # with columns element and cluster
    sized: Frame  # its clusters, with their size
    origin: Origin

    def sizes(self, hits: Frame) -> dict[str, Any]:
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


@contextmanager
def in_place(pred: Any, limits: Limits | None = None) -> Iterator[InPlace]:
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
        yield InPlace(engine, frame, sized, Origin(source, how.format is not None, chosen.taken, called))


def find_touched(pred: Any, wanted: list[Any], gold: Any = None) -> SampleLookup:
    """Look up elements where the prediction is: only the clusters that they touch travel.

    ``gold`` is what doubts look at on the other side, if it is compared with one.
    """
    with in_place(pred) as whole:
        lookup = find_in_place(whole, wanted)
        doubted = whole.frame.select(nw.col("cluster").alias("pred"), nw.col("element").alias("pred_element"))
        assert lookup.totals is not None
        clusters = int(lookup.totals.clusters.sum())
        side = TableSide("pred", whole.engine, doubted, whole.origin, clusters=clusters, elements=lookup.elements)
        express(Compared(side, None) if gold is None else Compared(gold, side))
    return lookup


def find_in_place(whole: InPlace, wanted: list[Any]) -> SampleLookup:
    """Look up elements in a prediction that is open, and count its clusters by their size."""
    kind, ids = whole.frame.collect_schema()["element"], wanted
    if kind.is_integer() and all(isinstance(wanted_id, str) for wanted_id in wanted):  # of a text file
        ids = [int(text) if _is_whole(text) else None for text in wanted]
    elif kind == nw.String:
        ids = list(map(str, wanted))
    known = dict(zip(all_fitting(kind, ids), range(len(ids)), strict=True))
    known.pop(None, None)
    hits = whole.engine.keep(whole.engine.among(whole.frame, "element", list(known)), "looking up")
    found, columns = whole.engine.fetch(hits, "looking up"), whole.sizes(hits)
    sizes, code = np.unique(np.asarray(columns["size"], np.int64), return_inverse=True)
    clusters = np.zeros(len(sizes), np.int64)
    np.add.at(clusters, code, np.asarray(columns["clusters"], np.int64))
    histogram = ClusterSizes(sizes, clusters)
    names, of_hits, hit = map(python_column, (columns["name"], found["cluster"], found["element"]))
    touched = [k for k, name in enumerate(names) if name is not None]
    names = [names[k] for k in touched]
    size, distinct = (np.asarray(columns[name])[touched].astype(np.int64) for name in ("size", "distinct"))
    if len(twice := np.flatnonzero(size > distinct)):
        name = names[int(twice[0])]
        raise NotAPartition(
            f"the prediction has {noun('an element')} more than once ({noun('cluster')} {name!r}); each belongs to one"
        )
    place, cluster = dict(zip(names, range(len(names)), strict=True)), np.full(len(wanted), -1)
    cluster[[known[element] for element in hit]] = [place[name] for name in of_hits]
    if len(hit) > np.count_nonzero(cluster >= 0):
        raise NotAPartition(noun("the prediction has an element in several clusters; each belongs to one"))
    return SampleLookup(cluster, size, int(histogram.elements.sum()), names, histogram)


def python_column(values: Any) -> list[Any]:
    """What an engine sent, as Python has it."""
    if isinstance(values, np.ndarray) and values.dtype.kind in "iuO":
        return list(values.tolist())
    return list(encode(values)[:])


def _is_whole(text: str) -> bool:
    """Whether a text is a whole number as it is written for one."""
    digits = text.removeprefix("-")
    return digits.isdecimal() and digits.isascii() and str(int(text)) == text
