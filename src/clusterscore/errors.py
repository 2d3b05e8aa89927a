"""What can be wrong with what a user hands over.

Every message says what is wrong, how many, one example and what to do. Each class is also the built-in
exception a Python user would expect, so ``except ValueError`` keeps working.
"""

from __future__ import annotations

import difflib
import operator
from collections.abc import Iterable


class ClusterscoreError(Exception):
    """The root of all errors that clusterscore raises on purpose."""


class InputError(ClusterscoreError, ValueError):
    """The data is of a right kind but its content cannot be scored."""


class InputTypeError(ClusterscoreError, TypeError):
    """The data is of a kind that is not a clustering."""


class ElementMismatch(InputError):
    """Gold and prediction do not hold the same elements."""


class MetricError(ClusterscoreError, ValueError):
    """An unknown metric, an unknown parameter, or a value out of its range."""


class OptionError(ClusterscoreError, TypeError):
    """An option that a function does not have."""


class FileError(ClusterscoreError, ValueError):
    """A file that cannot be read, or a column it does not have."""


class EngineError(ClusterscoreError, RuntimeError):
    """An engine that counts outside of Python could not finish."""


class ClusterscoreWarning(UserWarning):
    """Something that a result should not be read without."""


def nearest(word: str, known: Iterable[str]) -> str:
    """The end of a message: the name the user may have meant, or all that there are."""
    names = sorted(known)
    close = difflib.get_close_matches(word, names, n=1, cutoff=0.6)
    if close:
        return f"did you mean {close[0]!r}?"
    return "known: " + ", ".join(names)


def one_of(option: str, value: object, allowed: Iterable[str]) -> None:
    """Raise unless ``value`` is one of the words that ``option`` takes."""
    words = tuple(allowed)
    if not isinstance(value, str) or value not in words:
        raise InputError(f"{option}={value!r} is not an option; use one of {', '.join(map(repr, words))}")


def whole(option: str, value: object, least: int = 0) -> int:
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


def plural(count: int, noun: str) -> str:
    """``1 element``, ``3 elements``."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
