"""What a clustering scores on labelled pairs."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from types import SimpleNamespace
from typing import Any, NamedTuple

from clusterscore.analyses.estimate.estimates import FEW, SystemEstimates
from clusterscore.analyses.estimate.estimation import Estimate
from clusterscore.analyses.pairs.labelled_pairs import PairSums, pair_difference, pair_estimate
from clusterscore.analyses.resampling import few_units
from clusterscore.exceptions import InputError
from clusterscore.nouns import noun, plural
from clusterscore.show.description import COUNT, TEXT, Column, Description
from clusterscore.show.result import in_its_words
from clusterscore.version import __version__

_OF = {"pairs": ("precision", "recall", "f"), "links": ("precision",), "matches": ("recall",)}


class PairFacts(NamedTuple):
    """What was labelled: ``pairs`` in all, of which those that are sure, consistent and known to pred are scored."""

    pairs: int
    matches: int
    no_matches: int
    unsure: int
    contradicted: int
    unknown: int
    repeated: int
    implied_matches: int
    implied_no_matches: int
    elements: int
    population: int  # elements of the prediction
    units: int
    largest: int  # pairs in the largest of them
    unit: str
    implied: bool  # whether these are counted

    @property
    def scored(self) -> int:
        """How many pairs are counted."""
        more = self.implied_matches + self.implied_no_matches - self.repeated
        return self.matches + self.no_matches + more * self.implied


class LabelledScores(SystemEstimates):
    """Precision and recall on labelled pairs: ``found.precision.value``, ``.standard_error``, ``.interval``.

    Of several systems, ``found.systems["B"]["recall"]`` has them by name and ``found.differences["B"]`` the paired
    differences to the first, each with its ``p``. What the labels do not tell is None. ``facts`` say how many pairs
    match, do not, are unsure, or follow from others.

    >>> import clusterscore as cs
    >>> rows = [(k, k + 100, "match" if k % 4 else "no match") for k in range(40)]
    >>> print(cs.score_pairs(rows, {k: k % 100 if k % 5 else k for k in range(200)}, sampled="pairs"))
    40 labelled pairs: 30 match, 10 no match; 80 of 200 elements
    <BLANKLINE>
    measure     pairs   estimate    error   95% interval
    --------------------------------------------------------
    precision      32     0.7500   0.0775   [0.5692, 0.8720]
    recall         30     0.8000   0.0740   [0.6161, 0.9088]
    f              38     0.7742   0.0595   [0.6137, 0.8810]
    <BLANKLINE>
    score_pairs|beta:1|missing:error|unit:components|sampled:pairs|confidence:0.95|v:0.1.0
    """

    def __init__(
        self,
        sums: Mapping[str, PairSums],
        counted: Mapping[str, PairSums],
        facts: PairFacts,
        sampled: str | None,
        beta: float,
        confidence: float,
        signature: str,
    ):
        self.facts, self.confidence, self._sampled = facts, confidence, sampled
        self.signature = f"{signature}|confidence:{confidence:g}|v:{__version__}"
        asked = _OF[sampled or "pairs"]
        self.measures = [
            measure
            for measure in asked
            if all(system_sums.share(measure, beta)[1].any() for system_sums in sums.values())
        ]
        if not self.measures:
            raise InputError("no labelled pair is a match, or together in the prediction; there is nothing to score")
        self._absent = [measure for measure in asked[:2] if measure not in self.measures]
        self._counts: dict[str, dict[str, int]] = {}  # how many pairs each measure looks at
        self.systems: dict[str, dict[str, Estimate]] = {}
        self.differences: dict[str, dict[str, Estimate]] = {}
        first, *others = sums
        for name, own in sums.items():
            both, matches, links = (round(float(column.sum())) for column in counted[name])
            pairs = self._counts[name] = {"precision": links, "recall": matches, "f": matches + links - both}
            self.systems[name] = {
                measure: pair_estimate(own, measure, beta, pairs[measure], confidence) for measure in self.measures
            }
            if name in others:
                self.differences[name] = {
                    measure: pair_difference(own, sums[first], measure, beta, confidence) for measure in self.measures
                }

    def _of_one(self, measure: str) -> Estimate | None:
        if len(self.systems) > 1:
            raise InputError(f"there are {len(self.systems)} systems; use found.systems[...][{measure!r}]")
        return next(iter(self.systems.values())).get(measure)

    @property
    def precision(self) -> Estimate | None:
        """The share of matches among labelled pairs that the prediction puts together."""
        return self._of_one("precision")

    @property
    def recall(self) -> Estimate | None:
        """The share of labelled matches that the prediction puts together."""
        return self._of_one("recall")

    @property
    def f(self) -> Estimate | None:
        """The F of both, where pairs were drawn among all of them."""
        return self._of_one("f")

    @property
    @in_its_words
    def notes(self) -> list[str]:
        """What the numbers alone do not say."""
        facts, notes = self.facts, []
        if self._sampled is None and not facts.no_matches:
            notes.append("every label is a match, so precision says nothing; set the option sampled to 'matches'")
        elif self._sampled is None and all(counts["precision"] == facts.scored for counts in self._counts.values()):
            notes.append("all labelled pairs are together in pred, so recall says nothing; set sampled to 'links'")
        elif self._sampled is None:
            notes += [
                "precision holds if pairs were drawn at random among those together in pred,",
                "recall if matches were drawn at random among all matches; the option sampled says so",
            ]
        notes += [f"no labelled pair tells of {measure}" for measure in self._absent]
        for number, what in (
            (facts.unknown, noun("with elements that the prediction does not have, left out")),
            (facts.contradicted, "connected by matches that other labels contradict, left out"),
            (facts.repeated, f"labelled again, counted {'once' if facts.implied else 'each time'}"),
        ):
            notes += [f"{plural(number, 'pair')} {what}"] * (number > 0)
        if facts.implied_matches or facts.implied_no_matches:
            done = "counted too" if facts.implied else "the option implied counts them"
            notes.append(
                f"by transitivity {plural(facts.implied_matches, 'more pair')} match and {facts.implied_no_matches:,} "
                f"do not ({done})"
            )
        if facts.largest > max(FEW, (facts.matches + facts.no_matches) / 10) and facts.unit != "pairs":
            large = f"one component has {facts.largest:,} of the pairs"
            notes.append(f"{large}; if each was drawn independently, the option unit is better 'pairs'")
        return notes + few_units(facts.units, facts.unit.removesuffix("s"), FEW)

    def description(self) -> Description:
        """A row for each measure and system."""
        facts = self.facts
        rows = [
            SimpleNamespace(
                measure=measure,
                system=system,
                part="score",
                pairs=self._counts[system][measure],
                estimate=estimates[measure],
                gap=self.differences.get(system, {}).get(measure),
                signature=self.signature,
            )
            for measure, (system, estimates) in product(self.measures, self.systems.items())
        ]
        columns = self._columns(Column("measure", once=True, kind=TEXT), Column("pairs", kind=COUNT))
        unsure = f", {facts.unsure:,} unsure" * (facts.unsure > 0)
        above = (
            f"{plural(facts.pairs, 'labelled pair')}: {facts.matches:,} match, {facts.no_matches:,} no match{unsure}"
            f"; {facts.elements:,} of {plural(facts.population, 'element')}"
        )
        return Description(columns, rows, above)

    @property
    def _details(self) -> list[str]:
        return [*self.notes, self.signature]

    def _json_facts(self) -> dict[str, Any]:
        return {
            "labels": dict(zip(self.facts._fields[:-4], self.facts, strict=False)),
            "unit": self.facts.unit,
            "units": self.facts.units,
            "confidence": self.confidence,
            "notes": self.notes,
            "signature": self.signature,
        }
