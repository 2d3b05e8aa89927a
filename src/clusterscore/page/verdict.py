"""The verdict: what a page says first, in a few sentences a reader can repeat."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from clusterscore.analyses.chance.shuffles import Chance
from clusterscore.analyses.diagnose.losses import ONE_SIDED
from clusterscore.analyses.diagnose.patterns import Part, Pattern
from clusterscore.analyses.estimate.estimates import Estimates
from clusterscore.metrics import Metric, Score
from clusterscore.nouns import noun, plural
from clusterscore.page.display_names import label, marked, measure
from clusterscore.show.in_words import listed, p_value, share, shown_score

if TYPE_CHECKING:
    from markupsafe import Markup

_LEVEL = 0.05  # how far precision and recall may be apart and be called the same
_UNEVEN = 1.2  # times more or fewer clusters than gold, which is worth a sentence
_TENTH = 0.001  # a tenth of a percent: what costs less has more decimals
_SURE = 0.05  # chance as good as this is as likely as that
_SIDES, _OTHER = {"gold": "gold", "pred": "predicted"}, {"gold": "pred", "pred": "gold"}


def better_baselines(metric: Metric, score: Score, baselines: Mapping[str, Mapping[str, Score]]) -> list[str]:
    """The trivial clusterings that do better than a score, the best first."""
    sign = -1 if metric.smaller_is_better else 1
    best = best_baselines(metric, baselines)
    return [name for name in best if sign * (baselines[name][str(metric)].value - score.value) > 1e-12]


def best_baselines(metric: Metric, baselines: Mapping[str, Mapping[str, Score]]) -> list[str]:
    """The trivial clusterings that have a score under a metric, the best first."""
    sign = 1 if metric.smaller_is_better else -1
    known = {name: sign * scores[str(metric)].value for name, scores in baselines.items() if str(metric) in scores}
    return sorted(known, key=known.__getitem__)


def verdict(system: Mapping[str, Any]) -> list[str]:
    """What is to be said of one system: what is good, what it is worth, and against what."""
    return [*_good(system), *_worth(system), *_uneven(system)]


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
        if any(kind["kind"] in ONE_SIDED and kind["elements"] for kind in system["kinds"]):
            held += noun(", if elements of one side only are left aside")
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
        yield f"{precision} is higher than {recall}: its {noun('clusters')} leave out more than they wrongly include."
    else:
        yield f"{precision} is lower than {recall}: its {noun('clusters')} wrongly include more than they leave out."


def _worth(system: Mapping[str, Any]) -> Iterator[str]:
    """What it is worth, beside trivial clusterings and chance."""
    main, baselines = system["head"], system["baselines"]
    lines = [line for line in system["lines"] if line["compared"]]
    beaten = [line for line in lines if line["better"]]
    only = lines[0]["heading"] if len(lines) == 1 else ""
    if lines and not beaten:
        yield f"No trivial clustering beats it under {only or f'any of {len(lines)} measures'}."
    elif beaten:
        name = max(baselines, key=lambda baseline: sum(baseline in line["better"] for line in beaten))
        name = system["best"] if system["best"] in main["better"] else name
        where = [line["heading"] for line in beaten if name in line["better"]]
        own = ""
        if name in main["better"]:
            theirs = baselines[name][main["name"]]
            own = f" ({main['heading']}: {_shown(theirs.value)} against {_shown(main['score'].value)})"
        many = f"{'all' if len(where) == len(lines) else f'{len(where)} of'} {len(lines)} measures"
        under = many if len(where) > 1 else where[0]
        yield f"A trivial clustering ({system['trivial'][name]}) beats it under {under}{own}."
    chance: Chance | None = main["chance"]
    least = 1 / (1 + system["shuffles"])  # the p-value where no shuffle is as good, which says little if there are few
    if chance is not None and chance.p > max(_SURE, 1.5 * least):
        worth = "This may be chance" if chance.adjusted > 0 else "It is no better than chance"
        yield (
            f"{worth}: shuffled labels score {_shown(chance.expected)} on average, and in about "
            f"{share(chance.p)} of the shuffles they do at least as well."
        )
    elif chance is not None:
        yield f"It is {share(chance.adjusted)} of the way from chance ({_shown(chance.expected)}) to perfect."


def went_wrong(system: Mapping[str, Any]) -> str:
    """What the losses come from, and the costliest kind of error; nothing where nothing is wrong."""
    causes = sorted(system["causes"], key=lambda cause: -float(cause["share"]))
    if not causes:
        return ""
    main, *others = (f"{share(cause['share'])} {{}}from {cause['doing']}" for cause in causes)
    sources = [main.format("of the loss comes "), *(words.format("") for words in others)]
    under = "" if system["head"] is system["main"] else f"under {system['main']['heading']}, "
    words = f"{under}{listed(sources)}."
    words = words[0].upper() + words[1:]
    worst = max(system["kinds"], key=lambda kind: float(kind["loss"]))
    if worst["kind"] == "mixed":  # is both splitting and merging
        return words
    how_many = f"{share(worst['share'])} of the loss, {plural(worst['elements'], 'element')}"
    if system["sampled"]:
        ends = share(worst["share_low"]), share(worst["share_high"])
        how_many = "about {} of the loss, between {} and {}".format(share(worst["share"]), *ends)
    what = worst["words"][0].lower() + worst["words"][1:]
    return f"{words} The costliest kind of error is {worst['kind']} ({how_many}): {what}"


class ClusterLinks(NamedTuple):
    """The addresses of clusters in a page: of which system, and of which sides the page lists all clusters."""

    place: int  # of the system, the best is 0
    sides: Collection[str]
    sampled: bool = False  # whether a cluster stands for others, whose losses are counted with its own

    def name(self, part: Part, listed: bool = False) -> Markup:
        """A cluster by its name, with a link to its view."""
        if not listed and part.side not in self.sides:
            return marked('<span class="name {}">{}</span>', part.side, label(part.name))
        lead = f"{self.place}/" if self.place else ""
        return marked(
            '<a class="name {}" href="#{}{}/{}">{}</a>', part.side, lead, part.side, part.row, label(part.name)
        )

    def whole(self, pattern: Pattern) -> Markup:
        """The cluster that a pattern is about, with its document."""
        name = self.name(pattern.whole, listed=True)
        if pattern.document is None:
            return name
        return marked("{} ({} {})", name, noun("document"), label(pattern.document))

    def parts(self, pattern: Pattern, between: str) -> Markup:
        """The parts of a cluster, the largest by name, each with how many elements it shares."""
        parts = [marked("{} ({})", self.name(part), f"{part.size:,}") for part in pattern.parts]
        if pattern.others:
            parts.append(marked("{} ({})", plural(pattern.others, "other"), f"{pattern.rest:,}"))
        if pattern.absent:
            parts.append(marked("{}", pattern.absent))
        return marked(between.join(["{}"] * len(parts)), *parts)

    def worst(self, pattern: Pattern) -> Markup:
        """Who did it: the cluster whose elements cost most, and what it is made of."""
        size, name = pattern.whole.size, self.whole(pattern)
        own, other = (noun(f"the {_SIDES[side]} cluster") for side in (pattern.whole.side, _OTHER[pattern.whole.side]))
        of_loss = f"{share(pattern.share)} of all loss"
        if self.sampled:
            of_loss += f", with all that {'it stands' if size == 1 else 'they stand'} for"
        cost = f"{'It costs' if size == 1 else 'They cost'} {of_loss}."
        held = f"{size:,} {noun('elements')}" if size > 1 else noun("element")
        if not pattern.parts:
            where = "predicted" if pattern.whole.side == "gold" else "in gold"
            are = "is" if size == 1 else "are"
            return marked("The {} of {} {} {} not {}. {}", held, own, name, are, where, cost)
        if pattern.others or len(pattern.parts) > 1:
            did = "is split over" if pattern.whole.side == "gold" else "joins"
            met = plural(len(pattern.parts) + pattern.others, f"{_SIDES[_OTHER[pattern.whole.side]]} cluster")
            costs = f"Its {held} cost {of_loss}."
            return marked("{} {} {} {}: {}. {}", own.capitalize(), name, did, met, self.parts(pattern, ", "), costs)
        (part,) = pattern.parts
        few = f"{part.size:,} of the {held}" if part.size < size else f"All {held}" if size > 1 else f"The {held}"
        are, there = ("is" if part.size == 1 else "are"), self.name(part)
        if pattern.whole.side == "gold":
            rest = pattern.absent or "with others"
            return marked("{} of {} {} {} in {} {}, {}. {}", few, own, name, are, other, there, rest, cost)
        belong, rest = ("belongs" if part.size == 1 else "belong"), pattern.absent or "which is split"
        return marked("{} of {} {} {} to {} {}, {}. {}", few, own, name, belong, other, there, rest, cost)

    def charged(self, pattern: Pattern) -> Markup:
        """A pattern as in a list of them."""
        side, done = ("Gold", "split") if pattern.whole.side == "gold" else ("Predicted", "merged")
        of_loss = f"{100 * pattern.share:.1f}%" if pattern.share >= _TENTH else share(pattern.share)
        made_of = self.parts(pattern, " + ")
        return marked("{} {} = {}: {} of the loss, {}", side, self.whole(pattern), made_of, of_loss, done)


def _uneven(system: Mapping[str, Any]) -> Iterator[str]:
    gold, pred = system["card"].facts["clusters"]
    if gold and pred and max(gold / pred, pred / gold) >= _UNEVEN:
        yield f"It makes {plural(pred, 'cluster')} where gold has {gold:,}."


def sampled_verdict(system: Mapping[str, Any], estimates: Estimates) -> Iterator[str]:
    """The same where gold is a sample."""
    facts = estimates.facts
    yield f"Gold is a sample: {estimates.summary()}. All scores are estimates of what gold for all of them would give."
    exact = next(kind for kind in system["kinds"] if kind["kind"] == "exact")
    yield f"Of the {plural(facts.clusters, 'sampled gold cluster')}, {exact['cells']:,} are found exactly."
    yield from _sides_compared(system)
    yield from _worth(system)
    yield from (f"{note[0].upper()}{note[1:]}." for note in estimates.notes)


class Lead(NamedTuple):
    """How far the best system is ahead of the second best, and how sure that is."""

    best: str
    second: str
    gap: float
    p: float | None  # of a paired test; None where nothing was tested
    confidence: float
    corrected: bool = False  # whether p is one of several, and corrected for that


def best_system(lead: Lead | None, values: Mapping[str, float], metric: str) -> Markup:
    """Which system is best, and how sure that is; without a lead those with the highest value are equally good."""
    if lead is None:
        top = max(values.values())
        equal = [label(name) for name, value in values.items() if value == top]
        names = marked(listed(["{}"] * len(equal)), *equal)
        return marked("{} are equally good: {} {}.", names, measure(metric), _shown(top))
    sure = lead.p is not None and lead.p < 1 - lead.confidence
    words = marked(
        "{} {}: {} {}, {} ahead of {}, the second best.",
        label(lead.best),
        "is best" if sure else "scores best",
        measure(metric),
        _shown(values[lead.best]),
        _shown(abs(lead.gap)),
        label(lead.second),
    )
    if lead.p is None:
        return marked("{} The difference was not tested.", words)
    means = "The difference is significant" if sure else "The difference may be due to chance"
    corrected = " after Holm's correction" * lead.corrected
    return marked("{} {} (p {}{}).", words, means, p_value(lead.p, "= "), corrected)


def _shown(value: float) -> str:
    """A score in a sentence."""
    return shown_score(value, 3)
