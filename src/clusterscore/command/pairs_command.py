"""``clusterscore pairs``: predictions scored on labelled pairs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click

from clusterscore.analyses.pairs.score_pairs import score_pairs
from clusterscore.command.group import CONFIDENCE, DIGITS, PRINTING, Render, command, parameters
from clusterscore.command.inputs import FILE, file_named, files_argument, pair_columns
from clusterscore.command.printing import warn
from clusterscore.nouns import plural
from clusterscore.read.source import refuse_second_reading


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
