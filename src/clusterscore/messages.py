"""Messages: text that a terminal can show, made of pieces that say what to do in the words of whoever reads them.

What to do is data in a message: an :class:`Option` is ``missing="drop"`` in Python and ``--missing drop`` in a shell.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable
from typing import NamedTuple

_LONGEST = 500  # characters of a message
_LONGEST_WORD = 160  # a label or a path in it
_KEPT = 0.6  # of what is cut, the share that is left of the beginning; the remedy is at the end
INVISIBLE = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff"
    "\U000e0000-\U000e007f]"
)
_LONG_WORD = re.compile(rf"\S{{{_LONGEST_WORD + 1},}}")


def visible(text: str) -> str:
    r"""The text without control characters, text directions, zero widths and half characters: those are spelled out.

    A terminal would obey them, so a label could recolour the screen or make another text of what is printed.

    >>> print(visible("a\x1b[31mb\n"))
    a\x1b[31mb\n
    """
    if text.isascii() and text.isprintable():
        return text
    return INVISIBLE.sub(lambda match: match[0].encode("unicode_escape").decode(), text)


def readable(message: str) -> str:
    """A message for one line of a terminal: visible, and cut where a value in it is too long."""
    message = visible(_cut(message, 4 * _LONGEST, " ... "))
    if len(message) > _LONGEST_WORD:
        message = _LONG_WORD.sub(lambda match: _cut(match[0], _LONGEST_WORD, "..."), message)
    return _cut(message, _LONGEST, " ... ")


def _cut(text: str, longest: int, mark: str) -> str:
    if len(text) <= longest:
        return text
    first = int(_KEPT * longest)
    return f"{text[:first]}{mark}{text[first + len(mark) - longest :]}"


_SIDES = ("gold", "pred", "old", "new")
_OPTIONS = {  # what the command line calls a parameter, where that is not --parameter
    "documents": "--document COL",
    "folds": "--cross-validate",
    "format": "--format-in",
    "header": "--no-header",
    "memory_limit": "--memory",
    **{f"{side}_cluster": f"--{side}" for side in _SIDES},
    **{f"{side}_header": f"--{side}-no-header" for side in _SIDES},
}
_NUMBER = re.compile(r"'?-?\d+'?")


class Option:
    """A piece of a message: a parameter, and the values to choose from.

    ``"..."`` is the name of something that only the user knows, such as a column.

    >>> remedy = Option("missing", "drop", "singleton")
    >>> remedy.python, remedy.command
    ('missing="drop" or "singleton"', '--missing drop or singleton')
    >>> Option("gold_cluster", "...").command, Option("header", False).command, Option("threads").command
    ('--gold COL', '--no-header', '--threads')
    """

    def __init__(self, parameter: str, *values: object):
        self.parameter, self.values = parameter, values

    @property
    def python(self) -> str:
        """As a keyword."""
        return f"{self.parameter}={' or '.join(map(self._in_python, self.values))}"

    @property
    def command(self) -> str:
        """As an option of the command line."""
        option = _OPTIONS.get(self.parameter, f"--{self.parameter.replace('_', '-')}")
        return f"{option} {' or '.join(map(self._in_command, self.values))}".rstrip()

    def _in_python(self, value: object) -> str:
        if isinstance(value, Wording):
            return value.python
        return f'"{value}"' if isinstance(value, str) else "..." if value is ... else repr(value)

    def _in_command(self, value: object) -> str:
        if isinstance(value, Wording | bool):
            return value.command if isinstance(value, Wording) else ""  # a flag has no value
        if value in ("...", ...):
            return "" if self.parameter.endswith(("format", "header")) else "COL"
        return shlex.quote(value) if isinstance(value, str) else repr(value)


class Given(Option):
    """A piece of a message: a parameter with a value of the user's own, which is shown as it is.

    >>> Given("memory_limit", "2 XB").python, Given("memory_limit", "2 XB").command
    ("memory_limit='2 XB'", "--memory '2 XB'")
    >>> Given("noise", [None]).command, Given("noise", "-1").command
    ("--noise ''", '--noise -1')
    """

    def __init__(self, parameter: str, value: object):
        shown = repr(value)
        typed = "''" if shown in ("None", "[None]") else shown.strip("'") if _NUMBER.fullmatch(shown) else shown
        super().__init__(parameter, Wording(shown, typed))


class Wording(NamedTuple):
    """A piece of a message that Python and the command line put in different words."""

    python: str
    command: str = ""


class Message:
    """Pieces in a row, in one line of readable length; what a message or an error is made of can be a part of another.

    >>> inner = Message("pass ", Option("missing", "drop"))
    >>> outer = Message("1 element is only in gold; ", inner, Wording(" (cs.score takes it)"))
    >>> print(outer)
    1 element is only in gold; pass missing="drop" (cs.score takes it)
    >>> outer.for_command()
    '1 element is only in gold; pass --missing drop'
    """

    def __init__(self, *pieces: Text):
        self.pieces: tuple[str | Option | Wording, ...] = ()
        for piece in pieces:
            inner = piece.message if isinstance(piece, Worded) else piece
            self.pieces += inner.pieces if isinstance(inner, Message) else (inner,)

    @property
    def parameters(self) -> set[str]:
        """What its options are called in Python."""
        return {piece.parameter for piece in self.pieces if isinstance(piece, Option)}

    def __str__(self) -> str:
        return readable("".join(piece if isinstance(piece, str) else piece.python for piece in self.pieces))

    def for_command(self) -> str:
        """In the words of the command line."""
        return readable("".join(piece if isinstance(piece, str) else piece.command for piece in self.pieces))


def one_after_another(options: Iterable[Option]) -> Message:
    """Options that are given together: ``left="id", right="id"``, and without a comma in a shell."""
    first, *rest = options
    return Message(first, *(piece for option in rest for piece in (Wording(", ", " "), option)))


class Worded:
    """What an error and a warning have in common: a message made of pieces."""

    def __init__(self, *pieces: Text):
        self.message = Message(*pieces)
        super().__init__(str(self.message))  # type: ignore[call-arg]  # of the exception beside it

    def __str__(self) -> str:
        return str(self.message)  # a KeyError would show it in quotes

    def for_command(self) -> str:
        """The message in the words of the command line."""
        return self.message.for_command()


Text = str | Option | Wording | Message | Worded  # what a message is made of
