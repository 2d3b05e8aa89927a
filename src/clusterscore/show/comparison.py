"""Comparison: systems side by side, with how sure their scores and differences are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from clusterscore.aggregate import Facts
from clusterscore.comparison import How, Intervals, Standing, Standings
from clusterscore.exceptions import nearest, plural
from clusterscore.metrics.metric import Metric
from clusterscore.show.grid import Grid
from clusterscore.show.printed import ByMetric, Printed
from clusterscore.version import __version__

_UNITS = {"documents": "document", "clusters": "gold cluster", "elements": "element"}


class Compared(NamedTuple):
    """What was compared, and how."""

    metrics: list[Metric]
    facts: dict[str, Facts]  # of each system
    baseline: str
    how: How


class Comparison(Printed, Mapping[str, ByMetric[Standing]]):
    """Systems by name; ``comparison["B"]["elm"]`` is how B stands under ELM.

    A standing has ``score``, ``rank``, ``intervals`` (``percentile`` and ``bca``, each with ``low`` and ``high``) and,
    for all but the baseline, ``difference``: its ``value``, ``intervals``, ``p`` of the paired test, ``p_holm``
    corrected for the number of systems, ``wins``, ``ties`` and ``losses``. ``notes`` tell what could not be computed.

    >>> import clusterscore as cs
    >>> gold, documents = [0, 0, 1, 1] * 6, [k // 4 for k in range(24)]
    >>> systems = {"A": [0, 1, 1, 1] * 6, "B": [0, 0, 1, 1] * 5 + [0, 1, 2, 3]}
    >>> found = cs.compare(gold, systems, metrics="elm", documents=documents)
    >>> b = found["B"]["elm"]
    >>> round(b.difference.value, 4), b.difference.p, b.difference.wins, b.rank
    (0.5, 0.0625, 5, 1)
    """

    def __init__(self, standings: Standings, compared: Compared):
        how, units = compared.how, standings.units
        self._standings = standings
        self.metrics = [str(metric) for metric in compared.metrics]
        self.systems = list(compared.facts)
        self._metrics, self._facts, self._how = compared.metrics, compared.facts, how
        self.baseline = compared.baseline  # the system that the others are compared with
        self.unit = None if units is None else units.kind  # what was resampled: "documents", "clusters", "elements"
        self.units = 0 if units is None else units.drawn  # how many of them there are
        self.resamples, self.seed = how.resamples, how.seed
        self.confidence = how.confidence  # how often an interval should hold the true value
        self._by_system = {
            name: ByMetric({metric: standings.found[metric][name] for metric in self.metrics}, "compared")
            for name in self.systems
        }
        self.warnings: list[str] = []  # what to mind when reading the numbers

    def __getitem__(self, system: str) -> ByMetric[Standing]:
        if system not in self._by_system:
            raise KeyError(f"no system {system!r}: {nearest(str(system), self._by_system)}")
        return self._by_system[system]

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_system)

    def __len__(self) -> int:
        return len(self._by_system)

    @property
    def signature(self) -> str:
        """What decides the numbers, beside the options of the metrics."""
        how, policies = self._how, {name: facts.policy.signature.split("|") for name, facts in self._facts.items()}
        first = policies[self.systems[0]]
        policy = "|".join(each for each in first if all(each in other for other in policies.values()))
        # what holds for one system only is named by it
        apart = [f"{name}:{each}" for name, own in policies.items() for each in own if each not in policy.split("|")]
        drawn = "".join(f"|{each}" for each in apart)
        if self.baseline != self.systems[0]:
            drawn += f"|baseline:{self.baseline}"
        if self.unit is not None:
            drawn += f"|unit:{self.unit}|resamples:{how.resamples}|seed:{how.seed}"
            drawn += f"|confidence:{how.confidence:g}|interval:bca"
            if len(self.systems) > 1:
                drawn += f"|test:{'exchange-all' if self._standings.exhaustive else 'exchange'}|correction:holm"
        return f"avg:{how.average}|{policy}{drawn}|v:{__version__}"

    @property
    def notes(self) -> list[str]:
        """What the numbers do not say themselves."""
        refused = self._standings.refused.values()
        return [*self.warnings, *(f"no interval: {why}; resample documents to have one" for why in refused)]

    def is_significant(self, system: str, metric: str | Metric) -> bool:
        """Whether a system differs from the baseline, at the level of confidence, corrected for their number."""
        difference = self[system][metric].difference
        return difference is not None and difference.p_holm is not None and difference.p_holm < 1 - self.confidence

    def _rows(self) -> Iterator[tuple[str, str, Standing, bool]]:
        for metric in self.metrics:
            for name in self.systems:
                yield metric, name, self[name][metric], self.is_significant(name, metric)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values."""
        facts = self._facts[self.baseline]
        systems: dict[str, Any] = {name: {"scores": {}} for name in self.systems}
        for metric, name, one, significant in self._rows():
            plain = {**one.score.to_dict(), "rank": one.rank, **_plain(one.intervals)}
            if one.difference is not None:
                found = one.difference
                plain["difference"] = {
                    "value": found.value, **_plain(found.intervals), "p": found.p, "p_holm": found.p_holm,
                    "significant": significant, "wins": found.wins, "ties": found.ties, "losses": found.losses,
                }  # fmt: skip
            systems[name]["scores"][metric] = plain
        return {
            "systems": systems, "baseline": self.baseline, "unit": self.unit, "units": self.units,
            "resamples": self.resamples, "seed": self.seed, "confidence": self.confidence, "elements": facts.total,
            "documents": facts.documents, "notes": self.notes, "signature": self.signature, "version": __version__,
        }  # fmt: skip

    def listed(self) -> dict[str, list[Any]]:
        """A row per metric and system, in full precision."""
        rows = []
        for metric, name, one, significant in self._rows():
            apart = one.difference
            counts = ("p", "p_holm", "significant", "wins", "ties", "losses")
            found: dict[str, Any] = dict.fromkeys(("difference", *_ends("difference_", None), *counts))
            if apart is not None:
                found |= {name: getattr(apart, name) for name in counts if name != "significant"}
                found |= {"difference": apart.value, **_ends("difference_", apart.intervals)}
                found["significant"] = None if apart.p is None else significant
            rows.append({
                "metric": metric, "system": name, "value": one.score.value, "precision": one.score.precision,
                "recall": one.score.recall, "rank": one.rank, **_ends("", one.intervals), **found,
                "signature": one.score.signature,
            })  # fmt: skip
        return {name: [row[name] for row in rows] for name in rows[0]}

    def grid(self, digits: int = 4) -> Grid:
        """A row per metric and system, as a printable table; ``*`` marks what is significant."""
        paired, drawn = len(self.systems) > 1, self.unit is not None
        level = f"{100 * self.confidence:g}% interval"
        headings = ["metric", "system", "score", *([level] if drawn else [])]
        if paired:
            tests = [level, "p", "p (Holm)"] if drawn else []
            headings += [f"against {self.baseline}", *tests, "win/tie/loss", "rank"]
        rows: list[list[Any]] = []
        for metric, name, one, significant in self._rows():
            row: list[Any] = [metric if name == self.systems[0] else None, name, one.score.value]
            row += [_written(one.intervals, digits)] if drawn else []
            if paired:
                found = one.difference
                gap = "" if found is None else f"{found.value:+.{digits}f}{' *' if significant else '  '}"
                row.append(gap)
                if drawn:
                    row += (
                        [None] * 3 if found is None else [_written(found.intervals, digits, "+"), found.p, found.p_holm]
                    )
                row += [None if found is None else f"{found.wins}/{found.ties}/{found.losses}", one.rank]
            rows.append(row)
        marks = []
        if paired and drawn:
            marks = [f"* differs from {self.baseline}: p (Holm) below {1 - self.confidence:.3g}"]
        options = ", ".join(one.short_signature for one in self._metrics)
        return Grid(headings, rows, digits, below=[*marks, *self.notes, options, self.signature])

    def summary(self) -> str:
        """What was compared."""
        facts = self._facts[self.baseline]
        parts = [plural(len(self.systems), "system"), plural(facts.elements[0], "element")]
        if facts.documents > 1:
            parts.append(plural(facts.documents, "document"))
        if self.unit is None:
            return ", ".join(parts)
        return f"{', '.join(parts)}; {plural(self.units, _UNITS[self.unit])} drawn {self.resamples:,} times"


def _plain(found: Intervals | None) -> dict[str, Any]:
    return {} if found is None else {"percentile": list(found.percentile), "bca": list(found.bca)}


def _ends(lead: str, found: Intervals | None) -> dict[str, float | None]:
    """The ends of both intervals as columns."""
    ends = (None, None, None, None) if found is None else (*found.bca, *found.percentile)
    names = ("bca_low", "bca_high", "percentile_low", "percentile_high")
    return {f"{lead}{name}": end for name, end in zip(names, ends, strict=True)}


def _written(found: Intervals | None, digits: int, sign: str = "") -> str | None:
    if found is None:
        return None
    low, high = (f"{end:{sign}.{digits}f}" for end in found.bca)
    return f"[{low}, {high}]"
