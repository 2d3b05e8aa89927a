"""Score: every metric takes its parts from a Table. One file each; importing this package registers them all."""

from clusterscore.metrics.adapted_bcubed import AdaptedBCubed
from clusterscore.metrics.adjusted_rand import AdjustedRand
from clusterscore.metrics.alphamax_bcubed import AlphaMaxBCubed
from clusterscore.metrics.ami import Ami
from clusterscore.metrics.b3 import B3
from clusterscore.metrics.bcubed import BCubed
from clusterscore.metrics.blanc import Blanc
from clusterscore.metrics.ceafe import CeafE
from clusterscore.metrics.ceafm import CeafM
from clusterscore.metrics.completeness import Completeness
from clusterscore.metrics.conll import Conll
from clusterscore.metrics.elm import Elm
from clusterscore.metrics.f_measure import FMeasure
from clusterscore.metrics.fowlkes_mallows import FowlkesMallows
from clusterscore.metrics.homogeneity import Homogeneity
from clusterscore.metrics.inverse_purity import InversePurity
from clusterscore.metrics.jaccard import Jaccard
from clusterscore.metrics.lea import Lea
from clusterscore.metrics.mention_detection import MentionDetection
from clusterscore.metrics.metric import Metric, as_table, row_score
from clusterscore.metrics.muc import Muc
from clusterscore.metrics.mutual_information import MutualInformation
from clusterscore.metrics.nmi import Nmi
from clusterscore.metrics.pairwise import Pairwise
from clusterscore.metrics.purity import Purity
from clusterscore.metrics.purity_f import PurityF
from clusterscore.metrics.rand import Rand
from clusterscore.metrics.registry import metric, metrics_of, registered, split_names
from clusterscore.metrics.score import Score
from clusterscore.metrics.set_matching import SetMatching
from clusterscore.metrics.v_measure import VMeasure
from clusterscore.metrics.variation_of_information import VariationOfInformation

DEFAULT_SET = (
    "elm", "bcubed", "adapted_bcubed", "alphamax_bcubed", "blanc", "pairwise", "adjusted_rand", "nmi", "v_measure",
)  # fmt: skip

__all__ = [
    "B3",
    "DEFAULT_SET",
    "AdaptedBCubed",
    "AdjustedRand",
    "AlphaMaxBCubed",
    "Ami",
    "BCubed",
    "Blanc",
    "CeafE",
    "CeafM",
    "Completeness",
    "Conll",
    "Elm",
    "FMeasure",
    "FowlkesMallows",
    "Homogeneity",
    "InversePurity",
    "Jaccard",
    "Lea",
    "MentionDetection",
    "Metric",
    "Muc",
    "MutualInformation",
    "Nmi",
    "Pairwise",
    "Purity",
    "PurityF",
    "Rand",
    "Score",
    "SetMatching",
    "VMeasure",
    "VariationOfInformation",
    "as_table",
    "metric",
    "metrics_of",
    "registered",
    "row_score",
    "split_names",
]  # fmt: skip
