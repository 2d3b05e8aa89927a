"""BLANC: the links of Table 1, the formulas of Table 2, and every boundary case of Sec. 2.2.

The paper prints formulas and rules, and a number only where a rule is a number (100, or 0). The scorer that its
authors gave to the field prints a number for every case, cut off after two decimals: these are the other numbers here.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import numpy as np

import clusterscore as cs
from clusterscore.progress import step
from reproduce.result import Result, Row, every_pair, row

TITLE = "Recasens & Hovy 2010, BLANC: Implementing the Rand index for coreference evaluation"


class Case(NamedTuple):
    """A gold and a predicted clustering, written abc|de, and what was printed of them."""

    name: str  # the rule of Sec. 2.2 that it falls under
    gold: str
    pred: str
    scorer: str  # P, R and F as the reference scorer 8.01 prints them
    says: str = ""  # what the rule says is equal to ``printed``
    printed: str | None = None
    note: str = ""


ALL, UNLINKED, LINKED = "BLANC-P, BLANC-R, BLANC", "P_n, R_n, F_n", "P_c, R_c, F_c"

CASES = (
    Case("1a", "abcd", "abcd", "100 100 100", ALL, "100"),
    Case("1b", "a|b|c|d", "abcd", "0 0 0", ALL, "0"),
    Case("1c", "ab|cd", "abcd", "16.66 50 25", UNLINKED, "0", "printed as P_n, R_n and R_n"),
    Case("1c, second", "abc|d|e", "abcde", "15 50 23.07", UNLINKED, "0"),
    Case("2a", "a|b|c|d", "a|b|c|d", "100 100 100", ALL, "100"),
    Case("2b", "abcd", "a|b|c|d", "0 0 0", ALL, "0"),
    Case("2c", "ab|cd", "a|b|c|d", "33.33 50 40", LINKED, "0"),
    Case("2c, second", "a|bc|def", "a|b|c|d|e|f", "36.66 50 42.3", LINKED, "0"),
    Case("3a", "ab|cd", "ac|b|d", "30 37.5 33.33", LINKED, "0"),
    Case("3a, second", "ab|cd", "ac|bd", "25 25 25", LINKED, "0"),
    Case("3b", "abc|def", "abcdef", "20 50 28.57", UNLINKED, "0", "happens only where the response is one entity"),
    Case("4a", "abcd", "ab|cd", "100 33.33 50", note="the coreferent side alone"),
    Case("4a, second", "abcdef", "ab|cde|f", "100 26.66 42.1", note="the coreferent side alone"),
    Case("4b", "a|b|c|d", "ab|c|d", "100 83.33 90.9", note="the non-coreferent side alone"),
    Case("4b, second", "a|b|c|d|e|f", "ab|cde|f", "100 73.33 84.61", note="the non-coreferent side alone"),
    Case("2c, near 2a", "ab|c|d|e", "a|b|c|d|e", "45 50 47.36", LINKED, "0"),
    Case("2c, near 2a, second", "ab|c|d|e|f|g|h|i|j", "a|b|c|d|e|f|g|h|i|j", "48.88 50 49.43", LINKED, "0"),
    Case("ordinary", "ab|cde", "abc|de", "58.33 58.33 58.33"),
    Case("1a, two mentions", "ab", "ab", "100 100 100", ALL, "100"),
    Case("2b, two mentions", "ab", "a|b", "0 0 0", ALL, "0"),
    Case("2a, two mentions", "a|b", "a|b", "100 100 100", ALL, "100"),
    Case("1a, one mention", "a", "a", "0 0 0", ALL, "100",
         "no link at all: by the words of the rule; the scorer prints 0"),
)  # fmt: skip
# mentions that one side only has: no case of the paper, but of its authors' scorer
SYSTEM_MENTIONS = (
    Case("no mention", "", "", "0 0 0"),
    Case("system mentions 1", "ab|cde", "bcx|de", "29.16 29.16 29.16"),
    Case("system mentions 2", "ab|cd", "abx|y", "16.66 25 20"),
    Case("system mentions 3", "abcdef", "ab|cxy|z", "25 6.66 10.52"),
    Case("system mentions 4", "a|b|c|d|e|f", "ab|cxy|z", "18.18 13.33 15.38"),
    Case("system mentions 5", "ab|cd", "xy|zw", "0 0 0"),
    Case("system mentions 6", "a", "a|x", "0 0 0"),
)
WEIGHED = ("2c, near 2a", "ordinary", "1c", "2c", "3a")
WEIGHTS = tuple(map(Fraction, ("0", "1/10", "1/4", "1/2", "3/4", "1")))
MENTIONS = (3, 4, 5, 6)  # for all pairs of clusterings of so many


def reproduce(data: Path | None = None) -> Result:
    """Every case of the paper; no data is needed."""
    with step("blanc"):
        rows = [*_rules(), *_links(), *_formulas(), *_scorer(), *_luo(), *_weights(), *_everywhere()]
    return Result("blanc", TITLE, rows)


def _rules() -> Iterator[Row]:
    """What the boundary rules say in numbers."""
    of_side = {UNLINKED: "blanc(weight=0)", LINKED: "blanc(weight=1)", ALL: "blanc"}
    for case in CASES:
        if case.printed is not None:
            scores = [f"{100 * value:g}" for value in _prf(case, of_side[case.says])]
            found = " ".join(dict.fromkeys(scores))  # one number where all three are equal
            yield row(f"R Sec. 2.2 rule {case.name}", f"{case.says}: {_shown(case)}", case.printed, found, case.note)


def _links() -> Iterator[Row]:
    """Table 1: right and wrong links of both kinds."""
    for case in CASES:
        links = _counts(case)
        yield row(f"R Table 1 case {case.name}", f"rc wc rn wn: {_shown(case)}", None, " ".join(map(str, links)))


def _formulas() -> Iterator[Row]:
    """Table 2: the six formulas, and the three means of them."""
    for case in CASES:
        rc, wc, rn, wn = _counts(case)
        six = " ".join([*_side(rc, wc, wn), *_side(rn, wn, wc)])
        note = f"P_c R_c F_c P_n R_n F_n = {six}" + (f"; {case.note}" if case.note and not case.says else "")
        yield row(f"R Table 2 case {case.name}", f"{ALL}: {_shown(case)}", None, _exact(*_prf(case, "blanc")), note)


def _scorer() -> Iterator[Row]:
    """The numbers of the reference scorer, which come with the measure though not with the paper."""
    for case in (*CASES, *SYSTEM_MENTIONS):
        found = _prf(case, "blanc(links=document)")
        cut = " ".join(map(_cut, found))
        yield row(
            f"Reference scorer {case.name}", f"{ALL}: {_shown(case)}", case.scorer, cut, f"exactly {_exact(*found)}"
        )


def _luo() -> Iterator[Row]:
    for case in (*CASES, *SYSTEM_MENTIONS[1:]):
        ours, theirs = (_prf(case, name) for name in ("blanc", "blanc(dialect=luo2014)"))
        if ours != theirs:
            note = f"{_exact(*ours)} by the rules of 2010"
            yield row(f"Luo et al. 2014 case {case.name}", f"{ALL}: {_shown(case)}", None, _exact(*theirs), note)


def _weights() -> Iterator[Row]:
    note = "the paper says that there may be a weight, and prints no formula"
    for case in sorted((case for case in CASES if case.name in WEIGHED), key=lambda case: WEIGHED.index(case.name)):
        found = ", ".join(f"{w}: {_exact(_prf(case, f'blanc(weight={float(w)})')[2])}" for w in WEIGHTS)
        yield row(f"R Sec. 2.2 weight, case {case.name}", f"BLANC by weight: {_shown(case)}", None, found, note)


def _everywhere() -> Iterator[Row]:
    """All pairs of clusterings of a few mentions, each a document of one count, where both sides have both links."""
    for size in MENTIONS:
        gold, pred, documents = every_pair(size)
        table = cs.score(gold.ravel(), pred.ravel(), metrics="blanc(links=document)", documents=documents).documents
        column = {name.rpartition(".")[2]: table[name] for name in table if "linked_" in name}
        sides = [column[f"{kind}_{side}"] for kind in ("linked", "unlinked") for side in ("gold", "pred")]
        both = np.all([side > 0 for side in sides], axis=0)
        for kind, name, rule in (("linked", "coreferent", "3a"), ("unlinked", "non-coreferent", "3b")):
            without = int((both & (column[f"{kind}_right"] == 0)).sum())
            quantity = f"{size} mentions, both kinds of links on both sides: no right {name} link"
            note = "" if without else "the second half of rule 3 adds nothing to rule 1c"
            yield row(f"R Sec. 2.2 rule {rule}", quantity, None, f"{without:,} of {int(both.sum()):,} pairs", note)


def _score(case: Case, metric: str) -> cs.Score:
    gold, pred = ([list(cluster) for cluster in side.split("|") if cluster] for side in (case.gold, case.pred))
    sides = cs.Clustering.from_clusters(gold), cs.Clustering.from_clusters(pred)
    return next(iter(cs.score(*sides, metrics=metric, missing="keep").values()))


def _prf(case: Case, metric: str) -> tuple[float, float, float]:
    found = _score(case, metric)
    return float(found.precision or 0), float(found.recall or 0), found.value


def _counts(case: Case) -> list[int]:
    links = _score(case, "blanc(links=document)").extras
    rc, rn = links["linked_right"], links["unlinked_right"]
    return [int(count) for count in (rc, links["linked_pred"] - rc, rn, links["linked_gold"] - rc)]


def _side(right: int, wrong: int, missed: int) -> Iterator[str]:
    """P, R and F of one kind of links, as Table 2 has them; a division by nothing stays one."""
    precision, recall = (Fraction(right, right + others) if right + others else None for others in (wrong, missed))
    yield from ("0/0" if value is None else str(value) for value in (precision, recall))
    yield str(2 * precision * recall / (precision + recall)) if precision and recall else "0/0"


def _exact(*values: float) -> str:
    nearest = [Fraction(value).limit_denominator(1000) for value in values]
    return " ".join(str(near) if math.isclose(near, value, rel_tol=0, abs_tol=1e-14) else repr(value)
                    for near, value in zip(nearest, values, strict=True))  # fmt: skip


def _cut(value: float) -> str:
    # as the scorer prints: digits are cut off, and what a sum lost when it was rounded is not a digit
    return f"{math.floor(round(10_000 * value, 6)) / 100:g}"


def _shown(case: Case) -> str:
    return f"{case.gold or 'nothing'} / {case.pred or 'nothing'}"
