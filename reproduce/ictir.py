"""The ICTIR paper of 2022 by the authors of ELM: documents of a fixed size, and a segmenter that reads the pages.

Its texts cannot be had. Fixed sizes are scored on the page streams of the later paper, and the segmenter is shown on a
small collection that was written for it, ``pages.json``: three streams of letters, minutes, bills, recipes and so on.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

import clusterscore as cs
from clusterscore import baselines
from reproduce import elm_figures
from reproduce.page_streams import FOLDER, PageStreams, Scores, scores
from reproduce.result import Figure, Part, Row, row
from reproduce.segmenter import CUT, segment

PAGES = Path(__file__).with_name("pages.json")
SIZES = range(1, 16)
CLUSTERS, ELEMENTS, SAMPLES = 2_508, 20_618, 75  # as the paper tells them of its data
NAMES = {"bcubed": "BCubed", "elm": "ELM"}


class Collection(NamedTuple):
    """Streams of pages, each a list of texts, and the documents they are made of."""

    streams: Mapping[str, list[str]]
    gold: cs.Clustering


def collection() -> Collection:
    """The bundled collection.

    >>> bundled = collection()
    >>> bundled.gold, {name: len(pages) for name, pages in bundled.streams.items()}
    (Clustering(42 elements by position, 18 clusters, 3 documents), {'town hall': 15, 'household': 14, 'workshop': 13})
    """
    stored = json.loads(PAGES.read_text(encoding="utf-8"))["streams"]
    streams = {each["name"]: [page for one in each["documents"] for page in one["pages"]] for each in stored}
    sizes = [len(one["pages"]) for each in stored for one in each["documents"]]
    return Collection(streams, _in_streams(streams, np.repeat(np.arange(len(sizes)), sizes).tolist()))


def experiments(streams: PageStreams | None) -> Part:
    """Sizes from 1 to 15 pages, and the segmenter on the bundled collection."""
    rows = [*_texts(), *_segmented()]
    if streams is None:
        return Part(rows, skipped=[f"ICTIR, documents of 1 to 15 pages: they need page streams ({FOLDER} in the data)"])
    gold = streams.every.documents()
    found = {size: scores(gold, baselines.fixed_size(gold, size)) for size in SIZES}
    for size, each in found.items():
        for name, called in NAMES.items():
            quantity = f"documents of {size} page{'s' if size > 1 else ''}: {called} P, R, F1"
            rows.append(row("ICTIR fixed sizes (110 streams)", quantity, None, _shown(each[name])))
    shown = {called: [np.array([each[name][part].mean() for each in found.values()]) for part in range(3)]
             for name, called in NAMES.items()}  # fmt: skip
    title = "ICTIR: documents of a fixed number of pages, on 110 page streams"
    return Part(rows, [Figure("ictir-sizes", title, partial(elm_figures.sizes, shown=shown))])


def _texts() -> Iterator[Row]:
    mean = ELEMENTS / CLUSTERS
    note = (
        f"{ELEMENTS:,} pages in {CLUSTERS:,} documents; a sample has {CLUSTERS / SAMPLES:.2f} of them, which is the 33"
    )
    yield Row("ICTIR 3.2", "mean and median cluster size", "33 and 17", mean, round(mean) == 33, note, known=False)
    note = "the samples were not published"
    yield row("ICTIR Table 1 (N=75)", "all", None, "data not available", note)
    yield row("ICTIR Table 2 (N=52)", "all", None, "data not available", "it takes the texts of the pages")


def _segmented() -> Iterator[Row]:
    bundled = collection()
    gold = bundled.gold
    found = [segment(pages).codes for pages in bundled.streams.values()]
    preds = {
        f"consecutive merges, cut at {CUT}": _in_streams(bundled.streams, np.concatenate(found).tolist()),
        "every page alone": baselines.singletons(gold),
        "one document": baselines.one_cluster(gold),
        "documents of the mean size": baselines.mean_size(gold),
    }
    for pred_name, pred in preds.items():
        for name, each in scores(gold, pred).items():
            yield row("ICTIR segmenter (our own pages)", f"{pred_name}: {NAMES[name]} P, R, F1", None, _shown(each))


def _in_streams(streams: Mapping[str, list[str]], labels: list[int]) -> cs.Clustering:
    """Labels of all pages, one stream after the other."""
    names = np.repeat(np.array(list(streams), object), [len(pages) for pages in streams.values()])
    return cs.Clustering.from_labels(labels, documents=names)


def _shown(each: Scores) -> str:
    return " ".join(f"{values.mean():.4f}" for values in each)
