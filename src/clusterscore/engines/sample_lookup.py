"""Some elements of a table that stays where it is: their clusters, and how large these are."""

from __future__ import annotations

from typing import Any

import narwhals as nw
import numpy as np

from clusterscore.align.doubts import Compared, express
from clusterscore.count.sampled import SampleLookup
from clusterscore.engines import Limits, TableSides
from clusterscore.engines.column_types import fitting, id_column, plain
from clusterscore.engines.doubted import TableSide
from clusterscore.engines.engine import choose_engine, opened
from clusterscore.engines.plan import Frame
from clusterscore.exceptions import InputError, NotAPartition, plural
from clusterscore.read.clustering import Origin
from clusterscore.read.columns import choose_columns, refusal
from clusterscore.read.file import DEFAULT
from clusterscore.read.guess import file_given
from clusterscore.read.labels import encode


def find_touched(pred: Any, wanted: list[Any], gold: Any = None) -> SampleLookup:
    """Look up elements where the prediction is: only the clusters that they touch travel.

    ``gold`` is what doubts look at on the other side, if it is compared with one.
    """
    file = file_given(pred)
    how, pred = (DEFAULT, pred) if file is None else (file, file.path)
    engine = choose_engine([pred], "auto")(Limits())
    with opened(engine, [pred], TableSides(how, how)) as (table,):
        names = table.collect_schema().names()
        chosen = choose_columns("the prediction", names, how, [how.cluster], usual=False)
        if message := refusal({None: chosen}):
            raise InputError(message)
        if not chosen.element:
            raise InputError(f"the prediction {chosen.has}; it needs a column of elements and one of clusters")
        element = id_column(table, chosen.element)
        frame: Frame = table.select(element, plain(table, chosen.clusters[0], "cluster").alias("cluster"))
        if all(isinstance(wanted_id, str) for wanted_id in wanted) and frame.collect_schema()["element"].is_integer():
            frame = frame.with_columns(nw.col("element").cast(nw.String))  # of a sample in a text file
        if engine.keeps("pred"):
            frame = engine.keep(frame, "reading")
        kind = frame.collect_schema()["element"]
        known = {
            fitting(kind, str(wanted_id) if kind == nw.String else wanted_id): k for k, wanted_id in enumerate(wanted)
        }
        known.pop(None, None)
        touched = frame.filter(nw.col("element").is_in(list(known)))
        clusters = touched.select("cluster").unique()
        held = frame.join(clusters, on="cluster", how="semi").group_by("cluster")
        sized = held.agg(nw.len().cast(nw.Int64).alias("size"), nw.col("element").n_unique().alias("distinct"))
        totals = frame.select(
            nw.len().cast(nw.Int64).alias("rows"),
            nw.col("cluster").count().alias("clustered"),
            nw.col("cluster").n_unique().alias("clusters"),
        )
        hits, sizes, whole = (
            engine.fetch(query, label)
            for query, label in ((touched, "looking up"), (sized, "counting"), (totals, "counting"))
        )
        rows, clustered, clusters_found = (int(whole[name][0]) for name in ("rows", "clustered", "clusters"))
        if rows > clustered:
            raise InputError(
                f"the prediction has {plural(rows - clustered, 'element')} with no cluster; each needs one"
            )
        source = None if file is None else (file.name, chosen.clusters[0], file.element)
        origin = Origin(source, how.format is not None, chosen.taken, "" if file is None else file.name)
        doubted = frame.select(nw.col("cluster").alias("pred"), nw.col("element").alias("pred_element"))
        side = TableSide("pred", engine, doubted, origin, clusters=clusters_found, elements=rows)
        express(Compared(side, None) if gold is None else Compared(gold, side))
    if len(twice := np.flatnonzero(np.asarray(sizes["size"]) > np.asarray(sizes["distinct"]))):
        name = encode(sizes["cluster"])[int(twice[0])]
        raise NotAPartition(f"the prediction has an element more than once (cluster {name!r}); each belongs to one")
    both = encode([*sizes["cluster"], *hits["cluster"]])
    place = np.full(len(both.names), -1)
    number = len(sizes["cluster"])
    place[both.codes[:number]] = np.arange(number)
    cluster = np.full(len(wanted), -1)
    at = [known[hit] for hit in encode(hits["element"])[:]]
    cluster[at] = place[both.codes[number:]]
    if len(at) > np.count_nonzero(cluster >= 0):
        raise NotAPartition("the prediction has an element in several clusters; each belongs to one")
    return SampleLookup(cluster, np.asarray(sizes["size"], np.int64), rows)
