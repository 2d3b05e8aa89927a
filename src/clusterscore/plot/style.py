"""How plots look: the palette, the width of a column, dashes and marks; for the figures of the papers as well."""

from __future__ import annotations

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
