"""What can be wrong with what a user hands over.

Every message says what is wrong, how many, one example and what to do. Each class is also the built-in
exception a Python user would expect, so ``except ValueError`` keeps working.

What to do is data in a message: an :class:`Option` is ``missing="drop"`` in Python and ``--missing drop`` in a shell.
"""

from __future__ import annotations

import difflib
import math
import operator
import re
import shlex
import sys
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from numbers import Real
from typing import Any, NamedTuple

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
            inner = piece.message if isinstance(piece, _Told) else piece
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


class _Told(Exception):
    """What an error and a warning have in common: a message made of pieces."""

    def __init__(self, *pieces: Text):
        self.message = Message(*pieces)
        super().__init__(str(self.message))

    def for_command(self) -> str:
        """The message in the words of the command line."""
        return self.message.for_command()


Text = str | Option | Wording | Message | _Told  # what a message is made of


class ClusterscoreError(_Told):
    """The root of all errors that clusterscore raises on purpose; the message is one line of readable length."""


class InputError(ClusterscoreError, ValueError):
    """The data is of a right kind but its content cannot be scored."""


class InputTypeError(ClusterscoreError, TypeError):
    """The data is of a kind that is not a clustering."""


class NotAPartition(InputError):
    """Elements belong to several clusters, or to none, where each has to belong to one."""


class ElementMismatch(InputError):
    """Gold and prediction do not hold the same elements."""


class MetricError(ClusterscoreError, ValueError):
    """An unknown metric, an unknown parameter, or a value out of its range."""


class OptionError(ClusterscoreError, TypeError):
    """An option that a function does not have."""


class FileError(ClusterscoreError, ValueError):
    """A file that cannot be read, or a column it does not have."""


class UnknownName(ClusterscoreError, KeyError):
    """A metric, system or column that a result does not have."""

    __str__ = Exception.__str__  # a KeyError shows its message in quotes


class EngineError(ClusterscoreError, RuntimeError):
    """An engine that counts outside of Python could not finish."""


class ClusterscoreWarning(_Told, UserWarning):
    """Something that a result should not be read without."""


class _Listener(NamedTuple):
    messages: list[str]
    is_command: bool


_listener: ContextVar[_Listener | None] = ContextVar("listener", default=None)


def worded(*pieces: Text) -> str:
    """A message in the words of whoever listens: the command line, or else Python."""
    listener = _listener.get()
    return Message(*pieces).for_command() if listener is not None and listener.is_command else str(Message(*pieces))


def heard() -> list[str]:
    """What users were warned of, in the call that somebody listens to."""
    listener = _listener.get()
    return [] if listener is None else list(dict.fromkeys(listener.messages))


@contextmanager
def listening(*, is_command: bool = False, passed_on: bool = True) -> Iterator[list[str]]:
    """Collect what users are warned of in the meantime; who listens around it hears it too, if it is passed on."""
    around, messages = _listener.get(), list[str]()
    token = _listener.set(_Listener(messages, is_command or (around is not None and around.is_command)))
    try:
        yield messages
    finally:
        _listener.reset(token)
        if around is not None and passed_on:
            around.messages.extend(messages)


def warn_user(*pieces: Text) -> None:
    """A warning that points at the line that called the library."""
    if (listener := _listener.get()) is not None:
        listener.messages.append(worded(*pieces))
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "clusterscore":
        level, frame = level + 1, frame.f_back
    warnings.warn(ClusterscoreWarning(*pieces), stacklevel=level)


_MANY = 20  # names that nobody reads through


def nearest(word: str, known: Iterable[str]) -> str:
    """The end of a message: the name the user may have meant, or all that there are."""
    names = sorted(known)
    close = difflib.get_close_matches(word, names, n=1, cutoff=0.6)
    if close:
        return f"did you mean {close[0]!r}?"
    if len(names) > _MANY:
        close = difflib.get_close_matches(word, names, n=3, cutoff=0.5)
        return "the nearest are " + ", ".join(close) if close else "there is none like it"
    return "known: " + ", ".join(names)


def one_of(option: str, value: object, allowed: Iterable[str]) -> None:
    """Raise unless ``value`` is one of the words that ``option`` takes."""
    words = tuple(allowed)
    if not isinstance(value, str) or value not in words:
        raise InputError(Given(option, value), f" is not an option; use one of {', '.join(map(repr, words))}")


def integer(option: str, value: object, least: int = 0) -> int:
    """A whole number that is not too small, or an error that says what it may be."""
    try:
        number = None if isinstance(value, bool) else operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        number = None
    if number is None:
        what = f" is a {type(value).__name__}; pass a whole number from {least} up"
        raise InputTypeError(Given(option, value), what)
    if number < least:
        raise InputError(Given(option, value), f" is too small; pass a whole number from {least} up")
    return number


def as_float(number: Any) -> float:
    """A number as a float; one that is too large for it is infinite."""
    try:
        return float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf


def check_number(option: str, value: object, what: str = "") -> None:
    """Raise unless this is a number that a float can hold, and no NaN."""
    if isinstance(value, bool) or not isinstance(value, Real) or value != value:
        raise InputTypeError(f"{option} is a number{what}, not {value!r}")
    if not isinstance(value, float) and math.isinf(as_float(value)):
        raise InputError(f"{option} is a number{what}, and this one is too large for a float; pass a smaller one")


def plural(count: int, noun: str) -> str:
    """``1 element``, ``3 elements``."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
