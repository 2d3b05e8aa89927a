"""Figures 1 to 3 of the alphaMax-BCubed paper: k-means on five separable blobs, scored for every number of clusters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np

import clusterscore as cs
from clusterscore.plot.style import COLOURS, FONT, WIDTH
from clusterscore.progress import step
from reproduce.result import Figure, Floats, Ints, Part, Row, row

BLOBS = 5
MOST = 15  # clusters that k-means is asked for
BALANCED = (200,) * BLOBS
IMBALANCED = tuple(32 * 2**k for k in range(BLOBS))  # 1:2:4:8:16
SHOWN = (3, BLOBS, 8)  # numbers of clusters in Figure 1

BCUBED, ALPHAMAX, WEIGHTED = "BCubed", "alphaMax", "alphaMax, delta auto"
SCORES = {BCUBED: "bcubed(f=of-means)", ALPHAMAX: "alphamax_bcubed", WEIGHTED: "alphamax_bcubed(delta=auto)"}

# lines differ in dash and mark as well, and the lowest has open marks, to be seen where another covers it
LINES = {
    BCUBED: {"color": COLOURS[0], "linestyle": "-", "marker": "o", "markersize": 6, "markerfacecolor": "none"},
    ALPHAMAX: {"color": COLOURS[1], "linestyle": "--", "marker": "s", "markersize": 3},
    WEIGHTED: {"color": COLOURS[2], "linestyle": ":", "marker": "^", "markersize": 3},
}


class Sweep(NamedTuple):
    """Blobs, the clusters that k-means finds in them for k = 1 to 15, and their scores."""

    points: Floats
    label: Ints
    cluster: Ints  # a row for each k
    scores: Mapping[str, Floats]  # F for each k

    def preferred(self, name: str) -> int:
        """The number of clusters that scores best; the smallest of equals."""
        scores = self.scores[name]
        return 1 + int(np.flatnonzero(scores >= scores.max() - 1e-12)[0])


def sweep(sizes: Sequence[int], seed: int = 0) -> Sweep:
    """Round blobs on a circle, far enough apart that none touches another, cut by k-means."""
    k_means = import_module("sklearn.cluster").KMeans
    # scikit-learn brings it; with so few points more threads only wait for each other
    one_thread = import_module("threadpoolctl").threadpool_limits(1)
    rng = np.random.default_rng(seed)
    label = np.repeat(np.arange(BLOBS), sizes)
    turn = 2 * np.pi * label / BLOBS
    points = 8 * np.column_stack([np.cos(turn), np.sin(turn)]) + rng.standard_normal((len(label), 2))
    found = []
    with one_thread, step("alphaMax: k-means on five blobs") as at:
        for k in range(1, MOST + 1):
            found.append(k_means(k, n_init=10, random_state=seed).fit_predict(points))
            at(k / MOST)
    cluster = np.array(found, np.int64)
    ks = np.repeat(np.arange(1, MOST + 1), len(label))
    card = cs.score(np.tile(label, MOST), cluster.ravel(), documents=ks, metrics=list(SCORES.values()))
    return Sweep(points, label, cluster, {name: card.documents[metric] for name, metric in SCORES.items()})


def blobs() -> Part:
    """Figures 1, 2 and 3 and what they show; skipped where scikit-learn is not installed."""
    try:
        balanced, imbalanced = sweep(BALANCED), sweep(IMBALANCED)
    except ImportError:
        return Part(skipped=["Figures 1 to 3 (k-means on five blobs) need scikit-learn: pip install scikit-learn"])
    rows = [*_rows("X Fig. 2", "balanced", balanced), *_rows("X Fig. 3", "1:2:4:8:16", imbalanced)]
    figures = [
        Figure("alphamax-fig1", "Figure 1, taken for: five blobs, balanced, as k-means cuts them, and what F says",
               partial(_draw_clusters, balanced)),
        Figure("alphamax-fig2", "Figure 2, taken for: F against the number of clusters, five blobs of equal size",
               partial(_draw_scores, balanced, (BCUBED, ALPHAMAX))),
        Figure("alphamax-fig3", "Figure 3, taken for: F against the number of clusters, five blobs of 1:2:4:8:16",
               partial(_draw_scores, imbalanced, (BCUBED, ALPHAMAX, WEIGHTED))),
    ]  # fmt: skip
    return Part(rows, figures)


def _rows(section: str, what: str, found: Sweep) -> list[Row]:
    rows = [row(section, f"{what}: number of clusters that {name} prefers", None, found.preferred(name), "five blobs")
            for name in SCORES]  # fmt: skip
    same = found.scores[BCUBED] == found.scores[ALPHAMAX]
    ks = [k + 1 for k in np.flatnonzero(same).tolist()]
    note = "a public review of the paper quotes it: the two agree up to five clusters"
    rows.append(row(section, f"{what}: numbers of clusters where alphaMax is BCubed", None, _ranges(ks), note))
    for name in SCORES:
        score = float(found.scores[name][2 * BLOBS - 1])
        rows.append(row(section, f"{what}: F of {name} with {2 * BLOBS} clusters", None, score))
    return rows


def _ranges(ks: list[int]) -> str:
    """The numbers, those that follow one another as a range: 1-5, 7."""
    starts = [k for k in ks if k - 1 not in ks]
    ends = [k for k in ks if k + 1 not in ks]
    return ", ".join(f"{a}" if a == b else f"{a}-{b}" for a, b in zip(starts, ends, strict=True))


def _draw_clusters(found: Sweep, figure: Any) -> None:
    figure.set_size_inches(WIDTH, 1.65)
    for axes, k in zip(figure.subplots(1, len(SHOWN)), SHOWN, strict=True):
        colours = np.array(COLOURS)[found.cluster[k - 1]]
        axes.scatter(*found.points.T, s=2, c=colours, linewidths=0)
        scores = "\n".join(f"{name} {found.scores[name][k - 1]:.2f}" for name in (BCUBED, ALPHAMAX))
        axes.set_title(f"k = {k}\n{scores}", fontsize=FONT)
        axes.set_aspect("equal")
        axes.set_xticks([])
        axes.set_yticks([])
    figure.subplots_adjust(0.01, 0.01, 0.99, 0.76, wspace=0.05)


def _draw_scores(found: Sweep, names: Sequence[str], figure: Any) -> None:
    figure.set_size_inches(WIDTH, 2.3)
    axes = figure.subplots()
    axes.axvline(BLOBS, color="0.8", linewidth=1, zorder=0)
    for name in names:
        axes.plot(range(1, MOST + 1), found.scores[name], label=name, linewidth=1.2, **LINES[name])
    axes.set_xticks(range(1, MOST + 1, 2))
    axes.set_ylim(0, 1.03)
    axes.tick_params(labelsize=FONT)
    axes.set_xlabel("number of clusters k", fontsize=FONT + 1)
    axes.set_ylabel("F", fontsize=FONT + 1)
    axes.legend(fontsize=FONT, frameon=False, loc="lower right")
    axes.spines[["top", "right"]].set_visible(False)
    figure.subplots_adjust(0.14, 0.19, 0.98, 0.97)
