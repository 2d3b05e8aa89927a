"""Verdict: what became of one metric under one constraint, and the smallest case that tells why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from clusterscore.constraints.cases import Labels
from clusterscore.errors import nearest
from clusterscore.show import Grid
from clusterscore.show.columns import as_frame

HOLDS, TIES, VIOLATED, NONE = "holds", "ties", "violated", "does not apply"

Clusters = list[list[int]]


@dataclass(frozen=True)
class Counterexample:
    """A case in which a constraint is broken or only tied: clusterings of the elements 1, 2, ... and their scores.

    A law that looks at one prediction has it in ``worse``, and None in ``better``. ``told`` says it in words.
    """

    gold: Clusters = field(hash=False)
    worse: Clusters = field(hash=False)
    better: Clusters | None = field(hash=False)
    worse_score: float
    better_score: float | None
    told: str

    def __str__(self) -> str:
        return self.told

    @property
    def elements(self) -> int:
        """How many elements it has."""
        return sum(map(len, self.gold))


@dataclass(frozen=True)
class Verdict:
    """One metric under one constraint.

    ``outcome`` is "holds", "ties" (never the wrong way round, but somewhere not strictly better), "violated", or "does
    not apply". So many ``cases`` were looked at; ``counterexample`` is the smallest of the ``violations``, or else of
    the ``ties``.
    """

    metric: str
    constraint: str
    outcome: str
    counterexample: Counterexample | None
    cases: int
    violations: int = 0
    ties: int = 0

    def __str__(self) -> str:
        if self.counterexample is None:
            among = f" ({self.cases:,} cases)" if self.cases else ""
            return f"{self.metric}, {self.constraint}: {self.outcome}{among}"
        found = self.violations or self.ties
        return (
            f"{self.metric}, {self.constraint}: {self.outcome} ({found:,} of {self.cases:,} cases). "
            f"Smallest: {self.counterexample}"
        )

    def to_dict(self) -> dict[str, Any]:
        """All fields as plain values."""
        return asdict(self)


class Verdicts(Mapping[str, Verdict]):
    """The verdicts on one metric by constraint, in order; prints as a table.

    >>> import clusterscore as cs
    >>> found = cs.constraints.check("elm")
    >>> found["zero_score"].outcome, found["homogeneity"].outcome, found["rag_bag"].outcome
    ('holds', 'ties', 'violated')
    """

    def __init__(self, verdicts: Sequence[Verdict]):
        self._verdicts = {verdict.constraint: verdict for verdict in verdicts}

    def __getitem__(self, constraint: str) -> Verdict:
        if constraint not in self._verdicts:
            raise KeyError(f"{constraint} was not checked: {nearest(str(constraint), self._verdicts)}")
        return self._verdicts[constraint]

    def __iter__(self) -> Iterator[str]:
        return iter(self._verdicts)

    def __len__(self) -> int:
        return len(self._verdicts)

    @property
    def metric(self) -> str:
        """The metric that was checked."""
        return next(iter(self._verdicts.values())).metric

    def grid(self) -> Grid:
        """A row per constraint as a printable table, and below it the smallest case of each violation and tie."""
        rows = [[v.constraint, v.outcome, v.cases, v.violations, v.ties] for v in self.values()]
        below = [f"{v.constraint}: {v.counterexample}" for v in self.values() if v.counterexample is not None]
        return Grid(["constraint", "outcome", "cases", "violated", "tied"], rows, above=self.metric, below=below)

    def __str__(self) -> str:
        return self.grid().to_text()

    __repr__ = __str__

    def to_dict(self) -> dict[str, Any]:
        """The verdicts as plain values."""
        return {name: verdict.to_dict() for name, verdict in self.items()}

    def to_frame(self, library: str | None = None) -> Any:
        """A row per constraint, as a frame of pandas, polars or pyarrow."""
        return as_frame(columns(list(self.values())), library)


FIELDS = ("metric", "constraint", "outcome", "cases", "violations", "ties")


def columns(verdicts: Sequence[Verdict]) -> dict[str, list[Any]]:
    """Verdicts in columns, the smallest case in words."""
    found: dict[str, list[Any]] = {name: [getattr(verdict, name) for verdict in verdicts] for name in FIELDS}
    return {**found, "smallest_case": [_told(verdict) for verdict in verdicts]}


def _told(verdict: Verdict) -> str | None:
    return None if verdict.counterexample is None else verdict.counterexample.told


def clusters(labels: Labels) -> Clusters:
    """The clusters of the elements 1, 2, ... that have these labels.

    >>> clusters([0, 1, 0])
    [[1, 3], [2]]
    """
    found: dict[int, list[int]] = {}
    for element, label in enumerate(labels, 1):
        found.setdefault(int(label), []).append(element)
    return list(found.values())


def written(found: Clusters) -> str:
    """``1 3 | 2``."""
    return " | ".join(" ".join(map(str, cluster)) for cluster in found)
