"""alphaMax-BCubed, reproduced: the made-up data of its tables, its claims, and k-means on five blobs.

What the paper prints in the cells of its Tables 1 to 3 is not recorded with this project, so the rows of those tables
hold our numbers alone. ``PRINTED`` is where printed ones go: they are then compared, and a difference is told.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from clusterscore.count.sums import Floats
from clusterscore.count.table import Table
from clusterscore.distinct import Ints
from clusterscore.metrics import AlphaMaxBCubed, BCubed
from clusterscore.metrics.metric import Metric
from clusterscore.papers.alphamax_blobs import blobs
from clusterscore.papers.alphamax_sets import LABELS, Cells, merged, noisy, split, stacked
from clusterscore.papers.result import Result, Row, row, within

TITLE = (
    "alphaMax-B-CUBED: A Supervised Metric for Addressing Completeness and Uncertainty in Cluster Evaluation "
    "(anonymous; OpenReview oyFCgkkLUK)"
)
TABLE_1, TABLES_2_3, READINGS = "X Table 1", "X Tables 2, 3", "X Eqs. 5-8"
PRINTED: Mapping[tuple[str, str], str] = {}  # (section, quantity) of a row -> what the paper prints there

PARTS = range(1, 9)
NOISE, NOISY_PARTS = (0.1, 0.3, 0.5), (1, 2, 4, 8)
SEEDS = 20
MERGED = ((3, 1, 2), (LABELS, 1, 2), (LABELS, 1, 4), (LABELS, 2, 4), (LABELS, 4, 8))  # K, n1, n2
RISK = 0.01  # that any of the noisy cells, printed from one run of the paper's, falls outside by chance

PLAIN = BCubed(f="of-means")
ALPHAMAX = {reading: AlphaMaxBCubed(reading=reading) for reading in ("marginal", "own", "majority")}
USUAL = ALPHAMAX["marginal"]


def reproduce(data: Path | None = None) -> Result:
    """Tables 1 to 3, the claims, and Figures 1 to 3; no data is needed."""
    figures = blobs()
    rows = [*_noise_free(), *_noisy(), *_merged(), *_claims(), *_below_bcubed(), *figures.rows]
    skipped = [] if PRINTED else [
        "the comparison with the cells that Tables 1 to 3 print: they are not recorded with this project; "
        "their data is, but which noise levels and pairs of merged sets they show is our choice"
    ]  # fmt: skip
    return Result("alphamax", TITLE, rows, figures.figures, [*skipped, *figures.skipped])


# Tables 1 to 3 ---------------------------------------------------------------------------------------


def _noise_free() -> list[Row]:
    """Table 1 without noise: the scores are exact, whatever the number of elements."""
    return [each for n in PARTS for each in _exact_rows(TABLE_1, f"n={n}, q=0", split(n))]


def _merged() -> list[Row]:
    """Tables 2 and 3 without noise: two sets whose cluster numbers collide, where the readings of Eqs. 5-8 part."""
    found = []
    for labels, first, second in MERGED:
        cells = merged(first, second, labels)
        found += _exact_rows(TABLES_2_3, f"K={labels}, ({first}, {second})", cells)
        for reading in ("own", "majority"):
            note = "another reading of Eqs. 5-8; marginal, our default, is the one recorded as giving the tables"
            score = ALPHAMAX[reading](cells.table())
            found.append(_row(TABLES_2_3, f"K={labels}, ({first}, {second}): F, {reading}", score.value, note))
    return found


def _exact_rows(section: str, what: str, cells: Cells) -> list[Row]:
    table = cells.table()
    score, plain = USUAL(table), PLAIN(table)
    return [
        _row(
            section, f"{what}: F", score.value, f"P {score.precision:.4f}, R {score.recall:.4f}; BCubed {plain.f:.4f}"
        ),
        _row(section, f"{what}: alpha_hat", score.alpha_hat),
    ]


def _row(section: str, quantity: str, computed: float, note: str = "") -> Row:
    return row(section, quantity, PRINTED.get((section, quantity)), computed, note)


def _noisy() -> list[Row]:
    """Table 1 with noise, over several seeds."""
    found = []
    for n in NOISY_PARTS:
        for noise in NOISE:
            table = stacked([noisy(split(n), noise, np.random.default_rng([n, seed])) for seed in range(SEEDS)])
            values = USUAL.finish(USUAL.parts(table))
            for quantity, runs in (("F", values.value), ("alpha_hat", values.extras["alpha_hat"])):
                found.append(_sampled_row(TABLE_1, f"n={n}, q={noise:g}: {quantity}", runs))
    return found


def _sampled_row(section: str, quantity: str, runs: Floats) -> Row:
    """The mean of our runs; a printed number is one more run, and may differ from it as far as such a run does."""
    computed, deviation = float(runs.mean()), float(runs.std(ddof=1))
    reach = _reach(len(runs)) * deviation
    note = f"{len(runs)} seeds, deviation {deviation:.2g}"
    printed = PRINTED.get((section, quantity))
    if printed is not None:
        return within(section, quantity, printed, computed, reach, note)
    return row(section, quantity, None, computed, f"{note}; another run lies within {reach:.2g}")


@cache
def _reach(runs: int) -> float:
    """Deviations from the mean of the runs within which one more run lies: Student's prediction interval.

    The risk is shared by all noisy cells, so that all of them together pass by chance but once in a hundred times.
    """
    from scipy.special import stdtrit

    cells = 2 * len(NOISY_PARTS) * len(NOISE)
    return float(stdtrit(runs - 1, 1 - RISK / cells / 2) * (1 + 1 / runs) ** 0.5)


# Claims ----------------------------------------------------------------------------------------------


def _claims() -> list[Row]:
    halves = [list("AAAABBBB"), [0, 0, 1, 1, 2, 2, 3, 3]]
    uneven = [list("AAAB"), [0, 0, 1, 1]]
    one, plain = AlphaMaxBCubed(alpha=1)(*halves).value, PLAIN(*halves).value
    by_label, unweighted = AlphaMaxBCubed(delta=0)(*uneven).value, USUAL(*uneven).value
    by_element = AlphaMaxBCubed(delta=0, delta_norm="element")(*uneven).value
    pairs = _pairs(5)
    differ = int((_values(AlphaMaxBCubed(alpha=0), pairs.table) != _values(PLAIN, pairs.table)).sum())
    return [
        row("X Sec. 6", "F at 1 - alpha = 0", "BCubed",
            "BCubed" if one == plain else f"{_fraction(one)}, where BCubed is {_fraction(plain)}",
            "two labels, each split in two halves; it is alpha = 0 that gives BCubed", known=False),
        row("X Sec. 6", "alpha = 0: pairs of clusterings of 5 elements where F is not BCubed's", None, differ,
            f"of all {len(pairs.gold):,}, to the last bit"),
        row("X Eq. 9", "F at delta = 0", "unweighted",
            "unweighted" if by_label == unweighted else f"{_fraction(by_label)}, unweighted is {_fraction(unweighted)}",
            "AA|AB; as printed, the weights are a macro average over labels", known=False),
        row("X Eq. 9", "F at delta = 0, weights normalised over elements", None, by_element,
            f"AA|AB; {_fraction(by_element)}, the unweighted score"),
    ]  # fmt: skip


def _below_bcubed() -> list[Row]:
    """The smallest cases in which the score that forgives is below the one that does not."""
    return [_first_below(reading, metric) for reading, metric in ALPHAMAX.items()]


def _first_below(reading: str, metric: Metric) -> Row:
    quantity = f"fewest elements where F falls below BCubed, {reading}"
    for elements in range(1, 7):
        pairs = _pairs(elements)
        score, plain = _values(metric, pairs.table), _values(PLAIN, pairs.table)
        below = np.flatnonzero(score < plain - 1e-12)
        if len(below):
            k = int(below[0])
            case = f"{_written(pairs.gold[k], 'A')} against {_written(pairs.pred[k], 'a')}"
            return row(READINGS, quantity, None, elements, f"{case}: {score[k]:.4f}, BCubed {plain[k]:.4f}")
    return row(READINGS, quantity, None, "none up to 6")


class _Pairs(NamedTuple):
    """All clusterings of some elements against all; each pair is a document of the table."""

    gold: Ints
    pred: Ints
    table: Table


@cache
def _pairs(elements: int) -> _Pairs:
    found = [[0]]
    for _ in range(elements - 1):
        found = [[*labels, k] for labels in found for k in range(max(labels) + 2)]
    clusterings = np.array(found)
    gold, pred = np.repeat(clusterings, len(found), axis=0), np.tile(clusterings, (len(found), 1))
    document = np.repeat(np.arange(len(gold)), elements)
    return _Pairs(gold, pred, Table.from_labels(gold.ravel(), pred.ravel(), documents=document))


def _values(metric: Metric, table: Table) -> Floats:
    return metric.finish(metric.parts(table)).value


def _written(labels: Ints, first: str) -> str:
    return "".join(chr(ord(first) + label) for label in labels.tolist())


def _fraction(value: float) -> str:
    return str(Fraction(value).limit_denominator(1000))
