"""Constraints: what the literature and common sense ask of a measure, checked on any metric.

>>> import clusterscore as cs
>>> cs.constraints.check("bcubed", "rag_bag").outcome, cs.constraints.check("bcubed(f=of-means)", "rag_bag").outcome
('violated', 'holds')
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import overload

import numpy as np

from clusterscore.align.doubts import undoubted
from clusterscore.constraints.clusterings import MOST
from clusterscore.constraints.constraint_type import Constraint
from clusterscore.constraints.named import CONSTRAINTS, constraint_of, constraints_of
from clusterscore.constraints.scored import Checkable, CheckedCases, Subject, not_in_cases
from clusterscore.constraints.verdicts import Counterexample, Matrix, Verdict, Verdicts
from clusterscore.exceptions import InputError, one_of
from clusterscore.metrics import Metric, metrics_of, registered
from clusterscore.progress import step

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
    "satisfying",
]

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

    Options:
        metric: a name, a Metric, or any function (gold, pred) -> float, which is called with two lists of labels. A
            function promises a perfect score of 1 and a range from 0 to 1; give it attributes ``perfect``, ``lowest``
            and ``highest`` to promise something else (where ``perfect`` is ``lowest``, less is better). Precision and
            recall of what it returns are looked at, if there are any.
        constraint: the name of one; None is all of them.
        largest: all clusterings of so many elements are tried (7, for properties 6, for a function 5), and families of
            larger cases beyond.
        cases: ``"paper"`` looks at the pairs of the papers alone.

    Returns:
        The verdict on one constraint, or verdicts by constraint.

    >>> import clusterscore as cs
    >>> print(cs.constraints.check("bcubed", "zero_score"))
    bcubed, zero_score: violated (43 of 43 cases). Smallest: gold 1 2: prediction 1 | 2 scores 0.6667, and no other less
    """
    if constraint is None:
        return _verdicts(Subject.of(metric), CONSTRAINTS, largest, cases)
    chosen = constraint_of(constraint)
    return _verdicts(Subject.of(metric), [chosen], largest, cases)[chosen.name]


def counterexamples(
    metric: Checkable,
    constraint: str | Constraint,
    *,
    ties: bool = False,
    at_most: int | None = None,
    largest: int | None = None,
) -> list[Counterexample]:
    """All cases in which a metric breaks a constraint, or with ``ties`` in which it ties; the smallest first.

    Options:
        metric: a name, a Metric, or any function (gold, pred) -> float.
        constraint: the name of one.
        ties: look for ties instead.
        at_most: stop after so many.
        largest: all clusterings of so many elements are tried (7, for properties 6, for a function 5).

    >>> import clusterscore as cs
    >>> for case in cs.constraints.counterexamples("bcubed", "rag_bag", at_most=2):
    ...     print(case.worse, round(case.worse_score, 4), case.better, round(case.better_score, 4))
    [[1, 2, 7], [3, 4, 5, 6]] 0.5286 [[1, 2], [3, 4, 5, 6, 7]] 0.5238
    [[1, 2, 8], [3, 4, 5, 6, 7]] 0.4708 [[1, 2], [3, 4, 5, 6, 7, 8]] 0.4643
    """
    checked = _checked(Subject.of(metric), constraint_of(constraint), largest, "all")
    return list(islice(_examples(checked, ties=ties), at_most))


def matrix(
    metrics: Checkable | Iterable[Checkable] | Mapping[str, Checkable],
    constraints: str | Constraint | Iterable[str | Constraint] = "formal",
    *,
    largest: int | None = None,
    cases: str = "all",
) -> Matrix:
    """Metrics in rows, constraints in columns, as Moreno & Dias draw them.

    Options:
        metrics: names, Metrics or functions; ``{name: metric}`` gives a row another name.
        constraints: the ``"formal"`` ones of the literature, ``"laws"``, ``"properties"``, ``"all"``, or those that are
            named.
        largest: all clusterings of so many elements are tried (7, for properties 6, for a function 5).
        cases: ``"paper"`` looks at the pairs of the papers alone.

    >>> import clusterscore as cs
    >>> print(cs.constraints.matrix(["elm", "purity"], ["rag_bag", "zero_score"]))
    metric   rag_bag   zero_score
    -----------------------------
    elm      no        yes
    purity   tie       no
    <BLANKLINE>
    yes: holds in every case. tie: never the wrong way round, but somewhere equal. no: violated.
    """
    chosen, subjects, rows = constraints_of(constraints), _subjects(metrics), []
    with step("checking") as at:
        for k, subject in enumerate(subjects, 1):
            rows.append(_verdicts(subject, chosen, largest, cases))
            at(k / len(subjects))
    return Matrix(chosen, rows)


def satisfying(
    *constraints: str | Constraint, metrics: Iterable[str | Metric] | None = None, largest: int | None = None
) -> list[str]:
    """The metrics that satisfy all of these constraints, by name: where each of them holds, without a tie.

    Options:
        constraints: their names, such as ``"constant_baseline"``, or a group.
        metrics: those that are looked at; by default all that there are. Those that need an order of the elements,
            mentions or weights satisfy none.
        largest: all clusterings of so many elements are tried (7, for properties 6).

    >>> import clusterscore as cs
    >>> cs.constraints.satisfying("constant_baseline", "monotonicity", metrics=["adjusted_rand", "ami", "nmi", "rand"])
    ['adjusted_rand']
    """
    chosen, names = constraints_of(constraints), []
    listed = [kind() for kind in registered()] if metrics is None else metrics_of(metrics)
    with step("checking") as at:
        for k, metric in enumerate(listed, 1):
            if not_in_cases(metric) is None:
                subject = Subject.of(metric)
                verdicts = (_verdicts(subject, [constraint], largest, "all") for constraint in chosen)
                if all(verdict.outcome == "holds" for row in verdicts for verdict in row.values()):
                    names.append(subject.name)
            at(k / len(listed))
    return names


def _subjects(metrics: Checkable | Iterable[Checkable] | Mapping[str, Checkable]) -> list[Subject]:
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
        raise InputError("no metric was given; name at least one, such as 'elm'")
    return list(subjects.values())


def _verdicts(subject: Subject, constraints: Iterable[Constraint], largest: int | None, cases: str) -> Verdicts:
    verdicts = Verdicts()
    for constraint in constraints:
        checked = _checked(subject, constraint, largest, cases)
        count = sum(len(batch.broken) for batch in checked)
        broken = sum(int(batch.broken.sum()) for batch in checked)
        tied = sum(int(batch.tied.sum()) for batch in checked)
        outcome = "violated" if broken else "ties" if tied else "holds" if count else "does not apply"
        smallest = next(_examples(checked, ties=not broken), None)
        tried = constraint.small is not None and count and cases == "all"
        up_to = min(_largest(subject, constraint, largest), constraint.most) if tried else None
        names = subject.name, constraint.name
        verdicts[constraint.name] = Verdict(*names, outcome, smallest, count, broken, tied, up_to)
    return verdicts


def _largest(subject: Subject, constraint: Constraint, largest: int | None) -> int:
    """The elements of the largest clusterings of which all are tried; a function takes longer."""
    return largest if largest is not None else constraint.usual if isinstance(subject.metric, Metric) else 5


def _checked(subject: Subject, constraint: Constraint, largest: int | None, cases: str) -> list[CheckedCases]:
    one_of("cases", cases, CASES)
    most = _largest(subject, constraint, largest)
    if isinstance(most, bool) or not isinstance(most, int) or not 2 <= most <= MOST:
        raise InputError(f"largest={most!r} is not a whole number from 2 to {MOST}; all clusterings are tried")
    with step(f"{subject.name}, {constraint.name}"), undoubted():
        return list(constraint.check(subject, most, paper=cases == "paper"))


def _examples(checked: Sequence[CheckedCases], *, ties: bool) -> Iterator[Counterexample]:
    """What is broken, or only tied, the smallest first: by elements, then by clusters."""
    chosen = [(batch, np.flatnonzero(batch.tied if ties else batch.broken)) for batch in checked]
    places = [(batch, row) for batch, rows in chosen for row in rows.tolist()]
    elements, clusters = np.hstack([np.zeros((2, 0), np.int64), *(batch.size(rows) for batch, rows in chosen)])
    for k in np.lexsort((clusters, elements)).tolist():
        batch, row = places[k]
        yield batch.example(row)
