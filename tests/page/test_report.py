"""The page that is written: what it holds, what it says, and what is refused."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import clusterscore as cs
from clusterscore.analyses.diagnose.losses import KINDS, ONE_SIDED
from clusterscore.command import main
from clusterscore.metrics.metric import Values
from clusterscore.page import figures, findings
from clusterscore.page.display_names import explanation
from clusterscore.page.findings import sentence, share, words
from clusterscore.plot import canvas
from page.written import Tags, Written

GOLD = {"p1": "a", "p2": "a", "p3": "a", "p4": "b", "p5": "b", "p6": "c"}
PRED = {"p1": 1, "p2": 1, "p3": 2, "p4": 2, "p5": 2, "p6": 3}
HOSTILE = ["<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "</script><script>alert(1)</script>", "&lt;",
           "]]>", "<!--", "{{ 7 * 7 }}", "javascript:alert(1)"]  # fmt: skip


@pytest.fixture
def write(tmp_path: Path, without_plots: None) -> Callable[..., Written]:
    """Writes a page without its plots."""
    return _writer(tmp_path)


@pytest.fixture
def write_all(tmp_path: Path) -> Callable[..., Written]:
    """Writes a page with everything in it."""
    return _writer(tmp_path)


def _writer(tmp_path: Path) -> Callable[..., Written]:
    def written(*given: Any, **options: Any) -> Written:
        path = cs.report(*given, path=tmp_path / "report.html", **options)
        assert path == tmp_path / "report.html"
        return Written(path)

    return written


def test_every_element_is_there_with_its_clusters(write: Callable[..., Written]) -> None:
    page = write(GOLD, PRED)
    assert sorted(page.elements()) == [(p, GOLD[p], str(PRED[p])) for p in GOLD]
    assert page.systems[0]["lost"] == pytest.approx(1 - cs.elm(GOLD, PRED).f)


labels = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4), st.sampled_from("xyz")), min_size=1, max_size=30)


@pytest.mark.filterwarnings("ignore:gold and pred are nothing but 0 and 1")  # by chance
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=labels)
def test_documents_and_clusters_come_back(rows: list[tuple[int, int, str]], write: Callable[..., Written]) -> None:
    rows = [*rows, (0, 0, "x"), (0, 0, "y")]  # more than one document
    gold, pred, documents = (list(column) for column in zip(*rows, strict=True))
    page = write(gold, pred, documents=documents, metrics="elm")
    system = page.systems[0]
    assert page.documents is not None
    where = [page.documents["names"][document] for document in system["elements"]["document"]]
    listed = sorted((int(name), int(a), int(b), document) for (name, a, b), document in
                    zip(page.elements(), where, strict=True))  # fmt: skip
    assert listed == [(k, *row) for k, row in enumerate(rows)]
    # clusters of different documents are different clusters
    assert system["sides"]["gold"]["count"] == len({(a, d) for a, _, d in rows})
    assert system["sides"]["pred"]["count"] == len({(b, d) for _, b, d in rows})


def test_one_document_is_not_named_in_every_row(write: Callable[..., Written]) -> None:
    page = write([0, 0, 1], [0, 1, 1], documents=["the only one"] * 3)
    assert page.documents is None
    assert "the only one" not in page.text


def test_the_scores_are_those_of_the_library(write: Callable[..., Written]) -> None:
    page = Tags(write(GOLD, PRED).text)
    card = cs.score(GOLD, PRED, baselines=True)
    for score in card.values():
        assert f"{score.value:.4f}".replace("-", "−") in page.words
        assert score.signature in page.words
    for baseline in card.baselines:
        assert baseline in page.words
    rows = cs.errors(GOLD, PRED)
    for kind, elements, loss in zip(rows["kind"], rows["elements"], rows["loss"], strict=True):
        shown = {kind, words()["kinds"][kind], f"{loss:.4f}"} <= set(page.words)
        assert shown == (elements > 0)


def test_without_a_loss_it_says_so(write: Callable[..., Written]) -> None:
    words = Tags(write(GOLD, GOLD).text).words
    assert "Nothing: the score (elm) is 1.0000." in words


@pytest.mark.parametrize("kind", cs.registered(), ids=lambda kind: kind.name)
def test_every_measure_has_a_sentence(kind: type[cs.Metric]) -> None:
    metric = kind()
    files = "examples/key.conllu", "examples/response.conllu"
    turns = "examples/meetings.rttm", "examples/found_meetings.rttm"
    score = cs.coref(*files, metrics=metric)[kind.name] if kind.of_mentions else None
    score = score or metric(*(turns if kind.of_turns else (GOLD, PRED)))
    text = sentence(metric, score)
    assert text.endswith(".")
    assert text != (metric.__doc__ or "").strip().splitlines()[0]
    assert not re.search(r"[{}]|  ", text)
    for value in (score.precision, score.recall):
        assert value is None or kind.name in ("fowlkes_mallows", "conll") or share(value) in text


def test_a_measure_below_chance_is_not_called_a_share() -> None:
    metric = cs.metric("ari")
    assert "Worse than chance" in sentence(metric, metric([0, 0, 1, 1], [0, 1, 0, 1]))


class Own(cs.Metric):
    """What a user wrote, and did not register.

    No page shows more of it.
    """

    name = "own"
    parts, finish = (lambda self, table: {}), lambda self: Values(np.ones(1))


@pytest.mark.parametrize(
    ("metric", "expected"),
    [("rand(adjusted=true)", "57% of the way from chance to perfect, for clusters of these sizes."),
     (Own(), "What a user wrote, and did not register.")],
)  # fmt: skip
def test_a_measure_without_words_of_its_own(metric: str | cs.Metric, expected: str) -> None:
    chosen = cs.metric(metric)
    assert sentence(chosen, chosen([0, 0, 1, 1], [0, 0, 1, 2])) == expected
    assert explanation("own") == "own"


@pytest.mark.parametrize(
    ("value", "expected"),
    [(0.493, "49%"), (1, "100%"), (0, "0%"), (0.999, "99.9%"), (0.0004, "0.04%"), (1e-9, "almost 0%"),
     (1 - 1e-9, "almost 100%"), (None, ""), (0.5, "50%"), (0.004, "0.4%")],
)  # fmt: skip
def test_shares(value: float | None, expected: str) -> None:
    assert share(value) == expected


def test_labels_are_text(write_all: Callable[..., Written]) -> None:
    gold = {f"{label}{k}": label for label in HOSTILE for k in range(3)}
    pred = {element: HOSTILE[k % len(HOSTILE)] for k, element in enumerate(gold)}
    documents = {element: HOSTILE[k > 9] for k, element in enumerate(gold)}
    page = write_all(
        gold, {HOSTILE[0]: gold, HOSTILE[2]: dict.fromkeys(gold, 1), HOSTILE[1]: pred}, title=HOSTILE[2], show=gold,
        documents=documents,
    )  # fmt: skip
    names = [f"e{k}" for k in range(24)]
    harmless = write_all(
        {name: k // 3 for k, name in enumerate(names)},
        {"A": dict.fromkeys(names, 1), "B": {name: name for name in names}},
        show=dict.fromkeys(names, "x"), documents={name: k > 9 for k, name in enumerate(names)},
    )  # fmt: skip
    tags = Tags(page.text)
    # not one tag that a harmless page has not, and no attribute that runs something
    assert {tag for tag, _ in tags.tags} <= {tag for tag, _ in Tags(harmless.text).tags}
    assert not [attributes for _, attributes in tags.tags if any(name.startswith("on") for name in attributes)]
    scripts = [attributes for attributes in tags.named("script") if "type" not in attributes]
    assert len(scripts) == 1
    assert page.data["title"] == HOSTILE[2]
    assert sorted(page.elements(2)) == sorted((element, gold[element], pred[element]) for element in gold)
    assert page.texts() == gold
    assert HOSTILE[2] in tags.words


def test_json_in_a_page_cannot_end_its_script(write: Callable[..., Written]) -> None:
    page = write(GOLD, {"</script>": PRED, "<!-- & \u2028": GOLD}, title="</script><script>&")
    assert page.data["systems"] == ["<!-- & \u2028", "</script>"]
    (text,) = re.findall(r'<script type="application/json" id="page">(.*)\n', page.text)
    assert not set("<>&") & set(text.removesuffix("</script>"))


def test_nothing_is_loaded_from_anywhere(write_all: Callable[..., Written]) -> None:
    page = Tags(write_all(GOLD, PRED).text)
    for _, attributes in page.tags:
        for name, value in attributes.items():
            if name in ("src", "href", "xlink:href", "action", "srcset", "poster", "data"):
                assert value is not None
                assert value.startswith(("#", "data:")), value
            if name == "style":
                assert "url(" not in (value or "").replace("url(#", "")
    (policy,) = [meta["content"] for meta in page.named("meta") if meta.get("http-equiv") == "Content-Security-Policy"]
    assert policy is not None
    assert policy.startswith("default-src 'none'; script-src 'sha256-")


def test_no_id_stands_twice(write_all: Callable[..., Written]) -> None:
    page = Tags(write_all(GOLD, {"A": PRED, "B": GOLD}, documents=dict.fromkeys(GOLD, 1) | {"p6": 2}).text)
    ids = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
    assert len(ids) == len(set(ids))


def test_tables_name_their_columns_and_rows(write_all: Callable[..., Written]) -> None:
    written = write_all(GOLD, PRED)
    page = Tags(written.text)
    heads = page.named("th")
    assert heads
    assert all(head.get("scope") in ("row", "col", "rowgroup") for head in heads)
    assert len(page.named("caption")) == len(page.named("table"))
    known = {attributes["id"] for _, attributes in page.tags if "id" in attributes}
    views = {
        f"{side}/{number}"
        for side, rows in written.systems[0]["sides"].items()
        for number in rows["number"][: rows["count"]]
    }
    assert all((link["href"] or "")[1:] in known | views for link in page.named("a"))
    assert any((link["href"] or "")[1:] in views for link in page.named("a"))


def test_texts_by_id_by_place_and_by_document(write: Callable[..., Written]) -> None:
    assert write(GOLD, PRED, show={"p1": "first", "p2": None}).texts()["p1"] == "first"
    assert write(["a", "a", "b"], [1, 2, 2], show=["x", "y", "z"]).texts() == {"0": "x", "1": "y", "2": "z"}
    ids, documents = ["p1", "p2", "p1"], ["d", "d", "e"]
    gold, pred = (cs.Clustering.from_labels(side, elements=ids, documents=documents) for side in ([1, 1, 2], [1, 2, 2]))
    page = write(gold, pred, show=["x", "y", "z"])
    elements = page.systems[0]["elements"]
    assert sorted(zip(elements["names"], elements["texts"], strict=True)) == [
        ("p1", "x"), ("p1", "z"), ("p2", "y")]  # fmt: skip
    page = write(gold, pred, show={("e", "p1"): "other", "p1": "plain"})
    assert sorted(page.systems[0]["elements"]["texts"]) == ["", "other", "plain"]


def test_a_long_text_is_cut(write: Callable[..., Written]) -> None:
    (text,) = set(write([0, 0], [0, 1], show=["word " * 1000] * 2).texts().values())
    assert len(text) <= 300
    assert text.endswith("…")


def test_elements_without_ids_keep_their_places_when_noise_is_dropped(write: Callable[..., Written]) -> None:
    page = write([0, -1, 0, 1, 1], [5, 5, 6, -1, 6], noise=-1, noise_as="drop", show=list("abcde"))
    assert sorted(page.elements()) == [("0", "0", "5"), ("2", "0", "6"), ("4", "1", "6")]
    assert page.texts() == {"0": "a", "2": "c", "4": "e"}


def test_elements_that_one_side_lacks(write: Callable[..., Written]) -> None:
    page = write(GOLD, {"p1": 1, "p9": 2}, missing="drop")
    assert page.elements() == [("p1", "a", "1")]
    page = write({"p1": 1, "p2": 1}, {"p1": 1, "p9": 2}, missing="singleton")
    system = page.systems[0]
    assert sorted(system["elements"]["names"]) == ["p1", "p2", "p9"]
    assert system["sides"]["gold"]["size"] == [2, 1]
    page = write({"p1": 1, "p2": 1}, {"p1": 1, "p9": 2}, missing="keep")
    system = page.systems[0]
    assert page.data["kinds"][-2:] == ["missing", "spurious"]
    parts = zip(*(system["parts"][name] for name in ("gold", "pred", "n", "kind")), strict=True)
    alone = system["sides"]["pred"]["names"].index("2")
    assert sorted(parts) == [(-1, alone, 1, 7), (0, -1, 1, 6), (0, 1 - alone, 1, 0)]
    assert [system["sides"]["gold"][name] for name in ("size", "parts", "overlap")] == [[2], [1], [1]]
    words = " ".join(Tags(page.text).words)
    assert re.search(
        "1 of the 2 elements of the gold cluster 1 is in the predicted cluster 1 ?, 1 not predicted.", words
    )
    with pytest.raises(cs.InputError, match="elm needs the same elements on both sides"):
        write({"p1": 1, "p2": 1}, {"p1": 1}, missing="keep", element_metric="elm")


def test_several_systems_the_best_first(write: Callable[..., Written]) -> None:
    page = write(GOLD, {"A": PRED, "B": GOLD, "C": dict.fromkeys(GOLD, 0)}, show=dict.fromkeys(GOLD, "text"))
    assert page.data["systems"] == ["B", "A", "C"]
    assert sorted(page.elements(0)) == [(p, GOLD[p], GOLD[p]) for p in GOLD]
    assert sorted(page.elements(2)) == [(p, GOLD[p], "0") for p in GOLD]
    words = Tags(page.text).words
    assert {"Comparison", "A", "B", "C"} <= set(words)
    comparison = cs.compare(GOLD, {"A": PRED, "B": GOLD, "C": dict.fromkeys(GOLD, 0)}, metrics="elm")
    assert f"{comparison['C']['elm'].difference.value:+.4f}".replace("-", "−") in words


def test_systems_with_their_elements_in_another_order_keep_their_own_names(write: Callable[..., Written]) -> None:
    # under "singleton" the elements that a system lacks come last
    gold = {"p1": 1, "p2": 1, "p3": 2}
    systems = {"A": {"p1": 1, "p3": 2}, "B": {"p2": 1, "p3": 2}}
    page = write(gold, systems, missing="singleton")
    for place, pred in enumerate(systems.values()):
        shown = {element: cluster for element, _, cluster in page.elements(place)}
        assert {element: shown[element] for element in pred} == {element: str(label) for element, label in pred.items()}


def test_a_table_has_no_elements_but_all_else(write: Callable[..., Written]) -> None:
    table = cs.Table.from_cells(["a", "a", "b"], ["x", "y", "y"], [10**4, 1, 5])
    page = write(table)
    system = page.systems[0]
    assert "elements" not in system
    parts = zip(*(system["parts"][name] for name in ("gold", "pred", "n")), strict=True)
    gold, pred = (system["sides"][side]["names"] for side in ("gold", "pred"))
    assert sorted((gold[a], pred[b], n) for a, b, n in parts) == [("a", "x", 10**4), ("a", "y", 1), ("b", "y", 5)]
    page = write({"A": table, "B": table})
    assert page.data["systems"] == ["A", "B"]
    huge = cs.Table.from_cells(["a", "b"], ["x", "y"], [10**12, 10**12])
    assert "shuffles of the predicted labels" not in write(huge).text


def as_report(options: dict[str, Any]) -> dict[str, Any]:
    """Options of ``cs.elements``, as ``cs.report`` calls them."""
    return {"element_metric" if name == "metric" else name: value for name, value in options.items()}


@pytest.mark.parametrize(
    "options", [{"weights": [1.0, 2.0, 3.0, 4.0]}, {"weights": "class"}, {"metric": "bcubed(f=of-means)"}]
)
def test_weights_and_the_f_of_means_are_in_the_losses(options: dict[str, Any], write: Callable[..., Written]) -> None:
    gold, pred = [0, 0, 1, 1], [0, 1, 1, 1]
    page = write(gold, pred, **as_report(options))
    system = page.systems[0]
    assert sorted(page.elements()) == [("0", "0", "0"), ("1", "0", "1"), ("2", "1", "1"), ("3", "1", "1")]
    expected = cs.elements(gold, pred, **options)["loss"]
    worst = np.argsort(-expected, kind="stable")
    assert system["elements"]["names"] == list(map(str, worst.tolist()))
    assert system["elements"]["loss"] == pytest.approx(expected[worst].tolist(), rel=1e-6)
    assert system["lost"] == pytest.approx(expected.sum())


def test_other_metrics_and_averages(write: Callable[..., Written]) -> None:
    options: dict[str, Any] = {
        "documents": dict.fromkeys(GOLD, 1) | {"p6": 2},
        "average": "macro",
        "metrics": ["nmi", "vi"],
    }
    page = Tags(write(GOLD, PRED, element_metric="bcubed(beta=2)", **options).text)
    card = cs.score(GOLD, PRED, **{**options, "metrics": ["bcubed(beta=2)", "nmi", "vi"]})
    for name in ("bcubed(beta=2)", "nmi", "variation_of_information"):
        assert name in page.words
        assert f"{card[name].value:.4f}" in page.words


@pytest.mark.parametrize(("gold", "pred"), [([0], [0]), ([0, 1, 2], [0, 0, 0])])
def test_the_smallest_clusterings(gold: list[int], pred: list[int], write_all: Callable[..., Written]) -> None:
    assert len(write_all(gold, pred).elements()) == len(gold)
    average = "micro" if len(gold) == 3 else "macro"
    assert len(write_all(gold, {"A": pred, "B": gold}, average=average).elements(1)) == len(gold)


@pytest.mark.parametrize(
    ("given", "options", "kind", "message"),
    [
        ((GOLD, PRED), {"path": "no/such/folder/x.html"}, cs.FileError, "no folder no/such/folder; create it"),
        ((GOLD, PRED), {"path": "."}, cs.FileError, "is a folder; name a file in it"),
        ((GOLD, PRED), {"path": 7}, cs.InputTypeError, "path=7 is an int"),
        ((GOLD, PRED), {"element_metric": "nmi"}, cs.MetricError, "nmi does not score single elements"),
        ((GOLD, PRED), {"element_metric": "elm(adjusted=true)"}, cs.MetricError, "leave out adjusted"),
        ((GOLD, PRED), {"metrics": "nonsense"}, cs.MetricError, "nonsense"),
        ((GOLD, PRED), {"average": "mean"}, cs.InputError, "average='mean' is not an option"),
        ((GOLD, PRED), {"sweep": [1]}, cs.InputTypeError, "sweep is a list; pass what cs.sweep returns for a linkage"),
        ((GOLD, PRED), {"titel": "x"}, cs.OptionError, "report has no option 'titel': did you mean 'title'"),
        ((GOLD, PRED), {"show": {"q1": "x"}}, cs.InputError, "no text for any of 6 elements (e.g. 'p1')"),
        ((GOLD, PRED), {"show": ["x"]}, cs.InputError, "show has 1 texts for 6 elements of gold"),
        (([0, 1], [0, 1]), {"show": "ab"}, cs.InputTypeError, "show"),
        ((GOLD, {"p1": 1}), {}, cs.ElementMismatch, "5 elements are only in gold"),
        ((GOLD, {"A": PRED, "B": {"p1": 1}}), {}, cs.ElementMismatch, "system 'B': 5 elements are only in gold"),
        ((GOLD, {1: PRED}), {}, cs.InputTypeError, "a system is named by a string, not by 1"),
        ((GOLD, {"A": cs.Table.from_labels([0], [0])}), {}, cs.InputTypeError, "a Table contains both sides"),
        ((cs.Table.from_labels([0], [0]),), {"show": ["x"]}, cs.InputError, "a Table does not know its elements"),
        (([], []), {}, cs.InputError, "gold"),
        (([0, None], [0, 1]), {}, cs.InputError, "no label"),
        ((GOLD, {"A": {"p1": 1, "p2": 1}, "B": {"p1": 1, "p3": 1}}), {"missing": "drop"}, cs.InputError,
         "the systems are scored on different elements"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told(
    given: tuple[Any, ...], options: dict[str, Any], kind: type[Exception], message: str, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    with pytest.raises(kind, match=re.escape(message)):
        cs.report(*given, **{"path": "x.html", **options})
    assert not list(tmp_path.iterdir())


def test_what_is_not_installed_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(canvas, "find_spec", lambda name: None)
    with pytest.raises(cs.ClusterscoreError, match=re.escape('pip install "clusterscore[report]"')):
        cs.report(GOLD, PRED, path=tmp_path / "x.html")


def test_the_same_input_gives_the_same_page(tmp_path: Path) -> None:
    pages = [cs.report(GOLD, {"A": PRED, "B": GOLD}, path=tmp_path / f"{k}.html").read_bytes() for k in range(2)]
    assert pages[0] == pages[1]


def test_plots_stand_with_what_they_explain(tmp_path: Path) -> None:
    def titles(pred: Any) -> dict[str, list[str]]:
        page = cs.report(
            GOLD, pred, documents=dict(zip(GOLD, "xxxyyy", strict=True)), path=tmp_path / "page.html"
        ).read_text("utf-8")
        parts = re.split(r'<section id="(\w+)"', page)[1:]
        plots = {
            part: re.findall(r'<figure class="plot"[^>]*>\s*<h3>(.*?)</h3>\s*<svg ', re.sub("</?code.*?>", "", text))
            for part, text in zip(parts[::2], parts[1::2], strict=True)
        }
        return {part: names for part, names in plots.items() if names}

    spread, pair = "Scores of the documents", "Two systems, document by document"
    errors = ["Where the elements went", "Small and large clusters", "Cluster sizes"]
    of_one = {"documents": [spread, "Where two measures disagree"], "errors": errors}
    of_two = {"comparison": ["elm", "bcubed"], "documents": [spread, pair]}
    of_two["errors"] = [*errors[1:], *errors]  # where nothing is wrong nothing flows
    assert titles(PRED) == of_one
    assert titles({"A": PRED, "B": GOLD}) == of_two
    three = titles({"A": PRED, "B": GOLD, "C": PRED})
    assert three["documents"] == [spread, pair, pair]
    # the best, B, against the second best first
    pairs = re.findall(r'<figure class="plot"( data.*?)>', (tmp_path / "page.html").read_text("utf-8"))
    assert pairs == [' data-pair="1"', ' data-pair="2" hidden']


def test_measures_are_called_the_same_in_all_tables(write: Callable[..., Written]) -> None:
    metrics = ["elm", "adjusted_rand", "variation_of_information"]
    swept = cs.sweep(GOLD, edges=[("p1", "p2", 0.9), ("p2", "p4", 0.5)], metrics=metrics[:2])
    by = dict(zip(GOLD, "uvuvuv", strict=True))
    given: dict[str, Any] = {"documents": dict(zip(GOLD, "xxxyyy", strict=True)), "metrics": metrics, "by": by}
    page = write(GOLD, {"A": PRED, "B": GOLD}, **given, sweep=swept)
    measures = re.findall(r'<code class="measure" title="(.*?)">(.*?)</code>', page.text)
    assert {name for _, name in measures} == {"elm", "ari", "vi"} == {entry["name"] for entry in page.data["measures"]}
    assert {title.partition(":")[0] for title, _ in measures} == set(metrics)
    for section in ("comparison", "scores", "thresholds", "slices"):
        text = page.text.partition(f'<section id="{section}"')[2].partition("</section>")[0]
        assert "ari</code>" in text, section
        assert not re.search(r"<(th|td)[^>]*>(<code>)?adjusted_rand", text), section


def test_kinds_are_explained() -> None:
    assert tuple(words()["kinds"]) == (*KINDS, *ONE_SIDED)


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, without_plots: None) -> Path:
    (tmp_path / "gold.csv").write_text("element,cluster,title\np1,a,One\np2,a,\np3,b,Three\n", encoding="utf-8")
    (tmp_path / "pred.csv").write_text("element,cluster\np3,1\np2,1\np1,2\n", encoding="utf-8")
    (tmp_path / "other.csv").write_text("element,cluster\np3,1\np2,2\np1,2\n", encoding="utf-8")
    (tmp_path / "all.csv").write_text("page,true,x,y,stream\n1,a,1,1,s\n2,a,1,2,s\n1,b,1,2,t\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def command(*arguments: str) -> int:
    with pytest.raises(SystemExit) as left:
        main(["report", *arguments])
    return int(left.value.code or 0)  # type: ignore[arg-type]


def test_the_command_writes_a_page(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shown = ["--show", "title", "--show", "cluster"]
    assert command("gold.csv", "pred.csv", *shown, "--title", "Mine & yours") == 0
    assert capsys.readouterr().out == "report.html\n"
    page = Written(files / "report.html")
    assert sorted(page.elements()) == [("p1", "a", "2"), ("p2", "a", "1"), ("p3", "b", "1")]
    assert page.texts() == {"p1": "One, a", "p2": "a", "p3": "Three, b"}
    words = Tags(page.text).words
    assert {"Mine & yours", "pred.csv against gold.csv"} <= set(words)


def test_the_command_compares(files: Path) -> None:
    assert command("gold.csv", "pred.csv", "other.csv", "-o", "both.html", "-m", "elm, ari") == 0
    page = Written(files / "both.html")
    assert page.data["systems"] == ["other", "pred"]
    columns = ["--gold", "true", "--pred", "x", "--pred", "y", "--element", "page", "--document", "stream"]
    assert (
        command(
            "all.csv",
            *columns,
            "-o",
            "columns.html",
            "--show",
            "true",
            "--show",
            "stream",
            "--element-metric",
            "bcubed",
        )
        == 0
    )
    page = Written(files / "columns.html")
    assert page.data["systems"] == ["x", "y"]
    assert sorted(page.elements(1)) == [("1", "a", "1"), ("1", "b", "2"), ("2", "a", "2")]
    assert sorted(page.systems[0]["elements"]["texts"]) == ["a, s", "a, s", "b, t"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["gold.csv"], "pass files, GOLD and PRED"),
        (["gold.csv", "pred.csv", "--show", "titel"], "has no column 'titel': did you mean 'title'?"),
        (["gold.csv", "pred.csv", "--element-metric", "nmi"], "nmi does not score single elements"),
        (["gold.csv", "nothing.csv"], "nothing.csv"),
        (["-", "-", "--show", "title"], "standard input can be read only once"),
        (["gold.csv", "pred.csv", "--sweep", "pred.csv"], "no columns recognized as the two ends of a pair"),
        (["gold.csv", "pred.csv", "-o", "no/x.html"], "no folder no"),
        (["gold.csv", "pred.csv", "--format", "json"], "No such option"),
    ],
)
def test_the_command_tells_what_is_wrong(
    arguments: list[str], message: str, files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command(*arguments) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


def test_every_threshold_has_a_section(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (files / "edges.csv").write_text("left,right,score\np1,p2,0.91\np2,p3,0.47\n", encoding="utf-8")
    assert command("gold.csv", "pred.csv", "--sweep", "edges.csv") == 0
    words = Tags(Written(files / "report.html").text).words
    assert {"Thresholds", "Score at every threshold", "Precision against recall"} <= set(words)
    at = words.index("Within 0.01")
    assert words[at + 1 :][:12] == ["Clusters", "Largest", "P", "R", "Options", "elm", "1.0000", "0.91",
                                    "0.91 to 0.91", "2", "2", "1.0000"]  # fmt: skip
    assert any(word.startswith("elm 1.000 at 0.91") for word in words)
    assert "so their scores look too good: on other data they will be lower" in " ".join(
        words
    )  # too few to hold some out


def test_thresholds_held_out(write: Callable[..., Written], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(figures, "_figure", lambda *_: {"part": "none"})
    gold = [k // 3 for k in range(60)]
    sweep = cs.sweep(gold, edges=[(k - 1, k, (k * 37 % 101) / 101) for k in range(1, 60)], metrics=["elm", "nmi"])
    words = Tags(write(gold, gold, sweep=sweep).text).words
    assert words[words.index("Tuned") + 1] == "Held out"
    assert f"{sweep.cross_validate('elm', folds=5).score.value:.4f}" in words
    assert "|folds:5|seed:0" in " ".join(words)


def test_figures_of_much_are_fewer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there are many dots, where cutting takes long, where a measure has no recall, and of a sample."""
    monkeypatch.setattr(figures, "_figure", lambda name, *_: {"name": name})
    monkeypatch.setattr(figures, "_MOST_DOTS", 1)
    monkeypatch.setattr(figures, "_MOST_CUTS", 1)
    edges = [("p1", "p2", 0.9), ("p4", "p5", 0.5)]
    swept = figures.swept(cs.sweep(GOLD, edges=edges, metrics="rand"))
    assert swept["figures"] == [{"name": "cuts"}]
    assert swept["best"].held_out is None
    systems, documents = {"A": PRED, "B": GOLD, "C": PRED}, dict(zip(GOLD, "xxxyyy", strict=True))
    cards = {name: cs.score(GOLD, pred, documents=documents, metrics="elm") for name, pred in systems.items()}
    comparison = cs.compare(GOLD, systems, documents=documents, metrics="elm")
    names = ["compared-0", "spread", "scatter-2"]
    assert [figure["name"] for figure in figures.compared_figures(comparison, cards, "elm", "C")] == names
    sample = cs.compare(
        cs.Sample({p: GOLD[p] for p in ("p1", "p2", "p3", "p6")}, weights="uniform"), systems, metrics="elm"
    )
    assert figures.compared_figures(sample, {}, "elm", "C") == [{"name": "compared-0"}]


def test_elements_of_a_sample_without_precision(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = []
    monkeypatch.setattr(figures, "_figure", lambda name, *_: drawn.append(name) or {"part": "none"})
    sample = cs.Sample({p: GOLD[p] for p in ("p1", "p2", "p3", "p6")}, weights="uniform")
    page = cs.report(
        sample, PRED, path=tmp_path / "page.html", metrics="pairwise", element_metric="element_centric"
    ).read_text("utf-8")
    assert drawn == []
    assert "element_centric" in page


def test_show_needs_columns(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (files / "gold.labels").write_text("a\na\nb\n", encoding="utf-8")
    assert command("gold.labels", "gold.labels", "--show", "title") == 2
    assert "which has no column 'title'" in capsys.readouterr().err


def test_losses_of_elements_add_up_to_what_the_score_lacks(write: Callable[..., Written]) -> None:
    """By the definition, from the clusters that the page shows, in exact fractions."""
    page = write(GOLD, PRED)
    system = page.systems[0]
    gold, pred = ([element[side] for element in page.elements()] for side in (1, 2))
    lost = []
    for a, b in zip(gold, pred, strict=True):
        n = sum((x, y) == (a, b) for x, y in zip(gold, pred, strict=True))
        tp, fp, fn = n - 1, pred.count(b) - n, gold.count(a) - n
        wrong = Fraction(fp + fn, 2)
        lost.append(Fraction(wrong, tp + wrong) / len(gold) if tp + wrong else Fraction(0))
    assert float(1 - sum(lost)) == pytest.approx(cs.elm(GOLD, PRED).f, abs=1e-15)
    assert system["elements"]["loss"] == pytest.approx([float(loss) for loss in lost])
    assert system["lost"] == pytest.approx(float(sum(lost)), abs=1e-15)


def test_an_error_names_the_system_only_where_there_are_several(tmp_path: Path) -> None:
    with pytest.raises(cs.ElementMismatch, match=r"^gold has 2 labels and pred has 1"):
        cs.report([1, 2], [1], path=tmp_path / "one.html")
    with pytest.raises(cs.ElementMismatch, match=r"^system 'B': gold has 2 labels and pred has 1"):
        cs.report([1, 2], {"prediction": [1, 2], "B": [1]}, path=tmp_path / "two.html")


def test_the_verdict_says_what_a_reader_can_repeat(write: Callable[..., Written]) -> None:
    """A trivial clustering that does better is named, and marked in its cell; what costs most comes with a share."""
    gold, pred = list("aaaabbbcd"), [1, 1, 1, 2, 2, 2, 3, 3, 4]
    page = write(gold, pred)
    words = " ".join(Tags(page.text).words)
    assert "1 of 4 gold clusters is found exactly, with 11% of the elements." in words
    assert "Precision (0.556) and recall (0.556) are about the same." in words
    assert "A trivial clustering (clusters of mean size) beats it under 5 of 8 measures." in words
    chance = cs.chance(gold, pred, metrics="elm")["elm"]
    assert f"It is {100 * chance.adjusted:.0f}% of the way from chance ({chance.expected:.3f}) to perfect." in words
    kinds = {row["kind"]: row for row in cs.errors(gold, pred).records()}
    assert max(kinds, key=lambda kind: kinds[kind]["loss"]) == "mixed"  # which is no answer
    lost = {cause: sum(row[cause] for row in kinds.values()) for cause in ("split", "merged")}
    split, merged = (100 * loss / sum(lost.values()) for loss in lost.values())
    assert f"{split:.0f}% of the loss comes from splitting and {merged:.0f}% from merging. Who did it" in words
    cards = cs.score(gold, pred, baselines=True)
    better = sum(
        cards.baselines[name][metric].value > cards[metric].value for name in cards.baselines for metric in cards
    )
    assert page.text.count('class="number better"') == better > 0
    apart = write(gold, [1, 1, 1, 2, 2, 2, 3, 3, 1])
    assert "mean_size" not in apart.text  # the file is sorted, so that its pieces are no trivial clustering
    fine = " ".join(Tags(write(gold, range(9)).text).words)
    assert "It makes 9 clusters where gold has 4." in fine
    assert "is higher than recall (0.222): its clusters leave out more than they wrongly include." in fine
    coarse = " ".join(Tags(write(gold, [0] * 9).text).words)
    assert "No gold cluster is found exactly." in coarse
    assert "its clusters wrongly include more than they leave out." in coarse
    perfect = " ".join(Tags(write(gold, gold).text).words)
    assert "No trivial clustering beats it under any of 8 measures." in perfect
    assert "Nothing is wrong: both sides have the same clusters." in perfect


def test_the_verdict_of_a_nearly_perfect_and_of_a_hopeless_prediction(write: Callable[..., Written]) -> None:
    """What is not all right is not 100%, and the trivial clustering that is named is the one of the card above."""
    gold = [k // 20 for k in range(1000)]
    one_wrong = " ".join(Tags(write(gold, [*gold[:-1], 0]).text).words)
    assert "It is 99.8% of the way from chance" in one_wrong
    gold = gold[:400]
    random = np.random.default_rng(0).integers(0, 150, 400)
    words = " ".join(Tags(write(gold, random).text).words)
    assert "Best trivial one: all in one cluster" in words
    assert "A trivial clustering (all in one cluster) beats it under" in words
    apart = " ".join(Tags(write([k % 4 for k in range(64)], [k // 4 for k in range(64)]).text).words)
    assert "It is no better than chance: shuffled labels score" in apart


def test_nothing_empty_stands_between_a_heading_and_its_text(write: Callable[..., Written]) -> None:
    """On paper the heading would be left behind at the end of a page."""
    assert not re.search(r"</h2>\s*<div[^>]*>\s*</div>", write(GOLD, PRED).text)


def test_a_point_is_no_interval(write: Callable[..., Written]) -> None:
    assert "95% interval" not in " ".join(Tags(write(GOLD, GOLD).text).words)
    assert "95% interval" in " ".join(Tags(write(GOLD, PRED).text).words)


@pytest.mark.filterwarnings("ignore::clusterscore.ClusterscoreWarning")
def test_a_doubt_says_which_system_it_is_about(write: Callable[..., Written]) -> None:
    """It ends as a sentence does, question or not; what is odd about gold is said once."""
    gold, fine = [0, 0, 1, 1, 2, 2], [0, 0, 1, 1, 1, 2]
    words = Tags(write(gold, {"fine": fine, "DBSCAN": [0, 0, 1, 1, -1, -1], "all": [0] * 6}).text).words
    doubts = [word for word in words if "(system" in word]
    assert len(doubts) == 2
    assert doubts[0].startswith("Pred has the label -1")
    assert doubts[0].endswith("(system 'DBSCAN').")
    assert doubts[1].endswith("is the right column named as the cluster? (system 'all').")
    words = Tags(write([0, 1, 1, -1, 2], {"A": fine[1:], "B": fine[:5]}).text).words
    assert sum("label -1" in word for word in words) == 1


@pytest.mark.parametrize(
    ("field", "title"), [("page-streams", "Page stream report"), ("entity-resolution", "Entity resolution report")]
)
def test_the_title_is_of_the_field(write: Callable[..., Written], field: str, title: str) -> None:
    assert write([1, 1, 2, 2, 3], [1, 1, 2, 3, 3], field=field).data["title"] == title


def test_few_shuffles_are_not_as_good_as_a_score_that_beats_all_of_them(
    write: Callable[..., Written], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With five shuffles no p-value is below 1/6: that none is as good must not read as if they were."""
    monkeypatch.setattr(findings, "_SHUFFLED", 500)
    monkeypatch.setattr(findings, "_MOST_SURE", 50)
    gold = [k // 3 for k in range(90)]
    words = " ".join(Tags(write(gold, gold).text).words)
    assert "permutations:5|seed:0" in words
    assert "This may be chance" not in words
    assert "It is 100% of the way from chance" in words
    assert "in about 100% of the shuffles they do at least as well." in " ".join(
        Tags(write(gold, [k % 45 for k in range(90)]).text).words
    )


def test_the_verdict_says_which_system_is_best_and_how_sure_that_is(write: Callable[..., Written]) -> None:
    gold = [k // 3 for k in range(90)]
    rough, fine = [k // 5 for k in range(90)], [k // 3 if k % 9 else 100 + k for k in range(90)]
    page = write(gold, {"rough": rough, "fine": fine})
    words = " ".join(Tags(page.text).words)
    best = cs.compare(gold, {"rough": rough, "fine": fine}, metrics="elm")
    gap = best["fine"]["elm"].score.value - best["rough"]["elm"].score.value
    score = best["fine"]["elm"].score.value
    ahead = (
        rf"fine is best: elm {score:.3f}, {gap:.3f} ahead of rough, the second best. "
        r"The difference is significant \(p [<=] 0\.\d+\)\."
    )
    assert re.search(ahead, words)
    same = " ".join(Tags(write(gold, {"A": rough, "B": [label + 1 for label in rough]}).text).words)
    assert f"A and B are equally good: elm {best['rough']['elm'].score.value:.3f}." in same
    close = [*rough[:-1], 99]
    unsure = " ".join(Tags(write(gold, {"A": rough, "B": close}).text).words)
    assert re.search(r"[AB] scores best: .* The difference may be due to chance \(p = ", unsure)


def test_the_best_is_tested_against_the_second_best(write: Callable[..., Written]) -> None:
    """Not against the weakest, which it beats by far; with pairs="all" after correction for all pairs."""
    rng = np.random.default_rng(4)
    gold = [k // 4 for k in range(400)]
    systems = {
        name: [label if rng.random() > noise else 1000 + k for k, label in enumerate(gold)]
        for name, noise in {"weak": 0.6, "good": 0.21, "middle": 0.4, "better": 0.2}.items()
    }
    scores = {name: cs.elm(gold, pred).f for name, pred in systems.items()}
    best, second = sorted(scores, key=lambda name: -scores[name])[:2]
    assert {best, second} == {"good", "better"}
    for pairs in ("baseline", "all"):
        if pairs == "all":
            p = cs.compare(gold, systems, metrics="elm", pairs="all").pairs[best, second]["elm"].p_holm
        else:
            p = cs.compare(gold, {name: systems[name] for name in (second, best)}, metrics="elm")[best][
                "elm"
            ].difference.p
        assert p > 0.05
        corrected = " after Holm's correction" if pairs == "all" else ""
        page = Tags(write(gold, systems, metrics="elm", pairs=pairs).text)
        ahead = f"{best} scores best: elm {scores[best]:.3f}, {scores[best] - scores[second]:.3f} ahead of {second}"
        sentence = next(words for words in page.words if words.startswith(ahead))
        assert sentence == f"{ahead}, the second best. The difference may be due to chance (p = {p:.3f}{corrected})."
        assert ("Every two systems" in page.words) == (pairs == "all")
        assert "leaving out one of 100 gold clusters at a time (the jackknife), and p-values from" in " ".join(
            page.words
        )
    with pytest.raises(cs.InputError, match="pairs"):
        write(gold, systems, pairs="some")


def test_the_first_screen_says_how_good_what_went_wrong_and_who_did_it(write: Callable[..., Written]) -> None:
    gold = [k // 5 for k in range(100)]
    pred = [0 if k < 15 else 900 + k if k > 95 else label for k, label in enumerate(gold)]
    written = write(gold, pred, metrics=["elm", "nmi"])
    page = Tags(written.text)
    low, high = cs.compare(gold, {"A": pred}, metrics="elm")["A"]["elm"].intervals.jackknife
    assert f"{low:.3f} – {high:.3f}" in page.words
    assert any("leaving out one of 20 gold clusters at a time" in words for words in page.words)
    assert any("no interval: nmi depends on" in words.lower() for words in page.words)
    worst = cs.clusters(gold, pred).head(1).records()[0]
    (number,) = [k for k, name in enumerate(dict.fromkeys(pred)) if name == worst["cluster"]]
    first = next(link for link in page.named("a") if (link["href"] or "").startswith(("#gold/", "#pred/")))
    assert first["href"] == f"#{worst['side']}/{number}"
    words = " ".join(page.words)
    costliest = r"The costliest kind of error is merge \(\d+% of the loss, 15 elements\): the whole gold cluster"
    assert re.search(
        rf"What went wrong \d+% of the loss comes from merging and \d+% from splitting. {costliest}", words
    )
    share = 100 * worst["share"]
    assert (
        f"The predicted cluster 0 joins 3 gold clusters: 0 (5), 1 (5), 2 (5). Its 15 elements cost {share:.0f}%"
        in words
    )
    assert "Predicted 0 = 0 (5) + 1 (5) + 2 (5)" in words


def test_the_page_says_when_and_by_what_command_it_was_written_and_shows_no_folders(files: Path) -> None:
    assert command(str(files / "gold.csv"), str(files / "pred.csv"), "-o", "page.html") == 0
    text = (files / "page.html").read_text(encoding="utf-8")
    assert "clusterscore report gold.csv pred.csv -o page.html" in text
    assert "pred.csv against gold.csv" in Tags(text).words
    assert str(files) not in text
    assert re.search(r"Written on \d{1,2} \w+ 20\d\d, \d\d:\d\d by clusterscore", text)


def test_a_baseline_is_named(write: Callable[..., Written], files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = write(GOLD, {"A": PRED, "B": dict.fromkeys(GOLD, 0)}, baseline="B")
    assert "Against B" in Tags(page.text).words
    with pytest.raises(cs.InputError, match="baseline='C' is not a system; there are 'A', 'B'"):
        write(GOLD, {"A": PRED, "B": GOLD}, baseline="C")
    with pytest.raises(cs.InputError, match="baseline= is for several systems, and there is one"):
        write(GOLD, PRED, baseline="A")
    assert command("gold.csv", "pred.csv", "other.csv", "--baseline", "other.csv", "-o", "both.html") == 0
    assert "Against other" in Tags((files / "both.html").read_text(encoding="utf-8")).words
    assert command("gold.csv", "pred.csv", "--baseline", "pred.csv") == 2
    assert "is for several systems, and there is one" in capsys.readouterr().err


def test_a_sample_of_gold_is_reported_by_estimate(write: Callable[..., Written], files: Path) -> None:
    pred = {f"r{k}": k // 3 for k in range(120)}
    other = {f"r{k}": k // 5 for k in range(120)}
    gold = {f"r{k}": k // 4 for k in range(120) if k // 4 % 2}
    sample = cs.Sample(gold, weights="uniform")
    edges = [(f"r{k}", f"r{k + 1}", (k * 37 % 100) / 100) for k in range(119)]
    swept = cs.sweep(sample, edges=edges, metrics=["elm", "pairwise"])
    comparison = cs.compare(sample, {"A": pred, "B": other}, metrics=["elm", "pairwise"])
    page = write(sample, {"A": pred, "B": other}, metrics=["elm", "pairwise"], sweep=swept)
    words = Tags(page.text).words
    assert any("15 gold clusters with 60 of 120 elements" in text for text in words)
    assert re.search(r"Its 4 elements cost \d+% of all loss, with all that they stand for\.", " ".join(words))
    for system in ("A", "B"):
        estimate = comparison.systems[system]["elm"]
        assert f"{estimate.value:.4f}" in words
        assert f"{estimate.interval.low:.4f} – {estimate.interval.high:.4f}" in words
    gap = comparison.differences["B"]["elm"].interval
    assert f"[{gap.low:+.4f}, {gap.high:+.4f}]".replace("-", "−") in words
    truncated = cs.score(gold, pred, metrics="elm", missing="drop")["elm"].value
    assert abs(truncated - comparison.systems["A"]["elm"].value) > 0.01
    elsewhere = re.sub(r'<section id="thresholds".*?</section>', "", page.text, flags=re.DOTALL)
    assert f"{truncated:.3f}" not in elsewhere
    assert f"{truncated:.4f}" not in Tags(elsewhere).words
    kinds = cs.errors(sample, pred)
    for part in kinds["share"][kinds["share"] > 0].tolist():
        assert f"{round(100 * part, 1)}%" in words
    assert f"{swept.best('elm').estimate.interval.low:.4f}" in page.text
    listed = page.lists["system-0"]
    assert listed["sides"]["gold"]["count"] == 15
    assert listed["sides"]["pred"]["count"] == 0
    assert sum(listed["sides"]["gold"]["stands_for"]) == pytest.approx(30, abs=1e-4)
    with pytest.raises(cs.InputError, match="the sweep was made with gold that is no sample"):
        write(sample, pred, sweep=cs.sweep(gold, edges=edges, metrics="elm", missing="drop"))
    (files / "sample.csv").write_text(
        "element,cluster,name\n" + "".join(f"{e},{c},called {e}\n" for e, c in gold.items())
    )
    (files / "whole.csv").write_text("element,cluster\n" + "".join(f"{e},{c}\n" for e, c in pred.items()))
    given = ["sample.csv", "whole.csv", "-m", "elm", "--sample", "uniform", "--show", "name", "-o", "whole.html"]
    estimate = f"{comparison.systems['A']['elm'].value:.4f}"
    assert command(*given[:6], "-o", "bare.html") == 0
    assert estimate in Tags((files / "bare.html").read_text(encoding="utf-8")).words
    assert command(*given) == 0
    text = (files / "whole.html").read_text(encoding="utf-8")
    assert estimate in Tags(text).words
    typed = "sample.csv whole.csv --show name --sample uniform --format csv"
    assert f"clusterscore clusters {typed}" in text  # a review queue, as it can be typed


def test_the_first_measure_that_is_named_is_the_headline(write: Callable[..., Written]) -> None:
    """Also where smaller is better: then the numbers have no bars from 0 to 1, and the best system has the lowest."""
    measures = ["variation_of_information(base=2)", "pairwise"]
    page = write(GOLD, {"A": PRED, "B": dict.fromkeys(GOLD, 0)}, metrics=measures)
    lowest = cs.variation_of_information(GOLD, PRED, base=2).value
    assert f'<p class="value">{lowest:.3f}</p>' in page.text
    assert [measure["name"] for measure in page.data["measures"]] == ["vi(base=2)", "pairwise", "elm"]
    words = " ".join(Tags(page.text).words)
    assert "A scores best: vi(base=2)" in words
    assert f"adds up to {lowest:.3f} bits" in words
    assert "The difference was not tested." in words
    assert f"This prediction {lowest:.3f} Best trivial one" in words
    assert 'class="track"' not in page.text.partition('id="comparison"')[0]
    assert "This prediction" in Tags(write(GOLD, PRED, metrics=measures[::-1]).text).words
    assert "No trivial clustering beats it under elm." in Tags(write(GOLD, PRED, metrics="elm").text).words
