"""Where the bookkeeping of the CorefUD scorer decides a score: the value without it, in a warning."""

from __future__ import annotations

from copy import copy

from clusterscore.analyses.request import Request
from clusterscore.analyses.score.scorecard import Scorecard
from clusterscore.analyses.score.scoring import card_of
from clusterscore.count.directions import directions_of

_SAME = 1e-12


def one_to_one_warnings(card: Scorecard, request: Request) -> list[str]:
    """A warning for each score that would be another if a mention were found where it was matched, and only there."""
    table = card.table
    if table.mentions is None or table.mentions.alignment is None or table.members is None:
        return []
    if table.mentions.alignment.is_as_matched(table.mentions.one_to_one):
        return []
    other = copy(table)
    other.members = table.members._replace(mentions=table.mentions.as_matched())
    other.directions, other._memo = directions_of(other, table.mentions.one_to_one), {}
    warnings = []
    for name, matched in card_of(other, request, card.average).items():
        score = card[name]
        pairs = [(score.value, matched.value), (score.precision, matched.precision), (score.recall, matched.recall)]
        differs = [found for found in pairs if abs((found[0] or 0.0) - (found[1] or 0.0)) > _SAME]
        if differs:
            why = (
                "an empty node of the same number goes before the one that was matched"
                if name == "zero"
                else "a number that stands for two empty nodes is looked up in one list for both files"
            )
            official, value = differs[0]
            warnings.append(
                f"{name} is {official:.6f} as in the CorefUD scorer, and {value:.6f} if each mention is found where it "
                f"was matched: there {why}"
            )
    return warnings
