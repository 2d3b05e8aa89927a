"""``clusterscore coref``: key and responses in the formats of coreference."""

from __future__ import annotations

from typing import Any, NamedTuple

import click

from clusterscore.command.group import cli, format_option, metric_names, quiet_option, raw_option
from clusterscore.command.inputs import short_names
from clusterscore.command.printing import warn, write_out
from clusterscore.command.truncated import PRF, ReferenceScores, truncated
from clusterscore.pipeline.coref import coref, read_key, read_response
from clusterscore.progress import shown
from clusterscore.read.coreference import FORMS, pair_coreference
from clusterscore.read.source import refuse_second_reading
from clusterscore.show import Grid, Scorecard
from clusterscore.show.escapes import as_json
from clusterscore.version import __version__


@cli.command("coref")
@click.argument("key")
@click.argument("responses", nargs=-1, required=True, metavar="RESPONSE...")
@click.option(
    "--metrics",
    "-m",
    multiple=True,
    metavar="NAMES",
    help="E.g. -m 'conll, lea' (default: mentions, MUC, B3, CEAFm, CEAFe, BLANC, LEA, CoNLL).",
)
@click.option("--format-in", type=click.Choice(FORMS), help="What the files are, if their names do not say.")
@click.option(
    "--singletons",
    type=click.Choice(["keep", "drop"]),
    default="keep",
    show_default=True,
    help="Entities with one mention, on each side.",
)
@click.option(
    "--match",
    type=click.Choice(["exact", "head", "partial"]),
    default="exact",
    show_default=True,
    help="CorefUD: when two mentions are the same.",
)
@click.option("--cross-document", is_flag=True, help="Entities have the same id in all documents.")
@click.option(
    "--offsets",
    type=click.Choice(["tokens", "characters"]),
    default="tokens",
    show_default=True,
    help="jsonlines: what the numbers of a mention count.",
)
@click.option("--documents", is_flag=True, help="A row for every document.")
@click.option("--truncate", is_flag=True, help="Cut off digits as the reference scorer does, instead of rounding.")
@click.option("--strict", is_flag=True, help="What is odd in a file is an error, not a warning.")
@format_option
@raw_option
@quiet_option
def coref_command(
    key: str, responses: tuple[str, ...], metrics: tuple[str, ...], format_in: str | None, offsets: str,
    documents: bool, truncate: bool, strict: bool, form: str, raw: bool, quiet: bool, **options: Any,
) -> None:  # fmt: skip
    """Score coreference: RESPONSE (one or more) against KEY.

    Files are CoNLL-2011/2012, CorefUD (CoNLL-U) or jsonlines; documents pair by name. Counts are those of the reference
    scorer, added up over documents; with several documents the means of the documents' scores stand beside them.
    """
    names = metric_names(metrics)
    refuse_second_reading([key, *responses])
    if len(set(responses)) < len(responses):
        raise click.UsageError("a response is given twice")
    scored = Scored({}, {})
    with shown(not quiet):
        gold = read_key(key, format_in, offsets)
        for path in responses:
            pred = read_response(path, format_in, offsets)
            scored.cards[path] = card = coref(gold, pred, metrics=names or None, strict=strict, **options)
            if truncate:
                scored.reference[path] = ReferenceScores(card, pair_coreference(gold, pred, **options))
    cards = scored.cards
    for warning in dict.fromkeys(text for card in cards.values() for text in card.warnings):
        warn(f"warning: {warning}")
    if form == "json":
        text = as_json(_plain(cards, documents), indent=2, allow_nan=False)
    elif form == "csv":
        text = (_by_document(Scored(cards, {}), None) if documents else _all_numbers(cards)).to_csv(raw)
    else:
        cut = truncated if truncate else _percent
        text = (_by_document(scored, cut) if documents else _grid(scored, cut)).render(form, raw)
    write_out(text, form)


def _percent(value: float | None) -> float | None:
    return None if value is None else 100 * value


class Scored(NamedTuple):
    """The scores of each response, and what the reference scorer would compute, where that is asked for."""

    cards: dict[str, Scorecard]
    reference: dict[str, ReferenceScores]

    def total(self, path: str, name: str) -> PRF:
        """All documents together."""
        if path in self.reference:
            return self.reference[path].total(name)
        score = self.cards[path].micro[name]
        return PRF(score.precision, score.recall, score.value)

    def by_document(self, path: str, name: str) -> list[float]:
        """The F of each document."""
        if path in self.reference:
            return self.reference[path].by_document(name)
        return [float(value) for value in self.cards[path].documents[name]]


def _grid(scored: Scored, cut: Any) -> Grid:
    """A row per metric; P, R and F of every response, and the mean over documents where there are several."""
    cards = scored.cards
    titles = short_names(cards)
    several = any(card.to_dict()["documents"] > 1 for card in cards.values())
    headings, rows = ["metric"], [[name] for name in next(iter(cards.values()))]
    for path, card in cards.items():
        lead = f"{titles[path]} " if len(cards) > 1 else ""
        headings += [f"{lead}P", f"{lead}R", f"{lead}F", *([f"{lead}macro F"] if several else [])]
        for row, name in zip(rows, card, strict=True):
            row += map(cut, scored.total(path, name))
            row += [cut(card.macro[name].value)] if several else []
    first = next(iter(cards.values()))
    facts = f"{first.facts['elements'][0]:,} mentions and {first.facts['clusters'][0]:,} entities in the key"
    return Grid(headings, rows, 2, above=facts, below=first.grid().below)


def _by_document(scored: Scored, cut: Any) -> Grid:
    """A row per document with the F of every metric, response by response."""
    cards = scored.cards
    titles = short_names(cards)
    names = list(next(iter(cards.values())))
    rows: list[list[Any]] = []
    for path, card in cards.items():
        table = card.documents
        found = {name: scored.by_document(path, name) for name in names}
        for k, document in enumerate(table["document"].tolist()):
            values = [found[name][k] for name in names]
            row = [document, int(table["elements"][k]), *(values if cut is None else map(cut, values))]
            rows.append([titles[path], *row] if len(cards) > 1 else row)
    return Grid([*(["response"] if len(cards) > 1 else []), "document", "elements", *names], rows, 2)


def _all_numbers(cards: dict[str, Scorecard]) -> Grid:
    """Everything in full precision, a row per response and metric."""
    rows = []
    for path, card in cards.items():
        macro = card.macro
        for name, score in card.micro.items():
            rows.append([path, name, score.value, score.precision, score.recall, macro[name].value, score.signature])
    return Grid(["response", "metric", "value", "precision", "recall", "macro", "signature"], rows)


def _plain(cards: dict[str, Scorecard], documents: bool) -> dict[str, Any]:
    found = {}
    for path, card in cards.items():
        one = card.to_dict()
        one["macro"] = {name: score.to_dict() for name, score in card.macro.items()}
        one["warnings"] = card.warnings
        if documents:
            one["by_document"] = card.documents.to_dict()
        found[path] = one
    return next(iter(found.values())) if len(found) == 1 else {"responses": found, "version": __version__}
