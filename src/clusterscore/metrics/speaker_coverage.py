"""The coverage of gold speakers, in time."""

from typing import ClassVar

from clusterscore.metrics.metric import register
from clusterscore.metrics.speaker_purity import SpeakerPurity


@register
class SpeakerCoverage(SpeakerPurity):
    """Speaker coverage: the share of gold speakers' time that they share with one predicted speaker each.

    Formula:
        sum over gold speakers of the most time shared with one predicted speaker / time of all gold speakers

    Range:
        0 to 1. 1 if no gold speaker speaks.

    Use it when:
        You want to know whether gold speakers are split; speaker_purity, with the sides exchanged, tells whether
        predicted speakers are mixed.

    Options:
        collar: seconds on either side of each start and end in gold that are not scored, as in der.
        skip_overlap: leaves out time in which two or more speak in gold.
        total: what is divided by: "all" time of gold speakers (default; pyannote.metrics 4), or only what they "share"
            with predicted speakers (pyannote.metrics 3).

    Reference:
        Bredin 2017, pyannote.metrics: a toolkit for reproducible evaluation, diagnostic, and error analysis of speaker
        diarization systems, Interspeech.

    Example:
        >>> import clusterscore as cs
        >>> gold = cs.Clustering.from_turns([(0, 6, "ann"), (6, 10, "bob")])
        >>> cs.speaker_coverage(gold, cs.Clustering.from_turns([(0, 10, "x")])).value
        1.0
    """

    name = "speaker_coverage"
    aliases: ClassVar[tuple[str, ...]] = ("diarization_coverage",)
    grouped_by: ClassVar[str] = "gold"
