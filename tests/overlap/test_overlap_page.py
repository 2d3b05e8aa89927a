"""The page and the plots of overlapping clusterings."""

from __future__ import annotations

import gzip
import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import clusterscore as cs
from clusterscore.metrics import OVERLAPPING_SET
from clusterscore.page import findings
from clusterscore.plot.overlapping import blocked
from overlap.clusterings import by_document, random_pair
from page.browser import Browser
from page.written import Tags, Written
from running import run

PHILOSOPHERS = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "clusim-philosophy"

MEMBERSHIPS = cs.Clustering.from_memberships
IN_GOLD = {"a": {1, 2}, "b": {1}, "c": {2, 3}, "d": {3}}
IN_PRED = {"a": {"x"}, "b": {"x", "y"}, "c": {"y"}, "d": {"y", "z"}}
GOLD, PRED = MEMBERSHIPS(IN_GOLD), MEMBERSHIPS(IN_PRED)


def documents(count: int = 12) -> list[cs.Clustering]:
    rng = random.Random(1)
    return by_document([random_pair(rng) for _ in range(count)])


def lines(ax: Any) -> dict[str, list[float]]:
    return {line.get_label(): line.get_ydata().tolist() for line in ax.lines}


def test_sizes_are_those_of_clusters() -> None:
    ax = cs.plot.sizes(GOLD, PRED)
    assert [[int(bar.get_height()) for bar in bars] for bars in ax.containers] == [[0, 3, 0], [1, 1, 1]]


def test_by_size_shares_an_element_among_its_gold_clusters() -> None:
    gold = MEMBERSHIPS({"a": {1, 2}, "b": {1}, "c": {1, 3}})  # clusters of 3, 1 and 1 elements
    pred = {"a": "x", "b": "x", "c": "y"}
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
    blocks = blocked(table, 2)
    gold, pred = ([set(cluster) for cluster in side] for side in pair)
    everything = set().union(*gold)
    sides = []
    for labels, clusters, number in ((blocks.rows, gold, 0), (blocks.columns, pred, 1)):
        names = [label.short for label in labels]
        shown = [clusters[int(name.partition(" ")[0])] for name in names[: blocks.clusters[number]]]
        rest = everything - set().union(*shown)
        assert len(names) == len(shown) + bool(rest)
        sides.append(shown + ([rest] if rest else []))
        if rest and table.overlapping:
            assert names[-1].startswith(f"only in {len(clusters) - len(shown)} other")
    assert blocks.size.tolist() == list(map(len, sides[0]))
    assert blocks.matrix.tolist() == [[len(row & column) for column in sides[1]] for row in sides[0]]


def test_scores_of_documents() -> None:
    gold, pred = documents()
    card = cs.score(gold, pred)
    for given in ((gold, pred), (card,)):
        words = [text.get_text() for text in cs.plot.distribution(*given).get_legend().get_texts()]
        assert [word.split()[0] for word in words] == ["matched_bcubed", "matched_elm"]
        points = cs.plot.difference(*given).collections[0].get_offsets()
    rng = random.Random(1)
    sizes = [[len(cluster) for cluster in random_pair(rng)[0]] for _ in range(12)]
    assert Counter(points[:, 0].round(9).tolist()) == Counter(
        round(sum(document) / len(document), 9) for document in sizes
    )
    with pytest.raises(cs.InputError, match="bcubed is a measure of partitions"):
        cs.plot.distribution(gold, pred, metrics=["bcubed", "elm"])


def memberships(page: Written, side: str) -> dict[str, set[str]]:
    """The clusters of each element, by name, as the page knows them."""
    elements, names = page.systems[0]["elements"], page.systems[0]["sides"][side]["names"]
    clusters = zip(elements["names"], elements[side], strict=True)
    return {name: {names[cluster] for cluster in rows} for name, rows in clusters}


def test_the_page_holds_every_membership_and_every_loss(tmp_path: Path) -> None:
    page = Written(cs.report(GOLD, PRED, path=tmp_path / "page.html"))
    assert memberships(page, "gold") == {name: set(map(str, labels)) for name, labels in IN_GOLD.items()}
    assert memberships(page, "pred") == IN_PRED
    system = page.systems[0]
    assert system["lost"] == pytest.approx(1 - cs.matched_elm(GOLD, PRED).f)
    rows = cs.clusters(GOLD, PRED)
    for side, clusters in system["sides"].items():
        own = rows.take(rows["side"] == side)
        assert clusters["names"] == list(map(str, own["cluster"].tolist()))
        for name in ("size", "parts", "overlap", "precision", "recall", "f", "loss"):
            assert clusters[name] == pytest.approx(own[name].tolist())
    words = " ".join(Tags(page.text).words)
    assert "kinds of errors are defined for partitions only" in words
    assert "What an element costs is shared equally by its clusters" in words
    card = cs.score(GOLD, PRED)
    assert all(f"{score.value:.4f}".replace("-", "−") in words for score in card.values())
    assert tuple(card) == OVERLAPPING_SET
    titles = ("Cluster sizes", "Small and large clusters", "The largest overlaps")
    assert [title in words for title in titles] == [True] * 3


@pytest.mark.usefixtures("without_plots")
@pytest.mark.parametrize("seed", range(5))
def test_documents_and_clusters_come_back(seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)
    pairs = [random_pair(rng, 6) for _ in range(4)]
    page = Written(
        cs.report(*by_document(pairs), path=tmp_path / "page.html", metrics="matched_elm", element_metric="matched_elm")
    )
    system = page.systems[0]
    for side, cover in (("gold", 0), ("pred", 1)):
        sizes = Counter((str(k), len(cluster)) for pair in pairs for k, cluster in enumerate(pair[cover]))
        assert Counter(zip(system["sides"][side]["names"], system["sides"][side]["size"], strict=True)) == sizes
    assert page.documents is not None
    names = page.documents["names"]
    assert Counter(names[document] for document in system["sides"]["gold"]["document"]) == Counter(
        {str(d): len(pair[0]) for d, pair in enumerate(pairs)}
    )


@pytest.mark.usefixtures("without_plots")
@pytest.mark.parametrize("options", [
    {"element_metric": "element_centric"}, {"element_metric": "extended_bcubed(f=of-means)"}, {"metrics": ["omega"]},
    {"weights": dict.fromkeys("abcd", 2.0)}, {"average": "macro"},
], ids=str)  # fmt: skip
def test_a_page_under_every_kind_of_measure(options: dict[str, Any], tmp_path: Path) -> None:
    page = Written(cs.report(GOLD, PRED, path=tmp_path / "page.html", **options))
    weights = options.get("weights")
    lost = cs.elements(GOLD, PRED, metric=options.get("element_metric"), weights=weights)["loss"].sum()
    assert page.systems[0]["lost"] == pytest.approx(lost)
    assert ("tp" in page.systems[0]["elements"]) == ("element_metric" not in options)


@pytest.mark.usefixtures("without_plots")
def test_labels_of_elements_are_not_systems(tmp_path: Path) -> None:
    def written(*given: Any) -> list[str]:
        page = Written(cs.report(*given, path=tmp_path / "page.html", metrics="matched_elm"))
        return list(page.data["systems"])

    assert written(GOLD, PRED) == ["prediction"]
    partition = {name: min(labels) for name, labels in IN_GOLD.items()}
    assert written(partition, PRED) == ["prediction"]  # one side overlaps
    words = {name: [f"topic {label}" for label in labels] for name, labels in IN_GOLD.items()}
    with pytest.raises(cs.InputTypeError, match=r"gold: 'a': \['topic 1', 'topic 2'\].*from_memberships.*cs\.compare"):
        written(words, PRED)
    assert written(MEMBERSHIPS(words), PRED) == ["prediction"]
    assert written(GOLD, {"A": PRED, "B": partition}) == ["A", "B"]
    assert written(partition, {"A": partition, "B": PRED}) == ["A", "B"]  # the second overlaps


def test_systems_may_overlap_more_or_less() -> None:
    """Omega has a number for every count of shared clusters, and one system may have larger counts than the other."""
    gold = MEMBERSHIPS({k: {1, 2} if k % 3 else {1} for k in range(12)})
    less, more = {k: k % 3 for k in range(12)}, MEMBERSHIPS({k: {k % 3, "y", "z"} for k in range(12)})
    for systems in ({"less": less, "more": more}, {"more": more, "less": less}):
        with pytest.warns(cs.ClusterscoreWarning, match="as if they were independent"):
            comparison = cs.compare(gold, systems, resamples=20, unit="elements", metrics=["omega", "matched_elm"])
        assert {name: comparison[name]["omega"].score.value for name in systems} == {
            name: cs.omega(gold, pred).value for name, pred in systems.items()
        }
    card = cs.score(less, more, baselines=True)  # the baselines are partitions, and gold is one too
    assert {name: list(base) for name, base in card.baselines.items()} == {name: list(card) for name in card.baselines}


def test_the_command_takes_the_measure_for_overlap(tmp_path: Path) -> None:
    for name, side in (("gold", IN_GOLD), ("pred", IN_PRED)):
        rows = [f"{element},{label}" for element, labels in side.items() for label in sorted(labels, key=str)]
        (tmp_path / f"{name}.csv").write_text("\n".join(["element,cluster", *rows]) + "\n")
    files = [str(tmp_path / "gold.csv"), str(tmp_path / "pred.csv")]
    printed = run("clusters", *files, "--format", "csv").stdout
    assert run("report", *files, "-o", str(tmp_path / "page.html")).returncode == 0
    losses = [float(line.split(",")[-2]) for line in printed.splitlines()[1:7]]
    assert sum(losses) == pytest.approx(2 * (1 - cs.matched_elm(GOLD, PRED).f))
    assert memberships(Written(tmp_path / "page.html"), "pred") == IN_PRED


@pytest.mark.skipif(not PHILOSOPHERS.exists(), reason="the philosophers (shared/data/clusim-philosophy) are not here")
def test_the_philosophers_fit_a_page(tmp_path: Path) -> None:
    gold, pred = (
        cs.Clustering.from_memberships(json.loads(gzip.decompress((PHILOSOPHERS / f"{name}.json.gz").read_bytes())))
        for name in ("ground_truth_community_Philosophy", "detected_community_Philosophy")
    )
    path = cs.report(gold, pred, path=tmp_path / "page.html", missing="drop")
    assert path.stat().st_size < 1_000_000
    page = Written(path)
    system = page.systems[0]
    assert [system["sides"][side]["count"] for side in ("gold", "pred")] == [5416, 873]
    assert system["lost"] == pytest.approx(1 - cs.matched_elm(gold, pred, missing="drop").f)
    assert "Chance is the mean of 5 shuffles" in " ".join(Tags(page.text).words)


def test_chance_is_left_out_where_it_would_take_minutes() -> None:
    rng = np.random.default_rng(0)
    sides = [[set(rng.choice(50, 12, replace=False).tolist()) for _ in range(2000)] for _ in range(2)]
    few = cs.Table.from_labels(*(cs.Clustering.from_memberships(side[:100]) for side in sides))
    many = cs.Table.from_labels(*map(cs.Clustering.from_memberships, sides))
    # 100 and 2,000 elements, 144 pairs of clusters in each
    assert findings._shuffles(few, 1) == 400_000 // 14_400 == 27
    assert findings._shuffles(many, 1) == 0
    assert findings._shuffles(cs.Table.from_labels(GOLD, PRED), 1) == 1000


@pytest.mark.usefixtures("without_plots")
def test_a_click_shows_what_a_cluster_shares_with_the_others(browser: Browser, tmp_path: Path) -> None:
    rng = random.Random(5)
    gold = {f"e{k:02}": {f"g{label}" for label in rng.sample(range(9), rng.randint(1, 7))} for k in range(40)}
    pred = {element: {f"p{label}" for label in rng.sample(range(6), rng.randint(1, 3))} for element in gold}
    sides = MEMBERSHIPS(gold), MEMBERSHIPS(pred)
    path = cs.report(*sides, path=tmp_path / "page.html", metrics="matched_elm")
    browser.open(path)
    cells = "[...document.querySelectorAll('{} tbody tr')].map((row) => [...row.cells].map((cell) => cell.innerText))"
    (worst, *_), *_ = browser.run(cells.format("#cluster-table"))
    assert worst == cs.clusters(*sides, side="gold")["cluster"][0]
    browser.click("#cluster-table tbody a")
    browser.wait("!document.getElementById('detail').hidden")
    members = {element for element, labels in gold.items() if worst in labels}
    table = browser.run(cells.format("#detail .scroll"))
    shared = {row[0]: int(row[1]) for row in table if row[0].startswith("p")}
    assert shared == Counter(label for element in members for label in pred[element])
    rows = {row[0]: row for row in table if row[0].startswith("e")}
    assert set(rows) == members or len(rows) == 25  # the first page of them
    for element, row in rows.items():
        assert set(row[4].split(", ")) == pred[element]
    # an element of many clusters shows four, and the others on a click
    many = next(element for element in rows if len(gold[element]) > 4)
    shown, _, more = rows[many][3].rpartition(" more")[0].rpartition(" ")
    assert len(shown.split(", ")) == 4
    assert int(more) == len(gold[many]) - 4
    browser.run(f"[...document.querySelectorAll('#detail tr')].find((row) => row.cells[0].innerText === '{many}')"
                ".querySelector('.more').click()")  # fmt: skip
    again = {row[0]: row for row in browser.run(cells.format("#detail .scroll"))}
    assert set(again[many][3].split(", ")) == gold[many]
    assert browser.unnamed() == []
    assert browser.errors == []
    # elements are found by any of their clusters
    browser.open(path)
    browser.type("#element-table input[type=search]", "g3")
    browser.wait("document.querySelector('#element-table .status').innerText.includes('(of 40)')")
    holding = sum("g3" in labels for labels in gold.values())
    assert f" {holding} (of 40)" in browser.run("document.querySelector('#element-table .status').innerText")
