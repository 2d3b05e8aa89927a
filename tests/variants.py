"""Every registered metric as the grammar names it, with parameters that take each of its branches.

A metric that is registered tomorrow is put through every law at once, with its defaults.
"""

from __future__ import annotations

import math

import clusterscore as cs

VARIANTS: dict[str, list[str]] = {
    "elm": [
        "elm(f=of-means)", "elm(beta=2)", "elm(beta=0)", "elm(beta=1e200)", "elm(alpha=0.9)", "elm(w_fp=0.3, w_fn=0.2)",
        "elm(w_fp=0, w_fn=0.5)", "elm(f=of-means, w_fp=2, w_fn=0)", "elm(weights=class)", "elm(weights=effective)",
        "elm(adjusted=true)", "elm(f=of-means, adjusted=true)", "elm(beta=2, adjusted=true)",
        "elm(alpha=0, adjusted=true)", "elm(weights=class, adjusted=true)",
        "elm(f=of-means, weights=effective, adjusted=true)",
    ],
    "bcubed": [
        "bcubed(f=of-means)", "bcubed(f=of-means, beta=2)", "bcubed(beta=0.5)", "bcubed(alpha=0)", "bcubed(alpha=1)",
        "bcubed(f=of-means, alpha=0.9)", "bcubed(w_fp=1, w_fn=3)", "bcubed(weights=class)",
        "bcubed(f=of-means, weights=effective)", "bcubed(adjusted=true)", "bcubed(f=of-means, adjusted=true)",
        "bcubed(f=of-means, beta=2, adjusted=true)", "bcubed(weights=class, adjusted=true)",
        "bcubed(beta=0.5, weights=effective, adjusted=true)", "bcubed(w_fp=0.25, w_fn=0.75, adjusted=true)",
    ],
    "adapted_bcubed": [
        "adapted_bcubed(order=2)", "adapted_bcubed(order=4, recall=tuples)", "adapted_bcubed(order=2.5, alpha=0.5)",
        "adapted_bcubed(weights=class)", "adapted_bcubed(recall=tuples, weights=effective)",
    ],
    "alphamax_bcubed": [
        "alphamax_bcubed(reading=own, delta=auto)", "alphamax_bcubed(reading=majority)",
        "alphamax_bcubed(alpha=0)", "alphamax_bcubed(alpha=0.4, reading=own)", "alphamax_bcubed(delta=0)",
        "alphamax_bcubed(alpha=1, reading=majority, beta=2)", "alphamax_bcubed(delta=0.9, delta_norm=element)",
        "alphamax_bcubed(delta=1)", "alphamax_bcubed(delta_norm=element)", "alphamax_bcubed(weights=class)",
        "alphamax_bcubed(beta=1e200)", "alphamax_bcubed(weights=effective)",
    ],
    "blanc": ["blanc(weight=0.2)", "blanc(weight=1)", "blanc(dialect=luo2014, weight=0.2)", "blanc(dialect=luo2014)",
              "blanc(links=document)", "blanc(dialect=luo2014, links=document, weight=0.2)"],
    "pairwise": ["pairwise(beta=2)", "pairwise(alpha=0.2)", "pairwise(w_fp=1, w_fn=1)", "pairwise(beta=1e200)",
                 "pairwise(adjusted=true)", "pairwise(beta=2, adjusted=true)", "pairwise(alpha=1, adjusted=true)",
                 "pairwise(pairs=self)", "pairwise(beta=2, pairs=self)"],
    "rand": ["rand(adjusted=true)"],
    "adjusted_rand": ["adjusted_rand(weights=class)", "adjusted_rand(model=num)", "adjusted_rand(model=all)"],
    "reduced_mi": ["reduced_mi(normalization=mean)", "reduced_mi(normalization=none)"],
    "homogeneity": ["homogeneity(weights=class)"],
    "completeness": ["completeness(weights=class)"],
    "fowlkes_mallows": ["fowlkes_mallows(adjusted=true)"],
    "purity_f": ["purity_f(beta=0.5)", "purity_f(alpha=1)", "purity_f(w_fp=0.1, w_fn=0.2)"],
    "mutual_information": ["mutual_information(base=2)"],
    "nmi": ["nmi(mean=geometric)", "nmi(mean=min)", "nmi(mean=max)"],
    "matched_elm": ["matched_elm(f=of-means)", "matched_elm(beta=2)", "matched_elm(alpha=0.9)",
                    "matched_elm(w_fp=0, w_fn=0.5)"],
    "matched_bcubed": ["matched_bcubed(f=of-means, alpha=0.9)", "matched_bcubed(beta=0.5)",
                       "matched_bcubed(w_fp=1, w_fn=3)"],
    "extended_bcubed": ["extended_bcubed(f=of-means)", "extended_bcubed(beta=0.5)", "extended_bcubed(alpha=0)",
                        "extended_bcubed(w_fp=1, w_fn=3)"],
    "fuzzy_rand": ["fuzzy_rand(bond=l1)"],
    "graded_bcubed": ["graded_bcubed(f=mean)", "graded_bcubed(beta=2)", "graded_bcubed(alpha=0.9)",
                      "graded_bcubed(w_fp=1, w_fn=3)", "graded_bcubed(dialect=semeval2013)"],
    "overlapping_nmi": ["overlapping_nmi(normalization=lancichinetti)"],
    "element_centric": ["element_centric(alpha=0.5)"],
    "v_measure": ["v_measure(beta=2)", "v_measure(beta=0)", "v_measure(weights=class)"],
    "cluster_match": ["cluster_match(rule=iou)", "cluster_match(rule=iou, threshold=0.8)", "cluster_match(rule=share)",
                      "cluster_match(rule=majority)", "cluster_match(rule=share, threshold=0.9)"],
    "set_matching": ["set_matching(mean=classes)"],
    "panoptic": ["panoptic(rule=majority)"],
    "phi": ["phi(empty=0)"],
    "pair_sets_index": ["pair_sets_index(simplified=true)"],
    "ami": ["ami(mean=geometric)", "ami(mean=min)", "ami(mean=max)"],
    "split_join": ["split_join(normalized=true)"],
    "transfer_distance": ["transfer_distance(normalized=true)"],
    "mirkin": ["mirkin(normalized=true)"],
    "variation_of_information": ["variation_of_information(normalized=log)",
                                 "variation_of_information(normalized=joint)", "variation_of_information(base=2)"],
    "boundaries": ["boundaries(runs=true)", "boundaries(beta=2, runs=true)", "boundaries(w_fp=1, w_fn=3, runs=true)",
                   "boundaries(alpha=0.2, runs=true)", "boundaries(first=counted, runs=true)",
                   "boundaries(first=given, runs=true)", "boundaries(empty=0, runs=true)"],
    "pk": ["pk(runs=true)", "pk(k=1, runs=true)", "pk(dialect=nltk-gaps, runs=true)",
           "pk(dialect=nltk-starts, runs=true)"],
    "window_diff": ["window_diff(runs=true)", "window_diff(k=1, runs=true)", "window_diff(padded=true, runs=true)",
                    "window_diff(dialect=nltk-gaps, weighted=true, runs=true)",
                    "window_diff(dialect=nltk-starts, runs=true)"],
    "adapted_rand_error": [f"adapted_rand_error(count={way})" for way in ("squares", "snemi", "cremi")],
    "average_precision": ["average_precision(threshold=0.3)", "average_precision(threshold=0.75, strict=true)",
                          "average_precision(threshold=0.2, tie=all)", "average_precision(threshold=1)"],
    "aji": [f"aji(kind={kind})" for kind in ("plus", "foreground", "overlap")],
}  # fmt: skip

# those of mentions and of turns have laws of their own: tests/metrics/test_of_mentions.py, test_of_turns.py
NAMES = [kind.name for kind in cs.registered() if not kind.of_mentions and not kind.of_turns]


def variants(name: str) -> list[cs.Metric]:
    """The metric with its defaults, then with parameters."""
    return [cs.metric(text) for text in [name, *VARIANTS.get(name, [])]]


EVERY = [metric for name in NAMES for metric in variants(name)]
COUNTED = [metric for metric in EVERY if not metric.ordered]  # made of counts, in which elements have no order
# with those segmentations in which a label may come back
ON_ANY_LABELS = [metric for metric in EVERY if not metric.ordered or getattr(metric, "runs")]  # noqa: B009


def numbers(score: cs.Score) -> dict[str, float]:
    """All that a score says, by name."""
    named = {"value": score.value, "precision": score.precision, "recall": score.recall, **score.extras}
    return {name: number for name, number in named.items() if number is not None}


def to_the_last_bit(metric: cs.Metric) -> bool:
    """Whether a score is the same to the last bit in any order, from any engine: it is made of whole numbers alone.

    Each of the others is a sum of numbers that were rounded before. It is the same to ROUNDED, and to SUMMED where
    documents were added up one by one. docs/exactness.md promises this, no more.
    """
    known = metric.parameters
    rounded = metric.name in {"alphamax_bcubed", "ami", "nmi", "v_measure", "homogeneity", "completeness", "f_measure",
                              "mutual_information", "variation_of_information", "overlapping_nmi", "community_f1",
                              "element_centric", "panoptic", "closest_cluster", "pair_sets_index",
                              "normalized_clustering_accuracy", "reduced_mi", "matching_ratio",
                              "jaccard_error_rate", "fuzzy_rand", "cremi", "average_precision",
                              "sorted_ap"}  # fmt: skip
    rounded = rounded or known.get("weights") is not None or known.get("model", "perm") != "perm"
    if metric.name in {"elm", "bcubed", "matched_elm", "matched_bcubed", "extended_bcubed", "graded_bcubed"}:
        own_f = known["f"] == "mean" and getattr(metric, "balance") != (0.5, 0.5)  # noqa: B009
        rounded = known["weights"] is not None or metric.additive is False or own_f or "dialect" in known
    elif metric.name == "adapted_bcubed":
        rounded = known["weights"] is not None or known["recall"] == "tuples"
    return not rounded


ROUNDED, SUMMED = 1e-14, 1e-12


def alike(score: cs.Score, expected: cs.Score, tolerance: float) -> bool:
    """Whether two scores say the same, each number to a tolerance; 0 is to the last bit."""
    ours, theirs = ({**numbers(side), "std": side.std or 0.0} for side in (score, expected))
    near = all(math.isclose(ours[name], theirs[name], rel_tol=tolerance, abs_tol=tolerance) for name in theirs)
    return near and ours.keys() == theirs.keys() and score.signature == expected.signature
