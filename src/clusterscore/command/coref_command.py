"""``clusterscore coref``: key and responses in the formats of coreference."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import click
from click.core import ParameterSource

from clusterscore.analyses.score.coref import coref, read_side
from clusterscore.analyses.score.scorecard import Scorecard
from clusterscore.command.gates import GATES, Gate
from clusterscore.command.group import PRINTING, Gated, command, metrics_option, option
from clusterscore.command.inputs import FilesOfSystems, files_argument
from clusterscore.command.truncated import PrintedScore, as_reference, as_scored, percent, truncated
from clusterscore.count.table import Table
from clusterscore.exceptions import heard
from clusterscore.read.coreference import FORMS, pair_coreference
from clusterscore.read.file import File
from clusterscore.read.source import refuse_second_reading
from clusterscore.screen import Screen
from clusterscore.show.grid import Grid, as_json
from clusterscore.version import __version__

Printed = dict[str, dict[str, PrintedScore]]  # by response and metric
Shorten = Callable[[float | None], float | None]


MATCHING = (
    option(
        "--singletons", "Keep or drop entities with a single mention, on each side.", ["keep", "drop"], default="keep"
    ),
    option("--match", "CorefUD: when two mentions count as the same.", ["exact", "head", "partial"], default="exact"),
    option("--cross-document", "Treat an id as the same entity in all documents.", is_flag=True),
    option(
        "--offsets",
        "jsonlines: whether mentions are given in tokens or characters.",
        ["tokens", "characters"],
        default="tokens",
    ),
)
_MATCHING = ("singletons", "match", "cross_document", "offsets")
_OTHERS = {name: name for name in ("weights", "show", "by", "estimate", "missing", "noise")} | {"edges": "sweep"}
COREF = (  # of which coref_options() makes those of cs.coref
    option(
        "--coref coreference", "The files are a key and responses in CoNLL, CorefUD or jsonlines format.", is_flag=True
    ),
    *MATCHING,
)


def coref_options(given: dict[str, Any]) -> dict[str, Any] | None:
    """Taken from the options of a command: how coreference is read, or None where the files are something else."""
    how, source = {name: given.pop(name) for name in _MATCHING}, click.get_current_context().get_parameter_source
    if given.pop("coreference"):
        return how
    odd = next((name for name in _MATCHING if source(name) is not ParameterSource.DEFAULT), None)
    if odd is not None:
        raise click.UsageError(f"--{odd.replace('_', '-')} is for coreference; say --coref too")
    return None


def coref_tables(sources: FilesOfSystems, how: dict[str, Any], given: dict[str, Any]) -> dict[str, Table]:
    """The mentions of a key and each response, counted; options that coreference does not have are taken out."""
    others = {option: given.pop(name, None) for name, option in _OTHERS.items()}
    odd = next((option for option, value in others.items() if value not in (None, "error")), None)
    del given["noise_as"]  # without noise it means nothing
    if odd is not None or any(file != File(file.path) for file in sources.files):
        what = f"--{odd}" if odd else "naming a column or a format"
        raise click.UsageError(f"{what} cannot be used with --coref, because coreference files have a fixed format")
    metrics, offsets = given.get("metrics"), how.pop("offsets")
    refuse_second_reading(sources.paths)
    gold = read_side(sources.gold.path, offsets=offsets, key=True)
    return {
        name: coref(gold, file.path, offsets=offsets, metrics=metrics, **how).table
        for name, file in sources.preds.items()
    }


@command(
    "coref",
    click.argument("key"),
    files_argument("responses", "RESPONSE", required=True),
    metrics_option("E.g. -m 'conll, lea' (default: mentions, MUC, B3, CEAFm, CEAFe, BLANC, LEA, CoNLL)."),
    option("--format-in", "Format of the files, if it is not recognized.", FORMS),
    *MATCHING,
    option("--by-document by_document", "Print a row per document.", is_flag=True),
    option("--truncate", "Truncate digits, as the reference scorer does, instead of rounding.", is_flag=True),
    *GATES,
    *PRINTING,
)
def coref_command(key: str, responses: dict[str, str], by_document: bool, truncate: bool, **options: Any) -> Gated:
    """Score one or more coreference RESPONSE files against KEY.

    Reads CoNLL-2011/2012, CorefUD (CoNLL-U) and jsonlines. Documents are matched by name. Counts are those of the
    reference scorer, summed over documents. With several documents, the mean of their scores is printed as well.
    """
    gate = Gate.of(options, percent=True)
    reading = options.pop("format_in"), options.pop("offsets")
    refuse_second_reading([key, *responses])
    gold = read_side(key, *reading, key=True)
    matching = {name: options[name] for name in ("match", "singletons", "cross_document")}
    cards, pairs = {}, {}
    for path, name in responses.items():
        pred = read_side(path, *reading, key=False)
        cards[name] = coref(gold, pred, **options)
        if truncate:
            pairs[name] = pair_coreference(gold, pred, **matching)

    def render(form: str, digits: int | None, raw: bool, screen: Screen) -> Iterator[str]:
        if form == "json":
            return iter([as_json(_plain(cards, by_document), indent=2, allow_nan=False)])
        if form == "csv" and not by_document:
            return _all_numbers(cards).pieces(form, raw)
        printed = {name: as_scored(card) for name, card in cards.items()}
        if form == "csv":
            return _by_document(cards, printed, lambda value: value, averages=False).pieces(form, raw)
        for name, pair in pairs.items():
            printed[name] |= as_reference(cards[name], pair)
        grid = (_by_document if by_document else _grid)(cards, printed, truncated if truncate else percent)
        return grid.pieces(form, raw, screen)

    return gate.passed(render, cards if len(cards) > 1 else {"": next(iter(cards.values()))}, [key, *responses])


def _grid(cards: dict[str, Scorecard], printed: Printed, shorten: Shorten) -> Grid:
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


def _by_document(cards: dict[str, Scorecard], printed: Printed, shorten: Shorten, averages: bool = True) -> Grid:
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
    for each in systems.values():
        del each["version"]  # it is that of all
    return {"systems": systems, "version": __version__}
