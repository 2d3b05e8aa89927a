"""Labels: what users call things, and what measures are called, as they stand everywhere on a page."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from clusterscore.exceptions import MetricError
from clusterscore.messages import visible
from clusterscore.metrics import metric
from clusterscore.nouns import noun
from clusterscore.show.result import heading

if TYPE_CHECKING:
    from markupsafe import Markup

_JOINS = re.compile("([\u200c-\u200f])")  # of letters and emoji, and directions of letters next to them
_SPACES = re.compile(r"\s+")  # line breaks too
_END = 12  # letters at its end, by which alike names often differ: these stay (END in table.js)
_LONG = 60  # letters of a name; one that has more is folded (LONG in table.js)


def marked(text: str, *given: Any, **named: Any) -> Markup:
    """A text with something in the place of each {} and {name}: markup as it is, everything else as text."""
    from markupsafe import Markup

    return Markup(text).format(*given, **named)


def label(name: Any, longest: int = _LONG) -> Markup:
    """What a user called something, isolated, as it may be written from right to left; where it is long, folded."""
    text = "".join(
        part if _JOINS.fullmatch(part) else visible(part) for part in _JOINS.split(_SPACES.sub(" ", str(name)))
    )
    if len(text) <= longest:
        return marked('<bdi class="label">{}</bdi>', text)
    halves = text[:-_END], text[-_END:]
    return marked('<bdi class="label long" title="{}" tabindex="0"><span>{}</span><span>{}</span></bdi>', text, *halves)


def measure(name: str) -> Markup:
    """A measure by its short name, which says what it is to whoever points at it."""
    return marked('<code class="measure" title="{}">{}</code>', explanation(name), heading(name))


def explanation(name: str) -> str:
    """A measure's whole name, and what it is in a sentence."""
    try:
        known = metric(name)
    except MetricError:  # one of the user's own
        return name
    (first, *_) = (known.__doc__ or "").strip().splitlines() or [""]
    return f"{known}: {noun(first)}" if first else str(known)


def spell(value: Any) -> str:
    """A label as text that can be encoded; one without a name is empty."""
    text = "" if value is None else str(value)
    try:
        text.encode()
    except UnicodeEncodeError:  # half a character, which no page can show
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text
