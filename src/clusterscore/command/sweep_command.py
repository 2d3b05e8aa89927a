"""``clusterscore sweep``: every threshold scored, and the clusters of one of them."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Any

import click
import numpy as np

from clusterscore.analyses.sweep.object_sweep import ObjectSweep
from clusterscore.analyses.sweep.sweep_result import Sweep
from clusterscore.analyses.sweep.sweeping import sweep
from clusterscore.command.group import DIGITS, PRINTING, SEED, Integer, Number, Render, command, metrics_option, option
from clusterscore.command.inputs import GOLD, SAMPLE, file_named, pair_columns, sample_of
from clusterscore.command.printing import say_dropped
from clusterscore.metrics import metric
from clusterscore.progress import step
from clusterscore.read import Clustering, as_clustering
from clusterscore.read.file import File
from clusterscore.read.formats import IMAGES, by_name
from clusterscore.read.images import read_array
from clusterscore.read.sample import Sample
from clusterscore.read.source import Source, refuse_second_reading
from clusterscore.screen import Screen
from clusterscore.show.grid import Grid
from clusterscore.show.saving import refuse_overwriting, write_file

PLOT = option("--plot", "Also draw a plot (.svg, .pdf or .png).", metavar="FILE")


@command(
    "sweep",
    *GOLD,
    *SAMPLE,
    click.argument("edges"),
    *pair_columns(score="the score of a pair"),
    metrics_option("Metrics, e.g. -m 'elm, bcubed(beta=2)'; clusterscore metrics lists all."),
    option(
        "--within",
        "Show the range of thresholds that lose at most this much.",
        type=Number(0),
        default=0.01,
        metavar="SCORE",
    ),
    option(
        "--cross-validate folds",
        "Also cross-validate the best threshold, with N folds.",
        type=Integer(2),
        metavar="N",
    ),
    option("--seed", SEED, type=Integer(0), default=0),
    option(
        "--thresholds",
        "Thresholds of IoU, for label images (default: 0.5 to 0.95).",
        metavar="NUMBERS",
        callback=lambda _, __, text: None if text is None else _numbers(text),
    ),
    option("--at", "Threshold of the clusters that --labels writes.", type=float, metavar="THRESHOLD"),
    option("--best", "Use the best threshold under this metric, instead of --at.", metavar="METRIC"),
    option(
        "--labels", "Write the clusters at one threshold to a file that clusterscore score can read.", metavar="FILE"
    ),
    PLOT,
    DIGITS,
    *PRINTING,
)
def sweep_command(
    edges: str,
    within: float,
    folds: int | None,
    seed: int,
    at: float | None,
    best: str | None,
    labels: str | None,
    plot: str | None,
    **given: Any,
) -> Render:
    """Score every threshold of EDGES against GOLD, and find the best.

    EDGES is a table with two elements and a score in every row (higher means more alike), or a SciPy linkage in a .npy
    file. The table shows the best threshold under each metric; CSV and JSON contain all of them. The best score is
    optimistic, because it was tuned on GOLD: --cross-validate 5 shows what to expect on new data. With --sample, every
    threshold has its estimate, and the best one its interval and its cross-validated score.
    """
    if (labels is None) != (at is None and best is None) or (at is not None and best is not None):
        raise click.UsageError("to write clusters, use --labels FILE with --at THRESHOLD or --best METRIC")
    sources = [given.pop("gold"), edges]
    refuse_second_reading(sources)
    for path in filter(None, (labels, plot)):
        refuse_overwriting(path, sources)
    if plot is not None:
        draw_to(plot)
    if best is not None and best not in (given["metrics"] or ()):
        given["metrics"] = [*(given["metrics"] or ()), str(metric(best))]
    file = file_named(sources[0], given, File(edges))
    sweep = swept(sample_of(file, given) or file, edges, **given)
    if isinstance(sweep, ObjectSweep):
        if labels is not None or folds is not None:
            raise click.UsageError("--labels and --cross-validate are for cuts; thresholds of IoU have no clusters")
        if plot is not None:
            draw_to(plot, "sweep", sweep)
        return lambda form, digits, raw, screen: sweep.pieces(form, digits, raw, screen)
    say_dropped(sweep)
    if labels is not None:
        threshold = sweep.best(str(best)).threshold if at is None else at
        write_file(labels, _written(sweep.labels_at(threshold)).encode())
    summary = sweep.summary(within, folds=folds, seed=seed)
    if plot is not None:
        draw_to(plot, "sweep", sweep)

    def render(form: str, digits: int | None, raw: bool, screen: Screen) -> Iterator[str]:
        if form == "json":
            return sweep.json_pieces(summary)
        return (sweep if form == "csv" else summary).pieces(form, digits, raw, screen)

    return render


def _numbers(text: str) -> list[float]:
    try:
        return [float(number) for number in text.split(",")]
    except ValueError:
        raise click.BadParameter(f"{text!r} is no list of numbers, such as 0.5,0.75") from None


def swept(gold: File | Clustering | Sample, path: str, **options: Any) -> Sweep | ObjectSweep:
    """Every cut of scored pairs in a file, or of a linkage in a file of NumPy's; of images every threshold of IoU."""
    edges: Any = path
    if isinstance(gold, File) and by_name(gold.name) in IMAGES and by_name(path) in IMAGES:
        gold = as_clustering(gold, "gold")
        edges = File(path) if gold.shapes is not None else path
    if isinstance(edges, str) and by_name(path) == "npy":
        edges = read_array(Source(path))
    given = {"edges": edges}
    if isinstance(edges, File) or (isinstance(edges, np.ndarray) and edges.ndim == 2 and edges.shape[1] == 4):
        given = {"linkage": edges}
        if any(options.pop(name, None) is not None for name in ("left", "right", "score")):
            raise click.UsageError(
                "a linkage has no columns with names: --left, --right and --score are for scored pairs"
            )
    swept: Sweep | ObjectSweep = sweep(gold, **given, **options)
    return swept


def draw_to(path: str, plot: str = "", result: Any = None) -> None:
    """Draw a result into a file, by the name of a plot; without one, check that it could be drawn."""
    from clusterscore.plot import canvas

    canvas.check_installed("plots are", "matplotlib")
    canvas.plot_file(path)
    if plot:
        with canvas.offscreen(), step("drawing"):
            canvas.save(getattr(import_module("clusterscore.plot"), plot)(result), path)


def _written(labels: Any) -> str:
    """A table of elements and clusters, or where elements have no ids, one label a line."""
    if isinstance(labels, dict):
        return "".join(Grid(["element", "cluster"], list(labels.items())).pieces("csv", raw=True)) + "\n"
    return "".join(f"{label}\n" for label in labels.tolist())
