"""``clusterscore score``, and ``elements``, ``clusters`` and ``errors``: where a score was lost."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import click

from clusterscore.align import Policy
from clusterscore.analyses.diagnose.diagnosis import Diagnosis
from clusterscore.analyses.diagnose.element_texts import shown_columns, shown_of_clusters
from clusterscore.analyses.diagnose.listings import clusters
from clusterscore.analyses.estimate.estimating import refuse_with_sample
from clusterscore.analyses.score.score_rows import are_folders, paired_files, score_data_sets
from clusterscore.analyses.score.score_table import TableOptions, score_in_place, score_table
from clusterscore.analyses.score.scorecard import ByDocument
from clusterscore.analyses.score.scoring import score
from clusterscore.command.gates import CONFIDENT, GATES, SUMMARIZED, Gate
from clusterscore.command.group import (
    DIGITS,
    PRINTING,
    SCORING,
    Gated,
    Integer,
    Render,
    command,
    element_metric_option,
    option,
    parameters,
)
from clusterscore.command.inputs import BY, COREF, NAMED, PAIR, SAMPLE, SHOW, FilesOfSystems, sample_of, short_names
from clusterscore.command.printing import say_dropped
from clusterscore.engines import Limits
from clusterscore.nouns import noun, plural
from clusterscore.progress import step
from clusterscore.read import Clustering
from clusterscore.read.file import File
from clusterscore.read.files import read_files
from clusterscore.read.sample import Sample
from clusterscore.screen import Screen
from clusterscore.show.columnar import SHOWN, Columns

_LOSSES = (
    *PAIR,
    *SAMPLE,
    COREF,
    element_metric_option("--metric --metrics -m metric"),
    option("--worst", "Print only the N rows that cost most.", type=Integer(0), metavar="N"),
    *PRINTING,
)
_CELLS = "Print a row per pair of clusters that share elements, the most expensive first."


@command(
    "score",
    *PAIR,
    *SCORING,
    *parameters(score_table, engine="What counts the data: auto uses DuckDB for large tables, otherwise memory."),
    option("--memory memory_limit", "DuckDB: memory limit, such as 2G or 512MB.", metavar="SIZE"),
    option("--temp-directory", "DuckDB: folder for data that does not fit into memory.", metavar="DIR"),
    option("--threads", "DuckDB: number of threads.", type=Integer(1)),
    option("--by-document by_document", "Print a row per document.", is_flag=True),
    option(
        "--gold-also",
        "Another valid gold (repeatable); prints the best score and the mean.",
        metavar="FILE",
        multiple=True,
    ),
    *parameters(score, baselines="Also score trivial and random clusterings."),
    BY,
    *NAMED,
    option(
        "--data-set data_sets",
        "Another data set, with its own gold (repeatable): prints a row each, and the unweighted mean.",
        nargs=2,
        metavar="GOLD PRED",
        multiple=True,
    ),
    *SAMPLE,
    *GATES,
    CONFIDENT,
    DIGITS,
    *SUMMARIZED,
)
def score_command(
    engine: str,
    memory_limit: str | None,
    temp_directory: str | None,
    threads: int | None,
    by_document: bool,
    gold_also: tuple[str, ...],
    by: str | None,
    data_sets: tuple[tuple[str, str], ...],
    **given: Any,
) -> Gated:
    """Score PRED against GOLD.

    Files are tables with an element and a cluster column (CSV, TSV, Parquet, JSON lines), or have one label, one
    cluster, or one element with its clusters per line, or are JSON, links, segment lengths, boundaries or RTTM. They
    can be compressed, or a pattern such as 'part-*.parquet'; `-` is standard input. If one file contains both sides:
    clusterscore score FILE --gold COL --pred COL.

    Clusters may overlap: an element in several rows or clusters belongs to all of them, and is scored with measures
    for overlapping clusters (matched_elm, matched_bcubed, extended_bcubed, omega, overlapping_nmi, community_f1).

    GOLD and PRED can be folders with a file of the same name for each data set: a row each, and the unweighted mean.
    """
    gate = Gate(given)
    limits = Limits(memory_limit, temp_directory, threads)
    sources = FilesOfSystems.one(given)
    in_engine = engine != "auto" or any(limits)
    sample = sample_of(sources.gold, given)
    if data_sets or are_folders(sources.gold.name, sources.preds[""].name):
        elements = [given.pop(name) for name in ("baselines", "old", "only")]
        single = by_document or by is not None or gold_also or in_engine or any(elements)
        if single or sources.in_one_file or sample is not None:
            raise click.UsageError(
                "several data sets take two files each; leave out --by-document, --by, --old, --only, --gold-also, "
                "--baselines, --sample, --engine and limits"
            )
        pairs = _data_sets(sources, data_sets)
        sets = score_data_sets(pairs, **given)
        return gate.passed(sets.pieces, sets.scores, [file.name for pair in pairs.values() for file in pair])
    if sample is not None:
        whole = {"engine": None if engine == "auto" else engine, "by_document": by_document or None, "by": by}
        refuse_with_sample(**whole, **limits._asdict(), gold_also=gold_also or None)
        estimates = score(sample, sources.preds[""], **given)
        return gate.passed(estimates.pieces, estimates, sources.paths)
    needs = {"--baselines": given["baselines"], "--by": by, "--old": given["old"], "--only": given["only"]}
    single_elements = next((name for name, value in needs.items() if value), "")
    if gold_also:
        if single_elements or by_document or in_engine or sources.in_one_file:
            raise click.UsageError(
                "--gold-also takes two files, GOLD and PRED; leave out --baselines, --by-document, --by, --old, "
                "--only, --engine and limits"
            )
        golds = _read_golds(sources, gold_also)
        pred = golds.pop("")
        with step("scoring"):
            gold_scores = score(golds, pred, **given)
        for gold_card in gold_scores.golds.values():
            say_dropped(gold_card.table)
        return gate.passed(gold_scores.pieces, {"": gold_scores}, [*sources.paths, *gold_also])
    if engine in ("arrays", "spark") and any(limits):
        raise click.UsageError("--memory, --temp-directory and --threads are for --engine duckdb")
    card = None
    of_mentions = (name for name in ("match", "singletons", "zeros", "cross_document", "uem") if given[name])
    in_memory = single_elements or next((f"--{name.replace('_', '-')}" for name in of_mentions), "")
    if not in_memory:
        policy = Policy.of(*(given[name] for name in ("missing", "noise", "noise_as", "background")))
        card = score_in_place(
            sources.gold,
            sources.preds[""],
            given["metrics"],
            given["weights"],
            TableOptions(given["average"], policy, engine, limits),
            one_table=sources.in_one_file,
        )
    elif engine in ("duckdb", "spark") or any(limits):
        raise click.UsageError(
            f"{in_memory} needs single elements, and those stay in {engine if engine != 'auto' else 'duckdb'}; "
            "take --engine arrays, which reads them into memory, without --memory, --temp-directory and --threads"
        )
    if card is None:
        sides: tuple[Any, Any] = sources.gold, sources.preds[""]
        if by is not None:
            gold, preds, columns = sources.read(by=by)
            sides, given["by"] = (gold, preds[""]), columns["by"]
        with step("scoring"):
            card = score(*sides, **given)
    say_dropped(card.table)
    shown = ByDocument(card) if by_document else card
    return gate.passed(shown.pieces, {"": card}, sources.paths, worst={"": partial(Diagnosis.of, card.table)})


def _data_sets(sources: FilesOfSystems, more: tuple[tuple[str, str], ...]) -> dict[str, tuple[File, File]]:
    """Gold and prediction of each data set, by its name: those of two folders, or each by the name of its gold."""
    gold, pred = sources.gold, sources.preds[""]
    paths = [(gold.name, pred.name), *more]
    if are_folders(gold.name, pred.name):
        if more:
            raise click.UsageError("--data-set names single files; pass folders without it")
        named = paired_files(gold.name, pred.name)
    else:
        names = short_names(path for path, _ in paths)
        if len(names) < len(paths):
            raise click.UsageError("a gold is given twice; name each data set once")
        named = {names[path]: (path, other) for path, other in paths}
    return {name: (replace(gold, path=ours), replace(pred, path=theirs)) for name, (ours, theirs) in named.items()}


def _read_golds(sources: FilesOfSystems, also: tuple[str, ...]) -> dict[str, Clustering]:
    """Each gold by the name of its file, and the prediction by none."""
    names = short_names([sources.gold.name, *also])
    if len(names) < 1 + len(also):
        raise click.UsageError("a gold is given twice; name each file once")
    golds = {f"gold {name}": replace(sources.gold, path=path) for path, name in names.items()}
    clusterings = read_files({**golds, "pred": sources.preds[""]})
    return {key.partition(" ")[2]: clustering for key, clustering in clusterings.items()}


@command("elements", *_LOSSES, SHOW)
def elements_command(**given: Any) -> Render:
    """List the elements of PRED against GOLD: clusters, tp, fp, fn, own P, R and F, and what each costs."""
    return _losses(Diagnosis.elements, "element", **given)


@command("clusters", *_LOSSES, SHOW, *parameters(clusters, side="Which clusters to list."))
def clusters_command(side: str, **given: Any) -> Render:
    """List the clusters of GOLD and PRED: best match, number of parts, and what each costs.

    The most expensive come first, and among equals the larger. `overlap_share` is the purity of a predicted cluster or
    the inverse purity of a gold cluster; `share` is the cluster's share of the total loss.
    """
    look = partial(Diagnosis.clusters, side=side)
    return _losses(look, "cluster", " of each side" if side == "both" else "", **given)


@command("errors", *_LOSSES, option("--cells", _CELLS, is_flag=True))
def errors_command(cells: bool, **given: Any) -> Render:
    """List the kinds of errors PRED makes against GOLD, and what they cost.

    The elements that a gold and a predicted cluster share are exact (both clusters are the same), split (the predicted
    cluster is part of the gold one), merge (the gold cluster is part of the predicted one), mixed (neither), missed
    singletons (the gold cluster has one element, the predicted one has more) or false singletons (the reverse). Of each
    loss, `merged` comes from strangers and `split` from elements that are elsewhere; the costliest clusters are named.
    """
    return _losses(Diagnosis.error_cells, "cell", **given) if cells else _losses(Diagnosis.errors, "kind", **given)


def _losses(
    look: Callable[..., Columns],
    row: str,
    whose: str = "",
    *,
    worst: int | None,
    show: tuple[str, ...] = (),
    **given: Any,
) -> Render:
    sources = FilesOfSystems.one(given)
    gold: Any = sample_of(sources.gold, given) or sources.gold
    pred: Any = sources.preds[""]
    texts: dict[str, Any] = {}
    if show:
        whole, preds, _, texts = sources.read_texts(show)
        gold, pred = gold if isinstance(gold, Sample) else whole, preds[""]
    with step("scoring"):
        diagnosis = Diagnosis.of(gold, pred, **given)
        if texts:
            shown_with = shown_of_clusters if row == "cluster" else shown_columns
            look = partial(look, texts=shown_with(diagnosis, texts, gold))
        rows, value = look(diagnosis), diagnosis.score.value
        facts = {
            "scores": {str(diagnosis.metric): diagnosis.score.to_dict()},
            "elements": diagnosis.table.elements,
            "documents": len(diagnosis.table.documents),
        }
        if diagnosis.estimates is not None:
            facts = diagnosis.estimates.to_dict()
            whose = " of what was sampled"
    say_dropped(diagnosis.table)
    if row == "cluster" and any(diagnosis.given.one_sided):
        whose = f"{whose or ' of this side'}, with those of {noun('elements')} that only the other side has,"
    notes = [
        *(map(str, diagnosis.patterns()) if row == "kind" else ()),
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
            cut = [f"the {most:,} that cost most, of {plural(len(rows), row)}{how}"]
        shown.notes, shown.facts = [*cut, *notes], facts
        return shown.pieces(form, digits, raw, screen)

    return render
