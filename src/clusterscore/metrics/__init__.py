"""Score: every metric takes its parts from a Table. One file each; importing this package registers them all."""

from importlib import import_module
from pkgutil import iter_modules

from clusterscore.metrics.metric import Metric
from clusterscore.metrics.registry import metric, metrics_of, registered, split_names
from clusterscore.metrics.score_type import Score

for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")  # which registers its metrics

DEFAULT_SET = "elm, bcubed, adapted_bcubed, alphamax_bcubed, blanc, pairwise, adjusted_rand, nmi"
COREFERENCE_SET = ("mentions", "muc", "b3", "ceafm", "ceafe", "blanc(links=document)", "lea", "conll")
OVERLAPPING_SET = "matched_elm, matched_bcubed, extended_bcubed, omega, overlapping_nmi, community_f1"

__all__ = ["COREFERENCE_SET", "DEFAULT_SET", "OVERLAPPING_SET", "Metric", "Score"]
__all__ += ["metric", "metrics_of", "registered", "split_names"]
