"""What a page says where gold is a sample: estimates of the whole, and what is known of the sample only."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from clusterscore.analyses.estimate.estimates import Estimates
from clusterscore.analyses.estimate.estimating import CountedSample, estimates_of
from clusterscore.analyses.estimate.estimation import Estimate, EstimateOptions
from clusterscore.analyses.resampling import level
from clusterscore.count.sampled import SampleLookup, count_sample
from clusterscore.metrics import Metric, Score
from clusterscore.nouns import plural
from clusterscore.page.display_names import label, marked, measure, shown_score
from clusterscore.page.findings import Prediction, headline, kinds_of, score_line
from clusterscore.page.verdict import share, sides_compared, worth

if TYPE_CHECKING:
    from markupsafe import Markup


class SampleCard(NamedTuple):
    """What was compared with what, in the place of a Scorecard."""

    facts: dict[str, tuple[int, int]]


def sampled_findings(
    prediction: Prediction, counted: CountedSample, metrics: list[Metric], estimates: Estimates
) -> dict[str, Any]:
    """What the template says of a prediction of which gold knows some clusters."""
    found = estimates.systems[prediction.name]
    baselines = _baselines(counted, metrics)
    lines = {}
    for metric in metrics:
        estimate = found[metric]
        line = score_line(metric, _as_score(estimate, estimates.signed(str(metric))), None, baselines)
        others = [own[metric].value for own in estimates.systems.values()]
        best = estimate.value == (min(others) if metric.smaller_is_better else max(others))
        lines[str(metric)] = {**line, "interval": estimate.interval, "is_best": best}
    main, table = str(prediction.metric), prediction.table
    head = headline(metrics, prediction.metric)
    facts, predicted = counted.facts, int(np.count_nonzero(table.pred_size))
    card = SampleCard({"elements": (facts.elements, facts.population), "clusters": (facts.clusters, predicted)})
    system = {
        "name": prediction.name,
        "card": card,
        "documents": 1,
        "main": lines[main],
        "head": lines[head],
        "lines": list(lines.values()),
        "baselines": baselines,
        "best": max(baselines, key=lambda baseline: baselines[baseline][head].value, default=None),
        "shuffles": 0,
        "pooled": prediction.diagnosis.score,
        "lost": float(prediction.losses.loss.sum()),
        "kinds": kinds_of(prediction.diagnosis),
        "sampled": level(estimates.confidence),
    }
    return {**system, "verdict": list(_verdict(system, estimates))}


def _as_score(estimate: Estimate, signature: str) -> Score:
    precision, recall = (None if side is None else side.value for side in (estimate.precision, estimate.recall))
    return Score(estimate.value, precision, recall, signature)


def _baselines(counted: CountedSample, metrics: list[Metric]) -> dict[str, dict[str, Score]]:
    """What trivial clusterings of all elements would score, by the same sample."""
    clusters, population = counted.clusters, counted.facts.population
    elements = len(clusters.ids)
    trivial = {
        "singletons": SampleLookup(np.arange(elements), np.ones(elements, np.int64), population),
        "one_cluster": SampleLookup(np.zeros(elements, np.int64), np.array([population]), population),
    }
    tables = {name: count_sample(clusters.cluster, len(clusters.names), lookup) for name, lookup in trivial.items()}
    totals = dict.fromkeys(tables)  # every unit shows what these are
    found = estimates_of(counted._replace(tables=tables, totals=totals), metrics, EstimateOptions(0.95, 0, 0))
    return {
        name: {metric: _as_score(own[metric], found.signed(metric)) for metric in found.metrics}
        for name, own in found.systems.items()
    }


def _verdict(system: Mapping[str, Any], estimates: Estimates) -> Iterator[str]:
    facts, head = estimates.facts, system["head"]
    low, high = map(shown_score, head["interval"])
    yield (
        f"Gold is a sample: {estimates.summary()}. Against gold for all of them the score would be about "
        f"{shown_score(head['score'].value)}, between {low} and {high} with {100 * estimates.confidence:g}% confidence."
    )
    exact = next(kind for kind in system["kinds"] if kind["kind"] == "exact")
    yield f"Of the {plural(facts.clusters, 'sampled gold cluster')}, {exact['cells']:,} are found exactly."
    yield from sides_compared(system)
    yield from worth(system)
    worst = max(system["kinds"], key=lambda kind: float(kind["loss"]))
    if worst["share"] > 0:
        between = f"between {share(worst['share_low'])} and {share(worst['share_high'])}"
        yield (
            f"The costliest kind of error is {worst['kind']}, with about {share(worst['share'])} of the loss "
            f"({between}). {worst['words']}"
        )
    yield from (f"{note[0].upper()}{note[1:]}." for note in estimates.notes)


def estimated_verdict(estimates: Estimates, metric: str) -> Markup:
    """Which system is best by estimate, and how sure that is."""
    first = next(iter(estimates.systems))
    ranked = sorted(estimates.systems, key=lambda name: -estimates.systems[name][metric].value)
    best = ranked[0]
    words = marked(
        "{} is best: {} {}", label(best), measure(metric), shown_score(estimates.systems[best][metric].value)
    )
    other = ranked[1] if best == first else first
    gap = estimates.differences[other if best == first else best][metric]
    p = gap.p or 0.0
    sure = "The difference is significant" if p < 1 - estimates.confidence else "The difference may be due to chance"
    shown = "< 0.001" if p < 0.001 else f"= {p:.3f}"
    return marked("{}, {} ahead of {}. {} (p {}).", words, shown_score(abs(gap.value)), label(other), sure, shown)
