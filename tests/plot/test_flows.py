"""The flow from gold to the prediction: bands are counts, and those that are drawn cost most."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

import clusterscore as cs
from clusterscore.analyses.diagnose.diagnosis import Diagnosis
from clusterscore.plot.canvas import _MARKS
from clusterscore.plot.flows import _flow
from clusterscore.plot.style import named_apart


def drawn(ax: Any) -> dict[str, list[str]]:
    """What the marks of each kind of band say, by its legend."""
    kinds = ["the best match", "the rest", "others"]
    known = list(_MARKS[ax.figure].values())
    return {kind: [mark.words for mark in marks] for kind, marks in zip(kinds, known, strict=True)}


def test_bands_are_what_two_clusters_share() -> None:
    gold, pred = list("aaaaabbbbcc"), list("xxxyyyyyyzz")
    bands = drawn(cs.plot.flow(gold, pred))
    place = "\N{FIRST STRONG ISOLATE}{}\N{POP DIRECTIONAL ISOLATE}"
    assert sorted(bands["the best match"]) == [
        f"gold {place.format(g)} to predicted {place.format(p)}: {n} of {size} elements"
        for g, p, n, size in (("a", "x", 3, 5), ("b", "y", 4, 4))
    ]
    (wrong,) = bands["the rest"]
    assert wrong.endswith(": 2 of 5 elements")
    assert bands["others"] == []
    ax = cs.plot.flow(gold, pred)
    assert ax.get_xlabel() == "not drawn: 1 gold and 1 predicted cluster,\nwith 0% of the loss"
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["the best match", "the rest"]


@pytest.mark.parametrize("most", [2, 5, 40])
@pytest.mark.parametrize("documents", [False, True])
def test_every_element_of_a_drawn_cluster_is_in_a_band(most: int, documents: bool) -> None:
    rng = np.random.default_rng(8)
    gold, pred = rng.integers(0, 60, 50_000), rng.integers(0, 60, 50_000)
    moved = rng.random(50_000) < 0.8
    pred[moved] = gold[moved] // 2
    where = rng.integers(0, 3, 50_000) if documents else None
    diagnosis = Diagnosis.of(gold, pred, documents=where)
    flow, table = _flow(diagnosis, most), diagnosis.table
    rows, columns = flow.clusters
    assert max(rows, columns) <= most
    assert max(rows, columns) > 0
    keys = list(zip(*(column.tolist() for column in ([where, gold] if documents else [gold])), strict=True))
    sizes = Counter(Counter(keys).values())
    assert all(sizes[int(size)] for size in flow.matrix.sum(1)[:rows])
    place = [int(label.find.partition("/")[2]) for label in flow.gold[:rows]]
    assert table.gold_size[np.flatnonzero(table.gold_size)[place]].tolist() == flow.matrix.sum(1)[:rows].tolist()
    first = diagnosis.patterns(1)[0]
    shown = {label.find for label in (*flow.gold, *flow.pred)}
    assert f"{first.whole.side}/{first.whole.row}" in shown  # the costliest of all
    patterns = diagnosis.patterns(10**6)
    costs = sum(pattern.loss for pattern in patterns if f"{pattern.whole.side}/{pattern.whole.row}" in shown)
    assert costs > 0


def test_elements_of_one_side_and_a_perfect_prediction() -> None:
    ax = cs.plot.flow({"a": 1, "b": 1, "c": 2, "d": 2}, {"a": 1, "b": 2, "x": 2}, missing="keep")
    texts = [text.get_text() for text in ax.texts]
    assert "not in gold" in texts
    assert "not predicted" in [text.get_text() for text in cs.plot.flow(
        {"a": 1, "b": 1, "c": 1}, {"a": 1, "b": 2}, missing="keep").texts]  # fmt: skip
    right = cs.plot.flow([0, 0, 1, 2], [5, 5, 6, 7])
    assert drawn(right)["the rest"] == []
    assert len(drawn(right)["the best match"]) == 3
    assert right.get_xlabel() == ""


def test_a_card_a_table_and_axes_of_ones_own() -> None:
    from matplotlib.figure import Figure

    gold, pred, documents = [0, 0, 1, 1] * 5, [0, 1, 1, 1] * 5, [k // 4 for k in range(20)]
    card = cs.score(gold, pred, documents=documents)
    table = cs.Table.from_labels(gold, pred, documents=documents)
    expected = [text.get_text() for text in cs.plot.flow(gold, pred, documents=documents).texts]
    own = Figure().subplots()
    for ax in (cs.plot.flow(card), cs.plot.flow(table), cs.plot.flow(card, ax=own)):
        assert [text.get_text() for text in ax.texts] == expected
    assert "$" not in cs.plot.flow(["a_$x$", "a_$x$", "b"], [0, 1, 1]).texts[0].get_text().replace("\\$", "")


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (([0, 0], [0, 1]), {"most": 0}, "most=0 is too small"),
        (([0, 0], [0, 1]), {"most": 41}, "no more than 40 clusters of a side"),
        (([0, 0], [0, 1]), {"most": True}, "most"),
        (([["a", "b"], ["b"]], [["a"], ["b"]]), {}, "in more than one cluster .* cs.plot.overlaps draws"),
        (([0, 0], [0, 1]), {"metric": "nmi"}, "nmi does not score single elements"),
        (({"a": 1}, {"b": 1}), {"missing": "keep", "metric": "elm"}, "elm needs the same elements"),
        (([], []), {}, "gold is empty"),
        (([0, 1], [0]), {}, "gold has 2 labels and pred has 1"),
        ((cs.Sample({"a": 1}, weights="uniform"), {"a": 1, "b": 1}), {}, "gold is a Sample"),
        (([0, 0], [0, 1]), {"ax": 3}, "ax is an int, not a matplotlib Axes"),
    ],
)
def test_what_cannot_be_drawn(arguments: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(cs.ClusterscoreError, match=message):
        cs.plot.flow(*arguments, **options)


@pytest.mark.parametrize(
    ("names", "shown"),
    [
        (["a", "b"], ["a", "b"]),
        (["a very long name that nobody has", "b"], ["a very long…", "b"]),
        (["82493e06e956_documents_2", "82493e06e956_documents_10"], ["8249…ments_2", "8249…ents_10"]),
        (["prefix-of-all-1-a-long-end-of-it", "prefix-of-all-2-a-long-end-of-it"], ["pref…1-a-lo…", "pref…2-a-lo…"]),
        (["same same same same"] * 2, ["same same s…"] * 2),
        ([f"of the name {k} of it" for k in ("07", "10", "17")], ["of t…07 of…", "of t…10 of…", "of t…17 of…"]),
        (
            [f"of all of it {end} of it" for end in ("A 1", "A 2", "B 1", "B 2")],
            [f"of a…{end} of…" for end in ("A 1", "A 2", "B 1", "B 2")],
        ),
        (["short", "short and much longer than that"], ["short", "short and m…"]),
        (["漢字漢字漢字漢字漢字一", "漢字漢字漢字漢字漢字二"], ["漢字…漢字一", "漢字…漢字二"]),
        ([], []),
    ],
)
def test_names_are_shortened_where_they_are_alike(names: list[str], shown: list[str]) -> None:
    short = named_apart(names, 12)
    assert len(set(short)) == len(set(names))
    assert [name.strip("\N{LEFT-TO-RIGHT MARK}") for name in short] == shown
