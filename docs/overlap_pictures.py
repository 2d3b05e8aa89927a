"""The pictures of the page on overlapping clusterings, drawn when the documentation is built."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from itertools import combinations
from pathlib import Path

COLOURS = "#0072b2", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#56b4e9"
FONT = 'font-family="sans-serif" font-size="14"'

Points = dict[str, tuple[float, float]]
Clusters = Sequence[tuple[str, float]]  # the elements of each, separated by blanks, and how far it reaches around them

ROW: Points = {
    name: (70 + 95 * k, 60) for k, name in enumerate(("Psycho", "Alien", "Solaris", "Gravity", "Ran", "Ikiru"))
}
SQUARE: Points = {"a": (75, 75), "b": (165, 75), "c": (75, 150), "d": (165, 150)}
TRIANGLE: Points = {"1": (120, 70), "2": (70, 150), "3": (170, 150)}


def cluster(points: Points, members: str, reach: float, colour: str) -> str:
    """A translucent outline around some elements."""
    places = [points[name] for name in members.split()]
    path = " L ".join(f"{x:g} {y:g}" for x, y in places)
    line = f'<path d="M {path} {"Z" if len(places) > 2 else "l 0.01 0"}" stroke-width="{2 * reach:g}" '
    return line + f'stroke="{colour}" fill="{colour}" stroke-linejoin="round" stroke-linecap="round" opacity="0.35"/>'


def panel(title: str, points: Points, clusters: Clusters, at: tuple[float, float]) -> list[str]:
    """One clustering: its clusters, the elements in them, and a title."""
    return [
        f'<g transform="translate({at[0]:g} {at[1]:g})">',
        f'<text x="12" y="20" font-weight="bold">{escape(title)}</text>',
        *(cluster(points, names, reach, COLOURS[k]) for k, (names, reach) in enumerate(clusters)),
        *(
            f'<text x="{x:g}" y="{y + 5:g}" text-anchor="middle">{escape(name)}</text>'
            for name, (x, y) in points.items()
        ),
        "</g>",
    ]


def picture(width: float, height: float, inside: Iterable[str]) -> str:
    """An image of its own, on white ground: the page may be dark."""
    size = f'width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}"'
    ground = f'<rect width="{width:g}" height="{height:g}" fill="#ffffff"/>'
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" {size} {FONT} fill="#222222">', ground, *inside, "</svg>"]
    return "\n".join(lines) + "\n"


def side_by_side(points: Points, gold: Clusters, pred: Clusters) -> str:
    """Gold on the left, the prediction on the right."""
    both = [*panel("gold", points, gold, (0, 0)), *panel("predicted", points, pred, (240, 0))]
    return picture(480, 205, both)


def one_above_the_other(points: Points, gold: Clusters, pred: Clusters) -> str:
    """Gold above, the prediction below."""
    return picture(620, 230, [*panel("gold", points, gold, (0, 0)), *panel("predicted", points, pred, (0, 115))])


def shared(clusters: Sequence[range], elements: int, title: str, left: float) -> list[str]:
    """A square for every pair of elements: the darker, the more clusters both are in."""
    shades = "#eeeeee", "#56b4e9", "#0072b2"
    lines = [f'<text x="{left:g}" y="20" font-weight="bold">{title}</text>']
    for first, second in combinations(range(elements), 2):
        number = sum(first in members and second in members for members in clusters)
        place = f'x="{left + 9 * first:g}" y="{21 + 9 * second:g}"'
        lines.append(f'<rect {place} width="8" height="8" fill="{shades[number]}"/>')
    return lines


def pictures() -> dict[str, str]:
    """Every picture by its name."""
    communities = [range(k, k + 4) for k in range(0, 21, 3)]
    return {
        "overlap_films": one_above_the_other(
            ROW,
            [("Psycho Alien", 34), ("Alien Solaris Gravity", 30), ("Gravity Ran Ikiru", 34)],
            [("Psycho", 34), ("Alien Solaris Gravity", 30), ("Gravity Ran Ikiru", 34)],
        ),
        "overlap_added": side_by_side(SQUARE, [("a b", 32), ("c d", 32)], [("a b", 32), ("c d", 32), ("a", 22)]),
        "overlap_triangle": side_by_side(
            TRIANGLE, [("1 2", 24), ("1 3", 24), ("2 3", 24)], [("1 2 3", 32), ("1", 20), ("2", 20), ("3", 20)]
        ),
        "overlap_repeated": side_by_side(SQUARE, [("a b", 32), ("c d", 32)], [("a b", 32), ("c d", 32), ("a b", 24)]),
        "overlap_pairs": picture(
            480, 235, [*shared(communities, 22, "gold", 20), *shared([range(0)], 22, "predicted: all alone", 255)]
        ),
    }


def draw(folder: Path) -> None:
    """Draw them all."""
    for name, text in pictures().items():
        (folder / f"{name}.svg").write_text(text, encoding="utf-8")
