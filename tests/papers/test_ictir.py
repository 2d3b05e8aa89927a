"""The segmenter of the ICTIR paper: properties, a slow merging of its own, and the bundled pages."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import pairwise
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import clusterscore as cs
from clusterscore import InputError, InputTypeError
from reproduce import elm, ictir
from reproduce.page_streams import load
from reproduce.segmenter import merges, segment

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data"
PROSE = ["the cat sat on the mat", "the cat ate on the mat", "the cat lay on the mat", "the cat sat on a mat"]
SUMS = ["12.50 + 17.25 = 29.75", "11.50 + 12.25 = 23.75", "14.75 + 17.50 = 32.25"]


def cut(pages: list[str], **options: Any) -> list[int]:
    return segment(pages, **options).codes.tolist()


def is_segmentation(codes: list[int], pages: int) -> bool:
    """Runs that are numbered in the order of the stream."""
    steps = {later - earlier for earlier, later in pairwise(codes)}
    return len(codes) == pages and codes[0] == 0 and steps <= {0, 1}


def test_two_kinds_of_pages_are_two_documents() -> None:
    assert cut(PROSE + SUMS) == [0, 0, 0, 0, 1, 1, 1]
    assert cut(SUMS + PROSE) == [0, 0, 0, 1, 1, 1, 1]


def test_only_neighbours_are_merged() -> None:
    assert cut(PROSE + SUMS + PROSE) == [0] * 4 + [1] * 3 + [2] * 4  # the same kind twice, but apart


@given(st.lists(st.text(max_size=12), min_size=1, max_size=12), st.floats(0, 3), st.none() | st.integers(1, 5))
@settings(max_examples=60, deadline=None)
def test_any_pages_give_a_segmentation(pages: list[str], at: float, depth: int | None) -> None:
    assert is_segmentation(cut(pages, cut=at, depth=depth), len(pages))


@given(st.lists(st.sampled_from([*PROSE, *SUMS, "", "Ж", "日本語の頁"]), min_size=1, max_size=10))
@settings(max_examples=60, deadline=None)
def test_equal_neighbours_are_in_one_document(pages: list[str]) -> None:
    doubled = [page for page in pages for _ in range(2)]
    codes = cut(doubled)
    assert codes[::2] == codes[1::2]


def test_one_page_and_pages_that_are_all_alike() -> None:
    assert cut(["only one"]) == [0]
    assert cut([""]) == [0]
    assert cut(["the same"] * 9) == [0] * 9
    assert merges(["only one"]).shape == (0, 4)


def test_empty_pages_are_like_each_other_and_like_no_other() -> None:
    tree = merges(["", "x", " \n\t", "some text", "some text"])  # one character makes no two
    assert tree[:, 2].tolist() == [0, 0, 0, 1]
    assert cut(["", "", *PROSE[:1] * 8]) == [0, 0] + [1] * 8


def test_case_and_blanks_do_not_matter() -> None:
    tree = merges(["A  page\nof text", "a page of\u00a0TEXT "])
    assert tree.tolist() == [[0, 1, 0, 2]]


def test_any_script_and_lone_surrogates() -> None:
    pages = ["straße ß", "STRASSE ß", "\ud800 broken", "\U0010ffff\U0010ffff\U0010ffff", "\x00\x00\x00", "🙂🙃🙂"]
    assert is_segmentation(cut(pages), len(pages))
    assert merges(["\U0010ffff" * 3, "\x00" * 3])[0, 2] == 1
    assert merges(["\x00\x01\x02", "\x01\x02\x03"])[0, 2] < 1  # they share a two and nothing else
    assert merges(["\x00ab", "ab"])[0, 2] == pytest.approx(1 - 1 / sqrt(3))


def cosine(left: str, right: str) -> float:
    a, b = (Counter(page[k : k + n] for n in (2, 3) for k in range(len(page) - n + 1)) for page in (left, right))
    product = sum(a[gram] * b[gram] for gram in a)
    return product / sqrt(sum(n * n for n in a.values()) * sum(n * n for n in b.values()))


def slow_merges(pages: list[str]) -> list[tuple[int, int, float]]:
    """Where each merge begins, where it ends, and how far apart its halves are: from the definition."""
    segments = [(k, k + 1) for k in range(len(pages))]
    found = []
    while len(segments) > 1:
        far = [
            1 - sum(cosine(pages[i], pages[j]) for i in range(*left) for j in range(*right))
            / ((left[1] - left[0]) * (right[1] - right[0]))
            for left, right in pairwise(segments)
        ]  # fmt: skip
        at = far.index(min(far))
        merged = (segments[at][0], segments[at + 1][1])
        found.append((*merged, far[at]))
        segments[at : at + 2] = [merged]
    return found


def test_merges_are_those_of_the_definition() -> None:
    pages = [*PROSE[:2], *SUMS, *PROSE[2:], "a dog and a bone", "two dogs and a bone", SUMS[0], "+ + ="]
    tree = merges(pages)
    spans = {k: (k, k + 1) for k in range(len(pages))}
    heights = dict.fromkeys(range(len(pages)), 0.0)
    inversions = 0
    for k, ((left, right, height, size), (begin, end, far)) in enumerate(
        zip(tree.tolist(), slow_merges(pages), strict=True)
    ):
        first, second = sorted((spans[int(left)], spans[int(right)]))
        assert first[1] == second[0]
        assert (first[0], second[1]) == (begin, end)
        assert size == end - begin
        below = max(heights[int(left)], heights[int(right)])
        inversions += far < below
        assert height == pytest.approx(max(far, below), abs=1e-12)
        spans[len(pages) + k], heights[len(pages) + k] = (begin, end), height
    assert inversions  # the case that heights are raised for does occur


def test_the_tree_is_one_that_scipy_takes() -> None:
    from scipy.cluster.hierarchy import inconsistent, is_valid_linkage

    for pages in ictir.collection().streams.values():
        tree = merges(pages)
        assert is_valid_linkage(tree)
        node_height = np.concatenate([np.zeros(len(pages)), tree[:, 2]])
        assert (tree[:, 2] >= node_height[tree[:, :2].astype(int)].max(axis=1)).all()
        # of three merges none is further above the mean: 1.5 cuts nothing with two levels
        assert inconsistent(tree, 2)[:, 3].max() <= 2 / sqrt(3) + 1e-12
        assert cut(pages, depth=2) == [0] * len(pages)


def test_a_lower_cut_never_joins_what_a_higher_one_parts() -> None:
    for pages in ictir.collection().streams.values():
        counts = [max(cut(pages, cut=at)) + 1 for at in (0, 0.5, 1, 1.5, 2, 3, 10)]
        assert counts == sorted(counts, reverse=True)
        assert counts[-1] == 1


@pytest.mark.parametrize("texts", ["one text", b"bytes", 7, None, 1.5])
def test_what_is_no_list_of_pages(texts: Any) -> None:
    with pytest.raises(InputTypeError, match="pages are a list of texts"):
        segment(texts)


@pytest.mark.parametrize(
    "texts", [["a page", None], [1, "a page"], ["a page", b"bytes"], [["a", "page"]], [float("nan")]]
)
def test_pages_that_are_no_text(texts: Any) -> None:
    with pytest.raises(InputError, match=r"1 page of .* without a text"):
        segment(texts)


def test_no_pages() -> None:
    with pytest.raises(InputError, match="no pages"):
        segment([])
    with pytest.raises(InputError, match="no pages"):
        segment(page for page in ())


@pytest.mark.parametrize("option", ["cut", "depth"])
@pytest.mark.parametrize("value", [-1, float("nan"), float("inf")])
def test_options_out_of_range(option: str, value: float) -> None:
    with pytest.raises(InputError, match=f"{option}="):
        segment(PROSE, **{option: value})


@pytest.mark.parametrize("options", [{"cut": "1.5"}, {"cut": None}, {"cut": True}, {"depth": "2"}, {"depth": False}])
def test_options_of_a_wrong_type(options: dict[str, Any]) -> None:
    with pytest.raises(InputTypeError, match="pass a number"):
        segment(PROSE, **options)


@pytest.mark.parametrize("depth", [0, 1.5])
def test_levels_are_whole_numbers(depth: float) -> None:
    with pytest.raises(InputError, match="depth="):
        segment(PROSE, depth=depth)  # type: ignore[arg-type]


def test_pages_from_a_generator_and_an_array() -> None:
    assert cut(list(PROSE + SUMS)) == segment(iter(PROSE + SUMS)).codes.tolist()
    assert cut(list(PROSE + SUMS)) == segment(np.array(PROSE + SUMS)).codes.tolist()


def test_the_bundled_collection() -> None:
    bundled = ictir.collection()
    assert len(bundled.streams) == 3
    assert all(isinstance(page, str) and page.strip() for pages in bundled.streams.values() for page in pages)
    assert len(bundled.gold) == sum(map(len, bundled.streams.values()))
    # the segmenter earns more than every baseline on its own pages
    rows = {row.quantity: row for row in ictir.experiments(None).rows if row.section.startswith("ICTIR segmenter")}
    elm_f = {name.partition(":")[0]: float(str(row.computed).split()[2]) for name, row in rows.items() if "ELM" in name}
    assert len(elm_f) == 4
    assert max(elm_f, key=elm_f.__getitem__).startswith("consecutive merges")
    assert all(row.printed is None and row.match is None for row in rows.values())


def test_scores_of_the_collection_are_means_over_streams() -> None:
    bundled = ictir.collection()
    scores = []
    gold = bundled.gold.codes
    for pages in bundled.streams.values():
        scores.append(cs.elm(gold[: len(pages)].tolist(), segment(pages)).f)
        gold = gold[len(pages) :]
    rows = {row.quantity: str(row.computed) for row in ictir.experiments(None).rows}
    assert rows["consecutive merges, cut at 1.5: ELM P, R, F1"].split()[2] == f"{sum(scores) / len(scores):.4f}"


@pytest.mark.skipif(not (DATA / "elm-pss").is_dir(), reason="the page streams (shared/data/elm-pss) are not here")
def test_fixed_sizes_on_the_page_streams() -> None:
    streams = load(DATA)
    assert streams is not None
    rows = {row.quantity: str(row.computed) for row in ictir.experiments(streams).rows if "fixed" in row.section}
    assert len(rows) == 30
    # one of them from the definition: pages 3k, 3k+1, 3k+2 are a document
    marks = np.split(streams.every.marks, streams.every.first[1:])
    total = Fraction()
    for stream in marks:
        ends = [*(k for k, mark in enumerate(stream.tolist()) if mark and k), len(stream)]
        gold = [set(range(a, b)) for a, b in zip([0, *ends], ends, strict=False)]
        found = Fraction()
        for cluster in gold:
            for piece in {page // 3 for page in cluster}:
                pred = set(range(3 * piece, min(3 * piece + 3, len(stream))))
                n, both = len(cluster & pred), len(cluster) + len(pred)
                found += Fraction(2 * n * (n - 1), both - 2) if both > 2 else 1
        total += found / len(stream)
    assert rows["documents of 3 pages: ELM P, R, F1"].split()[2] == f"{float(total / len(marks)):.4f}"


def test_the_rows_of_the_paper_stand_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(elm, "ELEMENTS", 4)
    told = [row.section for row in elm.reproduce(None).rows]
    for section in ("ICTIR 3.2", "ICTIR Table 1 (N=75)", "ICTIR Table 2 (N=52)"):
        assert told.count(section) == 1
