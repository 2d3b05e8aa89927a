"""Cases: a gold clustering with a worse and a better prediction; the pairs of the papers, and families that grow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple

Labels = Sequence[int]


class Case(NamedTuple):
    """Two predictions of one gold clustering, of which one ought to score better."""

    gold: Labels
    worse: Labels
    better: Labels
    told: str = ""

    @property
    def clusters(self) -> int:
        """How many clusters its three clusterings have together."""
        return sum(len(set(side)) for side in (self.gold, self.worse, self.better))


def blocks(*sizes: int, first: int = 0) -> list[int]:
    """Labels of clusters of these sizes: ``blocks(2, 1)`` is [0, 0, 1]."""
    return [label for label, size in enumerate(sizes, first) for _ in range(size)]


def doubling(reach: int) -> list[int]:
    """1, 2, 4, ... up to ``reach``."""
    return [1 << k for k in range(reach.bit_length())]


# The four pairs of Amigó et al. 2009 that Moreno & Dias 2015 score in Table 1, and their fifth, which they do not
# print: it is reconstructed from their numbers and marks.
PAPER = {
    "homogeneity": Case(
        [0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 2, 3, 4],
        [0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2],
        [0, 0, 0, 0, 1, 2, 2, 3, 3, 3, 3, 3, 3, 3],
        "the pair of the paper",
    ),
    "completeness": Case(
        [0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 3, 4],
        [0, 0, 0, 0, 1, 2, 2, 3, 3, 3, 3, 3, 3, 3],
        [0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2],
        "the pair of the paper",
    ),
    "rag_bag": Case(
        [0, 0, 0, 0, 1, 2, 3, 4, 5],
        [0, 0, 0, 0, 0, 1, 1, 1, 1],
        [0, 0, 0, 0, 1, 1, 1, 1, 1],
        "the pair of the paper: 4 clean, a bag of 4",
    ),
    "size_vs_quantity": Case(
        [0, 0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4],
        [0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8],
        [0, 0, 0, 0, 1, 2, 2, 3, 3, 4, 4, 5, 5],
        "the pair of the paper: one cluster of 5, 4 clusters of 2",
    ),
    "unbalanced": Case(
        blocks(17, 7, 2),
        [*blocks(17, 7), 2, 0],
        [*blocks(16), 2, *blocks(7, 2, first=1)],
        "the pair of the paper: categories of 17, 7 and 2",
    ),
}


def mixed_clusters(reach: int) -> Iterator[Case]:
    """Homogeneity: a cluster of x of one category and y of another, whose other p and q elements are right."""
    sizes = doubling(reach)
    others = (0, 1, sizes[-1])
    for x, y, p, q in product(sizes, sizes, others, others):
        gold = blocks(x + p, y + q)
        worse = [*blocks(x, p), *blocks(y), *blocks(q, first=2)]
        better = [*blocks(x, p), *blocks(y, q, first=2)]
        yield Case(gold, worse, better, f"{x} and {y} mixed, {p} and {q} apart")


def split_categories(reach: int) -> Iterator[Case]:
    """Completeness: a category in two clean clusters of x and y; p more of it are in a cluster with q strangers."""
    sizes = doubling(reach)
    others = (0, 1, sizes[-1])
    for x, y, p, q in product(sizes, sizes, others, others):
        gold = [*blocks(x + y + p), *range(1, q + 1)]
        rest = blocks(p + q, first=2)
        told = f"{x} and {y} apart, {p} with {q} strangers"
        yield Case(gold, [*blocks(x, y), *rest], [*blocks(x + y), *rest], told)


def rag_bags(reach: int) -> Iterator[Case]:
    """Rag bag: c of one category, a bag of b elements of b categories, and one of a new category to place.

    One clean element and a bag of one are the same thing under other names, so that c starts at two.
    """
    for clean in range(2, reach // 2 + 1):
        for bag in range(1, reach + 1):
            gold = [*blocks(clean), *range(1, bag + 2)]
            apart = blocks(clean, bag)
            yield Case(gold, [*apart, 0], [*apart, 1], f"{clean} clean, a bag of {bag}")


def sizes_and_quantities(reach: int) -> Iterator[Case]:
    """Size vs quantity: a category of n + 1 and n categories of two; every one of the two split, or one split off.

    With n = 1 both are the same thing under other names, so that n starts at two.
    """
    for n in range(2, reach + 1):
        gold = blocks(n + 1, *[2] * n)
        worse = [*blocks(n + 1), *range(1, 2 * n + 1)]
        better = [*blocks(n, 1), *blocks(*[2] * n, first=2)]
        yield Case(gold, worse, better, f"one cluster of {n + 1}, {n} clusters of 2")


def unbalanced(reach: int) -> Iterator[Case]:
    """Unbalanced: one of the smallest category is in the biggest cluster, or one of the biggest in the smallest.

    The smallest category has 2 to 4 elements, the biggest more; between them there may be a third.
    """
    for small in range(2, 5):
        for big in range(small + 1, reach + 1):
            for middle in (0, *range(small + 1, big)):
                gold = blocks(big, middle, small)
                worse, better = gold.copy(), gold.copy()
                worse[-1], better[0] = gold[0], gold[-1]
                sizes = [str(size) for size in (big, middle, small) if size]
                yield Case(gold, worse, better, f"categories of {', '.join(sizes[:-1])} and {sizes[-1]}")


def singletons(reach: int) -> Iterator[Case]:
    """Singletons: every element alone, against gold itself."""
    for gold, told in _regular(2, reach):
        yield Case(gold, range(len(gold)), gold, told)


def all_in_one(reach: int) -> Iterator[Case]:
    """All in one: one cluster of everything, against gold itself."""
    for gold, told in _regular(1, reach):
        if gold[-1]:
            yield Case(gold, [0] * len(gold), gold, told)


def _regular(smallest: int, reach: int) -> Iterator[tuple[list[int], str]]:
    for size in (s for s in doubling(reach) if s >= smallest):
        for number in doubling(reach):
            yield blocks(*[size] * number), f"gold clusters: {number} of {size}"
