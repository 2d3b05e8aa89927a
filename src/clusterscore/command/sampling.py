"""``clusterscore estimate`` and ``draw-sample``: gold for some clusters, and which to label."""

from __future__ import annotations

from typing import Any

import click

from clusterscore.command.group import DIGITS, PRINTING, Render, command, metrics_option, option
from clusterscore.command.inputs import FILE, SAMPLED, systems_of
from clusterscore.pipeline.estimate import UNKNOWN, Design
from clusterscore.pipeline.plan import ALLOCATIONS, draw_sample, plan
from clusterscore.pipeline.sampling import Sample, find_in_clustering
from clusterscore.progress import step
from clusterscore.read import Clustering
from clusterscore.read.files import read_clustering
from clusterscore.read.sides import ReadAs


@command(
    "estimate",
    *SAMPLED,
    metrics_option("E.g. -m 'elm, pairwise'; those that are sums over gold clusters."),
    option(
        "--weights",
        "How clusters were drawn: uniform, each as likely; size, with a record that was drawn; or a column of SAMPLE "
        "with 1 / the probability of each.",
        metavar="uniform|size|COL",
        default="uniform",
    ),
    option("--strata", "Column of SAMPLE with the group that a cluster was drawn from.", metavar="COL"),
    option("--drawn", "What draw-sample wrote, in the place of --weights and --strata.", metavar="FILE"),
    option("--sizes", "Column of SAMPLE with how many elements a cluster has: all must be there.", metavar="COL"),
    option("--missing", "Elements of SAMPLE that PRED does not have.", UNKNOWN, default="error"),
    option("--target", "Print how many clusters give intervals of +/- this.", type=float, metavar="WIDTH"),
    option("--resamples", "Of the bootstrap; 0: none.", type=click.IntRange(0), default=1000),
    option("--seed", "Same seed, same numbers.", type=click.IntRange(0), default=0),
    option("--confidence", "Of the intervals.", type=float, default=0.95),
    DIGITS,
    *PRINTING,
)
def estimate_command(target: float | None, **given: Any) -> Render:
    """Estimate what PRED would score against all of gold, from SAMPLE: the whole gold clusters of some elements.

    Each measure has an estimate, its standard error, an interval, and a bootstrap interval over the sampled clusters.
    Several PRED are compared with the first on the same clusters. PRED holds all elements; those of SAMPLE without a
    cluster are not in the sample, so one file does: clusterscore estimate FILE --gold COL --pred COL.
    """
    design = Design(**{name: given.pop(name) for name in Design._fields}).checked()
    try:
        sources = systems_of(**given, missing="drop", noise=(), noise_as="singleton")
    except click.UsageError as error:
        raise click.UsageError(error.message.replace("GOLD", "SAMPLE")) from None
    sample, found = None, {}
    with step("reading"):
        for name, inputs in sources.items():
            if inputs.pred is not None and inputs.are_large_tables():
                from clusterscore.engines.touched import find_touched

                sample = sample or Sample.of(read_clustering(inputs.gold, inputs.sides[0]), inputs.slices)
                found[name] = find_touched(inputs.pred, sample.ids, inputs.sides[1])
            else:
                gold, pred = inputs.clusterings()
                sample = sample or Sample.of(gold, inputs.slices)
                found[name] = find_in_clustering(sample, pred)
    assert sample is not None
    with step("estimating"):
        estimates = design.estimates(sample, found)
        return (estimates if target is None else plan(estimates, target=target)).pieces


@command(
    "draw-sample",
    click.argument("pred"),
    click.argument("records", type=click.IntRange(2)),
    *FILE,
    option(
        "--allocation", "Records of each stratum: by its size, or as many of each.", ALLOCATIONS, default="proportional"
    ),
    option("--seed", "Same seed, same numbers.", type=click.IntRange(0), default=0),
    DIGITS,
    *PRINTING,
)
def draw_command(pred: str, records: int, allocation: Any, seed: int, **reading: Any) -> Render:
    """Draw RECORDS elements of PRED for annotation, from strata of predicted cluster sizes, with their weights.

    Find all elements of the entity that each of them belongs to: these clusters are the SAMPLE of clusterscore estimate
    SAMPLE PRED --drawn FILE, where FILE is what this prints with --format csv.
    """
    with step("reading"):
        made: Clustering = read_clustering(pred, ReadAs(**reading))
    return draw_sample(made, records, allocation=allocation, seed=seed).pieces
