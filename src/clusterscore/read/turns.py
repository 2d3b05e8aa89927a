"""Turns, who speaks when, and spans of time: whole numbers of ticks, so that no rounding decides anything.

A recording lies behind the other on one axis, so that all of them are worked on at once.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from clusterscore.distinct import Array, Ints, ranges
from clusterscore.exceptions import ClusterscoreError, FileError, InputError, InputTypeError
from clusterscore.messages import Option
from clusterscore.nouns import plural
from clusterscore.read.arrays import is_frame, python_values
from clusterscore.read.labels import encode, without_null
from clusterscore.read.source import Source

_NANOSECONDS = 9  # digits of a float that count
_LONGEST_NUMBER = 40  # characters of a time: beyond that it is a mistake, and 1e999999 would take forever
LARGEST = 2**53  # below it floats hold every whole number
TURN_COLUMNS = ("recording", "start", "end", "speaker")  # of a frame; the first where there are several
_RECORDING_COLUMNS = ("recording", "recording_id", "uri", "file", "file_id", "filename", "session", "session_id")
_TURNS = (
    "turns are a frame, a mapping recording -> turns, or a list of (start, end, speaker) or (recording, start, end, "
    "speaker)"
)
_REGIONS = "a UEM is a file, a mapping recording -> regions, or a list of (start, end) or (recording, start, end)"

Where = Callable[[int], str]  # what messages call a row


class Spans(NamedTuple):
    """Stretches of time on one axis, from a tick up to another, which is not part of it; and whose they are."""

    start: Array
    end: Array
    owner: Ints

    def take(self, which: Array) -> Spans:
        """Some of them."""
        return Spans(self.start[which], self.end[which], self.owner[which])

    def joined(self, touching: bool) -> Spans:
        """Those of an owner that overlap made one; those that touch each other too, where they are to be."""
        if not len(self.owner):
            return self
        shift = self.owner.astype(self.end.dtype) * (self.end.max() + 1)  # an owner lies behind the other
        order = np.argsort(shift + self.start, kind="stable")
        spans, shift = self.take(order), shift[order]
        reach = np.maximum.accumulate(spans.end + shift)
        begins = np.ones(len(order), bool)
        gap = spans.start[1:] + shift[1:] - reach[:-1]
        begins[1:] = gap > 0 if touching else gap >= 0
        first = np.flatnonzero(begins)
        last = np.append(first[1:], len(order)) - 1
        return Spans(spans.start[first], (reach - shift)[last], spans.owner[first])

    def within(self, regions: Spans) -> Spans:
        """The pieces that lie in some regions, which are in order and apart."""
        first = np.searchsorted(regions.end, self.start, "right")
        count = (np.searchsorted(regions.start, self.end, "left") - first).clip(0)
        piece, region = np.repeat(np.arange(len(count)), count), ranges(first, count)
        start = np.maximum(self.start[piece], regions.start[region])
        return Spans(start, np.minimum(self.end[piece], regions.end[region]), self.owner[piece])

    def cover(self, times: Array) -> Ints:
        """How many of them cover each stretch between two of the times, at which all of them begin and end."""
        changes = np.zeros(len(times), np.int64)
        np.add.at(changes, np.searchsorted(times, self.start), 1)
        np.add.at(changes, np.searchsorted(times, self.end), -1)
        return np.cumsum(changes)[:-1]

    def rows(self, times: Array) -> tuple[Ints, Ints]:
        """Each stretch between two of the times with each of its owners, as rows of both."""
        first = np.searchsorted(times, self.start)
        count = np.searchsorted(times, self.end) - first
        return ranges(first, count), np.repeat(self.owner, count)


def boundaries_of(*several: Spans) -> Array:
    """All times at which something begins or ends, and 0."""
    times = np.sort(np.concatenate([[0], *(ends for spans in several for ends in spans[:2])]))
    return times[np.diff(times, prepend=-1) > 0]  # np.unique takes ten times as long


class Turns(NamedTuple):
    """The turns of one side, in ticks of its own; a turn without length is none."""

    recordings: Sequence[Any]  # their names, also of those in which nobody speaks; one that is None is the only one
    recording: Ints
    start: Array
    end: Array
    speaker: Ints
    speakers: Sequence[Any] | Array
    unit: int  # ticks in a second

    @classmethod
    def of(
        cls, recordings: Sequence[Any], rows: Sequence[Any], start: Sequence[Any], end: Any, *, lengths: bool = False
    ) -> Turns:
        """From rows (recording, speaker), the start of each in seconds, and the end, or else the length."""
        unit, (begins, ends) = in_ticks(start, end)
        place = {name: k for k, name in enumerate(recordings)}
        recording = np.array([place[name] for name, _ in rows], np.int64)
        speakers = without_null(encode([speaker for _, speaker in rows]), "a speaker", "turn")
        speaker = speakers.codes.astype(np.int64)
        made = cls(recordings, recording, begins, begins + ends if lengths else ends, speaker, speakers.names, unit)
        return made.take(made.start < made.end)

    def take(self, which: Array) -> Turns:
        """Some of them."""
        recording, start, end, speaker = (column[which] for column in self[1:5])
        return self._replace(recording=recording, start=start, end=end, speaker=speaker)

    def only(self, recordings: Sequence[Any]) -> Turns:
        """The turns in some recordings, which may be others than its own."""
        place = {name: k for k, name in enumerate(recordings)}
        number = np.array([place.get(name, -1) for name in self.recordings], np.int64)[self.recording]
        return self._replace(recordings=recordings, recording=number).take(number >= 0)

    @property
    def unnamed(self) -> bool:
        """Whether there is one recording, which has no name."""
        return list(self.recordings) == [None]


def in_ticks(*given: Sequence[Any]) -> tuple[int, list[Array]]:
    """Exact numbers of seconds as whole numbers of ticks, as long as they are a part of each; and how many a second."""
    ratios = [[value.as_integer_ratio() for value in column] for column in given]
    unit = math.lcm(*{below for column in ratios for _, below in column})
    columns = [np.array([above * (unit // below) for above, below in column], object) for column in ratios]
    large = any(len(ticks) and ticks.max() >= LARGEST for ticks in columns)
    return unit, [ticks if large else ticks.astype(np.int64) for ticks in columns]


def exact_seconds(values: Sequence[Any], what: str, where: Where, error: type[ClusterscoreError]) -> list[Any]:
    """Numbers of seconds as they are written, from 0 up; a float, which may be a sum, is rounded to nanoseconds."""
    exact = []
    for k, value in enumerate(values):
        try:
            number: Any = value if type(value) is Fraction else Decimal(value if type(value) is str else str(value))
            if isinstance(value, float | np.floating):  # 0.1 + 0.2 is 0.3
                number = round(number, _NANOSECONDS)
            size = number.adjusted() if isinstance(number, Decimal) else 0  # digits before the point, or after it
            written = str(value)  # Python would read 1_0, too
            short = abs(size) < _LONGEST_NUMBER and len(written) <= _LONGEST_NUMBER
            if 0 <= number < math.inf and short and "_" not in written:
                exact.append(number)
                continue
        except (InvalidOperation, ValueError):  # a comparison with NaN is one, too
            pass
        raise error(f"{where(k)}: the {what} {str(value)[:40]!r} is not a number of seconds from 0 up")
    return exact


def _times(rows: list[Any], where: Where, error: type[ClusterscoreError], *, empty: bool) -> list[list[Any]]:
    """The starts and ends of rows (recording, start, end, ...); ``empty`` if one may end where it starts."""
    times = [exact_seconds([row[k] for row in rows], what, where, error) for k, what in ((1, "start"), (2, "end"))]
    for k, (start, end) in enumerate(zip(*times, strict=True)):
        if end < start or (end == start and not empty):
            raise error(f"{where(k)}: it starts at {start} and ends at {end}; an end comes after the start")
    return times


def given_turns(given: Any) -> Turns:
    """Turns as a user has them in Python: rows, a frame, or by recording; also an Annotation of pyannote."""
    if isinstance(given, Turns):
        return given
    if isinstance(given, list | tuple) and any(hasattr(row, "itertracks") for row in given):
        raise InputTypeError("several Annotations are a mapping recording -> Annotation")
    names, rows = _with_recordings(given, _TURNS, TURN_COLUMNS)
    times = _times(rows, lambda k: f"turn {k}", InputError, empty=True)
    without_null(encode([] if names else [row[0] for row in rows]), "a recording", "turn")
    return Turns.of(list(dict.fromkeys([*names, *(row[0] for row in rows)])), [row[::3] for row in rows], *times)


def given_regions(given: Any) -> Turns:
    """A UEM, as turns of nobody: a file, a mapping recording -> [(start, end)], or rows (recording, start, end)."""
    if isinstance(given, str | os.PathLike):
        return _read_uem(Source(given))
    _, rows = _with_recordings(given, _REGIONS, TURN_COLUMNS[:3])
    return _regions(rows, lambda k: f"uem, region {k}", InputError)


def _with_recordings(given: Any, expected: str, columns: Sequence[str]) -> tuple[list[Any], list[Any]]:
    """Rows that begin with a recording, and the recordings that are named even without a row."""
    names: list[Any] = []
    if isinstance(given, Mapping):
        names = list(given)
        rows = [(name, *row) for name, some in given.items() for row in _rows(some, expected, columns)]
    else:
        rows = _rows(given, expected, columns)
        if rows and all(len(row) == len(columns) - 1 for row in rows):
            names, rows = [None], [(None, *row) for row in rows]
    odd = next((row for row in rows if len(row) != len(columns)), None)
    if odd is not None:
        raise InputTypeError(f"{expected}, the same for all, not {odd!r}"[:250])
    return names, rows


def _rows(given: Any, expected: str, columns: Sequence[str]) -> list[Any]:
    if hasattr(given, "itertracks"):  # an Annotation of pyannote
        return [(span.start, span.end, speaker) for span, _, speaker in given.itertracks(yield_label=True)]
    if not is_frame(given):
        try:
            return [(row.start, row.end) if hasattr(row, "start") else tuple(row) for row in given]  # or its Segments
        except TypeError:
            raise InputTypeError(f"{expected}, not {given!r}"[:250]) from None
    from clusterscore.read.tables import opened_frame

    table = opened_frame(given)
    recording = [name for name in _RECORDING_COLUMNS if name in table.columns][:1]
    there = [*recording, *(name for name in columns[1:] if name in table.columns)]
    if there[-len(columns) + 1 :] != [*columns[1:]]:
        raise InputError(
            f"a frame has the columns {', '.join(columns[1:])}, and recording if there are several; this one has "
            f"{', '.join(map(str, table.columns))}"
        )
    return list(zip(*(python_values(table[name].to_list()) for name in there), strict=True))


def _read_uem(source: Source) -> Turns:
    """The lines ``recording channel start end`` of a file."""
    rows, numbers = [], []
    for number, line in enumerate(source.text(may_be_empty=True).split("\n"), 1):
        fields = line.split()
        if fields and not fields[0].startswith((";", "#")):
            rows.append((fields[0], *fields[2:]))
            numbers.append(number)
            if len(fields) != 4:
                raise FileError(
                    f"{source.called}, line {number} has {plural(len(fields), 'field')}; a line of a UEM has 4: "
                    "recording channel start end"
                )
    return _regions(rows, lambda k: f"{source.called}, line {numbers[k]}", FileError)


def _regions(rows: list[Any], where: Where, error: type[ClusterscoreError]) -> Turns:
    if not rows:
        raise InputError("the UEM has no region; leave out ", Option("uem"), " to evaluate everything")
    times = _times(rows, where, error, empty=False)
    return Turns.of(list(dict.fromkeys(row[0] for row in rows)), [(row[0], "") for row in rows], *times)
