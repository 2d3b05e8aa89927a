"""Coreference on a page: the numbers of cs.coref, and mentions with their words, in a real browser too."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from time import monotonic
from typing import Any

import pytest

import clusterscore as cs
from clusterscore.command import main
from clusterscore.page import writing
from page.browser import Browser
from page.written import Tags, Written
from read.coreference.writers import changed, conll, corefud, jsonlines, random_document

GOLDEN = Path(__file__).resolve().parents[1] / "golden" / "conll.json"
CASES = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "conll-testsuite"
KEY, RESPONSE = "examples/key.conll", "examples/response.conll"


@pytest.fixture
def cards(monkeypatch: pytest.MonkeyPatch, without_plots: None) -> list[cs.Scorecard]:
    """The scores that pages show from now on."""
    shown: list[cs.Scorecard] = []
    find = writing.findings

    def recorded(*given: Any) -> dict[str, Any]:
        findings = find(*given)
        shown.append(findings["card"])
        return findings

    monkeypatch.setattr(writing, "findings", recorded)
    return shown


def same(card: cs.Scorecard, other: cs.Scorecard) -> bool:
    """To the last bit, and under the same signatures."""
    return {name: card[name].to_dict() for name in card} == {name: other[name].to_dict() for name in other}


def test_the_numbers_are_those_of_coref(tmp_path: Path, cards: list[cs.Scorecard]) -> None:
    card = cs.coref(KEY, RESPONSE)
    page = Written(cs.report(card.table, path=tmp_path / "report.html"))
    assert same(cards[0], card)
    words = Tags(page.text).words
    assert {f"{100 * card[name].value:.2f}" for name in card} <= set(words)
    assert "Coreference report" in words
    assert "one_cluster" in words
    assert "mean_size" not in words  # it would cut a list in which entities stand one behind the other
    assert "the other kinds compare entities without them" in " ".join(words)
    assert "found exactly, with 22% of the mentions, if mentions of one side only are left aside." in " ".join(words)
    assert "all charges, with the loss by mentions of one side only, add up to the loss." in " ".join(words)
    assert "a loss is what the score would gain" not in " ".join(words)  # with an F of means it is a share
    system = page.systems[0]
    assert system["lost"] == pytest.approx(1 - card["b3"].f, abs=1e-15)
    assert sorted(system["sides"]["gold"]["names"]) == [
        "0 · Ann",
        "1 · Bob",
        "2 · her book",
        "3 · Her brother",
    ]
    assert page.texts()["10–11"] == "Ann met Bob . She gave him her book . \x02Her brother\x03 read it ."


@pytest.mark.filterwarnings("ignore:.* entity ids in several documents")
@pytest.mark.parametrize("options", [[], ["--singletons", "drop"], ["--match", "head"], ["--cross-document"]])
def test_the_command_hands_its_options_on(tmp_path: Path, cards: list[cs.Scorecard], options: list[str]) -> None:
    rng = random.Random(4)
    documents = [random_document(rng, number, gaps=True) for number in range(12)]
    key, response = tmp_path / "key.conllu", tmp_path / "response.conllu"
    key.write_text(corefud(documents), encoding="utf-8")
    response.write_text(corefud([changed(rng, document) for document in documents]), encoding="utf-8")
    with pytest.raises(SystemExit) as left:
        main(["report", str(key), str(response), "--coref", *options, "-o", str(tmp_path / "page.html")])
    assert not left.value.code
    given = {"match": "head"} if "head" in options else {}
    given |= {"singletons": "drop"} if "drop" in options else {}
    assert same(cards[0], cs.coref(key, response, **given, cross_document="--cross-document" in options))


@pytest.mark.filterwarnings("ignore:.* repeated mentions?", "ignore:.* entity ids in several documents")
def test_every_mention_has_its_words(tmp_path: Path, cards: list[cs.Scorecard]) -> None:
    """In three formats: what the writers wrote, token by token."""
    rng = random.Random(11)
    documents = [random_document(rng, number) for number in range(20)]
    others = [changed(rng, document) for document in documents]
    expected = sorted(
        (document.key, " ".join(document.tokens[start : stop + 1]))
        for document, other in zip(documents, others, strict=True)
        for ((start, stop),) in {mention for _, mention in (*document.items(), *other.items())}
    )
    for name, write in (("conll", conll), ("conllu", corefud), ("jsonl", jsonlines)):
        paths = [tmp_path / f"{side}.{name}" for side in ("key", "response")]
        for path, some in zip(paths, (documents, others), strict=True):
            path.write_text(write(some), encoding="utf-8")
        rows = cs.elements(cs.coref(*paths, match="exact").table)
        keys = {f"({document.name}); part {document.part:03}": document.key for document in documents}
        mentions = sorted(
            {(keys.get(document, document), element, text) for document, element, text in
             zip(rows["document"], rows["element"], rows["text"], strict=True)}
        )  # fmt: skip
        assert sorted((document, text) for document, _, text in mentions) == expected


@pytest.mark.filterwarnings("ignore:.*the tokens of .* differ", "ignore:.* repeated mentions?")
@pytest.mark.skipif(not CASES.exists(), reason="the reference cases (shared/) are not here")
def test_the_reference_cases(tmp_path: Path, cards: list[cs.Scorecard]) -> None:
    cases = json.loads(GOLDEN.read_text(encoding="utf-8"))["cases"].values()
    for case in cases:
        card = cs.coref(CASES / case["key"], CASES / case["response"])
        cs.report(card.table, path=tmp_path / "report.html")
        assert same(cards[-1], card)
    assert len(cards) == 36


def large(documents: int, mentions: int) -> tuple[str, str]:
    """A key and a response with many mentions of one or two words, some of them on one side only."""
    rng = random.Random(5)
    texts = ["", ""]
    for number in range(documents):
        cells: list[list[str]] = [[], []]
        for _ in range(mentions):
            entity = rng.randrange(mentions // 8)
            sides = [entity if rng.random() < 0.95 else None, entity if rng.random() < 0.8 else rng.randrange(40)]
            if rng.random() < 0.06:
                sides[1] = None
            for side, own in enumerate(sides):
                cells[side] += ["-", "-"] if own is None else [f"({own}", f"{own})"]
        for side in (0, 1):
            lines = [f"d 0 {k} w{k % 97} - {cell}" for k, cell in enumerate(cells[side])]
            texts[side] += "\n".join([f"#begin document (d{number}); part 000", *lines, "#end document", ""])
    return texts[0], texts[1]


@pytest.mark.slow
def test_forty_thousand_mentions(tmp_path: Path, cards: list[cs.Scorecard]) -> None:
    paths = [tmp_path / name for name in ("key.conll", "response.conll")]
    for path, text in zip(paths, large(50, 800), strict=True):
        path.write_text(text, encoding="utf-8")
    card = cs.coref(*paths)
    start = monotonic()
    page = Written(cs.report(card.table, path=tmp_path / "report.html"))
    assert monotonic() - start < 60
    assert same(cards[0], card)
    system = page.systems[0]
    assert system["elements"]["of"] == len(system["elements"]["texts"]) == card.table.elements > 39_000
    assert len((tmp_path / "report.html").read_bytes()) < 5_000_000
    kinds = cs.errors(card.table)
    assert kinds["elements"].sum() == card.table.elements
    assert kinds["elements"][-2:].tolist() == list(card.table.one_sided)
    assert kinds["loss"].sum() == pytest.approx(1 - card["b3"].f, abs=1e-12)


def test_an_empty_response_and_systems_of_one_document(tmp_path: Path, cards: list[cs.Scorecard]) -> None:
    nothing = tmp_path / "nothing.conll"
    lines = Path(RESPONSE).read_text(encoding="utf-8").splitlines()
    nothing.write_text("\n".join(line if line[:1] in ("#", "") else f"{line.rsplit(None, 1)[0]} -" for line in lines))
    empty, full = cs.coref(KEY, nothing), cs.coref(KEY, RESPONSE)
    kinds = cs.errors(empty.table)
    assert dict(zip(kinds["kind"], kinds["loss"].tolist(), strict=True))["missing"] == pytest.approx(1)
    page = Written(cs.report({"empty": empty.table, "full": full.table}, path=tmp_path / "report.html"))
    assert page.data["systems"] == ["full", "empty"]
    assert page.systems[1]["sides"]["pred"]["names"] == []


def test_the_same_tokens_of_different_documents_keep_their_own_words(tmp_path: Path, cards: list[Any]) -> None:
    """Two systems share names and words only where these are the same."""

    def text(first: str, second: str) -> str:
        document = "#begin document ({0}); part 000\nd 0 0 {1} - {2}\nd 0 1 {3} - {4}\n#end document\n"
        return document.format("a", "Ann", "(1)", "she", first) + document.format("b", "Bob", "(1)", "he", second)

    for name, cells in (("key", ("-", "-")), ("one", ("(1)", "-")), ("two", ("-", "(1)"))):
        (tmp_path / f"{name}.conll").write_text(text(*cells), encoding="utf-8")
    tables = {name: cs.coref(tmp_path / "key.conll", tmp_path / f"{name}.conll").table for name in ("one", "two")}
    page = Written(cs.report(tables, path=tmp_path / "report.html"))
    of_one, of_two = (sorted(system["elements"]["texts"]) for system in page.systems)
    assert of_one == sorted(["Ann \x02she\x03", "\x02Ann\x03 she", "\x02Bob\x03 he"])
    assert of_two == sorted(["Bob \x02he\x03", "\x02Ann\x03 she", "\x02Bob\x03 he"])


def test_a_document_without_entities_in_which_one_response_has_some(tmp_path: Path, cards: list[Any]) -> None:
    """As in the CoNLL-2012 test set: the systems are compared on the documents of all of them."""
    document = "#begin document ({0}); part 000\nd 0 0 {0} - {1}\nd 0 1 it - {1}\n#end document\n"
    cells = {"key": "(1)--", "none": "(1)--", "some": "(1)-(2)"}
    paths = {}
    for name, (first, second, third) in {name: (text[:3], text[3], text[4:]) for name, text in cells.items()}.items():
        paths[name] = tmp_path / f"{name}.conll"
        parts = zip("abc", (first, second, third), strict=True)
        paths[name].write_text("".join(document.format(*part) for part in parts), encoding="utf-8")
    results = {name: cs.coref(paths["key"], paths[name]) for name in ("none", "some")}
    for order in (["none", "some"], ["some", "none"]):
        tables = {name: results[name].table for name in order}
        page = Written(cs.report(tables, path=tmp_path / "report.html"))
        assert page.data["systems"] == ["none", "some"]
        assert page.documents is not None
        assert sorted(page.documents["names"]) == ["(a); part 000", "(c); part 000"]
        for card, name in zip(cards[-2:], ("none", "some"), strict=True):
            assert {metric: card[metric].value for metric in card} == {
                metric: results[name][metric].value for metric in card
            }
        for resamples in (0, 20):
            comparison = cs.compare(tables, metrics="b3", resamples=resamples)
            assert comparison["some"]["b3"].score.value == results["some"]["b3"].value == pytest.approx(2 / 3)
    by_document = cs.compare({name: card.table for name, card in results.items()}, average="macro", resamples=0)
    assert by_document["none"]["b3"].score.value == results["none"].macro["b3"].value == 1


def test_no_mention_at_all(tmp_path: Path) -> None:
    path = tmp_path / "key.conll"
    path.write_text("#begin document (a); part 000\nd 0 0 Ann - -\n#end document\n", encoding="utf-8")
    table = cs.coref(path, path).table
    for ask in (cs.elements, cs.clusters, cs.errors, lambda table: cs.report(table, path=tmp_path / "report.html")):
        with pytest.raises(cs.InputError, match="neither side has a mention"):
            ask(table)


class TestBrowser:
    @pytest.fixture(scope="class")
    @classmethod
    def browser(cls, chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
        """A page about the example: one entity with a mention in another's chain, and one that is missing."""
        path = cs.report(cs.coref(KEY, RESPONSE).table, path=tmp_path_factory.mktemp("page") / "report.html")
        chromium.resize(1200, 900)
        chromium.open(path)
        yield chromium
        assert chromium.errors == []

    @staticmethod
    def texts(browser: Browser, selector: str) -> list[str]:
        words = browser.run(f"[...document.querySelectorAll({json.dumps(selector)})].map((one) => one.textContent)")
        assert isinstance(words, list)
        return words

    def test_mentions_stand_out_from_their_context(self, browser: Browser) -> None:
        assert sorted(self.texts(browser, "#element-table mark")) == sorted(
            ["Ann", "Bob", "She", "him", "her book", "her", "Her brother", "Her", "it"]
        )
        assert "Ann met Bob . She gave him her book . Her brother read it ." in self.texts(browser, ".context")
        assert self.texts(browser, "#element-table .absent") == ["none"]

    def test_finding_goes_across_the_marks(self, browser: Browser) -> None:
        for words, shown in (("him her book", 9), ("no such words", 0), ("her brother read", 9)):
            browser.type("#element-table input[type=search]", words)
            browser.wait(f"document.querySelectorAll('#element-table mark').length === {shown}")
        browser.run("elementList.choose(0, 6)")
        assert self.texts(browser, "#element-table mark") == ["Her brother"]
        browser.run("elementList.choose(0, '')")

    def test_an_entity_is_a_chain_in_the_order_of_the_document(self, browser: Browser) -> None:
        browser.run("location.hash = '#gold/0'")
        browser.wait("!document.getElementById('detail').hidden")
        assert self.texts(browser, "#detail mark") == ["Ann", "She", "her", "Her"]
        browser.run("location.hash = '#pred/1'")
        browser.wait("document.querySelector('#detail h2').textContent.includes('8 · Bob')")
        assert self.texts(browser, "#detail mark") == ["Bob", "him", "her"]

    def test_what_is_missing(self, browser: Browser) -> None:
        browser.run("location.hash = '#gold/3'")
        browser.wait("document.querySelector('#detail h2').textContent.includes('Her brother')")
        assert "Its one mention is not predicted." in self.texts(browser, "#detail .lead")
        browser.resize(390, 800)
        assert browser.run("document.documentElement.scrollWidth") == 390
        browser.resize(1200, 900)
