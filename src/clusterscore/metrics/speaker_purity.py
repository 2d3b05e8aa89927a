"""The purity of predicted speakers, in time."""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np

from clusterscore.align.timeline import Timeline
from clusterscore.count.speaking import in_seconds, shared_speech, speech
from clusterscore.count.sums import add_integers
from clusterscore.metrics.metric import Array, Parts, Values, divide, register
from clusterscore.metrics.of_turns import OfTurns


@register
class SpeakerPurity(OfTurns):
    """Speaker purity: the share of predicted speakers' time that they share with one gold speaker each.

    Formula:
        sum over predicted speakers of the most time shared with one gold speaker / time of all predicted speakers

    Range:
        0 to 1. 1 if no predicted speaker speaks.

    Use it when:
        You want to know whether predicted speakers are mixed; speaker_coverage tells whether gold speakers are
        split. Both are 1 where nothing is wrong, and a prediction can easily be good at one of them.

    Options:
        collar: seconds on either side of each start and end in gold that are not scored, as in der.
        skip_overlap: leaves out time in which two or more speak in gold.
        total: what is divided by: "all" time of predicted speakers (default; pyannote.metrics 4), or only what they
            "share" with gold speakers, so that false alarms cost nothing (pyannote.metrics 3).

    Reference:
        Bredin 2017, pyannote.metrics: a toolkit for reproducible evaluation, diagnostic, and error analysis of speaker
        diarization systems, Interspeech.

    Example:
        >>> import clusterscore as cs
        >>> gold = cs.Clustering.from_turns([(0, 6, "ann"), (6, 10, "bob")])
        >>> cs.speaker_purity(gold, cs.Clustering.from_turns([(0, 10, "x")])).value
        0.6
    """

    total: Literal["all", "shared"] = "all"

    name = "speaker_purity"
    aliases: ClassVar[tuple[str, ...]] = ("diarization_purity",)
    grouped_by: ClassVar[str] = "pred"

    def measured(self, timeline: Timeline) -> Parts:
        count, unit = len(timeline.recordings), speech(timeline, self.scoring).unit
        shared = shared_speech(timeline, self.scoring)
        side = ("gold", "pred").index(self.grouped_by)
        speakers, own = shared.speakers[side], (shared.gold, shared.pred)[side]
        most = np.zeros(len(speakers.recording), speakers.time.dtype)
        np.maximum.at(most, own, shared.common)
        time = add_integers(speakers.time, speakers.recording, count)
        if self.total == "shared":
            time = add_integers(shared.common, speakers.recording[own], count)
        sums = {"most": add_integers(most, speakers.recording, count), "time": time}
        return {name: in_seconds(ticks, unit) for name, ticks in sums.items()}

    def finish(self, most: Array, time: Array) -> Values:
        return Values(divide(most, time, 1.0))
