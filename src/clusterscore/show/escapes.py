"""Labels and names of all kinds as parts of a text, CSV, Markdown, LaTeX or JSON: shown, and never obeyed."""

from __future__ import annotations

import json
import re
import unicodedata
from typing import Any

from clusterscore.exceptions import INVISIBLE, visible

# a spreadsheet computes a cell that begins so; the wide forms are those of East Asian keyboards
_FORMULA = re.compile(r"[=+\-@\t\r\n＝＋－＠]")
_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?", re.ASCII)
# code, emphasis, mathematics, and what turns [text] into a link or an image
_MARKUP = re.compile(r"[`*~$]|(?<![^\W_])_|_(?![^\W_])|\](?=[(\[:])")
_ENTITY = re.compile(r"&(?=#?\w+;)")
_LATEX = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
          "|": r"\textbar{}", "<": r"\textless{}", ">": r"\textgreater{}",
          **{sign: "\\" + sign for sign in "&%$#_{}"}}  # fmt: skip


def width(text: str) -> int:
    """The columns that a text takes on a terminal, wherever it is printed."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.category(sign) in ("Mn", "Me") else 1 + (unicodedata.east_asian_width(sign) in "WF")
        for sign in text
    )


def no_formula(value: Any) -> Any:
    """A cell of CSV that a spreadsheet shows as it is: text that begins like a formula gets an apostrophe in front."""
    if not isinstance(value, str):
        return value if value is None or isinstance(value, int | float) else no_formula(str(value))
    return f"'{value}" if _FORMULA.match(value) and not _NUMBER.fullmatch(value) else value


def markdown(text: str, raw: bool = False) -> str:
    """A cell of a Markdown table; ``raw`` leaves what Markdown makes of it, except what would end the cell."""
    text = visible(text)
    if raw:
        return text.replace("|", "\\|")
    text = _MARKUP.sub(r"\\\g<0>", text.replace("\\", "\\\\"))
    return _ENTITY.sub("&amp;", text.replace("|", "\\|")).replace("<", "&lt;")


def latex(text: str) -> str:
    """Text in LaTeX."""
    return "".join(_LATEX.get(sign, sign) for sign in visible(text))


def as_json(value: Any, **options: Any) -> str:
    """JSON in which every character can be printed and encoded; other programs read the same strings from it."""
    text = json.dumps(value, ensure_ascii=False, **options)
    return INVISIBLE.sub(lambda found: found[0] if found[0] == "\n" else json.dumps(found[0])[1:-1], text)
