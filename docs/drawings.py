"""Clusterings drawn as boxes around their elements, which have the colours of gold: one style on every page.

On a page, each line is a clustering, and the first one is gold. A line that is indented goes on with the one above.
What weighs less than 1 is drawn smaller::

    ```{drawing}
    gold: a b | c d
    predicted: a | b c/0.8 d
    ```
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from itertools import accumulate
from typing import ClassVar

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

COLOURS = 8  # in static/docs.css, where they begin again

Cluster = Mapping[str, float]  # how much of each element belongs to it


def written(clusterings: Mapping[str, Iterable[Iterable[object]]]) -> str:
    """The directive that draws these clusterings."""
    lines = [
        f"{name}: {' | '.join(' '.join(map(str, cluster)) for cluster in clusters)}"
        for name, clusters in clusterings.items()
    ]
    return "\n".join(["```{drawing}", *lines, "```"])


def drawn(text: str) -> str:
    """The content of the directive as HTML; who sees no picture hears the text."""
    lines = re.sub(r"\n +", " ", text).split("\n")
    sides = {name: _clusters(clusters) for name, _, clusters in (line.partition(": ") for line in lines)}
    fill = _colours(next(iter(sides.values())))
    rows = [
        f"<b>{escape(name)}</b><div>{''.join(_box(cluster, fill) for cluster in clusters)}</div>"
        for name, clusters in sides.items()
    ]
    return f'<div class="drawing" role="img" aria-label="{escape("; ".join(lines))}">{"".join(rows)}</div>'


def _clusters(text: str) -> list[Cluster]:
    pieces = [[piece.partition("/") for piece in re.findall("[^ ]+", cluster)] for cluster in text.split("|")]
    return [{name: float(weight or 1) for name, _, weight in cluster} for cluster in pieces]


def _colours(gold: Sequence[Cluster]) -> dict[str, str]:
    """What each element is filled with: the colours of its gold clusters, as wide as their shares."""
    shares: dict[str, dict[int, float]] = {}
    for number, cluster in enumerate(gold):
        for name, weight in cluster.items():
            shares.setdefault(name, {})[number] = weight
    fills = {}
    for name, weights in shares.items():
        ends = [f"{100 * end / sum(weights.values()):.0f}%" for end in accumulate(weights.values(), initial=0)]
        bands = [f"var(--gold-{k % COLOURS}) {a} {b}" for k, a, b in zip(weights, ends, ends[1:], strict=False)]
        fills[name] = f"linear-gradient(to right, {', '.join(bands)})"
    return fills


def _box(cluster: Cluster, fill: Mapping[str, str]) -> str:
    elements = [
        f'<i style="background: {fill.get(name, "var(--gold-none)")}; scale: {(1 + weight) / 2:.2f}">{escape(name)}</i>'
        for name, weight in cluster.items()
    ]
    return f"<span>{''.join(elements)}</span>"


class Drawing(SphinxDirective):
    """Draws the clusterings of its lines."""

    has_content: ClassVar = True

    def run(self) -> list[nodes.Node]:
        """One picture."""
        return [nodes.raw("", drawn("\n".join(self.content)), format="html")]
