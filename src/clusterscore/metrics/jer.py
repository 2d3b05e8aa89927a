"""The Jaccard error rate of speakers."""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np

from clusterscore.align.timeline import Timeline
from clusterscore.count.speaking import Scoring, shared_speech
from clusterscore.count.sums import add_up
from clusterscore.metrics.alignment import best_of_equals
from clusterscore.metrics.metric import Array, Limits, Parts, Values, divide, register
from clusterscore.metrics.of_turns import OfTurns
from clusterscore.read.frames import Framing


@register
class JaccardErrorRateOfSpeakers(OfTurns):
    """Jaccard error rate (JER): how far, on average, a speaker's time is from that of the mapped predicted speaker.

    Formula:
        mean over the gold speakers of all recordings of 1 - |R and H| / |R or H|
        with the times R and H of a speaker and of the one that is mapped to it; 1 if there is none

    Range:
        0 (identical) to 1. Smaller is better. A predicted speaker who is mapped to nobody costs nothing. Without gold
        speakers it is 1.

    Use it when:
        Every speaker matters equally, however little they say. der weighs them by their time.

    Options:
        collar: seconds on either side of each start and end in gold that are not scored, as in der.
        skip_overlap: leaves out time in which two or more speak in gold.
        turns: as in der: which starts and ends get a collar, and what is overlap; "merge" by default. A speaker's time
            is counted once.
        map: one to one, so that most "time" is in common (default; among equal maps the least sum of errors), or with
            the least sum of errors, "jaccard".
        step: counts frames of so many seconds, as dscore does, instead of time.
        empty: the score if nobody speaks on either side; 1 by default.
        dialect: the conventions of "pyannote" (turns "count"), or of "dscore" (frames of 10 ms, mapped by "jaccard",
            empty 0); options that you add take precedence.

    Reference:
        Ryant et al. 2019, The second DIHARD diarization challenge: dataset, task, and baselines, Interspeech.

    Example:
        >>> import clusterscore as cs
        >>> gold = cs.Clustering.from_turns([(0, 10, "ann"), (12, 20, "bob")])
        >>> pred = cs.Clustering.from_turns([(0, 9, "x"), (12, 17, "y"), (17, 20, "x")])
        >>> round(cs.jer(gold, pred).value, 4)
        0.3413
    """

    turns: Literal["merge", "seams", "count"] | None = None
    map: Literal["time", "jaccard"] | None = None
    step: float | None = None
    empty: float | None = None
    dialect: Literal["pyannote", "dscore"] | None = None

    name = "jer"
    limits: ClassVar[Limits] = {**OfTurns.limits, "step": (0, np.inf), "empty": (0, 1)}
    perfect = 0.0
    smaller_is_better = True
    dialects: ClassVar = {
        None: {"turns": "merge", "map": "time", "step": None, "empty": 1.0},
        "pyannote": {"turns": "count"},
        "dscore": {"map": "jaccard", "step": 0.01, "empty": 0.0},
    }

    def measured(self, timeline: Timeline) -> Parts:
        step, count = self.option("step"), len(timeline.recordings)
        line = timeline if step is None else timeline.framed(Framing.of(step, "dscore"))
        shared = shared_speech(line, self.scoring)
        # in frames, all who speak count; one who speaks between two frames has no time
        speakers = shared.speakers if step is None else shared_speech(timeline, Scoring()).speakers
        gold, pred = (side.recording[side.time > 0] for side in speakers)
        left, right = (side.time[who] for side, who in zip(shared.speakers, (shared.gold, shared.pred), strict=True))
        union = left + right - shared.common
        error = divide(union - shared.common, union, 1.0)
        first = [shared.scored] if self.option("map") == "time" else []
        mapped = best_of_equals(shared.gold, shared.pred, shared.shape, *first, 1 - error)
        where = shared.speakers[0].recording[shared.gold[mapped]]
        alone = np.bincount(gold, minlength=count) - np.bincount(where, minlength=count)
        return {
            "errors": add_up(error[mapped], where, count) + alone,
            "speakers": np.bincount(gold, minlength=count).astype(np.float64),
            "heard": np.bincount(pred, minlength=count).astype(np.float64),
        }

    def finish(self, errors: Array, speakers: Array, heard: Array) -> Values:
        return Values(divide(errors, speakers, np.where(heard > 0, 1.0, self.option("empty"))))
