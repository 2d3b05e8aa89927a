"""Reads a page back: its columns as they are described, not as the package packs them; and its markup."""

from __future__ import annotations

import base64
import json
import re
import struct
import zlib
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

_COLUMN = re.compile(r'<script type="application/octet-stream" id="column-(\d+)">([A-Za-z0-9+/=]*)</script>')
_DATA = re.compile(r'<script type="application/json" id="page">(.*?)</script>', re.DOTALL)


def numbers_in(how: dict[str, Any], data: bytes) -> list[int]:
    """Byte planes, lowest first; each number folded (0, -1, 1, -2, ..), as it is or as a step from the last."""
    count, width = how["count"], how["width"]
    assert len(data) == count * width
    found, last = [], 0
    for k in range(count):
        folded = sum(data[plane * count + k] << (8 * plane) for plane in range(width))
        plain = -(folded + 1) // 2 if folded % 2 else folded // 2
        last = last + plain if how["steps"] else plain
        found.append(last)
    return found


def unpacked(how: dict[str, Any], packed: bytes) -> list[Any]:
    """The values of a packed column."""
    kind = how["kind"]
    if kind == "text":
        lengths = numbers_in(how["lengths"], zlib.decompress(packed[: how["first"]]))
        units = zlib.decompress(packed[how["first"] :]).decode().encode("utf-16-le")
        found, at = [], 0
        for length in lengths:
            found.append(units[2 * at : 2 * (at + length)].decode("utf-16-le"))
            at += length
        assert 2 * at == len(units)
        return found
    data = zlib.decompress(packed)
    count = how["count"]
    if kind == "numbers":
        return numbers_in(how, data)
    if kind == "fractions":
        width = how["width"]
        rows = (bytes(data[plane * count + k] for plane in range(width)) for k in range(count))
        return [struct.unpack("<f" if width == 4 else "<d", row)[0] for row in rows]
    assert kind == "letters"
    rows = (bytes(data[place * count + k] for place in range(how["width"])) for k in range(count))
    return [row.replace(b"\0", b"").decode("ascii") for row in rows]


class Written:
    """A page that was written."""

    def __init__(self, path: Path):
        self.text = path.read_text(encoding="utf-8")
        (data,) = _DATA.findall(self.text)
        self.data = json.loads(data)
        self._packed = {int(number): base64.b64decode(text) for number, text in _COLUMN.findall(self.text)}
        assert sorted(self._packed) == list(range(len(self.data["columns"])))

    def column(self, number: int) -> list[Any]:
        return unpacked(self.data["columns"][number], self._packed[number])

    def names(self, found: dict[str, Any]) -> dict[int, str]:
        """Names by what they name; all, or those that fitted."""
        words = self.column(found["names"])
        kept = range(found["count"]) if found["kept"] is None else self.column(found["kept"])
        return {place: str(word) for place, word in zip(kept, words, strict=True)}

    def rows(self, found: dict[str, Any], *names: str) -> list[tuple[Any, ...]]:
        """Some columns of cells or of clusters, row by row; each has its own value, or one of a shared row."""
        row, columns = self.column(found["row"]), []
        for name in names:
            if name in found["own"]:
                columns.append(self.column(found["own"][name]))
            else:
                shared = self.column(found["shared"][name])
                columns.append([shared[place] for place in row])
        return list(zip(*columns, strict=True))

    def elements(self, system: int = 0) -> list[tuple[str, str, str]]:
        """Element, gold cluster and predicted cluster by name; of the elements that are listed."""
        found = self.data["systems"][system]
        gold, pred = (self.names(found["sides"][side]["names"]) for side in ("gold", "pred"))
        cells = [(gold[a], pred[b]) for a, b in self.rows(found["cells"], "gold", "pred")]
        cell = self.column(found["cell"])
        return [(name, *cells[cell[place]]) for place, name in self.names(found["names"]).items()]

    def texts(self, system: int = 0) -> dict[str, str]:
        """What is shown beside each element."""
        found = self.data["systems"][system]["names"]
        return dict(zip(self.names(found).values(), self.column(found["texts"]), strict=True))


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
