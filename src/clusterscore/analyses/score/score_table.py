"""Score tables where they lie: frames of any library, files of any size, clusters of machines."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any, NamedTuple

from clusterscore.aggregate import AVERAGES, Average
from clusterscore.align.match import align
from clusterscore.align.policies import Background, Missing, NoiseAs, Policy
from clusterscore.analyses.request import Metrics, Request, chosen_metrics, options_checked
from clusterscore.analyses.score.scorecard import Scorecard
from clusterscore.analyses.score.scoring import card_of
from clusterscore.count.counting import count
from clusterscore.engines import ENGINE_NAMES, EngineName, Limits, TableSides, are_large
from clusterscore.exceptions import InputError, InputTypeError, MetricError, NotAPartition, a_type, one_of
from clusterscore.messages import Given, Option, Wording
from clusterscore.metrics import Metric
from clusterscore.nouns import Field, noun
from clusterscore.progress import shown
from clusterscore.read.file import File, ReadOptions, two_sides


@options_checked
def score_table(
    table: Any = None,
    pred_table: Any = None,
    *,
    gold: str | None = None,
    pred: str | None = None,
    document: str | None = None,
    element: str | None = None,
    gold_table: Any = None,
    cluster: str | None = None,
    gold_element: str | None = None,
    pred_element: str | None = None,
    gold_document: str | None = None,
    pred_document: str | None = None,
    metrics: Metrics = None,
    average: Average = "micro",
    weights: str | None = None,
    missing: Missing = "error",
    noise: Any = None,
    noise_as: NoiseAs = "singleton",
    background: Background | None = None,
    engine: EngineName = "auto",
    format: str | None = None,
    header: bool = True,
    gold_format: str | None = None,
    pred_format: str | None = None,
    gold_header: bool = True,
    pred_header: bool = True,
    memory_limit: str | None = None,
    temp_directory: str | os.PathLike[str] | None = None,
    threads: int | None = None,
    progress: bool = False,
    field: str | Field | None = None,
) -> Scorecard:
    """Score a table or file that may not fit into memory. It is counted where it is, and only the counts come back.

    Each row is an element. Two tables, gold first, each have a column ``element`` and a column ``cluster`` and are
    joined by element; ``missing`` decides what happens to elements on one side only. For
    overlapping clusterings, use :func:`clusterscore.score`. The scores are the same, to the last bit or to 1e-14,
    whichever engine counts.

    Options:
        table: a data frame from pandas, polars (also lazy), pyarrow, DuckDB or PySpark, or the path of a file: CSV,
            TSV, Parquet or JSON lines, also compressed, also a pattern such as ``"part-*.parquet"``, or a
            :class:`clusterscore.File`.
        gold: the column with the gold cluster, by default ``"gold"``; with two tables, that of ``gold_table``.
        pred: the column with the predicted cluster, by default ``"pred"``; with two tables, that of ``pred_table``.
        document: the column with the document.
        element: the column with the element; if given, repeated elements are an error.
        gold_table: a table with gold only.
        pred_table: a table with the prediction only.
        cluster: the column with the cluster, if both tables use the same name.
        gold_element: the column with the element in ``gold_table``, if the two differ.
        pred_element: the column with the element in ``pred_table``, if the two differ.
        gold_document: the column with the document in ``gold_table``, if the two differ.
        pred_document: the column with the document in ``pred_table``, if the two differ.
        weights: ``"class"`` or ``"effective"``.
        engine: ``"auto"`` counts pandas and pyarrow data frames as arrays, leaves other data frames to their own
            library, and reads files with DuckDB. ``"duckdb"`` also reads data frames from pandas, polars and pyarrow;
            ``"spark"`` also reads files; ``"arrays"`` reads the columns into memory, which measures of single clusters
            (set_matching) need.
        format: the format of the files, if it is not recognized.
        header: False if CSV and TSV files have no header. Columns are then called "1", "2" and so on; in two files, "1"
            is the element and "2" the cluster.
        gold_format: the format of the gold file, if the two differ.
        pred_format: the format of the predicted file, if the two differ.
        gold_header: whether the gold file has a header.
        pred_header: whether the predicted file has a header.
        memory_limit: for DuckDB, such as ``"2G"``.
        temp_directory: the folder for data that does not fit into DuckDB's memory.
        threads: the number of threads for DuckDB.
        progress: show a progress bar on a terminal.

    Returns:
        The scores by metric.

    >>> import clusterscore as cs
    >>> import polars as pl
    >>> frame = pl.DataFrame({"true": [0, 0, 1, 1], "found": ["a", "a", "a", "b"]})
    >>> cs.score_table(frame, gold="true", pred="found", metrics="elm")["elm"].f
    0.3333333333333333
    """
    tables = _tables(table, gold_table, pred_table)
    for option, name in (("gold", gold), ("pred", pred)):
        if name is not None and not isinstance(name, str | int):
            raise InputTypeError(Given(option, name), f" is {a_type(name)}; pass a name as text")
    files = [source if isinstance(source, File) else None for source in tables]
    tables = [source if file is None else file.path for source, file in zip(tables, files, strict=True)]
    sides = two_sides(
        ReadOptions(element=element, cluster=cluster, document=document, format=format, header=header),
        ReadOptions(element=gold_element, cluster=gold, document=gold_document, format=gold_format, header=gold_header),
        ReadOptions(element=pred_element, cluster=pred, document=pred_document, format=pred_format, header=pred_header),
        cluster="{}",
        tables=len(tables),
    )
    if any(files):  # each says how it is read
        gold_side, pred_side = (file or side for file, side in zip(files * 2, sides, strict=False))
        clusters = [side.cluster for side in sides]
        if len(tables) == 2:
            clusters = [clusters[0] or gold_side.cluster, clusters[1] or pred_side.cluster]
        elif gold_side.cluster is not None:
            one = Given("cluster", gold_side.cluster), " names one column, and a table with both sides has two; pass "
            raise InputTypeError(*one, Option("gold", "..."), " and ", Option("pred", "..."))
        sides = replace(gold_side, cluster=clusters[0]), replace(pred_side, cluster=clusters[1])
    policy, limits = Policy.of(missing, noise, noise_as, background), Limits(memory_limit, temp_directory, threads)
    options = TableOptions(average, policy, engine, limits)
    with shown(progress):
        return score_tables(tables, TableSides(*sides), metrics, weights, options)


class TableOptions(NamedTuple):
    """How tables are counted and averaged."""

    average: str
    policy: Policy
    engine: str
    limits: Limits


def score_tables(
    tables: list[Any], sides: TableSides, metrics: Metrics, weights: Any, options: TableOptions
) -> Scorecard:
    """One table with both sides, or two that are joined."""
    from clusterscore.engines.count_tables import count_tables, fetch_sides
    from clusterscore.engines.engine import choose_engine, opened

    if len(tables) == 2 and all(isinstance(table, str | os.PathLike) for table in tables):
        sides = sides._replace(sources=(os.fspath(tables[0]), os.fspath(tables[1])))
    one_of("average", options.average, AVERAGES)
    one_of("engine", options.engine, ENGINE_NAMES)
    if sides.gold.grade or sides.pred.grade:
        use = Wording("use cs.score", "take --engine arrays")
        raise InputError(f"weights of {noun('clusters')} are not counted in an engine; ", use)
    request = _request(metrics, weights)
    kind = choose_engine(tables, options.engine)
    arrays = options.engine == "arrays" or not kind.plans
    if not arrays:
        refuse_cells(request.metrics)
    engine = kind(options.limits)
    with opened(engine, tables, sides) as frames:
        if arrays:
            table = count(align(*fetch_sides(engine, frames, sides), **options.policy.options))
        else:
            needs = {need for metric in request.metrics for need in metric.needs}
            table = count_tables(engine, frames, sides, options.policy, needs)
    table.policy = table.policy.read_with(sides.gold.signed, sides.pred.signed)
    return card_of(table, request, options.average)


def score_in_place(
    gold: File, pred: File, metrics: Metrics, weights: Any, options: TableOptions, *, one_table: bool
) -> Scorecard | None:
    """The scores of large tables in files, or of those that the user wants in an engine; None if they are to be read.

    That is so for small files, for measures of single clusters, and where clusters overlap.
    """
    chosen = options.engine != "auto" or any(options.limits)
    if options.engine == "arrays" or not (chosen or are_large([gold, pred])):
        return None
    if not chosen and any(metric.ordered or ("cells",) in metric.needs for metric in chosen_metrics(metrics)):
        return None
    options = options._replace(engine="duckdb") if options.engine == "auto" else options
    tables = [gold.name] if one_table else [gold.name, pred.name]
    try:
        return score_tables(tables, TableSides(gold, pred, usual=True), metrics, weights, options)
    except NotAPartition:
        if chosen:
            raise
        return None


def _request(metrics: Metrics, weights: Any) -> Request:
    if weights is not None and not isinstance(weights, str):
        raise InputTypeError(noun('weights of a table is "class" or "effective"; a weight per element is for cs.score'))
    request = Request.of(metrics, weights=weights)
    for metric in request.metrics:
        if metric.ordered:
            raise MetricError(
                f"{metric} needs the order of the {noun('elements')}, but the rows of a table have none; use ",
                Wording("cs.score", "--engine arrays"),
            )
        if metric.wants_weights:
            raise MetricError(
                f"{metric} needs a weight for every {noun('element')}, which a table does not have; ",
                Wording("use cs.score", "only Python takes them"),
            )
    return request


def refuse_cells(chosen: list[Metric]) -> None:
    """A measure that an engine cannot count is told before anything is read."""
    for metric in chosen:
        if ("cells",) in metric.needs:
            raise MetricError(
                f"{metric} needs single {noun('clusters')}, which stay in the engine; pass ",
                Option("engine", "arrays"),
                " to read the columns into memory, or use f_measure or purity_f, which all engines support",
            )


def _tables(table: Any, gold_table: Any, pred_table: Any) -> list[Any]:
    if table is not None and gold_table is not None:
        raise InputTypeError("pass one table with both sides, or two tables, gold first")
    first = table if gold_table is None else gold_table
    if first is None or (gold_table is not None and pred_table is None):
        raise InputTypeError("pass one table with both sides, or two tables, gold first: gold_table= and pred_table=")
    return [first] if pred_table is None else [first, pred_table]
