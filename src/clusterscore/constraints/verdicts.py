"""Verdict: what became of one metric under one constraint, and the smallest case that shows why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from math import isfinite
from typing import TYPE_CHECKING, Any

from clusterscore.exceptions import UnknownName, nearest
from clusterscore.nouns import plural
from clusterscore.show.description import COUNT, TEXT, Column, Description
from clusterscore.show.grid import Grid
from clusterscore.show.result import Result
from clusterscore.version import __version__

if TYPE_CHECKING:
    from clusterscore.constraints.constraint_type import Constraint

MARKS = {"holds": "yes", "ties": "tie", "violated": "no", "does not apply": "-"}
LEGEND = "yes: {holds}. tie: never the wrong way round, but somewhere equal. no: violated."

ElementGroups = list[list[int]]


@dataclass(frozen=True)
class Counterexample:
    """A case in which a constraint is broken or only tied: clusterings of the elements 1, 2, ... and their scores.

    A law that looks at one prediction has it in ``worse``, and None in ``better``; where pairs are counted there are no
    clusterings. ``description`` says it in words.
    """

    gold: ElementGroups = field(hash=False)
    worse: ElementGroups = field(hash=False)
    better: ElementGroups | None = field(hash=False)
    worse_score: float
    better_score: float | None
    description: str

    def __str__(self) -> str:
        return self.description

    @property
    def elements(self) -> int:
        """How many elements it has."""
        return sum(map(len, self.gold))


@dataclass(frozen=True)
class Verdict:
    """One metric under one constraint.

    ``outcome`` is "holds", "ties" (never the wrong way round, but somewhere not strictly better), "violated", or "does
    not apply". So many ``cases`` were looked at; ``counterexample`` is the smallest of the ``violations``, or else of
    the ``ties``. All clusterings of ``up_to`` elements were tried; None where there are other cases only.
    """

    metric: str
    constraint: str
    outcome: str
    counterexample: Counterexample | None
    cases: int
    violations: int = 0
    ties: int = 0
    up_to: int | None = None

    def __str__(self) -> str:
        text = f"{self.metric}, {self.constraint}: {self.outcome}"
        if self.outcome == "holds" and self.up_to is not None:
            text = f"{text}, {no_counterexample(self.up_to)}"
        cases = plural(self.cases, "case")
        if self.counterexample is not None:
            return f"{text} ({self.violations or self.ties:,} of {cases}). Smallest: {self.counterexample}"
        return f"{text} ({cases})" if self.cases else text

    def _repr_html_(self) -> str:
        return Verdicts({self.constraint: self})._repr_html_()

    def to_dict(self) -> dict[str, Any]:
        """All fields as plain values; a score that is not a number is None."""
        return asdict(self, dict_factory=_plain)


def no_counterexample(up_to: int) -> str:
    """What a search says that found nothing."""
    return f"no counterexample up to N = {up_to}"


def _plain(items: list[tuple[str, Any]]) -> dict[str, Any]:
    return {key: None if isinstance(value, float) and not isfinite(value) else value for key, value in items}


_COLUMNS = (
    Column("metric", heading=None, kind=TEXT),
    Column("constraint", kind=TEXT),
    Column("outcome", kind=TEXT),
    Column("cases", kind=COUNT),
    Column("violations", heading="violated", kind=COUNT),
    Column("ties", heading="tied", kind=COUNT),
    Column("up_to", heading=None, kind=COUNT),
    Column(
        "smallest_case", lambda verdict: verdict.counterexample and str(verdict.counterexample), heading=None, kind=TEXT
    ),
)


class Verdicts(Result, dict[str, Verdict]):
    """The verdicts on one metric by constraint, in order; prints as a table.

    >>> import clusterscore as cs
    >>> found = cs.constraints.check("elm")
    >>> found["zero_score"].outcome, found["homogeneity"].outcome, found["rag_bag"].outcome
    ('holds', 'ties', 'violated')
    """

    def __missing__(self, constraint: str) -> Verdict:
        raise UnknownName(f"{constraint} was not checked: {nearest(str(constraint), self)}")

    @property
    def metric(self) -> str:
        """The metric that was checked."""
        return next(iter(self.values())).metric

    def description(self) -> Description:
        """A row per constraint; below it, for people, the smallest case of violations and ties, or how far it holds."""
        below = [f"{name}: {verdict.counterexample}" for name, verdict in self.items() if verdict.counterexample]
        holding: dict[int, list[str]] = {}
        for name, verdict in self.items():
            if verdict.outcome == "holds" and verdict.up_to is not None:
                holding.setdefault(verdict.up_to, []).append(name)
        below += [f"{no_counterexample(up_to)}: {', '.join(names)}" for up_to, names in holding.items()]
        return Description(_COLUMNS, list(self.values()), self.metric, below)

    def to_dict(self) -> dict[str, Any]:
        """The verdicts as plain values."""
        return {name: verdict.to_dict() for name, verdict in self.items()}


class Matrix(Result, dict[str, Verdicts]):
    """Verdicts by metric and constraint: ``matrix["elm"]["rag_bag"]``; prints as a table of marks.

    The marks are plain words, so that they print on every terminal: yes, tie, no, and - where nothing is asked.

    >>> import clusterscore as cs
    >>> matrix = cs.constraints.matrix(["elm", "purity"], ["rag_bag", "zero_score"])
    >>> matrix["elm"]["zero_score"].outcome, matrix["purity"]["zero_score"].outcome
    ('holds', 'violated')
    """

    def __init__(self, constraints: Sequence[Constraint], rows: Sequence[Verdicts]):
        super().__init__({row.metric: row for row in rows})
        self.constraints = tuple(constraints)

    def __missing__(self, metric: str) -> Verdicts:
        raise UnknownName(f"{metric} was not checked: {nearest(str(metric), self)}")

    @property
    def verdicts(self) -> list[Verdict]:
        """All verdicts, row by row."""
        return [verdict for row in self.values() for verdict in row.values()]

    @property
    def reasons(self) -> list[str]:
        """The smallest case of every violation and tie, in plain words."""
        return [
            f"{v.metric} {'violates' if v.violations else 'ties on'} {v.constraint}: {v.counterexample}"
            for v in self.verdicts
            if v.counterexample is not None
        ]

    def grid(self, digits: int = 4, *, reasons: bool = False) -> Grid:
        """The marks as a printable table, and with ``reasons`` below it why a metric does not hold."""
        rows = [[name, *(MARKS[verdict.outcome] for verdict in row.values())] for name, row in self.items()]
        empty = " -: does not apply." if any("-" in row[1:] for row in rows) else ""
        tried = [verdict.up_to for verdict in self.verdicts if verdict.up_to is not None]
        exhaustive = tried and all(constraint.exhaustive for constraint in self.constraints)
        legend = LEGEND.format(holds=no_counterexample(min(tried)) if exhaustive else "holds in every case")
        below = [legend + empty, *(["", *self.reasons] if reasons and self.reasons else [])]
        return Grid(["metric", *(constraint.name for constraint in self.constraints)], rows, below=below)

    def grids(self, digits: int = 4) -> list[Grid]:
        """The same, as the only table."""
        return [self.grid(digits)]

    def to_text(self, digits: int | None = None, *, reasons: bool = False) -> str:
        """The marks as aligned columns."""
        return self.grid(reasons=reasons).to_text()

    def to_markdown(self, digits: int | None = None, *, raw: bool = False, reasons: bool = False) -> str:
        """A Markdown table of the marks; ``raw`` does not escape links, images and HTML in names."""
        return self.grid(reasons=reasons).to_markdown(raw)

    def to_latex(self, digits: int | None = None, *, reasons: bool = False) -> str:
        """A LaTeX tabular (booktabs) of the marks."""
        return self.grid(reasons=reasons).to_latex()

    def description(self) -> Description:
        """A row per metric and constraint: outcome, how many cases, and the smallest one."""
        return Description(_COLUMNS, self.verdicts)

    def to_dict(self) -> dict[str, Any]:
        """The verdicts as plain values, and what each constraint says."""
        return {
            "rows": [verdict.to_dict() for verdict in self.verdicts],
            "constraints": {constraint.name: constraint.statement for constraint in self.constraints},
            "version": __version__,
        }
