"""The ICTIR paper of 2022 by the authors of ELM: trivial predictions, and a clustering that reads the pages.

Neither its 75 streams nor their texts can be had. What needs streams is drawn for the page streams of the later paper;
what needs texts, for streams put together from the documents of a small collection that was written for it,
``pages.json``: letters, minutes, bills, recipes and so on. The titles of the figures say so.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from pathlib import Path

import numpy as np

import clusterscore as cs
from clusterscore import baselines
from reproduce import elm_drawings, elm_figures
from reproduce.elm_figures import plot
from reproduce.elm_rows import NAMES, PARTS, STATISTICS, by_element, cells, holds, in_text, means
from reproduce.page_streams import FOLDER, PageStreams, scores
from reproduce.result import Floats, Part, Row, printed_rows, row, without_data
from reproduce.segmenter import CUT, segment

PAGES = Path(__file__).with_name("pages.json")
SIZES = range(1, 16)
STREAMS, SEED = 52, 1
TRIVIAL = {"All Singletons": baselines.singletons, "All in one cluster": baselines.one_cluster}
NO_STREAMS = "the 75 streams were not published"
NO_TEXTS = "the texts of the pages were not published"


@cache
def segmented() -> tuple[cs.Clustering, cs.Clustering, Floats]:
    """Streams of our own pages, what the clustering makes of them, and the mean length of documents in each.

    They are as many as the paper has; each has 4 to 12 of our documents, now mostly short ones, now mostly long ones.
    So the fall in Fig. 4 (a correlation of -0.3 on average over seeds, -0.2 if drawn evenly) tells little of others.
    """
    stored = json.loads(PAGES.read_text(encoding="utf-8"))["streams"]
    documents: list[list[str]] = [document["pages"] for stream in stored for document in stream["documents"]]
    sizes, random, made = np.array([len(pages) for pages in documents]), np.random.default_rng(SEED), []
    for _ in range(STREAMS):
        weight = sizes ** random.uniform(-3, 3)
        chosen = random.choice(len(sizes), random.integers(4, 13), replace=False, p=weight / weight.sum())
        clustering = segment([page for number in chosen for page in documents[number]])
        made.append((np.repeat(np.arange(len(chosen)), sizes[chosen]), clustering.codes))
    stream = np.repeat(np.arange(STREAMS), [len(pages) for pages, _ in made])
    codes = (np.concatenate(side) for side in zip(*made, strict=True))
    gold, pred = (cs.Clustering.from_labels(labels, documents=stream) for labels in codes)
    return gold, pred, np.array([len(pages) / (pages[-1] + 1) for pages, _ in made])


def experiments(streams: PageStreams | None) -> Part:
    """What the paper prints, and its figures."""
    rows = [*_examples(), *_data(), *_tables()]
    gold, pred, length = segmented()
    differences = {part: b - e for part, b, e in zip(PARTS, *scores(gold, pred).values(), strict=True)}
    data = f"on {STREAMS} streams of our own pages, for want of the texts"
    others = "on the 110 page streams of J, for want of the 75 streams"
    clustered = f"I Fig. 3: BCubed - ELM of the clustering of pages, {data}"
    by_length = f"I Fig. 4: BCubed - ELM of F1 by the length of documents, {data}"
    figures = [
        plot("ictir-fig3", clustered, elm_figures.differences, data, shown=differences),
        plot("ictir-fig4", by_length, elm_figures.by_length, data, pages=length, difference=differences["F1"]),
        *elm_drawings.constraints("ictir", "I", {"homogeneity": 5, "rag bag": 6, "completeness": 7}),
    ]
    if streams is None:
        return Part(rows, figures, [f"I Figs. 1 and 2: they need page streams ({FOLDER} in the data)"])
    gold = streams.every.documents()
    fixed = [scores(gold, baselines.fixed_size(gold, size)) for size in SIZES]
    sizes = {name: [np.array([run[name][part].mean() for run in fixed]) for part in range(3)] for name in NAMES}
    trivial = {name: scores(gold, make(gold)) for name, make in TRIVIAL.items()}
    title = f"I Fig. 2: both trivial clusterings, {others}"
    figures += [
        plot("ictir-fig1", f"I Fig. 1: clusters of a fixed size, {others}", elm_figures.sizes, others, shown=sizes),
        plot("ictir-fig2", title, elm_figures.baselines, others, shown=trivial),
    ]
    return Part(rows, figures)


def _examples() -> Iterator[Row]:
    """Secs. 2 and 3.3."""
    columns, lengths = ("P", "R", "F1"), range(1, 11)
    wrong = {"gold {1,2}, singletons": means("aa", "ab"), "the dual example": means("ab", "aa")}
    for name, values in wrong.items():
        for part, value in zip(columns, values, strict=True):
            note = f"{value}, cut off" if part == "F1" else ""
            yield in_text("I", f"{name}: {part}", value, note, truncated=True)
    note = f"{_both(*wrong.values())} are the means of the two examples, each with the prediction that is wrong for it"
    for name, pred in (("singletons", "ab"), ("all in one", "aa")):
        both = _both(means("aa", pred), means("ab", pred))
        yield in_text("I", f"both as one test set, {name}: P, R, F1", both, note, known=False)
    split_up = [(Fraction(1), Fraction(1, n), Fraction(2, n + 1)) for n in lengths]
    for name, computed, expected in (
        ("a gold cluster of n, singletons", [means([0] * n, range(n)) for n in lengths], split_up),
        (
            "n gold singletons, all in one",
            [means(range(n), [0] * n) for n in lengths],
            [(r, p, f) for p, r, f in split_up],
        ),
    ):
        for k, part in enumerate(columns):
            yield holds(
                "I", f"{name}: {part}", (ours[k] == wanted[k] for ours, wanted in zip(computed, expected, strict=True))
            )
    stranger = " to ".join(str(by_element("aaabcde", pred, "elm", "precision")[0]) for pred in ("aaabbbb", "aaabbba"))
    yield in_text("I", "ELM precision of the clean cluster before and after", stranger)
    split, f = "cluster of 4 split 3+1: ", by_element("aaaa", "aaax")
    recalls = sorted(set(by_element("aaaa", "aaax", part="recall")))
    yield in_text("I", split + "ELM recalls", " and ".join(map(str, recalls)))
    yield in_text("I", split + "ELM F1 of the three", str(f[0]))
    yield in_text("I", split + "drop of the sum of F1", f"4 - {sum(f)}")
    left = sum(by_element("aabb", "axby"))
    yield in_text("I", "two pairs split: drop of the sum of F1", f"4 - {left} = {4 - left}")


def _both(*triples: Sequence[Fraction]) -> str:
    """The means of two examples, cut off as the paper does."""
    return ", ".join(f"{float(sum(pair) * 50 // 1) / 100:g}".lstrip("0") for pair in zip(*triples, strict=True))


def _data() -> Iterator[Row]:
    """Sec. 3.2, and the settings."""
    printed = {
        cell["quantity"]: cell["printed"] for cell in printed_rows("I", "text") if cell["section"] == "I Sec. 3.2"
    }
    clusters, pages, count = (int(printed[name].replace(",", "")) for name in ("true clusters", "elements", "samples"))
    for quantity in ("samples", "true clusters", "elements", "median cluster size"):
        yield in_text("I", quantity, None, NO_STREAMS)
    note = f"{pages:,} pages in {clusters:,} documents; a sample has {clusters / count:.2f} of them, which is the 33"
    yield in_text("I", "mean cluster size", pages / clusters, note, known=False)
    yield in_text(
        "I", "fixed cluster sizes tried", f"{SIZES[0]} to {SIZES[-1]} pages", "a setting, which Fig. 1 follows"
    )
    shown = f"{CUT} times the mean of the lower distances"
    yield in_text("I", "cut coefficient", shown, "a setting, which Figs. 3 and 4 follow")
    yield in_text("I", "streams with text", None, NO_TEXTS)


def _tables() -> Iterator[Row]:
    """Tables 1 and 2: of the first, what is the same for all streams can be had."""
    gold, _, _ = segmented()
    for line, part, statistic, printed in cells("I", "Table 1"):
        quantity = f"{line['prediction']}: {line['metric']} {part}, {statistic}"
        if part == {"All Singletons": "Precision", "All in one cluster": "Recall"}[line["prediction"]]:
            values = scores(gold, TRIVIAL[line["prediction"]](gold))[line["metric"]][PARTS.index(part)]
            yield row("I Table 1", quantity, printed, float(STATISTICS[statistic](values)), "whatever the streams")
        else:
            yield without_data("I Table 1", quantity, printed, NO_STREAMS)
    for line in printed_rows("I", "Table 2"):
        for part in ("P", "R", "F1"):
            yield without_data("I Table 2", f"{line['metric']} {part}", line[part], NO_TEXTS)
