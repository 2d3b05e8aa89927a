"""Figures 2 and 3 of the alphaMax-BCubed paper: k-means on five separable classes, scored for every k."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import clusterscore as cs
from clusterscore.plot.style import COLOURS, FONT, WIDTH
from clusterscore.progress import step
from reproduce.result import Figure, Floats, Ints, Part, Row, row

BLOBS = 5
MOST = 15  # clusters that k-means is asked for
BALANCED = (200,) * BLOBS
IMBALANCED = tuple(32 * 2**k for k in range(BLOBS))  # 1:2:4:8:16
SHOWN = (2, 3, 4, 5, 6, 8, 10, 15)  # numbers of clusters in Figure 2

BCUBED, ALPHAMAX, WEIGHTED = "B3", "alphaMax-B3", "alphaMax-B3-delta"
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
    partitions = []
    with one_thread, step("alphaMax: k-means on five blobs") as at:
        for k in range(1, MOST + 1):
            partitions.append(k_means(k, n_init=10, random_state=seed).fit_predict(points))
            at(k / MOST)
    cluster = np.array(partitions, np.int64)
    ks = np.repeat(np.arange(1, MOST + 1), len(label))
    card = cs.score(np.tile(label, MOST), cluster.ravel(), documents=ks, metrics=list(SCORES.values()))
    return Sweep(points, label, cluster, {name: card.documents[metric] for name, metric in SCORES.items()})


def blobs() -> Part:
    """Figures 2 and 3 and what they show; skipped where scikit-learn is not installed."""
    try:
        balanced, imbalanced = sweep(BALANCED), sweep(IMBALANCED)
    except ImportError:
        return Part(skipped=["Figures 2 and 3 (k-means on five blobs) need scikit-learn: pip install scikit-learn"])
    figures = [
        Figure(
            "alphamax-fig2",
            "Figure 2: five balanced classes as k-means cuts them, and what both scores say",
            partial(_draw_clusters, balanced),
        ),
        Figure(
            "alphamax-fig3",
            "Figure 3: three scores over k, five classes of 1:2:4:8:16",
            partial(_draw_scores, imbalanced),
        ),
    ]
    return Part(list(_rows(balanced, imbalanced)), figures)


def _rows(balanced: Sweep, imbalanced: Sweep) -> Iterator[Row]:
    yield row("X Sec. 5.1", "separable classes", "5", len(np.unique(balanced.label)))
    for name in (BCUBED, ALPHAMAX):
        yield row("X Sec. 5.1", f"best k of {name}", "5", balanced.preferred(name))
    yield row("X Sec. 5.1", "k for which both scores are equal", "k<=5", _equal(balanced))
    sizes = np.bincount(imbalanced.label)
    yield row("X Sec. 5.2", "class ratio", "1:2:4:8:16", ":".join(str(size // sizes[0]) for size in sizes))
    yield row("X Sec. 5.2", "k for which B3 and alphaMax are equal", "k<=5", _equal(imbalanced))
    lower = _up_to(imbalanced.scores[WEIGHTED] < imbalanced.scores[BCUBED] - 1e-12)
    note = "one cluster for all elements scores the same under each"
    yield row("X Fig. 3", "k for which the delta variant is lower", "k<5", lower, note, known=False)


def _equal(swept: Sweep) -> str:
    return _up_to(np.abs(swept.scores[BCUBED] - swept.scores[ALPHAMAX]) < 1e-12)


def _up_to(holds: NDArray[np.bool_]) -> str:
    """The numbers of clusters for which something holds, as the paper writes them."""
    ks = (1 + np.flatnonzero(holds)).tolist()
    if ks != list(range(1, len(ks) + 1)):
        return ", ".join(map(str, ks))
    return f"k<={len(ks)}" if len(ks) == BLOBS else f"k<{len(ks) + 1}"


def _draw_clusters(swept: Sweep, figure: Any) -> None:
    figure.set_size_inches(2 * WIDTH, 3.9)
    for axes, k in zip(figure.subplots(2, len(SHOWN) // 2).flat, SHOWN, strict=True):
        colours = np.array(COLOURS)[swept.cluster[k - 1] % len(COLOURS)]
        axes.scatter(*swept.points.T, s=2, c=colours, linewidths=0)
        scores = ", ".join(f"{name} {swept.scores[name][k - 1]:.2f}" for name in (BCUBED, ALPHAMAX))
        axes.set_title(f"k = {k}\n{scores}", fontsize=FONT)
        axes.set_aspect("equal")
        axes.set_xticks([])
        axes.set_yticks([])
    figure.subplots_adjust(0.01, 0.01, 0.99, 0.9, wspace=0.05, hspace=0.3)


def _draw_scores(swept: Sweep, figure: Any) -> None:
    figure.set_size_inches(WIDTH, 2.3)
    axes = figure.subplots()
    for name, line in LINES.items():
        axes.plot(range(1, MOST + 1), swept.scores[name], label=name, linewidth=1.2, **line)
    axes.set_xticks(range(1, MOST + 1, 2))
    axes.set_ylim(0, 1.03)
    axes.tick_params(labelsize=FONT)
    axes.set_xlabel("number of clusters k", fontsize=FONT + 1)
    axes.set_ylabel("F", fontsize=FONT + 1)
    axes.legend(fontsize=FONT, frameon=False, loc="lower right")
    axes.spines[["top", "right"]].set_visible(False)
    figure.subplots_adjust(0.14, 0.19, 0.98, 0.97)
