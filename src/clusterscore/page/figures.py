"""Figures: the plots of a page, each with its title and caption and the part of the page that it explains."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any

from clusterscore import plot
from clusterscore.analyses.compare.comparison import Comparison
from clusterscore.analyses.estimate.estimates import Estimates
from clusterscore.analyses.score.scorecard import Scorecard
from clusterscore.analyses.sweep.sweep_result import Sweep
from clusterscore.exceptions import InputError, MetricError
from clusterscore.nouns import plural
from clusterscore.page.described import described
from clusterscore.page.display_names import label, marked, measure
from clusterscore.page.findings import Prediction, SampleCard, words
from clusterscore.plot.cluster_sizes import by_size_of
from clusterscore.plot.flows import flow_of
from clusterscore.plot.style import SERIES
from clusterscore.progress import step

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MOST_CUTS, _FOLDS = 200_000, 5  # so many are cross-validated without a long wait
_MOST_DOTS = 3000  # of all scatters: each costs some letters
_PAIR = ("bcubed", "elm")  # what the papers on ELM compare

Figure = dict[str, Any]
Drawn = Callable[[], "Axes"]


def system_figures(prediction: Prediction, card: Scorecard | SampleCard, place: int, systems: int) -> list[Figure]:
    """The plots of a system, which has this place among so many; documents of several systems are drawn together."""
    table, metric = prediction.table, prediction.metric
    drawn: dict[str, Drawn] = {}
    if not table.overlapping and prediction.losses.loss.any():
        drawn["flow"] = partial(flow_of, prediction.diagnosis)
    if prediction.losses.scores.precision is not None:
        sampled = isinstance(card, SampleCard)  # nothing is known of the other gold clusters
        drawn["by-size"] = (
            partial(by_size_of, prediction.diagnosis) if sampled else partial(plot.by_size, table, metric=metric)
        )
    drawn["sizes"] = partial(plot.sizes, table)
    if table.overlapping:
        drawn["overlaps"] = partial(plot.overlaps, table)
    if isinstance(card, SampleCard):
        about, own = {"metric": measure(str(metric))}, words()["sampled"]
        return [_figure(f"s{place}-{key}", key, drawn[key], about, own[key]) for key in own if key in drawn]
    pair = [f"matched_{name}" for name in _PAIR] if table.overlapping else list(_PAIR)
    shown = pair if all(name in card for name in pair) else list(card)[:2]
    if systems == 1 and len(table.documents) > 1:
        drawn["distribution"] = partial(plot.distribution, card, metrics=shown)
        if len(shown) == 2:
            drawn["difference"] = partial(plot.difference, card, metrics=shown)
    given = {"metric": measure(str(metric)), "documents": plural(len(table.documents), "document")}
    of = words()["overlapping"] if table.overlapping else {}
    return [_figure(f"s{place}-{key}", key, draw, given, of.get(key)) for key, draw in drawn.items()]


def compared_figures(
    compared: Comparison | Estimates, cards: Mapping[str, Any], metric: str, rival: str
) -> list[Figure]:
    """The systems side by side, the best first: under the first metrics, and in their documents against a rival."""
    given = {"level": f"{100 * compared.confidence:g}%"}
    figures = [
        _figure(
            f"compared-{k}", "compared", partial(plot.comparison, compared, name), {**given, "metric": measure(name)}
        )
        for k, name in enumerate(compared.metrics[:2])
    ]
    if isinstance(compared, Estimates):
        return figures
    documents = len(next(iter(cards.values())).table.documents)
    if documents > 1:
        first = dict(islice(cards.items(), len(SERIES)))
        given = {"metric": measure(metric), "documents": plural(documents, "document")}
        given["best"] = f", of the best {len(first)} systems" if len(first) < len(cards) else ""
        figures.append(_figure("spread", "spread", partial(plot.distribution, first, metrics=metric), given))
        figures += _scatters(cards, rival, metric, documents)
    return figures


def _scatters(cards: Mapping[str, Scorecard], rival: str, metric: str, documents: int) -> Iterator[Figure]:
    """The best system against each other one; the page shows one at a time, first its rival."""
    best, *others = cards
    if documents * len(others) > _MOST_DOTS or len(others) > len(SERIES):
        others = [rival]
    for k, other in enumerate(cards):
        if other in others:
            given = {"metric": measure(metric), "above": label(best), "below": label(other)}
            two = {other: cards[other], best: cards[best]}  # documents have the numbers of the best, as in the page
            draw = partial(plot.scatter, two, metric=metric)
            figure = _figure(f"scatter-{k}", "scatter", draw, given)
            yield figure if len(others) == 1 else figure | {"pair": k, "first": other == rival}


def swept(sweep: Sweep) -> dict[str, Any]:
    """What every threshold scores: the best cuts, held out too where that does not take long, and the curves."""
    best = sweep.summary()
    if len(sweep) <= _MOST_CUTS:
        with suppress(InputError, MetricError), step("cross-validating"):  # where gold or the measures allow it
            best = sweep.summary(folds=_FOLDS)
    own = None if sweep.sample is None else words()["sampled"]["cuts"]
    figures = [_figure("cuts", "cuts", partial(plot.sweep, sweep), {}, own)]
    if any(f"{metric}.recall" in sweep.listed() for metric in sweep.metrics):
        figures.append(_figure("cuts-recall", "cuts-recall", partial(plot.sweep, sweep, against="recall"), {}))
    return {"best": best, "table": described(best)[0], "figures": figures}


def _figure(name: str, key: str, draw: Drawn, given: Mapping[str, str], own: list[str] | None = None) -> Figure:
    """A plot with its words, and the part of the page that it explains; ``name`` begins the ids in the drawing."""
    part, known = next((part, known[key]) for part, known in words()["figures"].items() if key in known)
    title, caption = (marked(text, **given) for text in own or known)
    with step(f"drawing: {title.lower()}"), plot.offscreen():
        drawing = plot.svg(draw(), name, label=marked("{}. {}", title, caption).striptags())
    return {"part": part, "title": title, "caption": caption, "drawing": drawing, "pair": 0}
