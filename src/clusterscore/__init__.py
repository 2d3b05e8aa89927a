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
from clusterscore.count import Table
from clusterscore.exceptions import (
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
from clusterscore.metrics.metric import METRICS as _METRICS
from clusterscore.metrics.registry import function as _function
from clusterscore.page import report
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
from clusterscore.show import Chances, Columns, Comparison, RankAgreement, Scorecard
from clusterscore.version import __version__

if TYPE_CHECKING:
    from clusterscore import constraints, plot

_MADE = {kind: _function(kind) for kind in registered()}
_FUNCTIONS = {name: _MADE[kind] for name, kind in _METRICS.items()}  # by every name: cs.ari is cs.adjusted_rand
globals().update(_FUNCTIONS)

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
    return sorted({*__all__, *_FUNCTIONS})
