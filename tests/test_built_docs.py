"""The documentation as it is built: every link leads somewhere, every option is described, people find what they look for."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest

DOCS = Path(__file__).resolve().parent.parent / "docs"


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
            place, _, anchor = unquote(link).partition("#")
            target = Path(os.path.normpath(path.parent / place)) if place else path
            if not target.is_file():
                yield f"{path.relative_to(folder)}: {link}: no such file"
            elif target.suffix == ".html" and anchor not in page(target).anchors:
                yield f"{path.relative_to(folder)}: {link}: no such place on the page"


def test_links_options_and_words(built: Path) -> None:
    """In one test, as the pages are built once."""
    assert sum(len(page(path).links) for path in built.rglob("*.html")) > 10_000
    assert not list(broken(built))
