"""The scores of coreference responses, in the tables that the field prints."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from clusterscore.analyses.score.scorecard import Scorecard
from clusterscore.analyses.score.truncated import PrintedScore, as_reference, as_scored, percent, truncated
from clusterscore.exceptions import heard
from clusterscore.read.coreference import PairedCoreference
from clusterscore.screen import PAGE, Screen
from clusterscore.show.grid import Grid, as_json
from clusterscore.version import __version__

PrintedScores = dict[str, dict[str, PrintedScore]]  # by response and metric
Shorten = Callable[[float | None], float | None]


class ResponseScores:
    """Scorecards by response; with their ``pairs``, digits are truncated as the reference scorer does."""

    def __init__(
        self,
        cards: Mapping[str, Scorecard],
        pairs: Mapping[str, PairedCoreference] | None = None,
        by_document: bool = False,
    ):
        self.cards, self.pairs, self.by_document = dict(cards), pairs, by_document

    def pieces(self, form: str, digits: int | None = None, raw: bool = False, screen: Screen = PAGE) -> Iterator[str]:
        """As ``table`` (text), ``json``, ``csv``, ``markdown`` or ``latex``, piece by piece."""
        cards = self.cards
        if form == "json":
            return iter([as_json(_plain(cards, self.by_document), indent=2, allow_nan=False)])
        if form == "csv" and not self.by_document:
            return _all_numbers(cards).pieces(form, raw)
        printed = {name: as_scored(card) for name, card in cards.items()}
        if form == "csv":
            return _by_document(cards, printed, lambda value: value, averages=False).pieces(form, raw)
        for name, pair in (self.pairs or {}).items():
            printed[name] |= as_reference(cards[name], pair)
        table = _by_document if self.by_document else _grid
        return table(cards, printed, percent if self.pairs is None else truncated).pieces(form, raw, screen)


def _grid(cards: dict[str, Scorecard], printed: PrintedScores, shorten: Shorten) -> Grid:
    """A row per metric; P, R and F of every response, and the mean over documents where there are several."""
    several = any(card.to_dict()["documents"] > 1 for card in cards.values())
    first = next(iter(cards.values()))
    headings, rows = ["metric"], [list[Any]([name]) for name in first]
    for response, card in cards.items():
        lead = f"{response} " if len(cards) > 1 else ""
        headings += [f"{lead}P", f"{lead}R", f"{lead}F", *([f"{lead}macro F"] if several else [])]
        for row, name in zip(rows, card, strict=True):
            row += map(shorten, printed[response][name][:3])
            row += [shorten(card.macro[name].value)] if several else []
    facts = f"{first.facts['elements'][0]:,} mentions and {first.facts['clusters'][0]:,} entities in the key"
    breaks = [f"{response} P" for response in cards]
    return Grid(headings, rows, 2, above=facts, below=first.grid().below, breaks=breaks)


def _by_document(cards: dict[str, Scorecard], printed: PrintedScores, shorten: Shorten, averages: bool = True) -> Grid:
    """A row per document with the F of every metric, and their averages, response by response."""
    several = len(cards) > 1
    names = list(next(iter(cards.values())))
    rows: list[list[Any]] = [
        [*([response] if several else []), document, int(elements), *map(shorten, values)]
        for response, card in cards.items()
        for document, elements, *values in zip(
            card.documents["document"].tolist(),
            card.documents["elements"],
            *(printed[response][name].by_document for name in names),
            strict=True,
        )
    ]
    if averages:
        for response, card in cards.items():
            lead, elements = [response] if several else [], card.to_dict()["elements"]
            pooled, mean = (printed[response][name].f for name in names), (score.value for score in card.macro.values())
            rows += [[*lead, "avg:micro", elements, *map(shorten, pooled)]]
            rows += [[*lead, "avg:macro", elements, *map(shorten, mean)]]
    headings = [*(["response"] if several else []), "document", "elements", *names]
    return Grid(headings, rows, 2, keys=1 + several, names=["response", "document"])


def _all_numbers(cards: dict[str, Scorecard]) -> Grid:
    """Everything in full precision, a row per response and metric."""
    rows = [
        [response, name, score.value, score.precision, score.recall, card.macro[name].value, score.signature]
        for response, card in cards.items()
        for name, score in card.micro.items()
    ]
    return Grid(["response", "metric", "value", "precision", "recall", "macro", "signature"], rows)


def _plain(cards: dict[str, Scorecard], by_document: bool) -> dict[str, Any]:
    systems = {}
    for name, card in cards.items():
        macro = {metric: score.to_dict() for metric, score in card.macro.items()}
        systems[name] = {**card.to_dict(), "macro": macro, "warnings": list(dict.fromkeys([*card.warnings, *heard()]))}
        if by_document:
            systems[name]["by_document"] = list(card.documents.records())
    if len(systems) == 1:
        return next(iter(systems.values()))
    for system in systems.values():
        del system["version"]  # it is that of all
    return {"systems": systems, "version": __version__}
