"""Which measure? Two tables that are computed: what each measure sees, and what it satisfies, with the smallest cases
that it gets wrong as drawings.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import NamedTuple

import drawings
from markdown_text import link, plain, table

import clusterscore as cs
from clusterscore.align.doubts import undoubted
from clusterscore.constraints import Constraint, Counterexample, Verdict
from clusterscore.constraints.clusterings import blocks
from clusterscore.constraints.named import FORMAL, PROPERTIES
from clusterscore.constraints.scored import NEAR, not_in_cases
from clusterscore.constraints.verdicts import MARKS, no_counterexample
from clusterscore.metrics.metric import GROUPS

# one large gold cluster and eight small ones, with as many elements; either of them is cut into halves
WHOLE, LARGE, SMALL = blocks(16, *[2] * 8), blocks(8, 8, *[2] * 8), blocks(16, *[1] * 16)
MIXED = [*LARGE[:16], *SMALL[16:20], *blocks(4, 4, 4, first=40)]  # with pairs that are split, and pairs that are merged
ALONE = list(range(100, 108))
LARGEST = 6  # elements of the clusterings that are searched


class Sight(NamedTuple):
    """What a measure sees: whether right singletons count, and the share of the large cluster in a loss.

    The share is None where nothing is lost, and where a wrong prediction scores more than gold.
    """

    singletons: bool
    splits: float | None
    merges: float | None


@cache
def sight(metric: cs.Metric) -> Sight | None:
    """What a measure sees in small experiments; None where it needs more than two clusterings."""
    try:
        with undoubted():
            more = metric(WHOLE + ALONE, MIXED + ALONE).value - metric(WHOLE, MIXED).value
            splits = _share(metric, ((WHOLE, LARGE), (WHOLE, SMALL)))
            merges = _share(metric, ((LARGE, WHOLE), (SMALL, WHOLE)))
    except cs.ClusterscoreError:
        return None
    return Sight(abs(more) > NEAR, splits, merges)


def _share(metric: cs.Metric, cases: Sequence[tuple[list[int], list[int]]]) -> float | None:
    large, small = (abs(metric(gold, gold).value - metric(gold, pred).value) for gold, pred in cases)
    sign = -1 if metric.smaller_is_better else 1
    if any(sign * metric(gold, pred).value > sign * metric(gold, gold).value + NEAR for gold, pred in cases):
        return None
    return large / (large + small) if large + small > NEAR else None


@cache
def verdicts() -> cs.constraints.Matrix:
    """Every measure that can be searched, under the constraints of the literature and all properties."""
    kinds = [kind() for kind in cs.registered() if not_in_cases(kind()) is None]
    return cs.constraints.matrix(kinds, [*FORMAL, *PROPERTIES], largest=LARGEST)


def decision_page(kinds: Iterable[type[cs.Metric]]) -> str:
    """What a measure sees, and which constraints of the literature it satisfies: a row per measure."""
    rows = []
    for kind in sorted(kinds, key=lambda kind: GROUPS.index(kind.group)):
        seen = sight(kind())
        chance = _marks(kind, [constraint for constraint in PROPERTIES if constraint.name == "constant_baseline"])
        shares = ["-"] * 3 if seen is None else ["yes" if seen.singletons else "no", *map(percent, seen[1:])]
        rows.append([link(kind.name), kind.group, *chance, *shares, *_marks(kind, FORMAL)])
    columns = ["Measure", "Counts", "Chance", "Singletons", "Splits", "Merges", *map(_linked, FORMAL)]
    return "\n".join([
        "# Which measure?",
        "",
        "What each measure sees, and which constraints it satisfies. Everything in this table is computed when the",
        "page is built, from the measures with their default options. If you just want a recommendation, see",
        "[Choosing a measure](../choosing.md).",
        "",
        "## How to read it",
        "",
        "- **Counts**: what the score is added up from.",
        "- **Chance**: yes, if random predictions get the same score on average, whatever the sizes of their clusters.",
        "  You need this to compare predictions with different numbers of clusters.",
        "- **Singletons**: yes, if correct singletons affect the score. Measures of links do not see them.",
        "- **Splits**: does the measure care about large clusters or about small ones? Gold has one cluster of 16",
        "  elements and eight clusters of two. One prediction cuts the large cluster in half, another one cuts all",
        "  eight small ones. The number is the share of the large cluster in the sum of both losses: 11% if every",
        "  cluster counts the same, 50% if every element does, 89% if every pair of elements does. A dash means that",
        "  the measure does not see splits, or prefers them to gold.",
        "- **Merges**: the same with gold and the prediction exchanged, so that halves are merged.",
        "- The other columns are [constraints](../constraints.md): yes, if the constraint holds in all cases that were",
        "  tried; tie, if the measure sees no difference in some case; no, if it is violated. The smallest cases are",
        "  drawn below.",
        "- A dash also means that the question does not apply: the measure needs an order of the elements, mentions or",
        "  turns of speakers, or there is no score of 0 to reach because smaller is better.",
        "",
        "[Properties](properties.md) compares the measures as a whole: symmetry, distances, monotonicity.",
        "",
        "## All measures",
        "",
        "{.which}",
        table(columns, rows),
        "",
        *_wrong_cases(FORMAL),
    ])  # fmt: skip


def properties_page(kinds: Iterable[type[cs.Metric]]) -> str:
    """What each measure is good for: a row per measure, a column per property, and the cases that break them."""
    rows = [[link(kind.name), *_marks(kind, PROPERTIES)] for kind in kinds]
    return "\n".join([
        "# Properties",
        "",
        "What each measure is good for, found by search. All pairs of clusterings of 2 to",
        f"{LARGEST} elements are scored; the smallest case that breaks a property is shown below.",
        "",
        f"- yes: {no_counterexample(LARGEST)}. That is no proof.",
        "- tie: never the wrong way round, but equal in some case.",
        "- no: violated. That is certain, because there is a counterexample.",
        "- `-`: does not apply. The property is about pairs of elements and the measure is not, or the measure needs",
        "  more than two clusterings: an order of the elements, mentions, or turns of speakers.",
        "",
        "{.which}",
        table(["Measure", *map(_linked, PROPERTIES)], rows),
        "",
        "Measures have their default options here. `clusterscore constraints` with `-c properties` checks others, such",
        "as `nmi(mean=max)`, and [your own](../constraints.md). `clusterscore metrics --satisfying",
        "constant-baseline,monotonicity` lists the measures that have both properties, as",
        '`cs.constraints.satisfying("constant_baseline", "monotonicity")` does. [Which measure?](which.md) shows what',
        "each measure sees.",
        "",
        "The definitions are those of Gösgens, Tikhonov & Prokhorenkova 2021, Systematic analysis of cluster",
        "similarity indices: how to validate validation measures, ICML",
        "([arXiv:1911.04773](https://arxiv.org/abs/1911.04773)).",
        "",
        *_wrong_cases(PROPERTIES),
    ])  # fmt: skip


def percent(share: float | None) -> str:
    """A share as people read it."""
    return "-" if share is None else f"{100 * share:.0f}%"


def _marks(kind: type[cs.Metric], constraints: Sequence[Constraint]) -> list[str]:
    if kind.name not in verdicts():
        return ["-"] * len(constraints)
    return [MARKS[verdicts()[kind.name][constraint.name].outcome] for constraint in constraints]


def _wrong_cases(constraints: Iterable[Constraint]) -> list[str]:
    """A section per constraint: each case that measures get wrong is drawn once, the most frequent one first."""
    lines = []
    for constraint in constraints:
        cases: dict[str, list[Verdict]] = {}
        for row in verdicts().values():
            if (case := row[constraint.name].counterexample) is not None:
                cases.setdefault(_drawing(case), []).append(row[constraint.name])
        lines += [f"## {_title(constraint)}", "", plain(constraint.statement), ""]
        lines += [f"Tried on: {plain(constraint.family)}.", ""]
        for drawing, failing in sorted(cases.items(), key=lambda item: -len(item[1])):
            lines += [drawing, "", _failing(failing), ""]
    return lines


def _is_ranked(case: Counterexample) -> bool:
    """Whether it has a prediction that is better than another."""
    return bool(case.gold) and "the better" in case.description


def _drawing(case: Counterexample) -> str:
    """The case as a picture; numbers of pairs are no clusterings, and have none."""
    names = ("gold", "worse", "better") if _is_ranked(case) else ("gold", "predicted", "third")
    sides = dict(zip(names, (case.gold, case.worse, case.better), strict=True))
    return drawings.written({name: side for name, side in sides.items() if side}) if case.gold else ""


def _failing(measures: Sequence[Verdict]) -> str:
    """The measures that get a case wrong, with their scores."""
    cases = [(verdict, verdict.counterexample) for verdict in measures if verdict.counterexample is not None]
    if not _is_ranked(cases[0][1]):
        return table(["Measure", "Why"], [[link(verdict.metric), plain(str(case))] for verdict, case in cases])
    wrong = [
        f"{link(verdict.metric)} ({case.worse_score:.4f} and {case.better_score:.4f})"
        for verdict, case in cases
        if verdict.violations
    ]
    tied = [f"{link(verdict.metric)} ({case.worse_score:.4f})" for verdict, case in cases if not verdict.violations]
    listed = {"The wrong way round (worse and better)": wrong, "No difference": tied}
    return "\n\n".join(f"{words}: {', '.join(names)}." for words, names in listed.items() if names)


def _title(constraint: Constraint) -> str:
    return constraint.name.replace("_", " ").capitalize()


def _linked(constraint: Constraint) -> str:
    return f"[{_title(constraint)}](#{constraint.name.replace('_', '-')})"
