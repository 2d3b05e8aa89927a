"""The verdict: what a page says first, in a few sentences a reader can repeat."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from clusterscore.comparison.shuffles import Chance
from clusterscore.exceptions import plural
from clusterscore.metrics import Metric, Score
from clusterscore.show.compared import Comparison

_UNEVEN = 1.2  # times more or fewer clusters than gold, which is worth a sentence
_SURE = 0.05  # chance as good as this is as likely as that


def better_baselines(metric: Metric, score: Score, baselines: Mapping[str, Mapping[str, Score]]) -> list[str]:
    """The trivial clusterings that do better than a score, the best first."""
    sign = -1 if metric.smaller_is_better else 1
    gains = {name: sign * (scores[str(metric)].value - score.value) for name, scores in baselines.items()}
    return sorted((name for name, gain in gains.items() if gain > 1e-12), key=lambda name: -gains[name])


def verdict(system: Mapping[str, Any]) -> list[str]:
    """What is to be said of one system: what it is worth, against what, and what costs most."""
    return [*_worth(system["main"], system["lines"], system["baselines"], system["shuffles"]), *_costs(system)]


def _worth(
    main: Mapping[str, Any], lines: Sequence[Mapping[str, Any]], baselines: Mapping[str, Any], shuffles: int
) -> Iterator[str]:
    beaten = [line for line in lines if line["better"]]
    if baselines and not beaten:
        yield f"It does better than every trivial clustering, under {_all(len(lines))}."
    elif beaten:
        name = max(baselines, key=lambda each: sum(each in line["better"] for line in beaten))
        under = sum(name in line["better"] for line in beaten)
        own = f": {_shown(baselines[name][main['name']])} against {_shown(main['score'])} under {main['name']}"
        yield (
            f"A trivial clustering, {name}, does better under {under} of {plural(len(lines), 'measure')}"
            f"{own if name in main['better'] else ''}."
        )
    chance: Chance | None = main["chance"]
    least = 1 / (1 + shuffles)  # the p-value where no shuffle is as good, which says little if there are few
    if chance is not None and chance.p > max(_SURE, 1.5 * least):
        yield f"Shuffled labels do as well: chance would get {chance.expected:.3f} with clusters of these sizes."
    elif chance is not None:
        yield f"It is {100 * chance.adjusted:.0f}% of the way from chance ({chance.expected:.3f}) to perfect."


def _costs(system: Mapping[str, Any]) -> Iterator[str]:
    if not system["lost"]:
        yield "Nothing is wrong."
        return
    kinds = sorted(system["kinds"], key=lambda kind: -kind["loss"])
    if kinds and kinds[0]["share"] > 0:
        worst = kinds[0]
        yield (
            f"What costs most is called {worst['kind']}: {100 * worst['share']:.0f}% of all that is lost, with "
            f"{plural(worst['elements'], 'element')}. {worst['words']}"
        )
    gold, pred = system["card"].facts["clusters"]
    if gold and pred and max(gold / pred, pred / gold) >= _UNEVEN:
        too = "small" if pred > gold else "large"
        yield f"It has {pred / gold:.1f} times as many clusters as gold: they tend to be too {too}."


def compared_verdict(comparison: Comparison, metric: str) -> str:
    """Which system is best, and how sure that is."""
    ranked = sorted(comparison.systems, key=lambda name: comparison[name][metric].rank)
    best = ranked[0]
    words = f"{best} is best ({metric} {_shown(comparison[best][metric].score)})"
    if best == comparison.baseline:
        other = comparison[ranked[1]][metric].difference
        name, sure = ranked[1], comparison.is_significant(ranked[1], metric)
    else:
        other, name = comparison[best][metric].difference, comparison.baseline
        sure = comparison.is_significant(best, metric)
    if other is None or comparison.unit is None:
        return f"{words}."
    p = "" if other.p_holm is None else f", p {'< 0.001' if other.p_holm < 0.001 else f'= {other.p_holm:.3f}'}"
    means = "more than luck" if sure else "which may be luck"
    return f"{words}, by {abs(other.value):.3f} before {name}: {means}{p}."


def _shown(score: Score) -> str:
    return f"{score.value:.3f}"


def _all(count: int) -> str:
    return "the one measure" if count == 1 else f"all {count} measures"
