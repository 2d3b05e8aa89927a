"""How plots look: palette, dashes and marks, words and numbers that fit; used by the figures of papers too."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise
from operator import and_
from typing import Any, NamedTuple

# the palette of Okabe and Ito, which colour-blind people can tell apart (grey for its yellow, which is pale on white)
BLUE, VERMILION, GREEN, ORANGE, SKY, PURPLE = "#0072B2", "#D55E00", "#009E73", "#E69F00", "#56B4E9", "#CC79A7"
BLACK, GREY = "#000000", "#999999"
COLOURS = (BLUE, VERMILION, GREEN, ORANGE, SKY, PURPLE, BLACK, GREY)

INK, PAPER = "#1a1a1a", "#ffffff"  # as in column.mplstyle, so that a page can put its own in the place of them
WIDTH = 3.3  # inches: a column of a paper
FONT = 7  # points: still legible when printed at that width
FAINT = 0.15  # how much of the ink lies behind the data

_WHOLE = 400  # letters of a name that are looked at
_UNITS = ("", "k", "M", "G", "T", "P")
_WORD_END = re.compile(r"[^\W_]*$")
_UNKNOWN = "\N{REPLACEMENT CHARACTER}"
LEFT, _RIGHT = "\N{LEFT-TO-RIGHT MARK}", ("R", "AL")  # a mark, and the directions of letters


class Series(NamedTuple):
    """How one line is distinguished from the others: by its colour, and without colours by dash and mark."""

    color: str
    linestyle: Any
    marker: str


SERIES = (
    Series(BLUE, "-", "o"),
    Series(VERMILION, "--", "s"),
    Series(GREEN, "-.", "^"),
    Series(PURPLE, ":", "D"),
    Series(ORANGE, (0, (5, 1, 1, 1, 1, 1)), "v"),
    Series(INK, (0, (1, 1)), "x"),
)


def named(name: Any, most: int = 18) -> str:
    """A name from the data as one short line of a plot, where nothing in it is taken for a formula or a command.

    >>> named("a$b_c$"), named("line\\nbreak")
    ('a\\\\$b_c\\\\$', 'line break')
    """
    text = one_line(name, most).replace("$", r"\$")
    # after a name that is read from the right, numbers would be too
    return f"{LEFT}{text}{LEFT}" if any(unicodedata.bidirectional(letter) in _RIGHT for letter in text) else text


def named_apart(names: Iterable[Any], most: int = 18) -> list[str]:
    """Names as in :func:`named`, but so that they can be told apart: what is left out is what several begin with.

    >>> named_apart(["scan_2024_archive_box_1", "scan_2024_archive_box_2", "letters"], 12)
    ['scan…e_box_1', 'scan…e_box_2', 'letters']
    """
    lines = [one_line(name, _WHOLE) for name in names]
    order = sorted(range(len(lines)), key=lines.__getitem__)
    alike = [0] * len(lines)  # how many letters each shares with the next one in alphabetical order, on either side
    for k, after in pairwise(order):
        shared = _alike(lines[k], lines[after])
        alike[k], alike[after] = max(alike[k], shared), shared
    shown = [_without_alike(line, shared, most) for line, shared in zip(lines, alike, strict=True)]
    for text in [text for text, count in Counter(shown).items() if count > 1]:  # names that are far apart in the order
        twins = [k for k, other in enumerate(shown) if other == text]
        shared = _alike(*(choose(lines[k] for k in twins) for choose in (min, max)))
        for k in twins:
            shown[k] = _without_alike(lines[k], shared, most)
    return shown


def _without_alike(line: str, shared: int, most: int) -> str:
    """A line that begins with so many letters as others do, of which it keeps some and the word where they differ."""
    wide = sum(unicodedata.east_asian_width(letter) in "WF" for letter in line)
    room = most // 2 if wide else most
    head = room // 3
    if len(line) + wide > most and room - 1 <= shared < len(line):
        word = len(_WORD_END.findall(line[:shared])[0])  # half a number is another number
        shared -= word if word < room - head - 2 else 0
        start = max(head, min(shared, len(line) - (room - head - 1)))
        line = f"{line[:head]}…{line[start:]}"
    return named(line, most)


def differing(names: Sequence[str]) -> list[str]:
    """Names without the words and signs that all of them begin and end with.

    >>> differing(["(news/011); part 000", "(news/025); part 000"]), differing(["a 1", "a 1"])
    (['011', '025'], ['a 1', 'a 1'])
    """
    if len(set(names)) < 2:
        return list(names)
    shown = list(names)
    for _ in range(2):  # the second time from the end
        first, last = min(shown), max(shown)
        alike = first[: _alike(first, last)]
        alike = alike.rstrip("".join(filter(str.isalnum, alike)))  # half a word or number is left in place
        shown = [name[len(alike) :][::-1] for name in shown]
    return shown if all(shown) else list(names)


def _alike(a: str, b: str) -> int:
    """How many letters two names begin with that are the same."""
    return sum(accumulate((letter == other for letter, other in zip(a, b, strict=False)), and_))


def isolated(name: Any) -> str:
    """A name within a sentence, whose direction is its own."""
    return f"\N{FIRST STRONG ISOLATE}{one_line(name, 60)}\N{POP DIRECTIONAL ISOLATE}"


def one_line(name: Any, most: int) -> str:
    """A name from the data as one short line.

    >>> one_line("line\\nbreak", 18), one_line("a very long name of a cluster", 12)
    ('line break', 'a very long…')
    >>> one_line("e\\u0301" * 4, 6) == "e\\u0301" * 2 + "…"  # a letter keeps its accent
    True
    """
    text = " ".join("".join(map(_printable, str(name)[: 8 * most])).split())
    # letters of East Asia are two wide
    ends = list(accumulate(1 + (unicodedata.east_asian_width(letter) in "WF") for letter in text))
    if ends and ends[-1] > most:
        end = sum(place < most for place in ends)
        while end > 1 and unicodedata.combining(text[end]):
            end -= 1
        text = text[:end].rstrip() + "…"
    return text or "(empty)"


def _printable(letter: str) -> str:
    if letter.isspace() or letter.isprintable():
        return letter
    # marks of direction and the like have no shape; control characters and halves of pairs are no XML
    return "" if unicodedata.category(letter) == "Cf" else _UNKNOWN


def compact(count: float) -> str:
    """A count in few letters.

    >>> [compact(n) for n in (7, 999, 1204, 12345, 999_600, 3_400_000, 2.5e9)]
    ['7', '999', '1.2k', '12k', '1M', '3.4M', '2.5G']
    """
    for unit in _UNITS:
        digits = f"{count:.1f}".removesuffix(".0") if count < 9.95 else f"{count:.0f}"
        if float(digits) < 1000 or unit == _UNITS[-1]:
            break
        count /= 1000
    return digits + unit


def percent(share: float) -> str:
    """A share for a small cell; what is there but rounds to nothing is a dot.

    >>> percent(0.974), percent(1), percent(0.001), percent(0), percent(0.9999)
    ('97', '100', '·', '', '99')
    """
    if share == 0:
        return ""
    if share < 0.005:
        return "·"
    return "100" if share >= 1 else f"{min(round(100 * share), 99)}"  # 100 is all of it
