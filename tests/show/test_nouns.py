"""Whoever calls elements, clusters and documents by other words reads these words everywhere, and no others."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import clusterscore as cs
from align.test_doubts import CASES, heard
from clusterscore.fields import using
from clusterscore.nouns import NO_CALL, Nouns, Use, noun, plural
from page.written import Written
from show.results import DOCUMENTS, GOLD, MAKE, PRED, SYSTEMS, result
from test_bad_input import ASKED, ASKING, BY_ID, CALLS, OPTIONS, PAIRS, REFUSED, SCORERS, WEIGHTS

ZARKS = Nouns(("zark", "zarks"), ("ombo", "ombos"), ("fnord", "fnords"))
PLAIN_WORD = re.compile(r"\b(elements?|clusters?|documents?)\b", re.IGNORECASE)
# names of options, columns, functions and metrics
NAMES = re.compile(
    r"""\w*\.(elements|clusters|documents)\b|\b(elements?|clusters?|documents?)[=:]
    |["'](elements?|clusters?|documents?)\b|unit:\w+|--\w+|=document\)|clusterscore\ \w+|[Ee]lement-centric
    |as\ the\ (element|cluster)\b|column\ is\ the\ \w+(\ and\ the\ \w+)?|compare,\ errors,\ clusters,\ elements,
    |^(elements|clusters|documents)\ (is|has\ no\ option)\b|pass\ documents\ as|combined\ with\ document;""",
    re.VERBOSE,
)
pytestmark = pytest.mark.filterwarnings("ignore::clusterscore.ClusterscoreWarning")
RESULTS = [name for name in MAKE if name not in ("Verdicts", "Matrix", "Score")]  # those of constraints have no field
ROOT = Path(cs.__file__).parent


def plain_words(text: str) -> list[str]:
    """Where the plain words stand in a text, apart from names."""
    text = NAMES.sub(" ", text)
    return [text[max(0, at.start() - 40) : at.end() + 30] for at in PLAIN_WORD.finditer(text)]


@pytest.fixture
def in_zarks() -> Iterator[None]:
    result.cache_clear()
    with using(Use(nouns=ZARKS)):
        yield
    result.cache_clear()


def test_words_are_replaced_in_texts_of_ours_and_names_are_not() -> None:
    with using(Use(nouns=ZARKS)):
        assert noun("A cluster with an element in each document") == "An ombo with a zark in each fnord"
        assert noun("elements=ids, cs.clusters, {documents}") == "elements=ids, cs.clusters, {documents}"
        assert noun("an element's gold clusters (elements)") == "a zark's gold ombos (zarks)"
        assert (plural(1, "gold cluster"), plural(2, "element"), plural(2, "row")) == (
            "1 gold ombo",
            "2 zarks",
            "2 rows",
        )
    assert noun("an element of a document") == "an element of a document"


@pytest.mark.parametrize("name", RESULTS)
def test_results(name: str) -> None:
    """A result is told in the words in which it was made; what programs read stays."""
    result.cache_clear()
    with using(Use(nouns=ZARKS)):
        made = result(name)
    result.cache_clear()
    plain = result(name)
    for text in (str(made), made.to_markdown(), made.to_latex(), made._repr_html_()):
        assert plain_words(text) == []
    assert made.to_csv() == plain.to_csv()
    assert list(made.records()[0]) == list(plain.records()[0])
    left, right = (json.loads(side.to_json(), object_hook=_without_sentences) for side in (made, plain))
    assert left == right
    if PLAIN_WORD.search(str(plain)):
        assert re.search("zark|ombo|fnord", str(made))


def _without_sentences(data: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in data.items() if name not in ("notes", "warnings")}


def test_what_a_result_makes_later(in_zarks: None) -> None:
    card = cs.score(GOLD, PRED, documents=DOCUMENTS)
    rows, swept, compared = cs.elements(GOLD, PRED), result("Sweep"), result("Comparison")
    with using(NO_CALL):
        assert card.summary().split()[2:9] == ["fnords", "2", "zarks", "5", "5", "ombos", "3"]
        assert str(card.documents).startswith("fnord")
        assert "\nzark " in str(rows.head(2))
        assert "ombos" in str(swept.summary())
        assert "fnords drawn" in str(compared.paper()) + compared.summary()


PLOTS: dict[str, Callable[[], Any]] = {
    "sizes": lambda: cs.plot.sizes(GOLD, PRED),
    "many sizes": lambda: cs.plot.sizes([k // (1 + k % 30) for k in range(900)], [k // 7 for k in range(900)]),
    "by_size": lambda: cs.plot.by_size(GOLD, PRED),
    "overlaps": lambda: cs.plot.overlaps(GOLD, PRED),
    "distribution": lambda: cs.plot.distribution(GOLD, PRED, documents=DOCUMENTS),
    "difference": lambda: cs.plot.difference(GOLD, PRED, documents=DOCUMENTS, metrics=["elm", "bcubed"]),
    "sweep": lambda: cs.plot.sweep(result("Sweep")),
    "comparison": lambda: cs.plot.comparison(result("Comparison"), "elm"),
}


@pytest.mark.parametrize("name", PLOTS)
def test_plots(name: str, in_zarks: None) -> None:
    words = _texts(PLOTS[name]())
    assert plain_words(words) == []
    assert re.search("zark|ombo|fnord", words) or name == "comparison", words


def test_plots_of_results_are_in_their_words(in_zarks: None) -> None:
    swept, card = result("Sweep"), cs.score(GOLD, PRED, documents=DOCUMENTS)
    with using(NO_CALL):
        assert "ombos" in _texts(cs.plot.sweep(swept))
        assert "fnords" in _texts(cs.plot.distribution(card))
        assert "fnords" in _texts(cs.plot.distribution({"A": card, "B": card}, metrics=["elm"]))


def _texts(ax: Any) -> str:
    """All that is written in a figure, and what its marks say."""
    return " ".join(map("".join, re.findall(r">([^<>]+)<|(?:data-tip|aria-label|title)=\"([^\"]*)\"", cs.plot.svg(ax))))


@pytest.mark.parametrize("kind", ["one system", "several", "overlapping", "sampled", "swept"])
def test_report(kind: str, in_zarks: None, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    ids = [f"p{k}" for k in range(5)]
    if kind == "one system":
        cs.report(GOLD, PRED, path=path, documents=DOCUMENTS, by=["x", "x", "y", "y", "y"])
    elif kind == "several":
        cs.report(GOLD, SYSTEMS, path=path, documents=DOCUMENTS)
    elif kind == "overlapping":
        cs.report(cs.Clustering.from_memberships([{1, 2}, {1}, {2, 3}, {3}, {3}]), PRED, path=path)
    elif kind == "sampled":
        sample = cs.Sample([["p0", "p1"], ["p2", "p3"]], weights="uniform")
        cs.report(sample, dict(zip(ids, PRED, strict=True)), path=path)
    else:
        cs.report(GOLD, PRED, path=path, sweep=result("Sweep"))
    page = Written(path)
    markup = re.sub(r"<(script|style|code)\b.*?</\1>", " ", page.text, flags=re.DOTALL)
    seen = re.sub(r"<[^>]*?(?:(?:title|aria-label|data-label|data-tip)=\"([^\"]*)\"[^>]*?)?>", r" \1 ", markup)
    assert plain_words(seen) == []
    assert all(f">{word}<" in page.text for word in ("Zarks", "Ombos"))
    assert page.data["nouns"] == {
        "element": "zark", "elements": "zarks", "cluster": "ombo", "clusters": "ombos",
        "document": "fnord", "documents": "fnords",
    }  # fmt: skip


@pytest.mark.parametrize("file", sorted((ROOT / "page" / "template").glob("*.js")), ids=lambda file: file.name)
def test_every_text_of_the_script_asks_for_the_words(file: Path) -> None:
    code = re.sub(r"//.*", "", file.read_text(encoding="utf-8"))
    code = re.sub(r"""(said)`[^`]*`|(noun)\("[^"]*"\)""", "", code)
    texts = [text for text in re.findall(r"\"[^\"\n]*\"|`[^`\n]*`", code) if " " in re.sub(r"\$\{[^}]*\}", "", text)]
    assert [text for text in texts if PLAIN_WORD.search(re.sub(r"\$\{[^}]*\}", "", text))] == []


def _refused(work: Callable[[], Any]) -> str:
    with pytest.raises(cs.ClusterscoreError) as caught:
        work()
    return str(caught.value)


ERRORS: dict[str, Callable[[], Any]] = {
    **{f"call: {name}": call for name, (call, _) in CALLS.items()},
    **{f"refused: {name}": call for name, (call, _) in REFUSED.items()},
    **{f"option: {name}": (lambda a=a, o=o: cs.elm(a, a, **o)) for name, (a, o, _) in OPTIONS.items()},
    **{f"weights: {name}": (lambda a=a, w=w: cs.score(a, a, weights=w)) for name, (a, w, _) in WEIGHTS.items()},
    **{
        f"asked: {name}, {door}": (
            lambda door=door, o=o: ASKING[door](BY_ID, {"a": 0} if o.get("missing") == "keep" else BY_ID, **o)
        )
        for name, (doors, o, _) in ASKED.items()
        for door in doors
    },
    **{f"pair: {name}": (lambda a=a, b=b: SCORERS["rand"](a, b)) for name, (a, b, _) in PAIRS.items()},
}


@pytest.mark.parametrize("name", ERRORS)
def test_errors(name: str) -> None:
    plain = _refused(ERRORS[name])
    with using(Use(nouns=ZARKS)):
        message = _refused(ERRORS[name])
    assert plain_words(message) == []
    assert bool(plain_words(plain)) == bool(re.search("zark|ombo|fnord", message)), message


@pytest.mark.parametrize("name", CASES)
def test_doubts(name: str) -> None:
    sides, _ = CASES[name]

    def work() -> None:
        with suppress(cs.ClusterscoreError):
            cs.score(*sides.mappings(), **sides.options)

    plain = heard(work)
    with using(Use(nouns=ZARKS)):
        messages = heard(work)
    assert len(plain) == len(messages)
    assert [plain_words(text) for text in messages] == [[] for _ in messages]


# texts of these are about no data of a user, or in the words of a format
OTHERS = ("command", "constraints", "read/coreference", "nouns.py", "messages.py")


def test_every_message_asks_for_the_words() -> None:
    """What is raised or warned of in a literal has no plain word in it, unless it goes through noun or plural."""
    plain = []
    for path in sorted(ROOT.rglob("*.py")):
        if str(path.relative_to(ROOT)).replace("\\", "/").startswith(OTHERS):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            called = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
            if called == "Message" or called == "warn_user" or called.endswith(("Error", "Mismatch", "NotAPartition")):
                plain += [
                    f"{path.name}:{node.lineno}: {text}"
                    for text in _literals(node)
                    if " " in text and plain_words(text)
                ]
    assert plain == []


def _literals(node: ast.AST) -> Iterator[str]:
    """The texts below a node, except those that are asked for."""
    for inner in ast.iter_child_nodes(node):
        if isinstance(inner, ast.Constant) and isinstance(inner.value, str):
            yield inner.value
        elif not (
            isinstance(inner, ast.Call) and isinstance(inner.func, ast.Name) and inner.func.id in ("noun", "plural")
        ):
            yield from _literals(inner)
