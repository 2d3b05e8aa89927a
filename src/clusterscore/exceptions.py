"""What can be wrong with what a user hands over.

Every message says what is wrong, how many, one example and what to do. Each class is also the built-in
exception a Python user would expect, so ``except ValueError`` keeps working.
"""

from __future__ import annotations

import difflib
import math
import operator
import re
import sys
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from numbers import Real
from typing import Any

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
    return INVISIBLE.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


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


class ClusterscoreError(Exception):
    """The root of all errors that clusterscore raises on purpose; the message is one line of readable length."""

    def __init__(self, message: object = ""):
        super().__init__(readable(str(message)))


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


class ClusterscoreWarning(UserWarning):
    """Something that a result should not be read without."""

    def __init__(self, message: object = ""):
        super().__init__(readable(str(message)))


_heard: ContextVar[list[str] | None] = ContextVar("heard", default=None)


def heard() -> list[str]:
    """What users were warned of, in the call that somebody listens to."""
    return list(dict.fromkeys(_heard.get() or ()))


@contextmanager
def listening() -> Iterator[list[str]]:
    """Collect what users are warned of in the meantime; who listens around it hears it too."""
    around, messages = _heard.get(), list[str]()
    token = _heard.set(messages)
    try:
        yield messages
    finally:
        _heard.reset(token)
        if around is not None:
            around += messages


def warn_user(message: str) -> None:
    """A warning that points at the line that called the library."""
    if (messages := _heard.get()) is not None:
        messages.append(readable(message))
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "clusterscore":
        level, frame = level + 1, frame.f_back
    warnings.warn(message, ClusterscoreWarning, stacklevel=level)


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
        raise InputError(f"{option}={value!r} is not an option; use one of {', '.join(map(repr, words))}")


def integer(option: str, value: object, least: int = 0) -> int:
    """A whole number that is not too small, or an error that says what it may be."""
    try:
        number = None if isinstance(value, bool) else operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        number = None
    if number is None:
        raise InputTypeError(f"{option}={value!r} is a {type(value).__name__}; pass a whole number from {least} up")
    if number < least:
        raise InputError(f"{option}={value!r} is too small; pass a whole number from {least} up")
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
