"""``clusterscore estimate``, ``draw-sample`` and ``pairs``: gold for some clusters or pairs, and which to label."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click

from clusterscore.analyses.estimate.estimating import estimate
from clusterscore.analyses.estimate.labelling_plan import draw_sample, plan
from clusterscore.analyses.pairs.score_pairs import score_pairs
from clusterscore.command.gates import CONFIDENT, FAIL_IF_WORSE, GATES, SUMMARIZED, Gate
from clusterscore.command.group import (
    CONFIDENCE,
    DIGITS,
    PRINTING,
    SEED,
    Gated,
    Integer,
    Render,
    command,
    metrics_option,
    option,
    parameters,
)
from clusterscore.command.inputs import (
    DRAWN,
    FILE,
    SAMPLED,
    FilesOfSystems,
    file_named,
    files_argument,
    pair_columns,
    sample_option,
)
from clusterscore.command.printing import warn
from clusterscore.nouns import plural
from clusterscore.read.source import refuse_second_reading


@command(
    "estimate",
    *SAMPLED,
    metrics_option("Metrics, e.g. -m 'elm, pairwise'; they must be sums over gold clusters."),
    sample_option("--sample --weights sample"),
    *DRAWN,
    *parameters(
        estimate,
        sizes="Column of SAMPLE with the true size of the cluster; it is an error if elements are missing.",
        missing="What to do with elements of SAMPLE that are not in PRED.",
    ),
    option("--target", "Print how many clusters you need for intervals of +/- WIDTH.", type=float, metavar="WIDTH"),
    *parameters(estimate, resamples="Number of bootstrap resamples; 0 for none.", seed=SEED, confidence=CONFIDENCE),
    *GATES,
    CONFIDENT,
    FAIL_IF_WORSE,
    DIGITS,
    *SUMMARIZED,
)
def estimate_command(target: float | None, **given: Any) -> Gated:
    """Estimate what PRED would score against full gold, from SAMPLE, a sample of whole gold clusters.

    Prints an estimate for each measure with its standard error, an interval, and a bootstrap interval over the sampled
    clusters. Several PRED are compared with the first on the same clusters. PRED must contain all elements. Rows
    without a gold cluster are not in the sample, so you can use one file: clusterscore estimate FILE --gold COL --pred
    COL.
    """
    gate = Gate(given)
    sources = FilesOfSystems.several(given, "SAMPLE")
    estimates = estimate(sources.gold, sources.preds, weights=given.pop("sample"), **given)
    render = (estimates if target is None else plan(estimates, target=target)).pieces
    return gate.passed(render, estimates, sources.paths)


@command(
    "draw-sample",
    click.argument("pred"),
    click.argument("records", type=Integer(1)),
    *FILE,
    *parameters(
        draw_sample,
        allocation="Draw in proportion to the size of each stratum, or equally many from each.",
        seed=SEED,
    ),
    option("--like", "Output of an earlier draw-sample: draw RECORDS more, and print both.", metavar="FILE"),
    DIGITS,
    *PRINTING,
)
def draw_command(pred: str, **given: Any) -> Render:
    """Draw RECORDS elements of PRED to label, from strata of predicted cluster sizes, with their weights.

    For each of them, find all elements of the entity it belongs to. These clusters are the SAMPLE in clusterscore
    estimate SAMPLE PRED --drawn FILE, where FILE is the output of this command with --format csv. --like FILE goes on
    with it, without drawing anything twice.
    """
    if given["records"] < 2 and given["like"] is None:
        raise click.UsageError("draw two records or more; one is enough only with --like")
    return draw_sample(file_named(pred, given), **given).pieces


@command(
    "pairs",
    click.argument("labelled"),
    files_argument("preds", "PRED", required=True),
    *pair_columns(label="match, no match or unsure", weight="1 / the probability that a pair was drawn"),
    *FILE,
    *parameters(
        score_pairs,
        sampled="What the pairs were drawn from: all pairs, links of PRED, or known matches.",
        unit="What is independent: single pairs, or groups connected by shared elements.",
        implied="Also count pairs that follow from the labels: if a-b and b-c match, so does a-c.",
        contradictions="What to do with labels that contradict each other.",
        missing="What to do with elements on one side only, or in no cluster.",
        beta="Weight of recall relative to precision.",
        confidence=CONFIDENCE,
    ),
    DIGITS,
    *PRINTING,
)
def pairs_command(labelled: str, preds: dict[str, str], **given: Any) -> Render:
    """Score PRED on labelled pairs: how many matches does it find, and how many of its links are matches?

    Each row of LABELLED has two elements and a label: match, no match or unsure, true or false, or a number from 0
    to 1. Several PRED are compared with the first. What precision and recall mean depends on how the pairs were drawn;
    see --sampled.
    """
    refuse_second_reading([labelled, *preds])
    file = file_named("", given)
    systems = {name: replace(file, path=path) for path, name in preds.items()}
    scores = score_pairs(labelled, systems, **given)
    if given["missing"] == "drop":
        warn(f"dropped: {plural(scores.facts.unknown, 'pair')} with elements that are not in every PRED")
    return scores.pieces
