"""``clusterscore diff`` and ``agreement``: clusterings of which none is gold."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import click

from clusterscore.align.policies import Policy, dropped_note
from clusterscore.analyses.agreement.agreement_matrix import agreement_matrix
from clusterscore.analyses.diff.diffing import CHANGES, diff, versioned
from clusterscore.command.group import (
    AVERAGE,
    DIGITS,
    PRINTING,
    Integer,
    Render,
    command,
    element_metric_option,
    metrics_option,
    option,
)
from clusterscore.command.inputs import ALIKE, VERSIONS, FilesOfSystems, alike_files
from clusterscore.command.printing import warn
from clusterscore.exceptions import MetricError
from clusterscore.progress import step
from clusterscore.read.files import read_files


@command(
    "diff",
    *VERSIONS,
    option("--kind kinds", "List only changes of this kind (repeatable).", CHANGES, multiple=True),
    option(
        "--top",
        "List the N largest changes (default: 10 in a table, otherwise all).",
        type=Integer(0),
        metavar="N",
    ),
    *PRINTING,
)
def diff_command(kinds: tuple[str, ...], top: int | None, **given: Any) -> Render:
    """List what changed from OLD to NEW: clusters split, merged or rearranged, elements added and gone.

    A change is a set of clusters that share elements. The changes that affect most pairs of elements come first. A
    cluster that differs only by elements that were added or are gone is updated. CSV has a row for every old and new
    cluster that share elements. If one file contains both versions: clusterscore diff FILE --old COL --new COL.
    """
    try:
        sources = FilesOfSystems.one(given)
    except click.UsageError as error:
        raise click.UsageError(versioned(error.message)) from None
    with step("comparing"):
        changes = diff(sources.gold, sources.preds[""], **given)
    return changes.only(kinds, top).pieces


@command(
    "agreement",
    *ALIKE,
    metrics_option("Metric (default: adjusted_rand)."),
    element_metric_option("--element-metric"),
    AVERAGE,
    option("--elements", "List elements instead, starting with those they agree on least.", is_flag=True),
    DIGITS,
    *PRINTING,
)
def agreement_command(metrics: list[str] | None, elements: bool, **given: Any) -> Render:
    """Score clusterings against each other, such as those of several annotators.

    Each row has the scores with its clustering as gold. The consistency of an element is its own F under
    --element-metric, averaged over all pairs of clusterings. If one file contains all clusterings: clusterscore
    agreement FILE --column COL --column COL.
    """
    if metrics is not None and len(metrics) > 1:
        raise MetricError(f"--metric takes one metric here, not {len(metrics)}: {', '.join(metrics)}")
    files = alike_files(given)
    clusterings = dict(read_files(files, sides=False))
    agreement = agreement_matrix(clusterings, metric="adjusted_rand" if metrics is None else metrics[0], **given)
    policy = Policy.of(**{name: given[name] for name in ("missing", "noise", "noise_as", "background")})
    for both in combinations(files, 2):
        for line in dropped_note(policy, agreement.dropped[both], agreement.noise[both]):
            warn(f"{both[0]} as gold, {both[1]} as pred: {line}")
    return agreement.elements.pieces if elements else agreement.pieces
