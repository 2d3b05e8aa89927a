"""clusterscore scores a predicted clustering against a gold one. One pass counts, every metric reads the same counts.

>>> import clusterscore as cs
>>> cs.elm([0, 0, 1, 1, 1], [0, 1, 2, 2, 2]).f
0.6
"""

import clusterscore.interrupts  # noqa: F401 - first, as what follows takes a while

# isort: split
from importlib import import_module as _import_module
from typing import Any as _Any

from clusterscore.metrics import registered as _registered
from clusterscore.metrics.metric import METRICS as _METRICS
from clusterscore.metrics.registry import function as _function
from clusterscore.version import __version__ as __version__

_MODULES = ("baselines", "constraints", "plot")
# where the public names are; a module is loaded when one of its names is first used
_HOMES = {
    name: module
    for module, names in {
        "count": "Table",
        "exceptions": "ClusterscoreError ClusterscoreWarning ElementMismatch EngineError FileError InputError "
        "InputTypeError MetricError NotAPartition OptionError",
        "metrics": "Metric Score metric registered",
        "page": "report",
        "pipeline.accumulator": "Accumulator",
        "pipeline.chance": "chance",
        "pipeline.compare": "compare",
        "pipeline.coref": "coref",
        "pipeline.diagnosis": "clusters elements error_cells errors",
        "pipeline.rank_agreement": "rank_agreement",
        "pipeline.score": "score",
        "pipeline.tables": "score_table",
        "read": "Clustering",
        "show": "Columns Scorecard",
        "show.compared": "Chances Comparison RankAgreement",
    }.items()
    for name in names.split()
}
_MADE = {kind: _function(kind) for kind in _registered()}
_FUNCTIONS = {name: _MADE[kind] for name, kind in _METRICS.items()}  # by every name: cs.ari is cs.adjusted_rand
globals().update(_FUNCTIONS)

__all__ = sorted(["__version__", *_MODULES, *_HOMES, *(kind.name for kind in _MADE)])


def __getattr__(name: str) -> _Any:
    """What is loaded when it is first used: who only scores need not wait for the rest."""
    if name in _MODULES:
        return _import_module(f"clusterscore.{name}")
    if name not in _HOMES:
        raise AttributeError(f"module 'clusterscore' has no attribute {name!r}")
    globals()[name] = value = getattr(_import_module(f"clusterscore.{_HOMES[name]}"), name)
    return value


def __dir__() -> list[str]:
    return sorted({*__all__, *_FUNCTIONS})
