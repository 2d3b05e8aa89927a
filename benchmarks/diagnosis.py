"""``python -m benchmarks.diagnosis``: what it costs to say where a score was lost, against scoring alone.

Times are CPU seconds of one core, the least of many turns: the ratios hold where other work keeps the cores busy.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

import clusterscore as cs
from benchmarks.compare import in_turns
from benchmarks.timing import same, shown

ELEMENTS = 10**6
TURNS = 15
ASKED: tuple[Callable[..., cs.Columns], ...] = (cs.elements, cs.clusters, cs.errors, cs.error_cells)


def labels(clusters: int, right: float = 0.7, seed: int = 0) -> tuple[Any, Any]:
    """Gold labels, and a prediction that keeps ``right`` of them and deals the others anew."""
    rng = np.random.default_rng(seed)
    gold = rng.integers(0, clusters, ELEMENTS)
    return gold, np.where(rng.random(ELEMENTS) < right, gold, rng.integers(0, clusters, ELEMENTS))


def named(side: Any) -> list[str]:
    return [f"c{label}" for label in side.tolist()]


def check_values(gold: Any, pred: Any, options: dict[str, Any]) -> None:
    """Losses add up to what the score lacks, by whatever they are listed."""
    missing = 1 - cs.elm(gold, pred, **options).f
    for ask in ASKED:
        sides = 2 if ask is cs.clusters else 1
        same(math.fsum(ask(gold, pred, **options)["loss"]), sides * missing, 1e-15)


def looked_at(rows: cs.Columns) -> cs.Columns:
    """Columns are made when somebody looks at them: here at every one."""
    for name in rows:
        rows[name]
    return rows


def against_scoring(what: str, gold: Any, pred: Any, options: dict[str, Any]) -> None:
    check_values(gold, pred, options)
    for ask in ASKED:
        asked, scored, whole = in_turns(
            lambda ask=ask: ask(gold, pred, **options),
            lambda: cs.score(gold, pred, metrics="elm", **options)["elm"],
            lambda ask=ask: looked_at(ask(gold, pred, **options)),
            turns=TURNS,
        )
        print(f"{what}, {ask.__name__}: {shown(asked)}, scoring {shown(scored)}: {asked / scored:.1f}x (<= 5x); "
              f"with every column looked at {shown(whole)}: {whole / scored:.1f}x")  # fmt: skip


def main() -> None:
    documents = np.arange(ELEMENTS) // 1000
    for clusters in (200_000, 1000):
        gold, pred = labels(clusters)
        what = f"N={ELEMENTS:,}, {clusters:,} clusters"
        against_scoring(f"{what}, integers", gold, pred, {})
        against_scoring(f"{what}, strings", named(gold), named(pred), {})
    against_scoring(f"{what}, integers, 1,000 documents", gold, pred, {"documents": documents})


if __name__ == "__main__":
    main()
