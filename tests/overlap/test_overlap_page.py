"""The page and the plots of overlapping clusterings."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

import clusterscore as cs
from clusterscore.plot.overlapping import blocked
from overlap.clusterings import by_document, random_pair

GOLD = {"a": {1, 2}, "b": {1}, "c": {2, 3}, "d": {3}}
PRED = {"a": {"x"}, "b": {"x", "y"}, "c": {"y"}, "d": {"y", "z"}}


def documents(count: int = 12) -> list[cs.Clustering]:
    rng = random.Random(1)
    return by_document([random_pair(rng) for _ in range(count)])


def lines(ax: Any) -> dict[str, list[float]]:
    return {line.get_label(): line.get_ydata().tolist() for line in ax.lines}


def test_sizes_are_those_of_clusters() -> None:
    ax = cs.plot.sizes(GOLD, PRED)
    assert [[int(bar.get_height()) for bar in bars] for bars in ax.containers] == [[0, 3, 0], [1, 1, 1]]


def test_by_size_shares_an_element_among_its_gold_clusters() -> None:
    gold = {"a": {1, 2}, "b": {1}, "c": {1, 3}}  # clusters of 3, 1 and 1 elements
    pred = {"a": {"x"}, "b": {"x"}, "c": {"y"}}
    rows = cs.elements(gold, pred, metric="matched_bcubed")
    ax = cs.plot.by_size(gold, pred, metric="matched_bcubed")
    share = [bar.get_height() for bar in ax.containers[0]]
    assert share == pytest.approx([1 / 3, 2 / 3])
    for name in ("precision", "recall"):
        a, b, c = rows[name].tolist()
        assert lines(ax)[name] == pytest.approx([(a + c) / 2, (a / 2 + b + c / 2) / 2])


@pytest.mark.parametrize("metric", [None, "matched_bcubed", "extended_bcubed(beta=2)"])
def test_by_size_adds_up_to_the_score(metric: str | None) -> None:
    gold, pred = documents()
    ax = cs.plot.by_size(gold, pred, metric=metric)
    share = [bar.get_height() for bar in ax.containers[0]]
    score = cs.metric(metric or "matched_elm")(gold, pred)
    assert np.dot(share, lines(ax)["precision"]) == pytest.approx(score.precision, abs=1e-12)
    assert np.dot(share, lines(ax)["recall"]) == pytest.approx(score.recall, abs=1e-12)


def test_a_measure_of_overlap_is_drawn_for_partitions_too() -> None:
    gold, pred = [0, 0, 0, 1, 2], [0, 0, 1, 1, 2]
    assert lines(cs.plot.by_size(gold, pred, metric="matched_elm")) == lines(cs.plot.by_size(gold, pred))
    with pytest.raises(cs.MetricError, match="element_centric has no precision and recall"):
        cs.plot.by_size(gold, pred, metric="element_centric")


@pytest.mark.parametrize("seed", range(20))
def test_overlaps_count_the_elements_of_each_pair_and_those_of_no_cluster_shown(seed: int) -> None:
    pair = random_pair(random.Random(seed), 20)
    table = cs.Table.from_labels(*map(cs.Clustering.from_clusters, pair))
    found = blocked(table, 2)
    gold, pred = ([set(cluster) for cluster in side] for side in pair)
    everything = set().union(*gold)
    sides = []
    for names, clusters, number in ((found.rows, gold, 0), (found.columns, pred, 1)):
        shown = [clusters[int(name.partition(" ")[0])] for name in names[: found.clusters[number]]]
        rest = everything - set().union(*shown)
        assert len(names) == len(shown) + bool(rest)
        sides.append(shown + ([rest] if rest else []))
        if rest and table.overlapping:
            assert names[-1].startswith(f"only in {len(clusters) - len(shown)} other")
    assert found.size.tolist() == list(map(len, sides[0]))
    assert found.matrix.tolist() == [[len(row & column) for column in sides[1]] for row in sides[0]]


def test_scores_of_documents() -> None:
    gold, pred = documents()
    card = cs.score(gold, pred)
    for given in ((gold, pred), (card,)):
        words = [text.get_text() for text in cs.plot.distribution(*given).get_legend().get_texts()]
        assert [each.split()[0] for each in words] == ["matched_bcubed", "matched_elm"]
        points = cs.plot.difference(*given).collections[0].get_offsets()
    rng = random.Random(1)
    sizes = [[len(cluster) for cluster in random_pair(rng)[0]] for _ in range(12)]
    assert Counter(points[:, 0].round(9).tolist()) == Counter(round(sum(each) / len(each), 9) for each in sizes)
    with pytest.raises(cs.InputError, match="bcubed is a measure of partitions"):
        cs.plot.distribution(gold, pred, metrics=["bcubed", "elm"])
