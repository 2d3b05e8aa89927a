"""Findings: what a page says of one prediction before anybody clicks."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

import numpy as np

from clusterscore.analyses.chance.shuffles import Chance, ChanceOptions, chance_of
from clusterscore.analyses.compare.comparison import Comparison
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
from clusterscore.exceptions import ClusterscoreError
from clusterscore.metrics import Metric, Score
from clusterscore.metrics.boundaries import Boundaries
from clusterscore.metrics.elementwise import ScoresElements
from clusterscore.metrics.mention_scores import MentionDetection
from clusterscore.metrics.of_mentions import OfMentions
from clusterscore.nouns import Nouns, in_use, noun
from clusterscore.overlap import cover_of
from clusterscore.page.verdict import best_baselines, better_baselines, sampled_verdict, verdict, went_wrong
from clusterscore.progress import step
from clusterscore.read.coreference.mentions import MARKS, Mentions
from clusterscore.show.in_words import share
from clusterscore.show.result import heading

_SHUFFLED = 3_000_000  # labels, dealt out again and again: so many in all
_SHUFFLED_MENTIONS = 600_000  # whose entities are aligned again each time
_SHUFFLED_PAIRS = 400_000  # of clusters that meet in an element, where they overlap
_MOST_SHUFFLES, _FEW_SHUFFLES, _FEWEST_SHUFFLES = 1000, 20, 5
_SURE_SHUFFLES, _MOST_SURE = 100, 50_000  # from which on a p-value says something; up to so many elements
_PATTERNS = 5  # clusters that are named with what they are made of
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


def findings(
    prediction: Prediction, request: Request, average: str, systems: int, compared: Comparison
) -> dict[str, Any]:
    """What the template says of a prediction, scored and seen from every side.

    So many ``systems`` share the time that there is for shuffles; they are ``compared``, for the intervals.
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
    for key, result in compared[prediction.name].items():
        ends = None if result.intervals is None else result.intervals.jackknife
        lines[key]["interval"] = ends if ends is not None and ends[1] > ends[0] else None  # a point is no interval
    system = _system(prediction, card, list(chosen.values()), lines, baselines, compared.confidence)
    system["shuffles"] = shuffles if chances else 0
    return {**system, "verdict": verdict(system), "wrong": went_wrong(system)}


def _system(
    prediction: Prediction,
    card: Scorecard | SampleCard,
    metrics: Sequence[Metric],
    lines: Mapping[str, dict[str, Any]],
    baselines: Mapping[str, Mapping[str, Score]],
    confidence: float,
) -> dict[str, Any]:
    """What is said of a prediction whatever gold is."""
    head, kinds = metrics[0], []
    drawn = any(line["interval"] is not None for line in lines.values())
    if not prediction.table.overlapping:
        errors = prediction.diagnosis.errors()
        rows = (dict(zip(errors, row, strict=True)) for row in errors.rows())
        kinds = [{"place": k, "words": words()["kinds"][row["kind"]], **row} for k, row in enumerate(rows)]
    return {
        "name": prediction.name,
        "card": card,
        "documents": len(prediction.table.documents),
        "main": lines[str(prediction.metric)],  # under the metric that elements are scored with
        "head": lines[str(head)],  # what the field or the user names first
        "lines": list(lines.values()),
        "baselines": baselines,  # trivial and random clusterings of the same elements
        "trivial": {name: words()["baselines"][name.partition("(")[0]] for name in baselines},
        "best": next(iter(best_baselines(head, baselines)), None),
        "shuffles": 0,
        "pooled": prediction.diagnosis.score,  # what the losses are taken from
        "lost": float(prediction.losses.loss.sum()),
        "kinds": kinds,
        "causes": _causes(kinds, float(prediction.losses.loss.sum())),
        "worst": prediction.diagnosis.patterns(1, by="loss"),  # the cluster that costs most
        "patterns": [] if prediction.table.overlapping else prediction.diagnosis.patterns(_PATTERNS),
        "listed": ["gold"] if prediction.diagnosis.stands_for is not None else ["gold", "pred"],
        "level": level(confidence) if drawn else None,
        "sampled": False,
    }


def _causes(kinds: Sequence[Mapping[str, Any]], lost: float) -> list[dict[str, Any]]:
    """What the loss comes from: splitting, merging, and elements of one side only; of each, the kinds, with shares."""
    places = {"split": (1, 5, 3), "merged": (3, 4, 2), "missing": (6,), "spurious": (7,)}  # mixed stands in the middle
    causes = []
    for cause, (doing, text) in words()["causes"].items():
        column = cause if cause in ("split", "merged") else "loss"
        parts = [kinds[place] for place in places[cause] if place < len(kinds) and kinds[place][column]]
        shares = [part[column] / lost for part in parts]
        if parts:
            shown = [{**part, "share": share_of_all} for part, share_of_all in zip(parts, shares, strict=True)]
            causes.append({"name": cause, "doing": doing, "words": text, "share": sum(shares), "kinds": shown})
    return causes


class SampleCard(NamedTuple):
    """What was compared with what, instead of a Scorecard."""

    facts: dict[str, tuple[int, int]]


def sampled_findings(
    prediction: Prediction, counted: CountedSample, metrics: list[Metric], estimates: Estimates
) -> dict[str, Any]:
    """What the template says of a prediction of which gold knows some clusters."""
    estimated = estimates.systems[prediction.name]
    baselines = _sampled_baselines(counted, metrics)
    lines = {}
    for metric in metrics:
        estimate = estimated[metric]
        line = score_line(metric, _as_score(estimate, estimates.signed(str(metric))), None, baselines)
        lines[str(metric)] = {**line, "interval": estimate.interval}
    facts, predicted = counted.facts, int(np.count_nonzero(prediction.table.pred_size))
    card = SampleCard({"elements": (facts.elements, facts.population), "clusters": (facts.clusters, predicted)})
    system = {**_system(prediction, card, metrics, lines, baselines, estimates.confidence), "sampled": True}
    return {**system, "verdict": list(sampled_verdict(system, estimates)), "wrong": went_wrong(system)}


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
    estimates = estimates_of(counted._replace(tables=tables, totals=totals), metrics, EstimateOptions(0.95, 0, 0))
    return {
        name: {metric: _as_score(own[metric], estimates.signed(metric)) for metric in estimates.metrics}
        for name, own in estimates.systems.items()
    }


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
    if not _has_runs(table):  # pieces of a list that is sorted by gold are not trivial
        scores.pop("mean_size", None)
    return scores


def _has_runs(table: Table) -> bool:
    """Whether the clusters of both sides are runs of neighbours."""
    measure = Boundaries()
    try:
        measure.check(table)
        measure.cuts(table)
    except ClusterscoreError:
        return False
    return True


def _chances(table: Table, metrics: list[Metric], options: ChanceOptions) -> Mapping[str, Chance]:
    # shuffled labels are no segmentation, no turns and no whole objects, and have the same mentions
    same = (MentionDetection, OfMentions)
    metrics = [
        metric
        for metric in metrics
        if not metric.ordered and not metric.of_turns and not isinstance(metric, same)
        if not metric.of_objects or table.whole is None
    ]
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
    known = {"score": score, "interval": None, "chance": chance, "better": better}
    compared = any(str(metric) in scores for scores in baselines.values())
    return {**text, **known, "compared": compared, "bounded": bounded, "perfect": perfect}


@cache
def template(name: str) -> str:
    """A file of the page's template."""
    return (files(__package__) / "template" / name).read_text(encoding="utf-8")


def words() -> dict[str, Any]:
    """What the page says of measures, kinds of errors and figures."""
    return _words(in_use.get().nouns)


@cache
def _words(_: Nouns) -> dict[str, Any]:
    return {part: _in_field_words(texts) for part, texts in tomllib.loads(template("words.toml")).items()}


def _in_field_words(texts: Any) -> Any:
    """Texts, by their names or in lists, in the words that are used now."""
    if isinstance(texts, dict):
        return {key: _in_field_words(text) for key, text in texts.items()}
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
    shares = {"v": share(score.value), "p": share(score.precision), "r": share(score.recall)}
    return text.format(**shares, n=f"{score.value:.3f}", unit=getattr(metric, "unit", ""))
