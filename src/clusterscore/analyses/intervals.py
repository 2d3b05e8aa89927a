"""Intervals, in the words that every analysis has for them: their confidence and their units."""

from __future__ import annotations

from typing import Any

from clusterscore.aggregate import Facts
from clusterscore.align.policies import dropped_note
from clusterscore.exceptions import InputError
from clusterscore.nouns import plural

CONFIDENCE = 0.95  # of an interval, where nobody says
UNIT_NOUNS = {"documents": "document", "clusters": "gold cluster", "elements": "element"}


def checked_confidence(value: Any) -> float:
    """The confidence that a user gives, if it is one."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1:
        raise InputError(f"confidence={value!r} must be a number between 0 and 1, such as 0.95")
    return float(value)


def level(confidence: float) -> str:
    """The heading of a column of intervals."""
    return f"{100 * confidence:g}% interval"


def few_units(units: int, unit: str, least: int = 20) -> list[str]:
    """What to say where intervals are over few units."""
    few = f"only {plural(units, unit)}: with fewer than {least}, intervals are rough"
    return [few] if units < least else []


def counts(elements: int, facts: Facts) -> str:
    """How many elements and documents there are, in words."""
    parts = [plural(elements, "element")]
    if facts.documents > 1:
        parts.append(plural(facts.documents, "document"))
    return "; ".join([", ".join(parts), *dropped_note(facts.policy, facts.dropped, facts.noise)])
