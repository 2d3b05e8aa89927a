"""Frames: a recording cut into pieces of the same length; the class of a frame is the set of its speakers."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple, get_args

import numpy as np

from clusterscore.distinct import Array, Ints, offsets
from clusterscore.exceptions import InputError, one_of
from clusterscore.messages import Given, Option
from clusterscore.read.file import Frames
from clusterscore.read.labels import Labels
from clusterscore.read.turns import Spans, Turns, boundaries_of

SILENCE = "(silence)"
_MOST_FRAMES = 2**31 - 1  # their numbers are kept in 32 bits


class Framing(NamedTuple):
    """Which frames a turn has: those whose middle it has, or those whose first instant it has, as in dscore."""

    step: Fraction
    kind: str = "middle"

    @classmethod
    def of(cls, step: Any, kind: str = "middle") -> Framing:
        """Check the options as a user gives them."""
        one_of("frames", kind, get_args(Frames))
        try:
            frame = Fraction(str(step))
        except (ValueError, ZeroDivisionError):
            frame = Fraction(0)
        if isinstance(step, bool) or frame <= 0:
            raise InputError(Given("step", step), " is not a length in seconds; write a number above 0, such as 0.01")
        return cls(frame, kind)

    @property
    def signed(self) -> dict[str, str]:
        """What a signature names."""
        shown = {"step": str(float(self.step)).removesuffix(".0")}
        return shown if self.kind == "middle" else {**shown, "frames": self.kind}

    def of_turns(self, turns: Turns, *, uem: bool = False) -> Turns:
        """The same turns in frames, of which one may have none; or the regions of a UEM."""
        if self.kind == "middle":
            start, end = (self._by_middle(ticks, turns.unit) for ticks in (turns.start, turns.end))
        else:
            start, end = map(self._by_instant, self._seconds(turns, uem))
        return turns._replace(start=start, end=end, unit=1)

    def _by_middle(self, ticks: Array, unit: int) -> Ints:
        frame = self.step * unit
        above, below = ticks.astype(object) * (2 * frame.denominator), 2 * frame.numerator
        return checked_frames(-((frame.numerator - above) // below))  # the middle is (k + 1/2) * frame

    def _by_instant(self, seconds: Array) -> Ints:
        """The first frame k with k * step from there on, in binary fractions, where it may be the next one."""
        step = float(self.step)
        number = np.maximum(np.floor(seconds / step) - 1, 0)
        for _ in range(3):
            number += step * number < seconds
        return checked_frames(number)

    def _seconds(self, turns: Turns, uem: bool) -> tuple[Array, Array]:
        """Starts and ends in binary fractions: dscore adds up a start and a duration; a UEM has both ends."""
        start, end, length = (
            np.asarray(ticks / turns.unit, np.float64) for ticks in (turns.start, turns.end, turns.end - turns.start)
        )
        return start, end if uem else start + length

    def number(self, turns: Turns) -> int:
        """How many frames the recordings have up to their last turns."""
        return int(self.base([turns], None).end.sum())

    def base(self, sides: Sequence[Turns], uem: Turns | None) -> Turns:
        """The frames that are compared: those of the UEM, or else all from the first turn of dscore, or from 0 on."""
        given, count = sides if uem is None else [uem], len(sides[0].recordings)
        framed = [self.of_turns(turns, uem=uem is not None) for turns in given]
        recording, start, end = (np.concatenate([turns[k] for turns in framed]) for k in (1, 2, 3))
        if self.kind == "dscore":
            last = np.zeros(count)
            ends = [self._seconds(turns, uem is not None)[1] for turns in given]
            np.maximum.at(last, recording, np.concatenate(ends))
            end = np.minimum(end, (last / float(self.step)).astype(np.int64)[recording])
        if uem is None:
            first, stop = np.full(count, _MOST_FRAMES), np.zeros(count, np.int64)
            np.minimum.at(first, recording, start if self.kind == "dscore" else 0)
            np.maximum.at(stop, recording, end)
            recording, start, end = np.arange(count), np.minimum(first, stop), stop
        nobody = np.zeros(len(recording), np.int64)
        return Turns(sides[0].recordings, recording, start, end, nobody, ("",), 1)


def checked_frames(numbers: Array) -> Ints:
    """Numbers of frames that are not too many."""
    if len(numbers) and numbers.max() > _MOST_FRAMES:
        raise InputError(f"{numbers.max():,} frames are more than can be listed; take a longer ", Option("step"))
    return numbers.astype(np.int64)


def labels_of(spans: Spans, times: Array, speakers: Sequence[Any] | Array) -> Labels:
    """Who speaks in each stretch between two times: a set of speakers, which is the label of its frames."""
    stretch, owner = spans.joined(touching=True).rows(times)
    order = np.lexsort((owner, stretch))
    stretch, owners = stretch[order], owner[order].tolist()
    first = np.flatnonzero(np.diff(stretch, prepend=-1))
    known: dict[tuple[int, ...], int] = {(): 0}
    codes = np.zeros(len(times) - 1, np.int32)
    codes[stretch[first]] = [
        known.setdefault(tuple(owners[start:stop]), len(known)) for start, stop in pairwise([*first, len(owners)])
    ]
    return Labels(codes, ["+".join(sorted(str(speakers[k]) for k in group)) or SILENCE for group in known])


def frames_of(turns: Turns, framing: Framing) -> tuple[Labels, Ints, Labels | None]:
    """The labels of the frames of one side, their numbers and their recordings, each of them up to its last turn."""
    framed, count = framing.of_turns(turns), len(turns.recordings)
    length = np.zeros(count, np.int64)
    np.maximum.at(length, framed.recording, framed.end)
    begin = offsets(length)
    checked_frames(begin[-1:])
    spans = Spans(begin[framed.recording] + framed.start, begin[framed.recording] + framed.end, framed.speaker)
    times = boundaries_of(spans, Spans(begin, begin, begin))
    labels = labels_of(spans.take(spans.start < spans.end), times, turns.speakers)
    labels.codes = np.repeat(labels.codes, np.diff(times))
    numbers = np.arange(begin[-1], dtype=np.int32) - np.repeat(begin[:-1].astype(np.int32), length)
    if turns.unnamed:
        return labels, numbers, None
    return labels, numbers, Labels(np.repeat(np.arange(count, dtype=np.int32), length), turns.recordings)
