"""Constraints: what the literature and common sense ask of a measure, checked on any metric.

>>> import clusterscore as cs
>>> cs.constraints.check("bcubed", "rag_bag").outcome, cs.constraints.check("bcubed(f=of-means)", "rag_bag").outcome
('violated', 'holds')
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from clusterscore.constraints.checking import check, counterexamples, matrix
    from clusterscore.constraints.marks import Matrix
    from clusterscore.constraints.named import CONSTRAINTS, Constraint
    from clusterscore.constraints.verdict import Counterexample, Verdict, Verdicts

__all__ = [
    "CONSTRAINTS",
    "Constraint",
    "Counterexample",
    "Matrix",
    "Verdict",
    "Verdicts",
    "check",
    "counterexamples",
    "matrix",
]

_FILES = {
    "checking": ("check", "counterexamples", "matrix"),
    "marks": ("Matrix",),
    "named": ("CONSTRAINTS", "Constraint"),
    "verdict": ("Counterexample", "Verdict", "Verdicts"),
}


def __getattr__(name: str) -> Any:
    """Load what is asked for when it is asked for: who only scores need not wait for it."""
    for file, names in _FILES.items():
        if name in names:
            return getattr(import_module(f"{__name__}.{file}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
