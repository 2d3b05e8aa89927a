"""The data of the paper on adapted BCubed: results of many queries, the subtopics that people gave them, and what LINGO
and STC made of them.

Of MORESQUE's results about half have no subtopic. They count in the sizes of predicted clusters, and nowhere else: the
gold of a query is a sample. For one query that is ``cs.score(cs.Sample(gold, weights="uniform"), pred)``. A Sample is
one population of two clusters or more, though, and some queries have one. So all queries are scored together, with a
weight of 0 for what has no subtopic, which gives the same numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

import clusterscore as cs
from clusterscore.read.files import read_columns
from reproduce.result import Ints

ODP239, MORESQUE, SEMEVAL = "ODP239", "MORESQUE", "SemEval-2013"
SYSTEMS = ("LINGO", "STC")
UNCLUSTERED = -1
_FOLDER, _NO_SUBTOPIC = Path("search-results"), "no subtopic"
FILES: Mapping[str, tuple[Path, ...]] = {
    MORESQUE: tuple(_FOLDER / f"{what}_moresque.tsv.gz" for what in ("gold", "lingo", "stc")),
    ODP239: (Path("odp239") / "STRel.txt",),
    SEMEVAL: tuple(_FOLDER / f"{what}_semeval2013.tsv.gz" for what in ("gold", "lingo", "stc")),
}


class DataSet(NamedTuple):
    """Results of many queries; elements have no ids, which would be sorted in every run."""

    gold: cs.Clustering  # the subtopic of every result, query by query
    labelled: Ints | None = None  # 1 for results that have a subtopic, 0 for the others; None where all have one
    systems: Mapping[str, cs.Clustering] = MappingProxyType({})  # real ones; UNCLUSTERED for results in no cluster


def load(data: Path, place: str) -> DataSet:
    """One of the data sets."""
    paths = [data / file for file in FILES[place]]
    return DataSet(topics(paths[0])) if place == ODP239 else search_results(*paths)


def topics(path: Path) -> cs.Clustering:
    """The gold of ODP239: the subtopic of every document, topic by topic."""
    gold = cs.Clustering.from_file(path, format="tsv", element="docID", cluster="subTopicID")
    if gold.overlapping:
        several = [
            id for id, code in zip(gold.ids or (), gold.codes, strict=True) if isinstance(gold.names[code], frozenset)
        ]
        raise cs.FileError(f"{path}: document {several[0]} is under several subtopics; in ODP239 each is under one")
    documents, subtopics = np.asarray(gold.ids, str), np.array(list(gold.names), str)[gold.codes]
    topic = np.char.partition(documents, ".")[:, 0]
    apart = np.flatnonzero(topic != np.char.partition(subtopics, ".")[:, 0])
    if len(apart):
        raise cs.FileError(
            f"{path}: {len(apart):,} document{'s' * (len(apart) > 1)} under a subtopic of another topic, e.g. "
            f"{documents[apart[0]]} under {subtopics[apart[0]]}; ids of ODP239 begin with the number of their topic"
        )
    return cs.Clustering.from_labels(gold.codes, documents=topic)


def search_results(gold_path: Path, *system_paths: Path) -> DataSet:
    """MORESQUE or SemEval-2013: the first subtopic of a result, and its best-ranked cluster by each system."""
    subtopic, (first, *others) = _first(gold_path), map(_first, system_paths)
    for clusters, path in zip((subtopic, *others), (gold_path, *system_paths[1:]), strict=True):
        same = clusters.keys() <= first.keys() and (clusters is subtopic or len(clusters) == len(first))
        if not same:
            raise cs.FileError(f"{path}: not the results of {system_paths[0].name}; the files belong together")
    documents = [topic for topic, _ in first]
    gold = cs.Clustering.from_labels([subtopic.get(result, _NO_SUBTOPIC) for result in first], documents=documents)
    systems = {
        name: cs.Clustering.from_labels([int(clusters[result]) for result in first], documents=documents)
        for name, clusters in zip(SYSTEMS, (first, *others), strict=True)
    }
    return DataSet(gold, np.array([result in subtopic for result in first], np.int64), systems)


def _first(path: Path) -> dict[tuple[str, str], str]:
    """The cluster of each topic and result, the first one where there are several."""
    topic, result, cluster = read_columns(cs.File(str(path), format="tsv"), ("topic", "result", "cluster"))
    if not topic:
        raise cs.FileError(f"{path} has no results")
    clusters: dict[tuple[str, str], str] = {}
    for key, name in zip(zip(topic, result, strict=True), cluster, strict=True):
        clusters.setdefault(key, name)
    return clusters
