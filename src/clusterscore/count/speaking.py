"""Who speaks with whom, and how long: the sums over time that measures of diarization are made of."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

import numpy as np

from clusterscore.align.timeline import Timeline
from clusterscore.count.counts import once
from clusterscore.count.sums import add_integers
from clusterscore.distinct import Array, Ints, distinct, offsets, ranges
from clusterscore.read.turns import Spans, boundaries_of


class Scoring(NamedTuple):
    """Which time is scored, and what counts as a turn. A collar reaches as far to either side of a boundary."""

    collar: Fraction = Fraction(0)
    skip_overlap: bool = False
    turns: str = "merge"
    base: str = "both"
    trim: bool = False


class Speech(NamedTuple):
    """The time of the base, in stretches in which nobody starts or stops."""

    times: Array  # between which they lie, together with time outside the base
    inside: Ints  # which of these stretches they are
    length: Array  # in ticks, as floats while they hold every whole number
    recording: Ints
    scored: Array
    gold: Ints  # how many speak
    pred: Ints
    turns: tuple[Spans, Spans]  # of gold and pred, as they count
    referenced: Array  # the recordings that have turns of gold
    unit: int  # ticks in a second

    def add(self, speakers: Ints) -> Array:
        """The time of so many speakers in each stretch, where it is scored, added up for each recording, in ticks."""
        return add_integers(np.where(self.scored, speakers, 0) * self.length, self.recording, len(self.referenced))


class Speakers(NamedTuple):
    """The speakers of one side who speak in the base; those of the same name in two recordings are two."""

    recording: Ints
    time: Array  # that is scored, in ticks
    stretch: Ints  # for each stretch in which one speaks,
    speaker: Ints  # who it is,
    turns: Ints  # and in how many turns at once


class SharedSpeech(NamedTuple):
    """Pairs of a gold and a predicted speaker who speak at the same time, and for how many ticks."""

    gold: Ints
    pred: Ints
    common: Array  # that are scored
    base: Array  # in the base, and here and below, where turns are counted, for each pair of turns
    scored: Array  # of that, what is scored
    right: Array  # of that, what can be right: a turn is right once
    speakers: tuple[Speakers, Speakers]  # of gold and pred

    @property
    def shape(self) -> tuple[int, int]:
        """How many speakers gold and pred have."""
        return len(self.speakers[0].recording), len(self.speakers[1].recording)


def in_seconds(ticks: Array, unit: int) -> Array:
    """Exact numbers of ticks, rounded once."""
    return np.asarray(ticks / unit, np.float64)


@once
def speech(timeline: Timeline, scoring: Scoring) -> Speech:
    """The time that is compared."""
    collar = scoring.collar * timeline.unit
    if collar.denominator > 1:
        finer = Timeline(timeline.recordings, timeline.sides, timeline.uem, collar.denominator)
        return speech(finer, scoring)
    gold, pred, width = timeline.gold, timeline.pred, timeline.width
    base = timeline.regions
    if base is None:
        base = timeline.extent([gold, pred] if scoring.base == "both" else [gold])
    if scoring.trim:
        gold, pred = gold.within(base), pred.within(base)
    if scoring.turns != "count":
        gold, pred = (spans.joined(touching=scoring.turns == "merge") for spans in (gold, pred))
    edges = np.concatenate([gold.start, gold.end]) if collar else gold.start[:0]
    begin, reach = edges // width * width, int(collar)
    removed = Spans(np.maximum(edges - reach, begin), np.minimum(edges + reach, begin + width), edges)
    times = boundaries_of(gold, pred, base, removed)
    inside = np.flatnonzero(base.cover(times))
    gold_count, pred_count = gold.cover(times)[inside], pred.cover(times)[inside]
    scored = removed.cover(times)[inside] == 0
    if scoring.skip_overlap:
        scored &= gold_count < 2
    length = np.diff(times)[inside].astype(object if timeline.kind is object else np.float64)
    recording = (times[:-1][inside] // width).astype(np.int64)
    referenced = np.zeros(len(timeline.recordings), bool)
    referenced[(gold.start // width).astype(np.int64)] = True
    speakers = gold_count, pred_count, (gold, pred)
    return Speech(times, inside, length, recording, scored, *speakers, referenced, timeline.unit)


def _speakers(talk: Speech, spans: Spans, count: bool) -> Speakers:
    place = np.full(len(talk.times) - 1, -1)
    place[talk.inside] = np.arange(len(talk.inside))
    stretch, owner = spans.rows(talk.times)
    stretch, owner = place[stretch][place[stretch] >= 0], owner[place[stretch] >= 0]
    names = int(owner.max(initial=0)) + 1
    used, speaker = np.unique(talk.recording[stretch] * names + owner, return_inverse=True)
    turns = np.ones(len(stretch), np.int64)
    if count:
        rows = distinct((stretch, len(talk.inside)), (speaker, len(used)), times=turns)
        stretch, speaker, turns = rows.column(0), rows.column(1), rows.counts
    time = add_integers(np.where(talk.scored, talk.length, 0)[stretch], speaker, len(used))
    return Speakers(used // names, time, stretch, speaker, turns)


@once
def shared_speech(timeline: Timeline, scoring: Scoring) -> SharedSpeech:
    """Who speaks at the same time as whom."""
    talk = speech(timeline, scoring)
    gold, pred = (_speakers(talk, spans, scoring.turns == "count") for spans in talk.turns)
    order = np.argsort(pred.stretch, kind="stable")
    first = offsets(np.bincount(pred.stretch, minlength=len(talk.inside)))
    number = np.diff(first)[gold.stretch]
    left = np.repeat(np.arange(len(number)), number)
    right = order[ranges(first[gold.stretch], number)]
    pairs = distinct((gold.speaker[left], len(gold.recording)), (pred.speaker[right], len(pred.recording)), codes=True)
    length, scored = talk.length[gold.stretch[left]], talk.scored[gold.stretch[left]]
    turn_pairs, matched = gold.turns[left] * pred.turns[right], np.minimum(gold.turns[left], pred.turns[right])
    numbers = scored * 1, turn_pairs, turn_pairs * scored, matched * scored
    common, base, *others = (add_integers(length * number, pairs.codes, len(pairs)) for number in numbers)
    return SharedSpeech(pairs.column(0), pairs.column(1), common, base, others[0], others[1], (gold, pred))
