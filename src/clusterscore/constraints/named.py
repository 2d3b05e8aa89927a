"""The constraints by name: what each asks for, who asks for it, and in which cases it is looked at."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from clusterscore.constraints import laws, orders
from clusterscore.constraints.orders import Look
from clusterscore.errors import InputError, nearest

_AMIGO = (
    "Amigó, Gonzalo, Artiles & Verdejo 2009, A comparison of extrinsic clustering evaluation metrics based on formal "
    "constraints, Information Retrieval 12(4)"
)
_MORENO = "Moreno & Dias 2015, Adapted B-CUBED metrics to unbalanced datasets, SIGIR"
_ELM = "van Heusden, Kamps & Marx 2024, Discover Computing 27:5"
_ALL = "every prediction of every gold clustering of few elements"


@dataclass(frozen=True)
class Constraint:
    """One thing that can be asked of a metric: its statement, the family of cases, and the reference."""

    name: str
    statement: str
    family: str
    reference: str | None
    look: Look = field(repr=False, compare=False)

    @property
    def law(self) -> bool:
        """Whether it is a law, not one of the formal constraints of the literature."""
        return self.reference is None


CONSTRAINTS = (
    Constraint(
        "homogeneity",
        "A cluster with elements of two categories scores more when it falls into those two.",
        "the pair of the paper; x and y elements mixed, with more of both apart; every such step between "
        "clusterings of few elements",
        _AMIGO,
        orders.homogeneity,
    ),
    Constraint(
        "completeness",
        "Two clusters with elements of one and the same category score more when they are one cluster.",
        "the pair of the paper; clean clusters of x and y, with more of the category among strangers; every such step "
        "between clusterings of few elements",
        _AMIGO,
        orders.completeness,
    ),
    Constraint(
        "rag_bag",
        "An element that belongs nowhere does less harm in a bag of odds and ends than in a clean cluster.",
        "the pair of the paper; two and more clean elements of one category, and a bag of one and more elements of as "
        "many categories",
        _AMIGO,
        orders.rag_bag,
    ),
    Constraint(
        "size_vs_quantity",
        "One element split off a cluster of n + 1 does less harm than n clusters of two that are all split.",
        "the pair of the paper (n = 4); n = 2, 3 and so on",
        _AMIGO,
        orders.size_vs_quantity,
    ),
    Constraint(
        "unbalanced",
        "One element of the biggest category in the smallest cluster does less harm than one element of the smallest "
        "category in the biggest cluster.",
        "a pair that gives the paper's numbers; two or three categories, the smallest of 2 to 4 elements",
        _MORENO,
        orders.unbalanced,
    ),
    Constraint(
        "zero_score",
        "For every gold clustering there is a prediction that scores 0.",
        "every prediction of every gold clustering of two and more elements",
        _ELM,
        laws.zero_score,
    ),
    Constraint("identity", "Gold itself has the perfect score.", "every gold clustering", None, laws.identity),
    Constraint("range", "A score is a number from the lowest to the highest value.", _ALL, None, laws.in_range),
    Constraint("relabelling", "Other names of the clusters change nothing.", _ALL, None, laws.relabelling),
    Constraint("reordering", "Another order of the elements changes nothing.", _ALL, None, laws.reordering),
    Constraint(
        "swap", "Precision and recall change places when gold and prediction do.", _ALL, None, laws.swap
    ),
    Constraint(
        "singletons",
        "Every element alone scores less than gold, unless that is gold.",
        "every gold clustering; equal clusters of growing size and number",
        None,
        orders.singletons,
    ),
    Constraint(
        "all_in_one",
        "Everything in one cluster scores less than gold, unless that is gold.",
        "every gold clustering; equal clusters of growing size and number",
        None,
        orders.all_in_one,
    ),
)  # fmt: skip

_BY_NAME = {constraint.name: constraint for constraint in CONSTRAINTS}
GROUPS = {
    "formal": tuple(c for c in CONSTRAINTS if not c.law),
    "laws": tuple(c for c in CONSTRAINTS if c.law),
    "all": CONSTRAINTS,
}


def constraint_of(name: str | Constraint) -> Constraint:
    """The constraint of this name; ``rag bag`` and ``Rag-Bag`` are rag_bag."""
    if isinstance(name, Constraint):
        return name
    if not isinstance(name, str):
        raise InputError(f"a constraint is named by a string such as 'rag_bag', not by {name!r}")
    key = name.strip().lower().replace("-", "_").replace(" ", "_")
    if key not in _BY_NAME:
        raise InputError(f"unknown constraint {name!r}: {nearest(key, _BY_NAME)}")
    return _BY_NAME[key]


def constraints_of(names: str | Constraint | Iterable[str | Constraint]) -> tuple[Constraint, ...]:
    """The constraints that a user asked for: a name, a group ("formal", "laws", "all"), or a list of them."""
    if isinstance(names, str) and names in GROUPS:
        return GROUPS[names]
    if isinstance(names, str | Constraint):
        return (constraint_of(names),)
    found = tuple(dict.fromkeys(each for name in names for each in constraints_of(name)))
    if not found:
        raise InputError("no constraint was asked for; name at least one, such as 'rag_bag'")
    return found
