"""ELM: the journal paper of 2024 (J), and the ICTIR paper of 2022 (I) before it.

What needs no data stands here: the examples, one gold clustering with all its contiguous predictions (Sec. 2.2), and
all contiguous clusterings of 14 elements against each other (Sec. 3.4). ``elm_streams`` has the experiments on page
streams, ``ictir`` those of the ICTIR paper.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import chain
from pathlib import Path

import numpy as np

import clusterscore as cs
from clusterscore.progress import step
from reproduce import elm_contiguous as contiguous
from reproduce import elm_drawings, elm_figures, elm_streams, ictir
from reproduce.elm_figures import plot
from reproduce.elm_rows import NAMES, STATISTICS, by_element, exactly, holds, in_text, mean, means
from reproduce.page_streams import load
from reproduce.result import Figure, Part, Result, Row, agrees, every_pair, joined, printed_rows, row

TITLE = (
    "van Heusden, Kamps & Marx 2024, BCubed revisited: elements like me (J), "
    "and the paper of the same authors at ICTIR 2022 (I)"
)
ONE_GOLD = (2, 3, 2, 1, 1, 3, 2, 1)  # the sizes of the gold clusters of Sec. 2.2
ELEMENTS = 14  # Sec. 3.4
TABLE_1 = {"gold": "aabbb", "H_1": "abccc", "H_2": "aabbc"}  # a letter for each element


def reproduce(data: Path | None = None) -> Result:
    """Every number and figure; those on page streams need the folder ``elm-pss`` in ``data``."""
    parts = [_examples(), _table_1(), _one_gold(), _all_golds()]
    with step("elm: page streams"):
        streams = load(data)
        parts += [elm_streams.experiments(streams), _size_or_quantity(), ictir.experiments(streams)]
    result = joined("elm", TITLE, parts)
    by_number = sorted(result.figures, key=lambda figure: (figure.name[:3], int(figure.name.partition("fig")[2])))
    return result._replace(figures=by_number)


def _examples() -> Part:
    """What is told of two elements, of all predictions in one cluster, and of a stranger that joins a cluster."""

    def rows() -> Iterator[Row]:
        for part, value in zip(("P", "R", "F1"), means("aa", "ab"), strict=True):
            note = f"{value}, cut off" if part == "F1" else ""
            yield in_text("J", f"BCubed {part} of two singletons against gold {{1,2}}", value, note, truncated=True)
        size = 5
        golds = np.unique(every_pair(size)[0], axis=0)
        like = (golds[:, :, None] == golds[:, None, :]).sum(axis=2).tolist()  # for each element the size of its cluster
        elm, bcubed = (
            [by_element(gold, [0] * size, name, "precision") for gold in golds] for name in ("elm", "bcubed")
        )
        pairs = list(zip(chain.from_iterable(like), chain.from_iterable(elm), strict=True))
        right = all(value == Fraction(own - 1, size - 1) for own, value in pairs)
        cases = [value == Fraction(own - 1, size) - 1 for own, value in pairs]
        note = f"a bracket is missing: |N_e^T|/(|E| - 1) {'holds' if right else 'fails'}"
        yield holds("J", "all in one: ELM precision of an element", cases, note, known=False)
        cases = [mean(p) == Fraction(sum(a) - size, size**2 - size) for p, a in zip(elm, like, strict=True)]
        yield holds("J", "all in one: ELM precision", cases, f"all clusterings of {size} elements")
        cases = [mean(p) == Fraction(sum(a), size**2) for p, a in zip(bcubed, like, strict=True)]
        yield holds("J", "all in one: BCubed precision", cases)
        stranger = " to ".join(
            str(by_element("aaaabcdef", pred, "elm", "precision")[0]) for pred in ("aaaabbbbb", "aaaabbbba")
        )
        yield in_text("J", "ELM precision of the clean cluster before and after the stranger joins", stranger)

    drawing = Figure("elm-fig1", "J Fig. 1: the true and the predicted cluster of an element", elm_drawings.two_sets)
    constraints = elm_drawings.constraints("elm", "J", dict(zip(elm_drawings.CONSTRAINTS, (7, 8, 9), strict=True)))
    return Part(list(rows()), [drawing, *constraints])


def _table_1() -> Part:
    """Two predictions that BCubed and ELM rank differently."""
    gold, rows = TABLE_1["gold"], []
    of_means = [f"{cs.elm(list(gold), list(TABLE_1[name]), f='of-means').f:g}" for name in ("H_1", "H_2")]
    for line in printed_rows("J", "Table 1"):
        metric, system = line["metric"], line["system"]
        values = by_element(gold, TABLE_1[system], NAMES[metric])
        for k, value in enumerate(values, 1):
            rows.append(exactly("J Table 1", f"{metric} {system}: F1 of element {k}", line[str(k)], value))
        cut = metric == "ELM" and system == "H_2"
        note = f"2/3, cut off; only the mean of F tells the two apart: the F of means is {' and '.join(of_means)}"
        quantity = f"{metric} {system}: mean F1"
        rows.append(row("J Table 1", quantity, line["mean"], mean(values), note if cut else "", truncated=cut))
    return Part(rows)


def _one_gold() -> Part:
    """Sec. 2.2: all contiguous predictions of one gold clustering."""
    size = sum(ONE_GOLD)
    golds, unit = np.array([contiguous.code(ONE_GOLD)]), contiguous.full_score(size)
    bcubed, elm = (contiguous.scores(golds, size, less) for less in (0, 1))
    ranks = contiguous.ranks(bcubed, elm)
    columns = {"BCubed": bcubed[0] / unit, "ELM": elm[0] / unit, "BCubed-ELM": (bcubed - elm)[0] / unit}

    def rows() -> Iterator[Row]:
        b, count, pairs = columns["BCubed"], bcubed.size, ranks.pairs
        yield in_text("J", "elements", size)
        cases = (contiguous.scores(np.array([0]), n, 0).size == 2 ** (n - 1) for n in range(1, size + 1))
        yield holds("J", "contiguous predictions of N elements", cases)
        yield in_text("J", "contiguous predictions of 15 elements", count)
        below = int((elm < bcubed.min()).sum())
        note = f"{below:,} of {count:,}; the lowest BCubed is {b.min():.6f}"
        yield in_text("J", "share of ELM scores below the lowest BCubed score", below / count, note)
        variance, std = float(b.var(ddof=1)), f"{b.std(ddof=1):.2f}"
        note = f"rounds to {variance:.3f}; the rounded standard deviation, {std}, squared is {float(std) ** 2:.4f}"
        yield in_text("J", "variance of BCubed", variance, note, known=False)
        yield in_text("J", "variance of ELM", float(columns["ELM"].var(ddof=1)))
        note = f"{2**14 * 2**13:,} counts half of the pairs of a prediction with itself; 2^13 * (2^14 - 1) does not"
        yield in_text("J", "pairs of predictions", pairs, note, pairs == 2**14 * 2**13, known=False)
        swapped = int(ranks.discordant[0])
        yield in_text(
            "J", "share of the pairs that are ranked differently", swapped / pairs, f"{swapped:,} of {pairs:,}"
        )
        kinds = [len(np.unique(values)) for values in (bcubed, elm)]
        note = f"with exact ties, {kinds[0]:,} different BCubed scores and {kinds[1]:,} of ELM; floats split some ties"
        yield in_text("J", "Kendall's tau-b of the two rankings", float(ranks.tau_b[0]), note)
        for line in printed_rows("J", "Figure 2"):
            for name, of in STATISTICS.items():
                computed = float(of(columns[line["metric"]]))
                yield row("J Fig. 2", f"{line['metric']}: {name}", line[name], computed)

    counts = {name: contiguous.histogram(values, unit) for name, values in (("BCubed", bcubed), ("ELM", elm))}
    title = "J Fig. 2: all contiguous predictions of one gold clustering of 15 elements"
    return Part(list(rows()), [plot("elm-fig2", title, elm_figures.distributions, shown=counts)])


def _all_golds() -> Part:
    """Sec. 3.4: all contiguous clusterings of 14 elements against each other."""
    with step("elm: 8192 x 8192 contiguous clusterings") as at:
        comparison = contiguous.compare(ELEMENTS, contiguous.mirrored(ELEMENTS), at=at)
    dropped = contiguous.without_first_boundary(ELEMENTS)
    with step("elm: the same, without the first boundary") as at:
        lost = contiguous.compare(ELEMENTS, dropped, dropped, at=at)
    tau, count = comparison.ranks.tau_b, len(comparison.entropy)
    # F of two clusterings is the same either way: each pair counts once, and so does one with itself, which scores 1
    itself = count * (np.arange(contiguous.BINS) == contiguous.BINS - 1)
    bcubed, elm = (comparison.histograms + itself) // 2

    def rows() -> Iterator[Row]:
        shown = f"2^({ELEMENTS}-1) = {count:,}"
        yield in_text("J", "contiguous clusterings of 14 elements, which is experiments", shown)
        pairs = count * comparison.ranks.pairs
        swaps, lost_swaps = (int(compared.ranks.discordant.sum()) for compared in (comparison, lost))
        note = (
            f"exactly {swaps:,}; the code of the experiment is not public. Vectors that start with 0, of which the "
            f"authors' make_index drops the first 1, give {lost_swaps:,}, {lost_swaps / pairs:.3%}, tau-b "
            f"{lost.ranks.tau_b.mean():.4f}, but Pearson {_pearson(lost):.4f}"
        )
        see = "see the note on the swapped pairs"
        yield in_text("J", "swapped pairs", swaps, note, agrees("39", swaps / 1e9), known=False)
        note = f"{count:,} * C({count:,}, 2); cut off, {pairs / 1e9:.0f} rounded"
        yield in_text("J", "pairs of all experiments", pairs, note, agrees("274", pairs / 1e9, truncated=True))
        yield in_text("J", "share of swapped pairs", swaps / pairs, see, known=False)
        quantity, std = "Kendall's tau of a ranking: ", float(tau.std(ddof=1))
        note = f"tau-b, which rounds to {tau.mean():.2f}; {see}"
        yield in_text("J", quantity + "mean", float(tau.mean()), note, known=False)
        yield in_text("J", quantity + "standard deviation", std, f"rounds to {std:.2f}; {see}", known=False)
        skew, kurtosis = (float((((tau - tau.mean()) / tau.std()) ** power).mean()) for power in (3, 4))
        shape = f"skew {skew:.2f}, excess kurtosis {kurtosis - 3:.2f}"
        normal = max(abs(skew), abs(kurtosis - 3)) < 3 * (24 / count) ** 0.5
        note = f"of a normal distribution both are 0, give or take {(24 / count) ** 0.5:.2f} in so many rankings"
        yield in_text("J", quantity + "distribution", shape, note, normal, known=False)
        yield in_text("J", "Pearson correlation of the entropy of gold (log2) and swaps", _pearson(comparison))
        yield in_text("J", "gold clusterings in that correlation", count)
        scored = int(bcubed.sum())
        note = (
            f"with pairs of a clustering with itself, {scored - count:,} without; {2**13 * 2**12:,} counts half of them"
        )
        yield in_text("J", "scored pairs of clusterings", scored, note, scored == 2**13 * 2**12, known=False)
        yield in_text("J", "rankings", len(comparison.swapped))

    swapped = np.bincount((comparison.swapped * contiguous.BINS).astype(int), minlength=contiguous.BINS)
    pairs = "J Fig. 3: all pairs of the 8,192 contiguous clusterings of 14 elements"
    rankings = "J Fig. 4: the fraction of swapped pairs, in 8,192 rankings"
    labels = {"xlabel": "Fraction of pairs of systems in reversed order", "ylabel": "Percentage of rankings"}
    draw, shares = elm_figures.distributions, {"swapped": swapped}
    figures = [
        plot("elm-fig3", pairs, draw, shown={"BCubed": bcubed, "ELM": elm}),
        plot("elm-fig4", rankings, draw, shown=shares, width=0.005, end=0.25, **labels),
    ]
    return Part(list(rows()), figures)


def _pearson(comparison: contiguous.Comparison) -> float:
    """Between the entropy of the gold clusterings and the pairs swapped."""
    return float(np.corrcoef(comparison.entropy, comparison.swapped)[0, 1])


def _split(n: int) -> tuple[list[int], list[int], list[int]]:
    """Sec. 3.6.4: a cluster of n+1 and n pairs; in H1 the cluster loses an element, in H2 the pairs are split."""
    pairs = [k for k in range(1, n + 1) for _ in range(2)]
    halves = [label for k in range(1, n + 1) for label in (k, n + k)]
    return [0] * (n + 1) + pairs, [0] * n + [2 * n + 1] + pairs, [0] * (n + 1) + halves


def _size_or_quantity() -> Part:
    """Sec. 3.6.4 and Fig. 10."""
    gold, *systems = _split(3)
    recalls = {name: by_element(gold, pred, part="recall") for name, pred in zip(("H1", "H2"), systems, strict=True)}

    def rows() -> Iterator[Row]:
        for line, pred in zip(printed_rows("J", "Figure 10"), systems, strict=True):
            name: str = line["system"]
            f, recall = ([*values, mean(values)] for values in (by_element(gold, pred), recalls[name]))
            for key, value, other in zip([*map(str, range(1, len(gold) + 1)), "mean"], f, recall, strict=True):
                quantity = f"ELM F1 of {name}: {key if key == 'mean' else f'element {key}'}"
                slip = name == "H1" and key in {"1", "2", "3", "mean"}
                note = f"what is printed is recall, {other}" if slip else ""
                yield exactly("J Fig. 10", quantity, line[key], value, note, known=not slip)
        cases: dict[str, list[bool]] = {}
        for n in range(3, 13):
            gold_n, first, second = _split(n)
            elm_1, bcubed_1, elm_2, bcubed_2 = (
                by_element(gold_n, system, metric, "recall")
                for system in (first, second)
                for metric in ("elm", "bcubed")
            )
            for quantity, computed, stated in (
                ("|E|, for n > 2", len(gold_n), 3 * n + 1),
                ("sum of ELM recall of H1", sum(elm_1), 3 * n - 1),
                ("sum of ELM recall of H2", sum(elm_2), n + 1),
                ("ELM recall in C1-prime", elm_1[:n], [Fraction(n - 1, n)] * n),
                ("BCubed recall in C1-prime", bcubed_1[:n], [Fraction(n, n + 1)] * n),
                ("ELM recall in C1-double-prime", elm_1[n], 0),
                ("BCubed recall in C1-double-prime", bcubed_1[n], Fraction(1, n + 1)),
                ("ELM recall in split pairs", elm_2[n + 1 :], [0] * (2 * n)),
                ("BCubed recall in split pairs", bcubed_2[n + 1 :], [Fraction(1, 2)] * (2 * n)),
            ):
                cases.setdefault(quantity, []).append(computed == stated)
        yield from (holds("J", quantity, outcomes) for quantity, outcomes in cases.items())

    title = "J Fig. 10: size or quantity. The numbers, which the caption calls F1, are recalls"
    shown = dict(zip(("T", *recalls), (gold, *systems), strict=True))
    return Part(list(rows()), [plot("elm-fig10", title, elm_drawings.cells, shown=shown, numbers=recalls)])
