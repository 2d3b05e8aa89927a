"""Adapted BCubed: Table 1, five toy pairs with a mark where the measure prefers the right one, and Table 2.

Table 2 has two algorithms that know nothing, on the 239 topics of ODP239, with 2 to 20 clusters. Its printed values
are not recorded with this project, so its rows hold our numbers alone. ``PRINTED_2`` is where printed ones go: they are
then compared, and have to lie within the spread of the seeds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import clusterscore as cs
from clusterscore.plot.style import FONT, SERIES, WIDTH
from clusterscore.progress import step
from reproduce.result import Figure, Floats, Part, Result, Row, joined, row, sampled

TITLE = "Moreno & Dias 2015, Adapted B-CUBED metrics to unbalanced datasets, SIGIR"

# a gold clustering and two predictions, of which the right one is the better; the first four are those of Amigó et al.
EXAMPLES = {each.name.replace("_", " "): each.pair for each in cs.constraints.CONSTRAINTS if each.pair is not None}
RECONSTRUCTED = "unbalanced"  # the paper draws it, and gives no list of elements: found from the printed numbers

# a row of the paper -> the metric, and which number of it
MEASURES: Mapping[str, tuple[str, str]] = {
    "Purity": ("purity", "value"),
    "Inv. Purity": ("inverse_purity", "value"),
    "F&M": ("fowlkes_mallows", "value"),
    "RandIndex": ("rand", "value"),
    "Adj.RandIndex": ("adjusted_rand", "value"),
    "Jaccard": ("jaccard", "value"),
    "F-measure": ("purity", "value"),
    "Pb3": ("bcubed(f=of-means)", "precision"),
    "Rb3": ("bcubed(f=of-means)", "recall"),
    "Fb3": ("bcubed(f=of-means)", "f"),
    "Pbmod": ("adapted_bcubed", "precision"),
    "Rbmod(|x|=3)": ("adapted_bcubed", "recall"),
    "Fbmod&0.9": ("adapted_bcubed", "f"),
    "Fb0.9": ("bcubed(f=of-means, alpha=0.9)", "f"),
}
FOURFOLD = "adapted_bcubed(order=4, recall=tuples)"

# Table 1 as printed: left, right, and + where it has a tick, - where it has a cross; in the order of EXAMPLES
PRINTED = """
Purity         0.71 0.79 +  0.79 0.79 -  0.56 0.56 -  1.00 1.00 -  0.96 0.96 -
Inv. Purity    0.79 0.79 -  0.79 0.79 -  1.00 1.00 -  0.69 0.92 +  0.96 0.96 -
F&M            0.47 0.49 +  0.47 0.53 +  0.61 0.61 -  0.85 0.85 -  0.95 0.94 -
RandIndex      0.68 0.70 +  0.68 0.70 +  0.72 0.72 -  0.95 0.95 -  0.94 0.94 -
Adj.RandIndex  0.25 0.28 +  0.24 0.31 +  0.40 0.40 -  0.80 0.80 -  0.79 0.79 -
Jaccard        0.31 0.33 +  0.31 0.36 +  0.38 0.38 -  0.71 0.71 -  0.90 0.89 -
F-measure      0.71 0.79 +  0.79 0.79 -  0.56 0.56 -  1.00 1.00 -  0.96 0.96 -
Pb3            0.60 0.69 +  0.69 0.69 -  0.49 0.56 +  1.00 1.00 -  0.93 0.95 +
Rb3            0.70 0.70 -  0.71 0.76 +  1.00 1.00 -  0.69 0.88 +  0.96 0.93 -
Fb3            0.64 0.69 +  0.70 0.72 +  0.55 0.71 +  0.82 0.93 +  0.94 0.93 -
Pbmod          0.60 0.69 +  0.69 0.69 -  0.49 0.56 +  1.00 1.00 -  0.93 0.95 +
Rbmod(|x|=3)   0.45 0.45 -  0.56 0.57 +  1.00 1.00 -  0.46 0.77 +  0.93 0.86 -
Fbmod&0.9      0.58 0.66 +  0.67 0.68 +  0.52 0.58 +  0.90 0.97 +  0.93 0.95 +
Fb0.9          0.61 0.70 +  0.69 0.70 +  0.52 0.58 +  0.96 0.99 +  0.93 0.94 +
"""

# the cells that differ, and why
_FOUR = "printed is Eq. 4 with four elements (below); Eq. 5 is the square of Rb3, which is printed too"
_AWAY = "none of the clusterings that fit the other cells gives it"
_RAND = "RandIndex and Jaccard as printed force it above 0.85"
_EXCHANGED = "printed in the place of Fb0.9: less recall at the same precision cannot give more"
DIFFERS: Mapping[tuple[str, str, str], str] = {
    ("homogeneity", "Rbmod(|x|=3)", "left"): _FOUR,
    ("homogeneity", "Rbmod(|x|=3)", "right"): _FOUR,
    ("completeness", "Rbmod(|x|=3)", "left"): _FOUR,
    ("size vs quantity", "Rbmod(|x|=3)", "left"): _FOUR,
    ("unbalanced", "Rbmod(|x|=3)", "left"): _FOUR,
    ("homogeneity", "Fb0.9", "right"): f"{_AWAY}; exchanged with completeness, left, it fits",
    ("completeness", "Fb0.9", "left"): f"{_AWAY}; exchanged with homogeneity, right, it fits",
    ("rag bag", "Fb3", "left"): "P 0.49 and R 1.00, as printed, give 0.66",
    ("unbalanced", "Adj.RandIndex", "left"): _RAND,
    ("unbalanced", "Adj.RandIndex", "right"): _RAND,
    ("unbalanced", "Fb3", "right"): _AWAY,
    ("unbalanced", "Fbmod&0.9", "right"): _EXCHANGED,
    ("unbalanced", "Fb0.9", "right"): "printed in the place of Fbmod&0.9",
}


FILE = Path("odp239") / "STRel.txt"
SIZES = {"topics": "239", "subtopics": "2285", "documents": "25580"}  # as the data set's own description has them
ALGORITHMS = {"UniformRand": cs.baselines.uniform_random, "UltraShapedRand": cs.baselines.ultra_shaped_random}
MEASURES_2 = ("Fb3", "Fb0.9", "Fbmod&0.9")
CLUSTERS = range(2, 21)
SEEDS = range(10)
PRINTED_2: Mapping[tuple[str, int, str], str] = {}  # (algorithm, k, measure) -> what the paper prints


def reproduce(data: Path | None = None) -> Result:
    """Table 1, and Table 2 where ``data`` holds ODP239."""
    with step("adapted: table 1"):
        rows = list(_table_1())
    return joined("adapted", TITLE, [Part(rows), table_2(data)])


def _table_1() -> Iterator[Row]:
    printed = {line[:15].strip(): line[15:].split() for line in PRINTED.strip().splitlines()}
    names = list(dict.fromkeys([*(metric for metric, _ in MEASURES.values()), FOURFOLD]))
    for k, (example, (gold, left, right, _)) in enumerate(EXAMPLES.items()):
        section = f"M Table 1 {example}" + (" (reconstructed)" if example == RECONSTRUCTED else "")
        cards = {"left": cs.score(gold, left, metrics=names), "right": cs.score(gold, right, metrics=names)}
        for name, (metric, part) in MEASURES.items():
            *numbers, mark = printed[name][3 * k : 3 * k + 3]
            found = [float(getattr(card[metric], part)) for card in cards.values()]
            for side, number, value in zip(cards, numbers, found, strict=True):
                note = DIFFERS.get((example, name, side), "")
                yield row(section, f"{name}, {side}", number, value, note, known=not note)
            # a tie is no preference, and neither is the last bit of a float
            better = found[1] > found[0] + 1e-12
            yield row(section, f"{name}, mark", {"+": "tick", "-": "cross"}[mark], "tick" if better else "cross")
        for (side, card), number in zip(cards.items(), printed["Rbmod(|x|=3)"][3 * k :], strict=False):
            quantity = f"Rbmod(|x|=3), {side}: Eq. 4 with four elements"
            yield row(section, quantity, number, float(card[FOURFOLD].recall))


def table_2(data: Path | None) -> Part:
    """Table 2 for ODP239, where it is there."""
    if data is None or not (data / FILE).exists():
        return Part(skipped=[f"M Table 2: needs {FILE.as_posix()} of the ODP239 data set in the folder of --data"])
    gold = topics(data / FILE)
    found = scores(gold)
    counts = (len(gold.documents.names), len(gold.names), len(gold))
    rows = [
        row("ODP239", f"number of {what}", printed, count, "printed in the description of the data")
        for (what, printed), count in zip(SIZES.items(), counts, strict=True)
    ]
    title = "Adapted BCubed, Table 2: random clusterings of ODP239"
    skipped = "the comparison with what Table 2 prints: its numbers are not recorded with this project"
    figure = Figure("adapted-table2", title, partial(_draw, found=found))
    return Part([*rows, *_rows(found)], [figure], [] if PRINTED_2 else [skipped])


def topics(path: Path) -> cs.Clustering:
    """The gold of ODP239: the subtopic of every document, topic by topic."""
    gold = cs.Clustering.from_file(path, format="tsv", element="docID", cluster="subTopicID")
    documents, subtopics = np.asarray(gold.ids, str), np.array(list(gold.names), str)[gold.codes]
    topic = np.char.partition(documents, ".")[:, 0]
    apart = np.flatnonzero(topic != np.char.partition(subtopics, ".")[:, 0])
    if len(apart):
        raise cs.FileError(
            f"{path}: {len(apart):,} document{'s' * (len(apart) > 1)} under a subtopic of another topic, e.g. "
            f"{documents[apart[0]]} under {subtopics[apart[0]]}; ids of ODP239 begin with the number of their topic"
        )
    return cs.Clustering.from_labels(subtopics, elements=documents, documents=topic)


def scores(gold: cs.Clustering) -> dict[str, Floats]:
    """For each algorithm: the mean over topics, by number of clusters, seed and measure."""
    found = {name: np.empty((len(CLUSTERS), len(SEEDS), len(MEASURES_2))) for name in ALGORITHMS}
    metrics = [MEASURES[measure][0] for measure in MEASURES_2]
    with step("adapted: table 2") as at:
        for done, (name, deal) in enumerate(ALGORITHMS.items()):
            for i, k in enumerate(CLUSTERS):
                for j, seed in enumerate(SEEDS):
                    card = cs.score(gold, deal(gold, k, seed=seed), metrics=metrics, average="macro")
                    found[name][i, j] = [each.value for each in card.values()]
                at((done + (i + 1) / len(CLUSTERS)) / len(ALGORITHMS))
    return found


def _rows(found: Mapping[str, Floats]) -> Iterator[Row]:
    for algorithm, values in found.items():
        for k, of_k in zip(CLUSTERS, values, strict=True):
            for measure, seeds in zip(MEASURES_2, of_k.T, strict=True):
                mean, low, high = float(seeds.mean()), float(seeds.min()), float(seeds.max())
                printed = PRINTED_2.get((algorithm, k, measure))
                note = f"seeds from {low:.6f} to {high:.6f}" + (
                    "" if printed else "; the paper's number is not recorded here"
                )
                quantity = f"{measure}, mean over topics and {len(SEEDS)} seeds"
                spread = max(high - mean, mean - low)
                yield sampled(f"M Table 2 {algorithm}({k})", quantity, printed, mean, spread, note)


def _draw(figure: Any, found: Mapping[str, Floats]) -> None:
    figure.set_size_inches(WIDTH, 1.9)
    figure.set_layout_engine("constrained")
    panels = figure.subplots(1, len(found), sharey=True)
    for panel, (algorithm, values) in zip(panels, found.items(), strict=True):
        for j, (measure, look) in enumerate(zip(MEASURES_2, SERIES, strict=False)):
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
