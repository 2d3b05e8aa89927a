"""The constraints by name: what each asks for, who asks for it, and in which cases it is looked at."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial

from clusterscore.constraints import cases, rules
from clusterscore.constraints.cases import Case, Cases, blocks, steps, steps_to_gold
from clusterscore.constraints.rules import Findings
from clusterscore.constraints.subject import Subject
from clusterscore.exceptions import InputError, nearest

_AMIGO = (
    "Amigó, Gonzalo, Artiles & Verdejo 2009, A comparison of extrinsic clustering evaluation metrics based on formal "
    "constraints, Information Retrieval 12(4)"
)
_MORENO = "Moreno & Dias 2015, Adapted B-CUBED metrics to unbalanced datasets, SIGIR"
_ELM = "van Heusden, Kamps & Marx 2024, Discover Computing 27:5"
_EQUAL = "every gold clustering; equal clusters of growing size and number"
_ALL = "every prediction of every gold clustering of few elements"


@dataclass(frozen=True)
class Constraint:
    """One thing that can be asked of a metric: its statement, the family of cases, and the reference.

    Either a ``rule`` for all clusterings of few elements, or pairs of predictions, of which the better one must score
    more: the ``pair`` of a paper, those of few elements, and a growing family.
    """

    name: str
    statement: str
    family: str
    reference: str | None
    rule: Callable[[Subject, int], Iterator[Findings]] | None = field(default=None, repr=False, compare=False)
    pair: Case | None = field(default=None, repr=False, compare=False)
    small: Callable[[int], Cases] | None = field(default=None, repr=False, compare=False)
    growing: Callable[[int], Iterator[Case]] | None = field(default=None, repr=False, compare=False)

    @property
    def law(self) -> bool:
        """Whether it is a law, not one of the formal constraints of the literature."""
        return self.reference is None

    def findings(self, subject: Subject, largest: int, *, paper: bool) -> Iterator[Findings]:
        """The pair of the paper, and unless ``paper`` all other cases."""
        if self.pair is not None:
            yield rules.better(subject, Cases.of([self.pair]))
        if paper:
            return
        for n in range(1, largest + 1):
            if self.rule is not None:
                yield from self.rule(subject, n)
            if self.small is not None and n > 1:
                yield rules.better(subject, self.small(n))
        if self.growing is not None:
            yield rules.better(subject, Cases.of(list(self.growing(3 * largest))))


# The four pairs are those of Amigó et al. 2009 that Moreno & Dias 2015 score in Table 1. Their fifth they do not print:
# it is reconstructed from their numbers and marks.
_PAIR = "the pair of the paper"
CONSTRAINTS = (
    Constraint("homogeneity", "A cluster with elements of two categories scores more when it falls into those two.",
               "the pair of the paper; x and y elements mixed, with more of both apart; every such step between "
               "clusterings of few elements", _AMIGO, growing=cases.mixed_clusters, small=partial(steps, split=True),
               pair=Case(blocks(5, 6, 1, 1, 1), blocks(4, 3, 7), blocks(4, 1, 2, 7), _PAIR)),
    Constraint("completeness",
               "Two clusters with elements of one and the same category score more when they are one cluster.",
               "the pair of the paper; clean clusters of x and y, with more of the category among strangers; every "
               "such step between clusterings of few elements", _AMIGO, growing=cases.split_categories,
               small=partial(steps, split=False),
               pair=Case(blocks(7, 4, 1, 1, 1), blocks(4, 1, 2, 7), blocks(4, 3, 7), _PAIR)),
    Constraint("rag_bag",
               "An element that belongs nowhere does less harm in a bag of odds and ends than in a clean cluster.",
               "the pair of the paper; two and more clean elements of one category, and a bag of one and more elements "
               "of as many categories", _AMIGO, growing=cases.rag_bags,
               pair=Case(blocks(4, *[1] * 5), blocks(5, 4), blocks(4, 5), f"{_PAIR}: 4 clean, a bag of 4")),
    Constraint("size_vs_quantity",
               "One element split off a cluster of n + 1 does less harm than n clusters of two that are all split.",
               "the pair of the paper (n = 4); n = 2, 3 and so on", _AMIGO, growing=cases.sizes_and_quantities,
               pair=Case(blocks(5, 2, 2, 2, 2), blocks(5, *[1] * 8), blocks(4, 1, 2, 2, 2, 2),
                         f"{_PAIR}: one cluster of 5, 4 clusters of 2")),
    Constraint("unbalanced",
               "One element of the biggest category in the smallest cluster does less harm than one element of the "
               "smallest category in the biggest cluster.",
               "a pair that gives the paper's numbers; two or three categories, the smallest of 2 to 4 elements",
               _MORENO, growing=cases.unbalanced,
               pair=Case(blocks(17, 7, 2), [*blocks(17, 7), 2, 0], [*blocks(16), 2, *blocks(7, 2, first=1)],
                         f"{_PAIR}: categories of 17, 7 and 2")),
    Constraint("zero_score", "For every gold clustering there is a prediction that scores 0.",
               "every prediction of every gold clustering of two and more elements", _ELM, rules.zero_score),
    Constraint("identity", "Gold itself has the perfect score.", "every gold clustering", None, rules.identity),
    Constraint("range", "A score is a number from the lowest to the highest value.", _ALL, None, rules.in_range),
    Constraint("relabelling", "Other names of the clusters change nothing.", _ALL, None, rules.relabelling),
    Constraint("reordering", "Another order of the elements changes nothing.", _ALL, None, rules.reordering),
    Constraint("swap", "Precision and recall change places when gold and prediction do.", _ALL, None, rules.swap),
    Constraint("singletons", "Every element alone scores less than gold, unless that is gold.", _EQUAL, None,
               growing=cases.singletons, small=partial(steps_to_gold, alone=True)),
    Constraint("all_in_one", "Everything in one cluster scores less than gold, unless that is gold.", _EQUAL, None,
               growing=cases.all_in_one, small=partial(steps_to_gold, alone=False)),
)  # fmt: skip

GROUPS = {
    "formal": tuple(each for each in CONSTRAINTS if not each.law),
    "laws": tuple(each for each in CONSTRAINTS if each.law),
    "all": CONSTRAINTS,
}


def constraints_of(names: str | Constraint | Iterable[str | Constraint]) -> tuple[Constraint, ...]:
    """The constraints that a user asked for: a name, a group ("formal", "laws", "all"), or a list of them."""
    if isinstance(names, str | Constraint):
        return GROUPS[names] if isinstance(names, str) and names in GROUPS else (constraint_of(names),)
    found = tuple(dict.fromkeys(each for name in names for each in constraints_of(name)))
    if not found:
        raise InputError("no constraint was asked for; name at least one, such as 'rag_bag'")
    return found


def constraint_of(name: str | Constraint) -> Constraint:
    """The constraint of this name; ``rag bag`` and ``Rag-Bag`` are rag_bag."""
    if isinstance(name, Constraint):
        return name
    if not isinstance(name, str):
        raise InputError(f"a constraint is named by a string such as 'rag_bag', not by {name!r}")
    known = {constraint.name: constraint for constraint in CONSTRAINTS}
    key = name.strip().lower().replace("-", "_").replace(" ", "_")
    if key not in known:
        raise InputError(f"unknown constraint {name!r}: {nearest(key, known)}")
    return known[key]
