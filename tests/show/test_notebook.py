"""What a notebook shows: every result as an HTML table, in which nothing is cut off and labels are never obeyed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from html import unescape
from html.parser import HTMLParser
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

import clusterscore as cs
from clusterscore.messages import visible
from clusterscore.show.grid import Grid
from page.browser import NAMES, Browser, find_browser
from show.results import DOCUMENTS, GOLD, PRED, results
from show.test_hostile import HOSTILE

NOTEBOOK = Path(__file__).resolve().parent.parent.parent / "examples" / "notebook.ipynb"
TAGS = {"div", "style", "table", "thead", "tbody", "tr", "th", "td", "p", "strong"}
PROGRAM = find_browser()


class Shown(HTMLParser):
    """The tables and the lines around them in a piece of HTML; tags that are not closed in order are an error."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=False)
        self.open: list[str] = []
        self.tables: list[list[list[str]]] = []
        self.kinds: list[list[list[str | None]]] = []
        self.lines: list[str] = []
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        assert tag in TAGS
        assert {name for name, _ in attributes} <= {"class"}
        self.open.append(tag)
        if tag == "table":
            self.tables.append([])
            self.kinds.append([])
        elif tag == "tr":
            self.tables[-1].append([])
            self.kinds[-1].append([])
        elif tag in ("th", "td"):
            self.tables[-1][-1].append("")
            self.kinds[-1][-1].append(dict(attributes).get("class"))
        elif tag == "p":
            self.lines.append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        raise AssertionError(f"<{tag}/>")

    def handle_data(self, text: str) -> None:
        inside = self.open[-1] if self.open else ""
        if inside in ("th", "td", "strong"):
            self.tables[-1][-1][-1] += text
        elif inside == "p":
            self.lines[-1] += text
        else:
            assert inside == "style" or not text.strip()

    def handle_entityref(self, name: str) -> None:
        self.handle_data(unescape(f"&{name};"))

    def handle_charref(self, name: str) -> None:
        self.handle_data(unescape(f"&#{name};"))


def shown(result: Any) -> Shown:
    return Shown(result._repr_html_())


LABEL = "a name of a cluster that goes on, <i>and on</i>, and on, and has_one_very_long_word_in_it_" * 3


@cache
def everything() -> dict[str, Any]:
    more = {
        "Score with more numbers": cs.alphamax(GOLD, PRED),
        "many elements": cs.elements(GOLD * 9, [LABEL] * 45),
        "long names": cs.clusters([LABEL, LABEL, "x"], PRED[:3]),
        "Verdict": cs.constraints.check("bcubed", "rag_bag"),
    }
    return {**results(), **more}


def test_every_result_is_a_table() -> None:
    for name, result in everything().items():
        page = shown(result)
        assert page.tables, name
        for table, kinds in zip(page.tables, page.kinds, strict=True):
            assert len(table) > 1, name
            assert len({len(row) for row in table}) == 1, name
            for column, sorts in zip(zip(*table, strict=True), zip(*kinds, strict=True), strict=True):
                numbers = [cell for cell in column[1:] if cell]
                if column[0].startswith(("threshold", "example", "against", "diff")) or name == "PaperTable":  # texts
                    continue
                if numbers and all(re.fullmatch(r"-?[\d,]+(\.\d+)?|< 0\.001", cell) for cell in numbers):
                    assert set(sorts) == {"number"}, (name, column)
                else:
                    assert "number" not in sorts, (name, column)


def test_a_score() -> None:
    score = cs.elm(GOLD, PRED)
    page = shown(score)
    assert page.tables == [[["metric", "P", "R", "score"], ["elm", "0.6000", "0.6000", "0.4000"]]]
    assert page.lines == [score.signature]
    assert shown(cs.ari(GOLD, PRED)).tables[0][0] == ["metric", "score"]
    assert shown(cs.alphamax(GOLD, PRED)).tables[0][0] == ["metric", "P", "R", "score", "alpha_hat"]
    macro = cs.score(GOLD, PRED, metrics="elm", documents=DOCUMENTS, average="macro")["elm"]
    assert shown(macro).tables[0][1][-1] == f"{macro.std:.4f}"
    assert shown(cs.Score(0.5)).lines == []


def test_a_scorecard_has_its_counts_and_its_baselines() -> None:
    card = cs.score(GOLD * 300, PRED * 300, metrics="elm, ari", documents=DOCUMENTS * 300, baselines=True)
    counts, scores, baselines = shown(card).tables
    facts = [[fact, *(f"{count:,}" for count in both)] for fact, both in card.facts.items()]
    assert counts == [["", "gold", "predicted"], ["documents", "2", ""], *facts]
    assert counts[2] == ["elements", "1,500", "1,500"]
    assert [row[:4] for row in scores[1:]] == [
        ["elm", *(f"{number:.4f}" for number in (card["elm"].precision, card["elm"].recall, card["elm"].value))],
        ["adjusted_rand", "", "", f"{card['ari'].value:.4f}"],
    ]
    assert [row[0] for row in baselines] == ["system", "prediction", *card.baselines]
    assert shown(card).lines == [f"avg:micro|missing:error|documents:given|v:{cs.__version__}"]


@pytest.mark.parametrize("rows", [1, 20, 21, 1234])
def test_long_tables_show_their_first_rows(rows: int) -> None:
    columns = cs.elements(list(range(rows)), [0] * rows)
    columns.notes = ["a note"]
    page = shown(columns)
    assert [row[0] for row in page.tables[0][1:]] == [str(k) for k in range(min(rows, 20))]
    assert page.lines == [*([f"the first 20 of {rows:,} rows"] if rows > 20 else []), "a note"]


def test_labels_are_text() -> None:
    texts = [visible(label) for label in HOSTILE]
    page = Shown(Grid(["x", *HOSTILE], [[label] * (len(HOSTILE) + 1) for label in HOSTILE], below=HOSTILE).to_html())
    assert page.tables == [[["x", *texts], *([text] * (len(texts) + 1) for text in texts)]]
    assert page.lines == texts
    assert Shown(Grid(["x"], [], above="a<b>\x1b").to_html()).lines == [r"a<b>\x1b"]

    bold = "<b>x</b>"
    score = cs.elm([bold, "y"], [bold, "y"], noise=bold, noise_as="cluster")
    assert bold in score.signature
    assert shown(score).lines == [score.signature]
    compared = cs.compare(GOLD * 4, dict.fromkeys(filter(None, HOSTILE), PRED * 4), metrics="elm", resamples=10)
    assert [row[1] for row in shown(compared).tables[0][1:]] == list(filter(None, texts))


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if PROGRAM is None:
        pytest.skip(f"no browser is installed ({', '.join(NAMES)} looked for)")
    with Browser(PROGRAM) as opened:
        yield opened


# what a notebook may say of all tables, in its own colours
THEME = """
body { margin: 0; font: 14px sans-serif; color: %s; background: %s; }
.output table { table-layout: fixed; margin: 0 auto 1em; color: red; }
.output.html td, .output.html th, .output.html tr { text-align: right; white-space: normal; max-width: 3em; border: 0; }
.output tbody tr:nth-child(odd) { background: yellow; }
"""


@pytest.mark.parametrize("width", [360, 1000])
@pytest.mark.parametrize(("ink", "ground"), [("rgb(20, 20, 20)", "white"), ("rgb(230, 230, 230)", "#111")])
def test_nothing_is_cut_off(width: int, ink: str, ground: str, browser: Browser, tmp_path: Path) -> None:
    outputs = "".join(f'<div class="output html">{result._repr_html_()}</div>' for result in everything().values())
    page = tmp_path / "outputs.html"
    head = "<!doctype html><html data-ready='true'><meta charset='utf-8'>"
    head += f"<meta name='viewport' content='width=device-width'><style>{THEME % (ink, ground)}</style>"
    page.write_text(head + outputs, encoding="utf-8")
    browser.resize(width, 900)
    browser.open(page)
    assert browser.run("document.documentElement.scrollWidth") <= width
    cells, rows = (f"[...document.querySelectorAll('{tags}')]" for tags in ("th, td, p", "tr"))
    assert (
        browser.run(f"{cells}.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent)") == []
    )
    boxes = "[...document.querySelectorAll('.clusterscore > div')]"
    assert browser.run(f"{boxes}.every((box) => getComputedStyle(box).overflowX === 'auto')")
    assert browser.run(f"{boxes}.every((box) => box.firstElementChild.offsetWidth <= box.scrollWidth)")
    scrolled = browser.run(f"{boxes}.filter((box) => box.scrollWidth > box.clientWidth).length")
    assert 0 < scrolled < browser.run(f"{boxes}.length")
    style = "(found, key) => [...new Set(found.map((one) => getComputedStyle(one)[key]))]"
    assert browser.run(f"({style})({cells}, 'color')") == [ink]
    assert browser.run(f"({style})({rows}, 'backgroundColor')") == ["rgba(0, 0, 0, 0)"]
    assert browser.run(f"({style})({cells}.filter((one) => one.className === 'number'), 'textAlign')") == ["right"]
    assert browser.run(f"({style})({cells}.filter((one) => one.className !== 'number'), 'textAlign')") == ["left"]
    assert browser.errors == []


def test_the_example_notebook_shows_what_happens() -> None:
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    stored = nbformat.read(NOTEBOOK, as_version=4)
    fresh = nbformat.read(NOTEBOOK, as_version=4)
    for cell in fresh.cells:
        if cell.cell_type == "code":
            cell.outputs = []
    nbclient.NotebookClient(fresh, timeout=120, resources={"metadata": {"path": str(NOTEBOOK.parent)}}).execute()
    code = [(was, now) for was, now in zip(stored.cells, fresh.cells, strict=True) if now.cell_type == "code"]
    assert len(code) > 5
    for was, now in code[1:]:  # the first one imports
        (output,) = now.outputs
        assert Shown(output.data["text/html"]).tables
        assert [output.data["text/html"] for output in was.outputs] == [output.data["text/html"]], (
            f"run jupyter execute --inplace examples/{NOTEBOOK.name}"
        )


def test_plots_of_a_notebook_are_shown_and_so_are_those_of_its_user() -> None:
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    ours, own = "cs.plot.sizes([0, 0, 1], [0, 1, 1])", "from matplotlib import pyplot as plt\nplt.plot([1, 2])"

    def shown(*cells: str) -> list[int]:
        notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
        nbclient.NotebookClient(notebook, timeout=120).execute()
        return [sum("image/png" in output.get("data", {}) for output in cell.outputs) for cell in notebook.cells]

    first = 1
    if version("matplotlib").startswith("3.8."):  # which shows nothing in the first cell of a recent IPython
        first = shown(own)[0]
    cells = [f"import clusterscore as cs\n{ours}", own, ours, own, f"with cs.plot.offscreen():\n    {ours}"]
    assert shown(*cells) == [first, 1, 1, 1, 0]
