"""Numbers as people read them in sentences, pages and plots: scores in the unit of the field, shares, p-values."""

from __future__ import annotations

from collections.abc import Iterable

from clusterscore.fields import current
from clusterscore.show.grid import MINUS


def shown_score(value: float | None, digits: int = 4, sign: bool = False) -> str:
    """A score in the unit of the field: with so many decimals, or in percent with those of the field.

    >>> shown_score(0.5, 3), shown_score(-0.25, 2), shown_score(-1e-9), shown_score(0.5, 1, sign=True)
    ('0.500', '−0.25', '0.0000', '+0.5')
    """
    if value is None:
        return ""
    field = current()
    scale, decimals = (1, digits) if field is None or not field.percent else (field.scale, field.digits)
    return f"{scale * value:{'+' if sign else ''}z.{decimals}f}".replace("-", MINUS)


def share(value: float | None) -> str:
    """A fraction as a percentage, which is 0% or 100% only where it is exactly that.

    >>> share(0.493), share(1.0), share(0.9996), share(0.0000001)
    ('49%', '100%', '99.96%', 'almost 0%')
    """
    if value is None:
        return ""
    for digits in (0, 1, 2):
        shown = round(100 * value, digits)
        if (shown == 100) == (value == 1) and (shown == 0) == (value == 0):
            return f"{100 * value:.{digits}f}%"
    return "almost 0%" if abs(value) < 0.5 else "almost 100%"


def listed(words: Iterable[str]) -> str:
    """Words as a list in a sentence.

    >>> listed(["elm"]), listed(["elm", "bcubed", "ari"])
    ('elm', 'elm, bcubed and ari')
    """
    *before, last = words
    return f"{', '.join(before)} and {last}" if before else last


def p_value(p: float | None, equal: str = "") -> str:
    """A p-value, of which nobody reads more than three decimals.

    >>> p_value(0.0421, "= "), p_value(0.00001, "= ")
    ('= 0.042', '< 0.001')
    """
    return "" if p is None else "< 0.001" if p < 0.001 else f"{equal}{p:.3f}"
