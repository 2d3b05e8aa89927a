"""Where plots are drawn and written: whose Axes, whose settings, which files; and that none fails on odd data."""

from __future__ import annotations

import re
import subprocess
import sys
import types
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import clusterscore as cs
from clusterscore.plot import canvas
from clusterscore.plot.style import WIDTH, compact, named

matplotlib = pytest.importorskip("matplotlib", reason="plots need matplotlib")
pyplot = pytest.importorskip("matplotlib.pyplot")

OLD = tuple(map(int, matplotlib.__version__.split(".")[:2])) < (3, 10)  # it writes the same marks at greater length
SVG = "{http://www.w3.org/2000/svg}"
GOLD, PRED = ["a", "a", "b", "b", "b", "c"], ["x", "y", "y", "y", "z", "z"]


def comparison(gold: Any = GOLD, pred: Any = PRED, **options: Any) -> Any:
    ax = options.pop("ax", None)
    resamples = options.pop("resamples", 20)
    compared = cs.compare(gold, {"A": pred, "B": pred}, resamples=resamples, **options)
    return cs.plot.comparison(compared, compared.metrics[0], ax=ax)


def sweep(gold: Any = GOLD, pred: Any = PRED, **options: Any) -> Any:
    ax = options.pop("ax", None)
    labels = list(range(max(2, len(gold))))
    return cs.plot.sweep(cs.sweep(labels, edges=[(k - 1, k, 0.3 / k) for k in labels[1:]]), ax=ax)


def scatter(gold: Any = GOLD, pred: Any = PRED, **options: Any) -> Any:
    ax = options.pop("ax", None)
    cards = [cs.score(gold, side, metrics="elm", **options) for side in (gold, pred)]
    return cs.plot.scatter({"A": cards[0], "B": cards[1]}, ax=ax)


def strip(gold: Any = GOLD, pred: Any = PRED, **options: Any) -> Any:
    if options.get("missing") == "singleton":  # which has no neighbours
        options["missing"] = "drop"
    return cs.plot.strip(gold, pred, runs=True, **options)


PLOTS: dict[str, Callable[..., Any]] = {
    "distribution": cs.plot.distribution, "difference": cs.plot.difference, "sizes": cs.plot.sizes,
    "overlaps": cs.plot.overlaps, "by_size": cs.plot.by_size, "comparison": comparison,
    "sweep": sweep, "scatter": scatter, "strip": strip,
}  # fmt: skip
all_plots = pytest.mark.parametrize("plot", PLOTS.values(), ids=PLOTS)


def texts(drawn: str) -> list[str]:
    """The words of an SVG, which must be well formed."""
    return ["".join(text.itertext()) for text in ElementTree.fromstring(drawn).iter(f"{SVG}text")]


def ticks(axis: Any) -> list[Any]:
    """The names of the ticks that can be seen."""
    low, high = sorted(axis.get_view_interval())
    return [tick.label1 for tick in axis.get_major_ticks() if low <= tick.get_loc() <= high and tick.label1.get_text()]


def none_is_clipped(figure: Any, texts: list[Any], slack: int = 1) -> None:
    """All words lie on the figure."""
    whole = figure.bbox
    for text in (text for text in texts if text.get_text()):
        box = text.get_window_extent()
        ends = (box.x0 - whole.x0, box.y0 - whole.y0, whole.x1 - box.x1, whole.y1 - box.y1)
        assert min(ends) >= -slack, text


# Whose Axes, whose settings --------------------------------------------------------------------------


@all_plots
def test_axes_that_are_given_are_drawn_on_and_returned(plot: Callable[..., Any]) -> None:
    figure = matplotlib.figure.Figure(figsize=(8, 3))
    left, right = figure.subplots(1, 2)
    assert plot(GOLD, PRED, ax=right) is right
    assert right.has_data()
    assert not left.has_data()
    assert tuple(figure.get_size_inches()) == (8, 3)


@all_plots
def test_the_settings_of_the_user_stay_as_they_are(plot: Callable[..., Any]) -> None:
    with matplotlib.style.context("dark_background"):
        before = dict(matplotlib.rcParams)
        ax = plot(GOLD, PRED)
        cs.plot.svg(ax)
        plot(GOLD, PRED, ax=matplotlib.figure.Figure().subplots())
        assert dict(matplotlib.rcParams) == before
        # and its own figure does not take after them
        assert matplotlib.colors.to_hex(ax.get_facecolor()) == "#ffffff"
        assert matplotlib.colors.to_hex(ax.xaxis.label.get_color()) == "#1a1a1a"


@all_plots
def test_a_plot_of_its_own_is_as_wide_as_a_column_and_legible(plot: Callable[..., Any]) -> None:
    ax = plot(GOLD, PRED)
    assert ax.figure.get_figwidth() == WIDTH
    ax.figure.canvas.draw()
    assert ax.get_title() == ""
    assert ax.get_xlabel()
    for text in ax.figure.findobj(matplotlib.text.Text):
        if text.get_text() and text.get_visible():
            assert text.get_fontsize() >= 5.5, text.get_text()


@all_plots
@pytest.mark.parametrize("clusters", [2, 9])
def test_words_lie_on_the_figure_and_names_of_rows_do_not_meet(plot: Callable[..., Any], clusters: int) -> None:
    names = [f"a cluster with a long name {k}" for k in range(9)]
    ax = plot(names[:clusters] * 4, [names[k % 7] for k in range(4 * clusters)])
    ax.figure.canvas.draw()
    none_is_clipped(ax.figure, [*ticks(ax.xaxis), *ticks(ax.yaxis), ax.xaxis.label, ax.yaxis.label, *ax.texts])
    rows = sorted((text.get_window_extent() for text in ticks(ax.yaxis)), key=lambda box: box.y0)
    assert all(lower.y1 <= upper.y0 + 1 for lower, upper in pairwise(rows))
    columns = sorted((text.get_window_extent() for text in ticks(ax.xaxis)), key=lambda box: box.x0)
    assert all(left.x1 <= right.x0 + 1 for left, right in pairwise(columns))


def test_something_else_for_axes_is_told() -> None:
    with pytest.raises(cs.InputTypeError, match="ax is a Figure, not a"):
        cs.plot.sizes(GOLD, PRED, ax=matplotlib.figure.Figure())
    with pytest.raises(cs.InputTypeError, match="ax is a ndarray"):
        cs.plot.sizes(GOLD, PRED, ax=np.array([matplotlib.figure.Figure().subplots()]))


def test_a_program_that_writes_files_has_nothing_to_close() -> None:
    code = ("import sys, clusterscore as cs; assert 'matplotlib' not in sys.modules; cs.plot.sizes([0, 0], [0, 1]); "
            "print('matplotlib' in sys.modules, 'matplotlib.pyplot' in sys.modules)")  # fmt: skip
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True", "False"]


def test_with_pyplot_and_no_window_no_figure_piles_up() -> None:
    pyplot.switch_backend("agg")
    before = pyplot.get_fignums()
    cs.plot.sizes(GOLD, PRED)
    assert pyplot.get_fignums() == before


def test_in_a_notebook_pyplot_shows_it(monkeypatch: pytest.MonkeyPatch) -> None:
    notebook = types.SimpleNamespace(get_ipython=lambda: object())
    monkeypatch.setitem(sys.modules, "IPython", notebook)
    ax = cs.plot.sizes(GOLD, PRED)
    try:
        assert ax.figure.number in pyplot.get_fignums()
        with cs.plot.offscreen():
            other = cs.plot.sizes(GOLD, PRED)
        assert other.figure is not ax.figure
        assert pyplot.get_fignums() == [ax.figure.number]
    finally:
        pyplot.close(ax.figure)
    monkeypatch.setitem(sys.modules, "IPython", types.SimpleNamespace(get_ipython=lambda: None))
    cs.plot.sizes(GOLD, PRED)
    assert pyplot.get_fignums() == []


def test_where_pyplot_has_windows_it_shows_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pyplot, "get_backend", lambda: "TkAgg")
    assert canvas._pyplot() is pyplot
    monkeypatch.setattr(pyplot, "get_backend", lambda: "agg")
    assert canvas._pyplot() is None


@all_plots
def test_without_matplotlib_the_remedy_is_told(plot: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(cs.ClusterscoreError, match=r'pip install "clusterscore\[report\]"'):
        plot(GOLD, PRED)


# What it is given ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["distribution", "difference", "sizes", "overlaps", "by_size"])
def test_a_table_or_a_scorecard_stands_in_the_place_of_both_sides(name: str) -> None:
    plot, documents = PLOTS[name], [0, 0, 1, 1, 1, 1]
    given = {"documents": documents, "missing": "drop"}
    drawn = [cs.plot.svg(plot(GOLD, PRED, **given)), cs.plot.svg(plot(cs.Table.from_labels(GOLD, PRED, **given))),
             cs.plot.svg(plot(cs.score(GOLD, PRED, **given)))]  # fmt: skip
    assert drawn[0] == drawn[1] == drawn[2]
    card = cs.score(GOLD, PRED)
    with pytest.raises(cs.InputTypeError, match="contains both sides"):
        plot(card, PRED)
    with pytest.raises(cs.InputTypeError, match="contains both sides"):
        plot(GOLD, card)
    with pytest.raises(cs.InputError, match="was decided when the Table was made"):
        plot(card, missing="drop")
    with pytest.raises(cs.OptionError, match="'documets'"):
        plot(GOLD, PRED, documets=documents)
    with pytest.raises(cs.ElementMismatch):
        plot({"a": 1}, {"b": 1})


def test_a_table_of_an_engine_has_sizes_and_scores_but_no_clusters() -> None:
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({"gold": GOLD, "pred": PRED})
    card = cs.score_table(frame, metrics=["elm", "bcubed"])
    for name in ("distribution", "difference", "sizes", "by_size"):
        assert texts(cs.plot.svg(PLOTS[name](card))) == texts(cs.plot.svg(PLOTS[name](GOLD, PRED)))
    with pytest.raises(cs.InputError, match="counted by an engine"):
        cs.plot.overlaps(card)


def test_names_of_weights_change_no_counts() -> None:
    assert cs.plot.svg(cs.plot.sizes(GOLD, PRED, weights="class")) == cs.plot.svg(cs.plot.sizes(GOLD, PRED))
    ax = cs.plot.distribution(GOLD, PRED, weights="class", metrics="elm")
    assert ax.get_yticklabels()[0].get_text().startswith("elm(weights=class)")


# None fails ------------------------------------------------------------------------------------------

WEIRD = ["$x_1$", "$", r"\$", "a_b", "<script>alert(1)</script>", "&amp;", "x" * 5000, "日本語のラベルです日本語",
         "😀👨‍👩‍👧", "עברית", "\x00\x01", "\ud800", "line\nbreak", "", "  ", "\u202eevil", "_private", "%d", "{0}",
         r"\frac{1}{2}", r"$\frac{$", "]]>", "--", "-->", "#1a1a1a", 'id="a" url(#b) fill: #1a1a1a']  # fmt: skip
CASES: dict[str, tuple[Any, Any, dict[str, Any]]] = {
    "one element": ([0], [0], {}),
    "one cluster": ([0] * 5, [0] * 5, {}),
    "one large cluster": ([0] * 500, [0] * 500, {}),
    "all singletons": (range(50), range(50), {}),
    "singletons against one cluster": (range(50), [0] * 50, {}),
    "one cluster against singletons": ([0] * 50, range(50), {}),
    "one document": ([0, 0, 1], [0, 1, 1], {"documents": ["d", "d", "d"]}),
    "documents of one element": ([0] * 30, [0] * 30, {"documents": range(30)}),
    "all scores equal": ([0, 0, 1] * 20, [0, 1, 1] * 20, {"documents": np.repeat(range(20), 3)}),
    "two documents": ([0, 0, 1, 1], [0, 1, 1, 1], {"documents": [0, 0, 1, 1]}),
    "weird names": (WEIRD * 3, [*WEIRD[1:], WEIRD[0]] * 3, {}),
    "weird documents": (WEIRD * 2, WEIRD * 2, {"documents": WEIRD * 2}),
    "left alone": ({"a": 1, "b": 1}, {"a": 1, "d": 2}, {"missing": "singleton"}),
    "noise": ([0, 0, -1, -1], [0, 0, None, 1], {"noise": [-1, None]}),
    "no weight in a cluster": ([0, 0, 1, 1], [0, 1, 1, 1], {"weights": [1, 2, 0, 0]}),
}


@pytest.mark.filterwarnings("ignore:.* with the label ''")  # which is a name, too
@all_plots
@pytest.mark.parametrize("name", CASES)
def test_no_plot_fails(plot: Callable[..., Any], name: str) -> None:
    gold, pred, options = CASES[name]
    gold, pred = (side if isinstance(side, dict) else list(side) for side in (gold, pred))
    ax = plot(gold, pred, **options, **({"resamples": 0} if plot is comparison else {}))
    assert ax.has_data()
    if "weird" in name:
        assert any(character.isalpha() for text in texts(cs.plot.svg(ax)) for character in text)
    else:
        ax.figure.draw_without_rendering()
    for line in ax.lines:
        if line.get_label() != "precision" and line.get_label() != "recall":  # which no element may have
            assert np.isfinite(np.asarray(line.get_xydata(), float)).all()


def test_systems_may_have_weird_names() -> None:
    names = [name for name in WEIRD if name]
    ax = cs.plot.comparison(cs.compare([0, 0, 1], {name: [0, 1, 1] for name in names}, resamples=0))
    assert "<script>alert(1)</sc…" not in cs.plot.svg(ax)
    assert any(text.startswith("<script>") for text in texts(cs.plot.svg(ax)))


@pytest.mark.parametrize("name", ["distribution", "difference", "sizes", "overlaps"])
def test_coreference_with_an_empty_side(name: str) -> None:
    metrics = {} if name in {"sizes", "overlaps"} else {"metrics": "muc, b3"}
    for gold, pred in (([], [{"a", "b"}]), ([{"a", "b"}], [])):
        assert texts(cs.plot.svg(PLOTS[name](gold, pred, missing="keep", **metrics)))


def test_counts_beyond_what_elements_could_be() -> None:
    table = cs.Table.from_cells(["a", "b", "c"], ["a", "b", "b"], [10**15, 1, 5])
    for name in ("distribution", "difference", "sizes", "overlaps", "by_size"):
        assert texts(cs.plot.svg(PLOTS[name](table)))
    assert [text.get_text() for text in cs.plot.overlaps(table).get_yticklabels()] == ["a · 1P", "c · 5", "b · 1"]


def test_many_elements_draw_as_much_as_few() -> None:
    rng = np.random.default_rng(0)
    gold = rng.zipf(1.5, 200_000) % 100_000
    table = cs.Table.from_labels(gold, np.where(rng.random(len(gold)) < 0.2, rng.integers(0, 10_000, len(gold)), gold))
    for name in ("sizes", "overlaps", "by_size"):
        assert len(cs.plot.svg(PLOTS[name](table))) < (75_000 if OLD else 60_000)


# Names and numbers -----------------------------------------------------------------------------------


@given(
    st.one_of(st.text(max_size=80), st.integers(), st.none(), st.tuples(st.text(), st.integers())), st.integers(4, 30)
)
@settings(max_examples=300, deadline=None)
def test_a_name_is_one_short_line_that_is_no_formula(name: Any, most: int) -> None:
    shown = named(name, most)
    assert shown
    assert "$" not in shown.replace(r"\$", "")
    plain = shown.replace(r"\$", "$")
    visible = plain.removeprefix("\u200e").removesuffix("\u200e")
    assert len(visible) <= max(most, len("(empty)"))
    assert all(letter.isprintable() for letter in visible)
    drawn, is_math = matplotlib.text.Text(0, 0, shown)._preprocess_math(shown)
    assert (drawn, is_math) == (plain, False)


@given(st.integers(1, 10**17))
def test_a_compact_number_is_near_and_short(count: int) -> None:
    shown = compact(count)
    unit = {"k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15}.get(shown[-1], 1.0)
    assert float(shown.rstrip("kMGTP")) * unit == pytest.approx(count, rel=0.051)
    assert len(shown) <= 4


# Files -----------------------------------------------------------------------------------------------


@all_plots
def test_an_svg_holds_its_words_as_text(plot: Callable[..., Any], tmp_path: Path) -> None:
    ax = plot(GOLD, PRED)
    path = cs.plot.save(ax, str(tmp_path / "plot.svg"))
    assert path == tmp_path / "plot.svg"
    written = path.read_text(encoding="utf-8")
    shown = texts(written)
    for label in (ax.get_xlabel(), ax.get_ylabel()):
        assert all(part in shown for part in label.split("\n") if part)
    for text in [*ticks(ax.xaxis), *ticks(ax.yaxis)]:
        assert all(part in shown for part in text.get_text().split("\n") if part)
    assert "<image" not in written  # nothing is a picture of pixels
    assert written == cs.plot.save(plot(GOLD, PRED), tmp_path / "again.svg").read_text(encoding="utf-8")


def test_pdf_and_png_are_written(tmp_path: Path) -> None:
    ax = cs.plot.sizes(GOLD, PRED)
    assert cs.plot.save(ax, tmp_path / "a.pdf").read_bytes().startswith(b"%PDF")
    png = cs.plot.save(ax, tmp_path / "a.PNG").read_bytes()
    assert png.startswith(b"\x89PNG")
    assert int.from_bytes(png[16:20], "big") == round(300 * WIDTH)
    for name in ("a.pdf", "a.PNG"):
        assert (
            cs.plot.save(cs.plot.sizes(GOLD, PRED), tmp_path / f"again-{name}").read_bytes()
            == (tmp_path / name).read_bytes()
        )


@pytest.mark.parametrize(
    ("name", "message"), [("plot.jpg", ".svg, .pdf, .png"), ("plot", ".svg, .pdf, .png"), ("no/plot.svg", "no folder")]
)
def test_a_file_that_cannot_be_written_is_told(name: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(cs.FileError, match=re.escape(message)):
        cs.plot.save(cs.plot.sizes(GOLD, PRED), tmp_path / name)
    with pytest.raises(cs.InputTypeError, match="pass the result of a plot"):
        cs.plot.save("plot", tmp_path / "plot.svg")  # type: ignore[arg-type]


def test_plots_stand_side_by_side_in_a_page() -> None:
    page = [cs.plot.svg(plot(GOLD, PRED), name, label=f"{name} of <two>") for name, plot in PLOTS.items()]
    ids = [element_id for picture in page for element_id in re.findall(r'\bid="([^"]+)"', picture)]
    assert len(ids) == len(set(ids))
    for name, picture in zip(PLOTS, page, strict=True):
        root = ElementTree.fromstring(picture)
        own = {element.get("id") for element in root.iter()} - {None}
        assert all(element_id.startswith(f"{name}-") for element_id in own)
        used = set(re.findall(r'(?:xlink:href="#|url\(#)([^")]+)', picture))
        assert used <= own
        assert (root.get("role"), root.get("aria-label")) == ("img", f"{name} of <two>")
        assert "<style" not in picture  # which would hold for the whole page
        assert "font-family" not in picture
    alone = ElementTree.fromstring(cs.plot.svg(cs.plot.sizes(GOLD, PRED), r'\1 "odd"'))
    assert alone.get("aria-hidden") == "true"
    assert next(element.get("id") for element in alone.iter() if element.get("id")) == "-1--odd--figure_1"


def tips(ax: Any) -> list[tuple[str | None, str | None]]:
    """What the marks of a plot are, and what a click shows, in the order of the drawing."""
    marks = ElementTree.fromstring(cs.plot.svg(ax)).iter()
    return [(mark.get("data-tip"), mark.get("data-find")) for mark in marks if mark.get("data-tip")]


def test_marks_say_what_they_are() -> None:
    gold, pred = [0, 0, 0, 1, 2], [0, 0, 1, 1, 2]
    assert tips(cs.plot.sizes(gold, pred))[:3] == [
        ("gold: 2 clusters of 1 element", "gold:1-1"),
        ("gold: 0 clusters of 2 elements", "gold:2-2"),
        ("gold: 1 cluster of 3 elements", "gold:3-3"),
    ]
    assert tips(cs.plot.by_size(gold, pred, metric="bcubed")) == [
        ("2 gold clusters of 1 element, 40.0% of all elements; precision 0.750, recall 1.000", "gold:1-1"),
        ("1 gold cluster of 3 elements, 60.0% of all elements; precision 0.833, recall 0.556", "gold:3-3"),
    ]
    named = ["a", "a", "a", "b", "c"]
    assert tips(cs.plot.overlaps(named, pred))[:2] == [
        ("gold \u2068a\u2069 and predicted \u20680\u2069: 2 of 3 elements", "gold/0"),
        ("gold \u2068a\u2069 and predicted \u20681\u2069: 1 of 3 elements", "gold/0"),
    ]
    assert tips(cs.plot.difference(gold, pred, documents=["x", "x", "x", "y", "y"])) == [
        ("document \u2068y\u2069: bcubed 1.000, elm 1.000", "doc/1"),
        ("document \u2068x\u2069: bcubed 0.700, elm 0.444", "doc/0"),
    ]
    lines = tips(cs.plot.sizes([k // 20 for k in range(40)], [0] * 40))
    assert lines[0] == ("gold: 2 clusters of 20 elements or more, 2 of just that size", "gold:20-")
    assert [find for _, find in tips(comparison())] == ["system:A", "system:B"]
    assert tips(cs.plot.scatter({"A": cs.score(gold, pred), "B": cs.score(gold, gold)})) == [
        ("all elements: \u2068A\u2069 0.467, \u2068B\u2069 1.000", "doc/0")
    ]


def test_marks_that_look_the_same_take_little_room() -> None:
    ax = cs.plot.difference([0, 1] * 1000, [0, 0] * 1000, documents=np.arange(2000) // 2)
    drawn = cs.plot.svg(ax, "x")
    assert drawn.count("<use data-tip") == 1000
    assert len(drawn) < (140 if OLD else 135) * 1000
    marks = next(
        part for part in ElementTree.fromstring(drawn).iter(f"{SVG}g") if "fill-opacity: 0.55" in part.get("style", "")
    )
    assert [len(marks), marks[0].get("style")] == [1000, None]
    differ = '<g>\n<use style="fill: red"/>\n<use style="fill: blue"/>\n</g>'
    assert canvas._MARKED.sub(canvas._together, differ) == differ


def test_marks_are_explained_up_to_some_thousands_and_never_on_axes_of_the_user() -> None:
    documents = np.arange(4200) // 2
    few = cs.plot.difference([0, 1] * 1000, [0, 0] * 1000, documents=documents[:2000])
    assert len(tips(few)) == 1000
    assert tips(cs.plot.difference([0, 1] * 2100, [0, 0] * 2100, documents=documents)) == []
    _, ax = pyplot.subplots()
    assert tips(cs.plot.sizes(GOLD, PRED, ax=ax)) == []
    pyplot.close("all")


def test_what_marks_say_is_escaped_and_keeps_its_direction() -> None:
    name = '"><script>\u202e\x07\u05d0' + "long " * 60
    drawn = cs.plot.svg(cs.plot.overlaps([name, name, "b"], [0, 0, 1]))
    assert "<script" not in drawn
    assert "\u202e" not in drawn
    (tip, _), *_ = tips(cs.plot.overlaps([name, name, "b"], [0, 0, 1]))
    assert tip is not None
    assert tip.startswith('gold \u2068"><script>\ufffd\u05d0long')
    assert len(tip) < 150


def test_a_plot_is_drawn_once_and_keeps_its_layout(monkeypatch: pytest.MonkeyPatch) -> None:
    from matplotlib.figure import Figure

    drawn = []
    draw = Figure.draw
    monkeypatch.setattr(Figure, "draw", lambda self, renderer: (drawn.append(self), draw(self, renderer))[1])
    ax = cs.plot.sizes(GOLD, PRED)
    layout = ax.figure.get_layout_engine()
    cs.plot.svg(ax)
    assert len(drawn) == 1
    assert layout is not None
    assert ax.figure.get_layout_engine() is layout


def test_numbers_after_a_name_from_right_to_left_stay_after_it() -> None:
    drawn = cs.plot.svg(cs.plot.overlaps(["\u05d0", "\u05d0", "b"], [0, 0, 1]))
    assert "\u200e\u05d0\u200e · 2" in drawn
    assert named("\u05d0\u05d1") == "\u200e\u05d0\u05d1\u200e"
    assert named("\u0627 xy", 2) == "\u200e\u0627…\u200e"
    assert named("ab") == "ab"


def test_ink_and_paper_are_those_of_the_page() -> None:
    ax = comparison()
    assert "#1a1a1a" in cs.plot.svg(ax)
    drawn = cs.plot.svg(ax, ink="currentColor", paper="var(--paper)")
    assert "#1a1a1a" not in drawn
    assert "fill: currentColor" in drawn
    assert "#ffffff" not in drawn


def test_names_that_look_like_a_drawing_stay_names() -> None:
    evil = ["#1a1a1a", 'id="a" url(#b)', "</text><script>", "<!--"]
    ax = cs.plot.overlaps(evil, [0, 0, 1, 1])
    drawn = cs.plot.svg(ax, "evil", ink="red")
    shown = texts(drawn)
    assert [text for text in shown if text.endswith("· 1")] == sorted([
        "#1a1a1a · 1", 'id="a" url(#b) · 1', "</text><scrip… · 1", "<!-- · 1"], key=shown.index)  # fmt: skip
    assert "<script" not in drawn
