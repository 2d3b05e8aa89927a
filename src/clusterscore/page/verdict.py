"""The verdict: what a page says first, in a few sentences a reader can repeat."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from clusterscore.analyses.chance.shuffles import Chance
from clusterscore.analyses.compare.comparison import Comparison
from clusterscore.analyses.estimate.estimates import Estimates
from clusterscore.metrics import Metric, Score
from clusterscore.nouns import noun, plural
from clusterscore.page.display_names import label, marked, measure, shown_score

if TYPE_CHECKING:
    from markupsafe import Markup

_LEVEL = 0.05  # how far precision and recall may be apart and be called the same
_UNEVEN = 1.2  # times more or fewer clusters than gold, which is worth a sentence
_SURE = 0.05  # chance as good as this is as likely as that


def better_baselines(metric: Metric, score: Score, baselines: Mapping[str, Mapping[str, Score]]) -> list[str]:
    """The trivial clusterings that do better than a score, the best first."""
    sign = -1 if metric.smaller_is_better else 1
    known = {name: scores[str(metric)].value for name, scores in baselines.items() if str(metric) in scores}
    gains = {name: sign * (value - score.value) for name, value in known.items()}
    return sorted((name for name, gain in gains.items() if gain > 1e-12), key=lambda name: -gains[name])


def verdict(system: Mapping[str, Any]) -> list[str]:
    """What is to be said of one system: what is good, what it is worth, against what, and what costs most."""
    return [*_good(system), *_worth(system), *_costs(system)]


def _good(system: Mapping[str, Any]) -> Iterator[str]:
    if not system["lost"]:
        yield noun("Nothing is wrong: both sides have the same clusters.")
        return
    exact = next((kind for kind in system["kinds"] if kind["kind"] == "exact"), None)
    if exact is not None:
        clusters, elements = (system["card"].facts[fact][0] for fact in ("clusters", "elements"))
        how_many = (
            f"{exact['cells']:,} of {plural(clusters, 'gold cluster')}" if exact["cells"] else noun("No gold cluster")
        )
        held = f", with {share(exact['elements'] / elements)} of the {noun('elements')}" if exact["cells"] else ""
        yield f"{how_many} {'is' if exact['cells'] < 2 else 'are'} found exactly{held}."
    yield from _sides_compared(system)


def _sides_compared(system: Mapping[str, Any]) -> Iterator[str]:
    """Whether more is wrong or more is missing, under the metric that elements are scored with."""
    sides, under = system["main"]["score"], f"Under {system['main']['heading']}, p"
    if sides.precision is None or sides.recall is None:
        return
    precision = f"{'P' if system['head'] is system['main'] else under}recision ({_shown(sides.precision)})"
    recall = f"recall ({_shown(sides.recall)})"
    if abs(sides.precision - sides.recall) < _LEVEL:
        yield f"{precision} and {recall} are about the same."
    elif sides.precision > sides.recall:
        yield f"{precision} is higher than {recall}: more is missing from its {noun('clusters')} than is wrong."
    else:
        yield f"{precision} is lower than {recall}: more is wrong in its {noun('clusters')} than is missing."


def _worth(system: Mapping[str, Any]) -> Iterator[str]:
    """What it is worth, beside trivial clusterings and chance."""
    main, lines, baselines = system["head"], system["lines"], system["baselines"]
    beaten = [line for line in lines if line["better"]]
    if baselines and not beaten:
        yield f"No trivial clustering beats it under {_all(len(lines)).replace('all', 'any of')}."
    elif beaten:
        name = max(baselines, key=lambda baseline: sum(baseline in line["better"] for line in beaten))
        under = sum(name in line["better"] for line in beaten)
        own = (
            f" ({main['heading']}: {_shown(baselines[name][main['name']].value)} against {_shown(main['score'].value)})"
        )
        yield (
            f"A trivial clustering, {name}, beats it under "
            f"{_all(under) if under == len(lines) else f'{under} of {len(lines)} measures'}"
            f"{own if name in main['better'] else ''}."
        )
    chance: Chance | None = main["chance"]
    least = 1 / (1 + system["shuffles"])  # the p-value where no shuffle is as good, which says little if there are few
    if chance is not None and chance.p > max(_SURE, 1.5 * least):
        yield (
            f"Shuffled labels do as well: chance would get {_shown(chance.expected)} with "
            f"{noun('clusters')} of these sizes."
        )
    elif chance is not None:
        yield f"It is {100 * chance.adjusted:.0f}% of the way from chance ({_shown(chance.expected)}) to perfect."


def _costs(system: Mapping[str, Any]) -> Iterator[str]:
    kinds = sorted(system["kinds"], key=lambda kind: -kind["loss"])
    if kinds and kinds[0]["share"] > 0:
        worst = kinds[0]
        yield (
            f"The costliest kind of error is {worst['kind']}, with {share(worst['share'])} of the loss and "
            f"{plural(worst['elements'], 'element')}. {worst['words']}"
        )
    gold, pred = system["card"].facts["clusters"]
    if gold and pred and max(gold / pred, pred / gold) >= _UNEVEN:
        yield f"It makes {plural(pred, 'cluster')} where gold has {gold:,}."


def sampled_verdict(system: Mapping[str, Any], estimates: Estimates) -> Iterator[str]:
    """The same where gold is a sample."""
    facts, head = estimates.facts, system["head"]
    low, high = map(_shown, head["interval"])
    yield (
        f"Gold is a sample: {estimates.summary()}. Against gold for all of them the score would be about "
        f"{_shown(head['score'].value)}, between {low} and {high} with {100 * estimates.confidence:g}% confidence."
    )
    exact = next(kind for kind in system["kinds"] if kind["kind"] == "exact")
    yield f"Of the {plural(facts.clusters, 'sampled gold cluster')}, {exact['cells']:,} are found exactly."
    yield from _sides_compared(system)
    yield from _worth(system)
    worst = max(system["kinds"], key=lambda kind: float(kind["loss"]))
    if worst["share"] > 0:
        between = f"between {share(worst['share_low'])} and {share(worst['share_high'])}"
        yield (
            f"The costliest kind of error is {worst['kind']}, with about {share(worst['share'])} of the loss "
            f"({between}). {worst['words']}"
        )
    yield from (f"{note[0].upper()}{note[1:]}." for note in estimates.notes)


def best_system(compared: Comparison | Estimates, metric: str) -> Markup:
    """Which system is best, and how sure that is."""
    if isinstance(compared, Estimates):
        return _best_by_estimate(compared, metric)
    ranked = sorted(compared.systems, key=lambda name: compared[name][metric].rank)
    best, value = ranked[0], compared[ranked[0]][metric].score.value
    equal = [label(name) for name in ranked if compared[name][metric].rank == 1]
    if len(equal) > 1:
        names = marked(" and ".join(["{}"] * len(equal)), *equal)
        return marked("{} are equally good: {} {}.", names, measure(metric), _shown(value))
    behind = ranked[1] if best == compared.baseline else compared.baseline
    tested = behind if best == compared.baseline else best
    gap = compared[tested][metric].difference
    if gap is None or compared.unit is None:
        return marked("{} is best: {} {}.", label(best), measure(metric), _shown(value))
    whom = label(behind) if behind == ranked[1] else marked("the baseline {}", label(behind))
    return _ahead(best, metric, value, gap.value, whom, compared.is_significant(tested, metric), gap.p_holm)


def _best_by_estimate(estimates: Estimates, metric: str) -> Markup:
    first = next(iter(estimates.systems))
    best, second, *_ = sorted(estimates.systems, key=lambda name: -estimates.systems[name][metric].value)
    behind = second if best == first else first
    gap = estimates.differences[behind if best == first else best][metric]
    p, value = gap.p or 0.0, estimates.systems[best][metric].value
    return _ahead(best, metric, value, gap.value, label(behind), p < 1 - estimates.confidence, p)


def _ahead(best: str, metric: str, value: float, gap: float, whom: Markup, sure: bool, p: float | None) -> Markup:
    words = marked("{} is best: {} {}", label(best), measure(metric), _shown(value))
    means = "The difference is significant" if sure else "The difference may be due to chance"
    shown = "" if p is None else f" (p {'< 0.001' if p < 0.001 else f'= {p:.3f}'})"
    return marked("{}, {} ahead of {}. {}{}.", words, _shown(abs(gap)), whom, means, shown)


def _shown(value: float) -> str:
    """A score in a sentence."""
    return shown_score(value, 3)


def _all(count: int) -> str:
    return "the one measure" if count == 1 else f"all {count} measures"


def share(value: float | None) -> str:
    """A fraction as a percentage, which is 0% or 100% only where it is exactly that.

    >>> share(0.493), share(1.0), share(0.9996), share(0.0000001)
    ('49%', '100%', '99.96%', 'almost 0%')
    """
    if value is None:
        return ""
    for digits in (0, 1, 2):
        shown = round(100 * value, digits)
        if (shown == 100) == (value == 1) and (shown == 0) == (value == 0):
            return f"{100 * value:.{digits}f}%"
    return "almost 0%" if abs(value) < 0.5 else "almost 100%"
