"""Two systems: what each document scores under one and under the other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from clusterscore.analyses.score.scorecard import Scorecard
from clusterscore.count.table import Table
from clusterscore.exceptions import InputError, InputTypeError
from clusterscore.metrics import Metric
from clusterscore.nouns import noun, plural
from clusterscore.plot.canvas import counted, in_words_of_results, panel
from clusterscore.plot.scores import MANY, by_document, cells, document_mark
from clusterscore.plot.style import GREY, SERIES, isolated, named
from clusterscore.show.result import heading

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_LINE = 50  # letters of a legend in one line
_ROOM = 0.04  # of the scores' range, on either side


@in_words_of_results
def scatter(
    systems: Mapping[str, Scorecard | Table],
    *,
    metric: str | Metric | None = None,
    part: str = "value",
    ax: Axes | None = None,
    **policies: Any,
) -> Axes:
    """Two systems on the same documents: a mark for each document, at what the first and the second score there.

    ``scatter({"A": card_a, "B": card_b})``: where a mark lies above the diagonal, B is better in that document (for a
    distance, A). The legend says in how many documents each is better, and in how many they are equal. Thousands of
    documents are drawn as cells, darker where there are more.

    Options:
        systems: two, by name, as Scorecards or Tables of the same documents.
        metric: elm, if none is named, or where clusters overlap matched_elm.
        part: ``"value"``, ``"precision"`` or ``"recall"``.

    >>> import clusterscore as cs
    >>> gold, documents = [0, 0, 1, 1] * 3, [k // 4 for k in range(12)]
    >>> a = cs.score(gold, [0, 0, 1, 1] + [0, 1, 1, 1] * 2, documents=documents)
    >>> b = cs.score(gold, [0, 0, 1, 1] * 2 + [0, 0, 0, 1], documents=documents)
    >>> [text.get_text() for text in cs.plot.scatter({"A": a, "B": b}).get_legend().get_texts()]
    ['better in 0: A', 'better in 1: B', 'equal in 2']
    """
    if not isinstance(systems, Mapping) or not all(
        isinstance(system, Scorecard | Table) for system in systems.values()
    ):
        raise InputTypeError('pass two systems by name, as in scatter({"A": card_a, "B": card_b})')
    if len(systems) != 2:
        raise InputError(f"{plural(len(systems), 'system')}; a scatter has two, one for each axis: name two of them")
    given = [counted(system, None, policies, None if metric is None else [metric]) for system in systems.values()]
    (other, _), (table, (chosen,)) = given
    numbers = {document: k for k, document in enumerate(other.documents)}
    if len(other.documents) != len(table.documents) or not all(document in numbers for document in table.documents):
        raise InputError(noun("the two systems have different documents; score both on the same ones"))
    x, y = (by_document(system_table, system_metrics, part)[0] for system_table, system_metrics in given)
    x = x[[numbers[document] for document in table.documents]]
    better = (x - y if chosen.smaller_is_better else y - x).round(9)
    sides = {
        f"better in {{:,}}: {named(name)}": which for name, which in zip(systems, (better < 0, better > 0), strict=True)
    }
    sides["equal in {:,}"] = better == 0
    columns = 3 if sum(map(len, sides)) < _LINE and len(x) <= MANY else 1
    with panel(ax, 2.8 if columns > 1 else 3.0) as on:
        low, high = min(x.min(), y.min()), max(x.max(), y.max())
        room = _ROOM * (high - low or 1.0)
        on.ax.plot([low - room, high + room], [low - room, high + room], color=on.ink, linewidth=0.6, linestyle=":")
        if len(x) > MANY:
            cells(on, x, y, (30, 17))
        both = list(zip(map(isolated, systems), (x, y), strict=True))
        looks = [*SERIES[:2], SERIES[0]._replace(color=GREY)]
        for (words, which), (color, _, marker) in zip(sides.items(), looks, strict=True):
            label, places = words.format(np.count_nonzero(which)), np.flatnonzero(which)
            if len(x) > MANY:
                on.ax.plot([], [], linestyle="none", label=label)
                continue
            look: dict[str, Any] = {"s": 9, "color": color, "marker": marker, "alpha": 0.6, "linewidths": 0}
            dots = on.ax.scatter(x[places], y[places], label=label, **look)
            on.explain(dots, [document_mark(table, place, both) for place in places.tolist()])
        on.ax.set(xlim=(low - room, high + room), ylim=(low - room, high + room), box_aspect=1)
        on.legend(columns)
        what = heading(chosen) if part == "value" else f"{heading(chosen)} {part}"
        x_label, y_label = (f"{what} of {named(name, 24)}" for name in systems)
        on.label(x_label, y_label)
        return on.ax
