"""RTTM: the SPEAKER lines of a text are turns; in a recording that only other lines name nobody speaks."""

from __future__ import annotations

from clusterscore.exceptions import FileError, warn_user
from clusterscore.messages import Message, Option, Wording
from clusterscore.nouns import plural
from clusterscore.read.formats import RTTM_TYPES
from clusterscore.read.turns import Turns, exact_seconds


def read_rttm(text: str, called: str) -> Turns:
    """The turns of all recordings; channels are not distinguished."""
    recordings: dict[str, None] = {}
    channels: dict[str, dict[str, None]] = {}
    rows, numbers, starts, lengths = [], [], [], []
    for number, line in enumerate(text.split("\n"), 1):
        fields = line.split()
        if not fields or fields[0].startswith((";", "#")):
            continue
        if fields[0] not in RTTM_TYPES or len(fields) < 2:
            raise FileError(
                f"{called}, line {number} is not RTTM: it begins with {fields[0][:40]!r}, not with SPEAKER; put ;; in "
                "front of a heading or a comment; if the file is something else, pass ",
                Option("format", "..."),
                Message("; if it is a UEM, it goes to ", Wording("uem=", "--uem")) if len(fields) == 4 else "",
            )
        recordings[fields[1]] = None
        if fields[0] != "SPEAKER":
            continue
        if not 8 <= len(fields) <= 10:
            raise FileError(
                f"{called}, line {number} has {plural(len(fields), 'field')}; a SPEAKER line has 8 to 10: SPEAKER "
                "recording channel start duration <NA> <NA> speaker <NA> <NA> (no blanks in names)"
            )
        rows.append((fields[1], fields[7]))
        channels.setdefault(fields[1], {})[fields[2]] = None
        numbers.append(number)
        starts.append(fields[3])
        lengths.append(fields[4])

    several = [recording for recording, names in channels.items() if len(names) > 1]
    if several:
        warn_user(
            f"{called}: {plural(len(several), 'recording')} with several channels (e.g. {several[0]!r} with "
            f"{' and '.join(list(channels[several[0]])[:2])}), which are scored together; to tell them apart, "
            "give them names of their own"
        )

    def where(row: int) -> str:
        return f"{called}, line {numbers[row]}"

    start = exact_seconds(starts, "start", where, FileError)
    return Turns.of(list(recordings), rows, start, exact_seconds(lengths, "duration", where, FileError), lengths=True)
