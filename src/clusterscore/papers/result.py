"""What a reproduced paper gives: its numbers as printed and as computed, side by side, and its figures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import ROUND_DOWN, ROUND_HALF_UP, Decimal
from fractions import Fraction
from typing import Any, NamedTuple


class Row(NamedTuple):
    """One number of a paper."""

    section: str  # where it stands: "J Table 1"
    quantity: str
    printed: str | None  # as the paper writes it; None where it prints no number
    computed: float | int | str
    match: bool | None  # None where nothing is printed
    note: str = ""
    known: bool = True  # False: it is known, and told in the note, that the paper's number differs

    @property
    def regressed(self) -> bool:
        """Whether a value that matched before no longer does."""
        return self.known and self.match is False


class Figure(NamedTuple):
    """A figure of a paper; ``draw`` takes an empty figure of matplotlib, which is asked for only here."""

    name: str  # of the file: "elm-fig2"
    title: str
    draw: Callable[[Any], None]


class Result(NamedTuple):
    """A paper, reproduced."""

    paper: str  # as the command names it: "elm"
    title: str  # authors, year, where it appeared
    rows: Sequence[Row]
    figures: Sequence[Figure] = ()
    skipped: Sequence[str] = ()  # what could not be computed here, and what it takes


def row(
    section: str,
    quantity: str,
    printed: str | None,
    computed: float | int | Fraction | str,
    note: str = "",
    *,
    known: bool = True,
    truncated: bool = False,
) -> Row:
    """A row that is compared to the digits that were printed; ``truncated`` where the paper cuts digits off."""
    match = None if printed is None else agrees(printed, computed, truncated=truncated)
    return Row(section, quantity, printed, float(computed) if isinstance(computed, Fraction) else computed, match,
               note, known)  # fmt: skip


def within(section: str, quantity: str, printed: str, computed: float, spread: float, note: str = "") -> Row:
    """A row of a random experiment: it matches within ``spread`` of what was printed, and the rounding of that."""
    match = abs(float(printed) - computed) <= spread + float(_unit(printed)) / 2
    return Row(section, quantity, printed, computed, match, f"within {spread:.3g}; {note}" if note else
               f"within {spread:.3g}")  # fmt: skip


def agrees(printed: str, computed: float | int | Fraction | str, *, truncated: bool = False) -> bool:
    """Whether a number, written with as many digits as were printed, is what was printed; halves are rounded up.

    >>> agrees(".63", 0.634166), agrees("18%", 0.177629), agrees("16,384", 16384), agrees("0.33", Fraction(13, 40))
    (True, True, True, True)
    >>> agrees(".66", Fraction(2, 3)), agrees(".66", Fraction(2, 3), truncated=True)
    (False, True)
    """
    if isinstance(computed, str):
        return printed == computed
    number = _decimal(computed) * (100 if printed.endswith("%") else 1)
    shown = number.quantize(_unit(printed), ROUND_DOWN if truncated else ROUND_HALF_UP)
    return shown == Decimal(_plain(printed))


def _plain(printed: str) -> str:
    return printed.removesuffix("%").replace(",", "")


def _unit(printed: str) -> Decimal:
    """One in the last printed digit."""
    return Decimal(1).scaleb(-len(_plain(printed).partition(".")[2]))


def _decimal(number: float | int | Fraction) -> Decimal:
    if isinstance(number, Fraction):
        return Decimal(number.numerator) / Decimal(number.denominator)
    # what is a half up to the last bits of a float is a half
    return Decimal(number) if isinstance(number, int) else Decimal(repr(round(number, 14)))
