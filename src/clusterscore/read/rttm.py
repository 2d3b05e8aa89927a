"""RTTM, who speaks when: every recording is cut into frames, and the class of a frame is the set of its speakers.

A frame belongs to a segment if its middle does. Times are decimal numbers and are computed with as such: no frame is
won or lost to rounding. After the last segment of a recording there is silence, as long as the other side needs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from math import ceil

import numpy as np

from clusterscore.exceptions import FileError, InputError
from clusterscore.messages import Given, Option
from clusterscore.nouns import plural
from clusterscore.read.clustering import Clustering
from clusterscore.read.formats import RTTM_TYPES
from clusterscore.read.labels import Labels

SILENCE = "(silence)"
_HALF = Fraction(1, 2)
_MOST_FRAMES = 2**31 - 1  # their numbers are kept in 32 bits
_LONGEST_NUMBER = 40  # characters of a time: beyond that it is a mistake, and 1e999999 would take forever


Segment = tuple[int, int, str]  # from a frame up to another, which is not part of it, and who speaks


def read_rttm(text: str, called: str, step: float) -> Clustering:
    """The frames of all recordings, by the SPEAKER lines of a text; in one that only other lines name nobody speaks."""
    frame = _checked_step(step)
    recordings: dict[str, list[Segment]] = {}
    for number, line in enumerate(text.split("\n"), 1):
        fields = line.split()
        if not fields or fields[0].startswith((";;", "#")):
            continue
        if fields[0] not in RTTM_TYPES or len(fields) < 2:
            raise FileError(
                f"{called}, line {number} is not RTTM: it begins with {fields[0][:40]!r}, not with SPEAKER; if it is "
                "not an RTTM file, pass ",
                Option("format", "..."),
            )
        segments = recordings.setdefault(fields[1], [])
        if fields[0] == "SPEAKER":
            segments.append(_segment(fields, frame, f"{called}, line {number}"))
    made = _clustering(recordings, called)
    made.options = {"step": str(step)}
    return made


def _segment(fields: list[str], frame: Fraction, where: str) -> Segment:
    if not 8 <= len(fields) <= 10:
        raise FileError(
            f"{where} has {plural(len(fields), 'field')}; a SPEAKER line has 8 to 10: SPEAKER recording channel start "
            "duration <NA> <NA> speaker <NA> <NA> (no blanks in names)"
        )
    start = _seconds(fields[3], "start", where)
    end = start + _seconds(fields[4], "duration", where)
    # a frame belongs to a segment if its middle, (k + 1/2) * frame, does
    return ceil(start / frame - _HALF), ceil(end / frame - _HALF), fields[7]


def _seconds(word: str, what: str, where: str) -> Fraction:
    try:
        value = Decimal(word) if len(word) <= _LONGEST_NUMBER else Decimal("NaN")
    except InvalidOperation:
        value = Decimal("NaN")
    if not value.is_finite() or value < 0 or abs(value.adjusted()) > _LONGEST_NUMBER:
        raise FileError(f"{where}: the {what} {word[:40]!r} is not a number of seconds from 0 up")
    return Fraction(value)


def _checked_step(step: float) -> Fraction:
    try:
        frame = Fraction(str(step))
    except (ValueError, ZeroDivisionError):
        frame = Fraction(0)
    if isinstance(step, bool) or frame <= 0:
        raise InputError(Given("step", step), " is not a length in seconds; write a number above 0, such as 0.01")
    return frame


def _clustering(recordings: dict[str, list[Segment]], called: str) -> Clustering:
    """Every recording up to the end of its last segment; what comes after it is silence, the first label."""
    counts = np.array([max((stop for _, stop, _ in some), default=0) for some in recordings.values()], object)
    if counts.sum() > _MOST_FRAMES:
        raise InputError(
            f"{called} has {counts.sum():,} frames, more than can be listed; take a longer ", Option("step")
        )
    counts = counts.astype(np.int64)
    codes: dict[frozenset[str], int] = {frozenset(): 0}
    runs: list[int] = []
    classes: list[int] = []
    for segments, length in zip(recordings.values(), counts.tolist(), strict=True):
        for speakers, run in _runs(segments, length):
            classes.append(codes.setdefault(speakers, len(codes)))
            runs.append(run)
    names = ["+".join(sorted(speakers)) or SILENCE for speakers in codes]
    frames = np.arange(counts.sum(), dtype=np.int32)
    frames -= np.repeat((np.cumsum(counts) - counts).astype(np.int32), counts)
    where = Labels(np.repeat(np.arange(len(counts), dtype=np.int32), counts), list(recordings))
    made = Clustering(Labels(np.repeat(np.array(classes, np.int32), runs), names), ids=frames, documents=where)
    made.otherwise = 0
    return made


def _runs(segments: list[Segment], length: int) -> Iterator[tuple[frozenset[str], int]]:
    """The sets of speakers one after the other, each with the number of its frames."""
    changes: dict[int, list[tuple[str, int]]] = {}
    for first, stop, speaker in segments:
        if first < stop:
            changes.setdefault(first, []).append((speaker, 1))
            changes.setdefault(stop, []).append((speaker, -1))
    active: Counter[str] = Counter()  # a speaker's segments may overlap
    at = 0
    for frame in sorted({*changes, length}):
        if frame > at:
            yield frozenset(active), frame - at
        for speaker, change in changes.get(frame, ()):
            active[speaker] += change
            if not active[speaker]:
                del active[speaker]
        at = frame
