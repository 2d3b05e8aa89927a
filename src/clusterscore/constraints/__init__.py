"""Constraints: what the literature and common sense ask of a measure, checked on any metric.

>>> import clusterscore as cs
>>> cs.constraints.check("bcubed", "rag_bag").outcome, cs.constraints.check("bcubed(f=of-means)", "rag_bag").outcome
('violated', 'holds')
"""

from clusterscore.constraints.checking import check, counterexamples, matrix
from clusterscore.constraints.named import CONSTRAINTS, Constraint
from clusterscore.constraints.verdict import Counterexample, Matrix, Verdict, Verdicts

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
