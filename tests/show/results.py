"""One of every kind of result, to see what is shown of it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

import clusterscore as cs
from clusterscore.analyses.score.scorecard import ByDocument
from clusterscore.show.result import Result

GOLD, PRED = ["a", "a", "b", "b", "c"], [0, 0, 1, 2, 2]
DOCUMENTS = ["d", "d", "e", "e", "e"]
SYSTEMS = {"A": PRED, "日本": [0, 1, 2, 3, 4], "C": [0] * 5}
BY_ID = {f"p{k}": label for k, label in enumerate(PRED)}
SETS = [{1, 2}, {1}, {2, 3}, {3}, {3}]


def _compared() -> cs.Comparison:
    systems, documents = {name: labels * 4 for name, labels in SYSTEMS.items()}, [k // 5 for k in range(20)]
    return cs.compare(GOLD * 4, systems, metrics="elm, ari, vi", documents=documents, pairs="all", resamples=50)


def _swept() -> cs.Sweep:
    return cs.sweep(GOLD, edges=[(0, 1, 0.9), (2, 3, 0.4), (3, 4, 0.7)], metrics="elm, ari")


def _golds() -> Any:
    return cs.score({name: cs.Clustering.from_labels(side) for name, side in (("ann", GOLD), ("bob", PRED))}, PRED)


# by what they are; those of one class are printed with other columns or tables
MAKE: dict[str, Callable[[], Any]] = {
    "Score": lambda: cs.elm(GOLD, PRED),
    "Scorecard": lambda: cs.score(GOLD, PRED),
    "macro Scorecard": lambda: cs.score(
        GOLD, PRED, metrics="elm, bcubed(beta=2), ari, alphamax", documents=DOCUMENTS, average="macro"
    ),
    "Scorecard with baselines": lambda: cs.score(GOLD, PRED, metrics="elm, bcubed(beta=2), ari", baselines=True),
    "Scorecard with slices": lambda: cs.score(GOLD, PRED, metrics="elm, acc", by=DOCUMENTS),
    "Scorecard of sets": lambda: cs.score(cs.Clustering.from_memberships(SETS), PRED),
    "ScoresByName": lambda: cs.score_data_sets({"a": (GOLD, PRED), "日本": (PRED, GOLD)}, metrics="elm, ari"),
    "ByDocument": lambda: ByDocument(result("macro Scorecard")),
    "Slices": lambda: cs.score(GOLD, PRED, metrics="elm, acc", by=DOCUMENTS).slices,
    "GoldScores": _golds,
    "Comparison": _compared,
    "PaperTable": lambda: result("Comparison").paper(intervals=True),
    "Chances": lambda: cs.chance(GOLD, PRED, metrics="elm, vi", documents=DOCUMENTS, resamples=50),
    "RankAgreement": lambda: cs.rank_agreement({name: cs.score(GOLD, labels) for name, labels in SYSTEMS.items()}),
    "AgreementMatrix": lambda: cs.agreement_matrix(SYSTEMS, metric="bcubed"),
    "Sweep": _swept,
    "ObjectSweep": lambda: cs.sweep(np.array([[1, 1, 2, 2, 0]]), np.array([[1, 1, 1, 2, 0]]), thresholds=[0.5, 0.6]),
    "BestCuts": lambda: result("Sweep").summary(0.05, folds=3),
    "Diff": lambda: cs.diff({1: "a", 2: "a", 3: "b", 4: "c", 5: "c"}, {1: "a", 2: "x", 3: "b", 4: "b", 6: "_|_"}),
    "AlignedLabels": lambda: cs.align_labels(GOLD, PRED, documents=DOCUMENTS),
    "Estimates": lambda: cs.estimate(
        [["p0", "p1"], ["p2", "p3"]], {"A": BY_ID, "B": dict.fromkeys(BY_ID, 1)}, weights="uniform"
    ),
    "LabelledScores": lambda: cs.score_pairs([("p0", "p1", 1), ("p2", "p3", 1), ("p4", "p2", 0)], BY_ID),
    "elements": lambda: cs.elements(GOLD, PRED, documents=DOCUMENTS),
    "elements of sets": lambda: cs.elements(cs.Clustering.from_memberships(SETS), PRED),
    "clusters": lambda: cs.clusters(GOLD, PRED),
    "errors": lambda: cs.errors(GOLD, PRED),
    "documents": lambda: cs.score(GOLD, PRED, documents=DOCUMENTS).documents,
    "Verdicts": lambda: cs.constraints.check("elm", largest=4),
    "Matrix": lambda: cs.constraints.matrix(["elm", "rand"], largest=4),
}


@cache
def result(name: str) -> Any:
    return MAKE[name]()


def results() -> dict[str, Any]:
    return {name: result(name) for name in MAKE}


def kinds(of: type[Result] = Result) -> set[type[Result]]:
    """Every class of results."""
    return {subclass for kind in of.__subclasses__() for subclass in {kind, *kinds(kind)}}
