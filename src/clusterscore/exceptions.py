"""What can be wrong with what a user hands over.

Every message says what is wrong, how many, one example and what to do. Each class is also the built-in
exception a Python user would expect, so ``except ValueError`` keeps working.
"""

from __future__ import annotations

import difflib
import math
import operator
import sys
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from numbers import Real
from typing import Any, NamedTuple

from clusterscore.messages import Given, Message, Text, Worded


class ClusterscoreError(Worded, Exception):
    """The root of all errors that clusterscore raises on purpose; the message is one line of readable length."""


class InputError(ClusterscoreError, ValueError):
    """The data is of the right kind, but its content cannot be scored."""


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


class EngineError(ClusterscoreError, RuntimeError):
    """An engine that counts outside of Python could not finish."""


class ClusterscoreWarning(Worded, UserWarning):
    """What should be known about a result or its input, such as input that is legal but probably a mistake."""


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


def nearest(word: str, known: Iterable[str], listed: str = "") -> str:
    """The end of a message: the name the user may have meant, or all that there are, or else where they are listed."""
    names = sorted(known)
    lengthened = [name for name in reversed(names) if word.startswith(f"{name}_")]  # nmi_score
    close = lengthened or difflib.get_close_matches(word, names, n=1, cutoff=0.6)
    if close:
        return f"did you mean {close[0]!r}?"
    if len(names) > _MANY:
        close = difflib.get_close_matches(word, names, n=3, cutoff=0.5)
        return (f"perhaps {' or '.join(close)}" if close else "there is none like it") + listed
    return "choose from " + ", ".join(names)


def a_type(value: object) -> str:
    """What a value is, in a message that refuses it.

    >>> a_type(3), a_type("3"), a_type(None)
    ('an int', 'a str', 'None')
    """
    name = type(value).__name__
    return "None" if value is None else f"{'an' if name[0] in 'aeiouAEIOU' else 'a'} {name}"


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
        what = f" is {a_type(value)}; pass a whole number from {least} up"
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
