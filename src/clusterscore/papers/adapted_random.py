"""Adapted BCubed, Table 2: two algorithms that know nothing, on the 239 topics of ODP239, with 2 to 20 clusters.

Printed values of Table 2 are not recorded with this project, so its rows hold our numbers alone. ``PRINTED`` is where
printed ones go: they are then compared, and have to lie within the spread of the seeds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from clusterscore.baselines import ultra_shaped_random, uniform_random
from clusterscore.count.sums import Floats
from clusterscore.errors import FileError, plural
from clusterscore.papers.result import Figure, Row, row, within
from clusterscore.pipeline import score
from clusterscore.plot.style import FONT, SERIES, WIDTH
from clusterscore.progress import step
from clusterscore.read.clustering import Clustering
from clusterscore.read.labels import encode

FILE = Path("odp239") / "STRel.txt"
SIZES = ("239", "2285", "25580")  # topics, subtopics, documents, as the data set's own description has them
ALGORITHMS: Mapping[str, Callable[..., Clustering]] = {
    "UniformRand": uniform_random,
    "UltraShapedRand": ultra_shaped_random,
}
MEASURES = {"Fb3": "bcubed(f=of-means)", "Fb0.9": "bcubed(f=of-means, alpha=0.9)", "Fbmod&0.9": "adapted_bcubed"}
CLUSTERS = range(2, 21)
SEEDS = range(10)
PRINTED: Mapping[tuple[str, int, str], str] = {}  # (algorithm, k, measure) -> what the paper prints
NOT_RECORDED = "the paper's number is not recorded here"


class Random(NamedTuple):
    """What Table 2 gives."""

    rows: Sequence[Row] = ()
    figures: Sequence[Figure] = ()
    skipped: Sequence[str] = ()


def random_systems(data: Path | None) -> Random:
    """Table 2 for ODP239, where it is there."""
    if data is None or not (data / FILE).exists():
        return Random(skipped=[f"M Table 2: needs {FILE.as_posix()} of the ODP239 data set in the folder of --data"])
    gold = topics(data / FILE)
    found = scores(gold)
    rows = [*_sizes(gold), *(each for name in ALGORITHMS for each in _rows(name, found[name]))]

    def draw(figure: Any) -> None:
        _draw(figure, found)

    title = "Adapted BCubed, Table 2: random clusterings of ODP239"
    skipped = [] if PRINTED else [
        "the comparison with what Table 2 prints: its numbers are not recorded with this project"
    ]  # fmt: skip
    return Random(rows, [Figure("adapted-table2", title, draw)], skipped)


def topics(path: Path) -> Clustering:
    """The gold of ODP239: the subtopic of every document, topic by topic."""
    gold = Clustering.from_file(path, format="tsv", element="docID", cluster="subTopicID")
    documents, subtopics = np.asarray(gold.ids, str), np.array(list(gold.names), str)[gold.codes]
    topic = np.char.partition(documents, ".")[:, 0]
    apart = topic != np.char.partition(subtopics, ".")[:, 0]
    if apart.any():
        k = int(apart.argmax())
        raise FileError(
            f"{path}: {plural(int(apart.sum()), 'document')} under a subtopic of another topic, e.g. {documents[k]} "
            f"under {subtopics[k]}; ids of ODP239 begin with the number of their topic"
        )
    return Clustering(gold.labels, ids=gold.ids, documents=encode(topic))


def scores(gold: Clustering) -> dict[str, Floats]:
    """For each algorithm: the mean over topics, by number of clusters, seed and measure."""
    found = {name: np.empty((len(CLUSTERS), len(SEEDS), len(MEASURES))) for name in ALGORITHMS}
    with step("adapted: table 2") as at:
        for done, (name, deal) in enumerate(ALGORITHMS.items()):
            for i, k in enumerate(CLUSTERS):
                for j, seed in enumerate(SEEDS):
                    card = score(gold, deal(gold, k, seed=seed), metrics=list(MEASURES.values()), average="macro")
                    found[name][i, j] = [each.value for each in card.values()]
                at((done + (i + 1) / len(CLUSTERS)) / len(ALGORITHMS))
    return found


def _sizes(gold: Clustering) -> list[Row]:
    assert gold.documents is not None
    counts = (len(gold.documents.names), len(gold.names), len(gold))
    return [
        row("ODP239", f"number of {what}", printed, count, "printed in the description of the data")
        for what, printed, count in zip(("topics", "subtopics", "documents"), SIZES, counts, strict=True)
    ]


def _rows(algorithm: str, found: Floats) -> list[Row]:
    rows = []
    for i, k in enumerate(CLUSTERS):
        for j, measure in enumerate(MEASURES):
            seeds = found[i, :, j]
            mean, low, high = float(seeds.mean()), seeds.min(), seeds.max()
            section, quantity = f"M Table 2 {algorithm}({k})", f"{measure}, mean over topics and {len(SEEDS)} seeds"
            note = f"seeds from {low:.6f} to {high:.6f}"
            printed = PRINTED.get((algorithm, k, measure))
            if printed is None:
                rows.append(row(section, quantity, None, mean, f"{note}; {NOT_RECORDED}"))
            else:
                rows.append(within(section, quantity, printed, mean, float(max(high - mean, mean - low)), note))
    return rows


def _draw(figure: Any, found: Mapping[str, Floats]) -> None:
    figure.set_size_inches(WIDTH, 1.9)
    figure.set_layout_engine("constrained")
    panels = figure.subplots(1, len(found), sharey=True)
    for panel, (algorithm, values) in zip(panels, found.items(), strict=True):
        for j, (measure, look) in enumerate(zip(MEASURES, SERIES, strict=False)):
            seeds = values[:, :, j]
            panel.plot(CLUSTERS, seeds.mean(axis=1), color=look.color, linestyle=look.linestyle, marker=look.marker,
                       markersize=2.5, linewidth=0.9, label=measure)  # fmt: skip
            panel.fill_between(CLUSTERS, seeds.min(axis=1), seeds.max(axis=1), color=look.color, alpha=0.3, lw=0)
        panel.set_title(f"{algorithm}(k)", fontsize=FONT)
        panel.set_xlabel("clusters k", fontsize=FONT)
        panel.set_xticks(list(CLUSTERS)[::6])
        panel.tick_params(labelsize=FONT - 1, length=2, width=0.5)
        panel.spines[["top", "right"]].set_visible(False)
    panels[0].set_ylabel("mean F over topics (band: seeds)", fontsize=FONT)
    panels[0].legend(frameon=False, fontsize=FONT - 1.5)
