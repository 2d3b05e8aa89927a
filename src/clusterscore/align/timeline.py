"""Timeline: the turns of gold and prediction, recording after recording on one axis."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from clusterscore.align.policies import Pair, Policy, Side, no_common_document
from clusterscore.distinct import Array, ranges
from clusterscore.exceptions import InputError, warn_user
from clusterscore.messages import Option
from clusterscore.nouns import noun, plural
from clusterscore.read.clustering import Clustering
from clusterscore.read.frames import Framing, labels_of
from clusterscore.read.labels import Labels
from clusterscore.read.turns import LARGEST, Spans, Turns, boundaries_of, given_regions

_UEM = {"uem": "given"}
_FAR = 100  # a side that ends so many times later than the other has another unit
_LONGEST = 48 * 3600  # seconds of a recording
_DOUBLED = 0.5  # with more turns inside of those of the same speaker, their ends are no ends


class Timeline:
    """The turns of "gold" and "pred", and the regions of a UEM, in the same recordings and in the same ticks.

    A recording has ``width`` ticks of the axis. Who owns a span is a speaker, by a number in the names of the side.
    """

    def __init__(self, recordings: Sequence[Any], sides: Mapping[str, Turns], uem: Turns | None, finer: int = 1):
        self.recordings, self.sides, self.uem = recordings, sides, uem
        given = [*sides.values(), *([] if uem is None else [uem])]
        self.unit = finer * math.lcm(*(turns.unit for turns in given))  # ticks in a second
        ends = [int(turns.end.max(initial=0)) * (self.unit // turns.unit) for turns in given if len(turns.end)]
        self.width = 1 + max(ends, default=0)
        speakers = 1 + max(len(turns.speakers) for turns in given)
        self.kind = np.int64 if self.width * (1 + len(recordings)) * speakers < LARGEST else object
        self.gold, self.pred = (self._on_axis(turns) for turns in sides.values())
        self.regions = None if uem is None else self._on_axis(uem).joined(touching=True)
        self._memo: dict[tuple[Any, ...], Any] = {}

    def _on_axis(self, turns: Turns) -> Spans:
        shift = turns.recording.astype(self.kind) * self.width
        factor = self.unit // turns.unit if len(shift) else 1
        start, end = (ticks.astype(self.kind) * factor + shift for ticks in (turns.start, turns.end))
        some = start < end  # in frames a turn may have no length
        return Spans(start[some], end[some], turns.speaker[some])

    @property
    def facts(self) -> dict[str, tuple[int, int]]:
        """How many turns and speakers gold and prediction have in these recordings."""
        spans = self.gold, self.pred
        gold, pred = (len(np.unique(side.start // self.width * 2**32 + side.owner)) for side in spans)
        return {"turns": (len(self.gold.owner), len(self.pred.owner)), "speakers": (gold, pred)}

    def extent(self, sides: Sequence[Spans]) -> Spans:
        """Each recording from its first start to its last end."""
        start, end = (np.sort(np.concatenate([spans[k] for spans in sides])) for k in (0, 1))
        _, first = np.unique(start // self.width, return_index=True)
        _, last = np.unique(end[::-1] // self.width, return_index=True)
        return Spans(start[first], end[::-1][last], first)

    def ends(self, spans: Spans) -> Array:
        """When each recording ends, in seconds; 0 if it has nothing."""
        last, recording = np.zeros(len(self.recordings)), spans.end // self.width
        seconds = (spans.end - recording * self.width) / self.unit
        np.maximum.at(last, recording.astype(np.int64), seconds.astype(np.float64))
        return last

    def framed(self, framing: Framing) -> Timeline:
        """The same in frames, with the frames that are compared as its regions."""
        sides = {side: framing.of_turns(turns) for side, turns in self.sides.items()}
        return Timeline(self.recordings, sides, framing.base(list(self.sides.values()), self.uem))

    def pair(self, framing: Framing, policy: Policy, single: bool) -> Pair:
        """Both sides in frames: each run in which nobody starts or stops is an element, or each single frame is."""
        line = self.framed(framing)
        assert line.regions is not None
        times = boundaries_of(line.gold, line.pred, line.regions)
        inside = np.flatnonzero(line.regions.cover(times))
        first, length = times[:-1][inside], np.diff(times)[inside]
        spans = zip((line.gold, line.pred), self.sides.values(), strict=True)
        labels = [labels_of(side, times, turns.speakers).take(inside) for side, turns in spans]
        recording, number = np.divmod(first, line.width)
        if single:
            labels = [side.take(np.repeat(np.arange(len(inside)), length)) for side in labels]
            number = ranges(number, length).astype(np.int32)
            recording = np.repeat(recording, length)
        gold, pred = (Side(side.codes, len(side.names), side.names, None, side.codes[:0]) for side in labels)
        documents = None if list(self.recordings) == [None] else Labels(recording, self.recordings)
        pair = Pair(gold, pred, documents, None, Labels(np.arange(len(number)), number), policy)
        return pair._replace(timeline=self, times=None if single else length)


def paired_turns(gold: Clustering, pred: Clustering, policy: Policy, uem: Any, single: bool) -> Pair:
    """Two sides with turns, where time without a turn is silence, and nothing is missing.

    A recording that one of them does not have is silent there; with "drop" it is left out.
    """
    if gold.turns is None or pred.turns is None or gold.framing is None or pred.framing is None:
        raise InputError(Option("uem"), " is for turns, as RTTM files have them, on both sides; leave it out")
    if gold.framing != pred.framing:
        raise InputError(
            "gold and pred have different frames; pass the same ", Option("step"), " and ", Option("frames")
        )
    given = {"gold": gold.turns, "pred": pred.turns}
    given = _named(given if uem is None else {**given, "the UEM": given_regions(uem)})
    regions = given.pop("the UEM", None)
    names = _evaluated(given, regions, policy)
    sides = {side: turns.only(names) for side, turns in given.items()}
    timeline = Timeline(names, sides, None if regions is None else regions.only(names))
    for doubt in _doubts(timeline):
        warn_user(doubt)
    policy = policy.read_with(gold.options, pred.options)
    if regions is not None:
        policy = policy.read_with(_UEM, _UEM)
    pair = timeline.pair(gold.framing, policy, single)
    if policy.missing != "drop":
        return pair
    left, right = (gold.framing.number(turns) - gold.framing.number(sides[side]) for side, turns in given.items())
    return pair._replace(dropped=(left, right))


def _named(given: Mapping[str, Turns]) -> dict[str, Turns]:
    """The same; a recording without a name is the one that the others name."""
    names = list(dict.fromkeys(name for turns in given.values() for name in turns.recordings if name is not None))
    unnamed = [what for what, turns in given.items() if turns.unnamed]
    if unnamed and len(names) > 1:
        documents = plural(len(names), "document")
        raise InputError(f"{unnamed[0]} does not say which of {documents} it is (e.g. {names[0]!r}); name it")
    return {**given, **{what: given[what]._replace(recordings=names or [None]) for what in unnamed}}


def _doubts(line: Timeline) -> Iterator[str]:
    """Times that are probably not meant."""
    sides = {"gold": line.gold, "pred": line.pred}
    others = {"pred": line.pred} if line.regions is None else {"pred": line.pred, "the UEM": line.regions}
    ends, names = line.ends(line.gold), line.recordings
    for what, spans in others.items():
        last = line.ends(spans)
        both = np.flatnonzero(np.minimum(ends, last))
        if len(both) and not 1 / _FAR < np.median(last[both] / ends[both]) < _FAR:
            at = both[0]
            where = "" if names[at] is None else f" in {names[at]!r}"
            yield (
                f"{what} ends at {last[at]:,.10g} s{where} and gold at {ends[at]:,.10g} s; if one of them has "
                "milliseconds, write seconds"
            )
    if line.regions is not None and len(line.gold.owner) and not len(line.gold.within(line.regions).owner):
        yield "nobody speaks in gold in the regions of the UEM, so there is nothing to find; look at its times"
    longest = int(ends.argmax()) if len(ends) else 0
    if ends.max(initial=0) > _LONGEST:
        hours = f"{ends[longest]:,.10g} s, after {ends[longest] / 3600:,.0f} hours"
        yield f"gold ends at {hours}; times are seconds: if these are milliseconds, divide by 1,000"
    for side, spans in sides.items():
        turns, apart = len(spans.owner), len(spans.joined(touching=False).owner)
        if turns - apart > _DOUBLED * turns:
            yield (
                f"{turns - apart:,} of {turns:,} turns of {side} begin within another of the same speaker; an RTTM "
                "file has a start and a duration in each line: is there an end in its place?"
            )


def _evaluated(given: Mapping[str, Turns], regions: Turns | None, policy: Policy) -> list[Any]:
    """The recordings that are evaluated; a warning where it is not all of them, or where one is on one side only."""
    gold, pred = (dict.fromkeys(turns.recordings) for turns in given.values())
    known = {**gold, **pred}
    regional = known if regions is None else dict.fromkeys(regions.recordings)
    if gold and pred and not gold.keys() & pred.keys() and (regions is None or not known.keys() <= regional.keys()):
        raise no_common_document((gold, pred), ", or name all in ", Option("uem"), " if the other is silent there")
    outside = [name for name in known if name not in regional]
    if outside and len(outside) == len(known):
        has = f"it has {next(iter(regional))!r}, not {outside[0]!r}"
        raise InputError(f"no {noun('document')} is in the UEM: {has}; give them the same names")
    if outside:
        warn_user(f"{plural(len(outside), 'document')} not in the UEM (e.g. {outside[0]!r}), and left out")
    unknown = [name for name in regional if name not in known]
    if unknown:
        warn_user(
            f"{plural(len(unknown), 'document')} of the UEM in neither gold nor pred (e.g. {unknown[0]!r}): nobody "
            "speaks there; to leave them out, pass ",
            Option("missing", "drop"),
        )
    names = [*(name for name in known if name in regional), *unknown]
    if policy.missing == "drop":
        names = [name for name in names if name in gold and name in pred]
    if not names:
        raise InputError(
            noun("there is no document to evaluate: nobody speaks in gold and pred; pass the regions as "),
            Option("uem"),
        )
    for side, here, other, there in (("gold", gold, "pred", pred), ("pred", pred, "gold", gold)):
        alone = [name for name in names if name in here and name not in there and name is not None]
        if alone:
            warn_user(
                f"{plural(len(alone), 'document')} only in {side} (e.g. {alone[0]!r}): nobody speaks there in {other}; "
                "if that is not so, give both the same names, or pass ",
                Option("missing", "drop"),
            )
    return names
