"""``clusterscore estimate`` and ``draw-sample``: gold for some clusters, and which to label."""

from __future__ import annotations

from typing import Any

import click

from clusterscore.align.doubts import Compared, express
from clusterscore.align.side_facts import DoubtedSide
from clusterscore.analyses.estimate.estimating import UNKNOWN, Design
from clusterscore.analyses.estimate.gold_sample import Sample, find_in_clustering
from clusterscore.analyses.estimate.labelling_plan import ALLOCATIONS, draw_sample, plan
from clusterscore.command.group import DIGITS, PRINTING, Render, command, metrics_option, option
from clusterscore.command.inputs import FILE, SAMPLED, options_of, systems_of
from clusterscore.count.sampled import SampleLookup
from clusterscore.progress import step
from clusterscore.read import Clustering
from clusterscore.read.file import file_of
from clusterscore.read.files import read_file, read_files


@command(
    "estimate",
    *SAMPLED,
    metrics_option("Metrics, e.g. -m 'elm, pairwise'; they must be sums over gold clusters."),
    option(
        "--weights",
        "How the clusters were drawn. uniform: all equally likely; size: by drawing records; COL: a column of SAMPLE "
        "with 1 / the probability of drawing the cluster.",
        metavar="uniform|size|COL",
        default="uniform",
    ),
    option("--strata", "Column of SAMPLE with the group that the cluster was drawn from.", metavar="COL"),
    option("--drawn", "Output of draw-sample, instead of --weights and --strata.", metavar="FILE"),
    option(
        "--sizes",
        "Column of SAMPLE with the true size of the cluster; it is an error if elements are missing.",
        metavar="COL",
    ),
    option("--missing", "What to do with elements of SAMPLE that are not in PRED.", UNKNOWN, default="error"),
    option("--target", "Print how many clusters you need for intervals of +/- WIDTH.", type=float, metavar="WIDTH"),
    option("--resamples", "Number of bootstrap resamples; 0 for none.", type=click.IntRange(0), default=1000),
    option("--seed", "Random seed; the same seed gives the same numbers.", type=click.IntRange(0), default=0),
    option("--confidence", "Confidence level of the intervals.", type=float, default=0.95),
    DIGITS,
    *PRINTING,
)
def estimate_command(target: float | None, **given: Any) -> Render:
    """Estimate what PRED would score against full gold, from SAMPLE, a sample of whole gold clusters.

    Prints an estimate for each measure with its standard error, an interval, and a bootstrap interval over the sampled
    clusters. Several PRED are compared with the first on the same clusters. PRED must contain all elements. Rows
    without a gold cluster are not in the sample, so you can use one file: clusterscore estimate FILE --gold COL --pred
    COL.
    """
    design = Design(**{name: given.pop(name) for name in Design._fields}).checked()
    try:
        sources = systems_of(**given, missing="drop", noise=(), noise_as="singleton")
    except click.UsageError as error:
        raise click.UsageError(error.message.replace("GOLD", "SAMPLE")) from None
    gold = sources.gold
    engine = {name for name in sources.preds if given["preds"] and sources.are_large_tables()}
    files = {"gold": gold, **{f"pred {name}": file for name, file in sources.preds.items() if name not in engine}}
    found: dict[str, SampleLookup] = {}
    with step("reading"):
        read = read_files(files, {name: name for name in design.columns})
        sample = Sample.of(read["gold"], read.columns.__getitem__)
        for name, file in sources.preds.items():
            if name in engine:
                from clusterscore.engines.sample_lookup import find_touched

                found[name] = find_touched(file.path, sample.ids, file)
            else:
                express(Compared(DoubtedSide("gold", read["gold"]), DoubtedSide("pred", read[f"pred {name}"])))
                found[name] = find_in_clustering(sample, read[f"pred {name}"])
    with step("estimating"):
        estimates = design.estimates(sample, found)
        return (estimates if target is None else plan(estimates, target=target)).pieces


@command(
    "draw-sample",
    click.argument("pred"),
    click.argument("records", type=click.IntRange(2)),
    *FILE,
    option(
        "--allocation",
        "Draw in proportion to the size of each stratum, or equally many from each.",
        ALLOCATIONS,
        default="proportional",
    ),
    option("--seed", "Random seed; the same seed gives the same numbers.", type=click.IntRange(0), default=0),
    DIGITS,
    *PRINTING,
)
def draw_command(pred: str, records: int, allocation: Any, seed: int, **reading: Any) -> Render:
    """Draw RECORDS elements of PRED to label, from strata of predicted cluster sizes, with their weights.

    For each of them, find all elements of the entity it belongs to. These clusters are the SAMPLE in clusterscore
    estimate SAMPLE PRED --drawn FILE, where FILE is the output of this command with --format csv.
    """
    with step("reading"):
        made: Clustering = read_file(file_of(pred, options_of(reading)))
    return draw_sample(made, records, allocation=allocation, seed=seed).pieces
