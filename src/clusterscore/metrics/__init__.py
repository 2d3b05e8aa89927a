"""Score: every metric takes its parts from a Table. One file each; importing this package registers them all."""

from clusterscore.metrics import (  # noqa: F401 - each registers its metric
    adapted_bcubed,
    adjusted_rand,
    alphamax_bcubed,
    ami,
    b3,
    bcubed,
    blanc,
    ceafe,
    ceafm,
    closest_cluster,
    cluster_match,
    community_f1,
    completeness,
    conll,
    element_centric,
    elm,
    extended_bcubed,
    f_measure,
    fowlkes_mallows,
    homogeneity,
    inverse_purity,
    jaccard,
    k_measure,
    lea,
    matched_bcubed,
    matched_elm,
    mentions,
    merge_distance,
    mirkin,
    muc,
    mutual_information,
    nmi,
    normalized_clustering_accuracy,
    normalized_pivoted_accuracy,
    omega,
    overlapping_nmi,
    pair_sets_index,
    pairwise,
    panoptic,
    purity,
    purity_f,
    rand,
    set_matching,
    split_join,
    talburt_wang,
    transfer_distance,
    v_measure,
    variation_of_information,
)
from clusterscore.metrics.metric import Metric
from clusterscore.metrics.registry import metric, metrics_of, registered, split_names
from clusterscore.metrics.score_type import Score

DEFAULT_SET = "elm, bcubed, adapted_bcubed, alphamax_bcubed, blanc, pairwise, adjusted_rand, nmi"
OVERLAPPING_SET = "matched_elm, matched_bcubed, extended_bcubed, omega, overlapping_nmi, community_f1"

__all__ = ["DEFAULT_SET", "OVERLAPPING_SET", "Metric", "Score", "metric", "metrics_of", "registered", "split_names"]
