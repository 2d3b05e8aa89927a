"""What all printed results share: a table that is text, Markdown, LaTeX, CSV, JSON or a frame."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

from clusterscore.errors import MetricError, nearest
from clusterscore.metrics.metric import Metric
from clusterscore.metrics.registry import metric as parse
from clusterscore.show.columns import as_frame
from clusterscore.show.escapes import as_json
from clusterscore.show.grid import Grid


class Printed(ABC):
    """A result with a table for people (:meth:`grid`) and one in full precision (:meth:`listed`)."""

    @abstractmethod
    def grid(self, digits: int = 4) -> Grid:
        """A printable table."""

    @abstractmethod
    def listed(self) -> dict[str, list[Any]]:
        """Columns with everything in full precision."""

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values."""

    def to_text(self, digits: int = 4) -> str:
        """Aligned columns, for a terminal."""
        return self.grid(digits).to_text()

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        return str(self)

    def to_markdown(self, digits: int = 4, *, raw: bool = False) -> str:
        """A Markdown table with the signature below; ``raw`` does not escape links, images and HTML in names."""
        return self.grid(digits).to_markdown(raw)

    def to_latex(self, digits: int = 4) -> str:
        """A LaTeX tabular (booktabs) with the signature as a comment."""
        return self.grid(digits).to_latex()

    def to_csv(self, *, raw: bool = False) -> str:
        """The columns of :meth:`listed`, comma-separated, in full precision.

        A name that a spreadsheet would compute, such as ``=1+1``, has an apostrophe in front, unless ``raw``.
        """
        found = self.listed()
        return Grid(list(found), list(zip(*found.values(), strict=True))).to_csv(raw)

    def to_frame(self, library: str | None = None) -> Any:
        """The columns of :meth:`listed` as a frame of pandas, polars or pyarrow (whichever is in use or installed)."""
        return as_frame(self.listed(), library)

    def to_json(self) -> str:
        """:meth:`to_dict` as JSON, in full precision."""
        return as_json(self.to_dict(), indent=2, allow_nan=False)


def named(name: object, known: Mapping[str, Any], what: str = "scored") -> str:
    """The key of a metric among those known, by any name it goes by; ``bcubed`` is bcubed(beta=2) if that is the only.

    What is not there is a KeyError that says so.
    """
    if isinstance(name, str) and name in known:
        return name
    if not isinstance(name, str | Metric):
        raise KeyError(name)
    try:
        asked = str(parse(name))
    except MetricError as error:
        raise KeyError(str(error)) from None
    if asked in known:
        return asked
    alike = [key for key in known if key.partition("(")[0] == asked]
    if len(alike) == 1:
        return alike[0]
    raise KeyError(f"{asked} was not {what}: {nearest(asked, known)}")
