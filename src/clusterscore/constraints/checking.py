"""Put a metric through constraints."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import overload

import numpy as np

from clusterscore.constraints.cases import MOST
from clusterscore.constraints.named import CONSTRAINTS, Constraint, constraint_of, constraints_of
from clusterscore.constraints.rules import Findings
from clusterscore.constraints.subject import Checkable, Subject
from clusterscore.constraints.verdict import HOLDS, NONE, TIES, VIOLATED, Counterexample, Matrix, Verdict, Verdicts
from clusterscore.exceptions import InputError, one_of
from clusterscore.progress import step

CASES = ("all", "paper")


@overload
def check(
    metric: Checkable, constraint: None = None, *, largest: int | None = None, cases: str = "all"
) -> Verdicts: ...
@overload
def check(
    metric: Checkable, constraint: str | Constraint, *, largest: int | None = None, cases: str = "all"
) -> Verdict: ...
def check(
    metric: Checkable, constraint: str | Constraint | None = None, *, largest: int | None = None, cases: str = "all"
) -> Verdict | Verdicts:
    """Put a metric through one constraint, or through all of them.

    ``metric`` is a name, a Metric, or any function (gold, pred) -> float, which is called with two lists of labels.
    A function promises a perfect score of 1 and a range from 0 to 1; give it attributes ``perfect``, ``lowest`` and
    ``highest`` to promise something else (where ``perfect`` is ``lowest``, less is better). Precision and recall of
    what it returns are looked at, if there are any.

    All clusterings of up to ``largest`` elements are tried (7, for a function 5), and families of larger cases beyond.
    ``cases="paper"`` looks at the pairs of the papers alone.

    >>> import clusterscore as cs
    >>> print(cs.constraints.check("bcubed", "zero_score"))
    bcubed, zero_score: violated (43 of 43 cases). Smallest: gold 1 2: prediction 1 | 2 scores 0.6667, and no other less
    """
    found = _verdicts(
        Subject.of(metric), CONSTRAINTS if constraint is None else [constraint_of(constraint)], largest, cases
    )
    return found if constraint is None else next(iter(found.values()))


def counterexamples(
    metric: Checkable,
    constraint: str | Constraint,
    *,
    ties: bool = False,
    at_most: int | None = None,
    largest: int | None = None,
) -> list[Counterexample]:
    """All cases in which a metric breaks a constraint, or with ``ties`` in which it ties; the smallest first.

    >>> import clusterscore as cs
    >>> for case in cs.constraints.counterexamples("bcubed", "rag_bag", at_most=2):
    ...     print(case)
    gold 1 2 | 3 | 4 | 5 | 6 | 7 (2 clean, a bag of 4): 1 2 7 | 3 4 5 6 scores 0.5286, the better 1 2 | 3 4 5 6 7 \
scores 0.5238
    gold 1 2 | 3 | 4 | 5 | 6 | 7 | 8 (2 clean, a bag of 5): 1 2 8 | 3 4 5 6 7 scores 0.4708, the better \
1 2 | 3 4 5 6 7 8 scores 0.4643
    """
    found = _found(Subject.of(metric), constraint_of(constraint), largest, "all")
    return list(islice(_examples(found, ties=ties), at_most))


def matrix(
    metrics: Checkable | Iterable[Checkable] | Mapping[str, Checkable],
    constraints: str | Constraint | Iterable[str | Constraint] = "formal",
    *,
    largest: int | None = None,
    cases: str = "all",
) -> Matrix:
    """Metrics in rows, constraints in columns, as Moreno & Dias draw them; ``{name: metric}`` gives a row another name.

    ``constraints`` are the formal ones of the literature, "laws", "all", or those that are named.

    >>> import clusterscore as cs
    >>> print(cs.constraints.matrix(["elm", "purity"], ["rag_bag", "zero_score"]))
    metric   rag_bag   zero_score
    -----------------------------
    elm      no        yes
    purity   tie       no
    <BLANKLINE>
    yes: holds in every case. tie: never the wrong way round, but somewhere equal. no: violated.
    """
    chosen = constraints_of(constraints)
    subjects = _subjects(metrics)
    rows = []
    with step("checking") as at:
        for k, subject in enumerate(subjects.values(), 1):
            rows.append(_verdicts(subject, chosen, largest, cases))
            at(k / len(subjects))
    return Matrix(chosen, rows)


def _subjects(metrics: Checkable | Iterable[Checkable] | Mapping[str, Checkable]) -> dict[str, Subject]:
    if isinstance(metrics, str) or (callable(metrics) and not isinstance(metrics, Mapping)):
        metrics = [metrics]
    elif not isinstance(metrics, Iterable):
        raise InputError(f"metrics={metrics!r} is not a list of metrics")
    named = metrics.items() if isinstance(metrics, Mapping) else ((None, metric) for metric in metrics)
    subjects: dict[str, Subject] = {}
    for name, metric in named:
        subject = Subject.of(metric, None if name is None else str(name))
        if subject != subjects.setdefault(subject.name, subject):
            raise InputError(f"two metrics are called {subject.name!r}; pass a mapping of other names to them")
    if not subjects:
        raise InputError("no metric was asked for; name at least one, such as 'elm'")
    return subjects


def _verdicts(subject: Subject, constraints: Iterable[Constraint], largest: int | None, cases: str) -> Verdicts:
    return Verdicts({each.name: _verdict(subject, each, _found(subject, each, largest, cases)) for each in constraints})


def _found(subject: Subject, constraint: Constraint, largest: int | None, cases: str) -> list[Findings]:
    one_of("cases", cases, CASES)
    most = subject.default_largest if largest is None else largest
    if isinstance(most, bool) or not isinstance(most, int) or not 2 <= most <= MOST:
        raise InputError(f"largest={most!r} is not a whole number from 2 to {MOST}; all clusterings are tried")
    with step(f"{subject.name}, {constraint.name}"):
        return list(constraint.findings(subject, most, paper=cases == "paper"))


def _verdict(subject: Subject, constraint: Constraint, found: Sequence[Findings]) -> Verdict:
    cases = sum(len(each.broken) for each in found)
    violations, ties = sum(int(each.broken.sum()) for each in found), sum(int(each.tied.sum()) for each in found)
    outcome = VIOLATED if violations else TIES if ties else HOLDS if cases else NONE
    smallest = next(_examples(found, ties=not violations), None)
    return Verdict(subject.name, constraint.name, outcome, smallest, cases, violations, ties)


def _examples(found: Sequence[Findings], ties: bool) -> Iterator[Counterexample]:
    """What is broken, or only tied, the smallest first: by elements, then by clusters."""
    chosen = [(each, np.flatnonzero(each.tied if ties else each.broken)) for each in found]
    places = [(each, case) for each, rows in chosen for case in rows.tolist()]
    elements, clusters = np.hstack([np.zeros((2, 0), np.int64), *(each.size[:, rows] for each, rows in chosen)])
    for k in np.lexsort((clusters, elements)).tolist():
        each, case = places[k]
        yield each.example(case)
