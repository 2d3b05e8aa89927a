"""The plots of the ELM papers: each takes an empty figure of matplotlib, and draws what its paper shows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from clusterscore.plot.style import BLUE, FONT, GREEN, ORANGE, WIDTH
from reproduce.elm_rows import PARTS
from reproduce.result import Figure, Floats, Ints

RED = "#C8102E"  # as in the papers
WIDE = 2.1 * WIDTH  # both columns of a page
HISTOGRAMS = {"BCubed": BLUE, "ELM": ORANGE, "swapped": BLUE}
METRICS = {"BCubed": {"color": RED, "linestyle": "-"}, "ELM": {"color": BLUE, "linestyle": "-."}}
STYLES = ((BLUE, "-"), (RED, ":"), (GREEN, "-."))
THREE = {part: {"color": color, "linestyle": line} for part, (color, line) in zip(PARTS, STYLES, strict=True)}


def plot(name: str, title: str, draw: Callable[..., None], above: str = "", **data: Any) -> Figure:
    """A figure of a paper, with its data; ``above`` it stands what else should be known of them."""

    def drawn(figure: Any) -> None:
        draw(figure, **data)
        figure.suptitle(above, x=0.01, ha="left", fontsize=FONT)

    return Figure(name, title, drawn)


def panels(figure: Any, rows: int, columns: int, *, height: float, width: float = WIDTH, **options: Any) -> Any:
    """Empty panels in the style of a paper."""
    figure.set_size_inches(width, height)
    figure.set_layout_engine("constrained")
    made = figure.subplots(rows, columns, squeeze=False, **options)
    for axes in made.ravel():
        axes.tick_params(labelsize=FONT - 1, length=2, width=0.5)
        axes.xaxis.label.set_size(FONT)
        axes.yaxis.label.set_size(FONT)
        axes.spines[["top", "right"]].set_visible(False)
    return made


def distributions(figure: Any, shown: Mapping[str, Ints], width: float = 0.02, end: float = 1, **labels: str) -> None:
    """Histograms from many fine bins, in percent of all that is shown, smoothed as well; and their main statistics."""
    from scipy.stats import gaussian_kde

    axes, statistics = panels(figure, 1, 2, height=2.2, width=WIDE, width_ratios=(3, 1))[0]
    total = sum(counts.sum() for counts in shown.values())
    described = {}
    for name, counts in shown.items():
        fine = (np.arange(len(counts)) + 0.5) / len(counts)
        edges = np.linspace(0, 1, round(1 / width) + 1)
        share = 100 * counts.reshape(len(edges) - 1, -1).sum(axis=1) / total
        axes.bar(edges[:-1], share, width, align="edge", color=HISTOGRAMS[name], alpha=0.35, edgecolor="white")
        described[name] = _described(fine, counts)
        # Scott's rule with the number of scores, but nothing finer than the bars
        smooth = gaussian_kde(fine, max(counts.sum() ** -0.2, width / 2 / float(described[name]["std"])), counts)
        at = np.linspace(fine[counts > 0][0], fine[counts > 0][-1], 401)
        line = 100 * width * counts.sum() / total * smooth(at)
        axes.plot(at, line, color=HISTOGRAMS[name], linewidth=1.1, label=name)
    axes.set(**{"xlim": (0, end), "ylim": (0, None), "xlabel": "Score", "ylabel": "Percent", **labels})
    if len(shown) > 1:
        axes.legend(frameon=False, fontsize=FONT)
    statistics.axis("off")
    names = list(next(iter(described.values())))
    text = [[values[name] for values in described.values()] for name in names]
    columns = list(described) if len(shown) > 1 else None
    table = statistics.table(text, rowLabels=names, colLabels=columns, loc="center", edges="horizontal")
    table.auto_set_font_size(False)
    table.set_fontsize(FONT)


def _described(at: Floats, counts: Ints) -> dict[str, str]:
    """As pandas describes a column; to two digits a fine bin is one value."""
    count = counts.sum()
    mean = float(at @ counts) / count
    sums = np.cumsum(counts)
    quartiles = [at[np.searchsorted(sums, share * count)] for share in (0, 0.25, 0.5, 0.75, 1)]
    quartiles[0] = at[counts > 0][0]
    std = (float((at - mean) ** 2 @ counts) / (count - 1)) ** 0.5
    values = zip(("mean", "std", "min", "25%", "50%", "75%", "max"), (mean, std, *quartiles), strict=True)
    return {"count": f"{count:,}", **{name: f"{value:.2f}" for name, value in values}}


def baselines(figure: Any, shown: Mapping[str, Mapping[str, Sequence[Floats]]]) -> None:
    """A row for each prediction, a panel for P, R and F1: the streams' scores, smoothed, with mean and deviation."""
    made = panels(figure, len(shown), 3, height=1.65 * len(shown), width=WIDE)
    for row, (name, scores) in zip(made, shown.items(), strict=True):
        for column, (axes, part) in enumerate(zip(row, PARTS, strict=True)):
            for k, (metric, values) in enumerate(scores.items()):
                _smooth(axes, metric, values[column], k)
            axes.set(xlim=(0, 1), yticks=[], xticks=(0, 0.25, 0.5, 0.75, 1))
            axes.set_ylim(0, 1.9 * axes.dataLim.y1)
            if axes in made[0]:
                axes.set_title(part, fontsize=FONT)
        row[0].set_ylabel(name, fontsize=FONT)
    lines, labels = made[0][2].get_legend_handles_labels()
    figure.legend(lines, labels, frameon=False, fontsize=FONT, ncols=2, loc="outside upper right")


def _smooth(axes: Any, metric: str, values: Floats, k: int) -> None:
    from scipy.stats import gaussian_kde

    style, mean, std = METRICS[metric], float(values.mean()), float(values.std(ddof=1))
    color, line = style["color"], axes.get_xaxis_transform()  # heights in parts of the panel
    high = 0.94 - 0.21 * k
    if std < 1e-9:  # all streams alike: nothing to smooth
        axes.bar(0.92 + 0.05 * k, 1, width=0.05, color=color, label=metric)
        side, at = "right", 0.85
    else:
        grid = np.linspace(0, 1, 301)
        density = gaussian_kde(values)(grid)
        axes.plot(grid, density, linewidth=1, label=metric, **style)
        axes.fill_between(grid, density, where=abs(grid - mean) <= std, color=color, alpha=0.15, linewidth=0)
        axes.axvline(mean, color=color, linewidth=0.8, linestyle=":")
        arrow = {"arrowstyle": "<->", "color": color, "linewidth": 0.7, "shrinkA": 0, "shrinkB": 0}
        ends = [(max(mean - std, 0), high - 0.09), (min(mean + std, 1), high - 0.09)]
        axes.annotate("", *ends, xycoords=line, textcoords=line, arrowprops=arrow)
        side, at = ("left", mean + 0.02) if mean < 0.6 else ("right", mean - 0.02)
    text, box = f"μ={mean:.2f}, σ={std:.2f}", {"facecolor": "white", "edgecolor": "none", "pad": 0.5}
    axes.text(at, high, text, color=color, fontsize=FONT - 1, ha=side, va="center", transform=line, bbox=box)


def differences(figure: Any, shown: Mapping[str, Floats]) -> None:
    """BCubed - ELM of P, R and F1 over the streams: three densities, cut at the data."""
    from scipy.stats import gaussian_kde

    axes = panels(figure, 1, 1, height=2.1)[0][0]
    for name, values in shown.items():
        mean, std, style = float(values.mean()), float(values.std(ddof=1)), THREE[name]
        grid = np.linspace(values.min(), values.max(), 301)
        density = gaussian_kde(values)(grid)
        axes.plot(grid, density, linewidth=1.1, label=f"{name}: μ={mean:.2f}, σ={std:.2f}", **style)
        axes.fill_between(grid, density, where=abs(grid - mean) <= std, color=style["color"], alpha=0.12, linewidth=0)
        axes.axvline(mean, color=style["color"], linewidth=0.8, linestyle=":")
    axes.set(ylim=(0, None), xlabel="Difference", ylabel="Density")
    axes.legend(frameon=False, fontsize=FONT)


def sizes(figure: Any, shown: Mapping[str, Sequence[Floats]]) -> None:
    """Documents of a fixed number of pages: BCubed - ELM of P, R and F1, and the means of both."""
    left, right = panels(figure, 1, 2, height=2.2, width=WIDE)[0]
    for part, b, e in zip(PARTS, shown["BCubed"], shown["ELM"], strict=True):
        pages, color = 1 + np.arange(len(b)), THREE[part]["color"]
        left.plot(pages, b - e, marker="o", markersize=2.5, linewidth=0.9, label=part, **THREE[part])
        right.plot(pages, b, color=color, marker="o", markersize=2.5, linewidth=0.9, label=f"BCubed {part}")
        right.plot(
            pages, e, color=color, marker="s", markersize=2.5, linewidth=0.9, linestyle="--", label=f"ELM {part}"
        )
    left.set_ylabel("BCubed - ELM")
    right.set_ylabel("Mean score")
    right.set_ylim(0, 1.02)
    for axes, columns in ((left, 1), (right, 2)):
        axes.set(xlabel="Pages in a cluster", xticks=range(1, len(shown["ELM"][0]) + 1, 2))
        axes.legend(frameon=False, fontsize=FONT - 1, ncols=columns)


def by_length(figure: Any, pages: Floats, difference: Floats) -> None:
    """By how much F1 differs on a stream, against the mean length of its documents."""
    axes = panels(figure, 1, 1, height=2.1)[0][0]
    axes.scatter(pages, difference, s=9, color=BLUE, alpha=0.8, linewidths=0)
    axes.set(xlabel="Mean number of pages of a document", ylabel="BCubed F1 - ELM F1")
