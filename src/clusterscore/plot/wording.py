"""Words and numbers on a plot: names from the data as plain text, counts that fit."""

from __future__ import annotations

import unicodedata
from typing import Any

_UNITS = ("", "k", "M", "G", "T", "P")
_UNKNOWN = "\N{REPLACEMENT CHARACTER}"


def named(name: Any, most: int = 18) -> str:
    """A name from the data as one short line; nothing in it is taken for a formula, a command or a line break.

    >>> named("a$b_c$"), named("line\\nbreak"), named("a very long name of a cluster", 12)
    ('a\\\\$b_c\\\\$', 'line break', 'a very long…')
    """
    text = "".join(map(_printable, str(name)[: 8 * most]))
    return escaped(_cut(" ".join(text.split()), most)) or "(empty)"


def escaped(text: str) -> str:
    """Text in which a dollar is a dollar, and does not begin a formula."""
    return text.replace("$", r"\$")


def _printable(letter: str) -> str:
    if letter.isspace():
        return " "
    if letter.isprintable():
        return letter
    # marks of direction and the like have no shape; control characters and halves of pairs are no XML
    return "" if unicodedata.category(letter) == "Cf" else _UNKNOWN


def _cut(text: str, most: int) -> str:
    """Text that is no wider than so many letters; those of East Asia are two wide."""
    width = 0
    for at, letter in enumerate(text):
        width += 2 if unicodedata.east_asian_width(letter) in "WF" else 1
        if width > most:
            return _without_last(text, at).rstrip() + "…"
    return text


def _without_last(text: str, at: int) -> str:
    """The text before a place, less a letter for the sign that something is left out."""
    end = max(at - 1, 1)
    while end > 1 and unicodedata.combining(text[end]):
        end -= 1
    return text[:end]


def compact(count: float) -> str:
    """A count in few letters.

    >>> [compact(n) for n in (7, 999, 1204, 12345, 999_600, 3_400_000, 2.5e9)]
    ['7', '999', '1.2k', '12k', '1M', '3.4M', '2.5G']
    """
    unit = 0
    while float(_digits(count)) >= 1000 and unit < len(_UNITS) - 1:
        count, unit = count / 1000, unit + 1
    return _digits(count) + _UNITS[unit]


def _digits(count: float) -> str:
    return f"{count:.1f}".removesuffix(".0") if count < 9.95 else f"{count:.0f}"


def percent(share: float) -> str:
    """A share for a small cell; what is there but rounds to nothing is a dot.

    >>> percent(0.974), percent(1), percent(0.001), percent(0), percent(0.9999)
    ('97', '100', '·', '', '99')
    """
    if share == 0:
        return ""
    if share < 0.005:
        return "·"
    return "100" if share >= 1 else f"{min(round(100 * share), 99)}"  # 100 is all of it
