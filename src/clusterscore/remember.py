"""Computed on first use, and remembered."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Generic, TypeVar, overload

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


class lazy(Generic[T]):  # noqa: N801 - used like property
    """A property that is computed on first use and is a plain attribute from then on."""

    def __init__(self, method: Callable[[Any], T]):
        self.method = method
        self.__doc__ = method.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, instance: None, owner: type) -> lazy[T]: ...
    @overload
    def __get__(self, instance: object, owner: type) -> T: ...
    def __get__(self, instance: object | None, owner: type) -> lazy[T] | T:
        if instance is None:
            return self
        value = instance.__dict__[self.name] = self.method(instance)
        return value
