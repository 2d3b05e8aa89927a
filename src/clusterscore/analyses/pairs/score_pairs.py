"""What does a clustering score on labelled pairs? Each is a match, no match, or unsure."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Literal, get_args

import numpy as np

from clusterscore.align.policies import mismatch
from clusterscore.analyses.estimate.estimating import UNKNOWN, Unknown, find_elements, read_predictions
from clusterscore.analyses.estimate.gold_sample import SampledClusters
from clusterscore.analyses.pairs.labelled_pairs import (
    MATCH,
    UNSURE,
    LabelledPairs,
    match_labels,
    sums_of_implied,
    sums_of_labels,
)
from clusterscore.analyses.pairs.pair_scores import LabelledScores, PairFacts
from clusterscore.analyses.request import options_checked
from clusterscore.analyses.resampling import checked_confidence
from clusterscore.distinct import Array, Ints
from clusterscore.exceptions import InputError, check_number, one_of
from clusterscore.messages import Given, Message, Option
from clusterscore.nouns import Field, noun, plural
from clusterscore.progress import step
from clusterscore.read.arrays import proportional
from clusterscore.read.clustering import Clustering
from clusterscore.read.guess import are_systems
from clusterscore.read.labels import Labels, plain
from clusterscore.read.scored_pairs import labelled_pairs

Drawn = Literal["pairs", "links", "matches"]
PairUnit = Literal["components", "pairs"]
Contradictions = Literal["error", "drop"]
DRAWN, PAIR_UNITS, CONTRADICTIONS = (get_args(kind) for kind in (Drawn, PairUnit, Contradictions))
_LONGEST = 6  # elements of a chain that an error shows


@options_checked
def score_pairs(
    labelled: Any,
    pred: Any,
    *,
    left: str | None = None,
    right: str | None = None,
    label: str | None = None,
    weight: str | None = None,
    sampled: Drawn | None = None,
    beta: float = 1.0,
    unit: PairUnit = "components",
    implied: bool = False,
    contradictions: Contradictions = "error",
    missing: Unknown = "error",
    confidence: float = 0.95,
    field: str | Field | None = None,
) -> LabelledScores:
    """Score a clustering on labelled pairs (match, no match, unsure): pairwise precision and recall.

    ``recall`` is the share of the matches that the prediction puts together. ``precision`` is the share of matches
    among the labelled pairs that it puts together. Each has a standard error and a Wilson interval. Several systems,
    ``{"A": a, "B": b}``, are compared with the first on the same pairs.

    Options:
        labelled: rows with two elements, a label and optionally a weight (1 / the probability that the pair was drawn):
            columns of a data frame or file, tuples, or dedupe's training data. A label is match, no match or unsure,
            True or False, or a number from 0 to 1, where a match is above 0.5. Pairs labelled as unsure are left out.
        left: the column with the first element.
        right: the column with the second element.
        label: the column with the label.
        weight: the column with the weight.
        sampled: what the pairs were drawn from, which decides what the numbers mean. ``"links"``: pairs that the
            prediction puts together (gives precision only); ``"matches"``: known matches (gives recall only);
            ``"pairs"``: all pairs, or both with weights.
        beta: the weight of recall in F.
        unit: ``"components"`` treats pairs that are connected by shared elements as one unit; ``"pairs"`` treats all
            pairs as independent, which is right if each was drawn independently.
        implied: also count, once each, the pairs that follow from the labels (if a-b and b-c match, so does a-c).
        contradictions: labels that contradict each other are an error; ``"drop"`` leaves out everything that is
            connected by the matches in question.

    Returns:
        ``found.precision.value``, ``.standard_error``, ``.interval``, and the same for recall and f.

    >>> import clusterscore as cs
    >>> labelled = [(k, k + 1, "match" if k % 10 else "no match") for k in range(0, 200, 2)]
    >>> pred = [k // 2 if k % 14 else -k for k in range(201)]
    >>> found = cs.score_pairs(labelled, pred)
    >>> round(found.precision.value, 4), [round(end, 4) for end in found.precision.interval]
    (0.7907, [0.6911, 0.8645])
    >>> round(found.recall.value, 4), found.facts.matches
    (0.85, 80)
    """
    for option, value, words in (
        ("sampled", "pairs" if sampled is None else sampled, DRAWN),
        ("unit", unit, PAIR_UNITS),
        ("contradictions", contradictions, CONTRADICTIONS),
        ("missing", missing, UNKNOWN),
    ):
        one_of(option, value, words)
    check_number("beta", beta)
    if not 0 < beta < math.inf:
        raise InputError(Given("beta", beta), " must be a number above 0, the weight of recall relative to precision")
    level = checked_confidence(confidence)
    given, weighed = labelled_pairs(labelled, left=left, right=right, label=label, weight=weight)
    if implied and (weighed or unit == "pairs"):
        what = Option("unit", "pairs") if unit == "pairs" else "weights"
        raise InputError(
            Option("implied", True), " counts pairs that were not drawn, so it cannot be combined with ", what
        )
    meaning = match_labels(given.label)
    sure = meaning != UNSURE
    every = LabelledPairs(
        given.left, given.right, meaning == MATCH, proportional(given.score), len(given.elements)
    ).only(sure)
    pairs = _consistent(every, given.elements, contradictions)
    ends = Clustering(Labels(np.arange(len(given.elements)), given.elements), ids=given.elements)
    systems = pred if are_systems(pred) else {"": pred}
    with step("reading"):
        predictions, _ = read_predictions(systems)
        lookups = find_elements(SampledClusters.of(ends), predictions)
    clusters = {name: lookup.cluster for name, lookup in lookups.items()}
    known = _known(pairs, clusters, given.elements, missing)
    contradicted, unknown, pairs = len(every.match) - len(pairs.match), int((~known).sum()), pairs.only(known)
    if not len(pairs.match):
        raise InputError("there are no pairs labelled as match or no match left to score")
    component = pairs.connected()
    used, of_pair = np.unique(component[pairs.left], return_inverse=True)
    if unit == "pairs":
        used = of_pair = np.arange(len(pairs.match))
    if len(used) < 2:
        independent = Message(", or pass ", Option("unit", "pairs"), " if each was drawn independently")
        raise InputError(
            f"all labelled pairs ({len(pairs.match):,}) are connected by shared {noun('elements')}, so they "
            "do not show how much pairs vary; label more",
            independent if len(pairs.match) > 1 else "",
        )
    of_element = np.searchsorted(used, component).clip(max=len(used) - 1)
    alike_weighed = pairs._replace(weight=np.ones(len(pairs.match)))
    counted = {name: sums_of_labels(alike_weighed, cluster, of_pair) for name, cluster in clusters.items()}
    sums = {name: sums_of_labels(pairs, cluster, of_pair) for name, cluster in clusters.items()}
    if implied:
        counted = sums = {name: sums_of_implied(pairs, cluster, of_element) for name, cluster in clusters.items()}
    once = pairs.match[np.unique(np.sort(pairs.ends, axis=0), axis=1, return_index=True)[1]]
    matches, (all_matches, all_others) = int(pairs.match.sum()), pairs.implied
    facts = PairFacts(
        pairs=len(given.left),
        matches=matches,
        no_matches=len(pairs.match) - matches,
        unsure=int((~sure).sum()),
        repeated=len(pairs.match) - len(once),
        implied_matches=all_matches - int(once.sum()),
        implied_no_matches=all_others - int((~once).sum()),
        contradicted=contradicted,
        unknown=unknown,
        elements=len(np.unique(pairs.ends)),
        population=next(iter(lookups.values())).elements,
        units=len(used),
        largest=int(np.bincount(of_pair).max()),
        unit=unit,
        implied=implied,
    )
    signature = f"score_pairs|beta:{beta:g}|missing:{missing}|unit:{unit}"
    options = {"sampled": sampled, "implied": implied and "true", "weights": weighed and "given"}
    options["contradictions"] = contradictions != "error" and contradictions
    signature += "".join(f"|{name}:{value}" for name, value in options.items() if value)
    return LabelledScores(sums, counted, facts, sampled, float(beta), level, signature)


def _consistent(pairs: LabelledPairs, elements: Any, contradictions: str) -> LabelledPairs:
    """The pairs without those that are linked by matches of which some label says that they are none."""
    group = pairs.connected(matches_only=True)
    within = group[pairs.left] == group[pairs.right]
    wrong = np.flatnonzero(within & ~pairs.match)
    if not len(wrong):
        return pairs
    if contradictions == "error":
        names = [repr(plain(elements[element])) for element in pairs.chain(int(wrong[0]))]
        chain = " = ".join(names if len(names) <= _LONGEST else [*names[: _LONGEST - 2], "...", names[-1]])
        raise InputError(
            f"{plural(len(wrong), 'pair')} labelled as no match, although other labels imply a match (e.g. {names[0]} "
            f"and {names[-1]}, while {chain}); correct the labels, or pass ",
            Option("contradictions", "drop"),
            ", which leaves out all pairs that are connected by these matches",
        )
    return pairs.only(~(within & np.isin(group[pairs.left], group[pairs.left[wrong]])))


def _known(pairs: LabelledPairs, clusters: Mapping[str, Ints], elements: Any, missing: str) -> Array:
    """Which pairs have elements that every prediction knows; what it does not know may be alone in its cluster."""
    unknown = np.logical_or.reduce([cluster < 0 for cluster in clusters.values()])
    here = np.unique(pairs.ends)
    absent = here[unknown[here]]
    if len(absent) and (missing == "error" or len(absent) == len(here)):
        raise mismatch({"the labelled pairs": (len(absent), plain(elements[absent[0]]))}, len(here) - len(absent))
    if missing == "drop":
        return np.asarray(~(unknown[pairs.left] | unknown[pairs.right]))
    for cluster in clusters.values():
        alone = np.flatnonzero(cluster < 0)
        cluster[alone] = cluster.max(initial=0) + 1 + np.arange(len(alone))
    return np.ones(len(pairs.match), bool)
