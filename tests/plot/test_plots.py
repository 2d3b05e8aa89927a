"""Plots, tested on what they draw: curves, bars, marks and words against counts made here, one by one."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.text import Text

import clusterscore as cs
from clusterscore.plot.cluster_sizes import size_bins
from clusterscore.plot.overlapping import blocked
from clusterscore.plot.scores import GRID, density
from plot.test_canvas import none_is_clipped, ticks

pytest.importorskip("matplotlib", reason="plots need matplotlib")

BLUE, VERMILION = "#0072B2", "#D55E00"


def streams(documents: int, pages: int = 40, seed: int = 0) -> tuple[list[int], list[int], list[int]]:
    """Gold, prediction and document of every page; some documents are easy, some are not."""
    rng = np.random.default_rng(seed)
    document = np.repeat(np.arange(documents), pages)
    gold = rng.integers(0, np.repeat(rng.integers(2, 20, documents), pages))
    pred = np.where(
        rng.random(len(gold)) < np.repeat(rng.random(documents), pages), rng.integers(0, 20, len(gold)), gold
    )
    return gold.tolist(), pred.tolist(), document.tolist()


def each_document(measure: Callable[..., cs.Score], gold: Sequence[int], pred: Sequence[int], of: Sequence[int],
                  ) -> list[cs.Score]:  # fmt: skip
    """Scored alone, one after the other."""
    scores = []
    for name in sorted(set(of)):
        inside = [k for k, document in enumerate(of) if document == name]
        sides = (cs.Clustering.from_labels([labels[k] for k in inside]) for labels in (gold, pred))
        scores.append(measure(*sides))
    return scores


def words(ax: Any) -> list[str]:
    """What the legend says."""
    return [text.get_text() for text in ax.get_legend().get_texts()]


def line(ax: Any, label: str) -> Any:
    return next(curve for curve in ax.lines if curve.get_label().startswith(label))


def segment_x(ax: Any) -> list[float]:
    """Where vertical lines of a collection stand."""
    return [part[0][0] for drawn in ax.collections if hasattr(drawn, "get_segments") for part in drawn.get_segments()]


def to_hex(color: Any) -> str:
    return "#" + "".join(f"{round(255 * part):02x}" for part in list(color)[:3])


# Scores of documents ---------------------------------------------------------------------------------


def test_a_distribution_is_the_curve_of_the_documents_scores_with_mean_and_deviation() -> None:
    gold, pred, documents = streams(60)
    ax = cs.plot.distribution(gold, pred, documents=documents)
    for name, measure, color in (("bcubed", cs.bcubed, BLUE), ("elm", cs.elm, VERMILION)):
        scores = np.array([score.value for score in each_document(measure, gold, pred, documents)])
        mean, std = scores.mean(), scores.std(ddof=1)
        drawn = line(ax, name)
        assert drawn.get_label() == f"{name} {mean:.2f} ± {std:.2f}"
        assert drawn.get_color() == color
        # a kernel on every score, and on its two mirror images
        at, width = drawn.get_xdata(), std * len(scores) ** -0.2
        wanted = sum(
            np.exp(-(((at - center) / width) ** 2) / 2) / (width * math.sqrt(2 * math.pi)) / len(scores)
            for score in scores.tolist()
            for center in (score, -score, 2 - score)
        )
        np.testing.assert_allclose(drawn.get_ydata(), wanted, atol=0.01 * wanted.max())
        assert np.trapezoid(drawn.get_ydata(), at) == pytest.approx(1)
        assert any(x == pytest.approx(mean) for x in segment_x(ax))
        (shaded,) = (band for band in ax.collections
                     if len(band.get_facecolor()) and to_hex(band.get_facecolor()[0]) == color.lower())  # fmt: skip
        ends = shaded.get_paths()[0].vertices[:, 0]
        assert (ends.min(), ends.max()) == (pytest.approx(max(mean - std, 0)), pytest.approx(min(mean + std, 1)))
    assert ax.get_xlabel() == "score per document (60 documents)"
    assert ax.get_ylabel() == "density"


def test_an_axis_shows_where_the_scores_are() -> None:
    """If that is a small part of all that they can be; how dense they are is nothing to be read off."""
    gold, documents = [0, 0, 1, 1, 2, 2, 2, 2] * 20, [k // 8 for k in range(160)]
    pred = [0, 0, 1, 1, 2, 2, 2, 3] * 10 + [0, 0, 1, 1, 2, 2, 3, 3] * 9 + [0, 0, 1, 1, 2, 2, 2, 2]
    ax = cs.plot.distribution(gold, pred, documents=documents, metrics="bcubed")
    low, high = ax.get_xlim()
    scores = cs.score(gold, pred, documents=documents, metrics="bcubed").documents["bcubed"]
    assert 0.3 < low < scores.min()
    assert scores.max() <= high < 1.02
    assert not len(ax.get_yticks())


@settings(max_examples=60, deadline=None)
@given(st.lists(st.floats(0, 1), min_size=2, max_size=40).filter(lambda scores: max(scores) - min(scores) > 1e-6))
def test_the_area_under_a_curve_is_one_and_it_never_is_below_zero(scores: list[float]) -> None:
    height = density(np.array(scores), 0.0, 1.0)
    assert (height >= 0).all()
    assert np.trapezoid(height, np.linspace(0, 1, GRID)) == pytest.approx(1)


def test_lines_are_told_apart_without_colours() -> None:
    gold, pred, documents = streams(30)
    ax = cs.plot.distribution(gold, pred, documents=documents, metrics=("bcubed", "elm", "blanc", "ari", "nmi", "vi"))
    dashes = [curve._unscaled_dash_pattern for curve in ax.lines]  # get_linestyle knows four names only
    assert len(words(ax)) == 6
    assert len({curve.get_color() for curve in ax.lines}) == 6
    assert len({str(pattern) for pattern in dashes}) == 6
    assert not [
        band for band in ax.collections if not hasattr(band, "get_segments")
    ]  # six shades would hide each other
    left, right = ax.get_xlim()
    assert left < -0.02
    assert right > 1.02  # ARI goes below 0, VI above 1
    with pytest.raises(cs.MetricError, match="up to 6"):
        cs.plot.distribution(gold, pred, documents=documents,
                             metrics=("bcubed", "elm", "blanc", "ari", "nmi", "vi", "purity"))  # fmt: skip


def test_few_documents_are_drawn_one_by_one() -> None:
    gold, pred, documents = streams(4)
    ax = cs.plot.distribution(gold, pred, documents=documents)
    for name, measure, row in (("bcubed", cs.bcubed, 0), ("elm", cs.elm, 1)):
        scores = [score.value for score in each_document(measure, gold, pred, documents)]
        marks = line(ax, name)
        assert marks.get_xdata().tolist() == pytest.approx(sorted(scores))
        assert set(marks.get_ydata()) == {row}
        assert ax.get_yticklabels()[row].get_text() == f"{name}\n{np.mean(scores):.2f} ± {np.std(scores, ddof=1):.2f}"


def test_one_document_has_a_mean_and_no_deviation() -> None:
    ax = cs.plot.distribution([0, 0, 1], [0, 1, 1])
    assert [text.get_text() for text in ax.get_yticklabels()] == ["bcubed\n0.61", "elm\n0.00"]
    assert ax.get_xlabel() == "score per document (1 document)"


def test_equal_scores_are_one_mark_that_says_how_many() -> None:
    documents = [k // 2 for k in range(100)]
    ax = cs.plot.distribution([0, 0] * 50, [0, 0] * 50, documents=documents)
    assert line(ax, "elm").get_xdata().tolist() == [1.0]
    assert [text.get_text() for text in ax.texts] == ["×50", "×50"]


def test_one_metric_may_be_equal_where_the_other_is_not() -> None:
    # singletons against pairs: ELM is 0 in all of them, BCubed depends on how many others there are
    gold, pred, documents = [], [], []
    for k in range(1, 15):
        gold += [0] * (k + 1)
        pred += list(range(k + 1))
        documents += [k] * (k + 1)
    ax = cs.plot.distribution(gold, pred, documents=documents)
    assert words(ax)[1] == "elm 0.00 (all)"
    assert list(line(ax, "elm").get_xdata()) == [0, 0]
    assert len(line(ax, "bcubed").get_xdata()) == GRID


def test_several_systems_have_a_curve_each() -> None:
    gold, pred, documents = streams(40, pages=12)
    cards = {"mine": cs.score(gold, pred, documents=documents), "gold": cs.score(gold, gold, documents=documents)}
    ax = cs.plot.distribution(cards)
    macro = cards["mine"].macro["elm"]
    assert words(ax)[:2] == [f"mine {macro.value:.2f} ± {macro.std:.2f}", "gold 1.00 (all)"]
    assert ax.get_xlabel() == "elm per document (40 documents)"
    tables = {name: card.table for name, card in cards.items()}
    ax = cs.plot.distribution(tables, metrics=("elm", "ari"), part="value")
    assert [word.rsplit(" ", 3)[0] for word in words(ax)[:2]] == ["mine elm", "mine ari"]
    assert ax.get_xlabel() == "score per document (40 documents)"
    assert cs.plot.distribution(cards, part="recall").get_xlabel() == "elm recall per document (40 documents)"
    with pytest.raises(cs.MetricError, match=r"8 curves \(systems times metrics\) cannot be distinguished"):
        cs.plot.distribution(cards, metrics=("elm", "bcubed", "ari", "nmi"))


def test_precision_and_recall_have_distributions_too() -> None:
    gold, pred, documents = streams(5)
    for part in ("precision", "recall"):
        ax = cs.plot.distribution(gold, pred, documents=documents, metrics="elm", part=part)
        wanted = [getattr(score, part) for score in each_document(cs.elm, gold, pred, documents)]
        assert line(ax, "elm").get_xdata().tolist() == pytest.approx(sorted(wanted))
        assert ax.get_xlabel().startswith(f"{part} per document")
    with pytest.raises(cs.MetricError, match="adjusted_rand has no recall"):
        cs.plot.distribution(gold, pred, documents=documents, metrics="ari", part="recall")
    with pytest.raises(cs.InputError, match="part='f' is not an option"):
        cs.plot.distribution(gold, pred, documents=documents, part="f")


def test_a_scorecard_is_shown_with_the_metrics_it_has() -> None:
    gold, pred, documents = streams(12)
    card = cs.score(gold, pred, metrics=["bcubed(beta=2)", "elm"], documents=documents)
    assert words(cs.plot.distribution(card))[0].startswith("bcubed(beta=2) ")
    macro = card.macro["bcubed(beta=2)"]
    assert words(cs.plot.distribution(card))[0] == f"bcubed(beta=2) {macro.value:.2f} ± {macro.std:.2f}"
    assert words(cs.plot.distribution(card, metrics="blanc"))[0].startswith("blanc ")
    others = cs.score(gold, pred, metrics=["nmi", "purity", "ari"], documents=documents)  # neither of the default
    assert [text.partition(" ")[0] for text in words(cs.plot.distribution(others))] == ["nmi", "purity"]
    accumulated = cs.Accumulator(metrics="elm")
    accumulated.update(gold, pred, documents=documents)
    with pytest.raises(cs.InputError, match="keeps no table"):
        cs.plot.distribution(accumulated.result())


def test_a_difference_is_a_mark_for_each_document_at_its_mean_cluster_size() -> None:
    gold, pred, documents = streams(25)
    ax = cs.plot.difference(gold, pred, documents=documents)
    apart = [first.value - second.value for first, second in zip(each_document(cs.bcubed, gold, pred, documents),
             each_document(cs.elm, gold, pred, documents), strict=True)]  # fmt: skip
    clusters: dict[int, set[int]] = defaultdict(set)
    for label, name in zip(gold, documents, strict=True):
        clusters[name].add(label)
    size = [40 / len(clusters[name]) for name in sorted(clusters)]
    assert sorted(map(tuple, ax.collections[0].get_offsets().tolist())) == [
        (pytest.approx(x), pytest.approx(y)) for x, y in sorted(zip(size, apart, strict=True))
    ]
    assert ax.get_xlabel() == "mean gold cluster size (elements)"
    assert ax.get_ylabel() == "bcubed − elm"


def test_means_of_neighbours_weigh_up_to_the_mean_of_all() -> None:
    gold, pred, documents = streams(200, pages=20)
    ax = cs.plot.difference(gold, pred, documents=documents)
    size, apart = ax.collections[0].get_offsets().T
    means = line(ax, "mean of similar sizes")
    assert len(means.get_xdata()) > 3
    assert (np.diff(means.get_xdata()) > 0).all()
    # each document lies nearest to one group: the groups are stretches of sizes
    ends = [0, *(np.searchsorted(np.sort(size), x, "left") for x in means.get_xdata()[1:])]
    assert ends == sorted(ends)
    assert means.get_ydata().min() >= apart.min() - 1e-12
    assert means.get_ydata().max() <= apart.max() + 1e-12


def test_thousands_of_documents_are_counted_in_cells() -> None:
    rng = np.random.default_rng(0)
    documents = np.repeat(np.arange(3000), 12)
    gold = rng.integers(0, np.repeat(rng.integers(1, 12, 3000), 12))
    ax = cs.plot.difference(gold, rng.integers(0, 4, len(gold)), documents=documents)
    cells = ax.collections[0].get_array()
    assert cells.sum() == 3000
    assert f"1 to {int(cells.max()):,} documents" in words(ax)


def test_a_wide_range_of_sizes_is_on_a_log_scale_with_plain_numbers() -> None:
    gold = [*range(50), *[0] * 500]
    documents = [0] * 50 + [1] * 500
    ax = cs.plot.difference(gold, gold, documents=documents)
    assert ax.get_xscale() == "log"
    assert ax.xaxis.get_major_formatter()(100, 0) == "100"
    assert ax.xaxis.get_major_formatter()(20000, 0) == "20k"


def test_a_difference_is_between_two() -> None:
    with pytest.raises(cs.MetricError, match="1 metric; name two"):
        cs.plot.difference([0], [0], metrics="elm")
    with pytest.raises(cs.MetricError, match="1 metric; name two"):
        cs.plot.difference([0], [0], metrics=("elm", "elm"))


# Sizes -----------------------------------------------------------------------------------------------


def test_bars_count_the_clusters_of_each_size() -> None:
    gold, pred = [0, 0, 0, 1, 1, 2, 3], [0, 0, 1, 1, 2, 2, 3]
    ax = cs.plot.sizes(gold, pred)
    bars, others = ax.containers
    assert [bar.get_height() for bar in bars] == [2, 1, 1]
    assert [bar.get_height() for bar in others] == [1, 3, 0]
    assert [tick.get_text() for tick in ax.get_xticklabels()] == ["1", "2", "3"]
    assert [bars.get_label(), others.get_label()] == ["gold", "predicted"]
    assert (bars[0].get_hatch(), others[0].get_hatch()) == (None, "/////")
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("cluster size (elements)", "clusters")


def at_least(labels: Sequence[int], size: int) -> int:
    return sum(count >= size for count in Counter(labels).values())


def test_a_line_says_how_many_clusters_are_at_least_that_large() -> None:
    rng = np.random.default_rng(3)
    gold, pred = rng.zipf(1.6, 3000).tolist(), rng.zipf(1.9, 3000).tolist()
    ax = cs.plot.sizes(gold, pred)
    for labels, name, color in ((gold, "gold", BLUE), (pred, "predicted", VERMILION)):
        drawn = line(ax, name)
        x, y = drawn.get_xdata(), drawn.get_ydata()
        assert drawn.get_drawstyle() == "steps-pre"
        assert (x[0], y[0]) == (0.5, len(set(labels)))
        assert x[-1] == max(Counter(labels).values())
        assert y[-1] < 1
        for size, count in zip(x[1:-1].tolist(), y[1:-1].tolist(), strict=True):
            assert count == at_least(labels, size)
        assert drawn.get_color() == color
    assert (ax.get_xscale(), ax.get_yscale()) == ("log", "log")
    assert words(ax) == ["gold", "predicted"]


def test_many_sizes_are_thinned_but_not_changed() -> None:
    sizes = list(range(1, 1500))
    table = cs.Table.from_cells(range(len(sizes)), range(len(sizes)), sizes)
    drawn = line(cs.plot.sizes(table), "gold")
    x, y = drawn.get_xdata()[1:-1], drawn.get_ydata()[1:-1]
    assert 100 < len(x) <= 402
    assert (x[0], x[-1]) == (1, 1499)
    assert y.tolist() == [1500 - size for size in x.tolist()]


def test_sizes_of_all_documents_are_counted_together() -> None:
    ax = cs.plot.sizes([0, 0, 0, 0], [0, 1, 0, 1], documents=["a", "a", "b", "b"])
    assert [[bar.get_height() for bar in bars] for bars in ax.containers] == [[0, 2], [4, 0]]


LABELS = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(0, 2)), min_size=1, max_size=40)


def test_curves_join_neighbouring_sizes_only() -> None:
    """Sizes 1, 2 and 7: between 2 and 7 there are no sizes that a curve could tell of."""
    gold = [0] + [1] * 2 + [2] * 7
    curves = [curve for curve in cs.plot.by_size(gold, [k % 3 for k in gold]).collections if curve.get_linestyle()]
    assert [[segment[:, 0].tolist() for segment in curve.get_segments()] for curve in curves] == [[[0.0, 1.0]]] * 2
    gold = [k for size in range(1, 20) for k in [size] * size]  # in bins: all of them meet
    curves = [curve for curve in cs.plot.by_size(gold, [k % 3 for k in gold]).collections if curve.get_linestyle()]
    assert [len(curve.get_segments()) for curve in curves] == [5, 5]


@pytest.mark.filterwarnings("ignore:gold and pred are nothing but 0 and 1")  # by chance
@settings(max_examples=80, deadline=None)
@given(LABELS, st.sampled_from(["elm", "bcubed", "elm(beta=2)", "bcubed(weights=class)", "elm(weights=effective)"]))
def test_precision_and_recall_by_size_weigh_up_to_the_score(labels: list[tuple[int, int, int]], metric: str) -> None:
    gold, pred, documents = map(list, zip(*labels, strict=True))
    ax = cs.plot.by_size(gold, pred, metric=metric, documents=documents)
    score = cs.metric(metric)(gold, pred, documents=documents)
    share = [bar.get_height() for bar in ax.containers[0]]
    assert sum(share) == pytest.approx(1)
    assert np.dot(share, line(ax, "precision").get_ydata()) == pytest.approx(score.precision, abs=1e-12)
    assert np.dot(share, line(ax, "recall").get_ydata()) == pytest.approx(score.recall, abs=1e-12)


def test_each_bin_has_the_mean_of_its_elements() -> None:
    rng = np.random.default_rng(5)
    gold = rng.zipf(1.5, 2000) % 400
    pred = np.where(rng.random(2000) < 0.3, rng.integers(0, 50, 2000), gold)
    ax = cs.plot.by_size(gold, pred)
    rows = cs.elements(gold, pred)
    size = Counter(gold.tolist())
    own = np.array([size[label] for label in gold.tolist()])
    ends = size_bins(np.unique(list(size.values()))).tolist()
    ticks, place = [], 0
    for low, high in pairwise([0, *ends]):
        inside = (own > low) & (own <= high)
        if not inside.any():
            continue
        assert line(ax, "precision").get_ydata()[place] == pytest.approx(rows["precision"][inside].mean())
        assert line(ax, "recall").get_ydata()[place] == pytest.approx(rows["recall"][inside].mean())
        assert ax.containers[0][place].get_height() == pytest.approx(inside.mean())
        clusters = sum(low < count <= high for count in size.values())
        ticks.append((low + 1, clusters))
        place += 1
    shown = [tick.get_text() for tick in ax.get_xticklabels()]
    assert len(shown) == place <= 8
    for tick, (low, clusters) in zip(shown, ticks, strict=True):
        assert tick.startswith((str(low), ">"))
        assert tick.endswith(f"({clusters})")
    assert ax.get_ylabel() == "elm, mean of the elements"


@given(st.lists(st.integers(1, 10**12), min_size=1, max_size=60, unique=True))
def test_bins_hold_every_size_and_are_few(sizes: list[int]) -> None:
    size = np.sort(np.array(sizes))
    ends = size_bins(size)
    assert (np.diff(ends) > 0).all()
    assert ends[-1] == size[-1]
    assert len(np.unique(np.searchsorted(ends, size))) <= 8


def test_only_measures_of_elements_are_shown_by_size() -> None:
    with pytest.raises(cs.MetricError, match="adjusted_rand does not score single elements"):
        cs.plot.by_size([0, 0], [0, 1], metric="ari")
    for gold in ([0, 0], cs.Sample([[0], [1]], weights="uniform")):
        with pytest.raises(cs.MetricError, match="element_centric has no precision and recall to draw by cluster size"):
            cs.plot.by_size(gold, [0, 1], metric="element_centric")


def test_weights_of_elements_are_shares_of_weight() -> None:
    gold, pred, weights = [0, 0, 1], [0, 1, 1], [1.0, 2.0, 5.0]
    ax = cs.plot.by_size(gold, pred, weights=weights)
    assert "share of weight" in words(ax)
    assert [bar.get_height() for bar in ax.containers[0]] == [5 / 8, 3 / 8]


# Overlaps --------------------------------------------------------------------------------------------


def row_names(ax: Any) -> list[str]:
    return [text.get_text() for text in ax.get_yticklabels()]


def column_names(ax: Any) -> list[str]:
    return [text.get_text() for text in ax.get_xticklabels()]


def cells(ax: Any) -> np.ndarray:
    """The shares that are drawn: a cell has a tenth of its colour for what is there, and the rest by the share."""
    (mesh,) = ax.collections
    colours = mesh.get_array()
    empty = np.isclose(colours[:, :, 3], 0.03)
    return np.where(empty, 0, ((colours[:, :, 3] - 0.1) / 0.9).round(12))


def test_overlaps_are_shares_of_gold_clusters_with_matches_on_the_diagonal() -> None:
    gold = ["a"] * 4 + ["b"] * 3 + ["c"] * 2
    pred = ["y", "y", "y", "x", "x", "x", "x", "z", "z"]
    ax = cs.plot.overlaps(gold, pred)
    assert row_names(ax) == ["a · 4", "b · 3", "c · 2"]
    assert column_names(ax) == ["y · 3", "x · 4", "z · 2"]
    assert cells(ax).tolist() == [[0.75, 0.25, 0], [0, 1, 0], [0, 0, 1]]
    assert [(text.get_text(), text.get_position()) for text in ax.texts[:-1]] == [
        ("75", (0, 0)), ("25", (1, 0)), ("100", (1, 1)), ("100", (2, 2))]  # fmt: skip


@settings(max_examples=120, deadline=None)
@given(LABELS, st.integers(1, 4))
def test_blocks_hold_every_element_once(given: list[tuple[int, int, int]], largest: int) -> None:
    gold, pred, _ = map(list, zip(*given, strict=True))
    table = cs.Table.from_labels([f"g{label}" for label in gold], [f"p{label}" for label in pred])
    blocks = blocked(table, largest)
    assert blocks.matrix.sum() == len(gold)
    assert blocks.matrix.sum(axis=1).tolist() == blocks.size.tolist()
    both, sizes = Counter(zip(gold, pred, strict=True)), [Counter(gold), Counter(pred)]
    shown = []
    for labels, side, count in ((blocks.rows, 0, blocks.clusters[0]), (blocks.columns, 1, blocks.clusters[1])):
        names = [label.short for label in labels]
        own = [int(name.split(" · ")[0][1:]) for name in names[:count]]
        assert [name.split(" · ")[1] for name in names[:count]] == [str(sizes[side][label]) for label in own]
        assert len(set(own)) == count == min(len(sizes[side]), largest + (len(sizes[side]) == largest + 1))
        rest = len(sizes[side]) - count
        assert names[count:] == ([] if rest == 0 else [f"{rest} others"])
        assert rest != 1
        shown.append(own)
    for row, label in enumerate(shown[0]):
        for column, other in enumerate(shown[1]):
            assert blocks.matrix[row, column] == both[label, other]
    assert (np.diag(blocks.matrix)[: blocks.matched] > 0).all()
    # the largest clusters of both sides are there
    assert sizes[0][shown[0][0]] == max(sizes[0][label] for label in shown[0][: blocks.matched])
    biggest = max(max(sizes[0].values()), max(sizes[1].values()))
    assert biggest in {*(sizes[0][label] for label in shown[0]), *(sizes[1][label] for label in shown[1])}


def test_ten_thousand_clusters_are_a_few_and_all_others() -> None:
    rng = np.random.default_rng(0)
    gold = rng.integers(0, 10_000, 300_000)
    pred = np.where(rng.random(300_000) < 0.1, rng.integers(0, 10_000, 300_000), gold)
    ax = cs.plot.overlaps(gold, pred, largest=8)
    assert len(row_names(ax)) == len(column_names(ax)) == 9
    assert row_names(ax)[-1] == column_names(ax)[-1] == "9,992 others"
    assert (np.diag(cells(ax))[:8] > 0.7).all()
    blue, grey = ax.collections[0].get_array()[0, 0, :3], ax.collections[0].get_array()[-1, -1, :3]
    assert blue.tolist() == pytest.approx([0, 114 / 255, 178 / 255])
    assert len(set(grey.tolist())) == 1  # others are no match
    assert cells(ax).sum(axis=1).tolist() == pytest.approx([1.0] * 9)
    # what is drawn does not grow with the clusters
    assert len(cs.plot.svg(ax)) < 60_000


def test_more_clusters_than_fit_numbers_are_drawn_without_them() -> None:
    ax = cs.plot.overlaps(range(40), range(40), largest=30)
    assert [text.get_text() for text in ax.texts] == ["darker: larger % of the gold cluster"]
    assert len(row_names(ax)) == 31


def test_elements_that_one_side_lacks_have_a_row_and_a_column() -> None:
    ax = cs.plot.overlaps([{"a", "b", "c"}, {"d"}], [{"a", "b"}, {"x", "y"}], missing="keep")
    assert row_names(ax) == ["0 · 3", "1 · 1", "not in gold · 2"]
    assert column_names(ax) == ["0 · 2", "1 · 2", "not predicted · 2"]
    assert cells(ax) == pytest.approx(np.array([[2 / 3, 0, 1 / 3], [0, 0, 1], [0, 1, 0]]))


def test_an_element_that_a_policy_left_alone_has_no_name() -> None:
    ax = cs.plot.overlaps({"a": "x", "b": "x", "c": "y"}, {"a": 1, "b": 1}, missing="singleton")
    assert column_names(ax) == ["1 · 2", "(alone) · 1"]


def test_clusters_of_documents_are_named_with_them() -> None:
    ax = cs.plot.overlaps([0, 0, 0], [0, 0, 0], documents=["north", "north", "south"])
    assert row_names(ax) == ["north: 0 · 2", "south: 0 · 1"]


@pytest.mark.parametrize(
    ("largest", "message"), [(0, "from 1 up"), (-3, "from 1 up"), (1.5, "whole"), (201, "no more than 200")]
)
def test_a_number_of_clusters_that_cannot_be(largest: Any, message: str) -> None:
    with pytest.raises(cs.ClusterscoreError, match=message):
        cs.plot.overlaps([0], [0], largest=largest)


# Systems ---------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def compared() -> cs.Comparison:
    gold, pred, documents = streams(40, pages=12)
    rng = np.random.default_rng(1)
    near = np.where(rng.random(len(pred)) < 0.02, 99, pred).tolist()
    systems = {"mine": pred, "near": near, "gold": gold, "one": [0] * len(gold)}
    return cs.compare(gold, systems, metrics=["elm", "vi"], documents=documents, resamples=200)


@pytest.mark.parametrize("metric", ["elm", "vi", cs.metric("variation_of_information")])
def test_systems_are_dots_with_intervals_in_the_order_of_their_ranks(compared: cs.Comparison, metric: Any) -> None:
    ax = cs.plot.comparison(compared, metric)
    name = metric
    order = sorted(compared.systems, key=lambda system: compared[system][name].rank)
    marks = [
        " (baseline)" if system == "mine" else " *" if compared.is_significant(system, name) else "" for system in order
    ]
    assert " *" in marks
    assert row_names(ax) == [f"{system}{mark}" for system, mark in zip(order, marks, strict=True)]
    dots = [dot for dot in ax.lines if len(dot.get_xdata()) == 1]
    whiskers = [bar for bar in ax.lines if bar.get_marker() == "|"]
    for row, system in enumerate(order):
        standing = compared[system][name]
        assert (dots[row].get_xdata()[0], dots[row].get_ydata()[0]) == (standing.score.value, row)
        assert tuple(whiskers[row].get_xdata()) == standing.intervals.jackknife
        assert set(whiskers[row].get_ydata()) == {row}
        assert dots[row].get_marker() == ("D" if system == "mine" else "o")
        assert (dots[row].get_markerfacecolor() == dots[row].get_color()) == bool(marks[row])
    across = next(rule for rule in ax.lines if rule.get_linestyle() == ":")
    assert set(across.get_xdata()) == {compared["mine"][name].score.value}
    short = "elm" if metric == "elm" else "vi"
    assert ax.get_xlabel() == f"{short}, 95% interval\n* differs from the baseline, p (Holm) < 0.05"


def test_every_metric_has_a_panel_with_all_systems_in_the_same_order(compared: cs.Comparison) -> None:
    first = cs.plot.comparison(compared)
    panels = first.figure.axes
    assert panels[0] is first
    assert [ax.get_title(loc="left") for ax in panels] == ["elm", "vi ↓"]
    order = sorted(compared.systems, key=lambda system: sum(compared[system][name].rank for name in ("elm", "vi")))
    assert [row_names(ax) for ax in panels] == [order, [""] * 4]
    for ax, name in zip(panels, ("elm", "vi"), strict=True):
        dots = [dot for dot in ax.lines if len(dot.get_xdata()) == 1]
        assert [dot.get_xdata()[0] for dot in dots] == [compared[system][name].score.value for system in order]
        full = [dot.get_markerfacecolor() == dot.get_color() for dot in dots]
        assert full == [system == "mine" or compared.is_significant(system, name) for system in order]
    note = "score, 95% interval\nfull: differs from the baseline (diamond), p (Holm) < 0.05"
    assert first.figure.get_supxlabel() == note
    from matplotlib.figure import Figure

    own = Figure().subplots()
    assert cs.plot.comparison(compared, ax=own).get_xlabel().startswith("elm, ")  # there is room for one


@pytest.mark.parametrize("systems", [2, 40])
def test_six_metrics_fit_a_column_and_nothing_is_clipped(systems: int) -> None:
    gold, pred, documents = streams(12, pages=6)
    named = {f"a rather long name {k}": pred for k in range(systems)}
    metrics = ["elm", "bcubed", "alphamax", "ari", "nmi", "vi"]
    ax = cs.plot.comparison(cs.compare(gold, named, metrics=metrics, documents=documents, resamples=20))
    figure = ax.figure
    figure.canvas.draw()
    assert figure.get_figwidth() == 3.3
    assert figure.get_figheight() <= 9
    shown = [text for panel in figure.axes for axis in (panel.xaxis, panel.yaxis) for text in ticks(axis)]
    none_is_clipped(figure, [*shown, *figure.texts], slack=0)
    heights = [label.get_window_extent() for label in ax.get_yticklabels()]
    assert all(upper.y0 >= lower.y1 - 1 for upper, lower in pairwise(heights))


def test_without_resamples_there_are_dots_alone() -> None:
    comparison = cs.compare([0, 0, 1], {"A": [0, 0, 1], "B": [0, 1, 1]}, resamples=0, metrics="elm")
    ax = cs.plot.comparison(comparison)
    assert [dot.get_marker() for dot in ax.lines[1:]] == ["D", "o"]
    assert ax.get_xlabel() == "elm"


def test_a_hundred_systems_fit_a_page() -> None:
    comparison = cs.compare([0, 0, 1], {f"s{k}": [0, 0, 1] for k in range(100)}, resamples=0, metrics="elm")
    ax = cs.plot.comparison(comparison)
    assert ax.figure.get_figheight() <= 9
    assert ax.get_yticklabels()[0].get_fontsize() < 6.5


def test_only_what_was_compared_is_shown(compared: cs.Comparison) -> None:
    with pytest.raises(cs.MetricError, match="nmi was not compared"):
        cs.plot.comparison(compared, "nmi")
    with pytest.raises(cs.MetricError, match="unknown metric 'elmo'"):
        cs.plot.comparison(compared, "elmo")
    with pytest.raises(cs.InputTypeError, match=r"pass the result of cs\.compare"):
        cs.plot.comparison({"A": [0]})  # type: ignore[arg-type]


# ---- two systems


def two_systems(count: int = 12, **options: Any) -> dict[str, cs.Scorecard]:
    gold, documents = [0, 0, 1, 1] * count, np.arange(4 * count) // 4
    better = ([0, 0, 1, 1] + [0, 1, 1, 1] * (count - 1))[: 4 * count]
    worse = [0, 1, 2, 3] * (count - 1) + [0, 0, 1, 1]
    return {name: cs.score(gold, pred, documents=documents, **options) for name, pred in (("A", worse), ("B", better))}


def test_a_scatter_has_a_mark_for_each_document() -> None:
    cards = two_systems()
    ax = cs.plot.scatter(cards)
    marks = np.concatenate([dots.get_offsets() for dots in ax.collections])
    scores = [card.documents["elm"] for card in cards.values()]
    assert sorted(map(tuple, marks.tolist())) == sorted(zip(*map(np.ndarray.tolist, scores), strict=True))
    assert [text.get_text() for text in ax.get_legend().get_texts()] == [
        "better in 1: A",
        "better in 11: B",
        "equal in 0",
    ]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("elm of A", "elm of B")
    assert ax.get_xlim() == ax.get_ylim()


def test_a_scatter_of_a_distance_calls_the_smaller_one_better() -> None:
    name = "variation_of_information"
    cards = two_systems(metrics=name)
    first, second = (card.documents[name] for card in cards.values())
    assert ((first < second).sum(), (first > second).sum()) == (11, 1)
    legend = cs.plot.scatter(cards, metric=name).get_legend()
    assert [text.get_text() for text in legend.get_texts()] == ["better in 11: A", "better in 1: B", "equal in 0"]
    cards = two_systems()
    assert cs.plot.scatter(cards, metric="bcubed", part="recall").get_xlabel() == "bcubed recall of A"


def test_thousands_of_documents_are_cells() -> None:
    ax = cs.plot.scatter(two_systems(2500, metrics="elm"))
    (cells,) = [drawn for drawn in ax.collections if drawn.get_array() is not None]
    assert cells.get_array().sum() == 2500
    legend = [text.get_text() for text in ax.get_legend().get_texts()]
    assert legend == ["1 to 2,498 documents", "better in 1: A", "better in 2,499: B", "equal in 0"]


@pytest.mark.filterwarnings("ignore:Glyph")
@pytest.mark.parametrize(
    "letters", ["A rather long name ", "IN CAPITAL LETTERS ", "\u05e9\u05dd \u05d0\u05e8\u05d5\u05da ", "\u7cfb\u7d71"]
)
def test_long_names_of_systems_are_cut_and_nothing_is_clipped(letters: str) -> None:
    cards = dict(zip((letters * 150, f"2 {letters * 150}"), two_systems().values(), strict=True))
    gold, documents = [0, 0, 1, 1] * 12, np.arange(48) // 4
    systems = dict(zip(cards, ([0, 1, 2, 3] * 12, [0, 0, 1, 1] * 12), strict=True))
    comparison = cs.compare(gold, systems, metrics="elm", documents=documents, resamples=50)
    for ax in (cs.plot.scatter(cards), cs.plot.distribution(cards), cs.plot.comparison(comparison)):
        ax.figure.canvas.draw()
        legend = [] if ax.get_legend() is None else ax.get_legend().get_texts()
        none_is_clipped(ax.figure, [*ticks(ax.xaxis), *ticks(ax.yaxis), ax.xaxis.label, ax.yaxis.label, *legend])


def test_a_scatter_finds_documents_by_their_names() -> None:
    gold, documents = [0, 0, 1, 1] * 3, np.repeat(["x", "y", "z"], 4)
    pred = [0, 0, 1, 1, 0, 1, 1, 1, 0, 1, 2, 3]
    turned = cs.score(gold, pred[::-1], documents=documents[::-1])
    ax = cs.plot.scatter({"A": cs.score(gold, pred, documents=documents), "B": turned})
    assert ax.get_legend().get_texts()[2].get_text() == "equal in 3"


def test_what_a_scatter_is_not_made_of() -> None:
    cards = two_systems()
    with pytest.raises(cs.ClusterscoreError, match="pass two systems by name"):
        cs.plot.scatter([cards["A"], cards["B"]])  # type: ignore[arg-type]
    with pytest.raises(cs.ClusterscoreError, match="3 systems; a scatter has two"):
        cs.plot.scatter({**cards, "C": cards["A"]})
    with pytest.raises(cs.ClusterscoreError, match="different documents"):
        cs.plot.scatter({"A": cards["A"], "B": two_systems(5)["B"]})
    with pytest.raises(cs.ClusterscoreError, match="has no recall"):
        cs.plot.scatter(two_systems(metrics="rand"), metric="rand", part="recall")


@pytest.mark.parametrize("draw", [cs.plot.sizes, cs.plot.overlaps, cs.plot.by_size])
def test_a_plot_is_drawn_in_the_words_of_a_field(draw: Any) -> None:
    gold, pred = list("aaabbc"), list("xxyyyz")
    words = {text.get_text() for text in draw(gold, pred, field="entity-resolution").figure.findobj(Text)}
    assert any("record" in text for text in words)
    assert not any(word in text for text in words for word in ("element", "cluster"))
    with pytest.raises(cs.InputError, match="did you mean 'entity-resolution'"):
        draw(gold, pred, field="entity-resolutions")


def test_scores_are_drawn_in_the_unit_of_their_field() -> None:
    gold, pred, documents = [0, 0, 1, 1] * 12, [0, 0, 1, 2, 0, 1, 1, 1] * 6, [k // 4 for k in range(48)]
    card = cs.score(gold, pred, documents=documents, field="coreference", metrics=["b3", "muc"])
    ax = cs.plot.distribution(card, metrics="b3")
    scores = card.documents["b3"]
    assert ax.get_legend().get_texts()[0].get_text() == f"B3 {100 * scores.mean():.2f} ± {100 * scores.std(ddof=1):.2f}"
    gap = cs.plot.difference(card, metrics=("b3", "muc"))
    assert [ax.xaxis.get_major_formatter()(0.25), gap.yaxis.get_major_formatter()(-0.025)] == ["25", "−2.5"]
    plain = cs.plot.distribution(gold, pred, documents=documents, metrics="b3")
    assert plain.get_legend().get_texts()[0].get_text() == f"b3 {scores.mean():.2f} ± {scores.std(ddof=1):.2f}"
