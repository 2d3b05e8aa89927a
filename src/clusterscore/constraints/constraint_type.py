"""Constraint: one thing that can be asked of a metric, and the cases in which it is looked at."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from clusterscore.constraints.clusterings import MOST
from clusterscore.constraints.scored import Case, CheckedCases, Subject

Check = Callable[[Subject, int], Iterator[CheckedCases]]
Family = Callable[[int], Iterator[Case]]

_ALL = "every prediction of every gold clustering of few elements"


@dataclass(frozen=True)
class Constraint:
    """One thing that can be asked of a metric: its statement, the family of cases, and the reference.

    It checks all clusterings of few elements, or pairs of predictions, of which the better one must score more: the
    ``pair`` of a paper, and others that grow up to three times as many elements. ``counts`` looks at numbers of
    pairs of elements, whether or not there are clusterings that have them.
    """

    name: str
    statement: str
    family: str
    reference: str | None
    small: Check | None = field(default=None, repr=False, compare=False)
    growing: Family | None = field(default=None, repr=False, compare=False)
    pair: Case | None = field(default=None, repr=False, compare=False)
    counts: Callable[[Subject], Iterator[CheckedCases]] | None = field(default=None, repr=False, compare=False)
    least: int = field(default=1, repr=False, compare=False)  # elements of the small clusterings,
    usual: int = field(default=7, repr=False, compare=False)  # up to so many where nobody says otherwise,
    most: int = field(default=MOST, repr=False, compare=False)  # and never more

    @property
    def exhaustive(self) -> bool:
        """Whether it looks at all there is up to some size, and not at chosen cases."""
        return self.small is not None or self.counts is not None

    def at(self, subject: Subject, n: int) -> Iterator[CheckedCases]:
        """The cases of all clusterings of ``n`` elements."""
        return iter(()) if self.small is None else self.small(subject, n)

    def check(self, subject: Subject, largest: int, *, paper: bool) -> Iterator[CheckedCases]:
        """The pair of the paper, and unless ``paper`` all other cases."""
        if self.pair is not None:
            yield subject.cases_in_order([self.pair])
        if not paper and self.counts is not None:
            yield from self.counts(subject)
        if not paper:
            for n in range(self.least, min(largest, self.most) + 1):
                yield from self.at(subject, n)
        if not paper and self.growing is not None:
            yield subject.cases_in_order(_cases(self.growing, largest))


@lru_cache  # of many metrics they are the same
def _cases(family: Family, largest: int) -> list[Case]:
    return list(family(largest))


def constraint(
    checked_by: str, reference: str | None = None, **others: Any
) -> Callable[[Callable[..., Any]], Constraint]:
    """Decorator: the function is what a constraint is ``checked_by``, such as ``"small"``.

    Its docstring is the statement and, after "Cases:", says where it is looked at.
    """

    def made(function: Callable[..., Any]) -> Constraint:
        statement, _, family = " ".join(str(function.__doc__).split()).partition(" Cases: ")
        described = function.__name__.strip("_"), statement, family.removesuffix(".") or _ALL, reference
        checks: dict[str, Any] = {checked_by: function, **others}
        return Constraint(*described, **checks)

    return made
