"""The page in a real browser: what it shows is what the library says, and it does what its buttons promise."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import clusterscore as cs
from page.browser import Browser

CLUSTERS, ELEMENTS = "#cluster-table", "#element-table"


class Streams:
    """Sixteen documents of some pages, and two predictions, one better than the other."""

    def __init__(self) -> None:
        rng = np.random.default_rng(7)
        self.documents = np.repeat([f"s{k:02}" for k in range(16)], 12).tolist()
        self.gold = (np.arange(192) // np.tile([1, 2, 3, 4], 48)).tolist()
        self.good = np.where(rng.random(192) < 0.3, np.roll(self.gold, 2), self.gold).tolist()
        self.bad = (np.arange(192) // 3).tolist()
        self.texts = [f"page {k} of the stream" for k in range(192)]


STREAMS = Streams()


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pages")
    given: dict[str, Any] = {"documents": STREAMS.documents, "show": STREAMS.texts}
    cs.report(STREAMS.gold, STREAMS.good, path=folder / "one.html", **given)
    cs.report(STREAMS.gold, {"good": STREAMS.good, "bad": STREAMS.bad}, path=folder / "two.html", **given)
    return folder


def texts(browser: Browser, selector: str) -> list[str]:
    shown = browser.run(f"[...document.querySelectorAll({json.dumps(selector)})].map((one) => one.textContent.trim())")
    assert isinstance(shown, list)
    return shown


def text(browser: Browser, selector: str) -> str:
    (only,) = texts(browser, selector)
    return only


def column(browser: Browser, table: str, title: str) -> list[str]:
    """The cells of a column that are shown."""
    place = [head.strip() for head in texts(browser, f"{table} thead th")].index(title) + 1
    return texts(browser, f"{table} tbody tr > :nth-child({place})")


def sort_by(browser: Browser, table: str, title: str) -> None:
    place = texts(browser, f"{table} thead th").index(title) + 1
    browser.click(f"{table} thead th:nth-child({place}) button")


def chosen(browser: Browser, selector: str, value: str) -> None:
    browser.run(
        f"(() => {{ const field = document.querySelector({json.dumps(selector)}); field.value = {json.dumps(value)};"
        "field.dispatchEvent(new Event('change')); })()"
    )


def chosen_order(browser: Browser, side: str) -> list[int]:
    """The clusters of a side in the order in which their table begins."""
    return list(system(browser, f"Array.from(clusterTable(make('div'), system, '{side}').order)"))


def system(browser: Browser, expression: str, place: int = 0) -> Any:
    """Something of a system as the page has it."""
    return browser.run(f"loaded({place}).then((system) => ({expression}))")


def test_it_opens_without_errors_and_asks_nobody(browser: Browser, pages: Path) -> None:
    for name in ("one", "two"):
        browser.open(pages / f"{name}.html")
        asked = [url for url in browser.requests if not url.startswith(("data:", "about:"))]
        assert asked == [(pages / f"{name}.html").as_uri()]


VARIANTS: dict[str, dict[str, Any]] = {
    "elm": {},
    "bcubed": {"metric": "bcubed"},
    "beta": {"metric": "elm(beta=2)"},
    "only recall": {"metric": "elm(alpha=0)"},
    "only precision": {"metric": "elm(w_fp=2, w_fn=0)"},
    "of means": {"metric": "bcubed(f=of-means, beta=0.5)"},
    "class": {"weights": "class"},
    "given": {"weights": [1.0 + k % 5 for k in range(192)]},
    "effective of means": {"metric": "elm(f=of-means)", "weights": "effective"},
}


@pytest.mark.usefixtures("without_plots")
@pytest.mark.parametrize("options", VARIANTS.values(), ids=VARIANTS)
def test_its_numbers_are_those_of_the_library(browser: Browser, tmp_path: Path, options: dict[str, Any]) -> None:
    given = {"documents": STREAMS.documents, **options}
    metrics = [options.get("metric", "elm")]
    names = {"element_metric" if name == "metric" else name: value for name, value in given.items()}
    page = cs.report(STREAMS.gold, STREAMS.good, path=tmp_path / "page.html", metrics=metrics, **names)
    browser.open(page)
    near = {"rel": 1e-6, "abs": 1e-12}

    elements = cs.elements(STREAMS.gold, STREAMS.good, **given)
    shown = system(browser, "system.elements.names.names.map(Number)")
    for key in ("tp", "fp", "fn", "precision", "recall", "f", "loss"):
        assert system(browser, f"system.elements.{key}") == pytest.approx(elements[key][shown].tolist(), **near)

    for side in ("gold", "pred"):
        rows = cs.clusters(STREAMS.gold, STREAMS.good, side=side, **given)
        keys = ("document", "cluster", "size", "overlap", "parts", "precision", "recall", "f", "loss")
        expected = list(zip(*(rows[key].tolist() for key in keys), strict=True))
        page_rows = system(
            browser,
            f"(() => {{ const {{ names, ...rows }} = system.sides.{side};"
            "return Array.from({ length: rows.count }, (_, k) => ["
            "system.documents.names.at(rows.document[k]), Number(names.at(k)), rows.size[k],"
            "rows.overlap[k], rows.parts[k], rows.precision[k], rows.recall[k], rows.f[k], rows.loss[k]"
            "]); })()",
        )
        assert chosen_order(browser, side) == list(range(len(rows)))
        assert [tuple(row[:5]) for row in page_rows] == [row[:5] for row in expected]
        for mine, theirs in zip(page_rows, expected, strict=True):
            assert mine[5:] == pytest.approx(theirs[5:], **near)

    kinds = cs.errors(STREAMS.gold, STREAMS.good, **given)
    assert system(browser, "KINDS.map((_, kind) => system.parts.kind.filter((one) => one === kind).length)") == (
        kinds["cells"].tolist()
    )
    assert system(browser, "system.lost") == pytest.approx(float(kinds["loss"].sum()), rel=1e-12)


def test_the_worst_come_first(browser: Browser, pages: Path) -> None:
    browser.open(pages / "one.html")
    rows = cs.clusters(STREAMS.gold, STREAMS.good, side="gold", documents=STREAMS.documents)
    assert column(browser, CLUSTERS, "Loss") == [f"{loss:.4f}" for loss in rows["loss"][:10]]
    losses = np.sort(cs.elements(STREAMS.gold, STREAMS.good, documents=STREAMS.documents)["loss"])[::-1]
    assert column(browser, ELEMENTS, "Loss") == [f"{loss:.4f}" for loss in losses[:10]]
    assert text(browser, f"{CLUSTERS} .status") == f"1 to 10 of {len(rows)}"


@pytest.mark.usefixtures("without_plots")
def test_equal_elements_stand_as_in_the_input(browser: Browser, tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    gold, pred = rng.integers(0, 9, (2, 80)).tolist()
    ids = [f"e{k}" for k in rng.permutation(80)]
    sides = [cs.Clustering.from_labels(side, elements=ids) for side in (gold, pred)]
    browser.open(cs.report(*sides, path=tmp_path / "page.html", metrics="elm"))
    assert column(browser, ELEMENTS, "Element") == cs.elements(*sides).worst(10)["element"].tolist()


def test_sorting(browser: Browser, pages: Path) -> None:
    browser.open(pages / "one.html")
    rows = cs.clusters(STREAMS.gold, STREAMS.good, side="gold", documents=STREAMS.documents)
    sort_by(browser, CLUSTERS, "Size")
    assert column(browser, CLUSTERS, "Size") == [str(size) for size in sorted(rows["size"].tolist(), reverse=True)[:10]]
    heads = browser.run(f"[...document.querySelectorAll('{CLUSTERS} thead th')].map((one) => one.ariaSort)")
    assert heads.count("descending") == 1
    assert heads.count(None) == len(heads) - 1
    sort_by(browser, CLUSTERS, "Size")
    assert column(browser, CLUSTERS, "Size") == [str(size) for size in sorted(rows["size"].tolist())[:10]]
    assert browser.run(f"document.querySelector('{CLUSTERS} [aria-sort]').ariaSort") == "ascending"
    sort_by(browser, CLUSTERS, "Cluster")  # a name begins with the first, as numbers do and not as letters
    names = [int(name) for name in column(browser, CLUSTERS, "Cluster")]
    assert names == sorted(rows["cluster"].tolist())[:10]
    sort_by(browser, ELEMENTS, "Text")
    expected = sorted(STREAMS.texts, key=lambda label: int(label.split()[1]))
    assert column(browser, ELEMENTS, "Text") == expected[:10]
    sort_by(browser, ELEMENTS, "Document")
    assert set(column(browser, ELEMENTS, "Document")) == {"s00"}


def test_finding_and_filtering(browser: Browser, pages: Path) -> None:
    browser.open(pages / "one.html")
    browser.type(f"{ELEMENTS} input[type=search]", "PAGE 17 of")
    browser.wait(f"document.querySelector('{ELEMENTS} .status').textContent.includes('(of 192)')")
    matching = column(browser, ELEMENTS, "Text")
    assert sorted(matching) == ["page 17 of the stream"]
    assert text(browser, f"{ELEMENTS} .status") == "1 to 1 of 1 (of 192)"
    browser.type(f"{ELEMENTS} input[type=search]", "no such thing")
    browser.wait(f"document.querySelector('{ELEMENTS} .status').textContent === '0 of 192'")
    assert texts(browser, f"{ELEMENTS} tbody td") == ["No matches."]
    browser.type(f"{ELEMENTS} input[type=search]", "s03")
    browser.wait(f"document.querySelector('{ELEMENTS} .status').textContent === '1 to 10 of 12 (of 192)'")
    browser.run(f"document.querySelector('{ELEMENTS} input[type=search]').value = ''")
    browser.type(f"{ELEMENTS} input[type=search]", " ")
    browser.wait(f"document.querySelector('{ELEMENTS} .status').textContent === '1 to 10 of 192'")
    kinds = cs.errors(STREAMS.gold, STREAMS.good, documents=STREAMS.documents)
    chosen(browser, f"{ELEMENTS} select", "5")
    assert text(browser, f"{ELEMENTS} .status").endswith(f"of {kinds['elements'][5]} (of 192)")
    assert set(column(browser, ELEMENTS, "Kind")) == {"false singleton"}
    sizes = cs.clusters(STREAMS.gold, STREAMS.good, side="gold", documents=STREAMS.documents)["size"]
    chosen(browser, f"{CLUSTERS} select", "2-")
    assert text(browser, f"{CLUSTERS} .status").endswith(f"of {(sizes >= 2).sum()} (of {len(sizes)})")


DOCUMENTS = "#document-table"


def test_the_worst_document_comes_first_and_a_click_shows_it(browser: Browser, pages: Path) -> None:
    browser.open(pages / "one.html")
    given = {"documents": STREAMS.documents}
    documents = cs.score(STREAMS.gold, STREAMS.good, metrics=["elm", "bcubed"], **given).documents
    order = sorted(range(16), key=lambda k: (documents["elm"][k], k))
    assert column(browser, DOCUMENTS, "Document") == [documents["document"][k] for k in order[:10]]
    assert column(browser, DOCUMENTS, "elm") == [f"{documents['elm'][k]:.3f}" for k in order[:10]]
    lost = documents["elements"] * (1 - documents["elm"])
    assert column(browser, DOCUMENTS, "Share")[0] == f"{100 * lost[order[0]] / lost.sum():.1f}%"
    chosen(browser, "#document-measure", "1")
    browser.wait(f"document.querySelector('{DOCUMENTS} [aria-sort]').textContent === 'bcubed'")
    assert column(browser, DOCUMENTS, "bcubed")[0] == f"{documents['bcubed'].min():.3f}"
    chosen(browser, "#document-measure", "0")
    browser.wait(f"document.querySelector('{DOCUMENTS} [aria-sort]').textContent === 'elm'")
    browser.type(f"{DOCUMENTS} input[type=search]", "s03")
    browser.wait(f"document.querySelector('{DOCUMENTS} .status').textContent.endsWith('of 1 (of 16)')")
    browser.run(f"document.querySelector('{DOCUMENTS} tbody a').click()")
    browser.wait("!document.getElementById('detail').hidden")
    assert (text(browser, "#detail h2"), browser.run("location.hash")) == ("Document s03", "#doc/3")
    scores = texts(browser, "#detail .scroll[aria-label='Scores of this document'] tbody tr:first-child > *")
    sides = (documents[name][3] for name in ("elm", "elm.precision", "elm.recall"))
    assert scores == ["elm", *(f"{value:.4f}" for value in sides)]
    for side, shown in (("gold", "gold clusters"), ("pred", "predicted clusters")):
        rows = cs.clusters(STREAMS.gold, STREAMS.good, side=side, **given)
        own = rows.take(rows["document"] == "s03")
        table = f"#detail .scroll[aria-label='Table: {shown}']"
        assert column(browser, table, "Cluster") == list(map(str, own["cluster"].tolist()))[:10]
        assert column(browser, table, "Share")[0] == f"{100 * own['share'][0]:.1f}%"
    listed = column(browser, "#detail .scroll[aria-label^='Table: elements']", "Element")
    assert sorted(map(int, listed)) == list(range(36, 48))
    browser.click("#detail .crumb a")
    browser.wait("document.getElementById('detail').hidden")


@pytest.mark.usefixtures("without_plots")
def test_documents_of_two_systems_side_by_side(browser: Browser, tmp_path: Path) -> None:
    systems = {"good": STREAMS.good, "bad": STREAMS.bad, "gold": STREAMS.gold}
    given = {"documents": STREAMS.documents, "metrics": ["elm", "vi"]}
    browser.open(cs.report(STREAMS.gold, systems, path=tmp_path / "page.html", **given), "#1/doc/5")
    cards = {name: cs.score(STREAMS.gold, pred, **given).documents for name, pred in systems.items()}
    table = '#detail .scroll[aria-label="Scores of this document"]'
    assert texts(browser, f"{table} thead th") == ["Measure", "gold", "good", "bad"]
    for k, name in enumerate(("elm", "variation_of_information")):
        shown = texts(browser, f"{table} tbody tr:nth-child({k + 1}) td")
        assert shown == [f"{cards[side][name][5]:.4f}" for side in ("gold", "good", "bad")]
        assert browser.run(f"document.querySelector('{table} tbody tr:nth-child({k + 1}) td b') !== null")
    browser.click(".switch label:nth-of-type(3)")
    browser.wait("location.hash === '#2/doc/5'")
    browser.wait("document.querySelector('#detail .system-name').textContent === 'bad'")
    browser.click("#detail .crumb a")
    browser.wait("document.getElementById('detail').hidden")
    chosen(browser, "#document-rival", "1")
    browser.wait(f"[...document.querySelectorAll('{DOCUMENTS} th')].some((one) => one.textContent === 'good')")
    worst = sorted(range(16), key=lambda k: (cards["bad"]["elm"][k], k))[0]
    own, theirs = (float(cards[name]["elm"][worst]) for name in ("bad", "good"))
    first = [column(browser, DOCUMENTS, title)[0] for title in ("elm", "good", "Gap")]
    assert first == [f"{own:.3f}", f"{theirs:.3f}", f"{own - theirs:+.3f}".replace("-", "−")]
    browser.run("window.saved = []; URL.createObjectURL = (file) => { saved.push(file); return '#'; };")
    browser.run(
        f"[...document.querySelectorAll('{DOCUMENTS} button')].find((one) => /CSV/.test(one.textContent)).click()"
    )
    assert browser.run("saved[0].text()").lstrip("\ufeff").startswith("Document,elm,good,Gap,")


def test_a_mark_of_a_plot_says_what_it_is_and_shows_it(browser: Browser, pages: Path) -> None:
    browser.open(pages / "two.html")
    both = [
        cs.score(STREAMS.gold, pred, documents=STREAMS.documents).documents["elm"]
        for pred in (STREAMS.bad, STREAMS.good)
    ]
    spot = browser.run(
        "(() => { const mark = document.querySelector('[data-find=\"doc/5\"]');"
        "mark.scrollIntoView({block: 'center', behavior: 'instant'});"
        "const box = mark.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; })()"
    )
    browser.call("Input.dispatchMouseEvent", type="mouseMoved", x=spot[0], y=spot[1])
    tip = text(browser, "#tip:not([hidden])").translate({0x2068: None, 0x2069: None})
    near = [
        f"document s{k:02}: bad {bad:.3f}, good {good:.3f}" for k, (bad, good) in enumerate(zip(*both, strict=True))
    ]
    assert tip in near
    place = near.index(tip)
    browser.click(f"[data-find='doc/{place}']")
    browser.wait(f"document.querySelector('#detail h2')?.textContent === 'Document s{place:02}'")
    browser.run("location.hash = 'comparison'")
    browser.wait("!document.getElementById('overview').hidden")
    browser.click("#comparison [data-find='system:bad']")
    browser.wait("document.documentElement.dataset.shown === '1'")
    browser.click("[data-system='1'] [data-find^='pred:']")
    sizes = browser.run(f"document.querySelector('{CLUSTERS} select').value")
    low, high = (int(end) if end else 192 for end in sizes.split("-"))
    browser.wait("document.querySelector('[name=side][value=pred]').checked")
    assert all(low <= int(size) <= high for size in column(browser, CLUSTERS, "Size"))
    browser.click("[data-system='1'] [data-find^='gold/']")
    browser.wait("location.hash.startsWith('#1/gold/') && !document.getElementById('detail').hidden")


def test_the_first_touch_of_a_mark_says_what_it_is_and_the_second_shows_it(browser: Browser, pages: Path) -> None:
    browser.resize(390, 800)
    browser.call("Emulation.setTouchEmulationEnabled", enabled=True)
    try:
        browser.open(pages / "two.html")
        x, y = browser.run(
            "(() => { const mark = document.querySelector('#documents [data-find^=\"doc/\"]');"
            "mark.scrollIntoView({block: 'center', behavior: 'instant'});"
            "const box = mark.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; })()"
        )
        for shown in (
            "!document.getElementById('tip').hidden && !location.hash",
            "document.getElementById('tip').hidden && location.hash.startsWith('#doc/')",
        ):
            browser.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
            browser.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
            browser.wait(shown)
    finally:
        browser.call("Emulation.setTouchEmulationEnabled", enabled=False)


def test_the_scatter_is_that_of_the_systems_that_are_compared(browser: Browser, tmp_path: Path) -> None:
    three = {"one cluster": [0] * 192, "bad": STREAMS.bad, "good": STREAMS.good}
    browser.open(cs.report(STREAMS.gold, three, documents=STREAMS.documents, baseline="bad", path=tmp_path / "x.html"))
    axes = "#documents .plot[data-pair]:not([hidden]) text"

    def compared() -> set[str]:
        return {words.removeprefix("elm of ") for words in texts(browser, axes) if words.startswith("elm of ")}

    assert compared() == {"good", "bad"}
    chosen(browser, "#document-rival", "1")
    browser.wait("document.querySelector('[data-pair=\"1\"]:not([hidden])')")
    assert compared() == {"good", "one cluster"}
    browser.click("[name=system][value='2'] + span")
    browser.wait("document.documentElement.dataset.shown === '2'")
    assert compared() == {"good", "bad"}


def test_the_marks_of_a_plot_are_reached_with_the_arrow_keys(browser: Browser, pages: Path) -> None:
    browser.open(pages / "two.html")
    browser.run("document.querySelector('#comparison .plot svg').focus()")
    assert browser.run("document.getElementById('tip').hidden")
    tips = []
    for _ in range(3):
        browser.press("ArrowRight", 39)
        tips.append(text(browser, "#tip:not([hidden])").translate({0x2068: None, 0x2069: None}).split(":")[0])
    assert tips == ["good", "bad", "good"]
    browser.press("ArrowLeft", 37)
    browser.press("Enter", 13)
    browser.wait("document.documentElement.dataset.shown === '1'")
    browser.press("Escape", 27)
    assert browser.run("document.getElementById('tip').hidden")
    assert browser.run("document.querySelectorAll('.plot [tabindex]').length") == browser.run(
        "document.querySelectorAll('.plot svg[tabindex]').length"
    )


def test_a_kind_of_error_shows_its_elements(browser: Browser, pages: Path) -> None:
    browser.open(pages / "one.html")
    kinds = cs.errors(STREAMS.gold, STREAMS.good, documents=STREAMS.documents)
    browser.click("#errors [data-kind='3']")
    assert set(column(browser, ELEMENTS, "Kind")) == {"mixed"}
    assert text(browser, f"{ELEMENTS} .status").endswith(f"of {kinds['elements'][3]} (of 192)")
    assert browser.run(f"document.querySelector('{ELEMENTS} select').value") == "3"


def test_paging(browser: Browser, pages: Path) -> None:
    browser.open(pages / "one.html")
    sort_by(browser, ELEMENTS, "Text")
    turn = f"{ELEMENTS} .pager button[aria-label='%s']"
    assert browser.run(f"document.querySelector({json.dumps(turn % 'First page')}).disabled") is True
    browser.click(turn % "Next page")
    assert column(browser, ELEMENTS, "Text") == [f"page {k} of the stream" for k in range(10, 20)]
    assert text(browser, f"{ELEMENTS} .status") == "11 to 20 of 192"
    browser.click(turn % "Last page")
    assert column(browser, ELEMENTS, "Text") == ["page 190 of the stream", "page 191 of the stream"]
    assert browser.run(f"document.querySelector({json.dumps(turn % 'Next page')}).disabled") is True
    browser.click(turn % "Page before")
    assert text(browser, f"{ELEMENTS} .status") == "181 to 190 of 192"
    for typed, expected in (
        ("3", "21 to 30"),
        ("999", "191 to 192"),
        ("-4", "1 to 10"),
        ("", "1 to 10"),
        ("2.7", "11 to 20"),
    ):
        chosen(browser, f"{ELEMENTS} .pager input", typed)
        assert text(browser, f"{ELEMENTS} .status") == f"{expected} of 192"
    chosen(browser, f"{ELEMENTS} .pager select", "100")
    assert len(column(browser, ELEMENTS, "Text")) == 100
    assert text(browser, f"{ELEMENTS} .pager span:not(.field)") == "of 2"


def test_clicking_into_a_cluster(browser: Browser, pages: Path) -> None:
    browser.open(pages / "one.html")
    rows = cs.clusters(STREAMS.gold, STREAMS.good, side="gold", documents=STREAMS.documents)
    worst, where = int(rows["cluster"][0]), str(rows["document"][0])
    assert column(browser, CLUSTERS, "Cluster")[0] == str(worst)
    browser.click(f"{CLUSTERS} tbody a")
    browser.wait("!document.getElementById('detail').hidden")
    assert browser.run("location.hash").startswith("#gold/")
    assert text(browser, "#detail h2") == f"Gold cluster {worst} of document {where}"
    assert browser.run("document.activeElement.tagName") == "H2"
    assert browser.run("document.getElementById('overview').hidden") is True
    members = [k for k in range(192) if STREAMS.gold[k] == worst and STREAMS.documents[k] == where]
    went = [STREAMS.good[k] for k in members]
    assert text(browser, "#detail .lead").startswith(f"Its {len(members)} elements")
    parts, listed = "#detail .scroll[aria-label^='Table: parts']", "#detail .scroll[aria-label^='Table: elements']"
    assert sorted(column(browser, parts, "Predicted cluster")) == sorted(map(str, set(went)))
    cells = zip(column(browser, listed, "Element"), column(browser, listed, "Predicted"), strict=True)
    assert sorted((int(element), int(cluster)) for element, cluster in cells) == list(zip(members, went, strict=True))
    assert sum(map(int, column(browser, parts, "Elements"))) == len(members)
    # on to where most of them went, and all the way back
    browser.click(f"{parts} tbody a")
    browser.wait("location.hash.startsWith('#pred/')")
    browser.wait("document.querySelector('#detail h2').textContent.startsWith('Predicted cluster')")
    best = text(browser, "#detail h2 span.name")
    assert best in {str(label) for label in went}
    inside = [k for k in range(192) if STREAMS.good[k] == int(best) and STREAMS.documents[k] == where]
    assert sorted(map(int, column(browser, listed, "Element"))) == inside
    browser.run("history.back()")
    browser.wait("document.querySelector('#detail h2').textContent.startsWith('Gold cluster')")
    browser.click("#detail .crumb a")
    browser.wait("document.getElementById('detail').hidden")
    assert browser.run("document.getElementById('overview').hidden") is False
    assert browser.run("document.title") == "Clustering report"


def test_walking_from_the_worst_to_the_next(browser: Browser, pages: Path) -> None:
    browser.open(pages / "one.html")
    names = column(browser, CLUSTERS, "Cluster")
    browser.click(f"{CLUSTERS} tbody a")
    browser.wait("!document.getElementById('detail').hidden")
    seen = [text(browser, "#detail h2 span.name")]
    for _ in range(4):
        before = browser.run("location.hash")
        browser.click("#detail .neighbours a:last-child")
        browser.wait(f"location.hash !== {json.dumps(before)}")
        browser.wait(f"document.querySelector('#detail .neighbours span').textContent.startsWith('{len(seen) + 1} of')")
        seen.append(text(browser, "#detail h2 span.name"))
    assert seen == names[:5]


@pytest.mark.parametrize("fragment", ["#gold/99999", "#7/gold/0", "#nonsense", "#%", "#gold/-1", "#../x", "#errors"])
def test_an_address_that_is_no_cluster(browser: Browser, pages: Path, fragment: str) -> None:
    browser.open(pages / "one.html", fragment)
    assert browser.run("document.getElementById('overview').hidden") is False
    assert browser.run("document.getElementById('detail').hidden") is True


def test_an_address_opens_its_cluster(browser: Browser, pages: Path) -> None:
    browser.open(pages / "two.html", "#1/pred/3")
    assert text(browser, "#detail h2").startswith("Predicted cluster 3")
    assert browser.run("document.querySelector('[name=system]:checked').value") == "1"


def test_another_system(browser: Browser, pages: Path) -> None:
    browser.open(pages / "two.html")
    assert texts(browser, "[data-system='1'] .value") == [
        f"{cs.elm(STREAMS.gold, STREAMS.bad, documents=STREAMS.documents).f:.3f}"
    ]
    seen = "[...document.querySelectorAll('.headline')].map((one) => one.offsetParent !== null)"
    assert browser.run(seen) == [True, False]
    browser.click(".sections .switch label:nth-of-type(2)")
    browser.wait("document.documentElement.dataset.shown === '1'")
    assert browser.run(seen) == [False, True]
    rows = cs.clusters(STREAMS.gold, STREAMS.bad, side="gold", documents=STREAMS.documents)
    assert column(browser, CLUSTERS, "Loss") == [f"{loss:.4f}" for loss in rows["loss"][:10]]
    assert browser.run(f"document.querySelector('{CLUSTERS} tbody a').hash").startswith("#1/gold/")


@pytest.mark.usefixtures("without_plots")
def test_one_of_many_systems(browser: Browser, tmp_path: Path) -> None:
    gold = [0, 0, 1, 1, 2, 2]
    systems = {f"system {k}": [min(label, k) for label in range(6)] for k in range(6)}
    browser.open(cs.report(gold, systems, path=tmp_path / "page.html", metrics="elm"), "#4/pred/0")
    assert browser.run("document.getElementById('which').value") == "4"
    seen = "[...document.querySelectorAll('.headline')].filter((one) => !one.closest('[hidden]')).length"
    assert browser.run(seen) == 0
    chosen(browser, "#which", "5")  # which has other clusters: so it shows all of them
    browser.wait("document.documentElement.dataset.shown === '5' && location.hash === '#clusters'")
    browser.wait("!document.getElementById('overview').hidden")
    assert browser.run(seen) == 1
    assert texts(browser, "[data-system='5'] .value") == [f"{cs.elm(gold, systems['system 5']).f:.3f}"]


def test_the_other_side(browser: Browser, pages: Path) -> None:
    browser.open(pages / "one.html")
    browser.click("#clusters .switch label:nth-of-type(2)")
    rows = cs.clusters(STREAMS.gold, STREAMS.good, side="pred", documents=STREAMS.documents)
    browser.wait(f"document.querySelector('{CLUSTERS} .status').textContent === '1 to 10 of {len(rows)}'")
    assert column(browser, CLUSTERS, "Loss") == [f"{loss:.4f}" for loss in rows["loss"][:10]]
    assert browser.run(f"document.querySelector('{CLUSTERS} tbody a').hash").startswith("#pred/")


HOSTILE = ["<script>window.hacked = 1</script>", '"><img src=x onerror="window.hacked = 1">',
           "</script><script>window.hacked = 1</script>", "<svg onload='window.hacked = 1'>",
           "javascript:window.hacked=1"]  # fmt: skip


def test_a_hostile_label_is_text(browser: Browser, tmp_path: Path) -> None:
    gold = {f"{label} {k}": label for label in HOSTILE for k in range(3)}
    pred = {element: HOSTILE[k % 5] for k, element in enumerate(gold)}
    systems = {HOSTILE[2]: pred, HOSTILE[1]: gold}
    documents = {element: HOSTILE[k > 8] for k, element in enumerate(gold)}
    page = cs.report(gold, systems, path=tmp_path / "page.html", title=HOSTILE[2], show=gold, documents=documents)
    browser.open(page)
    assert text(browser, "h1") == HOSTILE[2]
    assert browser.run("document.title") == HOSTILE[2]
    assert set(column(browser, CLUSTERS, "Cluster")) == set(HOSTILE)
    sort_by(browser, ELEMENTS, "Element")
    assert set(column(browser, ELEMENTS, "Text")) <= set(HOSTILE)
    for place in range(3):
        browser.run(f"location.hash = 'gold/{place}'")
        browser.wait("!document.getElementById('detail').hidden")
    browser.run("location.hash = '1/pred/0'")
    browser.wait("document.documentElement.dataset.shown === '1'")
    assert browser.run("window.hacked") is None
    assert browser.run("document.querySelectorAll('img, iframe, object, embed').length") == 0
    # the page itself would not run it either: only its own script has leave to
    browser.run("document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=\"window.hacked = 2\">')")
    browser.wait("document.querySelectorAll('img').length === 1")
    assert browser.run("new Promise((done) => setTimeout(() => done(window.hacked ?? null), 200))") is None
    assert any("Content Security Policy" in error for error in browser.errors)
    browser.errors.clear()


@pytest.mark.filterwarnings("ignore:gold has 2 elements with the label ''")
def test_names_of_all_kinds(browser: Browser, tmp_path: Path) -> None:
    """Whatever labels are, the page shows them as Python does; half a character is one that nobody knows."""
    names = ["a\0b", "\ufeffa", "😀", "half \ud83d a pair", 1, 2.5, (1, "a"), 2**60, "x" * 5000, ""]
    gold = [name for name in names for _ in range(2)]
    browser.open(cs.report(gold, list(range(20)), path=tmp_path / "page.html", metrics="elm"))
    shown = system(browser, "Array.from({ length: system.sides.gold.count }, (_, k) => system.sides.gold.names.at(k))")
    expected = [str(name) for name in names[:-1]]
    expected[3] = "half \ufffd a pair"
    assert set(shown) == {*expected, "(no name: gold cluster 9)"}


def test_by_keyboard(browser: Browser, pages: Path) -> None:
    browser.open(pages / "one.html")
    browser.press("Tab", 9)
    assert browser.run("document.activeElement.textContent") == "Skip to the report"
    browser.press("Enter", 13)
    browser.wait("document.activeElement.id === 'content'")
    browser.run(f"document.querySelector('{CLUSTERS} thead th:nth-child(5) button').focus()")
    browser.press("Enter", 13)
    assert browser.run(f"document.querySelector('{CLUSTERS} [aria-sort]').textContent") == "Size"
    assert browser.run("document.activeElement.textContent") == "Size"  # sorting does not lose the place
    browser.run(f"document.querySelector('{CLUSTERS} tbody a').focus()")
    browser.press("Enter", 13)
    browser.wait("!document.getElementById('detail').hidden")
    assert browser.run("document.activeElement.id") == "detail-heading"


def test_everything_has_a_name_for_those_who_listen(browser: Browser, pages: Path) -> None:
    for fragment in ("", "#gold/3"):
        browser.open(pages / "two.html", fragment)
        assert browser.unnamed() == []
    ids = browser.run("[...document.querySelectorAll('[id]')].map((one) => one.id)")
    assert len(ids) == len(set(ids))


def test_light_and_dark(browser: Browser, pages: Path) -> None:
    ground = "getComputedStyle(document.body).backgroundColor"
    browser.open(pages / "one.html")
    light = browser.run(ground)
    browser.prefer("dark")
    dark = browser.run(ground)
    assert light == "rgb(255, 255, 255)"
    assert dark != light
    assert browser.run("getComputedStyle(document.querySelector('.plot svg')).filter") != "none"
    browser.click("#theme")  # from auto to light, whatever the system says
    assert browser.run(ground) == light
    assert browser.run("getComputedStyle(document.querySelector('.plot svg')).filter") == "none"
    browser.click("#theme")
    browser.prefer("light")
    assert browser.run(ground) == dark
    browser.prefer("light", "print")  # paper is white
    assert browser.run(ground) == light
    assert browser.run("getComputedStyle(document.querySelector('.sections')).display") == "none"
    browser.prefer("light")
    browser.click("#theme")
    assert browser.run("document.documentElement.dataset.theme ?? null") is None


@pytest.mark.parametrize("width", [390, 768, 1400])
def test_no_width_is_too_small(browser: Browser, pages: Path, width: int) -> None:
    browser.resize(width, 800)
    for fragment in ("", "#gold/0"):
        browser.open(pages / "two.html", fragment)
        assert browser.run("document.documentElement.scrollWidth") == width
        assert browser.run(
            "['scrollWidth', 'clientWidth'].map((key) => document.querySelector('.links')[key])"
        ) == 2 * [browser.run("document.querySelector('.links').clientWidth")]


def long_names(folder: Path) -> Path:
    """A report in which everything has a long name, or one that is written from right to left."""
    odd = [
        "L" * 400,
        "line\nbreak\tand tab",
        "محمد 12 Smith 3",
        "דוד 45 (Haifa) 7",
        "👨‍👩‍👧 family",
        "<i>x</i>",
        "a/" * 200,
    ]
    rng = np.random.default_rng(3)
    gold, pred, other, where, group = ([odd[k] for k in rng.integers(0, len(odd), 150)] for _ in range(5))
    ids = [f"{odd[k % len(odd)]}-{k}" for k in range(150)]
    sides = [cs.Clustering.from_labels(side, elements=ids, documents=where) for side in (gold, pred, other)]
    systems = {"S" * 300: sides[1], "نظام 2 (new)": sides[2]}
    given: dict[str, Any] = {"metrics": ["elm", "ari"], "by": group, "show": {name: f"text {name}" * 3 for name in ids}}
    return cs.report(sides[0], systems, path=folder / "long.html", title="T" * 300, **given)


def test_names_of_any_length_and_direction(browser: Browser, tmp_path: Path) -> None:
    """They are isolated and folded wherever they stand, and the page is no wider than its window."""
    page = long_names(tmp_path)
    for width in (390, 1200):
        browser.resize(width, 900)
        for fragment in ("", "#gold/0", "#1/pred/3", "#doc/2", "#1/doc/4"):
            browser.open(page, fragment)
            assert browser.run("document.documentElement.scrollWidth") == width
    browser.open(page)
    odd = browser.run(
        "(() => { const found = []; const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);"
        "while (walk.nextNode()) { const { nodeValue, parentElement } = walk.currentNode;"
        "if (/[\\u0590-\\u06ff]|S{60}|L{60}/.test(nodeValue)"
        " && !parentElement.closest('bdi, [dir=auto], script, svg')) found.push(nodeValue); } return found; })()"
    )
    assert odd == []
    folded = "#comparison .matrix .long"
    assert browser.run(f"document.querySelector('{folded}').title") == "S" * 300
    small = "(one) => one.offsetHeight < 30 && one.firstChild.scrollWidth > one.firstChild.offsetWidth"
    assert browser.run(f"[document.querySelector('{folded}')].every({small})")
    assert browser.run(f"document.querySelector('{folded}').lastChild.textContent") == "S" * 12  # where names differ
    browser.click(folded)
    assert browser.run(f"document.querySelector('{folded}').offsetHeight") > 60
    assert browser.run("document.title") == "T" * 300
    browser.run("location.hash = '#1/doc/2'")
    browser.wait("document.title.startsWith('Document \u2068')")


def test_in_print_what_is_folded_is_open_and_names_and_dates_are_there(browser: Browser, pages: Path) -> None:
    browser.open(pages / "two.html")
    browser.prefer("light", "print")
    browser.resize(794, 1100)
    seen = "(selector) => [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility()).length"
    assert browser.run(f"({seen})('#comparison details table')") == 0
    browser.run("window.dispatchEvent(new Event('beforeprint'))")
    assert browser.run(f"({seen})('#comparison details table')") == 1
    assert browser.run(f"({seen})('.signatures')") == 1
    assert browser.run(f"({seen})('footer')") == 1
    assert browser.run(f"({seen})('.tools, .pager, nav.sections, #theme')") == 0
    for section in ("verdict", "scores", "documents", "errors", "clusters", "elements"):
        assert browser.run(f"({seen})('#{section} .system-name')") == 1, section
    assert browser.run("document.documentElement.scrollWidth") == 794
    # words of a head that is repeated; and nothing that costs nothing
    assert browser.run(f"({seen})('thead button')") == 0
    shown = "getComputedStyle(document.querySelector('#cluster-table th'), '::after').content"
    assert browser.run(shown) == '"Cluster"'
    assert browser.run(f"({seen})('tbody .lossless')") == 0
    assert browser.run("document.querySelectorAll('tbody .lossless').length") > 0
    # what introduces a table or a plot stands on the same sheet
    assert browser.run("getComputedStyle(document.querySelector('#errors [data-system] > p')).breakAfter") == "avoid"
    browser.run("window.dispatchEvent(new Event('afterprint'))")
    assert browser.run("document.querySelector('#comparison details').open") is False
    browser.prefer("light")


def test_tables_are_saved_for_a_spreadsheet(browser: Browser, tmp_path: Path) -> None:
    """All rows that are found, in their order, with the elements and texts of clusters; formulas are text."""
    gold = {f"r{k}": f"g{k // 3}" for k in range(60)}
    pred = {f"r{k}": f"p{k // 4}" for k in range(60)}
    show = {name: f"=text, {name}" for name in gold}
    browser.open(cs.report(gold, pred, path=tmp_path / "page.html", show=show, metrics="elm"))
    browser.run(
        "window.saved = []; URL.createObjectURL = (file) => { saved.push(file); return '#'; };"
        "HTMLAnchorElement.prototype.click = function () { saved.push(this.download); };"
    )
    buttons = f"[...document.querySelectorAll('{CLUSTERS} button')]"
    browser.run(f"{buttons}.find((one) => one.textContent === 'Save as CSV').click()")
    assert browser.run("saved[1]") == "gold clusters.csv"
    head, *rows = csv.reader(io.StringIO(browser.run("saved[0].text()").lstrip("\ufeff")))
    expected = cs.clusters(gold, pred, side="gold")
    assert [row[head.index("Cluster")] for row in rows] == expected["cluster"].tolist()
    members = {name: {element for element, own in gold.items() if own == name} for name in gold.values()}
    for row in rows:
        line = dict(zip(head, row, strict=True))
        assert set(line["Elements"].split(" | ")) == members[line["Cluster"]]
        assert line["Texts"].startswith("'=text, r")
        assert float(line["Loss"]) >= 0
    assert browser.errors == []


def test_small_losses_are_numbers_that_people_read(browser: Browser, pages: Path) -> None:
    """As many decimals as the largest of a column needs; what is less is said to be less, and nothing has a power."""
    browser.open(pages / "two.html")
    losses = "0", "0.2951", "0.00029", "0.0000031", "4e-8, 0.0003", "2e-7, 3e-6"
    shown = browser.run(f"[{', '.join(f'small({loss})' for loss in losses)}]")
    assert shown == ["0", "0.2951", "0.0003", "0.000003", "<0.0001", "<0.000001"]
    assert "⁻" not in browser.run("document.body.innerText")


def test_a_page_of_counts(browser: Browser, tmp_path: Path) -> None:
    table = cs.Table.from_cells(["a", "a", "b"], ["x", "y", "y"], [3 * 10**9, 1, 5])
    browser.open(cs.report(table, path=tmp_path / "page.html", metrics=["elm", "ari"]))
    assert "it lists no single elements" in text(browser, ELEMENTS)
    sort_by(browser, CLUSTERS, "Size")
    assert column(browser, CLUSTERS, "Size") == ["3,000,000,001", "5"]
    assert system(browser, "system.lost") == pytest.approx(1 - cs.elm(table).f)
    browser.click(f"{CLUSTERS} tbody a")
    browser.wait("!document.getElementById('detail').hidden")
    assert "it lists no single elements" in text(browser, "#detail > div:last-child")


@pytest.mark.usefixtures("without_plots")
@pytest.mark.parametrize("metric", ["elm", "bcubed(f=of-means)", "elm(weights=class)"])
def test_counts_cost_what_their_elements_cost(browser: Browser, tmp_path: Path, metric: str) -> None:
    gold, pred = ["a"] * 4 + ["b"] * 5 + ["c"], ["z", "z", "y", "x", "x", "y", "y", "y", "w", "w"]
    table = cs.Table.from_labels(gold, pred)
    browser.open(cs.report(table, path=tmp_path / "page.html", element_metric=metric, metrics="ari"))
    for side in ("gold", "pred"):
        rows = cs.clusters(table, metric=metric, side=side)
        expected = dict(zip(rows["cluster"].tolist(), rows["loss"].tolist(), strict=True))
        losses = system(browser, f"system.sides.{side}.loss.map((loss, k) => [system.sides.{side}.names.at(k), loss])")
        assert dict(losses) == pytest.approx(expected, rel=1e-6)


@pytest.mark.usefixtures("without_plots")
def test_what_stands_on_a_band_can_be_read(browser: Browser, tmp_path: Path) -> None:
    """On every part of it, the last one for all others too, by day and by night: a contrast of 4.5 (WCAG AA)."""
    gold, pred = [0] * 60 + [1] * 60, [k // 3 for k in range(60)] + [k % 2 for k in range(60)]
    browser.open(cs.report(gold, pred, path=tmp_path / "page.html", metrics="elm"), "#gold/0")
    browser.wait("document.querySelector('#detail .segment.rest') !== null")
    contrasts = """[...document.querySelectorAll('#detail .segment')].map((part) => {
      const { color, backgroundColor } = getComputedStyle(part);
      const [ink, ground] = [color, backgroundColor].map((rgb) => rgb.match(/[\\d.]+/g).slice(0, 3).map((part) => {
        const value = part / 255;
        return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
      }).reduce((sum, value, k) => sum + value * [0.2126, 0.7152, 0.0722][k], 0.05));
      return Math.max(ink, ground) / Math.min(ink, ground);
    })"""
    for theme in ("light", "dark"):
        browser.prefer(theme)
        assert min(browser.run(contrasts)) >= 4.5
    browser.prefer("light")
