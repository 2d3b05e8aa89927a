"""``clusterscore pairs``: predictions scored on labelled pairs."""

from __future__ import annotations

from typing import Any

import click

from clusterscore.command.group import DIGITS, PRINTING, Render, command, option
from clusterscore.command.inputs import FILE, files_argument, pair_columns
from clusterscore.command.printing import warn
from clusterscore.exceptions import plural
from clusterscore.pipeline.estimate import UNKNOWN
from clusterscore.pipeline.score_pairs import CONTRADICTIONS, DRAWN, PAIR_UNITS, score_pairs
from clusterscore.progress import step
from clusterscore.read.files import read_clustering
from clusterscore.read.sides import ReadAs
from clusterscore.read.source import refuse_second_reading


@command(
    "pairs",
    click.argument("labelled"),
    files_argument("preds", "PRED", required=True),
    *pair_columns(label="match, no match or unsure", weight="1 / the probability that a pair was drawn"),
    *FILE,
    option("--sampled", "What was drawn: any pairs, pairs together in PRED (links), or known matches.", DRAWN),
    option("--unit", "What varies by itself: pairs, or what they connect.", PAIR_UNITS, default=PAIR_UNITS[0]),
    option("--implied", "Also pairs that follow from the labels: a-b and b-c match, so a-c does.", is_flag=True),
    option("--contradictions", "Labels that contradict each other.", CONTRADICTIONS, default=CONTRADICTIONS[0]),
    option("--missing", "Elements on one side only, or in no cluster.", UNKNOWN, default=UNKNOWN[0]),
    option("--beta", "How many times recall counts as much as precision.", type=float, default=1.0),
    option("--confidence", "Of the intervals.", type=float, default=0.95),
    DIGITS,
    *PRINTING,
)
def pairs_command(labelled: str, preds: dict[str, str], **options: Any) -> Render:
    """Score PRED on labelled pairs: how many matches does it find, and how many of its links are matches?

    LABELLED is a table with two elements and a label in every row: match, no match or unsure, true or false, or a
    number from 0 to 1. Several PRED are compared with the first. Precision and recall mean what they say only if
    the pairs were drawn for it; see --sampled.
    """
    refuse_second_reading([labelled, *preds])
    how = ReadAs(**{name: options.pop(name) for name in ReadAs._fields})
    with step("reading"):
        systems = {name: read_clustering(file, how) for file, name in preds.items()}
    found = score_pairs(labelled, systems if len(systems) > 1 else next(iter(systems.values())), **options)
    if options["missing"] == "drop":
        warn(f"dropped: {plural(found.facts.unknown, 'pair')} with elements that are not in every PRED")
    return found.pieces
