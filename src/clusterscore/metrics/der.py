"""The diarization error rate."""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np

from clusterscore.align.timeline import Timeline
from clusterscore.count.speaking import in_seconds, shared_speech, speech
from clusterscore.count.sums import add_integers
from clusterscore.metrics.alignment import best_of_equals
from clusterscore.metrics.metric import Array, Limits, Parts, Values, divide, register
from clusterscore.metrics.of_turns import OfTurns


@register
class DiarizationErrorRate(OfTurns):
    """Diarization error rate (DER): how much of the speech is missed, invented, or given to the wrong speaker.

    Formula:
        (miss + false alarm + confusion) / total
        at each scored instant with r gold and h predicted speakers, k of them mapped pairs, the time of
        miss = max(0, r-h), false alarm = max(0, h-r), confusion = min(r, h) - k, total = r
        mapped one to one so that most time is in common; among equal maps the one with the least confusion

    Range:
        0 up; it may exceed 1. Smaller is better. The score has ``miss``, ``false_alarm``, ``confusion`` and ``total``
        in seconds, and the first three divided by the total as ``miss_rate``, ``false_alarm_rate`` and
        ``confusion_rate``. Recordings are added up and then divided; without speech in gold it is 0 if nothing is
        wrong, otherwise ``empty``.

    Use it when:
        You score who spoke when. Long speakers decide it; jer gives each speaker the same weight. A collar and skipped
        overlap make it look better, so say which you used: all options are in the signature.

    Options:
        collar: seconds on either side of each start and end in gold that are not scored: half the width, as md-eval and
            dscore have it. The collar of pyannote is the full width, twice as much.
        skip_overlap: leaves out time in which two or more speak in gold.
        turns: "merge" (default) joins a speaker's turns that overlap or touch; "seams" those that overlap, so that a
            seam gets a collar; "count" joins none, and two turns of one speaker at once count as two speakers.
        map: speakers are mapped by their common "scored" time (default), or by that in the "base", with what collars
            and skip_overlap remove.
        base: without a UEM, recordings are scored from the first start to the last end of "both" sides (default), or of
            the "reference" only.
        trim: cuts turns at the ends of the base first, so that these get collars, too.
        recordings: which ones count: "all" (default), those "referenced" in gold, where somebody speaks, or only those
            with "scored" speech of gold.
        empty: the score if gold has no scored speech and pred has; 1 by default.
        dialect: the conventions of "pyannote", "dscore", "md-eval", "spyder" or "simpleder"; options that you add
            take precedence.

    Reference:
        NIST 2009, The 2009 (RT-09) Rich Transcription Meeting Recognition Evaluation Plan.

    Example:
        >>> import clusterscore as cs
        >>> gold = cs.Clustering.from_turns([(0, 10, "ann"), (12, 20, "bob")])
        >>> pred = cs.Clustering.from_turns([(0, 9, "x"), (12, 17, "y"), (17, 20, "x")])
        >>> score = cs.der(gold, pred)
        >>> round(score.value, 4), score.miss, score.false_alarm, score.confusion
        (0.2222, 1.0, 0.0, 3.0)
    """

    turns: Literal["merge", "seams", "count"] | None = None
    map: Literal["scored", "base"] | None = None
    base: Literal["both", "reference"] | None = None
    trim: bool | None = None
    recordings: Literal["all", "referenced", "scored"] | None = None
    empty: float | None = None
    dialect: Literal["pyannote", "dscore", "md-eval", "spyder", "simpleder"] | None = None

    name = "der"
    aliases = ("diarization_error_rate",)
    limits: ClassVar[Limits] = {**OfTurns.limits, "empty": (0, 1)}
    highest = float("inf")
    perfect = 0.0
    smaller_is_better = True
    shown: ClassVar = {"miss_rate": "miss", "false_alarm_rate": "false alarm", "confusion_rate": "confusion"}
    dialects: ClassVar = {
        None: {"turns": "merge", "map": "scored", "base": "both", "trim": False, "recordings": "all", "empty": 1.0},
        "pyannote": {"turns": "count"},
        "dscore": {"turns": "seams", "map": "base", "trim": True, "recordings": "referenced"},
        "md-eval": {"turns": "seams", "map": "base", "base": "reference", "recordings": "referenced"},
        "spyder": {"map": "base", "recordings": "scored", "empty": 0.0},
        "simpleder": {"empty": 0.0},
    }

    def measured(self, timeline: Timeline) -> Parts:
        talk, shared = speech(timeline, self.scoring), shared_speech(timeline, self.scoring)
        both = np.minimum(talk.gold, talk.pred)
        speakers = {"miss": talk.gold - both, "false_alarm": talk.pred - both, "confusion": both, "total": talk.gold}
        ticks = {name: talk.add(numbers) for name, numbers in speakers.items()}
        common = shared.base if self.option("map") == "base" else shared.scored
        mapped = best_of_equals(shared.gold, shared.pred, shared.shape, common, shared.right)
        where = shared.speakers[0].recording[shared.gold[mapped]]
        ticks["confusion"] = ticks["confusion"] - add_integers(shared.right[mapped], where, len(timeline.recordings))
        kinds = {"all": talk.referenced | True, "referenced": talk.referenced, "scored": ticks["total"] > 0}
        kept = kinds[self.option("recordings")]
        return {name: np.where(kept, in_seconds(sums, talk.unit), 0.0) for name, sums in ticks.items()}

    def finish(self, miss: Array, false_alarm: Array, confusion: Array, total: Array) -> Values:
        parts = {"miss": miss, "false_alarm": false_alarm, "confusion": confusion}
        errors = miss + false_alarm + confusion
        rates = {f"{name}_rate": divide(part, total, 0.0) for name, part in parts.items()}
        value = divide(errors, total, np.where(errors > 0, self.option("empty"), 0.0))
        return Values(value, extras={**parts, "total": total, **rates})
