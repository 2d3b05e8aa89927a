"""Adapted BCubed: Table 1, toy pairs with a mark where the measure prefers the right one, and the numbers of the text;
Tables 2 and 3, on search results, are in a file of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np

import clusterscore as cs
from clusterscore.progress import step
from reproduce.adapted_tables import FOURFOLD, PLAIN, tables
from reproduce.result import Part, Result, Row, joined, printed_rows, row

TITLE = "Moreno & Dias 2015, Adapted B-CUBED metrics to unbalanced datasets, SIGIR"

# a gold clustering and two predictions, of which the right one is the better; the first four are those of Amigó et al.,
# the last is drawn without a list of elements: found from the printed numbers
EXAMPLES = {
    constraint.name.replace("_", " "): constraint.pair
    for constraint in cs.constraints.CONSTRAINTS
    if constraint.pair is not None
}
ALL_FIVE, YES = "4+1 F.C.", ("no", "yes")  # the last column, and its words
R_MOD = "Rmodb3 (|x|=3)"

# a row of the paper -> the metric, and which number of it
MEASURES: Mapping[str, tuple[str, str]] = {
    "Purity": ("purity", "value"),
    "Inv. Purity": ("inverse_purity", "value"),
    "F&M": ("fowlkes_mallows", "value"),
    "RandIndex": ("rand", "value"),
    "Adj.RandIndex": ("adjusted_rand", "value"),
    "Jaccard": ("jaccard", "value"),
    "F-measure": ("purity", "value"),
    "Pb3": (PLAIN, "precision"),
    "Rb3": (PLAIN, "recall"),
    "Fb3": (PLAIN, "f"),
    "Pbmod3": ("adapted_bcubed", "precision"),
    R_MOD: ("adapted_bcubed", "recall"),
    "Fbmod&0.9": ("adapted_bcubed", "f"),
    "Fb0.9": ("bcubed(f=of-means, alpha=0.9)", "f"),
}

# the cells that differ, and why
_FOUR = "printed is Eq. 4 with four elements (below); Eq. 5 is the square of Rb3, which is printed too"
_AWAY = "none of the clusterings that fit the other cells gives it"
_RAND = "RandIndex and Jaccard as printed force it above 0.85"
DIFFERS: Mapping[tuple[str, str, str], str] = {
    ("homogeneity", R_MOD, "left"): _FOUR,
    ("homogeneity", R_MOD, "right"): _FOUR,
    ("completeness", R_MOD, "left"): _FOUR,
    ("size vs quantity", R_MOD, "left"): _FOUR,
    ("unbalanced", R_MOD, "left"): _FOUR,
    ("homogeneity", "Fb0.9", "right"): f"{_AWAY}; exchanged with completeness, left, it fits",
    ("completeness", "Fb0.9", "left"): f"{_AWAY}; exchanged with homogeneity, right, it fits",
    ("rag bag", "Fb3", "left"): "P 0.49 and R 1.00, as printed, give 0.66",
    ("unbalanced", "Adj.RandIndex", "left"): _RAND,
    ("unbalanced", "Adj.RandIndex", "right"): _RAND,
    ("unbalanced", "Fb3", "right"): _AWAY,
    ("unbalanced", "Fbmod&0.9", "right"): "printed in the place of Fb0.9: less recall at the same P cannot give more",
    ("unbalanced", "Fb0.9", "right"): "printed in the place of Fbmod&0.9",
}

ALPHAS = {PLAIN: "Fb_alpha", "adapted_bcubed": "Fbmod&alpha, Eq. 5", FOURFOLD: "Fbmod&alpha, Eq. 4 with four elements"}


def reproduce(data: Path | None = None) -> Result:
    """Table 1 and the text, and as much of Tables 2 and 3 as ``data`` holds the results of."""
    with step("adapted: table 1"):
        part = Part([*_table_1(), *_numbers()])
    return joined("adapted", TITLE, [part, tables(data)])


def _table_1() -> Iterator[Row]:
    names = list(dict.fromkeys([*(metric for metric, _ in MEASURES.values()), FOURFOLD]))
    lines = printed_rows("M", "Table 1")
    columns = [name for name in lines[0] if name not in ("measure", ALL_FIVE)]
    holds: dict[str, list[bool]] = {line["measure"]: [] for line in lines}
    for column, (example, (gold, left, right, _)) in zip(columns, EXAMPLES.items(), strict=True):
        section = f"M Table 1 {example}" + " (reconstructed)" * (example == "unbalanced")
        cards = {"left": cs.score(gold, left, metrics=names), "right": cs.score(gold, right, metrics=names)}
        for line in lines:
            name, cell = line["measure"], line[column]
            metric, part = MEASURES[name]
            values = {side: float(getattr(card[metric], part)) for side, card in cards.items()}
            for side, value in values.items():
                note = DIFFERS.get((example, name, side), "")
                yield row(section, f"{name}, {side}", cell[side], value, note, known=not note)
            # a tie is no preference, and neither is the last bit of a float
            holds[name].append(values["right"] > values["left"] + 1e-12)
            yield row(section, f"{name}, satisfied", cell["satisfied"], YES[holds[name][-1]])
            if name == R_MOD:
                for side, card in cards.items():
                    value = getattr(card[FOURFOLD], part)
                    yield row(section, f"{name}, {side}: Eq. 4 with four elements", cell[side], value)
    for line in lines:
        yield row(f"M Table 1 {ALL_FIVE}", line["measure"], line[ALL_FIVE], YES[all(holds[line["measure"]])])


def _numbers() -> Iterator[Row]:
    """The numbers of the text, but for those of Table 2."""
    jaguar, plain, alphas, half, order, *_ = printed_rows("M", "text")
    total, animal, car, times = re.findall(r"\d+", jaguar["printed"])
    counted, note = f"{int(animal) + int(car)}; {animal}; {car}", "a screenshot, of which the sum can be checked"
    yield row("M Fig. 1", jaguar["quantity"], f"{total}; {animal}; {car}", counted, note)
    yield row("M Fig. 1", "animals for each car", times, int(animal) / int(car), '"almost 5 times"')

    gold, left, *_ = EXAMPLES["homogeneity"]
    f = cs.bcubed(gold, left, f="of-means").value
    equal = [x for x in range(2, 7) if abs(cs.adapted_bcubed(gold, left, order=x, alpha=0.5).value - f) < 1e-12]
    yield row("M Sec. 2.2", plain["quantity"], plain["printed"], ", ".join(map(str, equal)), "tried from 2 to 6")

    ours = dict(part.split(":") for part in cs.adapted_bcubed(gold, left).signature.split("|")[1:])
    (chosen, least), note = alphas["printed"].split("; "), "the default of cs.adapted_bcubed"
    yield row("M Sec. 3.3, 5", order["quantity"], order["printed"], ours["order"], note)
    yield row("M Sec. 3.3", "alpha chosen", chosen, ours["alpha"], note)
    for metric, name in ALPHAS.items():
        exact, quantity = least_alpha(metric), f"alpha, in tenths, from which all five constraints hold: {name}"
        tenth, note = float(np.floor(10 * exact + 1) / 10), f"exactly: above {exact:.4f}"
        yield row("M Sec. 3.3", quantity, least, tenth, note, known=metric == PLAIN)
    balances = {f"bcubed(f=of-means, alpha={x / 10})": x / 10 for x in range(1, 10)}
    there, back = (cs.score(*pair, metrics=[*balances]) for pair in ((gold, left), (left, gold)))
    even = [alpha for metric, alpha in balances.items() if abs(there[metric].value - back[metric].value) < 1e-12]
    note = "there F stays as it is when precision and recall change places"
    yield row("M Sec. 3.3", half["quantity"], half["printed"], ", ".join(map(str, even)), note)


def least_alpha(metric: str) -> float:
    """The alpha above which the harmonic mean of P and R prefers the right one of all five pairs."""
    least = 0.0
    for gold, left, right, _ in EXAMPLES.values():
        worse, better = (cs.score(gold, pred, metrics=metric)[metric] for pred in (left, right))
        precision, recall = (1 / getattr(worse, part) - 1 / getattr(better, part) for part in ("precision", "recall"))
        if recall < 0:  # else any alpha will do
            least = max(least, -recall / (precision - recall))
    return least
