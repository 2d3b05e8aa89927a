"""Metrics of other packages, by the entry point group ``clusterscore.metrics``."""

from __future__ import annotations

from types import ModuleType

from clusterscore.exceptions import MetricError, warn_user
from clusterscore.metrics.metric import METRICS, Metric, register

_groups = ["clusterscore.metrics"]  # not looked at yet


def load_plugins() -> None:
    """Register the metrics that other packages name, once; one that does not load is a warning.

    This looks through all installed packages, so it waits until a name is unknown or all are listed.
    """
    while _groups:
        group = _groups.pop()  # before anything is imported that may ask for metrics itself
        from importlib.metadata import entry_points

        for point in entry_points(group=group):
            try:
                loaded = point.load()
                if not isinstance(loaded, ModuleType):  # which registers its metrics by itself
                    _register(loaded)
            except (Exception, SystemExit) as error:
                owner = "" if point.dist is None else f" of the package {point.dist.name!r}"
                warn_user(
                    f"the metric {point.name!r}{owner} is left out, as {point.value!r} does not load: "
                    f"{type(error).__name__}: {error}; update the package, or uninstall it"
                )


def _register(loaded: object) -> None:
    if not (isinstance(loaded, type) and issubclass(loaded, Metric)):
        raise MetricError("it is neither a metric class nor a module that registers some")
    if loaded not in METRICS.values():
        register(loaded)
