"""The values of ``Entity=`` in CorefUD, read one after the other: mentions open, go on after a gap, and close."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from clusterscore.distinct import Ints
from clusterscore.errors import plural
from clusterscore.read.coreference.file import place, short

_ITEM = re.compile(r"\(([^()]*)(\)?)|([^()]+)\)|[^()]+|\)")
_PART = re.compile(r"(.+)\[(\d{1,9})/(\d{1,9})\]")
_LONGEST_NUMBER = 9

Stretch = tuple[int, int]  # from a node to another
Opened = tuple[int, int, int, "_Gapped | None"]  # node, head, line: what waits for its end


class Found(NamedTuple):
    """Mentions as nodes: from ``first`` to ``last``, or in ``pieces`` if there are several; heads count from 1."""

    first: Ints
    last: Ints
    head: Ints
    document: Ints
    entity: Ints
    line: Ints
    pieces: dict[int, list[Stretch]]
    names: list[str]


class _Gapped:
    """A mention in several pieces, which come one after the other."""

    def __init__(self, parts: int, line: int):
        self.parts, self.line = parts, line
        self.pieces: list[Stretch] = []
        self.is_open = True


class EntityCells:
    """Reads the cells of a file; documents do not share anything."""

    def __init__(self, called: str, fields: Sequence[str], names: Sequence[str]):
        self.called, self.documents = called, names
        self.items = 0
        self._id = next(k for k, field in enumerate(fields) if field in ("eid", "GRP"))
        self._head = fields.index("head") if "head" in fields else None
        self._document = -1
        self._rows: list[tuple[int, int, int, int, int, int]] = []
        self._pieces: dict[int, list[Stretch]] = {}
        self._names: list[str] = []
        self._entities: dict[str, int] = {}  # of the document
        self._open: dict[str, list[Opened]] = defaultdict(list)
        self._gapped: dict[str, list[_Gapped]] = defaultdict(list)
        self._trouble: dict[str, tuple[int, str]] = {}  # what is wrong -> how often, and one example

    def read(self, text: str, node: int, document: int, line: int) -> None:
        """One cell, at a node of the file."""
        if document != self._document:
            self._leave()
            self._document = document
        for item in _ITEM.finditer(text):
            self.items += 1
            if item[1]:
                self._opened(item[1], node, line, closed=bool(item[2]))
            elif item[3]:
                self._closed(item[3], node, line)
            else:
                self._say(_ODD, item[0], line)

    def finish(self) -> Found:
        """All mentions."""
        self._leave()
        columns = np.array(self._rows, np.int64).reshape(-1, 6).T
        first, last, head, document, entity, line = columns
        return Found(first, last, head, document, entity, line, self._pieces, self._names)

    def warnings(self) -> list[str]:
        """What is wrong with them."""
        return [
            f"{self.called}: {plural(count, 'mention')} {trouble.format(eg=example)}"
            for trouble, (count, example) in self._trouble.items()
        ]

    def _opened(self, text: str, node: int, line: int, closed: bool) -> None:
        parts = text.split("-")
        name = parts[self._id] if self._id < len(parts) else ""
        if not name:
            self._say(_ODD, "(" + text, line)
            return
        head = 1
        if self._head is not None and self._head < len(parts):
            given = parts[self._head]
            if given != "1":
                head = int(given) if given.isascii() and given.isdigit() and len(given) <= _LONGEST_NUMBER else 0
            if head < 1:
                self._say(_HEAD, "(" + text, line)
                head = 1
        gapped = None
        if name.endswith("]"):
            name, gapped = self._piece(name, text, line)
        if name not in self._entities:
            self._entities[name] = len(self._names)
            self._names.append(name)
        opened = (node, head, line, gapped)
        if closed:
            self._end(name, opened, node)
        else:
            self._open[name].append(opened)

    def _piece(self, name: str, text: str, line: int) -> tuple[str, _Gapped | None]:
        """The id of an entity, and the mention whose piece this is; one of a mention that did not begin is lost."""
        found = _PART.fullmatch(name)
        if found is None:
            return name, None
        name, number, parts = found[1], int(found[2]), int(found[3])
        if number == 1:
            gapped = _Gapped(parts, line)
            self._gapped[name].append(gapped)
            return name, gapped
        for gapped in self._gapped[name]:
            if not gapped.is_open and gapped.parts == parts and len(gapped.pieces) == number - 1:
                gapped.is_open = True
                return name, gapped
        self._say(_LOST, "(" + text, line)
        return name, _Gapped(0, line)

    def _closed(self, text: str, node: int, line: int) -> None:
        parts = text.split("-")
        name = parts[self._id] if len(parts) > 1 and self._id < len(parts) else text  # an old way to write it
        if name.endswith("]") and (found := _PART.fullmatch(name)):
            name = found[1]
        waiting = self._open.get(name)
        if waiting:
            self._end(name, waiting.pop(), node)
        else:
            self._say(_UNOPENED, text + ")", line)

    def _end(self, name: str, opened: Opened, node: int) -> None:
        start, head, line, gapped = opened
        length = node - start + 1
        if gapped is not None:
            gapped.is_open = False
            gapped.pieces.append((start, node))
            if len(gapped.pieces) != gapped.parts:
                return
            self._gapped[name].remove(gapped)
            self._pieces[len(self._rows)] = gapped.pieces
            length = sum(stop - start + 1 for start, stop in gapped.pieces)
            start, line = gapped.pieces[0][0], gapped.line
        if head > length:
            self._say(_HEAD, "(" + name, line)
            head = 1
        self._rows.append((start, node, head, self._document, self._entities[name], line))

    def _leave(self) -> None:
        """What is still open at the end of a document will not close."""
        for name, waiting in self._open.items():
            for _, _, line, _ in waiting:
                self._say(_UNCLOSED, "(" + name, line)
        for name, some in self._gapped.items():
            for gapped in some:
                if not gapped.is_open:
                    self._say(_UNCLOSED, f"({name}[1/{gapped.parts}]", gapped.line)
        self._entities.clear()
        self._open.clear()
        self._gapped.clear()

    def _say(self, trouble: str, text: str, line: int) -> None:
        count, example = self._trouble.get(trouble, (0, ""))
        example = example or f"{short(text)} in {place(line, self.documents[self._document])}"
        self._trouble[trouble] = count + 1, example


_ODD = "not written as (id-.., (id-..) or id) (e.g. {eg}); left out"
_HEAD = "whose head is none of the words (e.g. {eg}); the first is taken for it"
_LOST = "without the piece that should come before (e.g. {eg}); left out"
_UNOPENED = "closed but never opened (e.g. {eg}); left out"
_UNCLOSED = "opened but never closed (e.g. {eg}); left out"
