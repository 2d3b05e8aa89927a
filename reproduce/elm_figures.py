"""The figures of the ELM paper: each takes an empty figure of matplotlib, and draws on it at the width of a column."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from clusterscore.plot.style import BLACK, BLUE, FONT, GREEN, GREY, ORANGE, SKY, VERMILION, WIDTH
from reproduce.result import Floats, Ints

BARS = (BLUE, SKY, ORANGE, VERMILION, BLACK)
STYLES = {"BCubed": {"color": BLUE, "linestyle": "-"}, "ELM": {"color": VERMILION, "linestyle": "--"},
          "BCubed - ELM": {"color": GREEN, "linestyle": "-."}}  # fmt: skip


class Distribution(NamedTuple):
    """Scores from 0 to 1: how many are in each of equal bins, their mean and standard deviation."""

    name: str
    counts: Ints
    mean: float
    std: float


def distribution(name: str, scores: Floats, bins: int) -> Distribution:
    """The distribution of scores that are at hand, with the standard deviation of a sample."""
    counts, _ = np.histogram(scores, bins=bins, range=(0, 1))
    return Distribution(name, counts.astype(np.int64), float(scores.mean()), float(scores.std(ddof=1)))


def distributions(figure: Any, shown: Sequence[Distribution]) -> None:
    """Both scores in one panel, what they differ by in another."""
    *both, difference = shown
    left, right = _panels(figure, 1, 2, height=1.8)[0]
    for axes, group in ((left, both), (right, [difference])):
        for one in group:
            _outline(axes, one)
        axes.set(xlim=(0, 1), ylim=(0, None), xlabel="score" if group is both else "difference of the scores")
        axes.legend(frameon=False, fontsize=FONT - 1.5, handlelength=1.6, loc="upper center", bbox_to_anchor=(0.5, 1.3))
    left.set_ylabel("% of predictions")


def entropy_and_swaps(figure: Any, entropy: Floats, swapped: Floats, tau_b: Floats) -> None:
    """For every gold clustering: its entropy against the share of swapped pairs; and the distribution of tau-b."""
    left, right = _panels(figure, 1, 2, height=1.8)[0]
    left.scatter(entropy, 100 * swapped, s=0.6, color=BLUE, alpha=0.35, linewidths=0, rasterized=True)
    slope, start = np.polyfit(entropy, 100 * swapped, 1)
    ends = np.array([entropy.min(), entropy.max()])
    left.plot(ends, start + slope * ends, color="black", linewidth=0.8, linestyle="--")
    left.set(xlabel="entropy of the gold clusters (nats)", ylabel="% of pairs swapped", ylim=(0, None))
    right.hist(tau_b, bins=40, color=GREEN, weights=np.full(len(tau_b), 100 / len(tau_b)))
    right.axvline(tau_b.mean(), color="black", linewidth=0.8, linestyle=":")
    right.set(xlabel="Kendall's tau-b", ylabel="% of gold clusterings", xlim=(0.5, 1))


def baselines(figure: Any, shown: Mapping[str, Mapping[str, Sequence[Floats]]]) -> None:
    """A row for each prediction, a panel for P, R and F1: the streams' scores, smoothed."""
    panels = _panels(figure, len(shown), 3, height=1.15 * len(shown), sharex=True)
    for k, (name, scores) in enumerate(shown.items()):
        for column, part in enumerate(("P", "R", "F1")):
            axes = panels[k][column]
            for metric, values in scores.items():
                _smooth(axes, metric, values[column])
            axes.set(xlim=(0, 1), ylim=(0, None), yticks=[])
            if k == 0:
                axes.set_title(part, fontsize=FONT)
        panels[k][0].set_ylabel(name, fontsize=FONT)
    panels[0][2].legend(frameon=False, fontsize=FONT - 1.5, handlelength=1.6)


def differences(figure: Any, shown: Mapping[str, Floats]) -> None:
    """BCubed - ELM of P, R and F1, over the streams."""
    most = max(float(values.max()) for values in shown.values())
    for axes, (name, values) in zip(
        _panels(figure, 1, len(shown), height=1.4, sharey=True)[0], shown.items(), strict=True
    ):
        axes.hist(values, bins=12, range=(0, most), color=GREEN)
        axes.axvline(values.mean(), color="black", linewidth=0.8, linestyle=":")
        axes.set_title(f"{name}: {values.mean():.3f} ± {values.std(ddof=1):.3f}", fontsize=FONT)
        axes.set(xlabel="BCubed - ELM")
        if name == "P":
            axes.set_ylabel("streams")


def binned(figure: Any, edges: Sequence[float], shown: Mapping[str, Floats]) -> None:
    """How large the difference is for single elements: the shares of bins, side by side in one bar."""
    axes = _panels(figure, 1, 1, height=1.7)[0][0]
    left = np.zeros(len(shown))
    for k in range(len(edges) - 1):
        share = np.array([100 * shares[k] for shares in shown.values()])
        axes.barh(list(shown), share, left=left, color=BARS[k], label=f"[{edges[k]:g}, {edges[k + 1]:g})", height=0.6)
        left += share
    axes.invert_yaxis()
    axes.set(xlim=(0, 100), xlabel="% of the elements, by BCubed F1 - ELM F1")
    axes.legend(frameon=False, fontsize=FONT - 1.5, ncols=5, loc="lower center", bbox_to_anchor=(0.4, 1.0),
                handlelength=0.8, columnspacing=0.8, handletextpad=0.4)  # fmt: skip


def two_predictions(figure: Any, gold: str, shown: Mapping[str, Sequence[Floats]]) -> None:
    """F1 of every element under BCubed and ELM, a panel for each prediction; lines part the gold clusters."""
    panels = _panels(figure, 1, len(shown), height=1.6, sharey=True)[0]
    at = np.arange(len(gold))
    for axes, (name, scores) in zip(panels, shown.items(), strict=True):
        for metric, values, shift in zip(("BCubed", "ELM"), scores, (-0.2, 0.2), strict=True):
            label = f"{metric}: {values.mean():.2f}"
            axes.bar(at + shift, values, width=0.4, color=STYLES[metric]["color"], label=label)
        for place in range(1, len(gold)):
            if gold[place] != gold[place - 1]:
                axes.axvline(place - 0.5, color=GREY, linewidth=0.6, linestyle=":")
        axes.set(xlabel="element", xticks=at, xticklabels=at + 1, ylim=(0, 1.02))
        axes.set_title(name, fontsize=FONT)
        axes.legend(frameon=False, fontsize=FONT - 1.5, ncols=2, loc="lower center", bbox_to_anchor=(0.5, 1.08))
    panels[0].set_ylabel("F1")


def sizes(figure: Any, shown: Mapping[str, Sequence[Floats]]) -> None:
    """P, R and F1 of documents of a fixed size, for every size."""
    for axes, (name, columns) in zip(_panels(figure, 1, 2, height=1.8, sharey=True)[0], shown.items(), strict=True):
        for part, values, dash, mark in zip(("P", "R", "F1"), columns, ("--", ":", "-"), ("s", "^", "o"), strict=True):
            axes.plot(1 + np.arange(len(values)), values, color=STYLES[name]["color"], linestyle=dash, marker=mark,
                      markersize=2.5, linewidth=0.9, label=part)  # fmt: skip
        axes.set(xlabel="pages in a document", ylim=(0, 1.02), xticks=range(1, 1 + len(columns[0]), 2))
        axes.set_title(name, fontsize=FONT)
        axes.legend(frameon=False, fontsize=FONT - 1.5)


def _panels(figure: Any, rows: int, columns: int, *, height: float, **shared: bool) -> Any:
    figure.set_size_inches(WIDTH, height)
    figure.set_layout_engine("constrained")
    panels = figure.subplots(rows, columns, squeeze=False, **shared)
    for axes in panels.ravel():
        axes.tick_params(labelsize=FONT - 1, length=2, width=0.5)
        axes.xaxis.label.set_size(FONT)
        axes.yaxis.label.set_size(FONT)
        axes.spines[["top", "right"]].set_visible(False)
    return panels


def _outline(axes: Any, one: Distribution) -> None:
    style = STYLES[one.name]
    share = 100 * one.counts / one.counts.sum()
    edges = np.linspace(0, 1, len(share) + 1)
    axes.stairs(share, edges, linewidth=0.9, label=f"{one.name}: {one.mean:.2f} ± {one.std:.2f}", **style)
    axes.axvline(one.mean, color=style["color"], linewidth=0.7, linestyle=":")
    inside = (edges[:-1] >= one.mean - one.std) & (edges[1:] <= one.mean + one.std)
    axes.bar(edges[:-1][inside], share[inside], width=edges[1], align="edge", color=style["color"], alpha=0.15)


def _smooth(axes: Any, metric: str, values: Floats) -> None:
    from scipy.stats import gaussian_kde

    style = STYLES[metric]
    if np.ptp(values) < 1e-9:  # all streams alike: nothing to smooth
        axes.axvline(float(values[0]), linewidth=1.4, label=metric, **style)
        return
    at = np.linspace(0, 1, 201)
    axes.plot(at, gaussian_kde(values)(at), linewidth=0.9, label=metric, **style)
    axes.axvline(values.mean(), color=style["color"], linewidth=0.6, linestyle=":")
