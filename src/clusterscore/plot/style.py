"""How plots look: palette, sizes, dashes and marks, words and numbers that fit; used by the figures of papers too."""

from __future__ import annotations

import unicodedata
from typing import Any, NamedTuple

# the palette of Okabe and Ito, which colour-blind people can tell apart (grey for its yellow, which is pale on white)
BLUE, VERMILION, GREEN, ORANGE, SKY, PURPLE = "#0072B2", "#D55E00", "#009E73", "#E69F00", "#56B4E9", "#CC79A7"
BLACK, GREY = "#000000", "#999999"
COLOURS = (BLUE, VERMILION, GREEN, ORANGE, SKY, PURPLE, BLACK, GREY)

WIDTH = 3.3  # inches: a column of a paper
FONT = 7  # points: still legible when printed at that width

INK = "#1a1a1a"  # of its own, so that a page can put its own ink in the place of it
PAPER = "#ffffff"
FAINT = 0.15  # how much of the ink lies behind the data


class Series(NamedTuple):
    """How one line among several is told from the others: by its colour, and without colours by dash and mark."""

    color: str
    linestyle: Any
    marker: str


SERIES = (
    Series(BLUE, "-", "o"),
    Series(VERMILION, "--", "s"),
    Series(GREEN, "-.", "^"),
    Series(PURPLE, ":", "D"),
    Series(ORANGE, (0, (5, 1, 1, 1, 1, 1)), "v"),
    Series(BLACK, (0, (1, 1)), "x"),
)

RC: dict[str, Any] = {
    "font.family": "sans-serif",
    "font.size": FONT,
    "axes.labelsize": FONT,
    "axes.titlesize": FONT,
    "xtick.labelsize": FONT - 0.5,
    "ytick.labelsize": FONT - 0.5,
    "legend.fontsize": FONT - 0.5,
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "axes.facecolor": PAPER,
    "figure.facecolor": PAPER,
    "axes.linewidth": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.labelpad": 2.5,
    "axes.xmargin": 0.03,
    "lines.linewidth": 1.1,
    "lines.markersize": 3.5,
    "legend.frameon": False,
    "legend.handlelength": 2.2,
    "legend.handletextpad": 0.5,
    "legend.columnspacing": 1.4,
    "legend.borderaxespad": 0.3,
    "hatch.linewidth": 0.4,
    "text.usetex": False,
}
# ticks are made when a figure is drawn, under the settings of that moment: they are told one by one
TICKS: dict[str, Any] = {"width": 0.6, "labelsize": FONT - 0.5, "color": INK, "labelcolor": INK, "pad": 2}

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
