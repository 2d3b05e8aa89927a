"""``clusterscore coref``: key and responses in the formats of coreference, as ``score --field coreference``."""

from __future__ import annotations

from functools import partial
from typing import Any

import click

from clusterscore.align.match import mentions_paired
from clusterscore.analyses.compare.comparing import compare
from clusterscore.analyses.diagnose.diagnosis import Diagnosis
from clusterscore.analyses.score.coref import Truncated, coref
from clusterscore.analyses.score.score_rows import ScoresByName, are_folders, score_data_sets
from clusterscore.analyses.score.scorecard import ByDocument
from clusterscore.command.gates import GATES, SUMMARIZED, Gate
from clusterscore.command.group import DIGITS, LAYOUT, Gated, Render, command, metrics_option, option
from clusterscore.command.inputs import MATCHING, OFFSETS_OPTION, files_argument
from clusterscore.fields import current, field, using
from clusterscore.read.file import File
from clusterscore.read.files import read_files
from clusterscore.read.formats import MENTIONS
from clusterscore.read.source import refuse_second_reading
from clusterscore.show.result import Result


@command(
    "coref",
    click.argument("key"),
    files_argument("responses", "RESPONSE", required=True),
    metrics_option("E.g. -m 'conll, lea' (default: CoNLL, MUC, B3, CEAFe, CEAFm, BLANC, LEA, mentions)."),
    option("--format-in format", "Format of the files, if it is not recognized.", MENTIONS[:-1]),
    *MATCHING,
    OFFSETS_OPTION,
    option("--by-document by_document", "Print a row per document.", is_flag=True),
    LAYOUT,
    option("--truncate", "Truncate digits, as the reference scorer does, instead of rounding.", is_flag=True),
    *GATES,
    DIGITS,
    *SUMMARIZED,
)
def coref_command(
    key: str, responses: dict[str, str], by_document: bool, truncate: bool, layout: str, **given: Any
) -> Gated:
    """Score one or more coreference RESPONSE files against KEY: score --field coreference.

    Reads CoNLL-2011/2012, CorefUD (CoNLL-U), CoNLL-UA, LitBank and the JSON of most systems. Documents are matched by
    name. Counts are those of the reference scorer, summed over documents. KEY and RESPONSE can be folders with a file
    of the same name for each data set: a row each, and the unweighted mean.
    """
    with using(current() or field("coreference")):
        gate = Gate(given)
        reading = {name: given.pop(name) for name in ("format", "offsets")}
        paths = [key, *responses]
        refuse_second_reading(paths)
        if len(responses) > 1 and (by_document or truncate):
            raise click.UsageError("--by-document and --truncate are for one RESPONSE")
        if layout == "paper" and (by_document or truncate):
            raise click.UsageError("--layout paper prints a row per RESPONSE, without --by-document and --truncate")
        if len(responses) == 1 and are_folders(*paths):
            if layout == "paper":
                raise click.UsageError("--layout paper is for files, not for folders of data sets")
            if by_document or truncate:
                raise click.UsageError("--by-document and --truncate are for one data set, not for folders")
            sets = score_data_sets(*paths, **given)
            return gate.passed(sets.pieces, sets.scores, paths)
        files = {"gold": key, **{f"pred {name}": path for path, name in responses.items()}}
        sides = read_files({name: File(path, **reading) for name, path in files.items()})
        gold = sides.pop("gold")
        cards = {name: coref(gold, sides[f"pred {name}"], **given) for name in responses.values()}
        paper = None
        if layout == "paper":
            tables = {name: card.table for name, card in cards.items()}
            paper = compare(tables, metrics=given["metrics"], resamples=0).paper()
        if len(cards) > 1:
            several = ScoresByName(cards, "systems")
            worst = {name: partial(Diagnosis.of, card.table) for name, card in cards.items()}
            return gate.passed(_laid_out(several, paper), several.scores, paths, worst=worst)
        (card,) = cards.values()
        if truncate:
            how = {name: given[name] for name in ("match", "singletons", "zeros", "cross_document")}
            (pred,) = sides.values()
            paired = mentions_paired(gold, pred, {name: value for name, value in how.items() if value is not None})
            return gate.passed(Truncated(card, paired, by_document).pieces, {"": card}, paths)
        shown = ByDocument(card) if by_document else card
        return gate.passed(_laid_out(shown, paper), {"": card}, paths, worst={"": partial(Diagnosis.of, card.table)})


def _laid_out(scores: Result, paper: Result | None) -> Render:
    """Scores as they are printed; JSON is the same whatever the layout."""
    if paper is None:
        return scores.pieces
    return lambda form, *how: (scores if form == "json" else paper).pieces(form, *how)
