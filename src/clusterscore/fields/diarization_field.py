"""Diarization: who spoke when."""

from clusterscore.fields import Field, register_field
from clusterscore.nouns import Nouns

register_field(
    Field(
        name="diarization",
        about="Who spoke when in a recording?",
        nouns=Nouns(("frame", "frames"), ("speaker set", "speaker sets"), ("recording", "recordings")),
        measures={
            "der": "DER",
            "jer": "JER",
            "speaker_purity": "speaker purity",
            "speaker_coverage": "speaker coverage",
        },
        why="Everybody reports DER, which those who speak most decide. JER gives every speaker the same weight. "
        "Purity tells whether predicted speakers are mixed, and coverage whether gold speakers are split.",
        percent=True,
        digits=2,
        formats=("rttm",),
        tried_first=("rttm",),
        by_document=300,
        scorer="pyannote.metrics, dscore and md-eval, each with its dialect: to the digits they print",
        page="fields/diarization",
    )
)
