"""``clusterscore estimate`` and ``draw-sample``: gold for some clusters, and which to label."""

from __future__ import annotations

from typing import Any

import click

from clusterscore.analyses.estimate.estimating import estimate
from clusterscore.analyses.estimate.labelling_plan import draw_sample, plan
from clusterscore.command.gates import CONFIDENT, FAIL_IF_WORSE, GATES, Gate
from clusterscore.command.group import (
    CONFIDENCE,
    DIGITS,
    PRINTING,
    SEED,
    Gated,
    Render,
    command,
    metrics_option,
    option,
    parameters,
)
from clusterscore.command.inputs import DRAWN, FILE, SAMPLED, FilesOfSystems, file_named, sample_option


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
    *PRINTING,
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
    click.argument("records", type=click.IntRange(1)),
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
