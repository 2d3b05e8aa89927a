"""Tables to be scored in every way, and what is said of them by cs.score on plain lists."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

import clusterscore as cs
from engines.makers import Columns
from variants import COUNTED

# every registered metric with every parameter, but for what a table cannot give
ALL = tuple(metric for metric in COUNTED if ("cells",) not in metric.needs and not metric.wants_weights)
CELLS = tuple(metric for metric in COUNTED if ("cells",) in metric.needs)  # which only arrays count


def _fewest() -> tuple[cs.Metric, ...]:
    """As few metrics as ask an engine for all that any of them asks for."""
    chosen, asked = [cs.metric("elm"), cs.metric("ami")], set[Any]()
    for metric in ALL:
        if not metric.needs <= asked:
            chosen.append(metric)
            asked |= metric.needs
    return tuple(chosen)


FEW = _fewest()


def _random(seed: int, size: int, clusters: int) -> tuple[list[int], list[int]]:
    """A prediction that has something to do with gold; clusters of every size, as real ones are."""
    random = np.random.default_rng(seed)
    gold = random.zipf(1.4, size) % clusters
    pred = np.where(random.random(size) < 0.7, gold * 3 % (clusters + 1), random.zipf(1.6, size) % clusters)
    return gold.tolist(), pred.tolist()


CASES: dict[str, tuple[list[int], list[int]]] = {
    "one element": ([0], [0]),
    "two together": ([0, 0], [1, 1]),
    "two apart": ([0, 0], [1, 2]),
    "all singletons": (list(range(7)), list(range(7, 14))),
    "one cluster": ([3] * 8, [5] * 8),
    "one against all": ([3] * 8, list(range(8))),
    "all against one": (list(range(8)), [3] * 8),
    "identical": ([0, 0, 0, 1, 1, 2], [2, 2, 2, 0, 0, 1]),
    # of alphaMax's majorities: none in cluster 0, and one of three in cluster 1, two clusters with the same
    "ties": ([0, 0, 1, 1, 2, 2, 3, 4, 0, 0, 0, 1], [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3]),
    "one majority": ([0, 0, 0, 0, 0, 1, 1, 2, 2, 2], [0, 0, 1, 1, 2, 0, 2, 2, 3, 3]),
    "independent": ([0, 0, 0, 1, 1, 1, 2, 2, 2], [0, 1, 2, 0, 1, 2, 0, 1, 2]),
    "zipf": _random(1, 3000, 400),
}


def shuffled(columns: Columns, seed: int = 7) -> Columns:
    order = np.random.default_rng(seed).permutation(len(next(iter(columns.values())))).tolist()
    return {name: [values[k] for k in order] for name, values in columns.items()}


@cache
def documents() -> Columns:
    """All cases but the largest as documents of one table, and many small ones; the labels are the same in all."""
    rows = [(*pair, name) for name, case in CASES.items() if name != "zipf" for pair in zip(*case, strict=True)]
    random = np.random.default_rng(2)
    for k in range(60):
        gold, pred = _random(100 + k, int(random.integers(1, 30)), 6)
        rows += [(*pair, f"document {k}") for pair in zip(gold, pred, strict=True)]
    gold, pred, document = map(list, zip(*rows, strict=True))
    return {"gold": gold, "pred": pred, "document": document, "element": list(range(len(gold)))}


@cache
def zipf() -> Columns:
    gold, pred = CASES["zipf"]
    return {"gold": gold, "pred": pred}


def contents(card: cs.Scorecard) -> dict[str, Any]:
    """All that a card says, in both averages and of every document, whatever their order."""
    heads, *rows = [list(card.documents), *card.documents.rows()]
    return {
        "card": card.to_dict(),
        "micro": card.micro,
        "macro": card.macro,
        "columns": heads,
        "documents": {str(row[0]): row[1:] for row in rows},
    }


def same(card: cs.Scorecard, expected: cs.Scorecard) -> None:
    """Equal to the last bit; where not, the first difference is named."""
    ours, theirs = contents(card), contents(expected)
    assert ours["micro"].keys() == theirs["micro"].keys()
    for view in ("micro", "macro"):
        apart = [name for name, score in ours[view].items() if score != theirs[view][name]]
        first = [(scores[view][name].to_dict()) for scores in (ours, theirs) for name in apart[:1]]
        assert not apart, f"{view}: {len(apart)} of {len(ours[view])} differ, such as {apart[0]}: {first}"
    for side in (ours, theirs):
        side["card"].pop("warnings", None)  # tests/align/test_doubts.py compares what is doubted
    for part in ("card", "columns", "documents"):
        assert ours[part] == theirs[part], part
