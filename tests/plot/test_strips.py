"""Strips, tested on what they draw: every boundary against those that are found here, page by page."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import clusterscore as cs
from clusterscore.fields import using
from clusterscore.nouns import Nouns, Use
from plot.test_canvas import none_is_clipped, ticks, tips

matplotlib = pytest.importorskip("matplotlib", reason="plots need matplotlib")

PAGES = Nouns(("page", "pages"), ("segment", "segments"), ("stream", "streams"))
Stream = list[tuple[int, int]]  # for each page whether gold and the prediction start a segment there


def sides(streams: list[Stream]) -> tuple[list[str], list[str], list[int]]:
    """Labels of both sides and the stream of each page."""
    gold, pred, documents = [], [], []
    for name, stream in enumerate(streams):
        segment = [0, 0]
        for starts in stream:
            segment = [before + start for before, start in zip(segment, starts, strict=True)]
            gold.append(f"g{segment[0]}")
            pred.append(f"p{segment[1]}")
            documents.append(name)
    return gold, pred, documents


def wrong(streams: list[Stream]) -> dict[str, Counter[tuple[int, int]]]:
    """Stream and page of every boundary, by its kind; the first page of a stream is no boundary."""
    boundaries: dict[str, Counter[tuple[int, int]]] = {kind: Counter() for kind in ("right", "missed", "extra")}
    kinds = {(1, 1): "right", (1, 0): "missed", (0, 1): "extra"}
    for name, stream in enumerate(streams):
        for page, starts in enumerate(stream[1:], 2):
            if starts in kinds:
                boundaries[kinds[starts]][name, page] += 1
    return boundaries


def marks(ax: Any) -> dict[str, Counter[tuple[int, int]]]:
    """Row and page of every mark that is drawn, by its kind."""
    drawn = {}
    for kind, patch in zip(("right", "missed", "extra"), ax.patches, strict=True):
        starts = patch.get_path().vertices.reshape(-1, 2, 2)
        assert (starts[:, 0, 0] == starts[:, 1, 0]).all()  # upright
        drawn[kind] = Counter((round(y.mean()), round(x[0] + 0.5)) for x, y in starts.transpose(0, 2, 1))
    return drawn


def legend(ax: Any) -> list[str]:
    return [text.get_text() for text in ax.get_legend().get_texts()]


def rows(ax: Any) -> list[str]:
    return [text.get_text() for text in ax.get_yticklabels()]


pages = st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), min_size=1, max_size=12)


@settings(max_examples=30, deadline=None)
@given(st.lists(pages, min_size=2, max_size=6), st.randoms())
def test_every_boundary_is_drawn_once_in_its_row(streams: list[Stream], random: Any) -> None:
    gold, pred, documents = sides(streams)
    # pages of several streams may lie between one another, as long as each stream keeps its order
    turns = documents.copy()
    random.shuffle(turns)
    taken = {name: iter([k for k, document in enumerate(documents) if document == name]) for name in set(turns)}
    order = [next(taken[name]) for name in turns]
    mixed = [[side[k] for k in order] for side in (gold, pred, documents)]
    with cs.plot.offscreen():
        ax = cs.plot.strip(mixed[0], mixed[1], documents=[f"s{name}" for name in mixed[2]])
    expected, drawn = wrong(streams), marks(ax)
    place = {row.split(" · ")[0]: k for k, row in enumerate(rows(ax))}
    for kind, boundaries in expected.items():
        assert drawn[kind] == Counter({(place[f"s{name}"], page): n for (name, page), n in boundaries.items()})
    counts = Counter(name for kind in ("missed", "extra") for name, _ in expected[kind])
    assert [int(row.split(" · ")[1]) for row in rows(ax)] == sorted(counts[k] for k in range(len(streams)))[::-1]
    missed, extra = expected["missed"].total(), expected["extra"].total()
    assert legend(ax) == [f"gold, above: {missed} missed", f"predicted, below: {extra} extra"]
    score = cs.boundaries(gold, pred, documents=documents)
    right = expected["right"].total()
    assert score.precision == pytest.approx(right / (right + extra) if right + extra else 1)
    assert score.recall == pytest.approx(right / (right + missed) if right + missed else 1)


def test_gold_is_above_and_wrong_boundaries_have_the_colours_of_their_sides() -> None:
    ax = cs.plot.strip(cs.Clustering.from_lengths([3, 2, 2]), cs.Clustering.from_lengths([2, 3, 1, 1]))
    _, missed, extra = ax.patches
    low, high = ax.get_ylim()
    assert low > high  # the first row is on top
    assert (missed.get_path().vertices[:, 1] < 0).all()
    assert (extra.get_path().vertices[:, 1] > 0).all()
    assert [matplotlib.colors.to_hex(patch.get_edgecolor()) for patch in (missed, extra)] == ["#0072b2", "#d55e00"]
    assert missed.get_path().vertices[:, 0].tolist() == [3.5, 3.5]  # between pages 3 and 4
    assert extra.get_path().vertices[::2, 0].tolist() == [2.5, 6.5]
    assert ax.get_xlim() == (0.5, 7.5)
    assert (ax.get_xlabel(), ax.get_ylabel(), rows(ax)) == ("element", "", [""])


def test_lines_are_named_in_the_words_of_the_field_and_say_how_many_there_are() -> None:
    gold, pred, documents = sides([[(1, 1), (0, 1), (1, 1)], [(1, 1), (0, 0)], [(1, 1), (1, 0), (1, 0), (1, 0)]])
    with using(Use(nouns=PAGES)):
        ax = cs.plot.strip(gold, pred, documents=documents, most=2)
        assert tips(ax)[:2] == [
            ("\u20682\u2069: 4 pages, 3 missed", "doc/2"),
            ("\u20680\u2069: 3 pages, 1 extra", "doc/0"),
        ]
    assert rows(ax) == ["2 · 3", "0 · 1"]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("page (the 2 worst of 3 streams)", "stream · wrong")
    whole = cs.plot.strip(gold, pred, documents=documents)
    assert rows(whole) == ["2 · 3", "0 · 1", "1 · 0"]
    assert whole.get_xlabel() == "element"
    assert tips(whole)[-1] == ("\u20681\u2069: 2 elements, all right", "doc/1")
    assert tips(cs.plot.strip([0, 0, 1], [0, 1, 1])) == 2 * [("3 elements, 1 missed, 1 extra", None)]


def test_forty_long_names_do_not_meet() -> None:
    streams: list[Stream] = [[(1, 1), (1, 0), (0, 1), (0, 0)] * (k + 1) for k in range(50)]
    gold, pred, documents = sides(streams)
    ax = cs.plot.strip(gold, pred, documents=[f"a stream with a long name {name}" for name in documents])
    ax.figure.canvas.draw()
    assert len(rows(ax)) == 40
    texts = [*ticks(ax.xaxis), *ticks(ax.yaxis), ax.xaxis.label, ax.yaxis.label, *ax.get_legend().get_texts()]
    none_is_clipped(ax.figure, texts)
    boxes = sorted((text.get_window_extent() for text in ticks(ax.yaxis)), key=lambda box: box.y0)
    assert all(lower.y1 <= upper.y0 + 1 for lower, upper in pairwise(boxes))


def test_a_table_knows_its_order_where_it_has_members() -> None:
    gold, pred, documents = sides([[(1, 1), (0, 1), (1, 1)], [(1, 1), (0, 0)]])
    drawn = cs.plot.svg(cs.plot.strip(gold, pred, documents=documents))
    table = cs.Table.from_labels(gold, pred, documents=documents, members=True)
    assert cs.plot.svg(cs.plot.strip(table)) == drawn
    card = cs.score(gold, pred, documents=documents, metrics="boundaries")
    assert cs.plot.svg(cs.plot.strip(card)) == drawn


def test_runs_of_labels_that_come_back() -> None:
    ax = cs.plot.strip(list("aabbaa"), list("xxxyyy"), runs=True)
    assert legend(ax) == ["gold, above: 2 missed", "predicted, below: 1 extra"]


@pytest.mark.parametrize(
    ("gold", "pred", "options", "message"),
    [
        ([0, 1, 0], [0, 1, 1], {}, r"1 label comes back after others in gold \(e\.g\. 0 at position 2\).*"
                                   r"use Clustering\.from_boundaries.*use cs\.plot\.strip\(\.\.\., runs=True\)$"),
        ([0, 0, 1], [0, 1, 0], {}, "comes back after others in pred"),
        ([{"a", "b"}, {"c"}], [{"a"}, {"b", "c"}], {}, "needs the order of the elements, but gold consists of sets"),
        (cs.Table.from_labels([0, 0, 1], [0, 1, 1]), None, {}, "this Table does not know; pass gold and pred"),
        ({"a": 1, "b": 1}, {"a": 1, "c": 1}, {"missing": "singleton"}, 'needs neighbours.*pass missing="drop"'),
        ({"a": 1, "b": 1}, {"a": 1, "c": 1}, {"missing": "keep"}, "cs.plot.strip"),
        ([0, 0], [0, 1], {"most": 0}, "too small"),
        ([0, 0], [0, 1], {"most": 61}, "no more than 60 lines can be seen"),
        ([0, 0], [0, 1], {"runs": "yes"}, "must be true or false"),
    ],
)  # fmt: skip
def test_what_is_no_segmentation_is_told(gold: Any, pred: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(cs.ClusterscoreError, match=message):
        cs.plot.strip(gold, pred, **options)


def test_clusters_that_overlap_are_no_segments() -> None:
    with pytest.raises(cs.NotAPartition, match=r"'a' in 1 and 2\), which is no segmentation; cs\.plot\.overlaps"):
        cs.plot.strip(cs.Clustering.from_memberships({"a": [1, 2], "b": [1]}), {"a": 1, "b": 1})


def test_a_long_stream_and_many_streams_stay_small() -> None:
    rng = np.random.default_rng(0)
    gold, pred = (np.cumsum(rng.random(100_000) < 0.2) for _ in range(2))
    ax = cs.plot.strip(gold, pred)
    starts = [np.flatnonzero(np.diff(side)) for side in (gold, pred)]
    missed = len(set(starts[0].tolist()) - set(starts[1].tolist()))
    extra = len(set(starts[1].tolist()) - set(starts[0].tolist()))
    assert legend(ax) == [f"gold, above: {missed:,} missed", f"predicted, below: {extra:,} extra"]
    assert ax.get_xlabel() == "element (100 in each column)"
    assert all(len(patch.get_path().vertices) <= 2 * 1000 for patch in ax.patches)
    assert len(cs.plot.svg(ax)) < 150_000
    documents = np.repeat(np.arange(10_000), 10)
    many = cs.plot.strip(gold, pred, documents=documents)
    assert many.get_xlabel() == "element (the 40 worst of 10,000 documents)"
    assert len(cs.plot.svg(many)) < 100_000
