"""The drawings of the ELM papers: an element and its two clusters, the formal constraints, size or quantity."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from clusterscore.plot.style import BLUE, COLOURS, FAINT, FONT, VERMILION, WIDTH
from reproduce.elm_figures import panels, plot
from reproduce.result import Figure

# a letter for the class of each node: a and b are drawn as black and white discs, the others in shapes of their own
Clusters = Mapping[str, str]
CONSTRAINTS: Mapping[str, Mapping[str, Clusters]] = {
    "homogeneity": {"D1": {"C1": "aab", "C2": "aaa", "C3": "bbb"}, "D2": {"C1": "aab", "C2 ∪ C3": "aaabbb"}},
    "completeness": {"D1": {"C1": "aaa", "C2 ∪ C3": "aaaaa"}, "D2": {"C1": "aaa", "C2": "aaa", "C3": "aa"}},
    "rag bag": {"D1": {"C1": "aaaa", "C2 ∪ C3": "cdefg"}, "D2": {"C1 ∪ C3": "aaaag", "C2": "cdef"}},
}
SHAPES = {"c": "s", "d": "^", "e": "v", "f": "p", "g": "X"}


def two_sets(figure: Any) -> None:
    """What the clusters of an element have in common, and what not."""
    from matplotlib.patches import Ellipse

    axes = _empty(figure, 2.1, (-3, 3), (-2.2, 1.75))
    for x, color, name in ((-0.8, BLUE, "true cluster of $e$"), (0.8, VERMILION, "predicted cluster of $e$")):
        axes.add_patch(Ellipse((x, 0.2), 3.2, 2.1, facecolor=(color, FAINT), edgecolor=color))
        axes.text(1.9 * x, 1.45, name, color=color, fontsize=FONT, ha="center")
    for x, name in ((-1.55, "FN"), (0, "TP"), (1.55, "FP")):
        axes.text(x, 0.15, f"${name}_e$", fontsize=FONT + 3, ha="center", va="center")
    for x, name, wrong in ((-1.5, "P", "FP"), (1.5, "R", "FN")):
        formula = rf"${name}(e) = \frac{{|TP_e|}}{{|TP_e| + |{wrong}_e|}}$"
        axes.text(x, -1.7, formula, fontsize=FONT + 3, ha="center", va="center")


def constraints(name: str, paper: str, numbers: Mapping[str, int]) -> list[Figure]:
    """The drawings of the formal constraints, under the numbers they have in a paper."""
    return [
        plot(f"{name}-fig{number}", f"{paper} Fig. {number}: {which}", two_systems, shown=CONSTRAINTS[which])
        for which, number in numbers.items()
    ]


def two_systems(figure: Any, shown: Mapping[str, Clusters]) -> None:
    """Two predictions, one over the other: nodes of one kind are of one class, those of a frame in one cluster."""
    from matplotlib.patches import FancyBboxPatch

    axes = _empty(figure, 1.35, (-1.3, 11.5), (-2.2, 0.9))
    for row, (system, clusters) in enumerate(shown.items()):
        x, y = 0.0, -1.5 * row
        axes.text(-1.2, y, f"${system[0]}_{system[1]}$", fontsize=FONT + 2, va="center")
        for name, nodes in clusters.items():
            width = len(nodes) - 0.6
            frame = FancyBboxPatch((x - 0.2, y - 0.2), width, 0.4, boxstyle="round,pad=0.2", linewidth=0.8)
            frame.set(facecolor="none", edgecolor="black")
            axes.add_patch(frame)
            label = "".join(f"C_{letter}" if letter.isdigit() else letter for letter in name if letter != "C")
            axes.text(
                x + width / 2 - 0.2, y + 0.5, f"${label.replace('∪', chr(92) + 'cup')}$", fontsize=FONT, ha="center"
            )
            for k, kind in enumerate(nodes):
                style = {"markerfacecolor": "black" if kind == "a" else "white", "markeredgecolor": "black"}
                axes.plot(x + k, y, SHAPES.get(kind, "o"), markersize=6, markeredgewidth=0.8, **style)
            x += len(nodes) + 0.45


def cells(figure: Any, shown: Mapping[str, Sequence[int]], numbers: Mapping[str, Sequence[Fraction]]) -> None:
    """A cell for each element, in the colour of its cluster; below a row of numbers for each prediction."""
    size, names = len(next(iter(shown.values()))), [*shown, *(f"R of {name}" for name in numbers)]
    axes = _empty(figure, 1.45, (-2.4, size + 1.4), (-len(names) - 0.1, 0.8))
    for y, name in enumerate(names):
        axes.text(-0.3, -y - 0.5, name, fontsize=FONT, ha="right", va="center")
    every = dict.fromkeys(label for labels in shown.values() for label in labels)
    colour = dict(zip(every, COLOURS, strict=True))
    for y, labels in enumerate(shown.values()):
        for x, label in enumerate(labels):
            axes.fill([x, x + 1, x + 1, x], [-y, -y, -y - 0.9, -y - 0.9], color=colour[label], edgecolor="white")
    for x in range(size):
        axes.text(x + 0.5, 0.15, str(x + 1), fontsize=FONT, ha="center")
    for y, values in enumerate(numbers.values(), len(shown)):
        for x, value in enumerate([*map(str, values), f"{sum(values)}/{size}"]):
            axes.text(x + 0.5 + 0.3 * (x == size), -y - 0.5, value, fontsize=FONT, ha="center", va="center")
    axes.text(size + 0.8, 0.15, "mean", fontsize=FONT, ha="center")


def _empty(figure: Any, height: float, x: tuple[float, float], y: tuple[float, float]) -> Any:
    axes = panels(figure, 1, 1, height=height, width=WIDTH)[0][0]
    axes.set(xlim=x, ylim=y)
    axes.axis("off")
    return axes
