"""The documentation as it is built: links lead somewhere, options are described, and words find their page.

Building takes half a minute; ``make docs`` builds it too, and test_docs.py looks at the pages it is made from.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from itertools import product
from pathlib import Path
from urllib.parse import unquote

import pytest

from clusterscore.fields import known_fields
from page.browser import Browser, find_browser

DOCS = Path(__file__).resolve().parents[2] / "docs"
_SIGNATURE = re.compile(r'<dt class="sig sig-object py".*?</dt>', re.DOTALL)
_VIEW = re.compile(r"(\d+/)?(gold|pred|doc|cut)/\d+")  # an address in a report, which its script follows
_PARAMETER = re.compile(r'<em class="sig-param">(?:<span class="o">.*?</span>)*<span class="n"><span class="pre">(\w+)')
LOOKED_AT = (
    "index", "quickstart", "plots", "overlapping", "api", "api/score", "metrics/bcubed", "metrics/which", "live-report",
    "live-coref",
)  # fmt: skip
LONG = 4000  # letters of some three screens
# what people type into the search, and the page that has it in its title or in the index
WORDS = {
    "accuracy": "metrics/set_matching",
    "ami": "metrics/ami",
    "ari": "metrics/adjusted_rand",
    "b-cubed": "metrics/bcubed",
    "baseline": "baselines",
    "bootstrap": "compare",
    "chance": "chance",
    "confidence interval": "compare",
    "confusion matrix": "diagnosis",
    "contingency table": "objects",
    "dbscan": "scikit_learn",
    "deduplication": "entity_resolution",
    "f1": "choosing",
    "fuzzy": "overlapping",
    "gpu": "gpus",
    "ground truth": "quickstart",
    "hdbscan": "scikit_learn",
    "homogeneity": "metrics/homogeneity",
    "install": "install",
    "inter-annotator agreement": "agreement",
    "jaccard": "metrics/jaccard",
    "k-means": "scikit_learn",
    "latex": "paper_tables",
    "leaderboard": "index",
    "missing": "policies",
    "mutual information": "metrics/mutual_information",
    "nmi": "metrics/nmi",
    "noise": "policies",
    "overlap": "overlapping",
    "p-value": "compare",
    "pandas": "objects",
    "plot": "plots",
    "polars": "engines",
    "purity": "metrics/purity",
    "rand index": "metrics/rand",
    "record linkage": "entity_resolution",
    "score": "api/score",
    "silhouette": "choosing",
    "singleton": "policies",
    "sklearn": "scikit_learn",
    "migrate": "coming_from",
    "decision table": "metrics/which",
    "soft": "overlapping",
    "spark": "spark",
    "t-test": "compare",
    "threshold": "sweep",
    "v-measure": "metrics/v_measure",
}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    for needed in ("sphinx", "furo", "myst_parser", "sphinx_copybutton", "latex2mathml"):
        pytest.importorskip(needed, reason="pip install --group docs brings Sphinx")
    folder = tmp_path_factory.mktemp("docs")
    command = [sys.executable, "-m", "sphinx", "-q", "-E", "-W", "--keep-going", "-b", "html", DOCS, folder]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False, timeout=600)
    assert done.returncode == 0, done.stderr
    return folder


class Page(HTMLParser):
    """What a page links to, and what can be linked to in it."""

    def __init__(self, path: Path):
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = {"", "top"}
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("id", "name") and value:
                self.anchors.add(value)
            elif name in ("href", "src") and value is not None:
                self.links.append(value)


@cache
def page(path: Path) -> Page:
    return Page(path)


def broken(folder: Path) -> Iterator[str]:
    for path in sorted(folder.rglob("*.html")):
        for link in page(path).links:
            if re.match(r"[a-z]+:", link):
                continue
            place, _, anchor = unquote(re.sub(r"\?[^#]*", "", link)).partition("#")
            target = Path(os.path.normpath(path.parent / place)) if place else path
            if not target.is_file():
                yield f"{path.relative_to(folder)}: {link}: no such file"
            elif target.suffix == ".html" and anchor not in page(target).anchors and not _VIEW.fullmatch(anchor):
                yield f"{path.relative_to(folder)}: {link}: no such place on the page"


def undescribed(folder: Path) -> Iterator[str]:
    for path in sorted((folder / "api").glob("*.html")):
        text = path.read_text(encoding="utf-8")
        signature = _SIGNATURE.search(text)
        assert signature is not None, path.name
        for option in _PARAMETER.findall(signature[0]):
            if f"<strong>{option}</strong> (" not in text:
                yield f"{path.name}: {option}"


def not_found(folder: Path) -> Iterator[str]:
    """Words that are in no title and no entry of the index of their page; both are compared as the search does."""
    index = json.loads((folder / "searchindex.js").read_text(encoding="utf-8").removeprefix("Search.setIndex(")[:-1])
    main = {name: [hit for hit in entries if hit[2]] for name, entries in index["indexentries"].items()}
    named = [*index["alltitles"].items(), *main.items()]
    for word, expected in WORDS.items():
        hits = [index["docnames"][hit[0]] for name, entries in named if _matches(word, name) for hit in entries]
        if expected not in hits:
            yield f"{word!r} finds {hits}, not {expected}"


def _matches(query: str, name: str) -> bool:
    return query in name.lower() and len(query) >= len(name) / 2


def without_contents(folder: Path) -> Iterator[str]:
    """Long pages that do not list their sections below the title."""
    for path in sorted(folder.rglob("*.html")):
        text = path.read_text(encoding="utf-8")
        article = re.search(r"<article.*?</article>", text, re.DOTALL)
        if article is not None and path.name != "genindex.html" and '<nav class="on-this-page"' not in text:
            letters = len(re.sub(r"<[^>]+>", "", article[0]))
            if letters > LONG:
                yield f"{path.relative_to(folder)}: {letters} letters"


def without_a_card(folder: Path) -> set[str]:
    """Fields that the start page does not lead to."""
    return {f"{field.page}.html" for field in known_fields()} - set(page(folder / "index.html").links)


def seen_in_a_browser(folder: Path, program: str) -> Iterator[str]:
    """What goes wrong on some pages: errors of scripts, and pages that scroll sideways."""
    with Browser(program) as browser:
        for width, name in product((1280, 390), LOOKED_AT):
            browser.resize(width, 900)
            browser.errors.clear()
            browser.call("Page.navigate", url=(folder / f"{name}.html").as_uri())
            browser.wait("document.readyState === 'complete'")
            over = browser.run("document.documentElement.scrollWidth - document.documentElement.clientWidth")
            if over or browser.errors:
                yield f"{name} at {width} pixels: {over} too wide, {browser.errors}"


def test_links_options_and_words(built: Path) -> None:
    """In one test, as the pages are built once."""
    assert sum(len(page(path).links) for path in built.rglob("*.html")) > 10_000
    assert not list(broken(built))
    assert not list(undescribed(built))
    assert not list(not_found(built))
    assert not list(without_contents(built))
    assert not without_a_card(built)
    program = find_browser()
    if program is not None:
        assert not list(seen_in_a_browser(built, program))
