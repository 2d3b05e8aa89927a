"""Pages of more overlaps or elements than they have room for: what is listed, that it says so, and that counts stay."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import clusterscore as cs
from clusterscore.command import main
from clusterscore.page import contents, effort, sample, writing
from page.written import Tags, Written

COUNT = 40_000


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Room for few, and no plots."""
    monkeypatch.setattr(sample, "MOST_CELLS", 2_000)
    monkeypatch.setattr(sample, "MOST_ELEMENTS", 3_000)
    monkeypatch.setattr(sample, "_AT_ONCE", 7_000)
    monkeypatch.setattr(writing, "system_figures", lambda *_: [])
    monkeypatch.setattr(writing, "compared_figures", lambda *_: [])


def sides(clusters: int, seed: int = 0) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    gold = rng.integers(0, clusters, COUNT)
    return gold, np.where(rng.random(COUNT) < 0.8, gold, rng.integers(0, clusters, COUNT))


def written(folder: Path, *given: Any, **options: Any) -> Written:
    return Written(cs.report(*given, path=folder / "page.html", **{"metrics": "elm", **options}))


@given(
    st.lists(st.integers(0, 5), min_size=1, max_size=40),
    st.lists(st.floats(0, 1), min_size=6, max_size=6),
    st.integers(0, 45),
)
def test_the_first_of_every_cell_are_listed_the_worst_first(cell: list[int], lacking: list[float], most: int) -> None:
    sizes, seen, rank = Counter(cell), Counter[int](), []
    for one in cell:
        rank.append(seen[one])
        seen[one] += 1
    order = sorted(range(len(cell)), key=lambda k: (rank[k], -lacking[cell[k]], cell[k]))
    counts = np.array([sizes[k] for k in range(6)])
    listed = sample.first_of_cells(np.array(cell), counts, np.array(lacking), most)
    assert np.flatnonzero(listed).tolist() == sorted(order[:most])


@pytest.mark.usefixtures("small")
def test_of_too_many_overlaps_those_of_the_worst_clusters_are_all_there(tmp_path: Path) -> None:
    gold, pred = sides(COUNT // 4)
    page = written(tmp_path, gold, pred)
    found = page.data["systems"][0]
    cells = page.rows(found["cells"], "gold", "pred", "n", "loss")
    assert 700 <= len(cells) <= 1_500
    names = {side: page.names(found["sides"][side]["names"]) for side in ("gold", "pred")}
    listed = Counter[tuple[str, str]]()
    for side, place in (("gold", 0), ("pred", 1)):
        exact = cs.clusters(gold, pred, side=side)
        columns = ("size", "overlap", "parts", "loss", "f")
        known = dict(zip(exact["cluster"].tolist(), zip(*(exact[name] for name in columns), strict=True), strict=True))
        entry = found["sides"][side]
        assert entry["of"] == len(exact)
        rows = page.rows(entry, *columns)
        assert len(rows) < entry["of"]
        for number, row in enumerate(rows):  # exact, though some of its overlaps may not be there
            assert row == pytest.approx(known[int(names[side][number])], rel=1e-6)
        parts = Counter(cell[place] for cell in cells)
        numbers = {name: number for number, name in names[side].items()}
        for name in exact["cluster"].tolist()[:20]:
            assert parts[numbers[str(name)]] == known[name][2], "the worst are there with all their parts"
        matches = page.column(entry["own"]["match"])
        pairs = {(cell[place], cell[1 - place]): cell[2] for cell in cells}
        for number, (match, row) in enumerate(zip(matches, rows, strict=True)):
            assert pairs[number, match] == row[1], "the overlap with the best match is there"
        listed.update((side, "exact") for number in parts if rows[number][4] == 1)
    assert listed["gold", "exact"] > 20, "some that cost nothing are drawn"
    assert found["lost"] == pytest.approx(1 - cs.elm(gold, pred).f)


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("clusters", [COUNT // 4, 20])
def test_elements_are_a_sample_with_their_own_clusters(tmp_path: Path, clusters: int) -> None:
    gold, pred = sides(clusters)
    page = written(tmp_path, gold, pred)
    elements = page.elements()
    assert page.data["systems"][0]["elements"] == COUNT
    assert len(elements) == 1_500
    by_cell = defaultdict(list)
    for name, a, b in elements:
        assert (gold[int(name)], pred[int(name)]) == (int(a), int(b))
        by_cell[a, b].append(int(name))
    for (a, b), places in by_cell.items():
        assert places == np.flatnonzero((gold == int(a)) & (pred == int(b)))[: len(places)].tolist()
    assert page.text == (tmp_path / "page.html").read_text(encoding="utf-8")
    again = written(tmp_path, gold, pred)
    assert again.data == page.data
    assert again.elements() == elements


def test_what_the_page_says_is_that_of_all_elements(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    gold, pred = sides(COUNT // 4)
    monkeypatch.setattr(writing, "system_figures", lambda *_: [])
    options = {"documents": np.arange(COUNT) // 1000, "by": np.arange(COUNT) % 3}
    every = Tags(written(tmp_path, gold, pred, **options).text).words
    request.getfixturevalue("small")
    some = written(tmp_path, gold, pred, **options)
    assert 500 <= len(some.elements()) <= 1_500
    unlike = [(a, b) for a, b in zip(every, Tags(some.text).words, strict=True) if a != b]
    assert all(a.startswith("Written on") for a, _ in unlike)


@pytest.mark.usefixtures("small")
def test_systems_share_a_sample_where_all_their_overlaps_are_there(tmp_path: Path) -> None:
    gold, pred = sides(20)
    page = written(tmp_path, gold, {"A": pred, "B": (gold + (gold % 2 == 0)) % 20})
    first, second = page.data["systems"]
    assert first["names"] == second["names"]
    assert 750 <= len(page.elements(0)) <= 1_500
    assert [name for name, *_ in page.elements(0)] == [name for name, *_ in page.elements(1)]
    gold, pred = sides(COUNT // 4)
    page = written(tmp_path, gold, {"A": pred, "B": gold})
    for system, predicted in ((0, gold), (1, pred)):
        assert page.data["systems"][system]["name"] == "BA"[system]
        for name, a, b in page.elements(system):
            assert (gold[int(name)], predicted[int(name)]) == (int(a), int(b))


@pytest.mark.usefixtures("small")
def test_one_cluster_of_more_overlaps_than_there_is_room(tmp_path: Path) -> None:
    """Its largest overlaps are there, and everything else that is listed fits together."""
    gold = np.random.default_rng(0).integers(0, COUNT // 4, COUNT)
    page = written(tmp_path, gold, np.zeros(COUNT, int), weights=np.random.default_rng(1).random(COUNT))
    found = page.data["systems"][0]
    sizes = [n for (n,) in page.rows(found["cells"], "n")]
    assert len(sizes) == len(page.column(found["sides"]["gold"]["row"]))
    assert max(sizes) == np.bincount(gold).max()
    assert found["sides"]["gold"]["of"] == len(set(gold.tolist()))
    assert found["sides"]["pred"]["of"] == 1
    shown = cs.elements(gold, np.zeros(COUNT, int), weights=np.random.default_rng(1).random(COUNT))["loss"]
    names = [int(name) for name, *_ in page.elements()]
    assert page.column(found["losses"]) == pytest.approx(shown[names], rel=1e-6)


@pytest.mark.usefixtures("small")
def test_texts_stand_with_the_elements_that_are_listed(tmp_path: Path) -> None:
    gold, pred = sides(COUNT // 4)
    texts = written(tmp_path, gold, pred, show=[f"text {k}" for k in range(COUNT)]).texts()
    assert len(texts) == 1_500
    assert all(text == f"text {name}" for name, text in texts.items())


def test_a_table_of_very_many_overlaps_has_a_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, small: None) -> None:
    page = written(tmp_path, cs.Table.from_labels(*sides(COUNT // 4)))
    assert page.data["systems"][0]["sides"]["gold"]["of"] > 9_000
    assert "elements" not in page.data["systems"][0]
    monkeypatch.setattr(contents, "_MOST_SETS", 2)
    sets = {"a": {1, 2}, "b": {1}, "c": {2}}, {"a": {1}, "b": {1}, "c": {2}}
    with pytest.raises(cs.InputError, match="3 overlaps of sets of clusters are too many for one page"):
        written(tmp_path, *map(cs.Clustering.from_memberships, sets), metrics=None)


def test_what_a_large_report_takes_is_said_before_the_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    gold, pred = sides(COUNT // 4)
    monkeypatch.setattr(writing, "system_figures", lambda *_: [])
    monkeypatch.setattr(effort, "_held", lambda otherwise: otherwise)  # not what other tests hold
    written(tmp_path, gold, pred)
    assert capsys.readouterr().err == "", "a small one is not worth a line"
    monkeypatch.setattr(effort, "_LONG", 0.5)
    written(tmp_path, gold, pred)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(effort, "_MANY", COUNT)
    written(tmp_path, gold, pred)
    said = r"40,000 elements: about 2 s, 0\.1 GB of memory, a page of 1 MB\n"
    assert re.fullmatch(said, capsys.readouterr().err)
    for name, side in (("gold", gold), ("pred", pred)):
        rows = (f"e{k},{label}" for k, label in enumerate(side.tolist()))
        (tmp_path / f"{name}.csv").write_text("\n".join(["element,cluster", *rows]), encoding="utf-8")
    files = [str(tmp_path / f"{name}.csv") for name in ("gold", "pred")]
    typed = ["report", *files, "-o", str(tmp_path / "page.html"), "--metric", "elm"]
    for options, expected in (([], said), (["--quiet"], "")):
        with pytest.raises(SystemExit, match=r"^0$"):
            main([*typed, *options])
        assert re.fullmatch(expected, capsys.readouterr().err)


@pytest.mark.parametrize(
    ("taken", "words"),
    [
        ((20_000_000, 77.0, 3.96e9, 13.4e6), "20,000,000 elements: about 80 s, 4.0 GB of memory, a page of 13 MB"),
        ((5_000_000, 13.2, 1.04e9, 31e6), "5,000,000 elements: about 13 s, 1.0 GB of memory, a page of 30 MB"),
        ((10**9, 4000.0, 2e11, 1e5), "1,000,000,000 elements: about 67 minutes, 200.0 GB of memory, a page of 1 MB"),
    ],
)
def test_an_estimate_is_as_coarse_as_it_is_sure(taken: tuple[int, float, float, float], words: str) -> None:
    assert str(effort.Effort(*taken)) == words


@pytest.mark.slow
def test_a_real_sample_and_its_estimate(tmp_path: Path) -> None:
    """Three million elements, more than are listed: in a process of its own, whose memory is its own."""
    code = (
        "import json, sys, resource, numpy as np, clusterscore as cs\n"
        "rng = np.random.default_rng(0); count = 3_000_000; gold = rng.integers(0, count // 4, count)\n"
        "pred = np.where(rng.random(count) < 0.8, gold, rng.integers(0, count // 4, count))\n"
        "page = cs.report(gold, pred, path=sys.argv[1]).stat().st_size\n"
        "print(json.dumps([page, 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, cs.elm(gold, pred).f]))\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "page.html")], capture_output=True, text=True, check=True
    )
    page, memory, score = json.loads(ran.stdout)
    told = re.fullmatch(r"3,000,000 elements: about \d+ s, (.+) GB of memory, a page of (\d+) MB\n", ran.stderr)
    assert told is not None, ran.stderr
    assert 0.5 < 1e9 * float(told[1]) / memory < 2
    assert 0.5 < 1e6 * float(told[2]) / page < 2
    assert memory < 1.5e9
    found = Written(tmp_path / "page.html")
    (system,) = found.data["systems"]
    assert system["elements"] == 3_000_000
    assert system["lost"] == pytest.approx(1 - score)
    assert found.data["columns"][system["cell"]]["count"] <= 1_000_000
