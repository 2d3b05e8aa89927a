"""Reads a page back: the lists that it has as compressed JSON, and its markup."""

from __future__ import annotations

import base64
import json
import re
import zlib
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

_LIST = re.compile(r'<script type="application/octet-stream" id="list-([\w-]+)">([A-Za-z0-9+/=]*)</script>')
_DATA = re.compile(r'<script type="application/json" id="page">(.*?)</script>', re.DOTALL)


class Written:
    """A page that was written."""

    def __init__(self, path: Path):
        self.text = path.read_text(encoding="utf-8")
        (data,) = _DATA.findall(self.text)
        self.data = json.loads(data)
        self.lists = {
            name: json.loads(zlib.decompress(base64.b64decode(text))) for name, text in _LIST.findall(self.text)
        }

    @property
    def systems(self) -> list[dict[str, Any]]:
        """What is listed of each system, in the order of the page."""
        return [self.lists[f"system-{k}"] for k in range(len(self.data["systems"]))]

    @property
    def documents(self) -> dict[str, Any] | None:
        return self.lists.get("documents")

    def elements(self, system: int = 0) -> list[tuple[str, str, str]]:
        """Element, gold cluster and predicted cluster by name; of the elements that are listed."""
        shown = self.systems[system]
        gold, pred = (shown["sides"][side]["names"] for side in ("gold", "pred"))
        rows = zip(*(shown["elements"][name] for name in ("names", "gold", "pred")), strict=True)
        return [(name, gold[a] if a >= 0 else "", pred[b] if b >= 0 else "") for name, a, b in rows]

    def texts(self, system: int = 0) -> dict[str, str]:
        """What is shown beside each element."""
        elements = self.systems[system]["elements"]
        return dict(zip(elements["names"], elements["texts"], strict=True))


class Tags(HTMLParser):
    """The tags of a page with their attributes, and its text outside of scripts and styles, piece by piece.

    Names and code within a sentence are part of it.
    """

    def __init__(self, page: str):
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self._inside: str | None = None
        self._piece = ""
        self.feed(page)
        self.close()
        self._end_piece("html")

    def _end_piece(self, tag: str) -> None:
        if tag not in ("bdi", "code"):
            if self._piece.strip():
                self.words.append(" ".join(self._piece.split()))
            self._piece = ""

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self._end_piece(tag)
        self.tags.append((tag, dict(attributes)))
        if tag in ("script", "style"):
            self._inside = tag

    def handle_endtag(self, tag: str) -> None:
        self._end_piece(tag)
        if tag == self._inside:
            self._inside = None

    def handle_data(self, data: str) -> None:
        if self._inside is None:
            self._piece += data

    def named(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]
