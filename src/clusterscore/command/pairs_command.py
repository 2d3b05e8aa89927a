"""``clusterscore pairs``: predictions scored on labelled pairs."""

from __future__ import annotations

from typing import Any

import click

from clusterscore.analyses.estimate.estimating import UNKNOWN
from clusterscore.analyses.pairs.score_pairs import CONTRADICTIONS, DRAWN, PAIR_UNITS, score_pairs
from clusterscore.command.group import DIGITS, PRINTING, Render, command, option
from clusterscore.command.inputs import FILE, files_argument, options_of, pair_columns
from clusterscore.command.printing import warn
from clusterscore.exceptions import plural
from clusterscore.progress import step
from clusterscore.read.file import file_of
from clusterscore.read.files import read_files
from clusterscore.read.source import refuse_second_reading


@command(
    "pairs",
    click.argument("labelled"),
    files_argument("preds", "PRED", required=True),
    *pair_columns(label="match, no match or unsure", weight="1 / the probability that a pair was drawn"),
    *FILE,
    option("--sampled", "What the pairs were drawn from: all pairs, links of PRED, or known matches.", DRAWN),
    option(
        "--unit",
        "What is independent: single pairs, or groups connected by shared elements.",
        PAIR_UNITS,
        default=PAIR_UNITS[0],
    ),
    option(
        "--implied", "Also count pairs that follow from the labels: if a-b and b-c match, so does a-c.", is_flag=True
    ),
    option(
        "--contradictions",
        "What to do with labels that contradict each other.",
        CONTRADICTIONS,
        default=CONTRADICTIONS[0],
    ),
    option("--missing", "What to do with elements on one side only, or in no cluster.", UNKNOWN, default=UNKNOWN[0]),
    option("--beta", "Weight of recall relative to precision.", type=float, default=1.0),
    option("--confidence", "Confidence level of the intervals.", type=float, default=0.95),
    DIGITS,
    *PRINTING,
)
def pairs_command(labelled: str, preds: dict[str, str], **options: Any) -> Render:
    """Score PRED on labelled pairs: how many matches does it find, and how many of its links are matches?

    Each row of LABELLED has two elements and a label: match, no match or unsure, true or false, or a number from 0
    to 1. Several PRED are compared with the first. What precision and recall mean depends on how the pairs were drawn;
    see --sampled.
    """
    refuse_second_reading([labelled, *preds])
    how = options_of({name: options.pop(name) for name in ("element", "cluster", "document", "format", "header")})
    with step("reading"):
        systems = dict(read_files({name: file_of(file, how) for file, name in preds.items()}, sides=False))
    found = score_pairs(labelled, systems if len(systems) > 1 else next(iter(systems.values())), **options)
    if options["missing"] == "drop":
        warn(f"dropped: {plural(found.facts.unknown, 'pair')} with elements that are not in every PRED")
    return found.pieces
