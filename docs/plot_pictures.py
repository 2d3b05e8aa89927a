"""The pictures of the page on plots; run it from the root after a plot has changed: python docs/plot_pictures.py."""

import csv
from pathlib import Path

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
    }
    FOLDER.mkdir(exist_ok=True)
    for name, ax in axes.items():
        cs.plot.save(ax, FOLDER / f"{name}.svg")


if __name__ == "__main__":
    draw()
