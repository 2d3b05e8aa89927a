"""BLANC: the links of Table 1, the formulas of Table 2, and every rule of Sec. 2.

The paper prints formulas and rules, no scores. Each is tried on all pairs of clusterings of a few mentions, with links
that are counted here, one by one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import clusterscore as cs
from clusterscore.align.doubts import undoubted
from clusterscore.progress import step
from reproduce.result import Result, Row, every_pair, printed_rows

TITLE = "Recasens & Hovy 2010, BLANC: Implementing the Rand index for coreference evaluation"
MENTIONS = range(2, 7)  # for all pairs of clusterings of so many

Columns = Mapping[str, NDArray[Any]]  # a number for each pair; of a metric a row each of P, R and F

# where a cell of Table 1 or 2 is found: in the counts and in the scores of the library
LINKS = {
    "coreference": {
        "coreference": "linked_right",
        "non-coreference": "linked_gold-linked_right",
        "sums": "linked_gold",
    },
    "non-coreference": {
        "coreference": "linked_pred-linked_right",
        "non-coreference": "unlinked_right",
        "sums": "unlinked_gold",
    },
    "sums": {"coreference": "linked_pred", "non-coreference": "unlinked_pred", "sums": "linked_gold+unlinked_gold"},
}
SIDES = {"coreference": "c", "non-coreference": "n", "BLANC": "both"}
METRICS = {"c": "blanc(weight=1)", "n": "blanc(weight=0)", "both": "blanc(links=document)"}

NOTES = {
    "1c": "the last of the three is printed as R_n a second time",
    "3b": "in all of them the system has one entity: the rule adds nothing to 1c",
    "4a": "P is 1 in all of them",
    "4b": "P is 1 in all of them",
    "near boundary": "with L links it is (L - 1)/(2L - 1)",
    "2.1": "where gold has both kinds of link; else the kind that it has counts alone, by rule 4",
}


def reproduce(data: Path | None = None) -> Result:
    """Every formula and every rule; no data is needed."""
    with step("blanc"):
        pairs = scored()
        return Result("blanc", TITLE, [*_table_1(pairs), *_table_2(pairs), *_rules(pairs)])


def scored() -> Columns:
    """All pairs: their links, counted one by one, and what the library counts and scores."""
    parts: list[dict[str, NDArray[Any]]] = []
    for size in MENTIONS:
        gold, pred, documents = every_pair(size)
        first, second = np.triu_indices(size, 1)
        linked, answered = gold[:, first] == gold[:, second], pred[:, first] == pred[:, second]
        links = {"rc": linked & answered, "wc": ~linked & answered, "rn": ~linked & ~answered, "wn": linked & ~answered}
        with undoubted():  # links and pairs without one are shown apart
            table = cs.score(gold.ravel(), pred.ravel(), metrics=[*METRICS.values()], documents=documents).documents
        counts = {name: marks.sum(axis=1) for name, marks in links.items()} | {"L": np.full(len(gold), len(first))}
        counts |= {name.rpartition(".")[2]: np.asarray(table[name]) for name in table if "linked_" in name}
        for side, metric in METRICS.items():
            counts[side] = np.array([table[f"{metric}.precision"], table[f"{metric}.recall"], table[metric]])
        parts.append(counts)
    return {name: np.concatenate([part[name] for part in parts], axis=-1) for name in parts[0]}


def _table_1(pairs: Columns) -> Iterator[Row]:
    every = np.ones(len(pairs["L"]), bool)
    for line in printed_rows("R", "Table 1"):
        gold = line["gold \\ system"]
        for system, where in LINKS[gold].items():
            holds = _value(line[system], pairs) == _value(where, pairs)
            yield _row("R Table 1", f"links: gold {gold}, system {system}", line[system], every, holds)


def _table_2(pairs: Columns) -> Iterator[Row]:
    # elsewhere a formula divides by nothing, and a rule is asked
    usual = (pairs["rc"] > 0) & (pairs["rn"] > 0)
    known: dict[str, NDArray[Any]] = {name: column[..., usual] for name, column in pairs.items()}
    for at, line in enumerate(printed_rows("R", "Table 2")):
        for column, side in SIDES.items():
            value = known[f"{line['score']}_{side}"] = _value(line[column], known)
            holds = np.ones(len(usual), bool)
            holds[usual] = np.isclose(value, known[side][at], rtol=0, atol=1e-12)
            yield _row("R Table 2", f"{line['score']}, {column}", line[column], usual, holds)


def _rules(pairs: Columns) -> Iterator[Row]:
    """What the text says, in numbers."""
    one_gold, one_system = pairs["unlinked_gold"] == 0, pairs["unlinked_pred"] == 0
    alone_gold, alone_system = pairs["linked_gold"] == 0, pairs["linked_pred"] == 0
    both_gold, both_system = ~one_gold & ~alone_gold, ~one_system & ~alone_system
    cases = {
        "1a": one_system & one_gold,
        "1b": one_system & alone_gold,
        "1c": one_system & both_gold,
        "2a": alone_system & alone_gold,
        "2b": alone_system & one_gold,
        "2c": alone_system & both_gold,
        "3a": both_gold & (pairs["rc"] == 0),
        "3b": both_gold & (pairs["rn"] == 0),
        "4a": both_system & one_gold,
        "4b": both_system & alone_gold,
        "near boundary": alone_system & (pairs["linked_gold"] == 1),
        "2.1": both_gold,
    }
    for line in printed_rows("R", "text"):
        rule, printed = line["rule"], line["printed"]
        holds: NDArray[Any]
        scores = pairs["c" if "P_c" in printed else "n" if "P_n" in printed else "both"]
        if rule == "2.1":
            holds = np.all(np.isclose(pairs["both"], pairs["c"] / 2 + pairs["n"] / 2, rtol=0, atol=1e-12), axis=0)
        elif rule.startswith("4"):
            right = pairs["rc" if rule == "4a" else "rn"]
            recall = right / pairs["L"]  # all links of gold are of one kind, and those of that kind are right
            expected = np.array([right > 0, recall, 2 * recall / (1 + recall)])
            holds = np.all(np.isclose([scores, pairs["both"]], expected, rtol=0, atol=1e-12), axis=(0, 1))
        else:
            number = float(printed.split()[-1]) / 100
            holds = (scores[2] <= number) if "never" in printed else (scores == number).all(axis=0)
        section = "R Sec. 2.1" if rule == "2.1" else f"R Sec. 2.2 {rule}"
        yield _row(section, line["condition"], printed, cases[rule], holds, NOTES.get(rule, ""))


def _value(formula: str, names: Columns) -> NDArray[Any]:
    """A formula as it is printed (our own record of it): a space is a product."""
    value: NDArray[Any] = eval(formula.replace(" ", "*"), {"__builtins__": {}}, dict(names))
    return value


def _row(section: str, quantity: str, printed: str, where: NDArray[Any], holds: NDArray[Any], note: str = "") -> Row:
    holding, cases = int((where & holds).sum()), int(where.sum())
    return Row(section, quantity, printed, f"holds in {holding:,} of {cases:,} pairs", 0 < holding == cases, note)
