"""What other packages bring along: metrics and fields, which they name in an entry point."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

from clusterscore.exceptions import warn_user

_loaded: set[str] = set()  # groups of entry points that have been looked at


def load_plugins(group: str, what: str, register: Callable[[object], None]) -> None:
    """Register what other packages name in a group of entry points, once; what does not load is a warning.

    A module registers by itself. This looks through all installed packages, so it waits until a name is unknown or
    all are listed.
    """
    if group in _loaded:
        return
    _loaded.add(group)  # before anything is imported that may ask for it itself
    from importlib.metadata import entry_points

    for point in entry_points(group=group):
        try:
            loaded = point.load()
            if not isinstance(loaded, ModuleType):
                register(loaded)
        except (Exception, SystemExit) as error:
            owner = "" if point.dist is None else f" of the package {point.dist.name!r}"
            warn_user(
                f"the {what} {point.name!r}{owner} is left out, as {point.value!r} does not load: "
                f"{type(error).__name__}: {error}; update the package, or uninstall it"
            )
