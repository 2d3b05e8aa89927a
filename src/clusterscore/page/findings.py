"""Findings: what a page says of one prediction before anybody clicks."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache, cached_property
from importlib.resources import files
from typing import Any, NamedTuple

import numpy as np

from clusterscore.analyses.chance.shuffles import Chance, ChanceOptions, chance_of
from clusterscore.analyses.diagnose.diagnosis import Diagnosis
from clusterscore.analyses.diagnose.losses import Losses
from clusterscore.analyses.estimate.estimates import Estimates
from clusterscore.analyses.estimate.estimating import CountedSample, estimates_of
from clusterscore.analyses.estimate.estimation import Estimate, EstimateOptions
from clusterscore.analyses.request import Request
from clusterscore.analyses.resampling import level
from clusterscore.analyses.score.scorecard import Scorecard
from clusterscore.analyses.score.scoring import baseline_cards, card_of
from clusterscore.analyses.slices import slices_of
from clusterscore.count.sampled import SampleLookup, count_sample
from clusterscore.count.table import Table
from clusterscore.distinct import Array
from clusterscore.exceptions import InputError
from clusterscore.fields import current
from clusterscore.metrics import Metric, Score
from clusterscore.metrics.elementwise import ScoresElements
from clusterscore.metrics.mention_scores import MentionDetection
from clusterscore.metrics.of_mentions import OfMentions
from clusterscore.nouns import Nouns, noun, plural, spoken
from clusterscore.overlap import cover_of
from clusterscore.page.display_names import spell
from clusterscore.page.verdict import better_baselines, sampled_verdict, share, verdict
from clusterscore.progress import step
from clusterscore.read import as_clustering
from clusterscore.read.arrays import as_vector
from clusterscore.read.coreference.mentions import MARKS, Mentions
from clusterscore.read.labels import Labels, plain
from clusterscore.show.result import heading

_SHUFFLED = 3_000_000  # labels, dealt out again and again: so many in all
_SHUFFLED_MENTIONS = 600_000  # whose entities are aligned again each time
_SHUFFLED_PAIRS = 400_000  # of clusters that meet in an element, where they overlap
_MOST_SHUFFLES, _FEW_SHUFFLES, _FEWEST_SHUFFLES = 1000, 20, 5
_SURE_SHUFFLES, _MOST_SURE = 100, 50_000  # from which on a p-value says something; up to so many elements
_AROUND = 70  # letters before and after a mention
_MOST_MADE = 50_000_000  # elements of a Table that are made one by one


class Prediction:
    """A counted prediction, and what a page says of its elements."""

    def __init__(self, name: str, table: Table, metric: ScoresElements, counted: CountedSample | None = None):
        self.name, self.metric = name, metric.on(table)
        self.metric.check(table)
        if counted is None:
            self.diagnosis = Diagnosis(self.metric, table)
        else:
            self.diagnosis = Diagnosis.of_sample(metric, counted, name)
        self.table = self.diagnosis.given
        self.cells = self.diagnosis.table  # with cells for elements that one side does not have
        self.cell = None if self.cells.members is None else self.cells.members.cell  # of each element
        self.losses: Losses = self.diagnosis.losses  # what is lost in each cell
        self.mentions: Mentions | None = self.diagnosis.mentions  # of coreference, if they have words
        self.texts: Array | None = None  # shown next to the names of elements
        if self.mentions is not None:
            self.texts = self.mentions.contexts(self.diagnosis.mention_ids, MARKS, _AROUND)

    @property
    def by_document(self) -> bool:
        """Whether there are documents, each with clusters of its own."""
        return len(self.table.documents) > 1 and self.cells.cells.gold.document is not None

    @cached_property
    def names(self) -> Array:
        """What the elements are called; their places in the input, where they have no other name."""
        return self.diagnosis.elements()["element"]

    def show(self, show: Any, gold: Any) -> None:
        """Show a text next to each element: by its id, or by its place among those of gold."""
        if self.cells.members is None:
            raise InputError(noun("a Table does not know its elements, so there is nothing to show next to them"))
        pair, keys = self.cells.members.pair, self.names.tolist()
        if not isinstance(show, Mapping):
            values, clustering = as_vector(show, "show"), as_clustering(gold, "gold")
            count = len(clustering)
            if len(values) != count:
                raise InputError(
                    f"show has {len(values):,} texts for {plural(count, 'element')} of gold; give one each"
                )
            ids = range(count) if clustering.ids is None else [plain(element) for element in clustering.ids]
            show = dict(zip(_keyed(ids, clustering.documents), values, strict=True))
        places = _keyed(keys, pair.documents)
        texts = [show[place] if place in show else show.get(key) for place, key in zip(places, keys, strict=True)]
        if show and all(text is None for text in texts):
            raise InputError(
                f"show has no text for any of {plural(len(keys), 'element')} (e.g. {keys[0]!r}), but some for "
                f"others (e.g. {next(iter(show))!r}); its keys are the ids of {noun('elements')}"
            )
        self.texts = np.array([spell(text) for text in texts], object)


def _keyed(keys: Sequence[Any], documents: Labels | None) -> Sequence[Any]:
    """Ids, with their document where there are documents: an id may stand in several."""
    if documents is None:
        return keys
    named = [documents.name(code) for code in range(len(documents.names))]
    return [(named[code], key) for code, key in zip(documents.codes.tolist(), keys, strict=True)]


def findings(prediction: Prediction, request: Request, average: str, systems: int) -> dict[str, Any]:
    """What the template says of a prediction, scored and seen from every side.

    So many ``systems`` share the time that there is for shuffles.
    """
    table = prediction.table
    with step("scoring"):
        card = card_of(table, request, average)
    if table.members is not None and table.members.pair.groups is not None:
        card.slices = slices_of(table, request.on(table), average, named=False)
    chosen = {str(metric): metric for metric in request.on(table)}
    with step("baselines"):
        baselines = _baselines(table, request, average)
    shuffles = _shuffles(table, systems)
    chances = _chances(table, list(chosen.values()), ChanceOptions(average, shuffles, 0)) if shuffles else {}
    lines = {key: score_line(metric, card[key], chances.get(key), baselines) for key, metric in chosen.items()}
    system = _system(prediction, card, list(chosen.values()), lines, baselines)
    system["shuffles"] = shuffles if chances else 0
    return {**system, "verdict": verdict(system)}


def _system(
    prediction: Prediction,
    card: Scorecard | SampleCard,
    metrics: Sequence[Metric],
    lines: Mapping[str, dict[str, Any]],
    baselines: Mapping[str, Mapping[str, Score]],
) -> dict[str, Any]:
    """What is said of a prediction whatever gold is."""
    head, kinds = headline(metrics, prediction.metric), []
    if not prediction.table.overlapping:
        errors = prediction.diagnosis.errors()
        rows = (dict(zip(errors, row, strict=True)) for row in errors.rows())
        kinds = [{"place": k, "words": words()["kinds"][row["kind"]], **row} for k, row in enumerate(rows)]
    return {
        "name": prediction.name,
        "card": card,
        "documents": len(prediction.table.documents),
        "main": lines[str(prediction.metric)],  # under the metric that elements are scored with
        "head": lines[head],  # what the field reports first
        "lines": list(lines.values()),
        "baselines": baselines,  # trivial and random clusterings of the same elements
        "best": max(baselines, key=lambda baseline: baselines[baseline][head].value, default=None),
        "shuffles": 0,
        "pooled": prediction.diagnosis.score,  # what the losses are taken from
        "lost": float(prediction.losses.loss.sum()),
        "kinds": kinds,
        "sampled": None,
    }


class SampleCard(NamedTuple):
    """What was compared with what, in the place of a Scorecard."""

    facts: dict[str, tuple[int, int]]


def sampled_findings(
    prediction: Prediction, counted: CountedSample, metrics: list[Metric], estimates: Estimates
) -> dict[str, Any]:
    """What the template says of a prediction of which gold knows some clusters."""
    found = estimates.systems[prediction.name]
    baselines = _sampled_baselines(counted, metrics)
    lines = {}
    for metric in metrics:
        estimate = found[metric]
        line = score_line(metric, _as_score(estimate, estimates.signed(str(metric))), None, baselines)
        others = [own[metric].value for own in estimates.systems.values()]
        best = estimate.value == (min(others) if metric.smaller_is_better else max(others))
        lines[str(metric)] = {**line, "interval": estimate.interval, "is_best": best}
    facts, predicted = counted.facts, int(np.count_nonzero(prediction.table.pred_size))
    card = SampleCard({"elements": (facts.elements, facts.population), "clusters": (facts.clusters, predicted)})
    system = _system(prediction, card, metrics, lines, baselines)
    system["sampled"] = level(estimates.confidence)
    return {**system, "verdict": list(sampled_verdict(system, estimates))}


def _as_score(estimate: Estimate, signature: str) -> Score:
    precision, recall = (None if side is None else side.value for side in (estimate.precision, estimate.recall))
    return Score(estimate.value, precision, recall, signature)


def _sampled_baselines(counted: CountedSample, metrics: list[Metric]) -> dict[str, dict[str, Score]]:
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


def headline(metrics: Sequence[Metric], main: Metric) -> str:
    """The metric that a page shows first: the first that the field reports, or the one that elements are scored with.

    A distance is none: more of it is not better.
    """
    field = current()
    names = {str(metric) for metric in metrics if not metric.smaller_is_better}
    return next((name for name in (() if field is None else field.measures) if name in names), str(main))


def _shuffles(table: Table, systems: int) -> int:
    """How many shuffles there is time for; none where clusters overlap so much that the fewest would take too long."""
    if table.mentions is not None:
        return int(np.clip(_SHUFFLED_MENTIONS // max(table.elements * systems, 1), _FEW_SHUFFLES, _MOST_SHUFFLES))
    if not table.overlapping:
        fewest = _FEWEST_SHUFFLES if table.elements > _MOST_SURE else _SURE_SHUFFLES
        return int(np.clip(_SHUFFLED // max(table.elements * systems, 1), fewest, _MOST_SHUFFLES))
    cover = cover_of(table)
    gold, pred = (int(cover.n @ side.number) for side in cover.sides)
    count = min(_SHUFFLED_PAIRS * table.elements // max(gold * pred * systems, 1), _MOST_SHUFFLES)
    return count if count >= _FEWEST_SHUFFLES else 0


def _baselines(table: Table, request: Request, average: str) -> dict[str, dict[str, Score]]:
    """The scores of each baseline, without the tables that they were counted in."""
    if table.members is None and (table.weight is not None or table.elements > _MOST_MADE):
        return {}
    scores = {}
    for name, card in baseline_cards(table, request, average):
        scores[name] = {key: card[key] for key in card}
        del card  # and with it its table, before the next one is counted
    return scores


def _chances(table: Table, metrics: list[Metric], options: ChanceOptions) -> Mapping[str, Chance]:
    # shuffled labels are no segmentation, and have the same mentions
    same = (MentionDetection, OfMentions)
    metrics = [metric for metric in metrics if not metric.ordered and not isinstance(metric, same)]
    if table.members is not None and table.members.pair.weights is not None:
        return chance_of(metrics, table, options)
    return {} if table.weight is not None or table.elements > _MOST_MADE else chance_of(metrics, table, options)


def score_line(
    metric: Metric, score: Score, chance: Chance | None, baselines: Mapping[str, Mapping[str, Score]]
) -> dict[str, Any]:
    """A score with what it says, what chance would get, and which baselines do better.

    A bar shows how far it is from 0 to 1, if it is bounded.
    """
    bounded = metric.highest == 1 and metric.lowest >= -1 and not metric.smaller_is_better
    text = {"name": str(metric), "heading": heading(metric), "words": sentence(metric, score)}
    better = better_baselines(metric, score, baselines)
    perfect = 0.0 if metric.smaller_is_better else metric.highest
    return {**text, "score": score, "chance": chance, "bounded": bounded, "better": better, "perfect": perfect}


@cache
def template(name: str) -> str:
    """A file of the page's template."""
    return (files(__package__) / "template" / name).read_text(encoding="utf-8")


def words() -> dict[str, Any]:
    """What the page says of measures, kinds of errors and figures."""
    return _words(spoken.get())


@cache
def _words(_: Nouns) -> dict[str, Any]:
    return {part: _said(texts) for part, texts in tomllib.loads(template("words.toml")).items()}


def _said(texts: Any) -> Any:
    """Texts, by their names or in lists, in the words that are used now."""
    if isinstance(texts, dict):
        return {key: _said(text) for key, text in texts.items()}
    return noun(texts) if isinstance(texts, str) else list(map(noun, texts))


def sentence(metric: Metric, score: Score) -> str:
    """What this score says; for a measure that has no sentence here, what its documentation says first."""
    if score.value < 0 and metric.lowest < 0:
        return noun("Worse than chance would do with clusters of these sizes.")
    if getattr(metric, "adjusted", False):
        return f"{share(score.value)} of the way from chance to perfect, for {noun('clusters')} of these sizes."
    text: str | None = words()["measures"].get(metric.name)
    if text is None:
        return noun((metric.__doc__ or metric.name).strip().splitlines()[0])
    return text.format(v=share(score.value), p=share(score.precision), r=share(score.recall), n=f"{score.value:.3f}")
