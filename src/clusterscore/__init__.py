"""clusterscore scores a predicted clustering against a gold one. One pass counts, every metric reads the same counts.

>>> import clusterscore as cs
>>> cs.elm([0, 0, 1, 1, 1], [0, 1, 2, 2, 2]).f
0.6
"""

import clusterscore.interrupts  # noqa: F401 - first, as what follows takes a while

# isort: split
from importlib import import_module as _import_module
from typing import TYPE_CHECKING
from typing import Any as _Any

from clusterscore import baselines
from clusterscore import metrics as _metrics
from clusterscore.count import Table
from clusterscore.errors import (
    ClusterscoreError,
    ClusterscoreWarning,
    ElementMismatch,
    EngineError,
    FileError,
    InputError,
    InputTypeError,
    MetricError,
    OptionError,
)
from clusterscore.metrics import Metric, Score, metric, registered
from clusterscore.metrics.registry import function as _function
from clusterscore.pipeline import (
    Accumulator,
    chance,
    clusters,
    compare,
    coref,
    elements,
    error_cells,
    errors,
    rank_agreement,
    score,
    score_table,
)
from clusterscore.read import Clustering
from clusterscore.report import report
from clusterscore.show import Chances, Columns, Comparison, RankAgreement, Scorecard
from clusterscore.version import __version__

if TYPE_CHECKING:
    from clusterscore import constraints, plot

parse = metric

muc = _function(_metrics.Muc)
b3 = _function(_metrics.B3)
ceafm = _function(_metrics.CeafM)
ceafe = _function(_metrics.CeafE)
lea = _function(_metrics.Lea)
conll = _function(_metrics.Conll)
mentions = _function(_metrics.MentionDetection)

elm = _function(_metrics.Elm)
bcubed = _function(_metrics.BCubed)
adapted_bcubed = _function(_metrics.AdaptedBCubed)
alphamax_bcubed = _function(_metrics.AlphaMaxBCubed)
blanc = _function(_metrics.Blanc)
pairwise = _function(_metrics.Pairwise)
rand = _function(_metrics.Rand)
adjusted_rand = _function(_metrics.AdjustedRand)
jaccard = _function(_metrics.Jaccard)
fowlkes_mallows = _function(_metrics.FowlkesMallows)
purity = _function(_metrics.Purity)
inverse_purity = _function(_metrics.InversePurity)
purity_f = _function(_metrics.PurityF)
f_measure = _function(_metrics.FMeasure)
set_matching = _function(_metrics.SetMatching)
homogeneity = _function(_metrics.Homogeneity)
completeness = _function(_metrics.Completeness)
v_measure = _function(_metrics.VMeasure)
mutual_information = _function(_metrics.MutualInformation)
nmi = _function(_metrics.Nmi)
ami = _function(_metrics.Ami)
variation_of_information = _function(_metrics.VariationOfInformation)

__all__ = [
    "Accumulator",
    "Chances",
    "Clustering",
    "ClusterscoreError",
    "ClusterscoreWarning",
    "Columns",
    "Comparison",
    "ElementMismatch",
    "EngineError",
    "FileError",
    "InputError",
    "InputTypeError",
    "Metric",
    "MetricError",
    "OptionError",
    "RankAgreement",
    "Score",
    "Scorecard",
    "Table",
    "__version__",
    "adapted_bcubed",
    "adjusted_rand",
    "alphamax_bcubed",
    "ami",
    "b3",
    "baselines",
    "bcubed",
    "blanc",
    "ceafe",
    "ceafm",
    "chance",
    "clusters",
    "compare",
    "completeness",
    "conll",
    "constraints",
    "coref",
    "elements",
    "elm",
    "error_cells",
    "errors",
    "f_measure",
    "fowlkes_mallows",
    "homogeneity",
    "inverse_purity",
    "jaccard",
    "lea",
    "mentions",
    "metric",
    "muc",
    "mutual_information",
    "nmi",
    "pairwise",
    "parse",
    "plot",
    "purity",
    "purity_f",
    "rand",
    "rank_agreement",
    "registered",
    "report",
    "score",
    "score_table",
    "set_matching",
    "v_measure",
    "variation_of_information",
]


def __getattr__(name: str) -> _Any:
    """Rooms that are loaded when they are asked for: who only scores need not wait for them."""
    if name in ("constraints", "plot"):
        return _import_module(f"clusterscore.{name}")
    raise AttributeError(f"module 'clusterscore' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
