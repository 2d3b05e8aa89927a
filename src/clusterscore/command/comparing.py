"""``clusterscore compare``: several predictions against one gold, with intervals and paired tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from clusterscore.command.group import average_option, cli, digits_option, metric_names, metrics_option, weights_option
from clusterscore.command.inputs import Inputs, inputs_of_systems, short_names
from clusterscore.command.printing import warn, write_out
from clusterscore.comparison import UNITS, System
from clusterscore.pipeline.asking import Asked
from clusterscore.pipeline.compare import counted, how_to, standing
from clusterscore.pipeline.coref import COREFERENCE_SET, coref, read_key
from clusterscore.progress import shown, step
from clusterscore.read import Clustering
from clusterscore.read.source import refuse_second_reading


@cli.command("compare")
@inputs_of_systems
@metrics_option
@click.option("--baseline", metavar="PRED", help="What the others are compared with (default: the first).")
@click.option(
    "--unit",
    type=click.Choice(UNITS),
    default="auto",
    show_default=True,
    help="What is resampled: documents where there are several, else gold clusters.",
)
@average_option
@click.option("--resamples", type=click.IntRange(0), default=1000, show_default=True, help="0: the scores alone.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Same seed, same numbers.")
@click.option("--confidence", type=float, default=0.95, show_default=True, help="Of the intervals.")
@weights_option
@click.option("--coref", "coreference", is_flag=True, help="The files are CoNLL, CorefUD or jsonlines: key, responses.")
@digits_option
def compare_command(
    gold: str, preds: tuple[str, ...], gold_column: str | None, pred_columns: tuple[str, ...], metrics: tuple[str, ...],
    baseline: str | None, unit: str, average: str, resamples: int, seed: int, confidence: float, weights: str | None,
    coreference: bool, digits: int, form: str, raw: bool, quiet: bool, **given: Any,
) -> None:  # fmt: skip
    """Compare predictions: is PRED better than another PRED, and how sure is each score?

    Each score has a bootstrap interval, each difference to the baseline an interval and the p-value of a paired
    randomisation test, with Holm's correction; * marks what is significant. One file with all sides: clusterscore
    compare FILE --gold COL --pred COL --pred COL. Coreference: clusterscore compare KEY RESPONSE RESPONSE --coref.
    """
    names = metric_names(metrics)
    how = how_to(unit, average, resamples, seed, confidence)
    named = named_systems(gold, preds, gold_column, pred_columns)
    if baseline is not None:
        baseline = named.get(baseline, baseline)
    with shown(not quiet):
        if coreference:
            asked = Asked.of(names or COREFERENCE_SET, counted=True)
            systems = _coreference(gold, named, names, given)
        else:
            sources = sources_of(named, gold, gold_column, given)
            policy = next(iter(sources.values())).policy
            asked = Asked.of(names or None, weights=weights, **policy.options)
            with step("reading") as at:
                pairs = read_all(sources, at)
            systems = counted(pairs, asked, how)
        found = standing(systems, asked, how, baseline)
    for warning in found.warnings:
        warn(f"warning: {warning}")
    write_out(found.render(form, digits, raw), form)


def named_systems(
    gold: str, preds: tuple[str, ...], gold_column: str | None, pred_columns: tuple[str, ...]
) -> dict[str, str]:
    """What is compared, files or columns, and the names they go by."""
    if (gold_column is None) == bool(pred_columns):
        raise click.UsageError("--gold COL and --pred COL go together")
    if bool(preds) == bool(pred_columns):
        raise click.UsageError(
            "files are needed, GOLD and PRED..., or one file alone with --gold COL and a --pred COL for each system"
        )
    chosen = preds or pred_columns
    if len(set(chosen)) < len(chosen):
        twice = next(each for each in chosen if chosen.count(each) > 1)
        raise click.UsageError(f"{twice!r} is given twice")
    refuse_second_reading([*[gold] * len(chosen), *preds])  # gold is read with each of them
    return {column: column for column in pred_columns} if pred_columns else short_names(preds)


def sources_of(named: dict[str, str], gold: str, gold_column: str | None, given: dict[str, Any]) -> dict[str, Inputs]:
    """What is read for each system, by name: a file or a column, with gold."""
    of_file = gold_column is None
    return {
        title: Inputs(gold=gold, gold_column=gold_column, pred=pred if of_file else None,
                      pred_column=None if of_file else pred, **given)
        for pred, title in named.items()
    }  # fmt: skip


def read_all(sources: dict[str, Inputs], at: Callable[[float], None]) -> dict[str, tuple[Clustering, Clustering]]:
    """Gold and the prediction of each system; ``at`` is told how far it is."""
    pairs: dict[str, tuple[Clustering, Clustering]] = {}
    for title, source in sources.items():
        pairs[title] = source.clusterings()
        at(len(pairs) / len(sources))
    return pairs


def _coreference(key: str, named: dict[str, str], names: list[str], given: dict[str, Any]) -> dict[str, System]:
    defaults = {"missing": "error", "noise": (), **dict.fromkeys(("element", "cluster", "document", "format_in"))}
    odd = [name for name, default in defaults.items() if given[name] != default]
    if odd:
        raise click.UsageError(f"--{odd[0].replace('_', '-')} is not for --coref: its files say what is in them")
    gold = read_key(key)
    cards = {title: coref(gold, path, metrics=names or None) for path, title in named.items()}
    for warning in dict.fromkeys(text for card in cards.values() for text in card.warnings):
        warn(f"warning: {warning}")
    return {title: System(card.table) for title, card in cards.items()}
