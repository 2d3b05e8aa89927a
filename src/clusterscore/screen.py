"""Where text is read: a file or a notebook, or a terminal with its width, bold letters and colours."""

from __future__ import annotations

import os
import re
import shutil
from typing import Any, NamedTuple

_STYLES = {"bold": "\x1b[1m", "green": "\x1b[32m", "red": "\x1b[31m", "yellow": "\x1b[33m"}
_END = "\x1b[0m"
STYLED = re.compile(f"({'|'.join(map(re.escape, (*_STYLES.values(), _END)))})")


class Screen(NamedTuple):
    """By default a page of a file or a notebook."""

    width: int = 80
    styled: bool = False  # with bold and colours
    terminal: bool = False  # which shows what fits it: long names are shortened, long tables cut

    @classmethod
    def of(cls, stream: Any) -> Screen:
        """That of a stream; a terminal is as wide as it is, but never taken for less than a page."""
        if stream is None or stream.closed:
            return PAGE
        terminal, known = stream.isatty(), os.environ
        plain = known.get("NO_COLOR") or known.get("TERM", "").lower() in ("dumb", "unknown")
        styled = bool(known.get("FORCE_COLOR") or terminal) and not plain
        width = max(PAGE.width, shutil.get_terminal_size().columns) if terminal else PAGE.width
        return cls(width, styled, terminal)

    def style(self, text: str, style: str | None) -> str:
        """The text in a style, where there are any."""
        return f"{_STYLES[style]}{text}{_END}" if self.styled and style and text else text


PAGE = Screen()
