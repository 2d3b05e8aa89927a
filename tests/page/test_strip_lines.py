"""Ordered data on a page: when it is drawn as strips, what each line says, and that it stays small."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import clusterscore as cs
from clusterscore.fields import using
from clusterscore.nouns import Nouns, Use
from page.browser import Browser
from page.written import Tags

pytestmark = pytest.mark.usefixtures("without_plots")

GOLD = {"monday": [1, 0, 0, 1, 0, 1], "tuesday": [1, 0, 1, 0], "friday": [1, 0, 0]}
PRED = {"monday": [1, 0, 1, 1, 0, 0], "tuesday": [1, 0, 1, 0], "friday": [1, 1, 1]}
SETS = [{"a", "b"}, {"c"}]


def streams(starts: dict[str, list[int]]) -> cs.Clustering:
    return cs.Clustering.from_boundaries(starts)


def section(folder: Path, *given: Any, **options: Any) -> str:
    """The part of a page that draws boundaries; empty where there is none."""
    page = cs.report(*given, path=folder / "report.html", **options).read_text("utf-8")
    part = page.partition('<section id="boundaries"')[2].partition("</section>")[0]
    assert bool(part) == ('<a href="#boundaries">' in page)
    return part


def drawn(text: str, kind: str) -> list[list[int]]:
    """The places of boundaries of a kind, line by line."""
    lines = text.split("<details")[1:]
    paths = [re.findall(rf'<path class="cuts {kind}" d="([^"]*)"', line) for line in lines]
    return [[int(place) for place in re.findall(r"M(\d+) ", "".join(path))] for path in paths]


def words(text: str) -> list[str]:
    return [" ".join(word.split()) for word in Tags(text).words]


def test_the_worst_streams_come_first_with_their_wrong_boundaries(tmp_path: Path) -> None:
    with using(Use(nouns=Nouns(("page", "pages"), ("segment", "segments"), ("stream", "streams")))):
        text = section(tmp_path, streams(GOLD), streams(PRED))
    shown = words(text)
    assert shown[2].startswith(
        "Each stream is a line, in the order of its pages: gold segments above, predicted segments"
    )
    assert shown[4:6] == ["gold boundaries that were missed: 1", "predicted ones that gold does not have: 3"]
    assert [shown[shown.index(name) + 1] for name in GOLD] == ["1 missed, 1 extra", "all right", "2 extra"]
    assert [shown.index(name) for name in ("monday", "friday", "tuesday")] == sorted(shown.index(name) for name in GOLD)
    assert drawn(text, "missed") == [[5], [], []]
    assert drawn(text, "extra") == [[2], [1, 2], []]
    assert drawn(text, "right") == [[3], [], [2]]
    assert "6 pages. Missed before page: 6. Extra before page: 3." in shown
    assert "All of this stream" in shown
    assert re.findall(r'data-find="doc/(\d)"', text) == ["0", "2", "1"]
    assert "worst of" not in text


def test_pages_with_names_of_their_own_are_named(tmp_path: Path) -> None:
    names = [f"scan {k}" for k in "abcdef"]
    sides = [dict(zip(names, labels, strict=True)) for labels in ("112223", "111233")]
    text = section(tmp_path, *sides)
    assert "Missed before element: 3 (scan c), 6 (scan f). Extra before element: 4 (scan d), 5 (scan e)." in " ".join(
        words(text)
    )
    assert "data-find" not in text  # one document has no page of its own


@pytest.mark.parametrize(
    ("gold", "pred", "options"),
    [
        ([0, 1, 0, 1], [0, 0, 1, 1], {}),  # labels come back
        ([0, 0, 1, 1], [0, 1, 0, 1], {}),
        (SETS, SETS, {}),
        ([0, 1, 2], [3, 4, 5], {}),  # nothing but singletons
        (cs.Table.from_labels([0, 0, 1], [0, 1, 1]), None, {}),
        ({"a": 1, "b": 1}, {"a": 1, "c": 1}, {"missing": "singleton"}),
        (cs.Clustering.from_memberships({"a": [1, 2], "b": [1]}), {"a": 1, "b": 1}, {}),
        (cs.Sample({"a": 1, "b": 1, "c": 2}, weights="uniform"), {"a": 1, "b": 1, "c": 2, "d": 2}, {}),
    ],
)
@pytest.mark.filterwarnings("ignore::clusterscore.ClusterscoreWarning")
def test_what_is_no_segmentation_has_no_section(gold: Any, pred: Any, options: dict[str, Any], tmp_path: Path) -> None:
    assert section(tmp_path, gold, pred, **options) == ""


def test_every_system_has_its_own_strips(tmp_path: Path) -> None:
    gold = {"a": 1, "b": 1, "c": 2, "d": 2}
    documents = {"a": "x", "b": "x", "c": "y", "d": "y"}
    systems = {"same": gold, "cut": {"a": 1, "b": 2, "c": 3, "d": 3}, "mixed": {"c": 1, "d": 1, "a": 2, "b": 3}}
    text = section(tmp_path, gold, systems, documents=documents)
    first, second, third = re.split(r'<div data-system="\d"', text)[1:]
    assert drawn(first, "extra") == [[], []]
    assert drawn(second, "extra") == drawn(third, "extra") == [[1], []]
    assert re.findall(r'data-find="(.*?)"', text) == 3 * ["doc/0", "doc/1"]
    text = section(tmp_path, list("aabb"), {"runs": list("xxyy"), "none": list("xyxy")})
    assert "The clusters of this prediction are not runs of neighbours" in text.partition('data-system="1"')[2]


def test_weights_change_no_boundaries(tmp_path: Path) -> None:
    text = section(tmp_path, list("aabb"), list("xyyy"), weights=[1.0, 2.0, 0.5, 3.0])
    assert (drawn(text, "missed"), drawn(text, "extra")) == ([[2]], [[1]])


def test_many_streams_and_a_long_one_stay_small(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    gold, pred = (np.cumsum(rng.random(40_000) < 0.4) for _ in range(2))
    documents = np.repeat(np.arange(4000), 10)
    text = section(tmp_path, gold, pred, documents=documents, metrics="elm")
    starts = [np.diff(side, prepend=-1) > 0 for side in (gold, pred)]
    for side in starts:
        side[::10] = False
    counts = [np.add.reduceat(left & ~right, np.arange(0, 40_000, 10)) for left, right in (starts, starts[::-1])]
    assert text.count("<details") == 40
    assert "The 40 worst of 4,000 documents are drawn; all are counted above." in words(text)
    assert f"gold boundaries that were missed: {counts[0].sum():,}" in words(text)
    worst = np.argsort(-(counts[0] + counts[1]), kind="stable")[:40]
    assert [len(line) for line in drawn(text, "missed")] == counts[0][worst].tolist()
    assert [len(line) for line in drawn(text, "extra")] == counts[1][worst].tolist()
    assert len(text) < 100_000
    text = section(tmp_path, gold[:10_000], pred[:10_000], metrics="elm")
    assert len(text) < 150_000
    assert "Each column stands for 3 elements." in text
    assert len(drawn(text, "extra")[0]) <= 4000
    assert re.search(r"and [\d,]+ more\.", text)


def test_a_click_on_a_line_shows_it_at_full_width(browser: Browser, tmp_path: Path) -> None:
    gold = {**GOLD, "long": [1, 0, 0] * 100}
    pred = {**PRED, "long": [1, 0, 0, 1, 1, 0] * 50}
    page = cs.report(streams(gold), streams(pred), path=tmp_path / "page.html")
    line, wide = ".strip:nth-of-type(2)", ".strip:nth-of-type(2) .wide svg"
    for width in (390, 1280):
        browser.resize(width, 800)
        browser.open(page)
        assert browser.run("document.querySelectorAll('.strip').length") == 4
        before = browser.run(f"document.querySelector('{line} summary svg').getBoundingClientRect().width")
        assert browser.run(f"document.querySelector('{wide}').checkVisibility()") is False
        browser.click(f"{line} summary")
        browser.wait(f"document.querySelector('{wide}').checkVisibility()")
        assert browser.run(f"document.querySelector('{wide}').getBoundingClientRect().width") > 10 * before
        numbers = f"[...document.querySelectorAll('{line} .numbers span')].map((one) => one.textContent)"
        assert browser.run(numbers) == ["1", "2", "3", "4", "5", "6"]
        # a mark is drawn again in the colour that it has, not as a black area
        painted = f"getComputedStyle(document.querySelector('{line} .cuts.missed'))"
        assert browser.run(f"{painted}.fill") == "none"
        assert browser.run("document.documentElement.scrollWidth") == width
        browser.prefer("light", "print")
        assert browser.run("[...document.querySelectorAll('.strip')].every((one) => one.checkVisibility())")
        browser.prefer("light")
        assert not browser.errors
    browser.click(f"{line} .note button")
    browser.wait("document.getElementById('detail-heading')")
    assert "monday" in browser.run("document.getElementById('detail-heading').textContent")
