"""Computed on first use, and remembered."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

T = TypeVar("T")


def once(method: Callable[..., T]) -> Callable[..., T]:
    """A method that is computed once for the same arguments; its object keeps the results in ``_memo``."""

    @wraps(method)
    def kept(self: Any, *arguments: Any) -> T:
        key = (method.__name__, *arguments)
        if key not in self._memo:
            self._memo[key] = method(self, *arguments)
        value: T = self._memo[key]
        return value

    return kept
