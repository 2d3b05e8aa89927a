"""Is the difference real? Several systems against one gold, with intervals and paired tests."""

from __future__ import annotations

import warnings as python_warnings
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Unpack, overload

import numpy as np

from clusterscore.aggregate import AVERAGES, Average, Facts
from clusterscore.align.doubts import doubts_of
from clusterscore.align.join import Ids, join
from clusterscore.align.policies import CountOptions, InDocument, check_options
from clusterscore.analyses.compare.comparison import Comparison
from clusterscore.analyses.compare.system_results import PAIRS, Pairs, compare_systems
from clusterscore.analyses.estimate.estimates import Estimates
from clusterscore.analyses.estimate.estimating import (
    estimate_options,
    estimate_sample,
    refuse_with_sample,
)
from clusterscore.analyses.request import Metrics, Request, errors_of, options_checked
from clusterscore.analyses.resampling import CompareOptions, checked_confidence
from clusterscore.analyses.units import SPELLED, UNITS, Unit, check_same
from clusterscore.count.counting import as_table, in_documents
from clusterscore.count.table import Table
from clusterscore.exceptions import ClusterscoreWarning, InputError, InputTypeError, a_type, integer, one_of
from clusterscore.messages import Given, Option
from clusterscore.nouns import noun
from clusterscore.progress import step
from clusterscore.read.guess import file_given, read_once
from clusterscore.read.labels import Labels
from clusterscore.read.names import Names
from clusterscore.read.sample import Sample
from clusterscore.read.source import refuse_second_reading

_DEPENDENT = (
    "elements are resampled as if they were independent, which elements of one cluster are not: the intervals are too "
    "narrow and the p-values too small; resample documents, or gold clusters that do not overlap"
)

_MAY_DIFFER = ("drop", "singleton")  # policies by which each system may be scored on other elements


@overload
def compare(
    gold: Sample,
    systems: Mapping[str, Any],
    *,
    metrics: Metrics = None,
    baseline: str | None = None,
    resamples: int = 1000,
    seed: int = 0,
    confidence: float = 0.95,
    **options: Unpack[CountOptions],
) -> Estimates: ...


@overload
def compare(
    gold: Any,
    systems: Mapping[str, Any] | None = None,
    *,
    metrics: Metrics = None,
    unit: Unit = "auto",
    baseline: str | None = None,
    pairs: Pairs = "baseline",
    average: Average = "micro",
    resamples: int = 1000,
    seed: int = 0,
    confidence: float = 0.95,
    **options: Unpack[CountOptions],
) -> Comparison: ...


@options_checked
def compare(
    gold: Any,
    systems: Mapping[str, Any] | None = None,
    *,
    metrics: Metrics = None,
    unit: Unit = "auto",
    baseline: str | None = None,
    pairs: Pairs = "baseline",
    average: Average = "micro",
    resamples: int = 1000,
    seed: int = 0,
    confidence: float = 0.95,
    **options: Unpack[CountOptions],
) -> Comparison | Estimates:
    """Compare systems: ``cs.compare(gold, {"A": a, "B": b})``.

    For each system and metric, the result has the score with its interval (jackknife, and bootstrap percentile and
    BCa), the difference from the baseline with its interval, the p-value of a paired randomization test, that p-value
    with Holm's correction for the number of systems, wins, ties and losses, and the rank. All systems and metrics use
    the same resamples. If gold is a :class:`Sample`, the result has estimates and their paired differences from the
    baseline (:class:`Estimates`).

    Options:
        gold: the true clustering; or, instead of both arguments, a mapping of names to tables.
        systems: predictions by name.
        unit: what to resample, ``"documents"`` or gold ``"clusters"``; ``"auto"`` resamples documents if there are
            several. ``"elements"`` are not independent, and you get a warning.
        baseline: the system that others are compared with; by default the first.
        pairs: ``"all"`` tests every system against every other, and corrects for the number of pairs:
            ``found.pairs["A", "C"]["elm"]``.
        resamples: the number of resamples; 0 gives the scores only.

    Returns:
        Results by system and metric; ``found.paper()`` is a table for a paper.

    >>> import clusterscore as cs
    >>> gold, documents = [0, 0, 1, 1] * 8, [k // 4 for k in range(32)]
    >>> found = cs.compare(gold, {"A": [0, 1, 1, 1] * 8, "B": [0, 0, 1, 1] * 8}, metrics="elm", documents=documents)
    >>> [round(end, 4) for end in found["A"]["elm"].intervals.jackknife]
    [0.3333, 0.3333]
    >>> round(found["B"]["elm"].difference.p, 4)
    0.0078
    """
    if isinstance(gold, Sample):
        whole = {"unit": (unit, "auto"), "pairs": (pairs, "baseline"), "average": (average, "micro")}
        refuse_with_sample(**{name: value for name, (value, usual) in whole.items() if value != usual})
        how, named = estimate_options(confidence, resamples, seed), systems_by_name(systems)
        first = next(iter(named)) if baseline is None else known_baseline(baseline, named)
        return estimate_sample(gold, {first: named[first], **named}, metrics, how, **options)
    resampling = compare_options(unit, average, resamples, seed, confidence, pairs)
    request = Request.of(metrics, counted=systems is None, **options)
    check_options(request.options)
    tables = counted(named_pairs(gold, systems), request, resampling.unit == "elements")
    comparison = compare_tables(tables, request, resampling, baseline)
    for warning in comparison.warnings:
        python_warnings.warn(warning, ClusterscoreWarning, stacklevel=3)
    return comparison


def known_baseline(baseline: str, systems: Mapping[str, Any]) -> str:
    """The system that others are compared with, if there is one of this name."""
    if baseline not in systems:
        raise InputError(Given("baseline", baseline), f" is not a system; there are {', '.join(map(repr, systems))}")
    return baseline


def compare_options(
    unit: Any, average: str, resamples: Any, seed: Any, confidence: Any, pairs: str = "baseline"
) -> CompareOptions:
    """The options of a comparison, checked."""
    one_of("pairs", pairs, PAIRS)
    unit = SPELLED.get(unit, unit) if isinstance(unit, str) else unit
    one_of("unit", unit, UNITS)
    one_of("average", average, AVERAGES)
    drawn = integer("resamples", resamples), integer("seed", seed)
    return CompareOptions(unit, average, *drawn, checked_confidence(confidence), pairs)


def compare_tables(
    tables: dict[str, Table], request: Request, options: CompareOptions, baseline: str | None = None
) -> Comparison:
    """Compare systems that are counted."""
    check_same(tables)
    tables = in_same_documents(tables, options.average)
    first = next(iter(tables))
    baseline = first if baseline is None else known_baseline(baseline, tables)
    chosen = request.resolved(*tables.values()).metrics
    results = compare_systems(chosen, tables, baseline, options)
    facts = {name: Facts.of(table) for name, table in tables.items()}
    comparison = Comparison(results, chosen, facts, baseline, options)
    if comparison.unit == "elements":
        comparison.warnings.append(noun(_DEPENDENT))
    return comparison


def in_same_documents(tables: dict[str, Table], average: str) -> dict[str, Table]:
    """The tables of coreference with the documents in which any of them has a mention; those of turns likewise.

    Where the key has none, a response may have some, and another not. Means over documents leave empty ones out, so
    that systems cannot be compared by them.
    """
    first = next(iter(tables.values()))
    if (first.mentions is None and first.timeline is None) or average != "micro":
        return tables
    used = dict.fromkeys(document for table in tables.values() for document in table.documents)
    known = used if first.mentions is None else first.mentions.document_names
    names = [document for document in known if document in used]
    return {name: in_documents(table, names) for name, table in tables.items()} if len(names) == len(used) else tables


def counted(pairs: Mapping[str, tuple[Any, Any]], request: Request, members: bool, by: Any = None) -> dict[str, Table]:
    """Systems, each with its gold, counted; a Table may stand in the place of both."""
    tables: dict[str, Table] = {}
    policies = request.options.get("missing"), request.options.get("noise_as")
    members = members or request.ordered or any(str(policy) in _MAY_DIFFER for policy in policies)
    with step("counting") as at:
        for name, (gold, pred) in pairs.items():
            with errors_of(f"system {name!r}"), doubts_of(name if len(pairs) > 1 else ""):
                tables[name] = as_table(gold, pred, members=members, by=by, **request.options)
            at(len(tables) / len(pairs))
    refuse_other_elements(tables)
    return tables


def named_pairs(gold: Any, systems: Any) -> dict[str, tuple[Any, Any]]:
    """The systems that a user handed over, each with its gold; a Table, which holds both sides, with None."""
    if systems is None:
        if not isinstance(gold, Mapping) or not all(isinstance(table, Table) for table in gold.values()):
            raise InputTypeError(
                'systems are missing; pass cs.compare(gold, {"A": a, "B": b}), or a mapping of names to Tables alone'
            )
        systems, gold = gold, None
    systems = systems_by_name(systems)
    if isinstance(gold, Table):
        raise InputTypeError('a Table contains both sides; pass {"A": table_a, "B": table_b} alone')
    if gold is None and all(isinstance(system, Table) for system in systems.values()):
        return {name: (table, None) for name, table in systems.items()}
    files = {name: file_given(pred) for name, pred in {"gold": gold, **systems}.items()}
    refuse_second_reading(file.path for file in files.values() if file is not None)
    side = read_once(gold, "gold")
    return {name: (side, side if pred is gold else pred) for name, pred in systems.items()}


def systems_by_name(systems: Any) -> Mapping[str, Any]:
    """Systems as a user has to hand them over: a mapping of names to predictions."""
    if not isinstance(systems, Mapping):
        raise InputTypeError(
            f'systems is {a_type(systems)}, not a mapping of names to predictions; pass {{"A": a, "B": b}}'
        )
    if not systems:
        raise InputError("there are no systems to compare; pass at least one")
    for name in systems:
        if not isinstance(name, str) or not name:
            raise InputTypeError(f"a system is named by a string, not by {name!r}")
    return systems


def refuse_other_elements(tables: dict[str, Table]) -> None:
    """Policies that leave out or add elements may do so differently for each system."""
    (first, table), *others = tables.items()
    policy = table.policy
    option = Option("missing", policy.missing)
    if policy.missing not in _MAY_DIFFER:
        if not policy.noise or policy.noise_on("pred") != "drop":
            return
        option = Option("noise_as", "drop")
    what = noun("documents" if table.timeline is not None else "elements")
    for name, other in others:
        left, right = _scored(table), _scored(other)
        if left is None or right is None:
            continue  # by position all elements are there, and their number is compared
        joined = join(left.column, right.column, left.documents, right.documents)
        only = np.flatnonzero(joined.partner < 0), np.flatnonzero(joined.back < 0)
        apart = len(only[0]) + len(only[1])
        if apart:
            k = int(len(only[0]) == 0)
            example, where = (left, right)[k].name(int(only[k][0])), (first, name)[k]
            raise InputError(
                "under ",
                option,
                f" the systems are scored on different {what}: {apart:,} with one of "
                f"{first!r} and {name!r} only (e.g. {example!r} with {where!r}), so their scores cannot be "
                f"compared; give all systems the same {what}",
            )


class _Scored(NamedTuple):
    """The elements that are scored, or the recordings of turns."""

    names: Sequence[Any]
    column: Ids  # the same, to be joined
    documents: Labels | None = None

    def name(self, k: int) -> Any:
        """One of them, as messages name it."""
        return self.names[k] if self.documents is None else InDocument(self.documents[k], self.names[k])


def _scored(table: Table) -> _Scored | None:
    if table.timeline is not None:
        return _Scored(table.documents, list(table.documents))
    pair = None if table.members is None else table.members.pair
    if pair is None or pair.ids is None:
        return None
    return _Scored(pair.ids, Names(pair.ids.names).take(pair.ids.codes), pair.documents)
