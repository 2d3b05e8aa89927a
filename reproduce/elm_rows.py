"""What the rows of both ELM papers share: numbers of the text by their names, and scores of a handful of elements."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

import clusterscore as cs
from clusterscore.align.doubts import undoubted
from reproduce.result import Floats, Row, printed_rows, row

NAMES = {"BCubed": "bcubed", "ELM": "elm"}
PARTS = ("Precision", "Recall", "F1")  # as the tables head their columns
STATISTICS: Mapping[str, Callable[[Floats], Any]] = {  # as pandas describes a column
    "mean": np.mean,
    "std": partial(np.std, ddof=1),
    "min": np.min,
    **{f"{share}%": partial(np.percentile, q=share) for share in (25, 50, 75)},
    "max": np.max,
}


def in_text(
    paper: str, quantity: str, computed: Any, note: str = "", match: bool | None = None, **options: bool
) -> Row:
    """A number of the text of J or I; ``match`` where digits are not compared, ``computed=None`` without data."""
    [cell] = [cell for cell in printed_rows(paper, "text") if cell["quantity"] == quantity]
    section, printed = cell["section"], cell["printed"]
    if match is None and computed is not None:
        return row(section, quantity, printed, computed, note, **options)
    return Row(section, quantity, printed, computed, match, note, **options)


def holds(paper: str, quantity: str, cases: Iterable[bool], note: str = "", **options: bool) -> Row:
    """A formula of the text, looked at in some cases."""
    outcomes = list(cases)
    wrong = outcomes.count(False)
    computed = f"fails in {wrong} of {len(outcomes)} cases" if wrong else f"holds in {len(outcomes)} cases"
    return in_text(paper, quantity, computed, note, not wrong, **options)


def cells(paper: str, table: str) -> Iterator[tuple[dict[str, Any], str, str, str]]:
    """The cells of a table of P, R and F1: its row, which of the three, which statistic, and what is printed."""
    for line in printed_rows(paper, table):
        for part in PARTS:
            for statistic, printed in line[part].items():
                yield line, part, statistic, printed


def exactly(section: str, quantity: str, printed: str, computed: Fraction, note: str = "", **options: bool) -> Row:
    """A row of a number that is printed as a fraction."""
    return Row(section, quantity, printed, str(computed), Fraction(printed) == computed, note, **options)


def by_element(gold: Iterable[Any], pred: Iterable[Any], metric: str = "elm", part: str = "f") -> list[Fraction]:
    """P, R or F of every element: small fractions, which their floats give away."""
    with undoubted():  # some are one cluster, or single elements
        values = cs.elements(list(gold), list(pred), metric=metric)[part]
    return [Fraction(value).limit_denominator(100) for value in values.tolist()]


def mean(values: Sequence[Fraction]) -> Fraction:
    """The mean of fractions."""
    return sum(values, Fraction(0)) / len(values)


def means(gold: Iterable[Any], pred: Iterable[Any], metric: str = "bcubed") -> list[Fraction]:
    """P, R and F1 of a small prediction."""
    gold, pred = list(gold), list(pred)
    return [mean(by_element(gold, pred, metric, part)) for part in ("precision", "recall", "f")]
