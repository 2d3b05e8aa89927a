"""Where the bookkeeping of the CorefUD scorer decides a score: the value without it, in a warning."""

from __future__ import annotations

from copy import copy

import numpy as np

from clusterscore.analyses.request import Request
from clusterscore.analyses.score.scorecard import Scorecard
from clusterscore.analyses.score.scoring import card_of
from clusterscore.count.directions import directions_of
from clusterscore.fields import current
from clusterscore.show.description import scale_of

_SAME = 1e-12


def card_as_matched(card: Scorecard, request: Request) -> Scorecard | None:
    """The same scores if a mention is found where it was matched, and only there; None if that is so anyway."""
    table = card.table
    if table.members is None or table.members.mentions is None:
        return None
    official, matched = table.members.mentions.alignment, table.members.mentions.one_to_one
    if (
        official is None
        or matched is None
        or (official.agrees(matched) and np.array_equal(official.counterpart, matched.counterpart))
    ):
        return None
    other = copy(table)
    other.members = table.members._replace(mentions=table.members.mentions.as_matched())
    other.directions, other._memo = directions_of(other, matched), {}
    return card_of(other, request, card.average)


def one_to_one_warnings(card: Scorecard, request: Request) -> list[str]:
    """A warning for each score that would be another if mentions were found where they were matched."""
    warnings = []
    for name, score in (card_as_matched(card, request) or {}).items():
        printed = card[name]
        both = [(printed.value, score.value), (printed.precision, score.precision), (printed.recall, score.recall)]
        differ = next((pair for pair in both if abs((pair[0] or 0.0) - (pair[1] or 0.0)) > _SAME), None)
        if differ is not None:
            why = "an empty node of the same number goes before the one that was matched"
            if name != "zero":
                why = "one list for both files says what a number stands for, and some numbers stand for two nodes"
            official, matched = (_shown(value or 0.0) for value in differ)
            warnings.append(
                f"{name} is {official} as in the CorefUD scorer, and {matched} if each mention is found "
                f"where it was matched: {why}"
            )
    return warnings


def _shown(value: float) -> str:
    """In the unit of the table, with enough decimals to compare."""
    scale = scale_of(current())
    return f"{scale * value:.{4 if scale == 100 else 6}f}"
