"""``clusterscore coref``: key and responses in the formats of coreference."""

from __future__ import annotations

from typing import Any

import click
from click.core import ParameterSource

from clusterscore.analyses.score.coref import coref, read_side
from clusterscore.analyses.score.response_scores import ResponseScores
from clusterscore.command.gates import GATES, Gate
from clusterscore.command.group import PRINTING, Gated, command, metrics_option, option
from clusterscore.command.inputs import FilesOfSystems, files_argument
from clusterscore.count.table import Table
from clusterscore.read.coreference import FORMS, pair_coreference
from clusterscore.read.file import File
from clusterscore.read.source import refuse_second_reading

MATCHING = (
    option(
        "--singletons", "Keep or drop entities with a single mention, on each side.", ["keep", "drop"], default="keep"
    ),
    option("--match", "CorefUD: when two mentions count as the same.", ["exact", "head", "partial"], default="exact"),
    option(
        "--zeros",
        "CorefUD: match zeros by their place, or first by what they depend on.",
        ["linear", "dependent"],
        default="linear",
    ),
    option("--cross-document", "Treat an id as the same entity in all documents.", is_flag=True),
    option(
        "--offsets",
        "jsonlines: whether mentions are given in tokens or characters.",
        ["tokens", "characters"],
        default="tokens",
    ),
)
_MATCHING = ("singletons", "match", "zeros", "cross_document", "offsets")
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
    matching = {name: options[name] for name in ("match", "zeros", "singletons", "cross_document")}
    preds = {name: read_side(path, *reading, key=False) for path, name in responses.items()}
    cards = {name: coref(gold, pred, **options) for name, pred in preds.items()}
    pairs = {name: pair_coreference(gold, pred, **matching) for name, pred in preds.items()} if truncate else None
    scores = cards if len(cards) > 1 else {"": next(iter(cards.values()))}
    return gate.passed(ResponseScores(cards, pairs, by_document).pieces, scores, [key, *responses])
