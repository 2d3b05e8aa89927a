"""Put a metric through constraints."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice
from typing import overload

from clusterscore.constraints.findings import Findings, Scope, told_of, verdict_of
from clusterscore.constraints.judge import Checkable, Judge, judge_of
from clusterscore.constraints.marks import Matrix
from clusterscore.constraints.named import CONSTRAINTS, Constraint, constraint_of, constraints_of
from clusterscore.constraints.partitions import MOST
from clusterscore.constraints.verdict import Counterexample, Verdict, Verdicts
from clusterscore.errors import InputError, one_of
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
    judge, scope = _asked(metric, largest, cases)
    if constraint is not None:
        return verdict_of(judge, constraint_of(constraint).name, _found(judge, constraint_of(constraint), scope))
    return _verdicts(judge, CONSTRAINTS, scope)


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
    judge, scope = _asked(metric, largest, "all")
    return list(islice(told_of(_found(judge, constraint_of(constraint), scope), tied=ties), at_most))


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
    asked: dict[str, tuple[Judge, Scope]] = {}
    for metric, name in _listed(metrics):
        judge, scope = _asked(metric, largest, cases, name)
        if judge != asked.setdefault(judge.name, (judge, scope))[0]:
            raise InputError(f"two metrics are called {judge.name!r}; pass a mapping of other names to them")
    rows = []
    with step("checking") as at:
        for k, (judge, scope) in enumerate(asked.values(), 1):
            rows.append(_verdicts(judge, chosen, scope))
            at(k / len(asked))
    return Matrix(chosen, rows)


def _listed(
    metrics: Checkable | Iterable[Checkable] | Mapping[str, Checkable],
) -> list[tuple[Checkable, str | None]]:
    if isinstance(metrics, Mapping):
        listed: list[tuple[Checkable, str | None]] = [(metric, str(name)) for name, metric in metrics.items()]
    elif isinstance(metrics, str) or callable(metrics):
        listed = [(metrics, None)]
    else:
        try:
            listed = [(metric, None) for metric in metrics]
        except TypeError:
            raise InputError(f"metrics={metrics!r} is not a list of metrics") from None
    if not listed:
        raise InputError("no metric was asked for; name at least one, such as 'elm'")
    return listed


def _asked(metric: Checkable, largest: int | None, cases: str, name: str | None = None) -> tuple[Judge, Scope]:
    one_of("cases", cases, CASES)
    judge = judge_of(metric, name)
    if largest is None:
        largest = judge.usual
    if isinstance(largest, bool) or not isinstance(largest, int) or not 2 <= largest <= MOST:
        raise InputError(f"largest={largest!r} is not a whole number from 2 to {MOST}; all clusterings are tried")
    return judge, Scope(largest, cases == "paper")


def _verdicts(judge: Judge, constraints: Iterable[Constraint], scope: Scope) -> Verdicts:
    return Verdicts([verdict_of(judge, each.name, _found(judge, each, scope)) for each in constraints])


def _found(judge: Judge, constraint: Constraint, scope: Scope) -> list[Findings]:
    with step(f"{judge.name}, {constraint.name}"):
        return list(constraint.look(judge, scope))
