"""Tables 2 and 3 of the paper on adapted BCubed as plots: what is printed beside what we get."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from clusterscore.plot.style import BLUE, FONT, GREEN, ORANGE
from reproduce.elm_figures import WIDE, panels
from reproduce.result import Floats

COLOURS, MARKERS = (BLUE, ORANGE), ("o", "s")


def random_algorithms(
    figure: Any,
    clusters: Sequence[int],
    printed: Mapping[tuple[str, str, str], Floats],
    runs: Mapping[tuple[str, str, str], Floats],
) -> None:
    """Table 2, a panel for each measure and data set: printed cells, and the mean of our runs with two deviations."""
    names, measures, places = (list(dict.fromkeys(column)) for column in zip(*printed, strict=True))
    made = panels(figure, len(measures), len(places), height=3.6, width=WIDE, sharex=True)
    for (name, measure, place), cells in printed.items():
        axes = made[measures.index(measure), places.index(place)]
        colour, marker = COLOURS[names.index(name)], MARKERS[names.index(name)]
        axes.plot(clusters, cells, marker, color=colour, fillstyle="none", markersize=3.5, label=f"{name}, printed")
        if (own := runs.get((name, measure, place))) is not None:
            mean, reach = own.mean(axis=1), 2 * own.std(axis=1, ddof=1)
            axes.plot(clusters, mean, color=colour, linewidth=0.9, label=f"{name}, ours, two deviations")
            axes.fill_between(clusters, mean - reach, mean + reach, color=colour, alpha=0.25, linewidth=0)
    for axes in made.flat:
        axes.set(ylim=(0, 1.05 * axes.dataLim.y1), xticks=clusters)
    for axes, place in zip(made[0], places, strict=True):
        axes.set_title(place, fontsize=FONT)
    for axes in made[-1]:
        axes.set_xlabel("k", fontsize=FONT)
    for line, measure in zip(made, measures, strict=True):
        line[0].set_ylabel(measure, fontsize=FONT)
    every = {name: line for axes in made.flat for line, name in zip(*axes.get_legend_handles_labels(), strict=True)}
    figure.legend([*every.values()], [*every], frameon=False, fontsize=FONT, ncols=4, loc="outside upper center")


def real_algorithms(
    figure: Any,
    systems: Mapping[str, Mapping[tuple[str, str], Mapping[str, float]]],
    best: Mapping[str, Mapping[str, tuple[float, str]]],
    printed: Mapping[tuple[str, str, str], float],
) -> None:
    """Table 3, a panel for each data set: unclustered results alone and together, printed cells, the best at random."""
    made = panels(figure, 1, len(systems), height=2.8, width=WIDE, sharey=True)[0]
    for axes, (place, scores) in zip(made, systems.items(), strict=True):
        measures, names = [*best[place]], [*dict.fromkeys(who for who, _ in scores)]
        for (who, measure), readings in scores.items():
            alone, together = readings.values()
            colour, y = COLOURS[names.index(who)], measures.index(measure) + 0.36 * names.index(who) - 0.18
            axes.plot([alone, together], [y, y], color=colour, linewidth=0.9)
            axes.plot(alone, y, "o", color=colour, markersize=4, label=f"{who}, unclustered alone")
            axes.plot(together, y, "o", color=colour, markersize=4, markerfacecolor="white", label=f"{who}, together")
            if (cell := printed.get((place, who, measure))) is not None:
                axes.plot(cell, y, "x", color="black", markersize=5, zorder=3, label="printed")
        for y, (value, name) in enumerate(best[place].values()):
            axes.plot([value, value], [y - 0.34, y + 0.34], color=GREEN, linewidth=1.2, label="best random, ours")
            axes.text(value, y - 0.37, name, color=GREEN, fontsize=FONT - 2, ha="center", va="bottom")
        axes.set(yticks=np.arange(len(measures)), yticklabels=measures, xlim=(0.1, 0.7))
        axes.set_title(place, fontsize=FONT)
    made[0].invert_yaxis()
    every = {name: line for axes in made for line, name in zip(*axes.get_legend_handles_labels(), strict=True)}
    figure.legend([*every.values()], [*every], frameon=False, fontsize=FONT - 1, ncols=4, loc="outside lower center")
