"""Some fifty inputs, of every shape and under every policy."""

from __future__ import annotations

import random
from typing import Any, NamedTuple

import clusterscore as cs

Labels = list[Any] | cs.Clustering


class Input(NamedTuple):
    """What cs.score is called with."""

    gold: Any
    pred: Any
    options: dict[str, Any]


def _labels(rng: random.Random, size: int, clusters: int, noise: float) -> tuple[list[int], list[int]]:
    """Clusters of every size, and a prediction that follows them but for some noise."""
    gold = [min(int(rng.paretovariate(0.7)), clusters) for _ in range(size)]
    pred = [g * 3 % (clusters + 1) if rng.random() > noise else rng.randrange(clusters) for g in gold]
    return gold, pred


def _documents(rng: random.Random, size: int, count: int) -> list[str]:
    return [f"d{rng.randrange(count)}" for _ in range(size)]


SMALL: dict[str, tuple[Labels, Labels]] = {
    "one element": ([0], [0]),
    "two together": ([0, 0], [1, 1]),
    "two apart": ([0, 0], [1, 2]),
    "singletons": (list(range(7)), list(range(7, 14))),
    "one cluster": ([3] * 8, [5] * 8),
    "one against all": ([3] * 8, list(range(8))),
    "all against one": (list(range(8)), [3] * 8),
    "identical": ([0, 0, 0, 1, 1, 2], [2, 2, 2, 0, 0, 1]),
    "ties": ([0, 0, 1, 1, 2, 2, 3, 4, 0, 0, 0, 1], [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3]),
    "independent": ([0, 0, 0, 1, 1, 1, 2, 2, 2], [0, 1, 2, 0, 1, 2, 0, 1, 2]),
    "text": (list("aabbbcddd"), list("xxxyyzzzz")),
    "floats": ([0.5, 0.5, 1.5, 2.0], [0.0, -0.0, 1.0, 1.0]),
    "tuples": (cs.Clustering.from_labels([(1, 2), (1, 2), (3, 4), (1, 4)]), ["a", "a", "a", "b"]),
}


def inputs() -> dict[str, Input]:
    """Every input by its name."""
    named = {name: Input(gold, pred, {}) for name, (gold, pred) in SMALL.items()}
    for k, (size, clusters, noise) in enumerate(
        [(20, 4, 0.3), (50, 10, 0.1), (50, 10, 0.9), (200, 60, 0.3), (200, 5, 0.5), (1000, 300, 0.2), (1000, 20, 0.4),
         (5000, 1500, 0.3), (5000, 3, 0.05), (40_000, 9000, 0.3)]
    ):  # fmt: skip
        rng = random.Random(k)
        gold, pred = _labels(rng, size, clusters, noise)
        named[f"random {size} {clusters}"] = Input(gold, pred, {})
        if size <= 1000:
            documents = _documents(rng, size, 3 + k)
            named[f"documents {size} {clusters}"] = Input(gold, pred, {"documents": documents})
            weights = [round(rng.random(), 3) + 0.001 for _ in range(size)]
            named[f"weights {size} {clusters}"] = Input(gold, pred, {"weights": weights})
            named[f"weights in documents {size} {clusters}"] = Input(
                gold, pred, {"weights": weights, "documents": documents}
            )
    for missing in ("drop", "singleton", "keep"):
        for noise_as in (None, "singleton", "drop", "cluster"):
            named[f"{missing} {noise_as}"] = _one_sided(missing, noise_as)
    for noise_as in ("singleton", "drop", "cluster"):
        gold, pred = _labels(random.Random(noise_as), 60, 8, 0.3)
        named[f"noise {noise_as}"] = Input(gold, pred, {"noise": [1, 5], "noise_as": noise_as})
    return named | _covers()


def _covers() -> dict[str, Input]:
    """Clusterings that overlap."""
    rng = random.Random(7)
    gold, pred = ({f"e{k}": _sets(rng, k) for k in range(150)} for _ in range(2))
    documents = {f"e{k}": f"d{k % 4}" for k in range(150)}
    weights = {f"e{k}": round(rng.random(), 3) + 0.001 for k in range(150)}
    partition = {e: min(labels) for e, labels in pred.items()}
    nobody = {**pred, "e3": set(), "e8": set()}
    gold, pred, nobody = map(cs.Clustering.from_memberships, (gold, pred, nobody))
    return {
        "a cover": Input(gold, pred, {}),
        "a cover against a partition": Input(gold, partition, {}),
        "a cover in documents": Input(gold, pred, {"documents": documents}),
        "a cover with weights": Input(gold, pred, {"documents": documents, "weights": weights}),
        **{f"a cover with noise {to}": Input(gold, pred, {"noise": [1, 5], "noise_as": to})
           for to in ("singleton", "drop", "cluster")},
        **{f"a cover {missing}": Input(gold, nobody, {"missing": missing})
           for missing in ("drop", "singleton", "keep")},
    }  # fmt: skip


def _sets(rng: random.Random, element: int) -> set[int]:
    """One to three of a dozen clusters, in one of which are the neighbours too."""
    return {element // 30, *(rng.randrange(12) for _ in range(rng.randrange(3)))}


def _one_sided(missing: str, noise_as: str | None) -> Input:
    rng = random.Random(f"{missing} {noise_as}")
    gold, pred = _labels(rng, 80, 12, 0.3)
    left = {f"e{k}": label for k, label in enumerate(gold) if rng.random() < 0.9}
    right = {f"e{k}": label for k, label in enumerate(pred) if rng.random() < 0.9}
    documents = {f"e{k}": f"d{k % 4}" for k in range(80)}
    noise = {} if noise_as is None else {"noise": [2, 3], "noise_as": noise_as}
    return Input(left, right, {"missing": missing, "documents": documents, **noise})
