"""Every measure from the counts of a table, as its definition writes it, to 150 digits: for sizes that no list has.

Nothing here is shared with the package. Counts are Python integers, everything else is a Decimal: what cancels leaves
more than enough digits. The table is a mapping (gold cluster, predicted cluster) -> number of elements.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping
from decimal import Context, Decimal, localcontext
from functools import cache, partial
from itertools import permutations, product
from math import prod
from typing import Any, NamedTuple

import image_measures

import clusterscore as cs

Cells = Mapping[tuple[Hashable, Hashable], int]
D = Decimal
DIGITS = 150
PI = D(
    "3.1415926535897932384626433832795028841971693993751058209749445923078164062862089986280348253421170679"
    "82148086513282306647093844609550582231725359408128481"
)
NOTHING = D(10) ** -100  # what is 0 on paper leaves something in the last digits
# B(2k)/(2k*(2k-1)), B the Bernoulli numbers
STIRLING = [D(n) / d for n, d in [
    (1, 12), (-1, 360), (1, 1260), (-1, 1680), (1, 1188), (-691, 360360), (1, 156), (-3617, 122400), (43867, 244188),
    (-174611, 125400), (77683, 5796), (-236364091, 1506960), (657931, 300),
]]  # fmt: skip
MOST = 6  # clusters that are aligned by trying all orders


class TooLarge(Exception):
    """The definition, taken literally, would take too long here."""


class PRF(NamedTuple):
    precision: Decimal
    recall: Decimal
    f: Decimal


class Counts:
    """The table with its margins."""

    def __init__(self, cells: Cells):
        self.cells = cells
        self.gold: Counter[Hashable] = Counter()
        self.pred: Counter[Hashable] = Counter()
        for (i, j), n in cells.items():
            self.gold[i] += n
            self.pred[j] += n
        self.elements = sum(cells.values())
        # equal cells are taken together, as are equal sizes: each with how often it occurs
        self.rows = Counter((n, self.gold[i], self.pred[j]) for (i, j), n in cells.items())
        self.sizes = Counter(self.gold.values()), Counter(self.pred.values())
        self.identical = all(n == a == b for n, a, b in self.rows)


def score(metric: cs.Metric, cells: Cells) -> dict[str, Decimal]:
    """Value, precision and recall, or the value alone."""
    with localcontext(Context(prec=DIGITS, Emax=10**6, Emin=-(10**6))):
        result = MEASURES[metric.name](Counts(cells), metric.parameters)
    named = (
        {"value": result.f, "precision": result.precision, "recall": result.recall}
        if isinstance(result, PRF)
        else {"value": result}
    )
    return {name: D(0) if abs(value) < NOTHING else value for name, value in named.items()}


def ratio(top: Any, bottom: Any, otherwise: Any) -> Decimal:
    return D(top) / D(bottom) if bottom else D(otherwise)


def pairs(n: int) -> int:
    return n * (n - 1) // 2


def balance(options: dict[str, Any]) -> tuple[Decimal, Decimal]:
    """The weights of a false positive and a false negative, from the numbers as the metric was given them."""
    if options.get("w_fp") is not None:
        return D(options["w_fp"]), D(options["w_fn"])
    if options.get("alpha") is not None:
        return D(options["alpha"]), 1 - D(options["alpha"])
    square = D(options.get("beta", 1)) ** 2
    if square > 10**300:  # recall alone, for a float
        return D(0), D(1)
    return 1 / (1 + square), square / (1 + square)


def f_of(p: Decimal, r: Decimal, w_fp: Decimal, w_fn: Decimal) -> Decimal:
    """TP / (TP + w_fp*FP + w_fn*FN), with FP/TP = 1/P - 1 and FN/TP = 1/R - 1."""
    if w_fp == 0:
        return ratio(r, r + w_fn * (1 - r), 0)
    if w_fn == 0:
        return ratio(p, p + w_fp * (1 - p), 0)
    return D(0) if p == 0 or r == 0 else 1 / (1 + w_fp * (1 / p - 1) + w_fn * (1 / r - 1))


# elements --------------------------------------------------------------------------------------------


def effective(a: int, delta: Decimal) -> Decimal:
    return D(a) if delta == 1 else (1 - delta**a) / (1 - delta)


def weights(t: Counts, kind: str | None) -> dict[int, Decimal]:
    """The weight of an element by the size of its gold cluster."""
    delta = D(t.elements - 1) / t.elements
    kinds = {None: lambda a: D(1), "class": lambda a: 1 / D(a), "effective": lambda a: 1 / (effective(a, delta) * a)}
    return {a: kinds[kind](a) for a in t.sizes[0]}


def elementwise(t: Counts, options: dict[str, Any], less: int) -> PRF:
    w_fp, w_fn = balance(options)
    weight = weights(t, options["weights"])

    def scores(n: int, a: int, b: int) -> list[Decimal]:
        tp, fp, fn = D(n - less), D(b - n), D(a - n)
        p, r = ratio(tp, tp + fp, 1), ratio(tp, tp + fn, 1)
        return [p, r, ratio(tp, tp + w_fp * fp + w_fn * fn, r if w_fp == 0 else p if w_fn == 0 else 1)]

    total = sum(weight[a] * a * times for a, times in t.sizes[0].items())
    sums = [D(0)] * 3
    for (n, a, b), times in t.rows.items():
        sums = [old + weight[a] * n * times * new for old, new in zip(sums, scores(n, a, b), strict=True)]
    p, r, f = (number / total for number in sums)
    if not options.get("adjusted"):
        return PRF(p, r, f if options["f"] == "mean" else f_of(p, r, w_fp, w_fn))
    chance, all_ = [D(0)] * 3, D(t.elements)
    for a, a_times in t.sizes[0].items():
        for b, b_times in t.sizes[1].items():
            n, nn = a * b / all_, D(0)  # E[n], E[n(n-1)]
            if t.elements > 1:
                nn = D(a * (a - 1) * b * (b - 1)) / (t.elements * (t.elements - 1))
            tp = nn if less else nn + n
            bottoms = (b - less, a - less, w_fp * (b - less) + w_fn * (a - less))
            often = weight[a] * a_times * b_times / total
            chance = [old + often * ratio(tp, bottom, n) for old, bottom in zip(chance, bottoms, strict=True)]
    p, r, f = (above(x, e) for x, e in zip((p, r, f), chance, strict=True))
    if options["f"] == "of-means":
        f = signed_f(p, r, w_fp, w_fn)
    return PRF(p, r, f)


def above(x: Decimal, e: Decimal) -> Decimal:
    """(x - E)/(1 - E); 1 where chance cannot but get everything right."""
    return D(1) if abs(1 - e) < NOTHING else (x - e) / (1 - e)


def signed_f(p: Decimal, r: Decimal, w_fp: Decimal, w_fn: Decimal) -> Decimal:
    if w_fp == 0 or w_fn == 0:
        return r if w_fp == 0 else p
    return 1 / (w_fp / p + w_fn / r) if p * r > 0 else D(0)


def adapted(t: Counts, options: dict[str, Any]) -> PRF:
    order, alpha = D(options["order"]), D(options["alpha"])
    weight = weights(t, options["weights"])
    total = sum(weight[a] * a * times for a, times in t.sizes[0].items())
    often = {row: weight[row[1]] * row[0] * times / total for row, times in t.rows.items()}
    p = sum((w * D(n) / b for (n, _, b), w in often.items()), D(0))
    if options["recall"] == "power":
        r = sum((w * D(n) / a for (n, a, _), w in often.items()), D(0)) ** (order - 1)
    else:
        r = sum((w * (D(n) / a) ** (order - 1) for (n, a, _), w in often.items()), D(0))
    return PRF(p, r, f_of(p, r, alpha, 1 - alpha))


def alphamax(t: Counts, options: dict[str, Any]) -> PRF:
    reading = options["reading"]
    best: dict[Hashable, list[tuple[int, Hashable]]] = {j: [] for j in t.pred}
    for (i, j), n in t.cells.items():
        best[j].append((n, i))
    superset: dict[Hashable, Hashable] = {}
    for j, held in best.items():
        most = max(n for n, _ in held)
        first = [i for n, i in held if n == most]
        superset[j] = ("label", first[0]) if len(first) == 1 else ("alone", j)
    size: Counter[Hashable] = Counter()
    for j, b in t.pred.items():
        size[superset[j]] += b
    joint: Counter[tuple[Hashable, Hashable]] = Counter()
    for (i, j), n in t.cells.items():
        joint[i, superset[j]] += n
    p_c, p_s, r_c, r_s = Counter[Hashable](), Counter[Hashable](), Counter[Hashable](), Counter[Hashable]()
    for (i, j), n in t.cells.items():
        p_c[j] += n * n
        r_c[i] += n * n
    for (i, s), n in joint.items():
        p_s[s] += n * n
        r_s[i] += n * n

    def own(i: Hashable, j: Hashable) -> tuple[Decimal, Decimal, Decimal, Decimal]:
        n, held, s = D(t.cells[i, j]), D(joint[i, superset[j]]), superset[j]
        return n / t.pred[j], held / size[s], n / t.gold[i], held / t.gold[i]

    sums, total = [D(0)] * 2, D(0)
    weight = alphamax_weights(t, options)
    for (i, j), n in t.cells.items():
        s, a, b = superset[j], t.gold[i], t.pred[j]
        if reading == "marginal":
            ps = D(p_c[j]) / b**2, D(p_s[s]) / size[s] ** 2, D(r_c[i]) / a**2, D(r_s[i]) / a**2
        else:
            ps = own(i, j)
        if reading != "majority":
            eta = eta_of(ps[1] / ps[0], ps[2] / ps[3], options["alpha"])
        elif s == ("alone", j):
            eta = D(1)  # of what the super-set adds, which is nothing
        else:
            main = own(s[1], j)  # type: ignore[index]
            eta = eta_of(main[1] / main[0], main[2] / main[3], options["alpha"])
        often = weight[a] * n
        total += often
        sums[0] += often * (ps[0] + eta * (ps[1] - ps[0]))
        sums[1] += often * (ps[2] + eta * (ps[3] - ps[2]))
    p, r = sums[0] / total, sums[1] / total
    return PRF(p, r, f_of(p, r, *balance({"beta": options["beta"]})))


def alphamax_weights(t: Counts, options: dict[str, Any]) -> dict[int, Decimal]:
    delta = options["delta"]
    if delta in (None, "none"):
        return weights(t, options["weights"])
    number = D(t.elements - 1) / t.elements if delta == "auto" else D(delta)
    per_class = options.get("delta_norm", "class") == "class"
    return {a: 1 / (effective(a, number) * (a if per_class else 1)) for a in t.sizes[0]}


def eta_of(u: Decimal, v: Decimal, alpha: Any) -> Decimal:
    if alpha == "auto":
        return min(u, v) / max(u, v)
    alpha = D(alpha)
    return D(0) if alpha == 0 else (min(u, alpha) / max(u, alpha)) * (min(v, alpha) / max(v, alpha))


# pairs -----------------------------------------------------------------------------------------------


def links(t: Counts) -> tuple[int, int, int, int]:
    right = sum(pairs(n) * times for (n, _, _), times in t.rows.items())
    gold, pred = (sum(pairs(size) * times for size, times in side.items()) for side in t.sizes)
    return right, gold, pred, pairs(t.elements)


def pairwise(t: Counts, options: dict[str, Any]) -> PRF:
    right, gold, pred, all_ = links(t)
    if options.get("pairs") == "self":
        right += t.rows[1, 1, 1]
        gold, pred = (number + sizes[1] for number, sizes in zip((gold, pred), t.sizes, strict=True))
    w_fp, w_fn = balance(options)
    p, r = ratio(right, pred, 1), ratio(right, gold, 1)
    if not options.get("adjusted"):
        return PRF(p, r, f_of(p, r, w_fp, w_fn))
    e_p, e_r = ratio(gold, all_, 1) if pred else D(1), ratio(pred, all_, 1) if gold else D(1)
    p, r = above(p, e_p), above(r, e_r)
    if w_fp == w_fn:
        return PRF(p, r, adjusted_rand(t, {}))
    return PRF(p, r, signed_f(p, r, w_fp, w_fn))


def tau(t: Counts, options: dict[str, Any]) -> PRF:
    p, r = (
        ratio(sum(D(k * n * n) / of[side] for (n, *of), k in t.rows.items()) - blind, t.elements - blind, 1)
        for side, sizes in ((1, t.sizes[0]), (0, t.sizes[1]))
        for blind in [D(sum(size * size * k for size, k in sizes.items())) / t.elements]
    )
    return PRF(p, r, f_of(p, r, D("0.5"), D("0.5")))


def rand(t: Counts, options: dict[str, Any]) -> Decimal:
    right, gold, pred, all_ = links(t)
    return adjusted_rand(t, {}) if options.get("adjusted") else ratio(all_ - gold - pred + 2 * right, all_, 1)


def adjusted_rand(t: Counts, options: dict[str, Any]) -> Decimal:
    right, gold, pred, all_ = links(t)
    if not all_ or t.identical:
        return D(1)
    if options.get("weights") == "class":
        return class_weighed_rand(t)
    if options.get("model", "perm") != "perm":
        random = together_by_chance(t.elements, len(t.pred) if options["model"] == "num" else None)
        apart = (gold * (1 - random) + (all_ - gold) * random) / all_
        return 1 - D(gold + pred - 2 * right) / all_ / apart
    chance = D(gold * pred) / all_
    return ratio(right - chance, D(gold + pred) / 2 - chance, 1)


def together_by_chance(elements: int, clusters: int | None) -> Decimal:
    """The share of clusterings in which two elements are together, from a triangle of Stirling numbers."""
    if elements > 150:
        raise TooLarge
    row = [1]
    for n in range(1, elements + 1):
        before = [*row, 0]
        row = [0, *(before[k - 1] + k * before[k] for k in range(1, n + 1))]
    joined, every = (sum(numbers) if clusters is None else numbers[clusters] for numbers in (before, row))
    return D(joined) / every


def class_weighed_rand(t: Counts) -> Decimal:
    weight = {i: 1 / D(a) for i, a in t.gold.items()}
    heavy = dict.fromkeys(t.pred, D(0))
    lone, right = D(0), D(0)
    found_alone = D(0)
    for (i, j), n in t.cells.items():
        heavy[j] += weight[i] * n
        lone += weight[i] ** 2 * n
        right += weight[i] ** 2 * n * (n - 1)
        found_alone += weight[i] ** 2 * n
    true = sum((weight[i] ** 2 * a * (a - 1) for i, a in t.gold.items()), D(0))
    predicted = sum((w * w for w in heavy.values()), D(0)) - found_alone
    chance = true * predicted / (len(t.gold) ** 2 - lone)
    room = (true + predicted) / 2 - chance
    return D(0) if abs(room) < NOTHING else (right - chance) / room


def standardized_rand(t: Counts, options: dict[str, Any]) -> Decimal:
    right, gold, pred, all_ = links(t)
    (a3, a4), (b3, b4) = (
        (sum(x * (x - 1) * (x - 2) * times for x, times in side.items()), 2 * number)
        for side, number in zip(t.sizes, (gold, pred), strict=True)
    )
    a4, b4 = a4**2 - 4 * a3 - 2 * a4, b4**2 - 4 * b3 - 2 * b4
    n = t.elements
    expected = ratio(4 * gold * pred, 2 * all_, 0)
    square = ratio(8 * gold * pred, 2 * all_, 0) + ratio(4 * a3 * b3, n * (n - 1) * (n - 2), 0)
    variance = square + ratio(a4 * b4, n * (n - 1) * (n - 2) * (n - 3), 0) - expected**2
    return D(0) if abs(variance) < NOTHING else (2 * right - expected) / variance.sqrt()


def jaccard(t: Counts, options: dict[str, Any]) -> Decimal:
    right, gold, pred, _ = links(t)
    return ratio(right, gold + pred - right, 1)


def fowlkes_mallows(t: Counts, options: dict[str, Any]) -> Decimal:
    right, gold, pred, all_ = links(t)
    value = (ratio(right, pred, 1) * ratio(right, gold, 1)).sqrt()
    if not options.get("adjusted"):
        return value
    if t.identical or not gold or not pred:
        return D(t.identical)
    return above(value, D(gold * pred).sqrt() / all_)


def confusion(t: Counts) -> tuple[int, int, int, int]:
    """Right pairs, right pairs apart, wrong pairs, missed pairs."""
    right, gold, pred, all_ = links(t)
    return right, all_ - gold - pred + right, pred - right, gold - right


def p4(t: Counts, options: dict[str, Any]) -> Decimal:
    tp, tn, fp, fn = confusion(t)
    return ratio(4 * tp * tn, 4 * tp * tn + (tp + tn) * (fp + fn), t.identical)


def phi(t: Counts, options: dict[str, Any]) -> Decimal:
    tp, tn, fp, fn = confusion(t)
    root = D((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)).sqrt()
    return D(1 if root else options.get("empty", 1)) if t.identical else ratio(tp * tn - fp * fn, root, 0)


def agree_nowhere(t: Counts) -> bool:
    tp, tn, fp, fn = confusion(t)
    return tp + tn == 0 < fp + fn


def correlation(t: Counts, options: dict[str, Any]) -> Decimal:
    return D(-1) if agree_nowhere(t) else phi(t, {})


def correlation_distance(t: Counts, options: dict[str, Any]) -> Decimal:
    """By the series of the arc sine of a small angle: halved until it is one."""
    cosine = correlation(t, {})
    half = ((1 - cosine) / 2).sqrt()
    doublings = 1
    while half > D("0.01"):
        half = ((1 - (1 - half * half).sqrt()) / 2).sqrt()
        doublings += 1
    term = total = half
    for k in range(1, 60):
        term = term * half * half * (2 * k - 1) ** 2 / (2 * k * (2 * k + 1))
        total += term
    return total * 2**doublings / PI


def sokal_sneath(t: Counts, options: dict[str, Any]) -> Decimal:
    tp, tn, fp, fn = confusion(t)
    if t.identical:
        return D(1)
    if not (tp + fn and tp + fp and tn + fp and tn + fn):
        return D(0) if agree_nowhere(t) else D("0.5")
    return (D(tp) / (tp + fn) + D(tp) / (tp + fp) + D(tn) / (tn + fp) + D(tn) / (tn + fn)) / 4


def specificity(t: Counts, options: dict[str, Any]) -> Decimal:
    _, tn, fp, _ = confusion(t)
    return ratio(tn, tn + fp, 1)


def npv(t: Counts, options: dict[str, Any]) -> Decimal:
    _, tn, _, fn = confusion(t)
    return ratio(tn, tn + fn, 1)


def blanc(t: Counts, options: dict[str, Any]) -> PRF:
    right, gold, pred, all_ = links(t)
    other = all_ - gold - pred + right, all_ - gold, all_ - pred
    w = D(options["weight"])
    if not all_:
        return PRF(*[D(options.get("links", "all") == "all")] * 3)
    sides = [
        (ratio(rc, in_pred, 0), ratio(rc, in_gold, 0), ratio(2 * rc, in_gold + in_pred, 0))
        for rc, in_gold, in_pred in ((right, gold, pred), other)
    ]
    lacks = [side == 0 for side in (gold, other[1])]
    if options["dialect"] == "luo2014":
        lacks = [mine and its == 0 for mine, its in zip(lacks, (pred, other[2]), strict=True)]
    if lacks[0] or lacks[1]:
        return PRF(*sides[1 if lacks[0] else 0])
    return PRF(*(w * c + (1 - w) * u for c, u in zip(*sides, strict=True)))


# coreference -----------------------------------------------------------------------------------------


def of_sides(right_pred: Any, pred: Any, right_gold: Any, gold: Any) -> PRF:
    p, r = ratio(right_pred, pred, 0), ratio(right_gold, gold, 0)
    return PRF(p, r, ratio(2 * p * r, p + r, 0))


def muc(t: Counts, options: dict[str, Any]) -> PRF:
    right = t.elements - len(t.cells)
    return of_sides(right, t.elements - len(t.pred), right, t.elements - len(t.gold))


def b3(t: Counts, options: dict[str, Any]) -> PRF:
    elements = elementwise(t, {"f": "of-means", "weights": None}, 0)
    return of_sides(elements.precision, 1, elements.recall, 1)


def lea(t: Counts, options: dict[str, Any]) -> PRF:
    sums = [D(0), D(0)]
    for (n, *sides), times in t.rows.items():
        for k, size in enumerate(sides):
            alone = D(sides[0] == sides[1] == 1)
            sums[k] += times * (size * D(pairs(n)) / pairs(size) if size > 1 else alone)
    return of_sides(sums[1], t.elements, sums[0], t.elements)


def aligned(t: Counts, weight: Any) -> Decimal:
    few, many = sorted((list(t.gold), list(t.pred)), key=len)
    if len(few) > MOST or len(many) > MOST:
        raise TooLarge
    turned = list(t.gold) != few

    def total(order: tuple[Hashable, ...]) -> Decimal:
        chosen = [(j, i) if turned else (i, j) for i, j in zip(few, order, strict=True)]
        return sum((weight(cell) for cell in chosen if cell in t.cells), D(0))

    return max(total(order) for order in permutations(many, len(few)))


def set_matching(t: Counts, options: dict[str, Any]) -> Decimal:
    """The elements of the best alignment; or of all that are as good, the most that classes have on average."""
    if options.get("mean") is None:
        return aligned(t, lambda cell: D(t.cells[cell])) / t.elements
    if t.elements >= 2**51:  # where the package does not choose among equal alignments
        raise TooLarge
    both = aligned(t, lambda cell: D(t.cells[cell]) + D(t.cells[cell]) / t.gold[cell[0]] / 10**60)
    return both % 1 * 10**60 / len(t.gold)


def ceafe(t: Counts, options: dict[str, Any]) -> PRF:
    right = aligned(t, lambda cell: 2 * D(t.cells[cell]) / (t.gold[cell[0]] + t.pred[cell[1]]))
    return of_sides(right, len(t.pred), right, len(t.gold))


def ceafm(t: Counts, options: dict[str, Any]) -> PRF:
    right = aligned(t, lambda cell: D(t.cells[cell]))
    return of_sides(right, t.elements, right, t.elements)


def conll(t: Counts, options: dict[str, Any]) -> Decimal:
    return (muc(t, {}).f + b3(t, {}).f + ceafe(t, {}).f) / 3


# sets ------------------------------------------------------------------------------------------------


def purities(t: Counts) -> tuple[Decimal, Decimal]:
    best: list[Counter[Hashable]] = [Counter(), Counter()]
    for (i, j), n in t.cells.items():
        best[0][j], best[1][i] = max(best[0][j], n), max(best[1][i], n)
    return D(best[0].total()) / t.elements, D(best[1].total()) / t.elements


def purity_f(t: Counts, options: dict[str, Any]) -> PRF:
    return PRF(*purities(t), f_of(*purities(t), *balance(options)))


def f_measure(t: Counts, options: dict[str, Any]) -> Decimal:
    best = {i: D(0) for i in t.gold}
    for (i, j), n in t.cells.items():
        best[i] = max(best[i], 2 * D(n) / (t.gold[i] + t.pred[j]))
    return sum((t.gold[i] * f for i, f in best.items()), D(0)) / t.elements


# clusters --------------------------------------------------------------------------------------------


def jaccards(t: Counts) -> dict[tuple[Hashable, Hashable], Decimal]:
    return {(i, j): D(n) / (t.gold[i] + t.pred[j] - n) for (i, j), n in t.cells.items()}


def cluster_match(t: Counts, options: dict[str, Any]) -> PRF:
    rule, threshold = options["rule"], options.get("threshold")
    rules = {
        "exact": lambda n, a, b: n == a == b,
        "iou": lambda n, a, b: D(n) / (a + b - n) > D(threshold),
        "majority": lambda n, a, b: 2 * n > a and 2 * n > b,
        "share": lambda n, a, b: D(n) / b >= D(threshold),
    }
    matched = [cell for cell, n in t.cells.items() if rules[rule](n, t.gold[cell[0]], t.pred[cell[1]])]
    return of_sides(len(matched), len(t.pred), len({i for i, _ in matched}), len(t.gold))


def matching_ratio(t: Counts, options: dict[str, Any]) -> Decimal:
    return aligned(t, lambda cell: D(t.cells[cell] ** 2) / (t.gold[cell[0]] * t.pred[cell[1]])) / len(t.gold)


def jaccard_error_rate(t: Counts, options: dict[str, Any]) -> Decimal:
    alike = jaccards(t)
    return 1 - aligned(t, alike.__getitem__) / len(t.gold)


def centroid_index(t: Counts, options: dict[str, Any]) -> Decimal:
    """Of equally close clusters the choice that leaves the fewest without a pointer."""
    alike, numbers = jaccards(t), []
    for own, side in enumerate((t.gold, t.pred)):
        pointers: dict[Hashable, list[Hashable]] = {}
        for cell, value in alike.items():
            best = max(other for key, other in alike.items() if key[1 - own] == cell[1 - own])
            if value == best:
                pointers.setdefault(cell[1 - own], []).append(cell[own])
        if len(pointers) > 60 and any(len(closest) > 1 for closest in pointers.values()):
            raise TooLarge
        choices = product(*(closest for closest in pointers.values() if len(closest) > 1))
        fixed = {closest[0] for closest in pointers.values() if len(closest) == 1}
        numbers.append(min(len(side) - len(fixed | set(choice)) for choice in choices))
    return D(max(numbers))


def panoptic(t: Counts, options: dict[str, Any]) -> PRF:
    matched = [alike for alike in jaccards(t).values() if alike > D("0.5")]
    if options.get("rule") == "majority":
        most = {(i, j): 2 * n > max(t.gold[i], t.pred[j]) for (i, j), n in t.cells.items()}
        matched = [alike for cell, alike in jaccards(t).items() if most[cell]]
    p, r = D(len(matched)) / len(t.pred), D(len(matched)) / len(t.gold)
    return PRF(p, r, 2 * sum(matched, D(0)) / (len(t.gold) + len(t.pred)))


def closest_cluster(t: Counts, options: dict[str, Any]) -> PRF:
    best: list[dict[Hashable, Decimal]] = [{}, {}]
    for cell, alike in jaccards(t).items():
        for side, cluster in zip(best, cell, strict=True):
            side[cluster] = max(side.get(cluster, alike), alike)
    gold, pred = (sum(side.values(), D(0)) for side in best)
    return of_sides(pred, len(t.pred), gold, len(t.gold))


def k_measure(t: Counts, options: dict[str, Any]) -> PRF:
    p, r, _ = elementwise(t, {"f": "of-means", "weights": None}, 0)
    return PRF(p, r, (p * r).sqrt())


def clustering_accuracy(t: Counts, options: dict[str, Any]) -> Decimal:
    matched = aligned(t, lambda cell: D(t.cells[cell]) / t.gold[cell[0]])
    return (matched - 1) / (len(t.gold) - 1) if len(t.gold) > 1 else D(len(t.pred) == 1)


def pivoted_accuracy(t: Counts, options: dict[str, Any]) -> Decimal:
    most = max(len(t.gold), len(t.pred))
    matched = aligned(t, lambda cell: D(t.cells[cell])) / t.elements
    return (matched - D(1) / most) / (1 - D(1) / most) if most > 1 else D(1)


def pair_sets_index(t: Counts, options: dict[str, Any]) -> Decimal:
    sides, most = [sorted(side.values(), reverse=True) for side in (t.gold, t.pred)], max(len(t.gold), len(t.pred))
    matched = aligned(t, lambda cell: D(t.cells[cell]) / max(t.gold[cell[0]], t.pred[cell[1]]))
    chance = sum((D(min(a, b)) for a, b in zip(*sides, strict=False)), D(0)) / t.elements
    chance = D(1) if options.get("simplified") else chance
    return D(1) if abs(most - chance) < NOTHING else max(D(0), (matched - chance) / (most - chance))


# distances -------------------------------------------------------------------------------------------


def scaled(distance: Any, scale: Any, options: dict[str, Any]) -> Decimal:
    return D(distance) / scale if options.get("normalized") else D(distance)


def split_join(t: Counts, options: dict[str, Any]) -> Decimal:
    return scaled(2 * t.elements - t.elements * sum(purities(t)), 2 * t.elements, options)


def mirkin(t: Counts, options: dict[str, Any]) -> Decimal:
    right, gold, pred, _ = links(t)
    return scaled(2 * (gold + pred - 2 * right), t.elements**2, options)


def transfer_distance(t: Counts, options: dict[str, Any]) -> Decimal:
    return scaled(t.elements - aligned(t, lambda cell: D(t.cells[cell])), t.elements, options)


def variation(t: Counts, options: dict[str, Any]) -> Decimal:
    info = nats(t)
    apart = info.gold + info.pred - 2 * info.mutual
    scales = {
        None: D(options["base"]).ln() if options.get("base") else D(1),
        "log": D(t.elements).ln(),
        "joint": info.gold + info.pred - info.mutual,
    }
    return D(0) if t.identical else apart / scales[options["normalized"]]


# information -----------------------------------------------------------------------------------------


def entropy(sizes: Counter[int], elements: int) -> Decimal:
    return sum((times * plogp(size, elements) for size, times in sizes.items()), D(0))


def plogp(count: int, elements: int) -> Decimal:
    return -D(count) / elements * (D(count) / elements).ln() if count else D(0)


class Nats(NamedTuple):
    gold: Decimal
    pred: Decimal
    mutual: Decimal


def nats(t: Counts) -> Nats:
    mutual = D(0)
    for (n, a, b), times in t.rows.items():
        mutual += times * D(n) / t.elements * (D(n * t.elements) / (a * b)).ln()
    gold, pred = (entropy(side, t.elements) for side in t.sizes)
    return Nats(*(D(0) if abs(number) < NOTHING else number for number in (gold, pred, mutual)))


def class_nats(t: Counts) -> Nats:
    """The same of elements that weigh as much as their gold cluster is small."""
    share = {(i, j): D(n) / t.gold[i] for (i, j), n in t.cells.items()}
    heavy = dict.fromkeys(t.pred, D(0))
    for (_, j), n in share.items():
        heavy[j] += n
    number = len(t.gold)
    mutual = sum((n / number * (n * number / heavy[j]).ln() for (_, j), n in share.items()), D(0))
    pred = -sum((w / number * (w / number).ln() for w in heavy.values()), D(0))
    return Nats(*(D(0) if abs(part) < NOTHING else part for part in (D(number).ln(), pred, mutual)))


def v_measure(t: Counts, options: dict[str, Any]) -> PRF:
    info, beta = nats(t) if options.get("weights") is None else class_nats(t), D(options.get("beta", 1))
    h, c = ratio(info.mutual, info.gold, 1), ratio(info.mutual, info.pred, 1)
    return PRF(h, c, ratio((1 + beta) * h * c, beta * h + c, 0))


def reduced_mi(t: Counts, options: dict[str, Any]) -> Decimal:
    if len(t.sizes[0]) + len(t.sizes[1]) + len(t.rows) > 16:
        raise TooLarge
    with localcontext(Context(prec=50)):
        whole, sides = (t.elements,), [tuple(t.gold.values()), tuple(t.pred.values())]
        cells = tuple(t.cells.values())
        saved = [
            transmitted(side, whole, len(side)) - transmitted(cells, other, len(side))
            for side, other in zip(sides, reversed(sides), strict=True)
        ]
        possible = [transmitted(side, whole, len(side)) - transmitted(side, side, len(side)) for side in sides]
        normalization = options["normalization"]
        if normalization is None:
            return saved[0] / t.elements
        if t.identical:
            return D(1)
        top, bottom = (saved[0], possible[0]) if normalization == "gold" else (sum(saved, D(0)), sum(possible, D(0)))
        return D(0) if abs(bottom) < D("1e-20") else top / bottom


@cache
def transmitted(cells: tuple[int, ...], columns: tuple[int, ...], clusters: int) -> Decimal:
    """The cost of a table at the best alpha, and of the order of the elements."""
    if sorted(cells) == sorted(columns):  # the least that a table costs
        return len(columns) * D(clusters).ln()

    @cache
    def cost(log_alpha: Decimal) -> Decimal:
        alpha = log_alpha.exp()
        return rising(columns, clusters * alpha) - rising(cells, alpha)

    grid = range(-14, 18 + len(str(sum(columns))), 2)
    costs = [sum(columns) * D(clusters).ln(), *map(cost, map(D, grid))]
    for k in grid[1:-1]:
        if cost(D(k - 2)) >= cost(D(k)) <= cost(D(k + 2)):
            low, high = D(k - 2), D(k + 2)
            for _ in range(50):
                third = (high - low) / 3
                low, high = (low, high - third) if cost(low + third) < cost(high - third) else (low + third, high)
            costs.append(cost((low + high) / 2))
    return min(costs)


def rising(sizes: tuple[int, ...], t: Decimal) -> Decimal:
    """The sum over sizes m of log(t*(t+1)*...*(t+m-1))."""
    few = prod((t + k for m in sizes if m < 40 for k in range(m)), start=D(1)).ln()
    return sum((times * (log_gamma(t + m) - log_gamma(t)) for m, times in Counter(sizes).items() if m >= 40), few)


def log_gamma(z: Decimal) -> Decimal:
    """By Stirling's series, beyond 40."""
    below = prod((z + k for k in range(40)), start=D(1)) if z < 40 else D(1)
    z += 40 if z < 40 else 0
    series = sum((c / z ** (2 * k + 1) for k, c in enumerate(STIRLING)), D(0))
    return (z - D("0.5")) * z.ln() - z + (2 * PI).ln() / 2 + series - below.ln()


def nmi(t: Counts, options: dict[str, Any]) -> Decimal:
    info = nats(t)
    return D(1) if t.identical else ratio(info.mutual, mean_of(info, options["mean"]), 0)


def mean_of(info: Nats, kind: str) -> Decimal:
    means = {
        "arithmetic": (info.gold + info.pred) / 2,
        "geometric": (info.gold * info.pred).sqrt(),
        "min": min(info.gold, info.pred),
        "max": max(info.gold, info.pred),
    }
    return means[kind]


def ami(t: Counts, options: dict[str, Any]) -> Decimal:
    if t.identical:
        return D(1)
    info, expected = nats(t), D(0)
    for a, a_times in t.sizes[0].items():
        for b, b_times in t.sizes[1].items():
            expected += a_times * b_times * mean_of_cell(a, b, t.elements)
    room = mean_of(info, options["mean"]) - expected
    return D(0) if abs(room) < NOTHING else (info.mutual - expected) / room


@cache
def mean_of_cell(a: int, b: int, elements: int) -> Decimal:
    """The mean of n/N*log(N*n/(a*b)): one n after the other, each as likely as its neighbour times a fraction."""
    low, high = max(0, a + b - elements), min(a, b)
    if high - low > 3000:
        raise TooLarge
    chance, total, mean = D(1), D(0), D(0)
    for n in range(low, high + 1):
        total += chance
        if n:
            mean += chance * n / elements * (D(n * elements) / (a * b)).ln()
        if n < high:
            chance = chance * ((a - n) * (b - n)) / ((n + 1) * (elements - a - b + n + 1))
    return mean / total


# clusterings that may overlap, on partitions --------------------------------------------------------------


def graded_bcubed(t: Counts, options: dict[str, Any]) -> PRF:
    if options.get("dialect") != "semeval2013":
        return elementwise(t, options, 0)
    p = r = D(0)
    for (n, a, b), times in t.rows.items():
        p += times * n * ratio(n - 1, b - 1, 0)
        r += times * n * ratio(n - 1, a - 1, 0)
    p, r = p / t.elements, r / t.elements
    return PRF(p, r, f_of(p, r, *balance(options)))


def element_centric(t: Counts, options: dict[str, Any]) -> Decimal:
    return sum((times * D(n * n) / max(a, b) for (n, a, b), times in t.rows.items()), D(0)) / t.elements


def community_f1(t: Counts, options: dict[str, Any]) -> Decimal:
    best: list[dict[Hashable, Decimal]] = [{}, {}]
    for (i, j), n in t.cells.items():
        f = 2 * D(n) / (t.gold[i] + t.pred[j])
        for side, cluster in zip(best, (i, j), strict=True):
            side[cluster] = max(side.get(cluster, f), f)
    gold, pred = (sum(side.values(), D(0)) / len(side) for side in best)
    return (gold + pred) / 2


def overlapping_nmi(t: Counts, options: dict[str, Any]) -> Decimal:
    """A cluster is a yes or no for each element, and the other side tells of it what its best cluster does."""
    if len(t.gold) * len(t.pred) > 2000:
        raise TooLarge
    held = {**dict.fromkeys(((i, j) for i in t.gold for j in t.pred), 0), **t.cells}
    sides = (t.gold, t.pred, held), (t.pred, t.gold, {(j, i): n for (i, j), n in held.items()})
    alone = [{i: entropy(Counter((a, t.elements - a)), t.elements) for i, a in own.items()} for own, _, _ in sides]
    known = [
        {i: max(D(0), *(information(n, a, other[j], t.elements) for (k, j), n in cells.items() if k == i))
         for i, a in own.items()}
        for own, other, cells in sides
    ]  # fmt: skip
    if options["normalization"] == "lancichinetti":
        shares = [
            sum((ratio(known[k][i], alone[k][i], t.identical) for i in alone[k]), D(0)) / len(alone[k]) for k in (0, 1)
        ]
        return sum(shares, D(0)) / 2
    both = sum((sum(side.values(), D(0)) for side in known), D(0)) / 2
    return ratio(both, max(sum(side.values(), D(0)) for side in alone), t.identical)


@cache
def information(n: int, a: int, b: int, elements: int) -> Decimal:
    """What a cluster of b elements tells of one of a, n in common: nothing where it tells by contrast."""
    cells = (
        (n, a, b),
        (a - n, a, elements - b),
        (b - n, elements - a, b),
        (elements - a - b + n, elements - a, elements - b),
    )
    both, own, other, neither = (plogp(part, elements) for part, _, _ in cells)
    if both + neither < own + other - NOTHING:
        return D(0)
    return sum((D(m) / elements * (D(m * elements) / (x * y)).ln() for m, x, y in cells if m), D(0))


def of_images(t: Counts, options: dict[str, Any], measure: Any) -> Any:
    """Measures of objects, which are the clusters that are not called 0."""
    if len(t.cells) > 2 * MOST:
        raise TooLarge
    value = measure(t.cells, **options)
    if not isinstance(value, dict):
        return D(value.numerator) / value.denominator
    return PRF(*(D(value[name].numerator) / value[name].denominator for name in ("precision", "recall", "value")))


def cremi(t: Counts, options: dict[str, Any]) -> Decimal:
    error = of_images(t, {"count": "squares"}, image_measures.adapted_rand_error).f
    return D(error * variation(t, {"base": 2, "normalized": None})).sqrt()


MEASURES: dict[str, Any] = {
    **{
        measure.__name__: partial(of_images, measure=measure)
        for measure in (
            image_measures.adapted_rand_error,
            image_measures.aji,
            image_measures.average_precision,
            image_measures.sorted_ap,
        )
    },
    "cremi": cremi,
    "elm": lambda t, options: elementwise(t, options, 1),
    "bcubed": lambda t, options: elementwise(t, options, 0),
    "adapted_bcubed": adapted,
    "alphamax_bcubed": alphamax,
    "blanc": blanc,
    "pairwise": pairwise,
    "rand": rand,
    "adjusted_rand": adjusted_rand,
    "jaccard": jaccard,
    "fowlkes_mallows": fowlkes_mallows,
    "specificity": specificity,
    "npv": npv,
    "p4": p4,
    "phi": phi,
    "correlation": correlation,
    "correlation_distance": correlation_distance,
    "sokal_sneath": sokal_sneath,
    "standardized_rand": standardized_rand,
    "matching_ratio": matching_ratio,
    "jaccard_error_rate": jaccard_error_rate,
    "centroid_index": centroid_index,
    "reduced_mi": reduced_mi,
    "fuzzy_rand": lambda t, options: adjusted_rand(t, {}),
    "graded_bcubed": graded_bcubed,
    "perfect_documents": lambda t, options: D(t.identical),
    "muc": muc,
    "b3": b3,
    "lea": lea,
    "ceafe": ceafe,
    "ceafm": ceafm,
    "conll": conll,
    "mentions": lambda t, options: of_sides(1, 1, 1, 1),
    "purity": lambda t, options: purities(t)[0],
    "inverse_purity": lambda t, options: purities(t)[1],
    "purity_f": purity_f,
    "f_measure": f_measure,
    "set_matching": set_matching,
    "grouping_accuracy": lambda t, options: (
        D(sum(n * k for (n, a, b), k in t.rows.items() if n == a == b)) / t.elements
    ),
    "homogeneity": lambda t, options: v_measure(t, options).precision,
    "completeness": lambda t, options: v_measure(t, options).recall,
    "v_measure": v_measure,
    "mutual_information": lambda t, options: nats(t).mutual / (D(options["base"]).ln() if options.get("base") else 1),
    "goodman_kruskal_tau": tau,
    "nmi": nmi,
    "ami": ami,
    "variation_of_information": variation,
    "cluster_match": cluster_match,
    "panoptic": panoptic,
    "closest_cluster": closest_cluster,
    "k_measure": k_measure,
    "talburt_wang": lambda t, options: D(len(t.gold) * len(t.pred)).sqrt() / len(t.cells),
    "normalized_clustering_accuracy": clustering_accuracy,
    "normalized_pivoted_accuracy": pivoted_accuracy,
    "pair_sets_index": pair_sets_index,
    "split_join": split_join,
    "merge_distance": lambda t, options: D(2 * len(t.cells) - len(t.gold) - len(t.pred)),
    "transfer_distance": transfer_distance,
    "mirkin": mirkin,
    "matched_elm": lambda t, options: elementwise(t, options, 1),
    "matched_bcubed": lambda t, options: elementwise(t, options, 0),
    "extended_bcubed": lambda t, options: elementwise(t, options, 0),
    "omega": adjusted_rand,
    "element_centric": element_centric,
    "community_f1": community_f1,
    "overlapping_nmi": overlapping_nmi,
}
