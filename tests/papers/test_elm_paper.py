"""ELM and ICTIR reproduced: a row for every printed number, the golden ones, and the enumeration one by one."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise
from math import comb, isclose, log2, sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import clusterscore as cs
from clusterscore import FileError, baselines
from reproduce import elm, elm_contiguous, elm_drawings, page_streams
from reproduce.page_streams import PageStreams, scores
from reproduce.result import Result, Row, agrees

HERE = Path(__file__).resolve()
SHARED = HERE.parents[2].parent / "shared"
DATA = SHARED / "data"
GOLDEN: list[dict[str, Any]] = json.loads(
    (HERE.parents[1] / "golden" / "elm_reproduction.json").read_text(encoding="utf-8")
)["rows"]
RECORD: dict[str, dict[str, Any]] = json.loads(
    (HERE.parents[2] / "reproduce" / "printed.json").read_text(encoding="utf-8")
)
ENUMERATION = "J3.4"  # the one experiment that takes long
needs_data = pytest.mark.skipif(
    not (DATA / page_streams.FOLDER).is_dir(), reason="the page streams (shared/data/elm-pss) are not here"
)
OF_DATA = ("J Sec. 3.5", "J Secs. 3.5", "J Fig. 5", "J Fig. 6", "J Table 2")


@pytest.fixture(scope="module")
def quick() -> Result:
    """Everything, but only 6 elements in the place of 14, and so other numbers in Sec. 3.4."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(elm, "ELEMENTS", 6)
        return elm.reproduce(DATA)


@pytest.fixture(scope="module")
def streams() -> PageStreams:
    loaded = page_streams.load(DATA)
    assert loaded is not None
    return loaded


# ---- every printed number has its row


def cells(line: dict[str, Any]) -> Iterator[str]:
    """What is printed in a line of a table."""
    for key, value in line.items():
        if isinstance(value, dict):
            yield from value.values()
        elif key not in {"metric", "system", "prediction"}:
            yield value


@needs_data
@pytest.mark.parametrize("table", [f"{paper} {name}" for paper in "JI" for name in RECORD[paper] if name != "text"])
def test_every_cell_of_a_table_has_a_row(quick: Result, table: str) -> None:
    lines = RECORD[table[0]][table[2:]]["rows"]
    section = table.replace("Figure", "Fig.")
    # the captions of figures are in the text
    in_text = {line["quantity"] for line in RECORD[table[0]]["text"]["rows"]}
    rows = [row.printed for row in quick.rows if row.section == section and row.quantity not in in_text]
    assert Counter(rows) == Counter(printed for line in lines for printed in cells(line))


@needs_data
def test_every_number_of_the_text_has_one_row_and_no_row_is_without_a_number(quick: Result) -> None:
    rows = Counter((row.section, row.quantity, row.printed) for row in quick.rows)
    text = [tuple(line.values()) for paper in "JI" for line in RECORD[paper]["text"]["rows"]]
    assert [rows[line] for line in text] == [1] * len(text)
    assert max(rows.values()) == 1
    assert all(row.printed and row.verdict for row in quick.rows)
    tables = sum(
        1
        for paper in "JI"
        for name, table in RECORD[paper].items()
        if name != "text"
        for line in table["rows"]
        for _ in cells(line)
    )
    assert len(quick.rows) == len(text) + tables


@pytest.mark.skipif(not (SHARED / "golden").is_dir(), reason="the printed numbers (shared/golden) are not here")
@pytest.mark.parametrize(("paper", "number"), [("J", "000"), ("I", "001")])
def test_the_record_has_what_is_printed(paper: str, number: str) -> None:
    papers = json.loads((SHARED / "golden" / "printed.json").read_text(encoding="utf-8"))
    [printed] = [tables for name, tables in papers.items() if name.startswith(number)]
    for name, table in printed.items():
        if name != "text":
            assert RECORD[paper][name]["rows"] == table["rows"]
    in_record: dict[str, Counter[str]] = {}
    for line in RECORD[paper]["text"]["rows"]:
        section = line["section"].replace(f"{paper} ", "").replace("Secs. ", "").replace("Sec. ", "")
        in_record.setdefault(section, Counter()).update(re.findall(r"[\d.,^]*\d", line["printed"] + line["quantity"]))
    for line in printed["text"]["rows"]:
        numbers = re.sub(r"\((should|not reproducible|said).*", "", line["printed"])
        wanted = re.findall(r"[\d.,^]*\d", numbers)
        assert set(wanted) <= set(in_record[line["section"].removesuffix(" caption")]), line


# ---- the golden rows: what they were called is of no account, what is printed and computed is

REWORDED = {"roughly 39 (14%)", "70%/30%", "33 and 17"}  # one row each in the place of several, or other words
BEYOND = ("repo notebooks", "repo notebook Fig3A", "data", "ICTIR")  # looked at below
RATED = [
    golden
    for golden in GOLDEN
    if golden["printed"] is not None
    and golden["printed"] not in REWORDED
    and not golden["section"].startswith(BEYOND)
    and golden["quantity"] != "what discriminates ddof"
]


def is_golden(row: Row, golden: dict[str, Any]) -> bool:
    """With as many digits as the golden row has; 2/3 is cut off to .66, which is not held against the paper."""
    expected, cut = golden["computed"], golden["printed"] == "0.66"
    if row.printed != golden["printed"] or row.match != (golden["match"] or cut):
        return False
    if isinstance(expected, float):
        return isinstance(row.computed, float) and f"{row.computed:.6f}" == f"{expected:.6f}"
    return row.computed == expected


@needs_data
@pytest.mark.parametrize(
    "golden",
    [row for row in RATED if not row["section"].startswith(ENUMERATION)],
    ids=lambda row: f"{row['section']}-{row['quantity']}",
)
def test_golden_row(quick: Result, golden: dict[str, Any]) -> None:
    [row, *_] = [row for row in quick.rows if is_golden(row, golden)]
    assert row.known == row.match
    assert row.match or row.note


@needs_data
@pytest.mark.slow
def test_every_golden_row() -> None:
    result = elm.reproduce(DATA)
    for golden in RATED:
        assert any(is_golden(row, golden) for row in result.rows), golden
    assert not [row for row in result.rows if row.regressed]
    assert not result.skipped
    notes = {row.quantity: row.note for row in result.rows}
    assert "exactly 41,568,401,941" in notes["swapped pairs"]
    assert "39,068,353,488" in notes["swapped pairs"]  # the number that the paper rounds to 39
    assert Counter(row.verdict for row in result.rows) == {"yes": 181, "differs": 17, "no data": 27}


@pytest.mark.slow
def test_numbers_of_the_enumeration_that_are_not_printed() -> None:
    golden = {row["quantity"]: row["computed"] for row in GOLDEN if row["section"].startswith("J3.4 (")}
    enumeration = elm_contiguous.compare(14, elm_contiguous.mirrored(14))
    middle = (np.arange(elm_contiguous.BINS) + 0.5) / elm_contiguous.BINS
    for name, counts in zip(("BCubed", "ELM"), enumeration.histograms, strict=True):
        mean = np.average(middle, weights=counts)
        assert mean == pytest.approx(golden[f"{name}_mean"], abs=1e-4)
        assert sqrt(np.average((middle - mean) ** 2, weights=counts)) == pytest.approx(golden[f"{name}_std"], abs=1e-4)
    assert middle[enumeration.histograms[0] > 0][0] == pytest.approx(golden["min_BCubed"], abs=1e-4)
    for name, values in (("frac", enumeration.swapped), ("tau_b", enumeration.ranks.tau_b)):
        assert [values.min(), values.max()] == pytest.approx([golden[f"{name}_min"], golden[f"{name}_max"]], abs=1e-6)
    assert enumeration.swapped.mean() == pytest.approx(golden["frac_mean"], abs=1e-6)
    assert enumeration.swapped.std(ddof=1) == pytest.approx(golden["frac_std"], abs=1e-6)


def test_ten_golds_of_the_preprint() -> None:
    """What stood in the place of Sec. 3.4 before, in the authors' repository."""
    sizes = ["77", "545", "5423", "4334", "52223", "41423", "423122", "3211232", "2321132", "212211212"]
    golds = np.array([elm_contiguous.code(list(map(int, digits))) for digits in sizes])
    unit = elm_contiguous.full_score(14)
    b, e = (elm_contiguous.scores(golds, 14, less).ravel() / unit for less in (0, 1))
    numbers = [of for values in (b, e, b - e) for of in (values.mean(), values.std(ddof=1))]
    [golden] = [row for row in GOLDEN if row["section"].startswith("repo notebook Fig3A")]
    assert " ".join(f"{number:.6f}".lstrip("0") for number in numbers) == golden["computed"]


def test_the_numbers_in_notes_are_computed(quick: Result) -> None:
    notes = {row.quantity: row.note for row in quick.rows}
    assert notes["share of the pairs that are ranked differently"] == "23,839,467 of 134,209,536"
    assert "4,075 of 16,384" in notes["share of ELM scores below the lowest BCubed score"]
    assert "2,130 different BCubed scores and 485 of ELM" in notes["Kendall's tau-b of the two rankings"]
    assert "the F of means is 0.75 and 0.75" in notes["ELM H_2: mean F1"]


def test_what_differs_is_known_and_told(quick: Result) -> None:
    differ = {
        row.quantity: row for row in quick.rows if row.match is False and not row.section.startswith("J Sec. 3.4")
    }
    assert all(row.note and not row.known for row in differ.values() if row.section not in {"J Fig. 3", "J Fig. 4"})
    figure = [row for row in quick.rows if row.section == "J Fig. 10"]
    assert [row.quantity for row in figure if not row.match] == [
        "ELM F1 of H1: element 1",
        "ELM F1 of H1: element 2",
        "ELM F1 of H1: element 3",
        "ELM F1 of H1: mean",
    ]
    assert {row.computed for row in figure if not row.match} == {"4/5", "21/25"}  # the recalls 2/3 and 8/10 are printed
    assert str(differ["all in one: ELM precision of an element"].computed) == "fails in 260 of 260 cases"


# ---- the data, beyond what is printed


@needs_data
def test_the_right_reading_of_page_0_stands_in_the_notes(quick: Result) -> None:
    notes = {row.quantity: row.note for row in quick.rows if row.section == "J Table 2"}
    assert notes["BCubed Precision, mean"] == "where page 0 starts a document 0.942487"
    assert notes["ELM F1, mean"] == "where page 0 starts a document 0.808939"
    assert sum(map(bool, notes.values())) == 7  # of twelve


@needs_data
def test_what_is_printed_is_the_mean_of_f_and_the_deviation_of_a_sample(streams: PageStreams) -> None:
    gold, pred = (part.documents_without_first_mark() for part in (streams.test, streams.bert))
    metrics = ["bcubed(f=of-means)", "elm(f=of-means)"]
    documents = cs.score(gold, pred, metrics=metrics).documents
    assert [documents[name].mean() for name in metrics] == pytest.approx(
        [0.858065, 0.845237], abs=1e-6
    )  # 0.83 and 0.80 are printed
    every = streams.every.documents_without_first_mark()
    precision = scores(every, baselines.one_cluster(every))["BCubed"].precision
    assert [agrees("0.23", float(precision.std(ddof=ddof))) for ddof in (0, 1)] == [False, True]
    alone = scores(every, baselines.singletons(every))["ELM"].f.mean()
    assert alone == pytest.approx(0.140907, abs=1e-6)  # the share of elements, not of clusters
    assert streams.every.mean_by_stream(streams.every.sizes == 1).mean() == pytest.approx(0.339354, abs=1e-6)


@needs_data
def test_test_streams_that_are_in_the_training_data(streams: PageStreams) -> None:
    train, test = (np.split(part.marks, part.first[1:]) for part in (streams.train, streams.test))
    known = {marks.tobytes() for marks in train}
    leaked = np.array([marks.tobytes() in known for marks in test])
    assert (leaked.sum(), len(leaked), sum(map(len, np.array(test, object)[leaked]))) == (5, 34, 5424)
    f = scores(streams.test.documents_without_first_mark(), streams.bert.documents_without_first_mark())["ELM"].f
    assert [f[leaked].mean(), f[~leaked].mean()] == pytest.approx([0.945, 0.777], abs=5e-4)


@needs_data
@pytest.mark.parametrize("golden", [row for row in GOLDEN if row["section"] == "repo notebooks"])
def test_the_binned_differences_of_the_notebooks(streams: PageStreams, golden: dict[str, Any]) -> None:
    """With the authors' floats: by their last bits some elements are on the other side of an edge."""
    name = golden["quantity"].rpartition(") ")[2]
    make = {"singletons": baselines.singletons, "giant": baselines.one_cluster, "mean length": baselines.mean_size}
    gold = (streams.test if name == "BERT" else streams.every).documents_without_first_mark()
    pred = streams.bert.documents_without_first_mark() if name == "BERT" else make[name](gold)
    columns = cs.elements(gold, pred, metric="elm")
    tp, fp, fn = columns["tp"], columns["fp"], columns["fn"]
    precision, recall = (tp + 1) / (tp + 1 + fp), (tp + 1) / (tp + 1 + fn)
    own = np.where(tp + fp + fn > 0, tp / np.maximum(tp + 0.5 * (fp + fn), 0.5), 1.0)
    bins = np.searchsorted([0, 0.1, 0.2, 0.5, 0.75], 2 * precision * recall / (precision + recall) - own, side="right")
    counts = np.bincount(bins - 1, minlength=5)
    shown = [str(count) if name == "BERT" else f"{count / counts.sum():.6f}" for count in counts.tolist()]
    assert " ".join(shown) == golden["computed"]


@pytest.mark.parametrize("data", [None, "empty"])
def test_without_the_streams_their_rows_are_left_out_and_named(
    data: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(elm, "ELEMENTS", 6)
    result = elm.reproduce(None if data is None else tmp_path)
    assert not [row for row in result.rows if row.section.startswith(OF_DATA)]
    assert len(result.skipped) == 2
    assert all("elm-pss" in line for line in result.skipped)
    assert len(result.rows) == 225 - 65
    names = [figure.name for figure in result.figures]
    assert names == [f"elm-fig{k}" for k in (1, 2, 3, 4, 7, 8, 9, 10)] + [f"ictir-fig{k}" for k in range(3, 8)]


# ---- figures


@pytest.fixture(scope="module")
def drawn(quick: Result) -> Callable[[str], Any]:
    """A figure by its name; each is drawn once."""
    drawing = pytest.importorskip("matplotlib.figure", reason="the figures need matplotlib")

    @cache
    def draw(name: str) -> Any:
        [figure] = [figure for figure in quick.figures if figure.name == name]
        canvas = drawing.Figure()
        figure.draw(canvas)
        canvas.draw_without_rendering()
        return canvas

    return draw


@needs_data
def test_all_figures_are_drawn(quick: Result, drawn: Callable[[str], Any]) -> None:
    names = [figure.name for figure in quick.figures]
    assert names == [f"elm-fig{k}" for k in range(1, 11)] + [f"ictir-fig{k}" for k in range(1, 8)]
    for name in names:
        canvas = drawn(name)
        assert canvas.axes
        assert canvas.get_size_inches()[0] <= 7


@needs_data
def test_figures_on_other_data_say_so(quick: Result, drawn: Callable[[str], Any]) -> None:
    for number in range(1, 5):
        [figure] = [figure for figure in quick.figures if figure.name == f"ictir-fig{number}"]
        assert "for want of" in figure.title
        assert drawn(figure.name).get_suptitle() in figure.title


@needs_data
def test_histograms_share_their_percents(drawn: Callable[[str], Any]) -> None:
    for name, expected in (("elm-fig2", [50, 50]), ("elm-fig3", [50, 50]), ("elm-fig4", [100])):
        axes, statistics = drawn(name).axes
        heights = [sum(bar.get_height() for bar in bars) for bars in axes.containers]
        assert heights == pytest.approx(expected)
        assert len(axes.lines) == len(expected)
        [table] = statistics.tables
        assert {"count", "mean", "std", "25%"} <= {cell.get_text().get_text() for cell in table.get_celld().values()}


@needs_data
def test_the_statistics_in_fig_2_are_those_printed(drawn: Callable[[str], Any]) -> None:
    [table] = drawn("elm-fig2").axes[1].tables
    shown = {key: cell.get_text().get_text() for key, cell in table.get_celld().items()}
    for column, line in enumerate(RECORD["J"]["Figure 2"]["rows"][:2]):
        assert [shown[row, column] for row in range(2, 9)] == [value for key, value in line.items() if key != "metric"]


@needs_data
def test_panels_of_figs_5_and_6(drawn: Callable[[str], Any]) -> None:
    panels = drawn("elm-fig5").axes
    assert len(panels) == 9
    texts = {text.get_text() for axes in panels for text in axes.texts}
    assert {"μ=0.82, σ=0.09", "μ=0.11, σ=0.22", "μ=1.00, σ=0.00"} <= texts
    assert [len(axes.patches) for axes in panels] == [2, 0, 0, 0, 0, 0, 0, 2, 0]  # two bars where all streams are alike
    [axes] = drawn("elm-fig6").axes
    labels = [text.get_text() for text in axes.get_legend().get_texts()]
    assert labels == ["Precision: μ=0.01, σ=0.02", "Recall: μ=0.01, σ=0.01", "F1: μ=0.03, σ=0.02"]
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("Difference", "Density")


@pytest.mark.parametrize("which", elm_drawings.CONSTRAINTS)
def test_what_is_drawn_of_a_constraint_is_what_it_asks_for(which: str) -> None:
    better, worse = elm_drawings.CONSTRAINTS[which].values()
    assert sorted("".join(better.values())) == sorted("".join(worse.values()))
    pairs = []
    for clusters in (better, worse):
        pred = [k for k, nodes in enumerate(clusters.values()) for _ in nodes]
        pairs.append([metric(list("".join(clusters.values())), pred, f="of-means").f for metric in (cs.elm, cs.bcubed)])
    assert all(left > right for left, right in zip(*pairs, strict=True))


# ---- the enumeration, against clusterings scored one by one from the definitions


def clusters(code: int, elements: int) -> list[list[int]]:
    parts = [[0]]
    for element in range(1, elements):
        if code >> (element - 1) & 1:
            parts.append([])
        parts[-1].append(element)
    return parts


def element_f(gold: set[int], pred: set[int], element: int, own: bool) -> Fraction:
    """F of an element by the definition, with itself among those like it or without."""
    left_out = set() if own else {element}
    right, wrong = (gold & pred) - left_out, gold ^ pred
    if not right and not wrong:
        return Fraction(1)
    return Fraction(len(right)) / (len(right) + Fraction(len(wrong), 2))


def exact_f(gold: int, pred: int, elements: int, own: bool) -> Fraction:
    gold_of = {element: set(cluster) for cluster in clusters(gold, elements) for element in cluster}
    pred_of = {element: set(cluster) for cluster in clusters(pred, elements) for element in cluster}
    return sum((element_f(gold_of[e], pred_of[e], e, own) for e in range(elements)), Fraction()) / elements


@pytest.mark.parametrize("elements", [1, 2, 3, 6])
@pytest.mark.parametrize("own", [True, False])
def test_all_scores_are_the_exact_fractions(elements: int, own: bool) -> None:
    every = np.arange(1 << (elements - 1))
    counts = elm_contiguous.scores(every, elements, 0 if own else 1)
    whole = elm_contiguous.full_score(elements)
    for gold in every.tolist():
        for pred in every.tolist():
            assert Fraction(int(counts[gold, pred]), whole) == exact_f(gold, pred, elements, own)


@pytest.mark.parametrize("elements", [2, 4, 6, 7])
def test_a_small_enumeration_against_all_pairs(elements: int) -> None:
    count = 1 << (elements - 1)
    enumeration = elm_contiguous.compare(elements, np.arange(count))
    b_all: list[Fraction] = []
    for gold in range(count):
        b = [exact_f(gold, pred, elements, True) for pred in range(count)]
        e = [exact_f(gold, pred, elements, False) for pred in range(count)]
        b_all += b
        signs = [
            ((b[i] > b[j]) - (b[i] < b[j]), (e[i] > e[j]) - (e[i] < e[j])) for i, j in combinations(range(count), 2)
        ]
        products = [x * y for x, y in signs]
        assert enumeration.ranks.pairs == len(signs)
        assert enumeration.ranks.discordant[gold] == products.count(-1)
        untied = [sum(sign[side] != 0 for sign in signs) for side in (0, 1)]
        if all(untied):
            expected = (products.count(1) - products.count(-1)) / sqrt(untied[0] * untied[1])
            assert isclose(enumeration.ranks.tau_b[gold], expected, rel_tol=1e-12)
        sizes = [len(cluster) for cluster in clusters(gold, elements)]
        assert isclose(enumeration.entropy[gold], -sum(s / elements * log2(s / elements) for s in sizes), abs_tol=1e-12)
    parts = [min(int(value * elm_contiguous.BINS), elm_contiguous.BINS - 1) for value in b_all]
    assert enumeration.histograms[0].tolist() == np.bincount(parts, minlength=elm_contiguous.BINS).tolist()


@pytest.mark.parametrize("elements", [5, 8, 9])
def test_mirror_images_are_counted_together(elements: int) -> None:
    golds = elm_contiguous.mirrored(elements)
    one_by_one = elm_contiguous.compare(elements, np.arange(1 << (elements - 1)))
    together = elm_contiguous.compare(elements, golds)
    assert len(np.unique(golds)) < len(golds) == 1 << (elements - 1)
    assert together.ranks.discordant.tolist() == one_by_one.ranks.discordant.tolist()
    assert np.allclose(together.ranks.tau_b, one_by_one.ranks.tau_b, rtol=0, atol=1e-14)
    assert np.allclose(together.entropy, one_by_one.entropy, rtol=0, atol=1e-14)
    assert together.histograms.tolist() == one_by_one.histograms.tolist()


def test_the_first_boundary_is_dropped_as_make_index_does() -> None:
    elements = 6
    for code, left in enumerate(elm_contiguous.without_first_boundary(elements).tolist()):
        # the vector has 0 for page 0, and make_index splits at all 1s but the first
        ones = [page for page in range(1, elements) if code >> (page - 1) & 1]
        edges = [0, *ones[1:], elements]
        assert clusters(left, elements) == [list(range(a, b)) for a, b in pairwise(edges)]


def test_scores_of_the_package_are_those_of_the_enumeration() -> None:
    golds = np.array([0, 5, 1000, 4095, 8191])
    for less, metric in enumerate((cs.bcubed, cs.elm)):
        table = elm_contiguous.scores(golds, 14, less) / elm_contiguous.full_score(14)
        for row, gold in enumerate(golds.tolist()):
            for pred in range(0, 8192, 911):
                left, right = (
                    cs.Clustering.from_lengths([len(cluster) for cluster in clusters(code, 14)])
                    for code in (gold, pred)
                )
                assert metric(left, right).f == pytest.approx(table[row, pred], abs=1e-15)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=64, max_size=64))
def test_discordant_pairs_of_any_two_orders(points: list[tuple[int, int]]) -> None:
    first, second = (np.array([[point[k] for point in points]]) for k in (0, 1))
    ranks = elm_contiguous.ranks(first, second)
    products = [(a[0] - b[0]) * (a[1] - b[1]) for a, b in combinations(points, 2)]
    assert ranks.pairs == comb(64, 2)
    assert ranks.discordant.tolist() == [sum(product < 0 for product in products)]


def test_blocks_are_put_together() -> None:
    falling = np.arange(1024)[None, ::-1].copy()
    assert elm_contiguous.ranks(falling, falling[:, ::-1].copy()).discordant.tolist() == [comb(1024, 2)]
    assert elm_contiguous.ranks(falling, falling).discordant.tolist() == [0]


def test_the_largest_scores_fit_their_words() -> None:
    elements = sum(elm.ONE_GOLD)
    assert elm_contiguous.full_score(elements) * max(1 << (elements - 1), elm_contiguous.BINS) < 2**63
    assert 2 * elements * elm_contiguous.full_score(elements) < 2**63


# ---- page streams


def written(folder: Path, **files: Any) -> Path:
    inside = folder / page_streams.FOLDER
    inside.mkdir()
    vectors = {"a": [1, 0, 1], "b": [0, 1, 0, 1]}
    given = {"train": {"c": [1, 0]}, "test": vectors, "BERT_model_predictions": vectors} | files
    for name, content in given.items():
        text = content if isinstance(content, str) else json.dumps(content)
        (inside / f"{name}.json").write_text(text, encoding="utf-8")
    return folder


def test_both_readings_of_page_0(tmp_path: Path) -> None:
    streams = page_streams.load(written(tmp_path))
    assert streams is not None
    every = streams.every
    assert every.names.tolist() == ["c", "a", "b"]
    assert every.sizes.tolist() == [2, 2, 1, 2, 1]  # one page of b is in no document
    assert every.documents().codes.tolist() == [0, 0, 1, 1, 2, 3, 4, 4, 5]
    assert every.documents_without_first_mark().codes.tolist() == [0, 0, 1, 1, 2, 3, 3, 3, 4]
    assert every.mean_by_stream(every.sizes).tolist() == [2.0, 1.5, 1.5]


@pytest.mark.parametrize(
    "files",
    [
        {"test": "{"},
        {"test": []},
        {"test": {}},
        {"test": {"a": []}},
        {"test": {"a": [0, 2]}},
        {"test": {"a": ["1", "0"]}},
        {"test": {"a": [1.5]}},
        {"test": {"a": [[1]]}},
        {"test": {"a": None}},
        {"BERT_model_predictions": {"a": [1, 0, 1]}},
        {"BERT_model_predictions": {"a": [1, 0, 1], "b": [1, 0, 0]}},
        {"BERT_model_predictions": {"b": [0, 1, 0, 1], "a": [1, 0, 1]}},
    ],
)
def test_streams_that_cannot_be_read(files: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"test\.json|BERT_model_predictions\.json"):
        page_streams.load(written(tmp_path, **files))


def test_a_stream_that_marks_nothing(tmp_path: Path) -> None:
    streams = page_streams.load(written(tmp_path, train={"c": [0, 0, 0], "d": [1, 1]}))
    assert streams is not None
    assert streams.train.documents().codes.tolist() == [0, 0, 0, 1, 2]
    assert streams.train.documents_without_first_mark().codes.tolist() == [0, 0, 0, 1, 2]
    assert streams.train.mean_by_stream(streams.train.sizes).tolist() == [0.0, 1.0]
