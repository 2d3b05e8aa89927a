"""``clusterscore elements``, ``clusters`` and ``errors``: where a score was lost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from clusterscore.command.group import Command, cli
from clusterscore.command.inputs import Inputs, inputs
from clusterscore.command.printing import write_out
from clusterscore.diagnose import SIDES, scores_elements
from clusterscore.exceptions import plural
from clusterscore.pipeline.diagnosis import Diagnosis
from clusterscore.progress import shown, step
from clusterscore.show import Columns


def _options(command: Command) -> Command:
    """What the three have in common."""
    metric = click.option(
        "--metric", "-m", "name", default="elm", show_default=True, help="A metric that scores elements."
    )
    worst = click.option("--worst", type=click.IntRange(0), metavar="N", help="Only the N rows that cost most.")
    return inputs(metric(worst(command)))


@cli.command("elements")
@_options
def elements_command(**given: Any) -> None:
    """One row per element of PRED against GOLD: its clusters, tp, fp, fn, its own P, R and F, and what it costs."""
    _show(lambda found: found.elements(), "element", "the losses add up to", **given)


@cli.command("clusters")
@_options
@click.option("--side", type=click.Choice(SIDES), default="both", show_default=True, help="Whose clusters.")
def clusters_command(side: str, **given: Any) -> None:
    """One row per cluster of GOLD and PRED: its best match, in how many parts it is, and what it costs.

    Those that cost most come first. `share` is the purity of a predicted cluster, the inverse purity of a gold one.
    """
    sum_up = "the losses of each side add up to" if side == "both" else "the losses add up to"
    _show(lambda found: found.clusters(side), "cluster", sum_up, **given)


@cli.command("errors")
@_options
@click.option("--cells", is_flag=True, help="One row per pair of clusters that share elements; the costly ones first.")
def errors_command(cells: bool, **given: Any) -> None:
    """What kinds of errors PRED makes against GOLD, and what they cost.

    Elements that a gold and a predicted cluster share are exact (both clusters are the same), split (the predicted
    cluster is a part of the gold one), merge (the gold cluster is a part of the predicted one), mixed (neither), missed
    singletons (the gold cluster is one element, the predicted one is larger) or false singletons (the reverse).
    """
    if cells:
        _show(lambda found: found.error_cells(), "cell", "the losses add up to", **given)
    else:
        _show(lambda found: found.errors(), "kind", "the losses add up to", **given)


def _show(
    look: Callable[[Diagnosis], Columns], noun: str, sum_up: str, *, name: str, worst: int | None, form: str,
    raw: bool, quiet: bool, **given: Any,
) -> None:  # fmt: skip
    scores_elements(name)  # a wrong name is told before a file is read
    what = Inputs(**given)
    with shown(not quiet):
        with step("reading"):
            gold, pred = what.clusterings()
        with step("scoring"):
            found = Diagnosis.of(gold, pred, metric=name, **what.policy.options)
            rows = look(found)
            value = found.score.value
            notes = [f"{found.metric} is {value:.4f}: {sum_up} {1 - value:.4f}", found.score.signature]
            if worst is not None and worst < len(rows):
                notes.insert(0, f"the {worst:,} that cost most, of {plural(len(rows), noun)}")
            rows = rows if worst is None else rows.worst(worst)
            rows.notes = notes
        with step("writing"):
            text = rows.render(form, raw=raw)
    write_out(text, form)
