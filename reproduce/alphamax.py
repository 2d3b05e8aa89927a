"""alphaMax-BCubed, reproduced: the made-up data of Tables 1 to 3, the claims of its text, and k-means on five blobs.

What the paper does not say of its data, and only this gives all of its cells: a noisy label is drawn evenly from all
labels, its own included, after the clusters are fixed. Of two merged sets both number their clusters from 0, so that
clusters of one fall together with those of the other, and the labels of the first are shifted by n2 - n1.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import factorial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import clusterscore as cs
from clusterscore.plot.style import COLOURS, FONT, WIDTH
from clusterscore.progress import step
from reproduce.alphamax_blobs import blobs
from reproduce.result import Figure, Floats, Ints, Part, Result, Row, joined, printed_rows, row, sampled

TITLE = (
    "alphaMax-B-CUBED: A Supervised Metric for Addressing Completeness and Uncertainty in Cluster Evaluation "
    "(anonymous; OpenReview oyFCgkkLUK)"
)
LABELS = 10
ELEMENTS = factorial(8)  # of each label: one to eight equal parts
SEEDS = 20
NOISE = {"no noise": 0.0, "25% random labels": 0.25, "50% random labels": 0.5}
B3, AUTO = cs.metric("bcubed(f=of-means)"), cs.metric("alphamax_bcubed")
ETA = ((0.2, 0.8), (0.5, 0.5), (0.6, 0.9))  # p1 and p2 of the curves in Figure 1; the paper does not state its own


def reproduce(data: Path | None = None) -> Result:
    """Tables 1 to 3, the claims, and Figures 1 to 3; no data is needed."""
    figure = Figure("alphamax-fig1", "Figure 1: eta over alpha, with its plateau between p1 and p2", _draw_eta)
    return joined("alphamax", TITLE, [Part([*_tables(), *_estimates(), *_claims()], [figure]), blobs()])


# The data, as counts ---------------------------------------------------------------------------------


class CountedCells(NamedTuple):
    """How many elements of a label lie in a cluster; the same two may come more than once."""

    label: Ints
    cluster: Ints
    n: Ints


def split(parts: int, labels: int = LABELS, elements: int = ELEMENTS) -> CountedCells:
    """Every label cut into parts, each a cluster: number label * parts + part.

    >>> split(2, labels=2, elements=10)
    CountedCells(label=array([0, 0, 1, 1]), cluster=array([0, 1, 2, 3]), n=array([5, 5, 5, 5]))
    """
    ends = elements * np.arange(parts + 1) // parts
    return CountedCells(np.repeat(np.arange(labels), parts), np.arange(labels * parts), np.tile(np.diff(ends), labels))


def noisy(cells: CountedCells, noise: float, rng: np.random.Generator, labels: int = LABELS) -> CountedCells:
    """Each element's label replaced, with probability ``noise``, by one drawn evenly from all of them.

    Elements of a cell are alike and drawn independently, so what becomes of a cell is one multinomial draw: the same
    distribution as that of 403,200 labels drawn one by one, at a thousandth of the work.
    """
    if not noise:
        return cells
    chances = np.full((len(cells.n), labels), noise / labels)
    chances[np.arange(len(cells.n)), cells.label] += 1 - noise
    drawn = rng.multinomial(cells.n, chances)
    return CountedCells(np.tile(np.arange(labels), len(cells.n)), np.repeat(cells.cluster, labels), drawn.ravel())


def cells_of(parts: Sequence[int], noise: float, seed: int, labels: int = LABELS) -> CountedCells:
    """One set, or two merged ones, with noise in each."""
    rng = np.random.default_rng([*parts, seed])
    sets = [noisy(split(n, labels), noise, rng, labels) for n in parts]
    sets[0] = sets[0]._replace(label=sets[0].label + (parts[-1] - parts[0]))
    return CountedCells(*(np.concatenate(column) for column in zip(*sets, strict=True)))


def runs_of(parts: Sequence[int], noise: float, labels: int = LABELS) -> dict[str, Floats]:
    """B3, alphaMax with its own and with the true alpha, and its alpha, of each run; one where there is no noise."""
    draws = [cells_of(parts, noise, seed, labels) for seed in range(SEEDS if noise else 1)]
    document = np.repeat(np.arange(len(draws)), [len(draw.n) for draw in draws])
    table = cs.Table.from_cells(*(np.concatenate(column) for column in zip(*draws, strict=True)), document=document)
    true = cs.metric(f"alphamax_bcubed(alpha={sum(1 / n for n in parts) / len(parts)!r})")
    scores = cs.score(table, metrics=[B3, AUTO, true]).documents
    return {
        "B3": scores[str(B3)],
        "alpha B3": scores[str(AUTO)],
        "true B3": scores[str(true)],
        "alpha": scores[f"{AUTO}.alpha_hat"],
    }


def parts_of(case: str) -> list[int]:
    """The numbers of parts that a case names: "3", or "(3,7)" where two sets are merged."""
    return [int(n) for n in case.strip("()").split(",")]


# Tables 1 to 3 ---------------------------------------------------------------------------------------


def _tables() -> Iterator[Row]:
    rows = [(table, line) for table in ("Table 1", "Table 2") for line in printed_rows("X", table)]
    with step("alphaMax: tables") as at:
        for done, (table, line) in enumerate(rows, 1):
            labels = int(line["block"].removeprefix("K=")) if line["block"].startswith("K=") else LABELS
            noise = NOISE.get(line["block"], 0.0)
            runs = runs_of(parts_of(line["N"]), noise, labels)
            for column, name in (("B3", "B3"), ("alpha B3", "alpha B3"), (list(line)[-1], "true B3")):
                quantity = f"{line['block']}, n={line['N']}: {column}"
                if noise:
                    yield sampled(f"X {table}", quantity, line[column], runs[name], f"{SEEDS} seeds, three deviations")
                else:
                    yield row(f"X {table}", quantity, line[column], float(runs[name][0]))
            at(done / len(rows))


def _estimates() -> Iterator[Row]:
    for line in printed_rows("X", "Table 3"):
        parts = parts_of(line["case"])
        real = sum(Fraction(1, n) for n in parts) / len(parts)
        yield row("X Table 3", f"{line['kind']} {line['case']}: real alpha", line["real alpha"], real)
        computed = float(runs_of(parts, 0.0)["alpha"][0])
        yield row("X Table 3", f"{line['kind']} {line['case']}: extr. alpha", line["extr. alpha"], computed)


# Claims ----------------------------------------------------------------------------------------------


def _claims() -> Iterator[Row]:
    halves, uneven = ["AAAABBBB", "00112233"], ["AAAB", "0011"]
    plain, unweighted = _fraction(halves, str(B3)), _fraction(uneven, str(AUTO))
    by_label, default = _fraction(uneven, "alphamax(delta=0)"), _fraction(uneven, "alphamax(delta=auto)")
    same = default == _fraction(uneven, "alphamax(delta=0.75)")
    yield row("X Sec. 4.1", "default delta", "(|X|-1)/|X|", "(|X|-1)/|X|" if same else str(default), "AA|AB, |X| = 4")
    yield row(
        "X Sec. 4.1",
        "F at delta = 0",
        "unweighted",
        "unweighted" if by_label == unweighted else f"{by_label}, unweighted is {unweighted}",
        "AA|AB; by Eq. 9 as printed the weights are a macro average over labels",
        known=False,
    )
    alpha = cs.alphamax_bcubed(*map(list, halves)).alpha_hat
    note = "two labels in two halves each: P(S)/P(C) = 1, R(C)/R(S) = 1/2"
    yield row("X Sec. 4", "default alpha", "min(p1,p2)", "min(p1,p2)" if alpha == 0.5 else str(alpha), note)
    for section, setting, alpha, known in (("X Sec. 6", "1 - alpha = 0", 1, False), ("X Sec. 7", "alpha = 0", 0, True)):
        score = _fraction(halves, f"alphamax(alpha={alpha})")
        computed = "B3" if score == plain else f"{score}, where B3 is {plain}"
        yield row(section, f"the score at {setting}", "B3", computed, "two labels in two halves each", known=known)
    yield row("X Sec. 5.3", "classes", "10", LABELS)
    yield row("X Sec. 5.3", "instances", "403,200", int(split(8).n.sum()), "printed as k*8!")
    clusters = [len(split(n).n) for n in range(1, 9)]
    holds = clusters == [LABELS * n for n in range(1, 9)]
    yield row("X Sec. 5.3", "clusters, n = 1..8", "k*n", "k*n" if holds else str(clusters))
    gaps = {noise: max(_gap(runs_of([n], noise)) for n in range(1, 9)) for noise in NOISE.values()}
    what = "how far alphaMax with its own alpha is from that with the true one"
    yield row("X Sec. 5.3", f"{what}, without noise", "perfect", _perfect(gaps[0.0]))
    for noise in (0.25, 0.5):
        note = '"to about four decimals"; the largest gap of all runs'
        yield row("X Sec. 5.3", f"{what}, {noise:.0%} noise", "0.0000", gaps[noise], note)
    off = max(abs(float(runs_of([n], 0.0)["alpha"][0]) - 1 / n) for n in range(1, 9))
    yield row("X Sec. 5.4", "how far estimates of alpha are off on consistent sets", "perfect", _perfect(off))
    height = float(eta(np.array([0.5]), 0.2, 0.8)[0])
    computed = "nu1/nu2" if abs(height - 0.2 / 0.8) < 1e-12 else str(height)
    yield row("X A.10", "height of the plateau", "nu1*nu2", computed, "nu1 <= nu2: a quotient is meant", known=False)


def _gap(runs: dict[str, Floats]) -> float:
    return float(np.abs(runs["alpha B3"] - runs["true B3"]).max())


def _perfect(off: float) -> str:
    return "perfect" if off < 1e-12 else f"{off:.2g}"


def _fraction(sides: list[str], metric: str) -> Fraction:
    return Fraction(cs.metric(metric)(*map(list, sides)).value).limit_denominator(1000)


# Figure 1 --------------------------------------------------------------------------------------------


def eta(alpha: Floats, p1: float, p2: float) -> Floats:
    """How far a cluster is taken for its super-set, Eq. 8."""
    product = np.ones_like(alpha)
    for p in (p1, p2):
        product = product * np.minimum(p, alpha) / np.maximum(p, alpha)
    return np.asarray(product)


def _draw_eta(figure: Any) -> None:
    figure.set_size_inches(WIDTH, 2.3)
    axes = figure.subplots()
    alpha = np.linspace(0, 1, 401)
    for (p1, p2), colour, line in zip(ETA, COLOURS, ("-", "--", ":"), strict=False):
        axes.plot(alpha, eta(alpha, p1, p2), color=colour, linestyle=line, linewidth=1.2, label=f"p1 = {p1}, p2 = {p2}")
    axes.set_xlim(0, 1)
    axes.set_ylim(0, 1.05)
    axes.tick_params(labelsize=FONT)
    axes.set_xlabel(r"$\alpha$", fontsize=FONT + 1)
    axes.set_ylabel(r"$\eta_\alpha$", fontsize=FONT + 1)
    axes.legend(fontsize=FONT, frameon=False, loc="upper left")
    axes.spines[["top", "right"]].set_visible(False)
    figure.subplots_adjust(0.14, 0.19, 0.98, 0.97)
