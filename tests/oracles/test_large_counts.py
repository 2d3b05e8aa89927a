"""Every metric on tables of up to 2**52 elements, against the same definitions with 150 digits."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal

import from_counts as oracle
import numpy as np
import pytest
from from_counts import Cells
from hypothesis import given, settings
from hypothesis import strategies as st

import clusterscore as cs
from clusterscore.count.fetched import Fetched
from clusterscore.count.rows import Rows
from variants import COUNTED

NEAR = 1e-14
METRICS = [metric for metric in COUNTED if not metric.wants_weights]
INFORMATION = [cs.metric(name) for name in (
    "nmi", "nmi(mean=geometric)", "nmi(mean=min)", "nmi(mean=max)", "v_measure", "v_measure(beta=2)", "homogeneity",
    "completeness", "mutual_information", "variation_of_information",
)]  # fmt: skip
ABOVE_CHANCE = (
    "ami",
    "fuzzy_rand",
    "goodman_kruskal_tau",
    "reduced_mi",
    "normalized_clustering_accuracy",
    "normalized_pivoted_accuracy",
    "pair_sets_index",
)
ADJUSTED = [
    metric
    for metric in METRICS
    if getattr(metric, "adjusted", False)
    or metric.name in ABOVE_CHANCE
    or "(weights=class)" in str(metric)
    or "(model=" in str(metric)
]

SIZES = [12, 100, 10**4, 10**6, 10**8, 10**12, 2**52]
SHAPES: dict[str, Callable[[int], Cells]] = {
    "one giant": lambda size: {(0, 0): size - 2, (0, 1): 1, (1, 0): 1},
    "a giant and a few": lambda size: {(0, 0): size - 7, (0, 1): 1, (1, 0): 2, (2, 2): 2, (1, 1): 1, (3, 1): 1},
    "the same giant": lambda size: {(0, 0): size - 3, (1, 1): 2, (2, 1): 1},
    "one cluster": lambda size: {(0, 0): size - 1, (0, 1): 1},
    "identical": lambda size: {(0, 0): size - 1, (1, 1): 1},
    "two halves": lambda size: {(0, 0): size // 2 - 1, (0, 1): 1, (1, 0): 1, (1, 1): size - size // 2 - 1},
    "almost identical": lambda size: {(0, 0): size // 2, (1, 1): size - size // 2 - 1, (1, 2): 1},
    "almost independent": lambda size: {(0, 0): size // 4 + 1, (0, 1): size // 4, (1, 0): size // 4, (1, 1): size // 4},
    "independent": lambda size: {(0, 0): size // 4, (0, 1): size // 4, (1, 0): size // 4, (1, 1): size // 4},
    "uneven": lambda size: {
        (0, 0): size // 2 + 1, (0, 1): size // 4, (1, 0): size // 8 + 1, (1, 2): 3, (2, 2): 7, (3, 1): 1, (3, 3): 1,
    },
    "a giant and singletons": lambda size: {(0, 0): size, **{(k, k if k % 3 else 0): 1 for k in range(1, 31)}},
}  # fmt: skip


def table_of(cells: Cells) -> cs.Table:
    return cs.Table.from_cells([i for i, _ in cells], [j for _, j in cells], list(cells.values()))


def check(metric: cs.Metric, score: cs.Score, cells: Cells) -> None:
    """Relative to the value; relative to 1 where it is a difference from what chance gives."""
    try:
        expected = oracle.score(metric, cells)
    except oracle.TooLarge:
        return
    for name, exact in expected.items():
        number = getattr(score, name)
        scale = max(abs(exact), Decimal(1)) if metric in ADJUSTED else abs(exact)
        assert abs(Decimal(number) - exact) <= Decimal(NEAR) * scale, (str(metric), name, number, float(exact))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("shape", SHAPES)
def test_every_metric(shape: str, size: int) -> None:
    cells = SHAPES[shape](size)
    table = table_of(cells)
    for metric in METRICS:
        if metric.name != "ami" or size <= 10**4 or "giant" in shape:  # else its own sum takes too long in 150 digits
            check(metric, metric.score(table), cells)


@settings(max_examples=50, deadline=None, derandomize=True, database=None)
@given(
    st.dictionaries(
        st.tuples(st.integers(0, 3), st.integers(0, 3)),
        st.tuples(st.integers(0, 48), st.integers(0, 5)).map(lambda drawn: 2 ** drawn[0] + drawn[1]),
        min_size=1,
        max_size=10,
    )
)
def test_sizes_of_any_magnitude(cells: Cells) -> None:
    table = table_of(cells)
    for metric in [*INFORMATION, *ADJUSTED]:
        if metric.name not in ("ami", "reduced_mi"):  # whose search takes long in so many digits
            check(metric, metric.score(table), cells)


def test_thousands_of_different_cells() -> None:
    cells = {(k // 3, k % 701): 2 ** (k % 37) + k for k in range(1100)}
    table = table_of(cells)
    for metric in {*(metric for metric in COUNTED if str(metric) == metric.name), *INFORMATION} - set(ADJUSTED):
        check(metric, metric.score(table), cells)


@pytest.mark.parametrize("size", [10**6, 10**12, 2**52])
def test_documents_of_every_size(size: int) -> None:
    documents = [SHAPES[shape](size // 16) for shape in list(SHAPES)[:6]] + [SHAPES["uneven"](100)]
    joint = {((d, i), (d, j)): n for d, cells in enumerate(documents) for (i, j), n in cells.items()}
    table = cs.Table.from_cells(
        [i for i, _ in joint], [j for _, j in joint], list(joint.values()), document=[i[0] for i, _ in joint]
    )
    for metric in [*INFORMATION, cs.metric("elm(adjusted=true)"), cs.metric("bcubed(adjusted=true)")]:
        check(metric, metric.score(table), joint)
        values = metric.values(table)
        for row, cells in enumerate(documents):
            check(metric, values.score("", row=row), cells)


@pytest.mark.parametrize("shape", SHAPES)
def test_rows_of_an_engine(shape: str) -> None:
    """Distinct (n, a, b) with their number are all that is needed, and give the same."""
    cells = SHAPES[shape](2**52)
    rows = oracle.Counts(cells).rows
    n, a, b = (np.array(column) for column in zip(*rows, strict=True))
    merged = cs.Table(Fetched(Rows(None, n, a, b, np.array(list(rows.values())), None), {}))
    for metric in INFORMATION:
        check(metric, metric.score(merged), cells)


@pytest.mark.parametrize("size", [10**6, 10**8, 10**12])
def test_ami_of_large_halves(size: int) -> None:
    """Two halves are expected to share 1/(2N) nats, and no more than 1/N**2 beside: the next term of the series."""
    more = math.isqrt(size)
    quarter = size // 4
    cells = {(0, 0): quarter + more, (0, 1): quarter - more, (1, 0): quarter - more, (1, 1): quarter + more}
    shared = oracle.score(cs.metric("mutual_information"), cells)["value"]
    chance = 1 / Decimal(2 * size)
    exact = (shared - chance) / (Decimal(2).ln() - chance)
    assert abs(Decimal(cs.ami(table_of(cells)).value) - exact) <= 2 / Decimal(size) ** 2 + Decimal(NEAR)


def test_what_is_0_or_1_on_paper_is_so_to_the_last_bit() -> None:
    for size in SIZES:
        for metric in INFORMATION:
            independent = metric.score(table_of(SHAPES["independent"](size))).value
            identical = metric.score(table_of(SHAPES["identical"](size))).value
            if metric.name == "variation_of_information":
                assert identical == 0
            else:
                assert independent == 0
                assert identical == 1 or metric.name == "mutual_information"


@pytest.mark.parametrize("size", [10**3, 10**6])
def test_documents_added_up(size: int) -> None:
    """Sums of sums: how much it says which document an element is in is then a difference, known to fewer digits."""
    cells = [{cell: n * k for cell, n in SHAPES["uneven"](size).items()} for k in (1, 2, 5)]
    seen = cs.Accumulator(INFORMATION)
    for part in cells:
        seen.update(table_of(part))
    joint = {((d, i), (d, j)): n for d, part in enumerate(cells) for (i, j), n in part.items()}
    for metric in INFORMATION:
        value, exact = seen.result()[str(metric)].value, float(oracle.score(metric, joint)["value"])
        assert value == pytest.approx(exact, rel=1e-12, abs=0)
