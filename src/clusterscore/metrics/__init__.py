"""Score: every metric takes its parts from a Table. One file each; importing this package registers them all."""

import sys
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
from typing import Any, NoReturn

from clusterscore.exceptions import InputTypeError
from clusterscore.metrics.metric import METRICS, Metric
from clusterscore.metrics.registry import metric, metrics_of, registered, split_names
from clusterscore.metrics.score_type import Score

for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")  # which registers its metrics

OURS = dict(METRICS)  # by each of their names: cs.ari is cs.adjusted_rand
DEFAULT_SET = ("elm", "bcubed", "adapted_bcubed", "alphamax_bcubed", "blanc", "pairwise", "adjusted_rand", "nmi")
OVERLAPPING_SET = ("matched_elm", "matched_bcubed", "extended_bcubed", "omega", "overlapping_nmi", "community_f1")
GRADED_SET = ("fuzzy_rand", "graded_bcubed")

__all__ = ["DEFAULT_SET", "GRADED_SET", "OURS", "OVERLAPPING_SET", "Metric", "Score"]
__all__ += ["metric", "metrics_of", "registered", "split_names"]


class _Package(ModuleType):
    """This package, for those who take it for the list of metrics."""

    def __call__(self, *args: Any, **options: Any) -> NoReturn:
        raise InputTypeError(
            "cs.metrics is a package and cannot be called; cs.registered() lists all metrics, cs.metric('elm') is one"
        )


sys.modules[__name__].__class__ = _Package
