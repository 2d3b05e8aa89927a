"""Measures of label images, written from their definitions: every match is tried, with exact fractions.

Images are two lists of labels, or in their place a mapping (gold label, predicted label) -> how many pixels.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

Labels = Sequence[int] | Mapping[tuple[int, int], int]
KEPT: dict[str, Any] = {
    "keep": lambda g, p: True,
    "gold": lambda g, p: g != 0,
    "pred": lambda g, p: p != 0,
    "either": lambda g, p: g != 0 and p != 0,
    "both": lambda g, p: g != 0 or p != 0,
}


def _ratio(top: Any, bottom: Any, otherwise: int) -> Fraction:
    return Fraction(top) / Fraction(bottom) if bottom else Fraction(otherwise)


def _seen(gold: Labels, pred: Labels | None, background: str) -> tuple[Counter[Any], Counter[int], Counter[int]]:
    every = gold if isinstance(gold, Mapping) else Counter(zip(gold, pred or (), strict=True))
    cells, of_gold, of_pred = Counter[Any](), Counter[int](), Counter[int]()
    for (g, p), n in every.items():
        if KEPT[background](g, p):
            cells[g, p], of_gold[g], of_pred[p] = n, of_gold[g] + n, of_pred[p] + n
    return cells, of_gold, of_pred


def split_and_merge(gold: Labels, pred: Labels | None = None, background: str = "keep") -> tuple[float, float]:
    cells, of_gold, of_pred = _seen(gold, pred, background)
    every = sum(cells.values())
    split = math.fsum(n / every * math.log2(of_gold[g] / n) for (g, _), n in cells.items())
    return split, math.fsum(n / every * math.log2(of_pred[p] / n) for (_, p), n in cells.items())


def adapted_rand_error(
    gold: Labels, pred: Labels | None = None, count: str = "pairs", background: str = "keep"
) -> dict[str, Fraction]:
    cells, of_gold, of_pred = _seen(gold, pred, background)

    def size(n: int) -> int:
        return n * (n - 1) if count == "pairs" else n * n

    s, a, b = (Fraction(sum(map(size, sizes.values()))) for sizes in (cells, of_gold, of_pred))
    if count in ("snemi", "cremi"):
        cut = {(g, p): n for (g, p), n in cells.items() if g and not p}
        inside = Fraction(sum(cut.values()))
        single = inside if count == "snemi" else inside / sum(_seen(gold, pred, "keep")[0].values())
        s += single - sum(n * n for n in cut.values())
        b += single + (of_pred[0] - inside) ** 2 - of_pred[0] ** 2
    precision, recall = _ratio(s, b, 1), _ratio(s, a, 1)
    return {"value": 1 - _ratio(2 * s, a + b, 1), "precision": precision, "recall": recall}


def cremi(gold: Labels, pred: Labels | None = None, background: str = "keep") -> float:
    error = adapted_rand_error(gold, pred, "squares", background)["value"]
    return math.sqrt(error * sum(split_and_merge(gold, pred, background)))


class Objects:
    """The objects of both sides, and the pairs that overlap."""

    def __init__(self, gold: Labels, pred: Labels | None = None):
        self.n = _seen(gold, pred, "either")[0]
        _, *sizes = _seen(gold, pred, "keep")
        self.gold, self.pred = (Counter({label: n for label, n in side.items() if label}) for side in sizes)

    def iou(self, pair: tuple[int, int]) -> Fraction:
        return Fraction(self.n[pair], self.gold[pair[0]] + self.pred[pair[1]] - self.n[pair])

    def matches(self, pairs: list[tuple[int, int]]) -> Iterator[list[tuple[int, int]]]:
        """Every one-to-one match of some pairs."""
        if not pairs:
            yield []
            return
        (g, p), *others = pairs
        yield from self.matches(others)
        for match in self.matches([pair for pair in others if pair[0] != g and pair[1] != p]):
            yield [(g, p), *match]


def average_precision(
    gold: Labels, pred: Labels | None = None, threshold: Any = "0.5", strict: bool = False, tie: str = "matched"
) -> dict[str, Any]:
    objects, least = Objects(gold, pred), Fraction(str(threshold))
    enough = [pair for pair in objects.n if objects.iou(pair) > least or (not strict and objects.iou(pair) == least)]
    chosen: list[tuple[int, int]] = []
    best: Any = (-1,)
    for match in objects.matches(list(objects.n) if tie == "all" else enough):
        hit = [pair for pair in match if pair in enough]
        worth = len(hit), sum(map(objects.iou, match)), sum(map(objects.iou, hit))
        if worth > best:
            chosen, best = hit, worth
    tp, fp, fn = len(chosen), len(objects.pred) - len(chosen), len(objects.gold) - len(chosen)
    overlap = sum(map(objects.iou, chosen))
    return {
        "value": _ratio(tp, tp + fp + fn, 0),
        "precision": _ratio(tp, tp + fp, 0),
        "recall": _ratio(tp, tp + fn, 0),
        "f1": _ratio(2 * tp, 2 * tp + fp + fn, 0),
        "sq": _ratio(overlap, tp, 0),
        "pq": _ratio(2 * overlap, 2 * tp + fp + fn, 0),
        "tp": tp,
        "fp": fp,
        "fn": fn,
    }


def aji(gold: Labels, pred: Labels | None = None, kind: str = "aji") -> Fraction:
    objects = Objects(gold, pred)
    sizes = sum(objects.gold.values()) + sum(objects.pred.values())
    if kind in ("plus", "foreground"):
        half = {pair for pair in objects.n if kind == "foreground" and objects.iou(pair) >= Fraction(1, 2)}
        worth = max(
            (len(half.intersection(match)), sum(map(objects.iou, match)), sum(objects.n[pair] for pair in match))
            for match in objects.matches(list(objects.n))
        )
        counted = worth[2] if kind == "plus" else sum(objects.n.values())
        return _ratio(worth[2], sizes - counted, 1)
    taken = []
    for g in objects.gold:
        own = [pair for pair in objects.n if pair[0] == g]
        order = [(objects.n[pair], objects.iou(pair)) for pair in own]
        order = order if kind == "overlap" else [worth[::-1] for worth in order]
        taken.append([pair for pair, worth in zip(own, order, strict=True) if worth == max(order)] or [None])
    values = []
    for choice in product(*taken):
        pairs = [pair for pair in choice if pair is not None]
        shared = sum(objects.n[pair] for pair in pairs)
        unions = sum(objects.gold.values()) + sum(objects.pred[p] for _, p in pairs) - shared
        values.append(
            _ratio(shared, unions + sum(objects.pred[p] for p in objects.pred.keys() - {p for _, p in pairs}), 1)
        )
    return max(values)  # of those that are alike, as many as possible


def sorted_ap(gold: Labels, pred: Labels | None = None) -> Fraction:
    objects = Objects(gold, pred)
    number = len(objects.gold) + len(objects.pred)
    best = max(
        objects.matches(list(objects.n)),
        key=lambda match: (sum(map(objects.iou, match)), sum(objects.iou(pair) ** 2 for pair in match)),
    )
    u = sorted(map(objects.iou, best))
    y = [Fraction(len(u) - k, number - len(u) + k) for k in range(len(u))]
    if not u:
        return Fraction(not number)
    line = [(Fraction(0), y[0]), (u[0], y[0]), *zip(u[1:], y[1:], strict=True), (Fraction(1), Fraction(0))]
    return sum(((x2 - x1) * (y1 + y2) / 2 for (x1, y1), (x2, y2) in pairwise(line)), start=Fraction(0))
