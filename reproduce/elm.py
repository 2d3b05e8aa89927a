"""ELM: the journal paper of 2024 (J), and the ICTIR paper of 2022 before it.

What needs no data stands here: the examples, one gold clustering with all its contiguous predictions (Sec. 2.2), and
all contiguous clusterings of 14 elements against each other (Sec. 3.4). ``elm_streams`` has the experiments on page
streams, ``ictir`` those of the ICTIR paper.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import clusterscore as cs
from clusterscore.progress import step
from reproduce import elm_contiguous as contiguous
from reproduce import elm_figures, elm_streams, ictir
from reproduce.page_streams import load
from reproduce.result import Figure, Floats, Part, Result, Row, agrees, joined, row

TITLE = (
    "van Heusden, Kamps & Marx 2024, BCubed revisited: elements like me (J), "
    "and the paper of the same authors at ICTIR 2022"
)
NAMES = ("BCubed", "ELM", "BCubed-ELM")
ONE_GOLD = (2, 3, 2, 1, 1, 3, 2, 1)  # the sizes of the gold clusters of Sec. 2.2
# rows of the table that the authors' notebook prints of it, for BCubed, ELM and their difference
DESCRIBED: dict[str, tuple[str, Callable[[Floats], Any]]] = {
    "mean": ("0.65 0.35 0.30", np.mean),
    "std1": ("0.08 0.14 0.08", partial(np.std, ddof=1)),
    "min": ("0.25 0.00 0.00", np.min),
    "q25": ("0.60 0.25 0.24", partial(np.quantile, q=0.25)),
    "q50": ("0.65 0.34 0.30", np.median),
    "q75": ("0.71 0.44 0.36", partial(np.quantile, q=0.75)),
    "max": ("1.00 1.00 0.59", np.max),
}
ELEMENTS = 14  # Sec. 3.4
TEN_GOLDS = (
    (7, 7), (5, 4, 5), (5, 4, 2, 3), (4, 3, 3, 4), (5, 2, 2, 2, 3), (4, 1, 4, 2, 3), (4, 2, 3, 1, 2, 2),
    (3, 2, 1, 1, 2, 3, 2), (2, 3, 2, 1, 1, 3, 2), (2, 1, 2, 2, 1, 1, 2, 1, 2),
)  # fmt: skip


# a letter for each element: the clusters of gold, and those of two predictions
FIG_10 = {"gold": "aaaabbccdd", "H1": "aaaxbbccdd", "H2": "aaaabxcydz"}


def reproduce(data: Path | None = None) -> Result:
    """Every number and figure; those on page streams need the folder ``elm-pss`` in ``data``."""
    parts = [_examples(), _one_gold(), _table_1(), _all_golds(), _ten_golds()]
    with step("elm: page streams"):
        streams = load(data)
        parts += [elm_streams.experiments(streams), ictir.experiments(streams), elm_streams.about_the_data(streams)]
    return joined("elm", TITLE, parts)


def _examples() -> Part:
    """The worked examples: what is printed of a handful of elements, as fractions."""
    gold, one, other = FIG_10.values()
    f = np.array([[_each(gold, pred, metric) for metric in ("bcubed", "elm")] for pred in (one, other)], np.float64)
    title = "J Fig. 10: one element split off a cluster of four (H1), or three pairs split (H2): F1 of each element"
    draw = partial(elm_figures.two_predictions, gold=gold, shown={"H1": f[0], "H2": f[1]})

    def rows() -> Iterator[Row]:
        two = _mean("aa", "ab", "bcubed")
        yield row("J2 / ICTIR2", "BCubed F1, gold {1,2} vs singletons", ".66", two, f"{two}, cut off", truncated=True)
        recall, h1 = _mean(gold, one, part="recall"), _mean(gold, one)
        for section, quantity, printed, computed in (
            ("ICTIR 2", "BCubed F1 of a gold cluster of n = 5 in singletons, 2/(n+1)", "1/3",
             _mean("aaaaa", "abcde", "bcubed")),
            ("J eq. (2)", "ELM F1 of singletons, for the gold clustering of Sec. 2.2", "3/15",
             _mean("aabbbccdefffggh", "abcdefghijklmno")),
            ("J Fig. 10", "ELM F1 of H1", "8/10", h1),
            ("J Fig. 10", "ELM recall of H1, which is what is printed", "8/10", recall),
            ("J Fig. 10", "ELM F1 of H2", "4/10", _mean(gold, other)),
            ("ICTIR 3.3.4", "ELM, sum of F1: one element split off a cluster of four", "12/5",
             4 * _mean("aaaa", "aaax")),
            ("ICTIR 3.3.4", "ELM, sum of F1: two pairs split", "0", 4 * _mean("aabb", "axby")),
            ("ICTIR 3.3.3", "ELM precision in a clean cluster of 3 that takes a foreign element", "2/3",
             _each("aaabcde", "aaabbba", part="precision")[0]),
            ("J3.6.3", "ELM precision in a clean cluster of 4 that takes a foreign element", "3/4",
             _each("aaaabcdef", "aaaabbbba", part="precision")[0]),
        ):  # fmt: skip
            note = f"the mean recall is {recall}, and F1 is {h1}" if quantity == "ELM F1 of H1" else ""
            yield Row(section, quantity, printed, str(computed), Fraction(printed) == computed, note, not note)

    return Part(list(rows()), [Figure("elm-fig10", title, draw)])


def _each(gold: Iterable[str], pred: Iterable[str], metric: str = "elm", part: str = "f") -> list[Fraction]:
    """P, R or F of every element: small fractions, which their floats give away."""
    values = cs.elements(list(gold), list(pred), metric=metric)[part]
    return [Fraction(value).limit_denominator(100) for value in values.tolist()]


def _mean(gold: Iterable[str], pred: Iterable[str], metric: str = "elm", part: str = "f") -> Fraction:
    each = _each(gold, pred, metric, part)
    return sum(each, Fraction(0)) / len(each)


def _one_gold() -> Part:
    """Sec. 2.2: all contiguous predictions of one gold clustering."""
    size = sum(ONE_GOLD)
    golds = np.array([contiguous.code(ONE_GOLD)])
    full_score = contiguous.full_score(size)
    bcubed, elm = (contiguous.scores(golds, size, less) for less in (0, 1))
    ranks = contiguous.ranks(bcubed, elm)
    columns = [values[0] / full_score for values in (bcubed, elm, bcubed - elm)]
    b, e, _ = columns

    def rows() -> Iterator[Row]:
        section, predictions, pairs = "J2.2", len(b), ranks.pairs
        yield row(section, "number of contiguous predictions", "16,384", predictions)
        std = f"{b.std(ddof=1):.2f}"
        note = f"rounds to {b.var(ddof=1):.3f}; the rounded standard deviation, {std}, squared is {float(std) ** 2:.4f}"
        yield row(section, "variance BCubed", ".006", float(b.var(ddof=1)), note, known=False)
        yield row(section, "variance ELM", ".02", float(e.var(ddof=1)))
        below = int((elm < bcubed.min()).sum())
        note = f"{below:,} of {predictions:,}; the lowest BCubed is {b.min():.6f}"
        yield row(section, "share of ELM scores below the lowest BCubed score", "25%", below / predictions, note)
        swapped, tied = int(ranks.discordant[0]), int(ranks.one_sided[0])
        note = f"{swapped:,} of {pairs:,}; with those that only one of the two ties {(swapped + tied) / pairs:.6f}"
        yield row(section, "share of pairs strictly discordant", "18%", swapped / pairs, note)
        note = f"{2**14 * 2**13:,} counts half of the pairs of a prediction with itself; 2^13 * (2^14 - 1) does not"
        yield Row(section, "number of pairs", "2^14 x 2^13", pairs, pairs == 2**14 * 2**13, note, known=False)
        kinds = [len(np.unique(values)) for values in (bcubed, elm)]
        note = f"with exact ties, {kinds[0]:,} different BCubed scores and {kinds[1]:,} of ELM; floats split some ties"
        yield row(section, "Kendall tau-b", "0.63", float(ranks.tau_b[0]), note)
        for statistic, (printed, of) in DESCRIBED.items():
            for name, number, values in zip(NAMES, printed.split(), columns, strict=True):
                yield row("repo notebook / Fig 2", f"{name} {statistic}", number, float(of(values)))

    shown = [
        elm_figures.distribution(name, values, contiguous.BINS)
        for name, values in zip(elm_figures.STYLES, columns, strict=True)
    ]
    title = "J Fig. 2: all contiguous predictions of one gold clustering of 15 elements"
    return Part(list(rows()), [Figure("elm-fig2", title, partial(elm_figures.distributions, shown=shown))])


def _table_1() -> Part:
    """Two predictions that BCubed and ELM rank differently."""
    gold, preds = list("aabbb"), {"H1": list("abccc"), "H2": list("aabbc")}
    printed = {"H1": {"bcubed": "0.87", "elm": "0.60"}, "H2": {"bcubed": "0.82", "elm": "0.66"}}
    h1, h2 = (Fraction(cs.elm(gold, pred, f="of-means").f).limit_denominator(100) for pred in preds.values())
    reason = f"2/3, cut off. F of the means is {h1} for H1 and {h2} for H2: only the mean of F tells them apart"
    rows = []
    for name, pred in preds.items():
        for metric, number in printed[name].items():
            quantity = f"{metric} {name} per element {list(map(str, _each(gold, pred, metric)))} mean"
            note = reason if (name, metric) == ("H2", "elm") else ""
            rows.append(row("J Table 1", quantity, number, _mean(gold, pred, metric), note, known=not note))
    return Part(rows)


def _all_golds() -> Part:
    """Sec. 3.4: all contiguous clusterings of 14 elements against each other."""
    with step("elm: 8192 x 8192 contiguous clusterings") as at:
        found = contiguous.compare(ELEMENTS, contiguous.mirrored(ELEMENTS), at=at)
    dropped = contiguous.without_first_boundary(ELEMENTS)
    with step("elm: the same, without the first boundary") as at:
        lost = contiguous.compare(ELEMENTS, dropped, dropped, at=at)
    tau, swapped = found.each(found.ranks.tau_b), found.swapped
    numbers = _moments(found.times @ found.moments / found.times.sum())
    numbers |= {"min_BCubed": found.lowest, "frac_mean": swapped.mean(), "frac_std": swapped.std(ddof=1),
                "frac_min": swapped.min(), "frac_max": swapped.max(), "tau_b_min": tau.min(),
                "tau_b_max": tau.max()}  # fmt: skip

    def rows() -> Iterator[Row]:
        section, count = "J3.4", int(found.times.sum())
        pairs = count * found.ranks.pairs
        note = f"{count:,} * C({count:,}, 2); cut off, {pairs / 1e9:.0f} rounded"
        match = agrees("274", pairs / 1e9, truncated=True)
        yield Row(section, "number of rank pairs over all experiments", "274 billion", pairs, match, note)
        swaps, lost_swaps = (one.total(one.ranks.discordant) for one in (found, lost))
        lost_tau = lost.each(lost.ranks.tau_b)
        note = (
            f"exactly {swaps:,}; the code of the experiment is not public. Vectors that start with 0, of which the "
            f"authors' make_index drops the first 1, give {lost_swaps:,}, {lost_swaps / pairs:.3%}, tau-b "
            f"{lost_tau.mean():.4f}, but Pearson {_pearson(lost):.4f}"
        )
        quantity = "pairs swapped (strictly discordant), billions"
        yield Row(section, quantity, "roughly 39 (14%)", swaps / 1e9, agrees("39", swaps / 1e9), note, known=False)
        note = f"with pairs that only one of the two ties {(swaps + found.total(found.ranks.one_sided)) / pairs:.6f}"
        yield row(section, "share swapped", "14%", swaps / pairs, note, known=False)
        z = (tau - tau.mean()) / tau.std()
        note = (
            f"rounds to {tau.mean():.2f}; not normal: skew {(z**3).mean():.2f}, excess kurtosis {(z**4).mean() - 3:.2f}"
        )
        yield row(section, "Kendall tau-b mean", "0.70", float(tau.mean()), note, known=False)
        note = f"rounds to {tau.std(ddof=1):.2f}"
        yield row(section, "Kendall tau-b std", "0.06", float(tau.std(ddof=1)), note, known=False)
        yield row(section, "Pearson entropy vs swaps", "0.81", _pearson(found))
        for quantity, number in numbers.items():
            yield row("J3.4 (Fig 3/4, numbers only in the images)", quantity, None, float(number))

    spreads = [(numbers[f"{name}_mean"], numbers[f"{name}_std"]) for name in ("BCubed", "ELM", "diff")]
    shown = [elm_figures.Distribution(name, counts, *spread)
             for name, counts, spread in zip(elm_figures.STYLES, found.histograms, spreads, strict=True)]  # fmt: skip
    return Part(list(rows()), [
        Figure("elm-fig3", "J Fig. 3, as the text tells it: all scores of 8192 x 8192 contiguous clusterings of 14",
               partial(elm_figures.distributions, shown=shown)),
        Figure("elm-fig4", "J Fig. 4, as the text tells it: entropy of the gold clustering, swapped pairs and tau-b",
               partial(elm_figures.entropy_and_swaps, entropy=found.each(found.entropy), swapped=swapped, tau_b=tau)),
    ])  # fmt: skip


def _moments(means: Floats) -> dict[str, float]:
    """Means and standard deviations from the means of B, E, B^2, E^2 and B*E."""
    b, e, bb, ee, be = map(float, means)
    b_std, e_std = (bb - b * b) ** 0.5, (ee - e * e) ** 0.5
    return {"BCubed_mean": b, "BCubed_std": b_std, "ELM_mean": e, "ELM_std": e_std, "diff_mean": b - e,
            "diff_std": (bb + ee - 2 * be - (b - e) ** 2) ** 0.5,
            "pearson_B_ELM": (be - b * e) / (b_std * e_std)}  # fmt: skip


def _pearson(found: contiguous.Comparison) -> float:
    """Between the entropy of the gold clusterings and the pairs swapped."""
    return float(np.corrcoef(found.each(found.entropy), found.swapped)[0, 1])


def _ten_golds() -> Part:
    """What stood in the place of Sec. 3.4 before: ten gold clusterings."""
    golds, size = np.array([contiguous.code(sizes) for sizes in TEN_GOLDS]), sum(TEN_GOLDS[0])
    b, e = (contiguous.scores(golds, size, less).ravel() / contiguous.full_score(size) for less in (0, 1))
    numbers = [float(of) for values in (b, e, b - e) for of in (values.mean(), values.std(ddof=1))]
    printed, found = ".61 .10 .35 .14 .25 .09", " ".join(f"{number:.6f}".lstrip("0") for number in numbers)
    match = all(map(agrees, printed.split(), numbers))
    quantity = "BCubed mean/std, ELM mean/std, diff mean/std"
    note = "an experiment of the preprint; the journal has Sec. 3.4 in its place"
    return Part([Row("repo notebook Fig3A (10 golds of length 14)", quantity, printed, found, match, note)])
