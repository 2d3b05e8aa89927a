"""The policies that decide what is compared with what; all of them are part of a score's signature."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from clusterscore.errors import InputError, OptionError, nearest, one_of
from clusterscore.read.labels import is_null

OPTIONS = frozenset({"documents", "missing", "noise", "noise_as", "weights"})
MISSING = ("error", "drop", "singleton", "keep")
NOISE_AS = ("singleton", "drop", "cluster")


def check_options(options: Iterable[str]) -> None:
    """Raise for an option that no function has."""
    unknown = next((name for name in options if name not in OPTIONS), None)
    if unknown is not None:
        raise OptionError(f"unknown option {unknown!r}: {nearest(unknown, OPTIONS)}")


class Policy(NamedTuple):
    """What to do with elements on one side only (``missing``) and with labels that mean "not clustered"."""

    missing: str = "error"
    noise: tuple[Any, ...] = ()
    noise_as: str = "singleton"

    @classmethod
    def of(cls, missing: str = "error", noise: Any = None, noise_as: str = "singleton") -> Policy:
        """Check the options as a user gives them; ``noise`` is one label or a collection of labels."""
        if noise is None and noise_as is DEFAULT.noise_as and missing is DEFAULT.missing:
            return DEFAULT
        one_of("missing", missing, MISSING)
        one_of("noise_as", noise_as, NOISE_AS)
        if noise is None:
            labels: tuple[Any, ...] = ()
        elif isinstance(noise, list | set | frozenset):
            labels = tuple(noise)
        else:
            labels = (noise,)
        for label in labels:
            try:
                hash(label)
            except TypeError:
                raise InputError(f"noise={noise!r}: {label!r} cannot be a label; give one label or a list") from None
        return cls(missing, labels, noise_as)

    @property
    def options(self) -> dict[str, Any]:
        """The options that make this policy."""
        return {"missing": self.missing, "noise": list(self.noise) or None, "noise_as": self.noise_as}

    @property
    def names_null(self) -> bool:
        """Whether None and NaN are among the noise."""
        return any(map(is_null, self.noise))

    @property
    def signature(self) -> str:
        """``missing:error``, and ``noise`` where there is any."""
        if not self.noise:
            return f"missing:{self.missing}"
        # as repr writes it, without the quotes: a line break stays on the line
        shown = ",".join(sorted({"null" if is_null(n) else repr(n)[1:-1] if isinstance(n, str) else str(n)
                                 for n in self.noise}))  # fmt: skip
        return f"missing:{self.missing}|noise:{shown}|noise_as:{self.noise_as}"


DEFAULT = Policy()
