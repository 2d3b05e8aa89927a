"""The pictures of the gallery of plots, drawn when the documentation is built."""

import csv
from pathlib import Path

import numpy as np

import clusterscore as cs

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"


def draw(folder: Path) -> None:
    """Draw them all."""
    rows = list(csv.DictReader((EXAMPLES / "streams.csv").read_text(encoding="utf-8").splitlines()))
    gold, model, fixed, stream = ([row[name] for row in rows] for name in ("gold", "model", "fixed", "stream"))
    cards = {name: cs.score(gold, pred, documents=stream) for name, pred in {"fixed": fixed, "model": model}.items()}
    card = cards["model"]
    comparison = cs.compare(
        gold, {"fixed": fixed, "model": model}, documents=stream, metrics=["elm", "bcubed", "ari", "vi"]
    )
    swept = thresholds()
    axes = {
        "flow": cs.plot.flow(card, most=6),
        "overlaps": cs.plot.overlaps(card, largest=8),
        "by_size": cs.plot.by_size(card),
        "sizes": cs.plot.sizes(card),
        "strip": cs.plot.strip(gold, model, documents=stream),
        "distribution": cs.plot.distribution(card),
        "distribution_systems": cs.plot.distribution(cards),
        "difference": cs.plot.difference(card),
        "comparison": cs.plot.comparison(comparison, "elm"),
        "comparison_all": cs.plot.comparison(comparison),
        "scatter": cs.plot.scatter(cards),
        "sweep": cs.plot.sweep(swept),
        "sweep_recall": cs.plot.sweep(swept, against="recall"),
        **{f"field_{name}": cs.plot.overlaps(card) for name, card in fields().items()},
    }
    for name, ax in axes.items():
        cs.plot.save(ax, folder / f"{name}.svg")


def fields() -> dict[str, cs.Scorecard]:
    """What the pages of some fields score."""
    classes = ["cat"] * 4 + ["dog"] * 4 + ["fox"] * 4 + ["owl"] * 4
    pred = [1] * 4 + [2] * 4 + [1, 1, 3, 3] + [3] * 4
    crac = EXAMPLES / "crac"
    return {
        "coreference": cs.score(EXAMPLES / "key.conll", EXAMPLES / "response.conll"),
        "crac": cs.score(crac / "gold" / "en.conllu", crac / "pred" / "en.conllu", field="crac"),
        "clustering": cs.score(classes, pred, field="clustering"),
    }


def thresholds() -> cs.Sweep:
    """Every threshold of the page on sweeps."""
    rng = np.random.default_rng(7)
    person = rng.integers(0, 100, 300)
    left, right = np.triu_indices(300, 1)
    same = person[left] == person[right]
    compared = same | (rng.random(len(left)) < 0.02)
    left, right, same = left[compared], right[compared], same[compared]
    score = np.where(same, rng.beta(6, 2, len(same)), rng.beta(2, 5, len(same)))
    edges = {"left": left, "right": right, "score": score}
    return cs.sweep(person, edges=edges, metrics=["elm", "bcubed", "pairwise"])
