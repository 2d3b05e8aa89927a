"""What a reproduced paper gives: its numbers as printed and as computed, side by side, and its figures."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from decimal import ROUND_DOWN, ROUND_HALF_UP, Decimal
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Number = float | int | Fraction | str
NEAR = 0.05  # so far from a printed number may one of another version be


class Row(NamedTuple):
    """One number of a paper."""

    section: str  # where it stands: "J Table 1"
    quantity: str
    printed: str  # as the paper writes it
    computed: float | int | str | None  # None where the data cannot be had
    match: bool | None  # None where nothing was computed
    note: str = ""
    known: bool = True  # False: the paper's number is known to differ, and the note says why
    spread: float | None = None  # of a random experiment: the standard deviation of one run
    difference: float | None = None  # to the printed number, where another version than the paper's was run

    @property
    def near(self) -> bool:
        """Whether it is close to the printed number, as far as another version can be; that is no match."""
        return self.difference is not None and abs(self.difference) <= NEAR

    @property
    def regressed(self) -> bool:
        """Whether a value that matched before, or was near, no longer does."""
        return self.known and self.match is False and not self.near

    @property
    def verdict(self) -> str:
        """What became of it, in one word."""
        if self.match is None:
            return "no data"
        if self.match:
            return "yes"
        return "near" if self.near else "REGRESSED" if self.regressed else "differs"


class Figure(NamedTuple):
    """A figure of a paper; ``draw`` takes an empty figure of matplotlib, which is asked for only here."""

    name: str  # of the file: "elm-fig2"
    title: str
    draw: Callable[[Any], None]


class Result(NamedTuple):
    """A paper, or a part of it, reproduced."""

    paper: str  # as the command names it: "elm"
    title: str  # authors, year, where it appeared
    rows: Sequence[Row]
    figures: Sequence[Figure] = ()
    skipped: Sequence[str] = ()  # what could not be computed here, and what it takes


class Part(NamedTuple):
    """What one experiment gives."""

    rows: Sequence[Row] = ()
    figures: Sequence[Figure] = ()
    skipped: Sequence[str] = ()


def joined(paper: str, title: str, parts: Iterable[Part]) -> Result:
    """A paper from its parts."""
    columns = zip(*parts, strict=True)
    return Result(paper, title, *([entry for part in column for entry in part] for column in columns))


def row(
    section: str,
    quantity: str,
    printed: str,
    computed: Number,
    note: str = "",
    *,
    known: bool = True,
    truncated: bool = False,
) -> Row:
    """A row that is compared to the digits that were printed; ``truncated`` where the paper cuts digits off."""
    match = agrees(printed, computed, truncated=truncated)
    number = computed if isinstance(computed, int | str) else float(computed)
    return Row(section, quantity, printed, number, match, note, known)


def sampled(
    section: str,
    quantity: str,
    printed: str,
    runs: Floats,
    note: str = "",
    *,
    deviations: float = 3,
    known: bool = True,
) -> Row:
    """A row of a random experiment: what was printed is one more run, within so many deviations of our mean."""
    mean, spread = float(runs.mean()), float(runs.std(ddof=1))
    match = abs(float(printed) - mean) <= deviations * spread + float(_unit(printed)) / 2
    return Row(section, quantity, printed, mean, match, note, known, spread)


def near(section: str, quantity: str, printed: str, computed: float, note: str = "", *, known: bool = True) -> Row:
    """A row of another version of what the paper ran: never a match, but near where it is not far from the print."""
    return Row(section, quantity, printed, computed, False, note, known, difference=computed - float(printed))


def without_data(section: str, quantity: str, printed: str, note: str) -> Row:
    """A row whose data cannot be had; the note names it."""
    return Row(section, quantity, printed, None, None, note)


@cache
def _printed() -> dict[str, dict[str, dict[str, Any]]]:
    printed: dict[str, dict[str, dict[str, Any]]]
    printed = json.loads((Path(__file__).parent / "printed.json").read_text(encoding="utf-8"))
    return printed


def printed_rows(paper: str, table: str) -> list[dict[str, Any]]:
    """The rows of a table of a paper (J, I, R, M, X), or of its numbers in the text ("text"), as printed."""
    rows: list[dict[str, Any]] = _printed()[paper][table]["rows"]
    return rows


def agrees(printed: str, computed: Number, *, truncated: bool = False) -> bool:
    """Whether a number, written with as many digits as were printed, is what was printed; halves are rounded up.

    >>> agrees(".63", 0.634166), agrees("18%", 0.177629), agrees("16,384", 16384), agrees("0.33", Fraction(13, 40))
    (True, True, True, True)
    >>> agrees(".66", Fraction(2, 3)), agrees(".66", Fraction(2, 3), truncated=True), agrees("2/3", 2 / 3)
    (False, True, True)
    """
    if isinstance(computed, str):
        return printed == computed
    if "/" in printed:
        return abs(Fraction(printed) - Fraction(computed)) < 1e-12
    # what is a half up to the last bits of a float is a half
    exact = Fraction(repr(round(float(computed), 14))) if isinstance(computed, float) else Fraction(computed)
    number = Decimal(exact.numerator) / Decimal(exact.denominator) * (100 if printed.endswith("%") else 1)
    shown = number.quantize(_unit(printed), ROUND_DOWN if truncated else ROUND_HALF_UP)
    return shown == Decimal(_plain(printed))


def _plain(printed: str) -> str:
    return printed.removesuffix("%").replace(",", "")


def _unit(printed: str) -> Decimal:
    """One in the last printed digit."""
    return Decimal(1).scaleb(-len(_plain(printed).partition(".")[2]))


def every_pair(elements: int) -> tuple[Ints, Ints, Ints]:
    """All clusterings of a few elements against all, a pair a row; and for each element the row as its document."""
    clusterings = [[0]]
    for _ in range(elements - 1):
        clusterings = [[*labels, k] for labels in clusterings for k in range(max(labels) + 2)]
    gold, pred = np.repeat(clusterings, len(clusterings), axis=0), np.tile(clusterings, (len(clusterings), 1))
    return gold, pred, np.repeat(np.arange(len(gold)), elements)
