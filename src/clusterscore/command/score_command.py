"""``clusterscore score``, and ``elements``, ``clusters`` and ``errors``: where a score was lost."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import click

from clusterscore.aggregate import Average
from clusterscore.analyses.diagnose.cluster_rows import SIDES
from clusterscore.analyses.diagnose.diagnosis import Diagnosis
from clusterscore.analyses.score.by_document import ByDocument
from clusterscore.analyses.score.score_table import How, score_tables
from clusterscore.analyses.score.scorecard import Scorecard
from clusterscore.analyses.score.scoring import score, score_golds
from clusterscore.command.coref_command import COREF, coref_options, coref_tables
from clusterscore.command.gates import GATES, Gate
from clusterscore.command.group import DIGITS, PRINTING, SCORING, Gated, Render, command, element_metric_option, option
from clusterscore.command.inputs import BY, PAIR, Inputs, one_input, short_names
from clusterscore.command.printing import say_dropped
from clusterscore.engines import ENGINE_NAMES, Limits, TableSides
from clusterscore.exceptions import NotAPartition, plural
from clusterscore.metrics import metric
from clusterscore.progress import step
from clusterscore.read import Clustering
from clusterscore.read.file import file_of
from clusterscore.read.files import read_files
from clusterscore.screen import Screen
from clusterscore.show.columnar import SHOWN, Columns

_LOSSES = (
    *PAIR,
    *COREF,
    element_metric_option("--metric --metrics -m name"),
    option("--worst", "Print only the N rows that cost most.", type=click.IntRange(0), metavar="N"),
    *PRINTING,
)
_CELLS = "Print a row per pair of clusters that share elements, the most expensive first."


@command(
    "score",
    *PAIR,
    *SCORING,
    option(
        "--engine",
        "What counts the data: auto uses DuckDB for large tables, otherwise memory.",
        ENGINE_NAMES,
        default="auto",
    ),
    option("--memory memory_limit", "DuckDB: memory limit, such as 2G or 512MB.", metavar="SIZE"),
    option("--temp-directory", "DuckDB: folder for data that does not fit into memory.", metavar="DIR"),
    option("--threads", "DuckDB: number of threads.", type=click.IntRange(1)),
    option("--by-document by_document", "Print a row per document.", is_flag=True),
    option(
        "--gold-also",
        "Another valid gold (repeatable); prints the best score and the mean.",
        metavar="FILE",
        multiple=True,
    ),
    option("--baselines", "Also score trivial and random clusterings.", is_flag=True),
    BY,
    *GATES,
    DIGITS,
    *PRINTING,
)
def score_command(
    metrics: list[str] | None,
    average: Average,
    weights: str | None,
    engine: str,
    baselines: bool,
    by_document: bool,
    gold_also: tuple[str, ...],
    by: str | None,
    **given: Any,
) -> Gated:
    """Score PRED against GOLD.

    Files are tables with an element and a cluster column (CSV, TSV, Parquet, JSON lines), or have one label, one
    cluster, or one element with its clusters per line, or are JSON, links, segment lengths, boundaries or RTTM. They
    can be compressed, or a pattern such as 'part-*.parquet'; `-` is standard input. If one file contains both sides:
    clusterscore score FILE --gold COL --pred COL.

    Clusters may overlap: an element in several rows or clusters belongs to all of them, and is scored with measures
    for overlapping clusters (matched_elm, matched_bcubed, extended_bcubed, omega, overlapping_nmi, community_f1).
    """
    gate = Gate.of(given)
    limits = Limits(given.pop("memory_limit"), given.pop("temp_directory"), given.pop("threads"))
    inputs = one_input(**given)
    if gold_also:
        if baselines or by_document or by is not None or engine != "auto" or any(limits) or given["pred"] is None:
            raise click.UsageError(
                "--gold-also takes two files, GOLD and PRED; without --baselines, --by-document, --by, --engine and "
                "limits"
            )
        golds = _read_golds(inputs, gold_also)
        with step("scoring"):
            found = score_golds(golds, metrics=metrics, average=average, weights=weights, **inputs.policy.options)
        for one in found.golds.values():
            say_dropped(one.table)
        return gate.passed(found.pieces, {"": found}, [*inputs.paths, *gold_also])
    in_memory = (
        baselines or by is not None or any(one.ordered or ("cells",) in one.needs for one in map(metric, metrics or ()))
    )
    chosen = engine != "auto" or any(limits)
    if engine == "auto":
        engine = "duckdb" if chosen or (not in_memory and inputs.are_large_tables()) else "arrays"
    elif engine != "duckdb" and any(limits):
        raise click.UsageError("--memory, --temp-directory and --threads are for --engine duckdb")
    if (baselines or by is not None) and engine != "arrays":
        raise click.UsageError(
            f"{'--baselines' if baselines else '--by'} needs single elements, and those stay in {engine}; take "
            "--engine arrays, which reads them into memory, without --memory, --temp-directory and --threads"
        )
    card: Scorecard | None = None
    if engine != "arrays":
        how, sides = How(average, inputs.policy, engine, limits), TableSides(*inputs.sides, usual=True)
        try:
            card = score_tables(
                [file.name for file in inputs.files[: 1 + (given["pred"] is not None)]], sides, metrics, weights, how
            )
        except NotAPartition:
            if chosen:
                raise  # else it is counted in memory, where clusters may overlap
    if card is None:
        read = inputs.read(by=by)
        ((gold, pred),) = inputs.pairs(read).values()
        with step("scoring"):
            groups = read.columns.get("by")
            options: dict[str, Any] = {"average": average, "weights": weights, "baselines": baselines, "by": groups}
            card = score(gold, pred, metrics=metrics, **options, **inputs.policy.options)
    say_dropped(card.table)
    return gate.passed((ByDocument(card) if by_document else card).pieces, {"": card}, inputs.paths)


def _read_golds(inputs: Inputs, also: tuple[str, ...]) -> dict[str, tuple[Clustering, Clustering]]:
    """Each gold by the name of its file, with the prediction."""
    names = short_names([inputs.paths[0], *also])
    if len(names) < 1 + len(also):
        raise click.UsageError("a gold is given twice; name each file once")
    golds = {f"gold {name}": file_of(path, inputs.sides[0]) for path, name in names.items()}
    with step("reading"):
        found = read_files({**golds, "pred": inputs.preds[""]})
    return {name.removeprefix("gold "): (found[name], found["pred"]) for name in golds}


@command("elements", *_LOSSES)
def elements_command(**given: Any) -> Render:
    """List the elements of PRED against GOLD: clusters, tp, fp, fn, own P, R and F, and what each costs."""
    return _losses(Diagnosis.elements, "element", **given)


@command("clusters", *_LOSSES, option("--side", "Which clusters to list.", SIDES, default="both"))
def clusters_command(side: str, **given: Any) -> Render:
    """List the clusters of GOLD and PRED: best match, number of parts, and what each costs.

    The most expensive come first, and among equals the larger. `overlap_share` is the purity of a predicted cluster or
    the inverse purity of a gold cluster; `share` is the cluster's share of the total loss.
    """
    return _losses(
        lambda diagnosis: diagnosis.clusters(side), "cluster", " of each side" if side == "both" else "", **given
    )


@command("errors", *_LOSSES, option("--cells", _CELLS, is_flag=True))
def errors_command(cells: bool, **given: Any) -> Render:
    """List the kinds of errors PRED makes against GOLD, and what they cost.

    The elements that a gold and a predicted cluster share are exact (both clusters are the same), split (the predicted
    cluster is part of the gold one), merge (the gold cluster is part of the predicted one), mixed (neither), missed
    singletons (the gold cluster has one element, the predicted one has more) or false singletons (the reverse).
    """
    return _losses(Diagnosis.error_cells, "cell", **given) if cells else _losses(Diagnosis.errors, "kind", **given)


def _losses(
    look: Callable[[Diagnosis], Columns],
    noun: str,
    whose: str = "",
    *,
    name: str | None,
    worst: int | None,
    **given: Any,
) -> Render:
    mentions = coref_options(given)
    inputs = one_input(**given)
    both: tuple[Any, ...]
    if mentions is None:
        (both,) = inputs.pairs(inputs.read()).values()
    else:
        with step("reading"):
            both = tuple(coref_tables(inputs, mentions).values())
    with step("scoring"):
        diagnosis = Diagnosis.of(*both, metric=name, **({} if mentions else inputs.policy.options))
        rows, value = look(diagnosis), diagnosis.score.value
        facts = {
            "scores": {str(diagnosis.metric): diagnosis.score.to_dict()},
            "elements": diagnosis.table.elements,
            "documents": len(diagnosis.table.documents),
        }
    say_dropped(diagnosis.table)
    if noun == "cluster" and any(diagnosis.given.one_sided):
        whose = f"{whose or ' of this side'}, with those of elements that only the other side has,"
    notes = [
        *diagnosis.remarks,
        f"{diagnosis.metric} is {value:.4f}: the losses{whose} add up to {1 - value:.4f}",
        diagnosis.score.signature,
    ]

    def render(form: str, digits: int | None, raw: bool, screen: Screen) -> Iterator[str]:
        most, how = worst, ""
        if worst is None and form == "table" and screen.terminal and len(rows) > SHOWN:
            most, how = SHOWN, f"; --worst {10 * SHOWN} shows more, --format csv all"
        shown = rows if most is None else rows.worst(most)
        cut = []
        if most is not None and most < len(rows):
            cut = [f"the {most:,} that cost most, of {plural(len(rows), noun)}{how}"]
        shown.notes, shown.facts = [*cut, *notes], facts
        return shown.pieces(form, digits, raw, screen)

    return render
