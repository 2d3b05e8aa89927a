"""Text as Markdown, for the pages that are generated."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence


def plain(text: str) -> str:
    """Plain words: signs that Markdown would read are escaped, except inside backticks."""
    parts = re.split(r"(`+[^`]+`+)", text)
    return "".join(part if k % 2 else re.sub(r"([*\[\]<>#|\\])", r"\\\1", part) for k, part in enumerate(parts))


def table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table, aligned to the left; a row is one line."""
    lines = [headings, [":---"] * len(headings), *rows]
    return "\n".join("| " + " | ".join(line).replace("\n", " ") + " |" for line in lines)


def link(measure: str) -> str:
    """A measure, linked to its page; its options follow, if it has any."""
    name, bracket, options = measure.partition("(")
    return f"[{name}]({name}.md)" + (f" `{options.rstrip(')')}`" if bracket else "")
