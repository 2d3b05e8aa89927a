"""alphaMax-BCubed, reproduced: the made-up data of its tables, its claims, and k-means on five blobs.

What the paper prints in the cells of its Tables 1 to 3 is not recorded with this project, so the rows of those tables
hold our numbers alone. ``PRINTED`` is where printed ones go: they are then compared, and a difference is told.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from math import factorial
from pathlib import Path
from typing import NamedTuple

import numpy as np

import clusterscore as cs
from reproduce.alphamax_blobs import blobs
from reproduce.result import Floats, Ints, Part, Result, Row, every_pair, joined, row, sampled

TITLE = (
    "alphaMax-B-CUBED: A Supervised Metric for Addressing Completeness and Uncertainty in Cluster Evaluation "
    "(anonymous; OpenReview oyFCgkkLUK)"
)
TABLE_1, TABLES_2_3, READINGS = "X Table 1", "X Tables 2, 3", "X Eqs. 5-8"
PRINTED: Mapping[tuple[str, str], str] = {}  # (section, quantity) of a row -> what the paper prints there

LABELS = 10
ELEMENTS = factorial(8)  # of each label: one to eight equal parts
PARTS = range(1, 9)
NOISE, NOISY_PARTS = (0.1, 0.3, 0.5), (1, 2, 4, 8)
SEEDS = 20
MERGED = ((3, 1, 2), (LABELS, 1, 2), (LABELS, 1, 4), (LABELS, 2, 4), (LABELS, 4, 8))  # K, n1, n2
RISK = 0.01  # that any of the noisy cells, printed from one run of the paper's, falls outside by chance

PLAIN, ALPHAMAX = "bcubed(f=of-means)", "alphamax_bcubed"
READING = {reading: f"{ALPHAMAX}(reading={reading})" for reading in ("own", "majority")}  # ours is marginal


def reproduce(data: Path | None = None) -> Result:
    """Tables 1 to 3, the claims, and Figures 1 to 3; no data is needed."""
    skipped = [] if PRINTED else [
        "the comparison with the cells that Tables 1 to 3 print: they are not recorded with this project; "
        "their data is, but which noise levels and pairs of merged sets they show is our choice"
    ]  # fmt: skip
    rows = [*_noise_free(), *_noisy(), *_merged(), *_claims(), *_below_bcubed()]
    return joined("alphamax", TITLE, [Part(rows, skipped=skipped), blobs()])


# The data, as counts ---------------------------------------------------------------------------------


class Cells(NamedTuple):
    """How many elements of a label lie in a cluster; the same two may come more than once."""

    label: Ints
    cluster: Ints
    n: Ints

    def table(self) -> cs.Table:
        """The counts, ready to be scored."""
        return cs.Table.from_cells(self.label, self.cluster, self.n)


def split(parts: int, labels: int = LABELS, elements: int = ELEMENTS) -> Cells:
    """Every label cut into parts, each a cluster: number label * parts + part.

    >>> split(2, labels=3, elements=10)
    Cells(label=array([0, 0, 1, 1, 2, 2]), cluster=array([0, 1, 2, 3, 4, 5]), n=array([5, 5, 5, 5, 5, 5]))
    """
    ends = elements * np.arange(parts + 1) // parts
    return Cells(np.repeat(np.arange(labels), parts), np.arange(labels * parts), np.tile(np.diff(ends), labels))


def merged(first: int, second: int, labels: int = LABELS, elements: int = ELEMENTS) -> Cells:
    """Two split sets as one. Both number their clusters from 0, so that clusters of one fall together with the other's.

    The labels of the first set are shifted by ``second - first``.
    """
    one, two = split(first, labels, elements), split(second, labels, elements)
    one = one._replace(label=one.label + (second - first))
    return Cells(*(np.concatenate(both) for both in zip(one, two, strict=True)))


def noisy(cells: Cells, noise: float, rng: np.random.Generator, labels: int = LABELS) -> Cells:
    """Each element's label replaced, with probability ``noise``, by one drawn evenly from all of them.

    Elements of a cell are alike and drawn independently, so what becomes of a cell is one multinomial draw: the same
    distribution as that of 403,200 labels drawn one by one, at a thousandth of the work.
    """
    chances = np.full((len(cells.n), labels), noise / labels)
    chances[np.arange(len(cells.n)), cells.label] += 1 - noise
    drawn = rng.multinomial(cells.n, chances)
    return Cells(np.tile(np.arange(labels), len(cells.n)), np.repeat(cells.cluster, labels), drawn.ravel())


def stacked(draws: list[Cells]) -> cs.Table:
    """Many draws as the documents of one table, to be scored in one pass."""
    document = np.repeat(np.arange(len(draws)), [len(draw.n) for draw in draws])
    return cs.Table.from_cells(*(np.concatenate(column) for column in zip(*draws, strict=True)), document=document)


# Tables 1 to 3 ---------------------------------------------------------------------------------------


def _noise_free() -> Iterator[Row]:
    """Table 1 without noise: the scores are exact, whatever the number of elements."""
    for n in PARTS:
        yield from _exact_rows(TABLE_1, f"n={n}, q=0", split(n).table())


def _merged() -> Iterator[Row]:
    """Tables 2 and 3 without noise: two sets whose cluster numbers collide, where the readings of Eqs. 5-8 part."""
    note = "another reading of Eqs. 5-8; marginal, our default, is the one recorded as giving the tables"
    for labels, first, second in MERGED:
        what, table = f"K={labels}, ({first}, {second})", merged(first, second, labels).table()
        yield from _exact_rows(TABLES_2_3, what, table)
        for reading, metric in READING.items():
            yield _row(TABLES_2_3, f"{what}: F, {reading}", cs.metric(metric)(table).value, note)


def _exact_rows(section: str, what: str, table: cs.Table) -> Iterator[Row]:
    score, plain = cs.score(table, metrics=[ALPHAMAX, PLAIN]).values()
    note = f"P {score.precision:.4f}, R {score.recall:.4f}; BCubed {plain.f:.4f}"
    yield _row(section, f"{what}: F", score.value, note)
    yield _row(section, f"{what}: alpha_hat", score.alpha_hat)


def _row(section: str, quantity: str, computed: float, note: str = "") -> Row:
    return row(section, quantity, PRINTED.get((section, quantity)), computed, note)


def _noisy() -> Iterator[Row]:
    """Table 1 with noise: a printed number is one more run, and differs from ours no more than such runs do."""
    for n in NOISY_PARTS:
        for noise in NOISE:
            table = stacked([noisy(split(n), noise, np.random.default_rng([n, seed])) for seed in range(SEEDS)])
            found = cs.score(table, metrics=ALPHAMAX).documents
            for name, runs in (("F", found[ALPHAMAX]), ("alpha_hat", found[f"{ALPHAMAX}.alpha_hat"])):
                quantity, deviation = f"n={n}, q={noise:g}: {name}", float(runs.std(ddof=1))
                reach, printed = _reach(len(runs)) * deviation, PRINTED.get((TABLE_1, quantity))
                note = f"{len(runs)} seeds, deviation {deviation:.2g}"
                note += "" if printed else f"; another run lies within {reach:.2g}"
                yield sampled(TABLE_1, quantity, printed, float(runs.mean()), reach, note)


@cache
def _reach(runs: int) -> float:
    """Deviations from the mean of the runs within which one more run lies: Student's prediction interval.

    The risk is shared by all noisy cells, so that all of them together pass by chance but once in a hundred times.
    """
    from scipy.special import stdtrit

    cells = 2 * len(NOISY_PARTS) * len(NOISE)
    return float(stdtrit(runs - 1, 1 - RISK / cells / 2) * (1 + 1 / runs) ** 0.5)


# Claims ----------------------------------------------------------------------------------------------


def _claims() -> Iterator[Row]:
    halves, uneven = ["AAAABBBB", "00112233"], ["AAAB", "0011"]
    one, plain = _fraction(halves, "alphamax(alpha=1)"), _fraction(halves, PLAIN)
    by_label, unweighted = _fraction(uneven, "alphamax(delta=0)"), _fraction(uneven, ALPHAMAX)
    by_element = _fraction(uneven, "alphamax(delta=0, delta_norm=element)")
    gold, _, found = _scored(5, "alphamax(alpha=0)")
    differ = int((found["alphamax_bcubed(alpha=0)"] != found[PLAIN]).sum())
    yield row("X Sec. 6", "F at 1 - alpha = 0", "BCubed",
              "BCubed" if one == plain else f"{one}, where BCubed is {plain}",
              "two labels, each split in two halves; it is alpha = 0 that gives BCubed", known=False)  # fmt: skip
    yield row("X Sec. 6", "alpha = 0: pairs of clusterings of 5 elements where F is not BCubed's", None, differ,
              f"of all {len(gold):,}, to the last bit")  # fmt: skip
    yield row("X Eq. 9", "F at delta = 0", "unweighted",
              "unweighted" if by_label == unweighted else f"{by_label}, unweighted is {unweighted}",
              "AA|AB; as printed, the weights are a macro average over labels", known=False)  # fmt: skip
    yield row("X Eq. 9", "F at delta = 0, weights normalised over elements", None, by_element,
              f"AA|AB; {by_element}, the unweighted score")  # fmt: skip


def _below_bcubed() -> Iterator[Row]:
    """The smallest cases in which the score that forgives is below the one that does not."""
    for reading, metric in {"marginal": ALPHAMAX, **READING}.items():
        quantity = f"fewest elements where F falls below BCubed, {reading}"
        for elements in range(1, 7):
            gold, pred, found = _scored(elements, metric)
            score, plain = found[metric], found[PLAIN]
            below = np.flatnonzero(score < plain - 1e-12)
            if len(below):
                k = int(below[0])
                case = f"{_written(gold[k], 'A')} against {_written(pred[k], 'a')}"
                yield row(READINGS, quantity, None, elements, f"{case}: {score[k]:.4f}, BCubed {plain[k]:.4f}")
                break
        else:
            yield row(READINGS, quantity, None, "none up to 6")


def _scored(elements: int, metric: str) -> tuple[Ints, Ints, Mapping[str, Floats]]:
    """All clusterings of some elements against all, and their scores beside those of BCubed."""
    gold, pred, documents = every_pair(elements)
    return gold, pred, cs.score(gold.ravel(), pred.ravel(), metrics=[metric, PLAIN], documents=documents).documents


def _written(labels: Ints, first: str) -> str:
    return "".join(chr(ord(first) + label) for label in labels.tolist())


def _fraction(sides: list[str], metric: str) -> Fraction:
    return Fraction(cs.metric(metric)(*map(list, sides)).value).limit_denominator(1000)
