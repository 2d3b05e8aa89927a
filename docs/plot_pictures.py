"""The pictures of the page on plots; run it from the root after a plot has changed: python docs/plot_pictures.py."""

import csv
from pathlib import Path

import numpy as np

import clusterscore as cs

FOLDER = Path(__file__).resolve().parent / "pictures"


def draw() -> None:
    """Draw them all."""
    rows = list(csv.DictReader((FOLDER.parent.parent / "examples" / "streams.csv").read_text().splitlines()))
    gold, model, fixed, stream = ([row[name] for row in rows] for name in ("gold", "model", "fixed", "stream"))
    card = cs.score(gold, model, documents=stream)
    found = cs.compare(gold, {"fixed": fixed, "model": model}, documents=stream, metrics=["elm", "bcubed", "ari", "vi"])
    axes = {
        "overlaps": cs.plot.overlaps(card, largest=8),
        "by_size": cs.plot.by_size(card),
        "sizes": cs.plot.sizes(card),
        "distribution": cs.plot.distribution(card),
        "difference": cs.plot.difference(card),
        "comparison": cs.plot.comparison(found, "elm"),
        "comparison_all": cs.plot.comparison(found),
        "scatter": cs.plot.scatter({"fixed": cs.score(gold, fixed, documents=stream), "model": card}),
        "sweep": cs.plot.sweep(thresholds()),
    }
    FOLDER.mkdir(exist_ok=True)
    for name, ax in axes.items():
        cs.plot.save(ax, FOLDER / f"{name}.svg")


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


if __name__ == "__main__":
    draw()
