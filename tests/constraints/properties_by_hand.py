"""The properties, word by word as tests/golden/measures/properties.json defines them, over all pairs and triples."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product

from constraints.by_hand import Clusters, clusterings, perfect_steps, trivial

Value = Callable[[Clusters, Clusters], Fraction]
OfPairs = Callable[[int, int, int, int], Fraction]


class ByHand:
    """A measure for which more is better, on all clusterings of 2 to ``largest`` elements."""

    def __init__(self, value: Value, largest: int) -> None:
        self.sizes = range(2, largest + 1)
        self.every = {n: list(clusterings(list(range(1, n + 1)))) for n in self.sizes}
        self.score = {
            (n, g, p): value(gold, pred)
            for n in self.sizes
            for (g, gold), (p, pred) in product(enumerate(self.every[n]), repeat=2)
        }
        self.value = value

    def maximal_agreement(self) -> bool:
        best = max(self.score.values())
        return all((score == best) == (g == p) for (_, g, p), score in self.score.items())

    def minimal_agreement(self) -> bool:
        worst = min(self.score.values())
        return all(
            (score == worst) == ({len(self.every[n][g]), len(self.every[n][p])} == {1, n})
            for (n, g, p), score in self.score.items()
        )

    def symmetry(self) -> bool:
        return all(score == self.score[n, p, g] for (n, g, p), score in self.score.items())

    def metric(self) -> bool:
        best = max(self.score.values())
        far = {key: best - score for key, score in self.score.items()}
        return (
            self.symmetry()
            and all((distance == 0) == (g == p) for (_, g, p), distance in far.items())
            and all(
                far[n, first, second] <= far[n, first, third] + far[n, third, second]
                for n in self.sizes
                for first, second, third in product(range(len(self.every[n])), repeat=3)
            )
        )

    def gains(self, *, of_trivial_gold: bool) -> Iterator[Fraction]:
        for n in self.sizes:
            for gold, worse, better in perfect_steps(n):
                if trivial(gold) == of_trivial_gold:
                    yield self.value(gold, better) - self.value(gold, worse)

    def monotonicity(self) -> bool:
        return all(gain > 0 for gain in self.gains(of_trivial_gold=False))

    def monotonicity_trivial_gold(self) -> bool:
        return all(gain > 0 for gain in self.gains(of_trivial_gold=True))

    def constant_baseline(self) -> bool:
        scores: dict[tuple[int, int, tuple[int, ...]], list[Fraction]] = {}
        for (n, g, p), score in self.score.items():
            if not trivial(self.every[n][g]) and not trivial(self.every[n][p]):
                scores.setdefault((n, g, tuple(sorted(map(len, self.every[n][p])))), []).append(score)
        return len({sum(values, Fraction(0)) / len(values) for values in scores.values()}) == 1


def strong_monotonicity(of_pairs: OfPairs) -> bool:
    """Its second half: what one more pair of each kind does, where no side has all pairs together or all apart."""
    for counts in product(range(5), repeat=4):
        n11, n10, n01, n00 = counts
        if 0 in (n11 + n10, n11 + n01, n00 + n10, n00 + n01):
            continue
        here = of_pairs(*counts)
        if n10 + n01 and not (of_pairs(n11 + 1, n10, n01, n00) > here < of_pairs(n11, n10, n01, n00 + 1)):
            return False
        if n11 + n00 and not (of_pairs(n11, n10 + 1, n01, n00) < here > of_pairs(n11, n10, n01 + 1, n00)):
            return False
    return True


def asymptotic_constant_baseline(of_pairs: OfPairs) -> bool:
    values = {
        of_pairs(p * q, p * (100 - q), (100 - p) * q, (100 - p) * (100 - q))
        for p, q in product(range(5, 100, 5), repeat=2)
    }
    return len(values) == 1
