"""Pages of more than anybody reads: the worst are listed, the page says of how many, and how to get all of them."""

from __future__ import annotations

import csv
import io
import re
import shlex
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import clusterscore as cs
from clusterscore.command import main
from clusterscore.page import contents, ranked_systems
from page.browser import Browser
from page.written import Tags, Written

COUNT = 5_000


def sides(count: int = COUNT, size: int = 4) -> tuple[Any, Any]:
    """Gold clusters of some elements, of which a fifth were predicted elsewhere."""
    rng = np.random.default_rng(0)
    gold = rng.integers(0, count // size, count)
    return gold, np.where(rng.random(count) < 0.8, gold, rng.integers(0, count // size, count))


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch, without_plots: None) -> None:
    """Pages that list few, without plots."""
    monkeypatch.setattr(contents, "MOST", 300)
    monkeypatch.setattr(contents, "MOST_PARTS", 900)


def written(folder: Path, *given: Any, **options: Any) -> Written:
    return Written(cs.report(*given, path=folder / "page.html", **{"metrics": "elm", **options}))


def check_the_worst(page: Written, gold: Any, pred: Any, most: int, system: int = 0, **options: Any) -> None:
    """What a system lists is what the library says first, in its order, with its numbers."""
    data = page.systems[system]
    for side in ("gold", "pred"):
        rows, listed = cs.clusters(gold, pred, side=side, **options), data["sides"][side]
        worst = rows.head(most)
        assert (listed["of"], listed["count"]) == (len(rows), len(worst))
        assert listed["names"][: len(worst)] == list(map(str, worst["cluster"].tolist()))
        for name in ("parts", "overlap", "loss", "f"):
            assert listed[name] == pytest.approx(worst[name].tolist(), rel=1e-6)
        assert listed["size"][: len(worst)] == worst["size"].tolist()
        others = data["sides"]["pred" if side == "gold" else "gold"]["names"]
        assert [others[match] for match in listed["match"]] == list(map(str, worst["best_match"].tolist()))
        sizes = dict(zip(map(str, rows["cluster"].tolist()), rows["size"].tolist(), strict=True))
        assert [sizes[name] for name in listed["names"]] == listed["size"], "the mentioned ones have their sizes"
    rows = cs.elements(gold, pred, **options)
    worst = rows.worst(most)
    assert (data["elements"]["of"], len(data["elements"]["names"])) == (len(rows), len(worst))
    columns = ([str(value) for value in worst[name].tolist()] for name in ("element", "gold", "pred"))
    assert page.elements(system) == list(zip(*columns, strict=True))
    for name in ("loss", "tp", "fp", "fn", "precision", "recall", "f"):
        assert data["elements"][name] == pytest.approx(worst[name].tolist(), rel=1e-6)
    assert data["lost"] == pytest.approx(float(rows["loss"].sum()))


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize("size", [4, 50])
def test_the_worst_are_listed_as_the_library_has_them(tmp_path: Path, size: int) -> None:
    gold, pred = sides(size=size)
    check_the_worst(written(tmp_path, gold, pred), gold, pred, 300)


@pytest.mark.usefixtures("few")
def test_every_system_lists_its_own_worst(tmp_path: Path) -> None:
    gold, pred = sides()
    page = written(tmp_path, gold, {"A": np.roll(pred, 1), "B": pred}, weights=np.random.default_rng(1).random(COUNT))
    assert page.data["systems"] == ["B", "A"]
    weights = np.random.default_rng(1).random(COUNT)
    check_the_worst(page, gold, pred, 300, weights=weights)
    check_the_worst(page, gold, np.roll(pred, 1), 300, system=1, weights=weights)


@pytest.mark.usefixtures("few")
def test_of_too_many_overlaps_every_cluster_has_its_best_match_and_the_worst_have_all(tmp_path: Path) -> None:
    system = written(tmp_path, *sides()).systems[0]
    parts = system["parts"]
    assert len(parts["n"]) == 900
    for side in ("gold", "pred"):
        listed, held = system["sides"][side], defaultdict(list)
        for row, n in zip(parts[side], parts["n"], strict=True):
            held[row].append(n)
        assert [max(held[row]) for row in range(listed["count"])] == listed["overlap"]
        assert [len(held[row]) for row in range(20)] == listed["parts"][:20]
        assert sum(len(held[row]) for row in range(300)) < sum(listed["parts"])


@pytest.mark.usefixtures("few")
def test_texts_stand_with_the_elements_that_are_listed(tmp_path: Path) -> None:
    texts = written(tmp_path, *sides(), show=[f"text {k}" for k in range(COUNT)]).texts()
    assert len(texts) == 300
    assert all(text == f"text {name}" for name, text in texts.items())


@pytest.mark.usefixtures("without_plots")
def test_what_the_page_says_is_that_of_all_elements(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gold, pred = sides()
    options = {"documents": np.arange(COUNT) // 10, "by": np.arange(COUNT) % 3}
    every = written(tmp_path, gold, pred, **options)
    monkeypatch.setattr(contents, "MOST", 300)
    some = written(tmp_path, gold, pred, **options)
    words = (Tags(page.text).words for page in (every, some))
    assert all(a == b or a.startswith("Written on") for a, b in zip(*words, strict=True))
    assert every.documents is not None
    assert some.documents is not None
    assert (every.documents["count"], some.documents["count"], some.documents["of"]) == (500, 300, 500)
    scores = cs.score(gold, pred, documents=options["documents"], metrics="elm").documents
    worst = np.argsort(scores["elm"], kind="stable")
    assert some.documents["number"][:300] == worst[:300].tolist()
    (shown,) = some.documents["systems"]
    assert shown["scores"][0]["value"] == pytest.approx(scores["elm"][worst[:300]].tolist(), rel=1e-6)
    assert shown["size"] == scores["elements"][worst[:300]].tolist()
    names = [some.documents["names"][row] for row in some.systems[0]["elements"]["document"]]
    assert names == [str(int(name) // 10) for name in some.systems[0]["elements"]["names"]]


@pytest.mark.usefixtures("without_plots")
def test_the_scores_of_very_many_documents_are_those_of_the_first_measure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(contents, "_SCORES", 4_000)
    gold, pred = sides()
    given: dict[str, Any] = {"documents": np.arange(COUNT) // 10, "metrics": ["elm", "bcubed", "nmi"]}
    page = written(tmp_path, gold, {"A": pred, "B": gold}, **given)
    assert page.documents is not None
    assert [len(system["scores"]) for system in page.documents["systems"]] == [1, 1]  # of 500, with P and R: 3,000


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, without_plots: None) -> Path:
    gold, pred = sides(300)
    columns = {"gold": gold, "pred": pred, "other": np.roll(pred, 1), "whole": (gold, pred, pred // 2)}
    for name, labels in columns.items():
        rows = zip(*(column.tolist() for column in labels), strict=True) if name == "whole" else zip(labels.tolist())
        lines = (f"e{k},{','.join(map(str, row))}" for k, row in enumerate(rows))
        head = "id,true,a,b" if name == "whole" else "element,cluster"
        (tmp_path / f"{name}.csv").write_text("\n".join([head, *lines]) + "\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    with pytest.raises(SystemExit, match=r"^0$"):
        main(list(arguments))
    return capsys.readouterr().out


ALL = re.compile("All (clusters|elements) as CSV: (.*)")


@pytest.mark.parametrize(
    "typed",
    [
        "gold.csv pred.csv",
        "gold.csv first=pred.csv other.csv",
        "gold.csv pred.csv --noise 3 --noise 4 --noise-as drop --element-metric 'bcubed(beta=2)' --quiet",
        "gold.csv pred.csv --weights class --strict",
        "whole.csv --gold true --pred a --pred b --element id --title 'Some words'",
        "whole.csv pred.csv --gold true --gold-element id",
    ],
)
def test_the_commands_on_the_page_print_all_that_it_lists(
    files: Path, typed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each gives the same rows and losses, whatever options the report had."""
    run(capsys, "report", *shlex.split(typed), "-o", "page.html")
    page = Written(files / "page.html")
    commands = [match.groups() for word in Tags(page.text).words if (match := ALL.fullmatch(word))]
    assert len(commands) == 2 * len(page.systems)
    for k, (what, command) in enumerate(commands):
        name, *arguments = shlex.split(command)
        assert (name, arguments[0], arguments[-2:]) == ("clusterscore", what, ["--format", "csv"])
        rows = list(csv.DictReader(io.StringIO(run(capsys, *arguments))))
        system = page.systems[k % len(page.systems)]
        listed = [system["elements"]] if what == "elements" else system["sides"].values()
        assert len(rows) == sum(part["of"] for part in listed)
        losses = sorted(loss for part in listed for loss in part["loss"])
        assert sorted(float(row["loss"]) for row in rows) == pytest.approx(losses, rel=1e-6, abs=1e-12)


@pytest.mark.usefixtures("without_plots")
def test_a_page_of_python_says_what_to_call(tmp_path: Path) -> None:
    gold, pred = {"a": 1, "b": 1, "c": 2}, {"a": 1, "b": 2}
    given: dict[str, Any] = {"missing": "drop", "documents": {"a": "x", "b": "x", "c": "y"}}
    page = written(tmp_path, gold, pred, element_metric="bcubed", **given)
    call = "cs.clusters(gold, pred, metric='bcubed', missing='drop', documents=documents).to_csv()"
    assert f"All clusters as CSV: {call}" in Tags(page.text).words
    text = eval(call, {"cs": cs, "gold": gold, "pred": pred, "documents": given["documents"]})
    assert len(text.splitlines()) == 1 + sum(page.systems[0]["sides"][side]["of"] for side in ("gold", "pred"))
    table = cs.Table.from_cells(["a", "a"], ["x", "y"], [3, 1])
    assert "All clusters as CSV: cs.clusters(table).to_csv()" in Tags(written(tmp_path, table).text).words


@pytest.mark.usefixtures("without_plots")
def test_a_long_run_says_so_before_the_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    gold, pred = sides()
    written(tmp_path, gold, pred)
    assert capsys.readouterr().err == "", "a small one is not worth a line"
    clusters = len(set(gold.tolist())) + len(set(pred.tolist()))
    message = f"5,000 elements in {clusters:,} clusters: this takes about 2 min and 0 GB of memory\n"
    monkeypatch.setattr(ranked_systems, "_SECONDS", (120 / COUNT, 0))
    written(tmp_path, gold, pred)
    assert capsys.readouterr().err == message
    for name, labels in (("gold", gold), ("pred", pred)):
        rows = (f"e{k},{label}" for k, label in enumerate(labels.tolist()))
        (tmp_path / f"{name}.csv").write_text("\n".join(["element,cluster", *rows]), encoding="utf-8")
    typed = ["report", *(str(tmp_path / f"{name}.csv") for name in ("gold", "pred")), "-o", str(tmp_path / "page.html")]
    for options, expected in (([], message), (["--quiet"], "")):
        with pytest.raises(SystemExit, match=r"^0$"):
            main([*typed, *options])
        assert capsys.readouterr().err == expected


def shown(browser: Browser, selector: str) -> str:
    return str(browser.run(f"document.querySelector({selector!r}).textContent"))


@pytest.mark.usefixtures("without_plots")
def test_more_elements_and_clusters_than_are_listed(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As somebody sees them: the worst, in a file that can be sent."""
    assert contents.MOST == 50_000
    monkeypatch.setattr(contents, "MOST", 15_000)
    gold, pred = sides(40_000, size=2)
    documents = np.array([f"doc {k}" for k in range(7)])[gold % 7]
    ids = np.random.default_rng(1).permutation(40_000)
    given = [cs.Clustering.from_labels(labels, elements=[f"page{k:06}" for k in ids], documents=documents)
             for labels in (gold, pred)]  # fmt: skip
    page = cs.report(*given, path=tmp_path / "page.html", metrics="elm")
    assert page.stat().st_size < 1_500_000
    browser.open(page)
    elements, clusters = cs.elements(*given), cs.clusters(*given, side="gold")
    assert len(clusters) > 16_000
    for table, of in (("element", "40,000 elements"), ("cluster", f"{len(clusters):,} gold clusters")):
        assert shown(browser, f"#{table}-table .status") == "1 to 10 of 15,000"
        assert shown(browser, f"#{table}-table .note") == (
            f"The 15,000 worst of {of} are listed. Sorting and searching cover these only; all counts and scores are "
            "those of all elements."
        )
    names = browser.run("elementList.order.length && loaded(0).then((system) => system.elements.names.names)")
    assert names == elements.worst(15_000)["element"].tolist()
    assert browser.run("loaded(0).then((system) => Math.min(...system.sides.gold.loss))") == pytest.approx(
        float(clusters["loss"][14_999]), rel=1e-6
    )
    # what is right is counted, though it is not listed
    facts = shown(browser, ".counts tbody")
    assert "40,000" in facts
    assert browser.run("loaded(0).then((system) => system.lost)") == pytest.approx(1 - cs.elm(*given).f)
    # sorted, searched, opened, and walked on from there
    browser.click("#element-table thead th:first-child button")
    assert shown(browser, "#element-table tbody th") == min(names)
    browser.type("#element-table input[type=search]", names[0])
    browser.wait("document.querySelector('#element-table .status').textContent === '1 to 1 of 1 (of 15,000)'")
    assert "doc " in shown(browser, "#element-table tbody")
    right = elements["element"][elements["loss"] == 0][0]
    browser.type("#element-table input[type=search]", right)
    browser.wait("document.querySelector('#element-table .none')?.textContent === 'No matches among those listed.'")
    browser.click("#cluster-table tbody a")
    browser.wait("!document.getElementById('detail').hidden")
    assert shown(browser, "#detail .neighbours span") == f"1 of {len(clusters):,} by loss"
    browser.run("location.hash = '#doc/3'")
    browser.wait("document.querySelector('#detail h2').textContent.startsWith('Document doc ')")
    document = shown(browser, "#detail h2").removeprefix("Document ")
    members = int((documents == document).sum())
    listed = int((elements.worst(15_000)["document"] == document).sum())
    assert f"{listed:,} of its {members:,} elements are among the 15,000 worst that this page lists." in shown(
        browser, "#detail"
    )


@pytest.mark.usefixtures("without_plots")
def test_what_is_mentioned_and_not_listed_is_no_link(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(contents, "MOST", 50)
    monkeypatch.setattr(contents, "MOST_PARTS", 100)
    gold, pred = sides()
    gold[:400] = 0  # one that went everywhere
    browser.open(cs.report(gold, pred, path=tmp_path / "page.html", metrics="elm", documents=gold % 200))
    links = "[...document.querySelectorAll('main a.name')].map((one) => one.hash)"
    for address in dict.fromkeys(browser.run(links)):
        browser.run(f"location.hash = '{address}'")
        browser.wait(f"location.hash === '{address}' && !document.getElementById('detail').hidden")
    assert browser.run("document.querySelectorAll('#element-table span.name[title]').length") > 0
    browser.run("location.hash = ''")
    browser.wait("document.getElementById('detail').hidden")
    browser.click("#cluster-table tbody a")
    browser.wait("!document.getElementById('detail').hidden")
    parts = cs.clusters(gold, pred, side="gold", documents=gold % 200)["parts"][0]
    assert re.search(rf"Showing \d+ of {parts} parts: this page has no room for all\.", shown(browser, "#detail"))


def test_intervals_of_very_many_elements_are_those_of_the_first_measure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a measure brings for every cluster takes room; the page says so."""
    gold, pred = [k // 3 for k in range(300)], [k // 4 for k in range(300)]
    low, high = cs.compare(gold, {"A": pred}, metrics="elm")["A"]["elm"].intervals.jackknife  # type: ignore[union-attr]
    for most, intervals in ((300, 2), (299, 1)):
        monkeypatch.setattr(ranked_systems, "_MOST_RESAMPLED", most)
        text = cs.report(gold, pred, metrics=["elm", "bcubed"], path=tmp_path / "page.html").read_text("utf-8")
        assert f"{low:.4f} – {high:.4f}" in text
        table = text[text.index('<table class="measures') :]
        assert len(re.findall(r'data-label="95% interval">0\.\d+', table)) == intervals
        assert ("With so many elements only the first measure has one." in text) == (intervals == 1)
